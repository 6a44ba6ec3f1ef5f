//! How many notes the owner of an inbox was shown in the last minutes. The shield goes by it, and
//! everybody sees whether a shield is up: so nothing else may be counted.
//!
//! A note that is held back counts as one that is shown, and at the same moment: its owner sees it
//! among those that are held back, and its sender must not learn of it. What waits for its batch
//! counts when the batch is delivered. What is dropped never counts, since nobody may learn that
//! somebody who is blocked still writes.

use annon_contract::limits::FLOOD_PER;
use serde::{Deserialize, Serialize};

use crate::account::Timestamp;

/// The periods that are added up: the one that isn't over yet, and `FLOOD_PER` before it.
const PERIODS: usize = 3;
const PERIOD: u64 = FLOOD_PER.as_secs() / (PERIODS as u64 - 1);

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Shown {
    /// The newest period in which notes were counted.
    period: u32,
    /// How many were shown in that period, and in those before it.
    counts: [u32; PERIODS],
    /// How many are shown with the next batch.
    waiting: u32,
}

fn period_of(at: Timestamp) -> u32 {
    u32::try_from(at / PERIOD).unwrap_or(u32::MAX)
}

impl Shown {
    /// Counts notes that are shown at a time. If the clock was set back, they count for the newest
    /// period.
    pub(crate) fn add(&mut self, at: Timestamp, notes: u32) {
        let passed = period_of(at).saturating_sub(self.period) as usize;
        if passed > 0 {
            self.period = period_of(at);
            let kept = PERIODS.saturating_sub(passed);
            self.counts.copy_within(..kept, PERIODS - kept);
            self.counts[..PERIODS - kept].fill(0);
        }
        self.counts[0] = self.counts[0].saturating_add(notes);
    }

    /// One more is shown with the next batch.
    pub(crate) fn waits(&mut self) {
        self.waiting = self.waiting.saturating_add(1);
    }

    /// The batch is shown.
    pub(crate) fn let_go(&mut self, at: Timestamp) {
        let waiting = std::mem::take(&mut self.waiting);
        self.add(at, waiting);
    }

    /// The batch was deleted before it was shown.
    pub(crate) fn forget_batch(&mut self) {
        self.waiting = 0;
    }

    /// How many were shown in the last `FLOOD_PER`, or in a few minutes more.
    pub(crate) fn lately(&self, now: Timestamp) -> u32 {
        let passed = period_of(now).saturating_sub(self.period) as usize;
        let counts = &self.counts[..PERIODS.saturating_sub(passed)];
        counts.iter().fold(0, |sum, count| sum.saturating_add(*count))
    }
}

#[cfg(test)]
mod tests {
    use annon_contract::limits::{FLOOD_NOTES, NOTES_TO_ONE_PER_HOUR};

    use super::*;

    /// The beginning of a period.
    const AT: Timestamp = 1_000_000 * PERIOD;

    #[test]
    fn what_was_shown_counts_for_ten_minutes_at_least() {
        let mut shown = Shown::default();
        shown.add(AT, 3);
        shown.add(AT + PERIOD - 1, 4);
        shown.add(AT + PERIOD, 5);
        let lately = |passed: u64| shown.lately(AT + passed);
        assert_eq!([0, PERIOD, 2 * PERIOD, 3 * PERIOD - 1].map(lately), [12; 4]);
        assert_eq!([3 * PERIOD, 4 * PERIOD - 1, 4 * PERIOD, u64::MAX - AT].map(lately), [5, 5, 0, 0]);
        shown.add(AT + 3 * PERIOD, 1);
        assert_eq!(shown.lately(AT + 3 * PERIOD), 6);
        shown.add(AT + 30 * PERIOD, 2);
        assert_eq!(shown.lately(AT + 30 * PERIOD), 2);
    }

    #[test]
    fn a_clock_that_is_set_back_or_far_ahead_breaks_nothing() {
        let mut shown = Shown::default();
        shown.add(u64::MAX, 3);
        shown.add(AT, 4);
        assert_eq!((shown.lately(AT), shown.lately(u64::MAX)), (7, 7));
        shown.add(u64::MAX, u32::MAX);
        assert_eq!(shown.lately(u64::MAX), u32::MAX);
    }

    #[test]
    fn a_batch_counts_when_it_is_shown_and_not_if_it_was_deleted() {
        let mut shown = Shown::default();
        shown.waits();
        shown.waits();
        assert_eq!(shown.lately(AT), 0);
        shown.let_go(AT);
        shown.let_go(AT);
        assert_eq!(shown.lately(AT), 2);
        shown.waits();
        shown.forget_batch();
        shown.let_go(AT);
        assert_eq!(shown.lately(AT), 2);
    }

    #[test]
    fn one_address_can_not_raise_a_shield() {
        let sent = u64::from(NOTES_TO_ONE_PER_HOUR) + u64::from(NOTES_TO_ONE_PER_HOUR) * PERIOD * PERIODS as u64 / 3600;
        assert!(sent <= u64::from(FLOOD_NOTES), "{sent} at most, as long as they count");
    }
}
