//! A frame as long as it can still be refused.

use std::collections::HashMap;
use std::io::{self, ErrorKind};

use crc32fast::Hasher;

use super::bytes::Seed;
use super::frame::{ALIGNMENT, FRAME, SectionHead};
use super::growing::Growing;
use super::heads::{Head, Heads};
use super::open_files::OpenFiles;
use super::record::{RedactHead, RoomHead, ended, state_head};
use super::redaction::Redaction;
use super::{Change, Place, RoomKey, RoomRecord, Tally};

/// What a commit puts together. Every error says that it can't be written as
/// it is; nothing has been changed then.
pub(super) struct Draft<'a> {
    open_files: &'a OpenFiles,
    /// The rooms' heads before this frame.
    was: &'a Heads,
    oldest_file: u32,
    file: u32,
    offset: usize,
    seed: Seed,
    /// What the frame's checksum covers so far.
    covered: Hasher,
    count: u32,
    frame: Vec<u8>,
    drafted: Drafted,
}

/// What is to be done when the frame is on disk.
#[derive(Default)]
pub(super) struct Drafted {
    pub(super) heads: HashMap<RoomKey, Option<Head>>,
    pub(super) places: Vec<Place>,
    pub(super) redactions: Vec<Redaction>,
}

impl<'a> Draft<'a> {
    pub(super) fn new(growing: &Growing, open_files: &'a OpenFiles, was: &'a Heads, oldest_file: u32) -> Self {
        let (file, offset, seed) = (growing.file.number, growing.end, growing.file.seed());
        let (covered, frame, drafted) = (seed.hasher(), vec![0; SectionHead::LEN], Drafted::default());
        Self { open_files, was, oldest_file, file, offset, seed, covered, count: 0, frame, drafted }
    }

    pub(super) fn add(&mut self, change: Change) -> io::Result<()> {
        let at = u32::try_from(self.offset + self.frame.len()).map_err(|_| too_large())?;
        let at = Place { file: self.file, offset: at };
        self.count += 1;
        match change {
            Change::Room { room, first, count, body } => self.room(at, room, first, count, &body),
            Change::State { key, value } => {
                self.covered(&state_head(&key, value.as_deref()).ok_or_else(too_large)?);
                self.covered(&key);
                self.covered(&value.unwrap_or_default());
                Ok(())
            }
            Change::Redact { place, body } => self.redact(at, place, &body),
            Change::Ended { room } => {
                self.covered(&ended(&room));
                self.drafted.heads.insert(room, None);
                Ok(())
            }
        }
    }

    fn room(&mut self, at: Place, room: RoomKey, first: u64, count: u32, body: &[u8]) -> io::Result<()> {
        let was = self.drafted.heads.get(&room).copied().unwrap_or_else(|| self.was.of(&room));
        if count == 0 || was.is_some_and(|head| head.seq.checked_add(1) != Some(first)) {
            return Err(invalid("a room's record does not go on where the one before it ends"));
        }
        let length = u32::try_from(body.len()).map_err(|_| too_large())?;
        let head = RoomHead { length, room, before: was.map_or(Place::default(), |head| head.last), first, count };
        self.sealed(&head.encode(), body);
        self.drafted.heads.insert(room, Some(Heads::after(was, &head, at, self.oldest_file)));
        self.drafted.places.push(at);
        Ok(())
    }

    fn redact(&mut self, at: Place, target: Place, body: &[u8]) -> io::Result<()> {
        let RoomRecord { head, body: before } = self.open_files.read(target)?;
        if before.len() != body.len() {
            return Err(invalid("a body is to be replaced by one of another length"));
        }
        let sum = self.open_files.disk().seed(target.file).sum(&[&head.encode(), body]);
        let head = RedactHead { length: head.length, target, sum };
        self.sealed(&head.encode(), body);
        self.drafted.redactions.push(Redaction::new(at, &head, body));
        Ok(())
    }

    /// A body has a checksum of its own, and the frame's leaves both out.
    fn sealed(&mut self, head: &[u8], body: &[u8]) {
        self.covered(head);
        self.frame.extend_from_slice(&self.seed.sum(&[head, body]).to_le_bytes());
        self.frame.extend_from_slice(body);
    }

    fn covered(&mut self, bytes: &[u8]) {
        self.covered.update(bytes);
        self.frame.extend_from_slice(bytes);
    }

    /// The bytes of the whole frame.
    pub(super) fn finish(self, group: u64, tally: Tally) -> io::Result<(Vec<u8>, Drafted)> {
        let Self { mut frame, covered, count, drafted, .. } = self;
        frame.resize(frame.len().next_multiple_of(ALIGNMENT), 0);
        SectionHead::put(FRAME, &mut frame, group, tally, count, covered).ok_or_else(too_large)?;
        Ok((frame, drafted))
    }
}

fn too_large() -> io::Error {
    io::Error::new(ErrorKind::FileTooLarge, "too much at once for one frame of the tape")
}

fn invalid(why: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, why)
}
