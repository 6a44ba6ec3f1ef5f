//! Room logs in the record: how they are read. `appender.rs` says how they are written.

use std::time::Duration;

use async_trait::async_trait;
use tokio_postgres::Row;
use zeroize::Zeroizing;

use crate::error::Result;
use crate::postgres::appender::{PATIENCE, place};
use crate::postgres::rooms::whose;
use crate::postgres::{Open, Postgres, head_of, once_more};
use crate::room::{RoomEvent, RoomId, Seq};
use crate::room_log::{Appending, Erasure, Events, RoomLog, Tail, lost};
use crate::seals::{SealKey, sealed_with};
use crate::shapes::room::LogRecord;
use crate::shapes::{decode_padded, encode};
use crate::table::log_key;

/// From which place on records have to be looked at for what is behind a place: they are found by their first place, and
/// the one that has that place may go on behind it.
macro_rules! since_of {
    ($room:literal, $place:literal) => {
        concat!(
            "coalesce((SELECT max(log.first) FROM room_log log WHERE log.day = ",
            $room,
            ".day AND log.room = ",
            $room,
            ".id AND log.first <= ",
            $place,
            " + 1), 0)"
        )
    };
}
pub(super) use since_of;

/// A record as it is stored.
pub(super) struct Stored {
    pub(super) last: Seq,
    pub(super) first: Seq,
    pub(super) sealed: Vec<u8>,
}

impl Stored {
    /// The records of a room that have certain places.
    pub(super) const AT_PLACES: &str = "SELECT DISTINCT ON (l.first) l.last, l.first, l.sealed, r.day \
         FROM room r CROSS JOIN unnest($2::int8[]) AS p (place) CROSS JOIN LATERAL \
             (SELECT last, first, sealed FROM room_log \
                 WHERE day = r.day AND room = r.id AND first <= p.place ORDER BY first DESC LIMIT 1) l \
         WHERE r.id = $1 AND NOT r.gone AND l.last >= p.place ORDER BY l.first";

    /// The record in a row of `last`, `first` and `sealed`.
    pub(super) fn of(row: &Row) -> Self {
        let seq = |column| Seq(row.get::<usize, i64>(column).cast_unsigned());
        Self { last: seq(0), first: seq(1), sealed: row.get(2) }
    }

    fn open(&self, key: &SealKey, room: RoomId) -> Result<Events> {
        let plain = Zeroizing::new(key.open(&log_key(room, self.last), &self.sealed)?);
        decode_padded::<LogRecord>(&plain).map(|LogRecord(events)| events)
    }

    /// Other events in its place, sealed.
    pub(super) fn seal(&self, key: &SealKey, room: RoomId, events: Events) -> Result<Vec<u8>> {
        key.seal(&log_key(room, self.last), &Zeroizing::new(encode(&LogRecord(events))?))
    }
}

/// What a room's log has, as it was at one moment.
struct Found {
    day: i32,
    head: Seq,
    forgot: Seq,
    records: Vec<Stored>,
}

impl Open {
    /// Opens records of a room, in their order. `None` stands for one that can't be read.
    pub(super) async fn open_records(&self, room: RoomId, day: i32, records: &[Stored]) -> Result<Vec<Option<Events>>> {
        let name = |stored: &Stored| Some((whose(room, day), sealed_with(&stored.sealed).ok()?));
        let mut names: Vec<_> = records.iter().filter_map(name).collect();
        names.sort_unstable_by_key(|(_, key)| *key);
        names.dedup();
        let keys = self.keys.find(&names).await?;
        let open = |stored: &Stored| stored.open(keys.get(&name(stored)?)?, room).ok();
        Ok(records.iter().map(open).collect())
    }

