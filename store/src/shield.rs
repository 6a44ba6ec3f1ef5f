//! The shield of an inbox: what its owner has set against spam and cruelty.
//!
//! A sender's browser brings a mark with a note, its *tag*: the same for one inbox, and
//! another one for each other inbox. Only a keyed hash of it is kept. Nothing here tells
//! anybody which notes have the same hash: an owner blocks the hand that wrote one note,
//! and learns nothing about the others.

use std::ops::Deref;
use std::sync::Arc;

use annon_contract::limits::{BLOCKS, HELD_KEPT, TAG_DAYS};
use async_trait::async_trait;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::account::{AccountId, TargetId, Timestamp, Username};
use crate::error::{Result, StoreError};
use crate::inbox::{Delivered, Note, NoteId, to_the_minute};
use crate::inbox_seal::InboxSeal;
use crate::personal_page::PersonalPage;
use crate::recent::Recent;
use crate::seals::KeyId;
use crate::text::{NoteText, unprintable};

mod words;
pub use words::HeldWord;
use words::HeldWords;

const DAY: Timestamp = 24 * 60 * 60;
/// The most shields that stay open in memory. With all blocks and words that it can have, one takes
/// 100 KB, and usually a few.
const OPEN: usize = 256;

/// The keyed hash of a sender's tag. The key is the inbox's, so hashes of two inboxes can't be compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TagHash(pub [u8; 16]);

unprintable!(TagHash);

impl TagHash {
    /// Takes the place of a tag that must not be kept.
    pub(crate) const DECOY: Self = Self([0; 16]);
}

/// What becomes of a note that arrives. The sender hears the same of each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Fate {
    #[default]
    Delivered,
    /// It waits among those that were held back.
    Held,
    /// It comes from a hand that is blocked, and nothing of it is kept but its length.
    Dropped,
    /// It was held back, and its owner moves it to the inbox.
    Released,
}

impl Fate {
    /// Whether it comes into the inbox.
    pub fn is_delivered(self) -> bool {
        matches!(self, Self::Delivered | Self::Released)
    }
}

/// When a sender without a known tag must bring work.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    Off,
    /// While the owner is shown more notes than usual.
    #[default]
    Auto,
    Always,
}

/// The hand that wrote one note.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    pub id: Uuid,
    pub tag: TagHash,
    /// The minute in which it was blocked.
    pub date: Timestamp,
    /// The note that led to it.
    pub note: NoteId,
}

/// What an owner has set. The order of fields is on disk.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shield {
    /// Whether no note is taken.
    pub paused: bool,
    pub mode: Mode,
    /// Notes with one of these are held back.
    pub held_words: Vec<HeldWord>,
    /// The oldest first. A hand may be in it twice: otherwise blocking a second note of
    /// one hand would tell that it is the same.
    pub blocks: Vec<Block>,
}

/// A change of what an owner has set. `None` leaves it as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Setting {
    pub paused: Option<bool>,
    pub mode: Option<Mode>,
    pub held_words: Option<Vec<HeldWord>>,
}

/// A change of a shield.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    Set(Setting),
    /// Blocks the hand that wrote this note. `NotFound` when the inbox has no such note, and
    /// `Conflict` when its tag is not known, `Full` when there are too many blocks.
    Block {
        note: NoteId,
        id: Uuid,
    },
    /// `NotFound` when there is no such block.
    Unblock(Uuid),
}

/// A block as its owner sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blocked {
    pub block: Block,
    /// The note that led to it; `None` when it was deleted.
    pub text: Option<NoteText>,
}

/// A shield that notes are held against.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenShield {
    shield: Shield,
    words: HeldWords,
}

impl From<Shield> for OpenShield {
    fn from(shield: Shield) -> Self {
        let words = HeldWords::of(&shield.held_words);
        Self { shield, words }
    }
}

impl Default for OpenShield {
    fn default() -> Self {
        Shield::default().into()
    }
}

impl Deref for OpenShield {
    type Target = Shield;

    fn deref(&self) -> &Shield {
        &self.shield
    }
}

