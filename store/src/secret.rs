//! The file `secret`: what tokens are signed with and names are indexed by.
//!
//! 32 random bytes, and their CRC-32 (little-endian). A wrong secret would
//! find no name and let nobody in, so it is never used: one flipped bit is
//! put right, and more than one is refused. Files of before today have no
//! checksum; whether such a secret is the right one, the names in the
//! database tell (see `Store::open`), and then it gets one.

use std::fmt;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use aws_lc_rs::hmac;
use zeroize::Zeroizing;

use crate::flipped::{put_right, sum};
use crate::folder::write_whole;
use crate::seal;

const LEN: usize = 32;
const SUM_LEN: usize = 4;

/// The secret of a folder.
pub(crate) struct Secret {
    bytes: Zeroizing<[u8; LEN]>,
    is: Found,
}

/// What the file was like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Found {
    Whole,
    /// One bit of it was not, and is now in memory.
    Mended,
    /// Nothing in it says whether it is.
    Unchecked,
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Secret({:?}, …)", self.is)
    }
}

impl Secret {
    /// Reads the file, or makes one. One that is there is not written to.
    pub(crate) fn at(path: &Path) -> io::Result<Self> {
        let mut bytes = match fs::read(path) {
            Ok(bytes) => Zeroizing::new(bytes),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let bytes = Zeroizing::new(seal::random().map_err(io::Error::other)?);
                write(path, &bytes)?;
                return Ok(Self { bytes, is: Found::Whole });
            }
            Err(error) => return Err(error),
        };
        let is = match bytes.len() {
            LEN => Found::Unchecked,
            _ if is_right(&bytes) => Found::Whole,
            _ if put_right(&mut bytes, is_right) => Found::Mended,
            _ => return Err(damaged()),
        };
        let bytes = bytes.first_chunk().copied().map(Zeroizing::new).ok_or_else(damaged)?;
        Ok(Self { bytes, is })
    }

    /// Makes the file of a folder that is being restored.
    pub(crate) fn restore(path: &Path, bytes: &[u8]) -> io::Result<()> {
        write(path, bytes.try_into().map_err(|_| damaged())?)
    }

    /// Writes down what was found out about the secret. `fits` says whether a
    /// key for the index is the one that the names in the database stand
    /// under; also yes, where there are no names.
    pub(crate) fn settle(&mut self, path: &Path, fits: impl Fn(&[u8; LEN]) -> bool) -> io::Result<()> {
        let fits = |bytes: &[u8]| bytes.try_into().is_ok_and(|bytes| fits(&derive(bytes, INDEX)));
        if self.is == Found::Unchecked && !fits(&*self.bytes) {
            if !put_right(&mut *self.bytes, fits) {
                return Err(damaged());
            }
            self.is = Found::Mended;
        }
        match self.is {
            Found::Whole => return Ok(()),
            Found::Unchecked => tracing::info!("the secret got a checksum"),
            Found::Mended => tracing::error!(
                "a bit was flipped in the file of the secret: it was put right, and nothing is lost. A disk or memory \
                 that does this does it again: have both checked"
            ),
        }
        self.is = Found::Whole;
        write(path, &self.bytes)
    }

    pub(crate) fn bytes(&self) -> &[u8; LEN] {
        &self.bytes
    }

    /// A key for one purpose, which tells nothing about the others.
    pub(crate) fn derive(&self, purpose: &str) -> [u8; 32] {
        derive(&self.bytes, purpose)
    }
}

/// What names and addresses stand under in the index.
pub(crate) const INDEX: &str = "index";

fn derive(secret: &[u8; LEN], purpose: &str) -> [u8; 32] {
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret);
    let mut out = [0; 32];
    out.copy_from_slice(hmac::sign(&key, purpose.as_bytes()).as_ref());
    out
}

fn write(path: &Path, bytes: &[u8; LEN]) -> io::Result<()> {
    let mut whole = Zeroizing::new([0; LEN + SUM_LEN]);
    whole[..LEN].copy_from_slice(bytes);
    whole[LEN..].copy_from_slice(&sum(bytes));
    write_whole(path, &*whole)
}

fn is_right(bytes: &[u8]) -> bool {
    bytes.split_last_chunk::<SUM_LEN>().is_some_and(|(secret, said)| secret.len() == LEN && sum(secret) == *said)
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
            assert_eq!((found.bytes(), found.is), (secret.bytes(), Found::Mended), "bit {bit}");
            assert_eq!(fs::read(&path).unwrap(), flipped, "reading writes nothing");
            found.settle(&path, |_| panic!("there is nothing to find out")).unwrap();
            assert_eq!(fs::read(&path).unwrap(), whole);

            flipped[(bit / 8 + 3) % whole.len()] ^= 0x11;
            fs::write(&path, &flipped).unwrap();
            let error = Secret::at(&path).unwrap_err().to_string();
            assert!(error.contains("damaged") && error.contains("annon restore"), "{error}");
            assert_eq!(fs::read(&path).unwrap(), flipped);
        }
        fs::write(&path, &whole[..LEN - 1]).unwrap();
        assert!(Secret::at(&path).is_err());
    }

    #[test]
    fn an_old_secret_gets_its_checksum_if_it_is_the_right_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret");
        let right = [7; LEN];
        let fits = |index: &[u8; 32]| *index == derive(&right, INDEX);
        let mut flipped = right;
        flipped[20] ^= 0x40;
        for old in [right, flipped] {
            fs::write(&path, old).unwrap();
            let mut secret = Secret::at(&path).unwrap();
            assert_eq!(fs::read(&path).unwrap(), old, "reading writes nothing");
            secret.settle(&path, fits).unwrap();
            assert_eq!((secret.bytes(), secret.is), (&right, Found::Whole));
            let again = Secret::at(&path).unwrap();
            assert_eq!((again.bytes(), again.is), (&right, Found::Whole));
        }
        fs::write(&path, [9; LEN]).unwrap();
        assert!(Secret::at(&path).unwrap().settle(&path, fits).is_err());
        assert_eq!(fs::read(&path).unwrap(), [9; LEN]);
    }

    #[test]
    fn printing_shows_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret");
        fs::write(&path, [b'z'; LEN]).unwrap();
        assert_eq!(format!("{:?}", Secret::at(&path).unwrap()), "Secret(Unchecked, …)");
    }
}
