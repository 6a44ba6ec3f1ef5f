//! Shields in the record. A shield is one row, with a key of its own that is replaced with
//! every change. Notes that are held back are in the table of notes, and tags in their records.
//! Whoever changes any of them has locked the row of the account.

use std::sync::Arc;

use annon_contract::limits::HELD_NOTES;
use async_trait::async_trait;
use uuid::Uuid;
use zeroize::Zeroizing;

use crate::account::{AccountId, Timestamp};
use crate::conversation::{Conversation, ConversationId};
use crate::error::{Result, StoreError};
use crate::inbox::place::NotePlace;
use crate::inbox::{Arrival, Changed, Delivered, Note, NoteId};
use crate::postgres::conversation;
use crate::postgres::errors::Failure;
use crate::postgres::inbox::{seal, sealed};
use crate::postgres::keys::Sealed;
use crate::postgres::{Open, Postgres, Transaction, once_more, rows};
use crate::seals::keyring::Owner;
use crate::seals::{KeyId, SealKey, sealed_with};
use crate::shapes::conversation::BegunRecord;
use crate::shapes::encode;
use crate::shapes::inbox::NoteRecord;
use crate::shapes::shield::shield_key;
use crate::shield::{Block, Blocked, Change, Fate, Shield, Shields, TagHash, day_of, first_known_day, held_since};

/// Writes what is at a place anew.
const RESEAL: &str = "UPDATE note SET sealed = $3 WHERE owner = $1 AND place = $2";

/// The day on the record's clock, whose tags are not known any more.
const FIRST_KNOWN: &str = "SELECT floor(extract(epoch FROM clock_timestamp()))::int8";

pub(super) fn of_shield(owner: AccountId, bytes: Vec<u8>) -> Sealed {
    Sealed { owner: Owner::Shield(owner.0).into(), place: shield_key(owner), bytes }
}

pub(super) fn day(day: u32) -> i32 {
    i32::try_from(day).unwrap_or(i32::MAX)
}

impl Transaction {
    /// Remembers that a tag came to an inbox.
    pub(super) async fn know(&mut self, owner: AccountId, tag: TagHash, now: Timestamp) -> Result<(), Failure> {
        let know = "WITH day AS (INSERT INTO day_of_tags (day, owner) VALUES ($3, $1) ON CONFLICT DO NOTHING) \
             INSERT INTO known_tag (owner, tag, day) VALUES ($1, $2, $3) \
             ON CONFLICT (owner, tag) DO UPDATE SET day = excluded.day";
        self.query(know, &[&owner.0, &&tag.0[..], &day(day_of(now))]).await.map(drop)
    }

    /// Removes the notes between two places, and what is beside them. Their conversations go on.
    pub(super) async fn remove_notes_between(
        &mut self,
        owner: AccountId,
        from: NotePlace,
        to: NotePlace,
    ) -> Result<(), Failure> {
        let delete = "DELETE FROM note WHERE owner = $1 AND place >= $2 AND place < $3 RETURNING place";
        let removed = self.query(delete, &[&owner.0, &&from.bytes()[..], &&to.bytes()[..]]).await?;
        for row in &removed {
            self.forget_publicity(owner, row.get(0)).await?;
        }
        if !removed.is_empty() {
            self.mark_stale(owner).await?;
        }
        Ok(())
    }

    /// Forgets the shield of an account, and all that its inbox knows of tags.
    pub(super) async fn remove_shield(&mut self, owner: AccountId) -> Result<(), Failure> {
        let delete = "DELETE FROM shield WHERE owner = $1 RETURNING sealed";
        for row in self.query(delete, &[&owner.0]).await? {
            self.doom(Owner::Shield(owner.0), sealed_with(row.get(0))?).await?;
        }
        self.query("DELETE FROM known_tag WHERE owner = $1", &[&owner.0]).await?;
        self.query("DELETE FROM day_of_tags WHERE owner = $1", &[&owner.0]).await.map(drop)
    }

    pub(super) async fn note_at(&mut self, owner: AccountId, place: NotePlace) -> Result<Option<Vec<u8>>, Failure> {
        let select = "SELECT sealed FROM note WHERE owner = $1 AND place = $2";
        let found = self.query(select, &[&owner.0, &&place.bytes()[..]]).await?;
        Ok(found.first().map(|row| row.get(0)))
    }
}

