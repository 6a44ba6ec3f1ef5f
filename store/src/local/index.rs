//! The index: accounts, notes, metadata and names, to be found by their keys.
//! This is the only file that uses sled.
//!
//! The commit log has every change first. So no commit syncs the index, and if anything
//! is wrong with it, it is thrown away and rebuilt.

use std::cell::Cell;
use std::fs::File;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::Notify;

use crate::error::{Result, StoreError};
use crate::files::{if_there, make_files_private};
use crate::local::index_sum::IndexSum;
use crate::rows::Pair;
use crate::table::{Changes, Table, end_of, is_about_itself, key};

#[cfg(test)]
mod tests;

/// Memory for pages that sled has read.
const CACHE_BYTES: u64 = 64 * 1024 * 1024;
/// How long to wait for a file that an earlier attempt has not closed yet.
const LOCK_PAUSE: Duration = Duration::from_millis(20);
const LOCK_TRIES: u32 = 100;
/// Pairs that the walk reads in one step. Changes wait meanwhile.
const AT_ONCE: usize = 512;

thread_local! {
    static CALLS_SLED: Cell<bool> = const { Cell::new(false) };
}

/// The index, open. A clone is another handle.
#[derive(Clone)]
pub(crate) struct Index {
    db: ::sled::Db,
    folder: Arc<PathBuf>,
    damage: Arc<Damage>,
    counted: Arc<Mutex<Counted>>,
}

/// Whether the index is damaged, and what to do when that is found.
#[derive(Default)]
struct Damage {
    is_there: AtomicBool,
    on_damage: Mutex<Option<Box<dyn FnOnce() + Send>>>,
    /// Wakes whoever waits for the end of the walk, or for damage.
    walk_is_over: Notify,
}

/// The sum of the index as it is now. It is locked while a pair is changed, so
/// a walk sees the pair either before or after the change.
#[derive(Default)]
struct Counted {
    index_sum: IndexSum,
    /// The walk that checks the whole index, until it is done.
    walk: Option<Walk>,
}

/// How far the walk is, and the sum of the pairs that it has met.
#[derive(Default)]
struct Walk {
    /// The key at which the next step begins.
    next: Vec<u8>,
    index_sum: IndexSum,
}

impl Index {
    /// Opens the index in a folder, or makes an empty one. The error says what
    /// is wrong with it.
    pub(crate) fn open(folder: &Path) -> Result<Self, String> {
        // When an attempt fails, sled unlocks its file a little later.
        for _ in 0..LOCK_TRIES {
            match try_open(folder) {
                Err(::sled::Error::Io(error)) if error.to_string().contains("could not acquire lock") => {
                    thread::sleep(LOCK_PAUSE);
                }
                opened => {
                    let db = opened.map_err(|error| error.to_string())?;
                    // An earlier annon made them with the mode that the process had.
                    make_files_private(folder).map_err(|error| error.to_string())?;
                    let folder = Arc::new(folder.to_owned());
                    return Ok(Self { db, folder, damage: Arc::default(), counted: Arc::default() });
                }
            }
        }
        Err("its file stays locked".to_owned())
    }

    /// Whether no damage was found.
    pub(crate) fn is_whole(&self) -> bool {
        !self.damage.is_there.load(Ordering::Relaxed)
    }

    /// Sets what to do when damage is found, or does it if damage was found.
    pub(crate) fn when_damaged(&self, on_damage: impl FnOnce() + Send + 'static) {
        *self.damage.on_damage.lock() = Some(Box::new(on_damage));
        if !self.is_whole() {
            self.report_damage("it was damaged before");
        }
    }

    /// Reports damage: the next start rebuilds the index.
    pub(crate) fn report_damage(&self, why: &str) {
        self.damage.is_there.store(true, Ordering::Relaxed);
        self.damage.walk_is_over.notify_waiters();
        let on_damage = self.damage.on_damage.lock().take();
        if let Some(on_damage) = on_damage {
            tracing::error!(why, "the index is damaged: the next start rebuilds it, and nothing is lost");
            on_damage();
        }
    }

    /// Calls sled, which panics on some damage.
    fn guarded<T>(&self, work: impl FnOnce(&::sled::Db) -> ::sled::Result<T>) -> Result<T> {
        let error = match unless_it_panics(|| work(&self.db)) {
            Some(Ok(done)) => return Ok(done),
            Some(Err(error)) => error.to_string(),
            None => "sled panicked".to_owned(),
        };
        // sled's errors name offsets and files, but no content.
        tracing::error!(error, "the index can't be used");
        self.report_damage(&error);
        Err(StoreError::Unavailable)
    }

