//! Public answers and personal pages in memory.

use annon_store::account::{AccountId, Timestamp};
use annon_store::answer::{Answer, AnswerId, Answers, Publishing};
use annon_store::inbox::{Changed, NoteId, to_the_minute};
use annon_store::{Result, StoreError};
use async_trait::async_trait;
use uuid::Uuid;

use crate::{MemoryStore, State};

/// The number and the shuffle of a place.
pub(crate) type Place = (u64, u64);

impl State {
    /// The answer to the note at a place.
    pub(crate) fn answer_to(&self, owner: AccountId, note: Place) -> Option<Answer> {
        let theirs = self.answers.range((owner, (0, 0))..=(owner, (u64::MAX, u64::MAX)));
        theirs.map(|(_, answer)| answer).find(|(of, _)| *of == note).map(|(_, answer)| answer.clone())
    }

    /// Takes some answers of an account down, and forgets which of these notes are only for it.
    pub(crate) fn forget_publicity(&mut self, owner: AccountId, which: impl Fn(Place) -> bool) {
        self.answers.retain(|(whose, _), (note, _)| *whose != owner || !which(*note));
        self.only_for_you.retain(|(whose, note)| *whose != owner || !which(*note));
    }

    /// The words of a note that is shown, and how many are unread.
    fn shown(&self, owner: AccountId, note: NoteId, now: Timestamp) -> Result<(annon_store::text::NoteText, u32)> {
        let (inbox, place) = (self.inbox(owner, now)?, note.0.as_u64_pair());
        let record = self.notes.get(&(owner, place)).filter(|_| inbox.shows(place.0));
        record.map(|record| (record.text.clone(), inbox.unread)).ok_or(StoreError::NotFound)
    }
}

#[async_trait]
impl Answers for MemoryStore {
    async fn publish(&self, owner: AccountId, note: NoteId, publishing: Publishing) -> Result<Option<Answer>> {
        let mut state = self.writing()?;
        let Publishing { text, now, shuffle } = publishing;
        let (words, unread) = state.shown(owner, note, now)?;
        let note = note.0.as_u64_pair();
        if state.only_for_you.contains(&(owner, note)) {
            return Ok(None);
        }
        let (id, date) = match state.answer_to(owner, note) {
            Some(before) => (before.id, before.date),
            None => (AnswerId(Uuid::from_u64_pair(now, shuffle)), to_the_minute(now)),
        };
        let answer = Answer { id, note: words, text, date };
        state.answers.insert((owner, id.0.as_u64_pair()), (note, answer.clone()));
        state.inbox_changes.send(owner, unread, Changed::List);
        Ok(Some(answer))
    }

    async fn take_down(&self, owner: AccountId, note: NoteId, now: Timestamp) -> Result<()> {
        let mut state = self.writing()?;
        let (_, unread) = state.shown(owner, note, now)?;
        let place = note.0.as_u64_pair();
        state.answers.retain(|(whose, _), (of, _)| (*whose, *of) != (owner, place));
        state.inbox_changes.send(owner, unread, Changed::List);
        Ok(())
    }

    async fn newest(&self, owner: AccountId, before: Option<AnswerId>, limit: usize) -> Result<Vec<Answer>> {
        let state = self.state();
        let end = before.map_or((u64::MAX, u64::MAX), |AnswerId(id)| id.as_u64_pair());
        let older = state.answers.range((owner, (0, 0))..(owner, end)).rev();
        Ok(older.take(limit).map(|(_, (_, answer))| answer.clone()).collect())
    }

    async fn find(&self, owner: AccountId, AnswerId(id): AnswerId) -> Result<Option<Answer>> {
        let state = self.state();
        Ok(state.answers.get(&(owner, id.as_u64_pair())).map(|(_, answer)| answer.clone()))
    }
}
