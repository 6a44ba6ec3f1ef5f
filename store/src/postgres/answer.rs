//! Public answers in the record, each sealed with the key of its inbox. Whoever changes one
//! has locked the row of its owner's account.

use async_trait::async_trait;
use tokio_postgres::Row;
use zeroize::Zeroizing;

use crate::account::{AccountId, Timestamp};
use crate::answer::{Answer, AnswerId, Answers, Publishing};
use crate::error::{Result, StoreError};
use crate::inbox::place::NotePlace;
use crate::inbox::{Changed, NoteId, to_the_minute};
use crate::postgres::errors::Failure;
use crate::postgres::inbox::Shown;
use crate::postgres::keys::Sealed;
use crate::postgres::{Open, Postgres, Transaction, once_more, rows};
use crate::seals::keyring::Owner;
use crate::shapes::answer::AnswerRecord;
use crate::shapes::encode;
use crate::table::answer_key;

pub(super) fn sealed(owner: AccountId, place: NotePlace, bytes: Vec<u8>) -> Sealed {
    Sealed { owner: Owner::Inbox(owner.0).into(), place: answer_key(owner, place), bytes }
}

impl Transaction {
    /// Takes down the answer to the note at a place. Returns whether there was one.
    pub(super) async fn delete_answer(&mut self, owner: AccountId, note: &[u8]) -> Result<bool, Failure> {
        let delete = "DELETE FROM answer WHERE owner = $1 AND note = $2 RETURNING 1";
        Ok(!self.query(delete, &[&owner.0, &note]).await?.is_empty())
    }

    /// Forgets what may be public of the note at a place.
    pub(super) async fn forget_publicity(&mut self, owner: AccountId, note: &[u8]) -> Result<(), Failure> {
        self.delete_answer(owner, note).await?;
        self.query("DELETE FROM only_for_you WHERE owner = $1 AND place = $2", &[&owner.0, &note]).await.map(drop)
    }

    /// Forgets what may be public of all notes of an account.
    pub(super) async fn forget_all_publicity(&mut self, owner: AccountId) -> Result<(), Failure> {
        self.query("DELETE FROM answer WHERE owner = $1", &[&owner.0]).await?;
        self.query("DELETE FROM only_for_you WHERE owner = $1", &[&owner.0]).await.map(drop)
    }

    /// Notes that the sender of the note at a place wants it not to be published.
    pub(super) async fn keep_to_owner(&mut self, owner: AccountId, note: &[u8]) -> Result<(), Failure> {
        // Only what is kept of a note that was dropped may be there. It is written all the same.
        let insert = "INSERT INTO only_for_you (owner, place) VALUES ($1, $2) \
             ON CONFLICT (owner, place) DO UPDATE SET place = excluded.place";
        self.query(insert, &[&owner.0, &note]).await.map(drop)
    }
}

impl Open {
    /// Publishes an answer, or changes its words. Returns also how many notes are unread.
    async fn try_publish(
        &self,
        owner: AccountId,
        note: NotePlace,
        publishing: &Publishing,
    ) -> Result<(Option<Answer>, u32), Failure> {
        let Publishing { text, now, shuffle } = publishing;
        let mut transaction = self.record.begin().await?;
        let Shown { inbox, key, record, .. } = self.lock_note(&mut transaction, owner, note, *now, false).await?;
        let of = &note.bytes()[..];
        let select = "SELECT EXISTS (SELECT 1 FROM only_for_you WHERE owner = $1 AND place = $2), a.place, a.sealed \
             FROM (SELECT 1) one LEFT JOIN answer a ON a.owner = $1 AND a.note = $2";
        let found = transaction.query(select, &[&owner.0, &of]).await?;
        let row = found.first().ok_or(StoreError::Corrupt)?;
        if row.get(0) {
            return Ok((None, inbox.unread));
        }
        let before = self.answer_in(owner, row).await?;
        let place = match row.get::<_, Option<&[u8]>>(1) {
            Some(place) => NotePlace::at_end_of(place)?,
            None => NotePlace::new(*now, *shuffle),
        };
        let date = before.as_ref().map_or(to_the_minute(*now), |before| before.date);
        let record = AnswerRecord { note: record.text.clone(), text: text.clone(), date };
        if before.as_ref() != Some(&record) {
            let bytes = key.seal(&answer_key(owner, place), &Zeroizing::new(encode(&record)?))?;
            let store = "INSERT INTO answer (owner, place, note, sealed) VALUES ($1, $2, $3, $4) \
                 ON CONFLICT (owner, place) DO UPDATE SET sealed = excluded.sealed";
            transaction.query(store, &[&owner.0, &&place.bytes()[..], &of, &bytes]).await?;
            if before.is_some() {
                // Old files still have the words of before.
                transaction.mark_stale(owner).await?;
            }
            transaction.commit().await?;
        }
        Ok((Some(record.into_answer(self.common.answer_ids.id(place)?)), inbox.unread))
    }

