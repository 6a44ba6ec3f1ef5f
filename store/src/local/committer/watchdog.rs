//! Notices when the disk does not answer: then the committer's thread hangs, and
//! its callers must be told.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use parking_lot::Mutex;

use crate::clock::Stopwatch;

const LOOK_EVERY: Duration = Duration::from_millis(200);

/// The committer tells this when a commit begins and ends. The watchdog's thread
/// ends soon after this is dropped.
pub(super) struct Watched(Arc<Mutex<Option<Stopwatch>>>);

impl Watched {
    /// Starts the watchdog's thread. When a commit takes longer than `patience`,
    /// it calls `give_up` and ends.
    pub(super) fn start(patience: Duration, give_up: impl FnOnce() + Send + 'static) -> std::io::Result<Self> {
        let this = Self(Arc::default());
        let watched = Arc::downgrade(&this.0);
        thread::Builder::new().name("store-watchdog".into()).spawn(move || {
            while let Some(busy) = watched.upgrade() {
                if busy.lock().is_some_and(|since| since.elapsed() > patience) {
                    return give_up();
                }
                drop(busy);
                thread::sleep(LOOK_EVERY);
            }
        })?;
        Ok(this)
    }

    pub(super) fn begin(&self) {
        *self.0.lock() = Some(Stopwatch::start());
    }

    pub(super) fn end(&self) {
        *self.0.lock() = None;
    }
}
