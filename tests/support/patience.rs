//! Waiting for something to become true, and never for a time to pass.

use std::thread;
use std::time::{Duration, Instant};

/// Nothing takes this long unless it hangs, however busy the machine.
pub(crate) const HANG: Duration = Duration::from_secs(120);
const PAUSE: Duration = Duration::from_millis(5);

pub(crate) fn wait_until(what: &str, mut done: impl FnMut() -> bool) {
    wait_for(what, || done().then_some(()));
}

/// Waits until `look` returns something.
pub(crate) fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let begun = now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begun.elapsed() < HANG, "waited in vain: {what}");
        thread::sleep(PAUSE);
    }
}

/// Does work, and measures how long it takes.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let begun = now();
    let done = work();
    (done, begun.elapsed())
}

/// Runs each work on a thread of its own, and returns the results in order.
pub(crate) fn at_once<T: Send, W: FnOnce() -> T + Send>(works: impl IntoIterator<Item = W>) -> Vec<T> {
    thread::scope(|scope| {
        let running: Vec<_> = works.into_iter().map(|work| scope.spawn(work)).collect();
        running
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}

#[expect(clippy::disallowed_methods, reason = "a test stands outside the server and its clock")]
pub(crate) fn now() -> Instant {
    Instant::now()
}

#[expect(clippy::disallowed_methods, reason = "a test stands outside the server and its clock")]
pub(crate) fn since_1970() -> Duration {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap()
}
