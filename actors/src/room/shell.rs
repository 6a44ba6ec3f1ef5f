//! The shell around a room's machine: it appends decided events to the log, and
//! tells the members what is on disk.
//!
//! The machine is ahead of the log by the events that are being appended. Nobody may see that:
//! answers and frames are made when an event is decided, and wait until the event is on disk.
//!
//! Each part of the shell owns its state; here they are put together. Nothing
//! waits in here: what takes time is left as work, which the actor does.

use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use actix::Addr;
use annon_contract::code::Code;
use annon_store::image::StoredImage;
use annon_store::room::{Emoji, Ending, MemberId, Millis, RoomEvent, RoomMetadata, SeatNumber, Seq};
use annon_store::{StoreError, invariant};
use futures_util::StreamExt;

use crate::clock::Sleep;
use crate::room::command::Command;
use crate::room::error::RoomError;
use crate::room::frame;
use crate::room::machine::Room;
use crate::room::services::Services;
use crate::room::status::{SharedStatus, Standing};
use crate::room::transcript::{OldWords, Transcript};
use crate::session::{CloseReason, EncodedFrame};

pub(crate) mod actor;
mod chores;
mod erasure;
mod pictures;
mod presence;
mod queue;
mod reload;
pub(crate) mod requests;
pub(crate) mod sockets;
mod work;

use pictures::Pictures;
use presence::Presence;
use queue::Queue;
use reload::RoomMemory;
use sockets::Sockets;
use work::{Work, and_then};

/// After a full disk refused an append, the room does nothing by itself for
/// this many milliseconds.
const FULL_FOR: u64 = 10_000;

/// Called with the outcome of a command.
type Done = Box<dyn FnOnce(&mut Shell, Result<(), RoomError>)>;

/// An event, and what it means for others, as it was when it was decided.
struct Decided {
    event: RoomEvent,
    frames: Vec<EncodedFrame>,
    /// The member whose seat it makes free.
    leaver: Option<MemberId>,
    standing: Standing,
}

/// One room's actor.
pub(crate) struct Shell {
    services: Arc<Services>,
    status: SharedStatus,
    metadata: RoomMetadata,
    /// The machine. It has every decided event, also those that the log doesn't
    /// have yet.
    room: Room,
    /// Decided events, and what depends on them, until they are on disk.
    queue: Queue<(Option<Decided>, Done)>,
    sockets: Sockets,
    presence: Presence,
    pictures: Pictures,
    memory: RoomMemory,
    work: Work,
    /// The log was asked to forget lines up to here.
    forgotten: Seq,
    /// When something is due that nobody asks for, and its timer.
    timer: Option<(Millis, Sleep)>,
    /// Whether what the timer asked for is not on disk yet.
    wakes: bool,
    /// The timer asks for nothing before this time.
    not_before: Millis,
    used_at: Instant,
    ending: Option<Ending>,
    is_given_up: bool,
}

