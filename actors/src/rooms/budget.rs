//! The memory that all rooms hold together. Anyone with a link can have a room
//! read into memory, and keep it there with a socket. So above the budget, rooms
//! that nobody is in leave memory first. Then the largest rooms drop the text of
//! old messages, which the log has.

use std::collections::{BTreeSet, HashMap};
use std::time::Instant;

use actix::Addr;
use annon_store::room::RoomId;
use parking_lot::Mutex;

use crate::room::actor::{MakeRoom, Rest, RoomActor};

/// The rooms, and what they may hold.
pub(crate) struct Budget {
    /// Together, in bytes.
    max: usize,
    rooms: Mutex<Held>,
}

#[derive(Default)]
struct Held {
    rooms: HashMap<RoomId, Room>,
    /// What they hold together.
    bytes: usize,
    /// Those that nobody is in, by when somebody last wanted something there.
    lingering: BTreeSet<(Instant, RoomId)>,
    /// Those that have something to spare, by how much.
    spares: BTreeSet<(usize, RoomId)>,
}

struct Room {
    actor: Addr<RoomActor>,
    bytes: usize,
    /// How much of it the room can do without.
    spare: usize,
    /// When somebody last wanted something there, if nobody is in it.
    lingers: Option<Instant>,
}

impl Held {
    fn remove(&mut self, id: RoomId) -> Option<Room> {
        let room = self.rooms.remove(&id)?;
        self.bytes -= room.bytes;
        self.spares.remove(&(room.spare, id));
        if let Some(since) = room.lingers {
            self.lingering.remove(&(since, id));
        }
        Some(room)
    }

    fn insert(&mut self, id: RoomId, room: Room) {
        self.bytes += room.bytes;
        if room.spare > 0 {
            self.spares.insert((room.spare, id));
        }
        if let Some(since) = room.lingers {
            self.lingering.insert((since, id));
        }
        self.rooms.insert(id, room);
    }

    fn left(&mut self, id: RoomId, actor: &Addr<RoomActor>) {
        if self.rooms.get(&id).is_some_and(|room| room.actor == *actor) {
            self.remove(id);
        }
    }

    /// The room that was left alone for longest, but for one.
    fn oldest_but(&self, one: RoomId) -> Option<RoomId> {
        self.lingering.iter().map(|(_, id)| *id).find(|id| *id != one)
    }

    /// The room that can spare most.
    fn largest(&self) -> Option<RoomId> {
        self.spares.last().map(|(_, id)| *id)
    }
}

impl Budget {
    pub(crate) fn new(max: usize) -> Self {
        Self { max, rooms: Mutex::default() }
    }

    /// What a room holds now, how much of it it can do without, and since
    /// when nobody is in it, if so. Rooms make way when all is too much.
    pub(crate) fn holds(
        &self,
        id: RoomId,
        actor: Addr<RoomActor>,
        bytes: usize,
        spare: usize,
        lingers: Option<Instant>,
    ) {
        let mut held = self.rooms.lock();
        held.remove(id);
        held.insert(id, Room { actor, bytes, spare, lingers });
        while held.bytes > self.max {
            if let Some(oldest) = held.oldest_but(id).and_then(|oldest| held.remove(oldest)) {
                // One that can't even take this has a lot under way. It is
                // counted again when it next looks around.
                let _ = oldest.actor.try_send(Rest);
            } else if let Some((largest, room)) =
                held.largest().and_then(|largest| Some((largest, held.remove(largest)?)))
            {
                let _ = room.actor.try_send(MakeRoom);
                // It says itself what it holds then.
                held.insert(largest, Room { bytes: room.bytes - room.spare, spare: 0, ..room });
            } else {
                return;
            }
        }
    }

    /// Somebody wanted something in a room that nobody is in.
    pub(crate) fn touch(&self, id: RoomId, now: Instant) {
        let mut held = self.rooms.lock();
        if held.rooms.get(&id).is_some_and(|room| room.lingers.is_some())
            && let Some(room) = held.remove(id)
        {
            held.insert(id, Room { lingers: Some(now), ..room });
        }
    }

    /// A room's actor has ended.
    pub(crate) fn left(&self, id: RoomId, actor: &Addr<RoomActor>) {
        self.rooms.lock().left(id, actor);
    }

    /// Like `left`, for callers that must not wait. If the lock is taken, the
    /// room stays counted until its next actor is counted.
    pub(crate) fn try_left(&self, id: RoomId, actor: &Addr<RoomActor>) {
        if let Some(mut held) = self.rooms.try_lock() {
            held.left(id, actor);
        }
    }

    /// What rooms hold, in bytes.
    pub(crate) fn held(&self) -> usize {
        self.rooms.lock().bytes
    }
}
