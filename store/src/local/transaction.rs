//! A transaction: the changes of one call, collected before anything is written,
//! so that a refused call changes nothing.

use std::collections::BTreeMap;

use zeroize::Zeroizing;

use crate::error::{Result, StoreError};
use crate::local::commit_log::{Place, RoomHead, RoomRecord};
use crate::local::index::Index;
use crate::local::recent::{Changed, Recent};
use crate::local::room_records::{NewRecord, Rewritten, RoomChanges, RoomRecords, sealed_to};
use crate::room::{RoomEvent, RoomId, Seq};
use crate::room_log::{Events, TOGETHER};
use crate::rows::{Pair, Span, Told};
use crate::seals::keyring::{Keyring, Owner};
use crate::seals::{KeyId, SealKey, sealed_with};
use crate::shapes::room::LogRecord;
use crate::shapes::{Record, decode, decode_padded, encode};
use crate::table::Changes;

/// The changes of a commit of calls so far. The next call of the commit sees them.
#[derive(Default)]
pub(crate) struct Pending {
    pub(crate) changes: Changes,
    pub(crate) born: Vec<(Owner, SealKey)>,
    pub(crate) dying: Vec<KeyId>,
    pub(crate) rooms: RoomChanges,
    /// Conversations, as the changes leave them.
    pub(crate) conversations: Changed,
}

impl Pending {
    pub(crate) fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.born.is_empty() && self.dying.is_empty() && self.rooms.is_empty()
    }

    /// About how many bytes the changes take in the commit log.
    pub(crate) fn weight(&self) -> u64 {
        let weight = |(key, value): (&Vec<u8>, &Option<Vec<u8>>)| key.len() + value.as_ref().map_or(0, Vec::len) + 16;
        (self.changes.iter().map(weight).sum::<usize>() + self.rooms.weight()) as u64
    }

    /// Adds the changes of one call.
    pub(crate) fn absorb(&mut self, later: Pending) {
        self.changes.extend(later.changes);
        self.born.extend(later.born);
        self.dying.extend(later.dying);
        self.rooms.absorb(later.rooms);
        self.conversations.extend(later.conversations);
    }
}

/// What one call sees: the data on disk, the changes of its commit, and its own.
pub(crate) struct Transaction<'a> {
    index: &'a Index,
    pub(crate) rooms: &'a RoomRecords,
    pub(crate) recent: &'a Recent,
    pub(crate) keyring: &'a Keyring,
    pub(crate) commit: &'a Pending,
    pub(crate) own: Pending,
    /// Who is told what when the commit is on disk.
    pub(crate) told: Vec<Told>,
}

impl<'a> Transaction<'a> {
    pub(crate) fn new(
        index: &'a Index,
        rooms: &'a RoomRecords,
        recent: &'a Recent,
        keyring: &'a Keyring,
        commit: &'a Pending,
    ) -> Self {
        Self { index, rooms, recent, keyring, commit, own: Pending::default(), told: Vec::new() }
    }

    pub(crate) fn bytes(&self, key: &[u8]) -> Result<Option<Vec<u8>>> {
        match self.own.changes.get(key).or_else(|| self.commit.changes.get(key)) {
            Some(changed) => Ok(changed.clone()),
            None => self.index.read(key),
        }
    }

    pub(crate) fn record<T: Record>(&self, key: &[u8]) -> Result<Option<T>> {
        self.bytes(key)?.map(|bytes| decode(&bytes)).transpose()
    }

    pub(crate) fn has(&self, key: &[u8]) -> Result<bool> {
        Ok(self.bytes(key)?.is_some())
    }

    /// Everything under a prefix, changes included, in the order of keys.
    pub(crate) fn under(&self, prefix: &[u8]) -> Result<Vec<Pair>> {
        self.pairs(Span::under(prefix), usize::MAX)
    }

    /// The first pairs of a span, changes included.
    pub(crate) fn pairs(&self, Span { from, to, is_backwards }: Span, count: usize) -> Result<Vec<Pair>> {
        let mut found = BTreeMap::new();
        for changes in [&self.commit.changes, &self.own.changes] {
            let changed = changes.range(from.clone().min(to.clone())..to.clone());
            found.extend(changed.map(|(key, value)| (key.clone(), value.clone())));
        }
        // What is further behind in the index is not among the first.
        let enough = count.saturating_add(found.len());
        let mut add = |pair: Result<Pair>| -> Result<()> {
            let (key, value) = pair?;
            found.entry(key).or_insert(Some(value));
            Ok(())
        };
        let pairs = self.index.range(from, to);
        if is_backwards {
            pairs.rev().take(enough).try_for_each(&mut add)?;
        } else {
            pairs.take(enough).try_for_each(&mut add)?;
        }
        let there = found.into_iter().filter_map(|(key, value)| Some((key, value?)));
        Ok(if is_backwards { there.rev().take(count).collect() } else { there.take(count).collect() })
    }

