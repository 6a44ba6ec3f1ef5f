//! Keys in memory. Another node may have destroyed a key, so each is kept for some
//! minutes only.

use std::collections::HashMap;
use std::time::Duration;

use crate::clock::Stopwatch;
use crate::postgres::keys::Named;
use crate::seals::SealKey;

/// How long a key is kept.
const KEPT: Duration = Duration::from_secs(10 * 60);
/// How many are kept.
const MOST: usize = 10_000;

pub(super) struct Cache {
    keys: HashMap<Named, (SealKey, Stopwatch)>,
    kept: Duration,
    most: usize,
}

impl Cache {
    pub(super) fn new() -> Self {
        Self { keys: HashMap::new(), kept: KEPT, most: MOST }
    }

    pub(super) fn find(&self, name: &Named) -> Option<SealKey> {
        let (key, since) = self.keys.get(name)?;
        (since.elapsed() < self.kept).then(|| key.clone())
    }

    pub(super) fn hold(&mut self, name: Named, key: SealKey) {
        if self.keys.len() >= self.most {
            let kept = self.kept;
            self.keys.retain(|_, (_, since)| since.elapsed() < kept);
        }
        // All of them were used lately. They are read again when they are needed.
        if self.keys.len() >= self.most {
            self.keys.clear();
        }
        self.keys.insert(name, (key, Stopwatch::start()));
    }

    pub(super) fn forget(&mut self, name: &Named) {
        self.keys.remove(name);
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::seals::keyring::Owner;

    fn key(n: u128) -> (Named, SealKey) {
        let key = SealKey::random(None).unwrap();
        ((Owner::Account(Uuid::from_u128(n)).into(), key.id), key)
    }

    #[test]
    fn a_key_is_found_until_it_is_destroyed_or_its_time_is_up() {
        let mut cache = Cache::new();
        let (name, one) = key(1);
        cache.hold(name, one.clone());
        assert_eq!(cache.find(&name), Some(one));
        assert_eq!(cache.find(&key(1).0), None, "another key of the same owner");
        cache.kept = Duration::ZERO;
        assert_eq!(cache.find(&name), None);
        cache.kept = KEPT;
        cache.forget(&name);
        assert_eq!(cache.find(&name), None);
    }

    #[test]
    fn there_are_never_more_than_so_many() {
        let mut cache = Cache { most: 3, ..Cache::new() };
        for n in 0..10 {
            let (name, one) = key(n);
            cache.hold(name, one);
            assert!(cache.keys.len() <= 3 && cache.find(&name).is_some());
        }
    }
}
