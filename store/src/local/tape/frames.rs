//! The frames of many files, in order: what is missing between them is told.

use std::collections::VecDeque;
use std::io;
use std::ops::Range;

use super::RoomKey;
use super::damage::{Damage, Damaged};
use super::disk::Disk;
use super::frame::{Frame, records};
use super::header::HEADER_LEN;
use super::heads::Footer;
use super::record::Record;
use super::walk::{Step, Walk};

/// A file, and the group that its first frame has, if that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Listed {
    pub(super) number: u32,
    pub(super) first_group: Option<u64>,
}

/// What comes next.
pub(super) enum Part {
    /// The next group, and the file it is in.
    Frame(u32, Frame),
    /// Groups can't be read, or something is there that has no place here.
    Missing(Damage),
    /// A file is over.
    End(End),
}

/// How a file ends.
pub(super) struct End {
    pub(super) number: u32,
    /// Where the last frame ends, or the footer begins.
    pub(super) at: usize,
    pub(super) length: usize,
    pub(super) tail: Tail,
}

/// What is behind the last frame.
pub(super) enum Tail {
    Zeros,
    /// Something that was never acknowledged.
    Torn,
    /// Something that was.
    Damage,
    Footer(Footer),
}

/// Goes through files.
pub(super) struct Frames {
    disk: Disk,
    files: VecDeque<Listed>,
    walk: Option<Walk>,
    /// The group that should come next, if that is known.
    pub(super) next: Option<u64>,
    /// Where the last whole frame of the file ends.
    end: usize,
    bad: Option<Range<usize>>,
    waiting: VecDeque<Part>,
}

impl Frames {
    /// `next` is the group that the first of the files should begin with.
    pub(super) fn new(disk: &Disk, files: impl IntoIterator<Item = Listed>, next: Option<u64>) -> Self {
        let files = files.into_iter().collect();
        Self { disk: disk.clone(), files, walk: None, next, end: 0, bad: None, waiting: VecDeque::new() }
    }

    /// Whether only later groups are to come.
    pub(super) fn is_past(&self, group: u64) -> bool {
        self.waiting.is_empty() && self.next.is_some_and(|next| next > group)
    }

    pub(super) fn step(&mut self) -> io::Result<Option<Part>> {
        loop {
            if let Some(met) = self.waiting.pop_front() {
                return Ok(Some(met));
            }
            let Some(mut walk) = self.take_walk()? else { return Ok(None) };
            let bound = self.files.front().and_then(|next| next.first_group);
            match walk.step() {
                Step::Frame(frame) if bound.is_none_or(|bound| frame.head.group < bound) => self.frame(&walk, frame),
                // This frame was torn once, and a later one has its number.
                Step::Frame(frame) => {
                    let tail = self.tail(&walk, frame.offset, false, bound);
                    self.file_ends(&walk, tail);
                    continue;
                }
                Step::Damage(range) => self.bad = Some(range),
                Step::Footer(at, footer) => {
                    self.miss_up_to(&walk, footer.group + 1, at..at);
                    self.end = at;
                    self.file_ends(&walk, Tail::Footer(footer));
                    continue;
                }
                Step::End(at, is_empty) => {
                    let tail = self.tail(&walk, at, is_empty, bound);
                    self.file_ends(&walk, tail);
                    continue;
                }
            }
            self.walk = Some(walk);
        }
    }

    /// Whether nothing whole follows a frame that was just met.
    pub(super) fn is_last(&self, frame: &Frame) -> bool {
        self.files.is_empty() && self.walk.as_ref().is_none_or(|walk| walk.search(frame.end()).is_none())
    }

    fn take_walk(&mut self) -> io::Result<Option<Walk>> {
        if let Some(walk) = self.walk.take() {
            return Ok(Some(walk));
        }
        let Some(file) = self.files.pop_front() else { return Ok(None) };
        self.next = self.next.or(file.first_group);
        self.end = HEADER_LEN;
        Walk::begin(self.disk.open(file.number)?).map(Some)
    }

    fn frame(&mut self, walk: &Walk, frame: Frame) {
        let group = frame.head.group;
        if self.next.is_some_and(|next| group < next) {
            self.wait_damage(walk, Damaged::Stray, frame.offset..frame.end(), group..group);
            return;
        }
        self.miss_up_to(walk, group, frame.offset..frame.offset);
        self.next = Some(group + 1);
        self.end = frame.end();
        self.waiting.push_back(Part::Frame(walk.file.number, frame));
    }

    /// Tells what is missing before a group, if anything is. `at` is where,
    /// unless bytes were met there that can't be read.
    fn miss_up_to(&mut self, walk: &Walk, group: u64, at: Range<usize>) {
        let next = self.next.unwrap_or(group).min(group);
        let bad = self.bad.take();
        if next < group || bad.is_some() {
            self.wait_damage(walk, Damaged::Frames, bad.unwrap_or(at), next..group);
        }
        self.next = self.next.max(Some(group));
    }

    fn tail(&mut self, walk: &Walk, at: usize, is_empty: bool, bound: Option<u64>) -> Tail {
        let is_missing = bound.is_some_and(|bound| self.next.is_some_and(|next| next < bound));
        if let Some(bound) = bound {
            self.miss_up_to(walk, bound, at..walk.bytes.len());
        }
        match (is_missing, is_empty) {
            (true, _) => Tail::Damage,
            (false, true) => Tail::Zeros,
            (false, false) => Tail::Torn,
        }
    }

    fn file_ends(&mut self, walk: &Walk, tail: Tail) {
        let (number, length) = (walk.file.number, walk.bytes.len());
        self.waiting.push_back(Part::End(End { number, at: self.end, length, tail }));
    }

    fn wait_damage(&mut self, walk: &Walk, what: Damaged, at: Range<usize>, groups: Range<u64>) {
        let (path, rooms) = (walk.file.path(), rooms_in(walk.bytes.get(at.clone()).unwrap_or_default()));
        let damage = Damage { path, at, what, groups, rooms };
        self.waiting.push_back(Part::Missing(damage));
    }
}

/// Rooms that damaged bytes seem to tell of. Not all of them need be real.
fn rooms_in(bytes: &[u8]) -> Vec<RoomKey> {
    let rooms = records(bytes, 0).filter_map(|(_, record)| match record {
        Record::Room(head, _) => Some(head.room),
        Record::Ended(room) => Some(room),
        Record::State(..) | Record::Redact(..) => None,
    });
    let mut rooms: Vec<_> = rooms.collect();
    rooms.sort_unstable();
    rooms.dedup();
    rooms
}
