//! What is rewritten of a room's log. There is one rule for everybody who writes a row of
//! a room: they hold the room's own row, and seal with the key that it names. Whoever
//! replaces a record compares the bytes that they have read.

use std::collections::HashMap;
use std::iter;

use crate::error::{Result, StoreError};
use crate::postgres::appender::{Joined, Outcome, place};
use crate::postgres::errors::Failure;
use crate::postgres::keys::Named;
use crate::postgres::room_log::Stored;
use crate::postgres::rooms::whose;
use crate::postgres::{ATTEMPTS, Open, Postgres, Transaction, head_of, marked_stale, once_more};
use crate::room::{RoomId, Seq};
use crate::room_log::{Events, forget_messages, take_words};
use crate::seals::{KeyId, SealKey};

/// A room whose row this transaction has locked.
pub(super) struct Locked {
    pub(super) room: RoomId,
    pub(super) day: i32,
    pub(super) key: SealKey,
    /// The key before, while records may be sealed with it.
    pub(super) old_key: Option<KeyId>,
    head: Seq,
    /// Up to here messages are forgotten.
    forgot: Seq,
}

/// The row of a room, which this transaction has locked.
pub(super) struct HeldRow {
    pub(super) day: i32,
    pub(super) key: KeyId,
    old_key: Option<KeyId>,
    pub(super) head: Seq,
    forgot: Seq,
}

impl Transaction {
    /// Locks the row of a room until this ends. `None` when the room is gone.
    pub(super) async fn hold_row(&mut self, room: RoomId) -> Result<Option<HeldRow>, Failure> {
        let lock = "SELECT FROM room WHERE id = $1 AND NOT gone FOR NO KEY UPDATE";
        // A statement of its own sees what those have written who had the lock before.
        let select =
            concat!("SELECT day, key, ", head_of!("room"), ", forgot, old_key FROM room WHERE id = $1 AND NOT gone");
        let rows = self.query_both(lock, select, &[&room.0]).await?;
        let id = |key: i64| KeyId(key.cast_unsigned());
        Ok(rows.first().map(|row| {
            let seq = |column| Seq(row.get::<usize, i64>(column).cast_unsigned());
            let old_key = row.get::<_, Option<i64>>(4).map(id);
            HeldRow { day: row.get(0), key: id(row.get(1)), old_key, head: seq(2), forgot: seq(3) }
        }))
    }

    /// Replaces records by what they are now. What was read of them must still be there.
    pub(super) async fn replace(&mut self, locked: &Locked, changed: Vec<(Stored, Events)>) -> Result<(), Failure> {
        if changed.is_empty() {
            return Ok(());
        }
        let (mut firsts, mut old, mut new) = (Vec::new(), Vec::new(), Vec::new());
        for (stored, events) in changed {
            new.push(stored.seal(&locked.key, locked.room, events)?);
            firsts.push(place(stored.first));
            old.push(stored.sealed);
        }
        let update = "UPDATE room_log l SET sealed = w.new \
             FROM unnest($3::int8[], $4::bytea[], $5::bytea[]) AS w (first, old, new) \
             WHERE l.day = $1 AND l.room = $2 AND l.first = w.first AND l.sealed = w.old RETURNING 1";
        let replaced = self.query(update, &[&locked.day, &locked.room.0, &firsts, &old, &new]).await?;
        if replaced.len() == firsts.len() { Ok(()) } else { Err(Failure::Again) }
    }
}

impl Open {
    /// Begins a transaction that locks a room until it ends. `NotFound` when the room is gone. The keys with which its
    /// records are sealed are at hand then: everybody in the room would wait while the keys' database is asked.
    pub(super) async fn lock_room(&self, room: RoomId) -> Result<(Transaction, Locked), Failure> {
        let mut found = HashMap::new();
        for _ in 0..ATTEMPTS {
            let mut transaction = self.record.begin().await?;
            let held = transaction.hold_row(room).await?.ok_or(StoreError::NotFound)?;
            let HeldRow { day, key, old_key, head, forgot } = held;
            let names: Vec<Named> = iter::once(key).chain(old_key).map(|key| (whose(room, day), key)).collect();
            let missing = names.iter().find(|name| !found.contains_key(*name) && self.keys.at_hand(name).is_none());
            if missing.is_none() {
                let key = found.remove(&names[0]).flatten().or_else(|| self.keys.at_hand(&names[0]));
                let locked = Locked { room, day, key: key.ok_or(StoreError::Corrupt)?, old_key, head, forgot };
                return Ok((transaction, locked));
            }
            drop(transaction);
            let mut keys = self.keys.find(&names).await?;
            found.extend(names.into_iter().map(|name| (name, keys.remove(&name))));
        }
        Err(Failure::Again)
    }

