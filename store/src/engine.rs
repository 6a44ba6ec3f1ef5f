//! An engine: one place where everything is kept, whatever it is made of.
//!
//! The server knows no other type of the store than this and the nouns'.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

use crate::account::{Accounts, Timestamp};
use crate::error::Result;
use crate::feedback::FeedbackBox;
use crate::image::Images;
use crate::inbox::Inbox;
use crate::room::RoomDirectory;
use crate::room_log::RoomLog;

/// Hands out the nouns, and sees to what they have in common.
#[async_trait]
pub trait Engine: Send + Sync {
    fn accounts(&self) -> Arc<dyn Accounts>;
    fn inbox(&self) -> Arc<dyn Inbox>;
    fn feedback(&self) -> Arc<dyn FeedbackBox>;
    fn images(&self) -> Arc<dyn Images>;
    fn rooms(&self) -> Arc<dyn RoomDirectory>;
    /// What happened in them.
    fn room_log(&self) -> Arc<dyn RoomLog>;
    /// A secret for one purpose, the same for as long as what is kept lives.
    fn secret(&self, purpose: &str) -> [u8; 32];
    /// Whether writing still works.
    fn is_healthy(&self) -> bool;
    /// Resolves when a write has failed, and never otherwise.
    async fn failed(&self);
    /// Whether there is so little space that nothing is written but what
    /// deletes.
    fn is_full(&self) -> bool;
    /// Clears away what has died; to be called every few minutes.
    async fn sweep(&self, now: Timestamp) -> Result<Swept>;
    /// Clears away, beyond that, what a crash may have left.
    async fn sweep_after_start(&self, now: Timestamp) -> Result<Swept>;
    /// What the engine tells about its own work.
    fn figures(&self) -> Figures;
    /// Writes a backup that stands on its own: everything, keys included, as
    /// of the moment it ends. Blocks; other calls go on meanwhile.
    fn backup(&self, out: &mut dyn Write) -> io::Result<()>;
    /// Writes the copy that a start goes back to when it has to. It holds no
    /// keys, so what was deleted since can't be read out of it. Blocks.
    fn export(&self) -> io::Result<()>;
    /// Waits until everything is written, and stops writing. Other holders of
    /// this engine get `Unavailable` from then on, and so does the caller if a
    /// write has failed before.
    async fn stop(&self) -> Result<()>;
}

/// What a sweep has done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Swept {
    /// Mailed links that were too old.
    pub links: usize,
    /// Notes of accounts that are gone, and of inboxes that were emptied.
    pub notes: usize,
    /// Rooms whose time was up.
    pub rooms: usize,
    /// Inboxes and rooms that moved to a new key.
    pub resealed: usize,
    /// Owners of keys that are not there (a crash came between the two).
    pub keys: usize,
    /// Pictures nothing refers to.
    pub pictures: usize,
}

/// What an engine tells about its own work since it was opened.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Figures {
    /// Commits, each with one sync of the disk.
    pub commits: u64,
    /// Calls those commits answered.
    pub calls: u64,
    /// Time spent in them.
    pub commit_time: Duration,
    /// Records that were moved to a new key, because another beside them was
    /// deleted.
    pub resealed: u64,
    /// What records weigh on disk, in bytes.
    pub database_bytes: u64,
    /// What is left of the disk, in bytes.
    pub disk_free_bytes: u64,
    /// Whether it is full, and nothing is written.
    pub disk_is_full: bool,
    /// What all pictures weigh, in bytes.
    pub picture_bytes: u64,
    pub accounts: usize,
}
