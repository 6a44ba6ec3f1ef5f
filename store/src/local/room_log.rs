//! Room logs, in the commit log alone.

use std::io;

use async_trait::async_trait;

use crate::clock;
use crate::error::{Result, StoreError};
use crate::image::Album;
use crate::image::picture::Picture;
use crate::local::Local;
use crate::local::commit_log::{CommitError, CommitLog, Doubt, Place};
use crate::local::erasing;
use crate::local::index::Index;
use crate::local::room_records::sealed_record;
use crate::local::transaction::Transaction;
use crate::room::{RoomEvent, RoomId, Seq};
use crate::room_log::{Appending, Erasure, Events, RoomLog, forget_messages, lost};
use crate::rows::Effect::{self, Grows, Replaces, Shrinks};
use crate::seals::keyring::{Keyring, Owner};
use crate::table::{Table, id_after_table, key};

/// Records that one transaction overwrites, so that other calls don't wait long.
const PIECE: usize = 16;

/// What an event does to the space on the disk, and so whether a full disk
/// refuses it.
fn effect_of(event: &RoomEvent) -> Effect {
    match event {
        RoomEvent::Posted { .. }
        | RoomEvent::Claimed { .. }
        | RoomEvent::Reacted { .. }
        | RoomEvent::Knocked { .. } => Grows,
        // Somebody can repeat this without end, and would use the space that is
        // kept for deletions.
        RoomEvent::Locked { .. } | RoomEvent::AskFirst { .. } => Replaces,
        RoomEvent::Arrived { .. }
        | RoomEvent::Lapsed { .. }
        | RoomEvent::Left { .. }
        | RoomEvent::Kicked { .. }
        | RoomEvent::Retracted { .. }
        | RoomEvent::Closed { .. }
        | RoomEvent::Viewed { .. }
        | RoomEvent::Lost { .. }
        | RoomEvent::Unreacted { .. }
        | RoomEvent::Admitted { .. }
        | RoomEvent::Declined { .. } => Shrinks,
    }
}

/// After damage, events of which somebody was told may be missing at the end of
/// rooms' logs. This skips their seqs, so that none is given twice: a client that has
/// seen the old event would never ask for the new one.
pub(crate) fn skip_doubtful(
    commit_log: &mut CommitLog,
    index: &Index,
    keyring: &Keyring,
    doubt: &Doubt,
) -> io::Result<()> {
    let mut changes = Vec::new();
    if doubt.events > 0 {
        for pair in index.under(&key(Table::Room, &[])) {
            let room = RoomId(id_after_table(&pair.map_err(io::Error::other)?.0).map_err(io::Error::other)?);
            let room_key = room.0.into_bytes();
            let seal = keyring.current(Owner::Room(room.0)).filter(|_| !doubt.known.contains(&room_key));
            let Some(seal) = seal else { continue };
            let end = commit_log.reader().head(&room_key).map_or(0, |head| head.seq);
            let count = u32::try_from(doubt.events).unwrap_or(u32::MAX);
            let Some(event) = lost(Seq(end + 1), Seq(end + 1 + u64::from(count))) else { continue };
            changes.push(sealed_record(seal, room, end + 1, count, [event]).map_err(io::Error::other)?);
        }
    }
    if changes.is_empty() {
        return Ok(());
    }
    let rooms = changes.len();
    let index_sum = index.index_sum().bytes();
    match commit_log.commit(changes, index_sum, clock::hour()) {
        Ok(_) => tracing::error!(rooms, "the last events of these rooms may be lost: they show a gap"),
        Err(CommitError::Refused(error)) => tracing::error!(rooms, %error, "the seqs of lost events can't be skipped"),
        Err(CommitError::Dead(error)) => return Err(error),
    }
    Ok(())
}

