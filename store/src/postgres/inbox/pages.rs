//! Pages of inboxes.

use std::collections::HashMap;

use tokio_postgres::Row;
use uuid::Uuid;

use super::sealed;
use crate::account::{AccountId, Timestamp};
use crate::answer::Answer;
use crate::conversation::ConversationId;
use crate::error::Result;
use crate::inbox::place::NotePlace;
use crate::inbox::{Note, NoteId, Page, Summary};
use crate::postgres::{Open, answer, once_more, rows};
use crate::shapes::answer::AnswerRecord;
use crate::shapes::decode;
use crate::shapes::inbox::{InboxRecord, NoteRecord};
use crate::text::NoteText;

/// A note and what is beside it.
struct Found {
    place: NotePlace,
    /// `None` if it can't be read.
    record: Option<NoteRecord>,
    conversation: Option<ConversationId>,
    only_for_you: bool,
    /// Its answer, or `None` if that can't be read.
    answer: Option<Option<Answer>>,
}

impl Found {
    fn is_whole(&self) -> bool {
        self.record.is_some() && self.answer.as_ref().is_none_or(Option::is_some)
    }
}

impl Open {
    /// The record of an inbox; `None` before the first note or setting.
    pub(super) async fn inbox_of(&self, owner: AccountId) -> Result<Option<InboxRecord>> {
        let rows = once_more!(self.record.read("SELECT inbox FROM account WHERE id = $1", &[&owner.0]))?;
        let Some(row) = rows.first() else { return Ok(None) };
        row.get::<_, Option<&[u8]>>(0).map(decode).transpose()
    }

    /// What windows show of these inboxes, those included that have no record.
    pub(super) async fn summaries_of(
        &self,
        owners: Vec<AccountId>,
        now: Timestamp,
    ) -> Result<HashMap<AccountId, Summary>> {
        let ids: Vec<_> = owners.iter().map(|owner| owner.0).collect();
        let select = "SELECT id, inbox FROM account WHERE id = ANY ($1) AND inbox IS NOT NULL";
        let rows = once_more!(self.record.read(select, &[&ids]))?;
        let mut summaries: HashMap<_, _> = owners.into_iter().map(|owner| (owner, Summary::default())).collect();
        for row in rows {
            let mut inbox: InboxRecord = decode(row.get(1))?;
            inbox.settle(now);
            let InboxRecord { unread, in_batches, .. } = inbox;
            summaries.insert(AccountId(row.get(0)), Summary { unread, in_batches });
        }
        Ok(summaries)
    }

    pub(super) async fn page_of(
        &self,
        owner: AccountId,
        before: Option<NoteId>,
        limit: usize,
        now: Timestamp,
    ) -> Result<Page> {
        let mut page = Page { notes: Vec::new(), unread: 0 };
        // The record is read before the notes, so that every note that is shown is
        // counted.
        let Some(mut inbox) = self.inbox_of(owner).await? else { return Ok(page) };
        inbox.settle(now);
        page.unread = inbox.unread;
        let from = NotePlace::first(inbox.cleared + 1);
        let hidden = NotePlace::first(inbox.hidden_from());
        let before = before.map(|note| self.common.note_ids.place(note)).transpose()?;
        let mut end = before.map_or(hidden, |before| before.min(hidden));
        // What can't be read is passed over, and older ones fill the page.
        while page.notes.len() < limit {
            let wanted = limit - page.notes.len();
            let found = self.notes_between(owner, from, end, wanted).await?;
            let Some(oldest) = found.last() else { break };
            end = oldest.place;
            let is_last = found.len() < wanted;
            for Found { place, record, conversation, only_for_you, answer } in found {
                if let Some(record) = record {
                    let note = record.into_note(self.common.note_ids.id(place)?, now);
                    page.notes.push(Note { conversation, only_for_you, answer: answer.flatten(), ..note });
                }
            }
            if is_last {
                break;
            }
        }
        Ok(page)
    }

