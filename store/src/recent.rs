//! What was read lately, in memory. Another node may have changed or destroyed it, so each is
//! kept for some minutes only.

use std::collections::HashMap;
use std::hash::Hash;
use std::time::Duration;

use crate::clock::Stopwatch;

/// How long each is kept.
const KEPT: Duration = Duration::from_secs(10 * 60);

pub(crate) struct Recent<K, V> {
    all: HashMap<K, (V, Stopwatch)>,
    kept: Duration,
    most: usize,
}

impl<K: Eq + Hash, V: Clone> Recent<K, V> {
    pub(crate) fn of_at_most(most: usize) -> Self {
        Self { all: HashMap::new(), kept: KEPT, most }
    }

    pub(crate) fn find(&self, name: &K) -> Option<V> {
        let (one, since) = self.all.get(name)?;
        (since.elapsed() < self.kept).then(|| one.clone())
    }

    pub(crate) fn hold(&mut self, name: K, one: V) {
        if self.all.len() >= self.most && !self.all.contains_key(&name) {
            self.forget_old();
            // All of them were used lately. They are read again when they are needed.
            if self.all.len() >= self.most {
                self.all.clear();
            }
        }
        self.all.insert(name, (one, Stopwatch::start()));
    }

    pub(crate) fn forget(&mut self, name: &K) {
        self.all.remove(name);
    }

    /// Forgets those whose time is up, so that what was deleted elsewhere doesn't stay here.
    pub(crate) fn forget_old(&mut self) {
        let kept = self.kept;
        self.all.retain(|_, (_, since)| since.elapsed() < kept);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_found_until_it_is_forgotten_or_its_time_is_up() {
        let mut recent = Recent::of_at_most(3);
        recent.hold("one", 1);
        assert_eq!((recent.find(&"one"), recent.find(&"another")), (Some(1), None));
        recent.forget_old();
        assert_eq!(recent.find(&"one"), Some(1), "it isn't old yet");
        recent.kept = Duration::ZERO;
        assert_eq!(recent.find(&"one"), None);
        recent.kept = KEPT;
        recent.forget(&"one");
        assert_eq!(recent.find(&"one"), None);
    }

    #[test]
    fn nothing_old_stays_in_memory() {
        let mut recent = Recent::of_at_most(3);
        recent.hold("one", 1);
        recent.kept = Duration::ZERO;
        recent.forget_old();
        assert!(recent.all.is_empty());
    }

    #[test]
    fn there_are_never_more_than_so_many() {
        let mut recent = Recent::of_at_most(3);
        for n in 0..10 {
            recent.hold(n, ());
            assert!(recent.all.len() <= 3 && recent.find(&n).is_some());
        }
        recent = Recent::of_at_most(3);
        [1, 2, 3, 3].into_iter().for_each(|n| recent.hold(n, ()));
        assert_eq!(recent.all.len(), 3, "one that is held again takes no room");
    }
}
