//! What a start finds. Nothing is written here.

use std::io;
use std::path::PathBuf;

use super::damage::{Damage, Damaged, refuse};
use super::disk::Disk;
use super::frame::Frame;
use super::frames::{FileEnd, Frames, Listed, Part};
use super::heads::{Footer, Heads};
use super::open_files::OpenFiles;
use super::record::{Record, RedactHead, RoomHead};
use super::redaction::{Redaction, Wipe};
use super::replay::{Replayed, replay};
use super::{Place, RoomKey, Tally};

/// The tape that a process which has ended left.
pub(crate) struct Found {
    pub(super) open_files: OpenFiles,
    pub(super) files: Vec<Listed>,
    /// The group up to which the index was on disk when the newest file was
    /// begun.
    pub(crate) checkpoint: u64,
    /// What there is after the last whole group.
    pub(super) now: Footer,
    /// What can't be read. Everything else is served.
    pub(crate) damage: Vec<Damage>,
    /// An end that was being written and isn't whole.
    pub(crate) torn: Option<Damage>,
    pub(super) redactions: Vec<Redaction>,
    pub(super) wipes: Vec<Wipe>,
    /// Files without a footer, and what it is to say.
    pub(super) unclosed: Vec<(FileEnd, Footer)>,
}

impl Found {
    /// Reads the newest footer and the files after it. Files of a data folder
    /// with another id are refused; only who measures does without `sync`.
    pub(crate) fn read(folder: PathBuf, id: [u8; 16], sync: bool) -> Result<Self, String> {
        Self::read_disk(Disk::new(folder, id, sync))
    }

    pub(super) fn read_disk(disk: Disk) -> Result<Self, String> {
        let mut this = Self {
            open_files: OpenFiles::new(disk.clone()),
            files: Vec::new(),
            checkpoint: 0,
            now: Footer::default(),
            damage: Vec::new(),
            torn: None,
            redactions: Vec::new(),
            wipes: Vec::new(),
            unclosed: Vec::new(),
        };
        let footer = this.list(&disk)?;
        let next = footer.as_ref().map(|(_, footer)| footer.group + 1);
        let (closed, now) = footer.unwrap_or_default();
        this.now = now;
        let frames = Frames::new(&disk, this.files[closed..].iter().copied(), next);
        let mut scan = Scan { found: &mut this, frames, bad_bodies: Vec::new(), bad_redactions: Vec::new() };
        scan.run().map_err(|error| refuse(disk.folder(), &error))?;
        Ok(this)
    }

    /// Whether there is no tape.
    pub(crate) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The last whole group; 0 when there is none.
    pub(crate) fn end(&self) -> u64 {
        self.now.group
    }

    /// What the index holds after the last whole group.
    pub(crate) fn tally(&self) -> Tally {
        self.now.tally
    }

    /// The index has later groups, so the tape has lost its end. Its last bytes
    /// are damage, not a torn frame, and stay as they are.
    pub(crate) fn has_lost(&mut self, through: u64, tally: Tally) {
        let groups = self.now.group + 1..through + 1;
        let newest = self.files.last().map_or(1, |file| file.number);
        let (path, at) = match self.torn.take() {
            Some(torn) => (torn.path, torn.at),
            None => (self.open_files.disk().path(newest), 0..0),
        };
        self.unclosed.retain(|(file, _)| !file.is_torn);
        self.damage.push(Damage { groups, ..Damage::new(path, at, Damaged::Frames) });
        (self.now.group, self.now.tally) = (through, tally);
    }

    /// The oldest group on the tape. It is complete when that is 1.
    pub(crate) fn first_group(&self) -> u64 {
        self.files.first().and_then(|file| file.first_group).unwrap_or(1)
    }

    /// Changes of the index that came after a group.
    pub(crate) fn replay(&self, after: u64) -> impl Iterator<Item = io::Result<Replayed>> + use<> {
        replay(self.open_files.disk(), &self.files, after, self.now.group)
    }
}

/// Goes through the frames that no footer tells of.
struct Scan<'a> {
    found: &'a mut Found,
    frames: Frames,
    bad_bodies: Vec<(Place, RoomHead)>,
    bad_redactions: Vec<(Place, RedactHead)>,
}

