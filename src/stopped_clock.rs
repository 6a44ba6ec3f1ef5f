//! A clock for tests: it stands still until the test lets time pass.

use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::rt;
use annon_actors::clock::{Clock, Sleep, SystemClock};
use parking_lot::Mutex;

pub(crate) struct StoppedClock(Instant, Arc<Mutex<Duration>>);

impl StoppedClock {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self(SystemClock.moment(), Arc::default()))
    }

    pub(crate) fn pass(&self, time: Duration) {
        *self.1.lock() += time;
    }
}

impl Clock for StoppedClock {
    fn now(&self) -> Duration {
        *self.1.lock()
    }

    fn moment(&self) -> Instant {
        self.0 + self.now()
    }

    fn sleep(&self, time: Duration) -> Sleep {
        let (passed, until) = (self.1.clone(), self.now() + time);
        Box::pin(async move {
            while *passed.lock() < until {
                rt::time::sleep(Duration::from_millis(1)).await;
            }
        })
    }
}
