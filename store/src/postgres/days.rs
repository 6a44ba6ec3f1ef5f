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
struct Partition {
    day: i32,
    is_attached: bool,
    /// A node has begun to detach it, and has not ended that.
    is_leaving: bool,
}

/// The day of a time. Day 0 has what ends on no day.
pub(super) fn day_of(at: Timestamp) -> i32 {
    i32::try_from(at / DAY.unsigned_abs()).unwrap_or(i32::MAX).max(1)
}

impl Open {
    /// The tables that have a partition a day, in the order in which they are made. The
    /// first says that the day is there, so it is dropped last.
    fn parents(&self) -> [(&Connections, &'static str); 3] {
        [(&self.record, "room_log"), (&self.record, "image"), (&self.keys.connections, "seal_key")]
    }

    /// Makes the tables of a day, if they aren't there.
    pub(super) async fn make_day(&self, day: i32) -> Result<()> {
        if self.days.0.lock().contains(&day) {
            return Ok(());
        }
        for (connections, parent) in self.parents() {
            make(connections, parent, day).await?;
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
        for Partition { day, .. } in partitions(&self.record, "room_log").await? {
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
        let [first, others @ ..] = self.parents();
        for (connections, parent) in others {
            drop_partition(connections, parent, day).await?;
        }
        self.drop_rooms_of(day).await?;
        drop_partition(first.0, first.1, day).await
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

/// Every table that is named like a partition of `parent`.
async fn partitions(connections: &Connections, parent: &str) -> Result<Vec<Partition>> {
    let select = "SELECT substring(c.relname FROM '[0-9]+$')::int, i.inhrelid IS NOT NULL, \
             coalesce(i.inhdetachpending, false) \
         FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid \
         WHERE c.relnamespace = current_schema()::text::regnamespace AND c.relkind = 'r' \
             AND c.relname ~ ('^' || $1::text || '_[1-9][0-9]*$')";
    let rows = once_more!(connections.read(select, &[&parent]))?;
    let found = rows.iter().map(|row| Partition { day: row.get(0), is_attached: row.get(1), is_leaving: row.get(2) });
    Ok(found.collect())
}

async fn partition(connections: &Connections, parent: &str, day: i32) -> Result<Option<Partition>> {
    Ok(partitions(connections, parent).await?.into_iter().find(|partition| partition.day == day))
}

/// Makes a partition, if it isn't there. Nodes that need it at the same time wait for the one that makes it: without
/// the lock they end each other's statements, as often as they try. It asks before it makes anything, since a notice of
/// the database is taken for a commit of which nobody knows.
async fn make(connections: &Connections, parent: &str, day: i32) -> Result<()> {
    let name = format!("{parent}_{day}");
    let lock = number_of(name.as_bytes());
    let statements = format!(
        "DO $$ BEGIN \
             PERFORM pg_advisory_xact_lock({lock}); \
             IF to_regclass('{name}') IS NULL THEN \
                 CREATE TABLE {name} (LIKE {parent} INCLUDING DEFAULTS INCLUDING STORAGE, CHECK (day = {day})); \
             END IF; \
             IF NOT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = '{name}'::regclass) THEN \
                 ALTER TABLE {parent} ATTACH PARTITION {name} FOR VALUES IN ({day}); \
             END IF; \
         END $$"
    );
    let mut attempts = 1;
    while partition(connections, parent, day).await?.is_none_or(|partition| !partition.is_attached) {
        match connections.alter(&statements).await {
            Ok(()) => break,
            Err(_) if attempts < ATTEMPTS => sleep(PAUSE * attempts).await,
            Err(failure) => return Err(failure.into()),
        }
        attempts += 1;
    }
    Ok(())
}

async fn drop_partition(connections: &Connections, parent: &str, day: i32) -> Result<()> {
    let Some(Partition { is_attached, is_leaving, .. }) = partition(connections, parent, day).await? else {
        return Ok(());
    };
    if is_attached {
        let how = if is_leaving { "FINALIZE" } else { "CONCURRENTLY" };
        connections.alter(&format!("ALTER TABLE {parent} DETACH PARTITION {parent}_{day} {how}")).await?;
    }
    Ok(connections.alter(&format!("DROP TABLE {parent}_{day}")).await?)
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
