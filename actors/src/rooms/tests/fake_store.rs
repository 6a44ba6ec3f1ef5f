//! A directory and a log in memory that do what a test tells them: hold
//! back, refuse, forget to answer, or break.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard};

use annon_store::account::{AccountId, Timestamp};
use annon_store::image::{Album, ImageId, Images, Kept};
use annon_store::memory::MemoryStore;
use annon_store::room::{Body, RoomCard, RoomDirectory, RoomEvent, RoomId, Seq};
use annon_store::room_log::{Appending, RoomLog};
use annon_store::{Result, StoreError};
use async_trait::async_trait;
use tokio::sync::Notify;
use uuid::Uuid;

use crate::clock::stopped::TestClock;

/// What becomes of an append.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) enum Append {
    #[default]
    Works,
    /// Nothing is written.
    Fails(StoreError),
    /// It is written, and nobody hears of it.
    Unanswered,
    /// It never answers, and nothing is written.
    Hangs,
    Panics,
}

#[derive(Default)]
struct State {
    cards: BTreeMap<RoomId, RoomCard>,
    logs: HashMap<RoomId, Vec<(Seq, RoomEvent)>>,
    append: Append,
    /// What they write is settled, and the disk is slow.
    is_held: bool,
    /// How many events each append had.
    sizes: Vec<usize>,
    redacted: Vec<Seq>,
    reads_hang: bool,
    reads: usize,
    picks: usize,
    picks_fail: bool,
    removes_fail: bool,
    /// When a room's pictures came, and when one last came or went.
    kept_since: HashMap<(Album, ImageId), Timestamp>,
    changed: HashMap<Album, Timestamp>,
    /// There is no space for anything.
    is_full: bool,
    /// How many appends there was no space for.
    refused: usize,
}

#[derive(Clone, Default)]
pub(super) struct FakeStore {
    state: Arc<Mutex<State>>,
    released: Arc<Notify>,
    memory: MemoryStore,
    clock: Option<Arc<TestClock>>,
}

impl FakeStore {
    fn now(&self) -> Timestamp {
        self.clock.as_ref().map_or(0, |clock| clock.seconds())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    pub(super) fn add(&self, card: RoomCard) {
        let mut state = self.state();
        state.logs.insert(card.id, Vec::new());
        state.cards.insert(card.id, card);
    }

    pub(super) fn new(clock: &Arc<TestClock>) -> Self {
        Self { clock: Some(clock.clone()), ..Self::default() }
    }

    pub(super) fn images(&self) -> Arc<dyn Images> {
        Arc::new(self.clone())
    }

    /// Appends wait from now on.
    pub(super) fn hold(&self) {
        self.state().is_held = true;
    }

    /// What was held back goes on, and ends as is said now.
    pub(super) fn release(&self, append: Append) {
        {
            let mut state = self.state();
            state.is_held = false;
            state.is_full = false;
            state.append = append;
        }
        self.released.notify_waiters();
    }

    pub(super) fn next(&self, append: Append) {
        self.state().append = append;
    }

    /// No append finds space from now on.
    pub(super) fn fills_up(&self) {
        self.state().is_full = true;
    }

    /// How many did not.
    pub(super) fn refused(&self) -> usize {
        self.state().refused
    }

    pub(super) fn reads_hang(&self, hang: bool) {
        self.state().reads_hang = hang;
        self.released.notify_waiters();
    }

    /// How often a log was read.
    pub(super) fn reads(&self) -> usize {
        self.state().reads
    }

    /// How often something old was read from a log.
    pub(super) fn picks(&self) -> usize {
        self.state().picks
    }

    pub(super) fn picks_fail(&self, fail: bool) {
        self.state().picks_fail = fail;
    }

    pub(super) fn removes_fail(&self) {
        self.state().removes_fail = true;
    }

    /// Sizes of the appends since this was last asked.
    pub(super) fn sizes(&self) -> Vec<usize> {
        std::mem::take(&mut self.state().sizes)
    }

    pub(super) fn redacted(&self) -> Vec<Seq> {
        self.state().redacted.clone()
    }

    pub(super) fn log(&self, room: RoomId) -> Vec<(Seq, RoomEvent)> {
        self.state().logs.get(&room).cloned().unwrap_or_default()
    }

    pub(super) fn has(&self, room: RoomId) -> bool {
        self.state().cards.contains_key(&room)
    }

    /// What another node would do.
    pub(super) fn write(&self, room: RoomId, event: RoomEvent) {
        let mut state = self.state();
        let log = state.logs.get_mut(&room).unwrap();
        let next = log.last().map_or(Seq(0), |(seq, _)| *seq).next();
        log.push((next, event));
    }

    async fn write_down(&self, room: RoomId, expected: Seq, events: Vec<RoomEvent>) -> Result<()> {
        self.wait(|state| state.is_held).await;
        let how = std::mem::take(&mut self.state().append);
        match how {
            Append::Works | Append::Unanswered => {}
            Append::Fails(error) => return Err(error),
            Append::Hangs => std::future::pending().await,
            // Without a word on the screen.
            Append::Panics => std::panic::resume_unwind(Box::new("a log that breaks")),
        }
        {
            let mut state = self.state();
            if state.is_full {
                state.refused += 1;
                return Err(StoreError::DiskFull);
            }
            state.sizes.push(events.len());
            let log = state.logs.get_mut(&room).ok_or(StoreError::NotFound)?;
            let mut seq = log.last().map_or(Seq(0), |(seq, _)| *seq);
            if seq != expected {
                return Err(StoreError::Conflict);
            }
            for event in events {
                seq = seq.next();
                log.push((seq, event));
            }
        }
        if how == Append::Unanswered { Err(StoreError::Unavailable) } else { Ok(()) }
    }

    /// Waits while `is_so`.
    async fn wait(&self, is_so: impl Fn(&State) -> bool) {
        loop {
            let released = self.released.notified();
            if !is_so(&self.state()) {
                return;
            }
            released.await;
        }
    }
}

#[async_trait]
impl RoomDirectory for FakeStore {
    async fn create(&self, card: RoomCard, _: Timestamp) -> Result<()> {
        self.add(card);
        Ok(())
    }

