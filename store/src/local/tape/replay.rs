//! Changes of the index, read again from the tape.

use std::io;

use super::damage::Damage;
use super::disk::Disk;
use super::frame::Frame;
use super::frames::{Frames, Listed, Part};
use super::record::Record;

/// A key, and its value if it has one from now on.
pub(crate) type State = (Vec<u8>, Option<Vec<u8>>);

/// Part of what happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Replayed {
    /// A group that changed the index.
    Group { group: u64, states: Vec<State> },
    /// Groups that can't be read.
    Missing(Damage),
}

/// Groups in their order; one frame is in memory at a time.
pub(crate) struct Replay {
    frames: Frames,
    after: u64,
    until: u64,
}

impl Replay {
    pub(super) fn new(disk: &Disk, files: &[Listed], after: u64, until: u64) -> Self {
        // The newest file that may hold the first group to come.
        let begins = |file: &Listed| file.first_group.is_some_and(|first| first <= after.saturating_add(1));
        let from = files.iter().rposition(begins).unwrap_or(0);
        // After a clean stop there is none, and no file has to be read.
        let from = if after < until { from } else { files.len() };
        Self { frames: Frames::new(disk, files[from..].iter().copied(), None), after, until }
    }

    fn group(&self, frame: &Frame) -> Option<Replayed> {
        let states = frame.records().filter_map(|(_, record)| match record {
            Record::State(key, value) => Some((key.to_vec(), value.map(<[u8]>::to_vec))),
            _ => None,
        });
        let states: Vec<_> = states.collect();
        let group = frame.head.group;
        (group > self.after && !states.is_empty()).then_some(Replayed::Group { group, states })
    }
}

impl Iterator for Replay {
    type Item = io::Result<Replayed>;

    fn next(&mut self) -> Option<io::Result<Replayed>> {
        while !self.frames.is_past(self.until) {
            match self.frames.step() {
                Ok(Some(Part::Frame(_, frame))) if frame.head.group <= self.until => {
                    if let Some(group) = self.group(&frame) {
                        return Some(Ok(group));
                    }
                }
                Ok(Some(Part::Missing(damage))) if damage.groups.end > self.after + 1 && !damage.groups.is_empty() => {
                    return Some(Ok(Replayed::Missing(damage)));
                }
                Ok(Some(_)) => {}
                Ok(None) => return None,
                Err(error) => return Some(Err(error)),
            }
        }
        None
    }
}
