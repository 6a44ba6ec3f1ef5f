//! This machine's engine: everything in one folder.
//!
//! Every change goes to the commit log first, which is the truth. The index, by which
//! accounts, notes and metadata are found, follows the commit log and can be rebuilt.
//! The logs of rooms are on the commit log alone. Keys and pictures have files of their
//! own.

use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use async_trait::async_trait;

use crate::account::{Accounts, Timestamp};
use crate::clock;
use crate::engine::{Engine, Figures, Swept};
use crate::error::Result;
use crate::feedback::FeedbackBox;
use crate::files::make_private;
use crate::folder::ballast::Ballast;
use crate::folder::space::DiskSpace;
use crate::folder::{At, DataFolder, OpenError};
use crate::image::Images;
use crate::inbox::place::NoteIds;
use crate::inbox::{Inbox, InboxChanges};
use crate::room::RoomDirectory;
use crate::room_log::RoomLog;
use crate::seals::Blinder;
use crate::seals::erasing::Erasing;
use crate::seals::keyring::{HeldKeys, KeyFile, Keyring};
use crate::seals::secret::INDEX;

mod accounts;
mod base;
mod commit_log;
mod committer;
mod erasing;
mod exports;
mod feedback;
mod gauges;
mod images;
mod inbox;
mod index;
mod index_state;
mod index_sum;
mod links;
mod lost;
mod restore;
mod room_log;
mod room_records;
mod rooms;
mod starting;
mod sweep;
mod table;
#[cfg(test)]
mod tests;
mod transaction;

use base::Base;
use commit_log::{CommitLog, Found};
use committer::{Committer, Pace, Parts};
use exports::Exports;
use gauges::Gauges;
use images::LocalImages;
use images::files::PictureFiles;
use index::Index;
pub use index::index_handles_panic;
use index_state::IndexState;
use lost::{Lost, pictures_without_file};
pub use restore::{RestoreError, Restored, check_backup, restore};
use room_records::RoomRecords;
use sweep::Sweeper;
use table::{Table, key};

/// How long a commit may take before the disk is given up.
const COMMIT_PATIENCE: Duration = Duration::from_secs(60);

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

pub struct Store {
    base: Arc<Base>,
    images: Arc<LocalImages>,
    ballast: Ballast,
    sweeper: Sweeper,
    /// Locked while an export or a backup is written.
    exports: Mutex<Exports>,
}

impl Store {
    /// Locks the folder, repairs what a crash left, and starts the committer.
    pub fn open(options: &Options) -> Result<Self, OpenError> {
        // Without syncs, there is no sync that calls could share.
        let pause = if options.sync { options.commit_pause } else { Duration::ZERO };
        let pace = Pace { pause, patience: COMMIT_PATIENCE };
        Self::open_with(options, pace)
    }

    fn open_with(options: &Options, pace: Pace) -> Result<Self, OpenError> {
        let mut folder = DataFolder::take(&options.folder)?;
        let space = DiskSpace::new(options.folder.clone(), options.disk_reserve, options.picture_bytes);
        let space = Arc::new(space);
        let ballast = Ballast::of(&options.folder, space.clone());
        // It is taken on again when this function returns.
        let _thrown_off = ballast.throw_off().at(ballast.path())?;
        // Keys and commit log are read before the index is opened, which changes its files.
        let held = hold_keys(&folder)?;
        let mut found = starting::read_commit_log(&folder, options.sync)?;
        let index = starting::open_index(&folder, &mut found, &space)?;
        let (key_file, keyring) = open_keys(&folder, held, &index)?;
        folder.write_mended_secret()?;
        let exports = Exports::of(&folder);
        exports.clear().at(folder.path())?;
        let mut findings: Vec<_> = found.damage.iter().map(ToString::to_string).collect();
        let commit_log = begin_commit_log(&folder, found, &index, &keyring)?;
        let images = folder.join("images");
        let files = PictureFiles::open(images.clone()).at(&images)?;
        folder.sync().at(folder.path())?;
        let keyring = Arc::new(RwLock::new(keyring));
        findings.extend(log_damage(key_file.damaged(), &index, &keyring, &files));
        findings.extend(log_missing_pictures(&keyring, &files));
        log_erasing(folder.path());
        let damaged_keys = key_file.damaged() > 0;
        let (folder, gauges) = (Arc::new(folder), Arc::new(Gauges::default()));
        let rooms = RoomRecords::new(commit_log.reader());
        let parts = Parts {
            commit_log,
            index: index.clone(),
            rooms: rooms.clone(),
            key_file,
            keyring: keyring.clone(),
            folder: folder.clone(),
            space: space.clone(),
            ballast: ballast.clone(),
            gauges: gauges.clone(),
        };
        let committer = start_committer(parts, pace)?;
        starting::walk_behind(index.clone()).at(folder.path())?;
        let note_ids = NoteIds::new(&folder.derive("note ids")).map_err(io::Error::other).at(folder.path())?;
        let base = Arc::new(Base {
            index,
            rooms,
            files,
            committer,
            keyring,
            gauges,
            space,
            blinder: Blinder::new(&folder.derive(INDEX)),
            note_ids: Arc::new(note_ids),
            inbox_changes: InboxChanges::default(),
            folder,
            most_accounts: options.most_accounts,
            damaged_keys,
            findings: Mutex::new(findings),
        });
        let images = Arc::new(LocalImages { base: base.clone() });
        let sweeper = Sweeper::new(base.clone(), images.clone());
        Ok(Self { base, images, ballast, sweeper, exports: Mutex::new(exports) })
    }

