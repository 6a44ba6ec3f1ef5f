//! What a room does by itself.

use std::sync::Arc;
use std::time::{Duration, Instant};

use actix::Context;
use annon_store::room::{MemberId, Millis, RoomEvent};

use crate::room::command::Command;
use crate::room::machine::millis;
use crate::room::shell::Shell;
use crate::room::shell::requests::{Ready, Request};
use crate::room::transcript::OldWords;

/// How long a room that nobody is in keeps its actor.
const LINGERS: Duration = Duration::from_secs(60);

impl Shell {
    /// When the timer has to ring.
    pub(super) fn deadline(&self) -> Option<Millis> {
        let is_waking = self.wakes || self.ending.is_some();
        let deadline = self.room.deadline().filter(|_| !is_waking)?;
        let jitter = self.others.as_ref().map_or(0, |others| others.jitter);
        Some(Millis(deadline.0 + jitter).max(self.not_before))
    }

    /// Does what is due, unless that is under way.
    pub(super) fn wake(&mut self, context: &mut Context<Self>) {
        if !std::mem::replace(&mut self.wakes, true) {
            self.receive(Request::Wake, context);
        }
    }

    /// Whether the room's time is up, also if the timer does not ring: it
    /// measures durations, and the time of day may have been set.
    pub(super) fn is_over(&self) -> bool {
        self.services.now() >= self.services.terms(&self.metadata).expires_at
    }

    /// Looks whether the room is empty, and for pictures that nobody needs.
    pub(super) fn look_around(&mut self, context: &mut Context<Self>) {
        if self.queue.is_empty() {
            self.drop_pictures(context);
        }
        if self.sockets.remove_ended() {
            self.broadcast_active();
        }
        self.look_at_others();
        let now = self.services.clock.moment();
        self.members_here().into_iter().for_each(|member| self.presence.saw(member, now));
        self.presence.keep_seated(self.room.seats());
        if self.ending.is_none() && !self.queue.is_full() {
            self.free_seats_of_the_away(None);
        }
        if self.deadline().is_some_and(|deadline| deadline <= self.services.now()) {
            return self.wake(context);
        }
        let is_idle = now.duration_since(self.used_at) >= LINGERS;
        let is_done = is_idle && self.is_quiet() && !self.pictures.has_waiting();
        // This actor did not answer once, and another has taken its place: the
        // registry has dropped this status.
        let is_replaced = Arc::strong_count(&self.status) == 1;
        if is_done || is_replaced {
            return self.give_up();
        }
        self.count_again();
    }

    /// Frees the seats whose members have not come in time: the timer may be
    /// late, or there was no actor to set one.
    pub(super) fn free_seats(&mut self) {
        while let Ok(Some(lapsed @ RoomEvent::Lapsed { .. })) = self.room.decide(Command::Wake, self.services.now()) {
            self.push_by_itself(lapsed);
        }
    }

    /// Frees the seats of members who said nothing and are away for long,
    /// except the seat of `comes`, who is just coming.
    pub(super) fn free_seats_of_the_away(&mut self, comes: Option<MemberId>) {
        let (now, moment) = (self.services.now(), self.services.clock.moment());
        if self.others.as_mut().is_some_and(|others| !others.heard_all()) {
            self.presence.count_all_as_seen(moment);
        }
        let here = self.members_here();
        let is_here = |member| Some(member) == comes || here.contains(&member);
        let away = self.room.seats().iter().filter(|seat| !is_here(seat.member)).map(|seat| {
            let time = self.presence.away_for(seat.member, moment);
            Command::Away { seat: seat.number, since: Millis(now.0.saturating_sub(millis(time))) }
        });
        for away in away.collect::<Vec<_>>() {
            if let Ok(Some(lapsed)) = self.room.decide(away, now) {
                self.push_by_itself(lapsed);
            }
        }
    }

    /// Whether nobody is connected, and nothing is under way.
    pub(super) fn is_quiet(&self) -> bool {
        self.sockets.is_empty() && self.queue.is_empty() && self.ending.is_none()
    }

    /// Notes that somebody uses the room.
    pub(super) fn touch(&mut self) {
        self.used_at = self.services.clock.moment();
    }

    /// When somebody last used the room; `None` while somebody is connected.
    pub(super) fn idle_since(&self) -> Option<Instant> {
        self.sockets.is_empty().then_some(self.used_at)
    }

    pub(super) fn count_again(&mut self) {
        self.memory.count_again(&self.room, self.idle_since());
    }

    fn push_by_itself(&mut self, event: RoomEvent) {
        let decided = self.apply(event, &OldWords::default());
        self.push(decided, None, Ready::Nothing);
    }

    /// Leaves memory, or drops what it can: other rooms need it.
    pub(super) fn make_way(&mut self) {
        // If something is under way, the room is asked again after that.
        if self.is_quiet() {
            return self.give_up();
        }
        let idle_since = self.idle_since();
        self.memory.evict(&mut self.room, self.queue.committed(), idle_since);
    }
}
