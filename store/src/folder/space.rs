//! How full the disk is, asked at most once a second.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use annon_contract::limits::PICTURES_SHARE;

use crate::clock::Stopwatch;

const ASK_EVERY: Duration = Duration::from_secs(1);
/// A disk with less is full. Only what removes something is written then.
pub(crate) const FULL_BELOW: u64 = 4 * 1024 * 1024;
/// With less than this nothing is removed either: the tape must not meet the
/// disk's end in the middle of a frame, after which nobody could tell what is
/// on it. A commit takes half of this at most, or of what is free above that.
pub(crate) const REMOVES_ABOVE: u64 = 1024 * 1024;

/// What is left of the disk, against what must stay free.
pub(crate) struct DiskSpace {
    folder: PathBuf,
    /// Pictures are refused below this many bytes, everything else that
    /// grows below half of it.
    reserve: u64,
    /// What all pictures may be, if somebody has said so.
    pictures: Option<u64>,
    free: AtomicU64,
    size: AtomicU64,
    was_full: AtomicBool,
    asked: Mutex<Option<Stopwatch>>,
}

impl DiskSpace {
    pub(crate) fn new(folder: PathBuf, reserve: u64, pictures: Option<u64>) -> Self {
        let (free, size) = (AtomicU64::new(u64::MAX), AtomicU64::new(u64::MAX));
        Self { folder, reserve, pictures, free, size, was_full: AtomicBool::new(false), asked: Mutex::new(None) }
    }

    /// Whether only what removes something is written, if anything.
    pub(crate) fn is_full(&self) -> bool {
        self.free() < FULL_BELOW
    }

    /// Whether what grows is refused.
    pub(crate) fn refuses_writes(&self) -> bool {
        self.free() < FULL_BELOW.max(self.reserve / 2)
    }

    pub(crate) fn refuses_pictures(&self) -> bool {
        self.free() < FULL_BELOW.max(self.reserve)
    }

    /// Whether a full disk has no room for a commit of so many bytes. The tape
    /// grows by more than those, so half of what removals need stays free.
    pub(crate) fn refuses_commit(&self, bytes: u64) -> bool {
        self.ask() < bytes.saturating_add(REMOVES_ABOVE / 2)
    }

    /// Whether so much more fits beside what must stay free.
    pub(crate) fn has_room_for(&self, bytes: u64) -> bool {
        self.free() >= self.reserve.saturating_add(bytes)
    }

    /// Bytes that all pictures together may take.
    pub(crate) fn most_pictures(&self) -> u64 {
        self.pictures.unwrap_or_else(|| {
            self.free();
            self.size.load(Ordering::Relaxed) / PICTURES_SHARE
        })
    }

    /// Free bytes on the data folder's disk, a second ago at most.
    pub(crate) fn free(&self) -> u64 {
        if self.asked().as_ref().is_none_or(|at| at.elapsed() >= ASK_EVERY) {
            self.ask();
        }
        // A caller of `ask` may have met the change and has not logged it.
        self.log_change();
        self.free.load(Ordering::Relaxed)
    }

    /// Free bytes on the data folder's disk, now.
    pub(crate) fn ask(&self) -> u64 {
        let mut asked = self.asked();
        *asked = Some(Stopwatch::start());
        match rustix::fs::statvfs(&self.folder) {
            Ok(stat) => {
                let free = stat.f_bavail.saturating_mul(stat.f_frsize);
                self.free.store(free, Ordering::Relaxed);
                self.size.store(stat.f_blocks.saturating_mul(stat.f_frsize), Ordering::Relaxed);
            }
            Err(error) => tracing::warn!(%error, "can't tell how full the disk is"),
        }
        self.free.load(Ordering::Relaxed)
    }

    /// Logs it when the disk has become full, or has room again.
    pub(crate) fn log_change(&self) {
        let free_bytes = self.free.load(Ordering::Relaxed);
        let is_full = free_bytes < FULL_BELOW;
        match (self.was_full.swap(is_full, Ordering::Relaxed), is_full) {
            (false, true) => tracing::error!(
                free_bytes,
                "the disk is full: what is there can be read and deleted, and nothing else is written until there is \
                 room. Free some (what is not annon's)"
            ),
            (true, false) => tracing::info!(free_bytes, "the disk has room again, and writing goes on"),
            _ => {}
        }
    }

    fn asked(&self) -> MutexGuard<'_, Option<Stopwatch>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
