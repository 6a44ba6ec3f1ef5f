//! Reads rooms and changes, also while another thread commits: many threads read the open
//! files while one overwrites.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind};
use std::sync::Arc;

use parking_lot::{Mutex, RwLock};

#[cfg(test)]
use super::disk::Call;
use super::disk::{Disk, LogFile};
use super::format::{HEADER_LEN, Head};
use super::frame::{FRAME_MAX, LogRecord, RoomHead};
use super::frames::{Replayed, Whole, replay, search};
use super::listing::Catalog;
use super::{Place, RoomKey};

/// The events that a commit has appended to a room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RoomRecord {
    pub(crate) head: RoomHead,
    /// The sealed events.
    pub(crate) body: Vec<u8>,
}

/// Reads the commit log, from any thread.
#[derive(Clone)]
pub(crate) struct Reader {
    pub(super) open_files: Arc<OpenFiles>,
    pub(super) catalog: Arc<RwLock<Catalog>>,
}

impl Reader {
    pub(super) fn new(open_files: OpenFiles, catalog: Catalog) -> Self {
        Self { open_files: Arc::new(open_files), catalog: Arc::new(RwLock::new(catalog)) }
    }

    /// Calls `happens` before the sync of each frame.
    #[cfg(test)]
    pub(crate) fn before_sync(&self, mut happens: impl FnMut() -> io::Result<()> + Send + 'static) {
        let watch = move |call: Call<'_>| if matches!(call, Call::Sync(_)) { happens() } else { Ok(()) };
        self.open_files.disk.watch(Some(Box::new(watch)));
    }

    /// Where a room's log ends.
    pub(crate) fn head(&self, room: &RoomKey) -> Option<Head> {
        self.catalog.read().now.heads.get(room).copied()
    }

    /// Every room that is not over.
    pub(crate) fn rooms(&self) -> Vec<RoomKey> {
        self.catalog.read().now.heads.keys().copied().collect()
    }

    /// The record at a place. Errors: `InvalidData` if it is damaged, `NotFound` if
    /// its file was removed, because all its rooms are over.
    pub(crate) fn read(&self, place: Place) -> io::Result<RoomRecord> {
        self.open_files.read(place)
    }

    /// A room's records, the newest first.
    pub(crate) fn chain(&self, room: &RoomKey) -> Chain {
        let (next, end) = match self.head(room) {
            Some(head) => (Some(head.last), head.seq.saturating_add(1)),
            None => (None, 0),
        };
        Chain { reader: self.clone(), room: *room, next, end, is_behind_gap: false }
    }

    /// The changes of the index after a commit.
    pub(crate) fn replay(&self, after: u64) -> impl Iterator<Item = io::Result<Replayed>> + use<> {
        let catalog = self.catalog.read();
        replay(&self.open_files.disk, &catalog, after)
    }

    /// The size of all files together.
    pub(crate) fn bytes(&self) -> u64 {
        let numbers: Vec<_> = self.catalog.read().files.iter().map(|file| file.number).collect();
        let size = |&number: &u32| fs::metadata(self.open_files.disk.path(number)).map_or(0, |metadata| metadata.len());
        numbers.iter().map(size).sum()
    }

