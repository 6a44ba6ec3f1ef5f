//! Shields on this machine. A shield is one record with a key of its own. Notes that are
//! held back, and the tags of notes, are beside the notes and sealed with their key, so
//! that they get a new key together.

use std::sync::Arc;

use async_trait::async_trait;
use uuid::Uuid;

use crate::account::{AccountId, Timestamp};
use crate::error::{Result, StoreError};
use crate::inbox::place::NotePlace;
use crate::inbox::{Arrival, Changed, Delivered, Note, NoteId};
use crate::local::Local;
use crate::local::answer::forget_publicity;
use crate::local::conversation::move_to;
use crate::local::inbox::{Admitted, admit, inbox_or_new, mark_stale};
use crate::local::transaction::Transaction;
use crate::rows::Effect::{Grows, Replaces};
use crate::seals::keyring::Owner;
use crate::seals::sealed_with;
use crate::shapes::answer::{Publicity, publicity_key};
use crate::shapes::conversation::BegunRecord;
use crate::shapes::inbox::{InboxRecord, NoteRecord, TagRecord};
use crate::shapes::shield::{DayRecord, day_of_tags_key, known_tag_key, shield_key};
use crate::shield::{Blocked, Change, Fate, Shield, Shields, TagHash, day_of, first_known_day, held_since};
use crate::table::{Table, id_after_table, inbox_key, key, note_key};

/// Owners whose tags or held notes one transaction looks at, at most this many keys.
const CHUNK: usize = 256;

/// The prefix of the keys of notes that are held back, and of their tags.
pub(crate) fn held_prefixes(owner: AccountId) -> [Vec<u8>; 2] {
    let held = NotePlace::held(0, 0);
    [held, held.of_tag()].map(|place| key(Table::Note, &[owner.0.as_bytes(), &place.bytes()[..1]]))
}

/// The prefix of the keys of what was begun with tags.
pub(crate) fn begun_prefix(owner: AccountId) -> Vec<u8> {
    key(Table::Note, &[owner.0.as_bytes(), &[NotePlace::of_all_begun()]])
}

/// Remembers that a tag came to an inbox.
pub(crate) fn know(transaction: &mut Transaction<'_>, owner: AccountId, tag: TagHash, now: Timestamp) -> Result<()> {
    let day = day_of(now);
    // What was noted of today is there already, with the day's mark.
    if transaction.record(&known_tag_key(owner, tag))? == Some(DayRecord(day)) {
        return Ok(());
    }
    transaction.put_bytes(day_of_tags_key(day, owner), Vec::new());
    transaction.put(known_tag_key(owner, tag), &DayRecord(day))
}

/// Removes a note and what is beside it, its tag included. Its conversation stays.
pub(crate) fn remove_beside(transaction: &mut Transaction<'_>, owner: AccountId, place: NotePlace) -> Result<()> {
    transaction.remove(note_key(owner, place));
    transaction.remove(note_key(owner, place.of_tag()));
    // The commit log still has the note: the sweeper seals the others with a
    // new key, and destroys this one.
    mark_stale(transaction, owner);
    forget_publicity(transaction, owner, place).map(drop)
}

/// The tag that a note came with, if it is still known.
fn tag_of(
    transaction: &Transaction<'_>,
    owner: AccountId,
    place: NotePlace,
    now: Timestamp,
) -> Result<Option<TagHash>> {
    let found: Option<TagRecord> = transaction.sealed(&note_key(owner, place.of_tag()))?;
    Ok(found.filter(|found| found.day >= first_known_day(now)).map(|found| found.tag))
}

/// Whether the owner can see the note at this place.
fn is_theirs(transaction: &Transaction<'_>, owner: AccountId, place: NotePlace, now: Timestamp) -> Result<bool> {
    let mut inbox: InboxRecord = transaction.record(&inbox_key(owner))?.unwrap_or_default();
    inbox.settle(now);
    Ok((place.is_held() || inbox.shows(place.number())) && transaction.has(&note_key(owner, place))?)
}

