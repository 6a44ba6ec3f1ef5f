//! What can be wrong with a tape, in sentences.

use std::fmt;
use std::io;
use std::ops::Range;
use std::path::PathBuf;

use super::RoomKey;

/// Why a tape is not opened. What to do about it is for the caller to add.
#[derive(Debug, thiserror::Error)]
#[error("{}: {why}", path.display())]
pub(crate) struct Refusal {
    /// The file, or the tape's folder.
    pub(crate) path: PathBuf,
    pub(crate) why: Why,
}

/// What is wrong with a file as a whole.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Why {
    #[error("the file is missing, though the files before and after it are there")]
    Missing,
    #[error("this is no name of a file of the tape: somebody renamed or copied it")]
    OddName,
    #[error("the file says that it is number {0}: somebody renamed or copied it")]
    Renamed(u32),
    #[error("the file belongs to another data folder")]
    Foreign,
    #[error("the file was written by a newer annon (version {0})")]
    Newer(u32),
    #[error(
        "the file begins with commit {begins}, and the file before it goes to commit {before}: one of the two \
             is another copy"
    )]
    OutOfOrder { begins: u64, before: u64 },
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// A part of the tape that can't be read. Everything else can.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Damage {
    pub(crate) path: PathBuf,
    /// The bytes of the file.
    pub(crate) at: Range<u64>,
    pub(crate) what: Damaged,
    /// Groups that are missing by it.
    pub(crate) groups: Range<u64>,
    /// Rooms that something is missing of, as far as that can be told.
    pub(crate) rooms: Vec<RoomKey>,
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
