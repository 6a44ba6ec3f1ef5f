//! Rooms' records in the commit log: how they are sealed, which of them a commit adds or
//! changes, and where the records of a room stand.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, ErrorKind};
use std::sync::Arc;

use parking_lot::Mutex;
use uuid::Uuid;
use zeroize::Zeroizing;

use crate::error::{Result, StoreError};
use crate::local::commit_log::{ChainLink, Change, Place, Reader, RoomRecord};
use crate::room::{RoomEvent, RoomId, Seq};
use crate::room_log::{Events, TOGETHER, take_words};
use crate::seals::keyring::{Keyring, Owner};
use crate::seals::{SealKey, sealed_with};
use crate::shapes::room::LogRecord;
use crate::shapes::{decode_padded, encode};
use crate::table::log_key;

/// The usual size of an event that a full disk does not refuse.
const USUAL_EVENT: usize = 128;
/// How many places of records are kept in memory, of all rooms together.
const PLACES: usize = 1024 * 1024;

/// The bytes that bind a sealed record to its room and events.
pub(super) fn sealed_to(room: RoomId, first: u64, count: u32) -> Vec<u8> {
    [b"room", &room.0.as_bytes()[..], &first.to_le_bytes(), &count.to_le_bytes()].concat()
}

/// The room and the last place of a record's name in a backup.
pub(crate) fn room_and_place(key: &[u8]) -> Option<(RoomId, u64)> {
    let (room, last) = key.get(1..)?.split_at_checked(16)?;
    Some((RoomId(Uuid::from_slice(room).ok()?), u64::from_be_bytes(last.try_into().ok()?)))
}

/// A record for the commit log, from a record of a backup. `None` when the room's key
/// is destroyed.
pub(crate) fn from_backup(keys: &Keyring, room: RoomId, end: u64, last: u64, sealed: &[u8]) -> Result<Option<Change>> {
    let Some(key) = keys.key(sealed_with(sealed)?) else { return Ok(None) };
    let plain = Zeroizing::new(key.open(&log_key(room, Seq(last)), sealed)?);
    let (first, count) = (end + 1, u32::try_from(last - end).map_err(|_| StoreError::Corrupt)?);
    // It is sealed with the room's current key.
    let key = keys.current(Owner::Room(room.0)).unwrap_or(key);
    let body = key.seal(&sealed_to(room, first, count), &plain)?;
    Ok(Some(Change::Room { room: room.0.into_bytes(), first, count, body }))
}

/// A record for the commit log, from events. It takes the places of `count` events,
/// also if it has fewer.
pub(super) fn sealed_record(
    key: &SealKey,
    room: RoomId,
    first: u64,
    count: u32,
    events: impl IntoIterator<Item = (Seq, RoomEvent)>,
) -> Result<Change> {
    let plain = Zeroizing::new(encode(&LogRecord(events.into_iter().collect()))?);
    let body = key.seal(&sealed_to(room, first, count), &plain)?;
    Ok(Change::Room { room: room.0.into_bytes(), first, count, body })
}

/// A record that has not been written yet.
pub(crate) struct NewRecord {
    pub(super) first: u64,
    pub(super) events: Vec<RoomEvent>,
}

/// A record that gets new words where it stands.
#[derive(Clone)]
pub(super) struct Rewritten {
    pub(super) room: RoomId,
    pub(super) first: u64,
    pub(super) count: u32,
    /// The length of the record before it is sealed, which must not change.
    pub(super) length: usize,
    pub(super) events: Events,
}

/// The changes of a commit to rooms.
#[derive(Default)]
pub(crate) struct RoomChanges {
    pub(super) fresh: BTreeMap<RoomId, Vec<NewRecord>>,
    pub(super) rewritten: BTreeMap<Place, Rewritten>,
    /// Messages that lose their words, if they are in a record of `fresh`.
    taken_back: Vec<(RoomId, Vec<Seq>)>,
    pub(crate) ended: Vec<RoomId>,
}

