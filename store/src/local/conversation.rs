//! Conversations on this machine. Each is sealed with a key of its own. The records that are
//! not sealed say who may enter it and where it is listed.

use std::collections::HashMap;
use std::sync::Arc;

use annon_contract::code::Code;
use annon_contract::limits::CONVERSATIONS_PER_ACCOUNT;
use async_trait::async_trait;
use tokio::sync::mpsc::UnboundedReceiver;
use uuid::Uuid;

use crate::account::{AccountId, Timestamp};
use crate::conversation::{
    Beginning, Change, Conversation, ConversationChange, ConversationError, ConversationId, Conversations, Door, Found,
    Outcome, Side,
};
use crate::error::{Result, StoreError};
use crate::inbox::place::NotePlace;
use crate::inbox::{Arrival, Changed, Delivered, NoteId};
use crate::local::Local;
use crate::local::committer::Effect::{Grows, Replaces, Shrinks};
use crate::local::inbox::{Admitted, admit};
use crate::local::transaction::Transaction;
use crate::room::Seq;
use crate::seals::keyring::Owner;
use crate::shapes::conversation::{DoorRecord, by_time, door_key, listed, of_note_key, of_owner_key, open_key};
use crate::shapes::feedback::Count;
use crate::shapes::inbox::InboxRecord;
use crate::shield::Fate;
use crate::table::{Table, end_of, inbox_key, key};

pub(crate) mod record;

fn id_at_end(key: &[u8]) -> Result<ConversationId> {
    key.last_chunk().copied().map(|id| ConversationId(Uuid::from_bytes(id))).ok_or(StoreError::Corrupt)
}

fn count_open(transaction: &mut Transaction<'_>, owner: AccountId, change: impl FnOnce(u32) -> u32) -> Result<()> {
    let open = transaction.record(&open_key(owner))?.unwrap_or(Count(0)).0;
    match change(open) {
        0 => transaction.remove(open_key(owner)),
        open => transaction.put(open_key(owner), &Count(open))?,
    }
    Ok(())
}

/// Ends a conversation, if it is there, and returns whose it was.
fn end(transaction: &mut Transaction<'_>, id: ConversationId) -> Result<Option<AccountId>> {
    let Some(door) = transaction.record::<DoorRecord>(&door_key(id))? else { return Ok(None) };
    listed(id, &door)?.into_iter().for_each(|(at, _)| transaction.remove(at));
    let DoorRecord { owner, is_open, .. } = door;
    transaction.remove_conversation(id)?;
    transaction.destroy_keys(Owner::Conversation(id.0));
    if is_open {
        count_open(transaction, owner, |open| open.saturating_sub(1))?;
    }
    Ok(Some(owner))
}

/// Ends the conversation that began with a note, if there is one.
pub(crate) fn end_of_note(
    transaction: &mut Transaction<'_>,
    owner: AccountId,
    place: NotePlace,
) -> Result<Option<ConversationId>> {
    let Some(id) = transaction.bytes(&of_note_key(owner, place.bytes()))? else { return Ok(None) };
    let id = id_at_end(&id)?;
    end(transaction, id)?;
    Ok(Some(id))
}

/// Has a conversation follow its note to another place, if there is one: the note was held back.
pub(crate) fn move_to(
    transaction: &mut Transaction<'_>,
    owner: AccountId,
    from: NotePlace,
    place: NotePlace,
    note: NoteId,
) -> Result<Option<ConversationId>> {
    let Some(id) = transaction.bytes(&of_note_key(owner, from.bytes()))? else { return Ok(None) };
    let id = id_at_end(&id)?;
    let mut door: DoorRecord = transaction.record(&door_key(id))?.ok_or(StoreError::Corrupt)?;
    let stored = transaction.take_conversation(id)?.ok_or(StoreError::Corrupt)?;
    let mut conversation = Arc::unwrap_or_clone(stored.conversation);
    transaction.remove(of_note_key(owner, from.bytes()));
    (door.place, door.is_open, conversation.note) = (*place.bytes(), conversation.is_open(), note);
    list(transaction, id, &door)?;
    transaction.put_conversation_anew(id, Arc::new(conversation))?;
    if door.is_open {
        count_open(transaction, owner, |open| open + 1)?;
    }
    Ok(Some(id))
}

/// Ends every conversation of an account.
pub(crate) fn end_all_of(transaction: &mut Transaction<'_>, owner: AccountId) -> Result<Vec<ConversationId>> {
    let all = transaction.under(&key(Table::ConversationOfNote, &[owner.0.as_bytes()]))?;
    let ids = all.iter().map(|(_, id)| id_at_end(id)).collect::<Result<Vec<_>>>()?;
    for id in &ids {
        end(transaction, *id)?;
    }
    Ok(ids)
}

