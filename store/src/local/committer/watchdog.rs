//! Notices when the disk does not answer. The committer's thread hangs then,
//! and everybody else has to know.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::clock::Stopwatch;

const LOOK_EVERY: Duration = Duration::from_millis(200);

/// The committer's end: says when a commit begins and ends. The watch ends soon
/// after this is dropped.
pub(super) struct Watched(Arc<Mutex<Option<Stopwatch>>>);

impl Watched {
    /// Begins to watch. When a commit takes longer than `patience`, `give_up`
    /// is called, once at most.
    pub(super) fn start(patience: Duration, give_up: impl FnOnce() + Send + 'static) -> std::io::Result<Self> {
        let this = Self(Arc::default());
        let watched = Arc::downgrade(&this.0);
        thread::Builder::new().name("store-watchdog".into()).spawn(move || {
            while let Some(busy) = watched.upgrade() {
                if busy.lock().unwrap_or_else(PoisonError::into_inner).is_some_and(|since| since.elapsed() > patience) {
                    return give_up();
                }
                drop(busy);
                thread::sleep(LOOK_EVERY);
            }
        })?;
        Ok(this)
    }

    pub(super) fn begin(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Stopwatch::start());
    }

    pub(super) fn end(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}
