//! Public answers: a note and what its owner answers, for everybody to read on the owner's
//! personal page. Nothing of a note is public unless its owner has answered it in public,
//! and that can't be if its sender has said that it is only for the owner.

use async_trait::async_trait;
use uuid::Uuid;

use crate::account::{AccountId, Timestamp};
use crate::error::Result;
use crate::inbox::NoteId;
use crate::inbox::place::{NoteIds, NotePlace};
use crate::text::{AnswerText, NoteText};

/// The id of a public answer, which is in its link. It tells neither when the note or the
/// answer came nor which came before, and nothing of the note's own id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AnswerId(pub Uuid);

/// A public answer, as everybody reads it. When its note came isn't told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    pub id: AnswerId,
    /// The note's words.
    pub note: NoteText,
    pub text: AnswerText,
    /// The minute in which it was first published.
    pub date: Timestamp,
}

/// An answer that is to be published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Publishing {
    pub text: AnswerText,
    /// The words of a note that is sealed, as its owner's browser has opened them.
    pub opened: Option<NoteText>,
    pub now: Timestamp,
    /// A random number, which is part of the answer's id.
    pub shuffle: u64,
}

/// Encrypts the places of answers to ids, with another key than those of notes.
pub(crate) struct AnswerIds(NoteIds);

impl AnswerIds {
    pub(crate) fn new(secret: &[u8; 32]) -> Result<Self> {
        NoteIds::new(secret).map(Self)
    }

    pub(crate) fn id(&self, place: NotePlace) -> Result<AnswerId> {
        self.0.id(place).map(|NoteId(id)| AnswerId(id))
    }

    /// An invented id leads to a place that has no answer.
    pub(crate) fn place(&self, AnswerId(id): AnswerId) -> Result<NotePlace> {
        self.0.place(NoteId(id))
    }
}

/// The public answers of all accounts. Each ends with its note and with its account.
#[async_trait]
pub trait Answers: Send + Sync {
    /// Answers a note in public, or words its answer anew: then the answer keeps its id.
    /// `None` when the note's sender has said that it is only for its owner. `NotFound` when
    /// this inbox doesn't show the note, `Conflict` when it is sealed and nobody says its words.
    async fn publish(&self, owner: AccountId, note: NoteId, publishing: Publishing) -> Result<Option<Answer>>;
    /// Takes the answer to a note down, if there is one. Nobody sees it any more when this
    /// returns, and within an hour no file has it in a form that can be read. `NotFound` when
    /// this inbox doesn't show the note.
    async fn take_down(&self, owner: AccountId, note: NoteId, now: Timestamp) -> Result<()>;
    /// The newest answers, or those older than `before`, which may be gone.
    async fn newest(&self, owner: AccountId, before: Option<AnswerId>, limit: usize) -> Result<Vec<Answer>>;
    /// One answer, if this account has it.
    async fn find(&self, owner: AccountId, id: AnswerId) -> Result<Option<Answer>>;
}
