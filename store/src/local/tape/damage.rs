//! What can be wrong with a tape, in sentences.

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::RoomKey;

/// Why a tape is not opened: what is wrong with a file, or with the tape's
/// folder. What to do about it is for the caller to add.
pub(super) fn refuse(path: &Path, why: impl fmt::Display) -> String {
    format!("{}: {why}", path.display())
}

/// A part of the tape that can't be read. Everything else can.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Damage {
    pub(crate) path: PathBuf,
    /// The bytes of the file.
    pub(crate) at: Range<usize>,
    pub(crate) what: Damaged,
    /// Groups that are missing by it.
    pub(crate) groups: Range<u64>,
    /// Rooms that something is missing of, as far as that can be told.
    pub(crate) rooms: Vec<RoomKey>,
}

impl Damage {
    /// Damage by which no group and no room is missing, as far as is known.
    pub(super) fn new(path: PathBuf, at: Range<usize>, what: Damaged) -> Self {
        Self { path, at, what, groups: 0..0, rooms: Vec::new() }
    }
}

/// Which part it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Damaged {
    /// The file's first bytes. Nothing is missing by that.
    Header,
    /// The end of a file that was closed.
    Footer,
    Frames,
    /// A whole frame that does not belong where it stands.
    Stray,
    /// What happened in a room.
    Body,
    /// The end of the newest file, which was being written.
    TornEnd,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Range { start, end } = self.at;
        write!(f, "{}, bytes {start} to {end}: ", self.path.display())?;
        f.write_str(match self.what {
            Damaged::Header => "the beginning of the file is damaged, and nothing is missing by that",
            Damaged::Footer => "the end of the file is damaged or was cut off",
            Damaged::Frames => "this can't be read",
            Damaged::Stray => "this does not belong here, and is passed over",
            Damaged::Body => "what happened in a room can't be read",
            Damaged::TornEnd => {
                "the end is not whole: it was being written when the power went, and nobody was told that it was \
                 there, or else the disk has lost it"
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
