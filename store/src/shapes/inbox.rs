//! Notes and inboxes as they are on disk.

use serde::{Deserialize, Serialize};

use crate::account::Timestamp;
use crate::inbox::batch::Waiting;
use crate::inbox::{Note, NoteId, to_the_minute};
use crate::shapes::Record;
use crate::text::NoteText;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct NoteRecord {
    pub(crate) text: NoteText,
    pub(crate) date: Timestamp,
    pub(crate) seen: bool,
}

impl NoteRecord {
    /// The note as it is shown now. A note that was delivered before its batch
    /// was due is not dated in the future.
    pub(crate) fn into_note(self, id: NoteId, now: Timestamp) -> Note {
        let Self { text, date, seen } = self;
        Note { id, text, date: date.min(to_the_minute(now)), seen }
    }
}

/// What an inbox knows of its notes as a whole: see `inbox/batch.rs`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct InboxRecord {
    /// All notes, also those that wait.
    pub(crate) total: u32,
    /// Unread ones, without those that wait.
    pub(crate) unread: u32,
    /// The last place that was given out.
    pub(crate) last: u64,
    /// Up to this place everything was deleted at once.
    pub(crate) cleared: u64,
    /// Whether notes are shown a quarter of an hour's worth at a time.
    pub(crate) in_batches: bool,
    /// The batch that gathers at the last place.
    pub(crate) waiting: Option<Waiting>,
}

impl Record for NoteRecord {
    const VERSION: u8 = 1;
}

impl Record for InboxRecord {
    const VERSION: u8 = 2;
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn no_minute_to_come_is_shown() {
        let text = NoteText::try_from("some words of a note".to_owned()).unwrap();
        let date_at =
            |now| NoteRecord { text: text.clone(), date: 1_140, seen: false }.into_note(NoteId(Uuid::nil()), now).date;
        assert_eq!([date_at(5_000), date_at(1_140), date_at(1_139), date_at(59)], [1_140, 1_140, 1_080, 0]);
    }
}
