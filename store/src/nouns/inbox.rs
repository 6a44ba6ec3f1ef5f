//! Inboxes. A note is a row under its owner and its place, so a page is one range of keys, however
//! many notes others have.

use std::collections::HashMap;
use std::sync::Arc;

use async_trait::async_trait;
use tokio::sync::mpsc::UnboundedReceiver;

use crate::account::{AccountId, Timestamp};
use crate::error::{Result, StoreError};
use crate::inbox::place::NotePlace;
use crate::inbox::{Arrival, Changed, Delivered, Flags, Inbox, InboxChange, NoteId, Page, SentHash, Shelf, Summary};
use crate::nouns::answer::take_all_down;
use crate::nouns::conversation::ending::{end_most_of, end_of_note, end_some_of};
use crate::nouns::shield::sweeping::forget_most_of;
use crate::nouns::shield::{begun_prefix, held_prefix, remove_beside};
use crate::nouns::{Common, Nouns};
use crate::rows::{Call, Effect, Keep, PutRecords, ReadRecords, Reads, Rows, Told, Wants};
use crate::seals::keyring::Owner;
use crate::shapes::answer::publicity_key;
use crate::shapes::conversation::of_note_key;
use crate::shapes::inbox::{InboxRecord, NoteRecord};
use crate::table::{Table, account_key, inbox_key, key, note_key, starred_key};
use crate::text::NoteText;

mod delivery;
pub(in crate::nouns) mod lapsing;
pub(in crate::nouns) mod sent;
mod shelves;
pub(crate) mod sweeping;
pub(super) use delivery::{Admitted, admit, wants_of};
pub(super) use sent::{has_come, row_of};
use shelves::SetFlags;

/// Tells the owner's windows of a change, which left so many notes unread.
pub(super) fn tell<R: Rows>(rows: &mut R, owner: AccountId, unread: u32, what: Changed) {
    rows.tell(Told::Inbox { owner, unread, what });
}

/// Has the notes of an inbox sealed with a new key: the old one still opens what was removed.
pub(super) fn mark_stale<R: Rows>(rows: &mut R, owner: AccountId) {
    rows.put(key(Table::Stale, &[owner.0.as_bytes()]), Vec::new());
}

/// What is read to change a note: its inbox, itself, archived or not, and what is beside it.
pub(super) fn wants_of_note(owner: AccountId, place: NotePlace) -> Wants {
    let notes = [place, place.archived()].map(|at| note_key(owner, at));
    let beside = [publicity_key(owner, place), of_note_key(owner, place.bytes()), starred_key(owner, place)];
    Wants::rows(notes.into_iter().chain(beside).chain([inbox_key(owner)]))
}

async fn inbox<R: Reads>(rows: &R, owner: AccountId) -> Result<InboxRecord> {
    rows.record(&inbox_key(owner)).await?.ok_or(StoreError::NotFound)
}

/// A note, and where it is: in the archive, or not.
pub(super) async fn note<R: Reads>(rows: &R, owner: AccountId, place: NotePlace) -> Result<(NotePlace, NoteRecord)> {
    for at in [place, place.archived()] {
        if let Some(record) = rows.sealed(&note_key(owner, at)).await? {
            return Ok((at, record));
        }
    }
    Err(StoreError::NotFound)
}

/// A note that its inbox shows at `now`, where it is, and the inbox then.
pub(super) async fn shown_note<R: Reads>(
    rows: &R,
    owner: AccountId,
    place: NotePlace,
    now: Timestamp,
) -> Result<(InboxRecord, NotePlace, NoteRecord)> {
    let mut inbox = inbox(rows, owner).await?;
    inbox.settle(now);
    if !inbox.shows(place.number()) {
        return Err(StoreError::NotFound);
    }
    let (at, record) = note(rows, owner, place).await?;
    Ok((inbox, at, record))
}

/// The record of an inbox, or a new one before the first note. It goes with its account.
pub(super) async fn inbox_or_new<R: Reads>(rows: &R, owner: AccountId) -> Result<InboxRecord> {
    if !rows.has(&key(Table::Account, &[owner.0.as_bytes()])).await? {
        return Err(StoreError::NotFound);
    }
    Ok(rows.record(&inbox_key(owner)).await?.unwrap_or_default())
}

/// Stores an inbox that may have changed.
async fn keep_inbox<R: Rows>(rows: &mut R, owner: AccountId, inbox: InboxRecord) -> Result<()> {
    let is_new = rows.record(&inbox_key(owner)).await? != Some(inbox);
    if is_new { rows.put_record(inbox_key(owner), &inbox) } else { Ok(()) }
}

/// How many notes an owner was shown in the last minutes.
pub(super) async fn shown_lately<R: Reads>(rows: &R, owner: AccountId, now: Timestamp) -> Result<u32> {
    let inbox: Option<InboxRecord> = rows.record(&inbox_key(owner)).await?;
    Ok(inbox.map_or(0, |inbox| inbox.shown_lately(now)))
}

struct Deliver {
    common: Arc<Common>,
    owner: AccountId,
    arrival: Arrival,
}