impl Open {
    async fn stored_shield(&self, owner: AccountId) -> Result<Shield> {
        // It may get a new key between the two reads.
        for _ in 0..3 {
            let found = once_more!(self.record.read("SELECT sealed FROM shield WHERE owner = $1", &[&owner.0]))?;
            let Some(row) = found.first() else { return Ok(Shield::default()) };
            if let Some(shield) = self.keys.open(&of_shield(owner, row.get(0))).await? {
                return Ok(shield);
            }
        }
        Err(StoreError::Corrupt)
    }

    /// The shield that was sealed with this key, or a later one.
    pub(super) async fn open_shield(&self, owner: AccountId, key: KeyId) -> Result<Arc<Shield>> {
        if let Some(open) = self.common.open_shields.find(owner, key) {
            return Ok(open);
        }
        let shield = Arc::new(self.stored_shield(owner).await?);
        self.common.open_shields.keep(owner, key, &shield);
        Ok(shield)
    }

    async fn try_change_shield(
        &self,
        owner: AccountId,
        change: &Change,
        now: Timestamp,
        key: &SealKey,
    ) -> Result<Shield, Failure> {
        let mut transaction = self.record.begin().await?;
        let inbox = transaction.lock_inbox(owner).await?;
        let mut tag = None;
        if let Change::Block { note, .. } = change {
            let place = self.common.note_ids.place(*note)?;
            let mut inbox = inbox.stored.unwrap_or_default();
            inbox.settle(now);
            let is_theirs = place.is_held() || inbox.shows(place.number());
            let note = transaction.note_at(owner, place).await?.filter(|_| is_theirs).ok_or(StoreError::NotFound)?;
            let found: Option<NoteRecord> = self.keys.open(&sealed(owner, place, note)).await?;
            tag = found.and_then(|found| found.tag_since(first_known_day(now)));
        }
        let found = transaction.query("SELECT sealed FROM shield WHERE owner = $1", &[&owner.0]).await?;
        let mut shield = Shield::default();
        if let Some(row) = found.first() {
            let old = of_shield(owner, row.get(0));
            shield = self.keys.open(&old).await?.ok_or(StoreError::Corrupt)?;
            transaction.doom(Owner::Shield(owner.0), sealed_with(&old.bytes)?).await?;
        }
        shield.change(change.clone(), tag, now)?;
        let sealed = key.seal(&shield_key(owner), &Zeroizing::new(encode(&shield)?))?;
        let store = "INSERT INTO shield (owner, sealed) VALUES ($1, $2) \
             ON CONFLICT (owner) DO UPDATE SET sealed = excluded.sealed";
        transaction.query(store, &[&owner.0, &sealed]).await?;
        transaction.commit().await?;
        Ok(shield)
    }

    async fn change_shield(&self, owner: AccountId, change: Change, now: Timestamp) -> Result<Shield> {
        let _turn = self.turns.take(owner).await;
        let whose = Owner::Shield(owner.0);
        let key = self.keys.birth(whose).await?;
        let changed = once_more!(self.try_change_shield(owner, &change, now, &key));
        match changed {
            Ok(_) => self.bury().await?,
            // Both keys stay: one of them is the shield's.
            Err(Failure::Unknown) => {}
            Err(_) => self.keys.destroy(&[(whose.into(), key.id)]).await?,
        }
        self.common.open_shields.drop_of(owner);
        Ok(changed?)
    }

    async fn try_show(
        &self,
        owner: AccountId,
        from: NotePlace,
        shuffle: u64,
        now: Timestamp,
    ) -> Result<Delivered, Failure> {
        let mut transaction = self.record.begin().await?;
        let inbox = transaction.lock_inbox(owner).await?;
        let bytes = transaction.note_at(owner, from).await?.ok_or(StoreError::NotFound)?;
        let record: NoteRecord = self.keys.open(&sealed(owner, from, bytes)).await?.ok_or(StoreError::NotFound)?;
        let key = inbox.key.ok_or(StoreError::Corrupt)?;
        let key = self.keys.key((Owner::Inbox(owner.0).into(), key)).await?.ok_or(StoreError::Corrupt)?;
        let at = &from.bytes()[..];
        let forget = "DELETE FROM only_for_you WHERE owner = $1 AND place = $2 RETURNING 1";
        let only_for_you = !transaction.query(forget, &[&owner.0, &at]).await?.is_empty();
        let arrival = Arrival { only_for_you, fate: Fate::Released, ..Arrival::new(record.text, now, shuffle) };
        let (mut delivered, to, _) =
            self.admit(&mut transaction, owner, inbox.stored.unwrap_or_default(), &arrival, &key).await?;
        let shown = sealed(owner, to, transaction.note_at(owner, to).await?.ok_or(StoreError::NotFound)?);
        let shown: NoteRecord = self.keys.open(&shown).await?.ok_or(StoreError::NotFound)?;
        let shown = seal(owner, &key, to, &NoteRecord { tag: record.tag, ..shown })?;
        transaction.query(RESEAL, &[&owner.0, &&to.bytes()[..], &shown]).await?;
        transaction.query("DELETE FROM note WHERE owner = $1 AND place = $2", &[&owner.0, &at]).await?;
        let id = self.move_conversation(&mut transaction, owner, from, to).await?;
        transaction.commit().await?;
        if let Delivered::Shown { note, .. } = &mut delivered {
            note.conversation = id;
        }
        Ok(delivered)
    }

