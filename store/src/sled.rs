//! The part the sled engines share, and the only file that names the crate:
//! opening (and mending) the database, reading it, applying a commit.
//!
//! Everything lives in one tree, under a byte that names the table, so that
//! a commit is one batch and is there whole or not at all.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::ops::Bound;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use crate::error::{Result, StoreError};

mod before;
pub(crate) mod mark;
pub(crate) mod mend;
pub(crate) mod unit;
pub(crate) mod writer;

/// What sled may keep in memory of the pages it has read.
const CACHE_BYTES: u64 = 64 * 1024 * 1024;
/// How long to wait for a file that an earlier attempt still has open.
const LOCK_PAUSE: Duration = Duration::from_millis(20);
const LOCK_TRIES: u32 = 100;

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
    /// room → its card, sealed.
    Room = b'o',
    /// owner, room → when it ends.
    RoomOf = b'O',
    /// end, room → nothing.
    RoomExpiry = b'x',
    /// room, last place → what was appended at once, sealed.
    RoomLog = b'l',
    /// room → nothing: words were taken out, and the rest must move to a new
    /// key.
    StaleRoom = b'S',
    /// room → nothing: the room is gone, its log is still to remove.
    GoneRoom = b'G',
    /// feedback → the words, sealed.
    Feedback = b'f',
    /// nothing → how much feedback there is.
    FeedbackCount = b'F',
    /// nothing → how many commits there were.
    Commits = b'#',
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

/// Whether any of the changes is to a key from `from` (included) to `to` (not).
pub(crate) fn touches(changes: &Changes, from: &[u8], to: &[u8]) -> bool {
    let within = (Bound::Included(from), Bound::Excluded(to));
    from < to && changes.range::<[u8], _>(within).next().is_some()
}

/// The database, and the file handles that make its flush mean something.
pub(crate) struct Disk {
    db: ::sled::Db,
    config: ::sled::Config,
    file: File,
    blobs: PathBuf,
    /// Blobs that are on disk.
    synced_blobs: HashSet<OsString>,
    sync: bool,
    /// What a test wants to happen between the change and the sync.
    #[cfg(test)]
    pub(crate) before_sync: Option<Box<dyn FnMut() -> io::Result<()> + Send>>,
}

impl Disk {
    /// Opens the database in `folder`, or makes an empty one. Damage is an
    /// error of the kind `InvalidData`, `UnexpectedEof` or `NotFound`.
    pub(crate) fn open(folder: &Path, sync: bool) -> io::Result<Self> {
        // After an attempt that failed sled lets go of its file a little later.
        for _ in 0..LOCK_TRIES {
            match Self::try_open(folder, sync) {
                Err(error) if error.to_string().contains("could not acquire lock") => thread::sleep(LOCK_PAUSE),
                other => return other,
            }
        }
        Self::try_open(folder, sync)
    }

    fn try_open(folder: &Path, sync: bool) -> io::Result<Self> {
        let config = ::sled::Config::new()
            .path(folder)
            .cache_capacity(CACHE_BYTES)
            // We flush, when there is something to acknowledge.
            .flush_every_ms(None);
        // On some damage sled panics instead of answering.
        let db = catch_unwind(AssertUnwindSafe(|| config.open()))
            .unwrap_or_else(|_| Err(::sled::Error::ReportableBug("opening panicked".to_owned())))
            .map_err(|error| match error {
                ::sled::Error::Io(error) => error,
                ::sled::Error::Unsupported(why) => io::Error::new(io::ErrorKind::Unsupported, why),
                other => io::Error::new(io::ErrorKind::InvalidData, other.to_string()),
            })?;
        let file = File::open(folder.join("db"))?;
        let mut disk = Self {
            db,
            config,
            file,
            blobs: folder.join("blobs"),
            synced_blobs: HashSet::new(),
            sync,
            #[cfg(test)]
            before_sync: None,
        };
        disk.flush()?;
        if sync {
            File::open(folder)?.sync_all()?;
        }
        Ok(disk)
    }

    /// How many commits there were.
    pub(crate) fn commits(&self) -> Result<u64> {
        let stored = self.reader().read(&key(Table::Commits, &[]))?;
        let commits = |bytes: Vec<u8>| bytes.try_into().map(u64::from_be_bytes).map_err(|_| StoreError::Corrupt);
        stored.map_or(Ok(0), commits)
    }

    /// Tells whether a write has failed, also while a call is stuck.
    pub(crate) fn has_failed(&self) -> impl Fn() -> bool + Send + use<> {
        let config = self.config.clone();
        move || config.global_error().is_err()
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
        #[cfg(test)]
        if let Some(happens) = &mut self.before_sync {
            happens()?;
        }
        self.flush()
    }

    /// sled's flush asks the kernel to start writing and does not wait for
    /// the device; on a power cut all of it was lost. So we sync the file
    /// ourselves, and with it the blobs that large values were moved to,
    /// which sled does not sync at all.
    fn flush(&mut self) -> io::Result<()> {
        self.db.flush().map_err(io::Error::other)?;
        if self.sync {
            self.sync_blobs()?;
            self.file.sync_all()?;
        }
        Ok(())
    }

    fn sync_blobs(&mut self) -> io::Result<()> {
        let mut present = HashSet::new();
        let mut is_new = false;
        for entry in fs::read_dir(&self.blobs)? {
            let entry = entry?;
            if !self.synced_blobs.contains(&entry.file_name()) {
                match File::open(entry.path()) {
                    Ok(file) => file.sync_all()?,
                    // Not needed any more.
                    Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                    Err(error) => return Err(error),
                }
                is_new = true;
            }
            present.insert(entry.file_name());
        }
        self.synced_blobs = present;
        if is_new { File::open(&self.blobs)?.sync_all() } else { Ok(()) }
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
    pub(crate) fn range(
        &self,
        from: Vec<u8>,
        to: Vec<u8>,
    ) -> impl DoubleEndedIterator<Item = Result<(Vec<u8>, Vec<u8>)>> + use<> {
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
