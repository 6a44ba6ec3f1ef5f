//! How full the disk is, asked at most once a second.

use std::path::PathBuf;
use std::time::Duration;

use annon_contract::limits::PICTURES_SHARE;
use parking_lot::Mutex;

use crate::clock::Stopwatch;

const ASK_EVERY: Duration = Duration::from_secs(1);
/// A disk with less is full. Only what removes something is written then.
pub(crate) const FULL_BELOW: u64 = 4 * 1024 * 1024;
/// A disk with less takes no deletions either: it must not become full in the
/// middle of a frame of the commit log, since then nobody knows what is in the commit log.
pub(crate) const REMOVES_ABOVE: u64 = 1024 * 1024;

/// The free space of the disk, and how much must stay free.
pub(crate) struct DiskSpace {
    folder: PathBuf,
    /// With fewer free bytes pictures are refused; with fewer than half of them,
    /// everything else that grows.
    reserve: u64,
    /// How many bytes all pictures may have, if the operator has set that.
    pictures: Option<u64>,
    known: Mutex<Known>,
}

/// What the system has answered last.
struct Known {
    at: Option<Stopwatch>,
    free: u64,
    size: u64,
    /// Whether it was logged that the disk is full.
    is_logged: bool,
}

impl DiskSpace {
    pub(crate) fn new(folder: PathBuf, reserve: u64, pictures: Option<u64>) -> Self {
        let known = Known { at: None, free: u64::MAX, size: u64::MAX, is_logged: false };
        Self { folder, reserve, pictures, known: Mutex::new(known) }
    }

    /// Whether only deletions are written, if anything.
    pub(crate) fn is_full(&self) -> bool {
        self.free() < FULL_BELOW
    }

    /// Whether calls that add data are refused.
    pub(crate) fn refuses_writes(&self) -> bool {
        self.free() < FULL_BELOW.max(self.reserve / 2)
    }

    pub(crate) fn refuses_pictures(&self) -> bool {
        self.free() < FULL_BELOW.max(self.reserve)
    }

    /// Whether a full disk has too little space for a commit of `bytes` bytes. The
    /// commit log grows by more than that, so some more must stay free.
    pub(crate) fn refuses_commit(&self, bytes: u64) -> bool {
        self.ask() < bytes.saturating_add(REMOVES_ABOVE / 2)
    }

    /// Whether `bytes` more bytes fit, and enough stays free.
    pub(crate) fn has_room_for(&self, bytes: u64) -> bool {
        self.free() >= self.reserve.saturating_add(bytes)
    }

    /// How many bytes all pictures may have.
    pub(crate) fn most_pictures(&self) -> u64 {
        self.pictures.unwrap_or_else(|| {
            self.free();
            self.known.lock().size / PICTURES_SHARE
        })
    }

    /// Free bytes on the data folder's disk, a second ago at most.
    pub(crate) fn free(&self) -> u64 {
        if self.known.lock().at.is_none_or(|at| at.elapsed() >= ASK_EVERY) {
            self.ask();
        }
        // A caller of `ask` may have seen the change, and has not logged it.
        self.log_change();
        self.known.lock().free
    }

    /// Free bytes on the data folder's disk, now.
    pub(crate) fn ask(&self) -> u64 {
        let mut known = self.known.lock();
        known.at = Some(Stopwatch::start());
        match rustix::fs::statvfs(&self.folder) {
            Ok(stat) => {
                known.free = stat.f_bavail.saturating_mul(stat.f_frsize);
                known.size = stat.f_blocks.saturating_mul(stat.f_frsize);
            }
            Err(error) => tracing::warn!(%error, "can't tell how full the disk is"),
        }
        known.free
    }

    /// Logs it when the disk has become full, or has room again.
    pub(crate) fn log_change(&self) {
        let mut known = self.known.lock();
        let (free_bytes, is_full) = (known.free, known.free < FULL_BELOW);
        match (std::mem::replace(&mut known.is_logged, is_full), is_full) {
            (false, true) => tracing::error!(
                free_bytes,
                "the disk is full: what is there can be read and deleted, and nothing else is written until there is \
                 room. Free some, but not in annon's folder"
            ),
            (true, false) => tracing::info!(free_bytes, "the disk has room again, and writing goes on"),
            _ => {}
        }
    }
}
