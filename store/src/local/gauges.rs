//! Counters of the store's own work, for the operator's metrics.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use crate::engine::Figures;
use crate::local::base::Base;

/// Counters since the store was opened.
#[derive(Debug, Default)]
pub(crate) struct Gauges {
    commits: AtomicU64,
    calls: AtomicU64,
    nanos: AtomicU64,
    resealed: AtomicU64,
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

    pub(crate) fn read(&self, base: &Base, picture_bytes: u64) -> Figures {
        Figures {
            commits: self.commits.load(Relaxed),
            calls: self.calls.load(Relaxed),
            commit_time: Duration::from_nanos(self.nanos.load(Relaxed)),
            resealed: self.resealed.load(Relaxed),
            data_bytes: base.index.size() + base.rooms.reader.bytes(),
            disk_free_bytes: base.space.free(),
            disk_is_full: base.space.is_full(),
            picture_bytes,
            accounts: base.accounts(),
        }
    }
}
