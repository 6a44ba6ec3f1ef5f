//! Room logs: what happened, in order, and nothing else is the truth about a
//! room.

use std::pin::Pin;

use async_trait::async_trait;

use crate::error::Result;
use crate::room::{Body, RoomEvent, RoomId, Seq};

/// What becomes of an append.
pub type Appending = Pin<Box<dyn Future<Output = Result<()>> + Send>>;

/// Everything that is kept of what happened in rooms.
#[async_trait]
pub trait RoomLog: Send + Sync {
    /// Adds what happened next. `Conflict` when the log does not end at
    /// `expected` (any more), `NotFound` when the room is gone. On disk when
    /// it answers. A nearly full disk refuses messages and seats.
    ///
    /// The append has its turn before this returns, in the order of the calls.
    /// So more may be appended while earlier appends wait, `expected` being
    /// the end that the log has after those; the log writes them as one. What
    /// is refused takes all those with it that were to stand behind it: they
    /// are a `Conflict`. An append that is dropped before its turn never is.
    fn append(&self, room: RoomId, expected: Seq, events: Vec<RoomEvent>) -> Appending;
    /// What happened after a place, in order. Messages that were forgotten
    /// are missing. Nothing, or `NotFound`, when the room is gone.
    async fn read(&self, room: RoomId, after: Seq) -> Result<Vec<(Seq, RoomEvent)>>;
    /// What happened at some places, which are in order, as far as it is there.
    async fn pick(&self, room: RoomId, places: Vec<Seq>) -> Result<Vec<(Seq, RoomEvent)>>;
    /// Takes the words out of messages. From here on no file holds them in a
    /// form that can be read.
    async fn redact(&self, room: RoomId, messages: Vec<Seq>) -> Result<()>;
    /// Forgets messages (and only messages) up to a place. The log still ends
    /// where it ended, and no file holds their words in a form that can be
    /// read.
    async fn forget(&self, room: RoomId, up_to: Seq) -> Result<()>;
}

/// Events at their places, in order.
pub(crate) type Events = Vec<(Seq, RoomEvent)>;

/// Takes the words out of messages, wherever one of these places is; those are
/// in order, too. Whether there were any.
pub(crate) fn take_words(events: &mut Events, messages: &[Seq]) -> bool {
    let mut is_changed = false;
    for (at, event) in events {
        if let RoomEvent::Posted { body, .. } = event
            && *body != Body::Gone
            && messages.binary_search(at).is_ok()
        {
            *body = Body::Gone;
            is_changed = true;
        }
    }
    is_changed
}

/// Forgets messages, and that one was taken back, up to a place. Whether there
/// were any.
pub(crate) fn forget_messages(events: &mut Events, up_to: Seq) -> bool {
    let before = events.len();
    events.retain(|(seq, event)| *seq > up_to || !matches!(event, RoomEvent::Posted { .. } | RoomEvent::Unsent { .. }));
    events.len() != before
}
