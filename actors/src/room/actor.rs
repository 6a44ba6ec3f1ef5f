//! The shell around a room: its mailbox, its timer, its sockets and its log.
//!
//! The machine runs ahead of the log by what is being appended. Nobody sees
//! that: answers and frames wait in the order of their events until the disk
//! has them, and what comes meanwhile is the next append.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix::fut::wrap_future;
use actix::{Actor, ActorContext, ActorFutureExt, AsyncContext, Context, Handler, Message, ResponseFuture, SpawnHandle};
use annon_store::StoreError;
use annon_store::image::{Album, ImageId};
use annon_store::limits::{ROOM_PICTURE_BYTES, ROOM_PICTURES};
use annon_store::room::{Body, Ending, Face, MemberId, Millis, RoomCard, RoomEvent, SeatNumber, Seq};
use tokio::sync::oneshot;
use uuid::Uuid;

use crate::bucket::Bucket;
use crate::room::command::{Command, Rejection};
use crate::room::frame::{self, LineFrame};
use crate::room::machine::{LineKind, Room, Terms};
use crate::rooms::{RoomError, Shared};
use crate::session::Goodbye;

mod asked;
mod sockets;

pub use asked::View;
pub(crate) use asked::{AskSeat, Do, Issue, MayUpload, ShutDown, ViewAsked};
pub(crate) use sockets::{Enter, Exit, Heard, Said};

/// Frames and questions that may wait for one room.
const MAILBOX: usize = 256;
/// How long a room that nobody is in keeps its actor.
const LINGERS: Duration = Duration::from_secs(60);
/// How often it looks whether anybody is left, and for pictures nobody sent.
const LOOKS_EVERY: Duration = Duration::from_secs(20);
/// How long an uploaded picture waits for the message that refers to it.
const PICTURE_WAITS: Duration = Duration::from_secs(10 * 60);
/// Lines that go before the log is asked to forget them.
const FORGETS_AFTER: u64 = 512;

/// What became of something: an event that is on disk now, or nothing but its
/// turn, for a question.
type Outcome = Result<Option<RoomEvent>, RoomError>;
type Done = Box<dyn FnOnce(&mut RoomActor, &mut Context<RoomActor>, Outcome)>;

/// Something that waits for its turn.
struct Waiting {
    outcome: Result<Option<(Seq, RoomEvent)>, RoomError>,
    done: Done,
}

/// A picture that messages may refer to.
struct Issued {
    at: Instant,
    bytes: usize,
    /// Whether a message has.
    sent: bool,
}

/// One room.
pub(crate) struct RoomActor {
    shared: Arc<Shared>,
    card: RoomCard,
    room: Room,
    /// The last event that is on disk.
    committed: Seq,
    waiting: Vec<Waiting>,
    appending: bool,
    sockets: HashMap<Uuid, sockets::Socket>,
    entries: u64,
    sends: HashMap<SeatNumber, Bucket>,
    typed: HashMap<SeatNumber, Instant>,
    issued: HashMap<ImageId, Issued>,
    forgotten: Seq,
    timer: Option<SpawnHandle>,
    used_at: Instant,
    ending: Option<Ending>,
}

impl RoomActor {
    pub(crate) fn new(shared: Arc<Shared>, card: RoomCard) -> Self {
        let room = Room::new(terms(&shared, &card));
        let used_at = shared.clock.moment();
        Self {
            shared,
            card,
            room,
            committed: Seq(0),
            waiting: Vec::new(),
            appending: false,
            sockets: HashMap::new(),
            entries: 0,
            sends: HashMap::new(),
            typed: HashMap::new(),
            issued: HashMap::new(),
            forgotten: Seq(0),
            timer: None,
            used_at,
            ending: None,
        }
    }

    fn now(&self) -> Millis {
        Millis(u64::try_from(self.shared.clock.now().as_millis()).unwrap_or(u64::MAX))
    }

