//! The commit log: the log to which this machine only ever appends. It is the truth
//! about what is kept.
//!
//! The commit log is a folder of files (`format`). A file has frames (`frame`), and
//! a frame has records (`frame`). One thread commits: all changes that wait
//! become one frame, with one write and one sync. The logs of rooms are here alone,
//! each a chain of records (`reader`). Changes of the index are replayed from here
//! (`frames`). The commit log knows no noun, no key and no clock. `docs/DATA_FILES.md` has
//! every byte.
//!
//! A frame is written only when the frame before it is on disk. So a frame at the
//! very end that is not whole was never acknowledged. A frame that is not whole, but
//! has a whole frame behind it, is damaged (`frames`, `opening`).

use std::io::{self, ErrorKind};

use serde::{Deserialize, Serialize};

mod damage;
mod disk;
mod draft;
mod format;
mod frame;
mod frames;
mod listing;
mod opening;
mod reader;
#[cfg(test)]
mod tests;

use disk::Growing;
use draft::{Draft, Redaction, overwrite};
use format::{Footer, Header};
pub(crate) use frame::RoomHead;
use frames::Listed;
pub(crate) use frames::Replayed;
pub(crate) use opening::{Doubt, Found};
pub(crate) use reader::{ChainLink, Reader, RoomRecord};

/// A room, as the commit log knows it.
pub(crate) type RoomKey = [u8; 16];
/// The sum of the index after a commit, as bytes.
pub(crate) type SumBytes = [u8; 16];

/// The place of a record. The commit log has these fields in this order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) struct Place {
    pub(crate) file: u32,
    pub(crate) offset: u32,
}

impl Place {
    /// The place that is `bytes` bytes behind this one.
    fn behind(self, bytes: usize) -> io::Result<Self> {
        let offset = u32::try_from(bytes).ok().and_then(|bytes| self.offset.checked_add(bytes));
        Ok(Self { offset: offset.ok_or(ErrorKind::FileTooLarge)?, ..self })
    }
}

/// One change. A frame is made of these.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Change {
    /// The next events of a room, sealed.
    Room { room: RoomKey, first: u64, count: u32, body: Vec<u8> },
    /// A key of the index gets a value, or is removed.
    State { key: Vec<u8>, value: Option<Vec<u8>> },
    /// The record at a place gets another body of the same length.
    Redact { place: Place, body: Vec<u8> },
    /// A room is over, and its records are not needed any more.
    Ended { room: RoomKey },
}

/// A frame that is on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Committed {
    pub(crate) commit: u64,
    /// The places of the rooms' records, in the order of the changes.
    pub(crate) places: Vec<Place>,
}

/// Why nothing was committed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CommitError {
    /// Nothing was written, and the commit log goes on.
    #[error("the commit log can't take this: {0}")]
    Refused(io::Error),
    /// Nobody knows what is on disk, and nothing more is written.
    #[error("the commit log has stopped: {0}")]
    Dead(io::Error),
}

/// The commit log, for the one thread that writes.
pub(crate) struct CommitLog {
    reader: Reader,
    growing: Growing,
    /// The oldest file that is needed. If it is missing, a start has said so.
    oldest: u32,
    /// Redactions that are done, and whose own bodies are not wiped yet.
    done: Vec<Redaction>,
    checkpoint: u64,
    is_dead: bool,
}