    /// The records of a room that have events after `after`; `None` when the room is gone.
    async fn find_records(&self, room: RoomId, after: Seq) -> Result<Option<Found>> {
        // In one statement, so that all is of one moment.
        let select = concat!(
            "SELECT l.last, l.first, l.sealed, r.day, r.head, r.forgot FROM (SELECT id, day, forgot, ",
            head_of!("room"),
            " AS head, ",
            since_of!("room", "$2::int8"),
            " AS since FROM room WHERE id = $1 AND NOT gone OFFSET 0) r \
             LEFT JOIN room_log l ON l.day = r.day AND l.room = r.id AND l.first >= r.since AND l.last > $2 ORDER BY l.first"
        );
        let rows = once_more!(self.record.read(select, &[&room.0, &place(after)]))?;
        let Some(row) = rows.first() else { return Ok(None) };
        let seq = |column| Seq(row.get::<usize, i64>(column).cast_unsigned());
        let records = rows.iter().filter(|row| row.get::<_, Option<i64>>(0).is_some()).map(Stored::of).collect();
        Ok(Some(Found { day: row.get(3), head: seq(4), forgot: seq(5), records }))
    }

    async fn read_log(&self, room: RoomId, after: Seq) -> Result<Events> {
        let Some(mut found) = self.find_records(room, after).await? else { return Ok(Events::new()) };
        let mut opened = self.open_records(room, found.day, &found.records).await?;
        if opened.contains(&None) {
            // They may just have got a new key, or the room has ended.
            let Some(again) = self.find_records(room, after).await? else { return Ok(Events::new()) };
            opened = self.open_records(room, again.day, &again.records).await?;
            found = again;
        }
        let unreadable = opened.iter().filter(|events| events.is_none()).count();
        if unreadable > 0 {
            tracing::error!(unreadable, "records of a group's log can't be read");
        }
        let (mut events, mut next) = (Events::new(), after.next());
        // Up to `forgot` messages are missing, and nothing is lost.
        let missing = |next: Seq, until: Seq| lost(next.max(found.forgot.next()), until);
        for (stored, readable) in found.records.iter().zip(opened) {
            let Some(readable) = readable else { continue };
            events.extend(missing(next, stored.first));
            events.extend(readable.into_iter().filter(|(seq, _)| *seq > after));
            next = stored.last.next();
        }
        events.extend(missing(next, found.head.next()));
        Ok(events)
    }

    async fn pick_events(&self, room: RoomId, wanted: &[Seq]) -> Result<Events> {
        let places: Vec<_> = wanted.iter().map(|seq| place(*seq)).collect();
        let mut picked = Events::new();
        // The second time, since the room may just have got a new key.
        for _ in 0..2 {
            let rows = once_more!(self.record.read(Stored::AT_PLACES, &[&room.0, &places]))?;
            let Some(row) = rows.first() else { return Ok(Events::new()) };
            let records: Vec<_> = rows.iter().map(Stored::of).collect();
            let opened = self.open_records(room, row.get(3), &records).await?;
            let is_whole = !opened.contains(&None);
            let events = opened.into_iter().flatten().flatten();
            picked = events.filter(|(seq, _)| wanted.binary_search(seq).is_ok()).collect();
            if is_whole {
                break;
            }
        }
        Ok(picked)
    }
}

#[async_trait]
impl RoomLog for Postgres {
    fn append_and_erase(&self, room: RoomId, expected: Seq, events: Vec<RoomEvent>, erased: Erasure) -> Appending {
        if events.is_empty() {
            return Box::pin(std::future::ready(Ok(())));
        }
        self.ask(room, expected, events, erased)
    }

    async fn read(&self, room: RoomId, after: Seq) -> Result<Vec<(Seq, RoomEvent)>> {
        self.read_log(room, after).await
    }

    async fn pick(&self, room: RoomId, places: Vec<Seq>) -> Result<Vec<(Seq, RoomEvent)>> {
        self.pick_events(room, &places).await
    }

    async fn forget(&self, room: RoomId, up_to: Seq) -> Result<()> {
        let this = self.clone();
        self.see_through(async move { this.forget_messages_of(room, up_to).await }).await
    }

    fn tail(&self, room: RoomId) -> Option<Tail> {
        Some(self.wire.wire().tail(room))
    }

    /// Longer than the appender's: it answers first.
    fn patience(&self) -> Duration {
        PATIENCE + Duration::from_secs(5)
    }
}
