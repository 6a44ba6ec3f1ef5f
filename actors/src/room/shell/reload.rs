//! What a room holds in memory, and what is read back from its log.
//! Text of old messages leaves memory when rooms hold too much, and is read
//! again when a frame needs it.

use std::sync::Arc;
use std::time::Instant;

use actix::Recipient;
use annon_store::StoreError;
use annon_store::image::{Album, StoredImage};
use annon_store::room::{RoomEvent, RoomId, Seq};

use crate::room::budget::{MakeWay, Share};
use crate::room::error::RoomError;
use crate::room::machine::Room;
use crate::room::services::Services;
use crate::room::transcript::OldWords;

/// What a room holds is counted again when it differs from the last count by an
/// eighth, and by at least this many bytes.
const COUNTED_FROM: usize = 4096;
/// What a room takes in addition to its lines, roughly.
const EMPTY: usize = 4096;

type Log = Vec<(Seq, RoomEvent)>;

/// Tells the budget how much memory one room holds.
pub(super) struct RoomMemory {
    room: RoomId,
    services: Arc<Services>,
    /// The budget tells this actor when other rooms need memory.
    actor: Recipient<MakeWay>,
    /// The bytes of the last count.
    counted: usize,
}

impl RoomMemory {
    pub(super) fn new(room: RoomId, services: Arc<Services>, actor: Recipient<MakeWay>) -> Self {
        Self { room, services, actor, counted: 0 }
    }

    /// Tells the budget what the room holds, if that has changed much.
    pub(super) fn count(&mut self, room: &Room, idle_since: Option<Instant>) {
        let bytes = EMPTY + room.memory();
        if bytes.abs_diff(self.counted) >= COUNTED_FROM.max(self.counted / 8) {
            self.count_again(room, idle_since);
        }
    }

    /// Tells the budget what the room holds, and whether anybody is in it.
    pub(super) fn count_again(&mut self, room: &Room, idle_since: Option<Instant>) {
        let spare = room.lines().spare(self.services.settings.stays);
        self.report(room, spare, idle_since);
    }

    /// Drops the text of lines up to `up_to`, except of the newest.
    pub(super) fn evict(&mut self, room: &mut Room, up_to: Seq, idle_since: Option<Instant>) {
        room.evict(up_to, self.services.settings.stays);
        // Text that could not be dropped was not on disk yet. It is counted
        // when this room is next counted.
        self.report(room, 0, idle_since);
    }

    fn report(&mut self, room: &Room, spare: usize, idle_since: Option<Instant>) {
        self.counted = EMPTY + room.memory();
        let share = Share { actor: self.actor.clone(), bytes: self.counted, spare, idle_since };
        self.services.budget.set_share(self.room, share);
    }
}

impl Drop for RoomMemory {
    fn drop(&mut self) {
        self.services.budget.actor_ended(self.room, &self.actor);
    }
}

/// Reads a room's whole log, and which pictures it has.
pub(super) async fn read_all(services: Arc<Services>, room: RoomId) -> Result<(Log, Vec<StoredImage>), RoomError> {
    let reading = async {
        let pictures = services.images.list(Album::Room(room.0)).await?;
        // Nothing else is waited for while the permit is held.
        let _permit = services.reading.acquire().await;
        Ok::<_, StoreError>((services.log.read(room, Seq(0)).await?, pictures))
    };
    services.unless_stuck(reading).await
}

/// Reads the messages at `places` of a room's log, and what they quote, if that
/// is not after `last`, the last line that is evicted.
pub(super) async fn read_back(
    services: Arc<Services>,
    room: RoomId,
    places: Vec<Seq>,
    last: Seq,
) -> Result<OldWords, RoomError> {
    let reading = async {
        let mut old_words = OldWords::default();
        old_words.add(services.log.pick(room, in_order(places)).await?);
        let quoted = in_order(old_words.replied_to().filter(|seq| *seq <= last).collect());
        if !quoted.is_empty() {
            old_words.add(services.log.pick(room, quoted).await?);
        }
        Ok::<_, StoreError>(old_words)
    };
    let read = services.unless_stuck(reading).await;
    read.inspect_err(|error| tracing::error!(%error, "old messages can't be read from a room's log"))
}

fn in_order(mut places: Vec<Seq>) -> Vec<Seq> {
    places.sort_unstable();
    places.dedup();
    places
}

#[cfg(test)]
mod tests {
    use actix::Actor;
    use actix::actors::mocker::Mocker;
    use annon_store::Engine;
    use annon_store::room::{Body, Emoji, MemberId, Millis, SeatNumber};

    use super::*;
    use crate::rooms::tests::{id, room, store_and_services};

    /// A member takes a seat, and posts messages, each a reply to the one before.
    fn log(messages: usize) -> Vec<RoomEvent> {
        let (seat, member, emoji, at) = (SeatNumber(0), MemberId([0; 16]), Emoji(0), Millis(0));
        let posted = |n: usize| {
            let (id, body) = (id(n).try_into().unwrap(), Body::Text("some words".try_into().unwrap()));
            RoomEvent::Posted { seat, id, body, reply_to: Some(Seq(n as u64)), at }
        };
        [RoomEvent::Claimed { seat, member, emoji, at }].into_iter().chain((1..=messages).map(posted)).collect()
    }

    #[actix::test]
    async fn a_room_is_counted_when_it_has_changed_much_and_when_text_has_left_it() {
        let (store, services) = store_and_services();
        let terms = services.terms(&store.rooms().by_id(room(1)).await.unwrap().unwrap());
        let with = |messages| Room::replay(terms, (1..).map(Seq).zip(&log(messages)));
        let actor = Mocker::<()>::mock(Box::new(|_, _| Box::new(Some(())))).start();
        let mut memory = RoomMemory::new(room(1), services.clone(), actor.recipient());
        let held = [0, 1, 500].map(|messages| {
            memory.count(&with(messages), None);
            services.budget.held()
        });
        assert_eq!(held, [EMPTY, EMPTY, EMPTY + with(500).lines().memory()], "one message is not much");
        memory.evict(&mut with(500), Seq(400), None);
        assert!(services.budget.held() < held[2] / 2);
        drop(memory);
        assert_eq!(services.budget.held(), 0);
    }

    #[actix::test]
    async fn old_messages_are_read_with_those_that_they_quote_and_that_are_evicted() {
        let (store, services) = store_and_services();
        store.room_log().append(room(1), Seq(0), log(8)).await.unwrap();
        let read = read_back(services.clone(), room(1), [8, 3, 4, 3].map(Seq).to_vec(), Seq(6)).await.unwrap();
        // A quote's own quote is not read, nor what is in memory.
        assert_eq!(in_order(read.replied_to().collect()), [1, 7].map(Seq));
        assert_eq!(store.faults().seen().picks, 2);
        assert_eq!(read_all(services.clone(), room(1)).await.unwrap().0.len(), 9);
        store.faults().fails_picks = true;
        assert!(read_back(services, room(1), vec![Seq(3)], Seq(6)).await.is_err());
    }
}
