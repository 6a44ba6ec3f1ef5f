//! A clock that stands still until somebody lets time pass.

use std::future::poll_fn;
use std::sync::{Arc, Mutex, Weak};
use std::task::{Poll, Waker};
use std::time::{Duration, Instant};

use crate::clock::{Clock, Sleep};

/// A Friday in 2026.
const BEGIN: Duration = Duration::from_secs(1_795_000_000);

pub(crate) struct TestClock {
    begun: Instant,
    passed: Arc<Mutex<Duration>>,
    /// How far the time of day was set forward.
    stepped: Mutex<Duration>,
    sleepers: Mutex<Vec<Weak<Sleeper>>>,
}

struct Sleeper {
    until: Duration,
    waker: Mutex<Option<Waker>>,
}

impl TestClock {
    #[expect(clippy::disallowed_methods, reason = "some moment to count from")]
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self {
            begun: Instant::now(),
            passed: Arc::default(),
            stepped: Mutex::default(),
            sleepers: Mutex::default(),
        })
    }

    /// Sets the time of day forward. Nobody who sleeps wakes from that.
    pub(crate) fn step(&self, forward: Duration) {
        *self.stepped.lock().unwrap() += forward;
    }

    /// Lets time pass: each sleeping task wakes when it is due, and finishes its
    /// work before the next one wakes.
    pub(crate) async fn pass(&self, time: Duration) {
        let end = *self.passed.lock().unwrap() + time;
        loop {
            settle().await;
            let next = self.sleepers().iter().map(|sleeper| sleeper.until).min();
            match next.filter(|next| *next <= end) {
                Some(next) => self.wake(next),
                None => break,
            }
        }
        self.wake(end);
        settle().await;
    }

    /// Those who are not awake yet.
    fn sleepers(&self) -> Vec<Arc<Sleeper>> {
        let passed = *self.passed.lock().unwrap();
        let mut sleepers = self.sleepers.lock().unwrap();
        sleepers.retain(|sleeper| sleeper.upgrade().is_some_and(|sleeper| sleeper.until > passed));
        sleepers.iter().filter_map(Weak::upgrade).collect()
    }

    fn wake(&self, at: Duration) {
        let sleepers = self.sleepers();
        *self.passed.lock().unwrap() = at;
        for sleeper in sleepers.iter().filter(|sleeper| sleeper.until <= at) {
            if let Some(waker) = sleeper.waker.lock().unwrap().take() {
                waker.wake();
            }
        }
    }
}

impl Clock for TestClock {
    fn now(&self) -> Duration {
        BEGIN + *self.stepped.lock().unwrap() + *self.passed.lock().unwrap()
    }

    fn moment(&self) -> Instant {
        self.begun + *self.passed.lock().unwrap()
    }

    fn sleep(&self, time: Duration) -> Sleep {
        let until = *self.passed.lock().unwrap() + time;
        let sleeper = Arc::new(Sleeper { until, waker: Mutex::default() });
        self.sleepers.lock().unwrap().push(Arc::downgrade(&sleeper));
        let passed = self.passed.clone();
        Box::pin(poll_fn(move |context| {
            if *passed.lock().unwrap() >= sleeper.until {
                return Poll::Ready(());
            }
            *sleeper.waker.lock().unwrap() = Some(context.waker().clone());
            Poll::Pending
        }))
    }
}

/// Lets everybody on this thread do what there is to do. Nothing here waits
/// for anything outside, so that comes to an end.
pub(crate) async fn settle() {
    for _ in 0..40 {
        tokio::task::yield_now().await;
    }
}
