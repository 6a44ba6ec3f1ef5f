//! Counters of the store's own work, for the operator's metrics.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use parking_lot::Mutex;

use crate::engine::Commits;

/// Counters since the store was opened.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    pub(super) commits: Mutex<Commits>,
    pub(super) resealed: AtomicU64,
}

impl Counters {
    pub(crate) fn committed(&self, calls: usize, took: Duration) {
        let Commits { count, calls: all, time } = &mut *self.commits.lock();
        *count += 1;
        *all += calls as u64;
        *time += took;
    }

    pub(crate) fn resealed(&self, records: usize) {
        self.resealed.fetch_add(records as u64, Relaxed);
    }
}
