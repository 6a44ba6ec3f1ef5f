//! Frames: each is what one sync has made durable. A footer has the same form.

use std::ops::Range;
use std::sync::Arc;

use crc32fast::Hasher;
use serde::{Deserialize, Serialize};

use super::SumBytes;
use super::format::{Seed, encode, take};
use super::record::LogRecord;

/// The longest frame. With a long frame a file may become longer than usual.
pub(super) const FRAME_MAX: usize = 64 * 1024 * 1024;
/// Frames begin at multiples of this, so that they can be found behind damage.
pub(super) const ALIGNMENT: usize = 8;

/// The least that a disk writes at once.
const SECTOR: usize = 512;

/// The first bytes of a section, which is a frame or a footer.
pub(super) type Kind = [u8; 4];
pub(super) const FRAME: Kind = *b"fram";
pub(super) const FOOTER: Kind = *b"foot";

/// The head of a frame or a footer, with the fields in their order.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct SectionHead {
    pub(super) kind: Kind,
    /// How many bytes follow the head.
    length: u32,
    pub(super) commit: u64,
    pub(super) index_sum: SumBytes,
    /// How many records a frame has, or rooms a footer.
    pub(super) count: u32,
    sum: u32,
}

impl SectionHead {
    pub(super) const LEN: usize = 40;
    const SUM_AT: usize = Self::LEN - 4;

    /// Writes the head into the first bytes of a section; `None` when the section
    /// is too long. `covered` is the checksum so far, of what follows the head.
    pub(super) fn put(
        kind: Kind,
        section: &mut [u8],
        commit: u64,
        index_sum: SumBytes,
        count: u32,
        mut covered: Hasher,
    ) -> Option<()> {
        let length = section.len().checked_sub(Self::LEN).filter(|&length| length <= FRAME_MAX)?;
        let head = section.first_chunk_mut::<{ Self::LEN }>()?;
        *head = encode(&Self { kind, length: u32::try_from(length).ok()?, commit, index_sum, count, sum: 0 });
        covered.update(&head[..Self::SUM_AT]);
        head[Self::SUM_AT..].copy_from_slice(&covered.finalize().to_le_bytes());
        Some(())
    }

    /// The head at the front. Only the checksum tells whether it is one.
    pub(super) fn decode(mut bytes: &[u8]) -> Option<Self> {
        // Most bytes of a search are zeros, and this is fast for them.
        if !bytes.starts_with(&FRAME) && !bytes.starts_with(&FOOTER) {
            return None;
        }
        take(&mut bytes).filter(|head: &Self| head.length as usize <= FRAME_MAX)
    }

    /// The length of the section.
    pub(super) fn section_len(&self) -> usize {
        Self::LEN + self.length as usize
    }

    /// The bytes that follow the head, if all are there.
    pub(super) fn content<'a>(&self, section: &'a [u8]) -> Option<&'a [u8]> {
        section.get(Self::LEN..self.section_len())
    }

    pub(super) fn agrees(&self, section: &[u8], mut covered: Hasher) -> bool {
        covered.update(&section[..Self::SUM_AT]);
        covered.finalize() == self.sum
    }
}

/// A whole frame, read from a file.
pub(super) struct Frame {
    pub(super) head: SectionHead,
    /// Where it begins in its file.
    pub(super) offset: usize,
    length: usize,
    file: Arc<Vec<u8>>,
}

impl Frame {
    /// The frame at an offset, if its checksum is right.
    pub(super) fn read(file: &Arc<Vec<u8>>, offset: usize, seed: &Seed) -> Option<Self> {
        let section = &file[offset..];
        let head = SectionHead::decode(section).filter(|head| head.kind == FRAME)?;
        let (mut covered, mut content) = (seed.clone(), head.content(section)?);
        let length = SectionHead::LEN + content.len();
        for _ in 0..head.count {
            covered.update(LogRecord::take(&mut content)?.1);
        }
        head.agrees(section, covered).then(|| Self { head, offset, length, file: file.clone() })
    }

    pub(super) fn end(&self) -> usize {
        self.offset + self.length
    }

    /// Whether a part of it is not there. The file had zeros there before, so a
    /// sector that did not come to the disk when the power went is still zeros.
    pub(super) fn lacks_a_sector(&self) -> bool {
        lacks_a_sector(&self.file, self.offset..self.end())
    }

    /// Its records, each with its offset in the file.
    pub(super) fn records(&self) -> impl Iterator<Item = (u32, LogRecord<'_>)> {
        records(&self.file[self.offset..self.end()], self.offset).take(self.head.count as usize)
    }

    /// The offsets of records whose bodies are not whole.
    pub(super) fn bad_bodies(&self, seed: &Seed) -> Vec<u32> {
        let bad = |(offset, record): (u32, LogRecord<'_>)| match record {
            LogRecord::Room(_, body) | LogRecord::Redact(_, body) => (!body.is_whole(seed)).then_some(offset),
            LogRecord::State(..) | LogRecord::Ended(_) => None,
        };
        self.records().filter_map(bad).collect()
    }
}

/// Whether a sector of these bytes of a file was never written.
pub(super) fn lacks_a_sector(file: &[u8], bytes: Range<usize>) -> bool {
    let mut at = bytes.start;
    while at < bytes.end {
        let next = (at / SECTOR + 1) * SECTOR;
        if file[at..next.min(bytes.end)].iter().all(|&byte| byte == 0) {
            return true;
        }
        at = next;
    }
    false
}

/// The records of a frame that may be damaged, as far as they can be read.
pub(super) fn records(section: &[u8], offset: usize) -> impl Iterator<Item = (u32, LogRecord<'_>)> {
    let mut rest = section.get(SectionHead::LEN..).unwrap_or_default();
    std::iter::from_fn(move || {
        let at = u32::try_from(offset + section.len() - rest.len()).ok()?;
        Some((at, LogRecord::take(&mut rest)?.0))
    })
}
