//! The only place of this crate that looks at a clock: to measure, and to
//! begin a file of the tape with each hour. What is kept gets its time as an
//! argument.

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

/// Hours since 1970. A clock that says less says 1970.
#[expect(clippy::disallowed_methods, reason = "this is the clock")]
pub(crate) fn hour() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs() / 3600
}
