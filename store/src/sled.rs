//! The part the sled engines share, and the only file that names the crate:
//! opening (and mending) the database, reading it, applying a commit.
//!
//! Everything lives in one tree, under a byte that names the table, so that
//! a commit is one batch and is there whole or not at all.

use std::fs::{self, File};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::error::{Result, StoreError};

pub(crate) mod mend;
pub(crate) mod unit;
pub(crate) mod writer;

/// What sled may keep in memory of the pages it has read.
const CACHE_BYTES: u64 = 64 * 1024 * 1024;

/// The first byte of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Table {
    /// account → the account, sealed.
    Account = b'a',
    /// account → which of its tokens are good.
    Access = b'v',
    /// blinded name → account.
    Username = b'n',
    /// blinded address → account.
    Email = b'e',
    /// target → account.
    Target = b't',
    /// digest of a reset token → account and deadline.
    Reset = b'r',
    /// account, digest → nothing: which resets are an account's.
    ResetOf = b'R',
    /// owner, note → the note, sealed.
    Note = b'i',
    /// owner → how many notes, how many unread.
    InboxCount = b'c',
    /// owner → nothing: something was deleted, and the rest must move to a
    /// new key.
    Stale = b's',
    /// owner → nothing: the account is gone, its notes are still to remove.
    Gone = b'g',
    /// feedback → the words, sealed.
    Feedback = b'f',
    /// nothing → how much feedback there is.
    FeedbackCount = b'F',
}

/// A key: the table's byte, then the parts.
pub(crate) fn key(table: Table, parts: &[&[u8]]) -> Vec<u8> {
    let mut key = vec![table as u8];
    for part in parts {
        key.extend_from_slice(part);
    }
    key
}

/// The first key after all those that begin with `prefix`.
pub(crate) fn end_of(prefix: &[u8]) -> Vec<u8> {
    let mut end = prefix.to_vec();
    while let Some(last) = end.pop() {
        if last < u8::MAX {
            end.push(last + 1);
            break;
        }
    }
    end
}

/// Keys and values to set, or to remove where the value is `None`.
pub(crate) type Changes = std::collections::BTreeMap<Vec<u8>, Option<Vec<u8>>>;

/// The database, and the file handles that make its flush mean something.
pub(crate) struct Disk {
    db: ::sled::Db,
    folder: PathBuf,
    file: File,
    /// When the folder's own entries last changed and were synced.
    folder_synced: Option<SystemTime>,
    sync: bool,
}

impl Disk {
    /// Opens the database in `folder`, or makes an empty one.
    pub(crate) fn open(folder: &Path, sync: bool) -> io::Result<Self> {
        // On some damage sled panics instead of answering.
        catch_unwind(AssertUnwindSafe(|| Self::try_open(folder, sync)))
            .unwrap_or_else(|_| Err(::sled::Error::ReportableBug("opening panicked".to_owned())))
            .map_err(|error| match error {
                ::sled::Error::Io(error) => error,
                other => io::Error::new(io::ErrorKind::InvalidData, other.to_string()),
            })
    }

    fn try_open(folder: &Path, sync: bool) -> Result<Self, ::sled::Error> {
        let db = ::sled::Config::new()
            .path(folder)
            .cache_capacity(CACHE_BYTES)
            // We flush, when there is something to acknowledge.
            .flush_every_ms(None)
            .open()?;
        let file = File::open(folder.join("db"))?;
        let mut disk = Self { db, folder: folder.to_owned(), file, folder_synced: None, sync };
        disk.flush()?;
        Ok(disk)
    }

    /// A second handle for readers.
    pub(crate) fn reader(&self) -> Reader {
        Reader(self.db.clone())
    }

    /// Applies a commit and waits until it is on disk.
    pub(crate) fn commit(&mut self, changes: &Changes) -> io::Result<()> {
        let mut batch = ::sled::Batch::default();
        for (key, value) in changes {
            match value {
                Some(value) => batch.insert(key.as_slice(), value.as_slice()),
                None => batch.remove(key.as_slice()),
            }
        }
        self.db.apply_batch(batch).map_err(io::Error::other)?;
        self.flush().map_err(io::Error::other)
    }

    /// sled's flush asks the kernel to start writing and does not wait for
    /// the device; on a power cut all of it was lost. So we sync the file
    /// ourselves, and the folder when files came or went in it.
    fn flush(&mut self) -> Result<(), ::sled::Error> {
        self.db.flush()?;
        if self.sync {
            self.file.sync_all()?;
            let changed = fs::metadata(&self.folder)?.modified()?;
            if self.folder_synced != Some(changed) {
                File::open(&self.folder)?.sync_all()?;
                self.folder_synced = Some(changed);
            }
        }
        Ok(())
    }

}

/// Reads the database as it is now.
#[derive(Clone)]
pub(crate) struct Reader(::sled::Db);

impl Reader {
    pub(crate) fn read(&self, key: &[u8]) -> Result<Option<Vec<u8>>> {
        Ok(self.0.get(key).map_err(failed)?.map(|value| value.to_vec()))
    }

    pub(crate) fn has(&self, key: &[u8]) -> Result<bool> {
        self.0.contains_key(key).map_err(failed)
    }

    /// Pairs from `from` (included) to `to` (not), in the order of keys.
    pub(crate) fn range(&self, from: Vec<u8>, to: Vec<u8>) -> impl DoubleEndedIterator<Item = Result<(Vec<u8>, Vec<u8>)>> + use<> {
        let (from, to) = if from <= to { (from, to) } else { (to.clone(), to) };
        self.0.range(from..to).map(|pair| {
            let (key, value) = pair.map_err(failed)?;
            Ok((key.to_vec(), value.to_vec()))
        })
    }

    /// Everything that begins with `prefix`.
    pub(crate) fn under(&self, prefix: &[u8]) -> impl DoubleEndedIterator<Item = Result<(Vec<u8>, Vec<u8>)>> + use<> {
        self.range(prefix.to_vec(), end_of(prefix))
    }

    /// What the database weighs on disk, in bytes.
    pub(crate) fn size(&self) -> u64 {
        self.0.size_on_disk().unwrap_or(0)
    }

    /// Every pair there is.
    pub(crate) fn all(&self) -> impl Iterator<Item = Result<(Vec<u8>, Vec<u8>)>> + use<> {
        self.0.iter().map(|pair| {
            let (key, value) = pair.map_err(failed)?;
            Ok((key.to_vec(), value.to_vec()))
        })
    }
}

/// A failed read, for the caller. The log gets sled's own words, which name
/// offsets and files but no content.
fn failed(error: ::sled::Error) -> StoreError {
    tracing::error!(%error, "reading the database failed");
    match error {
        ::sled::Error::Corruption { .. } => StoreError::Corrupt,
        _ => StoreError::Unavailable,
    }
}
