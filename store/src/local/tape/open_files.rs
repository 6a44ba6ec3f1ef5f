//! The files as many threads read them while one overwrites.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::bytes::{Fields, Seed};
use super::disk::{Disk, TapeFile};
use super::frame::FRAME_MAX;
use super::record::RoomHead;
use super::{Place, RoomRecord};

/// How many files are kept open.
const OPEN_FILES: usize = 64;
/// How much is read of a record before its length is known. Most are shorter.
const USUAL: usize = 1024;
/// A body's checksum stands between the head and the body.
const SUM_LEN: usize = 4;

type Open = BTreeMap<u32, Arc<TapeFile>>;

/// Files that are open. Who reads holds the lock, and who overwrites holds it
/// alone: nobody reads half of the one and half of the other.
pub(super) struct OpenFiles {
    disk: Disk,
    open: RwLock<Open>,
}

impl OpenFiles {
    pub(super) fn new(disk: Disk) -> Self {
        Self { disk, open: RwLock::default() }
    }

    pub(super) fn disk(&self) -> &Disk {
        &self.disk
    }

    pub(super) fn seed(&self, file: u32) -> Seed {
        self.disk.seed(file)
    }

    pub(super) fn put(&self, file: Arc<TapeFile>) {
        insert(&mut self.alone(), file);
    }

    /// Closes a file that is going to be removed.
    pub(super) fn forget(&self, file: u32) {
        self.alone().remove(&file);
    }

    /// The room's record at a place. An error of the kind `InvalidData` is
    /// damage, and `NotFound` says that the file is gone.
    pub(super) fn read(&self, place: Place) -> io::Result<RoomRecord> {
        let open = self.with(place.file)?;
        let file = open.get(&place.file).ok_or(io::ErrorKind::NotFound)?;
        let bytes = read(file, place.offset.into()).map_err(|error| damaged(&self.disk, place, &error.to_string()))?;
        drop(open);
        let seed = self.seed(place.file);
        record(&bytes, &seed).ok_or_else(|| damaged(&self.disk, place, "it is not what was written"))
    }

    /// Puts bytes in the place of others. They are on disk after `sync`.
    pub(super) fn overwrite(&self, place: Place, bytes: &[u8]) -> io::Result<()> {
        let file = self.file(place.file)?;
        let _alone = self.alone();
        file.write_at(bytes, place.offset.into())
    }

    pub(super) fn sync(&self, file: u32) -> io::Result<()> {
        self.file(file)?.sync()
    }

    fn file(&self, number: u32) -> io::Result<Arc<TapeFile>> {
        self.with(number)?.get(&number).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// The lock, and behind it at least the file of that number.
    fn with(&self, number: u32) -> io::Result<RwLockReadGuard<'_, Open>> {
        let open = self.open.read().unwrap_or_else(PoisonError::into_inner);
        if open.contains_key(&number) {
            return Ok(open);
        }
        drop(open);
        let file = Arc::new(self.disk.open(number)?);
        let mut open = self.alone();
        insert(&mut open, file);
        Ok(RwLockWriteGuard::downgrade(open))
    }

    fn alone(&self) -> RwLockWriteGuard<'_, Open> {
        self.open.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// With too many open, the oldest file is closed: it is needed least.
fn insert(open: &mut Open, file: Arc<TapeFile>) {
    if open.len() >= OPEN_FILES {
        open.pop_first();
    }
    open.insert(file.number, file);
}

fn read(file: &TapeFile, at: u64) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; USUAL];
    let there = file.read_at(&mut bytes, at)?;
    bytes.truncate(there);
    if let Some(head) = RoomHead::decode(&bytes) {
        let (there, length) = (bytes.len(), RoomHead::LEN + SUM_LEN + head.length as usize);
        bytes.resize(length.min(FRAME_MAX), 0);
        if there < bytes.len() {
            let more = file.read_at(&mut bytes[there..], at + there as u64)?;
            bytes.truncate(there + more);
        }
    }
    Ok(bytes)
}

fn record(bytes: &[u8], seed: &Seed) -> Option<RoomRecord> {
    let mut fields = Fields(bytes);
    let head = RoomHead::decode(fields.bytes(RoomHead::LEN)?)?;
    let sum = fields.u32()?;
    let body = fields.bytes(head.length as usize)?;
    let is_whole = seed.sum(&[&bytes[..RoomHead::LEN], body]) == sum;
    is_whole.then(|| RoomRecord { head, body: body.to_vec() })
}

fn damaged(disk: &Disk, place: Place, why: &str) -> io::Error {
    let (path, at) = (disk.path(place.file), place.offset);
    let why = format!("{}, byte {at}: what happened in a room can't be read ({why})", path.display());
    io::Error::new(io::ErrorKind::InvalidData, why)
}
