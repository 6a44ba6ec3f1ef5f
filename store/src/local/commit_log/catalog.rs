//! What the commit log has now.

use super::Place;
use super::format::{Footer, Head};
use super::frame::RoomHead;
use super::frames::Listed;

/// What is on disk. It changes only when a frame is on disk.
pub(super) struct Catalog {
    pub(super) files: Vec<Listed>,
    /// The state after the last whole commit.
    pub(super) now: Footer,
}

impl Catalog {
    /// The head of a room after a record.
    pub(super) fn head_after(&self, was: Option<Head>, record: &RoomHead, at: Place) -> Head {
        let first_file = match (was, record.before()) {
            (Some(head), _) => head.first_file,
            (None, None) => at.file,
            // The records before can't be read, and may be in any file, also in one that
            // is missing.
            (None, Some(before)) => self.files.first().map_or(at.file, |file| file.number.min(before.file)),
        };
        Head { last: at, seq: record.last(), first_file }
    }
}
