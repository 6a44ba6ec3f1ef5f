//! The directory of rooms in the record. A room's row stays when the room is gone, until
//! its day is dropped, so that nobody gets an id that was used.

use annon_contract::limits::ROOMS_PER_ACCOUNT;
use async_trait::async_trait;
use tokio_postgres::Row;
use zeroize::Zeroizing;

use crate::account::{AccountId, Timestamp};
use crate::error::{Result, StoreError};
use crate::postgres::days::day_of;
use crate::postgres::errors::Failure;
use crate::postgres::keys::{Sealed, Whose};
use crate::postgres::lease::number_of;
use crate::postgres::{Open, Postgres, Transaction, once_more, rows, seconds};
use crate::room::{RoomDirectory, RoomId, RoomMetadata};
use crate::rows::Wants;
use crate::seals::SealKey;
use crate::seals::keyring::Owner;
use crate::shapes::encode;
use crate::shapes::room::MetadataRecord;
use crate::table::{account_key, room_key};

/// Makes tombstones of rooms, and dooms their keys. `$1` says which rooms.
macro_rules! end_rooms {
    ($which:literal) => {
        concat!(
            "WITH ended AS (UPDATE room SET gone = true, owner = '00000000-0000-0000-0000-000000000000', sealed = '' \
                 WHERE NOT gone AND ",
            $which,
            " RETURNING id, day, key, old_key), \
             doomed AS (INSERT INTO doomed_key (kind, owner, key, day) \
                 SELECT 4, id, key, day FROM ended \
                 UNION ALL SELECT 4, id, old_key, day FROM ended WHERE old_key IS NOT NULL) \
             SELECT id FROM ended"
        )
    };
}

/// The key of a room's metadata and log.
pub(super) fn whose(room: RoomId, day: i32) -> Whose {
    Whose { owner: Owner::Room(room.0), day }
}

/// The metadata of a row of `id`, `day` and `sealed`.
fn sealed(row: &Row) -> Sealed {
    let room = RoomId(row.get(0));
    Sealed { owner: whose(room, row.get(1)), place: room_key(room), bytes: row.get(2) }
}

impl Transaction {
    /// Locks an account until the transaction ends. `NotFound` when it is gone.
    pub(super) async fn lock_account(&mut self, id: AccountId) -> Result<(), Failure> {
        let at = account_key(id);
        let known = self.lock_and_read(&[number_of(&at)].into(), &Wants::rows([at.clone()])).await?;
        if known.get(&at).flatten().is_some() { Ok(()) } else { Err(StoreError::NotFound.into()) }
    }

    /// Whether a room may be made. Its owner stays locked: so rooms of one owner are
    /// made one after the other, and none while the owner is deleted.
    async fn may_make(&mut self, room: &RoomMetadata, now: Timestamp) -> Result<(), Failure> {
        self.lock_account(room.owner).await?;
        let look = "SELECT EXISTS (SELECT 1 FROM room WHERE id = $1), \
             (SELECT count(*) FROM room WHERE owner = $2 AND NOT gone AND expires > $3)";
        let found = self.query(look, &[&room.id.0, &room.owner.0, &seconds(now)]).await?;
        let (is_used, alive) = found.first().map_or((false, 0), |row| (row.get(0), row.get::<_, i64>(1)));
        if is_used {
            return Err(StoreError::Conflict.into());
        }
        if alive >= rows(ROOMS_PER_ACCOUNT) { Err(StoreError::Full.into()) } else { Ok(()) }
    }

    /// Ends the rooms of an account that is being deleted, and returns which.
    pub(super) async fn end_rooms_of(&mut self, owner: AccountId) -> Result<Vec<RoomId>, Failure> {
        let ended = self.query(end_rooms!("owner = $1"), &[&owner.0]).await?;
        Ok(ended.iter().map(|row| RoomId(row.get(0))).collect())
    }
}

impl Open {
    /// Makes a room. Without a key this only looks whether it may be made, so that no key
    /// is made in vain.
    async fn try_make(&self, room: &RoomMetadata, now: Timestamp, key: Option<&SealKey>) -> Result<(), Failure> {
        let mut transaction = self.record.begin().await?;
        transaction.may_make(room, now).await?;
        let Some(key) = key else { return Ok(()) };
        let record = MetadataRecord::from(room.clone());
        let sealed = key.seal(&room_key(room.id), &Zeroizing::new(encode(&record)?))?;
        let insert = "INSERT INTO room (id, owner, day, expires, key, sealed) VALUES ($1, $2, $3, $4, $5, $6)";
        let (day, expires, key) = (day_of(room.expires), seconds(room.expires), key.id.0.cast_signed());
        transaction.query(insert, &[&room.id.0, &room.owner.0, &day, &expires, &key, &sealed]).await?;
        transaction.commit().await
    }

