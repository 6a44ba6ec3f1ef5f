//! Reads rooms and changes, also while another thread commits.

use std::fs;
use std::io::{self, ErrorKind};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::catalog::Catalog;
#[cfg(test)]
use super::disk::Call;
use super::format::{HEADER_LEN, Head};
use super::frame::{LogRecord, RoomHead};
use super::frames::{Replayed, Whole, replay, search};
use super::open_files::OpenFiles;
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
    catalog: Arc<RwLock<Catalog>>,
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

    pub(super) fn catalog(&self) -> RwLockReadGuard<'_, Catalog> {
        self.catalog.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn catalog_mut(&self) -> RwLockWriteGuard<'_, Catalog> {
        self.catalog.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Where a room's log ends.
    pub(crate) fn head(&self, room: &RoomKey) -> Option<Head> {
        self.catalog().now.heads.get(room).copied()
    }

    /// Every room that is not over.
    pub(crate) fn rooms(&self) -> Vec<RoomKey> {
        self.catalog().now.heads.keys().copied().collect()
    }

    /// The record at a place. Errors: `InvalidData` if it is damaged, `NotFound` if
    /// its file was removed, because all its rooms are over.
    pub(crate) fn read(&self, place: Place) -> io::Result<RoomRecord> {
        self.open_files.read(place)
    }

    /// A room's records, the newest first.
    pub(crate) fn chain(&self, room: &RoomKey) -> impl Iterator<Item = io::Result<ChainLink>> + use<> {
        let (reader, room) = (self.clone(), *room);
        let head = self.head(&room);
        let mut next = head.map(|head| head.last);
        // The seq after the record to come; behind a gap, some seq after it.
        let (mut end, mut is_behind_gap) = (head.map_or(0, |head| head.seq.saturating_add(1)), false);
        std::iter::from_fn(move || {
            let at = next.take()?;
            let is_next = |last: u64| last < end && (is_behind_gap || last + 1 == end);
            Some(match reader.read(at) {
                Ok(record) if record.head.room == room && is_next(record.head.last()) => {
                    (end, next, is_behind_gap) = (record.head.first, record.head.before(), false);
                    Ok(ChainLink::Record(at, record))
                }
                Err(error) if error.kind() != ErrorKind::InvalidData => Err(error),
                bad => {
                    let why =
                        bad.err().map_or_else(|| "another record stands here".to_owned(), |error| error.to_string());
                    reader.find_before(&room, at).map(|before| {
                        (next, is_behind_gap) = (before, true);
                        ChainLink::Gap(at, why)
                    })
                }
            })
        })
    }

    /// The changes of the index after a commit.
    pub(crate) fn replay(&self, after: u64) -> impl Iterator<Item = io::Result<Replayed>> + use<> {
        let catalog = self.catalog();
        replay(&self.open_files.disk, &catalog, after)
    }

    /// The size of all files together.
    pub(crate) fn bytes(&self) -> u64 {
        let numbers: Vec<_> = self.catalog().files.iter().map(|file| file.number).collect();
        let size = |&number: &u32| fs::metadata(self.open_files.disk.path(number)).map_or(0, |metadata| metadata.len());
        numbers.iter().map(size).sum()
    }

    /// Searches the files for the room's last record before a place.
    fn find_before(&self, room: &RoomKey, place: Place) -> io::Result<Option<Place>> {
        let files: Vec<_> = self.catalog().files.iter().map(|file| file.number).collect();
        for number in files.into_iter().rev().filter(|&number| number <= place.file) {
            let file = self.open_files.disk.open(number)?;
            if number < place.file
                && let Some(footer) = file.trailer()?.and_then(|trailer| file.footer(trailer))
            {
                return Ok(footer.heads.get(room).map(|head| head.last));
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

/// One step back through a room's records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ChainLink {
    Record(Place, RoomRecord),
    /// The record here can't be read, and why. Earlier records follow.
    Gap(Place, String),
}
