//! The parts of one open store. The nouns' traits are implemented on it, each in
//! a file of its own.

use std::borrow::Cow;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;

use zeroize::Zeroizing;

use crate::engine::Figures;
use crate::error::{Result, StoreError};
use crate::folder::DataFolder;
use crate::folder::space::DiskSpace;
use crate::inbox::InboxChanges;
use crate::inbox::place::NoteIds;
use crate::local::committer::{Committer, Effect};
use crate::local::gauges::Gauges;
use crate::local::images::files::PictureFiles;
use crate::local::index::Index;
use crate::local::room_records::RoomRecords;
use crate::local::table::{Table, key};
use crate::local::transaction::Transaction;
use crate::seals::keyring::{Keyring, Owner};
use crate::seals::{Blinder, SealKey, sealed_with};
use crate::shapes::{Record, decode};

pub(crate) struct Base {
    pub(crate) index: Index,
    pub(crate) rooms: RoomRecords,
    /// The files of pictures.
    pub(crate) files: PictureFiles,
    pub(crate) committer: Committer,
    pub(crate) keyring: Arc<RwLock<Keyring>>,
    pub(crate) gauges: Arc<Gauges>,
    pub(crate) space: Arc<DiskSpace>,
    pub(crate) blinder: Blinder,
    pub(crate) note_ids: Arc<NoteIds>,
    pub(crate) inbox_changes: InboxChanges,
    /// Whoever has a noun has the folder, so it stays locked as long as a noun
    /// is in use.
    pub(crate) folder: Arc<DataFolder>,
    /// How many accounts are allowed.
    pub(crate) most_accounts: usize,
    /// Whether keys were damaged at the start.
    pub(crate) damaged_keys: bool,
    /// What is damaged or missing, a sentence each.
    pub(crate) findings: Mutex<Vec<String>>,
}

impl Base {
    pub(crate) fn keys(&self) -> RwLockReadGuard<'_, Keyring> {
        self.keyring.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn findings(&self) -> MutexGuard<'_, Vec<String>> {
        self.findings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn accounts(&self) -> usize {
        self.keys().accounts()
    }

    /// The key that an owner's next record is sealed with.
    pub(crate) fn key_of(&self, owner: Owner) -> Option<SealKey> {
        self.keys().current(owner).cloned()
    }

    /// Counters since the store was opened, and sizes as they are now.
    pub(crate) fn figures(&self) -> Figures {
        let Gauges { commits, calls, nanos, resealed } = &*self.gauges;
        Figures {
            commits: commits.load(Relaxed),
            calls: calls.load(Relaxed),
            commit_time: Duration::from_nanos(nanos.load(Relaxed)),
            resealed: resealed.load(Relaxed),
            data_bytes: self.index.size() + self.rooms.reader.bytes(),
            disk_free_bytes: self.space.free(),
            disk_is_full: self.space.is_full(),
            picture_bytes: self.files.bytes(),
            accounts: self.accounts(),
        }
    }

    /// Makes changes that only the disk can refuse.
    pub(crate) async fn change(
        &self,
        effect: Effect,
        change: impl FnOnce(&mut Transaction<'_>) + Send + 'static,
    ) -> Result<()> {
        let work = move |transaction: &mut Transaction<'_>| {
            change(transaction);
            Ok(())
        };
        self.committer.write(effect, work).await
    }

    /// A record that is not sealed.
    pub(crate) fn record<T: Record>(&self, key: &[u8]) -> Result<Option<T>> {
        self.index.read(key)?.map(|bytes| decode(&bytes)).transpose()
    }

    /// A sealed record; `None` also when its key is destroyed.
    pub(crate) fn sealed<T: Record>(&self, key: &[u8]) -> Result<Option<T>> {
        match self.index.read(key)?.map(|sealed| self.open(key, &sealed)).transpose() {
            Err(StoreError::NotFound) => Ok(None),
            other => other,
        }
    }

    /// Opens a sealed record that was read before. `NotFound` when its key was
    /// destroyed meanwhile.
    pub(crate) fn open<T: Record>(&self, key: &[u8], sealed: &[u8]) -> Result<T> {
        let mut sealed = Cow::Borrowed(sealed);
        loop {
            match self.try_open(key, &sealed) {
                // The owner may just have got a new key.
                Err(StoreError::NotFound) => match self.index.read(key)? {
                    Some(now) if now != *sealed => sealed = Cow::Owned(now),
                    _ => return Err(StoreError::NotFound),
                },
                other => return other,
            }
        }
    }

    /// Opens the first `limit` records of `pairs`, and makes something of each.
    /// Records that were just deleted or can't be read are skipped. How many
    /// can't be read is logged once.
    pub(crate) fn page_of<R: Record, T>(
        &self,
        kind: &'static str,
        pairs: impl Iterator<Item = Result<(Vec<u8>, Vec<u8>)>>,
        limit: usize,
        make: impl Fn(&[u8], R) -> Result<T>,
    ) -> Result<Vec<T>> {
        let mut count = 0;
        let opened = pairs.filter_map(|pair| {
            let (key, sealed) = match pair {
                Ok(pair) => pair,
                Err(error) => return Some(Err(error)),
            };
            match self.open(&key, &sealed) {
                Ok(record) => Some(make(&key, record)),
                Err(StoreError::NotFound) => None,
                Err(StoreError::Corrupt) => {
                    count += 1;
                    None
                }
                Err(error) => Some(Err(error)),
            }
        });
        let page = opened.take(limit).collect();
        if count > 0 {
            tracing::error!(kind, count, "records that can't be read were passed over");
        }
        page
    }

    fn try_open<T: Record>(&self, key: &[u8], sealed: &[u8]) -> Result<T> {
        let id = sealed_with(sealed)?;
        let seal = self.keys().key(id).cloned().ok_or(StoreError::NotFound)?;
        let plain = seal.open(key, sealed).map(Zeroizing::new).inspect_err(|_| {
            tracing::error!(kind = std::any::type_name::<T>(), "a sealed record does not open");
        })?;
        decode(&plain)
    }
}

/// The key of an owner's record: without it, the owner is not there.
pub(crate) fn home(owner: Owner) -> Vec<u8> {
    match owner {
        Owner::Account(id) | Owner::Inbox(id) => key(Table::Account, &[id.as_bytes()]),
        Owner::Feedback(id) | Owner::FeedbackPicture(id) => key(Table::Feedback, &[id.as_bytes()]),
        Owner::Room(id) | Owner::RoomPictures(id) => key(Table::Room, &[id.as_bytes()]),
    }
}
