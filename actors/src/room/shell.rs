//! One room's actor. It takes one thing at a time: a message, an answer of the
//! log, what others wrote to the log, or a timer; each has its step here.
//!
//! The way of a message: `ask` ([`requests`]) → `decide` → `conclude`, which puts
//! the event into the queue → `next`, which has the log append it → the log's
//! answer: `logged` → `tell` and `answer`.
//!
//! The machine is ahead of the disk by the events that are being appended. Nobody
//! may see that: answers and frames are made when an event is decided, and wait
//! in the queue until the event is on disk. If the log refuses an event, the
//! machine goes back, and everything that waited is asked again.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use std::task::{Context as Task, Poll};
use std::time::Instant;

use actix::{Addr, Context};
use annon_contract::code::Code;
use annon_store::room::{Ending, Millis, RoomEvent, RoomMetadata, Seq};
use annon_store::room_log::{Tail, TailItem};
use annon_store::{StoreError, invariant};
use futures_util::StreamExt;
use tokio::sync::watch;

use crate::room::command::Command;
use crate::room::error::RoomError;
use crate::room::frame;
use crate::room::machine::Room;
use crate::room::services::Services;
use crate::room::status::SharedStatus;
use crate::room::transcript::{OldWords, Transcript};
use crate::session::CloseReason;

pub(crate) mod actor;
mod chores;
mod erasure;
pub(crate) mod knocks;
pub(crate) mod member_requests;
mod owner;
mod pictures;
pub(crate) mod presence;
mod queue;
mod reading;
mod reload;
pub(crate) mod requests;
pub(crate) mod sockets;
mod timers;
mod turn;
mod who_is_here;

use owner::OwnerNews;
use pictures::Pictures;
use presence::Presence;
use presence::others::{Others, OthersNext};
use queue::Queue;
use reload::RoomMemory;
use requests::{Ready, Request};
use sockets::Sockets;
use timers::{Due, Timers};
use turn::{Decided, Turn, What};

/// Milliseconds in which a room does nothing by itself after the disk was full.
const FULL_FOR: u64 = 10_000;
/// How often in a row the log may have moved on before the room is busy.
const CONFLICTS: u32 = 20;

/// What comes to a room beside messages.
enum Next {
    /// The log refused what this request led to: it is asked again.
    Ask(Request),
    /// The log has answered: events are on disk, or the first of them failed.
    Logged(Result<(), RoomError>),
    /// Somebody else has written to the log.
    Tail(TailItem),
    Others(OthersNext),
    Timer(Due),
}

/// One room's actor.
pub(crate) struct Shell {
    services: Arc<Services>,
    status: SharedStatus,
    metadata: RoomMetadata,
    /// The machine. It has every decided event, also those not in the log yet.
    room: Room,
    queue: Queue<Turn>,
    /// Requests that are asked again. Later ones wait behind them.
    backlog: VecDeque<Request>,
    /// What others write to the log; `None` if nobody else can.
    tail: Option<Tail>,
    sockets: Sockets,
    presence: Presence,
    /// Who is connected to other nodes; `None` if there are none.
    others: Option<Others>,
    owner: OwnerNews,
    /// Tells visitors who wait that something has happened at the door.
    door: watch::Sender<()>,
    pictures: Pictures,
    memory: RoomMemory,
    timers: Timers,
    /// The log was asked to forget lines up to here.
    forgotten: Seq,
    /// Whether what the timer asked for is not on disk yet.
    wakes: bool,
    /// The timer asks for nothing before this time.
    not_before: Millis,
    /// How often in a row the log has moved on.
    conflicts: u32,
    /// Whether the machine has all that the log has, for the request at hand.
    is_fresh: bool,
    used_at: Instant,
    ending: Option<Ending>,
    is_given_up: bool,
}

