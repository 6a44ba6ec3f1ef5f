//! Public answers on this machine. An answer is sealed with the key of its inbox, so that it
//! goes as its note goes; its key in the index is its owner and its place among the answers.

use async_trait::async_trait;

use crate::account::{AccountId, Timestamp};
use crate::answer::{Answer, AnswerId, Answers, Publishing};
use crate::error::{Result, StoreError};
use crate::inbox::place::NotePlace;
use crate::inbox::{Changed, NoteId, to_the_minute};
use crate::local::Local;
use crate::local::inbox::{mark_stale, shown_note};
use crate::local::transaction::Transaction;
use crate::rows::Effect::{Grows, Shrinks};
use crate::seals::keyring::Owner;
use crate::shapes::answer::{AnswerRecord, Publicity, publicity_key};
use crate::shapes::inbox::NoteRecord;
use crate::table::{Table, answer_key, end_of, key};

/// Removes what may be public of a note, and its answer. Returns whether there was one.
pub(crate) fn forget_publicity(transaction: &mut Transaction<'_>, owner: AccountId, note: NotePlace) -> Result<bool> {
    let at = publicity_key(owner, note);
    let found = transaction.record::<Publicity>(&at)?;
    if found.is_some() {
        transaction.remove(at);
    }
    let Some(Publicity::Answered(place)) = found else { return Ok(false) };
    transaction.remove(answer_key(owner, NotePlace::at_end_of(&place)?));
    Ok(true)
}

/// Removes every answer of an account. That its notes are gone is the caller's part.
pub(crate) fn take_all_down(transaction: &mut Transaction<'_>, owner: AccountId) -> Result<()> {
    let all = transaction.under(&key(Table::Answer, &[owner.0.as_bytes()]))?;
    all.into_iter().for_each(|(at, _)| transaction.remove(at));
    Ok(())
}

/// Publishes an answer to the note at a place. Returns the place of the answer, and how many
/// notes are unread; no place if the note is only for its owner.
fn publish(
    transaction: &mut Transaction<'_>,
    owner: AccountId,
    note: NotePlace,
    Publishing { text, now, shuffle }: Publishing,
) -> Result<(Option<(NotePlace, AnswerRecord)>, u32)> {
    let (inbox, NoteRecord { text: words, .. }) = shown_note(transaction, owner, note, now)?;
    let at = publicity_key(owner, note);
    let place = match transaction.record(&at)? {
        Some(Publicity::OnlyForYou) => return Ok((None, inbox.unread)),
        Some(Publicity::Answered(place)) => NotePlace::at_end_of(&place)?,
        None => NotePlace::new(now, shuffle),
    };
    let before: Option<AnswerRecord> = transaction.sealed(&answer_key(owner, place))?;
    let date = before.as_ref().map_or(to_the_minute(now), |before| before.date);
    let record = AnswerRecord { note: words, text, date };
    if before.as_ref() != Some(&record) {
        if before.is_some() {
            // The commit log still has the words of before.
            mark_stale(transaction, owner);
        }
        transaction.put(at, &Publicity::Answered(*place.bytes()))?;
        transaction.put_sealed(Owner::Inbox(owner.0), answer_key(owner, place), &record)?;
    }
    Ok((Some((place, record)), inbox.unread))
}

impl Local {
    /// Whether a note is only for its owner, and the answer to it.
    pub(crate) fn publicity_of(&self, owner: AccountId, note: NotePlace) -> Result<(bool, Option<Answer>)> {
        match self.record(&publicity_key(owner, note))? {
            None => Ok((false, None)),
            Some(Publicity::OnlyForYou) => Ok((true, None)),
            Some(Publicity::Answered(place)) => Ok((false, self.answer_at(owner, NotePlace::at_end_of(&place)?)?)),
        }
    }

    fn answer_at(&self, owner: AccountId, place: NotePlace) -> Result<Option<Answer>> {
        match self.sealed::<AnswerRecord>(&answer_key(owner, place)) {
            Ok(record) => record.map(|record| Ok(record.into_answer(self.answer_ids.id(place)?))).transpose(),
            // One that can't be read must not hide its note.
            Err(StoreError::Corrupt) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

#[async_trait]
impl Answers for Local {
    async fn publish(&self, owner: AccountId, note: NoteId, publishing: Publishing) -> Result<Option<Answer>> {
        let note = self.note_ids.place(note)?;
        let work = move |transaction: &mut Transaction<'_>| publish(transaction, owner, note, publishing);
        let tell = self.teller(owner, Changed::List);
        let (published, _) = self.committer.write_then(Grows, work, |(_, unread)| tell(unread)).await?;
        published.map(|(place, record)| Ok(record.into_answer(self.answer_ids.id(place)?))).transpose()
    }

    async fn take_down(&self, owner: AccountId, note: NoteId, now: Timestamp) -> Result<()> {
        let note = self.note_ids.place(note)?;
        let work = move |transaction: &mut Transaction<'_>| {
            let (inbox, _) = shown_note(transaction, owner, note, now)?;
            if matches!(transaction.record(&publicity_key(owner, note))?, Some(Publicity::Answered(_))) {
                forget_publicity(transaction, owner, note)?;
                mark_stale(transaction, owner);
            }
            Ok(inbox.unread)
        };
        self.committer.write_then(Shrinks, work, self.teller(owner, Changed::List)).await.map(drop)
    }

    async fn newest(&self, owner: AccountId, before: Option<AnswerId>, limit: usize) -> Result<Vec<Answer>> {
        let all = key(Table::Answer, &[owner.0.as_bytes()]);
        let end = match before {
            Some(before) => answer_key(owner, self.answer_ids.place(before)?),
            None => end_of(&all),
        };
        self.page_of("answer", self.index.range(all, end).rev(), limit, |key, record: AnswerRecord| {
            Ok(record.into_answer(self.answer_ids.id(NotePlace::at_end_of(key)?)?))
        })
    }

    async fn find(&self, owner: AccountId, id: AnswerId) -> Result<Option<Answer>> {
        self.answer_at(owner, self.answer_ids.place(id)?)
    }
}