    /// Opens records, and keeps those that a change changes. What can't be read stays as it
    /// is.
    pub(super) async fn changed(
        &self,
        locked: &Locked,
        records: Vec<Stored>,
        change: impl Fn(&mut Events) -> bool,
    ) -> Result<Vec<(Stored, Events)>> {
        let opened = self.open_records(locked.room, locked.day, &records).await?;
        let mut changed = Vec::new();
        for (stored, events) in records.into_iter().zip(opened) {
            if let Some(mut events) = events
                && change(&mut events)
            {
                changed.push((stored, events));
            }
        }
        Ok(changed)
    }

    /// Appends a record, and takes back what it takes back of earlier ones, all in one
    /// transaction: nobody ever reads the event and the words.
    async fn try_append_and_rewrite(&self, joined: &Joined) -> Result<Outcome, Failure> {
        let (mut transaction, locked) = match self.lock_room(joined.room).await {
            Err(Failure::Store(StoreError::NotFound)) => return Ok(Outcome::Gone),
            locked => locked?,
        };
        if locked.head != joined.expected() {
            return Ok(Outcome::Moved);
        }
        let messages = joined.taken_back();
        let places: Vec<_> = messages.iter().map(|seq| place(*seq)).collect();
        let records = transaction.query(Stored::AT_PLACES, &[&joined.room.0, &places]).await?;
        let records = records.iter().map(Stored::of).collect();
        let take = |events: &mut Events| take_words(events.iter_mut().map(|(at, event)| (*at, event)), &messages);
        let changed = self.changed(&locked, records, take).await?;
        transaction.replace(&locked, changed).await?;
        let pictures: Vec<_> =
            joined.calls.iter().flat_map(|call| call.erased.pictures.iter().map(|id| id.0)).collect();
        if !pictures.is_empty() {
            transaction.drop_from_album(locked.day, joined.room, Some(&pictures)).await?;
        }
        let append = concat!(
            "WITH marked AS (UPDATE room SET stale = ",
            marked_stale!("stale"),
            " WHERE id = $2 AND stale IS NULL) \
             INSERT INTO room_log (day, room, last, first, attempt, sealed) VALUES ($1, $2, $3, $4, $5, $6)"
        );
        let (first, last) = (place(locked.head) + 1, place(joined.last()));
        let sealed = joined.seal(&locked.key)?;
        transaction.query(append, &[&locked.day, &joined.room.0, &last, &first, &joined.attempt, &sealed]).await?;
        transaction.commit().await?;
        Ok(Outcome::Written)
    }

    async fn try_forget(&self, room: RoomId, up_to: Seq) -> Result<(), Failure> {
        let (mut transaction, locked) = self.lock_room(room).await?;
        let up_to = up_to.min(locked.head);
        if up_to <= locked.forgot {
            return Ok(());
        }
        let select = "SELECT last, first, sealed FROM room_log \
             WHERE day = $1 AND room = $2 AND last > $3 AND first <= $4";
        let (from, to) = (place(locked.forgot), place(up_to));
        let records = transaction.query(select, &[&locked.day, &room.0, &from, &to]).await?;
        let records = records.iter().map(Stored::of).collect();
        let changed = self.changed(&locked, records, |events| forget_messages(events, up_to)).await?;
        let (emptied, changed): (Vec<_>, Vec<_>) =
            changed.into_iter().partition(|(stored, events)| events.is_empty() && stored.last <= up_to);
        transaction.replace(&locked, changed).await?;
        let emptied: Vec<_> = emptied.iter().map(|(stored, _)| place(stored.first)).collect();
        let delete = "DELETE FROM room_log WHERE day = $1 AND room = $2 AND first = ANY ($3)";
        transaction.query(delete, &[&locked.day, &room.0, &emptied]).await?;
        // The words can be read in old files, until the room has a new key.
        let note = concat!("UPDATE room SET forgot = $2, stale = ", marked_stale!("stale"), " WHERE id = $1");
        transaction.query(note, &[&room.0, &to]).await?;
        transaction.commit().await
    }
}

impl Postgres {
    pub(super) async fn append_and_rewrite(&self, mut joined: Joined) {
        match self.try_append_and_rewrite(&joined).await {
            Ok(outcome) => self.conclude_with(outcome, joined),
            Err(Failure::Store(error)) if error != StoreError::Unreachable => self.finish(joined, Err(error)),
            Err(failure) => {
                joined.may_be_done |= failure == Failure::Unknown;
                self.try_later(joined, failure == Failure::Again);
            }
        }
    }

    pub(super) async fn forget_messages_of(&self, room: RoomId, up_to: Seq) -> Result<()> {
        match once_more!(self.try_forget(room, up_to)) {
            // The room is gone, with all its words.
            Err(Failure::Store(StoreError::NotFound)) => Ok(()),
            outcome => Ok(outcome?),
        }
    }
}
