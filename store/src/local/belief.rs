//! The file `index.state`: whether the index may be believed.
//!
//! sled's files are whole after the process alone has ended, however it ended.
//! After a power cut they may open with less, or with nothing, and say nothing
//! of it; so then the index isn't asked at all.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::folder::write_whole;

/// The system has a new id after each boot.
const BOOT_ID: &str = "/proc/sys/kernel/random/boot_id";

/// What is known of the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    /// All of it is on disk, and nobody has it open.
    Clean,
    /// Somebody has it open, since the system was started.
    InUse,
    /// It is not to be believed.
    Damaged,
}

/// The file.
pub(crate) struct Belief(PathBuf);

impl Belief {
    /// That of a data folder.
    pub(crate) fn at(folder: &Path) -> Self {
        Self(folder.join("index.state"))
    }

    /// Whether the index may be believed.
    pub(crate) fn holds(&self) -> bool {
        let written = fs::read_to_string(&self.0).unwrap_or_default();
        written == line(State::Clean) || (!boot_id().is_empty() && written == line(State::InUse))
    }

    /// Says what is known of the index from now on.
    pub(crate) fn put(&self, state: State) -> io::Result<()> {
        write_whole(&self.0, line(state).as_bytes())
    }
}

fn line(state: State) -> String {
    match state {
        State::Clean => "clean\n".to_owned(),
        State::InUse => format!("in use since the system started as {}\n", boot_id()),
        State::Damaged => "damaged\n".to_owned(),
    }
}

fn boot_id() -> String {
    fs::read_to_string(BOOT_ID).unwrap_or_default().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_is_believed_after_a_clean_stop_or_while_the_system_runs() {
        let folder = tempfile::tempdir().unwrap();
        let belief = Belief::at(folder.path());
        assert!(!belief.holds(), "nobody knows anything");
        for (state, holds) in [(State::Clean, true), (State::InUse, true), (State::Damaged, false)] {
            belief.put(state).unwrap();
            assert_eq!(belief.holds(), holds, "{state:?}");
        }
        fs::write(&belief.0, "in use since the system started as another\n").unwrap();
        assert!(!belief.holds(), "the system was started since");
    }
}
