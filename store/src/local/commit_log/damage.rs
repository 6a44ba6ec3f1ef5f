//! Damage of the commit log, in sentences.

use std::fmt;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::RoomKey;
use super::disk::Disk;

/// The reason for refusing a commit log: what is wrong at this path. The caller adds
/// what somebody can do. The kind is `Unsupported` if a newer annon has written it.
pub(super) fn refuse(path: &Path, why: io::Error) -> io::Error {
    io::Error::new(why.kind(), format!("{}: {why}", path.display()))
}

/// A part of the commit log that can't be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Damage {
    pub(crate) path: PathBuf,
    /// The bytes of the file that are damaged.
    pub(crate) at: Range<usize>,
    pub(crate) what: Damaged,
    /// Commits that are missing because of it.
    pub(crate) commits: Range<u64>,
    /// Rooms with missing records, as far as they are known.
    pub(crate) rooms: Vec<RoomKey>,
}

impl Damage {
    /// Damage because of which no commit and no record is known to be missing.
    pub(super) fn new(path: PathBuf, at: Range<usize>, what: Damaged) -> Self {
        Self { path, at, what, commits: 0..0, rooms: Vec::new() }
    }

    /// The files from `first` to `last` are missing.
    pub(super) fn gone(disk: &Disk, first: u32, last: u32, commits: Range<u64>) -> Self {
        let mut path = disk.path(first);
        if first < last {
            path = format!("{} to {}", path.display(), disk.path(last).display()).into();
        }
        Self { commits, ..Self::new(path, 0..0, Damaged::Gone) }
    }
}

/// Which part is damaged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Damaged {
    Header,
    Footer,
    Frames,
    /// A whole frame that does not belong where it stands.
    Stray,
    Body,
    TornEnd,
    /// Files that are missing.
    Gone,
    /// The note of which files there are.
    Note,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Range { start, end } = self.at;
        write!(f, "{}", self.path.display())?;
        if !matches!(self.what, Damaged::Gone | Damaged::Note) {
            write!(f, ", bytes {start} to {end}")?;
        }
        f.write_str(": ")?;
        f.write_str(match self.what {
            Damaged::Gone => "missing",
            Damaged::Note => "this can't be read, so it is not known whether a file is missing",
            Damaged::Header => "the beginning of the file is damaged, but nothing is missing",
            Damaged::Footer => "the end of the file is damaged or was cut off",
            Damaged::Frames => "this can't be read",
            Damaged::Stray => "this does not belong here, and is left out",
            Damaged::Body => "what happened in a room can't be read",
            Damaged::TornEnd => {
                "the end is not whole: it was being written when the power went, and no caller was told of it, or \
                 the disk has lost it"
            }
        })?;
        match self.commits.end.saturating_sub(self.commits.start) {
            0 => {}
            1 => write!(f, "; commit {} is missing", self.commits.start)?,
            _ => write!(f, "; commits {} to {} are missing", self.commits.start, self.commits.end - 1)?,
        }
        match self.rooms.len() {
            0 => Ok(()),
            1 => f.write_str("; a room has a gap"),
            rooms => write!(f, "; {rooms} rooms have a gap"),
        }
    }
}
