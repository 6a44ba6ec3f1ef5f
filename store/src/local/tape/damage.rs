//! Damage of the tape, in sentences.

use std::fmt;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::RoomKey;

/// The reason for refusing a tape: what is wrong at this path. The caller adds
/// what somebody can do. The kind is `Unsupported` if a newer annon has written it.
pub(super) fn refuse(path: &Path, why: io::Error) -> io::Error {
    io::Error::new(why.kind(), format!("{}: {why}", path.display()))
}

/// A part of the tape that can't be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Damage {
    pub(crate) path: PathBuf,
    /// The bytes of the file that are damaged.
    pub(crate) at: Range<usize>,
    pub(crate) what: Damaged,
    /// Groups that are missing because of it.
    pub(crate) groups: Range<u64>,
    /// Rooms with missing records, as far as they are known.
    pub(crate) rooms: Vec<RoomKey>,
}

impl Damage {
    /// Damage because of which no group and no record is known to be missing.
    pub(super) fn new(path: PathBuf, at: Range<usize>, what: Damaged) -> Self {
        Self { path, at, what, groups: 0..0, rooms: Vec::new() }
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
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Range { start, end } = self.at;
        write!(f, "{}, bytes {start} to {end}: ", self.path.display())?;
        f.write_str(match self.what {
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
        match self.groups.end.saturating_sub(self.groups.start) {
            0 => {}
            1 => write!(f, "; commit {} is missing", self.groups.start)?,
            _ => write!(f, "; commits {} to {} are missing", self.groups.start, self.groups.end - 1)?,
        }
        match self.rooms.len() {
            0 => Ok(()),
            1 => f.write_str("; a room has a gap"),
            rooms => write!(f, "; {rooms} rooms have a gap"),
        }
    }
}
