//! Notices when the disk does not answer. The committer's thread hangs then,
//! and everybody else has to know.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::clock::Stopwatch;

const LOOK_EVERY: Duration = Duration::from_millis(200);

/// The committer's end: says when a commit begins and ends. Dropping it ends
/// the watch.
pub(super) struct Watched(Arc<(Mutex<Watch>, Condvar)>);

#[derive(Default)]
struct Watch {
    busy: Option<Stopwatch>,
    is_over: bool,
}

impl Watched {
    /// Begins to watch. When a commit takes longer than `patience`, `give_up`
    /// is called, once at most.
    pub(super) fn start(patience: Duration, give_up: impl FnOnce() + Send + 'static) -> std::io::Result<Self> {
        let shared = Arc::<(Mutex<Watch>, Condvar)>::default();
        let seen = shared.clone();
        thread::Builder::new().name("store-watchdog".into()).spawn(move || {
            let (watch, over) = &*seen;
            let mut watch = watch.lock().unwrap_or_else(PoisonError::into_inner);
            while !watch.is_over {
                if watch.busy.is_some_and(|since| since.elapsed() > patience) {
                    return give_up();
                }
                watch = over.wait_timeout(watch, LOOK_EVERY).unwrap_or_else(PoisonError::into_inner).0;
            }
        })?;
        Ok(Self(shared))
    }

    pub(super) fn begin(&self) {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner).busy = Some(Stopwatch::start());
    }

    pub(super) fn end(&self) {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner).busy = None;
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner).is_over = true;
        self.0.1.notify_one();
    }
}