impl Call for Deliver {
    type Out = Delivered;
    type Error = StoreError;
    const EFFECT: Effect = Effect::Grows;
    const TOGETHER: bool = true;

    fn locks(&self) -> Vec<Vec<u8>> {
        vec![account_key(self.owner)]
    }

    fn wants(&self) -> Wants {
        wants_of(self.owner, &self.arrival)
    }

    fn made(&self) -> Option<(Vec<u8>, Delivered)> {
        Some((row_of(self.owner, &self.arrival)?, Delivered::Waits))
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<Delivered> {
        if has_come(rows, self.owner, &self.arrival).await? {
            return Ok(Delivered::Waits);
        }
        let admitted = admit(rows, &self.common.note_ids, self.owner, self.arrival.clone()).await?;
        admitted.tell(rows, self.owner);
        Ok(admitted.delivered)
    }
}

struct MarkSeen {
    owner: AccountId,
    place: NotePlace,
    now: Timestamp,
}

impl Call for MarkSeen {
    type Out = u32;
    type Error = StoreError;
    const EFFECT: Effect = Effect::Replaces;
    const TOGETHER: bool = true;

    fn locks(&self) -> Vec<Vec<u8>> {
        vec![account_key(self.owner)]
    }

    fn wants(&self) -> Wants {
        Wants::rows([inbox_key(self.owner), note_key(self.owner, self.place)])
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<u32> {
        let Self { owner, place, now } = *self;
        let (mut inbox, at, record) = shown_note(rows, owner, place, now).await?;
        if !record.seen {
            if !at.is_archived() {
                inbox.note_seen();
            }
            let seen = NoteRecord { seen: true, ..record };
            rows.put_sealed(Owner::Inbox(owner.0), note_key(owner, at), &seen).await?;
        }
        keep_inbox(rows, owner, inbox).await?;
        tell(rows, owner, inbox.unread, Changed::Seen);
        Ok(inbox.unread)
    }
}

struct Remove {
    owner: AccountId,
    place: NotePlace,
    now: Timestamp,
}

impl Call for Remove {
    type Out = u32;
    type Error = StoreError;
    const EFFECT: Effect = Effect::Shrinks;
    const TOGETHER: bool = true;

    fn locks(&self) -> Vec<Vec<u8>> {
        vec![account_key(self.owner)]
    }

    fn wants(&self) -> Wants {
        wants_of_note(self.owner, self.place)
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<u32> {
        let Self { owner, place, now } = *self;
        let (inbox, at) = if place.is_held() {
            // One that is held back was never counted.
            let (at, _) = note(rows, owner, place).await?;
            (inbox(rows, owner).await?, at)
        } else {
            let (mut inbox, at, record) = shown_note(rows, owner, place, now).await?;
            inbox.note_removed(record.seen || at.is_archived());
            (inbox, at)
        };
        let ended = end_of_note(rows, owner, place, now).await?;
        remove_beside(rows, owner, at).await?;
        rows.remove(starred_key(owner, place));
        keep_inbox(rows, owner, inbox).await?;
        tell(rows, owner, inbox.unread, Changed::List);
        rows.tell(Told::Ended { owner, ended, with_account: false });
        Ok(inbox.unread)
    }
}

/// The prefixes of what an inbox has but the notes that were delivered.
fn besides(owner: AccountId) -> [Vec<u8>; 4] {
    let held = held_prefix(owner);
    let publicity = key(Table::Publicity, &[&held[1..]]);
    [held, begun_prefix(owner), publicity, key(Table::KnownTag, &[owner.0.as_bytes()])]
}

struct RemoveAll {
    owner: AccountId,
    now: Timestamp,
}

impl Call for RemoveAll {
    type Out = ();
    type Error = StoreError;
    const EFFECT: Effect = Effect::Shrinks;

    fn locks(&self) -> Vec<Vec<u8>> {
        vec![account_key(self.owner)]
    }

    fn wants(&self) -> Wants {
        Wants::rows([inbox_key(self.owner)])
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<()> {
        let Self { owner, now } = *self;
        let mut inbox = inbox_or_new(rows, owner).await?;
        // As long as the inbox still tells which of them were shown.
        let ended = end_some_of(rows, owner, now, usize::MAX).await?;
        inbox.clear();
        rows.put_record(inbox_key(owner), &inbox)?;
        rows.destroy_keys(Owner::Inbox(owner.0)).await?;
        let decoy = NotePlace::decoy();
        rows.remove(note_key(owner, decoy));
        rows.remove(publicity_key(owner, decoy));
        for prefix in besides(owner) {
            rows.under(&prefix).await?.into_iter().for_each(|(at, _)| rows.remove(at));
        }
        // No note can be read any more. The sweeper removes them, a few at a
        // time, since there may be ten thousand. If a crash keeps the old key,
        // the sweeper destroys that, too.
        mark_stale(rows, owner);
        take_all_down(rows, owner).await?;
        tell(rows, owner, 0, Changed::List);
        rows.tell(Told::Ended { owner, ended, with_account: false });
        Ok(())
    }
}

struct SetBatches {
    owner: AccountId,
    in_batches: bool,
    now: Timestamp,
}

impl Call for SetBatches {
    type Out = u32;
    type Error = StoreError;
    const EFFECT: Effect = Effect::Replaces;
    const TOGETHER: bool = true;

