//! What rooms that nobody is in hold in memory. They linger, since somebody
//! may be back in a moment, but not at any price: a link is enough to have a
//! room read, and a log can be large.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use actix::Addr;
use annon_store::room::RoomId;

use crate::room::actor::{Rest, RoomActor};

/// The rooms that linger.
pub(crate) struct Budget {
    /// What they may hold together, in bytes.
    max: usize,
    lingering: Mutex<Lingering>,
}

#[derive(Default)]
struct Lingering {
    rooms: HashMap<RoomId, Room>,
    /// What they hold together.
    bytes: usize,
}

struct Room {
    actor: Addr<RoomActor>,
    bytes: usize,
    used_at: Instant,
}

impl Lingering {
    fn remove(&mut self, room: RoomId) -> Option<Room> {
        let removed = self.rooms.remove(&room)?;
        self.bytes -= removed.bytes;
        Some(removed)
    }
}

impl Budget {
    pub(crate) fn new(max: usize) -> Self {
        Self { max, lingering: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, Lingering> {
        self.lingering.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A room begins to linger. Those that have been left alone for longest
    /// rest when that is too much.
    pub(crate) fn lingers(&self, room: RoomId, actor: Addr<RoomActor>, bytes: usize, used_at: Instant) {
        let mut lingering = self.lock();
        lingering.remove(room);
        lingering.bytes += bytes;
        lingering.rooms.insert(room, Room { actor, bytes, used_at });
        while lingering.bytes > self.max {
            let others = lingering.rooms.iter().filter(|(id, _)| **id != room);
            let Some(oldest) = others.min_by_key(|(_, other)| other.used_at).map(|(id, _)| *id) else { return };
            if let Some(oldest) = lingering.remove(oldest) {
                // One that can't even take this has a lot under way. It is
                // counted again when it next looks around.
                let _ = oldest.actor.try_send(Rest);
            }
        }
    }

    /// One that lingers was asked something.
    pub(crate) fn touch(&self, room: RoomId, now: Instant) {
        let mut lingering = self.lock();
        lingering.rooms.entry(room).and_modify(|lingering| lingering.used_at = now);
    }

    /// It does not linger: somebody is in it, or it has ended.
    pub(crate) fn left(&self, room: RoomId, actor: &Addr<RoomActor>) {
        let mut lingering = self.lock();
        if lingering.rooms.get(&room).is_some_and(|lingering| lingering.actor == *actor) {
            lingering.remove(room);
        }
    }
}
