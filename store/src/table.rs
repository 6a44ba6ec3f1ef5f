//! The places of records: a table, and a key in it. The first byte of a key names its
//! table. The local engine's index and backups have these keys, and what is sealed is
//! bound to them in every engine.

use uuid::Uuid;

use crate::account::{AccountId, Timestamp};
use crate::conversation::ConversationId;
use crate::error::{Result, StoreError};
use crate::feedback::FeedbackId;
use crate::inbox::SentHash;
use crate::inbox::place::NotePlace;
use crate::invitation::InvitationId;
use crate::report::{ReceiptHash, ReportId};
use crate::room::{MemberId, RoomId, Seq};

mod whose;
pub use whose::{guard_of, home};
pub(crate) use whose::{names_key, owner_of};

/// The first byte of a key. It is on disk: a new table gets a byte that no table
/// ever had.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Table {
    /// account → the account, sealed.
    Account = b'a',
    /// account → which of its tokens are valid.
    Access = b'v',
    /// blinded name → account.
    Username = b'n',
    /// blinded address → account.
    Email = b'e',
    /// target → account.
    Target = b't',
    /// digest of a reset token → account and deadline.
    Reset = b'r',
    /// account, digest → nothing: the resets of an account.
    ResetOf = b'R',
    /// digest of a token that confirms an address → account and deadline.
    Confirm = b'm',
    /// account, digest → nothing: the confirmations of an account.
    ConfirmOf = b'M',
    /// owner, place → the note, sealed; or, where a bit of the place is set, which conversations were
    /// begun with a tag. Another bit is set while a note is archived.
    Note = b'i',
    /// owner → the shield, sealed.
    Shield = b'S',
    /// owner, hash of a tag → the last day on which it came.
    KnownTag = b'T',
    /// day, owner → nothing: on that day notes came with tags.
    DayOfTags = b'D',
    /// day, owner, keyed hash of the id and the words of a note → nothing: it has come on that day.
    Sent = b'j',
    /// owner → the inbox: how many notes, how many unread, and the next batch.
    Inbox = b'c',
    /// owner, place → a public answer, sealed.
    Answer = b'A',
    /// owner, place of a note → what may be public of it.
    Publicity = b'B',
    /// owner, place of a note → nothing: its owner has marked it with a star.
    Starred = b'L',
    /// owner → what they have set up of their personal page, sealed.
    PersonalPage = b'P',
    /// conversation → the conversation but for its lines, sealed. In older ones they are in it.
    Conversation = b'w',
    /// conversation, number → a line, sealed.
    ConversationLine = b'%',
    /// conversation, place → what a change had added to an older one, sealed.
    ConversationAddition = b'y',
    /// conversation → who may enter it, and where it is listed.
    ConversationDoor = b'W',
    /// owner, when it moved, conversation → nothing: those that the owner may know of, or will
    /// when a batch is due.
    ConversationOf = b'p',
    /// owner, when it moved, conversation → nothing: those that the owner must not know of.
    HiddenConversation = b'Z',
    /// owner, when it moved, conversation → nothing: those that are open and that the owner has
    /// not answered. Older versions have those here, too, that the owner must not know of.
    UnansweredConversation = b'z',
    /// owner, place of the note → conversation.
    ConversationOfNote = b'N',
    /// end, conversation → nothing.
    ConversationExpiry = b'X',
    /// owner → in how many open conversations they have answered; owner, 0 → how many they have not
    /// answered; owner, 1 → how many they must not know of.
    OpenConversations = b'q',
    /// owner → nothing: a note was deleted, and the others must be sealed with a
    /// new key.
    Stale = b's',
    /// owner → nothing: the account is gone, and its notes are not removed yet.
    Gone = b'g',
    /// room → its metadata, sealed.
    Room = b'o',
    /// owner, room → when it ends.
    RoomOf = b'O',
    /// end, room → nothing.
    RoomExpiry = b'x',
    /// link of a room → the room, and whether a newer link has taken its place. Only where there is a newer one.
    RoomLink = b'5',
    /// owner, room → its links but the first.
    RoomLinks = b'6',
    /// room, last place → events, sealed. Here in backups only: otherwise events are
    /// in the commit log.
    RoomLog = b'l',
    /// room → nothing: the room is gone, and its pictures are not removed yet.
    GoneRoom = b'G',
    /// room, last place of the events → what they took back, until it is gone.
    Erasing = b'd',
    /// feedback → the words, sealed.
    Feedback = b'f',
    /// nothing → how many pieces of feedback there are.
    FeedbackCount = b'F',
    /// report → the report, sealed.
    Report = b'Q',
    /// report, number of the quoted words → the picture beside them, sealed.
    ReportPicture = b'H',
    /// keyed hash of a receipt → the report, and how it stands.
    Receipt = b'E',
    /// report → the keyed hash of its receipt.
    ReceiptOf = b'C',
    /// nothing → how many reports are open.
    OpenReports = b'u',
    /// account → in which month it was last used, sealed. Only where accounts lapse.
    Used = b'V',
    /// account → its sign-ins, sealed.
    SignIns = b'3',
    /// day, account → nothing: on that day something of its sign-ins goes.
    SignInsEnd = b'2',
    /// account → its suspension, sealed.
    Suspension = b'U',
    /// blinded name or address of somebody who deleted their account while it was suspended → until
    /// when nobody can sign up with it.
    Withheld = b'h',
    /// invitation → the invitation, sealed.
    Invitation = b'I',
    /// account → its subscriptions to web push, sealed.
    Push = b'b',
    /// conversation → the subscriptions of its sender, sealed.
    SenderPush = b'1',
    /// account → its digest, sealed.
    Digest = b'7',
    /// minute, account → nothing: then its digest is due.
    DigestDue = b'8',
    /// owner of a room, room, member → the subscriptions of whoever has the seat, sealed.
    SeatPush = b'9',
    /// day, owner, room → nothing: on that day the room ends.
    SeatPushEnd = b'0',
    /// owner → how their inbox is sealed, sealed itself.
    InboxSeal = b'4',
    /// minute, owner → nothing: then what one of their devices handed to another has to be gone.
    HandoverEnd = b'@',
    /// 0 → the pause.
    Pause = b'J',
    /// 0 → what the operator was told of.
    Told = b'Y',
    /// inbox → the key of what it stores now. Only where keys are in another database; in no backup.
    InboxKey = b'K',
    /// nothing → how many slots the file of keys has.
    KeySlots = b'k',
    /// nothing → nothing: the index was built without commits that could not be
    /// read, so an owner that isn't there may have been in those.
    Incomplete = b'!',
    /// nothing → the last commit that is in the index.
    At = b'#',
    /// nothing → the folder that the index belongs to.
    Folder = b'$',
}