    fn locks(&self) -> Vec<Vec<u8>> {
        vec![account_key(self.owner)]
    }

    fn wants(&self) -> Wants {
        Wants::rows([inbox_key(self.owner)])
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<u32> {
        let mut inbox = inbox_or_new(rows, self.owner).await?;
        inbox.set_batches(self.in_batches, self.now);
        rows.put_record(inbox_key(self.owner), &inbox)?;
        tell(rows, self.owner, inbox.unread, Changed::List);
        Ok(inbox.unread)
    }
}

#[async_trait]
impl<K: Keep> Inbox for Nouns<K> {
    fn changes(&self) -> UnboundedReceiver<InboxChange> {
        self.0.common().inbox_changes.receive()
    }

    fn last_change(&self) -> u64 {
        self.0.common().inbox_changes.count()
    }

    async fn deliver(&self, owner: AccountId, arrival: Arrival) -> Result<Delivered> {
        let common = self.0.common().clone();
        self.0.call(Deliver { common, owner, arrival }).await
    }

    async fn has_come(&self, owner: AccountId, sent: SentHash, now: Timestamp) -> Result<bool> {
        sent::look(&self.0.look(), owner, sent, now).await
    }

    async fn page_of_shelf(
        &self,
        owner: AccountId,
        shelf: Shelf,
        before: Option<NoteId>,
        limit: usize,
        now: Timestamp,
    ) -> Result<Page> {
        shelves::page(&self.0.look(), self.0.common(), owner, shelf, before, limit, now).await
    }

    async fn words_of(&self, owner: AccountId, note: NoteId, now: Timestamp) -> Result<Option<(NoteText, Timestamp)>> {
        let rows = self.0.look();
        let Some(mut inbox) = rows.record::<InboxRecord>(&inbox_key(owner)).await? else { return Ok(None) };
        inbox.settle(now);
        let place = self.0.common().note_ids.place(note)?;
        if !(inbox.shows(place.number()) || place.is_still_held(now)) {
            return Ok(None);
        }
        match self::note(&rows, owner, place).await {
            Ok((_, record)) => Ok(Some(record.into_note(note, now)).map(|note| (note.text, note.date))),
            Err(StoreError::NotFound) => Ok(None),
            Err(error) => Err(error),
        }
    }

    async fn mark_seen(&self, owner: AccountId, note: NoteId, now: Timestamp) -> Result<u32> {
        let place = self.0.common().note_ids.place(note)?;
        self.0.call(MarkSeen { owner, place, now }).await
    }

    async fn set_flags(&self, owner: AccountId, note: NoteId, flags: Flags, now: Timestamp) -> Result<u32> {
        let place = self.0.common().note_ids.place(note)?;
        self.0.call(SetFlags { owner, place, flags, now }).await
    }

    async fn bring_back(&self, owner: AccountId, note: NoteId, now: Timestamp) -> Result<()> {
        let place = self.0.common().note_ids.place(note)?;
        if !self.0.look().has(&note_key(owner, place.archived())).await? {
            return Ok(());
        }
        let flags = Flags { archived: Some(false), ..Flags::default() };
        match self.0.call(SetFlags { owner, place, flags, now }).await {
            // It was just deleted.
            Ok(_) | Err(StoreError::NotFound) => Ok(()),
            Err(error) => Err(error),
        }
    }

    async fn remove(&self, owner: AccountId, note: NoteId, now: Timestamp) -> Result<u32> {
        let place = self.0.common().note_ids.place(note)?;
        self.0.call(Remove { owner, place, now }).await
    }

    async fn remove_all(&self, owner: AccountId, now: Timestamp) -> Result<()> {
        end_most_of(&self.0, owner, Some(now)).await?;
        for prefix in besides(owner) {
            forget_most_of(&self.0, owner, &prefix).await?;
        }
        self.0.call(RemoveAll { owner, now }).await
    }

    async fn is_in_batches(&self, owner: AccountId) -> Result<bool> {
        let inbox = self.0.look().record::<InboxRecord>(&inbox_key(owner)).await?;
        Ok(inbox.is_some_and(|inbox| inbox.in_batches))
    }

    async fn summaries(&self, owners: Vec<AccountId>, now: Timestamp) -> Result<HashMap<AccountId, Summary>> {
        let (rows, mut summaries) = (self.0.look(), HashMap::with_capacity(owners.len()));
        rows.fetch(Wants::rows(owners.iter().map(|owner| inbox_key(*owner)))).await?;
        for owner in owners {
            let mut inbox: InboxRecord = rows.record(&inbox_key(owner)).await?.unwrap_or_default();
            inbox.settle(now);
            summaries.insert(owner, Summary { unread: inbox.unread, in_batches: inbox.in_batches });
        }
        Ok(summaries)
    }

    async fn set_batches(&self, owner: AccountId, in_batches: bool, now: Timestamp) -> Result<u32> {
        self.0.call(SetBatches { owner, in_batches, now }).await
    }
}