impl Shell {
    /// The shell of a room, which has to read the log first. Nobody is known to
    /// have been in the room since `nobody_since`.
    fn new(
        services: Arc<Services>,
        metadata: RoomMetadata,
        status: SharedStatus,
        nobody_since: Instant,
        actor: Addr<Self>,
    ) -> Self {
        let now = services.clock.moment();
        let standing = status.lock().seen();
        let others = services.wire.clone().map(|wire| Others::new(wire, metadata.id, services.clock.clone()));
        // Somebody may have been in the room at another node.
        let nobody_since = if others.is_some() { now } else { nobody_since };
        Self {
            room: Room::new(services.terms(&metadata)),
            queue: Queue::new(metadata.id, services.log.clone(), services.clock.clone()),
            backlog: VecDeque::new(),
            tail: services.log.tail(metadata.id),
            sockets: Sockets::default(),
            presence: Presence::new(nobody_since, now),
            others,
            owner: OwnerNews::new(standing, now),
            door: watch::Sender::new(()),
            pictures: Pictures::default(),
            memory: RoomMemory::new(metadata.id, services.clone(), actor.recipient()),
            timers: Timers::new(services.clock.clone()),
            services,
            status,
            metadata,
            forgotten: Seq(0),
            wakes: false,
            not_before: Millis(0),
            conflicts: 0,
            is_fresh: false,
            used_at: now,
            ending: None,
            is_given_up: false,
        }
    }

    /// What comes next. The order matters: an answer of the log may be the cause
    /// of what others write after it.
    fn next(&mut self, task: &mut Task<'_>) -> Poll<Next> {
        if let Some(request) = self.backlog.pop_front() {
            return Poll::Ready(Next::Ask(request));
        }
        self.queue.append();
        if let Poll::Ready(answer) = self.queue.poll_answer(task) {
            return Poll::Ready(Next::Logged(answer));
        }
        if let Some(tail) = &mut self.tail {
            tail.knows(self.queue.committed());
            // While an append is under way, nobody knows what comes before it.
            if self.queue.is_empty()
                && let Poll::Ready(Some(item)) = tail.poll_next_unpin(task)
            {
                return Poll::Ready(Next::Tail(item));
            }
        }
        if let Some(Poll::Ready(next)) = self.others.as_mut().map(|others| others.poll(task)) {
            return Poll::Ready(Next::Others(next));
        }
        let deadline = self.deadline();
        self.timers.poll(deadline, self.services.now(), task).map(Next::Timer)
    }

    /// Does what comes next.
    fn step(&mut self, next: Next, context: &mut Context<Self>) {
        match next {
            Next::Ask(request) => self.ask(request, context),
            Next::Logged(Ok(())) => self.logged(context),
            Next::Logged(Err(error)) => self.append_failed(error, context),
            Next::Tail(TailItem::Events { first, events }) => self.heard(first, &events, context),
            Next::Tail(TailItem::Stale) => self.catch_up(Vec::new(), None, context),
            Next::Tail(TailItem::Gone) => self.closed_elsewhere(),
            Next::Tail(TailItem::Cut) => {
                tracing::error!("the log of a group ends before what its members were told");
                self.give_up();
            }
            Next::Others(next) => self.others_next(next, context),
            Next::Timer(Due::Deadline) => self.wake(context),
            Next::Timer(Due::LookAround) => self.look_around(context),
            Next::Timer(Due::List) => {
                self.presence.wait_is_over();
                self.broadcast_active();
            }
            Next::Timer(Due::Owner) => self.tell_owner(),
        }
    }

    /// Where frames find the text of messages.
    fn transcript<'a>(&'a self, old_words: &'a OldWords) -> Transcript<'a> {
        Transcript { id: self.metadata.id, room: &self.room, old_words }
    }