    pub(crate) fn put_bytes(&mut self, key: Vec<u8>, value: Vec<u8>) {
        self.own.changes.insert(key, Some(value));
    }

    pub(crate) fn put<T: Record>(&mut self, key: Vec<u8>, record: &T) -> Result<()> {
        self.put_bytes(key, encode(record)?);
        Ok(())
    }

    pub(crate) fn remove(&mut self, key: Vec<u8>) {
        self.own.changes.insert(key, None);
    }

    /// The new keys of this commit, the oldest first.
    fn born(&self) -> impl DoubleEndedIterator<Item = &(Owner, SealKey)> {
        self.commit.born.iter().chain(&self.own.born)
    }

    /// Whether this commit destroys a key.
    fn dies(&self, id: KeyId) -> bool {
        self.own.dying.contains(&id) || self.commit.dying.contains(&id)
    }

    /// How many accounts there are: each has one key.
    pub(crate) fn accounts(&self) -> usize {
        let born: Vec<_> = self.born().filter(|(owner, _)| owner.is_account()).map(|(_, key)| key.id).collect();
        let dying = self.commit.dying.iter().chain(&self.own.dying);
        let is_account = |id: &KeyId| born.contains(id) || self.keyring.owner(*id).is_some_and(Owner::is_account);
        (self.keyring.accounts() + born.len()) - dying.filter(|id| is_account(id)).count()
    }

    /// Makes the first key of a new owner, or the next key of an old one.
    pub(crate) fn new_key(&mut self, owner: Owner) -> Result<()> {
        let key = SealKey::random(self.current_key(owner).map(|key| key.id))?;
        self.own.born.push((owner, key));
        Ok(())
    }

    /// Adds a key that was made before. `Conflict` when its id exists.
    pub(crate) fn add_key(&mut self, owner: Owner, key: SealKey) -> Result<()> {
        if self.keyring.key(key.id).is_some() || self.born().any(|(_, other)| other.id == key.id) {
            return Err(StoreError::Conflict);
        }
        self.own.born.push((owner, key));
        Ok(())
    }

    /// Destroys one key, once this commit is on disk.
    pub(crate) fn destroy_key(&mut self, id: KeyId) {
        self.own.dying.push(id);
    }

    /// Destroys every key an owner has, once this commit is on disk.
    pub(crate) fn destroy_keys(&mut self, owner: Owner) {
        let born = self.born().filter(|(whose, _)| *whose == owner).map(|(_, key)| key.id);
        // Damaged keys are destroyed, too: somebody could repair one by trying bits.
        let damaged = self.keyring.damaged_keys_of(owner);
        let ids: Vec<_> = self.keyring.keys_of(owner).into_iter().chain(born).chain(damaged).collect();
        self.own.dying.extend(ids);
    }

    /// Destroys an owner's keys, except the current one.
    pub(crate) fn destroy_old_keys(&mut self, owner: Owner) {
        let current = self.current_key(owner).map(|key| key.id);
        let old = self.keyring.keys_of(owner).into_iter().filter(|id| Some(*id) != current);
        self.own.dying.extend(old);
    }

    /// The key for new records of this owner. A key that this commit destroys does
    /// not count.
    pub(crate) fn current_key(&self, owner: Owner) -> Option<&SealKey> {
        let born = self.born().rfind(|(whose, _)| *whose == owner).map(|(_, key)| key);
        born.or_else(|| self.keyring.current(owner)).filter(|key| !self.dies(key.id))
    }

    /// Stores a record, sealed with its owner's key. `NotFound` when the owner
    /// is gone.
    pub(crate) fn put_sealed<T: Record>(&mut self, owner: Owner, key: Vec<u8>, record: &T) -> Result<()> {
        let seal = self.current_key(owner).ok_or(StoreError::NotFound)?;
        let sealed = seal.seal(&key, &Zeroizing::new(encode(record)?))?;
        self.put_bytes(key, sealed);
        Ok(())
    }