/// Lists a conversation that begins, or has got another place.
fn list(transaction: &mut Transaction<'_>, id: ConversationId, door: &DoorRecord) -> Result<()> {
    listed(id, door)?.into_iter().for_each(|(at, value)| transaction.put_bytes(at, value));
    Ok(())
}

/// Whether an inbox shows a note now.
fn is_shown(inbox: Option<InboxRecord>, place: &[u8; 16], now: Timestamp) -> Result<bool> {
    let Some(mut inbox) = inbox else { return Ok(false) };
    inbox.settle(now);
    Ok(inbox.shows(NotePlace::at_end_of(place)?.number()))
}

fn change(
    transaction: &mut Transaction<'_>,
    id: ConversationId,
    change: &Change,
    now: Timestamp,
) -> Result<(Outcome, Found), ConversationError> {
    let mut stored = transaction.take_conversation(id)?.ok_or(StoreError::NotFound)?;
    let mut door = match stored.door.take() {
        Some(door) => door,
        None => transaction.record(&door_key(id))?.ok_or(StoreError::NotFound)?,
    };
    stored.is_shown = stored.is_shown || is_shown(transaction.record(&inbox_key(door.owner))?, &door.place, now)?;
    let is_shown = stored.is_shown;
    let mut conversation = Arc::unwrap_or_clone(stored.conversation);
    let outcome = if conversation.expires() > now && (is_shown || change.by() == Side::Sender) {
        conversation.change(change, now).map_err(ConversationError::from)
    } else {
        Err(StoreError::NotFound.into())
    };
    let conversation = Arc::new(conversation);
    stored.conversation = conversation.clone();
    if !outcome.is_ok_and(|outcome| outcome.is_new) {
        stored.door = Some(door);
        transaction.leave_conversation(id, stored);
        return Ok((outcome?, Found { id, conversation, is_shown }));
    }
    if change.erases() {
        // The commit log and older files of the index still have the words.
        let whose = Owner::Conversation(id.0);
        let old = transaction.current_key(whose).map(|key| key.id);
        transaction.new_key(whose)?;
        old.into_iter().for_each(|old| transaction.destroy_key(old));
    }
    if conversation.moved != door.moved {
        by_time(id, &door).into_iter().for_each(|at| transaction.remove(at));
        door.moved = conversation.moved;
        by_time(id, &door).into_iter().for_each(|at| transaction.put_bytes(at, Vec::new()));
        transaction.put(door_key(id), &door)?;
    }
    if door.is_open && !conversation.is_open() {
        door.is_open = false;
        transaction.put(door_key(id), &door)?;
        count_open(transaction, door.owner, |open| open.saturating_sub(1))?;
    }
    stored.door = Some(door);
    transaction.put_changed(id, stored, change)?;
    Ok((outcome?, Found { id, conversation, is_shown }))
}

impl Local {
    /// The conversation that began with the note at this place.
    pub(crate) fn conversation_of_note(&self, owner: AccountId, place: NotePlace) -> Result<Option<ConversationId>> {
        self.index.read(&of_note_key(owner, place.bytes()))?.map(|id| id_at_end(&id)).transpose()
    }

    fn find_one(&self, id: ConversationId, now: Timestamp) -> Result<Option<Found>> {
        // One that can't be read must not hide the others.
        let conversation = match self.conversation(id) {
            Ok(Some(conversation)) if conversation.expires() > now => conversation,
            Ok(_) | Err(StoreError::Corrupt) => return Ok(None),
            Err(error) => return Err(error),
        };
        let place = self.note_ids.place(conversation.note)?;
        let is_shown = is_shown(self.record(&inbox_key(conversation.owner))?, place.bytes(), now)?;
        Ok(Some(Found { id, conversation, is_shown }))
    }

    /// Ends conversations whose time is up.
    pub(super) async fn drop_expired_conversations(&self, now: Timestamp, at_once: usize) -> Result<usize> {
        let mut dropped = 0;
        loop {
            let until = key(Table::ConversationExpiry, &[&now.saturating_add(1).to_be_bytes()]);
            let due = self.index.range(key(Table::ConversationExpiry, &[]), until).take(at_once);
            let due = due.map(|pair| id_at_end(&pair?.0)).collect::<Result<Vec<_>>>()?;
            for id in &due {
                self.remove(*id).await?;
            }
            dropped += due.len();
            if due.len() < at_once {
                return Ok(dropped);
            }
        }
    }
}

#[async_trait]
impl Conversations for Local {
    fn changes(&self) -> UnboundedReceiver<ConversationChange> {
        self.conversation_changes.receive()
    }

