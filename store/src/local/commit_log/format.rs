//! The form of a file: its fields as bytes, its header, and its footer with the heads of
//! rooms, which say where the log of each living room ends.
//!
//! Every later version must have the header's magic, version and checksum in the same
//! places, so that an older annon can say that a file is newer.

use std::collections::HashMap;

use crc32fast::Hasher;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::disk::Disk;
use super::frame::{FOOTER, SectionHead};
use super::{Place, RoomKey, SumBytes};

/// The bytes of the fields in order, with numbers in little-endian; then zeros.
pub(super) fn encode<const N: usize>(fields: &impl Serialize) -> [u8; N] {
    let mut bytes = [0; N];
    let written = bincode::serialize_into(&mut bytes[..], fields);
    invariant!(written.is_ok(), "fields have as many bytes as is said");
    bytes
}

/// Reads fields and removes their bytes; `None` when there are too few bytes.
pub(super) fn take<T: DeserializeOwned>(bytes: &mut &[u8]) -> Option<T> {
    bincode::deserialize_from(bytes).ok()
}

/// The start of every checksum in a file: the folder's id and the file's number
/// are already in it. So a frame of another file or folder is found to be wrong.
pub(super) type Seed = Hasher;

pub(super) fn sum(seed: &Seed, parts: &[&[u8]]) -> u32 {
    let mut hasher = seed.clone();
    parts.iter().for_each(|part| hasher.update(part));
    hasher.finalize()
}

/// Whether a checksum is the one that was written. Fuzzing takes each for right, to get behind it.
pub(super) fn agree(sum: u32, written: u32) -> bool {
    cfg!(fuzzing) || sum == written
}

pub(super) const HEADER_LEN: usize = 64;
const MAGIC: &[u8; 8] = b"annonlog";
/// The first commit has the number 1, and each one has one after it.
pub(super) const COMMITS_END: u64 = u64::MAX;
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
        let (mut content, mut written) = bytes.split_at_checked(SUM_AT)?;
        let is_whole = agree(crc32fast::hash(content), take(&mut written)?);
        let (magic, header): ([u8; 8], Self) = take(&mut content)?;
        (is_whole && magic == *MAGIC && (1..COMMITS_END).contains(&header.first_commit)).then_some(header)
    }
}

/// The bytes of a room in a footer.
const ENTRY_LEN: usize = 36;
const TRAILER_MAGIC: &[u8; 8] = b"log--end";
pub(super) const TRAILER_LEN: usize = 24;
const TRAILER_SUM_AT: usize = TRAILER_LEN - 4;

/// The end of a room's log. A footer has these fields in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Head {
    /// The place of the last record.
    pub(crate) last: Place,
    /// The last seq.
    pub(crate) seq: u64,
    /// The file with the first record.
    pub(crate) first_file: u32,
}

/// The footer of a closed file: the state after its last commit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Footer {
    /// The last commit in the file.
    pub(super) commit: u64,
    pub(super) index_sum: SumBytes,
    pub(super) heads: HashMap<RoomKey, Head>,
}

impl Footer {
    pub(super) fn encoded_len(&self) -> usize {
        SectionHead::LEN + self.heads.len() * ENTRY_LEN + TRAILER_LEN
    }

    /// The bytes of a footer at `offset`; `None` when there are too many rooms.
    pub(super) fn encode(&self, offset: usize, seed: &Seed) -> Option<Vec<u8>> {
        let mut bytes = vec![0; SectionHead::LEN];
        // They are sorted, so that the same rooms give the same bytes.
        let mut heads: Vec<_> = self.heads.iter().collect();
        heads.sort_unstable_by_key(|(room, _)| **room);
        heads.iter().for_each(|entry| bytes.extend_from_slice(&encode::<ENTRY_LEN>(entry)));
        let mut covered = seed.clone();
        covered.update(&bytes[SectionHead::LEN..]);
        SectionHead::put(FOOTER, &mut bytes, self.commit, self.index_sum, u32::try_from(heads.len()).ok()?, covered)?;
        let trailer = Trailer { commit: self.commit, offset: u32::try_from(offset).ok()? };
        bytes.extend_from_slice(&trailer.encode(seed));
        Some(bytes)
    }

    /// The footer at the front of `section`, if it is whole.
    pub(super) fn decode(section: &[u8], seed: &Seed) -> Option<Self> {
        let head = SectionHead::decode(section).filter(|head| head.kind == FOOTER)?;
        let (mut covered, mut entries) = (seed.clone(), head.content(section)?);
        covered.update(entries);
        if !head.agrees(section, covered) {
            return None;
        }
        let heads = (0..head.count).map(|_| take(&mut entries)).collect::<Option<_>>()?;
        Some(Self { commit: head.commit, index_sum: head.index_sum, heads })
    }
}

/// The last bytes of a closed file, by which its footer is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Trailer {
    /// The last commit in the file.
    pub(super) commit: u64,
    /// Where the footer begins.
    pub(super) offset: u32,
}

impl Trailer {
    fn encode(self, seed: &Seed) -> [u8; TRAILER_LEN] {
        let sum = sum(seed, &[&encode::<TRAILER_SUM_AT>(&(TRAILER_MAGIC, self))]);
        encode(&(TRAILER_MAGIC, self, sum))
    }

    pub(super) fn decode(mut bytes: &[u8], seed: &Seed) -> Option<Self> {
        let written = sum(seed, &[bytes.get(..TRAILER_SUM_AT)?]);
        let (magic, this, sum): ([u8; 8], Self, u32) = take(&mut bytes)?;
        (magic == *TRAILER_MAGIC && agree(sum, written) && this.commit < COMMITS_END).then_some(this)
    }
}
