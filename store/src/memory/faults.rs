//! What goes wrong in the engine in memory, when a test wants it to.

use std::sync::{MutexGuard, PoisonError};

use crate::error::StoreError;
use crate::memory::MemoryStore;
use crate::room::Seq;

/// What becomes of an append to a room's log.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AppendFault {
    /// It works.
    #[default]
    None,
    /// Nothing is written.
    Fails(StoreError),
    /// It is written, and whoever asked is told that the store has stopped.
    Unanswered,
    /// It never answers, and nothing is written.
    Hangs,
    /// Whoever waits for it panics.
    Panics,
}

/// What was asked of the rooms' logs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Seen {
    /// How many events each record had, with which appends are joined.
    pub appended: Vec<usize>,
    /// How many appends found no space.
    pub refused: usize,
    /// How often a log was read.
    pub reads: usize,
    /// How often single places of a log were.
    pub picks: usize,
    /// Messages whose words were taken back.
    pub redacted: Vec<Seq>,
}

/// What goes wrong from now on.
#[derive(Default)]
pub struct Faults {
    /// Appends wait, in their order.
    pub holds_appends: bool,
    /// How the next append ends.
    pub next_append: AppendFault,
    /// No append finds space.
    pub is_full: bool,
    /// Single places of a log can't be read.
    pub fails_picks: bool,
    /// No room can be removed.
    pub fails_removes: bool,
    pub(crate) holds_reads: bool,
    pub(crate) seen: Seen,
}

impl Faults {
    /// What was asked of the logs since this was last called.
    pub fn seen(&mut self) -> Seen {
        std::mem::take(&mut self.seen)
    }
}

impl MemoryStore {
    pub fn faults(&self) -> MutexGuard<'_, Faults> {
        self.0.faults.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The appends that wait go on, on a disk that has space. The first one,
    /// with all that join it, ends as is said.
    pub fn release_appends(&self, first: AppendFault) {
        let mut faults = self.faults();
        (faults.holds_appends, faults.is_full, faults.next_append) = (false, false, first);
        self.state().write_waiting(&mut faults);
    }

    /// Whether reading a log waits from now on.
    pub fn hold_reads(&self, hold: bool) {
        self.faults().holds_reads = hold;
        self.0.released.notify_waiters();
    }
}
