//! What the windows of the room's owner are told of it: only its standing.

use std::time::{Duration, Instant};

use annon_contract::limits::PUSH_EVERY;
use annon_store::push::Kind;
use annon_store::room::{Body, MemberId, RoomEvent};
use annon_store::sealed::SealedKind;

use crate::bucket::{Bucket, Rate};
use crate::room::shell::Shell;
use crate::room::status::Standing;

/// How often they are told. Above this rate only the newest standing is sent.
const TOLD: Rate = Rate { burst: 1, refill: 1, per: Duration::from_secs(1) };

/// What the owner knows of a room.
pub(super) struct OwnerNews {
    /// The standing that the windows were told last, or that was the room's when none was open.
    known: Option<Standing>,
    pace: Bucket,
    /// Whether they were told that the room has ended.
    is_over: bool,
    /// When somebody wrote here last, as far as this node knows.
    written: Option<Instant>,
}

impl OwnerNews {
    pub(super) fn new(known: Option<Standing>, now: Instant) -> Self {
        Self { known, pace: Bucket::new(now), is_over: false, written: None }
    }
}

impl Shell {
    /// Tells the owner's windows how the room stands, if that has changed: now,
    /// or when they may be told again.
    pub(super) fn tell_owner(&mut self) {
        let standing = self.status.lock().seen();
        if standing == self.owner.known || self.owner.is_over || self.timers.tells_owner() {
            return;
        }
        if self.services.inboxes.is_watched(self.metadata.owner) {
            if let Err(wait) = self.owner.pace.take(TOLD, self.services.clock.moment()) {
                return self.timers.tell_owner_after(wait);
            }
            self.services.inboxes.tell_room(self.metadata.owner, self.metadata.id, standing);
        }
        // A window that is opened later reads the list.
        self.owner.known = standing;
    }

    /// Tells an owner who is away that somebody knocks, or writes after a silence, and of that the members who are away,
    /// too. Of what other nodes have decided, those tell.
    pub(super) fn tell_those_away(&mut self, event: &RoomEvent, leaver: Option<MemberId>) {
        let (owner, id, away) = (self.metadata.owner, self.metadata.id, &self.services.inboxes.away);
        if matches!(event, RoomEvent::Knocked { .. }) {
            away.tell_of_room(owner, Kind::Knock, id);
        }
        let is_key = |body: &Body| matches!(body, Body::Sealed { kind: SealedKind::Key, .. });
        if matches!(event, RoomEvent::Posted { body, .. } if !is_key(body)) {
            let now = self.services.clock.moment();
            let before = self.owner.written.replace(now);
            if before.is_none_or(|before| now.duration_since(before) >= PUSH_EVERY) {
                away.tell_of_room(owner, Kind::Group, id);
                let here = self.members_here();
                let away_now = self.room.seats().iter().filter(|seat| !here.contains(&seat.member));
                away_now.for_each(|seat| away.tell_seat(owner, id, seat.member));
            }
        }
        if let Some(member) = leaver {
            away.seat_is_gone(owner, id, member);
        }
    }

    /// Tells the owner's windows that the room has ended.
    pub(super) fn tell_owner_of_end(&mut self) {
        self.owner.is_over = true;
        self.services.inboxes.tell_room(self.metadata.owner, self.metadata.id, None);
    }

    /// Tells the owner's windows that nobody is connected here, since the actor ends.
    pub(super) fn tell_owner_at_last(&self) {
        let standing = self.status.lock().seen();
        if standing != self.owner.known && !self.owner.is_over {
            self.services.inboxes.tell_room(self.metadata.owner, self.metadata.id, standing);
        }
    }
}
