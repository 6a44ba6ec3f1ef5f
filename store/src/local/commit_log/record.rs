//! The records of a frame. Each has a head and a body.
//!
//! The body of a room's record is sealed and may be overwritten later. So it has its
//! own checksum, of head and body, and the frame's checksum covers only the head.
//! The same is true of a redaction.

use serde::{Deserialize, Serialize};

use super::format::{Seed, encode, sum, take};
use super::{Place, RoomKey};

// These are on disk: a new kind gets a number that no kind ever had.
const ROOM: u8 = 1;
const STATE: u8 = 2;
const REDACT: u8 = 3;
const ENDED: u8 = 4;

/// The head of a room's record, with the fields in their order on the commit log. The
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
        sum(seed, &[self.head, self.bytes]) == self.sum
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
