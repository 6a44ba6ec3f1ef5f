//! Members' sockets, and the frames that wait for each.
//!
//! Frames for everybody are kept once, and go out as one piece with the next
//! flush. A socket that gets a frame of its own first gets those before it.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::Arc;

use annon_store::room::MemberId;
use uuid::Uuid;

use crate::session::{CloseReason, EncodedFrame, Outbox};

/// Sockets one seat may have open; above that the oldest is closed.
const PER_SEAT: usize = 4;

/// One room's sockets.
#[derive(Default)]
pub(super) struct Sockets {
    /// Their ids grow: a socket that came later has a greater id.
    open: HashMap<Uuid, Socket>,
    /// Frames for all sockets that listen, until the next flush.
    shown: Vec<EncodedFrame>,
    /// Whether anything waits for the next flush.
    is_due: bool,
}

/// One member's connection. When it is dropped without a close reason, its
/// client connects again.
pub(crate) struct Socket {
    pub(super) member: MemberId,
    outbox: Arc<Outbox>,
    /// Frames for this socket only, and the frames for everybody that came
    /// before the last of them; they go out with the next flush.
    queued: Vec<EncodedFrame>,
    /// How many frames of `Sockets::shown` this socket needs no more: they are
    /// in `queued`, or came before it listened.
    has: usize,
    /// Whether it has sent `event.connect` and gets the frames for everybody.
    listens: bool,
    /// Whether it has sent `event.connect` and is not answered yet.
    connects: bool,
}

impl Sockets {
    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    pub(super) fn member(&self, socket: Uuid) -> Option<MemberId> {
        self.open.get(&socket).map(|socket| socket.member)
    }

    pub(super) fn members(&self) -> HashSet<MemberId> {
        self.open.values().map(|socket| socket.member).collect()
    }

    /// Adds a socket. From `start_listening` on it gets the frames for everybody.
    pub(super) fn enter(&mut self, id: Uuid, socket: Socket) {
        let theirs = self.open.iter().filter(|(_, other)| other.member == socket.member);
        let theirs: Vec<_> = theirs.map(|(id, _)| *id).collect();
        if theirs.len() >= PER_SEAT
            && let Some(oldest) = theirs.iter().min().and_then(|oldest| self.open.remove(oldest))
        {
            oldest.outbox.finish(CloseReason::Replaced);
        }
        self.open.insert(id, socket);
    }

    /// Removes a socket. If it is still open, its client connects again.
    pub(super) fn remove(&mut self, socket: Uuid) -> Option<MemberId> {
        self.open.remove(&socket).map(|socket| socket.member)
    }

    /// Removes all sockets. Their clients connect again.
    pub(super) fn clear(&mut self) {
        self.open.clear();
    }

    /// Closes the sockets that `which` chooses, and tells each why.
    pub(super) fn close(&mut self, which: impl Fn(Uuid, MemberId) -> bool, why: CloseReason) {
        for (_, mut socket) in self.open.extract_if(|id, socket| which(*id, socket.member)) {
            socket.catch_up(&self.shown);
            let _ = socket.outbox.push_all(&socket.queued);
            socket.outbox.finish(why);
        }
    }

    /// Sends frames to all sockets that listen.
    pub(super) fn broadcast(&mut self, frames: &[EncodedFrame]) {
        self.shown.extend_from_slice(frames);
        self.is_due = true;
    }

    /// Sends a frame to all sockets that listen, except a member's own.
    pub(super) fn broadcast_except(&mut self, member: MemberId, frame: &EncodedFrame) {
        for other in self.open.values_mut().filter(|other| other.member != member && other.listens) {
            other.catch_up(&self.shown);
            other.queued.push(frame.clone());
            self.is_due = true;
        }
    }

    pub(super) fn answer(&mut self, socket: Uuid, frames: impl IntoIterator<Item = EncodedFrame>) {
        if let Some(socket) = self.open.get_mut(&socket) {
            socket.catch_up(&self.shown);
            socket.queued.extend(frames);
            self.is_due = true;
        }
    }

    /// Notes that a socket has sent `event.connect`. Returns `false` if it
    /// waits for an earlier answer: what it has missed is gathered once.
    pub(super) fn start_connecting(&mut self, socket: Uuid) -> bool {
        self.open.get_mut(&socket).is_some_and(|socket| !std::mem::replace(&mut socket.connects, true))
    }