    async fn by_id(&self, id: RoomId) -> Result<Option<RoomCard>> {
        Ok(self.state().cards.get(&id).cloned())
    }

    async fn of_owner(&self, _: AccountId) -> Result<Vec<RoomCard>> {
        Ok(self.state().cards.values().cloned().collect())
    }

    async fn expired(&self, now: Timestamp, _: usize) -> Result<Vec<RoomId>> {
        Ok(self.state().cards.values().filter(|card| card.expires <= now).map(|card| card.id).collect())
    }

    async fn remove(&self, id: RoomId) -> Result<()> {
        let mut state = self.state();
        if state.removes_fail {
            return Err(StoreError::Unavailable);
        }
        state.cards.remove(&id);
        state.logs.remove(&id);
        Ok(())
    }
}

#[async_trait]
impl RoomLog for FakeStore {
    fn append(&self, room: RoomId, expected: Seq, events: Vec<RoomEvent>) -> Appending {
        let this = self.clone();
        Box::pin(async move { this.write_down(room, expected, events).await })
    }

    async fn read(&self, room: RoomId, after: Seq) -> Result<Vec<(Seq, RoomEvent)>> {
        self.wait(|state| state.reads_hang).await;
        self.state().reads += 1;
        Ok(self.log(room).into_iter().filter(|(seq, _)| *seq > after).collect())
    }

    async fn pick(&self, room: RoomId, places: Vec<Seq>) -> Result<Vec<(Seq, RoomEvent)>> {
        assert!(places.is_sorted());
        self.wait(|state| state.reads_hang).await;
        if self.state().picks_fail {
            return Err(StoreError::Unavailable);
        }
        self.state().picks += 1;
        Ok(self.log(room).into_iter().filter(|(seq, _)| places.binary_search(seq).is_ok()).collect())
    }

    async fn redact(&self, room: RoomId, messages: Vec<Seq>) -> Result<()> {
        let mut state = self.state();
        for (seq, event) in state.logs.entry(room).or_default() {
            if let RoomEvent::Posted { body, .. } = event
                && messages.contains(seq)
            {
                *body = Body::Gone;
            }
        }
        state.redacted.extend(messages);
        Ok(())
    }

    async fn forget(&self, room: RoomId, up_to: Seq) -> Result<()> {
        let goes = |event: &RoomEvent| matches!(event, RoomEvent::Posted { .. } | RoomEvent::Unsent { .. });
        self.state().logs.entry(room).or_default().retain(|(seq, event)| *seq > up_to || !goes(event));
        Ok(())
    }
}

#[async_trait]
impl Images for FakeStore {
    async fn put(&self, album: Album, id: ImageId, jpeg: Vec<u8>) -> Result<()> {
        let now = self.now();
        self.state().kept_since.insert((album, id), now);
        self.state().changed.insert(album, now);
        self.memory.images().put(album, id, jpeg).await
    }

    async fn read(&self, album: Album, id: ImageId) -> Result<Option<Vec<u8>>> {
        self.memory.images().read(album, id).await
    }

    async fn list(&self, album: Album) -> Result<Vec<Kept>> {
        let listed = self.memory.images().list(album).await?;
        Ok(listed.into_iter().map(|kept| Kept { since: self.state().kept_since[&(album, kept.id)], ..kept }).collect())
    }

    async fn albums(&self) -> Result<Vec<(Uuid, Timestamp)>> {
        let listed = self.memory.images().albums().await?;
        Ok(listed.into_iter().map(|(room, _)| (room, self.state().changed[&Album::Room(room)])).collect())
    }

    async fn remove(&self, album: Album, ids: &[ImageId]) -> Result<()> {
        let now = self.now();
        self.state().changed.insert(album, now);
        self.memory.images().remove(album, ids).await
    }

    async fn remove_album(&self, album: Album) -> Result<()> {
        self.memory.images().remove_album(album).await
    }
}

/// What a message says, if it is one and still says something.
pub(super) fn words(event: &RoomEvent) -> Option<String> {
    match event {
        RoomEvent::Posted { body: Body::Text(words), .. } => Some(words.as_str().to_owned()),
        _ => None,
    }
}
