//! The appends that wait. A room is in the hands of at most one worker at a time, with
//! one record: a second one on another connection would lose against the lock of the
//! first. What is asked of the room meanwhile is its next record.

use std::collections::{HashMap, VecDeque};
use std::sync::Weak;

use parking_lot::Mutex;
use tokio::sync::{Notify, oneshot};

use crate::clock::Stopwatch;
use crate::error::{Result, StoreError};
use crate::room::{RoomEvent, RoomId, Seq};
use crate::room_log::{Erasure, TOGETHER};

/// Workers, each with one statement under way: while one waits for the server, the other
/// one's group grows.
const WORKERS: usize = 2;
/// Rooms in one statement.
const ROOMS: usize = 512;

/// One call of `append`, which waits for its answer.
pub(in crate::postgres) struct Waiting {
    pub(in crate::postgres) expected: Seq,
    pub(in crate::postgres) events: Vec<RoomEvent>,
    pub(in crate::postgres) erased: Erasure,
    pub(in crate::postgres) answer: oneshot::Sender<Result<()>>,
    /// Alive until the caller has the answer, or wants none.
    pub(in crate::postgres) caller: Weak<()>,
}

impl Waiting {
    /// Where the log ends after this.
    fn end(&self) -> Seq {
        Seq(self.expected.0 + self.events.len() as u64)
    }
}

/// Calls that become one record.
pub(in crate::postgres) struct Joined {
    pub(in crate::postgres) room: RoomId,
    /// Each begins where the one before it ends. There is one at least.
    pub(in crate::postgres) calls: Vec<Waiting>,
    /// By this number the record is known again.
    pub(in crate::postgres) attempt: i64,
    /// Whether it may have been written, because an answer didn't come.
    pub(in crate::postgres) may_be_done: bool,
    /// How often it was tried in vain.
    pub(in crate::postgres) tries: u32,
    pub(in crate::postgres) since: Stopwatch,
}

impl Joined {
    pub(in crate::postgres) fn expected(&self) -> Seq {
        self.calls.first().map_or(Seq(0), |call| call.expected)
    }

    pub(in crate::postgres) fn last(&self) -> Seq {
        self.calls.last().map_or(Seq(0), Waiting::end)
    }

    /// Whether something is taken back that stands before this record.
    pub(in crate::postgres) fn takes_from_before(&self) -> bool {
        let expected = self.expected();
        let mut erased = self.calls.iter().map(|call| &call.erased);
        erased.any(|erased| !erased.pictures.is_empty() || erased.messages.iter().any(|seq| *seq <= expected))
    }

    /// Whether nobody waits for it.
    pub(in crate::postgres) fn is_dropped(&self) -> bool {
        self.calls.iter().all(|call| call.answer.is_closed())
    }
}

/// What a room waits for.
#[derive(Default)]
struct Line {
    waiting: VecDeque<Waiting>,
    /// Whether a worker has a record of it.
    is_taken: bool,
}

#[derive(Default)]
struct State {
    /// Rooms with something that waits, or with a record in somebody's hands.
    lines: HashMap<RoomId, Line>,
    /// Rooms with something that waits, and nothing in anybody's hands, in order.
    ready: VecDeque<RoomId>,
    /// Records that have to be tried once more.
    again: Vec<Joined>,
    /// Where the log of a room would end after calls that were refused and whose callers
    /// don't know it yet. What they ask behind that is refused, too: another node may have
    /// written as many events as they wanted to.
    refused: HashMap<RoomId, Vec<(Seq, Weak<()>)>>,
    workers: usize,
    is_closed: bool,
    /// The number of the last attempt.
    attempts: i64,
}

impl State {
    /// Answers calls that aren't written.
    fn refuse(&mut self, room: RoomId, calls: impl IntoIterator<Item = Waiting>, error: StoreError) {
        self.refused.retain(|_, ends| {
            ends.retain(is_alive);
            !ends.is_empty()
        });
        let ends = self.refused.entry(room).or_default();
        for call in calls {
            ends.push((call.end(), call.caller.clone()));
            // Its caller may not wait any more.
            let _ = call.answer.send(Err(error));
        }
    }

    /// Whether a call is to stand behind one that was refused.
    fn is_behind_refused(&self, room: RoomId, call: &Waiting) -> bool {
        let ends = self.refused.get(&room).into_iter().flatten();
        ends.filter(|end| is_alive(end)).any(|(end, _)| *end == call.expected)
    }

    /// Joins what waits of a room. What was dropped is passed over, and what was to stand
    /// behind that is refused.
    fn join(&mut self, room: RoomId) -> Option<Joined> {
        let line = self.lines.get_mut(&room)?;
        let (mut calls, mut space, mut refused) = (Vec::<Waiting>::new(), TOGETHER, Vec::new());
        // Where the log would end, if what was dropped were written.
        let mut dropped_end = None;
        while let Some(next) = line.waiting.pop_front() {
            let end = calls.last().map(Waiting::end);
            let joins = end.is_none_or(|end| end == next.expected && next.events.len() <= space);
            if next.answer.is_closed() {
                dropped_end = Some(next.end());
            } else if dropped_end == Some(next.expected) && end != dropped_end {
                dropped_end = Some(next.end());
                refused.push(next);
            } else if joins {
                space = space.saturating_sub(next.events.len());
                calls.push(next);
            } else {
                line.waiting.push_front(next);
                break;
            }
        }
        line.is_taken = !calls.is_empty();
        if calls.is_empty() {
            self.lines.remove(&room);
        }
        self.refuse(room, refused, StoreError::Conflict);
        if calls.is_empty() {
            return None;
        }
        self.attempts = self.attempts.wrapping_add(1);
        let (attempt, since) = (self.attempts, Stopwatch::start());
        Some(Joined { room, calls, attempt, may_be_done: false, tries: 0, since })
    }

