//! Inboxes in sled. A note's key begins with its owner, so a page is one
//! short walk, however many notes others have.

use std::sync::Arc;

use async_trait::async_trait;
use uuid::Uuid;

use crate::account::AccountId;
use crate::base::Base;
use crate::error::{Result, StoreError};
use crate::inbox::{Inbox, Note, NoteId, Page};
use crate::keyring::Owner;
use crate::limits::INBOX_NOTES;
use crate::record::{InboxCount, NoteRecord};
use crate::sled::unit::Unit;
use crate::sled::writer::Effect::{Grows, Shrinks};
use crate::sled::{Table, end_of, key};

pub(crate) struct SledInbox(pub(crate) Arc<Base>);

fn note_key(owner: AccountId, note: NoteId) -> Vec<u8> {
    key(Table::Note, &[owner.0.as_bytes(), note.0.as_bytes()])
}

fn count_key(owner: AccountId) -> Vec<u8> {
    key(Table::InboxCount, &[owner.0.as_bytes()])
}

/// The counts of an inbox that has had a note, which go with its account.
fn count(unit: &Unit<'_>, owner: AccountId) -> Result<Option<InboxCount>> {
    unit.record(&count_key(owner))
}

/// The id at the end of a note's key.
pub(crate) fn note_id(key: &[u8]) -> Result<Uuid> {
    key.last_chunk().copied().map(Uuid::from_bytes).ok_or(StoreError::Corrupt)
}

#[async_trait]
impl Inbox for SledInbox {
    async fn deliver(&self, owner: AccountId, note: Note) -> Result<u32> {
        let work = move |unit: &mut Unit<'_>| {
            let (at, whose) = (note_key(owner, note.id), Owner::Inbox(owner.0));
            if !unit.has(&key(Table::Account, &[owner.0.as_bytes()]))? {
                return Err(StoreError::NotFound);
            }
            if unit.has(&at)? {
                return Err(StoreError::Conflict);
            }
            let mut count = count(unit, owner)?.unwrap_or_default();
            if count.total >= INBOX_NOTES {
                return Err(StoreError::Full);
            }
            if unit.current_key(whose).is_none() {
                unit.new_key(whose)?;
            }
            count.total += 1;
            count.unread += u32::from(!note.seen);
            let record = NoteRecord { text: note.text, date: note.date, seen: note.seen };
            unit.put_sealed(whose, at, &record)?;
            unit.put(count_key(owner), &count)?;
            Ok(count.unread)
        };
        self.0.writer.write(Grows, work).await
    }

    async fn page(&self, owner: AccountId, before: Option<NoteId>, limit: usize) -> Result<Page> {
        let all = key(Table::Note, &[owner.0.as_bytes()]);
        let end = before.map_or_else(|| end_of(&all), |note| note_key(owner, note));
        let mut notes = Vec::new();
        for pair in self.0.reader.range(all, end).rev() {
            if notes.len() == limit {
                break;
            }
            let (key, sealed) = pair?;
            match self.0.open::<NoteRecord>(&key, &sealed) {
                Ok(record) => notes.push(record.into_note(note_id(&key)?)),
                // Deleted a moment ago, or beyond reading: that hides no other.
                Err(StoreError::NotFound | StoreError::Corrupt) => {}
                Err(error) => return Err(error),
            }
        }
        let counted = count_key(owner);
        let count = self.0.record::<InboxCount>(&counted)?;
        // It goes with the account. The notes follow a little later, and after
        // a crash so does their key.
        let Some(count) = count else { return Ok(Page { notes: Vec::new(), unread: 0 }) };
        Ok(Page { notes, unread: count.unread })
    }

    async fn mark_seen(&self, owner: AccountId, note: NoteId) -> Result<u32> {
        let work = move |unit: &mut Unit<'_>| {
            let at = note_key(owner, note);
            let record: NoteRecord = unit.sealed(&at)?.ok_or(StoreError::NotFound)?;
            let mut count = count(unit, owner)?.ok_or(StoreError::NotFound)?;
            if !record.seen {
                count.unread = count.unread.saturating_sub(1);
                unit.put_sealed(Owner::Inbox(owner.0), at, &NoteRecord { seen: true, ..record })?;
                unit.put(count_key(owner), &count)?;
            }
            Ok(count.unread)
        };
        self.0.writer.write(Shrinks, work).await
    }

    async fn remove(&self, owner: AccountId, note: NoteId) -> Result<u32> {
        let work = move |unit: &mut Unit<'_>| {
            let at = note_key(owner, note);
            let record: NoteRecord = unit.sealed(&at)?.ok_or(StoreError::NotFound)?;
            let mut count = count(unit, owner)?.ok_or(StoreError::NotFound)?;
            count.total = count.total.saturating_sub(1);
            count.unread = count.unread.saturating_sub(u32::from(!record.seen));
            unit.remove(at);
            unit.put(count_key(owner), &count)?;
            // The log still has it: the sweeper moves the others to a new
            // key and destroys this one's.
            unit.put_bytes(key(Table::Stale, &[owner.0.as_bytes()]), Vec::new());
            Ok(count.unread)
        };
        self.0.writer.write(Shrinks, work).await
    }
}
