//! Conversations on this machine. Each is sealed with a key of its own. The records that are
//! not sealed say who may enter it and where it is listed.

use std::collections::HashMap;
use std::sync::Arc;

use annon_contract::code::Code;
use async_trait::async_trait;
use tokio::sync::mpsc::UnboundedReceiver;
use uuid::Uuid;

use crate::account::{AccountId, Timestamp};
use crate::conversation::keeping::{CountsAs, may_answer_one_more};
use crate::conversation::{
    Beginning, Change, Conversation, ConversationChange, ConversationError, ConversationId, Conversations, Door, Ended,
    Found, Outcome, Side,
};
use crate::error::{Result, StoreError};
use crate::inbox::place::NotePlace;
use crate::inbox::{Arrival, Changed, Delivered, NoteId};
use crate::local::Local;
use crate::local::inbox::{Admitted, admit};
use crate::local::transaction::Transaction;
use crate::room::Seq;
use crate::rows::Effect::{Grows, Replaces, Shrinks};
use crate::seals::keyring::Owner;
use crate::shapes::conversation::{
    DoorRecord, by_time, count_key, door_key, listed, of_note_key, of_owner_key, unanswered_key,
};
use crate::shapes::feedback::Count;
use crate::shapes::inbox::InboxRecord;
use crate::table::{Table, end_of, inbox_key, key};

mod ending;
pub(crate) mod record;
use ending::{end, make_room};
pub(crate) use ending::{end_of_note, end_some_of};

fn id_at_end(key: &[u8]) -> Result<ConversationId> {
    key.last_chunk().copied().map(|id| ConversationId(Uuid::from_bytes(id))).ok_or(StoreError::Corrupt)
}

/// How many conversations of an inbox count as this.
fn counted(transaction: &Transaction<'_>, owner: AccountId, counts_as: CountsAs) -> Result<u32> {
    let count = count_key(owner, counts_as).map(|at| transaction.record(&at)).transpose()?.flatten();
    Ok(count.unwrap_or(Count(0)).0)
}

/// Counts one conversation that counts as this now, or no more.
fn count(transaction: &mut Transaction<'_>, owner: AccountId, counts_as: CountsAs, is_one_more: bool) -> Result<()> {
    let Some(at) = count_key(owner, counts_as) else { return Ok(()) };
    let before = counted(transaction, owner, counts_as)?;
    match if is_one_more { before.saturating_add(1) } else { before.saturating_sub(1) } {
        0 => transaction.remove(at),
        now => transaction.put(at, &Count(now))?,
    }
    Ok(())
}

/// What a conversation counts as, by what is beside it.
fn counted_as(transaction: &Transaction<'_>, id: ConversationId, door: &DoorRecord) -> Result<CountsAs> {
    Ok(match door.is_open {
        false => CountsAs::Closed,
        true if transaction.has(&unanswered_key(door.owner, door.moved, id))? => CountsAs::Unanswered,
        true => CountsAs::Answered,
    })
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
    let counts_as = conversation.counts_as();
    by_time(id, &door, counts_as).into_iter().for_each(|at| transaction.remove(at));
    (door.place, conversation.note) = (*place.bytes(), note);
    list(transaction, id, &door, counts_as)?;
    transaction.put_conversation_anew(id, Arc::new(conversation))?;
    Ok(Some(id))
}

/// Lists a conversation that begins, or has got another place.
fn list(transaction: &mut Transaction<'_>, id: ConversationId, door: &DoorRecord, counts_as: CountsAs) -> Result<()> {
    listed(id, door, counts_as)?.into_iter().for_each(|(at, value)| transaction.put_bytes(at, value));
    Ok(())
}

/// Whether an inbox shows a note now.
fn is_shown(inbox: Option<InboxRecord>, place: &[u8; 16], now: Timestamp) -> Result<bool> {
    let Some(mut inbox) = inbox else { return Ok(false) };
    inbox.settle(now);
    Ok(inbox.shows(NotePlace::of(*place).number()))
}

/// Makes a change by the rules. A refusal changes nothing.
fn ask(
    transaction: &Transaction<'_>,
    conversation: &mut Conversation,
    change: &Change,
    now: Timestamp,
) -> Result<Outcome, ConversationError> {
    if conversation.is_answered_by(change) {
        may_answer_one_more(counted(transaction, conversation.owner, CountsAs::Answered)?)?;
    }
    Ok(conversation.change(change, now)?)
}

