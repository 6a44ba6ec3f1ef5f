//! The only file of this crate that reads a clock: to measure durations, to begin a
//! new file of the commit log each hour, and to compare this clock with a database's.
//! Every time that is stored comes from the caller, or from the database.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use parking_lot::Mutex;
use tokio::time::sleep;

/// Measures how long something takes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    #[expect(clippy::disallowed_methods, reason = "this is the clock")]
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// Lets something begin once in a while at most, so that what is asked meanwhile is done
/// together. What is rare never waits.
#[derive(Debug)]
pub(crate) struct Pace {
    every: Duration,
    last: Mutex<Option<Stopwatch>>,
}

impl Pace {
    pub(crate) const fn new(every: Duration) -> Self {
        Self { every, last: Mutex::new(None) }
    }

    /// Waits until it may begin, which it then does.
    pub(crate) async fn turn(&self) {
        while let Some(wait) = self.ask() {
            sleep(wait).await;
        }
    }

    /// Begins it, or says how long that has to wait.
    fn ask(&self) -> Option<Duration> {
        let mut last = self.last.lock();
        let wait = last.and_then(|last| self.every.checked_sub(last.elapsed())).filter(|wait| !wait.is_zero());
        if wait.is_none() {
            *last = Some(Stopwatch::start());
        }
        wait
    }
}

/// The time since 1970. A clock before 1970 counts as 1970.
#[expect(clippy::disallowed_methods, reason = "this is the clock")]
pub(crate) fn since_1970() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// Hours since 1970.
pub(crate) fn hour() -> u64 {
    since_1970().as_secs() / 3600
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(3600);

    #[test]
    fn what_is_rare_begins_at_once_and_what_comes_soon_after_waits_for_the_rest() {
        let pace = Pace::new(LONG);
        assert_eq!(pace.ask(), None);
        let waits = pace.ask().unwrap();
        assert!(waits <= LONG && waits > LONG / 2, "{waits:?}");
        let pace = Pace::new(Duration::ZERO);
        assert_eq!((pace.ask(), pace.ask()), (None, None));
    }
}
