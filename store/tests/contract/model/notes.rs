//! One inbox of the model: notes that are shown, and a batch that waits.

use annon_store::StoreError;
use annon_store::inbox::{Note, NoteId, Page};

use super::plain::Done;

const QUARTER: u64 = 15 * 60;

#[derive(Clone, Default)]
pub(super) struct Notes {
    in_batches: bool,
    /// The oldest first.
    shown: Vec<Note>,
    waiting: Option<Batch>,
}

#[derive(Clone)]
struct Batch {
    /// The quarter of an hour at which it is delivered.
    due: u64,
    notes: Vec<Note>,
}

fn minute(at: u64) -> u64 {
    at / 60 * 60
}

fn unread(notes: &[Note]) -> u32 {
    notes.iter().filter(|note| !note.seen).count() as u32
}

impl Notes {
    /// The inbox at a time. Whoever only looks changes nothing: a clock that is set back afterwards
    /// hides a batch again.
    fn at(&self, now: u64) -> Self {
        let mut inbox = self.clone();
        // A batch waits a quarter of an hour at most, also if the clock was set back.
        if inbox.waiting.as_ref().is_some_and(|batch| now >= batch.due || batch.due > now + QUARTER) {
            inbox.show_batch();
        }
        inbox
    }

    /// The random number in its id is a note's place in the batch.
    fn show_batch(&mut self) {
        let mut notes = self.waiting.take().map(|batch| batch.notes).unwrap_or_default();
        notes.sort_by_key(|note| note.id);
        self.shown.extend(notes);
    }

    /// The place of the newest note of a number.
    fn place(&self, id: NoteId) -> Option<usize> {
        self.shown.iter().rposition(|note| note.id == id)
    }

    /// Delivers a note that is marked as seen if it is shown at once. Returns how many are unread,
    /// and 0 if it waits. Two notes of one batch can't have one id.
    pub(super) fn deliver(&mut self, note: Note, now: u64) -> Done<u32> {
        let mut inbox = self.at(now);
        if inbox.in_batches {
            let due = (now / QUARTER + 1) * QUARTER;
            let batch = inbox.waiting.get_or_insert(Batch { due, notes: Vec::new() });
            if batch.notes.iter().any(|other| other.id == note.id) {
                return Err(StoreError::Conflict);
            }
            batch.notes.push(Note { date: batch.due, seen: false, ..note });
            *self = inbox;
            return Ok(0);
        }
        inbox.shown.push(Note { date: minute(now), ..note });
        *self = inbox;
        Ok(unread(&self.shown))
    }

    pub(super) fn page(&self, before: Option<NoteId>, limit: usize, now: u64) -> Page {
        let Self { shown, .. } = self.at(now);
        let end = before.and_then(|before| shown.iter().rposition(|note| note.id == before));
        let older = shown[..end.unwrap_or(shown.len())].iter().rev().take(limit);
        // One that was delivered before its time has no date that is still to come.
        let notes = older.map(|note| Note { date: note.date.min(minute(now)), ..note.clone() }).collect();
        Page { notes, unread: unread(&shown) }
    }

    pub(super) fn mark_seen(&mut self, id: NoteId, now: u64) -> Done<u32> {
        let mut inbox = self.at(now);
        let place = inbox.place(id).ok_or(StoreError::NotFound)?;
        inbox.shown[place].seen = true;
        *self = inbox;
        Ok(unread(&self.shown))
    }

    pub(super) fn remove(&mut self, id: NoteId, now: u64) -> Done<u32> {
        let mut inbox = self.at(now);
        let place = inbox.place(id).ok_or(StoreError::NotFound)?;
        inbox.shown.remove(place);
        *self = inbox;
        Ok(unread(&self.shown))
    }

    /// Also those that wait.
    pub(super) fn remove_all(&mut self) {
        (self.shown, self.waiting) = (Vec::new(), None);
    }

    pub(super) fn set_batches(&mut self, in_batches: bool, now: u64) -> u32 {
        *self = self.at(now);
        self.in_batches = in_batches;
        if !in_batches {
            self.show_batch();
        }
        unread(&self.shown)
    }
}