    async fn make_room(&self, room: RoomMetadata, now: Timestamp) -> Result<()> {
        self.may_grow()?;
        once_more!(self.try_make(&room, now, None))?;
        let day = day_of(room.expires);
        self.make_day(day).await?;
        let whose = whose(room.id, day);
        let key = self.keys.birth(whose).await?;
        match once_more!(self.try_make(&room, now, Some(&key))) {
            Ok(()) => Ok(()),
            // It may be there, or still come: its key stays.
            Err(Failure::Unknown) => Err(StoreError::Unknown),
            Err(failure) => {
                self.keys.destroy(&[(whose, key.id)]).await?;
                Err(failure.into())
            }
        }
    }

    async fn try_end(&self, room: RoomId) -> Result<(), Failure> {
        let mut transaction = self.record.begin().await?;
        transaction.query(end_rooms!("id = $1"), &[&room.0]).await?;
        transaction.commit().await
    }

    /// The metadata of rows of `id`, `day` and `sealed` that can be read.
    async fn opened(&self, found: &[Row]) -> Result<Vec<RoomMetadata>> {
        let all: Vec<_> = found.iter().map(sealed).collect();
        let opened = self.keys.open_all::<MetadataRecord>("group", &all).await?.into_iter().zip(found);
        Ok(opened.filter_map(|(record, row)| Some(record?.into_metadata(RoomId(row.get(0))))).collect())
    }

    /// Ends rooms whose time is up, at most `limit` of them, and returns how many. Only the
    /// record's clock counts: a node whose clock is fast must not end everybody's rooms.
    pub(super) async fn try_end_expired(&self, limit: usize) -> Result<usize, Failure> {
        let mut transaction = self.record.begin().await?;
        let end = end_rooms!(
            "id = ANY (ARRAY(SELECT id FROM room WHERE NOT gone \
                     AND expires <= (SELECT floor(extract(epoch FROM clock_timestamp()))::int8) \
                 ORDER BY expires LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED))"
        );
        let ended = transaction.query(end, &[&rows(limit)]).await?.len();
        transaction.commit().await?;
        Ok(ended)
    }
}

#[async_trait]
impl RoomDirectory for Postgres {
    async fn create(&self, metadata: RoomMetadata, now: Timestamp) -> Result<()> {
        let this = self.clone();
        self.see_through(async move { this.make_room(metadata, now).await }).await
    }

    async fn by_id(&self, id: RoomId) -> Result<Option<RoomMetadata>> {
        let select = "SELECT id, day, sealed FROM room WHERE id = $1 AND NOT gone";
        let found = once_more!(self.record.read(select, &[&id.0]))?;
        let Some(row) = found.first() else { return Ok(None) };
        let record: Option<MetadataRecord> = self.keys.open(&sealed(row)).await?;
        Ok(record.map(|record| record.into_metadata(id)))
    }

    async fn of_owner(&self, owner: AccountId) -> Result<Vec<RoomMetadata>> {
        let select = "SELECT id, day, sealed FROM room WHERE owner = $1 AND NOT gone";
        let found = once_more!(self.record.read(select, &[&owner.0]))?;
        let mut rooms = self.opened(&found).await?;
        rooms.sort_by_key(|metadata| std::cmp::Reverse((metadata.created, metadata.id)));
        Ok(rooms)
    }

    async fn page(&self, after: Option<RoomId>, limit: usize) -> Result<Vec<RoomMetadata>> {
        let select = "SELECT id, day, sealed FROM room WHERE NOT gone AND ($1::uuid IS NULL OR id > $1) \
             ORDER BY id LIMIT $2";
        let (mut page, mut after) = (Vec::new(), after.map(|id| id.0));
        // What can't be read is passed over, and others fill the page.
        while page.len() < limit {
            let wanted = limit - page.len();
            let found = once_more!(self.record.read(select, &[&after, &rows(wanted)]))?;
            page.extend(self.opened(&found).await?);
            match found.last() {
                Some(last) if found.len() == wanted => after = Some(last.get(0)),
                _ => break,
            }
        }
        Ok(page)
    }

    async fn expired(&self, now: Timestamp, limit: usize) -> Result<Vec<RoomId>> {
        let select = "SELECT id FROM room WHERE NOT gone AND expires <= $1 ORDER BY expires, id LIMIT $2";
        let found = once_more!(self.record.read(select, &[&seconds(now), &rows(limit)]))?;
        Ok(found.iter().map(|row| RoomId(row.get(0))).collect())
    }

    async fn remove(&self, id: RoomId) -> Result<()> {
        let this = self.clone();
        let work = async move {
            once_more!(this.try_end(id))?;
            this.wire.wire().poke(id);
            this.bury().await
        };
        self.see_through(work).await
    }
}
