//! A token bucket: a burst at once, then a number of uses in each period.

use std::time::{Duration, Instant};

/// How many uses are allowed in which time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
    /// Uses that are allowed at once after a quiet time.
    pub burst: u32,
    /// Uses that are allowed in each `per` after that.
    pub refill: u32,
    /// The time in which `refill` uses come back.
    pub per: Duration,
}

impl Rate {
    /// The time until one more use is allowed, if all are used up.
    fn interval(self) -> Duration {
        self.per / self.refill.max(1)
    }
}

/// How much of a [`Rate`] a client has used. It is stored as one time, when the
/// bucket will be full again, so that it fits in a map of thousands.
#[derive(Debug, Clone, Copy)]
pub struct Bucket {
    unused_at: Instant,
}

impl Bucket {
    pub fn new(now: Instant) -> Self {
        Self { unused_at: now }
    }

    /// Takes one use. The error is the time until one is free.
    pub fn take(&mut self, rate: Rate, now: Instant) -> Result<(), Duration> {
        self.take_many(rate, 1, now)
    }

    /// Takes `many` uses, or none: the error is the time until they are free.
    pub fn take_many(&mut self, rate: Rate, many: u32, now: Instant) -> Result<(), Duration> {
        let start = self.unused_at.max(now);
        let used_up = rate.interval() * rate.burst.max(1);
        let after = start + rate.interval() * many;
        match after.duration_since(now).checked_sub(used_up) {
            Some(wait) if !wait.is_zero() => Err(wait),
            _ => {
                self.unused_at = after;
                Ok(())
            }
        }
    }

    /// Gives back one use that does not count after all.
    pub fn give_back(&mut self, rate: Rate) {
        self.unused_at = self.unused_at.checked_sub(rate.interval()).unwrap_or(self.unused_at);
    }

    /// Whether the bucket is full again, so that it can be forgotten.
    pub fn is_unused(&self, now: Instant) -> bool {
        self.unused_at <= now
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::{Clock, SystemClock};

    const RATE: Rate = Rate { burst: 3, refill: 10, per: Duration::from_secs(1) };

    #[test]
    fn a_burst_is_allowed_and_then_one_per_interval() {
        let start = SystemClock.moment();
        let mut bucket = Bucket::new(start);
        let at = |millis| start + Duration::from_millis(millis);
        assert_eq!([(); 3].map(|()| bucket.take(RATE, at(0))), [Ok(()); 3]);
        bucket.give_back(RATE);
        assert_eq!(bucket.take(RATE, at(0)), Ok(()), "the one that was given back");
        assert_eq!(bucket.take(RATE, at(0)), Err(Duration::from_millis(100)));
        assert_eq!(bucket.take(RATE, at(60)), Err(Duration::from_millis(40)));
        assert_eq!(bucket.take(RATE, at(100)), Ok(()));
        assert_eq!(bucket.take(RATE, at(100)), Err(Duration::from_millis(100)));
        assert!(!bucket.is_unused(at(399)));
        assert!(bucket.is_unused(at(400)));
        assert_eq!([(); 3].map(|()| bucket.take(RATE, at(5_000))), [Ok(()); 3]);
        assert!(bucket.take(RATE, at(5_000)).is_err(), "quiet time does not add up beyond the burst");
    }

    #[test]
    fn many_are_taken_together_or_not_at_all() {
        let start = SystemClock.moment();
        let mut bucket = Bucket::new(start);
        assert_eq!(bucket.take_many(RATE, 2, start), Ok(()));
        assert_eq!(bucket.take_many(RATE, 2, start), Err(Duration::from_millis(100)));
        assert_eq!(bucket.take(RATE, start), Ok(()), "the one that is left");
        assert!(bucket.take_many(RATE, 4, start + Duration::from_secs(60)).is_err(), "more than there ever are");
    }
}
