//! The file that frames are appended to.

use std::io;
use std::sync::Arc;

use super::disk::{Disk, TapeFile};
use super::header::{HEADER_LEN, Header, VERSION};

/// By how much a file grows. The sync of a frame that stays within its file
/// has no new length to write down.
const STEP: usize = 256 * 1024;
/// What a file takes before the next one is begun.
const FULL: usize = 64 * 1024 * 1024;

/// The newest file of the tape. Behind its last frame there are zeros.
pub(super) struct Growing {
    pub(super) file: Arc<TapeFile>,
    /// Where the next frame will stand.
    pub(super) end: usize,
    length: usize,
    pub(super) hour: u64,
}

impl Growing {
    /// Begins a file. When this fails, none is left.
    pub(super) fn begin(disk: &Disk, number: u32, first_group: u64, checkpoint: u64, hour: u64) -> io::Result<Self> {
        let header = Header { version: VERSION, number, folder: *disk.id(), first_group, checkpoint };
        let begin = || {
            let file = disk.create(number)?;
            // Alone, before there is a frame: so a bad header in a file that
            // is longer is damage, and in one that is not, nothing is missing.
            file.write_at(&header.encode(), 0)?;
            file.sync()?;
            disk.sync()?;
            Ok(Self { file: Arc::new(file), end: HEADER_LEN, length: HEADER_LEN, hour })
        };
        begin().inspect_err(|_| drop(disk.remove(number)))
    }

    /// Whether the next frame is for another file.
    pub(super) fn is_over(&self, hour: u64) -> bool {
        self.end >= FULL || (hour != self.hour && self.end > HEADER_LEN)
    }

    /// Makes sure that so many bytes fit. A full disk is met here, before
    /// anything of a frame is written, and nobody has to stop for it.
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

    /// Writes a frame and waits until it is on disk. There must be room for
    /// it. After an error nobody knows what is there.
    pub(super) fn append(&mut self, frame: &[u8]) -> io::Result<()> {
        self.file.write_at(frame, self.end)?;
        self.end += frame.len();
        self.file.sync()
    }
}
