//! The newest file, to which frames are appended.

use std::io::{self, ErrorKind};
use std::sync::Arc;

use super::disk::{Disk, LogFile};
use super::format::{HEADER_LEN, Header};

/// A file grows by this many bytes. As long as frames stay within its length, a
/// sync need not write a new length.
const STEP: usize = 256 * 1024;
/// When a file has this many bytes, the next one is begun.
pub(super) const FULL: usize = 64 * 1024 * 1024;

/// The newest file. After its last frame it has zeros.
pub(super) struct Growing {
    pub(super) file: Arc<LogFile>,
    /// Where the next frame begins.
    pub(super) end: usize,
    length: usize,
    pub(super) hour: u64,
    /// Whether all its frames are on disk.
    pub(super) is_synced: bool,
}

impl Growing {
    /// Makes a file, and notes that the files from `oldest` on are there. If this fails,
    /// the file is removed. If even that fails, a start may find the file, so no frame may
    /// follow in the file before it: then the error is not that the disk is full.
    pub(super) fn begin(disk: &Disk, header: Header, oldest: u32, hour: u64) -> io::Result<Self> {
        let number = header.number;
        let begin = || {
            let file = disk.create(number)?;
            // The header is on disk before there is a frame. So if a longer file
            // has a bad header, it is damaged; in a shorter one nothing is missing.
            file.write_at(&header.encode(), 0)?;
            file.sync()?;
            disk.sync()?;
            disk.note(oldest, number)?;
            Ok(Self { file: Arc::new(file), end: HEADER_LEN, length: HEADER_LEN, hour, is_synced: true })
        };
        begin().map_err(|error| match disk.remove(number).and_then(|()| disk.sync()) {
            Err(left) if left.kind() != ErrorKind::NotFound => io::Error::other(left),
            _ => error,
        })
    }

    /// Whether the next frame goes to another file.
    pub(super) fn is_over(&self, hour: u64) -> bool {
        self.end >= FULL || (hour != self.hour && self.end > HEADER_LEN)
    }

    /// Makes space for `length` bytes. If the disk is full, this fails before any of
    /// the frame is written, and the commit log can go on.
    pub(super) fn reserve(&mut self, length: usize) -> io::Result<()> {
        let needed = self.end + length;
        if needed <= self.length {
            return Ok(());
        }
        let grown = needed.next_multiple_of(STEP);
        let zeros = vec![0; STEP];
        let mut steps = (self.length..grown).step_by(STEP);
        let grow = steps.try_for_each(|at| self.file.write_at(&zeros[..STEP.min(grown - at)], at));
        if let Err(error) = grow {
            self.file.resize(self.length)?;
            return Err(error);
        }
        self.length = grown;
        Ok(())
    }

    /// Writes a frame, for which there is space, and syncs it. After an error nobody
    /// knows what is on disk.
    pub(super) fn append(&mut self, frame: &[u8]) -> io::Result<()> {
        self.is_synced = false;
        self.file.write_at(frame, self.end)?;
        self.end += frame.len();
        self.file.sync()?;
        self.is_synced = true;
        Ok(())
    }
}