    pub(crate) fn read(&self, key: &[u8]) -> Result<Option<Vec<u8>>> {
        Ok(self.guarded(|db| db.get(key))?.map(|value| value.to_vec()))
    }

    pub(crate) fn has(&self, key: &[u8]) -> Result<bool> {
        self.guarded(|db| db.contains_key(key))
    }

    /// Pairs from the key `from`, before the key `to`, in order.
    pub(crate) fn range(&self, from: Vec<u8>, to: Vec<u8>) -> Pairs {
        let from = from.min(to.clone());
        let found = self.db.range(from.clone()..to.clone());
        Pairs { index: self.clone(), found, front: from, back: to }
    }

    /// Pairs whose keys begin with `prefix`.
    pub(crate) fn under(&self, prefix: &[u8]) -> Pairs {
        self.range(prefix.to_vec(), end_of(prefix))
    }

    /// Every record: all pairs but those about the index itself.
    pub(crate) fn records(&self) -> impl Iterator<Item = Result<Pair>> + use<> {
        let all = self.range(Vec::new(), vec![u8::MAX]);
        all.filter(|pair| !matches!(pair, Ok((key, _)) if is_about_itself(key)))
    }

    pub(crate) fn size(&self) -> u64 {
        self.db.size_on_disk().unwrap_or(0)
    }

    /// The last commit that is completely in the index, and the id of the folder that
    /// the index belongs to.
    pub(crate) fn stands_at(&self) -> Result<Option<(u64, [u8; 16])>> {
        let (at, folder) = (self.read(&key(Table::At, &[]))?, self.read(&key(Table::Folder, &[]))?);
        let at = at.and_then(|at| at.try_into().ok()).map(u64::from_be_bytes);
        Ok(at.zip(folder.and_then(|id| id.try_into().ok())))
    }

    /// Notes the folder that the index belongs to, and the last commit in it.
    pub(crate) fn begin(&self, folder: [u8; 16], at: u64) -> Result<()> {
        self.guarded(|db| db.insert(key(Table::Folder, &[]), &folder))?;
        self.put_at(at).map(drop)
    }

    /// Notes the last commit in the index, and returns the one noted before.
    pub(crate) fn put_at(&self, commit: u64) -> Result<Option<u64>> {
        let before = self.guarded(|db| db.insert(key(Table::At, &[]), &commit.to_be_bytes()))?;
        Ok(before.and_then(|at| at.as_ref().try_into().ok()).map(u64::from_be_bytes))
    }

    /// Makes one change. sled's batches are not used: sled writes its buffer for
    /// each batch, and several batches without a flush between them can make the
    /// next flush wait for ever.
    pub(crate) fn change(&self, key: &[u8], value: Option<&[u8]>) -> Result<()> {
        let mut counted = self.counted.lock();
        let old = self.guarded(|db| match value {
            Some(value) => db.insert(key, value),
            None => db.remove(key),
        })?;
        counted.index_sum.replace(key, old.as_deref(), value);
        // A pair that the walk has not met yet is met as it is now.
        if let Some(walk) = &mut counted.walk
            && key < walk.next.as_slice()
            && !is_about_itself(key)
        {
            walk.index_sum.replace(key, old.as_deref(), value);
        }
        Ok(())
    }

    /// Makes the changes of a commit, then notes its number. After a crash in
    /// between, they are made again from the commit log.
    pub(crate) fn apply(&self, commit: u64, changes: &Changes) -> Result<()> {
        changes.iter().try_for_each(|(key, value)| self.change(key, value.as_deref()))?;
        let before = self.put_at(commit)?;
        invariant!(before.is_some_and(|before| before < commit), "the index goes forward");
        Ok(())
    }

    /// The sum: that of the start, with every change since.
    pub(crate) fn index_sum(&self) -> IndexSum {
        self.counted.lock().index_sum
    }

    /// The sum of the pairs that are really there: all of them are read.
    pub(crate) fn count(&self) -> Result<IndexSum> {
        let mut index_sum = IndexSum::default();
        for pair in self.records() {
            let (key, value) = pair?;
            index_sum.add(&key, &value);
        }
        Ok(index_sum)
    }

    /// Begins a walk through the index, to compare its pairs with this sum.
    pub(crate) fn begin_walk(&self, index_sum: IndexSum) {
        *self.counted.lock() = Counted { index_sum, walk: Some(Walk::default()) };
    }

