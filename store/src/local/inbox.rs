//! Inboxes on this machine. A note's key is its owner and its place, so a page is
//! one range of keys, however many notes others have.

use annon_contract::limits::HELD_NOTES;
use async_trait::async_trait;
use tokio::sync::mpsc::UnboundedReceiver;

use crate::account::{AccountId, Timestamp};
use crate::batch::NoteSlot;
use crate::conversation::Ended;
use crate::error::{Result, StoreError};
use crate::inbox::place::{NoteIds, NotePlace};
use crate::inbox::{Arrival, Changed, Delivered, Inbox, InboxChange, Note, NoteId, Page};
use crate::local::Local;
use crate::local::answer::take_all_down;
use crate::local::conversation::{end_of_note, end_some_of};
use crate::local::shield::{begun_prefix, held_prefixes, know, remove_beside};
use crate::local::transaction::Transaction;
use crate::rows::Effect::{self, Grows, Replaces, Shrinks};
use crate::seals::keyring::Owner;
use crate::shapes::answer::{Publicity, publicity_key};
use crate::shapes::inbox::{InboxRecord, NoteRecord, TagRecord};
use crate::shield::{Fate, TagHash, day_of};
use crate::table::{Table, inbox_key, key, note_key};
use crate::text::NoteText;

/// The range of keys of the notes that were there when the inbox was last
/// emptied, or of what is beside them in another table.
pub(crate) fn cleared(table: Table, owner: AccountId, inbox: InboxRecord) -> (Vec<u8>, Vec<u8>) {
    let all = key(table, &[owner.0.as_bytes()]);
    let first = NotePlace::first(inbox.cleared + 1);
    let end = if inbox.cleared == 0 { all.clone() } else { key(table, &[owner.0.as_bytes(), first.bytes()]) };
    (all, end)
}

/// Has the notes of an inbox sealed with a new key: the old one still opens what was removed.
pub(crate) fn mark_stale(transaction: &mut Transaction<'_>, owner: AccountId) {
    transaction.put_bytes(key(Table::Stale, &[owner.0.as_bytes()]), Vec::new());
}

/// A note that its inbox shows at `now`, and the inbox then.
pub(crate) fn shown_note(
    transaction: &Transaction<'_>,
    owner: AccountId,
    place: NotePlace,
    now: Timestamp,
) -> Result<(InboxRecord, NoteRecord)> {
    let mut inbox: InboxRecord = transaction.record(&inbox_key(owner))?.ok_or(StoreError::NotFound)?;
    inbox.settle(now);
    if !inbox.shows(place.number()) {
        return Err(StoreError::NotFound);
    }
    Ok((inbox, transaction.sealed(&note_key(owner, place))?.ok_or(StoreError::NotFound)?))
}

/// The range of keys of the tags of those notes.
pub(crate) fn cleared_tags(owner: AccountId, inbox: InboxRecord) -> (Vec<u8>, Vec<u8>) {
    let tag_of = |number| note_key(owner, NotePlace::first(number).of_tag());
    (tag_of(0), tag_of(if inbox.cleared == 0 { 0 } else { inbox.cleared + 1 }))
}

/// The record of an inbox, or a new one before the first note. It goes with its account.
pub(crate) fn inbox_or_new(transaction: &Transaction<'_>, owner: AccountId) -> Result<InboxRecord> {
    if !transaction.has(&key(Table::Account, &[owner.0.as_bytes()]))? {
        return Err(StoreError::NotFound);
    }
    Ok(transaction.record(&inbox_key(owner))?.unwrap_or_default())
}

/// A note that has got its place.
pub(crate) struct Admitted {
    pub(crate) delivered: Delivered,
    pub(crate) place: NotePlace,
    pub(crate) date: Timestamp,
}

