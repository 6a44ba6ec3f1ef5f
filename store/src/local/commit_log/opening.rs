//! Opening: what a start finds in the commit log, and its first writes, in this order:
//!
//! 1. Redactions that were not finished are done.
//! 2. A new file is made. Its header has the number of its first commit, so it is
//!    known that all frames before it are whole.
//! 3. The bodies of redactions are wiped, and old files get their footers.

use std::collections::{BTreeMap, HashSet};
use std::io;
use std::path::PathBuf;

use super::damage::{Damage, Damaged, refuse};
use super::disk::{Disk, FULL, Growing, LogFile, NOTE};
use super::draft::{Redaction, overwrite};
use super::format::{Footer, Header};
use super::frame::{Frame, LogRecord};
use super::frames::{FileEnd, Frames, Listed, Piece, Replayed, replay};
use super::listing::Catalog;
use super::reader::OpenFiles;
use super::{CommitLog, Place, Reader, RoomKey, SumBytes};

/// No event takes fewer bytes.
const EVENT_MIN: u64 = 20;
/// No commit has more events of one room: fewer wait for it.
const EVENTS_MAX: u64 = 512;

/// The commit log as the last process has left it.
pub(crate) struct Found {
    pub(super) open_files: OpenFiles,
    pub(super) catalog: Catalog,
    /// The last commit that the index had on disk when the newest file was begun.
    pub(crate) checkpoint: u64,
    /// The oldest file that is needed. It may be missing.
    pub(super) oldest: u32,
    /// The newest file that the last process has begun. It may be missing.
    pub(super) newest: u32,
    /// If the end is missing: the last commit that was in it, as far as that is known.
    pub(crate) lost_through: Option<u64>,
    /// What can't be read. All the rest is served.
    pub(crate) damage: Vec<Damage>,
    /// The end of the newest file, if it was being written and is not whole.
    pub(crate) torn: Option<Damage>,
    /// Redactions to do, and those that are done and whose bodies are to be wiped.
    pub(super) redactions: Vec<Redaction>,
    pub(super) done: Vec<Redaction>,
    /// Events that can't be read and that somebody may have been told of.
    pub(crate) doubt: Doubt,
    /// Files without a footer, each with the footer it needs.
    pub(super) unclosed: Vec<(FileEnd, Footer)>,
}

impl Found {
    /// Reads the newest footer and the files after it. Files of another data
    /// folder are refused. `sync` is off only to measure.
    pub(crate) fn read(folder: PathBuf, id: [u8; 16], sync: bool) -> io::Result<Self> {
        Self::read_disk(Disk::new(folder, id, sync))
    }

    pub(super) fn read_disk(disk: Disk) -> io::Result<Self> {
        let mut this = Self {
            open_files: OpenFiles::new(disk.clone()),
            catalog: Catalog { files: Vec::new(), now: Footer::default() },
            checkpoint: 0,
            oldest: 1,
            newest: 0,
            lost_through: None,
            damage: Vec::new(),
            torn: None,
            redactions: Vec::new(),
            done: Vec::new(),
            doubt: Doubt::default(),
            unclosed: Vec::new(),
        };
        let footer = this.list(&disk)?;
        let next = footer.as_ref().map(|(_, footer)| footer.commit + 1);
        let (closed, now) = footer.unwrap_or_default();
        this.catalog.now = now;
        let frames = Frames::new(&disk, this.catalog.files[closed..].iter().copied(), next);
        this.scan(frames).map_err(|error| refuse(disk.folder(), error))?;
        this.compare_with_note(&disk);
        Ok(this)
    }

    /// Notices files that are missing before the first and behind the last.
    fn compare_with_note(&mut self, disk: &Disk) {
        let [Listed { number: first, first_commit }, ..] = self.catalog.files[..] else { return };
        match disk.noted() {
            Ok((oldest, newest)) => (self.oldest, self.newest) = (oldest.min(first), newest),
            Err(_) => {
                self.oldest = first;
                self.damage.push(Damage::new(disk.folder().join(NOTE), 0..0, Damaged::Note));
            }
        }
        if self.oldest < first {
            // Files before the oldest were removed, so it is not known with which commit it began.
            let commits = if self.oldest == 1 { 1..first_commit.unwrap_or(1) } else { 0..0 };
            let mut damage = Damage::gone(disk, self.oldest, first - 1, commits);
            let begun_before = self.catalog.now.heads.iter().filter(|(_, head)| head.first_file < first);
            damage.rooms = begun_before.map(|(room, _)| *room).collect();
            self.damage.push(damage);
        }
        if self.newest > self.last_file() {
            self.lost_through = Some(self.end() + 1);
        }
    }