    /// Lets go of the calls of a record that were dropped before it was written, and
    /// refuses what was to stand behind them.
    fn without_dropped(&mut self, mut joined: Joined) -> Option<Joined> {
        let dropped = joined.calls.iter().position(|call| call.answer.is_closed());
        if let Some(at) = dropped.filter(|_| !joined.may_be_done) {
            let mut behind = joined.calls.split_off(at);
            behind.extend(self.lines.get_mut(&joined.room).into_iter().flat_map(|line| line.waiting.drain(..)));
            self.refuse(joined.room, behind, StoreError::Conflict);
        }
        if joined.calls.is_empty() {
            self.lines.remove(&joined.room);
            return None;
        }
        Some(joined)
    }

    fn has_next(&self) -> bool {
        !(self.ready.is_empty() && self.again.is_empty())
    }

    /// Whether one more worker has something to do.
    fn wants_worker(&mut self) -> bool {
        let wants = self.workers < WORKERS && self.has_next();
        self.workers += usize::from(wants);
        wants
    }
}

fn is_alive((_, caller): &(Seq, Weak<()>)) -> bool {
    caller.strong_count() > 0
}

pub(in crate::postgres) struct Queue {
    state: Mutex<State>,
    /// Wakes who waits until nothing is left.
    changed: Notify,
}

impl Queue {
    /// Attempts are counted from `attempts`, which each node draws.
    pub(in crate::postgres) fn new(attempts: i64) -> Self {
        Self { state: Mutex::new(State { attempts, ..State::default() }), changed: Notify::new() }
    }

    /// Adds a call. Returns whether it needs a worker more; `Unavailable` after a stop.
    pub(in crate::postgres) fn add(&self, room: RoomId, waiting: Waiting) -> Result<bool> {
        let mut state = self.state.lock();
        if state.is_closed {
            return Err(StoreError::Unavailable);
        }
        if state.is_behind_refused(room, &waiting) {
            state.refuse(room, [waiting], StoreError::Conflict);
            return Ok(false);
        }
        let line = state.lines.entry(room).or_default();
        let is_first = line.waiting.is_empty() && !line.is_taken;
        line.waiting.push_back(waiting);
        if is_first {
            state.ready.push_back(room);
        }
        Ok(state.wants_worker())
    }

    /// Whether there is a next group.
    pub(in crate::postgres) fn has_next(&self) -> bool {
        self.state.lock().has_next()
    }

    /// The records of the next group. `None` when nothing is to be done: then the worker
    /// that asked has ended.
    pub(in crate::postgres) fn take(&self) -> Option<Vec<Joined>> {
        let mut state = self.state.lock();
        let mut again = std::mem::take(&mut state.again);
        state.again = again.split_off(again.len().min(ROOMS));
        let mut group: Vec<_> = again.into_iter().filter_map(|joined| state.without_dropped(joined)).collect();
        while group.len() < ROOMS
            && let Some(room) = state.ready.pop_front()
        {
            group.extend(state.join(room));
        }
        if group.is_empty() {
            state.workers -= 1;
            self.changed.notify_waiters();
            return None;
        }
        Some(group)
    }

    /// Takes a record back, which is to be tried once more. Returns whether that needs a
    /// worker more.
    pub(in crate::postgres) fn put_back(&self, joined: Joined) -> bool {
        let mut state = self.state.lock();
        state.again.push(joined);
        state.wants_worker()
    }

    /// Answers the calls of a record. If they are refused, everything that waits behind
    /// them is refused, too. Returns whether the room's next record needs a worker more.
    pub(in crate::postgres) fn finish(&self, joined: Joined, outcome: Result<()>) -> bool {
        let mut state = self.state.lock();
        let Joined { room, calls, .. } = joined;
        let mut line = state.lines.remove(&room).unwrap_or_default();
        match outcome {
            // A caller may not wait any more.
            Ok(()) => calls.into_iter().for_each(|call| _ = call.answer.send(Ok(()))),
            Err(error) => {
                state.refuse(room, calls, error);
                state.refuse(room, line.waiting.drain(..), StoreError::Conflict);
            }
        }
        line.is_taken = false;
        if !line.waiting.is_empty() {
            state.lines.insert(room, line);
            state.ready.push_back(room);
        }
        self.changed.notify_waiters();
        state.wants_worker()
    }

    pub(in crate::postgres) fn is_closed(&self) -> bool {
        self.state.lock().is_closed
    }

    /// Refuses later calls, and waits until every earlier one is answered.
    pub(in crate::postgres) async fn close(&self) {
        loop {
            let changed = self.changed.notified();
            tokio::pin!(changed);
            changed.as_mut().enable();
            {
                let mut state = self.state.lock();
                state.is_closed = true;
                if state.lines.is_empty() && state.workers == 0 {
                    return;
                }
            }
            changed.await;
        }
    }
}

#[cfg(test)]
mod tests;