    /// The answer in a row whose second and third columns are its place and itself.
    async fn answer_in(&self, owner: AccountId, row: &Row) -> Result<Option<AnswerRecord>> {
        let (place, bytes) = (row.get::<_, Option<&[u8]>>(1), row.get::<_, Option<Vec<u8>>>(2));
        let Some((place, bytes)) = place.zip(bytes) else { return Ok(None) };
        self.keys.open(&sealed(owner, NotePlace::at_end_of(place)?, bytes)).await
    }

    async fn try_take_down(&self, owner: AccountId, note: NotePlace, now: Timestamp) -> Result<u32, Failure> {
        let mut transaction = self.record.begin().await?;
        let Shown { inbox, .. } = self.lock_note(&mut transaction, owner, note, now, false).await?;
        if transaction.delete_answer(owner, note.bytes()).await? {
            transaction.mark_stale(owner).await?;
            transaction.commit().await?;
        }
        Ok(inbox.unread)
    }

    /// The newest answers before a place. Those that can't be read are passed over.
    async fn answers_before(&self, owner: AccountId, end: Option<NotePlace>, limit: usize) -> Result<Vec<Answer>> {
        let (mut page, mut end) = (Vec::new(), end.map(|place| place.bytes().to_vec()));
        while page.len() < limit {
            let wanted = limit - page.len();
            let select = "SELECT place, sealed FROM answer WHERE owner = $1 AND ($2::bytea IS NULL OR place < $2) \
                 ORDER BY place DESC LIMIT $3";
            let found = once_more!(self.record.read(select, &[&owner.0, &end, &rows(wanted)]))?;
            let Some(last) = found.last() else { break };
            end = Some(last.get(0));
            let places = found.iter().map(|row| NotePlace::at_end_of(row.get(0))).collect::<Result<Vec<_>>>()?;
            let all: Vec<_> = places.iter().zip(&found).map(|(place, row)| sealed(owner, *place, row.get(1))).collect();
            let opened = self.keys.open_all::<AnswerRecord>("answer", &all).await?;
            for (place, record) in places.into_iter().zip(opened) {
                let id = self.common.answer_ids.id(place)?;
                match record {
                    Some(record) => page.push(record.into_answer(id)),
                    // The inbox may have got a new key since it was read.
                    None => page.extend(self.answer_at(owner, place).await?),
                }
            }
            if found.len() < wanted {
                break;
            }
        }
        Ok(page)
    }

    async fn answer_at(&self, owner: AccountId, place: NotePlace) -> Result<Option<Answer>> {
        let select = "SELECT sealed FROM answer WHERE owner = $1 AND place = $2";
        let found = once_more!(self.record.read(select, &[&owner.0, &&place.bytes()[..]]))?;
        let Some(row) = found.first() else { return Ok(None) };
        let record: Option<AnswerRecord> = self.keys.open(&sealed(owner, place, row.get(0))).await?;
        record.map(|record| Ok(record.into_answer(self.common.answer_ids.id(place)?))).transpose()
    }
}

#[async_trait]
impl Answers for Postgres {
    async fn publish(&self, owner: AccountId, note: NoteId, publishing: Publishing) -> Result<Option<Answer>> {
        self.may_grow()?;
        let (this, note) = (self.clone(), self.common.note_ids.place(note)?);
        let work = async move {
            let _turn = this.turns.take(owner).await;
            let (answer, unread) = once_more!(this.try_publish(owner, note, &publishing))?;
            this.common.inbox_changes.send(owner, unread, Changed::List);
            Ok(answer)
        };
        self.see_through(work).await
    }

    async fn take_down(&self, owner: AccountId, note: NoteId, now: Timestamp) -> Result<()> {
        let (this, note) = (self.clone(), self.common.note_ids.place(note)?);
        let work = async move {
            let _turn = this.turns.take(owner).await;
            let unread = once_more!(this.try_take_down(owner, note, now))?;
            this.common.inbox_changes.send(owner, unread, Changed::List);
            Ok(())
        };
        self.see_through(work).await
    }

    async fn newest(&self, owner: AccountId, before: Option<AnswerId>, limit: usize) -> Result<Vec<Answer>> {
        let end = before.map(|before| self.common.answer_ids.place(before)).transpose()?;
        self.answers_before(owner, end, limit).await
    }

    async fn find(&self, owner: AccountId, id: AnswerId) -> Result<Option<Answer>> {
        let place = self.common.answer_ids.place(id)?;
        match self.answer_at(owner, place).await? {
            Some(answer) => Ok(Some(answer)),
            // The inbox may have got a new key since it was read.
            None => self.answer_at(owner, place).await,
        }
    }
}
