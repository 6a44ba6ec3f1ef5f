//! The open files. Many threads read them while one overwrites.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use super::disk::{Disk, LogFile};
use super::frame::{FRAME_MAX, LogRecord, RoomHead};
use super::{Place, RoomRecord};

/// How many files are kept open.
const OPEN_FILES: usize = 64;
/// How much of a record is read first. Most records are shorter.
const USUAL: usize = 1024;
/// The checksum between the head of a record and its body.
const SUM_LEN: usize = 4;

/// The open files.
pub(super) struct OpenFiles {
    pub(super) disk: Disk,
    open: Mutex<BTreeMap<u32, Arc<LogFile>>>,
    /// Readers share this lock, and an overwriter has it alone: so nobody reads a
    /// body that is half overwritten.
    overwriting: RwLock<()>,
}

impl OpenFiles {
    pub(super) fn new(disk: Disk) -> Self {
        Self { disk, open: Mutex::default(), overwriting: RwLock::default() }
    }

    /// Keeps a file open. If there are too many, the oldest is closed, which is
    /// needed least.
    pub(super) fn put(&self, file: Arc<LogFile>) {
        let mut open = self.open();
        if open.len() >= OPEN_FILES {
            open.pop_first();
        }
        open.insert(file.number, file);
    }

    /// Closes a file that is going to be removed.
    pub(super) fn forget(&self, file: u32) {
        self.open().remove(&file);
    }

    /// The room's record at a place. Errors: `InvalidData` if it is damaged,
    /// `NotFound` if the file was removed.
    pub(super) fn read(&self, place: Place) -> io::Result<RoomRecord> {
        let file = self.file(place.file)?;
        let reading = self.overwriting.read().unwrap_or_else(PoisonError::into_inner);
        let bytes = read(&file, place.offset as usize).map_err(|error| damaged(&file, place, &error.to_string()))?;
        drop(reading);
        match LogRecord::take(&mut bytes.as_slice()) {
            Some((LogRecord::Room(head, body), _)) if body.is_whole(&file.seed()) => {
                Ok(RoomRecord { head, body: body.bytes.to_vec() })
            }
            _ => Err(damaged(&file, place, "it is not what was written")),
        }
    }

    /// Overwrites bytes at a place. They are on disk after `sync`.
    pub(super) fn overwrite(&self, place: Place, bytes: &[u8]) -> io::Result<()> {
        let file = self.file(place.file)?;
        let _alone = self.overwriting.write().unwrap_or_else(PoisonError::into_inner);
        file.write_at(bytes, place.offset as usize)
    }

    pub(super) fn sync(&self, file: u32) -> io::Result<()> {
        self.file(file)?.sync()
    }

    fn file(&self, number: u32) -> io::Result<Arc<LogFile>> {
        if let Some(file) = self.open().get(&number) {
            return Ok(file.clone());
        }
        let file = Arc::new(self.disk.open(number)?);
        self.put(file.clone());
        Ok(file)
    }

    fn open(&self) -> MutexGuard<'_, BTreeMap<u32, Arc<LogFile>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The bytes of a record, or fewer if the file ends before.
fn read(file: &LogFile, at: usize) -> io::Result<Vec<u8>> {
    let mut bytes = file.read(at, USUAL)?;
    if let Some(head) = RoomHead::decode(&bytes) {
        let length = (RoomHead::LEN + SUM_LEN + head.length as usize).min(FRAME_MAX);
        let (there, more) = (bytes.len(), length.saturating_sub(bytes.len()));
        bytes.extend(file.read(at + there, more)?);
    }
    Ok(bytes)
}

fn damaged(file: &LogFile, place: Place, why: &str) -> io::Error {
    let (path, at) = (file.path(), place.offset);
    let why = format!("{}, byte {at}: what happened in a room can't be read ({why})", path.display());
    io::Error::new(io::ErrorKind::InvalidData, why)
}
