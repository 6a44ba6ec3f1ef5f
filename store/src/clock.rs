//! The only place of this crate that looks at a clock, and only to measure:
//! the time of day always comes in as an argument.

use std::time::{Duration, Instant};

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
