//! What goes wrong in the engine in memory, when a test wants it to.

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

#[derive(Default)]
pub(crate) struct State {
    pub(crate) holds_appends: bool,
    pub(crate) holds_reads: bool,
    pub(crate) next_append: AppendFault,
    pub(crate) is_full: bool,
    pub(crate) fails_picks: bool,
    pub(crate) fails_removes: bool,
    pub(crate) seen: Seen,
}

/// Makes things go wrong in an engine in memory.
#[derive(Clone)]
pub struct Faults(MemoryStore);

impl MemoryStore {
    /// What makes things go wrong in it.
    pub fn faults(&self) -> Faults {
        Faults(self.clone())
    }
}

impl Faults {
    /// Appends wait from now on, in their order.
    pub fn hold_appends(&self) {
        self.0.state().faults.holds_appends = true;
    }

    /// The appends that wait go on, on a disk that has space. The first one,
    /// with all that join it, ends as is said.
    pub fn release_appends(&self, first: AppendFault) {
        let mut state = self.0.state();
        (state.faults.holds_appends, state.faults.is_full) = (false, false);
        state.faults.next_append = first;
        state.write_waiting();
    }

    /// The next append ends like this.
    pub fn next_append(&self, fault: AppendFault) {
        self.0.state().faults.next_append = fault;
    }

    /// No append finds space from now on, until appends are released.
    pub fn fill_up(&self) {
        self.0.state().faults.is_full = true;
    }

    /// Whether reading a log waits from now on.
    pub fn hold_reads(&self, hold: bool) {
        self.0.state().faults.holds_reads = hold;
        self.0.released().notify_waiters();
    }

    /// Whether reading single places of a log fails from now on.
    pub fn fail_picks(&self, fail: bool) {
        self.0.state().faults.fails_picks = fail;
    }

    /// Whether removing a room fails from now on.
    pub fn fail_removes(&self, fail: bool) {
        self.0.state().faults.fails_removes = fail;
    }

    /// What was asked of the logs since this was last called.
    pub fn seen(&self) -> Seen {
        std::mem::take(&mut self.0.state().faults.seen)
    }
}
