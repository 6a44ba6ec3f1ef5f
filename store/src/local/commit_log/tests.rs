//! What the tests of the commit log share: a model to compare it with, and random numbers.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use tempfile::TempDir;

use super::damage::Damage;
use super::disk::Disk;
use super::*;
use crate::random::Random;

mod broken;
mod files;
mod golden;
mod power;
mod round_trips;

pub(super) const ID: [u8; 16] = *b"one data folder.";

pub(super) fn disk(folder: &Path) -> Disk {
    Disk::new(folder.to_owned(), ID, false)
}

pub(super) fn found(folder: &Path) -> Found {
    Found::read_disk(disk(folder)).unwrap_or_else(|refusal| panic!("{refusal}"))
}

pub(super) fn open(folder: &Path) -> CommitLog {
    found(folder).begin(0).unwrap()
}

/// Writes over a part of a file, as damage does.
pub(super) fn write_over(folder: &Path, number: u32, at: usize, bytes: &[u8]) {
    let file = File::options().write(true).open(disk(folder).path(number)).unwrap();
    file.write_all_at(bytes, at as u64).unwrap();
}

pub(super) fn room(n: u8) -> RoomKey {
    [n; 16]
}

/// A body that stands for sealed words, and that a test can find in a file.
pub(super) fn words(room: &RoomKey, first: u64, version: u64) -> Vec<u8> {
    let length = 32 + (first as usize * 7 + usize::from(room[0])) % 90;
    let text = format!("<{}.{first}.{version}>", room[0]);
    text.bytes().cycle().take(length).collect()
}

/// What a commit log holds, or should hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Model {
    pub(super) rooms: BTreeMap<RoomKey, Vec<(u64, Vec<u8>)>>,
    pub(super) states: BTreeMap<Vec<u8>, Vec<u8>>,
    pub(super) commit: u64,
    /// The damage that was named.
    pub(super) named: Vec<String>,
    pub(super) gaps: Vec<RoomKey>,
}

impl Model {
    pub(super) fn last(&self, room: &RoomKey) -> u64 {
        self.rooms.get(room).and_then(|records| records.last()).map_or(0, |(first, _)| *first)
    }

    /// Applies a commit. A redaction names its record by room and seq.
    pub(super) fn apply(&mut self, changes: &[Wish]) {
        self.commit += 1;
        for change in changes {
            match change {
                Wish::Room(room, first, body) => self.rooms.entry(*room).or_default().push((*first, body.clone())),
                Wish::State(key, Some(value)) => drop(self.states.insert(key.clone(), value.clone())),
                Wish::State(key, None) => drop(self.states.remove(key)),
                Wish::Ended(room) => drop(self.rooms.remove(room)),
                Wish::Redact(room, first, body) => {
                    let records = self.rooms.get_mut(room).unwrap();
                    records.iter_mut().find(|(at, _)| at == first).unwrap().1.clone_from(body);
                }
            }
        }
    }

    /// Commits to a commit log, and applies the same changes to the model.
    pub(super) fn commit(&mut self, commit_log: &mut CommitLog, wishes: &[Wish], hour: u64) {
        let committed = commit(commit_log, wishes, hour).unwrap();
        self.apply(wishes);
        assert_eq!(committed.commit, self.commit);
    }

    /// What a reader can read. Missing parts are named.
    pub(super) fn read(reader: &Reader, damage: &[Damage], commit: u64) -> Self {
        let mut model = Self { commit, ..Self::default() };
        for damage in damage {
            model.named.push(damage.to_string());
            model.gaps.extend(&damage.rooms);
        }
        for room in reader.rooms() {
            let mut records = Vec::new();
            for link in reader.chain(&room) {
                match link.unwrap() {
                    ChainLink::Record(_, record) => records.push((record.head.first, record.body)),
                    ChainLink::Gap(_, why) => {
                        model.named.push(why);
                        model.gaps.push(room);
                    }
                }
            }
            records.reverse();
            model.rooms.insert(room, records);
        }
        for replayed in reader.replay(0) {
            match replayed.unwrap() {
                Replayed::Commit { states, .. } => states.into_iter().for_each(|(key, value)| match value {
                    Some(value) => drop(model.states.insert(key, value)),
                    None => drop(model.states.remove(&key)),
                }),
                Replayed::Missing(damage) => model.named.push(damage.to_string()),
            }
        }
        model
    }

