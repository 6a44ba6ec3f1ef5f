//! What one open store is made of. Each noun has a file that says how this
//! keeps it.

use std::borrow::Cow;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use zeroize::Zeroizing;

use crate::error::{Result, StoreError};
use crate::folder::DataFolder;
use crate::folder::space::DiskSpace;
use crate::inbox::place::NoteIds;
use crate::local::committer::Committer;
use crate::local::gauges::Gauges;
use crate::local::index::Index;
use crate::local::room_records::Rooms;
use crate::seals::keyring::{Keyring, Owner};
use crate::seals::{Blinder, SealKey, sealed_with};
use crate::shapes::{Record, decode};

pub(crate) struct Base {
    pub(crate) index: Index,
    pub(crate) rooms: Rooms,
    pub(crate) committer: Committer,
    pub(crate) keyring: Arc<RwLock<Keyring>>,
    pub(crate) gauges: Arc<Gauges>,
    pub(crate) space: Arc<DiskSpace>,
    pub(crate) blinder: Blinder,
    pub(crate) note_ids: NoteIds,
    /// The nouns hold the folder, so it stays locked as long as one of them is
    /// in use.
    pub(crate) folder: Arc<DataFolder>,
    /// How many accounts there may be.
    pub(crate) most_accounts: usize,
    /// Whether keys were damaged at the start.
    pub(crate) damaged_keys: bool,
}

impl Base {
    pub(crate) fn keys(&self) -> RwLockReadGuard<'_, Keyring> {
        self.keyring.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn accounts(&self) -> usize {
        self.keys().accounts()
    }

    /// The key an owner's next record is sealed with, while there is one.
    pub(crate) fn key_of(&self, owner: Owner) -> Option<SealKey> {
        self.keys().current(owner).cloned()
    }

    /// A record that is not sealed.
    pub(crate) fn record<T: Record>(&self, key: &[u8]) -> Result<Option<T>> {
        self.index.read(key)?.map(|bytes| decode(&bytes)).transpose()
    }

    /// A sealed record. One whose key is destroyed is as good as gone.
    pub(crate) fn sealed<T: Record>(&self, key: &[u8]) -> Result<Option<T>> {
        match self.index.read(key)?.map(|sealed| self.open(key, &sealed)).transpose() {
            Err(StoreError::NotFound) => Ok(None),
            other => other,
        }
    }

    /// Opens a sealed record that was read already; `NotFound` when it has
    /// been destroyed since.
    pub(crate) fn open<T: Record>(&self, key: &[u8], sealed: &[u8]) -> Result<T> {
        let mut sealed = Cow::Borrowed(sealed);
        loop {
            match self.try_open(key, &sealed) {
                // Its owner's records may just have moved to a new key.
                Err(StoreError::NotFound) => match self.index.read(key)? {
                    Some(now) if now != *sealed => sealed = Cow::Owned(now),
                    _ => return Err(StoreError::NotFound),
                },
                other => return other,
            }
        }
    }

    /// The first sealed records of a walk, as `make` has them by their keys.
    /// One that was deleted a moment ago or can't be read hides no other; the
    /// latter is said once, at the walk's end.
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
