//! Web push: tells people's browsers that there is something, while no page of theirs is open. A push service learns
//! that a device is told something at some time; what, only the browser can read, and it is no word of anybody.

use std::time::Duration;

use annon_contract::limits::{PUSH_DELAY_MAX, PUSH_EVERY};

mod client;
pub mod message;
mod sender;
pub mod service;
mod vapid;
mod waiting;

pub use sender::Pusher;

/// How fast all goes.
#[derive(Debug, Clone, Copy)]
struct Pace {
    delay_max: Duration,
    every: Duration,
    /// Waits before each try.
    tries_after: [Duration; 4],
    /// The longest that a service may ask to wait.
    wait_max: Duration,
    /// How long all of a try may take.
    answer_within: Duration,
}

impl Pace {
    const USUAL: Self = Self {
        delay_max: PUSH_DELAY_MAX,
        every: PUSH_EVERY,
        tries_after: [
            Duration::ZERO,
            Duration::from_secs(30),
            Duration::from_secs(2 * 60),
            Duration::from_secs(10 * 60),
        ],
        wait_max: Duration::from_secs(15 * 60),
        answer_within: Duration::from_secs(20),
    };
    /// Nobody waits for a random time in tests, nor for a service that is of the tests.
    const OF_TESTS: Self = Self {
        delay_max: Duration::from_millis(50),
        every: Duration::from_millis(200),
        tries_after: [Duration::ZERO, Duration::from_millis(20), Duration::from_millis(20), Duration::from_millis(20)],
        wait_max: Duration::from_secs(15 * 60),
        answer_within: Duration::from_secs(8),
    };
}
