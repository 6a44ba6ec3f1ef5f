//! Rooms as they are on disk: their metadata, and their events.
//!
//! The order of fields is on disk, and in `RoomEvent` also that of the variants. A
//! record with another field needs a new version.

use serde::{Deserialize, Serialize};

use crate::account::{AccountId, Timestamp, Username};
use crate::room::{RoomId, RoomMetadata, RoomName, Seq};
use crate::room_log::Events;
use crate::sealed::SealedRoom;

/// As it was before groups could be sealed.
#[derive(Serialize, Deserialize)]
pub(crate) struct FirstMetadataRecord {
    name: RoomName,
    owner: AccountId,
    creator: Username,
    created: Timestamp,
    expires: Timestamp,
}

impl From<FirstMetadataRecord> for MetadataRecord {
    fn from(first: FirstMetadataRecord) -> Self {
        let FirstMetadataRecord { name, owner, creator, created, expires } = first;
        Self { name, owner, creator, created, expires, sealed: None }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct MetadataRecord {
    name: RoomName,
    owner: AccountId,
    creator: Username,
    created: Timestamp,
    expires: Timestamp,
    sealed: Option<SealedRoom>,
}

impl From<RoomMetadata> for MetadataRecord {
    fn from(metadata: RoomMetadata) -> Self {
        let RoomMetadata { id: _, name, owner, creator, created, expires, sealed } = metadata;
        Self { name, owner, creator, created, expires, sealed }
    }
}

impl MetadataRecord {
    pub(crate) fn into_metadata(self, id: RoomId) -> RoomMetadata {
        let Self { name, owner, creator, created, expires, sealed } = self;
        RoomMetadata { id, name, owner, creator, created, expires, sealed }
    }
}

/// Events that were appended to a room's log together, each with its place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct LogRecord(pub(crate) Events);

/// What events took back, until nothing of it is left on the disk.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct ErasingRecord {
    /// Messages whose words may still be in the room's log, in order.
    pub(crate) messages: Vec<Seq>,
    /// The ids of the keys that die.
    pub(crate) keys: Vec<u64>,
}
