//! Room logs in sled: what was appended at once is one record, filed under
//! its last place, so that the last key tells where a log ends.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;

use crate::base::Base;
use crate::error::{Result, StoreError};
use crate::folder::space::DiskSpace;
use crate::room::{Body, RoomEvent, RoomId, Seq};
use crate::room_log::{Appending, RoomLog};
use crate::seals::keyring::Owner;
use crate::shapes::room::LogRecord;
use crate::sled::fresh::Pairs;
use crate::sled::unit::Unit;
use crate::sled::writer::Effect::{Replaces, Shrinks};
use crate::sled::{Table, end_of, key};

/// Messages that lose their words in one unit of work, so that nobody waits
/// long behind it.
const PIECE: usize = 500;
/// The same on a full disk: their records are written anew, and must fit.
const PIECE_WHEN_FULL: usize = 16;
/// How many ends are remembered.
const ENDS: usize = 16 * 1024;

pub(crate) struct SledRoomLog {
    base: Arc<Base>,
    space: Arc<DiskSpace>,
    /// Where logs end that were appended to. Only appending moves an end, and
    /// only the writer appends; a log that is gone has no key and is not
    /// asked for its end.
    ends: Arc<Mutex<HashMap<RoomId, Seq>>>,
}

impl SledRoomLog {
    pub(crate) fn new(base: Arc<Base>, space: Arc<DiskSpace>) -> Self {
        Self { base, space, ends: Arc::default() }
    }
}

fn log_prefix(room: RoomId) -> Vec<u8> {
    key(Table::RoomLog, &[room.0.as_bytes()])
}

fn log_key(room: RoomId, last: Seq) -> Vec<u8> {
    key(Table::RoomLog, &[room.0.as_bytes(), &last.0.to_be_bytes()])
}

fn seq_of(key: &[u8]) -> Result<Seq> {
    key.last_chunk().copied().map(|seq| Seq(u64::from_be_bytes(seq))).ok_or(StoreError::Corrupt)
}

/// Whether it is anything but going, taking back or letting in: those go on
/// while a nearly full disk refuses the rest.
fn makes_it_grow(event: &RoomEvent) -> bool {
    matches!(event, RoomEvent::Posted { .. } | RoomEvent::Claimed { .. })
}

/// Whether it can be done again and again. On a full disk that would use up
/// what is kept for deleting.
fn goes_on_forever(event: &RoomEvent) -> bool {
    matches!(event, RoomEvent::Locked { .. })
}

/// The record a place is in.
fn record_of(unit: &Unit<'_>, room: RoomId, seq: Seq) -> Result<Option<(Vec<u8>, LogRecord)>> {
    let Some(key) = unit.first_in(&log_key(room, seq), &end_of(&log_prefix(room)))? else { return Ok(None) };
    Ok(unit.sealed::<LogRecord>(&key)?.map(|record| (key, record)))
}

/// Takes the words out of messages, which are in order.
fn take_words(unit: &mut Unit<'_>, room: RoomId, mut messages: &[Seq]) -> Result<()> {
    let mut is_changed = false;
    while let Some(first) = messages.first() {
        let Some((key, record)) = record_of(unit, room, *first)? else { break };
        let mut events = record.into_events();
        let last = seq_of(&key)?;
        let (here, later) = messages.split_at(messages.partition_point(|seq| *seq <= last));
        for (at, event) in &mut events {
            if let RoomEvent::Posted { body, .. } = event
                && here.binary_search(at).is_ok()
            {
                *body = Body::Gone;
            }
        }
        unit.put_sealed(Owner::Room(room.0), key, &LogRecord::new(events))?;
        is_changed = true;
        messages = later;
    }
    if is_changed {
        // The old record is still in sled's log, under the same key.
        unit.put_bytes(key(Table::StaleRoom, &[room.0.as_bytes()]), Vec::new());
    }
    Ok(())
}