impl OpenShield {
    /// What becomes of a note with this tag and text. All blocks and words are looked at in any
    /// case, since the sender waits for it.
    pub fn fate(&self, tag: Option<TagHash>, text: &NoteText) -> Fate {
        let is_by = |block: &Block| tag.is_some_and(|tag| block.tag == tag);
        let is_blocked = self.blocks.iter().fold(false, |is_blocked, block| is_blocked | is_by(block));
        // Those of a sealed note are looked at by its owner's browser.
        match (is_blocked, self.words.are_in(text.open_words())) {
            (true, _) => Fate::Dropped,
            (false, true) => Fate::Held,
            (false, false) => Fate::Delivered,
        }
    }
}

impl Shield {
    pub(crate) fn set(&mut self, Setting { paused, mode, held_words }: Setting) {
        self.paused = paused.unwrap_or(self.paused);
        self.mode = mode.unwrap_or(self.mode);
        if let Some(held_words) = held_words {
            self.held_words = held_words;
        }
    }

    /// Blocks a hand. A note that has led to a block changes nothing.
    pub fn block(&mut self, id: Uuid, tag: TagHash, note: NoteId, now: Timestamp) -> Result<()> {
        if self.blocks.iter().any(|block| block.note == note) {
            return Ok(());
        }
        if self.blocks.len() >= BLOCKS {
            return Err(StoreError::Full);
        }
        self.blocks.push(Block { id, tag, date: to_the_minute(now), note });
        Ok(())
    }

    /// Blocks, the newest first: those before one of them, or all. `NotFound` when there is no such one.
    pub fn page(&self, before: Option<Uuid>, limit: usize) -> Result<Vec<Block>> {
        let end = match before {
            Some(id) => self.blocks.iter().position(|block| block.id == id).ok_or(StoreError::NotFound)?,
            None => self.blocks.len(),
        };
        Ok(self.blocks[..end].iter().rev().take(limit).cloned().collect())
    }

    pub fn unblock(&mut self, id: Uuid) -> Result<()> {
        let at = self.blocks.iter().position(|block| block.id == id).ok_or(StoreError::NotFound)?;
        self.blocks.remove(at);
        Ok(())
    }

    /// Makes a change. `tag` is that of the note to block.
    pub fn change(&mut self, change: Change, tag: Option<TagHash>, now: Timestamp) -> Result<()> {
        match change {
            Change::Set(setting) => self.set(setting),
            Change::Block { note, id } => self.block(id, tag.ok_or(StoreError::Conflict)?, note, now)?,
            Change::Unblock(id) => self.unblock(id)?,
        }
        Ok(())
    }
}

/// Shields that were opened in the last minutes: with its blocks, opening one costs more than the
/// rest of a note. With every change a shield gets a new key, so one that was sealed with the same
/// key is the same.
pub(crate) struct OpenShields(Mutex<Recent<AccountId, (KeyId, Arc<OpenShield>)>>);

impl Default for OpenShields {
    fn default() -> Self {
        Self(Mutex::new(Recent::of_at_most(OPEN)))
    }
}

impl OpenShields {
    /// The shield that was sealed with this key, if it is here.
    pub(crate) fn find(&self, owner: AccountId, key: KeyId) -> Option<Arc<OpenShield>> {
        let (sealed_with, shield) = self.0.lock().find(&owner)?;
        (sealed_with == key).then_some(shield)
    }

    pub(crate) fn keep(&self, owner: AccountId, key: KeyId, shield: &Arc<OpenShield>) {
        self.0.lock().hold(owner, (key, shield.clone()));
    }

    /// Drops the shield of an owner who is gone, or has changed it.
    pub(crate) fn drop_of(&self, owner: AccountId) {
        self.0.lock().forget(&owner);
    }

    /// Drops those whose time is up: another server may have changed or deleted them.
    pub(crate) fn drop_old(&self) {
        self.0.lock().forget_old();
    }
}

/// By what a sender names an inbox.
#[derive(Debug, Clone)]
pub enum InboxName {
    Username(Username),
    Target(TargetId),
}