#[cfg(test)]
thread_local! {
    /// Whether no frame counts as synced, as after a bug.
    pub(crate) static FORGETS_SYNCS: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

impl CommitLog {
    pub(crate) fn last_commit(&self) -> u64 {
        self.reader.catalog.read().now.commit
    }

    pub(crate) fn is_synced(&self) -> bool {
        #[cfg(test)]
        if FORGETS_SYNCS.get() {
            return false;
        }
        self.growing.is_synced
    }

    pub(crate) fn reader(&self) -> Reader {
        self.reader.clone()
    }

    /// Notes that the index is on disk up to a commit.
    pub(crate) fn checkpoint(&mut self, commit: u64) {
        self.checkpoint = self.checkpoint.max(commit);
    }

    /// Makes changes durable, all of them or none. `sum` is that of the index
    /// after them. With another `hour` than before, a new file begins.
    pub(crate) fn commit(
        &mut self,
        changes: Vec<Change>,
        index_sum: SumBytes,
        hour: u64,
    ) -> Result<Committed, CommitError> {
        if self.is_dead {
            return Err(CommitError::Dead(io::Error::other("a write has failed before")));
        }
        let committed = self.try_commit(changes, index_sum, hour);
        self.is_dead = matches!(committed, Err(CommitError::Dead(_)));
        committed
    }

    fn try_commit(&mut self, changes: Vec<Change>, index_sum: SumBytes, hour: u64) -> Result<Committed, CommitError> {
        if self.growing.is_over(hour) {
            let rolled = self.roll(hour);
            rolled.or_else(|error| if is_full(&error) { Ok(()) } else { Err(CommitError::Dead(error)) })?;
        }
        let commit = self.last_commit() + 1;
        let Draft { frame, heads, places, redactions, .. } =
            Draft::new(self, changes, commit, index_sum).map_err(CommitError::Refused)?;
        self.growing.reserve(frame.len()).map_err(|error| match is_full(&error) {
            true => CommitError::Refused(error),
            false => CommitError::Dead(error),
        })?;
        self.growing.append(&frame).map_err(CommitError::Dead)?;
        if !invariant!(self.is_synced(), "a frame is on disk before it counts, and before it overwrites anything") {
            return Err(CommitError::Dead(io::Error::other("a frame is not on disk")));
        }
        overwrite(&self.reader.open_files, &redactions, &self.done).map_err(CommitError::Dead)?;
        self.done = redactions;
        let now = &mut self.reader.catalog.write().now;
        for (room, head) in heads {
            if let Some(head) = head {
                now.heads.insert(room, head);
            } else {
                now.heads.remove(&room);
            }
        }
        invariant!(commit == now.commit + 1, "commits have no gap");
        (now.commit, now.index_sum) = (commit, index_sum);
        Ok(Committed { commit, places })
    }

    /// Begins the next file and closes this one. When the disk is full, this
    /// one goes on.
    fn roll(&mut self, hour: u64) -> io::Result<()> {
        let footer = self.footer();
        let (open_files, first_commit) = (&self.reader.open_files, footer.commit + 1);
        self.growing.reserve(footer.encoded_len())?;
        let number = self.growing.file.number.checked_add(1).ok_or(ErrorKind::FileTooLarge)?;
        let header = Header::new(&open_files.disk, number, first_commit, self.checkpoint);
        let next = Growing::begin(&open_files.disk, header, self.oldest, hour)?;
        // The last frame of this file is not the last of the commit log any more, so
        // bodies in it can be wiped.
        let is_closed =
            overwrite(open_files, &[], &self.done).and_then(|()| self.growing.file.close(self.growing.end, &footer));
        is_closed.map_err(io::Error::other)?;
        self.done.clear();
        open_files.put(next.file.clone());
        self.reader.catalog.write().files.push(Listed { number, first_commit: Some(first_commit) });
        self.growing = next;
        Ok(())
    }

    fn footer(&self) -> Footer {
        self.reader.catalog.read().now.clone()
    }

    /// Removes the oldest files that have no commit later than `through` and that
    /// no living room needs. Returns how many were removed.
    pub(crate) fn retire(&mut self, through: u64) -> io::Result<usize> {
        let mut removed = 0;
        while let Some(number) = self.removable(through) {
            let is_over = self.reader.catalog.read().now.heads.values().all(|head| head.last.file > number);
            invariant!(is_over, "no file is removed that has a record of a living room");
            // The note comes first: what it names is there, or is missing.
            self.oldest = number + 1;
            self.reader.open_files.disk.note(self.oldest, self.growing.file.number)?;
            self.reader.open_files.forget(number);
            self.reader.open_files.disk.remove(number)?;
            // Each removal is synced, so that a power cut leaves no gap between
            // files.
            self.reader.open_files.disk.sync()?;
            self.reader.catalog.write().files.remove(0);
            removed += 1;
        }
        Ok(removed)
    }

    /// The oldest file, if nobody needs it.
    fn removable(&self, through: u64) -> Option<u32> {
        let catalog = self.reader.catalog.read();
        let [oldest, next, ..] = catalog.files[..] else { return None };
        let is_over = next.first_commit.is_some_and(|first| first <= through.saturating_add(1));
        let is_needed = catalog.now.heads.values().any(|head| head.first_file <= oldest.number);
        (is_over && !is_needed).then_some(oldest.number)
    }

    /// Closes the newest file, so that the next start need not read its frames.
    pub(crate) fn close(mut self) -> io::Result<()> {
        if self.is_dead {
            return Ok(());
        }
        if !self.done.is_empty() {
            // Bodies in the last frame can't be wiped, so an empty frame is added.
            let index_sum = self.reader.catalog.read().now.index_sum;
            self.commit(Vec::new(), index_sum, self.growing.hour).map_err(io::Error::other)?;
        }
        let footer = self.footer();
        self.growing.reserve(footer.encoded_len())?;
        self.growing.file.close(self.growing.end, &footer)
    }
}

/// Whether the disk is full. Then the write is refused, and the commit log goes on.
fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded)
}
