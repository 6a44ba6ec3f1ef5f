//! What can be known of a room without asking its actor, which notes it as it
//! changes. It stays when the actor has gone.

use std::sync::Arc;
use std::time::Instant;

use parking_lot::Mutex;

use crate::room::machine::Room;

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

/// One room's status.
#[derive(Debug, Default)]
pub(crate) struct Status(Mutex<Known>);

#[derive(Debug, Clone, Copy, Default)]
struct Known {
    /// `None` until its log was read.
    standing: Option<Standing>,
    /// Members who are connected.
    active: usize,
    /// Since when it has no actor, so that nobody can be in it.
    nobody_since: Option<Instant>,
}

impl Status {
    /// The status of a room that has no actor, and had none since a moment.
    pub(crate) fn without_actor(nobody_since: Instant) -> Self {
        Self(Mutex::new(Known { nobody_since: Some(nobody_since), ..Known::default() }))
    }

    /// For a room's next actor. The one before notes nothing here any more.
    pub(crate) fn for_another(&self) -> Self {
        Self(Mutex::new(Known { standing: self.0.lock().standing, ..Known::default() }))
    }

    /// The room stands like this on disk.
    pub(crate) fn stands(&self, standing: Standing) {
        self.0.lock().standing = Some(standing);
    }

    /// A log that was read says so. If an actor has noted something meanwhile,
    /// that is newer and stays.
    pub(crate) fn stood(&self, read: Standing) -> Standing {
        *self.0.lock().standing.get_or_insert(read)
    }

    /// So many members are connected now.
    pub(crate) fn has_active(&self, active: usize) {
        self.0.lock().active = active;
    }

    /// Its actor has ended.
    pub(crate) fn ended(&self, now: Instant) {
        let mut known = self.0.lock();
        (known.active, known.nobody_since) = (0, Some(now));
    }

    pub(crate) fn standing(&self) -> Option<Standing> {
        let Known { standing, active, .. } = *self.0.lock();
        Some(Standing { active, ..standing? })
    }

    /// Since when it has no actor. `None` if it has one.
    pub(crate) fn nobody_since(&self) -> Option<Instant> {
        self.0.lock().nobody_since
    }

    /// Whether another actor has taken the place of the one that notes here.
    pub(crate) fn is_replaced(self: &Arc<Self>) -> bool {
        // The registry has dropped it.
        Arc::strong_count(self) == 1
    }
}