    /// What a start has found, read without writing anything.
    pub(super) fn of(found: Found) -> Self {
        let Found { open_files, catalog, damage, torn, .. } = found;
        let commit = catalog.now.commit;
        let reader = Reader::new(open_files, catalog);
        let damage: Vec<_> = damage.into_iter().chain(torn).collect();
        Self::read(&reader, &damage, commit)
    }

    pub(super) fn of_commit_log(commit_log: &CommitLog) -> Self {
        Self::read(&commit_log.reader(), &[], commit_log.last_commit())
    }

    /// Checks that every missing record was named.
    pub(super) fn assert_told(&self, all: &Self, what: &str) {
        for (room, records) in &all.rooms {
            let there = self.rooms.get(room).map_or(&[][..], Vec::as_slice);
            assert!(there.iter().all(|record| records.contains(record)), "{what}: something else in a room");
            if there != records {
                let is_named = self.gaps.contains(room) || !self.named.is_empty();
                assert!(is_named, "{what}: {} of {} in room {}", there.len(), records.len(), room[0]);
            }
        }
        for (key, value) in &all.states {
            let is_there = self.states.get(key) == Some(value);
            assert!(is_there || !self.named.is_empty(), "{what}: a change is missing");
        }
        assert!(self.commit == all.commit || !self.named.is_empty(), "{what}: ends with {}", self.commit);
    }
}

/// The next record of a room.
pub(super) fn next_record(room: RoomKey, first: u64) -> Wish {
    Wish::Room(room, first, words(&room, first, 0))
}

/// A change that names a record by room and seq, not by place.
#[derive(Debug, Clone)]
pub(super) enum Wish {
    Room(RoomKey, u64, Vec<u8>),
    State(Vec<u8>, Option<Vec<u8>>),
    Redact(RoomKey, u64, Vec<u8>),
    Ended(RoomKey),
}

pub(super) fn commit(commit_log: &mut CommitLog, wishes: &[Wish], hour: u64) -> Result<Committed, CommitError> {
    let reader = commit_log.reader();
    let changes = wishes.iter().cloned().map(|wish| match wish {
        Wish::Room(room, first, body) => Change::Room { room, first, count: 1, body },
        Wish::State(key, value) => Change::State { key, value },
        Wish::Ended(room) => Change::Ended { room },
        Wish::Redact(room, first, body) => {
            let place = reader.chain(&room).find_map(|link| match link.unwrap() {
                ChainLink::Record(place, record) if record.head.first == first => Some(place),
                _ => None,
            });
            Change::Redact { place: place.unwrap(), body }
        }
    });
    commit_log.commit(changes.collect(), [7; 16], hour)
}

/// A new folder, and a commit log in it.
pub(super) fn fresh() -> (TempDir, CommitLog) {
    let parent = tempfile::tempdir().unwrap();
    let commit_log = open(parent.path());
    (parent, commit_log)
}

impl Random {
    /// A random commit of changes.
    pub(super) fn wishes(&mut self, model: &Model) -> Vec<Wish> {
        let mut after = model.clone();
        let mut wishes = Vec::new();
        for _ in 0..=self.below(3) {
            let room = room(self.below(4) as u8 + 1);
            let has_ended = wishes.iter().any(|wish| matches!(wish, Wish::Ended(ended) if *ended == room));
            let is_used = wishes.iter().any(|wish| match wish {
                Wish::Room(used, ..) | Wish::Redact(used, ..) => *used == room,
                Wish::State(..) | Wish::Ended(_) => false,
            });
            let wish = match (self.below(10), model.rooms.get(&room)) {
                (0..=4, _) => {
                    let first = after.last(&room) + 1;
                    Wish::Room(room, first, words(&room, first, self.below(1 << 40)))
                }
                (5 | 6, _) => Wish::State(vec![self.below(20) as u8], Some(vec![self.below(250) as u8; 30])),
                (7, _) => Wish::State(vec![self.below(20) as u8], None),
                (8, Some(_)) if self.below(4) == 0 && !is_used => Wish::Ended(room),
                (_, Some(records)) if !has_ended => {
                    let first = records[self.below(records.len() as u64) as usize].0;
                    Wish::Redact(room, first, words(&room, first, self.below(1 << 40)))
                }
                _ => continue,
            };
            after.apply(std::slice::from_ref(&wish));
            wishes.push(wish);
        }
        wishes
    }
}
