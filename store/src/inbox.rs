//! The inbox: anonymous notes, one list per account.

use annon_contract::limits::BATCH;
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::account::{AccountId, Timestamp};
use crate::error::Result;
use crate::text::NoteText;

pub(crate) mod batch;
pub(crate) mod place;

/// One note. The id tells neither when the note came nor what came before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NoteId(pub Uuid);

/// A note as its owner reads it. There is nothing about who sent it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    pub id: NoteId,
    pub text: NoteText,
    /// The minute in which it arrived, or in which its batch was delivered.
    pub date: Timestamp,
    /// Whether its owner has opened it.
    pub seen: bool,
}

/// A note on its way in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrival {
    pub text: NoteText,
    /// The present.
    pub now: Timestamp,
    /// A random number. It goes into the note's id, and decides where the
    /// note stands among those of its batch.
    pub lot: u64,
}

/// What became of a note that arrived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Delivered {
    /// It can be read.
    Shown {
        /// The note, as its owner sees it.
        note: Note,
        /// Unread notes in the whole inbox.
        unread: u32,
    },
    /// It is kept, and shown with others later.
    Waits,
}

/// A piece of an inbox, newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    pub notes: Vec<Note>,
    /// Unread notes in the whole inbox.
    pub unread: u32,
}

/// The minute a moment is in.
pub fn to_the_minute(at: Timestamp) -> Timestamp {
    at - at % 60
}

/// The next moment at which batches are delivered: a full quarter of an hour.
pub fn next_delivery(now: Timestamp) -> Timestamp {
    (now / BATCH.as_secs()).saturating_add(1).saturating_mul(BATCH.as_secs())
}

/// Everything that is kept of notes.
///
/// What a call answers is on disk, and what a read shows is, too. Notes are in
/// the order in which they came, whatever the clock said. In an inbox that
/// takes them in batches, a note is neither shown nor counted before the next
/// delivery; then those of the batch stand there in an order drawn by lot.
#[async_trait]
pub trait Inbox: Send + Sync {
    /// Files a note. `NotFound` when the owner is gone, `Full` when the inbox
    /// is full.
    async fn deliver(&self, owner: AccountId, arrival: Arrival) -> Result<Delivered>;
    /// Notes older than `before`, which may have been deleted since, or the
    /// newest ones.
    async fn page(&self, owner: AccountId, before: Option<NoteId>, limit: usize, now: Timestamp) -> Result<Page>;
    /// Marks a note as seen, once or more often, and tells how many are
    /// still unread. `NotFound` for a note that is not shown in this inbox.
    async fn mark_seen(&self, owner: AccountId, note: NoteId, now: Timestamp) -> Result<u32>;
    /// Removes a note, and tells how many are still unread. Within the hour
    /// no file holds it in a form that can be read.
    async fn remove(&self, owner: AccountId, note: NoteId, now: Timestamp) -> Result<u32>;
    /// Removes every note, also those that wait. From here on no file holds
    /// one in a form that can be read.
    async fn remove_all(&self, owner: AccountId) -> Result<()>;
    /// Whether this inbox takes notes in batches.
    async fn is_in_batches(&self, owner: AccountId) -> Result<bool>;
    /// Has notes taken in batches, or shown as they come, and tells how many
    /// are unread: whatever waited is shown when it is switched off.
    async fn set_batches(&self, owner: AccountId, in_batches: bool, now: Timestamp) -> Result<u32>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_are_delivered_at_full_quarters_of_an_hour() {
        assert_eq!([0, 1, 899, 900, 1_799].map(next_delivery), [900, 900, 900, 1_800, 1_800]);
        assert_eq!([0, 59, 60, 119].map(to_the_minute), [0, 0, 60, 60]);
    }
}
