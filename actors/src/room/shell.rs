//! The shell around a room: what is decided goes to the log, and what is on
//! disk is told.
//!
//! The machine runs ahead of the log by what is being appended. Nobody may see
//! that: answers and frames are made when something is decided, and wait until
//! the log has it.
//!
//! Each part of it owns its state; here they are put together. Nothing waits
//! in here: what takes time is left as work, which the actor sees to.

use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use actix::Addr;
use annon_contract::code::Code;
use annon_store::image::StoredImage;
use annon_store::room::{Emoji, Ending, MemberId, Millis, RoomCard, RoomEvent, SeatNumber, Seq};
use annon_store::{StoreError, invariant};
use futures_util::StreamExt;

use crate::clock::Sleep;
use crate::room::command::Command;
use crate::room::error::RoomError;
use crate::room::frame;
use crate::room::machine::Room;
use crate::room::services::Services;
use crate::room::status::{SharedStatus, Standing};
use crate::room::transcript::{Recalled, Transcript};
use crate::session::{EncodedFrame, Goodbye};

pub(crate) mod actor;
mod chores;
mod erasure;
mod pictures;
mod presence;
mod queue;
mod recall;
pub(crate) mod requests;
pub(crate) mod sockets;
mod work;

use pictures::Pictures;
use presence::Presence;
use queue::Queue;
use recall::Recall;
use sockets::Sockets;
use work::{Work, and_then};

/// After a full disk refused something, a room does nothing of its own accord
/// for so many milliseconds.
const FULL_FOR: u64 = 10_000;

/// Who hears what became of something.
type Done = Box<dyn FnOnce(&mut Shell, Result<(), RoomError>)>;

/// An event, and what it means, as it was when it was decided.
struct Decided {
    event: RoomEvent,
    frames: Vec<EncodedFrame>,
    /// Whose seat it makes free.
    leaver: Option<MemberId>,
    standing: Standing,
}

/// One room's actor.
pub(crate) struct Shell {
    services: Arc<Services>,
    status: SharedStatus,
    card: RoomCard,
    /// The machine. It has everything that was decided, also what the log has
    /// not got yet.
    room: Room,
    /// What was decided, and what depends on it, until the log has it.
    queue: Queue<(Option<Decided>, Done)>,
    sockets: Sockets,
    presence: Presence,
    pictures: Pictures,
    recall: Recall,
    work: Work,
    /// The log has been asked to forget lines up to here.
    forgotten: Seq,
    /// How often the log is being asked to lose words.
    redacting: usize,
    /// What is due without anybody asking, and when.
    timer: Option<(Millis, Sleep)>,
    /// Whether the room is doing what its timer asked for.
    wakes: bool,
    /// When that may be tried again.
    not_before: Millis,
    used_at: Instant,
    ending: Option<Ending>,
    is_given_up: bool,
}

impl Shell {
    /// The shell of a room that nobody was in since a moment, as far as is
    /// known. Its log is read first.
    fn new(
        services: Arc<Services>,
        card: RoomCard,
        status: SharedStatus,
        nobody_since: Instant,
        actor: Addr<Self>,
    ) -> Self {
        let now = services.clock.moment();
        let mut shell = Self {
            room: Room::new(services.terms(&card)),
            queue: Queue::new(card.id, services.log.clone(), services.clock.clone()),
            sockets: Sockets::default(),
            presence: Presence::new(nobody_since, now),
            pictures: Pictures::default(),
            recall: Recall::new(card.id, services.clone(), actor),
            services,
            status,
            card,
            work: Work::default(),
            forgotten: Seq(0),
            redacting: 0,
            timer: None,
            wakes: false,
            not_before: Millis(0),
            used_at: now,
            ending: None,
            is_given_up: false,
        };
        shell.load();
        shell.look_around_later();
        shell
    }

    /// Drives everything that is under way.
    fn poll(&mut self, task: &mut Context<'_>) {
        loop {
            let refused = self.queue.poll(task);
            self.settle();
            if let Poll::Ready(error) = refused {
                self.refused(error);
            }
            while self.sockets.flush() {
                // The others see that somebody is gone.
                self.broadcast_active();
            }
            if self.is_held() {
                return;
            }
            match self.work.beside.poll_next_unpin(task) {
                Poll::Ready(Some(then)) => then(self),
                _ if self.queue.is_asked() => return,
                _ => {}
            }
        }
    }

    /// Whether nothing may happen before some work is done.
    fn is_held(&self) -> bool {
        self.is_given_up || !self.work.first.is_empty()
    }

