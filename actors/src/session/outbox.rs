//! What waits for one socket. Whoever fills it never waits; whoever empties
//! it takes everything at once.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use actix::{Message, Recipient};
use annon_store::limits::SOCKET_WAITING;

use super::{Goodbye, Text};

/// Something waits for the session.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct Wake;

/// The end of a session, and the word that goes before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct End {
    pub(crate) reason: Option<&'static str>,
    pub(crate) why: Goodbye,
}

/// What a session has to write now.
#[derive(Default)]
pub(crate) struct Due {
    pub(crate) texts: Vec<Text>,
    pub(crate) end: Option<End>,
}

#[derive(Default)]
struct Waiting {
    due: Due,
    pushes: usize,
    /// The session knows that something waits.
    told: bool,
}

/// Both ends of what waits for one socket.
#[derive(Clone, Default)]
pub(crate) struct Line(Arc<Mutex<Waiting>>);

impl Line {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Everything that waits.
    pub(crate) fn take(&self) -> Due {
        let mut waiting = self.lock();
        waiting.told = false;
        waiting.pushes = 0;
        std::mem::take(&mut waiting.due)
    }
}

/// Leads to one session, from any thread.
#[derive(Clone)]
pub struct Outbox {
    line: Line,
    session: Recipient<Wake>,
}

impl Outbox {
    pub(crate) fn new(line: &Line, session: Recipient<Wake>) -> Self {
        Self { line: line.clone(), session }
    }

    /// Queues a frame. `Break` when the session is gone or can't keep up: it
    /// is cut off then, and must be dropped.
    pub fn push(&self, text: Text) -> ControlFlow<()> {
        self.add(|texts| texts.push(text))
    }

    /// Queues frames that belong together.
    pub fn push_all(&self, texts: &mut Vec<Text>) -> ControlFlow<()> {
        if texts.is_empty() { ControlFlow::Continue(()) } else { self.add(|waiting| waiting.append(texts)) }
    }

    fn add(&self, add: impl FnOnce(&mut Vec<Text>)) -> ControlFlow<()> {
        let mut waiting = self.line.lock();
        if waiting.due.end.is_some() {
            return ControlFlow::Break(());
        }
        if waiting.pushes == SOCKET_WAITING {
            // It hears of it as soon as its socket takes bytes again. If that
            // never comes, TCP_USER_TIMEOUT ends the connection.
            waiting.due = Due { texts: Vec::new(), end: Some(End { reason: None, why: Goodbye::TooSlow }) };
            drop(waiting);
            self.wake();
            return ControlFlow::Break(());
        }
        waiting.pushes += 1;
        add(&mut waiting.due.texts);
        if std::mem::replace(&mut waiting.told, true) {
            return ControlFlow::Continue(());
        }
        drop(waiting);
        self.wake()
    }

    /// Whether there is still a session.
    pub(crate) fn is_open(&self) -> bool {
        self.session.connected()
    }

    /// Ends the session.
    pub fn end(&self, why: Goodbye) {
        self.finish(End { reason: None, why });
    }

    /// Tells why, in an `event.closed`, and ends the session.
    pub fn close(&self, reason: &'static str, why: Goodbye) {
        self.finish(End { reason: Some(reason), why });
    }

    fn finish(&self, end: End) {
        self.line.lock().due.end.get_or_insert(end);
        let _ = self.wake();
    }

    /// `Break` when nobody is there to be woken.
    fn wake(&self) -> ControlFlow<()> {
        if self.session.try_send(Wake).is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}
