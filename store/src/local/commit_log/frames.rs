//! Reads the frames of files, in order. Frames behind damage are found, too, and
//! what is missing between frames is reported. Changes of the index are read from them.

use std::collections::{BTreeSet, VecDeque};
use std::io;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use super::RoomKey;
use super::damage::{Damage, Damaged};
use super::disk::Disk;
use super::format::{Footer, HEADER_LEN, Seed};
use super::frame::{ALIGNMENT, FRAME, Frame, LogRecord, SectionHead, lacks_a_sector, records};
use super::listing::Catalog;

/// A file, and the commit of its first frame, if that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Listed {
    pub(super) number: u32,
    pub(super) first_commit: Option<u64>,
}

/// What was found next.
pub(super) enum Piece {
    /// A frame, and the file that it is in.
    Frame(u32, Frame),
    /// Bytes that can't be read, or a frame that does not belong there.
    Missing(Damage),
    /// The footer of a file.
    Footer(Footer),
    /// The end of a file, if no commit is missing before the next file.
    End(FileEnd),
}

/// Where a file ends.
pub(super) struct FileEnd {
    pub(super) number: u32,
    /// Where the last frame ends, or the footer begins.
    pub(super) at: usize,
    pub(super) length: usize,
    /// Whether a frame behind that is not whole.
    pub(super) is_torn: bool,
    /// How many bytes of that frame are damaged rather than unwritten: somebody may
    /// have been told of it.
    pub(super) damaged: usize,
}

/// Reads files, one after the other. One of them is in memory at a time.
pub(super) struct Frames {
    disk: Disk,
    files: VecDeque<Listed>,
    /// The number of the commit that must come next, if that is known.
    pub(super) expected: Option<u64>,
    /// What was found in the last file and not returned yet.
    rest: VecDeque<Piece>,
}

impl Frames {
    /// `expected` is the commit that the first of the files should begin with.
    pub(super) fn new(disk: &Disk, files: impl IntoIterator<Item = Listed>, expected: Option<u64>) -> Self {
        Self { disk: disk.clone(), files: files.into_iter().collect(), expected, rest: VecDeque::new() }
    }

    /// Whether no whole frame follows the one that was just returned.
    pub(super) fn is_last(&self) -> bool {
        self.files.is_empty() && self.rest.len() == 1
    }

    /// Reads a file, and finds all that is in it.
    fn read(&mut self, number: u32) -> io::Result<()> {
        let file = self.disk.open(number)?;
        let (path, bytes, seed) = (file.path(), Arc::new(file.read_all()?), file.seed());
        let content = Content { path, bytes: bytes.clone() };
        let next_file = self.files.front().and_then(|next| next.first_commit);
        // Where the search goes on, where the last frame ends, and the bytes before the
        // next frame that can't be read.
        let (mut at, mut end, mut bad) = (HEADER_LEN, HEADER_LEN, None);
        while let Some((found, whole)) = search(&bytes, at, &seed) {
            if found > at {
                bad = Some(at..found);
            }
            at = found;
            match whole {
                Whole::Frame(frame) => {
                    let commit = frame.head.commit;
                    // This frame was written before a crash and not acknowledged. The
                    // next file has another frame with its number.
                    if next_file.is_some_and(|first| commit >= first) {
                        break;
                    }
                    at = frame.end();
                    if self.expected.is_some_and(|expected| commit < expected) {
                        self.rest.push_back(content.missing(Damaged::Stray, found..at, commit..commit));
                        continue;
                    }
                    self.go_on_with(commit, &content, bad.take(), found..found);
                    self.rest.push_back(Piece::Frame(number, frame));
                    self.expected = Some(commit + 1);
                    end = at;
                }
                Whole::Footer(footer) => {
                    let next = footer.commit + 1;
                    self.go_on_with(next, &content, bad, at..at);
                    self.expected = self.expected.max(Some(next));
                    self.rest.push_back(Piece::Footer(footer));
                    self.rest.push_back(Piece::End(FileEnd {
                        number,
                        at,
                        length: bytes.len(),
                        is_torn: false,
                        damaged: 0,
                    }));
                    return Ok(());
                }
            }
        }
        if let Some(first) = next_file {
            let lacks_commits = self.expected.is_some_and(|expected| expected < first);
            self.go_on_with(first, &content, bad, at..bytes.len());
            self.expected = self.expected.max(next_file);
            if lacks_commits {
                return Ok(());
            }
        }
        let written = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        let is_torn = written > at;
        let is_damaged = is_torn && next_file.is_none() && !is_unfinished(&bytes[..written], at);
        let damaged = if is_damaged { written - at } else { 0 };
        self.rest.push_back(Piece::End(FileEnd { number, at: end, length: bytes.len(), is_torn, damaged }));
        Ok(())
    }

