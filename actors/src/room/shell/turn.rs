//! What waits in a room's queue.

use annon_store::room::{Ending, MemberId, RoomEvent};
use annon_store::room_log::Erasure;

use crate::room::error::RoomError;
use crate::room::frame::knocks::Knocks;
use crate::room::machine::Undo;
use crate::room::shell::requests::{Ready, Request};
use crate::room::status::Standing;
use crate::session::EncodedFrame;

/// An event, and what it means for others, as it was when it was decided.
pub(super) struct Decided {
    pub(super) event: RoomEvent,
    pub(super) undo: Undo,
    /// What it takes back.
    pub(super) erased: Erasure,
    pub(super) frames: Vec<EncodedFrame>,
    /// The member whose seat it makes free.
    pub(super) leaver: Option<MemberId>,
    /// Who waits at the door now, if it may have changed that.
    pub(super) knocks: Option<Box<Knocks>>,
    pub(super) standing: Standing,
}

/// What waits in the queue until everything before it is on disk.
pub(super) enum What {
    /// This event is on disk. A turn is moved several times, so it is small.
    Event(Box<Decided>),
    /// The room ends. That is not written: it removes the log.
    End(Ending),
    /// The log refused this event, and the machine has undone it.
    Refused(RoomEvent),
    /// Nothing of its own.
    Nothing,
}

/// A place in the queue, and who asked for it: nobody, if the room did by itself.
pub(super) struct Turn {
    pub(super) what: What,
    pub(super) request: Option<Request>,
    pub(super) outcome: Result<Ready, RoomError>,
}
