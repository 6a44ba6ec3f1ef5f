//! The sum of the index: how many pairs it has, and the sum of their checksums.
//!
//! When sled can't read a part of its own files, it may open without that part
//! and report nothing. So each frame of the commit log has the sum that the index
//! has after it, and a start compares the two.

use crate::local::commit_log;

/// Pairs, and the sum of their checksums.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct IndexSum {
    pub(crate) pairs: u64,
    sum: u64,
}

impl IndexSum {
    pub(crate) fn add(&mut self, key: &[u8], value: &[u8]) {
        self.pairs = self.pairs.wrapping_add(1);
        self.sum = self.sum.wrapping_add(checksum(key, value));
    }

    pub(crate) fn remove(&mut self, key: &[u8], value: &[u8]) {
        self.pairs = self.pairs.wrapping_sub(1);
        self.sum = self.sum.wrapping_sub(checksum(key, value));
    }

    /// The value of a key changes.
    pub(crate) fn replace(&mut self, key: &[u8], old: Option<&[u8]>, new: Option<&[u8]>) {
        old.inspect(|old| self.remove(key, old));
        new.inspect(|new| self.add(key, new));
    }

    /// As the commit log keeps it.
    pub(crate) fn bytes(self) -> commit_log::SumBytes {
        (u128::from(self.sum) << 64 | u128::from(self.pairs)).to_le_bytes()
    }

    pub(crate) fn from_bytes(bytes: commit_log::SumBytes) -> Self {
        let both = u128::from_le_bytes(bytes);
        Self { pairs: both as u64, sum: (both >> 64) as u64 }
    }
}

/// The upper half is the checksum of the key, the lower that of key and value.
fn checksum(key: &[u8], value: &[u8]) -> u64 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(key);
    let of_key = hasher.clone().finalize();
    hasher.update(value);
    u64::from(of_key) << 32 | u64::from(hasher.finalize())
}
