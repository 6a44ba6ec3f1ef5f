//! Decided events, and what waits until they are on disk.
//!
//! The log is asked to append what one run of the room decides, also while earlier appends are
//! under way; the log joins them. Whatever waits has the seq of the event it depends on. It is taken out when that
//! event is on disk, in the order in which it was added.

use std::collections::VecDeque;
use std::future::ready;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Instant;

use annon_store::invariant;
use annon_store::room::{RoomEvent, RoomId, Seq};
use annon_store::room_log::{Appending, Erasure, RoomLog};
use futures_util::FutureExt;

use crate::clock::{SharedClock, Sleep};
use crate::room::error::RoomError;

/// How much may wait for the disk. That is well below the fewest lines a room
/// keeps, so that no line is dropped before members are told of it.
const WAITING: usize = 400;

/// One room's queue, and `W` is what waits in it.
pub(super) struct Queue<W> {
    room: RoomId,
    log: Arc<dyn RoomLog>,
    clock: SharedClock,
    /// The last event that is on disk.
    committed: Seq,
    /// The last event the log was asked to append.
    asked: Seq,
    /// The events after `asked`, and what they take back.
    decided: Vec<RoomEvent>,
    erased: Erasure,
    appends: VecDeque<Append>,
    /// Ends when the first append may be stuck.
    alarm: Option<Sleep>,
    waiting: VecDeque<(Seq, W)>,
}

/// Events that the log was asked to append.
struct Append {
    last: Seq,
    since: Instant,
    answer: Appending,
}

impl<W> Queue<W> {
    pub(super) fn new(room: RoomId, log: Arc<dyn RoomLog>, clock: SharedClock) -> Self {
        Self {
            room,
            log,
            clock,
            committed: Seq(0),
            asked: Seq(0),
            decided: Vec::new(),
            erased: Erasure::default(),
            appends: VecDeque::new(),
            alarm: None,
            waiting: VecDeque::new(),
        }
    }

    /// Sets the last event that is on disk, after the log was read. Nothing waits.
    pub(super) fn set_committed(&mut self, committed: Seq) {
        (self.committed, self.asked) = (committed, committed);
    }

    pub(super) fn committed(&self) -> Seq {
        self.committed
    }

    /// The last event that was decided.
    pub(super) fn end(&self) -> Seq {
        Seq(self.asked.0 + self.decided.len() as u64)
    }

    /// Whether the disk is so far behind that no more commands are accepted.
    pub(super) fn is_full(&self) -> bool {
        self.waiting.len() >= WAITING
    }

    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Adds the next event, for the log to append, and what depends on it.
    pub(super) fn push(&mut self, event: RoomEvent, erased: Erasure, waits: W) {
        self.decided.push(event);
        self.erased.extend(erased);
        self.wait(waits);
    }

    /// Has the log append what was decided since the last call, as one.
    pub(super) fn append(&mut self) {
        if self.decided.is_empty() {
            return;
        }
        let (events, erased) = (std::mem::take(&mut self.decided), std::mem::take(&mut self.erased));
        let expected = self.asked;
        self.asked = Seq(expected.0 + events.len() as u64);
        let answer = self.log.append_and_erase(self.room, expected, events, erased);
        self.appends.push_back(Append { last: self.asked, since: self.clock.moment(), answer });
    }

    /// Adds something that depends on everything decided so far.
    pub(super) fn wait(&mut self, waits: W) {
        let rests_on = self.end();
        let is_last = self.waiting.back().is_none_or(|(before, _)| *before <= rests_on);
        invariant!(is_last, "what waits for the log has its turn in the order in which it came");
        self.waiting.push_back((rests_on, waits));
    }

    /// Takes out what waits next, if the event it depends on is on disk.
    pub(super) fn pop_committed(&mut self) -> Option<W> {
        self.waiting.pop_front_if(|(rests_on, _)| *rests_on <= self.committed).map(|(_, waits)| waits)
    }

    /// Takes the log's answers. Ready if something that waits has its turn, or
    /// if an append has failed: then all that still waits has failed, too.
    pub(super) fn poll_answer(&mut self, task: &mut Context<'_>) -> Poll<Result<(), RoomError>> {
        while let Some(append) = self.appends.front_mut() {
            match append.answer.poll_unpin(task) {
                Poll::Ready(Ok(())) => {
                    self.committed = append.last;
                    self.appends.pop_front();
                }
                // What is on disk is told before the failure is dealt with.
                Poll::Ready(Err(error)) => {
                    let failure = RoomError::from(error);
                    append.answer = Box::pin(ready(Err(error)));
                    return Poll::Ready(if self.has_turn() { Ok(()) } else { Err(failure) });
                }
                Poll::Pending => break,
            }
        }
        if self.has_turn() { Poll::Ready(Ok(())) } else { self.poll_alarm(task) }
    }

    fn has_turn(&self) -> bool {
        self.waiting.front().is_some_and(|(rests_on, _)| *rests_on <= self.committed)
    }

