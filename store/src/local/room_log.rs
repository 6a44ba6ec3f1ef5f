//! Room logs, on the tape alone.

use async_trait::async_trait;

use crate::error::Result;
use crate::local::base::Base;
use crate::local::committer::Effect::{self, Grows, Replaces, Shrinks};
use crate::local::tape::Place;
use crate::local::transaction::Transaction;
use crate::room::{RoomEvent, RoomId, Seq};
use crate::room_log::{Appending, Events, RoomLog, forget_messages, take_words};
use crate::seals::keyring::Owner;

/// Records that one transaction overwrites, so that other calls don't wait long.
const PIECE: usize = 16;
/// The same on a full disk, which must have space for the new records.
const PIECE_WHEN_FULL: usize = 4;

/// What an event does to the space on the disk, and so whether a full disk
/// refuses it.
fn effect_of(event: &RoomEvent) -> Effect {
    match event {
        RoomEvent::Posted { .. } | RoomEvent::Claimed { .. } => Grows,
        // Somebody can repeat this without end, and would use the space that is
        // kept for deletions.
        RoomEvent::Locked { .. } => Replaces,
        RoomEvent::Arrived { .. }
        | RoomEvent::Lapsed { .. }
        | RoomEvent::Left { .. }
        | RoomEvent::Kicked { .. }
        | RoomEvent::Unsent { .. }
        | RoomEvent::Closed { .. }
        | RoomEvent::Viewed { .. }
        | RoomEvent::Lost { .. } => Shrinks,
    }
}

/// What is read in the place of the events from `from` on, before `until`: nothing
/// if there are none.
fn lost(from: Seq, until: Seq) -> Option<(Seq, RoomEvent)> {
    (from < until).then(|| (Seq(until.0 - 1), RoomEvent::Lost { from }))
}

impl Base {
    /// Overwrites records where they stand, a few at a time.
    async fn rewrite(
        &self,
        room: RoomId,
        places: Vec<Place>,
        effect: Effect,
        change: impl Fn(&mut Events) -> bool + Clone + Send + 'static,
    ) -> Result<()> {
        let size = if self.space.is_full() { PIECE_WHEN_FULL } else { PIECE };
        for piece in places.chunks(size) {
            let (piece, change) = (piece.to_vec(), change.clone());
            let work = move |transaction: &mut Transaction<'_>| {
                piece.into_iter().try_for_each(|place| transaction.rewrite(room, place, &change))
            };
            self.committer.write(effect, work).await?;
        }
        Ok(())
    }
}

#[async_trait]
impl RoomLog for Base {
    fn append(&self, room: RoomId, expected: Seq, events: Vec<RoomEvent>) -> Appending {
        let effect = events.iter().map(effect_of).min().unwrap_or(Shrinks);
        let work = move |transaction: &mut Transaction<'_>| {
            if events.is_empty() { Ok(()) } else { transaction.append(room, expected, events) }
        };
        Box::pin(self.committer.ask(effect, work))
    }

    async fn read(&self, room: RoomId, after: Seq) -> Result<Vec<(Seq, RoomEvent)>> {
        let (mut log, mut next, end) = (Vec::new(), after.next(), self.rooms.end(room));
        let records = self.rooms.back_to(room, after)?;
        // A room that has just ended has no key, and may have no records.
        let Some(key) = self.key_of(Owner::Room(room.0)) else { return Ok(log) };
        for (_, record) in records {
            // A record that can't be opened is logged.
            let Ok(events) = self.rooms.open(Some(key.clone()), room, &record) else { continue };
            log.extend(lost(next, Seq(record.head.first)));
            log.extend(events.into_iter().filter(|(seq, _)| *seq > after));
            next = Seq(record.head.last()).next();
        }
        log.extend(lost(next, end.next()));
        Ok(log)
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

    async fn redact(&self, room: RoomId, mut messages: Vec<Seq>) -> Result<()> {
        messages.sort_unstable();
        let places = self.rooms.places(room)?;
        let mut records: Vec<_> = messages
            .iter()
            .filter_map(|seq| places.get(places.partition_point(|(last, _)| last < seq)))
            .map(|(_, place)| *place)
            .collect();
        records.dedup();
        self.rewrite(room, records, Shrinks, move |events| take_words(events, &messages)).await
    }

    async fn forget(&self, room: RoomId, up_to: Seq) -> Result<()> {
        let places = self.rooms.places(room)?;
        let until = places.partition_point(|(last, _)| *last <= up_to);
        // The next record may have `up_to` in its middle.
        let records = places.iter().take(until + 1).map(|(_, place)| *place).collect();
        self.rewrite(room, records, Replaces, move |events| forget_messages(events, up_to)).await
    }
}
