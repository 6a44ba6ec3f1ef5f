//! Overwriting the bodies of rooms' records.
//!
//! A redaction is on disk before its target is overwritten. So if the power goes in
//! the middle, the next start overwrites the target again. The redaction's own body
//! may have words that are taken back later, so it is wiped (overwritten with
//! zeros): but only after another frame is on disk, since a body in the last frame
//! that is not whole means that this frame was never acknowledged.

use std::collections::BTreeSet;
use std::io;

use super::Place;
use super::frame::{RedactHead, RoomHead};
use super::reader::OpenFiles;

/// A redaction that is on disk, and that is to be done or to be wiped.
pub(super) struct Redaction {
    /// The place of the redaction's own record.
    at: Place,
    /// The room's record that gets the body.
    pub(super) target: Place,
    /// The new checksum of the target, and the new body.
    sealed: Vec<u8>,
}

impl Redaction {
    pub(super) fn new(at: Place, head: &RedactHead, body: &[u8]) -> Self {
        Self { at, target: head.target, sealed: [&head.sum.to_le_bytes(), body].concat() }
    }
}

/// Does `redactions`, and wipes the bodies of those in `done`, which must not be in
/// the last frame.
pub(super) fn overwrite(open_files: &OpenFiles, redactions: &[Redaction], done: &[Redaction]) -> io::Result<()> {
    let mut touched = BTreeSet::new();
    for Redaction { target, sealed, .. } in redactions {
        open_files.overwrite(target.behind(RoomHead::LEN)?, sealed)?;
        touched.insert(target.file);
    }
    for Redaction { at, sealed, .. } in done {
        open_files.overwrite(at.behind(RedactHead::LEN)?, &vec![0; sealed.len()])?;
        touched.insert(at.file);
    }
    touched.into_iter().try_for_each(|file| open_files.sync(file))
}