impl RoomChanges {
    pub(crate) fn is_empty(&self) -> bool {
        self.fresh.is_empty() && self.rewritten.is_empty() && self.ended.is_empty()
    }

    pub(crate) fn weight(&self) -> usize {
        let fresh: usize = self.fresh.values().flatten().map(|fresh| fresh.events.len() * USUAL_EVENT + 64).sum();
        fresh + self.rewritten_bytes() + self.ended.len() * 32
    }

    /// About how many bytes the rewritten records take. A new body is written to the
    /// commit log, and then over the old body.
    pub(crate) fn rewritten_bytes(&self) -> usize {
        self.rewritten.values().map(|record| record.length + 128).sum()
    }

    /// Takes words back from records that are not written yet. The messages are in
    /// order.
    pub(crate) fn take_back(&mut self, room: RoomId, messages: Vec<Seq>) {
        self.taken_back.push((room, messages));
    }

    /// Adds the changes of one call. New events join the last record of their
    /// room, if there is space in it.
    pub(crate) fn absorb(&mut self, later: Self) {
        for (room, records) in later.fresh {
            let theirs = self.fresh.entry(room).or_default();
            for record in records {
                match theirs.last_mut() {
                    Some(last) if last.events.len() + record.events.len() <= TOGETHER => {
                        last.events.extend(record.events);
                    }
                    _ => theirs.push(record),
                }
            }
        }
        for (room, messages) in later.taken_back {
            for NewRecord { first, events } in self.fresh.get_mut(&room).into_iter().flatten() {
                take_words((*first..).map(Seq).zip(events), &messages);
            }
        }
        self.rewritten.extend(later.rewritten);
        self.ended.extend(later.ended);
    }

    /// The last place of a room's log, if this commit has appended to it.
    pub(super) fn end(&self, room: RoomId) -> Option<Seq> {
        let last = self.fresh.get(&room)?.last()?;
        Some(Seq(last.first + last.events.len() as u64 - 1))
    }

    /// Seals all of it for the commit log. Returns the rooms and last places of new
    /// records. A room that ends in this commit has no key, so it gets nothing.
    pub(crate) fn seal(self, keyring: &Keyring, changes: &mut Vec<Change>) -> Result<Vec<(RoomId, Seq)>> {
        let mut sealed = Vec::new();
        let key_of = |room: RoomId| keyring.current(Owner::Room(room.0)).filter(|_| !self.ended.contains(&room));
        for (room, records) in self.fresh {
            let Some(key) = key_of(room) else { continue };
            for NewRecord { first, events } in records {
                let count = u32::try_from(events.len()).map_err(|_| StoreError::Corrupt)?;
                changes.push(sealed_record(key, room, first, count, (first..).map(Seq).zip(events))?);
                sealed.push((room, Seq(first + u64::from(count) - 1)));
            }
        }
        for (place, record) in self.rewritten {
            let Rewritten { room, first, count, length, events } = record;
            let Some(key) = key_of(room) else { continue };
            let mut plain = Zeroizing::new(encode(&LogRecord(events))?);
            if !invariant!(plain.len() <= length, "a record with fewer words takes no more space") {
                return Err(StoreError::Corrupt);
            }
            plain.resize(length, 0);
            changes.push(Change::Redact { place, body: key.seal(&sealed_to(room, first, count), &plain)? });
        }
        changes.extend(self.ended.into_iter().map(|room| Change::Ended { room: room.0.into_bytes() }));
        Ok(sealed)
    }
}

fn unreadable(error: &io::Error) -> StoreError {
    tracing::error!(%error, "the commit log can't be read");
    StoreError::Unavailable
}

/// The last event of each record of a room, and where the record stands, in order.
type Places = Vec<(Seq, Place)>;

fn places_of(records: &[(Place, RoomRecord)]) -> Places {
    records.iter().map(|(place, record)| (Seq(record.head.last()), *place)).collect()
}

/// The rooms' records that are in the commit log.
#[derive(Clone)]
pub(crate) struct RoomRecords {
    pub(crate) reader: Reader,
    /// The places of rooms in which somebody has read old events, so that the
    /// next one need not walk through the whole room.
    places: Arc<Mutex<HashMap<RoomId, Places>>>,
}

