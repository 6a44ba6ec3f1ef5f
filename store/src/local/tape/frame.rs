//! A frame: what one sync made durable. A file's footer is shaped like one.

use std::sync::Arc;

use crc32fast::Hasher;
use serde::{Deserialize, Serialize};

use super::Tally;
use super::bytes::{Seed, encode, take};
use super::record::Record;

/// The longest frame. It may be longer than what is left of a file's usual
/// size, and then the file is so much longer.
pub(super) const FRAME_MAX: usize = 64 * 1024 * 1024;
/// Frames begin at multiples of this, so that they are found again behind
/// damage.
pub(super) const ALIGNMENT: usize = 8;

/// What a section of a file begins with.
pub(super) type Kind = [u8; 4];
pub(super) const FRAME: Kind = *b"fram";
pub(super) const FOOTER: Kind = *b"foot";

/// The first bytes of a frame or a footer, in the order in which they stand
/// there.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct SectionHead {
    pub(super) kind: Kind,
    /// How much follows.
    length: u32,
    pub(super) group: u64,
    pub(super) tally: Tally,
    /// Records of a frame, rooms of a footer.
    pub(super) count: u32,
    sum: u32,
}

impl SectionHead {
    pub(super) const LEN: usize = 40;
    const SUM_AT: usize = Self::LEN - 4;

    /// Fills in the head of a section whose first bytes are left free for it;
    /// `None` when the section is too long. `covered` has what follows, as far
    /// as the checksum covers it.
    pub(super) fn put(
        kind: Kind,
        section: &mut [u8],
        group: u64,
        tally: Tally,
        count: u32,
        mut covered: Hasher,
    ) -> Option<()> {
        let length = section.len().checked_sub(Self::LEN).filter(|&length| length <= FRAME_MAX)?;
        let head = section.first_chunk_mut::<{ Self::LEN }>()?;
        *head = encode(&Self { kind, length: u32::try_from(length).ok()?, group, tally, count, sum: 0 });
        covered.update(&head[..Self::SUM_AT]);
        head[Self::SUM_AT..].copy_from_slice(&covered.finalize().to_le_bytes());
        Some(())
    }

    /// The head at the front, which only the checksum makes certain.
    pub(super) fn decode(mut bytes: &[u8]) -> Option<Self> {
        // A search meets mostly zeros, and this passes over them fast.
        if !bytes.starts_with(&FRAME) && !bytes.starts_with(&FOOTER) {
            return None;
        }
        take(&mut bytes).filter(|head: &Self| head.length as usize <= FRAME_MAX)
    }

    /// What follows the head, if all of it is there.
    pub(super) fn content<'a>(&self, section: &'a [u8]) -> Option<&'a [u8]> {
        section.get(Self::LEN..Self::LEN + self.length as usize)
    }

    pub(super) fn agrees(&self, section: &[u8], mut covered: Hasher) -> bool {
        covered.update(&section[..Self::SUM_AT]);
        covered.finalize() == self.sum
    }
}

/// A whole frame, read from a file.
pub(super) struct Frame {
    pub(super) head: SectionHead,
    /// Where it stands in its file.
    pub(super) offset: usize,
    length: usize,
    file: Arc<Vec<u8>>,
}

impl Frame {
    /// The frame at a place, if its checksum agrees.
    pub(super) fn read(file: &Arc<Vec<u8>>, offset: usize, seed: &Seed) -> Option<Self> {
        let section = &file[offset..];
        let head = SectionHead::decode(section).filter(|head| head.kind == FRAME)?;
        let (mut covered, mut content) = (seed.clone(), head.content(section)?);
        let length = SectionHead::LEN + content.len();
        for _ in 0..head.count {
            covered.update(Record::take(&mut content)?.1);
        }
        head.agrees(section, covered).then(|| Self { head, offset, length, file: file.clone() })
    }

    pub(super) fn end(&self) -> usize {
        self.offset + self.length
    }

    /// Its records, and where in the file each stands.
    pub(super) fn records(&self) -> impl Iterator<Item = (u32, Record<'_>)> {
        records(&self.file[self.offset..self.end()], self.offset).take(self.head.count as usize)
    }

    /// Where bodies stand that are not what their checksums say.
    pub(super) fn bad_bodies(&self, seed: &Seed) -> Vec<u32> {
        let bad = |(offset, record): (u32, Record<'_>)| match record {
            Record::Room(_, body) | Record::Redact(_, body) => (!body.is_whole(seed)).then_some(offset),
            Record::State(..) | Record::Ended(_) => None,
        };
        self.records().filter_map(bad).collect()
    }
}

/// The records of a frame that may be damaged, as far as they look like some.
pub(super) fn records(section: &[u8], offset: usize) -> impl Iterator<Item = (u32, Record<'_>)> {
    let mut rest = section.get(SectionHead::LEN..).unwrap_or_default();
    std::iter::from_fn(move || {
        let at = u32::try_from(offset + section.len() - rest.len()).ok()?;
        Some((at, Record::take(&mut rest)?.0))
    })
}
