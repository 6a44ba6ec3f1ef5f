//! What is known in memory to have happened in a day or a month, so that nobody asks again.

use std::collections::HashSet;
use std::hash::Hash;

use parking_lot::Mutex;

/// The most that is known of one period.
const MOST: usize = 100_000;

/// What has happened in the last period of which something was noted. What came before is forgotten with it.
pub(crate) struct KnownIn<T>(Mutex<(u32, HashSet<T>)>);

impl<T> Default for KnownIn<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T: Hash + Eq> KnownIn<T> {
    pub(crate) fn knows(&self, period: u32, what: &T) -> bool {
        let known = self.0.lock();
        known.0 == period && known.1.contains(what)
    }

    pub(crate) fn know(&self, period: u32, what: T) {
        let mut known = self.0.lock();
        if known.0 != period || known.1.len() >= MOST {
            *known = (period, HashSet::new());
        }
        known.1.insert(what);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_of_a_period_is_forgotten_with_it() {
        let known = KnownIn::default();
        assert!(!known.knows(5, &"one"));
        known.know(5, "one");
        assert!(known.knows(5, &"one") && !known.knows(5, &"two") && !known.knows(6, &"one"));
        known.know(6, "two");
        assert!(!known.knows(5, &"one") && !known.knows(6, &"one"));
    }
}
