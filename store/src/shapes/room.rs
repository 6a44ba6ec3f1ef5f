//! Rooms as they are on disk: their cards, and what happened in them.
//!
//! The order of an enum's variants and of their fields is on disk. Only ever
//! append variants here, and give a record with another field a new version.

use serde::{Deserialize, Serialize};

use crate::account::{AccountId, Timestamp, Username};
use crate::image::ImageId;
use crate::room::{
    Body, Caption, ChatId, ChatText, Emoji, Ending, MemberId, Millis, RoomCard, RoomEvent, RoomName, SeatNumber, Seq,
};
use crate::shapes::Record;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct RoomRecord {
    name: RoomName,
    owner: AccountId,
    creator: Username,
    created: Timestamp,
    expires: Timestamp,
}

impl From<RoomCard> for RoomRecord {
    fn from(card: RoomCard) -> Self {
        let RoomCard { id: _, name, owner, creator, created, expires } = card;
        Self { name, owner, creator, created, expires }
    }
}

impl RoomRecord {
    pub(crate) fn into_card(self, id: crate::room::RoomId) -> RoomCard {
        let Self { name, owner, creator, created, expires } = self;
        RoomCard { id, name, owner, creator, created, expires }
    }
}

/// What was appended to a room's log at once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct LogRecord(Vec<(Seq, StoredEvent)>);

impl LogRecord {
    /// Of events at their places, in order.
    pub(crate) fn new(events: impl IntoIterator<Item = (Seq, RoomEvent)>) -> Self {
        Self(events.into_iter().map(|(seq, event)| (seq, event.into())).collect())
    }

    pub(crate) fn into_events(self) -> Vec<(Seq, RoomEvent)> {
        self.0.into_iter().map(|(seq, event)| (seq, event.into())).collect()
    }
}

impl Record for RoomRecord {
    const VERSION: u8 = 1;
}

impl Record for LogRecord {
    const VERSION: u8 = 1;
}

/// [`RoomEvent`] as it is on disk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum StoredEvent {
    Claimed { seat: SeatNumber, member: MemberId, emoji: Emoji, at: Millis },
    Arrived { seat: SeatNumber, at: Millis },
    Lapsed { seat: SeatNumber, at: Millis },
    Left { seat: SeatNumber, at: Millis },
    Kicked { seat: SeatNumber, with_messages: bool, at: Millis },
    Locked { locked: bool, at: Millis },
    Posted { seat: SeatNumber, id: ChatId, body: StoredBody, reply_to: Option<Seq>, at: Millis },
    Unsent { seat: SeatNumber, message: Seq, at: Millis },
    Closed { why: StoredEnding, at: Millis },
    Viewed { seat: SeatNumber, at: Millis },
}

/// [`Body`] as it is on disk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum StoredBody {
    Text(ChatText),
    Picture { image: ImageId, tiny: Option<ImageId>, caption: Caption },
    Gone,
}

/// [`Ending`] as it is on disk.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
enum StoredEnding {
    Expired,
    Deleted,
}

/// Lets two enums with the same variants become each other.
macro_rules! alike {
    ($live:ident, $stored:ident: $($kind:ident $({ $($field:ident),* })?),* $(,)?) => {
        alike!(@one $live, $stored: $($kind $({ $($field),* })?),*);
        alike!(@one $stored, $live: $($kind $({ $($field),* })?),*);
    };
    (@one $from:ident, $to:ident: $($kind:ident $({ $($field:ident),* })?),*) => {
        impl From<$from> for $to {
            fn from(it: $from) -> Self {
                match it {
                    $($from::$kind $({ $($field),* })? => Self::$kind $({ $($field: $field.into()),* })?,)*
                }
            }
        }
    };
}

alike! { RoomEvent, StoredEvent:
    Claimed { seat, member, emoji, at },
    Arrived { seat, at },
    Lapsed { seat, at },
    Left { seat, at },
    Kicked { seat, with_messages, at },
    Locked { locked, at },
    Posted { seat, id, body, reply_to, at },
    Unsent { seat, message, at },
    Closed { why, at },
    Viewed { seat, at },
}
alike! { Ending, StoredEnding: Expired, Deleted }

impl From<Body> for StoredBody {
    fn from(body: Body) -> Self {
        match body {
            Body::Text(text) => Self::Text(text),
            Body::Picture { image, tiny, caption } => Self::Picture { image, tiny, caption },
            Body::Gone => Self::Gone,
        }
    }
}

impl From<StoredBody> for Body {
    fn from(body: StoredBody) -> Self {
        match body {
            StoredBody::Text(text) => Self::Text(text),
            StoredBody::Picture { image, tiny, caption } => Self::Picture { image, tiny, caption },
            StoredBody::Gone => Self::Gone,
        }
    }
}
