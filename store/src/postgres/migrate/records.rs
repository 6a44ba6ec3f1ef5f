//! Copies staged records to the tables where they belong, some at a time, each with its
//! key.

use std::collections::{HashMap, HashSet};

use uuid::Uuid;
use zeroize::Zeroizing;

use super::{MigrateError, Migrated};
use crate::account::{Access, AccountId};
use crate::error::{Result, StoreError};
use crate::image::picture::Picture;
use crate::inbox::place::NotePlace;
use crate::local::signed_out;
use crate::personal_page::PersonalPage;
use crate::postgres::days::day_of;
use crate::postgres::errors::Failure;
use crate::postgres::keys::Whose;
use crate::postgres::lease::Parameters;
use crate::postgres::rooms::whose;
use crate::postgres::{Postgres, once_more, seconds};
use crate::progress::Progress;
use crate::room::{RoomId, Seq};
use crate::seals::keyring::{Keyring, Owner};
use crate::seals::{KeyId, SealKey, sealed_with};
use crate::shapes::account::AccountRecord;
use crate::shapes::answer::Publicity;
use crate::shapes::room::MetadataRecord;
use crate::shapes::{Record, decode, encode};
use crate::table::{Table, account_key, answer_key, end_of, id_after_table, key, log_key, note_key, room_key};

/// Records that are copied by one transaction.
const CHUNK: i64 = 500;
/// Pictures of reports that are copied by one transaction.
const PICTURES: i64 = 16;

/// A staged record: the key that the backup has for it, and its value.
pub(super) type Staged = (Vec<u8>, Vec<u8>);

pub(super) struct Copier<'a> {
    pub(super) engine: &'a Postgres,
    pub(super) keyring: Keyring,
    /// The room and the last place of the last record of a log.
    before: Option<(Uuid, u64)>,
    /// The reports that were copied, and how many of them are open.
    pub(super) reports: HashSet<Uuid>,
    pub(super) open_reports: u32,
    pub(super) migrated: Migrated,
}

impl<'a> Copier<'a> {
    pub(super) fn new(engine: &'a Postgres, keyring: Keyring) -> Self {
        let (reports, migrated) = (HashSet::new(), Migrated::default());
        Self { engine, keyring, before: None, reports, open_reports: 0, migrated }
    }

    /// Copies everything but the pictures. What belongs to somebody comes after them.
    pub(super) async fn copy_records(&mut self, progress: &Progress) -> Result<(), MigrateError> {
        for table in [
            Table::Account,
            Table::Note,
            Table::Publicity,
            Table::PersonalPage,
            Table::Shield,
            Table::KnownTag,
            Table::DayOfTags,
            Table::Conversation,
            Table::Room,
            Table::RoomLog,
            Table::Feedback,
            Table::Report,
            Table::ReportPicture,
            Table::Suspension,
            Table::Withheld,
            Table::Invitation,
            Table::Pause,
        ] {
            let mut after = key(table, &[]);
            while let Some(some) = self.next(table, &mut after).await? {
                progress.add(some.len() as u64);
                match table {
                    Table::Account => self.accounts(some).await?,
                    Table::Note => self.notes(some).await?,
                    Table::Publicity => self.publicity(some).await?,
                    Table::PersonalPage => self.personal_pages(some).await?,
                    Table::Shield => self.shields(some).await?,
                    Table::KnownTag => self.known_tags(some).await?,
                    Table::DayOfTags => self.days_of_tags(some).await?,
                    Table::Conversation => self.conversations(some).await?,
                    Table::Room => self.rooms(some).await?,
                    Table::RoomLog => self.log_records(some).await?,
                    Table::Suspension => self.suspensions(some).await?,
                    Table::Withheld => self.withheld(some).await?,
                    _ => self.kept(table, some).await?,
                }
            }
        }
        self.counts().await
    }

    /// The next staged records of a table; `None` after the last.
    async fn next(&self, table: Table, after: &mut Vec<u8>) -> Result<Option<Vec<Staged>>> {
        let end = end_of(&key(table, &[]));
        let select = "SELECT at, value FROM migrating WHERE at > $1 AND at < $2 ORDER BY at LIMIT $3";
        let at_once = if table == Table::ReportPicture { PICTURES } else { CHUNK };
        let rows = once_more!(self.engine.record.read(select, &[after, &end, &at_once]))?;
        let Some(last) = rows.last() else { return Ok(None) };
        *after = last.get(0);
        Ok(Some(rows.iter().map(|row| (row.get(0), row.get(1))).collect()))
    }

    /// The staged records with these keys.
    pub(super) async fn staged(&self, wanted: &[Vec<u8>]) -> Result<HashMap<Vec<u8>, Vec<u8>>> {
        let select = "SELECT at, value FROM migrating WHERE at = ANY ($1)";
        let rows = once_more!(self.engine.record.read(select, &[&wanted]))?;
        Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
    }