fn change(
    transaction: &mut Transaction<'_>,
    (id, through): (ConversationId, Option<Door>),
    change: &Change,
    now: Timestamp,
) -> Result<(Outcome, Found), ConversationError> {
    let mut stored = transaction.take_conversation(id)?.ok_or(StoreError::NotFound)?;
    let mut door = match stored.door.take() {
        Some(door) => door,
        None => transaction.record(&door_key(id))?.ok_or(StoreError::NotFound)?,
    };
    stored.is_shown = stored.is_shown || is_shown(transaction.record(&inbox_key(door.owner))?, &door.place, now)?;
    let (is_shown, proof) = (stored.is_shown, door.proof);
    let mut conversation = Arc::unwrap_or_clone(stored.conversation);
    let before = conversation.counts_as();
    let is_it = through.is_none_or(|through| through == Door { owner: door.owner, proof });
    let outcome = if is_it && conversation.expires() > now && (is_shown || change.by() == Side::Sender) {
        ask(transaction, &mut conversation, change, now)
    } else {
        Err(StoreError::NotFound.into())
    };
    let after = conversation.counts_as();
    let conversation = Arc::new(conversation);
    stored.conversation = conversation.clone();
    if !outcome.is_ok_and(|outcome| outcome.is_new) {
        stored.door = Some(door);
        transaction.leave_conversation(id, stored);
        return Ok((outcome?, Found { id, conversation, proof, is_shown }));
    }
    if change.erases() {
        // The commit log and older files of the index still have the words.
        let whose = Owner::Conversation(id.0);
        let old = transaction.current_key(whose).map(|key| key.id);
        transaction.new_key(whose)?;
        old.into_iter().for_each(|old| transaction.destroy_key(old));
    }
    if conversation.moved != door.moved || before != after {
        by_time(id, &door, before).into_iter().for_each(|at| transaction.remove(at));
        (door.moved, door.is_open) = (conversation.moved, conversation.is_open());
        by_time(id, &door, after).into_iter().for_each(|at| transaction.put_bytes(at, Vec::new()));
        transaction.put(door_key(id), &door)?;
    }
    if before != after {
        count(transaction, door.owner, before, false)?;
        count(transaction, door.owner, after, true)?;
    }
    stored.door = Some(door);
    transaction.put_changed(id, stored, change)?;
    Ok((outcome?, Found { id, conversation, proof, is_shown }))
}

impl Local {
    /// The conversation that began with the note at this place.
    pub(crate) fn conversation_of_note(&self, owner: AccountId, place: NotePlace) -> Result<Option<ConversationId>> {
        self.index.read(&of_note_key(owner, place.bytes()))?.map(|id| id_at_end(&id)).transpose()
    }

    fn find_one(&self, id: ConversationId, now: Timestamp) -> Result<Option<Found>> {
        let Some(door) = self.record::<DoorRecord>(&door_key(id))? else { return Ok(None) };
        let is_shown = is_shown(self.record(&inbox_key(door.owner))?, &door.place, now)?;
        self.open_one(id, &door, is_shown, now)
    }

    /// A conversation with this door; `None` if its time is up.
    fn open_one(&self, id: ConversationId, door: &DoorRecord, is_shown: bool, now: Timestamp) -> Result<Option<Found>> {
        match self.conversation(id) {
            Ok(Some(conversation)) if conversation.expires() > now => {
                Ok(Some(Found { id, conversation, proof: door.proof, is_shown }))
            }
            // One that can't be read must not hide the others.
            Ok(_) | Err(StoreError::Corrupt) => Ok(None),
            Err(error) => Err(error),
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
            let (words, tag, now) = (arrival.text.clone(), arrival.tag, arrival.now);
            let Admitted { mut delivered, place, date } = admit(transaction, &note_ids, owner, arrival)?;
            let ended = make_room(transaction, owner, id, tag, now)?;
            let conversation = Arc::new(Conversation::new(owner, note_ids.id(place)?, words, date));
            let whose = Owner::Conversation(id.0);
            transaction.new_key(whose)?;
            transaction.put_conversation(id, conversation.clone())?;
            let door = DoorRecord { owner, proof, place: *place.bytes(), moved: conversation.moved, is_open: true };
            list(transaction, id, &door, CountsAs::Unanswered)?;
            count(transaction, owner, CountsAs::Unanswered, true)?;
            if let Delivered::Shown { note, .. } = &mut delivered {
                note.conversation = Some(id);
            }
            let is_shown = matches!(delivered, Delivered::Shown { .. });
            Ok::<_, ConversationError>((delivered, Found { id, conversation, proof, is_shown }, ended))
        };
        let (inbox, conversations) = (self.inbox_changes.clone(), self.conversation_changes.clone());
        let tell = move |(delivered, found, ended): &(Delivered, Found, Vec<Ended>)| {
            conversations.ended(owner, ended);
            if let Delivered::Shown { note, unread } = delivered {
                inbox.send(owner, *unread, Changed::Arrived(note.clone()));
            }
            conversations.changed(found.clone());
        };
        self.committer.write_then(Grows, work, tell).await.map(|(delivered, ..)| delivered)
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
        let mut page = Vec::new();
        let Some(mut inbox) = self.record::<InboxRecord>(&inbox_key(owner))? else { return Ok(page) };
        inbox.settle(now);
        for pair in self.index.range(all, end).rev() {
            if page.len() >= limit {
                break;
            }
            let id = id_at_end(&pair?.0)?;
            // It may just have ended. While its note waits for its batch, it isn't opened in vain.
            let Some(door) = self.record::<DoorRecord>(&door_key(id))? else { continue };
            if inbox.shows(NotePlace::of(door.place).number()) {
                page.extend(self.open_one(id, &door, true, now)?);
            }
        }
        Ok(page)
    }

    async fn change_through(
        &self,
        id: ConversationId,
        door: Option<Door>,
        asked: Change,
        now: Timestamp,
    ) -> Result<Outcome, ConversationError> {
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
        let work = move |transaction: &mut Transaction<'_>| change(transaction, (id, door), &asked, now);
        self.committer.write_then(effect, work, tell).await.map(|(outcome, _)| outcome)
    }

    async fn remove(&self, id: ConversationId, now: Timestamp) -> Result<()> {
        let changes = self.conversation_changes.clone();
        let tell = move |ended: &Option<(AccountId, Ended)>| {
            ended.iter().for_each(|(owner, ended)| changes.ended(*owner, &[*ended]));
        };
        let work = move |transaction: &mut Transaction<'_>| end(transaction, id, now);
        self.committer.write_then(Shrinks, work, tell).await.map(drop)
    }
}
