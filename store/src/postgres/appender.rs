//! Appends to rooms' logs, in groups: what is asked while a statement is under way, or too
//! soon after it began, shares the next one.
//!
//! Nothing that the record says of one append concerns another. Nobody is told of a lock,
//! since it is nobody's no, and an append whose answer is lost is sent again under the same
//! number: either it was never written, or the record is known again by that number.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::oneshot;
use tokio::time::sleep;
use zeroize::Zeroizing;

use crate::clock::{Pace, Stopwatch};
use crate::engine::Commits;
use crate::error::{Result, StoreError};
use crate::postgres::errors::Failure;
use crate::postgres::rooms::whose;
use crate::postgres::{Open, Postgres, once_more};
use crate::room::{RoomEvent, RoomId, Seq};
use crate::room_log::{Appending, Erasure, Events, take_words};
use crate::seals::{KeyId, SealKey, random};
use crate::shapes::encode;
use crate::shapes::room::LogRecord;
use crate::table::log_key;

mod queue;
mod statement;
pub(super) use queue::Joined;
use queue::{Queue, Waiting};
use statement::{Answer, Ready};
pub(super) use statement::{Outcome, place};

/// How long an append waits for a record that can't be reached.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);
/// The pause before an append is tried again: so long, up to three times that by chance,
/// and more after each time.
const PAUSE: Duration = Duration::from_millis(1);
const LONGEST: u32 = 32;
/// What is asked in this time shares a statement.
const TOGETHER: Duration = Duration::from_millis(2);
/// Rooms whose keys are remembered.
const ROOMS: usize = 100_000;

pub(super) struct Appender {
    pub(super) queue: Queue,
    /// When a worker may take its next group.
    pace: Pace,
    /// The day and the key of rooms. The key may be an old one: then the record says so.
    keys: Mutex<HashMap<RoomId, (i32, KeyId)>>,
    statements: Mutex<Commits>,
    pub(super) conflicts: AtomicU64,
    pub(super) locked: AtomicU64,
}

impl Appender {
    /// Attempts are counted from a number that each node draws.
    pub(super) fn new(attempts: i64) -> Self {
        let (keys, statements) = (Mutex::default(), Mutex::default());
        let (conflicts, locked) = (AtomicU64::new(0), AtomicU64::new(0));
        let pace = Pace::new(TOGETHER);
        Self { queue: Queue::new(attempts), pace, keys, statements, conflicts, locked }
    }

    /// The statements that have appended, and the records that they wrote.
    pub(super) fn commits(&self) -> Commits {
        *self.statements.lock()
    }

    fn count(&self, answer: &Answer, time: Duration) {
        let Answer::Said(outcomes) = answer else { return };
        let written = outcomes.values().filter(|outcome| **outcome == Outcome::Written).count();
        let mut statements = self.statements.lock();
        statements.count += 1;
        statements.calls += written as u64;
        statements.time += time;
    }

    fn hold(&self, room: RoomId, day: i32, key: KeyId) {
        let mut keys = self.keys.lock();
        if keys.len() >= ROOMS {
            keys.clear();
        }
        keys.insert(room, (day, key));
    }

    fn forget(&self, room: RoomId) {
        self.keys.lock().remove(&room);
    }
}

impl Joined {
    /// The record, without the words that it takes back itself.
    pub(super) fn seal(&self, key: &SealKey) -> Result<Vec<u8>> {
        let events = self.calls.iter().flat_map(|call| call.events.iter().cloned());
        let mut events: Events = (self.expected().0 + 1..).map(Seq).zip(events).collect();
        take_words(events.iter_mut().map(|(at, event)| (*at, event)), &self.taken_back());
        let plain = Zeroizing::new(encode(&LogRecord(events))?);
        key.seal(&log_key(self.room, self.last()), &plain)
    }

    /// The messages that lose their words, in order.
    pub(super) fn taken_back(&self) -> Vec<Seq> {
        let mut messages: Vec<_> = self.calls.iter().flat_map(|call| call.erased.messages.iter().copied()).collect();
        messages.sort_unstable();
        messages.dedup();
        messages
    }

    /// Whether something is taken back, whatever its caller has erased with it.
    fn takes(&self) -> bool {
        let takes = |event: &RoomEvent| {
            matches!(
                event,
                RoomEvent::Retracted { .. }
                    | RoomEvent::Unreacted { .. }
                    | RoomEvent::Kicked { with_messages: true, .. }
            )
        };
        self.calls.iter().any(|call| !call.erased.is_empty() || call.events.iter().any(takes))
    }
}