impl Local {
    /// Removes notes that were held back long ago. Their conversations go on: each ends a while after its last line.
    pub(super) async fn drop_old_held(&self, now: Timestamp) -> Result<usize> {
        let mut dropped = 0;
        for id in self.owners_of_shields()? {
            loop {
                let (from, to) = (NotePlace::held(0, 0), NotePlace::held_since(held_since(now)));
                let old = self.index.range(note_key(id, from), note_key(id, to)).take(CHUNK);
                let old = old.map(|pair| NotePlace::at_end_of(&pair?.0)).collect::<Result<Vec<_>>>()?;
                let count = old.len();
                if count == 0 {
                    break;
                }
                let work = move |transaction: &mut Transaction<'_>| {
                    old.into_iter().try_for_each(|place| remove_beside(transaction, id, place))
                };
                self.committer.write(Replaces, work).await?;
                dropped += count;
            }
        }
        Ok(dropped)
    }

    /// A shield as it is now.
    pub(super) fn open_shield(&self, owner: AccountId) -> Result<Arc<Shield>> {
        let at = shield_key(owner);
        let Some(sealed) = self.index.read(&at)? else { return Ok(Arc::default()) };
        let key = sealed_with(&sealed)?;
        if let Some(open) = self.open_shields.find(owner, key) {
            return Ok(open);
        }
        match self.unseal(&at, &sealed).map(Arc::new) {
            Ok(shield) => {
                self.open_shields.keep(owner, key, &shield);
                Ok(shield)
            }
            Err(StoreError::NotFound) => Ok(Arc::default()),
            Err(error) => Err(error),
        }
    }

    fn owners_of_shields(&self) -> Result<Vec<AccountId>> {
        self.index.under(&key(Table::Shield, &[])).map(|pair| id_after_table(&pair?.0).map(AccountId)).collect()
    }

    /// Forgets the tags of days that are over.
    pub(super) async fn drop_old_tags(&self, now: Timestamp) -> Result<()> {
        let first = first_known_day(now);
        let until = key(Table::DayOfTags, &[&first.to_be_bytes()]);
        let days = self.index.range(key(Table::DayOfTags, &[]), until).map(|pair| Ok(pair?.0));
        for day in days.collect::<Result<Vec<_>>>()? {
            let owner = day.get(5..).map(uuid::Uuid::from_slice).and_then(std::result::Result::ok);
            let owner = AccountId(owner.ok_or(StoreError::Corrupt)?);
            let mut old = Vec::new();
            for pair in self.index.under(&key(Table::KnownTag, &[owner.0.as_bytes()])) {
                let (at, value) = pair?;
                let last: DayRecord = crate::shapes::decode(&value)?;
                old.extend((last.0 < first).then_some(at));
            }
            for (from, to) in NotePlace::all_tags() {
                for pair in self.index.range(note_key(owner, from), note_key(owner, to)) {
                    let (at, sealed) = pair?;
                    // What can't be read is of no use, either.
                    let is_known = self.unseal::<TagRecord>(&at, &sealed).is_ok_and(|found| found.day >= first);
                    old.extend((!is_known).then_some(at));
                }
            }
            self.forget_begun(owner, first).await?;
            // The mark of the day goes last, since a crash may come before.
            old.push(day);
            for some in old.chunks(CHUNK) {
                let some = some.to_vec();
                let stale = key(Table::Stale, &[owner.0.as_bytes()]);
                let forget = move |transaction: &mut Transaction<'_>| {
                    some.into_iter().for_each(|at| transaction.remove(at));
                    transaction.put_bytes(stale, Vec::new());
                };
                self.change(Replaces, forget).await?;
            }
        }
        Ok(())
    }

    /// Forgets which conversations were begun with a tag on days that are over.
    async fn forget_begun(&self, owner: AccountId, first: u32) -> Result<()> {
        let all = self.index.under(&begun_prefix(owner)).map(|pair| Ok(pair?.0)).collect::<Result<Vec<_>>>()?;
        for some in all.chunks(CHUNK) {
            let some = some.to_vec();
            let forget = move |transaction: &mut Transaction<'_>| {
                for at in some {
                    // What can't be read is of no use.
                    let begun = transaction.sealed::<BegunRecord>(&at).ok().flatten();
                    let mut left = begun.clone().unwrap_or_default();
                    left.forget_before(first);
                    if begun.is_some_and(|begun| begun == left) {
                        continue;
                    }
                    mark_stale(transaction, owner);
                    match left.0.is_empty() {
                        true => transaction.remove(at),
                        false => transaction.put_sealed(Owner::Inbox(owner.0), at, &left)?,
                    }
                }
                Ok::<_, StoreError>(())
            };
            self.committer.write(Replaces, forget).await?;
        }
        Ok(())
    }
}

#[async_trait]
impl Shields for Local {
    async fn shield(&self, owner: AccountId) -> Result<Shield> {
        self.open_shield(owner).map(Arc::unwrap_or_clone)
    }

