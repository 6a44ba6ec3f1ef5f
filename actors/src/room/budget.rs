//! The memory that all rooms hold together. Anyone with a link can have a room read into memory,
//! and keep it there with a socket. So above the budget, rooms that nobody is in leave memory
//! first. Then the largest rooms drop the text of old messages, which the log has.

use std::collections::HashMap;
use std::time::Instant;

use actix::{Message, Recipient};
use annon_store::room::RoomId;
use parking_lot::Mutex;

/// Other rooms need memory. A room that nobody is in leaves memory, and any
/// other drops what it can.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct MakeWay;

/// What each room holds, and what all may hold.
pub(crate) struct Budget {
    /// The bytes that all rooms may hold together.
    max: usize,
    shares: Mutex<Shares>,
}

#[derive(Default)]
struct Shares {
    by_room: HashMap<RoomId, Share>,
    /// The bytes that all rooms hold together.
    bytes: usize,
}

/// The memory that a room holds now.
pub(crate) struct Share {
    pub(crate) actor: Recipient<MakeWay>,
    pub(crate) bytes: usize,
    /// How many of these bytes the room can drop.
    pub(crate) spare: usize,
    /// When somebody last used the room; `None` while somebody is in it.
    pub(crate) idle_since: Option<Instant>,
}

impl Shares {
    fn remove(&mut self, id: RoomId) {
        self.bytes -= self.by_room.remove(&id).map_or(0, |share| share.bytes);
    }

    /// Tells one room to make way: the one that is empty for longest, but not
    /// `newcomer`; else the one that can drop most. Returns whether one exists.
    fn ask_one_to_make_way(&mut self, newcomer: RoomId) -> bool {
        let others = self.by_room.iter().filter(|(id, _)| **id != newcomer);
        if let Some((_, oldest)) = others.filter_map(|(id, share)| Some((share.idle_since?, *id))).min() {
            // A room whose mailbox is full has a lot under way, and stays. It
            // is counted again when it next looks around.
            let _ = self.by_room[&oldest].actor.try_send(MakeWay);
            self.remove(oldest);
            return true;
        }
        let in_use = self.by_room.values_mut().filter(|share| share.idle_since.is_none() && share.spare > 0);
        let Some(largest) = in_use.max_by_key(|share| share.spare) else { return false };
        let _ = largest.actor.try_send(MakeWay);
        // The room itself reports what it holds after that.
        self.bytes -= largest.spare;
        largest.bytes -= largest.spare;
        largest.spare = 0;
        true
    }
}

impl Budget {
    pub(crate) fn new(max: usize) -> Self {
        Self { max, shares: Mutex::default() }
    }

    /// Sets what a room holds. If all is too much, rooms have to make way.
    pub(crate) fn set_share(&self, id: RoomId, share: Share) {
        let mut shares = self.shares.lock();
        shares.remove(id);
        shares.bytes += share.bytes;
        shares.by_room.insert(id, share);
        while shares.bytes > self.max && shares.ask_one_to_make_way(id) {}
    }

    /// Removes the share of an actor that has ended, unless another actor has
    /// taken its place.
    pub(crate) fn actor_ended(&self, id: RoomId, actor: &Recipient<MakeWay>) {
        let mut shares = self.shares.lock();
        if shares.by_room.get(&id).is_some_and(|share| share.actor == *actor) {
            shares.remove(id);
        }
    }

    pub(crate) fn held(&self) -> usize {
        self.shares.lock().bytes
    }
}
