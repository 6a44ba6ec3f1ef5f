//! Reads in the record what others have written to open rooms: when a poke says so, and,
//! since a poke may be lost, every open room once a minute. While a node isn't heard, the
//! heads of all open rooms are looked at twice a second.

use std::collections::{HashMap, HashSet};
use std::sync::Weak;
use std::time::Duration;

use tokio::sync::mpsc::error::TrySendError;
use tokio::time::{interval, sleep};
use uuid::Uuid;

use super::message::Mark;
use super::{Listeners, NodeWire, TailEnd};
use crate::error::Result;
use crate::postgres::appender::place;
use crate::postgres::errors::Failure;
use crate::postgres::nodes::DEAD_AFTER;
use crate::postgres::room_log::{Stored, since_of};
use crate::postgres::{Open, head_of, once_more};
use crate::room::{RoomEvent, RoomId, Seq};
use crate::room_log::TailItem;
use crate::wire::NodeId;

/// Rooms that are read together, and rooms whose heads are.
const READ_AT_ONCE: usize = 64;
const HEADS_AT_ONCE: usize = 500;
/// How often the heads of some rooms are looked at, and in how many steps those of all are.
const LOOKS_EVERY: Duration = Duration::from_millis(500);
const ROUND: u8 = 120;
/// The pause after the record could not be read.
const PAUSE: Duration = Duration::from_millis(500);

/// What the record has of a room.
#[derive(Default)]
struct News {
    is_gone: bool,
    head: Seq,
    day: i32,
    records: Vec<Stored>,
}

impl Listeners {
    /// Rooms with listeners, and up to where these know them.
    fn rooms(&mut self, is_wanted: impl Fn(&Mark) -> bool) -> Vec<(Mark, RoomId, Seq)> {
        let mut rooms = Vec::new();
        self.tails.retain(|mark, ends| {
            ends.retain(|end| !end.items.is_closed());
            let known = ends.iter().map(TailEnd::knows).min();
            if let (Some(known), true) = (known, is_wanted(mark)) {
                rooms.push((*mark, ends[0].room, known));
            }
            !ends.is_empty()
        });
        self.subjects.retain(|_, theirs| {
            theirs.retain(|listener| !listener.is_closed());
            !theirs.is_empty()
        });
        rooms
    }

    /// The next rooms that have to be read, and from where.
    fn take_unread(&mut self) -> Vec<(Mark, RoomId, Seq)> {
        let next: Vec<Mark> = self.unread.iter().take(READ_AT_ONCE).copied().collect();
        let mut rooms = Vec::new();
        for mark in next {
            self.unread.remove(&mark);
            let ends = self.tails.get(&mark).map(Vec::as_slice).unwrap_or_default();
            if let (Some(first), Some(known)) = (ends.first(), ends.iter().map(TailEnd::knows).min()) {
                rooms.push((mark, first.room, known));
            }
        }
        rooms
    }
}

impl TailEnd {
    /// Sends an item. What finds no space is read again when the next one is missing it.
    fn offer(&mut self, item: TailItem, last: Seq) {
        match self.items.try_send(item) {
            Ok(()) => self.sent = self.sent.max(last),
            Err(TrySendError::Full(_) | TrySendError::Closed(_)) => {}
        }
    }
}

impl NodeWire {
    /// Others say that they have written to these rooms.
    pub(super) fn poked(&self, marks: &[Mark]) {
        let mut listeners = self.listeners.lock();
        for mark in marks {
            if listeners.tails.contains_key(mark) {
                listeners.unread.insert(*mark);
                self.reads.notify_one();
            }
        }
    }

    pub(super) async fn read_when_poked(&self, open: &Weak<Open>) {
        loop {
            let rooms = self.listeners.lock().take_unread();
            if rooms.is_empty() {
                self.reads.notified().await;
                continue;
            }
            let Some(open) = open.upgrade() else { return };
            let read = open.read_news(&rooms).await;
            match read {
                Ok(news) => self.hand_out(&open, &rooms, news).await,
                Err(_) => {
                    self.listeners.lock().unread.extend(rooms.iter().map(|(mark, ..)| *mark));
                    drop(open);
                    sleep(PAUSE).await;
                }
            }
        }
    }

    async fn hand_out(&self, open: &Open, rooms: &[(Mark, RoomId, Seq)], mut news: HashMap<RoomId, News>) {
        for (mark, room, known) in rooms {
            let found = news.remove(room).unwrap_or(News { is_gone: true, ..News::default() });
            let events = if found.is_gone { None } else { open.events_of(*room, *known, &found).await };
            let mut listeners = self.listeners.lock();
            for end in listeners.tails.get_mut(mark).into_iter().flatten() {
                match &events {
                    _ if found.is_gone => end.offer(TailItem::Gone, Seq(0)),
                    _ if found.head <= *known => {}
                    // Whoever has just begun to listen is about to read all of it, and what
                    // can't be read here is read, and told apart, by whoever listens.
                    Some((first, events)) if end.knows() > Seq(0) => {
                        end.offer(TailItem::Events { first: *first, events: events.clone() }, found.head);
                    }
                    Some(_) | None => end.offer(TailItem::Stale, Seq(0)),
                }
            }
        }
    }

