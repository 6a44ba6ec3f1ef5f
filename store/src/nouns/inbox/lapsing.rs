//! Notes that have lapsed go as deleted ones do. None of them has a conversation any more.

use super::{inbox, keep_inbox, sweeping, tell};
use crate::account::{AccountId, Timestamp};
use crate::error::{Result, StoreError};
use crate::inbox::Changed;
use crate::inbox::place::NotePlace;
use crate::nouns::conversation::of_note;
use crate::nouns::shield::remove_beside;
use crate::rows::{Call, Effect, ReadRecords, Rows, Span, Wants};
use crate::shapes::answer::publicity_key;
use crate::shapes::conversation::of_note_key;
use crate::shapes::inbox::{InboxRecord, NoteRecord};
use crate::table::{account_key, inbox_key, note_key, starred_key};

/// The keys of the notes that an inbox shows at `now`: those that are listed, and those that are archived.
pub(in crate::nouns) fn shown_notes(owner: AccountId, mut inbox: InboxRecord, now: Timestamp) -> [Span; 2] {
    inbox.settle(now);
    let (first, hidden) = (sweeping::first_left(inbox), NotePlace::first(inbox.hidden_from()));
    [(first, hidden.max(first)), (first.archived(), hidden.max(first).archived())]
        .map(|(from, to)| Span::new(note_key(owner, from), note_key(owner, to)))
}

/// Removes those of these notes that have no conversation, and returns how many that were.
pub(in crate::nouns) struct RemoveOld {
    pub(in crate::nouns) owner: AccountId,
    pub(in crate::nouns) old: Vec<NotePlace>,
    pub(in crate::nouns) now: Timestamp,
}

impl Call for RemoveOld {
    type Out = usize;
    type Error = StoreError;
    const EFFECT: Effect = Effect::Shrinks;

    fn locks(&self) -> Vec<Vec<u8>> {
        vec![account_key(self.owner)]
    }

    fn wants(&self) -> Wants {
        let owner = self.owner;
        let of = |at: &NotePlace| {
            let place = at.listed();
            [note_key(owner, *at), of_note_key(owner, place.bytes()), publicity_key(owner, place)]
        };
        Wants::rows(self.old.iter().flat_map(of).chain([inbox_key(owner)]))
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<usize> {
        let Self { owner, now, .. } = *self;
        let (mut inbox, mut removed) = (inbox(rows, owner).await?, 0);
        inbox.settle(now);
        for at in &self.old {
            let place = at.listed();
            // Its owner may have deleted it, or all of them, or have put it elsewhere.
            let note: Option<NoteRecord> = rows.sealed(&note_key(owner, *at)).await?;
            let Some(note) = note.filter(|_| inbox.shows(place.number())) else { continue };
            if of_note(rows, owner, place).await?.is_some() {
                continue;
            }
            inbox.note_removed(note.seen || at.is_archived());
            remove_beside(rows, owner, *at).await?;
            rows.remove(starred_key(owner, place));
            removed += 1;
        }
        if removed > 0 {
            keep_inbox(rows, owner, inbox).await?;
            tell(rows, owner, inbox.unread, Changed::List);
        }
        Ok(removed)
    }
}
