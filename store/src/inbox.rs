//! The inbox: anonymous notes, one list per account.

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::account::{AccountId, Timestamp};
use crate::error::Result;
use crate::text::NoteText;

pub(crate) mod memory;
pub(crate) mod sled;

/// One note. Ids grow with time, so their order is the inbox's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NoteId(pub Uuid);

/// A note as its owner reads it. There is nothing about who sent it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Which one.
    pub id: NoteId,
    /// The words.
    pub text: NoteText,
    /// When it arrived.
    pub date: Timestamp,
    /// Whether its owner has opened it.
    pub seen: bool,
}

/// A piece of an inbox, newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// The notes.
    pub notes: Vec<Note>,
    /// Unread notes in the whole inbox.
    pub unread: u32,
}

/// Everything that is kept of notes.
///
/// What a call answers is on disk, and what a read shows is, too.
#[async_trait]
pub trait Inbox: Send + Sync {
    /// Files a note, and tells how many are unread now. `NotFound` when the
    /// owner is gone, `Full` when the inbox is full, `Conflict` when it has a
    /// note of this id.
    async fn deliver(&self, owner: AccountId, note: Note) -> Result<u32>;
    /// Notes older than `before`, or the newest ones.
    async fn page(&self, owner: AccountId, before: Option<NoteId>, limit: usize) -> Result<Page>;
    /// Marks a note as seen, once or more often, and tells how many are
    /// still unread. `NotFound` for a note that is not in this inbox.
    async fn mark_seen(&self, owner: AccountId, note: NoteId) -> Result<u32>;
    /// Removes a note, and tells how many are still unread. Within the hour
    /// no file holds it in a form that can be read.
    async fn remove(&self, owner: AccountId, note: NoteId) -> Result<u32>;
}
