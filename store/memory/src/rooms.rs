//! Rooms and their logs in memory.

use std::future::ready;

use annon_contract::limits::ROOMS_PER_ACCOUNT;
use annon_store::account::{AccountId, Timestamp};
use annon_store::building_blocks::{Events, Owner, forget_messages, take_words};
use annon_store::image::Album;
use annon_store::room::{RoomDirectory, RoomEvent, RoomId, RoomMetadata, Seq};
use annon_store::room_log::{Appending, Erasure, RoomLog, Tail};
use annon_store::{Result, StoreError};
use async_trait::async_trait;
use tokio::sync::oneshot;

use crate::{AppendFault, Faults, MemoryStore, State};

#[derive(Default)]
pub(crate) struct Log {
    /// The last place. Its event may be forgotten, and so not in `events`.
    pub(crate) end: Seq,
    events: Events,
}

/// An append that is not written yet.
pub(crate) struct Waiting {
    process: Option<usize>,
    room: RoomId,
    expected: Seq,
    events: Vec<RoomEvent>,
    erased: Erasure,
    reply: oneshot::Sender<Answer>,
}

/// The answer to an append.
#[derive(Clone, Copy)]
enum Answer {
    Is(Result<()>),
    Never,
    Panics,
}

impl MemoryStore {
    /// Writes events as another process would.
    pub fn write_elsewhere(&self, room: RoomId, events: Vec<RoomEvent>) {
        let mut state = self.state();
        let log = state.logs.entry(room).or_default();
        for event in events {
            log.end = log.end.next();
            log.events.push((log.end, event));
        }
    }
}

impl State {
    pub(crate) fn remove_rooms_of(&mut self, owner: AccountId) {
        let theirs: Vec<_> = self.rooms.values().filter(|room| room.owner == owner).map(|room| room.id).collect();
        theirs.into_iter().for_each(|room| self.remove_room(room));
    }

    pub(crate) fn remove_room(&mut self, id: RoomId) {
        if self.rooms.remove(&id).is_some() {
            self.logs.remove(&id);
            self.wire.tell_gone(id);
            self.gone_rooms.insert(id);
            self.pictures.retain(|(album, _), _| *album != Album::Room(id.0));
        }
    }

    /// Whether appends of this process wait.
    pub(crate) fn holds_appends_of(&self, process: Option<usize>) -> bool {
        self.waiting.iter().any(|waiting| waiting.process == process && !waiting.reply.is_closed())
    }

    /// Writes the appends that wait, unless appends are held.
    pub(crate) fn write_waiting(&mut self, faults: &mut Faults) {
        if faults.holds_appends {
            return;
        }
        self.waiting.retain(|waiting| !waiting.reply.is_closed());
        let can_write = |waiting: &Waiting| waiting.process.is_none_or(|process| !faults.cut_off.contains(&process));
        let (mut ready, held): (Vec<_>, Vec<_>) = self.waiting.drain(..).partition(can_write);
        self.waiting = held;
        while !ready.is_empty() {
            let mut joined = vec![ready.remove(0)];
            let process = joined[0].process;
            let (room, mut end) = (joined[0].room, joined[0].expected.0 + joined[0].events.len() as u64);
            let is_theirs = |waiting: &Waiting| waiting.room == room && waiting.process == process;
            while let Some(next) = ready.iter().position(is_theirs) {
                if ready[next].expected != Seq(end) {
                    break;
                }
                let waiting = ready.remove(next);
                end += waiting.events.len() as u64;
                joined.push(waiting);
            }
            self.write_joined(joined, faults);
        }
    }

    /// Writes appends of one room. Each begins where the one before it ends.
    fn write_joined(&mut self, joined: Vec<Waiting>, faults: &mut Faults) {
        let (process, room, expected) = (joined[0].process, joined[0].room, joined[0].expected);
        let (mut events, mut erased, mut replies) = (Vec::new(), Erasure::default(), Vec::new());
        for waiting in joined {
            events.extend(waiting.events);
            erased.extend(waiting.erased);
            replies.push(waiting.reply);
        }
        let answer = match std::mem::take(&mut faults.next_append) {
            AppendFault::None => Answer::Is(self.write(process, room, expected, events, erased, faults)),
            AppendFault::Unanswered => Answer::Is(
                self.write(process, room, expected, events, erased, faults).and(Err(StoreError::Unavailable)),
            ),
            AppendFault::Fails(error) => Answer::Is(Err(error)),
            AppendFault::Hangs => Answer::Never,
            AppendFault::Panics => Answer::Panics,
        };
        self.has_failed |= matches!(answer, Answer::Is(Err(StoreError::Unavailable)));
        for reply in replies {
            // The caller may not wait any more.
            let _ = reply.send(answer);
        }
    }

    fn write(
        &mut self,
        process: Option<usize>,
        room: RoomId,
        expected: Seq,
        events: Vec<RoomEvent>,
        erased: Erasure,
        faults: &mut Faults,
    ) -> Result<()> {
        if faults.is_full {
            faults.seen.refused += 1;
            return Err(StoreError::DiskFull);
        }
        if events.is_empty() {
            return Ok(());
        }
        if !self.rooms.contains_key(&room) {
            return Err(StoreError::NotFound);
        }
        let log = self.logs.entry(room).or_default();
        if faults.conflicts > 0 {
            faults.conflicts -= 1;
            return Err(StoreError::Conflict);
        }
        if log.end != expected {
            return Err(StoreError::Conflict);
        }
        faults.seen.appended.push(events.len());
        self.wire.tell(process, room, expected.next(), &events);
        for event in events {
            log.end = log.end.next();
            log.events.push((log.end, event));
        }
        let Erasure { mut messages, pictures } = erased;
        messages.sort_unstable();
        take_words(log.events.iter_mut().map(|(at, event)| (*at, event)), &messages);
        self.remove_pictures(Album::Room(room.0), &pictures);
        Ok(())
    }

