//! Inboxes in memory.

use async_trait::async_trait;
use uuid::Uuid;

use crate::account::AccountId;
use crate::error::{Result, StoreError};
use crate::inbox::{Inbox, Note, NoteId, Page};
use crate::limits::INBOX_NOTES;
use crate::memory::{Shared, State};

pub(crate) struct MemoryInbox(pub(crate) Shared);

impl State {
    fn inbox(&self, owner: AccountId) -> impl DoubleEndedIterator<Item = &Note> {
        let (first, last) = (NoteId(Uuid::nil()), NoteId(Uuid::max()));
        self.notes.range((owner, first)..=(owner, last)).map(|(_, note)| note)
    }

    fn unread(&self, owner: AccountId) -> u32 {
        self.inbox(owner).map(|note| u32::from(!note.seen)).sum()
    }
}

#[async_trait]
impl Inbox for MemoryInbox {
    async fn deliver(&self, owner: AccountId, note: Note) -> Result<u32> {
        let mut state = self.0.state();
        if !state.accounts.contains_key(&owner) {
            return Err(StoreError::NotFound);
        }
        if state.notes.contains_key(&(owner, note.id)) {
            return Err(StoreError::Conflict);
        }
        if state.inbox(owner).count() >= INBOX_NOTES as usize {
            return Err(StoreError::Full);
        }
        state.notes.insert((owner, note.id), note);
        Ok(state.unread(owner))
    }

    async fn page(&self, owner: AccountId, before: Option<NoteId>, limit: usize) -> Result<Page> {
        let state = self.0.state();
        let older = state.inbox(owner).rev().filter(|note| before.is_none_or(|before| note.id < before));
        Ok(Page { notes: older.take(limit).cloned().collect(), unread: state.unread(owner) })
    }

    async fn mark_seen(&self, owner: AccountId, note: NoteId) -> Result<u32> {
        let mut state = self.0.state();
        state.notes.get_mut(&(owner, note)).ok_or(StoreError::NotFound)?.seen = true;
        Ok(state.unread(owner))
    }

    async fn remove(&self, owner: AccountId, note: NoteId) -> Result<u32> {
        let mut state = self.0.state();
        state.notes.remove(&(owner, note)).ok_or(StoreError::NotFound)?;
        Ok(state.unread(owner))
    }
}