impl Local {
    /// The records of a room that have events after `after`, in order, each with its
    /// last place. There are none if the room is over.
    pub(crate) fn room_records(&self, room: RoomId, after: Seq) -> Result<Vec<(Seq, Events)>> {
        let (mut records, mut next, end) = (Vec::new(), after.next(), self.rooms.end(room));
        let found = self.rooms.back_to(room, after)?;
        // This comes second: a room that has just ended may have no records.
        let Some(key) = self.key_of(Owner::Room(room.0)) else { return Ok(records) };
        let gap = |from, until| lost(from, until).map(|event| (event.0, vec![event]));
        for (_, record) in found {
            let Ok(events) = self.rooms.open(&key, room, &record) else { continue };
            records.extend(gap(next, Seq(record.head.first)));
            next = Seq(record.head.last()).next();
            records.push((Seq(record.head.last()), events));
        }
        records.extend(gap(next, end.next()));
        Ok(records)
    }

    /// Overwrites records where they stand, a few at a time.
    async fn rewrite(
        &self,
        room: RoomId,
        places: Vec<Place>,
        change: impl Fn(&mut Events) -> bool + Clone + Send + 'static,
    ) -> Result<()> {
        for piece in places.chunks(PIECE) {
            let (piece, change) = (piece.to_vec(), change.clone());
            let work = move |transaction: &mut Transaction<'_>| {
                piece.into_iter().try_for_each(|place| transaction.rewrite(room, place, &change))
            };
            self.committer.write(Replaces, work).await?;
        }
        Ok(())
    }
}

#[async_trait]
impl RoomLog for Local {
    fn append_and_erase(&self, room: RoomId, expected: Seq, events: Vec<RoomEvent>, erased: Erasure) -> Appending {
        let effect = events.iter().map(effect_of).min().unwrap_or(Shrinks);
        let album = Album::Room(room.0);
        let pictures: Vec<_> = erased.pictures.iter().map(|&id| Picture { album, id }).collect();
        let (committer, space, files) = (self.committer.clone(), self.space.clone(), self.files.clone());
        let asked = space.clone();
        let work = move |transaction: &mut Transaction<'_>| {
            if events.is_empty() {
                return Ok(None);
            }
            transaction.append(room, expected, events)?;
            transaction.erase(room, expected.next(), erased, &asked)
        };
        let written = self.committer.ask(effect, work);
        Box::pin(async move {
            if let Some(mark) = written.await? {
                let finished = erasing::finish(&committer, &space, mark).await;
                finished.map_err(|_| StoreError::Unavailable)?;
            }
            if !pictures.is_empty() {
                // Nobody can open them any more. If this fails, a sweep removes them.
                let removed = files.work(move |files| files.remove_all(&pictures)).await;
                removed.unwrap_or_else(|error| tracing::warn!(%error, "pictures without a key are left"));
            }
            Ok(())
        })
    }

    async fn read(&self, room: RoomId, after: Seq) -> Result<Vec<(Seq, RoomEvent)>> {
        let events = self.room_records(room, after)?.into_iter().flat_map(|(_, events)| events);
        Ok(events.filter(|(seq, _)| *seq > after).collect())
    }

    async fn pick(&self, room: RoomId, wanted: Vec<Seq>) -> Result<Vec<(Seq, RoomEvent)>> {
        let places = self.rooms.places(room)?;
        let (mut picked, mut wanted) = (Vec::with_capacity(wanted.len()), wanted.as_slice());
        while let Some(first) = wanted.first() {
            let Some((last, place)) = places.get(places.partition_point(|(last, _)| last < first)) else { break };
            let events = self.rooms.read(self.key_of(Owner::Room(room.0)), room, *place)?;
            let (here, later) = wanted.split_at(wanted.partition_point(|seq| seq <= last));
            picked.extend(events.into_iter().filter(|(seq, _)| here.binary_search(seq).is_ok()));
            wanted = later;
        }
        Ok(picked)
    }

    async fn forget(&self, room: RoomId, up_to: Seq) -> Result<()> {
        let places = self.rooms.places(room)?;
        let until = places.partition_point(|(last, _)| *last <= up_to);
        // The next record may have `up_to` in its middle.
        let records = places.iter().take(until + 1).map(|(_, place)| *place).collect();
        self.rewrite(room, records, move |events| forget_messages(events, up_to)).await
    }
}
