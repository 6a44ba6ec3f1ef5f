//! Rooms: the events that a room's log keeps.
//!
//! An event is a fact. The actors decide whether it may happen, and make from
//! it what members see. The text of a message is never copied into another
//! event, so a message that is taken back is gone everywhere.

use std::fmt;
use std::sync::Arc;

use annon_contract::code::Code;
use annon_contract::limits::{CAPTION_MAX, CHAT_ID_LEN, CHAT_MAX, ROOM_NAME_MAX, ROOM_NAME_MIN};
use annon_contract::palette::PALETTE;
use annon_contract::signs::{UNKNOWN_SIGN, shown, sign};
use async_trait::async_trait;
use serde::{Deserialize, Serialize, Serializer};
use uuid::Uuid;

use crate::account::{AccountId, Timestamp, Username};
use crate::error::Result as StoreResult;
use crate::image::ImageId;
use crate::sealed::{Sealed, SealedKind, SealedRoom};
use crate::text::{tidy, tidy_name, unprintable, words};

/// The id of a room, which is in its link: whoever has it may ask for a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RoomId(pub Uuid);

/// One person in one room: a keyed hash, different in every room.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MemberId(pub [u8; 16]);

/// A knock at a room's door: 128 random bits, which only the visitor and the creator are given.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct KnockId(pub [u8; 16]);

impl KnockId {
    /// As it is sent: 32 hexadecimal digits.
    pub fn text(self) -> String {
        Uuid::from_bytes(self.0).simple().to_string()
    }
}

impl TryFrom<&str> for KnockId {
    type Error = Code;

    fn try_from(raw: &str) -> Result<Self, Code> {
        Uuid::try_parse(raw).map(|id| Self(id.into_bytes())).map_err(|_| Code::NoSuchKnock)
    }
}

/// The number of an event in its room's log: its place there. The first is 1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Seq(pub u64);

impl Seq {
    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

/// Milliseconds since 1970, UTC.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Millis(pub u64);

/// The number of a seat. A room counts its seats as they are claimed, and
/// never gives a number twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SeatNumber(pub u32);

/// The emoji of a seat: its index in the palette, which only ever grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Emoji(pub u8);

impl Emoji {
    pub fn as_str(self) -> &'static str {
        invariant!(usize::from(self.0) < PALETTE.len(), "the emoji of a seat is in the palette");
        PALETTE[usize::from(self.0) % PALETTE.len()]
    }

    pub fn of(shown: &str) -> Option<Self> {
        Self::all().find(|emoji| emoji.as_str() == shown)
    }

    pub fn all() -> impl Iterator<Item = Self> {
        (0..PALETTE.len()).filter_map(|at| u8::try_from(at).ok()).map(Self)
    }
}

/// The emoji of a reaction: one of `SIGNS`, which only ever grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Sign(char);

impl Sign {
    pub fn as_str(self) -> &'static str {
        let shown = shown(self.0);
        invariant!(shown.is_some(), "the emoji of a reaction is one of the signs");
        shown.unwrap_or(UNKNOWN_SIGN)
    }
}

impl TryFrom<&str> for Sign {
    type Error = Code;

    fn try_from(raw: &str) -> Result<Self, Code> {
        sign(raw).map(Self).ok_or(Code::NoSuchSign)
    }
}

/// A message's id, made by its sender: `CHAT_ID_LEN` letters and digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(try_from = "String")]
pub struct ChatId([u8; CHAT_ID_LEN]);

impl ChatId {
    pub fn as_str(&self) -> &str {
        let text = str::from_utf8(&self.0);
        invariant!(text.is_ok(), "a message's id is letters and digits");
        text.unwrap_or_default()
    }
}

impl fmt::Debug for ChatId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ChatId({})", self.as_str())
    }
}

impl Serialize for ChatId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl TryFrom<&str> for ChatId {
    type Error = Code;

    fn try_from(raw: &str) -> Result<Self, Code> {
        let id = raw.as_bytes().try_into().ok().map(Self);
        id.filter(|Self(id)| id.iter().all(u8::is_ascii_alphanumeric)).ok_or(Code::MessageIdInvalid)
    }
}

impl TryFrom<String> for ChatId {
    type Error = Code;

    fn try_from(raw: String) -> Result<Self, Code> {
        Self::try_from(raw.as_str())
    }
}

words! {
    /// The text of a message: 1 to `CHAT_MAX` characters.
    ChatText(Arc<str>), tidy, 1..=CHAT_MAX, Code::MessageEmpty, Code::MessageTooLong
}
words! {
    /// The words under a picture: up to `CAPTION_MAX` characters.
    Caption(Arc<str>), tidy, 0..=CAPTION_MAX, Code::CaptionTooLong, Code::CaptionTooLong
}
words! {
    /// The name of a group: `ROOM_NAME_MIN` to `ROOM_NAME_MAX` characters.
    RoomName(Arc<str>), tidy_name, ROOM_NAME_MIN..=ROOM_NAME_MAX,
    Code::GroupNameTooShort, Code::GroupNameTooLong
}
unprintable!(MemberId, KnockId);

macro_rules! shared {
    ($($kind:ident),*) => {$(
        impl $kind {
            /// The words, shared and not copied.
            pub fn shared(&self) -> Arc<str> {
                self.0.clone()
            }
        }
    )*};
}
shared!(ChatText, Caption, RoomName);

