//! The rooms that have an actor, and what is remembered of those that had one.
//!
//! Presence is not on disk: before this server began, anybody may have been in
//! any room.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use actix::Addr;
use annon_contract::limits::SEAT_LAPSES;
use annon_store::room::RoomId;
use parking_lot::Mutex;

use crate::room::shell::Shell;
use crate::room::status::{SharedStatus, Standing, Status};
use crate::session::RoomThread;

/// At this many rooms, those without an actor are forgotten: their members
/// count as just seen, and their logs are read again.
const REMEMBERED: usize = 16 * 1024;

/// A room that has an actor.
#[derive(Clone)]
pub(super) struct Open {
    pub(super) actor: Addr<Shell>,
    /// The thread it runs on.
    pub(super) thread: Option<RoomThread>,
    /// Whether browsers seal what is said there.
    pub(super) is_sealed: bool,
}

/// All rooms that were asked for.
pub(super) struct Registry {
    /// Nothing is known of the time before.
    begun: Instant,
    rooms: HashMap<RoomId, Known>,
    /// At this many rooms, those empty for [`SEAT_LAPSES`] are forgotten.
    tidy_at: usize,
}

struct Known {
    open: Option<Open>,
    status: SharedStatus,
}

impl Known {
    fn open(&self) -> Option<&Open> {
        self.open.as_ref().filter(|open| open.actor.connected())
    }
}

impl Registry {
    pub(super) fn new(now: Instant) -> Self {
        Self { begun: now, rooms: HashMap::new(), tidy_at: 64 }
    }

    pub(super) fn find(&self, room: RoomId) -> Option<Open> {
        self.rooms.get(&room)?.open().cloned()
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Addr<Shell>> {
        self.rooms.values().filter_map(Known::open).map(|open| &open.actor)
    }

    /// The actor of a room. If it has none, `start` starts one. That notes the
    /// room's status, and is told since when nobody can have been in the room.
    pub(super) fn find_or_start(
        &mut self,
        room: RoomId,
        now: Instant,
        start: impl FnOnce(SharedStatus, Instant) -> Open,
    ) -> Open {
        if let Some(found) = self.find(room) {
            return found;
        }
        let before = self.rooms.get(&room).map(|known| *known.status.lock());
        // An actor that hasn't noted its end was here until a moment ago.
        let nobody_since = before.map_or(self.begun, |before| before.nobody_since.unwrap_or(now));
        let standing = before.and_then(|before| before.standing);
        let status = Arc::new(Mutex::new(Status { standing, ..Status::default() }));
        let open = start(status.clone(), nobody_since);
        self.put(room, Known { open: Some(open.clone()), status }, now);
        open
    }

    /// Forgets an actor that doesn't answer, unless another has taken its place.
    pub(super) fn give_up(&mut self, room: RoomId, actor: &Addr<Shell>, now: Instant) {
        if let Some(known) = self.rooms.get_mut(&room)
            && known.open.take_if(|open| open.actor == *actor).is_some()
        {
            let standing = known.status.lock().standing;
            known.status = Arc::new(Mutex::new(Status { standing, active: 0, nobody_since: Some(now) }));
        }
    }

    /// How a room stands, if that is known. What an actor noted before its end is not
    /// `only_open`.
    pub(super) fn standing(&self, room: RoomId, only_open: bool) -> Option<Standing> {
        let known = self.rooms.get(&room).filter(|known| !only_open || known.open().is_some())?;
        known.status.lock().seen()
    }

    /// Notes what a room's log says. Returns what is known now: if an actor has
    /// noted something meanwhile, that is newer.
    pub(super) fn note_standing(&mut self, room: RoomId, standing: Standing, now: Instant) -> Standing {
        if let Some(known) = self.rooms.get(&room) {
            known.status.lock().standing.get_or_insert(standing);
        } else {
            let status = Status { standing: Some(standing), active: 0, nobody_since: Some(self.begun) };
            self.put(room, Known { open: None, status: Arc::new(Mutex::new(status)) }, now);
        }
        self.standing(room, false).unwrap_or(standing)
    }

    fn put(&mut self, room: RoomId, known: Known, now: Instant) {
        self.rooms.insert(room, known);
        if self.rooms.len() < self.tidy_at {
            return;
        }
        // After `SEAT_LAPSES` it makes no difference how long nobody was there.
        let is_recent = |since| now.duration_since(since) < SEAT_LAPSES;
        let differs = |known: &Known| known.status.lock().nobody_since.is_none_or(is_recent);
        self.rooms.retain(|_, known| known.open().is_some() || differs(known));
        if self.rooms.len() >= REMEMBERED {
            self.rooms.retain(|_, known| known.open().is_some());
            self.begun = now;
        }
        self.tidy_at = (self.rooms.len() * 2).max(64);
    }
}