impl RoomRecords {
    pub(crate) fn new(reader: Reader) -> Self {
        Self { reader, places: Arc::default() }
    }

    /// The last place of a room's log.
    pub(crate) fn end(&self, room: RoomId) -> Seq {
        self.reader.head(room.0.as_bytes()).map_or(Seq(0), |head| Seq(head.seq))
    }

    /// The record at a place; `None` when it can't be read.
    pub(super) fn record(&self, place: Place) -> Result<Option<RoomRecord>> {
        match self.reader.read(place) {
            Ok(record) => Ok(Some(record)),
            Err(error) if matches!(error.kind(), ErrorKind::InvalidData | ErrorKind::NotFound) => {
                tracing::error!(%error, "a record of a commit can't be read");
                Ok(None)
            }
            Err(error) => Err(unreadable(&error)),
        }
    }

    pub(crate) fn written(&self, room: RoomId, last: Seq, place: Place) {
        if let Some(places) = self.places.lock().get_mut(&room) {
            places.push((last, place));
        }
    }

    /// Forgets a room that is over.
    pub(crate) fn forget(&self, room: RoomId) {
        self.places.lock().remove(&room);
    }

    /// The records of a room that have events after `after`, in order. Those that
    /// can't be read are left out, and it is logged why.
    pub(crate) fn back_to(&self, room: RoomId, after: Seq) -> Result<Vec<(Place, RoomRecord)>> {
        let mut records = Vec::new();
        for link in self.reader.chain(room.0.as_bytes()) {
            let (place, record) = match link {
                Ok(ChainLink::Record(place, record)) => (place, record),
                Ok(ChainLink::Gap(_, why)) => {
                    tracing::error!(why, "a part of a commit can't be read");
                    continue;
                }
                // The room has just ended.
                Err(error) if error.kind() == ErrorKind::NotFound => break,
                Err(error) => return Err(unreadable(&error)),
            };
            if record.head.last() <= after.0 {
                break;
            }
            records.push((place, record));
        }
        records.reverse();
        Ok(records)
    }

    /// The places of the records that have `first` and later events.
    pub(super) fn places_from(&self, room: RoomId, first: Seq) -> Result<Places> {
        if let Some(places) = self.places.lock().get(&room) {
            return Ok(places[places.partition_point(|(last, _)| *last < first)..].to_vec());
        }
        let records = self.back_to(room, Seq(first.0.saturating_sub(1)))?;
        Ok(places_of(&records))
    }

    pub(crate) fn places(&self, room: RoomId) -> Result<Places> {
        if let Some(places) = self.places.lock().get(&room) {
            return Ok(places.clone());
        }
        let places = places_of(&self.back_to(room, Seq(0))?);
        let mut remembered = self.places.lock();
        if remembered.values().map(Vec::len).sum::<usize>() + places.len() > PLACES {
            remembered.clear();
        }
        // They are not kept if something was appended meanwhile.
        if places.last().map(|(last, _)| *last) == Some(self.end(room)) {
            remembered.insert(room, places.clone());
        }
        Ok(places)
    }

    /// Opens a record. If that fails, it is logged.
    pub(crate) fn open(&self, key: &SealKey, room: RoomId, record: &RoomRecord) -> Result<Events> {
        let opened = key.open(&sealed_to(room, record.head.first, record.head.count), &record.body);
        let decoded = opened.and_then(|plain| decode_padded::<LogRecord>(&Zeroizing::new(plain)));
        let logged = decoded.inspect_err(|_| tracing::error!("a record of a commit does not open"));
        logged.map(|LogRecord(events)| events)
    }

    /// Opens the record at a place; one that can't be read is empty.
    pub(crate) fn read(&self, key: Option<SealKey>, room: RoomId, place: Place) -> Result<Events> {
        let (Some(key), Some(record)) = (key, self.record(place)?) else { return Ok(Events::new()) };
        Ok(self.open(&key, room, &record).unwrap_or_default())
    }
}
