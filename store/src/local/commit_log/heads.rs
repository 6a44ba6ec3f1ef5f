//! The heads of rooms: where the log of each living room ends. A footer has them.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::bytes::{Seed, encode, sum, take};
use super::frame::{FOOTER, SectionHead};
use super::{Place, RoomKey, SumBytes};

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
    /// How many bytes `encode` returns.
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
        (magic == *TRAILER_MAGIC && sum == written).then_some(this)
    }
}