    /// Waits until the walk is over, and returns whether no damage was found.
    pub(crate) async fn is_checked_and_whole(&self) -> bool {
        loop {
            let over = self.damage.walk_is_over.notified();
            if self.counted.lock().walk.is_none() || !self.is_whole() {
                return self.is_whole();
            }
            over.await;
        }
    }

    /// Makes one step of the walk. At its end, returns whether the sum is right.
    /// If it is not, that is reported as damage.
    pub(crate) fn walk_on(&self) -> Result<Option<bool>> {
        let mut counted = self.counted.lock();
        let Counted { index_sum, walk } = &mut *counted;
        let Some(Walk { next, index_sum: found }) = walk else { return Ok(Some(self.is_whole())) };
        let mut read = 0;
        for pair in self.range(next.clone(), vec![u8::MAX]).take(AT_ONCE) {
            let (key, value) = pair?;
            read += 1;
            if !is_about_itself(&key) {
                found.add(&key, &value);
            }
            *next = after(key);
        }
        if read == AT_ONCE {
            return Ok(None);
        }
        let is_right = found == index_sum;
        // `counted` is still locked, so nobody sees a walk that is done before
        // its damage is reported.
        if !is_right {
            self.report_damage("something that was in it is missing");
        }
        *walk = None;
        self.damage.walk_is_over.notify_waiters();
        Ok(Some(is_right))
    }

    /// Waits until all changes are on disk. sled's own flush only asks the kernel
    /// to begin writing, and does not sync the files with large values.
    pub(crate) fn flush(&self) -> io::Result<()> {
        self.guarded(|db| db.flush()).map_err(io::Error::other)?;
        for file in [self.folder.join("db"), self.folder.join("blobs"), self.folder.to_path_buf()] {
            if let Some(file) = if_there(File::open(file))? {
                file.sync_all()?;
            }
        }
        Ok(())
    }
}

fn try_open(folder: &Path) -> ::sled::Result<::sled::Db> {
    let config = ::sled::Config::new()
        .path(folder)
        .cache_capacity(CACHE_BYTES)
        // The store calls `flush` itself.
        .flush_every_ms(None);
    unless_it_panics(|| config.open())
        .unwrap_or_else(|| Err(::sled::Error::ReportableBug("opening it panicked".to_owned())))
}

/// Calls sled. `None` if it panics.
fn unless_it_panics<T>(work: impl FnOnce() -> T) -> Option<T> {
    CALLS_SLED.set(true);
    let done = catch_unwind(AssertUnwindSafe(work)).ok();
    CALLS_SLED.set(false);
    done
}

/// Whether this thread's panic is one of sled's: then the store reports the
/// damage, and goes on.
pub fn index_handles_panic() -> bool {
    CALLS_SLED.get()
}

/// The lowest key after this one.
fn after(mut key: Vec<u8>) -> Vec<u8> {
    key.push(0);
    key
}

/// Pairs in the order of their keys. sled's iterator may return a pair again when
/// sled has split a page; this one skips the second.
pub(crate) struct Pairs {
    index: Index,
    found: ::sled::Iter,
    /// The keys to come are not below `front`, and below `back`.
    front: Vec<u8>,
    back: Vec<u8>,
}

impl Pairs {
    fn step(
        &mut self,
        step: impl Fn(&mut ::sled::Iter) -> Option<::sled::Result<(::sled::IVec, ::sled::IVec)>>,
        pass: impl FnOnce(&mut Self, Vec<u8>),
    ) -> Option<Result<Pair>> {
        loop {
            let found = &mut self.found;
            let pair = match self.index.guarded(|_| step(found).transpose()) {
                Ok(pair) => pair?,
                Err(error) => return Some(Err(error)),
            };
            let key = pair.0.as_ref();
            if self.front.as_slice() <= key && key < self.back.as_slice() {
                let (key, value) = (pair.0.to_vec(), pair.1.to_vec());
                pass(self, key.clone());
                return Some(Ok((key, value)));
            }
        }
    }
}

impl Iterator for Pairs {
    type Item = Result<Pair>;

    fn next(&mut self) -> Option<Self::Item> {
        self.step(::sled::Iter::next, |pairs, key| pairs.front = after(key))
    }
}

impl DoubleEndedIterator for Pairs {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.step(::sled::Iter::next_back, |pairs, key| pairs.back = key)
    }
}
