//! What a room holds in memory, and what it has left to its log.

use std::sync::Arc;
use std::time::Instant;

use actix::Addr;
use annon_store::StoreError;
use annon_store::image::{Album, StoredImage};
use annon_store::room::{RoomEvent, RoomId, Seq};

use crate::room::budget::Share;
use crate::room::error::RoomError;
use crate::room::machine::Room;
use crate::room::services::Services;
use crate::room::shell::Shell;
use crate::room::transcript::Recalled;

/// How far what a room holds may be from what was last counted, before it is
/// counted again: an eighth, and never less than so many bytes.
const COUNTED_FROM: usize = 4096;
/// What a room takes beside its lines, roughly.
const EMPTY: usize = 4096;

type Log = Vec<(Seq, RoomEvent)>;

/// One room's part in the memory that all rooms share.
pub(super) struct Recall {
    room: RoomId,
    services: Arc<Services>,
    /// Where the room hears that others need memory.
    actor: Addr<Shell>,
    /// The bytes it was last counted with.
    counted: usize,
}

impl Recall {
    pub(super) fn new(room: RoomId, services: Arc<Services>, actor: Addr<Shell>) -> Self {
        Self { room, services, actor, counted: 0 }
    }

    /// Tells the budget what the room holds, if that has changed much.
    pub(super) fn count(&mut self, room: &Room, lingers: Option<Instant>) {
        let bytes = EMPTY + room.lines().memory();
        if bytes.abs_diff(self.counted) >= COUNTED_FROM.max(self.counted / 8) {
            self.count_again(room, lingers);
        }
    }

    /// Tells the budget what the room holds, and whether anybody is in it.
    pub(super) fn count_again(&mut self, room: &Room, lingers: Option<Instant>) {
        let spare = room.lines().spare(self.services.settings.stays);
        self.holds(room, spare, lingers);
    }

    /// Lets go of what is in the log up to a place, but for the newest lines.
    pub(super) fn rest(&mut self, room: &mut Room, up_to: Seq, lingers: Option<Instant>) {
        room.rest(up_to, self.services.settings.stays);
        // What could not be dropped was not on disk yet. It is counted when
        // this room is next counted.
        self.holds(room, 0, lingers);
    }

    fn holds(&mut self, room: &Room, spare: usize, lingers: Option<Instant>) {
        self.counted = EMPTY + room.lines().memory();
        let share = Share { actor: self.actor.clone(), bytes: self.counted, spare, lingers };
        self.services.budget.holds(self.room, share);
    }
}

impl Drop for Recall {
    fn drop(&mut self) {
        self.services.budget.left(self.room, &self.actor);
    }
}

/// Reads a room's whole log, and which pictures there are.
pub(super) async fn read_all(services: Arc<Services>, room: RoomId) -> Result<(Log, Vec<StoredImage>), RoomError> {
    let reading = async {
        let pictures = services.images.list(Album::Room(room.0)).await?;
        // Nothing else is waited for while this is held.
        let _permit = services.reading.acquire().await;
        Ok::<_, StoreError>((services.log.read(room, Seq(0)).await?, pictures))
    };
    services.unless_stuck(reading).await
}

/// Reads what stands at some places of a room's log, and what that quotes, if
/// it stands no later than the last line that rests.
pub(super) async fn read(
    services: Arc<Services>,
    room: RoomId,
    places: Vec<Seq>,
    last: Seq,
) -> Result<Recalled, RoomError> {
    let reading = async {
        let mut recalled = Recalled::default();
        recalled.add(services.log.pick(room, in_order(places)).await?);
        let quoted = in_order(recalled.answered().filter(|seq| *seq <= last).collect());
        if !quoted.is_empty() {
            recalled.add(services.log.pick(room, quoted).await?);
        }
        Ok::<_, StoreError>(recalled)
    };
    let read = services.unless_stuck(reading).await;
    read.inspect_err(|error| tracing::error!(%error, "old messages can't be read from a room's log"))
}

fn in_order(mut places: Vec<Seq>) -> Vec<Seq> {
    places.sort_unstable();
    places.dedup();
    places
}