    /// Has a conversation follow its note, if there is one: the note was held back.
    async fn move_conversation(
        &self,
        transaction: &mut Transaction,
        owner: AccountId,
        from: NotePlace,
        to: NotePlace,
    ) -> Result<Option<ConversationId>, Failure> {
        let select = "SELECT id, sealed FROM conversation WHERE owner = $1 AND place = $2 FOR NO KEY UPDATE";
        let found = transaction.query(select, &[&owner.0, &&from.bytes()[..]]).await?;
        let Some(row) = found.first() else { return Ok(None) };
        let (id, bytes) = (ConversationId(row.get(0)), row.get::<_, Vec<u8>>(1));
        let key: KeyId = sealed_with(&bytes)?;
        let opened = self.keys.open::<Conversation>(&conversation::sealed(id, bytes)).await?;
        let mut one = opened.ok_or(StoreError::Corrupt)?;
        let key = self.keys.key((Owner::Conversation(id.0).into(), key)).await?.ok_or(StoreError::Corrupt)?;
        one.note = self.common.note_ids.id(to)?;
        let update = "UPDATE conversation SET place = $2, sealed = $3 WHERE id = $1";
        let sealed = conversation::seal(id, &key, &one)?;
        transaction.query(update, &[&id.0, &&to.bytes()[..], &sealed]).await?;
        Ok(Some(id))
    }

    async fn try_held(
        &self,
        owner: AccountId,
        from: NotePlace,
        end: NotePlace,
        limit: usize,
    ) -> Result<Vec<(NotePlace, Vec<u8>)>, Failure> {
        let select = "SELECT place, sealed FROM note WHERE owner = $1 AND place >= $2 AND place < $3 \
             ORDER BY place DESC LIMIT $4";
        let found = self.record.read(select, &[&owner.0, &&from.bytes()[..], &&end.bytes()[..], &rows(limit)]).await?;
        found.iter().map(|row| Ok((NotePlace::at_end_of(row.get(0))?, row.get(1)))).collect()
    }

    pub(super) async fn record_clock(&self) -> Result<Timestamp> {
        let found = once_more!(self.record.read(FIRST_KNOWN, &[]))?;
        Ok(found.first().map_or(0, |row| row.get::<_, i64>(0).unsigned_abs()))
    }

    /// Forgets the tags of days that are over, and notes that were held back long ago.
    pub(super) async fn drop_old_of_shields(&self) -> Result<()> {
        let now = self.record_clock().await?;
        let first = first_known_day(now);
        let select = "SELECT DISTINCT owner FROM day_of_tags WHERE day < $1";
        for row in once_more!(self.record.read(select, &[&day(first)]))? {
            once_more!(self.try_forget_tags(AccountId(row.get(0)), first))?;
        }
        let (from, end) = (NotePlace::held(0, 0), NotePlace::end_of_held());
        let select = "SELECT s.owner FROM shield s WHERE EXISTS (SELECT 1 FROM note n \
             WHERE n.owner = s.owner AND n.place >= $1 AND n.place < $2)";
        for row in once_more!(self.record.read(select, &[&&from.bytes()[..], &&end.bytes()[..]]))? {
            let until = once_more!(self.first_held(AccountId(row.get(0)), now))?;
            once_more!(self.try_drop_held(AccountId(row.get(0)), from, until))?;
        }
        Ok(())
    }