impl Scan<'_> {
    fn run(&mut self) -> io::Result<()> {
        // A frame of which a body is torn ends the tape where it begins.
        let mut torn_at = None;
        while let Some(met) = self.frames.next().transpose()? {
            match met {
                Part::Frame(file, frame) => {
                    let bad = frame.bad_bodies(&self.found.open_files.disk().seed(file));
                    // It was never acknowledged.
                    if !bad.is_empty() && self.frames.is_last() {
                        self.found.now.group = frame.head.group - 1;
                        torn_at = Some(frame.offset);
                    } else {
                        self.apply(file, &frame, &bad);
                    }
                }
                Part::Missing(mut damage) => {
                    damage.rooms.retain(|room| self.found.now.heads.of(room).is_some());
                    self.found.damage.push(damage);
                }
                // One that was met on the way is not at the file's end, or
                // without its trailer. It knows more than frames of which some
                // may be missing.
                Part::Footer(footer) => self.found.now = footer,
                Part::End(end) => self.end(end, torn_at),
            }
        }
        // Also where the newest file has no frame yet.
        if let Some(next) = self.frames.expected.filter(|_| torn_at.is_none()) {
            self.found.now.group = next - 1;
        }
        self.judge_bodies();
        Ok(())
    }

    /// `bad` has where bodies stand that are not whole.
    fn apply(&mut self, file: u32, frame: &Frame, bad: &[u32]) {
        let found = &mut *self.found;
        let oldest = found.files.first().map_or(file, |file| file.number);
        for (offset, record) in frame.records() {
            let at = Place { file, offset };
            match record {
                Record::Room(head, _) => {
                    let was = found.now.heads.of(&head.room);
                    if was.map(|was| was.last) != head.before() {
                        gap(&mut found.damage, head.room);
                    }
                    if bad.contains(&offset) {
                        self.bad_bodies.push((at, head));
                    }
                    found.now.heads.set(head.room, Some(Heads::after(was, &head, at, oldest)));
                }
                Record::Redact(head, body) if !bad.contains(&offset) => {
                    found.redactions.push(Redaction::new(at, &head, body.bytes));
                }
                // It is done, and so is each before it.
                Record::Redact(head, body) => {
                    let done = found.redactions.extract_if(.., |redaction| redaction.target == head.target);
                    found.wipes.extend(done.map(|redaction| redaction.wipe()));
                    if !body.is_wiped() {
                        self.bad_redactions.push((at, head));
                    }
                }
                Record::Ended(room) => found.now.heads.set(room, None),
                Record::State(..) => {}
            }
        }
        found.now.group = frame.head.group;
        found.now.tally = frame.head.tally;
    }

    fn end(&mut self, mut end: FileEnd, torn_at: Option<usize>) {
        if let Some(at) = torn_at {
            (end.at, end.is_torn) = (at, true);
        }
        let found = &mut *self.found;
        let path = found.open_files.disk().path(end.number);
        // Only in the newest file a torn end is news.
        found.torn = end.is_torn.then(|| Damage::new(path, end.at..end.length, Damaged::TornEnd));
        found.unclosed.push((end, found.now.clone()));
    }

    /// A body that isn't whole is lawful where a redaction is about to write
    /// it, and a redaction's own where its target is whole.
    fn judge_bodies(&mut self) {
        let found = &mut *self.found;
        self.bad_bodies.retain(|(at, _)| !found.redactions.iter().any(|redaction| redaction.target == *at));
        for (at, head) in &self.bad_bodies {
            found.damage.push(bad_body(found.open_files.disk(), *at, vec![head.room]));
        }
        for (at, head) in &self.bad_redactions {
            found.wipes.push(Wipe { at: *at, length: 4 + head.length as usize });
            if found.open_files.read(head.target).is_err() && !self.bad_bodies.iter().any(|(at, _)| *at == head.target)
            {
                found.damage.push(bad_body(found.open_files.disk(), head.target, Vec::new()));
            }
        }
    }
}

fn bad_body(disk: &Disk, at: Place, rooms: Vec<RoomKey>) -> Damage {
    let offset = at.offset as usize;
    Damage { rooms, ..Damage::new(disk.path(at.file), offset..offset, Damaged::Body) }
}

/// A room's log has a gap: the missing record was in the newest damaged frames,
/// so the room is named there.
fn gap(damage: &mut [Damage], room: RoomKey) {
    if let Some(damage) = damage.iter_mut().rev().find(|damage| damage.what == Damaged::Frames)
        && !damage.rooms.contains(&room)
    {
        damage.rooms.push(room);
    }
}
