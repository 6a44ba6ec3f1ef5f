//! The file `mark`: how far the database and the keys have got.
//!
//! sled takes a file that was cut or overwritten for one that ends earlier,
//! and opens with less, or with nothing. So every commit is counted, in the
//! database and here; a database that is behind its mark has lost something.
//!
//! Two numbers of eight bytes, big-endian, and the CRC-32 of both. A mark that
//! is damaged tells nothing.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;

use crate::seals::flipped::sum;

const LEN: usize = 16;
const SUM_LEN: usize = 4;

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
        if bytes.is_empty() {
            return Ok(Self::default());
        }
        let told = parse(&bytes);
        if told.is_none() {
            tracing::error!(
                "the file «mark» is damaged, and taken for none: nobody can tell whether the database has lost its \
                 newest commits. It is made anew"
            );
        }
        Ok(told.unwrap_or_default())
    }
}

fn parse(bytes: &[u8]) -> Option<Told> {
    let (numbers, said) = bytes.split_first_chunk::<LEN>()?;
    let (commits, key_slots) = numbers.split_first_chunk::<8>()?;
    let told = Told { commits: u64::from_be_bytes(*commits), key_slots: u64::from_be_bytes(*key_slots.first_chunk()?) };
    (*said == sum(numbers)).then_some(told)
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
    pub(crate) fn put(&self, commits: u64, key_slots: u64) {
        let mut bytes = [0; LEN + SUM_LEN];
        bytes[..8].copy_from_slice(&commits.to_be_bytes());
        bytes[8..LEN].copy_from_slice(&key_slots.to_be_bytes());
        let sum = sum(&bytes[..LEN]);
        bytes[LEN..].copy_from_slice(&sum);
        if let Err(error) = self.0.write_all_at(&bytes, 0) {
            tracing::warn!(%error, "the mark can't be moved");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::golden::committed;

    const TOLD: Told = Told { commits: 7, key_slots: 1 << 40 };

    fn put(path: &Path) -> Vec<u8> {
        Mark::open(path).unwrap().put(TOLD.commits, TOLD.key_slots);
        std::fs::read(path).unwrap()
    }

    #[test]
    fn a_mark_is_where_it_was_put() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mark");
        assert_eq!(Told::by(&path).unwrap(), Told::default());
        drop(Mark::open(&path).unwrap());
        assert_eq!(Told::by(&path).unwrap(), Told::default());
        let today = put(&path);
        assert_eq!(Told::by(&path).unwrap(), TOLD);
        assert_eq!(committed("mark", || today.clone()), today);
    }

    #[test]
    fn a_damaged_mark_tells_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mark");
        let whole = put(&path);
        for bit in 0..whole.len() * 8 {
            let mut flipped = whole.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            std::fs::write(&path, &flipped).unwrap();
            assert_eq!(Told::by(&path).unwrap(), Told::default(), "bit {bit}");
        }
        for length in 1..whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            assert_eq!(Told::by(&path).unwrap(), Told::default(), "{length} bytes");
        }
    }
}