    async fn begin(
        &self,
        owner: AccountId,
        arrival: Arrival,
        Beginning { id, proof }: Beginning,
    ) -> Result<Delivered, ConversationError> {
        let note_ids = self.note_ids.clone();
        let work = move |transaction: &mut Transaction<'_>| {
            if transaction.has(&door_key(id))? {
                return Err(Code::ConversationTaken.into());
            }
            let (words, is_delivered) = (arrival.text.clone(), arrival.fate == Fate::Delivered);
            let Admitted { mut delivered, place, date } = admit(transaction, &note_ids, owner, arrival)?;
            if transaction.record(&open_key(owner))?.unwrap_or(Count(0)).0 >= CONVERSATIONS_PER_ACCOUNT {
                return Err(Code::NoMoreConversations.into());
            }
            let conversation = Arc::new(Conversation::new(owner, note_ids.id(place)?, words, date));
            let whose = Owner::Conversation(id.0);
            transaction.new_key(whose)?;
            transaction.put_conversation(id, conversation.clone())?;
            let door =
                DoorRecord { owner, proof, place: *place.bytes(), moved: conversation.moved, is_open: is_delivered };
            list(transaction, id, &door)?;
            // The owner knows nothing of one whose note they don't see, so it takes none of their places.
            if is_delivered {
                count_open(transaction, owner, |open| open + 1)?;
            }
            if let Delivered::Shown { note, .. } = &mut delivered {
                note.conversation = Some(id);
            }
            let is_shown = matches!(delivered, Delivered::Shown { .. });
            Ok::<_, ConversationError>((delivered, Found { id, conversation, is_shown }))
        };
        let (inbox, conversations) = (self.inbox_changes.clone(), self.conversation_changes.clone());
        let tell = move |(delivered, found): &(Delivered, Found)| {
            if let Delivered::Shown { note, unread } = delivered {
                inbox.send(owner, *unread, Changed::Arrived(note.clone()));
            }
            conversations.changed(found.clone());
        };
        self.committer.write_then(Grows, work, tell).await.map(|(delivered, _)| delivered)
    }

    async fn doors(&self, ids: Vec<ConversationId>) -> Result<HashMap<ConversationId, Door>> {
        let mut doors = HashMap::with_capacity(ids.len());
        for id in ids {
            if let Some(door) = self.record::<DoorRecord>(&door_key(id))? {
                doors.insert(id, door.into());
            }
        }
        Ok(doors)
    }

    async fn find(&self, ids: Vec<ConversationId>, now: Timestamp) -> Result<Vec<Found>> {
        ids.into_iter().filter_map(|id| self.find_one(id, now).transpose()).collect()
    }

    async fn lasts(&self, ids: Vec<ConversationId>) -> Result<HashMap<ConversationId, Seq>> {
        let found = self.find(ids, 0).await?;
        Ok(found.into_iter().map(|found| (found.id, found.conversation.last)).collect())
    }

    async fn page(
        &self,
        owner: AccountId,
        before: Option<ConversationId>,
        limit: usize,
        now: Timestamp,
    ) -> Result<Vec<Found>> {
        let all = key(Table::ConversationOf, &[owner.0.as_bytes()]);
        let end = match before {
            None => end_of(&all),
            Some(id) => match self.record::<DoorRecord>(&door_key(id))? {
                Some(door) if door.owner == owner => of_owner_key(owner, door.moved, id),
                _ => return Ok(Vec::new()),
            },
        };
        let found = self.index.range(all, end).rev().filter_map(|pair| match pair {
            Ok((at, _)) => id_at_end(&at).and_then(|id| self.find_one(id, now)).transpose(),
            Err(error) => Some(Err(error)),
        });
        found.filter(|found| found.as_ref().map_or(true, |found| found.is_shown)).take(limit).collect()
    }

    async fn change(&self, id: ConversationId, asked: Change, now: Timestamp) -> Result<Outcome, ConversationError> {
        let effect = match &asked {
            Change::Say { .. } => Grows,
            Change::See { .. } => Replaces,
            Change::Unsend { .. } | Change::Close => Shrinks,
        };
        let changes = self.conversation_changes.clone();
        let tell = move |(outcome, found): &(Outcome, Found)| {
            if outcome.is_new {
                changes.changed(found.clone());
            }
        };
        let work = move |transaction: &mut Transaction<'_>| change(transaction, id, &asked, now);
        self.committer.write_then(effect, work, tell).await.map(|(outcome, _)| outcome)
    }

    async fn remove(&self, id: ConversationId) -> Result<()> {
        let changes = self.conversation_changes.clone();
        let tell = move |owner: &Option<AccountId>| owner.iter().for_each(|owner| changes.ended(*owner, &[id]));
        let work = move |transaction: &mut Transaction<'_>| end(transaction, id);
        self.committer.write_then(Shrinks, work, tell).await.map(drop)
    }
}
