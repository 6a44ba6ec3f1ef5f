//! The clock: all other code gets the time as an input.

use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use annon_store::account::Timestamp;
use futures_util::future::{Either, select};

#[cfg(test)]
pub(crate) mod stopped;

/// Tells the time.
pub trait Clock: Send + Sync {
    /// The time since 1970, UTC.
    fn now(&self) -> Duration;

    /// Whole seconds since 1970, UTC.
    fn timestamp(&self) -> Timestamp {
        self.now().as_secs()
    }

    /// A time that never goes back, to measure durations with.
    fn moment(&self) -> Instant;

    /// Ends when `time` has passed.
    fn sleep(&self, time: Duration) -> Sleep {
        Box::pin(actix::clock::sleep(time))
    }
}

/// A future that ends after some time.
pub type Sleep = Pin<Box<dyn Future<Output = ()> + Send>>;

/// A clock with several owners.
pub type SharedClock = Arc<dyn Clock>;

/// The machine's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the clock")]
    fn now(&self) -> Duration {
        // A clock that is set before 1970 counts as 1970.
        SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default()
    }

    #[expect(clippy::disallowed_methods, reason = "this is the clock")]
    fn moment(&self) -> Instant {
        Instant::now()
    }
}

/// The result of `work`. `None` if it takes longer than `limit`.
pub async fn within<T>(clock: &SharedClock, limit: Duration, work: impl Future<Output = T>) -> Option<T> {
    match select(pin!(work), clock.sleep(limit)).await {
        Either::Left((done, _)) => Some(done),
        Either::Right(_) => None,
    }
}

/// A day, counted from 1970, UTC: `YYYY-MM-DD`.
pub fn date_of_day(day: u32) -> String {
    const DAY: u64 = 24 * 60 * 60;
    let mut date = date_and_time(u64::from(day) * DAY);
    date.truncate("YYYY-MM-DD".len());
    date
}

/// `YYYY-MM-DD HH:MM:SS`, UTC: a date and a time with a space between.
pub fn date_and_time(at: Timestamp) -> String {
    let at = i64::try_from(at).ok().and_then(|at| time::UtcDateTime::from_unix_timestamp(at).ok());
    let at = at.unwrap_or(time::UtcDateTime::UNIX_EPOCH);
    format!("{} {:02}:{:02}:{:02}", at.date(), at.hour(), at.minute(), at.second())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_utc_and_have_two_parts() {
        assert_eq!(date_and_time(0), "1970-01-01 00:00:00");
        assert_eq!(date_of_day(1), "1970-01-02");
        assert_eq!(date_and_time(951_782_399), "2000-02-28 23:59:59");
        assert_eq!(date_and_time(951_782_400), "2000-02-29 00:00:00");
        assert_eq!(date_and_time(u64::MAX), "1970-01-01 00:00:00");
    }
}
