//! Buckets for many keys, in bounded memory.

use std::collections::HashMap;
use std::hash::Hash;
use std::time::{Duration, Instant};

use annon_actors::bucket::{Bucket, Rate};

/// A bucket for each key that is counted, at most `most` of them.
pub(crate) struct Buckets<K> {
    most: usize,
    pub(super) known: HashMap<K, Bucket>,
}

impl<K: Eq + Hash> Buckets<K> {
    /// No buckets yet. When there are `most`, the unused ones are forgotten; if
    /// these are fewer than half, all are.
    pub(crate) fn new(most: usize) -> Self {
        Self { most, known: HashMap::new() }
    }

    pub(crate) fn clear(&mut self) {
        self.known.clear();
    }

    pub(crate) fn forget(&mut self, who: &K) {
        self.known.remove(who);
    }

    /// Takes `many` at once from a bucket, or tells how long to wait.
    pub(crate) fn take(&mut self, who: K, rate: Rate, many: u32, now: Instant) -> Result<(), Duration> {
        if self.known.len() >= self.most {
            self.known.retain(|_, bucket| !bucket.is_unused(now));
            // Otherwise each call would search all buckets and find hardly one
            // to forget.
            if self.known.len() > self.most / 2 {
                self.known.clear();
            }
        }
        self.known.entry(who).or_insert_with(|| Bucket::new(now)).take_many(rate, many, now)
    }

    /// Gives back one that was taken.
    pub(crate) fn give_back(&mut self, who: &K, rate: Rate) {
        if let Some(bucket) = self.known.get_mut(who) {
            bucket.give_back(rate);
        }
    }
}