impl Shell {
    /// The shell of a room, which reads the log first. Nobody is known to have
    /// been in the room since `nobody_since`.
    fn new(
        services: Arc<Services>,
        metadata: RoomMetadata,
        status: SharedStatus,
        nobody_since: Instant,
        actor: Addr<Self>,
    ) -> Self {
        let now = services.clock.moment();
        let mut shell = Self {
            room: Room::new(services.terms(&metadata)),
            queue: Queue::new(metadata.id, services.log.clone(), services.clock.clone()),
            sockets: Sockets::default(),
            presence: Presence::new(nobody_since, now),
            pictures: Pictures::default(),
            memory: RoomMemory::new(metadata.id, services.clone(), actor.recipient()),
            services,
            status,
            metadata,
            work: Work::default(),
            forgotten: Seq(0),
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

    /// Goes on with everything that is under way.
    fn poll(&mut self, task: &mut Context<'_>) {
        loop {
            let refused = self.queue.poll(task);
            self.publish();
            if let Poll::Ready(error) = refused {
                self.append_failed(error);
            }
            while self.sockets.flush() {
                // The others see that some members are gone.
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

    /// Whether nothing may happen before some work is done, or at all.
    fn is_held(&self) -> bool {
        self.is_given_up || !self.work.first.is_empty()
    }

    /// Has the log read, and begins with it.
    fn load(&mut self) {
        let reading = reload::read_all(self.services.clone(), self.metadata.id);
        self.work.first.push(and_then(reading, |shell, read| match read {
            Ok((log, pictures)) => shell.begin(&log, pictures),
            Err(error) => {
                // The room may have ended since its metadata was read.
                if error != RoomError::Gone {
                    tracing::error!(%error, "a room's log can't be read");
                }
                shell.give_up();
            }
        }));
    }

    fn begin(&mut self, log: &[(Seq, RoomEvent)], pictures: Vec<StoredImage>) {
        self.room = Room::replay(self.services.terms(&self.metadata), log.iter().map(|(seq, event)| (*seq, event)));
        if !self.queue.set_committed(self.room.seq()) && !self.sockets.is_empty() {
            // The log has events that the members here were not told of.
            return self.give_up();
        }
        self.status.lock().standing = Some((&self.room).into());
        let (moment, now) = (self.services.clock.moment(), self.services.clock.timestamp());
        for StoredImage { id, bytes, since } in pictures {
            self.pictures.add(id, bytes, Duration::from_secs(now.saturating_sub(since)), moment);
        }
        for (_, event) in log {
            if let RoomEvent::Posted { body, .. } = event {
                self.pictures.mark_sent(body);
            }
        }
        // The list that was sent last may depend on an event that the log doesn't have.
        self.broadcast_active();
        self.count_again();
    }

    /// Where frames find the text of messages.
    fn transcript<'a>(&'a self, old_words: &'a OldWords) -> Transcript<'a> {
        Transcript { id: self.metadata.id, room: &self.room, old_words }
    }

    /// Decides a command. `old_words` has what its frames quote. `done` is
    /// called in order, when the outcome is on disk.
    fn decide(&mut self, command: Command, old_words: &OldWords, done: Done) {
        match self.consider(command) {
            Ok(event) => self.add_event(event, old_words, done),
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

    /// Applies an event to the machine, and has the log append it.
    fn add_event(&mut self, event: RoomEvent, old_words: &OldWords, done: Done) {
        let leaver = match &event {
            RoomEvent::Kicked { seat, .. } | RoomEvent::Left { seat, .. } | RoomEvent::Lapsed { seat, .. } => {
                self.room.seats().iter().find(|taken| taken.number == *seat).map(|seat| seat.member)
            }
            _ => None,
        };
        if matches!(event, RoomEvent::Closed { .. }) {
            // The last event removes the log and is not written to it.
            let decided = Decided { event, frames: Vec::new(), leaver, standing: (&self.room).into() };
            return self.queue.push_waiting((Some(decided), done));
        }
        let erased = self.room.erased_by(&event);
        self.pictures.forget(&erased.pictures);
        self.room.apply(&event);
        let is_next = self.room.seq() == self.queue.end().next();
        invariant!(is_next, "the machine is ahead of the log by what waits for it, and by nothing else");
        let line = self.room.line(self.room.seq());
        let frames = line.map_or_else(Vec::new, |line| frame::news(&self.transcript(old_words), line));
        let standing = (&self.room).into();
        self.queue.push(event.clone(), erased, (Some(Decided { event, frames, leaver, standing }), done));
    }

    /// Calls `then` when everything decided so far is on disk, or has failed.
    fn when_durable(&mut self, then: impl FnOnce(&mut Self, Result<(), RoomError>) + 'static) {
        self.queue.push_waiting((None, Box::new(then)));
    }

    /// Tells the members what is on disk now, and answers callers.
    fn publish(&mut self) {
        let mut has_changed = false;
        while let Some((decided, done)) = self.queue.pop_committed() {
            if let Some(decided) = decided {
                if let RoomEvent::Closed { why, .. } = decided.event {
                    self.end(why, done);
                    continue;
                }
                has_changed = true;
                self.publish_event(&decided);
            }
            done(self, Ok(()));
        }
        if has_changed {
            self.memory.count(&self.room, self.idle_since());
        }
    }

    /// Sends everybody an event's frames, and does what follows from the event.
    fn publish_event(&mut self, decided: &Decided) {
        self.status.lock().standing = Some(decided.standing);
        self.sockets.broadcast(&decided.frames);
        match &decided.event {
            RoomEvent::Kicked { seat, .. } => self.send_away(*seat, decided.leaver, CloseReason::Kicked),
            RoomEvent::Left { seat, .. } | RoomEvent::Lapsed { seat, .. } => {
                self.send_away(*seat, decided.leaver, CloseReason::Left);
            }
            RoomEvent::Posted { body, .. } => {
                self.pictures.mark_sent(body);
                self.forget_lines();
            }
            _ => {}
        }
    }

    fn send_away(&mut self, seat: SeatNumber, leaver: Option<MemberId>, why: CloseReason) {
        self.presence.forget_seat(seat);
        self.sockets.close(|_, member| Some(member) == leaver, why);
        self.broadcast_active();
    }

    /// An append has failed, and with it all appends after it.
    fn append_failed(&mut self, error: RoomError) {
        self.refuse_all(error);
        if error == RoomError::Store(StoreError::DiskFull) {
            // Nothing was written, and members stay: the machine only goes back
            // to where the log is.
            self.not_before = Millis(self.services.now().0 + FULL_FOR);
            return self.load();
        }
        // The events did not happen, or nobody knows whether they did. All
        // members connect again, and the first one has the log read.
        tracing::warn!(%error, "a room could not be written to");
        self.give_up();
    }

    fn refuse_all(&mut self, error: RoomError) {
        for (_, done) in self.queue.refuse() {
            done(self, Err(error));
        }
    }

    /// Ends the actor; the room lives on in its log. Members who are connected
    /// or connecting connect again.
    fn give_up(&mut self) {
        self.sockets.clear();
        self.is_given_up = true;
    }

    /// Whether nobody is connected, and nothing is under way.
    fn is_quiet(&self) -> bool {
        self.sockets.is_empty() && self.queue.is_empty() && self.ending.is_none()
    }

    /// Notes that somebody uses the room.
    fn touch(&mut self) {
        self.used_at = self.services.clock.moment();
    }

    /// When somebody last used the room; `None` while somebody is connected.
    fn idle_since(&self) -> Option<Instant> {
        self.sockets.is_empty().then_some(self.used_at)
    }

    fn count_again(&mut self) {
        self.memory.count_again(&self.room, self.idle_since());
    }

    /// Reads the messages at `places` back from the log, and then calls `then`:
    /// at once, if there are none to read.
    fn read_back(&mut self, places: Vec<Seq>, then: impl FnOnce(&mut Self, Result<OldWords, RoomError>) + 'static) {
        match self.room.lines().last_evicted().filter(|_| !places.is_empty()) {
            None => then(self, Ok(OldWords::default())),
            Some(last) => {
                let reading = reload::read_back(self.services.clone(), self.metadata.id, places, last);
                self.work.first.push(and_then(reading, then));
            }
        }
    }

    /// The emojis of the members who are connected.
    fn here(&self) -> Vec<Emoji> {
        let here = self.sockets.members();
        let seats = self.room.seats().iter();
        seats.filter(|seat| here.contains(&seat.member)).map(|seat| seat.emoji).collect()
    }

    /// Sends the list of connected members to everybody, if it has changed:
    /// now, or when it may be sent again.
    fn broadcast_active(&mut self) {
        let here = self.here();
        self.status.lock().active = here.len();
        match self.presence.show_to_all(&here, self.services.clock.moment()) {
            Ok(true) => self.sockets.broadcast(&[frame::active_users(&here)]),
            Ok(false) => {}
            Err(wait) => self.work.beside.push(and_then(self.services.clock.sleep(wait), |shell, ()| {
                shell.presence.wait_is_over();
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
