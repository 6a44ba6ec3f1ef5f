//! Numbers by chance, the same in each run with the same seed (SplitMix64).

use std::cell::Cell;
use std::time::Duration;

pub(super) struct Chance(Cell<u64>);

impl Chance {
    pub(super) fn new(seed: u64) -> Self {
        Self(Cell::new(seed))
    }

    fn next(&self) -> u64 {
        self.0.set(self.0.get().wrapping_add(0x9e37_79b9_7f4a_7c15));
        let mut mixed = self.0.get();
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to, and without, `end`.
    pub(super) fn below(&self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    pub(super) fn between(&self, least: Duration, most: Duration) -> Duration {
        let share = self.below(1001) as f64 / 1000.0;
        least + (most - least).mul_f64(share)
    }

    pub(super) fn shuffle<T>(&self, things: &mut [T]) {
        for end in (1..things.len()).rev() {
            things.swap(end, self.below(end + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_numbers_again_and_all_of_them() {
        let drawn = |seed| {
            let chance = Chance::new(seed);
            let mut things: Vec<usize> = (0..100).collect();
            chance.shuffle(&mut things);
            (things, chance.below(1000), chance.between(Duration::from_secs(3), Duration::from_secs(20)))
        };
        assert_eq!(drawn(1), drawn(1));
        assert_ne!(drawn(1), drawn(2));
        let (mut things, _, between) = drawn(3);
        things.sort_unstable();
        assert!(things.iter().copied().eq(0..100) && (3..=20).contains(&between.as_secs()));
    }
}
