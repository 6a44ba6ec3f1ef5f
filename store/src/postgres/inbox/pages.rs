//! Pages of inboxes.

use std::collections::HashMap;

use tokio_postgres::Row;
use uuid::Uuid;

use super::sealed;
use crate::account::{AccountId, Timestamp};
use crate::conversation::ConversationId;
use crate::error::Result;
use crate::inbox::place::NotePlace;
use crate::inbox::{Note, NoteId, Page, Summary};
use crate::postgres::{Open, once_more, rows};
use crate::shapes::decode;
use crate::shapes::inbox::{InboxRecord, NoteRecord};

/// A note, or `None` for one that can't be read.
type Found = (NotePlace, Option<NoteRecord>, Option<ConversationId>);

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
        let before = before.map(|note| self.note_ids.place(note)).transpose()?;
        let mut end = before.map_or(hidden, |before| before.min(hidden));
        // What can't be read is passed over, and older ones fill the page.
        while page.notes.len() < limit {
            let wanted = limit - page.notes.len();
            let found = self.notes_between(owner, from, end, wanted).await?;
            let Some((oldest, ..)) = found.last() else { break };
            end = *oldest;
            let is_last = found.len() < wanted;
            for (place, record, conversation) in found {
                if let Some(record) = record {
                    let note = record.into_note(self.note_ids.id(place)?, now);
                    page.notes.push(Note { conversation, ..note });
                }
            }
            if is_last {
                break;
            }
        }
        Ok(page)
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
        if found.iter().all(|(_, record, _)| record.is_some()) {
            return Ok(found);
        }
        // The inbox may have got a new key since they were read.
        self.read_notes(owner, from, end, limit).await
    }

    async fn read_notes(&self, owner: AccountId, from: NotePlace, end: NotePlace, limit: usize) -> Result<Vec<Found>> {
        let select = "SELECT n.place, n.sealed, c.id FROM note n \
             LEFT JOIN conversation c ON c.owner = n.owner AND c.place = n.place \
             WHERE n.owner = $1 AND n.place >= $2 AND n.place < $3 ORDER BY n.place DESC LIMIT $4";
        let (from, end) = (&from.bytes()[..], &end.bytes()[..]);
        let found = once_more!(self.record.read(select, &[&owner.0, &from, &end, &rows(limit)]))?;
        let places = found.iter().map(|row| NotePlace::at_end_of(row.get(0))).collect::<Result<Vec<_>>>()?;
        let all: Vec<_> = places.iter().zip(&found).map(|(place, row)| sealed(owner, *place, row.get(1))).collect();
        let opened = self.keys.open_all::<NoteRecord>("note", &all).await?;
        let conversation = |row: &Row| row.get::<_, Option<Uuid>>(2).map(ConversationId);
        let all = places.into_iter().zip(opened).zip(&found);
        Ok(all.map(|((place, record), row)| (place, record, conversation(row))).collect())
    }
}