    /// Reads the log.
    fn load(&mut self) {
        let reading = recall::read_all(self.services.clone(), self.card.id);
        self.work.first.push(and_then(reading, |shell, read| match read {
            Ok((log, pictures)) => shell.begin(&log, pictures),
            Err(error) => {
                // It may have ended since its card was read.
                if error != RoomError::Gone {
                    tracing::error!(%error, "a room's log can't be read");
                }
                shell.give_up();
            }
        }));
    }

    fn begin(&mut self, log: &[(Seq, RoomEvent)], pictures: Vec<StoredImage>) {
        self.room = Room::replay(self.services.terms(&self.card), log.iter().map(|(seq, event)| (*seq, event)));
        if !self.queue.begin(self.room.seq()) && !self.sockets.is_empty() {
            // Something has happened that the members here were not told.
            return self.give_up();
        }
        self.status.lock().standing = Some((&self.room).into());
        let (moment, now) = (self.services.clock.moment(), self.services.clock.timestamp());
        for StoredImage { id, bytes, since } in pictures {
            self.pictures.add(id, bytes, Duration::from_secs(now.saturating_sub(since)), moment);
        }
        for (_, event) in log {
            if let RoomEvent::Posted { body, .. } = event {
                self.pictures.sent(body);
            }
        }
        self.redact(erasure::leftovers(&self.room, log));
        // The list that was shown last may depend on an event that the log
        // doesn't have.
        self.broadcast_active();
        self.count_again();
    }

    /// Where frames find what was said.
    fn transcript<'a>(&'a self, recalled: &'a Recalled) -> Transcript<'a> {
        Transcript { id: self.card.id, room: &self.room, recalled }
    }

    /// Decides a command, for which something may have been read. `done` hears
    /// of it in its turn.
    fn decide(&mut self, command: Command, recalled: &Recalled, done: Done) {
        match self.consider(command) {
            Ok(event) => self.happens(event, recalled, done),
            Err(RoomError::Busy) => done(self, Err(RoomError::Busy)),
            Err(error) => self.when_durable(move |shell, durable| done(shell, durable.and(Err(error)))),
        }
    }

    /// The event that follows from a command, or why none does.
    fn consider(&mut self, command: Command) -> Result<RoomEvent, RoomError> {
        if command != Command::Wake {
            self.touch();
        }
        if self.ending.is_some() {
            return Err(Code::GroupExpired.into());
        }
        if self.queue.is_full() && !matches!(command, Command::Wake | Command::Close) {
            return Err(RoomError::Busy);
        }
        if let Command::Claim { member, .. } = command {
            self.free_seats();
            self.free_seats_of_the_away(Some(member));
        }
        Ok(self.room.decide(command, self.services.now())?)
    }

    fn happens(&mut self, event: RoomEvent, recalled: &Recalled, done: Done) {
        let leaver = match &event {
            RoomEvent::Kicked { seat, .. } | RoomEvent::Left { seat, .. } | RoomEvent::Lapsed { seat, .. } => {
                self.room.seats().iter().find(|taken| taken.number == *seat).map(|seat| seat.member)
            }
            _ => None,
        };
        if matches!(event, RoomEvent::Closed { .. }) {
            // The last event removes the log and is not written to it.
            let decided = Decided { event, frames: Vec::new(), leaver, standing: (&self.room).into() };
            return self.queue.wait((Some(decided), done));
        }
        self.room.apply(&event);
        let is_next = self.room.seq() == self.queue.end().next();
        invariant!(is_next, "the machine is ahead of the log by what waits for it, and by nothing else");
        let line = self.room.line(self.room.seq());
        let frames = line.map_or_else(Vec::new, |line| frame::news(&self.transcript(recalled), line));
        let standing = (&self.room).into();
        self.queue.decided(event.clone(), (Some(Decided { event, frames, leaver, standing }), done));
    }

    /// Does something that depends on everything decided so far.
    fn when_durable(&mut self, then: impl FnOnce(&mut Self, Result<(), RoomError>) + 'static) {
        self.queue.wait((None, Box::new(then)));
    }

    /// What is on disk is told to the members, and answered.
    fn settle(&mut self) {
        let mut has_changed = false;
        while let Some((decided, done)) = self.queue.settled() {
            if let Some(decided) = decided {
                if let RoomEvent::Closed { why, .. } = decided.event {
                    self.end(why, done);
                    continue;
                }
                has_changed = true;
                self.broadcast(&decided);
            }
            done(self, Ok(()));
        }
        if has_changed {
            self.recall.count(&self.room, self.lingers());
        }
    }

