//! Putting bodies in the place of others.
//!
//! A redaction's frame is on disk before its target is touched, so that a
//! target that was half overwritten when the power went is overwritten again.
//! Its own body still has words that may be taken back later, so it is wiped:
//! but not before another frame is on disk. In the last frame a body that is
//! not whole means that nobody was ever told of that frame.

use std::collections::BTreeSet;
use std::io;

use super::Place;
use super::open_files::OpenFiles;
use super::record::{RedactHead, RoomHead};

/// A redaction that is on disk. It is to be done, or its own body is to be
/// wiped.
pub(super) struct Redaction {
    /// The record of the redaction itself.
    at: Place,
    /// The room's record that gets the body.
    pub(super) target: Place,
    /// The checksum that the target has then, and the body.
    sealed: Vec<u8>,
}

impl Redaction {
    pub(super) fn new(at: Place, head: &RedactHead, body: &[u8]) -> Self {
        Self { at, target: head.target, sealed: [&head.sum.to_le_bytes(), body].concat() }
    }
}

/// Does some redactions, and wipes the bodies of others that are done. The
/// frames that these are in must not be the last.
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
