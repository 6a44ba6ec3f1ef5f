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
use crate::shield::Fate;

impl Waiting {
    /// Whether the batch is due. If the clock was set back by more than the time
    /// of one batch, it is due at once.
    fn is_due(self, now: Timestamp) -> bool {
        now >= self.until || self.until - now > BATCH.as_secs()
    }
}

/// The place of a note that arrives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NoteSlot {
    pub place: u64,
    pub date: Timestamp,
    pub waits: bool,
}

impl InboxRecord {
    /// Counts a note that arrives, by what becomes of it, and returns its place. The record has the
    /// same length whatever becomes of the note.
    pub(crate) fn admit(&mut self, now: Timestamp, fate: Fate) -> Result<NoteSlot> {
        self.settle(now);
        let waiting = self.waiting.map_or(0, |waiting| waiting.notes);
        // What waits takes no place of those that are shown: whoever fills an inbox to the last
        // place would learn of it.
        if self.total - waiting >= INBOX_NOTES || waiting >= INBOX_NOTES {
            return Err(StoreError::Full);
        }
        let is_delivered = fate.is_delivered();
        // What is released was counted when it was held back.
        let is_new = matches!(fate, Fate::Delivered | Fate::Held);
        self.turn = !self.turn;
        self.total += u32::from(is_delivered);
        if !self.in_batches {
            self.last += u64::from(is_delivered);
            self.unread += u32::from(is_delivered);
            self.shown.add(now, u32::from(is_new));
            return Ok(NoteSlot { place: self.last, date: to_the_minute(now), waits: false });
        }
        let waiting = match self.waiting {
            Some(waiting) => waiting,
            None => {
                self.last += 1;
                Waiting { until: next_delivery(now), notes: 0 }
            }
        };
        self.waiting = Some(Waiting { notes: waiting.notes + u32::from(is_delivered), ..waiting });
        if is_new {
            self.shown.waits();
        }
        Ok(NoteSlot { place: self.last, date: waiting.until, waits: true })
    }

    /// How many notes the owner was shown in the last minutes, those that are held back included.
    pub(crate) fn shown_lately(&self, now: Timestamp) -> u32 {
        let mut settled = *self;
        settled.settle(now);
        settled.shown.lately(now)
    }

    /// Delivers the batch that waits, if it is due.
    pub(crate) fn settle(&mut self, now: Timestamp) {
        if let Some(waiting) = self.waiting.filter(|waiting| waiting.is_due(now)) {
            self.let_go(waiting.until.min(now));
        }
    }

    /// Delivers the batch that waits, due or not.
    fn let_go(&mut self, at: Timestamp) {
        self.unread += self.waiting.take().map_or(0, |waiting| waiting.notes);
        self.shown.let_go(at);
    }

    /// Switches batches on or off. Off delivers the batch that waits.
    pub(crate) fn set_batches(&mut self, in_batches: bool, now: Timestamp) {
        self.settle(now);
        self.in_batches = in_batches;
        if !in_batches {
            self.let_go(now);
        }
    }

    /// A note that was unread is seen now.
    pub(crate) fn note_seen(&mut self) {
        invariant!(self.unread > 0, "an unread note is counted");
        self.unread = self.unread.saturating_sub(1);
    }

    /// An unread note is archived, where it counts as read, or is taken out of there.
    pub(crate) fn unread_archived(&mut self, archived: bool) {
        if archived { self.note_seen() } else { self.unread = self.unread.saturating_add(1) }
    }

    /// A note is removed.
    pub(crate) fn note_removed(&mut self, was_seen: bool) {
        invariant!(self.total > 0 && (was_seen || self.unread > 0), "a note is counted");
        self.total = self.total.saturating_sub(1);
        self.unread = self.unread.saturating_sub(u32::from(!was_seen));
    }

    /// Forgets every note. Their places are not used again.
    pub(crate) fn clear(&mut self) {
        (self.total, self.unread, self.waiting) = (0, 0, None);
        self.cleared = self.last;
        self.shown.forget_batch();
    }

    /// The lowest place whose notes are hidden. `settle` comes first.
    pub(crate) fn hidden_from(&self) -> u64 {
        if self.waiting.is_some() { self.last } else { self.last + 1 }
    }

    /// Whether the notes of a place are shown. `settle` comes first. Those that were there when the inbox was emptied are
    /// not, also where somebody has their key in memory still.
    pub(crate) fn shows(&self, place: u64) -> bool {
        self.cleared < place && place < self.hidden_from()
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
        inbox.admit(AT + 10, Fate::Delivered).unwrap();
        assert_eq!(seen_at(&inbox, AT - 100), (1, 2), "it would have been a quarter and more");
        assert_eq!(seen_at(&inbox, AT), (0, 1));
        assert_eq!(inbox.admit(AT - QUARTER, Fate::Delivered), Ok(NoteSlot { place: 2, date: AT, waits: true }));
        assert_eq!(seen_at(&inbox, AT - QUARTER), (1, 2));
    }

