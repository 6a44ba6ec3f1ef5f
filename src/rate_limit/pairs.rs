//! How many notes one address may send to one inbox: one stranger must not
//! fill it.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use annon_actors::bucket::{Bucket, Rate};
use annon_contract::limits::{NOTES_TO_ONE_PER_DAY, NOTES_TO_ONE_PER_HOUR};

use super::Digest;

/// How many pairs are remembered. Past that those are forgotten that have
/// sent nothing for a day, and if they are the fewer, all.
const REMEMBERED: usize = 100_000;

const HOURLY: Rate = rate(NOTES_TO_ONE_PER_HOUR, 60 * 60);
const DAILY: Rate = rate(NOTES_TO_ONE_PER_DAY, 24 * 60 * 60);

const fn rate(most: u32, seconds: u64) -> Rate {
    Rate { burst: most, refill: most, per: Duration::from_secs(seconds) }
}

/// What every pair of an address and an inbox has used.
#[derive(Default)]
pub(super) struct Pairs(HashMap<Digest, Used>);

#[derive(Clone, Copy)]
struct Used {
    hourly: Bucket,
    daily: Bucket,
}

impl Pairs {
    /// Counts a note, or tells how long to wait.
    pub(super) fn take(&mut self, pair: Digest, now: Instant) -> Result<(), Duration> {
        if self.0.len() >= REMEMBERED {
            self.0.retain(|_, used| !used.daily.is_unused(now));
            // Not for every note anew, when hardly a pair could be forgotten.
            if self.0.len() > REMEMBERED / 2 {
                self.0.clear();
            }
        }
        let nothing = Used { hourly: Bucket::new(now), daily: Bucket::new(now) };
        let used = self.0.entry(pair).or_insert(nothing);
        let mut after = *used;
        after.daily.take(DAILY, now)?;
        after.hourly.take(HOURLY, now)?;
        // One that is refused costs nothing.
        *used = after;
        Ok(())
    }

    pub(super) fn forget(&mut self) {
        self.0.clear();
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}
