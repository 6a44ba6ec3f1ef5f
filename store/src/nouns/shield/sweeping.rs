//! What a shield forgets: notes that were held back long ago, and tags of days that are over.

use uuid::Uuid;

use super::{begun_prefix, first_held, remove_beside};
use crate::account::{AccountId, Timestamp};
use crate::error::{Result, StoreError};
use crate::inbox::place::NotePlace;
use crate::nouns::inbox::mark_stale;
use crate::rows::{Call, Effect, Keep, PutRecords, ReadRecords, Reads, Rows, Span};
use crate::seals::keyring::Owner;
use crate::shapes::conversation::BegunRecord;
use crate::shapes::decode;
use crate::shapes::inbox::NoteRecord;
use crate::shapes::shield::DayRecord;
use crate::shield::first_known_day;
use crate::table::{Table, account_key, id_after_table, key, note_key};

/// Keys that one transaction looks at, at most.
const CHUNK: usize = 256;

struct DropHeld {
    owner: AccountId,
    old: Vec<NotePlace>,
}

impl Call for DropHeld {
    type Out = ();
    type Error = StoreError;
    const EFFECT: Effect = Effect::Replaces;

    fn locks(&self) -> Vec<Vec<u8>> {
        vec![account_key(self.owner)]
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<()> {
        for place in &self.old {
            remove_beside(rows, self.owner, *place).await?;
        }
        Ok(())
    }
}

/// Removes rows of an inbox that its key seals, or that tell of tags.
struct Forget {
    owner: AccountId,
    rows: Vec<Vec<u8>>,
}

impl Call for Forget {
    type Out = ();
    type Error = StoreError;
    const EFFECT: Effect = Effect::Replaces;

    fn locks(&self) -> Vec<Vec<u8>> {
        vec![account_key(self.owner)]
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<()> {
        self.rows.iter().for_each(|at| rows.remove(at.clone()));
        mark_stale(rows, self.owner);
        Ok(())
    }
}

/// Removes most of the rows under a prefix, some at a time, so that other calls don't wait long.
pub(in crate::nouns) async fn forget_most_of<K: Keep>(keep: &K, owner: AccountId, prefix: &[u8]) -> Result<()> {
    loop {
        let some = keep.look().range(Span::under(prefix), CHUNK + 1).await?;
        if some.len() <= CHUNK {
            return Ok(());
        }
        keep.call(Forget { owner, rows: some.into_iter().map(|(at, _)| at).collect() }).await?;
    }
}

/// Forgets the tags with which notes came before a day.
struct ForgetTags {
    owner: AccountId,
    notes: Vec<Vec<u8>>,
    first: u32,
}

impl Call for ForgetTags {
    type Out = ();
    type Error = StoreError;
    const EFFECT: Effect = Effect::Replaces;

    fn locks(&self) -> Vec<Vec<u8>> {
        vec![account_key(self.owner)]
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<()> {
        for at in &self.notes {
            // It may be gone meanwhile.
            let note = rows.sealed::<NoteRecord>(at).await?.filter(|note| note.has_tag_before(self.first));
            if let Some(note) = note {
                let note = NoteRecord { tag: None, ..note };
                rows.put_sealed(Owner::Inbox(self.owner.0), at.clone(), &note).await?;
                mark_stale(rows, self.owner);
            }
        }
        Ok(())
    }
}

/// Forgets which conversations were begun with tags before a day.
struct ForgetBegun {
    owner: AccountId,
    rows: Vec<Vec<u8>>,
    first: u32,
}

impl Call for ForgetBegun {
    type Out = ();
    type Error = StoreError;
    const EFFECT: Effect = Effect::Replaces;

