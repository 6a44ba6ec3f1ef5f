//! The inbox: anonymous notes, one list per account.

use std::collections::HashMap;
use std::sync::Arc;

use annon_contract::limits::BATCH;
use async_trait::async_trait;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use uuid::Uuid;

use crate::account::{AccountId, Timestamp};
use crate::answer::Answer;
use crate::conversation::ConversationId;
use crate::error::Result;
use crate::shield::{Fate, TagHash};
use crate::text::NoteText;

pub(crate) mod place;

/// The id of a note. It tells neither when the note came nor which came before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NoteId(pub Uuid);

/// A keyed hash of the id that a sender has given to a note, and of its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SentHash(pub [u8; 16]);

/// A note as its owner reads it. Nothing in it tells who sent it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    pub id: NoteId,
    pub text: NoteText,
    /// The minute in which the note arrived or its batch was delivered.
    pub date: Timestamp,
    /// Whether its owner has read it.
    pub seen: bool,
    /// The conversation that it began, if its sender asks for an answer.
    pub conversation: Option<ConversationId>,
    /// Whether its sender has said that it must not be published.
    pub only_for_you: bool,
    /// What its owner has answered in public.
    pub answer: Option<Answer>,
    /// Whether its owner has marked it with a star.
    pub starred: bool,
    /// Whether its owner has put it away: then it is not listed with the others, and counts as read.
    pub archived: bool,
}

/// Which notes of an inbox are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shelf {
    /// All that are not archived.
    Inbox,
    /// Those with a star, archived or not.
    Starred,
    Archive,
}

/// The flags of a note that its owner sets. What is `None` stays as it is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Flags {
    pub starred: Option<bool>,
    pub archived: Option<bool>,
}

/// A note that arrives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrival {
    pub text: NoteText,
    pub now: Timestamp,
    /// A random number. It is part of the note's id, and decides the note's
    /// place in its batch.
    pub shuffle: u64,
    /// Whether its sender says that it must not be published.
    pub only_for_you: bool,
    pub fate: Fate,
    /// The hash of the tag that its sender has brought.
    pub tag: Option<TagHash>,
    /// By which it is known if it is sent again within a day.
    pub sent: Option<SentHash>,
}

impl Arrival {
    /// A note that nothing holds back, of a sender without a tag, who lets it be
    /// published.
    pub fn new(text: NoteText, now: Timestamp, shuffle: u64) -> Self {
        Self { text, now, shuffle, only_for_you: false, fate: Fate::Delivered, tag: None, sent: None }
    }
}

/// The outcome of a note that arrived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Delivered {
    /// The owner can read it.
    Shown {
        note: Note,
        /// Unread notes in the whole inbox.
        unread: u32,
    },
    /// It is stored, and shown later with the others of its batch; or it is held back, or
    /// was dropped; or it had come before. The sender hears the same.
    Waits,
}

/// A change of an inbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InboxChange {
    /// The first change has 1, whichever inbox it is in, and each later one more.
    pub number: u64,
    pub owner: AccountId,
    /// Unread notes in the whole inbox after the change.
    pub unread: u32,
    pub what: Changed,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Changed {
    /// This note has arrived, and is shown.
    Arrived(Note),
    /// The owner has seen a note.
    Seen,
    /// Notes were removed or got other flags, or settings have changed.
    List,
    /// A note has come that its owner is not shown. No window is told; it is here so that its sender waits for as
    /// much as the sender of one that is shown.
    Hidden,
}

/// Hands the changes of an engine to whoever asked for them last.
#[derive(Clone, Default)]
pub struct InboxChanges(Arc<Mutex<Sent>>);

#[derive(Default)]
struct Sent {
    /// How many changes there were.
    count: u64,
    to: Option<UnboundedSender<InboxChange>>,
}

impl InboxChanges {
    pub fn receive(&self) -> UnboundedReceiver<InboxChange> {
        let (changes, receiver) = unbounded_channel();
        self.0.lock().to = Some(changes);
        receiver
    }

    pub fn count(&self) -> u64 {
        self.0.lock().count
    }

    pub fn send(&self, owner: AccountId, unread: u32, what: Changed) {
        let mut sent = self.0.lock();
        sent.count += 1;
        let number = sent.count;
        if let Some(changes) = &sent.to {
            // Nobody may want them any more.
            let _ = changes.send(InboxChange { number, owner, unread, what });
        }
    }
}

