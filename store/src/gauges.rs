//! What the store can tell about its own work, for the operator's metrics.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use crate::base::Base;
use crate::folder::space::DiskSpace;

/// Counters since start.
#[derive(Debug, Default)]
pub(crate) struct Gauges {
    commits: AtomicU64,
    calls: AtomicU64,
    nanos: AtomicU64,
    resealed: AtomicU64,
}

/// A reading of the counters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Figures {
    /// Commits, each with one sync of the disk.
    pub commits: u64,
    /// Calls those commits answered.
    pub calls: u64,
    /// Time spent in them.
    pub commit_time: Duration,
    /// Records that were moved to a new key, because another beside them was
    /// deleted.
    pub resealed: u64,
    /// What the database weighs on disk, in bytes.
    pub database_bytes: u64,
    /// What is left of the disk, in bytes.
    pub disk_free_bytes: u64,
    /// Whether it is full, and nothing is written.
    pub disk_is_full: bool,
    /// What all pictures weigh, in bytes.
    pub picture_bytes: u64,
    /// How many accounts there are.
    pub accounts: usize,
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

    #[cfg(test)]
    pub(crate) fn commits(&self) -> u64 {
        self.commits.load(Relaxed)
    }

    pub(crate) fn read(&self, base: &Base, space: &DiskSpace, picture_bytes: u64) -> Figures {
        Figures {
            commits: self.commits.load(Relaxed),
            calls: self.calls.load(Relaxed),
            commit_time: Duration::from_nanos(self.nanos.load(Relaxed)),
            resealed: self.resealed.load(Relaxed),
            database_bytes: base.reader.size(),
            disk_free_bytes: space.free(),
            disk_is_full: space.is_full(),
            picture_bytes,
            accounts: base.accounts(),
        }
    }
}
