//! A clock for tests: it stands still until the test lets time pass.

use std::collections::BTreeMap;
use std::future::poll_fn;
use std::sync::{Arc, Mutex};
use std::task::{Poll, Waker};
use std::time::{Duration, Instant};

use crate::clock::{Clock, Sleep};

/// A Friday in 2026.
const BEGIN: Duration = Duration::from_secs(1_795_000_000);

pub(crate) struct TestClock {
    begun: Instant,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    passed: Duration,
    /// How far the time of day was set forward and back.
    stepped: Duration,
    stepped_back: Duration,
    /// The sleeping tasks, by the time at which they wake and the order in
    /// which they came, so that a test runs the same way each time.
    sleepers: BTreeMap<(Duration, usize), Waker>,
    slept: usize,
}

impl TestClock {
    #[expect(clippy::disallowed_methods, reason = "some moment to count from")]
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self { begun: Instant::now(), state: Arc::default() })
    }

    /// Sets the time of day forward. No sleeping task wakes from that.
    pub(crate) fn step(&self, forward: Duration) {
        self.state.lock().unwrap().stepped += forward;
    }

    /// Sets the time of day back.
    pub(crate) fn step_back(&self, back: Duration) {
        self.state.lock().unwrap().stepped_back += back;
    }

    /// Lets time pass: each sleeping task wakes when it is due, and finishes
    /// its work before the next task wakes.
    pub(crate) async fn pass(&self, time: Duration) {
        let end = self.state.lock().unwrap().passed + time;
        loop {
            run_until_idle().await;
            let mut state = self.state.lock().unwrap();
            let Some(next) = state.sleepers.first_entry().filter(|next| next.key().0 <= end) else { break };
            let ((due, _), waker) = next.remove_entry();
            state.passed = due;
            waker.wake();
        }
        self.state.lock().unwrap().passed = end;
        run_until_idle().await;
    }
}

impl Clock for TestClock {
    fn now(&self) -> Duration {
        let state = self.state.lock().unwrap();
        BEGIN + state.stepped + state.passed - state.stepped_back
    }

    fn moment(&self) -> Instant {
        self.begun + self.state.lock().unwrap().passed
    }

    fn sleep(&self, time: Duration) -> Sleep {
        let shared = self.state.clone();
        let mut state = self.state.lock().unwrap();
        state.slept += 1;
        let (until, order) = (state.passed + time, state.slept);
        Box::pin(poll_fn(move |context| {
            let mut state = shared.lock().unwrap();
            if state.passed >= until {
                return Poll::Ready(());
            }
            state.sleepers.insert((until, order), context.waker().clone());
            Poll::Pending
        }))
    }
}

/// Lets the tasks of this thread run until none has work. No task here waits
/// for anything outside, so that comes to an end.
pub(crate) async fn run_until_idle() {
    for _ in 0..40 {
        tokio::task::yield_now().await;
    }
}