/// Stores a note that arrives. Of one that is dropped only the tag is remembered, as of every note.
/// Something of its length takes the place of the last such one, so that its sender waits for as
/// large a commit as others do.
pub(crate) fn admit(
    transaction: &mut Transaction<'_>,
    note_ids: &NoteIds,
    owner: AccountId,
    Arrival { text, now, shuffle, only_for_you, fate, tag }: Arrival,
) -> Result<Admitted> {
    let whose = Owner::Inbox(owner.0);
    let mut inbox = inbox_or_new(transaction, owner)?;
    let NoteSlot { place, date, waits } = inbox.admit(now, fate)?;
    if let Some(tag) = tag {
        know(transaction, owner, tag, now)?;
    }
    // A conversation needs a place of its own, also if its note is dropped.
    let place = if fate.is_delivered() { NotePlace::new(place, shuffle) } else { NotePlace::held(now, shuffle) };
    if transaction.current_key(whose).is_none() {
        transaction.new_key(whose)?;
    }
    if fate == Fate::Held {
        let held = transaction.under(&held_prefixes(owner)[0])?;
        if held.len() >= HELD_NOTES
            && let Some((oldest, _)) = held.first()
        {
            remove_beside(transaction, owner, NotePlace::at_end_of(oldest)?)?;
        }
    }
    let (kept_at, text, tag) = match fate {
        Fate::Dropped => (NotePlace::decoy(), text.decoy(), tag.map(|_| TagHash::DECOY)),
        Fate::Delivered | Fate::Held | Fate::Released => (place, text, tag),
    };
    let record = NoteRecord { text, date, seen: false };
    let at = note_key(owner, kept_at);
    // Two notes of one batch or of one minute drew the same shuffle.
    if (waits || fate == Fate::Held) && fate != Fate::Dropped && transaction.has(&at)? {
        return Err(StoreError::Conflict);
    }
    transaction.put_sealed(whose, at, &record)?;
    if let Some(tag) = tag {
        transaction.put_sealed(whose, note_key(owner, kept_at.of_tag()), &TagRecord { tag, day: day_of(now) })?;
    }
    if only_for_you {
        let at = publicity_key(owner, kept_at);
        // No commit has what stays as it is. So of two notes that are dropped one leaves this, and the
        // other removes it.
        if fate == Fate::Dropped && transaction.has(&at)? {
            transaction.remove(at);
        } else {
            transaction.put(at, &Publicity::OnlyForYou)?;
        }
    }
    transaction.put(inbox_key(owner), &inbox)?;
    let delivered = if waits || !fate.is_delivered() {
        Delivered::Waits
    } else {
        let note = Note { only_for_you, ..record.into_note(note_ids.id(place)?, now) };
        Delivered::Shown { note, unread: inbox.unread }
    };
    Ok(Admitted { delivered, place, date })
}

impl Local {
    /// Changes one note that is shown, and returns how many are still unread. What `change`
    /// returns are the conversations that it has ended.
    async fn change_note(
        &self,
        owner: AccountId,
        note: NoteId,
        now: Timestamp,
        effect: Effect,
        what: Changed,
        change: impl FnOnce(&mut Transaction<'_>, &mut InboxRecord, Vec<u8>, NoteRecord) -> Result<Vec<Ended>>
        + Send
        + 'static,
    ) -> Result<u32> {
        let place = self.note_ids.place(note)?;
        let work = move |transaction: &mut Transaction<'_>| {
            let (mut inbox, record) = if place.is_held() && effect == Shrinks {
                let inbox = transaction.record(&inbox_key(owner))?.ok_or(StoreError::NotFound)?;
                (inbox, transaction.sealed(&note_key(owner, place))?.ok_or(StoreError::NotFound)?)
            } else {
                shown_note(transaction, owner, place, now)?
            };
            let ended = change(transaction, &mut inbox, note_key(owner, place), record)?;
            if transaction.record(&inbox_key(owner))? != Some(inbox) {
                transaction.put(inbox_key(owner), &inbox)?;
            }
            Ok((inbox.unread, ended))
        };
        let (tell, conversations) = (self.teller(owner, what), self.conversation_changes.clone());
        let tell = move |(unread, ended): &(u32, Vec<Ended>)| {
            tell(unread);
            conversations.ended(owner, ended);
        };
        self.committer.write_then(effect, work, tell).await.map(|(unread, _)| unread)
    }

    /// How many notes an owner was shown in the last minutes.
    pub(super) fn shown_lately(&self, owner: AccountId, now: Timestamp) -> Result<u32> {
        let inbox: Option<InboxRecord> = self.record(&inbox_key(owner))?;
        Ok(inbox.map_or(0, |inbox| inbox.shown_lately(now)))
    }

    /// A function that reports a change, which left so many notes unread.
    pub(super) fn teller(&self, owner: AccountId, what: Changed) -> impl FnOnce(&u32) + Send + use<> {
        let changes = self.inbox_changes.clone();
        move |unread| changes.send(owner, *unread, what)
    }
}

#[async_trait]
impl Inbox for Local {
    fn changes(&self) -> UnboundedReceiver<InboxChange> {
        self.inbox_changes.receive()
    }

    fn last_change(&self) -> u64 {
        self.inbox_changes.count()
    }