    /// An append that was asked for too long ago is stuck. One alarm is set for
    /// many appends: most are answered long before it rings.
    fn poll_alarm(&mut self, task: &mut Context<'_>) -> Poll<Result<(), RoomError>> {
        while let Some(append) = self.appends.front() {
            let patience = self.log.patience();
            let left = patience.saturating_sub(self.clock.moment().duration_since(append.since));
            let alarm = self.alarm.get_or_insert_with(|| self.clock.sleep(left));
            if alarm.poll_unpin(task).is_pending() {
                break;
            }
            self.alarm = None;
            if left.is_zero() {
                return Poll::Ready(Err(RoomError::Stuck));
            }
        }
        Poll::Pending
    }

    /// Forgets events that are not on disk, and gives back all that waits.
    pub(super) fn refuse(&mut self) -> impl Iterator<Item = W> + use<W> {
        self.decided.clear();
        self.erased = Erasure::default();
        self.appends.clear();
        self.asked = self.committed;
        std::mem::take(&mut self.waiting).into_iter().map(|(_, waits)| waits)
    }
}

#[cfg(test)]
mod tests {
    use std::task::Waker;
    use std::time::Duration;

    use annon_store::room::Millis;
    use annon_store::{Engine, StoreError};
    use annon_store_memory::{AppendFault, MemoryStore};

    use super::*;
    use crate::clock::stopped::TestClock;
    use crate::rooms::tests::{room, store_with_rooms};

    const PATIENCE: Duration = Duration::from_secs(10);
    const EVENT: RoomEvent = RoomEvent::Locked { locked: true, at: Millis(0) };

    fn queue() -> (Queue<u8>, MemoryStore, Arc<TestClock>) {
        let clock = TestClock::new();
        let store = store_with_rooms(&clock);
        (Queue::new(room(1), store.room_log(), clock.clone()), store, clock)
    }

    fn append(queue: &mut Queue<u8>, waits: u8) {
        queue.push(EVENT, Erasure::default(), waits);
    }

    /// The log's refusal, if there is one, and what had its turn before.
    fn poll(queue: &mut Queue<u8>) -> (Option<RoomError>, Vec<u8>) {
        queue.append();
        let mut turns = Vec::new();
        loop {
            match queue.poll_answer(&mut Context::from_waker(Waker::noop())) {
                Poll::Pending => return (None, turns),
                Poll::Ready(Err(error)) => return (Some(error), turns),
                Poll::Ready(Ok(())) => turns.extend(std::iter::from_fn(|| queue.pop_committed())),
            }
        }
    }

    #[test]
    fn everything_has_its_turn_when_what_it_rests_on_is_on_disk() {
        let (mut queue, store, _) = queue();
        queue.wait(1);
        assert_eq!(poll(&mut queue), (None, vec![1]), "nothing it could wait for");
        store.faults().holds_appends = true;
        append(&mut queue, 2);
        queue.wait(3);
        assert_eq!(poll(&mut queue), (None, vec![]));
        append(&mut queue, 4);
        append(&mut queue, 5);
        assert_eq!(poll(&mut queue), (None, vec![]), "it is asked for meanwhile");
        store.release_appends(AppendFault::None);
        queue.wait(6);
        append(&mut queue, 7);
        store.faults().holds_appends = true;
        assert_eq!(poll(&mut queue), (None, vec![2, 3, 4, 5, 6]));
        assert_eq!((queue.committed(), store.faults().seen().appended), (Seq(3), vec![3]), "joined to one record");
    }

    #[test]
    fn what_stands_behind_a_refusal_never_comes_to_be() {
        let (mut queue, store, _) = queue();
        append(&mut queue, 1);
        assert_eq!(poll(&mut queue), (None, vec![1]));
        store.faults().is_full = true;
        append(&mut queue, 2);
        assert_eq!(poll(&mut queue), (Some(StoreError::DiskFull.into()), vec![]));
        append(&mut queue, 3);
        assert_eq!(queue.refuse().collect::<Vec<_>>(), [2, 3]);
        store.release_appends(AppendFault::None);
        append(&mut queue, 4);
        assert_eq!((poll(&mut queue), queue.committed()), ((None, vec![4]), Seq(2)));
    }

    #[actix::test]
    async fn an_append_without_an_answer_is_stuck_after_ten_seconds() {
        let (mut queue, store, clock) = queue();
        store.faults().holds_appends = true;
        append(&mut queue, 1);
        assert!(poll(&mut queue).0.is_none());
        clock.pass(PATIENCE / 2).await;
        store.release_appends(AppendFault::None);
        store.faults().next_append = AppendFault::Hangs;
        append(&mut queue, 2);
        assert_eq!(poll(&mut queue), (None, vec![1]));
        clock.pass(PATIENCE / 2).await;
        assert!(poll(&mut queue).0.is_none(), "this one has waited for five");
        clock.pass(PATIENCE / 2).await;
        assert_eq!(poll(&mut queue).0, Some(RoomError::Stuck));
    }
}
