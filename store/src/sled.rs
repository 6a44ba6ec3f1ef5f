//! The part the sled engines share, and nearly the only one that names the crate:
//! opening (and mending) the database, reading it, applying commits.
//!
//! Everything lives in one tree, under a byte that names the table. A commit
//! is in the journal first (`sled/journal.rs`), whole or not at all, and in
//! memory (`sled/fresh.rs`); sled follows.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::ops::Bound;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use crate::clock::Stopwatch;
use crate::error::{Result, StoreError};
use crate::shapes::{decode, encode};
use crate::sled::fresh::{Fresh, Pairs};
use crate::sled::reading::Reading;
use crate::sled::tally::{Claim, Tally, UnderWay};

mod before;
pub(crate) mod fresh;
pub(crate) mod journal;
pub(crate) mod mark;
pub(crate) mod mend;
mod reading;
mod tally;
pub(crate) mod unit;
pub(crate) mod writer;

/// What sled may keep in memory of the pages it has read.
const CACHE_BYTES: u64 = 64 * 1024 * 1024;
/// How long to wait for a file that an earlier attempt still has open.
const LOCK_PAUSE: Duration = Duration::from_millis(20);
const LOCK_TRIES: u32 = 100;
/// How often, and after how long, one looks for a free descriptor again.
const DESCRIPTOR_TRIES: u32 = 100;
const DESCRIPTOR_PAUSE: Duration = Duration::from_millis(100);

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
    /// digest of a token that confirms an address → account and deadline.
    Confirm = b'm',
    /// account, digest → nothing: which of those are an account's.
    ConfirmOf = b'M',
    /// owner, place → the note, sealed.
    Note = b'i',
    /// owner → how many notes, how many unread, and what of them waits.
    Inbox = b'c',
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
    /// nothing → what the database holds. Beside the count of commits, so
    /// that both stand on one page. It is no part of any commit.
    Claim = b'$',
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

/// Changes given to sled without a rest: a quarter of a millisecond's worth,
/// or somebody who is waited for may wait for a processor.
const AT_ONCE: usize = 16;

/// The database, and the file handles that make its flush mean something.
pub(crate) struct Disk {
    db: ::sled::Db,
    fresh: Fresh,
    config: ::sled::Config,
    file: File,
    blobs: PathBuf,
    /// Blobs that are on disk.
    synced_blobs: HashSet<OsString>,
    sync: bool,
    /// What is in it; unknown until all of it was read once.
    tally: Option<Tally>,
    /// The thread that still reads the database. Nothing is written meanwhile.
    reading: Option<Reading>,
}