    /// The lowest place of notes that are held back and stay so (`first_held` in `nouns/shield.rs`).
    async fn first_held(&self, owner: AccountId, now: Timestamp) -> Result<NotePlace, Failure> {
        let (first, end) = (NotePlace::held_since(held_since(now)), NotePlace::end_of_held());
        let select = "SELECT place FROM note WHERE owner = $1 AND place >= $2 AND place < $3 \
             ORDER BY place DESC OFFSET $4 LIMIT 1";
        let (from, end) = (&first.bytes()[..], &end.bytes()[..]);
        let found = self.record.read(select, &[&owner.0, &from, &end, &rows(HELD_NOTES - 1)]).await?;
        Ok(found.first().map_or(Ok(first), |row| NotePlace::at_end_of(row.get(0)))?)
    }

    async fn try_drop_held(&self, owner: AccountId, from: NotePlace, until: NotePlace) -> Result<(), Failure> {
        let mut transaction = self.record.begin().await?;
        transaction.lock_inbox(owner).await?;
        transaction.remove_notes_between(owner, from, until).await?;
        transaction.commit().await
    }

    /// Forgets with which tags notes came on days that are over.
    async fn forget_tags_of_notes(
        &self,
        transaction: &mut Transaction,
        owner: AccountId,
        first: u32,
    ) -> Result<(), Failure> {
        for (from, to) in NotePlace::all_notes() {
            let select = "SELECT place, sealed FROM note WHERE owner = $1 AND place >= $2 AND place < $3";
            let found = transaction.query(select, &[&owner.0, &&from.bytes()[..], &&to.bytes()[..]]).await?;
            let places = found.iter().map(|row| NotePlace::at_end_of(row.get(0))).collect::<Result<Vec<_>>>()?;
            let all: Vec<_> = places.iter().zip(&found).map(|(place, row)| sealed(owner, *place, row.get(1))).collect();
            // Nobody can read the tag of a note that can't be read.
            let opened = self.keys.open_all::<NoteRecord>("note", &all).await?;
            for ((place, note), stored) in places.into_iter().zip(opened).zip(&all) {
                let Some(note) = note.filter(|note| note.has_tag_before(first)) else { continue };
                let key = (Owner::Inbox(owner.0).into(), sealed_with(&stored.bytes)?);
                let key = self.keys.key(key).await?.ok_or(StoreError::Corrupt)?;
                let bytes = seal(owner, &key, place, &NoteRecord { tag: None, ..note })?;
                transaction.query(RESEAL, &[&owner.0, &&place.bytes()[..], &bytes]).await?;
                transaction.mark_stale(owner).await?;
            }
        }
        Ok(())
    }

    /// Forgets which conversations were begun with a tag on days that are over.
    async fn forget_begun(&self, transaction: &mut Transaction, owner: AccountId, first: u32) -> Result<(), Failure> {
        let select = "SELECT place, sealed FROM note WHERE owner = $1 AND place >= $2 AND place < $3";
        let (from, to) = NotePlace::all_begun();
        let found = transaction.query(select, &[&owner.0, &&from.bytes()[..], &&to.bytes()[..]]).await?;
        let places = found.iter().map(|row| NotePlace::at_end_of(row.get(0))).collect::<Result<Vec<_>>>()?;
        let all: Vec<_> = places.iter().zip(&found).map(|(place, row)| sealed(owner, *place, row.get(1))).collect();
        let opened = self.keys.open_all::<BegunRecord>("conversations of a tag", &all).await?;
        for ((place, before), sealed) in places.into_iter().zip(opened).zip(all) {
            let mut left = before.clone().unwrap_or_default();
            left.forget_before(first);
            if before.is_some_and(|before| before == left) {
                continue;
            }
            let at = &place.bytes()[..];
            if left.0.is_empty() {
                transaction.query("DELETE FROM note WHERE owner = $1 AND place = $2", &[&owner.0, &at]).await?;
            } else {
                let key = (Owner::Inbox(owner.0).into(), sealed_with(&sealed.bytes)?);
                let key = self.keys.key(key).await?.ok_or(StoreError::Corrupt)?;
                let bytes = key.seal(&sealed.place, &Zeroizing::new(encode(&left)?))?;
                transaction.query(RESEAL, &[&owner.0, &at, &bytes]).await?;
            }
            transaction.mark_stale(owner).await?;
        }
        Ok(())
    }

