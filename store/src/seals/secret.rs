//! The file `secret`: tokens are signed with it, and names are blinded with it.
//!
//! It has 32 random bytes, and their CRC-32 (little-endian). With a wrong secret no
//! name would be found, so it is never used: one flipped bit is repaired, and more
//! damage is refused.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use zeroize::Zeroizing;

use crate::files::{if_there, write_whole};
use crate::seals::bit_repair::{put_right, sum};
use crate::seals::{self, Blinder};
use crate::text::unprintable;

const LEN: usize = 32;
const SUM_LEN: usize = 4;

/// The secret of a folder.
pub(crate) struct Secret {
    bytes: Zeroizing<[u8; LEN]>,
    /// Whether a flipped bit was repaired in memory, but not in the file.
    is_mended: bool,
}

unprintable!(Secret);

impl Secret {
    /// Reads the file, or makes one. A file that is there is not changed.
    pub(crate) fn at(path: &Path) -> io::Result<Self> {
        if let Some(found) = Self::read(path)? {
            return Ok(found);
        }
        let bytes = Zeroizing::new(seals::random().map_err(io::Error::other)?);
        write(path, &bytes)?;
        Ok(Self { bytes, is_mended: false })
    }

    /// Reads the file, if it is there.
    pub(crate) fn read(path: &Path) -> io::Result<Option<Self>> {
        let Some(mut bytes) = if_there(fs::read(path))?.map(Zeroizing::new) else { return Ok(None) };
        let is_mended = !is_right(&bytes);
        if is_mended && !put_right(&mut bytes, is_right) {
            return Err(damaged());
        }
        let bytes = bytes.first_chunk().copied().map(Zeroizing::new).ok_or_else(damaged)?;
        Ok(Some(Self { bytes, is_mended }))
    }

    /// The secret of a backup; `None` if it isn't one.
    pub(crate) fn of(bytes: &[u8]) -> Option<Self> {
        Some(Self { bytes: Zeroizing::new(bytes.try_into().ok()?), is_mended: false })
    }

    /// Makes the file in a folder that is restored.
    pub(crate) fn restore(path: &Path, bytes: &[u8]) -> io::Result<()> {
        write(path, bytes.try_into().map_err(|_| damaged())?)
    }

    /// Writes the file again, if a bit of it was repaired.
    pub(crate) fn write_if_mended(&mut self, path: &Path) -> io::Result<()> {
        if !std::mem::take(&mut self.is_mended) {
            return Ok(());
        }
        tracing::error!(
            "a bit was flipped in the file of the secret: it was repaired, and nothing is lost. Check the disk \
             and the memory: it may happen again"
        );
        write(path, &self.bytes)
    }

    pub(crate) fn bytes(&self) -> &[u8; LEN] {
        &self.bytes
    }

    /// A key for one purpose, which tells nothing about the others.
    pub(crate) fn derive(&self, purpose: &str) -> [u8; 32] {
        Blinder::new(&self.bytes[..]).blind(purpose)
    }
}

/// The purpose of the key that blinds names and addresses.
pub(crate) const INDEX: &str = "index";
/// The purpose of the key that hides the places of notes in their ids.
pub(crate) const NOTE_IDS: &str = "note ids";
/// The purpose of the key that hides the places of public answers in their ids.
pub(crate) const ANSWER_IDS: &str = "answer ids";

/// Makes the file of a new secret. One that is there is not changed.
pub fn make_secret(path: &Path) -> io::Result<()> {
    if path.exists() {
        return Err(ErrorKind::AlreadyExists.into());
    }
    Secret::at(path).map(drop)
}

fn write(path: &Path, bytes: &[u8; LEN]) -> io::Result<()> {
    let mut whole = Zeroizing::new([0; LEN + SUM_LEN]);
    whole[..LEN].copy_from_slice(bytes);
    whole[LEN..].copy_from_slice(&sum(&[bytes]));
    write_whole(path, &*whole)
}

fn is_right(bytes: &[u8]) -> bool {
    bytes.len() == LEN + SUM_LEN && sum(&[&bytes[..LEN]]) == bytes[LEN..]
}

fn damaged() -> io::Error {
    io::Error::new(
        ErrorKind::InvalidData,
        "this is not the secret annon made here, or it is damaged: with a wrong one no name would be found and nobody \
         could sign in. Nothing was written over it. Put the file back as it was, or restore a backup into an empty folder \
         (annon restore)",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flipped_bit_is_put_right_and_two_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret");
        let secret = Secret::at(&path).unwrap();
        let whole = fs::read(&path).unwrap();
        assert_eq!(whole.len(), LEN + SUM_LEN);
        for bit in 0..whole.len() * 8 {
            let mut flipped = whole.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            fs::write(&path, &flipped).unwrap();
            let mut found = Secret::at(&path).unwrap();
            assert_eq!((found.bytes(), found.is_mended), (secret.bytes(), true), "bit {bit}");
            assert_eq!(fs::read(&path).unwrap(), flipped, "reading writes nothing");
            found.write_if_mended(&path).unwrap();
            assert_eq!(fs::read(&path).unwrap(), whole);

            flipped[(bit / 8 + 3) % whole.len()] ^= 0x11;
            fs::write(&path, &flipped).unwrap();
            let error = Secret::at(&path).unwrap_err().to_string();
            assert!(error.contains("damaged") && error.contains("annon restore"), "{error}");
            assert_eq!(fs::read(&path).unwrap(), flipped);
        }
        for length in [LEN - 1, LEN] {
            fs::write(&path, &whole[..length]).unwrap();
            assert!(Secret::at(&path).is_err(), "{length} bytes");
        }
    }
}