    /// Reports what is missing before a commit, if anything is: at the bytes `bad`, which
    /// can't be read, or else at `at`.
    fn go_on_with(&mut self, commit: u64, content: &Content, bad: Option<Range<usize>>, at: Range<usize>) {
        let missing = self.expected.unwrap_or(commit).min(commit)..commit;
        if bad.is_some() || !missing.is_empty() {
            self.rest.push_back(content.missing(Damaged::Frames, bad.unwrap_or(at), missing));
        }
    }
}

/// The content of a file.
struct Content {
    path: PathBuf,
    bytes: Arc<Vec<u8>>,
}

impl Content {
    fn missing(&self, what: Damaged, at: Range<usize>, commits: Range<u64>) -> Piece {
        let rooms = rooms_in(self.bytes.get(at.clone()).unwrap_or_default());
        Piece::Missing(Damage { path: self.path.clone(), at, what, commits, rooms })
    }
}

impl Iterator for Frames {
    type Item = io::Result<Piece>;

    fn next(&mut self) -> Option<io::Result<Piece>> {
        while self.rest.is_empty() {
            let file = self.files.pop_front()?;
            self.expected = self.expected.or(file.first_commit);
            if let Err(error) = self.read(file.number) {
                return Some(Err(error));
            }
        }
        self.rest.pop_front().map(Ok)
    }
}

/// A frame or footer whose checksum is right.
pub(super) enum Whole {
    Frame(Frame),
    Footer(Footer),
}

/// Finds the next whole frame or footer of a file.
pub(super) fn search(file: &Arc<Vec<u8>>, from: usize, seed: &Seed) -> Option<(usize, Whole)> {
    let mut places = (from..file.len()).step_by(ALIGNMENT);
    places.find_map(|at| {
        let whole = match SectionHead::decode(&file[at..])?.kind {
            FRAME => Whole::Frame(Frame::read(file, at, seed)?),
            _ => Whole::Footer(Footer::decode(&file[at..], seed)?),
        };
        Some((at, whole))
    })
}

/// Whether the frame that begins at `at` and is not whole was not wholly written.
/// Otherwise it is damaged.
fn is_unfinished(written: &[u8], at: usize) -> bool {
    let is_cut = SectionHead::decode(&written[at..]).is_some_and(|head| {
        // A damaged length is no reason if all records are there.
        let ends_later = at + head.section_len() >= written.len() + ALIGNMENT;
        ends_later && records(&written[at..], at).take(head.count as usize).count() < head.count as usize
    });
    is_cut || lacks_a_sector(written, at..written.len())
}

/// The rooms of records that damaged bytes seem to have. They may be wrong.
fn rooms_in(bytes: &[u8]) -> Vec<RoomKey> {
    let rooms = records(bytes, 0).filter_map(|(_, record)| match record {
        LogRecord::Room(head, _) => Some(head.room),
        LogRecord::Ended(room) => Some(room),
        LogRecord::State(..) | LogRecord::Redact(..) => None,
    });
    rooms.collect::<BTreeSet<_>>().into_iter().collect()
}

/// A key, with its new value; `None` removes the key.
pub(crate) type StateChange = (Vec<u8>, Option<Vec<u8>>);

/// What is read next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Replayed {
    /// A commit that changed the index.
    Commit { commit: u64, states: Vec<StateChange> },
    /// Commits that can't be read.
    Missing(Damage),
}

/// The changes of the commits after `after`, in order.
pub(super) fn replay(disk: &Disk, catalog: &Catalog, after: u64) -> impl Iterator<Item = io::Result<Replayed>> + use<> {
    let (files, until) = (&catalog.files, catalog.now.commit);
    // The newest file that may hold the first commit to come.
    let begins = |file: &Listed| file.first_commit.is_some_and(|first| first <= after.saturating_add(1));
    let from = files.iter().rposition(begins).unwrap_or(0);
    // After a clean stop no file has to be read.
    let from = if after < until { from } else { files.len() };
    Frames::new(disk, files[from..].iter().copied(), None).filter_map(move |part| match part {
        Ok(Piece::Frame(_, frame)) if (after + 1..=until).contains(&frame.head.commit) => commit(&frame).map(Ok),
        Ok(Piece::Missing(damage)) => {
            let is_wanted =
                !damage.commits.is_empty() && damage.commits.start <= until && damage.commits.end > after + 1;
            is_wanted.then_some(Ok(Replayed::Missing(damage)))
        }
        Ok(_) => None,
        Err(error) => Some(Err(error)),
    })
}

fn commit(frame: &Frame) -> Option<Replayed> {
    let states = frame.records().filter_map(|(_, record)| match record {
        LogRecord::State(key, value) => Some((key.to_vec(), value.map(<[u8]>::to_vec))),
        _ => None,
    });
    let states: Vec<_> = states.collect();
    (!states.is_empty()).then_some(Replayed::Commit { commit: frame.head.commit, states })
}