    async fn take_on_ballast(&self) {
        let ballast = self.ballast.clone();
        // An error means that it panicked, which is logged.
        let _ = tokio::task::spawn_blocking(move || ballast.take_on()).await;
        // If an export is being written, its end does the same.
        if let Ok(exports) = self.exports.try_lock() {
            exports.let_commit_log_retire(&self.base);
        }
    }

    /// Stops, and unlocks the folder as soon as nobody has a part of this store
    /// any more.
    pub async fn close(self) -> Result<()> {
        self.stop().await
    }
}

#[async_trait]
impl Engine for Store {
    fn accounts(&self) -> Arc<dyn Accounts> {
        self.base.clone()
    }

    fn inbox(&self) -> Arc<dyn Inbox> {
        self.base.clone()
    }

    fn feedback(&self) -> Arc<dyn FeedbackBox> {
        self.base.clone()
    }

    fn images(&self) -> Arc<dyn Images> {
        self.images.clone()
    }

    fn rooms(&self) -> Arc<dyn RoomDirectory> {
        self.base.clone()
    }

    fn room_log(&self) -> Arc<dyn RoomLog> {
        self.base.clone()
    }

    fn secret(&self, purpose: &str) -> [u8; 32] {
        self.base.folder.derive(purpose)
    }

    fn is_healthy(&self) -> bool {
        self.base.committer.is_healthy() && self.base.index.is_whole()
    }

    fn findings(&self) -> Vec<String> {
        self.base.findings().clone()
    }

    async fn failed(&self) {
        self.base.committer.failed().await;
    }

    fn is_full(&self) -> bool {
        self.base.space.is_full()
    }

    async fn sweep(&self, now: Timestamp) -> Result<Swept> {
        self.take_on_ballast().await;
        self.sweeper.sweep(now).await
    }

    async fn sweep_after_start(&self, now: Timestamp) -> Result<Swept> {
        self.take_on_ballast().await;
        self.sweeper.sweep_after_start(now).await
    }

    fn figures(&self) -> Figures {
        self.base.figures()
    }

    fn backup(&self, out: &mut dyn Write) -> io::Result<()> {
        let _one = self.exports.lock().unwrap_or_else(PoisonError::into_inner);
        exports::backup(out, &self.base)
    }

    fn export(&self) -> io::Result<()> {
        let mut exports = self.exports.lock().unwrap_or_else(PoisonError::into_inner);
        exports.write(&self.base)
    }

    async fn stop(&self) -> Result<()> {
        self.base.committer.stop().await
    }
}

/// Locks and reads the file of keys. This second lock comes before any change: somebody
/// may have removed the file `lock`.
fn hold_keys(folder: &DataFolder) -> Result<HeldKeys, OpenError> {
    let keys = folder.join("keys");
    match KeyFile::hold(&keys, !folder.was_in_use) {
        Err(error) if error.kind() == ErrorKind::WouldBlock => Err(OpenError::Locked(folder.path().to_owned())),
        held => held.at(&keys),
    }
}

