//! Inboxes in memory.

use annon_store::account::{AccountId, Timestamp};
use annon_store::building_blocks::{InboxRecord, NoteRecord, NoteSlot};
use annon_store::inbox::{Arrival, Changed, Delivered, Inbox, InboxChange, Note, NoteId, Page};
use annon_store::shield::{Fate, Shields, day_of};
use annon_store::text::NoteText;
use annon_store::{Result, StoreError};
use async_trait::async_trait;
use tokio::sync::mpsc::UnboundedReceiver;
use uuid::Uuid;

use crate::shield::{HELD, is_held};
use crate::{MemoryStore, State};

/// Only tests see these ids, so they are the places themselves.
pub(crate) fn id((number, shuffle): (u64, u64)) -> NoteId {
    NoteId(Uuid::from_u64_pair(number, shuffle))
}

pub(crate) fn note(place: (u64, u64), record: &NoteRecord, now: Timestamp) -> Note {
    record.clone().into_note(id(place), now)
}

impl State {
    /// A copy of the record at `now`. Who changes it stores it again.
    pub(crate) fn inbox(&self, owner: AccountId, now: Timestamp) -> Result<InboxRecord> {
        if !self.accounts.contains_key(&owner) {
            return Err(StoreError::NotFound);
        }
        let mut inbox = self.inboxes.get(&owner).copied().unwrap_or_default();
        inbox.settle(now);
        Ok(inbox)
    }

    /// Whether a note may come to an inbox. Nothing changes.
    pub(crate) fn may_admit(&self, owner: AccountId, now: Timestamp, fate: Fate) -> Result<()> {
        self.inbox(owner, now)?.admit(now, fate).map(drop)
    }

    /// Stores a note that arrives. Returns its id and its date, too.
    pub(crate) fn admit(
        &mut self,
        owner: AccountId,
        Arrival { text, now, shuffle, only_for_you, fate, tag }: Arrival,
    ) -> Result<(Delivered, NoteId, Timestamp)> {
        let mut inbox = self.inbox(owner, now)?;
        let NoteSlot { place, date, waits } = inbox.admit(now, fate)?;
        let number = if fate.is_delivered() { place } else { HELD | (now / 60) };
        let (place, record) = ((number, shuffle), NoteRecord { text, date, seen: false });
        if let Some(tag) = tag {
            self.known_tags.insert((owner, tag), day_of(now));
        }
        if fate == Fate::Dropped {
            self.inboxes.insert(owner, inbox);
            return Ok((Delivered::Waits, id(place), date));
        }
        if self.notes.contains_key(&(owner, place)) {
            return Err(StoreError::Conflict);
        }
        let note = Note { only_for_you, ..note(place, &record, now) };
        if fate == Fate::Held {
            self.drop_oldest_held(owner);
        }
        self.notes.insert((owner, place), record);
        if only_for_you {
            self.only_for_you.insert((owner, place));
        }
        if let Some(tag) = tag {
            self.tags.insert((owner, id(place)), (tag, day_of(now)));
        }
        self.inboxes.insert(owner, inbox);
        let delivered = if waits || fate == Fate::Held {
            Delivered::Waits
        } else {
            Delivered::Shown { note, unread: inbox.unread }
        };
        Ok((delivered, id(place), date))
    }

    /// Changes a note that is shown, and returns how many are unread.
    fn change(
        &mut self,
        owner: AccountId,
        note: NoteId,
        now: Timestamp,
        what: Changed,
        change: impl FnOnce(&mut InboxRecord, NoteRecord) -> Option<NoteRecord>,
    ) -> Result<u32> {
        let mut inbox = self.inbox(owner, now)?;
        let at = (owner, note.0.as_u64_pair());
        if !(inbox.shows(at.1.0) || (is_held(note) && what == Changed::List)) {
            return Err(StoreError::NotFound);
        }
        let record = self.notes.remove(&at).ok_or(StoreError::NotFound)?;
        if let Some(record) = change(&mut inbox, record) {
            self.notes.insert(at, record);
        }
        self.inboxes.insert(owner, inbox);
        self.inbox_changes.send(owner, inbox.unread, what);
        Ok(inbox.unread)
    }
}

#[async_trait]
impl Inbox for MemoryStore {
    fn changes(&self) -> UnboundedReceiver<InboxChange> {
        self.state().inbox_changes.receive()
    }