    async fn try_forget_tags(&self, owner: AccountId, first: u32) -> Result<(), Failure> {
        let mut transaction = self.record.begin().await?;
        // An account that is gone has no tags.
        if !matches!(transaction.lock_inbox(owner).await, Err(Failure::Store(StoreError::NotFound))) {
            self.forget_tags_of_notes(&mut transaction, owner, first).await?;
            self.forget_begun(&mut transaction, owner, first).await?;
        }
        let forget = "DELETE FROM known_tag WHERE owner = $1 AND day < $2";
        transaction.query(forget, &[&owner.0, &day(first)]).await?;
        let forget = "DELETE FROM day_of_tags WHERE owner = $1 AND day < $2";
        transaction.query(forget, &[&owner.0, &day(first)]).await?;
        transaction.commit().await
    }
}

#[async_trait]
impl Shields for Postgres {
    async fn shield(&self, owner: AccountId) -> Result<Shield> {
        self.stored_shield(owner).await
    }

    async fn knows(&self, owner: AccountId, tag: TagHash, now: Timestamp) -> Result<bool> {
        let select = "SELECT 1 FROM known_tag WHERE owner = $1 AND tag = $2 AND day >= $3";
        let known = once_more!(self.record.read(select, &[&owner.0, &&tag.0[..], &day(first_known_day(now))]))?;
        Ok(!known.is_empty())
    }

    async fn change(&self, owner: AccountId, change: Change, now: Timestamp) -> Result<Shield> {
        let this = self.clone();
        self.see_through(async move { this.change_shield(owner, change, now).await }).await
    }

    async fn blocked(&self, owner: AccountId, before: Option<Uuid>, limit: usize) -> Result<Vec<Blocked>> {
        let blocks = self.stored_shield(owner).await?.page(before, limit)?;
        let places = blocks.iter().map(|block| self.common.note_ids.place(block.note)).collect::<Result<Vec<_>>>()?;
        let wanted: Vec<_> = places.iter().map(|place| place.bytes().to_vec()).collect();
        let select = "SELECT place, sealed FROM note WHERE owner = $1 AND place = ANY ($2)";
        let found = once_more!(self.record.read(select, &[&owner.0, &wanted]))?;
        let there = found.iter().map(|row| NotePlace::at_end_of(row.get(0))).collect::<Result<Vec<_>>>()?;
        let all: Vec<_> = there.iter().zip(&found).map(|(place, row)| sealed(owner, *place, row.get(1))).collect();
        let opened = self.keys.open_all::<NoteRecord>("note", &all).await?;
        let text_of = |place: &NotePlace| {
            let at = there.iter().position(|there| there == place)?;
            opened[at].as_ref().map(|note| note.text.clone())
        };
        let with_text = |(block, place): (Block, &NotePlace)| Blocked { block, text: text_of(place) };
        Ok(blocks.into_iter().zip(&places).map(with_text).collect())
    }

    async fn held(&self, owner: AccountId, before: Option<NoteId>, limit: usize, now: Timestamp) -> Result<Vec<Note>> {
        let from = once_more!(self.first_held(owner, now))?;
        let end = NotePlace::end_of_held();
        let end =
            before.map(|note| self.common.note_ids.place(note)).transpose()?.map_or(end, |before| before.min(end));
        let found = once_more!(self.try_held(owner, from, end, limit))?;
        let all: Vec<_> = found.into_iter().map(|(place, bytes)| (place, sealed(owner, place, bytes))).collect();
        let (places, all): (Vec<_>, Vec<_>) = all.into_iter().unzip();
        let opened = self.keys.open_all::<NoteRecord>("note", &all).await?;
        let readable = places.into_iter().zip(opened).filter_map(|(place, record)| Some((place, record?)));
        readable.map(|(place, record)| Ok(record.into_note(self.common.note_ids.id(place)?, now))).collect()
    }

    async fn show(&self, owner: AccountId, note: NoteId, shuffle: u64, now: Timestamp) -> Result<Delivered> {
        let this = self.clone();
        let work = async move {
            let from = this.common.note_ids.place(note)?;
            if !from.is_held() {
                return Err(StoreError::NotFound);
            }
            let _turn = this.turns.take(owner).await;
            let delivered = once_more!(this.try_show(owner, from, shuffle, now))?;
            if let Delivered::Shown { note, unread } = &delivered {
                this.common.inbox_changes.send(owner, *unread, Changed::Arrived(note.clone()));
            }
            Ok(delivered)
        };
        self.see_through(work).await
    }
}
