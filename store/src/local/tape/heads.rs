//! Where each living room's log ends, and what of it a footer keeps.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::bytes::{Seed, encode, sum, take};
use super::frame::{FOOTER, SectionHead};
use super::{Place, RoomKey, Tally};

/// A room in a footer.
const ENTRY_LEN: usize = 36;
const TRAILER_MAGIC: &[u8; 8] = b"tape-end";
pub(super) const TRAILER_LEN: usize = 24;
const TRAILER_SUM_AT: usize = TRAILER_LEN - 4;

/// Where a room's log ends. A footer has these fields in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Head {
    /// Its last record.
    pub(crate) last: Place,
    /// Its last seq.
    pub(crate) seq: u64,
    /// The file that its first record is in.
    pub(crate) first_file: u32,
}

/// What a closed file ends with: all rooms that were alive then.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Footer {
    /// The last group in the file.
    pub(super) group: u64,
    pub(super) tally: Tally,
    pub(super) heads: HashMap<RoomKey, Head>,
}

impl Footer {
    /// How many bytes it takes.
    pub(super) fn encoded_len(&self) -> usize {
        SectionHead::LEN + self.heads.len() * ENTRY_LEN + TRAILER_LEN
    }

    /// The bytes that stand at `offset` and end the file; `None` when there
    /// are more rooms than anybody has.
    pub(super) fn encode(&self, offset: usize, seed: &Seed) -> Option<Vec<u8>> {
        let mut bytes = vec![0; SectionHead::LEN];
        // The same rooms are the same bytes.
        let mut heads: Vec<_> = self.heads.iter().collect();
        heads.sort_unstable_by_key(|(room, _)| **room);
        heads.iter().for_each(|entry| bytes.extend_from_slice(&encode::<ENTRY_LEN>(entry)));
        let mut covered = seed.clone();
        covered.update(&bytes[SectionHead::LEN..]);
        SectionHead::put(FOOTER, &mut bytes, self.group, self.tally, u32::try_from(heads.len()).ok()?, covered)?;
        let trailer = Trailer { group: self.group, offset: u32::try_from(offset).ok()? };
        bytes.extend_from_slice(&trailer.encode(seed));
        Some(bytes)
    }

    /// What stands at the front of `section`, if it is a whole footer.
    pub(super) fn decode(section: &[u8], seed: &Seed) -> Option<Self> {
        let head = SectionHead::decode(section).filter(|head| head.kind == FOOTER)?;
        let (mut covered, mut entries) = (seed.clone(), head.content(section)?);
        covered.update(entries);
        if !head.agrees(section, covered) {
            return None;
        }
        let heads = (0..head.count).map(|_| take(&mut entries)).collect::<Option<_>>()?;
        Some(Self { group: head.group, tally: head.tally, heads })
    }
}

/// The last bytes of a closed file, by which its footer is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Trailer {
    /// The last group in the file.
    pub(super) group: u64,
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