    /// Reads the log; until that is done the mailbox waits.
    fn load(&mut self, context: &mut Context<Self>) {
        let (shared, id) = (self.shared.clone(), self.card.id);
        let loading = async move {
            let log = shared.log.read(id, Seq(0)).await?;
            let pictures = shared.images.list(Album::Room(id.0)).await?;
            Ok::<_, StoreError>((log, pictures))
        };
        context.wait(wrap_future(loading).map(|loaded, this: &mut Self, context| match loaded {
            Ok((log, pictures)) => {
                let terms = terms(&this.shared, &this.card);
                this.room = Room::replay(terms, log.iter().map(|(seq, event)| (*seq, event)));
                this.committed = this.room.seq();
                let at = this.shared.clock.moment();
                this.issued.extend(pictures.into_iter().map(|(image, bytes)| (image, Issued { at, bytes, sent: false })));
                this.redact_leftovers(&log, context);
                this.set_timer(context);
            }
            Err(error) => {
                tracing::error!(%error, "a room's log can't be read");
                this.give_up(context);
            }
        }));
    }

    /// Words that were taken back just before a crash and are still in the
    /// log.
    fn redact_leftovers(&mut self, log: &[(Seq, RoomEvent)], context: &mut Context<Self>) {
        let still_there = log.iter().filter_map(|(seq, event)| match event {
            RoomEvent::Posted { body, .. } if *body != Body::Gone => Some(*seq),
            _ => None,
        });
        let gone = |seq: &Seq| {
            let line = self.room.message(*seq);
            line.is_some_and(|line| matches!(&line.kind, LineKind::Message { body: Body::Gone, .. }))
        };
        let messages: Vec<_> = still_there.filter(gone).collect();
        self.redact(messages, context);
    }

    /// Decides a command. `done` hears of it in its turn.
    fn ask(&mut self, command: Command, done: Done, context: &mut Context<Self>) {
        self.used_at = self.shared.clock.moment();
        if let Some(why) = self.ending {
            return done(self, context, Err(Rejection::Ended(why).into()));
        }
        let outcome = match self.room.decide(command, self.now()) {
            Ok(RoomEvent::Closed { why, .. }) => return self.end(why, done, context),
            Ok(event) => {
                self.room.apply(&event);
                Ok(Some((self.room.seq(), event)))
            }
            Err(rejection) => Err(rejection.into()),
        };
        self.take_turn(outcome, done, context);
    }

    /// An answer that rests on everything decided so far.
    fn take_turn(
        &mut self,
        outcome: Result<Option<(Seq, RoomEvent)>, RoomError>,
        done: Done,
        context: &mut Context<Self>,
    ) {
        self.waiting.push(Waiting { outcome, done });
        self.append(context);
    }

    /// Puts what has been decided on disk, unless that is being done.
    fn append(&mut self, context: &mut Context<Self>) {
        if self.appending || self.waiting.is_empty() {
            return;
        }
        let batch = std::mem::take(&mut self.waiting);
        let decided = batch.iter().filter_map(|waiting| waiting.outcome.as_ref().ok()?.as_ref());
        let events: Vec<_> = decided.map(|(_, event)| event.clone()).collect();
        if events.is_empty() {
            return self.settle(batch, context);
        }
        self.appending = true;
        let (shared, id, expected) = (self.shared.clone(), self.card.id, self.committed);
        let append = async move { shared.log.append(id, expected, events).await };
        context.spawn(wrap_future(append).map(move |appended, this: &mut Self, context| {
            this.appending = false;
            match appended {
                Ok(()) => {
                    this.settle(batch, context);
                    this.append(context);
                    this.set_timer(context);
                }
                Err(error) => {
                    // What was decided is not so. The next one to come reads
                    // what is, and everybody here comes again.
                    tracing::warn!(%error, "a room could not be written to");
                    let unheard = batch.into_iter().chain(std::mem::take(&mut this.waiting)).collect::<Vec<_>>();
                    for waiting in unheard {
                        (waiting.done)(this, context, Err(outcome_of(error)));
                    }
                    this.give_up(context);
                }
            }
        }));
    }

