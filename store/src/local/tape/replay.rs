//! Changes of the index, read again from the tape.

use std::io;

use super::damage::Damage;
use super::disk::Disk;
use super::frame::Frame;
use super::frames::{Frames, Listed, Part};
use super::reader::Catalog;
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

/// Groups in their order that came after one.
pub(super) fn replay(disk: &Disk, catalog: &Catalog, after: u64) -> impl Iterator<Item = io::Result<Replayed>> + use<> {
    let (files, until) = (&catalog.files, catalog.now.group);
    // The newest file that may hold the first group to come.
    let begins = |file: &Listed| file.first_group.is_some_and(|first| first <= after.saturating_add(1));
    let from = files.iter().rposition(begins).unwrap_or(0);
    // After a clean stop there is none, and no file has to be read.
    let from = if after < until { from } else { files.len() };
    Frames::new(disk, files[from..].iter().copied(), None).filter_map(move |part| match part {
        Ok(Part::Frame(_, frame)) if (after + 1..=until).contains(&frame.head.group) => group(&frame).map(Ok),
        Ok(Part::Missing(damage)) => {
            let is_wanted = !damage.groups.is_empty() && damage.groups.start <= until && damage.groups.end > after + 1;
            is_wanted.then_some(Ok(Replayed::Missing(damage)))
        }
        Ok(_) => None,
        Err(error) => Some(Err(error)),
    })
}

fn group(frame: &Frame) -> Option<Replayed> {
    let states = frame.records().filter_map(|(_, record)| match record {
        Record::State(key, value) => Some((key.to_vec(), value.map(<[u8]>::to_vec))),
        _ => None,
    });
    let states: Vec<_> = states.collect();
    (!states.is_empty()).then_some(Replayed::Group { group: frame.head.group, states })
}
