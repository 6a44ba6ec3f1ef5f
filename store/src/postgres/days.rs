//! The tables of a day. The logs, the pictures and the keys of rooms are in partitions by
//! the day on which their room ends, so that all of a day goes at once.
//!
//! A partition is made as a table that stands alone, and is then attached; it is detached
//! before it is dropped. So nobody's append has to wait for it.

use std::collections::BTreeSet;

use parking_lot::Mutex;
use tokio::time::sleep;
use uuid::Uuid;

use crate::account::Timestamp;
use crate::error::Result;
use crate::postgres::connect::Connections;
use crate::postgres::errors::Failure;
use crate::postgres::keys::parts::{OF_A_DAY, PARENT};
use crate::postgres::lease::number_of;
use crate::postgres::{ATTEMPTS, Open, PAUSE, once_more};

/// A day, in seconds.
const DAY: i64 = 24 * 60 * 60;
/// How many days from now on have tables before a room needs them.
const AHEAD: i32 = 3;
/// How long the tables of a day stay after it, in seconds.
const STAYS: i64 = 60 * 60;
/// Rows that are looked at by one transaction.
const CHUNK: i64 = 1000;

/// Of the next `$3` rows after `$2`, these drop those of the day `$1`, and return the last row's id if there are so many.
const DROP_ALBUMS: &str = "WITH next AS (SELECT room, day FROM album WHERE room > $2 ORDER BY room LIMIT $3), \
     dropped AS (DELETE FROM album a USING next n WHERE a.room = n.room AND n.day = $1) \
     SELECT room FROM next ORDER BY room OFFSET $3 - 1";
const DROP_ROOMS: &str = "WITH next AS (SELECT id, day FROM room WHERE id > $2 ORDER BY id LIMIT $3), \
     dropped AS (DELETE FROM room r USING next n WHERE r.id = n.id AND n.day = $1 AND r.gone) \
     SELECT id FROM next ORDER BY id OFFSET $3 - 1";

/// The days whose tables this node knows to be there.
#[derive(Default)]
pub(super) struct Days(Mutex<BTreeSet<i32>>);

/// A partition, or a table that was one or is going to be one.
pub(super) struct Partition {
    /// The value of the column by which the tables are parted.
    pub(super) value: i64,
    pub(super) is_attached: bool,
    /// A node has begun to detach it, and has not ended that.
    is_leaving: bool,
}

/// The day of a time. Day 0 has what ends on no day.
pub(super) fn day_of(at: Timestamp) -> i32 {
    i32::try_from(at / DAY.unsigned_abs()).unwrap_or(i32::MAX).max(1)
}

impl Open {
    /// Makes the tables of a day, if they aren't there.
    pub(super) async fn make_day(&self, day: i32) -> Result<()> {
        if self.days.0.lock().contains(&day) {
            return Ok(());
        }
        // The first says that the day is there, so it is dropped last.
        for parent in ["room_log", "image"] {
            make(&self.record, (parent, "day"), day.into()).await?;
        }
        self.days.0.lock().insert(day);
        Ok(())
    }

    /// Makes the tables of the next days, and drops those of days that are over.
    pub(super) async fn turn_days(&self) -> Result<()> {
        let clock = "SELECT extract(epoch FROM clock_timestamp())::int8";
        let now: i64 = once_more!(self.record.read(clock, &[]))?.first().map_or(0, |row| row.get(0));
        let today = day_of(now.unsigned_abs());
        for day in today..=today + AHEAD {
            self.make_day(day).await?;
        }
        for Partition { value, .. } in partitions(&self.record, "room_log").await? {
            let day = i32::try_from(value).unwrap_or(i32::MAX);
            if (i64::from(day) + 1) * DAY + STAYS <= now {
                self.drop_day(day).await?;
            }
        }
        Ok(())
    }

    /// Drops the tables of a day, unless a room of it is there.
    async fn drop_day(&self, day: i32) -> Result<()> {
        let living = "SELECT 1 FROM room WHERE day = $1 AND NOT gone LIMIT 1";
        if !once_more!(self.record.read(living, &[&day]))?.is_empty() {
            return Ok(());
        }
        self.days.0.lock().remove(&day);
        drop_partition(&self.record, "image", day.into()).await?;
        let first = i64::from(day) * OF_A_DAY;
        for part in first..first + OF_A_DAY {
            drop_partition(&self.keys.connections, PARENT.0, part).await?;
        }
        self.drop_rooms_of(day).await?;
        drop_partition(&self.record, "room_log", day.into()).await
    }

