//! Where each living room's log ends, and what of it a footer keeps.

use std::collections::HashMap;

use super::bytes::{Fields, Seed};
use super::frame::{SectionHead, footer_entries, footer_section};
use super::record::RoomHead;
use super::{Place, RoomKey, Tally};

/// A room in a footer.
const ENTRY_LEN: usize = 36;
const TRAILER_MAGIC: &[u8; 8] = b"tape-end";
pub(super) const TRAILER_LEN: usize = 24;

/// Where a room's log ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Head {
    /// Its last record.
    pub(crate) last: Place,
    /// Its last seq.
    pub(crate) seq: u64,
    /// The file that its first record is in.
    pub(crate) first_file: u32,
}

/// All living rooms.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Heads(HashMap<RoomKey, Head>);

impl Heads {
    pub(super) fn of(&self, room: &RoomKey) -> Option<Head> {
        self.0.get(room).copied()
    }

    pub(super) fn rooms(&self) -> Vec<RoomKey> {
        self.0.keys().copied().collect()
    }

    pub(super) fn set(&mut self, room: RoomKey, head: Option<Head>) {
        match head {
            Some(head) => self.0.insert(room, head),
            None => self.0.remove(&room),
        };
    }

    /// What a room's record makes of the head that was there.
    pub(super) fn after(was: Option<Head>, record: &RoomHead, at: Place, oldest_file: u32) -> Head {
        let first_file = match (was, record.before) {
            (Some(head), _) => head.first_file,
            (None, None) => at.file,
            // What was before can't be read: it may be anywhere.
            (None, Some(_)) => oldest_file,
        };
        Head { last: at, seq: record.last(), first_file }
    }

    /// The oldest file that a living room needs.
    pub(super) fn first_file(&self) -> Option<u32> {
        self.0.values().map(|head| head.first_file).min()
    }

    /// How long a footer of these is.
    pub(super) fn footer_len(&self) -> usize {
        SectionHead::LEN + self.0.len() * ENTRY_LEN + TRAILER_LEN
    }
}

/// What a closed file ends with: all rooms that were alive then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Footer {
    /// The last group in the file.
    pub(super) group: u64,
    pub(super) tally: Tally,
    pub(super) heads: Heads,
}

impl Footer {
    /// The bytes that stand at `offset` and end the file; `None` when there
    /// are more rooms than anybody has.
    pub(super) fn encode(&self, offset: u64, seed: &Seed) -> Option<Vec<u8>> {
        let mut entries = Vec::with_capacity(self.heads.0.len() * ENTRY_LEN);
        // The same rooms are the same bytes.
        let mut heads: Vec<_> = self.heads.0.iter().collect();
        heads.sort_unstable_by_key(|(room, _)| **room);
        for (room, head) in heads {
            entries.extend_from_slice(room);
            entries.extend_from_slice(&head.last.encode());
            entries.extend_from_slice(&head.seq.to_le_bytes());
            entries.extend_from_slice(&head.first_file.to_le_bytes());
        }
        let count = u32::try_from(self.heads.0.len()).ok()?;
        let mut bytes = footer_section(self.group, self.tally, count, &entries, seed)?;
        let trailer = Trailer { group: self.group, offset: u32::try_from(offset).ok()? };
        bytes.extend_from_slice(&trailer.encode(seed));
        Some(bytes)
    }

    /// What stands at the front of `section`, if it is a whole footer.
    pub(super) fn decode(section: &[u8], seed: &Seed) -> Option<Self> {
        let (head, entries) = footer_entries(section, seed)?;
        let mut heads = Heads::default();
        let mut fields = Fields(entries);
        for _ in 0..head.count {
            let (room, last) = (fields.array()?, fields.place()?);
            heads.0.insert(room, Head { last, seq: fields.u64()?, first_file: fields.u32()? });
        }
        Some(Self { group: head.group, tally: head.tally, heads })
    }
}

/// The last bytes of a closed file, by which its footer is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Trailer {
    /// The last group in the file.
    pub(super) group: u64,
    /// Where the footer begins.
    pub(super) offset: u32,
}

impl Trailer {
    fn encode(self, seed: &Seed) -> [u8; TRAILER_LEN] {
        let mut bytes = [0; TRAILER_LEN];
        bytes[..8].copy_from_slice(TRAILER_MAGIC);
        bytes[8..16].copy_from_slice(&self.group.to_le_bytes());
        bytes[16..20].copy_from_slice(&self.offset.to_le_bytes());
        let sum = seed.sum(&[&bytes[..20]]);
        bytes[20..].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    pub(super) fn decode(bytes: &[u8], seed: &Seed) -> Option<Self> {
        let mut fields = Fields(bytes);
        let magic = fields.array::<8>()?;
        let this = Self { group: fields.u64()?, offset: fields.u32()? };
        let is_whole = magic == *TRAILER_MAGIC && fields.u32()? == seed.sum(&[bytes.get(..20)?]);
        is_whole.then_some(this)
    }
}