    /// Everything in a batch is on disk: members hear of it, and whoever
    /// asked is answered.
    fn settle(&mut self, batch: Vec<Waiting>, context: &mut Context<Self>) {
        for Waiting { outcome, done } in batch {
            match outcome {
                Ok(Some((seq, event))) => {
                    self.committed = seq;
                    self.tell(seq, &event, context);
                    done(self, context, Ok(Some(event)));
                }
                Ok(None) => done(self, context, Ok(None)),
                Err(error) => done(self, context, Err(error)),
            }
        }
    }

    /// Tells everybody what has happened.
    fn tell(&mut self, seq: Seq, event: &RoomEvent, context: &mut Context<Self>) {
        let frames = self.room.line(seq).map(|line| frame::news(self.card.id, &self.room, line));
        self.show(frames.unwrap_or_default());
        match event {
            RoomEvent::Kicked { seat, with_messages, .. } => {
                self.send_away(*seat, "kicked", Goodbye::Kicked);
                if *with_messages {
                    let theirs = self.room.messages_of(*seat).collect();
                    self.redact(theirs, context);
                }
                self.show_active();
            }
            RoomEvent::Left { seat, .. } | RoomEvent::Lapsed { seat, .. } => {
                self.send_away(*seat, "left", Goodbye::Left);
                self.show_active();
            }
            RoomEvent::Unsent { message, .. } => self.redact(vec![*message], context),
            RoomEvent::Posted { body, .. } => {
                if let Body::Picture { image, tiny, .. } = body {
                    for image in std::iter::once(image).chain(tiny) {
                        self.issued.entry(*image).and_modify(|issued| issued.sent = true);
                    }
                }
                self.forget_old(context);
            }
            _ => {}
        }
    }

    /// Takes words out of the log, and their pictures off the disk.
    fn redact(&mut self, messages: Vec<Seq>, context: &mut Context<Self>) {
        if messages.is_empty() {
            return;
        }
        let (shared, id) = (self.shared.clone(), self.card.id);
        let redact = async move { shared.log.redact(id, messages).await };
        context.spawn(wrap_future(redact).map(|redacted, this: &mut Self, context| {
            if let Err(error) = redacted {
                // Done again when the room is next read.
                tracing::error!(%error, "a message could not be taken out of the log");
            }
            this.drop_pictures(context);
        }));
    }

    /// Every picture that a message of this room shows.
    fn referred(&self) -> HashSet<ImageId> {
        self.room
            .lines_before(None, usize::MAX)
            .filter_map(|line| match &line.kind {
                LineKind::Message { body: Body::Picture { image, tiny, .. }, .. } => Some([Some(*image), *tiny]),
                _ => None,
            })
            .flatten()
            .flatten()
            .collect()
    }

    /// Removes pictures that no message refers to any more, and those that
    /// none has for too long.
    fn drop_pictures(&mut self, context: &mut Context<Self>) {
        if self.issued.is_empty() {
            return;
        }
        let (referred, now) = (self.referred(), self.shared.clock.moment());
        let is_done = |issued: &Issued| issued.sent || now.duration_since(issued.at) >= PICTURE_WAITS;
        let orphans = self.issued.iter().filter(|(image, issued)| !referred.contains(*image) && is_done(issued));
        let orphans: Vec<_> = orphans.map(|(image, _)| *image).collect();
        for image in orphans {
            self.issued.remove(&image);
            let (shared, album) = (self.shared.clone(), Album::Room(self.card.id.0));
            context.spawn(wrap_future(async move {
                if shared.images.remove(album, image).await.is_err() {
                    tracing::warn!("a picture nobody refers to could not be removed");
                }
            }));
        }
    }