/// What a message holds. The order of variants and fields is on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Body {
    Text(ChatText),
    Picture {
        image: ImageId,
        /// The small, blurred picture that is shown first.
        tiny: Option<ImageId>,
        caption: Caption,
    },
    /// It was taken back.
    Gone,
    /// A browser has sealed it.
    Sealed {
        words: Sealed,
        kind: SealedKind,
        /// The id of the message it answers, which is sealed to it: the log may have forgotten that message.
        answers: Option<ChatId>,
        /// A picture, and its small form.
        picture: Option<(ImageId, Option<ImageId>)>,
    },
}

/// Something that happened. The order of variants and fields is on disk: only ever
/// append variants.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum RoomEvent {
    /// Somebody claimed a seat.
    Claimed { seat: SeatNumber, member: MemberId, emoji: Emoji, at: Millis },
    /// The member came: the first socket of this seat is open.
    Arrived { seat: SeatNumber, at: Millis },
    /// The seat is free again: its member never came, or was away for long and
    /// had said nothing.
    Lapsed { seat: SeatNumber, at: Millis },
    /// The member left for good.
    Left { seat: SeatNumber, at: Millis },
    /// The creator removed the member, who may not come back.
    Kicked {
        seat: SeatNumber,
        /// Whether the member's messages were removed, too.
        with_messages: bool,
        at: Millis,
    },
    /// The creator locked or unlocked the door.
    Locked {
        /// Whether nobody new comes in.
        locked: bool,
        at: Millis,
    },
    /// A member said something.
    Posted {
        seat: SeatNumber,
        /// The id that the sender gave it.
        id: ChatId,
        body: Body,
        /// The message it answers.
        reply_to: Option<Seq>,
        at: Millis,
    },
    /// A member took a message back.
    Retracted { seat: SeatNumber, message: Seq, at: Millis },
    /// The room ended.
    Closed { why: Ending, at: Millis },
    /// The member read the room's messages before a socket was open.
    Viewed { seat: SeatNumber, at: Millis },
    /// The events from `from` up to this one are lost, because the log was
    /// damaged. No room decides this: `RoomLog::read` says it, and a backup.
    Lost { from: Seq },
    /// A member reacted to a message.
    Reacted {
        seat: SeatNumber,
        message: Seq,
        /// `None` if it was taken back, by itself or with its message.
        sign: Option<Sign>,
        at: Millis,
    },
    /// A member took a reaction back.
    Unreacted {
        seat: SeatNumber,
        message: Seq,
        /// The event that it takes back.
        reaction: Seq,
        at: Millis,
    },
    /// The creator decided whether newcomers have to knock.
    AskFirst { on: bool, at: Millis },
    /// Somebody knocked.
    Knocked {
        knock: KnockId,
        member: MemberId,
        /// The emoji that they are shown with, and get when they are admitted.
        emoji: Emoji,
        at: Millis,
    },
    /// The creator admitted who knocked.
    Admitted { knock: KnockId, at: Millis },
    /// The creator declined who knocked.
    Declined { knock: KnockId, at: Millis },
}

impl RoomEvent {
    /// When it happened; `None` if that is lost.
    pub fn at(&self) -> Option<Millis> {
        match self {
            Self::Claimed { at, .. }
            | Self::Arrived { at, .. }
            | Self::Lapsed { at, .. }
            | Self::Left { at, .. }
            | Self::Kicked { at, .. }
            | Self::Locked { at, .. }
            | Self::Posted { at, .. }
            | Self::Retracted { at, .. }
            | Self::Closed { at, .. }
            | Self::Viewed { at, .. }
            | Self::Reacted { at, .. }
            | Self::Unreacted { at, .. }
            | Self::AskFirst { at, .. }
            | Self::Knocked { at, .. }
            | Self::Admitted { at, .. }
            | Self::Declined { at, .. } => Some(*at),
            Self::Lost { .. } => None,
        }
    }
}

/// Why a room ended. The order of variants is on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ending {
    /// Its time was up.
    Expired,
    /// Its creator closed it.
    Deleted,
}

/// What is known of a room beside its log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoomMetadata {
    pub id: RoomId,
    pub name: RoomName,
    pub owner: AccountId,
    /// The owner's name, as the room shows it.
    pub creator: Username,
    pub created: Timestamp,
    pub expires: Timestamp,
    /// Whether browsers seal what is said here.
    pub sealed: Option<SealedRoom>,
}

/// The rooms that exist.
#[async_trait]
pub trait RoomDirectory: Send + Sync {
    /// Adds a room. `Full` when its owner has too many rooms that are alive at
    /// `now`, `NotFound` when the owner is gone, `Conflict` when a room has or
    /// had this id.
    async fn create(&self, metadata: RoomMetadata, now: Timestamp) -> StoreResult<()>;
    async fn by_id(&self, id: RoomId) -> StoreResult<Option<RoomMetadata>>;
    /// An account's rooms, newest first.
    async fn of_owner(&self, owner: AccountId) -> StoreResult<Vec<RoomMetadata>>;
    /// Rooms in the order of their ids, for the operator.
    async fn page(&self, after: Option<RoomId>, limit: usize) -> StoreResult<Vec<RoomMetadata>>;
    /// Rooms whose time was up at `now`, at most `limit` of them.
    async fn expired(&self, now: Timestamp, limit: usize) -> StoreResult<Vec<RoomId>>;
    /// Removes a room with its log, and destroys its key. The room may be gone
    /// already.
    async fn remove(&self, id: RoomId) -> StoreResult<()>;
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_emoji_has_one_place() {
        assert_eq!(PALETTE.iter().collect::<HashSet<_>>().len(), PALETTE.len());
        assert!(PALETTE.len() >= 60);
        Emoji::all().for_each(|emoji| assert_eq!(Emoji::of(emoji.as_str()), Some(emoji)));
        assert_eq!(Emoji::of("🧨"), None);
    }
}