/// A key: the table's byte, then the parts.
pub(crate) fn key(table: Table, parts: &[&[u8]]) -> Vec<u8> {
    let mut key = vec![table as u8];
    parts.iter().for_each(|part| key.extend_from_slice(part));
    key
}

/// The minute of a time, where rows stand in its order.
pub(crate) fn minute(at: Timestamp) -> [u8; 4] {
    u32::try_from(at / 60).unwrap_or(u32::MAX).to_be_bytes()
}

pub(crate) fn account_key(id: AccountId) -> Vec<u8> {
    key(Table::Account, &[id.0.as_bytes()])
}

pub(crate) fn note_key(owner: AccountId, place: NotePlace) -> Vec<u8> {
    key(Table::Note, &[owner.0.as_bytes(), place.bytes()])
}

/// The same key, without a value, if the note at this place has a star.
pub(crate) fn starred_key(owner: AccountId, place: NotePlace) -> Vec<u8> {
    key(Table::Starred, &[owner.0.as_bytes(), place.bytes()])
}

/// The place of a public answer. It has a place of its own, in the order in which answers
/// were published.
pub(crate) fn answer_key(owner: AccountId, place: NotePlace) -> Vec<u8> {
    key(Table::Answer, &[owner.0.as_bytes(), place.bytes()])
}

pub(crate) fn sent_key(day: u32, owner: AccountId, SentHash(hash): SentHash) -> Vec<u8> {
    key(Table::Sent, &[&day.to_be_bytes(), owner.0.as_bytes(), &hash])
}

pub(crate) fn personal_page_key(owner: AccountId) -> Vec<u8> {
    key(Table::PersonalPage, &[owner.0.as_bytes()])
}

pub(crate) fn inbox_seal_key(owner: AccountId) -> Vec<u8> {
    key(Table::InboxSeal, &[owner.0.as_bytes()])
}

pub(crate) fn inbox_key(owner: AccountId) -> Vec<u8> {
    key(Table::Inbox, &[owner.0.as_bytes()])
}

pub(crate) fn conversation_key(id: ConversationId) -> Vec<u8> {
    key(Table::Conversation, &[id.0.as_bytes()])
}

pub(crate) fn line_key(id: ConversationId, line: Seq) -> Vec<u8> {
    key(Table::ConversationLine, &[id.0.as_bytes(), &line.0.to_be_bytes()])
}

/// Where everything is that is beside a conversation's own row and goes with it: its lines, and what was added to an
/// older one.
pub(crate) fn beside_conversation(id: ConversationId) -> [Vec<u8>; 2] {
    [Table::ConversationLine, Table::ConversationAddition].map(|table| key(table, &[id.0.as_bytes()]))
}

/// Whether a row is one of those.
pub(crate) fn is_beside_conversation(at: &[u8]) -> bool {
    at.first().is_some_and(|table| [Table::ConversationLine as u8, Table::ConversationAddition as u8].contains(table))
}

pub(crate) fn room_key(id: RoomId) -> Vec<u8> {
    key(Table::Room, &[id.0.as_bytes()])
}