    #[test]
    fn switching_off_shows_what_waits_and_switching_on_hides_nothing() {
        let mut inbox = InboxRecord::default();
        inbox.admit(AT, Fate::Delivered).unwrap();
        inbox.set_batches(true, AT + 1);
        assert_eq!(seen_at(&inbox, AT + 1), (1, 2));
        inbox.admit(AT + 2, Fate::Delivered).unwrap();
        inbox.set_batches(true, AT + 3);
        assert_eq!(seen_at(&inbox, AT + 3), (1, 2), "once more changes nothing");
        inbox.set_batches(false, AT + 4);
        assert_eq!(seen_at(&inbox, AT + 4), (2, 3));
        assert_eq!(inbox.admit(AT + 5, Fate::Delivered).unwrap().place, 3);
        inbox.set_batches(true, AT + 6);
        assert_eq!(inbox.admit(AT + 7, Fate::Delivered).unwrap().place, 4, "a batch of its own, in the same quarter");
    }

    /// What becomes of a note that comes when so many are there, and what its inbox counts then.
    fn with_one_more(inbox: InboxRecord, fate: Fate) -> (Result<NoteSlot>, u32, u32, u32) {
        let mut inbox = inbox;
        let slot = inbox.admit(AT + 1, fate);
        (slot, inbox.total, inbox.unread, inbox.shown_lately(AT + 1))
    }

    #[test]
    fn what_is_held_back_counts_as_shown_and_what_is_dropped_never_does() {
        let slot = |place| Ok(NoteSlot { place, date: AT, waits: false });
        let fates = [Fate::Delivered, Fate::Held, Fate::Dropped, Fate::Released];
        let outcomes = fates.map(|fate| with_one_more(InboxRecord::default(), fate));
        assert_eq!(outcomes, [(slot(1), 1, 1, 1), (slot(0), 0, 0, 1), (slot(0), 0, 0, 0), (slot(1), 1, 1, 0)]);
        for (fate, shown) in fates.into_iter().zip([1, 1, 0, 0]) {
            let mut inbox = in_batches();
            inbox.admit(AT + 1, fate).unwrap();
            assert_eq!(inbox.shown_lately(AT + QUARTER - 1), 0, "it waits");
            assert_eq!(inbox.shown_lately(AT + QUARTER), shown);
            let late = AT + QUARTER + 700;
            assert_eq!(inbox.shown_lately(late), shown, "in the minutes in which it was shown");
            assert_eq!(inbox.shown_lately(late + 300), 0, "whoever looks first");
            assert_eq!(inbox.waiting.map(|waiting| waiting.until), Some(AT + QUARTER), "as of every note");
            inbox.set_batches(false, AT + 2);
            assert_eq!(inbox.shown_lately(AT + 2), shown);
        }
    }

    #[test]
    fn whoever_fills_an_inbox_learns_nothing_of_what_waits() {
        let nearly = InboxRecord { total: INBOX_NOTES - 1, last: 9, in_batches: true, ..InboxRecord::default() };
        let mut inbox = nearly;
        for fate in [Fate::Delivered, Fate::Delivered, Fate::Held, Fate::Dropped] {
            inbox.admit(AT, fate).unwrap();
        }
        assert_eq!(inbox.total, INBOX_NOTES + 1, "the batch is over the mark");
        inbox.settle(AT + QUARTER);
        for fate in [Fate::Delivered, Fate::Held, Fate::Dropped] {
            assert_eq!(inbox.admit(AT + QUARTER, fate), Err(StoreError::Full), "the same for each");
        }
        // A batch ends somewhere, too.
        let waiting = Some(Waiting { until: AT + QUARTER, notes: INBOX_NOTES });
        let mut endless = InboxRecord { total: INBOX_NOTES, in_batches: true, waiting, ..InboxRecord::default() };
        assert_eq!(endless.admit(AT, Fate::Delivered), Err(StoreError::Full));
    }

    #[test]
    fn a_record_has_one_length_whatever_became_of_the_note() {
        for inbox in [InboxRecord::default(), in_batches()] {
            let length = |fate| {
                let mut inbox = inbox;
                inbox.admit(AT, fate).unwrap();
                crate::shapes::encode(&inbox).unwrap().len()
            };
            let [delivered, held, dropped] = [Fate::Delivered, Fate::Held, Fate::Dropped].map(length);
            assert_eq!([held, dropped], [delivered; 2]);
        }
    }
}
