//! The shell around a room: what is decided goes to the log, and what is on
//! disk is told.
//!
//! Each part of it owns its state; here they are put together. Nothing waits
//! in here: what takes time is left as work, which the actor sees to.

use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use actix::Recipient;
use annon_store::StoreError;
use annon_store::image::StoredImage;
use annon_store::room::{Emoji, Ending, MemberId, Millis, RoomCard, RoomEvent, SeatNumber, Seq};

use crate::room::budget::MakeWay;
use crate::room::command::{Command, Rejection};
use crate::room::error::RoomError;
use crate::room::frame;
use crate::room::services::Services;
use crate::room::status::Status;
use crate::room::transcript::Recalled;
use crate::session::Goodbye;

pub(crate) mod actor;
pub(crate) mod asked;
mod chores;
mod erasure;
mod ledger;
mod pictures;
mod presence;
mod queue;
mod recall;
pub(crate) mod requests;
pub(crate) mod sockets;
mod work;

use erasure::{Erasure, leftovers};
use ledger::{Decided, Ledger, Waiting};
use pictures::Pictures;
use presence::Presence;
use recall::Recall;
use sockets::Sockets;
use work::Work;

/// After a full disk refused something, a room does nothing of its own accord
/// for so many milliseconds.
const FULL_FOR: u64 = 10_000;

type Done<T> = ledger::Done<Shell, T>;

/// One room.
pub(crate) struct Shell {
    services: Arc<Services>,
    status: Arc<Status>,
    ledger: Ledger<Self>,
    sockets: Sockets,
    presence: Presence,
    pictures: Pictures,
    recall: Recall,
    erasure: Erasure,
    work: Work<Self>,
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
    pub(crate) fn new(
        services: Arc<Services>,
        card: RoomCard,
        status: Arc<Status>,
        nobody_since: Instant,
        actor: Recipient<MakeWay>,
    ) -> Self {
        let (room, now) = (card.id, services.clock.moment());
        let mut shell = Self {
            ledger: Ledger::new(services.clone(), card),
            sockets: Sockets::default(),
            presence: Presence::new(nobody_since, now),
            pictures: Pictures::default(),
            recall: Recall::new(room, services.clone(), actor),
            erasure: Erasure::new(room, services.clone()),
            services,
            status,
            work: Work::new(),
            wakes: false,
            not_before: Millis(0),
            used_at: now,
            ending: None,
            is_given_up: false,
        };
        shell.load();
        chores::later(&mut shell);
        shell
    }

    /// Drives everything that is under way.
    fn poll(&mut self, task: &mut Context<'_>) {
        loop {
            let refused = self.ledger.queue.poll(task);
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
            match self.work.poll(task) {
                Some(then) => then(self),
                None if self.ledger.queue.is_asked() => return,
                None => {}
            }
        }
    }

    /// Whether nothing may happen before some work is done.
    fn is_held(&self) -> bool {
        self.is_given_up || self.work.is_first()
    }

    /// Reads the log.
    fn load(&mut self) {
        self.work.first(self.recall.read_all(), |shell, read| match read {
            Ok((log, pictures)) => shell.begin(&log, pictures),
            Err(error) => {
                // It may have ended since its card was read.
                if error != RoomError::Gone {
                    tracing::error!(%error, "a room's log can't be read");
                }
                shell.give_up();
            }
        });
    }

    fn begin(&mut self, log: &[(Seq, RoomEvent)], pictures: Vec<StoredImage>) {
        if !self.ledger.begin(log) && !self.sockets.is_empty() {
            // Something has happened that the members here were not told.
            return self.give_up();
        }
        self.status.stands(self.ledger.room().into());
        let (moment, now) = (self.services.clock.moment(), self.services.clock.timestamp());
        for StoredImage { id, bytes, since } in pictures {
            self.pictures.add(id, bytes, Duration::from_secs(now.saturating_sub(since)), moment);
        }
        for (_, event) in log {
            if let RoomEvent::Posted { body, .. } = event {
                self.pictures.sent(body);
            }
        }
        self.redact(leftovers(self.ledger.room(), log));
        // The list that was shown last may depend on an event that the log
        // doesn't have.
        self.broadcast_active();
        self.count_again();
    }

    /// Decides a command, for which something may have been read. `done` hears
    /// of it in its turn.
    fn decide(&mut self, command: Command, recalled: &Recalled, done: Done<RoomEvent>) {
        if command != Command::Wake {
            self.touch();
        }
        if let Some(why) = self.ending {
            return done(self, Err(Rejection::Ended(why).into()));
        }
        if self.ledger.queue.is_full() && !matches!(command, Command::Wake | Command::Close) {
            return done(self, Err(RoomError::Busy));
        }
        if let Command::Claim { member, .. } = command {
            self.ledger.free_seats();
            chores::free_seats_of_the_away(self, Some(member));
        }
        self.ledger.decide(command, recalled, done);
    }

    /// What is on disk is told to the members, and answered.
    fn settle(&mut self) {
        let mut has_changed = false;
        while let Some(waiting) = self.ledger.queue.settled() {
            match waiting {
                Waiting::Event(Decided { event: RoomEvent::Closed { why, .. }, .. }, done) => self.end(why, done),
                Waiting::Event(decided, done) => {
                    has_changed = true;
                    self.broadcast(&decided);
                    done(self, Ok(decided.event));
                }
                Waiting::Durable(done) => done(self, Ok(())),
            }
        }
        if has_changed {
            self.recall.count(self.ledger.room(), self.lingers());
        }
    }