/// Some notes of an inbox, the newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    pub notes: Vec<Note>,
    /// Unread notes in the whole inbox.
    pub unread: u32,
}

/// What an open window of an inbox shows beside its notes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Summary {
    pub unread: u32,
    pub in_batches: bool,
}

/// The beginning of the minute in which `at` is.
pub fn to_the_minute(at: Timestamp) -> Timestamp {
    at - at % 60
}

/// The next time at which batches are delivered: a full quarter of an hour.
pub fn next_delivery(now: Timestamp) -> Timestamp {
    (now / BATCH.as_secs()).saturating_add(1).saturating_mul(BATCH.as_secs())
}

/// The notes of all accounts.
///
/// Notes are in the order in which they came, whatever the clock said. An inbox
/// may take them in batches: then a note is neither shown nor counted before the
/// next delivery, and the notes of one batch are in random order.
#[async_trait]
pub trait Inbox: Send + Sync {
    /// The changes of all inboxes from here on, each once it is on disk, in the
    /// order in which they were made. Only the last caller gets them.
    fn changes(&self) -> UnboundedReceiver<InboxChange>;
    /// The number of the last change.
    fn last_change(&self) -> u64;
    /// Stores a note. `NotFound` when the owner is gone, `Full` when the inbox
    /// is full.
    async fn deliver(&self, owner: AccountId, arrival: Arrival) -> Result<Delivered>;
    /// Whether a note has come within a day, whatever has become of it.
    async fn has_come(&self, owner: AccountId, sent: SentHash, now: Timestamp) -> Result<bool>;
    /// The newest notes that are not archived, or those older than `before`, which may be deleted.
    async fn page(&self, owner: AccountId, before: Option<NoteId>, limit: usize, now: Timestamp) -> Result<Page> {
        self.page_of_shelf(owner, Shelf::Inbox, before, limit, now).await
    }
    /// The newest notes of a shelf, or those older than `before`, which may be deleted or on another shelf.
    async fn page_of_shelf(
        &self,
        owner: AccountId,
        shelf: Shelf,
        before: Option<NoteId>,
        limit: usize,
        now: Timestamp,
    ) -> Result<Page>;
    /// The words of a note that this inbox shows or holds back, and its date.
    async fn words_of(&self, owner: AccountId, note: NoteId, now: Timestamp) -> Result<Option<(NoteText, Timestamp)>>;
    /// Marks a note as seen, and returns how many are still unread. A note may
    /// be marked again. `NotFound` when this inbox does not show it.
    async fn mark_seen(&self, owner: AccountId, note: NoteId, now: Timestamp) -> Result<u32>;
    /// Sets flags of a note, and returns how many notes are unread. A note that leaves the archive is as unread as it
    /// was. `NotFound` when this inbox does not show it.
    async fn set_flags(&self, owner: AccountId, note: NoteId, flags: Flags, now: Timestamp) -> Result<u32>;
    /// Takes a note out of the archive, if it is there.
    async fn bring_back(&self, owner: AccountId, note: NoteId, now: Timestamp) -> Result<()>;
    /// Removes a note, also one that is held back, and returns how many are still unread. Within an hour no
    /// file has the note in a form that can be read.
    async fn remove(&self, owner: AccountId, note: NoteId, now: Timestamp) -> Result<u32>;
    /// Removes every note, also those that wait, and ends every conversation. After that no file
    /// has one in a form that can be read. The conversations end first, some at a time: if this
    /// fails, some may have ended.
    async fn remove_all(&self, owner: AccountId, now: Timestamp) -> Result<()>;
    /// Whether this inbox takes notes in batches.
    async fn is_in_batches(&self, owner: AccountId) -> Result<bool>;
    /// What the windows of many inboxes show: one question for all, where questions take time.
    async fn summaries(&self, owners: Vec<AccountId>, now: Timestamp) -> Result<HashMap<AccountId, Summary>> {
        let mut summaries = HashMap::with_capacity(owners.len());
        for owner in owners {
            let (unread, in_batches) = (self.page(owner, None, 0, now).await?.unread, self.is_in_batches(owner).await?);
            summaries.insert(owner, Summary { unread, in_batches });
        }
        Ok(summaries)
    }
    /// Switches batches on or off, and returns how many notes are unread. When
    /// batches are switched off, the notes that wait are shown.
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