    fn last_change(&self) -> u64 {
        self.state().inbox_changes.count()
    }

    async fn deliver(&self, owner: AccountId, arrival: Arrival) -> Result<Delivered> {
        let mut state = self.writing()?;
        let (delivered, ..) = state.admit(owner, arrival)?;
        if let Delivered::Shown { note, unread } = &delivered {
            state.inbox_changes.send(owner, *unread, Changed::Arrived(note.clone()));
        }
        Ok(delivered)
    }

    async fn page(&self, owner: AccountId, before: Option<NoteId>, limit: usize, now: Timestamp) -> Result<Page> {
        let state = self.state();
        let Ok(inbox) = state.inbox(owner, now) else { return Ok(Page { notes: Vec::new(), unread: 0 }) };
        let end = (inbox.hidden_from(), 0);
        let end = before.map_or(end, |before| end.min(before.0.as_u64_pair()));
        let older = state.notes.range((owner, (0, 0))..(owner, end)).rev();
        let note = |(&(_, place), record): (&_, &_)| Note {
            conversation: state.conversation_of(owner, id(place)),
            only_for_you: state.only_for_you.contains(&(owner, place)),
            answer: state.answer_to(owner, place),
            ..note(place, record, now)
        };
        let notes = older.take(limit).map(note).collect();
        Ok(Page { notes, unread: inbox.unread })
    }

    async fn words_of(&self, owner: AccountId, note: NoteId, now: Timestamp) -> Result<Option<(NoteText, Timestamp)>> {
        if is_held(note) {
            let held = self.held(owner, None, usize::MAX, now).await?;
            return Ok(held.into_iter().find(|found| found.id == note).map(|note| (note.text, note.date)));
        }
        let page = self.page(owner, None, usize::MAX, now).await?;
        Ok(page.notes.into_iter().find(|found| found.id == note).map(|note| (note.text, note.date)))
    }

    async fn mark_seen(&self, owner: AccountId, note: NoteId, now: Timestamp) -> Result<u32> {
        self.writing()?.change(owner, note, now, Changed::Seen, |inbox, record| {
            if !record.seen {
                inbox.note_seen();
            }
            Some(NoteRecord { seen: true, ..record })
        })
    }

    async fn remove(&self, owner: AccountId, note: NoteId, now: Timestamp) -> Result<u32> {
        let mut state = self.writing()?;
        let unread = state.change(owner, note, now, Changed::List, |inbox, record| {
            if !is_held(note) {
                inbox.note_removed(record.seen);
            }
            None
        })?;
        state.tags.remove(&(owner, note));
        state.end_conversations(owner, now, |one| one.note == note);
        state.forget_publicity(owner, |place| id(place) == note);
        Ok(unread)
    }

    async fn remove_all(&self, owner: AccountId, now: Timestamp) -> Result<()> {
        let mut state = self.writing()?;
        state.inbox(owner, 0)?;
        // As long as the inbox still tells which of them were shown.
        let ended = state.end_untold(owner, now, |_, _| true);
        // What waits was never shown, so it isn't delivered first.
        let mut inbox = state.inboxes.get(&owner).copied().unwrap_or_default();
        inbox.clear();
        state.inboxes.insert(owner, inbox);
        state.notes.retain(|(whose, _), _| *whose != owner);
        state.tags.retain(|(whose, _), _| *whose != owner);
        state.known_tags.retain(|(whose, _), _| *whose != owner);
        state.inbox_changes.send(owner, inbox.unread, Changed::List);
        state.conversation_changes.ended(owner, &ended);
        state.forget_publicity(owner, |_| true);
        Ok(())
    }

    async fn is_in_batches(&self, owner: AccountId) -> Result<bool> {
        Ok(self.state().inboxes.get(&owner).is_some_and(|inbox| inbox.in_batches))
    }

    async fn set_batches(&self, owner: AccountId, in_batches: bool, now: Timestamp) -> Result<u32> {
        let mut state = self.writing()?;
        let mut inbox = state.inbox(owner, now)?;
        inbox.set_batches(in_batches, now);
        state.inboxes.insert(owner, inbox);
        state.inbox_changes.send(owner, inbox.unread, Changed::List);
        Ok(inbox.unread)
    }
}