/// All that has to be known of an inbox before a note is let in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InboxDoor {
    pub owner: AccountId,
    pub target: TargetId,
    pub is_suspended: bool,
    pub page: PersonalPage,
    /// Before the owner's first change it is the default.
    pub shield: Arc<OpenShield>,
    /// Whether a note with the tag that was asked for came within the last days.
    pub knows_tag: bool,
    /// How many notes the owner was shown in the last minutes, those that are held back included.
    pub shown_lately: u32,
    /// With what notes are sealed, if they are.
    pub seal: Option<InboxSeal>,
}

/// The day of a time. Tags are kept by days, so that no finer time is beside a note.
pub fn day_of(at: Timestamp) -> u32 {
    u32::try_from(at / DAY).unwrap_or(u32::MAX)
}

/// The first day whose tags are still known.
pub fn first_known_day(now: Timestamp) -> u32 {
    day_of(now).saturating_sub(TAG_DAYS - 1)
}

/// Notes that were held back before this time are gone.
pub fn held_since(now: Timestamp) -> Timestamp {
    now.saturating_sub(HELD_KEPT.as_secs())
}

/// The shields of all inboxes, and the notes that they hold back.
#[async_trait]
pub trait Shields: Send + Sync {
    /// What an owner has set. Before the first change it is the default.
    async fn shield(&self, owner: AccountId) -> Result<Shield>;
    /// Whether a note with this tag came within the last days.
    async fn knows(&self, owner: AccountId, tag: TagHash, now: Timestamp) -> Result<bool>;
    /// Changes it, and returns what it is now. What it was before can't be read any more.
    /// `NotFound` when the owner is gone.
    async fn change(&self, owner: AccountId, change: Change, now: Timestamp) -> Result<Shield>;
    /// A page of blocks, as `Shield::page` has it, with the notes that led to them.
    async fn blocked(&self, owner: AccountId, before: Option<Uuid>, limit: usize) -> Result<Vec<Blocked>>;
    /// The notes that are held back, the newest first.
    async fn held(&self, owner: AccountId, before: Option<NoteId>, limit: usize, now: Timestamp) -> Result<Vec<Note>>;
    /// Delivers a note that was held back, as if it came now. It gets another id.
    async fn show(&self, owner: AccountId, note: NoteId, shuffle: u64, now: Timestamp) -> Result<Delivered>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_known_on_seven_days_at_most() {
        let monday = 1_000 * DAY;
        assert_eq!(first_known_day(monday), 994);
        assert!(day_of(monday) >= first_known_day(monday + 7 * DAY - 1));
        assert!(day_of(monday) < first_known_day(monday + 7 * DAY));
        assert!(day_of(monday + DAY - 1) < first_known_day(monday + 7 * DAY), "seven days at most");
    }

    #[test]
    fn blocking_twice_tells_nothing_and_the_list_ends() {
        let (mut shield, tag) = (Shield::default(), TagHash([1; 16]));
        let note = |n| NoteId(Uuid::from_u128(n));
        for n in 0..BLOCKS as u128 {
            shield.block(Uuid::from_u128(n), tag, note(n), 7).unwrap();
            shield.block(Uuid::from_u128(n + 9_000), tag, note(n), 8).unwrap();
        }
        assert_eq!(shield.blocks.len(), BLOCKS, "one for each note, though the hand is the same");
        assert_eq!(shield.block(Uuid::nil(), tag, note(9_999), 7), Err(StoreError::Full));
        shield.unblock(Uuid::from_u128(3)).unwrap();
        assert_eq!(shield.unblock(Uuid::from_u128(3)), Err(StoreError::NotFound));
        let text = NoteText::try_from("what a stranger writes".to_owned()).unwrap();
        let shield = OpenShield::from(shield);
        assert_eq!(shield.fate(Some(tag), &text), Fate::Dropped);
        assert_eq!(shield.fate(Some(TagHash([2; 16])), &text), Fate::Delivered);
        assert_eq!(shield.fate(None, &text), Fate::Delivered);
    }
}
