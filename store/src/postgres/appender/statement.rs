//! The statement that appends to many rooms at once, and what the record says of each.
//!
//! The row of a room is where nodes meet: an append is written while the log ends where
//! the append expects it, and the room's key is the one it is sealed with. A row that
//! somebody else has locked is passed over, so that nobody waits for another room.
//!
//! The row is locked and not changed, so the statement may have seen the log as it was before somebody who had the lock
//! until just now. Then the place behind the expected end is taken, and nothing is written.

use std::collections::HashMap;

use tokio_postgres::Row;
use uuid::Uuid;

#[cfg(feature = "left-out")]
use crate::left_out::{Condition, leaves_out};
use crate::postgres::errors::{Failure, failure};
use crate::postgres::lease::{Parameters, committed};
use crate::postgres::{Open, head_of, marked_stale};
use crate::room::{RoomId, Seq};
use crate::seals::KeyId;

const APPEND: &str = concat!(
    "WITH asked AS MATERIALIZED (SELECT * \
        FROM unnest($1::uuid[], $2::int8[], $3::int8[], $4::int8[], $5::int8[], $6::bool[], $7::bytea[]) \
            AS a (room, expected, key, last, attempt, takes, sealed)), \
    held AS (SELECT r.id, r.day, a.* FROM room r JOIN asked a ON r.id = a.room \
        WHERE r.key = a.key AND NOT r.gone AND a.expected = ",
    head_of!("r"),
    " FOR NO KEY UPDATE OF r SKIP LOCKED), \
    marked AS (UPDATE room r SET stale = ",
    marked_stale!("r.stale"),
    " FROM held h WHERE r.id = h.id AND h.takes AND r.stale IS NULL), \
    filed AS (INSERT INTO room_log (day, room, first, last, attempt, sealed) \
        SELECT day, id, expected + 1, last, attempt, sealed FROM held ON CONFLICT DO NOTHING RETURNING room) \
    SELECT a.room, f.room IS NOT NULL, coalesce(r.gone, true), ",
    head_of!("r"),
    ", r.key \
        FROM asked a LEFT JOIN filed f ON f.room = a.room LEFT JOIN room r ON r.id = a.room"
);

/// The statement without the condition that the log ends where the append expects it: it writes over what is there.
#[cfg(feature = "left-out")]
static ANYWHERE: std::sync::LazyLock<String> = std::sync::LazyLock::new(|| {
    let anywhere = APPEND.replace(concat!(" AND a.expected = ", head_of!("r")), "");
    let over = "ON CONFLICT (day, room, first) \
         DO UPDATE SET last = excluded.last, attempt = excluded.attempt, sealed = excluded.sealed";
    anywhere.replace("ON CONFLICT DO NOTHING", over)
});

/// A record that is sealed and can be written.
pub(super) struct Ready {
    pub(super) room: RoomId,
    pub(super) expected: Seq,
    pub(super) last: Seq,
    pub(super) attempt: i64,
    /// Whether it takes something back, so that the room's key has to be replaced.
    pub(super) takes: bool,
    pub(super) key: KeyId,
    pub(super) sealed: Vec<u8>,
}

/// What the record says of an append.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::postgres) enum Outcome {
    Written,
    /// The log ends elsewhere.
    Moved,
    /// The room has this key now.
    OtherKey(KeyId),
    Gone,
    /// Somebody else is at the room's row, or has just been there.
    Locked,
}

/// How a statement ended.
pub(super) enum Answer {
    Said(HashMap<RoomId, Outcome>),
    /// Nothing of it was written.
    Refused(Failure),
    /// The server could not be asked.
    NotAsked,
    /// Nobody knows whether it was written.
    Unknown,
}

impl Ready {
    fn outcome(&self, row: &Row) -> Outcome {
        if row.get(1) {
            return Outcome::Written;
        }
        if row.get(2) {
            return Outcome::Gone;
        }
        if row.get::<_, i64>(3) != place(self.expected) {
            return Outcome::Moved;
        }
        let key = KeyId(row.get::<_, i64>(4).cast_unsigned());
        // These are from before the statement. If both are as expected, somebody was
        // faster, and may still be at it.
        if key == self.key { Outcome::Locked } else { Outcome::OtherKey(key) }
    }
}

/// A place as the database keeps it.
pub(in crate::postgres) fn place(seq: Seq) -> i64 {
    i64::try_from(seq.0).unwrap_or(i64::MAX)
}

impl Open {
    /// Writes records, of which no two are of one room.
    pub(super) async fn write_together(&self, group: &[&Ready]) -> Answer {
        let Ok(mut lease) = self.record.lease_to_append().await else { return Answer::NotAsked };
        let rooms: Vec<Uuid> = group.iter().map(|ready| ready.room.0).collect();
        let expected: Vec<i64> = group.iter().map(|ready| place(ready.expected)).collect();
        let keys: Vec<i64> = group.iter().map(|ready| ready.key.0.cast_signed()).collect();
        let lasts: Vec<i64> = group.iter().map(|ready| place(ready.last)).collect();
        let attempts: Vec<i64> = group.iter().map(|ready| ready.attempt).collect();
        let takes: Vec<bool> = group.iter().map(|ready| ready.takes).collect();
        let sealed: Vec<&[u8]> = group.iter().map(|ready| &ready.sealed[..]).collect();
        let parameters: Parameters<'_> = &[&rooms, &expected, &keys, &lasts, &attempts, &takes, &sealed];

        let statement = APPEND;
        #[cfg(feature = "left-out")]
        let statement = if leaves_out(Condition::Place) { &**ANYWHERE } else { statement };
        let connection = lease.busy();
        let answer = match connection.prepare(statement).await {
            Ok(append) => committed(connection, connection.client.query(&append, parameters)).await,
            Err(error) => Err(failure(&error)),
        };
        lease.settle(&answer);
        match answer {
            Ok(rows) => {
                let found: HashMap<_, _> = rows.iter().map(|row| (RoomId(row.get(0)), row)).collect();
                let said = |ready: &&Ready| Some((ready.room, ready.outcome(found.get(&ready.room)?)));
                Answer::Said(group.iter().filter_map(said).collect())
            }
            Err(Failure::Unknown) => Answer::Unknown,
            Err(failure) => Answer::Refused(failure),
        }
    }
}
