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

/// A redaction that is to be done.
pub(super) struct Redaction {
    /// The record of the redaction itself.
    pub(super) at: Place,
    /// The room's record that gets the body.
    pub(super) target: Place,
    /// The target's checksum, and its body.
    pub(super) sealed: Vec<u8>,
}

impl Redaction {
    pub(super) fn new(at: Place, head: &RedactHead, body: &[u8]) -> Self {
        Self { at, target: head.target, sealed: [&head.sum.to_le_bytes(), body].concat() }
    }

    pub(super) fn wipe(&self) -> Wipe {
        Wipe { at: self.at, length: self.sealed.len() }
    }
}

/// The body of a redaction that is done.
pub(super) struct Wipe {
    pub(super) at: Place,
    /// With its checksum.
    pub(super) length: usize,
}

/// Bodies that wait to be wiped.
#[derive(Default)]
pub(super) struct Wipes(Vec<Wipe>);

impl Wipes {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn push(&mut self, wipe: Wipe) {
        self.0.push(wipe);
    }

    /// Wipes those that wait. The frames that they are in must not be the last.
    pub(super) fn wipe(&mut self, open_files: &OpenFiles) -> io::Result<()> {
        self.wipe_and_redo(open_files, Vec::new())
    }

    /// Wipes those that wait, and does redactions that are on disk. Their own
    /// bodies wait from then on.
    pub(super) fn wipe_and_redo(&mut self, open_files: &OpenFiles, redactions: Vec<Redaction>) -> io::Result<()> {
        let mut touched = BTreeSet::new();
        for Redaction { target, sealed, .. } in &redactions {
            open_files.overwrite(target.behind(RoomHead::LEN)?, sealed)?;
            touched.insert(target.file);
        }
        for Wipe { at, length } in &self.0 {
            open_files.overwrite(at.behind(RedactHead::LEN)?, &vec![0; *length])?;
            touched.insert(at.file);
        }
        touched.into_iter().try_for_each(|file| open_files.sync(file))?;
        self.0 = redactions.iter().map(Redaction::wipe).collect();
        Ok(())
    }
}
