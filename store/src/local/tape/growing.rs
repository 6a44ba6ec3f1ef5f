//! The file that frames are appended to.

use std::io::{self, ErrorKind};
use std::sync::Arc;

use super::disk::{Disk, TapeFile};
use super::frame::ALIGNMENT;
use super::header::{HEADER_LEN, Header};
use super::heads::Footer;

/// By how much a file grows. The sync of a frame that stays within its file
/// has no new length to write down.
const STEP: u64 = 256 * 1024;
/// What a file takes before the next one is begun.
const FULL: u64 = 64 * 1024 * 1024;

/// The newest file of the tape. Behind its last frame there are zeros.
pub(super) struct Growing {
    pub(super) file: Arc<TapeFile>,
    end: u64,
    length: u64,
    hour: u64,
}

impl Growing {
    /// Begins a file. When this fails, none is left.
    pub(super) fn begin(disk: &Disk, number: u32, first_group: u64, checkpoint: u64, hour: u64) -> io::Result<Self> {
        let header = Header { number, folder: *disk.id(), first_group, checkpoint };
        let begin = || {
            let file = disk.create(number)?;
            // Alone, before there is a frame: so a bad header in a file that
            // is longer is damage, and in one that is not, nothing is missing.
            file.write_at(&header.encode(), 0)?;
            file.sync()?;
            disk.sync()?;
            let length = HEADER_LEN as u64;
            Ok(Self { file: Arc::new(file), end: length, length, hour })
        };
        begin().inspect_err(|_| drop(disk.remove(number)))
    }

    /// Where the next frame will stand.
    pub(super) fn end(&self) -> u64 {
        self.end
    }

    pub(super) fn hour(&self) -> u64 {
        self.hour
    }

    /// Whether the next frame is for another file.
    pub(super) fn is_over(&self, hour: u64) -> bool {
        self.end >= FULL || (hour != self.hour && self.end > HEADER_LEN as u64)
    }

    /// Makes sure that so many bytes fit. A full disk is met here, before
    /// anything of a frame is written, and nobody has to stop for it.
    pub(super) fn reserve(&mut self, length: usize) -> io::Result<()> {
        let needed = self.end + length as u64;
        if needed <= self.length {
            return Ok(());
        }
        let grown = needed.next_multiple_of(STEP);
        let zeros = vec![0; STEP as usize];
        let grow = (self.length..grown).step_by(zeros.len()).try_for_each(|at| {
            let length = zeros.len().min(usize::try_from(grown - at).unwrap_or(zeros.len()));
            self.file.write_at(&zeros[..length], at)
        });
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
        self.end += frame.len() as u64;
        self.file.sync()
    }

    /// Ends the file.
    pub(super) fn close(&self, footer: &Footer) -> io::Result<()> {
        close(&self.file, self.end, footer)
    }
}

/// Ends a file whose frames end at `end`: nothing may follow its footer.
pub(super) fn close(file: &TapeFile, end: u64, footer: &Footer) -> io::Result<()> {
    let end = end.next_multiple_of(ALIGNMENT as u64);
    let bytes = footer.encode(end, &file.seed()).ok_or(ErrorKind::FileTooLarge)?;
    file.write_at(&bytes, end)?;
    file.resize(end + bytes.len() as u64)?;
    file.sync()
}
