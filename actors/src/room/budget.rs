//! The memory that all rooms hold together. Anyone with a link can have a room
//! read into memory, and keep it there with a socket. So above the budget, rooms
//! that nobody is in leave memory first. Then the largest rooms drop the text of
//! old messages, which the log has.

use std::collections::HashMap;
use std::time::Instant;

use actix::Addr;
use annon_store::room::RoomId;
use parking_lot::Mutex;

use crate::room::shell::Shell;
use crate::room::shell::actor::ToRoom;

/// The rooms, and what they may hold.
pub(crate) struct Budget {
    /// Together, in bytes.
    max: usize,
    rooms: Mutex<Rooms>,
}

#[derive(Default)]
struct Rooms {
    shares: HashMap<RoomId, Share>,
    /// What they hold together.
    bytes: usize,
}

/// What a room holds now.
pub(crate) struct Share {
    pub(crate) actor: Addr<Shell>,
    pub(crate) bytes: usize,
    /// How much of it the room can do without.
    pub(crate) spare: usize,
    /// When somebody last wanted something there, if nobody is in it.
    pub(crate) lingers: Option<Instant>,
}

impl Rooms {
    fn remove(&mut self, id: RoomId) {
        if let Some(share) = self.shares.remove(&id) {
            self.bytes -= share.bytes;
        }
    }

    /// Has one room make way, but never the one that has just come. Whether
    /// there was such a room.
    fn make_way(&mut self, but: RoomId) -> bool {
        let lingering = self.shares.iter().filter(|(id, _)| **id != but);
        let lingering = lingering.filter_map(|(id, share)| Some((share.lingers?, *id)));
        if let Some((_, oldest)) = lingering.min() {
            // A room whose mailbox is full has a lot under way. It is counted
            // again when it next looks around.
            let _ = self.shares[&oldest].actor.try_send(ToRoom::MakeWay);
            self.remove(oldest);
            return true;
        }
        let in_use = self.shares.values_mut().filter(|share| share.lingers.is_none());
        let largest = in_use.max_by_key(|share| share.spare);
        let Some(largest) = largest.filter(|share| share.spare > 0) else { return false };
        let _ = largest.actor.try_send(ToRoom::MakeWay);
        // The room itself reports what it holds after that.
        self.bytes -= largest.spare;
        largest.bytes -= largest.spare;
        largest.spare = 0;
        true
    }
}

impl Budget {
    pub(crate) fn new(max: usize) -> Self {
        Self { max, rooms: Mutex::default() }
    }

    /// A room says what it holds. Rooms make way when all is too much.
    pub(crate) fn holds(&self, id: RoomId, share: Share) {
        let mut rooms = self.rooms.lock();
        rooms.remove(id);
        rooms.bytes += share.bytes;
        rooms.shares.insert(id, share);
        while rooms.bytes > self.max && rooms.make_way(id) {}
    }

    /// A room's actor has ended, unless another has taken its place.
    pub(crate) fn left(&self, id: RoomId, actor: &Addr<Shell>) {
        let mut rooms = self.rooms.lock();
        if rooms.shares.get(&id).is_some_and(|share| share.actor == *actor) {
            rooms.remove(id);
        }
    }

    /// What rooms hold, in bytes.
    pub(crate) fn held(&self) -> usize {
        self.rooms.lock().bytes
    }
}