    /// A sealed record; `None` also when its key is destroyed.
    pub(crate) fn sealed<T: Record>(&self, key: &[u8]) -> Result<Option<T>> {
        let Some(sealed) = self.bytes(key)? else { return Ok(None) };
        self.open(key, &sealed)
    }

    /// Opens a sealed record that was read before; `None` when its key is destroyed.
    pub(crate) fn open<T: Record>(&self, key: &[u8], sealed: &[u8]) -> Result<Option<T>> {
        self.unseal(key, sealed)?.map(|plain| decode(&plain)).transpose()
    }

    /// Seals a record again, with its owner's current key. A damaged one stays as it is.
    pub(crate) fn reseal(&mut self, owner: Owner, key: Vec<u8>) -> Result<()> {
        let Some(sealed) = self.bytes(&key)? else { return Ok(()) };
        let Some(plain) = self.unseal_if_whole(&key, &sealed)? else { return Ok(()) };
        let seal = self.current_key(owner).ok_or(StoreError::NotFound)?;
        let sealed = seal.seal(&key, &plain)?;
        self.put_bytes(key, sealed);
        Ok(())
    }

    /// Opens what was sealed to a place; `None` when its key is destroyed.
    pub(crate) fn unseal(&self, place: &[u8], sealed: &[u8]) -> Result<Option<Zeroizing<Vec<u8>>>> {
        let id = sealed_with(sealed)?;
        if self.dies(id) {
            return Ok(None);
        }
        let born = self.born().map(|(_, key)| key).find(|seal| seal.id == id);
        let seal = born.or_else(|| self.keyring.key(id));
        seal.map(|seal| seal.open(place, sealed).map(Zeroizing::new)).transpose()
    }

    /// The same; `None` also when it is damaged, so that no key opens it.
    fn unseal_if_whole(&self, place: &[u8], sealed: &[u8]) -> Result<Option<Zeroizing<Vec<u8>>>> {
        self.unseal(place, sealed).or_else(|error| match error {
            StoreError::Corrupt => {
                tracing::error!("a record does not open, and stays as it is");
                Ok(None)
            }
            error => Err(error),
        })
    }
}

/// The logs of rooms.
impl Transaction<'_> {
    /// The last place of a room's log now.
    fn end_of_log(&self, room: RoomId) -> Seq {
        self.commit.rooms.end(room).unwrap_or_else(|| self.rooms.end(room))
    }

    /// Appends events to a room. `Conflict` when its last place is not `expected`.
    pub(crate) fn append(&mut self, room: RoomId, expected: Seq, events: Vec<RoomEvent>) -> Result<()> {
        if self.current_key(Owner::Room(room.0)).is_none() {
            return Err(StoreError::NotFound);
        }
        if self.end_of_log(room) != expected {
            return Err(StoreError::Conflict);
        }
        let mut events = events;
        let records = self.own.rooms.fresh.entry(room).or_default();
        let mut first = expected.next().0;
        while !events.is_empty() {
            let later = events.split_off(events.len().min(TOGETHER));
            let count = events.len() as u64;
            records.push(NewRecord { first, events });
            first += count;
            events = later;
        }
        Ok(())
    }

    /// A room is over, and the commit log does not need its records any more.
    pub(crate) fn end_room(&mut self, room: RoomId) {
        self.own.rooms.ended.push(room);
    }

    /// Overwrites a room's record where it stands, if `change` returns true. A
    /// record that can't be read stays as it is.
    pub(crate) fn rewrite(
        &mut self,
        room: RoomId,
        place: Place,
        change: impl FnOnce(&mut Events) -> bool,
    ) -> Result<()> {
        let changed = [&self.own, self.commit].into_iter().find_map(|pending| pending.rooms.rewritten.get(&place));
        let mut record = match changed {
            Some(record) => record.clone(),
            None => {
                let Some(found) = self.rooms.record(place)? else { return Ok(()) };
                let RoomRecord { head: RoomHead { first, count, .. }, body } = found;
                let sealed_to = sealed_to(room, first, count);
                let Some(plain) = self.unseal_if_whole(&sealed_to, &body)? else { return Ok(()) };
                // What doesn't parse is logged.
                let Ok(LogRecord(events)) = decode_padded(&plain) else { return Ok(()) };
                Rewritten { room, first, count, length: plain.len(), events }
            }
        };
        if change(&mut record.events) {
            self.own.rooms.rewritten.insert(place, record);
        }
        Ok(())
    }
}
