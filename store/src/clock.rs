//! The only file of this crate that reads a clock: to measure durations, to begin a
//! new file of the commit log each hour, and to compare this clock with a database's.
//! Every time that is stored comes from the caller, or from the database.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

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

/// The time since 1970. A clock before 1970 counts as 1970.
#[expect(clippy::disallowed_methods, reason = "this is the clock")]
pub(crate) fn since_1970() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// Hours since 1970.
pub(crate) fn hour() -> u64 {
    since_1970().as_secs() / 3600
}
