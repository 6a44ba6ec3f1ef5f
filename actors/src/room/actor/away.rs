//! When each member was last here. The log doesn't have it, so after a restart
//! everybody counts as just seen: nobody loses a seat for unmeasured time.

use super::*;

/// When each member was last seen, even if they are no longer connected.
pub(super) struct Seen {
    /// Nobody was here between this and the start of the actor.
    before: Instant,
    last: HashMap<MemberId, Instant>,
}

impl Seen {
    pub(super) fn new(before: Instant) -> Self {
        Self { before, last: HashMap::new() }
    }

    fn last(&self, member: MemberId) -> Instant {
        self.last.get(&member).copied().unwrap_or(self.before)
    }
}

impl RoomActor {
    /// Whether a member has a socket.
    pub(super) fn is_here(&self, member: MemberId) -> bool {
        self.sockets.values().any(|socket| socket.member == member)
    }

    /// A member is here, or was until now.
    pub(super) fn saw(&mut self, member: MemberId) {
        let now = self.shared.clock.moment();
        self.seen.last.insert(member, now);
    }

    /// How long nobody has seen a member.
    pub(super) fn away_for(&self, member: MemberId) -> Duration {
        self.shared.clock.moment().duration_since(self.seen.last(member))
    }

    /// Notes which members are connected. Visitors without a seat aren't noted.
    pub(super) fn look_who_is_here(&mut self) {
        let here: Vec<_> = self.sockets.values().map(|socket| socket.member).collect();
        here.into_iter().for_each(|member| self.saw(member));
        let seats = self.room.seats();
        self.seen.last.retain(|member, _| seats.iter().any(|seat| seat.member == *member));
    }
}