    async fn deliver(&self, owner: AccountId, arrival: Arrival) -> Result<Delivered> {
        let (note_ids, changes) = (self.note_ids.clone(), self.inbox_changes.clone());
        let work = move |transaction: &mut Transaction<'_>| {
            admit(transaction, &note_ids, owner, arrival).map(|Admitted { delivered, .. }| delivered)
        };
        let tell = move |delivered: &Delivered| {
            if let Delivered::Shown { note, unread } = delivered {
                changes.send(owner, *unread, Changed::Arrived(note.clone()));
            }
        };
        self.committer.write_then(Grows, work, tell).await
    }

    async fn page(&self, owner: AccountId, before: Option<NoteId>, limit: usize, now: Timestamp) -> Result<Page> {
        let mut page = Page { notes: Vec::new(), unread: 0 };
        // The record is read before the notes, so that every note that is shown
        // is counted. When an account is deleted, its record goes first.
        let Some(mut inbox) = self.record::<InboxRecord>(&inbox_key(owner))? else { return Ok(page) };
        inbox.settle(now);
        page.unread = inbox.unread;
        let (all, emptied) = cleared(Table::Note, owner, inbox);
        let hidden = NotePlace::first(inbox.hidden_from());
        let end = before.map(|note| self.note_ids.place(note)).transpose()?.map_or(hidden, |before| before.min(hidden));
        let pairs = self.index.range(emptied.max(all), note_key(owner, end)).rev();
        page.notes = self.page_of("note", pairs, limit, |key, record: NoteRecord| {
            let place = NotePlace::at_end_of(key)?;
            let note = record.into_note(self.note_ids.id(place)?, now);
            let (only_for_you, answer) = self.publicity_of(owner, place)?;
            Ok(Note { conversation: self.conversation_of_note(owner, place)?, only_for_you, answer, ..note })
        })?;
        Ok(page)
    }

    async fn words_of(&self, owner: AccountId, note: NoteId, now: Timestamp) -> Result<Option<(NoteText, Timestamp)>> {
        let Some(mut inbox) = self.record::<InboxRecord>(&inbox_key(owner))? else { return Ok(None) };
        inbox.settle(now);
        let place = self.note_ids.place(note)?;
        if !(inbox.shows(place.number()) || place.is_still_held(now)) {
            return Ok(None);
        }
        let found: Option<NoteRecord> = self.sealed(&note_key(owner, place))?;
        Ok(found.map(|record| record.into_note(note, now)).map(|note| (note.text, note.date)))
    }

    async fn mark_seen(&self, owner: AccountId, note: NoteId, now: Timestamp) -> Result<u32> {
        let change = move |transaction: &mut Transaction<'_>, inbox: &mut InboxRecord, at, record: NoteRecord| {
            if !record.seen {
                inbox.note_seen();
                transaction.put_sealed(Owner::Inbox(owner.0), at, &NoteRecord { seen: true, ..record })?;
            }
            Ok(Vec::new())
        };
        self.change_note(owner, note, now, Replaces, Changed::Seen, change).await
    }

    async fn remove(&self, owner: AccountId, note: NoteId, now: Timestamp) -> Result<u32> {
        let change =
            move |transaction: &mut Transaction<'_>, inbox: &mut InboxRecord, at: Vec<u8>, record: NoteRecord| {
                let place = NotePlace::at_end_of(&at)?;
                // One that is held back was never counted.
                if !place.is_held() {
                    inbox.note_removed(record.seen);
                }
                let ended = end_of_note(transaction, owner, place, now)?;
                remove_beside(transaction, owner, place)?;
                Ok::<_, StoreError>(ended)
            };
        self.change_note(owner, note, now, Shrinks, Changed::List, change).await
    }

    async fn remove_all(&self, owner: AccountId, now: Timestamp) -> Result<()> {
        self.end_most_of(owner, Some(now)).await?;
        let work = move |transaction: &mut Transaction<'_>| {
            let mut inbox = inbox_or_new(transaction, owner)?;
            // As long as the inbox still tells which of them were shown.
            let ended = end_some_of(transaction, owner, now, usize::MAX)?;
            inbox.clear();
            transaction.put(inbox_key(owner), &inbox)?;
            transaction.destroy_keys(Owner::Inbox(owner.0));
            let [held, tags_of_held] = held_prefixes(owner);
            let publicity = key(Table::Publicity, &[&held[1..]]);
            let decoy = NotePlace::decoy();
            transaction.remove(note_key(owner, decoy));
            transaction.remove(note_key(owner, decoy.of_tag()));
            transaction.remove(publicity_key(owner, decoy));
            let known = key(Table::KnownTag, &[owner.0.as_bytes()]);
            for prefix in [held, tags_of_held, begun_prefix(owner), publicity, known] {
                transaction.under(&prefix)?.into_iter().for_each(|(at, _)| transaction.remove(at));
            }
            // No note can be read any more. The sweeper removes them, a few at a
            // time, since there may be ten thousand. If a crash keeps the old key,
            // the sweeper destroys that, too.
            mark_stale(transaction, owner);
            take_all_down(transaction, owner)?;
            Ok::<_, StoreError>(ended)
        };
        let (tell, conversations) = (self.teller(owner, Changed::List), self.conversation_changes.clone());
        let tell = move |ended: &Vec<Ended>| {
            tell(&0);
            conversations.ended(owner, ended);
        };
        self.committer.write_then(Shrinks, work, tell).await.map(drop)
    }

    async fn is_in_batches(&self, owner: AccountId) -> Result<bool> {
        Ok(self.record::<InboxRecord>(&inbox_key(owner))?.is_some_and(|inbox| inbox.in_batches))
    }

    async fn set_batches(&self, owner: AccountId, in_batches: bool, now: Timestamp) -> Result<u32> {
        let work = move |transaction: &mut Transaction<'_>| {
            let mut inbox = inbox_or_new(transaction, owner)?;
            inbox.set_batches(in_batches, now);
            transaction.put(inbox_key(owner), &inbox)?;
            Ok(inbox.unread)
        };
        self.committer.write_then(Replaces, work, self.teller(owner, Changed::List)).await
    }
}
