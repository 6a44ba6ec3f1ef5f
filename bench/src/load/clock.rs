//! The clock for all measurements, and a timer as exact as the clock.

use std::io;
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant, SystemTime};

use rustix::time::{
    Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, timerfd_create, timerfd_settime,
};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

#[expect(clippy::disallowed_methods, reason = "this is the clock")]
pub(crate) fn now() -> Instant {
    Instant::now()
}

/// The time since 1970, UTC.
#[expect(clippy::disallowed_methods, reason = "this is the clock")]
pub(crate) fn since_1970() -> Duration {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default()
}

/// A timer that is exact to some microseconds. The runtime's own timer is exact to milliseconds,
/// and the difference would be reported as the server's latency.
pub(crate) struct Timer(AsyncFd<OwnedFd>);

impl Timer {
    #[expect(deprecated, reason = "what replaces it is unsafe, and an OwnedFd stays open as long as it has to")]
    pub(crate) fn new() -> io::Result<Self> {
        let timer = timerfd_create(TimerfdClockId::Monotonic, TimerfdFlags::NONBLOCK | TimerfdFlags::CLOEXEC)?;
        Ok(Self(AsyncFd::with_interest(timer, Interest::READABLE)?))
    }

    /// Waits until `moment`. The future can be dropped before.
    pub(crate) async fn until(&self, moment: Instant) -> io::Result<()> {
        let left = moment.saturating_duration_since(now());
        if left.is_zero() {
            return Ok(());
        }
        let once = Itimerspec { it_interval: timespec(Duration::ZERO), it_value: timespec(left) };
        timerfd_settime(&self.0, TimerfdTimerFlags::empty(), &once)?;
        loop {
            let mut ready = self.0.readable().await?;
            if let Ok(read) = ready.try_io(|timer| Ok(rustix::io::read(timer, &mut [0; 8])?)) {
                return read.map(drop);
            }
        }
    }
}

fn timespec(time: Duration) -> Timespec {
    Timespec { tv_sec: time.as_secs().cast_signed(), tv_nsec: time.subsec_nanos().into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_wait_ends_when_it_should_and_not_at_the_next_millisecond() {
        let timer = Timer::new().unwrap();
        let mut least = Duration::MAX;
        for n in 0..41 {
            // A timer that rounds up to milliseconds would be late by 0.4 ms or more each time.
            let until = now() + Duration::from_micros(1150 + 10 * n);
            timer.until(until).await.unwrap();
            assert!(now() >= until);
            least = least.min(until.elapsed());
        }
        assert!(least < Duration::from_micros(400), "{least:?}");
    }
}