    /// Decides a command, and applies the event that follows to the machine.
    /// `old_words` has what its frames quote.
    fn decide(&mut self, command: Command, old_words: &OldWords) -> Result<What, RoomError> {
        if command != Command::Wake {
            self.touch();
        }
        if self.ending.is_some() {
            return Err(Code::GroupExpired.into());
        }
        if self.queue.is_full() && !matches!(command, Command::Wake | Command::Close) {
            return Err(RoomError::Busy);
        }
        if let Command::Claim { member, .. } | Command::Knock { member, .. } = command {
            self.free_seats();
            self.free_seats_of_the_away(Some(member));
        }
        Ok(match self.room.decide(command, self.services.now())? {
            None => What::Nothing,
            Some(RoomEvent::Closed { why, .. }) => What::End(why),
            Some(event) => What::Event(self.apply(event, old_words)),
        })
    }

    /// Applies an event to the machine, and makes what members are told of it.
    fn apply(&mut self, event: RoomEvent, old_words: &OldWords) -> Box<Decided> {
        let leaver = match &event {
            RoomEvent::Kicked { seat, .. } | RoomEvent::Left { seat, .. } | RoomEvent::Lapsed { seat, .. } => {
                self.room.seats().iter().find(|taken| taken.number == *seat).map(|seat| seat.member)
            }
            _ => None,
        };
        let erased = self.room.erased_by(&event);
        // No message may show these from now on.
        self.pictures.forget(&erased.pictures);
        let reaction = frame::reactions::Change::by(&event, &self.room);
        let undo = self.room.apply(&event);
        let knocks = self.knocks_after(&event);
        let line = self.room.line(self.room.seq());
        let of_line = line.map_or_else(Vec::new, |line| frame::news(&self.transcript(old_words), line));
        let frames = reaction.map_or(of_line, |reaction| vec![reaction.frame(&self.room)]);
        Box::new(Decided { event, undo, erased, frames, leaver, knocks, standing: (&self.room).into() })
    }

    /// Queues a decided event for the log. The request is answered when the event
    /// and everything before it is on disk.
    fn conclude(
        &mut self,
        request: Request,
        decided: Result<What, RoomError>,
        ready: Ready,
        context: &mut Context<Self>,
    ) {
        let request = match decided {
            Err(RoomError::Rejected(_)) if self.may_be_stale() => return self.refresh(request, context),
            _ => Some(request),
        };
        #[cfg(feature = "left-out")]
        let request = self.give_at_once(request, &decided);
        match decided {
            Ok(What::Event(decided)) => self.push(decided, request, ready),
            Ok(what) => self.queue.wait(Turn { what, request, outcome: Ok(ready) }),
            // The queue is full: this is answered without a turn.
            Err(RoomError::Busy) => self.answer(request, Err(RoomError::Busy)),
            Err(error) => self.queue.wait(Turn { what: What::Nothing, request, outcome: Err(error) }),
        }
    }

    /// Answers whoever asks for a seat before the record has it, if this build leaves that out.
    #[cfg(feature = "left-out")]
    fn give_at_once(&mut self, request: Option<Request>, decided: &Result<What, RoomError>) -> Option<Request> {
        use annon_store::left_out::{Condition, leaves_out};
        let is_for_seat = matches!(request, Some(Request::Decide(Command::Claim { .. }, _) | Request::Seat(..)));
        if !is_for_seat || decided.is_err() || !leaves_out(Condition::Seat) {
            return request;
        }
        self.answer(request, Ok(Ready::Nothing));
        None
    }

    fn push(&mut self, decided: Box<Decided>, request: Option<Request>, ready: Ready) {
        let (event, erased) = (decided.event.clone(), decided.erased.clone());
        self.queue.push(event, erased, Turn { what: What::Event(decided), request, outcome: Ok(ready) });
        let is_next = self.room.seq() == self.queue.end();
        invariant!(is_next, "the machine is ahead of the log by what waits for it, and by nothing else");
    }

