//! Faults that a test switches on in the engine in memory.

use std::collections::{HashMap, HashSet};
use std::sync::{MutexGuard, PoisonError};

use annon_store::StoreError;
use annon_store::room::Seq;

use crate::MemoryStore;

/// How an append to a room's log ends.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AppendFault {
    /// It works.
    #[default]
    None,
    /// Nothing is written.
    Fails(StoreError),
    /// It is written, and the caller is told that the store has stopped.
    Unanswered,
    /// It never answers, and nothing is written.
    Hangs,
    /// Its future panics.
    Panics,
}

/// The calls to the rooms' logs and albums.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Seen {
    /// How many events each written record had.
    pub appended: Vec<usize>,
    /// How many appends found no space.
    pub refused: usize,
    /// How often a log was read.
    pub reads: usize,
    /// How often single places of a log were read.
    pub picks: usize,
    /// How often the pictures of an album were listed.
    pub lists: usize,
    /// How often it was asked whether what was read is the newest.
    pub confirms: usize,
}

/// The faults that are on, and the calls that were seen.
#[derive(Default)]
pub struct Faults {
    /// Appends wait, in their order.
    pub holds_appends: bool,
    /// How the next append ends.
    pub next_append: AppendFault,
    /// These processes don't reach the store: their appends and reads wait.
    pub cut_off: HashSet<usize>,
    /// These processes read from a server that the others have left when the logs ended here: it
    /// shows nothing that is newer, and confirms nothing.
    pub left_behind: HashMap<usize, Seq>,
    /// So many appends are refused, as if somebody else had written first.
    pub conflicts: usize,
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
    /// Whether a process has to wait with reading.
    pub(crate) fn hold_reads_of(&self, process: Option<usize>) -> bool {
        self.holds_reads || process.is_some_and(|process| self.cut_off.contains(&process))
    }

    /// Where logs end for a process that was left behind.
    pub(crate) fn log_shown_to(&self, process: Option<usize>) -> Option<Seq> {
        self.left_behind.get(&process?).copied()
    }

    /// The calls since this was last called.
    pub fn seen(&mut self) -> Seen {
        std::mem::take(&mut self.seen)
    }
}

impl MemoryStore {
    pub fn faults(&self) -> MutexGuard<'_, Faults> {
        self.shared.faults.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes the appends that wait, on a disk that has space. The first one, with
    /// all that are joined to it, ends like `first`.
    pub fn release_appends(&self, first: AppendFault) {
        let mut faults = self.faults();
        (faults.holds_appends, faults.is_full, faults.next_append) = (false, false, first);
        self.state().write_waiting(&mut faults);
        self.shared.changed.notify_waiters();
    }

    /// Lets processes that were cut off reach the store again.
    pub fn reconnect_all(&self) {
        let mut faults = self.faults();
        faults.cut_off.clear();
        self.state().write_waiting(&mut faults);
        drop(faults);
        self.shared.changed.notify_waiters();
    }

    /// Makes readers of a log wait, or lets them go on.
    pub fn hold_reads(&self, hold: bool) {
        self.faults().holds_reads = hold;
        self.shared.changed.notify_waiters();
    }
}