    /// Tells everybody what has happened, and sees to what follows from it.
    fn broadcast(&mut self, decided: &Decided) {
        self.status.stands(decided.standing);
        self.sockets.broadcast(&decided.frames);
        match &decided.event {
            RoomEvent::Kicked { seat, with_messages, .. } => {
                self.send_away(*seat, decided.leaver, Goodbye::Kicked);
                if *with_messages {
                    self.redact(self.ledger.room().messages_of(*seat).collect());
                }
            }
            RoomEvent::Left { seat, .. } | RoomEvent::Lapsed { seat, .. } => {
                self.send_away(*seat, decided.leaver, Goodbye::Left);
            }
            RoomEvent::Unsent { message, .. } => self.redact(vec![*message]),
            RoomEvent::Posted { body, .. } => {
                self.pictures.sent(body);
                if let Some(forgetting) = self.erasure.forget(self.ledger.dropped()) {
                    self.work.beside(forgetting, |_, ()| {});
                }
            }
            _ => {}
        }
    }

    fn send_away(&mut self, seat: SeatNumber, leaver: Option<MemberId>, why: Goodbye) {
        self.presence.left(seat);
        if let Some(leaver) = leaver {
            self.sockets.close_of(leaver, why);
        }
        self.broadcast_active();
    }

    /// The log has refused something, and with it all that comes after.
    fn refused(&mut self, error: RoomError) {
        if error == RoomError::Store(StoreError::DiskFull) {
            // Nothing was written, and everybody stays: the machine only goes
            // back to where the log is.
            self.not_before = Millis(self.services.now().0 + FULL_FOR);
            self.refuse_all(error);
            self.load();
        } else {
            // What was decided did not happen, or nobody knows whether it did.
            // The next member to come has the log read, and everybody connects
            // again.
            tracing::warn!(%error, "a room could not be written to");
            self.refuse_all(error);
            self.give_up();
        }
    }

    fn refuse_all(&mut self, error: RoomError) {
        for waiting in self.ledger.queue.refuse() {
            match waiting {
                Waiting::Event(_, done) => done(self, Err(error)),
                Waiting::Durable(done) => done(self, Err(error)),
            }
        }
    }

    /// The room ends, and nothing of it stays.
    fn end(&mut self, why: Ending, done: Done<RoomEvent>) {
        if let Some(already) = self.ending.replace(why) {
            return done(self, Err(Rejection::Ended(already).into()));
        }
        if why == Ending::Expired {
            // The time is up, even if the disk refuses the end.
            self.sockets.close_all(Goodbye::Expired);
        }
        self.work.first(self.erasure.remove_room(), move |shell, removed| {
            match removed {
                Ok(()) => shell.sockets.close_all(Goodbye::Deleted),
                Err(error) => tracing::error!(%error, "an ended room could not be removed; the sweeper tries again"),
            }
            let closed = RoomEvent::Closed { why, at: shell.services.now() };
            done(shell, removed.map(|()| closed));
            shell.refuse_all(Rejection::Ended(why).into());
            shell.give_up();
        });
    }

    /// The actor ends; the room lives on in its log. Members who are connected
    /// or connecting connect again.
    fn give_up(&mut self) {
        self.sockets.clear();
        self.is_given_up = true;
    }

    /// Takes words out of the log, and their pictures off the disk.
    fn redact(&mut self, messages: Vec<Seq>) {
        if let Some(redacting) = self.erasure.redact(messages) {
            self.work.beside(redacting, |shell, ()| {
                shell.erasure.redacted();
                shell.drop_pictures();
            });
        }
    }

    fn drop_pictures(&mut self) {
        let room = self.ledger.room();
        self.erasure.remove(self.pictures.take_orphans(|| room.pictures(), self.services.clock.moment()));
    }

    /// Whether nobody is here, and nothing is under way.
    fn is_quiet(&self) -> bool {
        self.sockets.is_empty() && self.ledger.queue.is_empty() && self.ending.is_none() && self.erasure.is_done()
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
        self.recall.count_again(self.ledger.room(), self.lingers());
    }

    /// Reads what stands at some places, and then goes on: at once, when
    /// nothing has to be read.
    fn recall(&mut self, places: Vec<Seq>, then: impl FnOnce(&mut Self, Result<Recalled, RoomError>) + 'static) {
        match self.ledger.room().lines().last_resting().filter(|_| !places.is_empty()) {
            None => then(self, Ok(Recalled::default())),
            Some(last) => self.work.first(self.recall.read(places, last), then),
        }
    }

    /// Everybody who is connected.
    fn here(&self) -> Vec<Emoji> {
        let here = self.sockets.members();
        let seats = self.ledger.room().seats().iter();
        seats.filter(|seat| here.contains(&seat.member)).map(|seat| seat.emoji).collect()
    }

    /// Shows the list of connected members to everybody, if it has changed:
    /// now, or when it may be shown again.
    fn broadcast_active(&mut self) {
        let here = self.here();
        self.status.has_active(here.len());
        match self.presence.announce(&here, self.services.clock.moment()) {
            Ok(true) => self.sockets.broadcast(&[frame::active_users(&here)]),
            Ok(false) => {}
            Err(wait) => self.work.beside(self.services.clock.sleep(wait), |shell, ()| {
                shell.presence.may_show();
                shell.broadcast_active();
            }),
        }
    }
}

impl Drop for Shell {
    /// Also runs after a panic: dropping the sockets closes them, the members
    /// connect again, and the room is rebuilt from its log.
    fn drop(&mut self) {
        self.status.ended(self.services.clock.moment());
    }
}