    fn last_file(&self) -> u32 {
        self.catalog.files.last().map_or(0, |file| file.number)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.catalog.files.is_empty()
    }

    /// The last whole commit; 0 when there is none.
    pub(crate) fn end(&self) -> u64 {
        self.catalog.now.commit
    }

    /// Lets a new commit log begin with commit 2, since it goes on from an export. So nobody
    /// takes it for one that has every change.
    pub(crate) fn goes_on_from_an_export(mut self) -> Self {
        self.catalog.now.commit = 1;
        self
    }

    /// The sum of the index after the last whole commit.
    pub(crate) fn index_sum(&self) -> SumBytes {
        self.catalog.now.index_sum
    }

    /// Says that a commit was in the commit log. If the commit log ends before it, the
    /// end is missing.
    pub(crate) fn expect(&mut self, commit: u64) {
        if commit > self.end() {
            self.lost_through = self.lost_through.max(Some(commit));
        }
    }

    /// Goes on behind the end that is missing, with an index that has this sum. So no
    /// number is used again, and a torn frame is damage and stays as it is.
    pub(crate) fn skip_lost_end(&mut self, through: u64, index_sum: SumBytes) -> Damage {
        let (commits, last) = (self.end() + 1..through + 1, self.last_file());
        // Nobody knows how many commits a file that is missing had.
        let in_files = u64::from(self.newest.saturating_sub(last)) * FULL as u64 / EVENT_MIN;
        self.doubt.add(in_files.max((commits.end - commits.start).saturating_mul(EVENTS_MAX)));
        let damage = match self.torn.take() {
            _ if self.newest > last => Damage::gone(&self.open_files.disk, last + 1, self.newest, commits),
            Some(torn) => Damage { commits, what: Damaged::Frames, ..torn },
            None => Damage { commits, ..Damage::new(self.open_files.disk.path(last), 0..0, Damaged::Frames) },
        };
        self.unclosed.retain(|(file, _)| !file.is_torn);
        self.damage.push(damage.clone());
        (self.catalog.now.commit, self.catalog.now.index_sum) = (through, index_sum);
        damage
    }

    /// The oldest commit in the commit log. If it is 1, the commit log has every change.
    pub(crate) fn first_commit(&self) -> u64 {
        self.catalog.files.first().and_then(|file| file.first_commit).unwrap_or(1)
    }

    /// The changes of the index after a commit.
    pub(crate) fn replay(&self, after: u64) -> impl Iterator<Item = io::Result<Replayed>> + use<> {
        replay(&self.open_files.disk, &self.catalog, after)
    }

    /// Reads the frames after the newest footer.
    fn scan(&mut self, mut frames: Frames) -> io::Result<()> {
        // If a body of the last frame was not wholly written, the commit log ends
        // before it.
        let mut torn_at = None;
        let mut unsure = Unsure::default();
        while let Some(met) = frames.next().transpose()? {
            match met {
                Piece::Frame(file, frame) => {
                    let bad = frame.bad_bodies(&self.open_files.disk.seed(file));
                    // This frame was never acknowledged.
                    if !bad.is_empty() && frames.is_last() && frame.lacks_a_sector() {
                        self.catalog.now.commit = frame.head.commit - 1;
                        torn_at = Some(frame.offset);
                    } else {
                        self.apply(file, &frame, &bad, &mut unsure);
                    }
                }
                Piece::Missing(mut damage) => {
                    if damage.what == Damaged::Frames {
                        self.doubt.add(events_in(&damage));
                    }
                    damage.rooms.retain(|room| self.catalog.now.heads.contains_key(room));
                    self.damage.push(damage);
                }
                // A footer without a trailer, or before the file's end. Frames
                // before it may be missing, so the footer's state counts.
                Piece::Footer(footer) => {
                    self.catalog.now = footer;
                    self.doubt = Doubt::default();
                }
                Piece::End(end) => self.file_ends(end, torn_at),
            }
        }
        // The newest file may have no frame, but tells which commit comes next.
        if let Some(next) = frames.expected.filter(|_| torn_at.is_none()) {
            self.catalog.now.commit = next - 1;
        }
        self.judge(unsure);
        Ok(())
    }

