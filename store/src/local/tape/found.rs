//! What a start finds. Nothing is written here.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

use super::damage::{Damage, Damaged, refuse};
use super::disk::Disk;
use super::frame::Frame;
use super::frames::{FileEnd, Frames, Part};
use super::heads::Footer;
use super::open_files::OpenFiles;
use super::reader::Catalog;
use super::record::Record;
use super::redaction::Redaction;
use super::replay::{Replayed, replay};
use super::{Place, RoomKey, Tally};

/// The tape that a process which has ended left.
pub(crate) struct Found {
    pub(super) open_files: OpenFiles,
    pub(super) catalog: Catalog,
    /// The group up to which the index was on disk when the newest file was
    /// begun.
    pub(crate) checkpoint: u64,
    /// What can't be read. Everything else is served.
    pub(crate) damage: Vec<Damage>,
    /// An end that was being written and isn't whole.
    pub(crate) torn: Option<Damage>,
    /// What is to be done, and what is done and not wiped.
    pub(super) redactions: Vec<Redaction>,
    pub(super) done: Vec<Redaction>,
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
            catalog: Catalog { files: Vec::new(), now: Footer::default() },
            checkpoint: 0,
            damage: Vec::new(),
            torn: None,
            redactions: Vec::new(),
            done: Vec::new(),
            unclosed: Vec::new(),
        };
        let footer = this.list(&disk)?;
        let next = footer.as_ref().map(|(_, footer)| footer.group + 1);
        let (closed, now) = footer.unwrap_or_default();
        this.catalog.now = now;
        let frames = Frames::new(&disk, this.catalog.files[closed..].iter().copied(), next);
        this.scan(frames).map_err(|error| refuse(disk.folder(), error))?;
        Ok(this)
    }

    /// Whether there is no tape.
    pub(crate) fn is_empty(&self) -> bool {
        self.catalog.files.is_empty()
    }

    /// The last whole group; 0 when there is none.
    pub(crate) fn end(&self) -> u64 {
        self.catalog.now.group
    }

    /// What the index holds after the last whole group.
    pub(crate) fn tally(&self) -> Tally {
        self.catalog.now.tally
    }

    /// The index has later groups, so the tape has lost its end. Its last bytes
    /// are damage, not a torn frame, and stay as they are.
    pub(crate) fn has_lost(&mut self, through: u64, tally: Tally) {
        let groups = self.catalog.now.group + 1..through + 1;
        let newest = self.catalog.files.last().map_or(1, |file| file.number);
        let (path, at) = match self.torn.take() {
            Some(torn) => (torn.path, torn.at),
            None => (self.open_files.disk.path(newest), 0..0),
        };
        self.unclosed.retain(|(file, _)| !file.is_torn);
        self.damage.push(Damage { groups, ..Damage::new(path, at, Damaged::Frames) });
        (self.catalog.now.group, self.catalog.now.tally) = (through, tally);
    }

    /// The oldest group on the tape. It is complete when that is 1.
    pub(crate) fn first_group(&self) -> u64 {
        self.catalog.files.first().and_then(|file| file.first_group).unwrap_or(1)
    }

    /// Changes of the index that came after a group.
    pub(crate) fn replay(&self, after: u64) -> impl Iterator<Item = io::Result<Replayed>> + use<> {
        replay(&self.open_files.disk, &self.catalog, after)
    }

    /// Goes through the frames that no footer tells of.
    fn scan(&mut self, mut frames: Frames) -> io::Result<()> {
        // A frame of which a body is torn ends the tape where it begins.
        let mut torn_at = None;
        let mut unsure = Unsure::default();
        while let Some(met) = frames.next().transpose()? {
            match met {
                Part::Frame(file, frame) => {
                    let bad = frame.bad_bodies(&self.open_files.disk.seed(file));
                    // It was never acknowledged.
                    if !bad.is_empty() && frames.is_last() {
                        self.catalog.now.group = frame.head.group - 1;
                        torn_at = Some(frame.offset);
                    } else {
                        self.apply(file, &frame, &bad, &mut unsure);
                    }
                }
                Part::Missing(mut damage) => {
                    damage.rooms.retain(|room| self.catalog.now.heads.contains_key(room));
                    self.damage.push(damage);
                }
                // One that was met on the way is not at the file's end, or
                // without its trailer. It knows more than frames of which some
                // may be missing.
                Part::Footer(footer) => self.catalog.now = footer,
                Part::End(end) => self.file_ends(end, torn_at),
            }
        }
        // Also where the newest file has no frame yet.
        if let Some(next) = frames.expected.filter(|_| torn_at.is_none()) {
            self.catalog.now.group = next - 1;
        }
        self.judge(unsure);
        Ok(())
    }

    /// `bad` has where bodies stand that are not whole.
    fn apply(&mut self, file: u32, frame: &Frame, bad: &[u32], unsure: &mut Unsure) {
        for (offset, record) in frame.records() {
            let (at, is_bad) = (Place { file, offset }, bad.contains(&offset));
            match record {
                Record::Room(head, _) => {
                    let was = self.catalog.now.heads.get(&head.room).copied();
                    if was.map(|was| was.last) != head.before() {
                        gap(&mut self.damage, head.room);
                    }
                    if is_bad {
                        unsure.insert(at, vec![head.room]);
                    }
                    self.catalog.now.heads.insert(head.room, self.catalog.head_after(was, &head, at));
                }
                Record::Redact(head, body) => {
                    let redaction = Redaction::new(at, &head, body.bytes);
                    if !is_bad {
                        self.redactions.push(redaction);
                        continue;
                    }
                    // It is done, and so is each before it.
                    let done = self.redactions.extract_if(.., |redaction| redaction.target == head.target);
                    self.done.extend(done);
                    if !body.is_wiped() {
                        unsure.entry(head.target).or_default();
                        self.done.push(redaction);
                    }
                }
                Record::Ended(room) => drop(self.catalog.now.heads.remove(&room)),
                Record::State(..) => {}
            }
        }
        self.catalog.now.group = frame.head.group;
        self.catalog.now.tally = frame.head.tally;
    }

    fn file_ends(&mut self, mut end: FileEnd, torn_at: Option<usize>) {
        if let Some(at) = torn_at {
            (end.at, end.is_torn) = (at, true);
        }
        let path = self.open_files.disk.path(end.number);
        // Only in the newest file a torn end is news.
        self.torn = end.is_torn.then(|| Damage::new(path, end.at..end.length, Damaged::TornEnd));
        self.unclosed.push((end, self.catalog.now.clone()));
    }

    /// A body that isn't whole is lawful where a redaction is about to write
    /// it, and a redaction's own where its target is whole.
    fn judge(&mut self, unsure: Unsure) {
        for (at, rooms) in unsure {
            let is_lawful = self.redactions.iter().any(|redaction| redaction.target == at);
            if !is_lawful && self.open_files.read(at).is_err() {
                let (path, offset) = (self.open_files.disk.path(at.file), at.offset as usize);
                self.damage.push(Damage { rooms, ..Damage::new(path, offset..offset, Damaged::Body) });
            }
        }
    }
}

/// Where rooms' bodies stand that may not be whole, and the room if it is known.
type Unsure = BTreeMap<Place, Vec<RoomKey>>;

/// A room's log has a gap: the missing record was in the newest damaged frames,
/// so the room is named there.
fn gap(damage: &mut [Damage], room: RoomKey) {
    if let Some(damage) = damage.iter_mut().rev().find(|damage| damage.what == Damaged::Frames)
        && !damage.rooms.contains(&room)
    {
        damage.rooms.push(room);
    }
}