    /// Inserts rows with a statement that counts them, and returns how many there are.
    pub(super) async fn insert(&self, statement: &'static str, columns: Parameters<'_>) -> Result<u64> {
        Ok(once_more!(self.try_insert(statement, columns))?)
    }

    async fn try_insert(&self, statement: &'static str, columns: Parameters<'_>) -> Result<u64, Failure> {
        let mut transaction = self.engine.record.begin().await?;
        let rows = transaction.query(statement, columns).await?;
        transaction.commit().await?;
        Ok(rows.first().map_or(0, |row| row.get::<_, i64>(0).unsigned_abs()))
    }

    /// Opens a record. `None` if its key is destroyed, or it is damaged.
    pub(super) fn open<T: Record>(&mut self, at: &[u8], sealed: &[u8]) -> Option<(T, SealKey)> {
        let key = self.keyring.key(sealed_with(sealed).ok()?)?.clone();
        let record = key.open(at, sealed).map(Zeroizing::new).and_then(|plain| decode(&plain));
        self.migrated.damaged += u64::from(record.is_err());
        Some((record.ok()?, key))
    }

    /// A record as it is, or sealed with the key that its owner has now. `None` if its key
    /// is destroyed, or it is damaged.
    pub(super) fn with_key(&mut self, now: &SealKey, at: &[u8], sealed: Vec<u8>) -> Option<Vec<u8>> {
        let key = self.keyring.key(sealed_with(&sealed).ok()?)?;
        if key.id == now.id {
            return Some(sealed);
        }
        let again = key.open(at, &sealed).map(Zeroizing::new).and_then(|plain| now.seal(at, &plain));
        self.migrated.damaged += u64::from(again.is_err());
        again.ok()
    }

    async fn accounts(&mut self, some: Vec<Staged>) -> Result<(), MigrateError> {
        let of = |at: &[u8], table| key(table, &[&at[1..]]);
        let beside = [Table::Access, Table::Inbox, Table::Stale];
        let wanted: Vec<_> = some.iter().flat_map(|(at, _)| beside.map(|table| of(at, table))).collect();
        let mut theirs = self.staged(&wanted).await?;
        let mut keys: Vec<(Whose, SealKey)> = Vec::new();
        let (mut ids, mut names, mut emails, mut confirmed) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (mut targets, mut sealeds, mut accesses) = (Vec::new(), Vec::new(), Vec::new());
        let (mut inboxes, mut inbox_keys, mut stale) = (Vec::new(), Vec::new(), Vec::new());
        for (at, sealed) in some {
            let id = AccountId(id_after_table(&at)?);
            let Some((record, seal_key)) = self.open::<AccountRecord>(&account_key(id), &sealed) else { continue };
            let blinded = |word: String| self.engine.common.blinder.blind(&word).to_vec();
            let access = match theirs.remove(&of(&at, Table::Access)) {
                Some(access) => access,
                None => signed_out(&encode(&Access::default())?)?,
            };
            let inbox = theirs.remove(&of(&at, Table::Inbox));
            let inbox_key = inbox.as_ref().and_then(|_| self.keyring.current(Owner::Inbox(id.0)).cloned());
            ids.push(id.0);
            names.push(blinded(record.username.folded()));
            emails.push(blinded(record.email.folded()));
            confirmed.push(record.confirmed);
            targets.push(record.target.0);
            sealeds.push(sealed);
            accesses.push(access);
            inboxes.push(inbox);
            inbox_keys.push(inbox_key.as_ref().map(|key| key.id.0.cast_signed()));
            stale.push(theirs.remove(&of(&at, Table::Stale)).map(|_| 0_i64));
            keys.push((Owner::Account(id.0).into(), seal_key));
            keys.extend(inbox_key.map(|key| (Owner::Inbox(id.0).into(), key)));
        }
        self.engine.keys.take_over(&keys).await?;
        let insert = "WITH added AS (INSERT INTO account \
                 (id, name, email, confirmed, target, sealed, access, inbox, inbox_key, inbox_stale) \
             SELECT * FROM unnest($1::uuid[], $2::bytea[], $3::bytea[], $4::bool[], $5::uuid[], $6::bytea[], $7::bytea[], \
                 $8::bytea[], $9::int8[], $10::int8[]) RETURNING 1) SELECT count(*) FROM added";
        let columns: Parameters<'_> =
            &[&ids, &names, &emails, &confirmed, &targets, &sealeds, &accesses, &inboxes, &inbox_keys, &stale];
        self.migrated.accounts += self.insert(insert, columns).await?;
        Ok(())
    }

