//! Whose a record is: with whose key it is sealed, and what is locked before it changes.

use uuid::Uuid;

use super::{Table, id_after_table, is_beside_conversation, key, withheld_key};
use crate::error::{Result, StoreError};
use crate::seals::keyring::Owner;

/// Records that are sealed with their account's key. Their places begin with the account.
const SEALED_FOR_ACCOUNT: [Table; 9] = [
    Table::Account,
    Table::PersonalPage,
    Table::Suspension,
    Table::Used,
    Table::SignIns,
    Table::Push,
    Table::Digest,
    Table::SeatPush,
    Table::InboxSeal,
];

/// The key of an owner's record: without it, the owner is not there.
pub fn home(owner: Owner) -> Vec<u8> {
    match owner {
        Owner::Account(id) | Owner::Inbox(id) => key(Table::Account, &[id.as_bytes()]),
        Owner::Feedback(id) | Owner::FeedbackPicture(id) => key(Table::Feedback, &[id.as_bytes()]),
        Owner::Shield(id) => key(Table::Shield, &[id.as_bytes()]),
        Owner::Report(id) => key(Table::Report, &[id.as_bytes()]),
        Owner::Invitation(id) => key(Table::Invitation, &[id.as_bytes()]),
        Owner::Conversation(id) => key(Table::Conversation, &[id.as_bytes()]),
        Owner::Room(id) | Owner::RoomPictures(id) => key(Table::Room, &[id.as_bytes()]),
    }
}

/// The row that stands for this one where rows are locked: all that is an account's is changed by one call after
/// the other, and so is a name or an address, whoever has it. `None` where the row doesn't tell whose it is: whoever
/// changes it has locked its owner's account.
pub fn guard_of(at: &[u8]) -> Option<Vec<u8>> {
    let (table, rest) = at.split_first()?;
    let is = |tables: &[Table]| tables.iter().any(|one| *one as u8 == *table);
    let by_id = |id: Option<&[u8]>| id.map(|id| key(Table::Account, &[id]));
    if is(&[Table::Username, Table::Email, Table::Withheld]) {
        return Some(withheld_key(rest));
    }
    // What is in front of the owner is the day, or the minute.
    if is(&[Table::DayOfTags, Table::Sent, Table::SignInsEnd, Table::DigestDue, Table::SeatPushEnd, Table::HandoverEnd])
    {
        return by_id(rest.get(4..20));
    }
    if is(&[Table::Feedback, Table::FeedbackCount]) {
        return Some(key(Table::FeedbackCount, &[]));
    }
    if is(&[Table::Report, Table::ReportPicture, Table::Receipt, Table::ReceiptOf, Table::OpenReports]) {
        return Some(key(Table::OpenReports, &[]));
    }
    if is(&[Table::Target, Table::ConversationDoor, Table::Invitation, Table::Told]) {
        return Some(at.to_vec());
    }
    let of_account = [
        Table::Access,
        Table::ResetOf,
        Table::ConfirmOf,
        Table::Note,
        Table::Shield,
        Table::KnownTag,
        Table::Inbox,
        Table::InboxKey,
        Table::Answer,
        Table::Publicity,
        Table::Starred,
        Table::ConversationOf,
        Table::HiddenConversation,
        Table::UnansweredConversation,
        Table::ConversationOfNote,
        Table::OpenConversations,
        Table::Stale,
        Table::Gone,
        Table::RoomLinks,
    ];
    if is(&of_account) || is(&SEALED_FOR_ACCOUNT) { by_id(rest.get(..16)) } else { None }
}

/// The row that names the newest key of an owner, behind the byte of a version: their record, but for an inbox.
pub(crate) fn names_key(owner: Owner) -> Vec<u8> {
    match owner {
        Owner::Inbox(id) => key(Table::InboxKey, &[id.as_bytes()]),
        owner => home(owner),
    }
}

/// Whose key seals what is at this place. `Corrupt` where nothing is sealed.
pub(crate) fn owner_of(at: &[u8]) -> Result<Owner> {
    let owner = |table: Table| at.first() == Some(&(table as u8));
    let of: fn(Uuid) -> Owner = if SEALED_FOR_ACCOUNT.into_iter().any(owner) {
        Owner::Account
    } else if [Table::Note, Table::Answer].into_iter().any(owner) {
        Owner::Inbox
    } else if owner(Table::Shield) {
        Owner::Shield
    } else if is_beside_conversation(at) || [Table::Conversation, Table::SenderPush].into_iter().any(owner) {
        Owner::Conversation
    } else if [Table::Room, Table::RoomLog].into_iter().any(owner) {
        Owner::Room
    } else if owner(Table::Feedback) {
        Owner::Feedback
    } else if [Table::Report, Table::ReportPicture].into_iter().any(owner) {
        Owner::Report
    } else if owner(Table::Invitation) {
        Owner::Invitation
    } else {
        return Err(StoreError::Corrupt);
    };
    id_after_table(at).map(of)
}
