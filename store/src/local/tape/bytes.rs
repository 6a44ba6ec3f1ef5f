//! Fields out of bytes, and the checksums of a file.

use crc32fast::Hasher;

use super::Place;

/// Takes little-endian fields off the front; `None` where there are too few bytes.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a>(pub(super) &'a [u8]);

impl<'a> Fields<'a> {
    pub(super) fn bytes(&mut self, length: usize) -> Option<&'a [u8]> {
        self.0.split_off(..length)
    }

    pub(super) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*taken)
    }

    pub(super) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    pub(super) fn place(&mut self) -> Option<Place> {
        Some(Place { file: self.u32()?, offset: self.u32()? })
    }
}

/// What every checksum in a file starts from. It makes what belongs to another
/// file or another folder as wrong as what is damaged.
#[derive(Clone)]
pub(super) struct Seed(Hasher);

impl Seed {
    pub(super) fn new(folder: &[u8; 16], file: u32) -> Self {
        let mut hasher = Hasher::new();
        hasher.update(folder);
        hasher.update(&file.to_le_bytes());
        Self(hasher)
    }

    pub(super) fn hasher(&self) -> Hasher {
        self.0.clone()
    }

    pub(super) fn sum(&self, parts: &[&[u8]]) -> u32 {
        let mut hasher = self.hasher();
        parts.iter().for_each(|part| hasher.update(part));
        hasher.finalize()
    }
}
