//! Shields in memory.

use annon_contract::limits::HELD_NOTES;
use annon_store::account::{AccountId, Timestamp};
use annon_store::inbox::{Arrival, Changed, Delivered, Note, NoteId};
use annon_store::shield::{Blocked, Change, Fate, Shield, Shields, TagHash, first_known_day, held_since};
use annon_store::{Result, StoreError};
use async_trait::async_trait;
use uuid::Uuid;

use crate::inbox::{id, note};
use crate::{MemoryStore, State};

/// Set in the numbers of notes that are held back; the rest is the minute in which they came.
pub(crate) const HELD: u64 = 1 << 62;

pub(crate) fn is_held(note: NoteId) -> bool {
    note.0.as_u64_pair().0 & HELD != 0
}

impl State {
    /// Makes room for one more held note.
    pub(crate) fn drop_oldest_held(&mut self, owner: AccountId) {
        let places: Vec<_> = self.held_of(owner, 0, (u64::MAX, 0)).map(|(place, _)| place).collect();
        if places.len() >= HELD_NOTES {
            self.remove_held(owner, places[0]);
        }
    }

    fn held_of(
        &self,
        owner: AccountId,
        since: Timestamp,
        end: (u64, u64),
    ) -> impl DoubleEndedIterator<Item = ((u64, u64), &annon_store::building_blocks::NoteRecord)> {
        let from = (HELD | (since / 60), 0);
        self.notes.range((owner, from)..(owner, end.max(from))).map(|((_, place), record)| (*place, record))
    }

    fn remove_held(&mut self, owner: AccountId, place: (u64, u64)) {
        self.notes.remove(&(owner, place));
        self.tags.remove(&(owner, id(place)));
        self.only_for_you.remove(&(owner, place));
    }

    pub(crate) fn knows(&self, owner: AccountId, tag: TagHash, now: Timestamp) -> bool {
        self.known_tags.get(&(owner, tag)).is_some_and(|day| *day >= first_known_day(now))
    }

    pub(crate) fn drop_old_of_shields(&mut self, now: Timestamp) {
        let first = first_known_day(now);
        self.tags.retain(|_, (_, day)| *day >= first);
        self.known_tags.retain(|_, day| *day >= first);
        let old = HELD | (held_since(now) / 60);
        let old: Vec<_> = self.notes.keys().filter(|(_, place)| (HELD..old).contains(&place.0)).copied().collect();
        old.into_iter().for_each(|(owner, place)| self.remove_held(owner, place));
    }
}

#[async_trait]
impl Shields for MemoryStore {
    async fn shield(&self, owner: AccountId) -> Result<Shield> {
        Ok(self.state().shields.get(&owner).cloned().unwrap_or_default())
    }

    async fn knows(&self, owner: AccountId, tag: TagHash, now: Timestamp) -> Result<bool> {
        Ok(self.state().knows(owner, tag, now))
    }

    async fn change(&self, owner: AccountId, change: Change, now: Timestamp) -> Result<Shield> {
        let mut state = self.writing()?;
        let inbox = state.inbox(owner, now)?;
        let mut tag = None;
        if let Change::Block { note, .. } = &change {
            let place = note.0.as_u64_pair();
            if !state.notes.contains_key(&(owner, place)) || !(is_held(*note) || inbox.shows(place.0)) {
                return Err(StoreError::NotFound);
            }
            let found = state.tags.get(&(owner, *note)).filter(|(_, day)| *day >= first_known_day(now));
            tag = found.map(|(tag, _)| *tag);
        }
        let mut shield = state.shields.get(&owner).cloned().unwrap_or_default();
        shield.change(change, tag, now)?;
        state.shields.insert(owner, shield.clone());
        Ok(shield)
    }

    async fn blocked(&self, owner: AccountId, before: Option<Uuid>, limit: usize) -> Result<Vec<Blocked>> {
        let blocks = self.shield(owner).await?.page(before, limit)?;
        let state = self.state();
        let with_text = |block: annon_store::shield::Block| {
            let note = state.notes.get(&(owner, block.note.0.as_u64_pair()));
            Blocked { text: note.map(|note| note.text.clone()), block }
        };
        Ok(blocks.into_iter().map(with_text).collect())
    }

    async fn held(&self, owner: AccountId, before: Option<NoteId>, limit: usize, now: Timestamp) -> Result<Vec<Note>> {
        let state = self.state();
        let end = before.map_or((u64::MAX, 0), |before| before.0.as_u64_pair());
        let held = state.held_of(owner, held_since(now), end).rev().take(limit);
        Ok(held.map(|(place, record)| note(place, record, now)).collect())
    }

    async fn show(&self, owner: AccountId, note: NoteId, shuffle: u64, now: Timestamp) -> Result<Delivered> {
        let mut state = self.writing()?;
        let from = (owner, note.0.as_u64_pair());
        let record = state.notes.get(&from).filter(|_| is_held(note)).cloned().ok_or(StoreError::NotFound)?;
        let only_for_you = state.only_for_you.remove(&from);
        let arrival = Arrival { only_for_you, fate: Fate::Released, ..Arrival::new(record.text, now, shuffle) };
        let (mut delivered, to, _) = state.admit(owner, arrival)?;
        state.notes.remove(&from);
        if let Some(tag) = state.tags.remove(&(owner, note)) {
            state.tags.insert((owner, to), tag);
        }
        state
            .conversations
            .values_mut()
            .filter(|(one, _)| (one.owner, one.note) == (owner, note))
            .for_each(|(one, _)| std::sync::Arc::make_mut(one).note = to);
        if let Delivered::Shown { note, unread } = &mut delivered {
            note.conversation = state.conversation_of(owner, to);
            state.inbox_changes.send(owner, *unread, Changed::Arrived(note.clone()));
        }
        Ok(delivered)
    }
}
