//! The file `mark`: how far the database and the keys have got.
//!
//! sled takes a file that was cut or overwritten for one that ends earlier,
//! and opens with less, or with nothing. So every commit is counted, in the
//! database and here; a database that is behind its mark has lost something.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;

const LEN: usize = 16;

/// What the mark tells. Nothing, where there is none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Told {
    /// Commits that are on disk.
    pub(crate) commits: u64,
    /// Slots of the file of keys, which never gets shorter.
    pub(crate) key_slots: u64,
}

impl Told {
    /// What the mark tells, if there is one.
    pub(crate) fn by(path: &Path) -> io::Result<Self> {
        let bytes = match std::fs::read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            read => read?,
        };
        Ok(match bytes.as_chunks::<8>().0 {
            [commits, key_slots] => {
                Self { commits: u64::from_be_bytes(*commits), key_slots: u64::from_be_bytes(*key_slots) }
            }
            _ => Self::default(),
        })
    }
}

pub(crate) struct Mark(File);

impl Mark {
    /// Opens the mark, or makes one that tells nothing. From then on the
    /// folder is one that had a database, and its keys have to be there.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(path).map(Self)
    }

    /// Moves the mark. Not synced, as it only has to be never too far ahead:
    /// a power cut that takes back the last moves does no harm.
    pub(crate) fn put(&self, told: Told) {
        let mut bytes = [0; LEN];
        bytes[..8].copy_from_slice(&told.commits.to_be_bytes());
        bytes[8..].copy_from_slice(&told.key_slots.to_be_bytes());
        if let Err(error) = self.0.write_all_at(&bytes, 0) {
            tracing::warn!(%error, "the mark can't be moved");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_where_it_was_put_and_a_cut_one_tells_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mark");
        assert_eq!(Told::by(&path).unwrap(), Told::default());
        let mark = Mark::open(&path).unwrap();
        assert_eq!(Told::by(&path).unwrap(), Told::default());
        let told = Told { commits: 7, key_slots: 1 << 40 };
        mark.put(told);
        assert_eq!(Told::by(&path).unwrap(), told);
        assert_eq!(std::fs::read(&path).unwrap(), [0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 1, 0, 0, 0, 0, 0]);
        std::fs::write(&path, [0; 15]).unwrap();
        assert_eq!(Told::by(&path).unwrap(), Told::default());
    }
}