    pub(super) async fn words_in(
        &self,
        owner: AccountId,
        note: NoteId,
        now: Timestamp,
    ) -> Result<Option<(NoteText, Timestamp)>> {
        let Some(mut inbox) = self.inbox_of(owner).await? else { return Ok(None) };
        inbox.settle(now);
        let place = self.common.note_ids.place(note)?;
        if !(inbox.shows(place.number()) || place.is_still_held(now)) {
            return Ok(None);
        }
        let found = self.notes_between(owner, place, place.next(), 1).await?;
        let record = found.into_iter().find(|found| found.place == place).and_then(|found| found.record);
        Ok(record.map(|record| record.into_note(note, now)).map(|note| (note.text, note.date)))
    }

    /// The newest notes from a place on, before another place.
    async fn notes_between(
        &self,
        owner: AccountId,
        from: NotePlace,
        end: NotePlace,
        limit: usize,
    ) -> Result<Vec<Found>> {
        let found = self.read_notes(owner, from, end, limit).await?;
        if found.iter().all(Found::is_whole) {
            return Ok(found);
        }
        // The inbox may have got a new key since they were read.
        self.read_notes(owner, from, end, limit).await
    }

    async fn read_notes(&self, owner: AccountId, from: NotePlace, end: NotePlace, limit: usize) -> Result<Vec<Found>> {
        let select = "SELECT n.place, n.sealed, c.id, o.place IS NOT NULL, a.place, a.sealed FROM note n \
             LEFT JOIN conversation c ON c.owner = n.owner AND c.place = n.place \
             LEFT JOIN only_for_you o ON o.owner = n.owner AND o.place = n.place \
             LEFT JOIN answer a ON a.owner = n.owner AND a.note = n.place \
             WHERE n.owner = $1 AND n.place >= $2 AND n.place < $3 ORDER BY n.place DESC LIMIT $4";
        let (from, end) = (&from.bytes()[..], &end.bytes()[..]);
        let found = once_more!(self.record.read(select, &[&owner.0, &from, &end, &rows(limit)]))?;
        let places = found.iter().map(|row| NotePlace::at_end_of(row.get(0))).collect::<Result<Vec<_>>>()?;
        let all: Vec<_> = places.iter().zip(&found).map(|(place, row)| sealed(owner, *place, row.get(1))).collect();
        let opened = self.keys.open_all::<NoteRecord>("note", &all).await?;
        let mut answers = self.answers_in(owner, &found).await?;
        let mut notes = Vec::with_capacity(found.len());
        for ((place, record), row) in places.into_iter().zip(opened).zip(&found) {
            let conversation = row.get::<_, Option<Uuid>>(2).map(ConversationId);
            let answer = row.get::<_, Option<&[u8]>>(4).map(|place| answers.remove(place));
            notes.push(Found { place, record, conversation, only_for_you: row.get(3), answer });
        }
        Ok(notes)
    }

    /// The answers in rows whose last columns are an answer's place and itself, by their places.
    async fn answers_in(&self, owner: AccountId, found: &[Row]) -> Result<HashMap<Vec<u8>, Answer>> {
        let (mut places, mut all) = (Vec::new(), Vec::new());
        for row in found {
            if let Some(place) = row.get::<_, Option<&[u8]>>(4) {
                let place = NotePlace::at_end_of(place)?;
                places.push(place);
                all.push(answer::sealed(owner, place, row.get(5)));
            }
        }
        let opened = self.keys.open_all::<AnswerRecord>("answer", &all).await?;
        let mut answers = HashMap::with_capacity(all.len());
        for (place, record) in places.into_iter().zip(opened) {
            let Some(record) = record else { continue };
            answers.insert(place.bytes().to_vec(), record.into_answer(self.common.answer_ids.id(place)?));
        }
        Ok(answers)
    }
}
