//! What outlives the program: whose seat it is, and what was seen last.

use std::ffi::OsStr;
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::trouble::Trouble;

#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Kept {
    room: String,
    cookie: Option<String>,
    since: Option<u64>,
}

/// In a file, if one was named.
#[derive(Debug)]
pub(crate) struct Memory {
    file: Option<PathBuf>,
    kept: Kept,
}

impl Memory {
    /// What the file says, unless it is about another room.
    pub(crate) fn load(file: Option<&Path>, room: &str) -> Result<Self, Trouble> {
        let fresh = Kept { room: room.to_owned(), ..Kept::default() };
        let Some(file) = file else { return Ok(Self { file: None, kept: fresh }) };
        let kept = match fs::read(file) {
            Ok(bytes) => serde_json::from_slice::<Kept>(&bytes)
                .map_err(|error| Trouble::because(format!("{} is no file of ours: {error}", file.display())))?,
            Err(error) if error.kind() == ErrorKind::NotFound => fresh,
            Err(error) => return Err(Trouble::because(format!("can't read {}: {error}", file.display()))),
        };
        if kept.room != room {
            return Err(Trouble::because(format!("{} is for another group, {}", file.display(), kept.room)));
        }
        Ok(Self { file: Some(file.to_owned()), kept })
    }

    pub(crate) fn cookie(&self) -> Option<&str> {
        self.kept.cookie.as_deref()
    }

    /// The last place in the room's log that was shown.
    pub(crate) fn since(&self) -> Option<u64> {
        self.kept.since
    }

    pub(crate) fn sit(&mut self, cookie: &str) -> Result<(), Trouble> {
        // A seat of somebody new has seen nothing.
        if self.kept.cookie.as_deref().is_some_and(|kept| kept != cookie) {
            self.kept.since = None;
        }
        self.kept.cookie = Some(cookie.to_owned());
        self.save()
    }

    pub(crate) fn saw(&mut self, seq: u64) -> Result<(), Trouble> {
        if self.kept.since.is_some_and(|since| since >= seq) {
            return Ok(());
        }
        self.kept.since = Some(seq);
        self.save()
    }

    /// Beside the old one first, so that being killed leaves one of the two.
    fn save(&self) -> Result<(), Trouble> {
        let Some(file) = &self.file else { return Ok(()) };
        let mut beside = file.clone().into_os_string();
        beside.push(".new");
        let text = serde_json::to_vec(&self.kept).unwrap_or_default();
        let saved = write_for_the_owner(&beside, &text).and_then(|()| fs::rename(&beside, file));
        saved.map_err(|error| Trouble::because(format!("can't write {}: {error}", file.display())))
    }
}

/// Only the owner may read the file: the cookie in it is the seat.
fn write_for_the_owner(file: &OsStr, text: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().create(true).write(true).truncate(true).mode(0o600).open(file)?;
    file.write_all(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seat_and_the_last_line_seen_are_found_again() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("seat");
        let mut memory = Memory::load(Some(&file), "r").unwrap();
        assert_eq!((memory.cookie(), memory.since()), (None, None));
        memory.sit("a=b").unwrap();
        for seq in [4, 9, 7] {
            memory.saw(seq).unwrap();
        }
        let again = Memory::load(Some(&file), "r").unwrap();
        assert_eq!((again.cookie(), again.since()), (Some("a=b"), Some(9)));
        assert!(Memory::load(Some(&file), "other").is_err());
        fs::write(&file, "not ours").unwrap();
        assert!(Memory::load(Some(&file), "r").is_err());
    }

    #[test]
    fn another_seat_has_seen_nothing() {
        let mut memory = Memory::load(None, "r").unwrap();
        memory.sit("a=b").unwrap();
        memory.saw(5).unwrap();
        memory.sit("a=b").unwrap();
        assert_eq!(memory.since(), Some(5));
        memory.sit("c=d").unwrap();
        assert_eq!(memory.since(), None);
    }
}
