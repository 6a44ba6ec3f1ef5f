//! Public answers as they are on disk. The order of fields and variants is on disk, too.

use serde::{Deserialize, Serialize};

use crate::account::{AccountId, Timestamp};
use crate::answer::{Answer, AnswerId};
use crate::inbox::place::NotePlace;
use crate::table::{Table, key};
use crate::text::{AnswerText, NoteText};

/// An answer, sealed with the key of its inbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct AnswerRecord {
    pub(crate) note: NoteText,
    pub(crate) text: AnswerText,
    pub(crate) date: Timestamp,
}

impl AnswerRecord {
    pub(crate) fn into_answer(self, id: AnswerId) -> Answer {
        let Self { note, text, date } = self;
        Answer { id, note, text, date }
    }
}

/// What may be public of a note. Without a record it may be answered, and is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Publicity {
    /// Its sender has said that it must not be published.
    OnlyForYou,
    /// The place of its answer.
    Answered([u8; 16]),
}

pub(crate) fn publicity_key(owner: AccountId, note: NotePlace) -> Vec<u8> {
    key(Table::Publicity, &[owner.0.as_bytes(), note.bytes()])
}
