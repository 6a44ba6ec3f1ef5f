//! Notes and inboxes as they are on disk. The order of fields is on disk, too: a
//! record with another field needs a new version.

use serde::{Deserialize, Serialize};

use crate::account::Timestamp;
use crate::inbox::{Note, NoteId, to_the_minute};
use crate::shield::TagHash;
use crate::shown::Shown;
use crate::text::NoteText;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct NoteRecord {
    pub text: NoteText,
    pub date: Timestamp,
    pub seen: bool,
    /// With which tag it came, as long as that is known.
    pub tag: Option<CameWith>,
}

/// The tag of a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CameWith {
    pub tag: TagHash,
    /// The day on which the note came.
    pub day: u32,
}

/// The record as version 0.1.0 wrote it, which knew no tags.
#[derive(Serialize, Deserialize)]
pub(crate) struct FirstNoteRecord {
    text: NoteText,
    date: Timestamp,
    seen: bool,
}

impl From<FirstNoteRecord> for NoteRecord {
    fn from(FirstNoteRecord { text, date, seen }: FirstNoteRecord) -> Self {
        Self { text, date, seen, tag: None }
    }
}

impl NoteRecord {
    /// The note as it is shown at `now`. If it was delivered before its batch was
    /// due, its date is not in the future.
    pub(crate) fn into_note(self, id: NoteId, now: Timestamp) -> Note {
        let Self { text, date, seen, tag: _ } = self;
        Note {
            id,
            text,
            date: date.min(to_the_minute(now)),
            seen,
            conversation: None,
            only_for_you: false,
            answer: None,
            starred: false,
            archived: false,
        }
    }

    /// The tag that it came with, if it was not before `first`.
    pub(crate) fn tag_since(&self, first: u32) -> Option<TagHash> {
        self.tag.filter(|came_with| came_with.day >= first).map(|came_with| came_with.tag)
    }

    /// Whether it has a tag of a day before `first`.
    pub(crate) fn has_tag_before(&self, first: u32) -> bool {
        self.tag.is_some_and(|came_with| came_with.day < first)
    }
}

/// The record of an inbox. Its code is in `batch.rs`, and that of `shown` in `shown.rs`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct InboxRecord {
    /// How many notes there are, with those that wait.
    pub total: u32,
    /// How many notes are unread, without those that wait.
    pub unread: u32,
    /// The last place that a note got.
    pub(crate) last: u64,
    /// Up to this place all notes were deleted together.
    pub(crate) cleared: u64,
    /// Whether notes are shown in batches.
    pub in_batches: bool,
    /// The batch at the last place, which is not delivered yet.
    pub(crate) waiting: Option<Waiting>,
    /// How many notes its owner was shown in the last minutes.
    pub(crate) shown: Shown,
    /// It is another one after every note, also after one that is dropped: no commit has what stays
    /// as it is, and all must be equally large.
    pub(crate) turn: bool,
}

/// The record as version 0.1.0 wrote it, which counted nothing that was shown.
#[derive(Serialize, Deserialize)]
pub(crate) struct FirstInboxRecord {
    total: u32,
    unread: u32,
    last: u64,
    cleared: u64,
    in_batches: bool,
    waiting: Option<Waiting>,
}

impl From<FirstInboxRecord> for InboxRecord {
    fn from(first: FirstInboxRecord) -> Self {
        let FirstInboxRecord { total, unread, last, cleared, in_batches, waiting } = first;
        Self { total, unread, last, cleared, in_batches, waiting, ..Self::default() }
    }
}

/// A batch that is not delivered yet. All its notes have one place, the inbox's
/// last. It may have none: every note that arrives opens it, also one that is held back or dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Waiting {
    pub(crate) until: Timestamp,
    /// How many notes it has, all of them unread.
    pub(crate) notes: u32,
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn no_minute_to_come_is_shown() {
        let text = NoteText::try_from("some words of a note".to_owned()).unwrap();
        let date_at = |now| {
            NoteRecord { text: text.clone(), date: 1_140, seen: false, tag: None }
                .into_note(NoteId(Uuid::nil()), now)
                .date
        };
        assert_eq!([date_at(5_000), date_at(1_140), date_at(1_139), date_at(59)], [1_140, 1_140, 1_080, 0]);
    }
}
