//! Recall: what a room holds in memory, and what is read back from its log.
//! Text of old messages leaves memory when rooms hold too much, and is read
//! again when a frame needs it. ("Recall" is not: to take a message back.)

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
        let bytes = EMPTY + room.lines().memory();
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
    pub(super) fn rest(&mut self, room: &mut Room, up_to: Seq, idle_since: Option<Instant>) {
        room.rest(up_to, self.services.settings.stays);
        // Text that could not be dropped was not on disk yet. It is counted
        // when this room is next counted.
        self.report(room, 0, idle_since);
    }

    fn report(&mut self, room: &Room, spare: usize, idle_since: Option<Instant>) {
        self.counted = EMPTY + room.lines().memory();
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
/// is not after `last`, the last line that rests.
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
