//! An engine for tests: it keeps everything in maps and nothing on disk, and a test
//! can switch faults on. The actors' tests run on it, and so do the contract tests,
//! as on every engine. It is not in the server.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use annon_store::account::Timestamp;
use annon_store::building_blocks::{Blinder, Common};
use annon_store::image::{Album, ImageId};
use annon_store::room::{RoomId, RoomMetadata};
use annon_store::{Result, StoreError};
use tokio::sync::Notify;

mod engine;
mod faults;
mod images;
mod rooms;
mod rows;
mod wire;
pub use faults::{AppendFault, Faults, Seen};

/// A store that loses everything when it is dropped. A clone is another handle.
#[derive(Clone, Default)]
pub struct MemoryStore {
    shared: Arc<Shared>,
    /// The process that has this handle, if several share the store.
    process: Option<usize>,
    /// Whether this handle and its clones write no more.
    stopped: Arc<AtomicBool>,
}

struct Shared {
    state: Mutex<State>,
    common: Arc<Common>,
    faults: Mutex<Faults>,
    /// Wakes whoever waits for reads, for held appends or for a failure.
    changed: Notify,
}

impl Default for Shared {
    #[allow(clippy::expect_used, reason = "a test without random numbers can't go on")]
    fn default() -> Self {
        let common = Arc::new(Common::new(secret).expect("ciphers can be made"));
        Self { state: Mutex::default(), common, faults: Mutex::default(), changed: Notify::default() }
    }
}

/// Only tests see what is made with it, so everybody may know it.
fn secret(purpose: &str) -> [u8; 32] {
    Blinder::new(b"the secret of a store in memory").blind(purpose)
}

impl MemoryStore {
    /// A store that takes the times of pictures from `now`. Without it they are 0.
    pub fn with_clock(now: impl Fn() -> Timestamp + Send + Sync + 'static) -> Self {
        let this = Self::default();
        this.state().clock = Some(Box::new(now));
        this
    }

    /// A handle for one of several processes that share this store: it hears what
    /// the others write to rooms.
    pub fn shared_with(&self, process: usize) -> Self {
        Self { shared: self.shared.clone(), process: Some(process), stopped: Arc::default() }
    }

    /// A handle to what this one has stored, as after a new start: it writes, also if
    /// this one was stopped.
    pub fn opened_again(&self) -> Self {
        self.state().has_failed = false;
        Self { shared: self.shared.clone(), process: self.process, stopped: Arc::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The state, for a change. `Unavailable` after this handle was stopped.
    fn writing(&self) -> Result<MutexGuard<'_, State>> {
        let state = self.state();
        if self.stopped.load(Ordering::Relaxed) { Err(StoreError::Unavailable) } else { Ok(state) }
    }

    /// Waits while reads are held.
    async fn may_read(&self) {
        self.until(|this| !this.faults().hold_reads_of(this.process)).await;
    }

    /// Waits until something is so.
    async fn until(&self, is_so: impl Fn(&Self) -> bool) {
        loop {
            let changed = self.shared.changed.notified();
            if is_so(self) {
                return;
            }
            changed.await;
        }
    }
}

#[derive(Default)]
pub(crate) struct State {
    clock: Option<Box<dyn Fn() -> Timestamp + Send + Sync>>,
    pub(crate) kept: rows::Kept,
    /// Each with the time at which it was added.
    pub(crate) pictures: HashMap<(Album, ImageId), (Vec<u8>, Timestamp)>,
    /// When a picture was last added or removed.
    pub(crate) changed_albums: HashMap<Album, Timestamp>,
    pub(crate) rooms: HashMap<RoomId, RoomMetadata>,
    pub(crate) gone_rooms: HashSet<RoomId>,
    pub(crate) logs: HashMap<RoomId, rooms::Log>,
    /// Appends that are not written yet.
    pub(crate) waiting: Vec<rooms::Waiting>,
    /// Whether a write has failed.
    pub(crate) has_failed: bool,
    /// How processes hear of what others write.
    pub(crate) wire: wire::Lines,
}

impl State {
    pub(crate) fn now(&self) -> Timestamp {
        self.clock.as_ref().map_or(0, |now| now())
    }
}
