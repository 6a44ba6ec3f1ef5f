//! The header: the first 64 bytes of a file.
//!
//! Every later version must have magic, version and checksum in the same places,
//! so that an older annon can say that a file is newer.

use serde::{Deserialize, Serialize};

use super::bytes::{encode, take};
use super::disk::Disk;

pub(super) const HEADER_LEN: usize = 64;
const MAGIC: &[u8; 8] = b"annonlog";
pub(super) const VERSION: u32 = 1;
const SUM_AT: usize = HEADER_LEN - 4;

/// The fields of the header, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Header {
    /// With another version the other fields may mean something else.
    pub(super) version: u32,
    pub(super) number: u32,
    /// The id of the data folder.
    pub(super) folder: [u8; 16],
    /// The commit of the first frame, which may not be there yet.
    pub(super) first_commit: u64,
    /// The last commit that the index had on disk when the file was begun.
    pub(super) checkpoint: u64,
}

impl Header {
    pub(super) fn new(disk: &Disk, number: u32, first_commit: u64, checkpoint: u64) -> Self {
        Self { version: VERSION, number, folder: *disk.id(), first_commit, checkpoint }
    }

    pub(super) fn encode(&self) -> [u8; HEADER_LEN] {
        let mut bytes: [u8; HEADER_LEN] = encode(&(MAGIC, self));
        let sum = crc32fast::hash(&bytes[..SUM_AT]);
        bytes[SUM_AT..].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// The header, if it is whole.
    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let (mut content, sum) = bytes.split_at_checked(SUM_AT)?;
        let is_whole = crc32fast::hash(content).to_le_bytes() == *sum;
        let (magic, header): ([u8; 8], Self) = take(&mut content)?;
        (is_whole && magic == *MAGIC).then_some(header)
    }
}
