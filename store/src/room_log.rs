//! Room logs: what happened, in order, and nothing else is the truth about a
//! room.

use async_trait::async_trait;

use crate::error::Result;
use crate::room::{RoomEvent, RoomId, Seq};

pub(crate) mod sled;

/// Everything that is kept of what happened in rooms.
#[async_trait]
pub trait RoomLog: Send + Sync {
    /// Adds what happened next, as one record. `Conflict` when the log does
    /// not end at `expected` (any more), `NotFound` when the room is gone. On
    /// disk when it answers.
    async fn append(&self, room: RoomId, expected: Seq, events: Vec<RoomEvent>) -> Result<()>;
    /// What happened after a place, in order. Messages that were forgotten
    /// are missing. Nothing, or `NotFound`, when the room is gone.
    async fn read(&self, room: RoomId, after: Seq) -> Result<Vec<(Seq, RoomEvent)>>;
    /// Takes the words out of messages. Within the hour no file holds them in
    /// a form that can be read.
    async fn redact(&self, room: RoomId, messages: Vec<Seq>) -> Result<()>;
    /// Forgets messages (and only messages) up to a place. The log still ends
    /// where it ended, and within the hour no file holds their words in a
    /// form that can be read.
    async fn forget(&self, room: RoomId, up_to: Seq) -> Result<()>;
}
