//! The links of a group. Its first link is the room's own id. A new one ends the one before: who has a seat may still
//! come by it, and for all others there is no such group.

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::account::{AccountId, Timestamp};
use crate::error::Result;
use crate::room::RoomId;

/// What a link leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoomLink {
    pub room: RoomId,
    /// Whether a newer link has taken its place.
    pub has_ended: bool,
}

/// The links of one room.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LinksRecord {
    /// Those that were made after the first one, the newest last.
    pub(crate) made: Vec<RoomId>,
    /// When the room ends.
    pub(crate) ends: Timestamp,
}

/// The links of rooms that have got a new one. They go with the room.
#[async_trait]
pub trait RoomLinks: Send + Sync {
    /// What a link leads to; `None` for the only link of a room, and for what is no link.
    async fn follow(&self, link: RoomId) -> Result<Option<RoomLink>>;
    /// The newest links of rooms of an account, in their order.
    async fn newest(&self, owner: AccountId, rooms: &[RoomId]) -> Result<Vec<RoomId>>;
    /// Gives a room a new link, which ends the one before. `Full` when it has had `ROOM_LINKS`, `NotFound` when the
    /// account is gone, `Conflict` when there is or was such a link.
    async fn renew(&self, owner: AccountId, room: RoomId, link: RoomId, ends: Timestamp) -> Result<()>;
    /// Forgets the links of a room that is over.
    async fn forget(&self, owner: AccountId, room: RoomId) -> Result<()>;
}
