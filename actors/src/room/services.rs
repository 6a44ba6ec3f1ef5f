//! The settings and services that all rooms share.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use annon_contract::limits::{ROOM_BYTES_MIN, ROOM_LINE_BYTES};
use annon_store::Record;
use annon_store::image::Images;
use annon_store::room::{Millis, RoomDirectory, RoomMetadata};
use annon_store::room_log::RoomLog;
use annon_store::wire::Wire;
use tokio::sync::Semaphore;

use crate::bucket::Rate;
use crate::clock::{SharedClock, within};
use crate::inbox::Inboxes;
use crate::room::budget::Budget;
use crate::room::error::RoomError;
use crate::room::machine::{Keeps, Terms, millis};

/// Logs that may be read at once. The limit gives rooms that have to leave
/// memory the time for it before many others are read.
pub(crate) const READS_AT_ONCE: usize = 4;

/// How rooms are run.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// Lines a room keeps.
    pub keeps: usize,
    /// How fast one seat may send; `None` is no limit.
    pub sends: Option<Rate>,
    /// Bytes of memory that all rooms may hold. Above that, rooms that nobody
    /// is in leave memory; then the largest drop the text of old messages.
    pub memory: usize,
    /// Newest lines whose text stays in memory, up to 32 KiB of it.
    pub stays: usize,
}

/// What all rooms share.
pub(crate) struct Services {
    pub(crate) directory: Arc<dyn RoomDirectory>,
    pub(crate) log: Arc<dyn RoomLog>,
    pub(crate) images: Arc<dyn Images>,
    /// Says whether what was read is the newest there is.
    pub(crate) record: Arc<dyn Record>,
    /// The other nodes; `None` if there are none.
    pub(crate) wire: Option<Arc<dyn Wire>>,
    /// The windows of owners, who are told how their rooms stand.
    pub(crate) inboxes: Inboxes,
    pub(crate) clock: SharedClock,
    pub(crate) settings: Settings,
    /// The memory that each room holds.
    pub(crate) budget: Budget,
    /// Permits to read a log ([`READS_AT_ONCE`]). A log that is being read takes
    /// twice the memory of its room.
    pub(crate) reading: Semaphore,
    /// How often a room has read what others have written, and how often it was found to differ
    /// from another node's.
    pub(crate) catch_ups: AtomicU64,
    pub(crate) differences: AtomicU64,
}

impl Services {
    /// What is fixed when a room is made.
    pub(crate) fn terms(&self, metadata: &RoomMetadata) -> Terms {
        let lines = self.settings.keeps;
        let keeps = Keeps { lines, bytes: (lines * ROOM_LINE_BYTES).max(ROOM_BYTES_MIN) };
        Terms { created_at: Millis(metadata.created * 1000), expires_at: Millis(metadata.expires * 1000), keeps }
    }

    pub(crate) fn now(&self) -> Millis {
        Millis(millis(self.clock.now()))
    }

    /// The result of `work` with the store. After the log's patience it is an error.
    pub(crate) async fn unless_stuck<T, E: Into<RoomError>>(
        &self,
        work: impl Future<Output = Result<T, E>>,
    ) -> Result<T, RoomError> {
        within(&self.clock, self.log.patience(), work).await.ok_or(RoomError::Stuck)?.map_err(E::into)
    }
}
