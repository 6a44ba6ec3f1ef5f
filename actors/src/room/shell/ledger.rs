//! A room, and what of it is on disk.
//!
//! The machine runs ahead of the log by what is being appended. Nobody may see
//! that: answers and frames are made when something is decided, and wait until
//! the log has it.

use std::sync::Arc;
use std::time::Duration;

use annon_store::invariant;
use annon_store::room::{MemberId, Millis, RoomCard, RoomEvent, Seq};

use crate::room::command::Command;
use crate::room::error::RoomError;
use crate::room::frame;
use crate::room::machine::{Room, millis};
use crate::room::services::Services;
use crate::room::shell::queue::Queue;
use crate::room::status::Standing;
use crate::room::transcript::{Recalled, Transcript};
use crate::session::EncodedFrame;

/// Who hears what became of something: a function that is handed the room's
/// shell, `S`.
pub(super) type Done<S, T> = Box<dyn FnOnce(&mut S, Result<T, RoomError>)>;

/// What waits for its turn.
pub(super) enum Waiting<S> {
    /// Something that was decided.
    Event(Decided, Done<S, RoomEvent>),
    /// Work that depends on all that was decided before.
    Durable(Done<S, ()>),
}

/// An event, and what it means, as it was when it was decided.
pub(super) struct Decided {
    pub(super) event: RoomEvent,
    pub(super) frames: Vec<EncodedFrame>,
    /// Whose seat it makes free.
    pub(super) leaver: Option<MemberId>,
    pub(super) standing: Standing,
}

/// One room's.
pub(super) struct Ledger<S> {
    services: Arc<Services>,
    card: RoomCard,
    room: Room,
    /// What was decided and waits for the log.
    pub(super) queue: Queue<Waiting<S>>,
}

impl<S: 'static> Ledger<S> {
    /// Of a room whose log is not read yet.
    pub(super) fn new(services: Arc<Services>, card: RoomCard) -> Self {
        let queue = Queue::new(card.id, services.log.clone(), services.clock.clone());
        Self { room: Room::new(services.terms(&card)), services, card, queue }
    }

    /// The log was read. Whether it ends where it did when it was last read.
    pub(super) fn begin(&mut self, log: &[(Seq, RoomEvent)]) -> bool {
        self.room = Room::replay(self.services.terms(&self.card), log.iter().map(|(seq, event)| (*seq, event)));
        self.queue.begin(self.room.seq())
    }

    pub(super) fn card(&self) -> &RoomCard {
        &self.card
    }

    /// The room, with everything that was decided.
    pub(super) fn room(&self) -> &Room {
        &self.room
    }

    /// The room, to let go of what is in the log up to a place.
    pub(super) fn room_to_rest(&mut self) -> (&mut Room, Seq) {
        (&mut self.room, self.queue.committed())
    }

    /// Where frames find what was said.
    pub(super) fn transcript<'a>(&'a self, recalled: &'a Recalled) -> Transcript<'a> {
        Transcript { id: self.card.id, room: &self.room, recalled }
    }

    /// The last line that is no longer kept, as far as that is on disk.
    pub(super) fn dropped(&self) -> Seq {
        self.room.dropped().min(self.queue.committed())
    }

    /// Whether the room's time is up, whatever the timer says: that measures
    /// time, and the time of day may have been set.
    pub(super) fn is_over(&self) -> bool {
        self.services.now() >= self.services.terms(&self.card).expires_at
    }

    /// Decides a command, for which something may have been read. `done` hears
    /// of it in its turn.
    pub(super) fn decide(&mut self, command: Command, recalled: &Recalled, done: Done<S, RoomEvent>) {
        match self.room.decide(command, self.services.now()) {
            Ok(event) => self.happens(event, recalled, done),
            Err(rejection) => self.when_durable(move |shell, durable| done(shell, durable.and(Err(rejection.into())))),
        }
    }

    /// Frees the seats that are due by now: the timer may be late, or there was
    /// no actor to set one.
    pub(super) fn free_seats(&mut self) {
        while let Ok(lapsed @ RoomEvent::Lapsed { .. }) = self.room.decide(Command::Wake, self.services.now()) {
            self.happens(lapsed, &Recalled::default(), Box::new(|_, _| {}));
        }
    }

    /// Frees the seats of members who said nothing and are away for long.
    pub(super) fn free_seats_of_the_away(&mut self, away_for: impl Fn(MemberId) -> Duration) {
        let now = self.services.now();
        let away: Vec<_> = self.room.seats().iter().map(|seat| (seat.number, away_for(seat.member))).collect();
        for (seat, time) in away {
            let since = Millis(now.0.saturating_sub(millis(time)));
            if let Ok(lapsed) = self.room.decide(Command::Away { seat, since }, now) {
                self.happens(lapsed, &Recalled::default(), Box::new(|_, _| {}));
            }
        }
    }

    fn happens(&mut self, event: RoomEvent, recalled: &Recalled, done: Done<S, RoomEvent>) {
        let leaver = match &event {
            RoomEvent::Kicked { seat, .. } | RoomEvent::Left { seat, .. } | RoomEvent::Lapsed { seat, .. } => {
                self.room.seats().iter().find(|taken| taken.number == *seat).map(|seat| seat.member)
            }
            _ => None,
        };
        let standing = (&self.room).into();
        if matches!(event, RoomEvent::Closed { .. }) {
            // The last event removes the log and is not written to it.
            let frames = Vec::new();
            return self.queue.wait(Waiting::Event(Decided { event, frames, leaver, standing }, done));
        }
        self.room.apply(&event);
        let is_next = self.room.seq() == self.queue.end().next();
        invariant!(is_next, "the machine is ahead of the log by what waits for it, and by nothing else");
        let line = self.room.line(self.room.seq());
        let frames = line.map_or_else(Vec::new, |line| frame::news(&self.transcript(recalled), line));
        let standing = (&self.room).into();
        self.queue.decided(event.clone(), Waiting::Event(Decided { event, frames, leaver, standing }, done));
    }

    /// Does something that depends on everything decided so far.
    pub(super) fn when_durable(&mut self, then: impl FnOnce(&mut S, Result<(), RoomError>) + 'static) {
        self.queue.wait(Waiting::Durable(Box::new(then)));
    }
}
