//! The file `index.state`: whether a start may use the index.
//!
//! After a crash of the process alone, sled's files are right. After a power cut
//! they may have lost something, and sled does not notice that: so then the index
//! is not used.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::files::write_whole;

/// The system has a new id after each boot.
const BOOT_ID: &str = "/proc/sys/kernel/random/boot_id";

/// What the file says of the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IndexState {
    /// It was closed, and all of it is on disk.
    Clean,
    /// A process has opened it since the system was started.
    InUse,
    /// It must not be used.
    Damaged,
}

impl IndexState {
    /// Whether the index of a data folder may be used.
    pub(crate) fn holds(folder: &Path) -> bool {
        let written = fs::read_to_string(file(folder)).unwrap_or_default();
        written == Self::Clean.line() || (!boot_id().is_empty() && written == Self::InUse.line())
    }

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
        assert!(!IndexState::holds(folder.path()), "nobody knows anything");
        for (index_state, holds) in [(IndexState::Clean, true), (IndexState::InUse, true), (IndexState::Damaged, false)]
        {
            index_state.put(folder.path()).unwrap();
            assert_eq!(IndexState::holds(folder.path()), holds, "{index_state:?}");
        }
        fs::write(file(folder.path()), "in use since the system started as another\n").unwrap();
        assert!(!IndexState::holds(folder.path()), "the system was started since");
    }
}