    /// Tells the members what is on disk now, and answers callers.
    fn logged(&mut self, context: &mut Context<Self>) {
        let mut has_changed = false;
        while let Some(Turn { what, request, outcome }) = self.queue.pop_committed() {
            match what {
                What::Event(decided) => {
                    has_changed = true;
                    self.conflicts = 0;
                    self.tell(&decided);
                    self.tell_those_away(&decided.event, decided.leaver);
                    self.forget_lines();
                }
                What::End(why) => return self.end(why, request, context),
                What::Refused(_) | What::Nothing => {}
            }
            self.answer(request, outcome);
        }
        if has_changed {
            self.memory.count(&self.room, self.idle_since());
        }
    }

    /// What every event means for the members of this room, whoever decided it.
    fn tell(&mut self, decided: &Decided) {
        self.status.lock().standing = Some(decided.standing);
        self.sockets.broadcast(&decided.frames);
        if let Some(knocks) = &decided.knocks {
            self.tell_of_knocks(knocks);
        }
        match &decided.event {
            RoomEvent::Kicked { seat, .. } => self.send_away(*seat, decided.leaver, CloseReason::Kicked),
            RoomEvent::Left { seat, .. } | RoomEvent::Lapsed { seat, .. } => {
                self.send_away(*seat, decided.leaver, CloseReason::Left);
            }
            RoomEvent::Posted { body, .. } => self.pictures.mark_sent(body),
            RoomEvent::Claimed { .. }
            | RoomEvent::Arrived { .. }
            | RoomEvent::Viewed { .. }
            | RoomEvent::Locked { .. }
            | RoomEvent::Retracted { .. }
            | RoomEvent::Closed { .. }
            | RoomEvent::Lost { .. }
            | RoomEvent::Reacted { .. }
            | RoomEvent::Unreacted { .. }
            | RoomEvent::AskFirst { .. }
            | RoomEvent::Knocked { .. }
            | RoomEvent::Admitted { .. }
            | RoomEvent::Declined { .. } => {}
        }
    }

    /// An append has failed, and with it all appends after it.
    fn append_failed(&mut self, error: RoomError, context: &mut Context<Self>) {
        let turns: Vec<_> = self.queue.refuse().collect();
        match error {
            // Nothing was written, and members stay: the machine only goes back
            // to where the log is.
            RoomError::Store(StoreError::DiskFull) => {
                self.not_before = Millis(self.services.now().0 + FULL_FOR);
                self.catch_up(turns, Some(error), context);
            }
            // Somebody else has written to the log.
            RoomError::Moved if self.conflicts < CONFLICTS => {
                self.conflicts += 1;
                self.catch_up(turns, None, context);
            }
            RoomError::Moved => {
                self.conflicts = 0;
                self.catch_up(turns, Some(RoomError::Busy), context);
            }
            // The events did not happen, or nobody knows whether they did. All
            // members connect again, and the first one has the log read.
            _ => {
                tracing::warn!(%error, "a room could not be written to");
                self.give_up_with(turns, error);
            }
        }
    }

    /// Answers all who wait with an error, and ends the actor.
    fn give_up_with(&mut self, turns: Vec<Turn>, error: RoomError) {
        for turn in turns {
            self.answer(turn.request, Err(error));
        }
        self.give_up();
    }

    /// Ends the actor; the room lives on in its log. Members who are connected
    /// or connecting connect again.
    fn give_up(&mut self) {
        self.sockets.clear();
        self.is_given_up = true;
    }
}

impl Drop for Shell {
    /// Also runs after a panic: dropping the sockets closes them, the members
    /// connect again, and the room is rebuilt from its log.
    fn drop(&mut self) {
        // Others may be connected to another node.
        let elsewhere: HashSet<_> = self.others.iter().flat_map(Others::members).collect();
        let active = self.room.seats().iter().filter(|seat| elsewhere.contains(&seat.member)).count();
        let gone = (active, Some(self.services.clock.moment()));
        {
            let mut status = self.status.lock();
            (status.active, status.nobody_since) = gone;
        }
        self.tell_owner_at_last();
    }
}