    async fn knows(&self, owner: AccountId, tag: TagHash, now: Timestamp) -> Result<bool> {
        let last: Option<DayRecord> = self.record(&known_tag_key(owner, tag))?;
        Ok(last.is_some_and(|last| last.0 >= first_known_day(now)))
    }

    async fn change(&self, owner: AccountId, change: Change, now: Timestamp) -> Result<Shield> {
        let place = match &change {
            Change::Block { note, .. } => Some(self.note_ids.place(*note)?),
            Change::Set(_) | Change::Unblock(_) => None,
        };
        let work = move |transaction: &mut Transaction<'_>| {
            inbox_or_new(transaction, owner)?;
            let mut shield: Shield = transaction.sealed(&shield_key(owner))?.unwrap_or_default();
            let tag = match place {
                Some(place) if is_theirs(transaction, owner, place, now)? => tag_of(transaction, owner, place, now)?,
                Some(_) => return Err(StoreError::NotFound),
                None => None,
            };
            shield.change(change, tag, now)?;
            let whose = Owner::Shield(owner.0);
            let old = transaction.current_key(whose).map(|key| key.id);
            transaction.new_key(whose)?;
            old.into_iter().for_each(|old| transaction.destroy_key(old));
            transaction.put_sealed(whose, shield_key(owner), &shield)?;
            Ok(shield)
        };
        let changed = self.committer.write(Replaces, work).await;
        self.open_shields.drop_of(owner);
        changed
    }

    async fn blocked(&self, owner: AccountId, before: Option<Uuid>, limit: usize) -> Result<Vec<Blocked>> {
        let blocks = self.open_shield(owner)?.page(before, limit)?;
        let with_text = |block: crate::shield::Block| {
            let place = self.note_ids.place(block.note)?;
            let note = self.sealed::<NoteRecord>(&note_key(owner, place));
            Ok(Blocked { block, text: note.ok().flatten().map(|note| note.text) })
        };
        blocks.into_iter().map(with_text).collect()
    }

    async fn held(&self, owner: AccountId, before: Option<NoteId>, limit: usize, now: Timestamp) -> Result<Vec<Note>> {
        let from = NotePlace::held_since(held_since(now));
        let end = NotePlace::end_of_held();
        let end = before.map(|note| self.note_ids.place(note)).transpose()?.map_or(end, |before| before.min(end));
        let pairs = self.index.range(note_key(owner, from), note_key(owner, end.max(from))).rev();
        self.page_of("note", pairs, limit, |key, record: NoteRecord| {
            Ok(record.into_note(self.note_ids.id(NotePlace::at_end_of(key)?)?, now))
        })
    }

    async fn show(&self, owner: AccountId, note: NoteId, shuffle: u64, now: Timestamp) -> Result<Delivered> {
        let (held, note_ids) = (self.note_ids.place(note)?, self.note_ids.clone());
        let work = move |transaction: &mut Transaction<'_>| {
            if !held.is_held() {
                return Err(StoreError::NotFound);
            }
            let whose = Owner::Inbox(owner.0);
            let NoteRecord { text, .. } = transaction.sealed(&note_key(owner, held))?.ok_or(StoreError::NotFound)?;
            let tag: Option<TagRecord> = transaction.sealed(&note_key(owner, held.of_tag()))?;
            let publicity = publicity_key(owner, held);
            let only_for_you = transaction.record::<Publicity>(&publicity)?.is_some();
            transaction.remove(publicity);
            let arrival = Arrival { only_for_you, fate: Fate::Released, ..Arrival::new(text, now, shuffle) };
            let Admitted { mut delivered, place, .. } = admit(transaction, &note_ids, owner, arrival)?;
            if let Some(tag) = tag {
                transaction.put_sealed(whose, note_key(owner, place.of_tag()), &tag)?;
            }
            transaction.remove(note_key(owner, held));
            transaction.remove(note_key(owner, held.of_tag()));
            let id = move_to(transaction, owner, held, place, note_ids.id(place)?)?;
            if let Delivered::Shown { note, .. } = &mut delivered {
                note.conversation = id;
            }
            Ok(delivered)
        };
        let inbox = self.inbox_changes.clone();
        let tell = move |delivered: &Delivered| {
            if let Delivered::Shown { note, unread } = delivered {
                inbox.send(owner, *unread, Changed::Arrived(note.clone()));
            }
        };
        self.committer.write_then(Grows, work, tell).await
    }
}
