//! This machine's engine: everything in one folder.
//!
//! Every change goes to the commit log first, which is the truth. The index, by which
//! accounts, notes and metadata are found, follows the commit log and can be rebuilt.
//! The logs of rooms are in the commit log alone. Keys and pictures have files of their
//! own.

use std::io::{self, Write};
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use annon_contract::code::Code;
use async_trait::async_trait;
use parking_lot::{Mutex, RwLock};

use crate::account::Timestamp;
use crate::engine::{Commits, Engine, Figures, Swept};
use crate::error::Result;
use crate::folder::DataFolder;
use crate::folder::ballast::Ballast;
use crate::folder::space::DiskSpace;
use crate::image::Images;
use crate::nouns::Common;
use crate::room::RoomDirectory;
use crate::room_log::RoomLog;
use crate::seals::keyring::Keyring;

pub(crate) mod commit_log;
mod committer;
mod erasing;
mod exports;
mod images;
mod index;
mod index_state;
mod index_sum;
mod lost;
mod open;
mod recent;
mod records;
mod restore;
mod room_log;
mod room_records;
mod rooms;
mod rows;
mod starting;
mod sweep;
#[cfg(test)]
mod tests;
mod transaction;

use crate::moves::Moves;
use committer::Committer;
use exports::Exports;
pub use exports::about_bytes_of_backup;
use images::files::PictureFiles;
use index::Index;
pub use index::index_handles_panic;
use recent::Recent;
pub use restore::{Restored, restore};
use room_records::RoomRecords;

#[derive(Debug, Clone)]
pub struct Options {
    /// The data folder. It is made if it is not there.
    pub folder: PathBuf,
    /// Whether a write waits until the disk has it. Off only to measure.
    pub sync: bool,
    /// The least time between two syncs under load.
    pub commit_pause: Duration,
    /// Disk space that must stay free, in bytes. With less, pictures are
    /// refused; with less than half of it, everything else that grows. With
    /// less than 4 MiB only deletions are written, whatever this is.
    pub disk_reserve: u64,
    /// Bytes that all pictures together may take; `None`: a share of the disk.
    pub picture_bytes: Option<u64>,
    /// How many accounts are allowed. Each takes about 1 kB of memory.
    pub most_accounts: usize,
}

impl Options {
    /// The defaults, on a folder.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
            sync: true,
            commit_pause: Duration::from_millis(4),
            disk_reserve: 256 * 1024 * 1024,
            picture_bytes: None,
            most_accounts: usize::MAX,
        }
    }
}

/// This machine's engine, open. Whoever has a clone of it has the folder, which stays
/// locked as long as one is in use.
#[derive(Clone)]
pub struct Local(Arc<Open>);

/// What an open engine has.
pub struct Open {
    index: Index,
    rooms: RoomRecords,
    /// Conversations that were changed a short while ago.
    recent: Recent,
    /// The files of pictures.
    files: PictureFiles,
    committer: Committer,
    keyring: Arc<RwLock<Keyring>>,
    commits: Arc<Mutex<Commits>>,
    /// How many notes were sealed again.
    resealed: AtomicU64,
    space: Arc<DiskSpace>,
    ballast: Ballast,
    common: Arc<Common>,
    folder: Arc<DataFolder>,
    /// Locked while an export or a backup is written.
    exports: Mutex<Exports>,
    /// Only one sweep runs at a time. At its end, a move destroys all keys of an
    /// inbox but the newest; two moves of one inbox would destroy each other's.
    moves: tokio::sync::Mutex<Moves>,
    /// How many accounts are allowed.
    most_accounts: usize,
    /// Whether keys were damaged at the start.
    damaged_keys: bool,
    /// What is damaged or missing, a sentence each.
    findings: Mutex<Vec<String>>,
}

impl Deref for Local {
    type Target = Open;

    fn deref(&self) -> &Open {
        &self.0
    }
}

impl Local {
    async fn take_on_ballast(&self) {
        let ballast = self.ballast.clone();
        // An error means that it panicked, which is logged.
        let _ = tokio::task::spawn_blocking(move || ballast.take_on()).await;
        // If an export is being written, its end does the same.
        if let Some(exports) = self.exports.try_lock() {
            exports.let_commit_log_retire(self);
        }
    }

    /// Writes a copy, from which a start can rebuild what is damaged. It has no
    /// keys, so nobody can read in it what was deleted since. Blocks its thread.
    pub fn export(&self) -> io::Result<()> {
        let mut exports = self.exports.lock();
        exports.write(self)
    }

    /// Stops, and unlocks the folder as soon as nobody has a clone any more.
    pub async fn close(self) -> Result<()> {
        self.stop().await
    }
}

#[async_trait]
impl Engine for Local {
    fn images(&self) -> Arc<dyn Images> {
        Arc::new(self.clone())
    }

    fn rooms(&self) -> Arc<dyn RoomDirectory> {
        Arc::new(self.clone())
    }

    fn room_log(&self) -> Arc<dyn RoomLog> {
        Arc::new(self.clone())
    }

    fn secret(&self, purpose: &str) -> [u8; 32] {
        self.folder.secret.derive(purpose)
    }

    fn trouble(&self) -> Option<&'static str> {
        let is_healthy = self.committer.is_healthy() && self.index.is_whole();
        (!is_healthy).then_some(Code::CannotStore.sentence())
    }

    fn findings(&self) -> Vec<String> {
        self.findings.lock().clone()
    }

    async fn failed(&self) {
        self.committer.failed().await;
    }

    fn is_full(&self) -> bool {
        self.space.is_full()
    }

    async fn sweep(&self, now: Timestamp) -> Result<Swept> {
        self.take_on_ballast().await;
        self.index_is_checked().await?;
        self.sweep_once(now, &mut *self.moves.lock().await).await
    }

    async fn sweep_after_start(&self, now: Timestamp) -> Result<Swept> {
        self.take_on_ballast().await;
        self.sweep_first(now).await
    }

    fn figures(&self) -> Figures {
        Figures {
            accounts: self.keyring.read().accounts(),
            resealed: self.resealed.load(Relaxed),
            commits: Some(*self.commits.lock()),
            data_bytes: Some(self.index.size() + self.rooms.reader.bytes()),
            picture_bytes: Some(self.files.bytes()),
            free_bytes: Some(self.space.free()),
            node: None,
        }
    }

    async fn backup(&self, mut out: Box<dyn Write + Send>) -> io::Result<()> {
        let local = self.clone();
        let backup = move || {
            let _one = local.exports.lock();
            exports::backup(&mut out, &local)
        };
        tokio::task::spawn_blocking(backup).await?
    }

    async fn stop(&self) -> Result<()> {
        self.committer.stop().await
    }
}
