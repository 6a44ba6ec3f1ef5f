//! A frame: what one sync made durable. A file's footer is shaped like one.

use crc32fast::Hasher;

use super::bytes::{Fields, Seed};
use super::record::{Record, RedactHead, RoomHead, ended, state_head};
use super::{RoomKey, Tally};

/// The longest frame. It may be longer than what is left of a file's usual
/// size, and then the file is so much longer.
pub(super) const FRAME_MAX: usize = 64 * 1024 * 1024;
/// Frames begin at multiples of this, so that they are found again behind
/// damage.
pub(super) const ALIGNMENT: usize = 8;

/// What a section of a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Frame,
    Footer,
}

/// The first bytes of a frame or a footer.
#[derive(Debug, Clone, Copy)]
pub(super) struct SectionHead {
    pub(super) kind: Kind,
    /// How much follows.
    pub(super) length: u32,
    pub(super) group: u64,
    pub(super) tally: Tally,
    /// Records of a frame, rooms of a footer.
    pub(super) count: u32,
    sum: u32,
}

impl SectionHead {
    pub(super) const LEN: usize = 40;
    const SUM_AT: usize = Self::LEN - 4;

    /// Fills in the head of a section whose first bytes are left free for it.
    /// `covered` has what follows, as far as the checksum covers it.
    fn put(kind: Kind, section: &mut [u8], group: u64, tally: Tally, count: u32, mut covered: Hasher) -> Option<()> {
        let length = section.len().checked_sub(Self::LEN).filter(|&length| length <= FRAME_MAX)?;
        let head = section.first_chunk_mut::<{ Self::LEN }>()?;
        head[..4].copy_from_slice(kind.magic());
        head[4..8].copy_from_slice(&u32::try_from(length).ok()?.to_le_bytes());
        head[8..16].copy_from_slice(&group.to_le_bytes());
        head[16..32].copy_from_slice(&tally);
        head[32..36].copy_from_slice(&count.to_le_bytes());
        covered.update(&head[..Self::SUM_AT]);
        head[Self::SUM_AT..].copy_from_slice(&covered.finalize().to_le_bytes());
        Some(())
    }

    /// The head at the front, which only the checksum makes certain.
    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let mut fields = Fields(bytes);
        let kind = Kind::of(&fields.array()?)?;
        let length = fields.u32().filter(|&length| length as usize <= FRAME_MAX)?;
        let (group, tally) = (fields.u64()?, fields.array()?);
        Some(Self { kind, length, group, tally, count: fields.u32()?, sum: fields.u32()? })
    }

    /// How long the section is, head and all.
    pub(super) fn section_len(&self) -> usize {
        Self::LEN + self.length as usize
    }

    fn agrees(&self, section: &[u8], mut covered: Hasher) -> bool {
        covered.update(&section[..Self::SUM_AT]);
        covered.finalize() == self.sum
    }
}

impl Kind {
    fn magic(self) -> &'static [u8; 4] {
        match self {
            Self::Frame => b"fram",
            Self::Footer => b"foot",
        }
    }

    /// The kind that begins with these bytes.
    pub(super) fn of(magic: &[u8; 4]) -> Option<Self> {
        [Self::Frame, Self::Footer].into_iter().find(|kind| kind.magic() == magic)
    }
}

/// Makes a footer of what it is to hold; `None` when that is too much.
pub(super) fn footer_section(group: u64, tally: Tally, count: u32, entries: &[u8], seed: &Seed) -> Option<Vec<u8>> {
    let mut section = vec![0; SectionHead::LEN];
    section.extend_from_slice(entries);
    let mut covered = seed.hasher();
    covered.update(entries);
    SectionHead::put(Kind::Footer, &mut section, group, tally, count, covered)?;
    Some(section)
}