    async fn notes(&mut self, some: Vec<Staged>) -> Result<(), MigrateError> {
        let (mut owners, mut places, mut sealeds) = (Vec::new(), Vec::new(), Vec::new());
        for (at, sealed) in some {
            let (owner, place) = (AccountId(id_after_table(&at)?), NotePlace::at_end_of(&at)?);
            let Some(now) = self.keyring.current(Owner::Inbox(owner.0)).cloned() else { continue };
            let Some(sealed) = self.with_key(&now, &note_key(owner, place), sealed) else { continue };
            owners.push(owner.0);
            places.push(place.bytes().to_vec());
            sealeds.push(sealed);
        }
        let insert = "WITH added AS (INSERT INTO note (owner, place, sealed) \
                 SELECT w.owner, w.place, w.sealed \
                 FROM unnest($1::uuid[], $2::bytea[], $3::bytea[]) AS w (owner, place, sealed) \
                 JOIN account a ON a.id = w.owner RETURNING 1) SELECT count(*) FROM added";
        self.migrated.notes += self.insert(insert, &[&owners, &places, &sealeds]).await?;
        Ok(())
    }

    /// Copies answers, and which notes are only for their owner.
    async fn publicity(&mut self, some: Vec<Staged>) -> Result<(), MigrateError> {
        let (mut kept_owners, mut kept_notes) = (Vec::new(), Vec::new());
        let mut answered = Vec::new();
        for (at, value) in some {
            let (owner, note) = (AccountId(id_after_table(&at)?), NotePlace::at_end_of(&at)?);
            match decode(&value)? {
                Publicity::OnlyForYou => {
                    kept_owners.push(owner.0);
                    kept_notes.push(note.bytes().to_vec());
                }
                Publicity::Answered(place) => answered.push((owner, note, NotePlace::at_end_of(&place)?)),
            }
        }
        let wanted: Vec<_> = answered.iter().map(|(owner, _, place)| answer_key(*owner, *place)).collect();
        let mut there = self.staged(&wanted).await?;
        let (mut owners, mut places, mut notes, mut sealeds) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for ((owner, note, place), at) in answered.into_iter().zip(wanted) {
            let Some(sealed) = there.remove(&at) else { continue };
            let Some(now) = self.keyring.current(Owner::Inbox(owner.0)).cloned() else { continue };
            let Some(sealed) = self.with_key(&now, &at, sealed) else { continue };
            owners.push(owner.0);
            places.push(place.bytes().to_vec());
            notes.push(note.bytes().to_vec());
            sealeds.push(sealed);
        }
        // Those whose note is gone go with it.
        let insert = "WITH added AS (INSERT INTO answer (owner, place, note, sealed) \
                 SELECT w.* FROM unnest($1::uuid[], $2::bytea[], $3::bytea[], $4::bytea[]) AS w (owner, place, note, sealed) \
                 JOIN note n ON n.owner = w.owner AND n.place = w.note RETURNING 1) SELECT count(*) FROM added";
        self.migrated.answers += self.insert(insert, &[&owners, &places, &notes, &sealeds]).await?;
        let insert = "WITH added AS (INSERT INTO only_for_you (owner, place) \
                 SELECT w.* FROM unnest($1::uuid[], $2::bytea[]) AS w (owner, place) \
                 JOIN note n ON n.owner = w.owner AND n.place = w.place RETURNING 1) SELECT count(*) FROM added";
        self.insert(insert, &[&kept_owners, &kept_notes]).await?;
        Ok(())
    }

    async fn personal_pages(&mut self, some: Vec<Staged>) -> Result<(), MigrateError> {
        let (mut owners, mut sealeds) = (Vec::new(), Vec::new());
        for (at, sealed) in some {
            let owner = AccountId(id_after_table(&at)?);
            if self.open::<PersonalPage>(&at, &sealed).is_some() {
                owners.push(owner.0);
                sealeds.push(sealed);
            }
        }
        let insert = "WITH added AS (INSERT INTO personal_page (owner, sealed) \
                 SELECT w.* FROM unnest($1::uuid[], $2::bytea[]) AS w (owner, sealed) \
                 JOIN account a ON a.id = w.owner RETURNING 1) SELECT count(*) FROM added";
        self.migrated.pages += self.insert(insert, &[&owners, &sealeds]).await?;
        Ok(())
    }

