//! What all rooms share.

use std::sync::Arc;
use std::time::Duration;

use annon_contract::limits::{ROOM_BYTES_MIN, ROOM_LINE_BYTES};
use annon_store::image::Images;
use annon_store::room::{Millis, RoomCard, RoomDirectory};
use annon_store::room_log::RoomLog;
use tokio::sync::Semaphore;

use crate::bucket::Rate;
use crate::clock::{SharedClock, within};
use crate::room::budget::Budget;
use crate::room::error::RoomError;
use crate::room::machine::{Keeps, Terms, millis};

/// An actor or a store that hasn't answered by then is stuck: the room is given
/// up and rebuilt from its log.
pub(crate) const STUCK: Duration = Duration::from_secs(10);
/// Logs that may be read at once. The limit gives rooms that have to leave
/// memory the time to do so before many others come.
pub(crate) const READS_AT_ONCE: usize = 4;

/// How rooms are run.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// Lines a room keeps.
    pub keeps: usize,
    /// How fast one seat may send; `None` is no limit.
    pub sends: Option<Rate>,
    /// Bytes of memory that rooms may hold. Past that, those nobody is in make
    /// way, and then the largest leave old words to the log.
    pub memory: usize,
    /// Newest lines whose words a room has in memory whatever happens.
    pub stays: usize,
}

/// What all rooms share.
pub(crate) struct Services {
    pub(crate) directory: Arc<dyn RoomDirectory>,
    pub(crate) log: Arc<dyn RoomLog>,
    pub(crate) images: Arc<dyn Images>,
    pub(crate) clock: SharedClock,
    pub(crate) settings: Settings,
    /// What rooms hold in memory.
    pub(crate) budget: Budget,
    /// Turns at reading logs ([`READS_AT_ONCE`]): each log is held twice for a moment.
    pub(crate) reading: Semaphore,
}

impl Services {
    /// What is fixed when a room is made.
    pub(crate) fn terms(&self, card: &RoomCard) -> Terms {
        let lines = self.settings.keeps;
        let keeps = Keeps { lines, bytes: (lines * ROOM_LINE_BYTES).max(ROOM_BYTES_MIN) };
        Terms { expires_at: Millis(card.expires * 1000), keeps }
    }

    /// The time of day.
    pub(crate) fn now(&self) -> Millis {
        Millis(millis(self.clock.now()))
    }

    /// The result of some work with the store, unless it is stuck.
    pub(crate) async fn unless_stuck<T, E: Into<RoomError>>(
        &self,
        work: impl Future<Output = Result<T, E>>,
    ) -> Result<T, RoomError> {
        within(&self.clock, STUCK, work).await.ok_or(RoomError::Stuck)?.map_err(E::into)
    }
}