impl Disk {
    /// Opens the database in `folder`, or makes an empty one. Damage is an
    /// error of the kind `InvalidData`, `UnexpectedEof` or `NotFound`; that
    /// another process has it, one of the kind `WouldBlock`.
    pub(crate) fn open(folder: &Path, sync: bool) -> io::Result<Self> {
        // After an attempt that failed sled lets go of its file a little later.
        for _ in 0..LOCK_TRIES {
            match Self::try_open(folder, sync) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => thread::sleep(LOCK_PAUSE),
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
            .map_err(as_io)?;
        let file = File::open(folder.join("db"))?;
        let mut disk = Self {
            db,
            fresh: Fresh::default(),
            config,
            file,
            blobs: folder.join("blobs"),
            synced_blobs: HashSet::new(),
            sync,
            tally: None,
            reading: None,
        };
        disk.flush()?;
        if sync {
            File::open(folder)?.sync_all()?;
        }
        Ok(disk)
    }

    /// Tells the next start that something is wrong with it.
    pub(crate) fn suspect(&self) {
        self.blobs.parent().iter().for_each(|folder| mend::suspect(folder));
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
        Reader { db: self.db.clone(), fresh: self.fresh.clone(), config: self.config.clone() }
    }

    /// Where commits are until they are here.
    pub(crate) fn fresh(&self) -> Fresh {
        self.fresh.clone()
    }

    /// Takes over what is leaving the fresh part, a little at a time, so that
    /// nobody has to wait for all of it.
    pub(crate) fn catch_up(&mut self) -> io::Result<()> {
        self.fresh.clone().hand_over(|changes| self.take_over(changes, thread::sleep))
    }

    /// Applies many commits at once and waits until they are on disk. The
    /// count of commits comes last: after a crash in the middle the journal
    /// has all of them yet. `rest` is told how long each part took.
    pub(crate) fn take_over(&mut self, changes: &Changes, rest: impl Fn(Duration)) -> io::Result<()> {
        self.finish_reading()?;
        let count = key(Table::Commits, &[]);
        let others: Vec<_> = changes.iter().filter(|(key, _)| !is_about_itself(key)).collect();
        let commits = changes.get(&count).and_then(|value| value.as_ref()?.as_slice().try_into().ok());
        let commits = commits.map(u64::from_be_bytes);
        let besides = self.announce(&others, commits, &rest)?;
        for some in others.chunks(AT_ONCE) {
            let begun = Stopwatch::start();
            some.iter().try_for_each(|change| self.apply(*change))?;
            rest(begun.elapsed());
        }
        changes.get_key_value(&count).map_or(Ok(()), |change| self.apply(change))?;
        if let Some(mut tally) = besides {
            others.iter().for_each(|(key, value)| value.iter().for_each(|value| tally.add(key, value)));
            self.tally = Some(tally);
            self.claim(Claim { commits: commits.map_or_else(|| self.stored_commits(), Ok)?, tally, under_way: None })?;
        }
        self.flush()
    }

    /// Says in the database which commits are about to be applied, and what
    /// there is besides what they touch. Nothing where that is not known.
    fn announce(
        &mut self,
        changes: &[(&Vec<u8>, &Option<Vec<u8>>)],
        through: Option<u64>,
        rest: impl Fn(Duration),
    ) -> io::Result<Option<Tally>> {
        // If this fails in the middle, nobody knows.
        let Some(tally) = self.tally.take() else { return Ok(None) };
        let mut besides = tally;
        for some in changes.chunks(AT_ONCE) {
            let begun = Stopwatch::start();
            for (key, _) in some {
                self.db.get(key).map_err(as_io)?.iter().for_each(|value| besides.remove(key, value));
            }
            rest(begun.elapsed());
        }
        let commits = self.stored_commits()?;
        let under_way = Some(UnderWay { through: through.unwrap_or(commits), besides });
        self.claim(Claim { commits, tally, under_way })?;
        Ok(Some(besides))
    }

    fn claim(&self, claim: Claim) -> io::Result<()> {
        let claim = encode(&claim).map_err(io::Error::other)?;
        self.db.insert(key(Table::Claim, &[]), claim).map(drop).map_err(as_io)
    }

    /// What the database itself says, whatever is in the journal.
    fn stored_commits(&self) -> io::Result<u64> {
        let stored = self.db.get(key(Table::Commits, &[])).map_err(as_io)?;
        let commits = |bytes: ::sled::IVec| {
            let bytes = bytes.as_ref().try_into().map_err(|_| damage("the count of its commits can't be read"))?;
            Ok(u64::from_be_bytes(bytes))
        };
        stored.map_or(Ok(0), commits)
    }

    /// Not in a batch: for that all readers have to stand still, and several
    /// without a flush between them can make the next flush wait for ever.
    fn apply(&self, (key, value): (&Vec<u8>, &Option<Vec<u8>>)) -> io::Result<()> {
        let applied = match value {
            Some(value) => self.db.insert(key, value.as_slice()),
            None => self.db.remove(key),
        };
        applied.map(drop).map_err(as_io)
    }

    /// sled's flush asks the kernel to start writing and does not wait for
    /// the device; on a power cut all of it was lost. So we sync the file
    /// ourselves, and with it the blobs that large values were moved to,
    /// which sled does not sync at all.
    fn flush(&mut self) -> io::Result<()> {
        self.db.flush().map_err(as_io)?;
        if self.sync {
            patiently(|| self.sync_blobs())?;
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

/// What the database says of itself, which is no record of anybody's.
pub(crate) fn is_about_itself(key: &[u8]) -> bool {
    key.first().is_some_and(|table| [Table::Commits as u8, Table::Claim as u8].contains(table))
}

fn damage(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

/// sled's errors as those of a file that they mostly are. What it finds in
/// a file and can't make sense of is damage.
fn as_io(error: ::sled::Error) -> io::Error {
    match error {
        ::sled::Error::Io(error) if error.to_string().contains("could not acquire lock") => {
            io::Error::new(io::ErrorKind::WouldBlock, error)
        }
        ::sled::Error::Io(error) => error,
        ::sled::Error::Unsupported(why) => io::Error::new(io::ErrorKind::Unsupported, why),
        other => io::Error::new(io::ErrorKind::InvalidData, other.to_string()),
    }
}

/// Tries again while the process has no descriptor left: that is not the
/// disk's fault, and passes.
fn patiently(mut work: impl FnMut() -> io::Result<()>) -> io::Result<()> {
    for _ in 0..DESCRIPTOR_TRIES {
        match work() {
            Err(error) if error.raw_os_error().is_some_and(is_no_descriptor) => thread::sleep(DESCRIPTOR_PAUSE),
            other => return other,
        }
    }
    work()
}

fn is_no_descriptor(code: i32) -> bool {
    [rustix::io::Errno::MFILE, rustix::io::Errno::NFILE].iter().any(|errno| errno.raw_os_error() == code)
}

/// Reads the database as it is now.
#[derive(Clone)]
pub(crate) struct Reader {
    db: ::sled::Db,
    fresh: Fresh,
    config: ::sled::Config,
}

impl Reader {
    /// Whether no write of the database has failed. A reader may be the first
    /// to meet that, before the writer knows.
    pub(crate) fn is_healthy(&self) -> bool {
        self.config.global_error().is_ok()
    }

    pub(crate) fn read(&self, key: &[u8]) -> Result<Option<Vec<u8>>> {
        match self.fresh.layers().get(key) {
            Some(value) => Ok(value),
            None => Ok(self.db.get(key).map_err(failed)?.map(|value| value.to_vec())),
        }
    }

    pub(crate) fn has(&self, key: &[u8]) -> Result<bool> {
        Ok(self.read(key)?.is_some())
    }

    /// Pairs from `from` (included) to `to` (not), in the order of keys.
    pub(crate) fn range(&self, from: Vec<u8>, to: Vec<u8>) -> Pairs {
        let (from, to) = if from <= to { (from, to) } else { (to.clone(), to) };
        let layers = self.fresh.layers();
        let disk = self.db.range(from.clone()..to.clone());
        Pairs::new(layers, disk, Bound::Included(from), Bound::Excluded(to))
    }

    /// Everything that begins with `prefix`.
    pub(crate) fn under(&self, prefix: &[u8]) -> Pairs {
        self.range(prefix.to_vec(), end_of(prefix))
    }

    /// What the database weighs on disk, in bytes.
    pub(crate) fn size(&self) -> u64 {
        self.db.size_on_disk().unwrap_or(0)
    }

    /// Every pair there is.
    pub(crate) fn all(&self) -> Pairs {
        let layers = self.fresh.layers();
        Pairs::new(layers, self.db.iter(), Bound::Unbounded, Bound::Unbounded)
    }

    /// Every pair that would mean something in another database, too.
    pub(crate) fn records(&self) -> impl Iterator<Item = Result<(Vec<u8>, Vec<u8>)>> + use<> {
        self.all().filter(|pair| !matches!(pair, Ok((key, _)) if key.first() == Some(&(Table::Claim as u8))))
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