    /// Tells everybody what has happened, and sees to what follows from it.
    fn broadcast(&mut self, decided: &Decided) {
        self.status.lock().standing = Some(decided.standing);
        self.sockets.broadcast(&decided.frames);
        match &decided.event {
            RoomEvent::Kicked { seat, with_messages, .. } => {
                self.send_away(*seat, decided.leaver, Goodbye::Kicked);
                if *with_messages {
                    self.redact(self.room.messages_of(*seat).collect());
                }
            }
            RoomEvent::Left { seat, .. } | RoomEvent::Lapsed { seat, .. } => {
                self.send_away(*seat, decided.leaver, Goodbye::Left);
            }
            RoomEvent::Unsent { message, .. } => self.redact(vec![*message]),
            RoomEvent::Posted { body, .. } => {
                self.pictures.sent(body);
                self.forget_lines();
            }
            _ => {}
        }
    }

    fn send_away(&mut self, seat: SeatNumber, leaver: Option<MemberId>, why: Goodbye) {
        self.presence.left(seat);
        if let Some(leaver) = leaver {
            self.sockets.close(|_, member| member == leaver, why);
        }
        self.broadcast_active();
    }

    /// The log has refused something, and with it all that comes after.
    fn refused(&mut self, error: RoomError) {
        self.refuse_all(error);
        if error == RoomError::Store(StoreError::DiskFull) {
            // Nothing was written, and everybody stays: the machine only goes
            // back to where the log is.
            self.not_before = Millis(self.services.now().0 + FULL_FOR);
            return self.load();
        }
        // What was decided did not happen, or nobody knows whether it did. The
        // next member to come has the log read, and everybody connects again.
        tracing::warn!(%error, "a room could not be written to");
        self.give_up();
    }

    fn refuse_all(&mut self, error: RoomError) {
        for (_, done) in self.queue.refuse() {
            done(self, Err(error));
        }
    }

    /// The actor ends; the room lives on in its log. Members who are connected
    /// or connecting connect again.
    fn give_up(&mut self) {
        self.sockets.clear();
        self.is_given_up = true;
    }

    /// Whether nobody is here, and nothing is under way.
    fn is_quiet(&self) -> bool {
        self.sockets.is_empty() && self.queue.is_empty() && self.ending.is_none() && self.redacting == 0
    }

    /// Somebody wants something.
    fn touch(&mut self) {
        self.used_at = self.services.clock.moment();
    }

    /// When somebody last wanted something, if nobody is here.
    fn lingers(&self) -> Option<Instant> {
        self.sockets.is_empty().then_some(self.used_at)
    }

    fn count_again(&mut self) {
        self.recall.count_again(&self.room, self.lingers());
    }

    /// Reads what stands at some places, and then goes on: at once, when
    /// nothing has to be read.
    fn recall(&mut self, places: Vec<Seq>, then: impl FnOnce(&mut Self, Result<Recalled, RoomError>) + 'static) {
        match self.room.lines().last_resting().filter(|_| !places.is_empty()) {
            None => then(self, Ok(Recalled::default())),
            Some(last) => {
                let reading = recall::read(self.services.clone(), self.card.id, places, last);
                self.work.first.push(and_then(reading, then));
            }
        }
    }

    /// Everybody who is connected.
    fn here(&self) -> Vec<Emoji> {
        let here = self.sockets.members();
        let seats = self.room.seats().iter();
        seats.filter(|seat| here.contains(&seat.member)).map(|seat| seat.emoji).collect()
    }

    /// Shows the list of connected members to everybody, if it has changed:
    /// now, or when it may be shown again.
    fn broadcast_active(&mut self) {
        let here = self.here();
        self.status.lock().active = here.len();
        match self.presence.announce(&here, self.services.clock.moment()) {
            Ok(true) => self.sockets.broadcast(&[frame::active_users(&here)]),
            Ok(false) => {}
            Err(wait) => self.work.beside.push(and_then(self.services.clock.sleep(wait), |shell, ()| {
                shell.presence.may_show();
                shell.broadcast_active();
            })),
        }
    }
}

impl Drop for Shell {
    /// Also runs after a panic: dropping the sockets closes them, the members
    /// connect again, and the room is rebuilt from its log.
    fn drop(&mut self) {
        let mut status = self.status.lock();
        (status.active, status.nobody_since) = (0, Some(self.services.clock.moment()));
    }
}
