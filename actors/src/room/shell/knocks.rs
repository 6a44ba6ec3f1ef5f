//! Who knocks: what visitors who wait and the room's owner are told of it. Members hear nothing.

use std::time::Duration;

use actix::Context;
use annon_contract::code::Code;
use annon_store::room::{Emoji, KnockId, MemberId, RoomEvent};
use tokio::sync::watch;

use crate::room::door::KnockState;
use crate::room::error::RoomError;
use crate::room::frame::knocks::{Knocks, are_changed_by};
use crate::room::shell::Shell;
use crate::room::shell::requests::{Ready, Request};

/// Which knock somebody asks for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum WhichKnock {
    /// The last one of this visitor, who has just knocked.
    Of(MemberId),
    /// This one, and what others have written meanwhile is read first.
    Newly(KnockId),
    /// This one, as it is known here.
    Known(KnockId),
}

/// How a knock stands.
#[derive(Debug)]
pub struct KnockSeen {
    pub id: KnockId,
    pub emoji: Emoji,
    pub state: KnockState,
    /// How long it waits from now on, if nobody answers.
    pub left: Duration,
    /// Tells when something has happened at the door. It ends with the room's actor.
    pub door: watch::Receiver<()>,
}

impl Shell {
    /// Who waits after an event that is decided now; `None` if it changes nothing about that.
    pub(super) fn knocks_after(&mut self, event: &RoomEvent) -> Option<Box<Knocks>> {
        // The room has the event already; the knocks of a visitor stay when they come in.
        are_changed_by(event, &self.room).then(|| Box::new(Knocks::of(&self.room, self.services.now())))
    }

    /// What visitors and the owner are told, when it is on disk.
    pub(super) fn tell_of_knocks(&self, knocks: &Knocks) {
        self.door.send_replace(());
        let (owner, inboxes) = (self.metadata.owner, &self.services.inboxes);
        if inboxes.is_watched(owner) {
            inboxes.tell_knocks(owner, self.metadata.id, knocks);
        }
    }

    /// Visitors who wait ask again: this server ends.
    pub(super) fn dismiss_visitors(&mut self) {
        self.door = watch::Sender::new(());
    }

    pub(super) fn look_at_knock(&mut self, which: WhichKnock, request: Request, context: &mut Context<Self>) {
        let knock = match which {
            WhichKnock::Of(member) => self.room.knock_of(member),
            WhichKnock::Newly(id) | WhichKnock::Known(id) => self.room.knock_with(id),
        };
        let now = self.services.now();
        let seen = knock.map(|knock| KnockSeen {
            id: knock.id,
            emoji: knock.emoji,
            state: knock.state(now),
            left: knock.left(now),
            door: self.door.subscribe(),
        });
        let waits = seen.as_ref().is_some_and(|seen| seen.state == KnockState::Waiting);
        if waits && matches!(which, WhichKnock::Newly(_)) && self.may_be_stale() {
            return self.refresh(request, context);
        }
        let ready = seen.map(|seen| Ready::Knock(Box::new(seen)));
        self.answer_with(request, ready.ok_or(RoomError::Rejected(Code::NoSuchKnock)), context);
    }

    pub(super) fn list_knocks(&mut self, request: Request, context: &mut Context<Self>) {
        if self.may_be_stale() {
            return self.refresh(request, context);
        }
        let knocks = Knocks::of(&self.room, self.services.now());
        self.answer_with(request, Ok(Ready::Knocks(Box::new(knocks))), context);
    }
}
