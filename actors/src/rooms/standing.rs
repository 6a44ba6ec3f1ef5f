//! How rooms stand, for their creators' lists: noted by each room's actor as
//! it changes, and kept when the actor is gone, so that a list wakes no room.

use std::collections::HashMap;
use std::sync::Arc;

use annon_store::room::RoomId;
use parking_lot::Mutex;

use crate::room::machine::Room;

/// Rooms without an actor that are remembered.
const REMEMBERED: usize = 16 * 1024;

/// How a room stands: numbers alone, so that nobody's seat can be told from
/// them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// Seats that are taken.
    pub seats: usize,
    /// Members who are connected now.
    pub active: usize,
    /// Messages ever said; it only grows.
    pub messages: u64,
}

impl From<&Room> for Standing {
    /// As a room's log tells it: who is connected isn't there.
    fn from(room: &Room) -> Self {
        Self { seats: room.seats().len(), active: 0, messages: room.messages() }
    }
}

/// One room's, shared with its actor; `None` until its log was read.
#[derive(Debug, Default)]
pub(crate) struct Noted(Mutex<Option<Standing>>);

impl Noted {
    /// This is on disk.
    pub(crate) fn is(&self, room: &Room) {
        let mut noted = self.0.lock();
        let active = noted.map_or(0, |standing| standing.active);
        *noted = Some(Standing { active, ..room.into() });
    }

    /// So many members are connected now.
    pub(crate) fn has_active(&self, active: usize) {
        if let Some(standing) = &mut *self.0.lock() {
            standing.active = active;
        }
    }
}

/// All rooms'.
#[derive(Default)]
pub(crate) struct Standings(Mutex<HashMap<RoomId, Arc<Noted>>>);

impl Standings {
    pub(crate) fn of(&self, room: RoomId) -> Option<Standing> {
        *self.0.lock().get(&room)?.0.lock()
    }

    /// For a room's new actor. One that it replaces notes nothing here any
    /// more.
    pub(crate) fn begin(&self, room: RoomId) -> Arc<Noted> {
        let mut rooms = self.0.lock();
        let before = rooms.get(&room).and_then(|noted| *noted.0.lock());
        let noted = Arc::new(Noted(Mutex::new(before)));
        noted.has_active(0);
        tidy(&mut rooms);
        rooms.insert(room, noted.clone());
        noted
    }

    /// A log that was read says so. Where an actor has noted something
    /// meanwhile, that is newer.
    pub(crate) fn read(&self, room: RoomId, read: &Room) -> Standing {
        let mut rooms = self.0.lock();
        tidy(&mut rooms);
        let mut noted = rooms.entry(room).or_default().0.lock();
        *noted.get_or_insert(read.into())
    }

    /// The room is no more.
    pub(crate) fn forget(&self, room: RoomId) {
        self.0.lock().remove(&room);
    }
}

/// Makes room where there are too many: those without an actor can be read
/// again.
fn tidy(rooms: &mut HashMap<RoomId, Arc<Noted>>) {
    if rooms.len() >= REMEMBERED {
        rooms.retain(|_, noted| Arc::strong_count(noted) > 1);
    }
}