/// What a footer holds, if it is whole.
pub(super) fn footer_entries<'a>(section: &'a [u8], seed: &Seed) -> Option<(SectionHead, &'a [u8])> {
    let head = SectionHead::decode(section).filter(|head| head.kind == Kind::Footer)?;
    let entries = section.get(SectionHead::LEN..head.section_len())?;
    let mut covered = seed.hasher();
    covered.update(entries);
    head.agrees(section, covered).then_some((head, entries))
}

/// A frame being made.
pub(super) struct FrameWriter {
    seed: Seed,
    covered: Hasher,
    count: u32,
    bytes: Vec<u8>,
}

impl FrameWriter {
    pub(super) fn begin(seed: &Seed) -> Self {
        Self { seed: seed.clone(), covered: seed.hasher(), count: 0, bytes: vec![0; SectionHead::LEN] }
    }

    /// How far into the frame the next record will stand.
    pub(super) fn at(&self) -> usize {
        self.bytes.len()
    }

    pub(super) fn room(&mut self, head: &RoomHead, body: &[u8]) {
        self.sealed(&head.encode(), body);
    }

    pub(super) fn redact(&mut self, head: &RedactHead, body: &[u8]) {
        self.sealed(&head.encode(), body);
    }

    fn sealed(&mut self, head: &[u8], body: &[u8]) {
        self.covered(head);
        self.bytes.extend_from_slice(&self.seed.sum(&[head, body]).to_le_bytes());
        self.bytes.extend_from_slice(body);
        self.count += 1;
    }

    /// `None` when it is too large to be counted.
    pub(super) fn state(&mut self, key: &[u8], value: Option<&[u8]>) -> Option<()> {
        self.covered(&state_head(key, value)?);
        self.covered(key);
        self.covered(value.unwrap_or_default());
        self.count += 1;
        Some(())
    }

    pub(super) fn ended(&mut self, room: &RoomKey) {
        self.covered(&ended(room));
        self.count += 1;
    }

    fn covered(&mut self, bytes: &[u8]) {
        self.covered.update(bytes);
        self.bytes.extend_from_slice(bytes);
    }

    /// The bytes of the whole frame; `None` when it is too long.
    pub(super) fn finish(mut self, group: u64, tally: Tally) -> Option<Vec<u8>> {
        self.bytes.resize(self.bytes.len().next_multiple_of(ALIGNMENT), 0);
        SectionHead::put(Kind::Frame, &mut self.bytes, group, tally, self.count, self.covered)?;
        Some(self.bytes)
    }
}

/// A whole frame, read from a file.
pub(super) struct Frame {
    pub(super) head: SectionHead,
    /// Where it stands in its file.
    pub(super) offset: u64,
    bytes: Vec<u8>,
}

impl Frame {
    /// A frame out of its bytes, if its checksum agrees.
    pub(super) fn read(offset: u64, bytes: &[u8], seed: &Seed) -> Option<Self> {
        let head = SectionHead::decode(bytes).filter(|head| head.kind == Kind::Frame)?;
        let bytes = bytes.get(..head.section_len())?;
        let (mut covered, mut fields) = (seed.hasher(), Fields(&bytes[SectionHead::LEN..]));
        for _ in 0..head.count {
            covered.update(Record::take(&mut fields)?.1);
        }
        head.agrees(bytes, covered).then(|| Self { head, offset, bytes: bytes.to_vec() })
    }

    pub(super) fn end(&self) -> u64 {
        self.offset + self.bytes.len() as u64
    }

    /// Its records, and where in the file each stands.
    pub(super) fn records(&self) -> impl Iterator<Item = (u32, Record<'_>)> {
        records(&self.bytes, self.offset).take(self.head.count as usize)
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
pub(super) fn records(section: &[u8], offset: u64) -> impl Iterator<Item = (u32, Record<'_>)> {
    let mut fields = Fields(section.get(SectionHead::LEN..).unwrap_or_default());
    std::iter::from_fn(move || {
        let at = u32::try_from(offset as usize + section.len() - fields.0.len()).ok()?;
        Some((at, Record::take(&mut fields)?.0))
    })
}