    /// The socket was not answered: it will be, when it has asked again.
    pub(super) fn connect_again(&mut self, socket: Uuid) {
        if let Some(socket) = self.open.get_mut(&socket) {
            socket.connects = false;
        }
    }

    /// From here on the socket gets the frames for everybody.
    pub(super) fn start_listening(&mut self, socket: Uuid) {
        if let Some(socket) = self.open.get_mut(&socket) {
            socket.catch_up(&self.shown);
            (socket.listens, socket.connects) = (true, false);
        }
    }

    /// Sends each socket its frames, as one piece. Returns whether some sockets
    /// were removed, because they are gone or too slow.
    pub(super) fn flush(&mut self) -> bool {
        if !std::mem::take(&mut self.is_due) {
            return false;
        }
        let shown = std::mem::take(&mut self.shown);
        let as_one = EncodedFrame::joined(&shown);
        self.open.extract_if(|_, socket| socket.flush(&shown, as_one.as_ref()).is_break()).count() > 0
    }

    /// Removes sockets whose sessions ended without an `Exit`. Returns whether
    /// there were any.
    pub(super) fn remove_ended(&mut self) -> bool {
        self.open.extract_if(|_, socket| socket.outbox.end().is_some()).count() > 0
    }
}

impl Socket {
    pub(crate) fn new(member: MemberId, outbox: Arc<Outbox>) -> Self {
        Self { member, outbox, queued: Vec::new(), has: 0, listens: false, connects: false }
    }

    /// Queues the frames for everybody so far, so that others can follow them.
    fn catch_up(&mut self, shown: &[EncodedFrame]) {
        if self.listens {
            self.queued.extend_from_slice(&shown[self.has..]);
        }
        self.has = shown.len();
    }

    /// Sends the frames that wait. `Break` if the session is gone or too slow.
    fn flush(&mut self, shown: &[EncodedFrame], as_one: Option<&EncodedFrame>) -> ControlFlow<()> {
        if self.queued.is_empty() && self.has == 0 {
            // The usual case.
            let push = |text| self.outbox.push(text);
            return as_one.filter(|_| self.listens).map_or(ControlFlow::Continue(()), push);
        }
        self.catch_up(shown);
        self.has = 0;
        self.outbox.push_all(&std::mem::take(&mut self.queued))
    }
}

impl Drop for Socket {
    /// If the session has ended before, its first reason stays.
    fn drop(&mut self) {
        self.outbox.finish(CloseReason::ShuttingDown);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOMEBODY: MemberId = MemberId([1; 16]);

    fn enter(sockets: &mut Sockets, n: u128) -> (Uuid, Arc<Outbox>) {
        let (id, outbox) = (Uuid::from_u128(n), Outbox::new(None));
        sockets.enter(id, Socket::new(SOMEBODY, outbox.clone()));
        (id, outbox)
    }

    #[test]
    fn an_answer_comes_behind_what_was_shown_before_and_everything_comes_once() {
        let mut sockets = Sockets::default();
        let [(asks, one), (hears, other), (_, deaf)] = [1, 2, 3].map(|n| enter(&mut sockets, n));
        [asks, hears].into_iter().for_each(|socket| sockets.start_listening(socket));
        sockets.broadcast(&[EncodedFrame::of(&1), EncodedFrame::of(&2)]);
        sockets.answer(asks, [EncodedFrame::of(&3)]);
        sockets.broadcast(&[EncodedFrame::of(&4)]);
        assert_eq!(other.texts(), [0; 0], "it goes out as one piece");
        assert!(!sockets.flush());
        assert_eq!(
            (one.texts(), other.texts(), deaf.texts()),
            (vec![1.into(), 2.into(), 3.into(), 4.into()], vec![1.into(), 2.into(), 4.into()], vec![])
        );
        sockets.broadcast(&[EncodedFrame::of(&5)]);
        sockets.broadcast_except(SOMEBODY, &EncodedFrame::of(&6));
        assert!(!sockets.flush() && !sockets.flush());
        assert_eq!((one.texts(), other.texts()), (vec![5.into()], vec![5.into()]));
    }

    #[test]
    fn the_fifth_of_a_seat_takes_the_place_of_the_oldest() {
        let mut sockets = Sockets::default();
        let buffers = [1, 2, 3, 4, 5].map(|n| enter(&mut sockets, n).1);
        let ends = buffers.map(|outbox| outbox.end());
        assert_eq!(ends, [Some(CloseReason::Replaced), None, None, None, None]);
        sockets.clear();
        assert!(sockets.is_empty());
    }
}