    /// Looks at the head of each open room once a minute: sooner if nothing was heard of it
    /// when somebody began to read it, and again and again while a node isn't heard.
    pub(super) async fn poll(&self, open: &Weak<Open>) {
        let mut ticks = interval(LOOKS_EVERY);
        let (mut turn, mut new) = (0, HashSet::new());
        loop {
            let has_to_see_all = tokio::select! {
                _ = ticks.tick() => self.others.lock().is_behind,
                () = self.looks.notified() => true,
            };
            let rooms = {
                let mut listeners = self.listeners.lock();
                // By now whoever began to listen has read the log, and the others are heard.
                let due = std::mem::replace(&mut new, std::mem::take(&mut listeners.heard));
                listeners.rooms(|mark| has_to_see_all || mark[0] % ROUND == turn || due.contains(mark))
            };
            for chunk in rooms.chunks(HEADS_AT_ONCE) {
                let Some(open) = open.upgrade() else { return };
                if let Ok(heads) = open.heads_of(chunk).await {
                    self.compare(chunk, &heads);
                }
            }
            turn = (turn + 1) % ROUND;
        }
    }

    /// Compares the heads with what was known before they were read.
    fn compare(&self, rooms: &[(Mark, RoomId, Seq)], heads: &HashMap<RoomId, Seq>) {
        let mut listeners = self.listeners.lock();
        for (mark, room, known) in rooms {
            let head = heads.get(room);
            if head == Some(known) {
                continue;
            }
            if head.is_some_and(|head| head < known) {
                let ends = listeners.tails.get_mut(mark).into_iter().flatten();
                ends.for_each(|end| end.offer(TailItem::Cut, Seq(0)));
                continue;
            }
            listeners.unread.insert(*mark);
            self.reads.notify_one();
        }
    }
}

impl Open {
    /// The other nodes that beat.
    pub(super) async fn living_nodes(&self) -> Result<Vec<NodeId>, Failure> {
        let select = "SELECT id FROM node \
             WHERE beat > clock_timestamp() - interval '1 second' * $2::float8 AND id <> $1";
        let rows = self.record.read(select, &[&self.beat.node, &DEAD_AFTER.as_secs_f64()]).await?;
        Ok(rows.iter().map(|row| NodeId(row.get(0))).collect())
    }

    /// Where the logs of rooms end that are there.
    async fn heads_of(&self, rooms: &[(Mark, RoomId, Seq)]) -> Result<HashMap<RoomId, Seq>, Failure> {
        let ids: Vec<Uuid> = rooms.iter().map(|(_, room, _)| room.0).collect();
        let select = concat!("SELECT id, ", head_of!("room"), " FROM room WHERE id = ANY ($1) AND NOT gone");
        let rows = self.record.read(select, &[&ids]).await?;
        Ok(rows.iter().map(|row| (RoomId(row.get(0)), Seq(row.get::<_, i64>(1).cast_unsigned()))).collect())
    }

    /// What the record has of rooms after what is known of each. That one is gone is confirmed: its
    /// members are told.
    async fn read_news(&self, rooms: &[(Mark, RoomId, Seq)]) -> Result<HashMap<RoomId, News>, Failure> {
        let select = concat!(
            "SELECT l.last, l.first, l.sealed, r.id, r.day, r.head, r.gone FROM (SELECT a.known, r.id, r.day, r.gone, ",
            head_of!("r"),
            " AS head, ",
            since_of!("r", "a.known"),
            " AS since FROM unnest($1::uuid[], $2::int8[]) AS a (id, known) JOIN room r ON r.id = a.id OFFSET 0) r \
             LEFT JOIN room_log l ON l.day = r.day AND l.room = r.id AND r.known > 0 AND l.first >= r.since \
                 AND l.last > r.known ORDER BY r.id, l.first"
        );
        let ids: Vec<Uuid> = rooms.iter().map(|(_, room, _)| room.0).collect();
        let known: Vec<i64> = rooms.iter().map(|(.., known)| place(*known)).collect();
        let (mut news, server) = (HashMap::<RoomId, News>::new(), self.record.generation_number());
        for row in once_more!(self.record.read(select, &[&ids, &known]))? {
            let found = news.entry(RoomId(row.get(3))).or_default();
            (found.day, found.head) = (row.get(4), Seq(row.get::<_, i64>(5).cast_unsigned()));
            found.is_gone = row.get(6);
            if row.get::<_, Option<i64>>(0).is_some() {
                found.records.push(Stored::of(&row));
            }
        }
        if ids.iter().any(|id| news.get(&RoomId(*id)).is_none_or(|found| found.is_gone)) {
            self.confirm_read(server).await?;
        }
        Ok(news)
    }

    /// The events after `known`, and the place of the first; `None` if they aren't all
    /// there.
    async fn events_of(&self, room: RoomId, known: Seq, news: &News) -> Option<(Seq, Vec<RoomEvent>)> {
        let opened = self.open_records(room, news.day, &news.records).await.ok()?;
        let (mut events, mut next) = (Vec::new(), known.next());
        for (seq, event) in opened.into_iter().flat_map(|events| events.unwrap_or_default()) {
            if seq < next {
                continue;
            }
            if seq != next {
                return None;
            }
            next = next.next();
            events.push(event);
        }
        (next == news.head.next() && !events.is_empty()).then_some((known.next(), events))
    }
}