    /// Searches the files for the room's last record before a place.
    fn find_before(&self, room: &RoomKey, place: Place) -> io::Result<Option<Place>> {
        let files: Vec<_> = self.catalog.read().files.iter().map(|file| file.number).collect();
        for number in files.into_iter().rev().filter(|&number| number <= place.file) {
            let file = self.open_files.disk.open(number)?;
            if number < place.file
                && let Some(footer) = file.trailer()?.and_then(|trailer| file.footer(trailer))
            {
                let last = footer.heads.get(room).map(|head| head.last);
                // A footer that is wrong could lead back here, and the chain would have no end.
                if last.is_none_or(|last| last < place) {
                    return Ok(last);
                }
            }
            let (bytes, seed) = (Arc::new(file.read_all()?), file.seed());
            // Behind its last record may be a copy of an earlier one.
            let (mut at, mut last) = (HEADER_LEN, None);
            while let Some((_, Whole::Frame(frame))) = search(&bytes, at, &seed) {
                at = frame.end();
                for (offset, record) in frame.records() {
                    let (LogRecord::Room(head, _), found) = (record, Place { file: number, offset }) else { continue };
                    if head.room == *room && found < place && last.is_none_or(|(seq, _)| seq < head.last()) {
                        last = Some((head.last(), found));
                    }
                }
            }
            if let Some((_, found)) = last {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }
}

/// Goes back through a room's records.
pub(crate) struct Chain {
    reader: Reader,
    room: RoomKey,
    /// The place of the record to come.
    next: Option<Place>,
    /// The seq after the record to come; behind a gap, some seq after it.
    end: u64,
    is_behind_gap: bool,
}

impl Chain {
    /// Whether a record is the one to come.
    fn is_next(&self, head: &RoomHead) -> bool {
        let last = head.last();
        head.room == self.room && last < self.end && (self.is_behind_gap || last + 1 == self.end)
    }

    fn step(&mut self, at: Place) -> io::Result<ChainLink> {
        let why = match self.reader.read(at) {
            Ok(record) if self.is_next(&record.head) => {
                self.end = record.head.first;
                self.next = record.head.before();
                self.is_behind_gap = false;
                return Ok(ChainLink::Record(at, record));
            }
            Ok(_) => "another record stands here".to_owned(),
            Err(error) if error.kind() == ErrorKind::InvalidData => error.to_string(),
            Err(error) => return Err(error),
        };
        self.next = self.reader.find_before(&self.room, at)?;
        self.is_behind_gap = true;
        Ok(ChainLink::Gap(at, why))
    }
}

impl Iterator for Chain {
    type Item = io::Result<ChainLink>;

    fn next(&mut self) -> Option<io::Result<ChainLink>> {
        let at = self.next.take()?;
        Some(self.step(at))
    }
}

/// One step back through a room's records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ChainLink {
    Record(Place, RoomRecord),
    /// The record here can't be read, and why. Earlier records follow.
    Gap(Place, String),
}

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
        let mut open = self.open.lock();
        if open.len() >= OPEN_FILES {
            open.pop_first();
        }
        open.insert(file.number, file);
    }

    /// Closes a file that is going to be removed.
    pub(super) fn forget(&self, file: u32) {
        self.open.lock().remove(&file);
    }

    pub(super) fn read(&self, place: Place) -> io::Result<RoomRecord> {
        let file = self.file(place.file)?;
        let reading = self.overwriting.read();
        let bytes = read(&file, place.offset as usize).map_err(|error| damaged(&file, place, &error.to_string()))?;
        drop(reading);
        match LogRecord::take(&mut bytes.as_slice()) {
            Some((LogRecord::Room(head, body), _)) if body.is_whole(&file.seed()) => {
                Ok(RoomRecord { head, body: body.bytes.to_vec() })
            }
            _ => Err(damaged(&file, place, "it is not what was written")),
        }
    }

    /// Overwrites the bytes at a place that are there: damage may have taken the file, or its end. They are on disk
    /// after `sync`. Returns whether there were any.
    pub(super) fn overwrite(&self, place: Place, bytes: &[u8]) -> io::Result<bool> {
        let file = match self.file(place.file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            file => file?,
        };
        let _alone = self.overwriting.write();
        let there = file.len()?.saturating_sub(place.offset as usize).min(bytes.len());
        file.write_at(&bytes[..there], place.offset as usize)?;
        Ok(there > 0)
    }

    pub(super) fn sync(&self, file: u32) -> io::Result<()> {
        self.file(file)?.sync()
    }

    fn file(&self, number: u32) -> io::Result<Arc<LogFile>> {
        if let Some(file) = self.open.lock().get(&number) {
            return Ok(file.clone());
        }
        let file = Arc::new(self.disk.open(number)?);
        self.put(file.clone());
        Ok(file)
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
