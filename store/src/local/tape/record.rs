//! What a frame is made of: records, each a head and a body.
//!
//! The body of a room's record is sealed and may be overwritten later. It has
//! a checksum of its own, which covers the record's head, too, and neither is
//! part of the frame's checksum. With a redaction it is the same.

use super::bytes::{Fields, Seed};
use super::{Place, RoomKey};

const ROOM: u8 = 1;
const STATE: u8 = 2;
const REDACT: u8 = 3;
const ENDED: u8 = 4;

/// The head of a room's record. Its body's checksum and its body follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RoomHead {
    pub(crate) room: RoomKey,
    /// The room's record before this one.
    pub(crate) before: Option<Place>,
    pub(crate) first: u64,
    pub(crate) count: u32,
    /// The length of the body.
    pub(crate) length: u32,
}

impl RoomHead {
    pub(super) const LEN: usize = 44;

    pub(super) fn encode(&self) -> [u8; Self::LEN] {
        let mut bytes = [0; Self::LEN];
        bytes[0] = ROOM;
        bytes[4..8].copy_from_slice(&self.length.to_le_bytes());
        bytes[8..24].copy_from_slice(&self.room);
        // Files are counted from one.
        bytes[24..32].copy_from_slice(&self.before.unwrap_or(Place { file: 0, offset: 0 }).encode());
        bytes[32..40].copy_from_slice(&self.first.to_le_bytes());
        bytes[40..].copy_from_slice(&self.count.to_le_bytes());
        bytes
    }

    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let mut fields = Fields(bytes);
        if fields.array()? != [ROOM, 0, 0, 0] {
            return None;
        }
        let (length, room, before) = (fields.u32()?, fields.array()?, fields.place()?);
        let before = Some(before).filter(|place| place.file > 0);
        Some(Self { room, before, first: fields.u64()?, count: fields.u32()?, length })
    }

    /// The last seq in it.
    pub(crate) fn last(&self) -> u64 {
        self.first.saturating_add(u64::from(self.count).saturating_sub(1))
    }
}

/// The head of a redaction, whose own body follows like a room's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RedactHead {
    /// The room's record that gets the body.
    pub(super) target: Place,
    /// The checksum that the room's record has with this body.
    pub(super) sum: u32,
    pub(super) length: u32,
}

impl RedactHead {
    pub(super) const LEN: usize = 20;

    pub(super) fn encode(&self) -> [u8; Self::LEN] {
        let mut bytes = [0; Self::LEN];
        bytes[0] = REDACT;
        bytes[4..8].copy_from_slice(&self.length.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.target.encode());
        bytes[16..].copy_from_slice(&self.sum.to_le_bytes());
        bytes
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let mut fields = Fields(bytes.get(4..)?);
        Some(Self { length: fields.u32()?, target: fields.place()?, sum: fields.u32()? })
    }
}

/// The head of a change of the index; key and value follow.
pub(super) fn state_head(key: &[u8], value: Option<&[u8]>) -> Option<[u8; 12]> {
    let mut bytes = [STATE, u8::from(value.is_some()), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let length = u32::try_from(key.len() + value.unwrap_or_default().len()).ok()?;
    bytes[4..8].copy_from_slice(&length.to_le_bytes());
    bytes[8..].copy_from_slice(&u32::try_from(key.len()).ok()?.to_le_bytes());
    Some(bytes)
}

/// The record that says that a room is over.
pub(super) fn ended(room: &RoomKey) -> [u8; 24] {
    let mut bytes = [0; 24];
    bytes[0] = ENDED;
    bytes[4] = 16;
    bytes[8..].copy_from_slice(room);
    bytes
}

/// A body that may have been overwritten, with what its checksum covers.
#[derive(Clone, Copy)]
pub(super) struct Sealed<'a> {
    head: &'a [u8],
    sum: u32,
    pub(super) bytes: &'a [u8],
}

impl<'a> Sealed<'a> {
    fn take(fields: &mut Fields<'a>, head: &'a [u8], length: u32) -> Option<Self> {
        Some(Self { head, sum: fields.u32()?, bytes: fields.bytes(usize::try_from(length).ok()?)? })
    }

    pub(super) fn is_whole(&self, seed: &Seed) -> bool {
        seed.sum(&[self.head, self.bytes]) == self.sum
    }

    /// Whether a redaction was done and has given up its body. No sealed body
    /// is all zeros.
    pub(super) fn is_wiped(&self) -> bool {
        self.sum == 0 && self.bytes.iter().all(|&byte| byte == 0)
    }
}

/// One record of a frame.
#[derive(Clone, Copy)]
pub(super) enum Record<'a> {
    Room(RoomHead, Sealed<'a>),
    State(&'a [u8], Option<&'a [u8]>),
    Redact(RedactHead, Sealed<'a>),
    Ended(RoomKey),
}

impl<'a> Record<'a> {
    /// Takes a record off the front. With it comes the part of it that the
    /// frame's checksum covers.
    pub(super) fn take(fields: &mut Fields<'a>) -> Option<(Self, &'a [u8])> {
        let bytes = fields.0;
        let record = match *bytes.first()? {
            ROOM => {
                let head = fields.bytes(RoomHead::LEN)?;
                let room = RoomHead::decode(head)?;
                return Some((Self::Room(room, Sealed::take(fields, head, room.length)?), head));
            }
            REDACT => {
                let head = fields.bytes(RedactHead::LEN)?;
                let redact = RedactHead::decode(head)?;
                return Some((Self::Redact(redact, Sealed::take(fields, head, redact.length)?), head));
            }
            STATE => {
                let [_, has_value, ..] = fields.array::<4>()?;
                let (length, key) = (fields.u32()?, fields.u32()?);
                let key = fields.bytes(usize::try_from(key).ok()?)?;
                let value = fields.bytes(usize::try_from(length).ok()?.checked_sub(key.len())?)?;
                Self::State(key, (has_value == 1).then_some(value))
            }
            ENDED => {
                fields.bytes(8)?;
                Self::Ended(fields.array()?)
            }
            _ => return None,
        };
        Some((record, &bytes[..bytes.len() - fields.0.len()]))
    }
}
