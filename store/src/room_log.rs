//! Room logs: the events of each room, in order. A room's state is made from
//! its log alone.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use async_trait::async_trait;
use futures_util::Stream;

use crate::error::Result;
use crate::image::ImageId;
use crate::room::{Body, RoomEvent, RoomId, Seq};

/// The outcome of an append, which the caller waits for.
pub type Appending = Pin<Box<dyn Future<Output = Result<()>> + Send>>;

/// What events take back.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Erasure {
    /// Messages that lose their words, and reactions that lose their emoji.
    pub messages: Vec<Seq>,
    /// Pictures of the room's album that no message shows any more.
    pub pictures: Vec<ImageId>,
}

impl Erasure {
    pub fn is_empty(&self) -> bool {
        let Self { messages, pictures } = self;
        messages.is_empty() && pictures.is_empty()
    }

    pub fn extend(&mut self, other: Self) {
        self.messages.extend(other.messages);
        self.pictures.extend(other.pictures);
    }
}

/// What others write to one room's log, as it is written.
pub struct Tail {
    items: Pin<Box<dyn Stream<Item = TailItem> + Send>>,
    /// Up to here the listener knows the log, if the engine needs to know that.
    known: Option<Arc<AtomicU64>>,
}

impl Tail {
    pub fn new(items: impl Stream<Item = TailItem> + Send + 'static) -> Self {
        Self { items: Box::pin(items), known: None }
    }

    /// A tail whose engine reads what comes after `known`.
    pub(crate) fn after(known: Arc<AtomicU64>, items: impl Stream<Item = TailItem> + Send + 'static) -> Self {
        Self { items: Box::pin(items), known: Some(known) }
    }

    /// Notes that the listener knows the log up to here.
    pub fn knows(&self, last: Seq) {
        if let Some(known) = &self.known {
            known.store(last.0, Ordering::Relaxed);
        }
    }
}

impl Stream for Tail {
    type Item = TailItem;