    async fn rooms(&mut self, some: Vec<Staged>) -> Result<(), MigrateError> {
        let erasing = self.with_words_to_erase(&some).await?;
        let (mut ids, mut owners, mut days, mut ends) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (mut key_ids, mut sealeds, mut stale, mut keys) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (at, sealed) in some {
            let id = RoomId(id_after_table(&at)?);
            let Some((record, seal_key)) = self.open::<MetadataRecord>(&room_key(id), &sealed) else { continue };
            let metadata = record.into_metadata(id);
            let day = day_of(metadata.expires);
            self.engine.make_day(day).await?;
            ids.push(id.0);
            owners.push(metadata.owner.0);
            days.push(day);
            ends.push(seconds(metadata.expires));
            key_ids.push(seal_key.id.0.cast_signed());
            sealeds.push(sealed);
            stale.push(erasing.contains(&id.0).then_some(0_i64));
            keys.push((whose(id, day), seal_key));
        }
        self.engine.keys.take_over(&keys).await?;
        let insert = "WITH added AS (INSERT INTO room (id, owner, day, expires, key, sealed, stale) \
                 SELECT w.* FROM unnest($1::uuid[], $2::uuid[], $3::int[], $4::int8[], $5::int8[], $6::bytea[], $7::int8[]) \
                     AS w (id, owner, day, expires, key, sealed, stale) \
                 JOIN account a ON a.id = w.owner RETURNING 1) SELECT count(*) FROM added";
        let columns: Parameters<'_> = &[&ids, &owners, &days, &ends, &key_ids, &sealeds, &stale];
        self.migrated.groups += self.insert(insert, columns).await?;
        Ok(())
    }

    /// Which of these rooms had words that were taken back, and not erased yet. They get a
    /// new key soon.
    async fn with_words_to_erase(&self, rooms: &[Staged]) -> Result<HashSet<Uuid>> {
        let Some(((first, _), (last, _))) = rooms.first().zip(rooms.last()) else { return Ok(HashSet::new()) };
        let of = |room: &[u8]| key(Table::Erasing, &[&room[1..]]);
        let select = "SELECT DISTINCT substr(at, 2, 16) FROM migrating WHERE at >= $1 AND at < $2";
        let rows = once_more!(self.engine.record.read(select, &[&of(first), &end_of(&of(last))]))?;
        Ok(rows.iter().filter_map(|row| Uuid::from_slice(row.get(0)).ok()).collect())
    }

    async fn log_records(&mut self, some: Vec<Staged>) -> Result<(), MigrateError> {
        let rooms: Vec<_> = some.iter().map(|(at, _)| id_after_table(at)).collect::<Result<_>>()?;
        let select = "SELECT id, day, key FROM room WHERE id = ANY ($1)";
        let rows = once_more!(self.engine.record.read(select, &[&rooms]))?;
        let there: HashMap<Uuid, (i32, i64)> = rows.iter().map(|row| (row.get(0), (row.get(1), row.get(2)))).collect();
        let (mut days, mut ids, mut sealeds) = (Vec::new(), Vec::new(), Vec::new());
        let (mut firsts, mut lasts) = (Vec::new(), Vec::new());
        for (room, (at, sealed)) in rooms.into_iter().zip(some) {
            let Some((day, key)) = there.get(&room) else { continue };
            let Some(now) = self.keyring.key(KeyId(key.cast_unsigned())).cloned() else { continue };
            let last = at.last_chunk().copied().map(u64::from_be_bytes).ok_or(StoreError::Corrupt)?;
            let Some(sealed) = self.with_key(&now, &log_key(RoomId(room), Seq(last)), sealed) else { continue };
            // If events before this record were forgotten, its places begin where theirs did.
            let end = self.before.filter(|(id, _)| *id == room).map_or(0, |(_, end)| end);
            self.before = Some((room, last));
            days.push(*day);
            ids.push(room);
            firsts.push((end + 1).cast_signed());
            lasts.push(last.cast_signed());
            sealeds.push(sealed);
        }
        let insert = "WITH w AS (SELECT * FROM unnest($1::int[], $2::uuid[], $3::int8[], $4::int8[], $5::bytea[]) \
                 AS w (day, room, first, last, sealed)), \
             added AS (INSERT INTO room_log (day, room, last, first, attempt, sealed) \
                 SELECT day, room, last, first, 0, sealed FROM w RETURNING 1), \
             moved AS (UPDATE room r SET head = m.head \
                 FROM (SELECT room, max(last) AS head FROM w GROUP BY room) m WHERE r.id = m.room) \
             SELECT count(*) FROM added";
        self.migrated.records += self.insert(insert, &[&days, &ids, &firsts, &lasts, &sealeds]).await?;
        Ok(())
    }

    /// Copies a picture, unless its key or its room is gone.
    pub(super) async fn picture(&mut self, picture: Picture, body: Vec<u8>) -> Result<(), MigrateError> {
        let Some(key) = self.keyring.key(sealed_with(&body)?).cloned() else { return Ok(()) };
        self.migrated.pictures += u64::from(self.engine.take_picture_over(picture, &key, body).await?);
        Ok(())
    }
}