    fn events(&self, room: RoomId, is_wanted: impl Fn(Seq) -> bool) -> Vec<(Seq, RoomEvent)> {
        let events = self.logs.get(&room).map(|log| log.events.as_slice()).unwrap_or_default();
        events.iter().filter(|(seq, _)| is_wanted(*seq)).cloned().collect()
    }
}

#[async_trait]
impl RoomDirectory for MemoryStore {
    async fn create(&self, metadata: RoomMetadata, now: Timestamp) -> Result<()> {
        let mut state = self.writing()?;
        if !state.kept.has(Owner::Account(metadata.owner.0)) {
            return Err(StoreError::NotFound);
        }
        if state.rooms.contains_key(&metadata.id) || state.gone_rooms.contains(&metadata.id) {
            return Err(StoreError::Conflict);
        }
        let theirs = state.rooms.values().filter(|other| other.owner == metadata.owner && other.expires > now);
        if theirs.count() >= ROOMS_PER_ACCOUNT {
            return Err(StoreError::Full);
        }
        state.rooms.insert(metadata.id, metadata);
        Ok(())
    }

    async fn by_id(&self, id: RoomId) -> Result<Option<RoomMetadata>> {
        Ok(self.state().rooms.get(&id).cloned())
    }

    async fn of_owner(&self, owner: AccountId) -> Result<Vec<RoomMetadata>> {
        let mut metadata: Vec<_> =
            self.state().rooms.values().filter(|metadata| metadata.owner == owner).cloned().collect();
        metadata.sort_by_key(|metadata| std::cmp::Reverse((metadata.created, metadata.id)));
        Ok(metadata)
    }

    async fn page(&self, after: Option<RoomId>, limit: usize) -> Result<Vec<RoomMetadata>> {
        let mut rooms: Vec<_> = self.state().rooms.values().cloned().collect();
        rooms.retain(|metadata| after.is_none_or(|after| metadata.id > after));
        rooms.sort_by_key(|metadata| metadata.id);
        rooms.truncate(limit);
        Ok(rooms)
    }

    async fn expired(&self, now: Timestamp, limit: usize) -> Result<Vec<RoomId>> {
        let state = self.state();
        let mut expired: Vec<_> = state.rooms.values().filter(|metadata| metadata.expires <= now).collect();
        expired.sort_by_key(|metadata| (metadata.expires, metadata.id));
        Ok(expired.into_iter().take(limit).map(|metadata| metadata.id).collect())
    }

    async fn remove(&self, id: RoomId) -> Result<()> {
        if self.faults().fails_removes {
            return Err(StoreError::Unavailable);
        }
        self.writing()?.remove_room(id);
        Ok(())
    }
}

#[async_trait]
impl RoomLog for MemoryStore {
    fn append_and_erase(&self, room: RoomId, expected: Seq, events: Vec<RoomEvent>, erased: Erasure) -> Appending {
        let (reply, answer) = oneshot::channel();
        let mut faults = self.faults();
        match self.writing() {
            Ok(mut state) => {
                state.waiting.push(Waiting { process: self.process, room, expected, events, erased, reply });
                state.write_waiting(&mut faults);
            }
            Err(error) => return Box::pin(ready(Err(error))),
        }
        self.shared.changed.notify_waiters();
        Box::pin(async move {
            match answer.await {
                Ok(Answer::Is(outcome)) => outcome,
                // `panic!` would print a message.
                Ok(Answer::Panics) => std::panic::resume_unwind(Box::new("a log that breaks")),
                Ok(Answer::Never) => std::future::pending().await,
                Err(_) => Err(StoreError::Unavailable),
            }
        })
    }

    fn tail(&self, room: RoomId) -> Option<Tail> {
        self.process.map(|process| self.state().wire.tail(process, room))
    }

    async fn read(&self, room: RoomId, after: Seq) -> Result<Vec<(Seq, RoomEvent)>> {
        self.may_read().await;
        let mut faults = self.faults();
        faults.seen.reads += 1;
        let end = faults.log_shown_to(self.process).unwrap_or(Seq(u64::MAX));
        Ok(self.state().events(room, |seq| seq > after && seq <= end))
    }

    async fn pick(&self, room: RoomId, places: Vec<Seq>) -> Result<Vec<(Seq, RoomEvent)>> {
        self.may_read().await;
        let mut faults = self.faults();
        if faults.fails_picks {
            return Err(StoreError::Unavailable);
        }
        faults.seen.picks += 1;
        Ok(self.state().events(room, |seq| places.binary_search(&seq).is_ok()))
    }

    async fn forget(&self, room: RoomId, up_to: Seq) -> Result<()> {
        if let Some(log) = self.writing()?.logs.get_mut(&room) {
            forget_messages(&mut log.events, up_to);
        }
        Ok(())
    }
}
