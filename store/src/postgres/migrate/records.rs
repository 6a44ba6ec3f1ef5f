//! Copies staged records to the tables where they belong, some at a time, each with its
//! key.

use std::collections::{HashMap, HashSet};

use uuid::Uuid;
use zeroize::Zeroizing;

use super::kept::in_order;
use super::{MigrateError, Migrated};
use crate::error::{Result, StoreError};
use crate::image::picture::Picture;
use crate::postgres::days::day_of;
use crate::postgres::errors::Failure;
use crate::postgres::lease::Parameters;
use crate::postgres::rooms::whose;
use crate::postgres::{Postgres, once_more, seconds};
use crate::progress::Progress;
use crate::room::{RoomId, Seq};
use crate::seals::keyring::Keyring;
use crate::seals::{KeyId, SealKey, sealed_with};
use crate::shapes::room::MetadataRecord;
use crate::shapes::{Record, decode};
use crate::table::{Table, end_of, id_after_table, key, log_key, room_key};

/// Records that are copied by one transaction.
const CHUNK: i64 = 500;
/// Pictures of reports that are copied by one transaction.
const PICTURES: i64 = 16;

const ROOM: u8 = Table::Room as u8;
const ROOM_LOG: u8 = Table::RoomLog as u8;

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
        let tables = "SELECT DISTINCT get_byte(at, 0) FROM migrating";
        let tables = once_more!(self.engine.record.read(tables, &[]))?;
        let tables = tables.iter().filter_map(|row| u8::try_from(row.get::<_, i32>(0)).ok()).collect();
        for table in in_order(tables) {
            let mut after = vec![table];
            while let Some(some) = self.next(table, &mut after).await? {
                progress.add(some.len() as u64);
                match table {
                    ROOM => self.rooms(some).await?,
                    ROOM_LOG => self.log_records(some).await?,
                    _ => self.kept(some).await?,
                }
            }
        }
        self.counts().await
    }

    /// The next staged records of a table; `None` after the last.
    async fn next(&self, table: u8, after: &mut Vec<u8>) -> Result<Option<Vec<Staged>>> {
        let end = end_of(&[table]);
        let select = "SELECT at, value FROM migrating WHERE at > $1 AND at < $2 ORDER BY at LIMIT $3";
        let at_once = if table == Table::ReportPicture as u8 { PICTURES } else { CHUNK };
        let rows = once_more!(self.engine.record.read(select, &[after, &end, &at_once]))?;
        let Some(last) = rows.last() else { return Ok(None) };
        *after = last.get(0);
        Ok(Some(rows.iter().map(|row| (row.get(0), row.get(1))).collect()))
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
                 JOIN kept a ON a.at = '\\x61'::bytea || uuid_send(w.owner) RETURNING 1) SELECT count(*) FROM added";
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
                 SELECT day, room, last, first, 0, sealed FROM w RETURNING 1) \
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
