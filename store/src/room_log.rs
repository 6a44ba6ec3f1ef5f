//! Room logs: what happened, in order, and nothing else is the truth about a
//! room.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;

use crate::error::Result;
use crate::room::{RoomEvent, RoomId, Seq};

pub(crate) mod sled;

/// Events that are appended together. More may join them until the log takes
/// them: while it waits for its turn to sync, or for the disk.
#[derive(Clone)]
pub struct Batch(Arc<Mutex<Option<Vec<RoomEvent>>>>);

impl Batch {
    /// Adds what happened next, if it isn't too late for that.
    pub fn join(&self, event: &RoomEvent) -> bool {
        let mut events = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        events.as_mut().map(|events| events.push(event.clone())).is_some()
    }

    /// What is to be written. Nothing can join it from now on.
    pub fn take(&self) -> Vec<RoomEvent> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take().unwrap_or_default()
    }
}

impl From<Vec<RoomEvent>> for Batch {
    fn from(events: Vec<RoomEvent>) -> Self {
        Self(Arc::new(Mutex::new(Some(events))))
    }
}

/// Everything that is kept of what happened in rooms.
#[async_trait]
pub trait RoomLog: Send + Sync {
    /// Adds what happened next, as one record. `Conflict` when the log does
    /// not end at `expected` (any more), `NotFound` when the room is gone. On
    /// disk when it answers. A nearly full disk refuses messages and seats.
    async fn append(&self, room: RoomId, expected: Seq, batch: Batch) -> Result<()>;
    /// What happened after a place, in order. Messages that were forgotten
    /// are missing. Nothing, or `NotFound`, when the room is gone.
    async fn read(&self, room: RoomId, after: Seq) -> Result<Vec<(Seq, RoomEvent)>>;
    /// What happened at some places, which are in order, as far as it is there.
    async fn pick(&self, room: RoomId, places: Vec<Seq>) -> Result<Vec<(Seq, RoomEvent)>>;
    /// Takes the words out of messages. Within the hour no file holds them in
    /// a form that can be read.
    async fn redact(&self, room: RoomId, messages: Vec<Seq>) -> Result<()>;
    /// Forgets messages (and only messages) up to a place. The log still ends
    /// where it ended, and within the hour no file holds their words in a
    /// form that can be read.
    async fn forget(&self, room: RoomId, up_to: Seq) -> Result<()>;
}