    /// Takes over a frame. `bad` are the offsets of bodies that are not whole.
    fn apply(&mut self, file: u32, frame: &Frame, bad: &[u32], unsure: &mut Unsure) {
        for (offset, record) in frame.records() {
            let (at, is_bad) = (Place { file, offset }, bad.contains(&offset));
            match record {
                LogRecord::Room(head, _) => {
                    let was = self.catalog.now.heads.get(&head.room).copied();
                    if was.map(|was| was.last) != head.before() {
                        gap(&mut self.damage, head.room);
                    }
                    if is_bad {
                        unsure.insert(at, vec![head.room]);
                    }
                    self.catalog.now.heads.insert(head.room, self.catalog.head_after(was, &head, at));
                    self.doubt.known.insert(head.room);
                }
                LogRecord::Redact(head, body) => {
                    let redaction = Redaction::new(at, &head, body.bytes);
                    if !is_bad {
                        self.redactions.push(redaction);
                        continue;
                    }
                    // This redaction is done, and so are those before it.
                    let done = self.redactions.extract_if(.., |redaction| redaction.target == head.target);
                    self.done.extend(done);
                    if !body.is_wiped() {
                        unsure.entry(head.target).or_default();
                        self.done.push(redaction);
                    }
                }
                LogRecord::Ended(room) => {
                    self.catalog.now.heads.remove(&room);
                }
                LogRecord::State(..) => {}
            }
        }
        self.catalog.now.commit = frame.head.commit;
        self.catalog.now.index_sum = frame.head.index_sum;
    }

    fn file_ends(&mut self, mut end: FileEnd, torn_at: Option<usize>) {
        if let Some(at) = torn_at {
            (end.at, end.is_torn) = (at, true);
        }
        if end.damaged > 0 {
            self.doubt.add(end.damaged as u64 / EVENT_MIN);
        }
        let path = self.open_files.disk.path(end.number);
        // In the end this is that of the newest file. Others were reported before.
        self.torn = end.is_torn.then(|| Damage::new(path, end.at..end.length, Damaged::TornEnd));
        self.unclosed.push((end, self.catalog.now.clone()));
    }

    /// Reports bodies that are damaged. A body is not, if a redaction is about to
    /// overwrite it, or if it is a redaction's own and its target is whole.
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

/// Events that can't be read and that somebody may have been told of. Their seqs must
/// not be used again.
#[derive(Default)]
pub(crate) struct Doubt {
    /// How many events of a room there may be.
    pub(crate) events: u64,
    /// The rooms whose events are known: later records say how many there were.
    pub(crate) known: HashSet<RoomKey>,
}

impl Doubt {
    fn add(&mut self, events: u64) {
        self.events = self.events.saturating_add(events);
        self.known.clear();
    }
}

/// How many events the missing bytes, or else the missing commits, may have had.
fn events_in(damage: &Damage) -> u64 {
    let commits = damage.commits.end.saturating_sub(damage.commits.start);
    if damage.at.is_empty() { commits.saturating_mul(EVENTS_MAX) } else { damage.at.len() as u64 / EVENT_MIN + 1 }
}

/// The places of bodies that may be damaged, with the room if it is known.
type Unsure = BTreeMap<Place, Vec<RoomKey>>;

/// Adds a room whose log has a gap to the newest damaged frames, in which the
/// missing record was.
fn gap(damage: &mut [Damage], room: RoomKey) {
    if let Some(damage) = damage.iter_mut().rev().find(|damage| damage.what == Damaged::Frames)
        && !damage.rooms.contains(&room)
    {
        damage.rooms.push(room);
    }
}

impl Found {
    /// Makes the commit log ready for commits.
    pub(crate) fn begin(self, hour: u64) -> io::Result<CommitLog> {
        let Self { open_files, mut catalog, oldest, checkpoint, redactions, mut done, unclosed, .. } = self;
        // All that is served from now on must be on disk.
        for (file, _) in &unclosed {
            open_files.sync(file.number)?;
        }
        overwrite(&open_files, &redactions, &[])?;
        done.extend(redactions);
        let (number, first_commit) = (catalog.files.last().map_or(1, |file| file.number + 1), catalog.now.commit + 1);
        let header = Header::new(&open_files.disk, number, first_commit, checkpoint);
        let growing = Growing::begin(&open_files.disk, header, oldest, hour)?;
        overwrite(&open_files, &[], &done)?;
        for (end, footer) in unclosed {
            end.close(&open_files.disk.open(end.number)?, &footer)?;
        }
        open_files.put(growing.file.clone());
        catalog.files.push(Listed { number, first_commit: Some(first_commit) });
        let reader = Reader::new(open_files, catalog);
        Ok(CommitLog { reader, growing, oldest, done: Vec::new(), checkpoint, is_dead: false })
    }
}

impl FileEnd {
    fn close(&self, file: &LogFile, footer: &Footer) -> io::Result<()> {
        if self.is_torn {
            // A torn frame may have words that are taken back later.
            file.write_at(&vec![0; self.length - self.at], self.at)?;
            file.sync()?;
        }
        file.close(self.at, footer)
    }
}
