//! An engine for tests: it keeps everything in maps and nothing on disk, and a test
//! can switch faults on. The actors' tests run on it, and so do the contract tests,
//! as on every engine. It is not in the server.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use annon_store::account::{Access, Account, AccountId, Accounts, LinkDigest, LinkKind, Timestamp};
use annon_store::building_blocks::{InboxChanges, InboxRecord, NoteRecord};
use annon_store::feedback::{Feedback, FeedbackBox, FeedbackId};
use annon_store::image::{Album, ImageId, Images};
use annon_store::inbox::Inbox;
use annon_store::room::{RoomDirectory, RoomId, RoomMetadata};
use annon_store::room_log::RoomLog;
use tokio::sync::Notify;

mod accounts;
mod faults;
mod feedback;
mod images;
mod inbox;
mod rooms;
mod wire;
pub use faults::{AppendFault, Faults, Seen};

/// A store that loses everything when it is dropped. A clone is another handle.
#[derive(Clone, Default)]
pub struct MemoryStore {
    shared: Arc<Shared>,
    /// The process that has this handle, if several share the store.
    process: Option<usize>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    faults: Mutex<Faults>,
    /// Wakes whoever waits until reading is allowed.
    released: Notify,
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
        Self { shared: self.shared.clone(), process: Some(process) }
    }

    pub fn accounts(&self) -> Arc<dyn Accounts> {
        Arc::new(self.clone())
    }

    pub fn inbox(&self) -> Arc<dyn Inbox> {
        Arc::new(self.clone())
    }

    pub fn feedback(&self) -> Arc<dyn FeedbackBox> {
        Arc::new(self.clone())
    }

    pub fn images(&self) -> Arc<dyn Images> {
        Arc::new(self.clone())
    }

    pub fn rooms(&self) -> Arc<dyn RoomDirectory> {
        Arc::new(self.clone())
    }

    pub fn room_log(&self) -> Arc<dyn RoomLog> {
        Arc::new(self.clone())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits while reads are held.
    async fn may_read(&self) {
        loop {
            let released = self.shared.released.notified();
            if !self.faults().hold_reads_of(self.process) {
                return;
            }
            released.await;
        }
    }
}

#[derive(Default)]
pub(crate) struct State {
    clock: Option<Box<dyn Fn() -> Timestamp + Send + Sync>>,
    pub(crate) accounts: BTreeMap<AccountId, (Account, Access)>,
    pub(crate) links: HashMap<(LinkKind, LinkDigest), (AccountId, Timestamp)>,
    pub(crate) inboxes: HashMap<AccountId, InboxRecord>,
    pub(crate) inbox_changes: InboxChanges,
    /// Owner, then number and shuffle of the place.
    pub(crate) notes: BTreeMap<(AccountId, (u64, u64)), NoteRecord>,
    pub(crate) feedback: BTreeMap<FeedbackId, Feedback>,
    /// Each with the time at which it was added.
    pub(crate) pictures: HashMap<(Album, ImageId), (Vec<u8>, Timestamp)>,
    /// When a picture was last added or removed.
    pub(crate) changed_albums: HashMap<Album, Timestamp>,
    pub(crate) rooms: HashMap<RoomId, RoomMetadata>,
    pub(crate) gone_rooms: HashSet<RoomId>,
    pub(crate) logs: HashMap<RoomId, rooms::Log>,
    /// Appends that are not written yet.
    pub(crate) waiting: Vec<rooms::Waiting>,
    /// How processes hear of what others write.
    pub(crate) wire: wire::Wire,
}

impl State {
    pub(crate) fn now(&self) -> Timestamp {
        self.clock.as_ref().map_or(0, |now| now())
    }
}
