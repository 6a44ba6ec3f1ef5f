//! The record of an inbox: how many notes it has, the next place, and the batch
//! that waits. Every engine uses this code.
//!
//! No job has to run when a batch is due: each call compares the batch with the
//! time that it is given.

use annon_contract::limits::{BATCH, INBOX_NOTES};

use crate::account::Timestamp;
use crate::error::{Result, StoreError};
use crate::inbox::{next_delivery, to_the_minute};
use crate::shapes::inbox::{InboxRecord, Waiting};

impl Waiting {
    /// Whether the batch is due. If the clock was set back by more than the time
    /// of one batch, it is due at once.
    fn is_due(self, now: Timestamp) -> bool {
        now >= self.until || self.until - now > BATCH.as_secs()
    }
}

/// The place of a note that arrives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoteSlot {
    pub place: u64,
    pub date: Timestamp,
    pub waits: bool,
}

impl InboxRecord {
    /// Counts a note that arrives, and returns its place.
    pub fn admit(&mut self, now: Timestamp) -> Result<NoteSlot> {
        if self.total >= INBOX_NOTES {
            return Err(StoreError::Full);
        }
        self.total += 1;
        self.settle(now);
        if !self.in_batches {
            self.last += 1;
            self.unread += 1;
            return Ok(NoteSlot { place: self.last, date: to_the_minute(now), waits: false });
        }
        let waiting = match self.waiting {
            Some(waiting) => waiting,
            None => {
                self.last += 1;
                Waiting { until: next_delivery(now), notes: 0 }
            }
        };
        self.waiting = Some(Waiting { notes: waiting.notes + 1, ..waiting });
        Ok(NoteSlot { place: self.last, date: waiting.until, waits: true })
    }

    /// Delivers the batch that waits, if it is due.
    pub fn settle(&mut self, now: Timestamp) {
        if self.waiting.is_some_and(|waiting| waiting.is_due(now)) {
            self.let_go();
        }
    }

    /// Delivers the batch that waits, due or not.
    fn let_go(&mut self) {
        self.unread += self.waiting.take().map_or(0, |waiting| waiting.notes);
    }

    /// Switches batches on or off. Off delivers the batch that waits.
    pub fn set_batches(&mut self, in_batches: bool, now: Timestamp) {
        self.settle(now);
        self.in_batches = in_batches;
        if !in_batches {
            self.let_go();
        }
    }

    /// A note that was unread is seen now.
    pub fn note_seen(&mut self) {
        invariant!(self.unread > 0, "an unread note is counted");
        self.unread = self.unread.saturating_sub(1);
    }

    /// A note is removed.
    pub fn note_removed(&mut self, was_seen: bool) {
        invariant!(self.total > 0 && (was_seen || self.unread > 0), "a note is counted");
        self.total = self.total.saturating_sub(1);
        self.unread = self.unread.saturating_sub(u32::from(!was_seen));
    }

    /// Forgets every note. Their places are not used again.
    pub fn clear(&mut self) {
        (self.total, self.unread, self.waiting) = (0, 0, None);
        self.cleared = self.last;
    }

    /// The lowest place whose notes are hidden. `settle` comes first.
    pub fn hidden_from(&self) -> u64 {
        if self.waiting.is_some() { self.last } else { self.last + 1 }
    }

    /// Whether the notes of a place are shown. `settle` comes first.
    pub fn shows(&self, place: u64) -> bool {
        place < self.hidden_from()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUARTER: Timestamp = 900;
    /// The beginning of a quarter of an hour.
    const AT: Timestamp = 1_000 * QUARTER;

    fn in_batches() -> InboxRecord {
        InboxRecord { in_batches: true, ..InboxRecord::default() }
    }

    /// How many notes are unread, and the first hidden place, at this time.
    fn seen_at(inbox: &InboxRecord, now: Timestamp) -> (u32, u64) {
        let mut inbox = *inbox;
        inbox.settle(now);
        (inbox.unread, inbox.hidden_from())
    }

    #[test]
    fn a_clock_that_is_set_back_keeps_no_batch_for_long() {
        let mut inbox = in_batches();
        inbox.admit(AT + 10).unwrap();
        assert_eq!(seen_at(&inbox, AT - 100), (1, 2), "it would have been a quarter and more");
        assert_eq!(seen_at(&inbox, AT), (0, 1));
        assert_eq!(inbox.admit(AT - QUARTER), Ok(NoteSlot { place: 2, date: AT, waits: true }));
        assert_eq!(seen_at(&inbox, AT - QUARTER), (1, 2));
    }

    #[test]
    fn switching_off_shows_what_waits_and_switching_on_hides_nothing() {
        let mut inbox = InboxRecord::default();
        inbox.admit(AT).unwrap();
        inbox.set_batches(true, AT + 1);
        assert_eq!(seen_at(&inbox, AT + 1), (1, 2));
        inbox.admit(AT + 2).unwrap();
        inbox.set_batches(true, AT + 3);
        assert_eq!(seen_at(&inbox, AT + 3), (1, 2), "once more changes nothing");
        inbox.set_batches(false, AT + 4);
        assert_eq!(seen_at(&inbox, AT + 4), (2, 3));
        assert_eq!(inbox.admit(AT + 5).unwrap().place, 3);
        inbox.set_batches(true, AT + 6);
        assert_eq!(inbox.admit(AT + 7).unwrap().place, 4, "a batch of its own, in the same quarter");
    }
}
