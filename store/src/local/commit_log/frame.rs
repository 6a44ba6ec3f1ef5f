//! Frames: each is what one sync has made durable, and is made of records. A footer has
//! the same form.
//!
//! Each record has a head and a body. The body of a room's record is sealed and may be
//! overwritten later. So it has its own checksum, of head and body, and the frame's
//! checksum covers only the head. The same is true of a redaction.

use std::ops::Range;
use std::sync::Arc;

use crc32fast::Hasher;
use serde::{Deserialize, Serialize};

use super::format::{COMMITS_END, Seed, agree, encode, sum, take};
use super::{Place, RoomKey, SumBytes};

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
        take(&mut bytes).filter(|head: &Self| head.length as usize <= FRAME_MAX && head.commit < COMMITS_END)
    }

    pub(super) fn section_len(&self) -> usize {
        Self::LEN + self.length as usize
    }

    /// The bytes that follow the head, if all are there.
    pub(super) fn content<'a>(&self, section: &'a [u8]) -> Option<&'a [u8]> {
        section.get(Self::LEN..self.section_len())
    }

    pub(super) fn agrees(&self, section: &[u8], mut covered: Hasher) -> bool {
        covered.update(&section[..Self::SUM_AT]);
        agree(covered.finalize(), self.sum)
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
        let head = SectionHead::decode(section).filter(|head| head.kind == FRAME && head.commit > 0)?;
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

// These are on disk: a new kind gets a number that no kind ever had.
const ROOM: u8 = 1;
const STATE: u8 = 2;
const REDACT: u8 = 3;
const ENDED: u8 = 4;

/// The head of a room's record, with the fields in their order in the commit log. The
/// checksum and the body follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RoomHead {
    /// The length of the body.
    pub(crate) length: u32,
    pub(crate) room: RoomKey,
    /// The room's record before this one. In the first record, the file is 0.
    pub(super) before: Place,
    pub(crate) first: u64,
    pub(crate) count: u32,
}

impl RoomHead {
    pub(super) const LEN: usize = 44;
    const KIND: [u8; 4] = [ROOM, 0, 0, 0];

    pub(super) fn encode(&self) -> [u8; Self::LEN] {
        encode(&(Self::KIND, self))
    }

    pub(super) fn decode(mut bytes: &[u8]) -> Option<Self> {
        let (kind, head): ([u8; 4], Self) = take(&mut bytes)?;
        (kind == Self::KIND).then_some(head)
    }

    pub(super) fn before(&self) -> Option<Place> {
        Some(self.before).filter(|place| place.file > 0)
    }

    /// The last seq in the record.
    pub(crate) fn last(&self) -> u64 {
        self.first.saturating_add(u64::from(self.count).saturating_sub(1))
    }
}

/// The head of a redaction. The checksum and the body follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RedactHead {
    pub(super) length: u32,
    /// The place of the room's record that gets the body.
    pub(super) target: Place,
    /// The checksum of the room's record with this body.
    pub(super) sum: u32,
}

impl RedactHead {
    pub(super) const LEN: usize = 20;

    pub(super) fn encode(&self) -> [u8; Self::LEN] {
        encode(&([REDACT, 0, 0, 0], self))
    }
}

/// The head of a change of the index. Key and value follow.
pub(super) fn state_head(key: &[u8], value: Option<&[u8]>) -> Option<[u8; 12]> {
    let length = u32::try_from(key.len() + value.unwrap_or_default().len()).ok()?;
    Some(encode(&(STATE, value.is_some(), 0_u16, length, u32::try_from(key.len()).ok()?)))
}

/// The record that says that a room is over.
pub(super) fn ended(room: &RoomKey) -> [u8; 24] {
    encode(&([ENDED, 0, 0, 0], 16_u32, room))
}

/// A body with its own checksum, and the head that the checksum covers, too.
#[derive(Clone, Copy)]
pub(super) struct Sealed<'a> {
    head: &'a [u8],
    sum: u32,
    pub(super) bytes: &'a [u8],
}

impl<'a> Sealed<'a> {
    fn take(bytes: &mut &'a [u8], head: &'a [u8], length: u32) -> Option<Self> {
        Some(Self { head, sum: take(bytes)?, bytes: bytes.split_off(..length as usize)? })
    }

    pub(super) fn is_whole(&self, seed: &Seed) -> bool {
        agree(sum(seed, &[self.head, self.bytes]), self.sum)
    }

    /// Whether the body of a redaction was wiped. No sealed body is all zeros.
    pub(super) fn is_wiped(&self) -> bool {
        self.sum == 0 && self.bytes.iter().all(|&byte| byte == 0)
    }
}

/// One record of a frame.
#[derive(Clone, Copy)]
pub(super) enum LogRecord<'a> {
    Room(RoomHead, Sealed<'a>),
    State(&'a [u8], Option<&'a [u8]>),
    Redact(RedactHead, Sealed<'a>),
    Ended(RoomKey),
}

impl<'a> LogRecord<'a> {
    /// Reads a record and removes its bytes. Returns it with the bytes that the
    /// frame's checksum covers.
    pub(super) fn take(bytes: &mut &'a [u8]) -> Option<(Self, &'a [u8])> {
        let all = *bytes;
        let record = match *all.first()? {
            ROOM => {
                let head = bytes.split_off(..RoomHead::LEN)?;
                let room = RoomHead::decode(head)?;
                return Some((Self::Room(room, Sealed::take(bytes, head, room.length)?), head));
            }
            REDACT => {
                let head = bytes.split_off(..RedactHead::LEN)?;
                let redact: RedactHead = take(&mut &head[4..])?;
                return Some((Self::Redact(redact, Sealed::take(bytes, head, redact.length)?), head));
            }
            STATE => {
                let ([_, has_value, ..], length, key): ([u8; 4], u32, u32) = take(bytes)?;
                let value_len = length.checked_sub(key)?;
                let (key, value) = (bytes.split_off(..key as usize)?, bytes.split_off(..value_len as usize)?);
                Self::State(key, (has_value == 1).then_some(value))
            }
            ENDED => {
                let (_, room): ([u8; 8], RoomKey) = take(bytes)?;
                Self::Ended(room)
            }
            _ => return None,
        };
        Some((record, &all[..all.len() - bytes.len()]))
    }
}