    fn poll_next(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Option<TailItem>> {
        self.items.as_mut().poll_next(task)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TailItem {
    /// These events were written; the first has this place. They may come twice,
    /// late, or not at all: the log has them.
    Events { first: Seq, events: Vec<RoomEvent> },
    /// Something may have been missed.
    Stale,
    /// The room was removed.
    Gone,
    /// The log ends before what the listener knows: a database that took over from
    /// another one doesn't have the last of it.
    Cut,
}

/// The events of all rooms.
#[async_trait]
pub trait RoomLog: Send + Sync {
    /// Appends events. They are on disk when the future is ready. `Conflict`
    /// when the log does not end at `expected`, `NotFound` when the room is
    /// gone. A nearly full disk refuses messages and seats.
    ///
    /// The append is queued before this function returns. More appends may be
    /// queued while earlier ones wait: then `expected` is the end that the log
    /// has after those, and the log writes them as one record. If an append is
    /// refused, all that are queued behind it fail with `Conflict`. An append
    /// whose future is dropped before it is written is not written.
    fn append(&self, room: RoomId, expected: Seq, events: Vec<RoomEvent>) -> Appending {
        self.append_and_erase(room, expected, events, Erasure::default())
    }
    /// Like `append`, for events that take something back: with the events it is
    /// decided that all of `erased` goes. When the future is ready, no file has
    /// any of it in a form that can be read; after a crash before that, the next
    /// start goes on. Damage is no reason to refuse. If the events are written,
    /// and what they take back can't be overwritten yet, the error is
    /// `Unavailable`, and a sweep goes on.
    fn append_and_erase(&self, room: RoomId, expected: Seq, events: Vec<RoomEvent>, erased: Erasure) -> Appending;
    /// The events after `after`, in order, without forgotten messages. In the
    /// place of events that can't be read is one `Lost`. When the room is gone,
    /// there are none, or the error is `NotFound`.
    async fn read(&self, room: RoomId, after: Seq) -> Result<Vec<(Seq, RoomEvent)>>;
    /// The events at `places`, which are in order. Missing ones are left out.
    async fn pick(&self, room: RoomId, places: Vec<Seq>) -> Result<Vec<(Seq, RoomEvent)>>;
    /// Removes messages and reactions, and no other events, up to `up_to`. The log still ends
    /// where it ended, and no file has the words in a form that can be read.
    async fn forget(&self, room: RoomId, up_to: Seq) -> Result<()>;
    /// What other processes write to a room's log from now on; `None` if only
    /// this one writes.
    fn tail(&self, _room: RoomId) -> Option<Tail> {
        None
    }
    /// How long an answer may take. After that the log counts as stuck.
    fn patience(&self) -> Duration {
        Duration::from_secs(10)
    }
}

/// Events with their places, in order.
pub type Events = Vec<(Seq, RoomEvent)>;

/// The most events in one record: to read one, all of its record is read.
pub(crate) const TOGETHER: usize = 512;

/// What stands for the events from `from` on, before `until`, if they can't be read.
/// `None` if there are no such events.
pub(crate) fn lost(from: Seq, until: Seq) -> Option<(Seq, RoomEvent)> {
    (from < until).then(|| (Seq(until.0 - 1), RoomEvent::Lost { from }))
}

/// Removes the words of the messages, and the emoji of the reactions, at these places,
/// which are in order. Returns whether any event was changed.
pub fn take_words<'a>(events: impl IntoIterator<Item = (Seq, &'a mut RoomEvent)>, messages: &[Seq]) -> bool {
    let mut is_changed = false;
    for (at, event) in events {
        if messages.binary_search(&at).is_err() {
            continue;
        }
        match event {
            RoomEvent::Posted { body, .. } => {
                is_changed |= *body != Body::Gone;
                *body = Body::Gone;
            }
            RoomEvent::Reacted { sign, .. } => is_changed |= sign.take().is_some(),
            RoomEvent::Claimed { .. }
            | RoomEvent::Arrived { .. }
            | RoomEvent::Lapsed { .. }
            | RoomEvent::Left { .. }
            | RoomEvent::Kicked { .. }
            | RoomEvent::Locked { .. }
            | RoomEvent::Retracted { .. }
            | RoomEvent::Closed { .. }
            | RoomEvent::Viewed { .. }
            | RoomEvent::Lost { .. }
            | RoomEvent::Unreacted { .. }
            | RoomEvent::AskFirst { .. }
            | RoomEvent::Knocked { .. }
            | RoomEvent::Admitted { .. }
            | RoomEvent::Declined { .. } => {}
        }
    }
    is_changed
}

/// Removes messages and reactions up to `up_to`, and the events that one was taken back.
/// Returns whether there were any.
pub fn forget_messages(events: &mut Events, up_to: Seq) -> bool {
    let before = events.len();
    events.retain(|(seq, event)| *seq > up_to || !goes_with_messages(event));
    events.len() != before
}

/// Whether an event is nothing without messages that are kept.
pub fn goes_with_messages(event: &RoomEvent) -> bool {
    match event {
        RoomEvent::Posted { .. }
        | RoomEvent::Retracted { .. }
        | RoomEvent::Reacted { .. }
        | RoomEvent::Unreacted { .. } => true,
        RoomEvent::Claimed { .. }
        | RoomEvent::Arrived { .. }
        | RoomEvent::Lapsed { .. }
        | RoomEvent::Left { .. }
        | RoomEvent::Kicked { .. }
        | RoomEvent::Locked { .. }
        | RoomEvent::Closed { .. }
        | RoomEvent::Viewed { .. }
        | RoomEvent::Lost { .. }
        | RoomEvent::AskFirst { .. }
        | RoomEvent::Knocked { .. }
        | RoomEvent::Admitted { .. }
        | RoomEvent::Declined { .. } => false,
    }
}
