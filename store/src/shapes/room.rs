//! Rooms as they are on disk: their metadata, and their events.
//!
//! The order of an enum's variants and of their fields is on disk. Only ever
//! append variants here. A record with another field needs a new version.

use serde::{Deserialize, Serialize};

use crate::account::{AccountId, Timestamp, Username};
use crate::image::ImageId;
use crate::room::{
    Body, Caption, ChatId, ChatText, Emoji, Ending, MemberId, Millis, RoomEvent, RoomMetadata, RoomName, SeatNumber,
    Seq,
};
use crate::shapes::Record;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct MetadataRecord {
    name: RoomName,
    owner: AccountId,
    creator: Username,
    created: Timestamp,
    expires: Timestamp,
}

impl From<RoomMetadata> for MetadataRecord {
    fn from(metadata: RoomMetadata) -> Self {
        let RoomMetadata { id: _, name, owner, creator, created, expires } = metadata;
        Self { name, owner, creator, created, expires }
    }
}

impl MetadataRecord {
    pub(crate) fn into_metadata(self, id: crate::room::RoomId) -> RoomMetadata {
        let Self { name, owner, creator, created, expires } = self;
        RoomMetadata { id, name, owner, creator, created, expires }
    }
}

/// Events that were appended to a room's log together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct LogRecord(Vec<(Seq, Event)>);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Event(#[serde(with = "StoredEvent")] RoomEvent);

impl LogRecord {
    pub(crate) fn new(events: impl IntoIterator<Item = (Seq, RoomEvent)>) -> Self {
        Self(events.into_iter().map(|(seq, event)| (seq, Event(event))).collect())
    }

    pub(crate) fn into_events(self) -> Vec<(Seq, RoomEvent)> {
        self.0.into_iter().map(|(seq, Event(event))| (seq, event)).collect()
    }
}

/// What events took back, until nothing of it is left on the disk.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct ErasingRecord {
    /// Messages whose words may still be in the room's log, in order.
    pub(crate) messages: Vec<Seq>,
    /// The ids of the keys that die.
    pub(crate) keys: Vec<u64>,
}

impl Record for ErasingRecord {
    const VERSION: u8 = 1;
}

impl Record for MetadataRecord {
    const VERSION: u8 = 1;
}

impl Record for LogRecord {
    const VERSION: u8 = 1;
}

/// [`RoomEvent`] as it is on disk.
#[derive(Serialize, Deserialize)]
#[serde(remote = "RoomEvent")]
enum StoredEvent {
    Claimed {
        seat: SeatNumber,
        member: MemberId,
        emoji: Emoji,
        at: Millis,
    },
    Arrived {
        seat: SeatNumber,
        at: Millis,
    },
    Lapsed {
        seat: SeatNumber,
        at: Millis,
    },
    Left {
        seat: SeatNumber,
        at: Millis,
    },
    Kicked {
        seat: SeatNumber,
        with_messages: bool,
        at: Millis,
    },
    Locked {
        locked: bool,
        at: Millis,
    },
    Posted {
        seat: SeatNumber,
        id: ChatId,
        #[serde(with = "StoredBody")]
        body: Body,
        reply_to: Option<Seq>,
        at: Millis,
    },
    Retracted {
        seat: SeatNumber,
        message: Seq,
        at: Millis,
    },
    Closed {
        #[serde(with = "StoredEnding")]
        why: Ending,
        at: Millis,
    },
    Viewed {
        seat: SeatNumber,
        at: Millis,
    },
    Lost {
        from: Seq,
    },
}

/// [`Body`] as it is on disk.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Body")]
enum StoredBody {
    Text(ChatText),
    Picture { image: ImageId, tiny: Option<ImageId>, caption: Caption },
    Gone,
}

/// [`Ending`] as it is on disk.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Ending")]
enum StoredEnding {
    Expired,
    Deleted,
}
