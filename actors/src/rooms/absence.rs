//! Since when rooms have no actor, which is how long nobody can have been in
//! them. Presence is not on disk: before this server began, anybody may have
//! been anywhere.

use std::collections::HashMap;
use std::time::Instant;

use annon_contract::limits::SEAT_LAPSES;
use annon_store::room::RoomId;
use parking_lot::Mutex;

/// Rooms that are remembered. Past that, everybody was seen just now.
const REMEMBERED: usize = 100_000;

/// Which rooms lost their actor when.
pub(crate) struct Absence(Mutex<State>);

struct State {
    /// Nothing is known of what was before.
    begun: Instant,
    ended: HashMap<RoomId, Instant>,
    /// How many there may be before those are forgotten that make no
    /// difference any more.
    tidy_at: usize,
}

impl Absence {
    pub(crate) fn new(now: Instant) -> Self {
        Self(Mutex::new(State { begun: now, ended: HashMap::new(), tidy_at: 64 }))
    }

    /// A room has no actor from now on.
    pub(crate) fn begins(&self, room: RoomId, now: Instant) {
        self.0.lock().begins(room, now);
    }

    /// Like `begins`, for callers that must not wait. Returns whether it was noted.
    pub(crate) fn try_begin(&self, room: RoomId, now: Instant) -> bool {
        self.0.try_lock().map(|mut state| state.begins(room, now)).is_some()
    }

    /// Since when nobody was in a room that has no actor, as far as is known.
    pub(crate) fn since(&self, room: RoomId) -> Instant {
        let state = self.0.lock();
        state.ended.get(&room).copied().unwrap_or(state.begun)
    }
}

impl State {
    fn begins(&mut self, room: RoomId, now: Instant) {
        self.ended.insert(room, now);
        if self.ended.len() < self.tidy_at {
            return;
        }
        // Longer ago than that is as good as any longer.
        self.ended.retain(|_, ended| now.duration_since(*ended) < SEAT_LAPSES);
        if self.ended.len() >= REMEMBERED {
            self.begun = now;
            self.ended.clear();
        }
        self.tidy_at = (self.ended.len() * 2).clamp(64, REMEMBERED);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use uuid::Uuid;

    use super::*;
    use crate::clock::{Clock, SystemClock};

    #[test]
    fn what_is_not_known_is_never_taken_for_a_long_time() {
        let begun = SystemClock.moment();
        let after = |seconds| begun + Duration::from_secs(seconds);
        let room = |n| RoomId(Uuid::from_u128(n));
        let absence = Absence::new(begun);
        assert_eq!(absence.since(room(1)), begun);
        absence.begins(room(1), after(10));
        assert_eq!((absence.since(room(1)), absence.since(room(2))), (after(10), begun));
        // Many later ones: what was an hour ago may be forgotten.
        (100..200).for_each(|n| absence.begins(room(n), after(4000)));
        assert_eq!(absence.since(room(100)), after(4000));
        assert!(after(4000).duration_since(absence.since(room(1))) >= SEAT_LAPSES);
        // Too many to remember: they all were here just now.
        (0..100_000).for_each(|n| absence.begins(room(1000 + n), after(5000)));
        assert_eq!(absence.since(room(100)), after(5000));
        assert_eq!(absence.since(room(7)), after(5000));
        assert!(absence.0.lock().ended.len() <= REMEMBERED);
    }
}
