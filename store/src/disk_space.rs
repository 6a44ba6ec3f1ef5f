//! How full the disk is, asked at most once a second.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::clock::Stopwatch;
use crate::limits::PICTURES_SHARE;

const ASK_EVERY: Duration = Duration::from_secs(1);

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
    asked: Mutex<Option<Stopwatch>>,
}

impl DiskSpace {
    pub(crate) fn new(folder: PathBuf, reserve: u64, pictures: Option<u64>) -> Self {
        let (free, size) = (AtomicU64::new(u64::MAX), AtomicU64::new(u64::MAX));
        Self { folder, reserve, pictures, free, size, asked: Mutex::new(None) }
    }

    pub(crate) fn refuses_writes(&self) -> bool {
        self.free() < self.reserve / 2
    }

    pub(crate) fn refuses_pictures(&self) -> bool {
        self.free() < self.reserve
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

    /// Free bytes on the data folder's disk.
    pub(crate) fn free(&self) -> u64 {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        if asked.is_none_or(|at| at.elapsed() >= ASK_EVERY) {
            *asked = Some(Stopwatch::start());
            match rustix::fs::statvfs(&self.folder) {
                Ok(stat) => {
                    self.free.store(stat.f_bavail.saturating_mul(stat.f_frsize), Ordering::Relaxed);
                    self.size.store(stat.f_blocks.saturating_mul(stat.f_frsize), Ordering::Relaxed);
                }
                Err(error) => tracing::warn!(%error, "can't tell how full the disk is"),
            }
        }
        self.free.load(Ordering::Relaxed)
    }
}