impl Open {
    /// The keys of rooms that are there.
    async fn keys_of(&self, rooms: &[RoomId]) -> Result<HashMap<RoomId, SealKey>> {
        let mut names: HashMap<RoomId, (i32, KeyId)> = {
            let keys = self.appender.keys.lock();
            rooms.iter().filter_map(|room| Some((*room, *keys.get(room)?))).collect()
        };
        let missing: Vec<_> = rooms.iter().filter(|room| !names.contains_key(room)).map(|room| room.0).collect();
        if !missing.is_empty() {
            let select = "SELECT id, day, key FROM room WHERE id = ANY ($1) AND NOT gone";
            for row in once_more!(self.record.read(select, &[&missing]))? {
                let (room, day, key) = (RoomId(row.get(0)), row.get(1), KeyId(row.get::<_, i64>(2).cast_unsigned()));
                self.appender.hold(room, day, key);
                names.insert(room, (day, key));
            }
        }
        let names: Vec<_> = names.into_iter().map(|(room, (day, key))| (room, (whose(room, day), key))).collect();
        let found = self.keys.find(&names.iter().map(|(_, name)| *name).collect::<Vec<_>>()).await?;
        for (room, _) in names.iter().filter(|(_, name)| !found.contains_key(name)) {
            // The room may have another one by now.
            self.appender.forget(*room);
        }
        Ok(names.into_iter().filter_map(|(room, name)| Some((room, found.get(&name)?.clone()))).collect())
    }

    /// Whether the record that stands where an append wants to stand is that append's. If
    /// it is, it is kept for good.
    async fn is_done(&self, joined: &Joined) -> Result<bool, Failure> {
        let select = "SELECT l.first, l.attempt FROM room r JOIN room_log l ON l.day = r.day AND l.room = r.id \
             WHERE r.id = $1 AND l.first > $2 ORDER BY l.first LIMIT 1";
        let expected = place(joined.expected());
        let mut lease = self.record.lease().await?;
        let rows = lease.read(select, &[&joined.room.0, &expected]).await?;
        let first: Option<(i64, i64)> = rows.first().map(|row| (row.get(0), row.get(1)));
        if first != Some((expected + 1, joined.attempt)) {
            return Ok(false);
        }
        self.beat.confirm_on(lease.busy()).await?;
        lease.is_done();
        Ok(true)
    }
}

impl Postgres {
    /// Queues an append before this returns.
    pub(super) fn ask(&self, room: RoomId, expected: Seq, events: Vec<RoomEvent>, erased: Erasure) -> Appending {
        let grows = |event: &RoomEvent| {
            matches!(
                event,
                RoomEvent::Posted { .. }
                    | RoomEvent::Claimed { .. }
                    | RoomEvent::Reacted { .. }
                    | RoomEvent::Knocked { .. }
            )
        };
        if let (true, Err(full)) = (events.iter().any(grows), self.may_grow()) {
            return Box::pin(std::future::ready(Err(full)));
        }
        let ((answer, answered), caller) = (oneshot::channel(), Arc::new(()));
        let waiting = Waiting { expected, events, erased, answer, caller: Arc::downgrade(&caller) };
        match self.appender.queue.add(room, waiting) {
            Ok(wants_worker) => self.work_if(wants_worker),
            Err(error) => return Box::pin(std::future::ready(Err(error))),
        }
        Box::pin(async move {
            // It lives until the caller has the answer.
            let _caller = caller;
            answered.await.unwrap_or(Err(StoreError::Unreachable))
        })
    }

    fn work_if(&self, wants_worker: bool) {
        if wants_worker {
            let this = self.clone();
            self.runtime.spawn(async move {
                this.appender.pace.turn().await;
                while let Some(group) = this.appender.queue.take() {
                    this.write_group(group).await;
                    if this.appender.queue.has_next() {
                        this.appender.pace.turn().await;
                    }
                }
            });
        }
    }

