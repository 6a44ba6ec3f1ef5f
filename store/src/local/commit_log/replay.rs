//! Reads changes of the index from the commit log.

use std::io;

use super::catalog::Catalog;
use super::damage::Damage;
use super::disk::Disk;
use super::frame::{Frame, LogRecord};
use super::frames::{Frames, Listed, Piece};

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
