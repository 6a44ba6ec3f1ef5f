//! A clock that stands still until somebody lets time pass.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::sync::watch;

use crate::clock::{Clock, Sleep};

/// A Friday in 2026.
const BEGIN: Duration = Duration::from_secs(1_795_000_000);

pub(crate) struct TestClock {
    begun: Instant,
    passed: watch::Sender<Duration>,
    /// How far the time of day was set forward.
    stepped: Mutex<Duration>,
    /// When somebody wakes.
    due: Mutex<BTreeSet<Duration>>,
}

impl TestClock {
    #[expect(clippy::disallowed_methods, reason = "some moment to count from")]
    pub(crate) fn new() -> Arc<Self> {
        let passed = watch::Sender::default();
        Arc::new(Self { begun: Instant::now(), passed, stepped: Mutex::default(), due: Mutex::default() })
    }

    /// Sets the time of day forward. Nobody who sleeps wakes from that.
    pub(crate) fn step(&self, forward: Duration) {
        *self.stepped.lock().unwrap() += forward;
    }

    /// Lets time pass: each sleeping task wakes when it is due, and finishes its
    /// work before the next one wakes.
    pub(crate) async fn pass(&self, time: Duration) {
        let end = *self.passed.borrow() + time;
        loop {
            settle().await;
            let mut due = self.due.lock().unwrap();
            let Some(next) = due.first().copied().filter(|next| *next <= end) else { break };
            due.remove(&next);
            self.passed.send_replace(next);
        }
        self.passed.send_replace(end);
        settle().await;
    }
}

impl Clock for TestClock {
    fn now(&self) -> Duration {
        BEGIN + *self.stepped.lock().unwrap() + *self.passed.borrow()
    }

    fn moment(&self) -> Instant {
        self.begun + *self.passed.borrow()
    }

    fn sleep(&self, time: Duration) -> Sleep {
        let until = *self.passed.borrow() + time;
        self.due.lock().unwrap().insert(until);
        let mut passed = self.passed.subscribe();
        Box::pin(async move {
            let _ = passed.wait_for(|passed| *passed >= until).await;
        })
    }
}

/// Lets everybody on this thread do what there is to do. Nothing here waits
/// for anything outside, so that comes to an end.
pub(crate) async fn settle() {
    for _ in 0..40 {
        tokio::task::yield_now().await;
    }
}
