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
pub(crate) enum Belief {
    /// All of it is on disk, and nobody has it open.
    Clean,
    /// Somebody has it open, since the system was started.
    InUse,
    /// It is not to be believed.
    Damaged,
}

impl Belief {
    /// Whether the index of a data folder may be believed.
    pub(crate) fn holds(folder: &Path) -> bool {
        let written = fs::read_to_string(file(folder)).unwrap_or_default();
        written == Self::Clean.line() || (!boot_id().is_empty() && written == Self::InUse.line())
    }

    /// Says what is known of the index from now on.
    pub(crate) fn put(self, folder: &Path) -> io::Result<()> {
        write_whole(&file(folder), self.line().as_bytes())
    }

    fn line(self) -> String {
        match self {
            Self::Clean => "clean\n".to_owned(),
            Self::InUse => format!("in use since the system started as {}\n", boot_id()),
            Self::Damaged => "damaged\n".to_owned(),
        }
    }
}

fn file(folder: &Path) -> PathBuf {
    folder.join("index.state")
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
        assert!(!Belief::holds(folder.path()), "nobody knows anything");
        for (belief, holds) in [(Belief::Clean, true), (Belief::InUse, true), (Belief::Damaged, false)] {
            belief.put(folder.path()).unwrap();
            assert_eq!(Belief::holds(folder.path()), holds, "{belief:?}");
        }
        fs::write(file(folder.path()), "in use since the system started as another\n").unwrap();
        assert!(!Belief::holds(folder.path()), "the system was started since");
    }
}
