//! Public answers. An answer is a row under its owner and its place among the answers, sealed with the key of its
//! inbox, so that it goes as its note goes.

use std::sync::Arc;

use async_trait::async_trait;

use crate::account::{AccountId, Timestamp};
use crate::answer::{Answer, AnswerId, AnswerIds, Answers, Publishing};
use crate::error::{Result, StoreError};
use crate::inbox::place::NotePlace;
use crate::inbox::{Changed, NoteId, to_the_minute};
use crate::nouns::inbox::{mark_stale, shown_note, tell, wants_of_note};
use crate::nouns::{Common, Nouns};
use crate::rows::{Call, Effect, Keep, PutRecords, ReadRecords, Reads, Rows, Span, Wants};
use crate::seals::keyring::Owner;
use crate::shapes::answer::{AnswerRecord, Publicity, publicity_key};
use crate::shapes::inbox::NoteRecord;
use crate::table::{Table, account_key, answer_key, end_of, key};

/// Removes what may be public of a note, and its answer.
pub(super) async fn forget_publicity<R: Rows>(rows: &mut R, owner: AccountId, note: NotePlace) -> Result<()> {
    let at = publicity_key(owner, note);
    let Some(found) = rows.record::<Publicity>(&at).await? else { return Ok(()) };
    rows.remove(at);
    if let Publicity::Answered(place) = found {
        rows.remove(answer_key(owner, NotePlace::of(place)));
    }
    Ok(())
}

/// Removes every answer of an account. That its notes are gone is the caller's part.
pub(super) async fn take_all_down<R: Rows>(rows: &mut R, owner: AccountId) -> Result<()> {
    let all = rows.under(&key(Table::Answer, &[owner.0.as_bytes()])).await?;
    all.into_iter().for_each(|(at, _)| rows.remove(at));
    Ok(())
}

/// Where the answer to a note is, if there is one.
pub(super) fn answer_of(publicity: Option<&Publicity>) -> Option<NotePlace> {
    match publicity {
        Some(Publicity::Answered(place)) => Some(NotePlace::of(*place)),
        Some(Publicity::OnlyForYou) | None => None,
    }
}

pub(super) async fn answer_at<R: Reads>(
    rows: &R,
    ids: &AnswerIds,
    owner: AccountId,
    place: NotePlace,
) -> Result<Option<Answer>> {
    match rows.sealed::<AnswerRecord>(&answer_key(owner, place)).await {
        Ok(record) => record.map(|record| Ok(record.into_answer(ids.id(place)?))).transpose(),
        // One that can't be read must not hide its note.
        Err(StoreError::Corrupt) => Ok(None),
        Err(error) => Err(error),
    }
}

struct Publish {
    common: Arc<Common>,
    owner: AccountId,
    note: NotePlace,
    publishing: Publishing,
}

impl Call for Publish {
    /// `None` if the note is only for its owner.
    type Out = Option<Answer>;
    type Error = StoreError;
    const EFFECT: Effect = Effect::Grows;
    const TOGETHER: bool = true;

    fn locks(&self) -> Vec<Vec<u8>> {
        vec![account_key(self.owner)]
    }

    fn wants(&self) -> Wants {
        wants_of_note(self.owner, self.note)
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<Option<Answer>> {
        let Self { owner, note, .. } = *self;
        let Publishing { text, opened, now, shuffle } = self.publishing.clone();
        let (inbox, _, NoteRecord { text: words, .. }) = shown_note(rows, owner, note, now).await?;
        let words = if words.is_sealed() { opened.ok_or(StoreError::Conflict)? } else { words };
        let at = publicity_key(owner, note);
        let (place, before): (_, Option<AnswerRecord>) = match rows.record(&at).await? {
            // Its owner's windows learn that it can't be published.
            Some(Publicity::OnlyForYou) => {
                tell(rows, owner, inbox.unread, Changed::List);
                return Ok(None);
            }
            Some(Publicity::Answered(place)) => {
                let place = NotePlace::of(place);
                (place, rows.sealed(&answer_key(owner, place)).await?)
            }
            None => (NotePlace::new(now, shuffle), None),
        };
        let date = before.as_ref().map_or(to_the_minute(now), |before| before.date);
        let record = AnswerRecord { note: words, text, date };
        if before.as_ref() != Some(&record) {
            if before.is_some() {
                // Older files still have the words of before.
                mark_stale(rows, owner);
            }
            rows.put_record(at, &Publicity::Answered(*place.bytes()))?;
            rows.put_sealed(Owner::Inbox(owner.0), answer_key(owner, place), &record).await?;
        }
        tell(rows, owner, inbox.unread, Changed::List);
        Ok(Some(record.into_answer(self.common.answer_ids.id(place)?)))
    }
}

struct TakeDown {
    owner: AccountId,
    note: NotePlace,
    now: Timestamp,
}

impl Call for TakeDown {
    type Out = ();
    type Error = StoreError;
    const EFFECT: Effect = Effect::Shrinks;
    const TOGETHER: bool = true;

    fn locks(&self) -> Vec<Vec<u8>> {
        vec![account_key(self.owner)]
    }

    fn wants(&self) -> Wants {
        wants_of_note(self.owner, self.note)
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<()> {
        let Self { owner, note, now } = *self;
        let (inbox, ..) = shown_note(rows, owner, note, now).await?;
        if matches!(rows.record(&publicity_key(owner, note)).await?, Some(Publicity::Answered(_))) {
            forget_publicity(rows, owner, note).await?;
            mark_stale(rows, owner);
        }
        tell(rows, owner, inbox.unread, Changed::List);
        Ok(())
    }
}

#[async_trait]
impl<K: Keep> Answers for Nouns<K> {
    async fn publish(&self, owner: AccountId, note: NoteId, publishing: Publishing) -> Result<Option<Answer>> {
        let (common, note) = (self.0.common().clone(), self.0.common().note_ids.place(note)?);
        self.0.call(Publish { common, owner, note, publishing }).await
    }

    async fn take_down(&self, owner: AccountId, note: NoteId, now: Timestamp) -> Result<()> {
        let note = self.0.common().note_ids.place(note)?;
        self.0.call(TakeDown { owner, note, now }).await
    }

    async fn newest(&self, owner: AccountId, before: Option<AnswerId>, limit: usize) -> Result<Vec<Answer>> {
        let (all, ids) = (key(Table::Answer, &[owner.0.as_bytes()]), &self.0.common().answer_ids);
        let end = match before {
            Some(before) => answer_key(owner, ids.place(before)?),
            None => end_of(&all),
        };
        let page = self.0.look().page_of("answer", Span::new(all, end).backwards(), limit).await?;
        let answer = |(at, found): (Vec<u8>, AnswerRecord)| Ok(found.into_answer(ids.id(NotePlace::at_end_of(&at)?)?));
        page.into_iter().map(answer).collect()
    }

    async fn find(&self, owner: AccountId, id: AnswerId) -> Result<Option<Answer>> {
        let ids = &self.0.common().answer_ids;
        answer_at(&self.0.look(), ids, owner, ids.place(id)?).await
    }
}