    fn locks(&self) -> Vec<Vec<u8>> {
        vec![account_key(self.owner)]
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<()> {
        for at in &self.rows {
            // What can't be read is of no use.
            let begun = rows.sealed::<BegunRecord>(at).await.ok().flatten();
            let mut left = begun.clone().unwrap_or_default();
            left.forget_before(self.first);
            if begun.is_some_and(|begun| begun == left) {
                continue;
            }
            mark_stale(rows, self.owner);
            match left.0.is_empty() {
                true => rows.remove(at.clone()),
                false => rows.put_sealed(Owner::Inbox(self.owner.0), at.clone(), &left).await?,
            }
        }
        Ok(())
    }
}

/// Removes notes that were held back long ago, and those that are too many. Their conversations go on: each ends a
/// while after its last line.
pub(in crate::nouns) async fn drop_old_held<K: Keep>(keep: &K, now: Timestamp) -> Result<usize> {
    let mut dropped = 0;
    for shield in keep.look().keys(Span::under(&key(Table::Shield, &[]))).await? {
        let owner = AccountId(id_after_table(&shield)?);
        let (from, to) = (NotePlace::held(0, 0), first_held(&keep.look(), owner, now).await?);
        loop {
            let old = keep.look().range(Span::new(note_key(owner, from), note_key(owner, to)), CHUNK).await?;
            let old = old.iter().map(|(at, _)| NotePlace::at_end_of(at)).collect::<Result<Vec<_>>>()?;
            if old.is_empty() {
                break;
            }
            dropped += old.len();
            keep.call(DropHeld { owner, old }).await?;
        }
    }
    Ok(dropped)
}

/// Forgets the tags of days that are over.
pub(in crate::nouns) async fn drop_old_tags<K: Keep>(keep: &K, now: Timestamp) -> Result<()> {
    let first = first_known_day(now);
    let over = Span::new(key(Table::DayOfTags, &[]), key(Table::DayOfTags, &[&first.to_be_bytes()]));
    for day in keep.look().keys(over).await? {
        let owner = day.get(5..).and_then(|id| Uuid::from_slice(id).ok());
        let owner = AccountId(owner.ok_or(StoreError::Corrupt)?);
        let mut old = old_tags(&keep.look(), owner, first).await?;
        forget_tags_of_notes(keep, owner, first).await?;
        forget_begun(keep, owner, first).await?;
        // The mark of the day goes last, since a crash may come before.
        old.push(day);
        for rows in old.chunks(CHUNK) {
            keep.call(Forget { owner, rows: rows.to_vec() }).await?;
        }
    }
    Ok(())
}

/// The rows of an inbox that tell of tags which last came before a day.
async fn old_tags<R: Reads>(rows: &R, owner: AccountId, first: u32) -> Result<Vec<Vec<u8>>> {
    let mut old = Vec::new();
    for (at, value) in rows.under(&key(Table::KnownTag, &[owner.0.as_bytes()])).await? {
        let DayRecord(last) = decode(&value)?;
        old.extend((last < first).then_some(at));
    }
    Ok(old)
}

async fn forget_tags_of_notes<K: Keep>(keep: &K, owner: AccountId, first: u32) -> Result<()> {
    let (rows, mut old) = (keep.look(), Vec::new());
    for (from, to) in NotePlace::all_notes() {
        for (at, sealed) in rows.range(Span::new(note_key(owner, from), note_key(owner, to)), usize::MAX).await? {
            // Nobody can read the tag of a note that can't be read.
            let note = rows.open::<NoteRecord>(&at, &sealed).await.ok().flatten();
            old.extend(note.is_some_and(|note| note.has_tag_before(first)).then_some(at));
        }
    }
    for notes in old.chunks(CHUNK) {
        keep.call(ForgetTags { owner, notes: notes.to_vec(), first }).await?;
    }
    Ok(())
}

async fn forget_begun<K: Keep>(keep: &K, owner: AccountId, first: u32) -> Result<()> {
    let all = keep.look().keys(Span::under(&begun_prefix(owner))).await?;
    for rows in all.chunks(CHUNK) {
        keep.call(ForgetBegun { owner, rows: rows.to_vec(), first }).await?;
    }
    Ok(())
}
