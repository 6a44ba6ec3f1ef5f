//! Makes a frame, which can be refused until it is written, and overwrites the bodies of
//! rooms' records.
//!
//! A redaction is on disk before its target is overwritten. So if the power goes in
//! the middle, the next start overwrites the target again. The redaction's own body
//! may have words that are taken back later, so it is wiped (overwritten with
//! zeros): but only after another frame is on disk, since a body in the last frame
//! that is not whole means that this frame was never acknowledged.

use std::collections::{BTreeSet, HashMap};
use std::io::{self, ErrorKind};

use crc32fast::Hasher;

use super::format::{Head, Seed, sum};
use super::frame::{ALIGNMENT, FRAME, RedactHead, RoomHead, SectionHead, ended, state_head};
use super::listing::Catalog;
use super::reader::OpenFiles;
use super::{Change, CommitLog, Place, RoomKey, RoomRecord, SumBytes};

/// A frame, and what is to be done when it is on disk. An error refuses the
/// changes; nothing is written then.
pub(super) struct Draft {
    seed: Seed,
    /// The checksum of the frame so far.
    covered: Hasher,
    pub(super) frame: Vec<u8>,
    // These are for when the frame is on disk.
    pub(super) heads: HashMap<RoomKey, Option<Head>>,
    pub(super) places: Vec<Place>,
    pub(super) redactions: Vec<Redaction>,
}

impl Draft {
    pub(super) fn new(
        commit_log: &CommitLog,
        changes: Vec<Change>,
        commit: u64,
        index_sum: SumBytes,
    ) -> io::Result<Self> {
        let (seed, count) = (commit_log.growing.file.seed(), u32::try_from(changes.len()).map_err(|_| too_large())?);
        let (covered, frame) = (seed.clone(), vec![0; SectionHead::LEN]);
        let mut this = Self { seed, covered, frame, heads: HashMap::new(), places: Vec::new(), redactions: Vec::new() };
        let catalog = commit_log.reader.catalog.read();
        changes.into_iter().try_for_each(|change| this.add(commit_log, &catalog, change))?;
        let Self { covered, frame, .. } = &mut this;
        frame.resize(frame.len().next_multiple_of(ALIGNMENT), 0);
        SectionHead::put(FRAME, frame, commit, index_sum, count, covered.clone()).ok_or_else(too_large)?;
        Ok(this)
    }

    fn add(&mut self, commit_log: &CommitLog, catalog: &Catalog, change: Change) -> io::Result<()> {
        let offset = u32::try_from(commit_log.growing.end + self.frame.len()).map_err(|_| too_large())?;
        let at = Place { file: commit_log.growing.file.number, offset };
        match change {
            Change::Room { room, first, count, body } => {
                let was = self.heads.get(&room).copied().unwrap_or_else(|| catalog.now.heads.get(&room).copied());
                if count == 0 || was.is_some_and(|head| head.seq.checked_add(1) != Some(first)) {
                    return Err(invalid("a room's record does not go on where the one before it ends"));
                }
                let length = u32::try_from(body.len()).map_err(|_| too_large())?;
                let before = was.map_or(Place::default(), |head| head.last);
                invariant!(before < at, "a room's record stands after the one before it");
                let head = RoomHead { length, room, before, first, count };
                self.sealed(&head.encode(), &body);
                self.heads.insert(room, Some(catalog.head_after(was, &head, at)));
                self.places.push(at);
            }
            Change::State { key, value } => {
                self.covered(&state_head(&key, value.as_deref()).ok_or_else(too_large)?);
                self.covered(&key);
                self.covered(&value.unwrap_or_default());
            }
            Change::Redact { place: target, body } => {
                let RoomRecord { head, body: before } = commit_log.reader.read(target)?;
                if before.len() != body.len() {
                    return Err(invalid("a body is to be replaced by one of another length"));
                }
                let sum = sum(&commit_log.reader.open_files.disk.seed(target.file), &[&head.encode(), &body]);
                let head = RedactHead { length: head.length, target, sum };
                self.sealed(&head.encode(), &body);
                self.redactions.push(Redaction::new(at, &head, &body));
            }
            Change::Ended { room } => {
                self.covered(&ended(&room));
                self.heads.insert(room, None);
            }
        }
        Ok(())
    }

    /// Adds a body, which has its own checksum. The frame's covers only the head.
    fn sealed(&mut self, head: &[u8], body: &[u8]) {
        self.covered(head);
        self.frame.extend_from_slice(&sum(&self.seed, &[head, body]).to_le_bytes());
        self.frame.extend_from_slice(body);
    }

    fn covered(&mut self, bytes: &[u8]) {
        self.covered.update(bytes);
        self.frame.extend_from_slice(bytes);
    }
}

fn too_large() -> io::Error {
    io::Error::new(ErrorKind::FileTooLarge, "too much at once for one frame of the commit log")
}

fn invalid(why: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, why)
}

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
        if open_files.overwrite(target.behind(RoomHead::LEN)?, sealed)? {
            touched.insert(target.file);
        }
    }
    for Redaction { at, sealed, .. } in done {
        if open_files.overwrite(at.behind(RedactHead::LEN)?, &vec![0; sealed.len()])? {
            touched.insert(at.file);
        }
    }
    touched.into_iter().try_for_each(|file| open_files.sync(file))
}