    /// In pieces: one statement for all of them could take longer than a statement may, each time anew.
    async fn drop_rooms_of(&self, day: i32) -> Result<()> {
        for drop_some in [DROP_ALBUMS, DROP_ROOMS] {
            let mut after = Some(Uuid::nil());
            while let Some(id) = after {
                after = once_more!(self.try_drop_some(drop_some, day, id))?;
            }
        }
        Ok(())
    }

    /// Looks at the next rows after an id, and drops those of a day. Returns where to go on; `None` at the end.
    async fn try_drop_some(&self, drop_some: &'static str, day: i32, after: Uuid) -> Result<Option<Uuid>, Failure> {
        let mut transaction = self.record.begin().await?;
        let looked_at = transaction.query(drop_some, &[&day, &after, &CHUNK]).await?;
        transaction.commit().await?;
        Ok(looked_at.first().map(|row| row.get(0)))
    }
}

/// What the table of a value is called.
pub(super) fn name(parent: &str, value: i64) -> String {
    format!("{parent}_{}{}", if value < 0 { "n" } else { "" }, value.unsigned_abs())
}

/// Every table that is named like a partition of `parent`.
pub(super) async fn partitions(connections: &Connections, parent: &str) -> Result<Vec<Partition>> {
    let select = "SELECT replace(substring(c.relname FROM 'n?[0-9]+$'), 'n', '-')::int8, i.inhrelid IS NOT NULL, \
             coalesce(i.inhdetachpending, false) \
         FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid \
         WHERE c.relnamespace = current_schema()::text::regnamespace AND c.relkind = 'r' \
             AND c.relname ~ ('^' || $1::text || '_n?[1-9][0-9]*$')";
    let rows = once_more!(connections.read(select, &[&parent]))?;
    let found = rows.iter().map(|row| Partition { value: row.get(0), is_attached: row.get(1), is_leaving: row.get(2) });
    Ok(found.collect())
}

async fn partition(connections: &Connections, parent: &str, value: i64) -> Result<Option<Partition>> {
    Ok(partitions(connections, parent).await?.into_iter().find(|partition| partition.value == value))
}

/// Makes a partition, if it isn't there. Nodes that need it at the same time wait for the one that makes it: without
/// the lock they end each other's statements, as often as they try. It asks before it makes anything, since a notice of
/// the database is taken for a commit of which nobody knows.
pub(super) async fn make(connections: &Connections, (parent, column): (&str, &str), value: i64) -> Result<()> {
    let name = name(parent, value);
    let lock = number_of(name.as_bytes());
    let statements = format!(
        "DO $$ BEGIN \
             PERFORM pg_advisory_xact_lock({lock}); \
             IF to_regclass('{name}') IS NULL THEN \
                 CREATE TABLE {name} (LIKE {parent} INCLUDING DEFAULTS INCLUDING STORAGE, CHECK ({column} = {value})); \
             END IF; \
             IF NOT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = '{name}'::regclass) THEN \
                 ALTER TABLE {parent} ATTACH PARTITION {name} FOR VALUES IN ({value}); \
             END IF; \
         END $$"
    );
    let mut attempts = 1;
    while partition(connections, parent, value).await?.is_none_or(|partition| !partition.is_attached) {
        match connections.alter(&statements).await {
            Ok(()) => break,
            Err(_) if attempts < ATTEMPTS => sleep(PAUSE * attempts).await,
            Err(failure) => return Err(failure.into()),
        }
        attempts += 1;
    }
    Ok(())
}

async fn drop_partition(connections: &Connections, parent: &str, value: i64) -> Result<()> {
    let Some(Partition { is_attached, is_leaving, .. }) = partition(connections, parent, value).await? else {
        return Ok(());
    };
    let name = name(parent, value);
    if is_attached {
        let how = if is_leaving { "FINALIZE" } else { "CONCURRENTLY" };
        connections.alter(&format!("ALTER TABLE {parent} DETACH PARTITION {name} {how}")).await?;
    }
    Ok(connections.alter(&format!("DROP TABLE {name}")).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_begins_at_midnight_and_is_never_that_of_what_has_no_day() {
        let days = [0, 86_399, 2 * 86_400 - 1, 2 * 86_400, u64::MAX].map(day_of);
        assert_eq!(days, [1, 1, 1, 2, i32::MAX]);
    }
}