pub(crate) fn room_link_key(link: RoomId) -> Vec<u8> {
    key(Table::RoomLink, &[link.0.as_bytes()])
}

pub(crate) fn room_links_key(owner: AccountId, room: RoomId) -> Vec<u8> {
    key(Table::RoomLinks, &[owner.0.as_bytes(), room.0.as_bytes()])
}

/// The place of a record of a room's log, outside of the commit log.
pub(crate) fn log_key(room: RoomId, last: Seq) -> Vec<u8> {
    key(Table::RoomLog, &[room.0.as_bytes(), &last.0.to_be_bytes()])
}

pub(crate) fn feedback_key(id: FeedbackId) -> Vec<u8> {
    key(Table::Feedback, &[id.0.as_bytes()])
}

pub(crate) fn report_key(id: ReportId) -> Vec<u8> {
    key(Table::Report, &[id.0.as_bytes()])
}

/// The place of a report's picture, which stands beside its words with this number.
pub(crate) fn report_picture_key(id: ReportId, of: u16) -> Vec<u8> {
    key(Table::ReportPicture, &[id.0.as_bytes(), &of.to_be_bytes()])
}

pub(crate) fn receipt_key(ReceiptHash(hash): ReceiptHash) -> Vec<u8> {
    key(Table::Receipt, &[&hash])
}

pub(crate) fn receipt_of_key(report: ReportId) -> Vec<u8> {
    key(Table::ReceiptOf, &[report.0.as_bytes()])
}

/// The number at the end of a picture's place.
pub(crate) fn number_at_end(key: &[u8]) -> Result<u16> {
    key.last_chunk().copied().map(u16::from_be_bytes).ok_or(StoreError::Corrupt)
}

pub(crate) fn suspension_key(account: AccountId) -> Vec<u8> {
    key(Table::Suspension, &[account.0.as_bytes()])
}

pub(crate) fn withheld_key(blinded: &[u8]) -> Vec<u8> {
    key(Table::Withheld, &[blinded])
}

pub(crate) fn invitation_key(id: InvitationId) -> Vec<u8> {
    key(Table::Invitation, &[id.0.as_bytes()])
}

/// There is only one. The key has a part all the same, because a migration takes over what has one.
pub(crate) fn pause_key() -> Vec<u8> {
    key(Table::Pause, &[&[0]])
}

pub(crate) fn push_key(owner: AccountId) -> Vec<u8> {
    key(Table::Push, &[owner.0.as_bytes()])
}

/// The place of what whoever has a seat has subscribed to; or of all in a room.
pub(crate) fn seat_push_key(owner: AccountId, room: RoomId, member: Option<MemberId>) -> Vec<u8> {
    let member = member.map_or(Vec::new(), |MemberId(member)| member.to_vec());
    key(Table::SeatPush, &[owner.0.as_bytes(), room.0.as_bytes(), &member])
}

pub(crate) fn digest_key(account: AccountId) -> Vec<u8> {
    key(Table::Digest, &[account.0.as_bytes()])
}

/// The place of what the sender of a conversation has subscribed to.
pub(crate) fn sender_push_key(id: ConversationId) -> Vec<u8> {
    key(Table::SenderPush, &[id.0.as_bytes()])
}

pub(crate) fn used_key(account: AccountId) -> Vec<u8> {
    key(Table::Used, &[account.0.as_bytes()])
}

pub(crate) fn sign_ins_key(account: AccountId) -> Vec<u8> {
    key(Table::SignIns, &[account.0.as_bytes()])
}

/// There is only one, as of the pause.
pub(crate) fn told_key() -> Vec<u8> {
    key(Table::Told, &[&[0]])
}

/// The id that follows the table's byte.
pub(crate) fn id_after_table(key: &[u8]) -> Result<Uuid> {
    key.get(1..17).and_then(|id| Uuid::from_slice(id).ok()).ok_or(StoreError::Corrupt)
}

/// The id that follows a day, where one is in front of it.
pub(crate) fn id_after_day(key: &[u8]) -> Result<Uuid> {
    key.get(5..21).and_then(|id| Uuid::from_slice(id).ok()).ok_or(StoreError::Corrupt)
}

/// The first key after all those that begin with `prefix`.
pub(crate) fn end_of(prefix: &[u8]) -> Vec<u8> {
    let mut end = prefix.to_vec();
    while let Some(last) = end.pop() {
        if last < u8::MAX {
            end.push(last + 1);
            break;
        }
    }
    end
}

/// Whether a key is about the index itself, and not a record.
pub(crate) fn is_about_itself(key: &[u8]) -> bool {
    key.first().is_some_and(|table| [Table::At as u8, Table::Folder as u8].contains(table))
}

/// Keys with their new values; `None` removes the key.
pub(crate) type Changes = std::collections::BTreeMap<Vec<u8>, Option<Vec<u8>>>;
