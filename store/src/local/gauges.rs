//! Counters of the store's own work, for the operator's metrics.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Counters since the store was opened.
#[derive(Debug, Default)]
pub(crate) struct Gauges {
    pub(super) commits: AtomicU64,
    pub(super) calls: AtomicU64,
    pub(super) nanos: AtomicU64,
    pub(super) resealed: AtomicU64,
}

impl Gauges {
    pub(crate) fn committed(&self, calls: usize, took: Duration) {
        self.commits.fetch_add(1, Relaxed);
        self.calls.fetch_add(calls as u64, Relaxed);
        self.nanos.fetch_add(u64::try_from(took.as_nanos()).unwrap_or(u64::MAX), Relaxed);
    }

    pub(crate) fn resealed(&self, records: usize) {
        self.resealed.fetch_add(records as u64, Relaxed);
    }
}
