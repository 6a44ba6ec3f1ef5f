//! How conversations end on this machine, and which of them give way to another one.

use super::{count, counted, counted_as, id_at_end, is_shown};
use crate::account::{AccountId, Timestamp};
use crate::conversation::keeping::{CountsAs, ENDED_TOGETHER, OfTag, gives_way_to_one_more, too_many_unanswered};
use crate::conversation::{ConversationError, ConversationId, Ended};
use crate::error::Result;
use crate::inbox::place::NotePlace;
use crate::local::Local;
use crate::local::transaction::Transaction;
use crate::rows::Effect::Shrinks;
use crate::seals::keyring::Owner;
use crate::shapes::conversation::{BegunRecord, DoorRecord, door_key, listed, of_note_key};
use crate::shapes::inbox::InboxRecord;
use crate::shield::{TagHash, first_known_day};
use crate::table::{Table, inbox_key, key, note_key};

/// Ends a conversation, if it is there, and returns whose it was.
pub(super) fn end(
    transaction: &mut Transaction<'_>,
    id: ConversationId,
    now: Timestamp,
) -> Result<Option<(AccountId, Ended)>> {
    let Some(door) = transaction.record::<DoorRecord>(&door_key(id))? else { return Ok(None) };
    let (owner, counts_as) = (door.owner, counted_as(transaction, id, &door)?);
    let was_shown = is_shown(transaction.record(&inbox_key(owner))?, &door.place, now)?;
    listed(id, &door, counts_as)?.into_iter().for_each(|(at, _)| transaction.remove(at));
    transaction.remove_conversation(id)?;
    transaction.destroy_keys(Owner::Conversation(id.0));
    count(transaction, owner, counts_as, false)?;
    Ok(Some((owner, Ended { id, was_shown })))
}

/// Ends these conversations of one account.
fn end_these(
    transaction: &mut Transaction<'_>,
    ids: impl IntoIterator<Item = Result<ConversationId>>,
    now: Timestamp,
) -> Result<Vec<Ended>> {
    let mut all = Vec::new();
    for id in ids {
        all.extend(end(transaction, id?, now)?.map(|(_, ended)| ended));
    }
    Ok(all)
}

/// Ends the conversation that began with a note, if there is one.
pub(crate) fn end_of_note(
    transaction: &mut Transaction<'_>,
    owner: AccountId,
    place: NotePlace,
    now: Timestamp,
) -> Result<Vec<Ended>> {
    let id = transaction.bytes(&of_note_key(owner, place.bytes()))?;
    end_these(transaction, id.map(|id| id_at_end(&id)), now)
}

/// Ends conversations of an account: all, or the first ones.
pub(crate) fn end_some_of(
    transaction: &mut Transaction<'_>,
    owner: AccountId,
    now: Timestamp,
    at_most: usize,
) -> Result<Vec<Ended>> {
    let some = transaction.first_under(&key(Table::ConversationOfNote, &[owner.0.as_bytes()]), at_most)?;
    end_these(transaction, some.iter().map(|(_, id)| id_at_end(id)), now)
}

/// Ends what must give way to one more conversation of an inbox, which begins with a tag, and
/// notes of that tag that it begins.
pub(super) fn make_room(
    transaction: &mut Transaction<'_>,
    owner: AccountId,
    id: ConversationId,
    tag: Option<TagHash>,
    now: Timestamp,
) -> Result<Vec<Ended>, ConversationError> {
    let mut ended = Vec::new();
    if let Some(tag) = tag {
        let at = note_key(owner, NotePlace::of_begun(tag));
        let mut begun: BegunRecord = transaction.sealed(&at)?.unwrap_or_default();
        begun.forget_before(first_known_day(now));
        let mut of_tag = Vec::new();
        for id in begun.ids() {
            let door = transaction.record::<DoorRecord>(&door_key(id))?;
            let Some(door) = door.filter(|door| door.owner == owner && door.is_open) else { continue };
            of_tag.push(OfTag { id, counts_as: counted_as(transaction, id, &door)?, moved: door.moved });
        }
        let silent = gives_way_to_one_more(&of_tag)?;
        of_tag.retain(|one| Some(one.id) != silent);
        ended.extend(end_these(transaction, silent.map(Ok), now)?);
        begun.begin(id, now, &of_tag);
        let whose = Owner::Inbox(owner.0);
        if transaction.current_key(whose).is_none() {
            transaction.new_key(whose)?;
            // The record is there as soon as the inbox has a key.
            let stored: InboxRecord = transaction.record(&inbox_key(owner))?.unwrap_or_default();
            transaction.put(inbox_key(owner), &stored)?;
        }
        transaction.put_sealed(whose, at, &begun)?;
    }
    let surplus = too_many_unanswered(counted(transaction, owner, CountsAs::Unanswered)?);
    if surplus > 0 {
        let silent = key(Table::UnansweredConversation, &[owner.0.as_bytes()]);
        let silent = transaction.first_under(&silent, surplus)?;
        ended.extend(end_these(transaction, silent.iter().map(|(at, _)| id_at_end(at)), now)?);
    }
    Ok(ended)
}

impl Local {
    /// Ends most conversations of an account that has many, some at a time, so that other calls
    /// don't wait long. The rest ends in the transaction that ends all of them. `now` is `None` if
    /// the account is being deleted.
    pub(in crate::local) async fn end_most_of(&self, owner: AccountId, now: Option<Timestamp>) -> Result<()> {
        let all = key(Table::ConversationOfNote, &[owner.0.as_bytes()]);
        while self.index.under(&all).take(ENDED_TOGETHER + 1).count() > ENDED_TOGETHER {
            let at = now.unwrap_or(0);
            let work = move |transaction: &mut Transaction<'_>| end_some_of(transaction, owner, at, ENDED_TOGETHER);
            let changes = self.conversation_changes.clone();
            let tell = move |ended: &Vec<Ended>| match now {
                Some(_) => changes.ended(owner, ended),
                None => changes.ended_with_account(owner, ended),
            };
            self.committer.write_then(Shrinks, work, tell).await?;
        }
        Ok(())
    }

    /// Ends conversations whose time is up.
    pub(in crate::local) async fn drop_expired_conversations(&self, now: Timestamp) -> Result<usize> {
        let mut dropped = 0;
        loop {
            let until = key(Table::ConversationExpiry, &[&now.saturating_add(1).to_be_bytes()]);
            let due = self.index.range(key(Table::ConversationExpiry, &[]), until).take(ENDED_TOGETHER);
            let due = due.map(|pair| id_at_end(&pair?.0)).collect::<Result<Vec<_>>>()?;
            let count = due.len();
            let work = move |transaction: &mut Transaction<'_>| {
                due.into_iter().map(|id| end(transaction, id, now)).collect::<Result<Vec<_>>>()
            };
            let changes = self.conversation_changes.clone();
            let tell = move |ended: &Vec<Option<(AccountId, Ended)>>| {
                ended.iter().flatten().for_each(|(owner, ended)| changes.ended(*owner, &[*ended]));
            };
            if count > 0 {
                self.committer.write_then(Shrinks, work, tell).await?;
            }
            dropped += count;
            if count < ENDED_TOGETHER {
                return Ok(dropped);
            }
        }
    }
}