#[async_trait]
impl RoomLog for SledRoomLog {
    fn append(&self, room: RoomId, expected: Seq, events: Vec<RoomEvent>) -> Appending {
        let (ends, space) = (self.ends.clone(), self.space.clone());
        let work = move |unit: &mut Unit<'_>| {
            if events.is_empty() {
                return Ok(());
            }
            if events.iter().any(makes_it_grow) && space.refuses_writes() {
                return Err(StoreError::DiskFull);
            }
            if events.iter().any(goes_on_forever) && space.is_full() {
                return Err(StoreError::DiskFull);
            }
            if unit.current_key(Owner::Room(room.0)).is_none() {
                return Err(StoreError::NotFound);
            }
            let mut ends = ends.lock().unwrap_or_else(PoisonError::into_inner);
            let end = match ends.get(&room) {
                Some(end) if *end == expected => *end,
                // Or it is that of an append that the disk had no room for.
                _ => unit.last_under(&log_prefix(room))?.map_or(Ok(Seq(0)), |last| seq_of(&last))?,
            };
            if end != expected {
                return Err(StoreError::Conflict);
            }
            let mut seq = expected;
            let events: Vec<_> = events
                .into_iter()
                .map(|event| {
                    seq = seq.next();
                    (seq, event)
                })
                .collect();
            unit.put_sealed(Owner::Room(room.0), log_key(room, seq), &LogRecord::new(events))?;
            if ends.len() >= ENDS {
                ends.clear();
            }
            ends.insert(room, seq);
            Ok(())
        };
        // What of it a full disk refuses, the work itself tells.
        Box::pin(self.base.writer.ask(Shrinks, work))
    }

    async fn read(&self, room: RoomId, after: Seq) -> Result<Vec<(Seq, RoomEvent)>> {
        let mut log = Vec::new();
        let (from, to) = (log_key(room, after.next()), end_of(&log_prefix(room)));
        for pair in self.base.reader.range(from, to) {
            let (key, sealed) = pair?;
            let events = self.base.open::<LogRecord>(&key, &sealed)?.into_events();
            log.extend(events.into_iter().filter(|(seq, _)| *seq > after));
        }
        Ok(log)
    }

    async fn pick(&self, room: RoomId, places: Vec<Seq>) -> Result<Vec<(Seq, RoomEvent)>> {
        let (mut picked, to) = (Vec::with_capacity(places.len()), end_of(&log_prefix(room)));
        let (mut places, mut walk) = (places.as_slice(), None);
        while let Some(first) = places.first() {
            // Those of a page stand together: it is nearly always in the next record.
            let is_in = |pair: &Result<(Vec<u8>, Vec<u8>)>| match pair {
                Ok((key, _)) => seq_of(key).is_ok_and(|last| last >= *first),
                Err(_) => true,
            };
            let next = walk.as_mut().and_then(Pairs::next).filter(is_in);
            let next = next.or_else(|| walk.insert(self.base.reader.range(log_key(room, *first), to.clone())).next());
            let Some(pair) = next else { break };
            let (key, sealed) = pair?;
            let events = self.base.open::<LogRecord>(&key, &sealed)?.into_events();
            let last = seq_of(&key)?;
            let (here, later) = places.split_at(places.partition_point(|seq| *seq <= last));
            picked.extend(events.into_iter().filter(|(seq, _)| here.binary_search(seq).is_ok()));
            places = later;
        }
        Ok(picked)
    }

    async fn redact(&self, room: RoomId, mut messages: Vec<Seq>) -> Result<()> {
        // So that those of one record stand together.
        messages.sort_unstable();
        let size = if self.space.is_full() { PIECE_WHEN_FULL } else { PIECE };
        for piece in messages.chunks(size) {
            let piece = piece.to_vec();
            self.base.writer.write(Shrinks, move |unit: &mut Unit<'_>| take_words(unit, room, &piece)).await?;
        }
        Ok(())
    }

    async fn forget(&self, room: RoomId, up_to: Seq) -> Result<()> {
        let until = log_key(room, up_to.next());
        let keys =
            self.base.reader.range(log_prefix(room), until).map(|pair| Ok(pair?.0)).collect::<Result<Vec<_>>>()?;
        let work = move |unit: &mut Unit<'_>| {
            let last = unit.last_under(&log_prefix(room))?;
            let mut is_changed = false;
            for key in keys {
                let Some(record) = unit.sealed::<LogRecord>(&key)? else { continue };
                let mut events = record.into_events();
                let before = events.len();
                events.retain(|(_, event)| !matches!(event, RoomEvent::Posted { .. } | RoomEvent::Unsent { .. }));
                if events.len() == before {
                    continue;
                }
                is_changed = true;
                // The last one stays, if only with nothing in it: its place
                // is where the log ends.
                if events.is_empty() && last.as_ref() != Some(&key) {
                    unit.remove(key);
                } else {
                    unit.put_sealed(Owner::Room(room.0), key, &LogRecord::new(events))?;
                }
            }
            if is_changed {
                unit.put_bytes(key(Table::StaleRoom, &[room.0.as_bytes()]), Vec::new());
            }
            Ok(())
        };
        self.base.writer.write(Replaces, work).await
    }
}
