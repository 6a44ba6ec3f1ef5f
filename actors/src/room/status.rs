//! What others can know of a room without asking its actor. The actor notes it
//! when it changes, and it stays after the actor's end.

use std::sync::Arc;
use std::time::Instant;

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::room::machine::Room;

/// Who and what is in a group: only numbers, so that nothing tells which seat is the creator's.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = RoomStanding)]
pub struct Standing {
    /// How many seats are taken.
    #[schema(example = 4)]
    pub seats: usize,
    /// How many members are connected.
    #[schema(example = 2)]
    pub active: usize,
    /// How many messages were ever sent.
    #[serde(rename = "message_count")]
    #[schema(example = 61)]
    pub messages: u64,
    /// Whether newcomers have to knock; absent if not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub asks_first: bool,
}

impl From<&Room> for Standing {
    /// Nobody is `active`: the machine doesn't know who is connected.
    fn from(room: &Room) -> Self {
        Self { seats: room.seats().len(), active: 0, messages: room.messages(), asks_first: room.asks_first() }
    }
}

/// One room's status.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Status {
    /// How it stands on disk; `None` until its log was read.
    pub(crate) standing: Option<Standing>,
    /// Members who are connected.
    pub(crate) active: usize,
    /// Since when it has no actor, so that nobody can be in it.
    pub(crate) nobody_since: Option<Instant>,
}

impl Status {
    /// What the room's owner sees; `None` until its log was read.
    pub(crate) fn seen(&self) -> Option<Standing> {
        Some(Standing { active: self.active, ..self.standing? })
    }
}

/// Where one actor of a room notes its status. The room's next actor has another one.
pub(crate) type SharedStatus = Arc<Mutex<Status>>;