    /// Lines that are no longer kept leave the log, too, many at a time.
    fn forget_old(&mut self, context: &mut Context<Self>) {
        let dropped = self.room.dropped();
        if dropped.0 < self.forgotten.0 + FORGETS_AFTER {
            return;
        }
        self.forgotten = dropped;
        let (shared, id) = (self.shared.clone(), self.card.id);
        context.spawn(wrap_future(async move {
            if let Err(error) = shared.log.forget(id, dropped).await {
                tracing::warn!(%error, "old messages stay in a room's log");
            }
        }));
    }

    /// The room ends: everybody hears of it, and nothing of it stays.
    fn end(&mut self, why: Ending, done: Done, context: &mut Context<Self>) {
        self.ending = Some(why);
        let (reason, goodbye) = match why {
            Ending::Expired => ("expired", Goodbye::Expired),
            Ending::Deleted => ("deleted", Goodbye::Deleted),
        };
        for socket in std::mem::take(&mut self.sockets).into_values() {
            socket.outbox.close(reason, goodbye);
        }
        let (shared, id) = (self.shared.clone(), self.card.id);
        let remove = async move {
            shared.directory.remove(id).await?;
            shared.images.remove_album(Album::Room(id.0)).await
        };
        context.wait(wrap_future(remove).map(move |removed, this: &mut Self, context| {
            if let Err(error) = removed {
                tracing::error!(%error, "an ended room could not be removed; the sweeper tries again");
            }
            let closed = RoomEvent::Closed { why, at: this.now() };
            done(this, context, removed.map(|()| Some(closed)).map_err(RoomError::from));
            this.give_up(context);
        }));
    }

    /// Ends this actor; the room lives on in its log.
    fn give_up(&mut self, context: &mut Context<Self>) {
        self.shared.forget(self.card.id, &context.address());
        context.stop();
    }

    /// Wakes when something is due without anybody asking.
    fn set_timer(&mut self, context: &mut Context<Self>) {
        if let Some(timer) = self.timer.take() {
            context.cancel_future(timer);
        }
        let Some(deadline) = self.room.deadline() else { return };
        let wait = Duration::from_millis(deadline.0.saturating_sub(self.now().0));
        self.timer = Some(context.run_later(wait, |this, context| {
            this.timer = None;
            let done: Done = Box::new(|this, context, outcome| {
                if outcome.is_err() {
                    this.set_timer(context);
                }
            });
            this.ask(Command::Wake, done, context);
        }));
    }

    fn look_around(&mut self, context: &mut Context<Self>) {
        self.drop_pictures(context);
        let idle = self.shared.clock.moment().duration_since(self.used_at) >= LINGERS;
        if idle && self.sockets.is_empty() && self.waiting.is_empty() && !self.appending {
            self.give_up(context);
        }
    }

    /// Whether a seat may send one more right now.
    fn may_send(&mut self, seat: SeatNumber) -> bool {
        let Some(rate) = self.shared.settings.sends else { return true };
        let now = self.shared.clock.moment();
        self.sends.entry(seat).or_insert_with(|| Bucket::new(now)).take(rate, now).is_ok()
    }

    fn holds_another(&self, bytes: usize) -> bool {
        let held: usize = self.issued.values().map(|issued| issued.bytes).sum();
        self.issued.len() < ROOM_PICTURES && held + bytes <= ROOM_PICTURE_BYTES
    }
}

fn terms(shared: &Shared, card: &RoomCard) -> Terms {
    Terms { expires_at: Millis(card.expires * 1000), keeps: shared.settings.keeps }
}

fn outcome_of(error: StoreError) -> RoomError {
    match error {
        StoreError::NotFound => RoomError::Gone,
        StoreError::Conflict => RoomError::Busy,
        other => RoomError::Store(other),
    }
}

impl Actor for RoomActor {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        context.set_mailbox_capacity(MAILBOX);
        self.load(context);
        context.run_interval(LOOKS_EVERY, Self::look_around);
    }
}

impl Drop for RoomActor {
    /// Also after a panic: whoever was here comes again, to a room that is
    /// rebuilt from its log.
    fn drop(&mut self) {
        for socket in self.sockets.values() {
            socket.outbox.end(Goodbye::ShuttingDown);
        }
    }
}
