//! New keys for rooms. Words that were taken back are in the record's old files and
//! archives, where nothing is overwritten. So the room gets a new key, its records are
//! sealed with that, and the key before is destroyed.
//!
//! Appends go on meanwhile, with the new key. A move that stopped goes on at the next
//! sweep, of any node: the room's row names the key before until nothing has it.

use tokio_postgres::Row;
use zeroize::Zeroizing;

use crate::error::{Result, StoreError};
use crate::postgres::appender::place;
use crate::postgres::errors::Failure;
use crate::postgres::keys::Sealed;
use crate::postgres::room_log::Stored;
use crate::postgres::rooms::whose;
use crate::postgres::{Open, Transaction, once_more, rows};
use crate::room::{RoomId, Seq};
use crate::seals::{KeyId, SealKey};
use crate::shapes::encode;
use crate::shapes::room::MetadataRecord;
use crate::table::room_key;

/// How long a key stays that opens what was taken back, in seconds. With what a sweep
/// takes it is less than the hour that is promised.
const STALE_FOR: i64 = 40 * 60;
/// Records that are moved by one transaction, so that appends don't wait long.
const CHUNK: usize = 256;

impl Open {
    /// Replaces the keys that open what was taken back long enough ago. A move that has
    /// begun goes on first, and then who waits longest has its turn.
    pub(super) async fn replace_stale_keys(&self) -> Result<()> {
        let select = "SELECT id, day, old_key IS NOT NULL FROM room WHERE NOT gone AND (old_key IS NOT NULL \
             OR stale <= (SELECT floor(extract(epoch FROM clock_timestamp()))::int8) - $1::int8) \
             ORDER BY stale NULLS FIRST";
        for row in once_more!(self.record.read(select, &[&STALE_FOR]))? {
            match self.replace_key(&row).await {
                // What other rooms took back must not stay readable because of this one.
                Err(StoreError::Corrupt) => tracing::error!("a group can't be moved to a new key"),
                moved => moved?,
            }
        }
        Ok(())
    }

    async fn replace_key(&self, row: &Row) -> Result<()> {
        let (room, day, is_begun) = (RoomId(row.get(0)), row.get(1), row.get::<_, bool>(2));
        if !is_begun {
            self.begin_move(room, day).await?;
        }
        let mut after = Some(Seq(0));
        while let Some(place) = after {
            after = once_more!(self.try_move_some(room, place))?;
        }
        Ok(())
    }

    async fn begin_move(&self, room: RoomId, day: i32) -> Result<()> {
        let key = self.keys.birth(whose(room, day)).await?;
        let begun = once_more!(self.try_begin_move(room, day, &key));
        // Otherwise the room may have it.
        if !matches!(begun, Ok(true) | Err(Failure::Unknown)) {
            self.keys.destroy(&[(whose(room, day), key.id)]).await?;
        }
        begun?;
        Ok(())
    }

    /// Gives a room a new key, unless another node did.
    async fn try_begin_move(&self, room: RoomId, day: i32, key: &SealKey) -> Result<bool, Failure> {
        let mut transaction = match self.lock_room(room).await {
            Err(Failure::Store(StoreError::NotFound)) => return Ok(false),
            locked => locked?.0,
        };
        let select = "SELECT sealed FROM room WHERE id = $1 AND stale IS NOT NULL AND old_key IS NULL";
        let found = transaction.query(select, &[&room.0]).await?;
        let Some(row) = found.first() else { return Ok(false) };
        let card = Sealed { owner: whose(room, day), place: room_key(room), bytes: row.get(0) };
        let record: MetadataRecord = self.keys.open(&card).await?.ok_or(StoreError::Corrupt)?;
        let sealed = key.seal(&room_key(room), &Zeroizing::new(encode(&record)?))?;
        let update = "UPDATE room SET key = $2, old_key = key, stale = NULL, sealed = $3 WHERE id = $1";
        transaction.query(update, &[&room.0, &key.id.0.cast_signed(), &sealed]).await?;
        transaction.commit().await?;
        Ok(true)
    }

    /// Seals some records after `after` with the room's new key. Returns where to go on;
    /// `None` when all is done, and the key before is doomed.
    async fn try_move_some(&self, room: RoomId, after: Seq) -> Result<Option<Seq>, Failure> {
        let (mut transaction, locked) = match self.lock_room(room).await {
            Err(Failure::Store(StoreError::NotFound)) => return Ok(None),
            locked => locked?,
        };
        let Some(old) = locked.old_key else { return Ok(None) };
        // A sealed record names its key behind the byte of its version.
        let select = "SELECT last, first, sealed FROM room_log WHERE day = $1 AND room = $2 AND first > $3 \
             AND substring(sealed FROM 2 FOR 8) = $4 ORDER BY first LIMIT $5";
        let named = &old.0.to_be_bytes()[..];
        let found = transaction.query(select, &[&locked.day, &room.0, &place(after), &named, &rows(CHUNK)]).await?;
        let records: Vec<_> = found.iter().map(Stored::of).collect();
        let next = records.last().filter(|_| records.len() == CHUNK).map(|stored| stored.first);
        let moved = self.changed(&locked, records, |_| true).await?;
        transaction.replace(&locked, moved).await?;
        if next.is_none() {
            self.move_picture_keys(&mut transaction, &locked, old).await?;
            transaction.let_go_of(room, old).await?;
            transaction.doom(whose(room, locked.day), old).await?;
        }
        transaction.commit().await?;
        Ok(next)
    }
}

impl Transaction {
    /// Notes that nothing is sealed any more with a room's key before.
    async fn let_go_of(&mut self, room: RoomId, old: KeyId) -> Result<(), Failure> {
        let update = "UPDATE room SET old_key = NULL WHERE id = $1 AND old_key = $2";
        self.query(update, &[&room.0, &old.0.cast_signed()]).await.map(drop)
    }
}