/// Takes the keys. The index says how many slots their file must have, at least.
fn open_keys(folder: &DataFolder, held: HeldKeys, index: &Index) -> Result<(KeyFile, Keyring), OpenError> {
    let keys = folder.join("keys");
    let slots = match index.read(&key(Table::KeySlots, &[])).map_err(io::Error::other).at(&keys)? {
        Some(slots) => u64::from_be_bytes(slots.try_into().map_err(|_| ErrorKind::InvalidData.into()).at(&keys)?),
        None => 0,
    };
    let (mut key_file, mut keyring) = KeyFile::open(held, &keys, slots).at(&keys)?;
    // Their pictures were taken back, and must not be served again.
    let dying = erasing::dying_keys(index).map_err(io::Error::other).at(&keys)?;
    for id in &dying {
        keyring.forget(*id);
    }
    key_file.destroy(&dying).at(&keys)?;
    Ok((key_file, keyring))
}

/// Makes the commit log ready for commits. From then on the folder is in use.
fn begin_commit_log(
    folder: &DataFolder,
    mut found: Found,
    index: &Index,
    keyring: &Keyring,
) -> Result<CommitLog, OpenError> {
    let path = folder.join("commit-log");
    let (is_new, doubt) = (found.is_empty(), std::mem::take(&mut found.doubt));
    make_private(&path).at(&path)?;
    let mut commit_log = found.begin(clock::hour()).at(&path)?;
    room_log::skip_doubtful(&mut commit_log, index, keyring, &doubt).at(&path)?;
    if is_new {
        IndexState::InUse.put(folder.path()).at(folder.path())?;
    }
    Ok(commit_log)
}

/// Starts the committer, which stops writing when the index is found damaged.
fn start_committer(parts: Parts, pace: Pace) -> Result<Committer, OpenError> {
    let (index, folder) = (parts.index.clone(), parts.folder.path().to_owned());
    let (committer, failure) = Committer::start(parts, pace).at(&folder)?;
    let fail = failure.raise_later();
    index.when_damaged(move || {
        if let Err(error) = IndexState::Damaged.put(&folder) {
            tracing::error!(%error, "can't note for the next start that the index is damaged");
        }
        fail("the index is damaged");
    });
    Ok(committer)
}

/// Logs what can't be read because of damaged keys, and returns it. The server goes on.
fn log_damage(keys: usize, index: &Index, keyring: &RwLock<Keyring>, files: &PictureFiles) -> Option<String> {
    if keys == 0 {
        return None;
    }
    match Lost::among(index, keyring, Some(files)) {
        Ok(lost) => {
            tracing::error!(
                keys,
                %lost,
                "keys in the file «keys» are damaged, and what they sealed can't be read. They are left as they are, and \
                 everything else goes on. To have it back, stop the server and restore the last backup into an empty \
                 folder (annon restore), which has nothing that came after it; and check the disk and the memory"
            );
            Some(format!("keys: {keys} are damaged, and what they sealed can't be read: {lost}"))
        }
        Err(error) => {
            tracing::error!(keys, %error, "keys in the file «keys» are damaged, and it is not known whose");
            Some(format!("keys: {keys} are damaged, and it is not known whose"))
        }
    }
}

/// Logs how many pictures have lost their file, and returns it.
fn log_missing_pictures(keyring: &RwLock<Keyring>, files: &PictureFiles) -> Option<String> {
    // An error is logged.
    let pictures = pictures_without_file(keyring, files).unwrap_or(0);
    if pictures == 0 {
        return None;
    }
    tracing::error!(
        pictures,
        "pictures are missing in the folder «images», and can't be shown. A backup has them if it was made while they \
         were there"
    );
    Some(format!("images: the files of {pictures} pictures are missing"))
}

/// Logs whether the folder's file system really overwrites deleted keys.
fn log_erasing(folder: &Path) {
    match Erasing::at(folder) {
        Ok(erasing) if erasing.is_sure() => tracing::info!("{erasing}"),
        Ok(erasing) => tracing::warn!("{erasing}"),
        Err(error) => tracing::warn!(%error, "it is not known whether deleted data is gone on this file system"),
    }
}
