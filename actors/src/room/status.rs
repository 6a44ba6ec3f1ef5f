//! What others can know of a room without asking its actor. The actor notes it
//! when it changes, and it stays after the actor's end.

use std::sync::Arc;
use std::time::Instant;

use parking_lot::Mutex;

use crate::room::machine::Room;

/// How a room stands: only numbers, which don't tell who has which seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// Seats that are taken.
    pub seats: usize,
    /// Members who are connected now.
    pub active: usize,
    /// Messages ever posted; it only grows.
    pub messages: u64,
}

impl From<&Room> for Standing {
    /// Nobody is `active`: the machine doesn't know who is connected.
    fn from(room: &Room) -> Self {
        Self { seats: room.seats().len(), active: 0, messages: room.messages() }
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

/// Where one actor of a room notes its status. The room's next actor has another one.
pub(crate) type SharedStatus = Arc<Mutex<Status>>;