    async fn write_group(&self, group: Vec<Joined>) {
        let (rewriting, group): (Vec<_>, Vec<_>) = group.into_iter().partition(Joined::takes_from_before);
        for joined in rewriting {
            let this = self.clone();
            self.runtime.spawn(async move { this.append_and_rewrite(joined).await });
        }
        let rooms: Vec<_> = group.iter().map(|joined| joined.room).collect();
        let Ok(keys) = self.keys_of(&rooms).await else {
            return group.into_iter().for_each(|joined| self.try_later(joined, false));
        };
        let mut ready = Vec::with_capacity(group.len());
        for joined in group {
            match keys.get(&joined.room).map(|key| (key.id, joined.seal(key))) {
                Some((key, Ok(sealed))) => {
                    let (room, expected, last) = (joined.room, joined.expected(), joined.last());
                    let (attempt, takes) = (joined.attempt, joined.takes());
                    ready.push((Ready { room, expected, last, attempt, takes, key, sealed }, joined));
                }
                Some((_, Err(error))) => self.finish(joined, Err(error)),
                None => self.without_key(joined).await,
            }
        }
        if ready.is_empty() {
            return;
        }
        match self.write_and_count(&ready.iter().map(|(ready, _)| ready).collect::<Vec<_>>()).await {
            // One of them may be the reason, and must not stop the others.
            Answer::Refused(_) if ready.len() > 1 => {
                for (one, joined) in ready {
                    let answer = self.write_and_count(&[&one]).await;
                    self.conclude(&answer, joined);
                }
            }
            answer => ready.into_iter().for_each(|(_, joined)| self.conclude(&answer, joined)),
        }
    }

    async fn write_and_count(&self, group: &[&Ready]) -> Answer {
        let since = Stopwatch::start();
        let answer = self.write_together(group).await;
        self.appender.count(&answer, since.elapsed());
        answer
    }

    /// Goes on with an append whose room is not there, or has a key that is not there.
    async fn without_key(&self, joined: Joined) {
        let select = "SELECT 1 FROM room WHERE id = $1 AND NOT gone";
        match once_more!(self.record.read(select, &[&joined.room.0])) {
            Ok(found) if found.is_empty() => self.finish(joined, Err(StoreError::NotFound)),
            Ok(_) | Err(_) => self.try_later(joined, false),
        }
    }

    fn conclude(&self, answer: &Answer, mut joined: Joined) {
        match answer {
            Answer::Said(outcomes) => match outcomes.get(&joined.room) {
                Some(outcome) => self.conclude_with(*outcome, joined),
                None => self.try_later(joined, false),
            },
            Answer::Refused(Failure::Again) | Answer::NotAsked => self.try_later(joined, false),
            Answer::Refused(Failure::Store(error)) => self.finish(joined, Err(*error)),
            Answer::Refused(_) => self.finish(joined, Err(StoreError::Corrupt)),
            Answer::Unknown => {
                joined.may_be_done = true;
                self.try_later(joined, false);
            }
        }
    }

    pub(super) fn conclude_with(&self, outcome: Outcome, joined: Joined) {
        match outcome {
            Outcome::Written => self.finish(joined, Ok(())),
            Outcome::Gone => {
                self.appender.forget(joined.room);
                self.finish(joined, Err(StoreError::NotFound));
            }
            Outcome::Moved if joined.may_be_done => {
                let this = self.clone();
                self.runtime.spawn(async move {
                    match this.is_done(&joined).await {
                        Ok(true) => this.finish(joined, Ok(())),
                        Ok(false) => this.finish(joined, Err(StoreError::Conflict)),
                        Err(_) => this.try_later(joined, false),
                    }
                });
            }
            Outcome::Moved => {
                self.appender.conflicts.fetch_add(1, Relaxed);
                self.finish(joined, Err(StoreError::Conflict));
            }
            Outcome::OtherKey(key) => {
                let known = self.appender.keys.lock().get(&joined.room).copied();
                if let Some((day, _)) = known {
                    self.appender.hold(joined.room, day, key);
                }
                self.work_if(self.appender.queue.put_back(joined));
            }
            Outcome::Locked => {
                self.appender.locked.fetch_add(1, Relaxed);
                self.try_later(joined, true);
            }
        }
    }

    pub(super) fn finish(&self, joined: Joined, outcome: Result<()>) {
        if outcome.is_ok() {
            self.wire.wire().poke(joined.room);
        }
        self.work_if(self.appender.queue.finish(joined, outcome));
    }

    /// Tries a record again after a pause. The caller is not told, as long as there is hope.
    pub(super) fn try_later(&self, mut joined: Joined, is_locked: bool) {
        let is_hopeless = joined.since.elapsed() > PATIENCE || (self.appender.queue.is_closed() && !is_locked);
        if is_hopeless || (joined.may_be_done && joined.is_dropped()) {
            return self.finish(joined, Err(StoreError::Unreachable));
        }
        joined.tries += 1;
        let jitter = random::<1>().map_or(0, |[byte]| u32::from(byte));
        let pause = (PAUSE + PAUSE * jitter / 128) * joined.tries.min(LONGEST);
        let this = self.clone();
        self.runtime.spawn(async move {
            sleep(pause).await;
            this.work_if(this.appender.queue.put_back(joined));
        });
    }
}
