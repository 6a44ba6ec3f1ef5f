//! How often each of many does something.

use std::collections::HashMap;
use std::hash::Hash;
use std::time::{Duration, Instant};

use annon_actors::bucket::{Bucket, Rate};

/// Buckets by who is counted, as many as are remembered at once.
pub(crate) struct Buckets<K> {
    most: usize,
    pub(super) known: HashMap<K, Bucket>,
}

impl<K: Eq + Hash> Buckets<K> {
    /// No buckets yet. With more than `most`, the idle ones are forgotten; if
    /// most are in use, all.
    pub(crate) fn new(most: usize) -> Self {
        Self { most, known: HashMap::new() }
    }

    /// Forgets everybody.
    pub(crate) fn clear(&mut self) {
        self.known.clear();
    }

    /// Takes so many, or tells how long to wait.
    pub(crate) fn take(&mut self, who: K, rate: Rate, many: u32, now: Instant) -> Result<(), Duration> {
        if self.known.len() >= self.most {
            self.known.retain(|_, bucket| !bucket.is_unused(now));
            // Otherwise each call would search them all, and hardly find one to
            // forget.
            if self.known.len() > self.most / 2 {
                self.known.clear();
            }
        }
        self.known.entry(who).or_insert_with(|| Bucket::new(now)).take_many(rate, many, now)
    }

    /// Gives one back that was taken.
    pub(crate) fn give_back(&mut self, who: &K, rate: Rate) {
        if let Some(bucket) = self.known.get_mut(who) {
            bucket.give_back(rate);
        }
    }
}
