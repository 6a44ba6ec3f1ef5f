//! The shell around a room: its mailbox, its timer, its sockets and its log.
//!
//! The machine runs ahead of the log by what is being appended. Nobody sees
//! that: answers and frames are made when something is decided, wait in the
//! order of their events until the disk has them, and what comes meanwhile
//! is the next append.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix::fut::wrap_future;
use actix::{
    Actor, ActorContext, ActorFutureExt, AsyncContext, Context, Handler, Message, ResponseFuture, SpawnHandle, WeakAddr,
};
use annon_contract::limits::{ROOM_BYTES_MIN, ROOM_LINE_BYTES};
use annon_store::StoreError;
use annon_store::image::{Album, ImageId};
use annon_store::room::{Body, Ending, Face, MemberId, Millis, RoomCard, RoomEvent, SeatNumber, Seq};
use tokio::sync::oneshot;
use uuid::Uuid;

use crate::bucket::Bucket;
use crate::clock::within;
use crate::room::book::Recalled;
use crate::room::command::{Command, Rejection};
use crate::room::frame::{self, LineFrame};
use crate::room::machine::{Keeps, Room, Terms};
use crate::rooms::standing::Noted;
use crate::rooms::{RoomError, STUCK, Shared};
use crate::session::{Goodbye, Text};

mod active;
mod asked;
mod away;
mod erasure;
mod pictures;
mod recall;
mod socket;
mod sockets;
mod turns;

pub use asked::View;
pub(crate) use asked::{
    AskSeat, ComeIn, Do, GiveUp, Issue, LookAtPictures, MakeRoom, MayUpload, Rest, ShutDown, ViewAsked,
};
pub(crate) use pictures::PICTURE_WAITS;
pub(crate) use socket::Socket;
pub(crate) use sockets::{Enter, Exit, Heard, Said};

/// Frames and questions that may wait for one room.
const MAILBOX: usize = 256;
/// How long a room that nobody is in keeps its actor.
const LINGERS: Duration = Duration::from_secs(60);
/// How often it looks whether anybody is left, and for pictures nobody sent.
const LOOKS_EVERY: Duration = Duration::from_secs(20);

/// What became of something: an event that is on disk now, or nothing but its
/// turn, for a question.
type Outcome = Result<Option<RoomEvent>, RoomError>;
type Done = Box<dyn FnOnce(&mut RoomActor, &mut Context<RoomActor>, Outcome)>;

/// One room.
pub(crate) struct RoomActor {
    shared: Arc<Shared>,
    card: RoomCard,
    /// Where others find it.
    address: Option<WeakAddr<Self>>,
    room: Room,
    /// The last event that is on disk.
    committed: Seq,
    waiting: Vec<turns::Waiting>,
    appending: Option<Vec<turns::Waiting>>,
    sockets: HashMap<Uuid, Socket>,
    /// Frames for everybody who listens, until the next flush.
    shown: Vec<Text>,
    /// Whether anything waits for the next flush.
    is_due: bool,
    active: active::Active,
    standing: Arc<Noted>,
    seen: away::Seen,
    counted: recall::Counted,
    entries: u64,
    sends: HashMap<SeatNumber, Bucket>,
    typed: HashMap<SeatNumber, Instant>,
    issued: HashMap<ImageId, pictures::Issued>,
    forgotten: Seq,
    /// How often the log is being asked to lose words.
    redacting: usize,
    timer: Option<(Millis, SpawnHandle)>,
    /// What is due without anybody asking waits until then.
    not_before: Millis,
    used_at: Instant,
    ending: Option<Ending>,
}

impl RoomActor {
    /// The actor of a room that nobody was in since a moment, as far as is known.
    pub(crate) fn new(shared: Arc<Shared>, card: RoomCard, nobody_since: Instant) -> Self {
        let (room, standing) = (Room::new(terms(&shared, &card)), shared.standings.begin(card.id));
        let used_at = shared.clock.moment();
        Self {
            shared,
            card,
            address: None,
            room,
            committed: Seq(0),
            waiting: Vec::new(),
            appending: None,
            sockets: HashMap::new(),
            shown: Vec::new(),
            is_due: false,
            active: active::Active::new(used_at),
            standing,
            seen: away::Seen::new(nobody_since),
            counted: recall::Counted::default(),
            entries: 0,
            sends: HashMap::new(),
            typed: HashMap::new(),
            issued: HashMap::new(),
            forgotten: Seq(0),
            redacting: 0,
            timer: None,
            not_before: Millis(0),
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
            let reading = async {
                let pictures = shared.images.list(Album::Room(id.0)).await?;
                // While it is held nothing more is waited for.
                let _turn = shared.reading.acquire().await;
                let log = shared.log.read(id, Seq(0)).await?;
                Ok::<_, StoreError>((log, pictures))
            };
            within(&shared.clock, STUCK, reading).await.ok_or(RoomError::Busy)?.map_err(RoomError::from)
        };
        context.wait(wrap_future(loading).map(|loaded, this: &mut Self, context| match loaded {
            Ok((log, pictures)) => {
                let terms = terms(&this.shared, &this.card);
                this.room = Room::replay(terms, log.iter().map(|(seq, event)| (*seq, event)));
                let committed = std::mem::replace(&mut this.committed, this.room.seq());
                if committed != this.committed && !this.sockets.is_empty() {
                    // Something has happened that those here were not told.
                    return this.give_up(context);
                }
                this.note_standing();
                this.issued_before(pictures, &log);
                this.redact_leftovers(&log, context);
                this.set_timer(context);
                // The list shown last may rest on an event that the log doesn't have.
                this.show_active(context);
                this.flush(context);
                this.count_again(context);
            }
            Err(error) => {
                // It may have ended since its card was read.
                if error != RoomError::Store(StoreError::NotFound) {
                    tracing::error!(%error, "a room's log can't be read");
                }
                this.give_up(context);
            }
        }));
    }

    /// Notes how the room stands, unless it is ahead of the disk: then it is noted in a moment.
    fn note_standing(&self) {
        if self.committed == self.room.seq() {
            self.standing.is(&self.room);
        }
    }

    /// The room ends, and nothing of it stays.
    fn end(&mut self, why: Ending, done: Done, context: &mut Context<Self>) {
        if let Some(already) = self.ending.replace(why) {
            return done(self, context, Err(Rejection::Ended(already).into()));
        }
        if why == Ending::Expired {
            // Time is up whatever the disk says.
            self.close_all(Goodbye::Expired);
        }
        let (shared, id) = (self.shared.clone(), self.card.id);
        let remove = async move {
            let removing = async {
                shared.directory.remove(id).await?;
                shared.images.remove_album(Album::Room(id.0)).await
            };
            within(&shared.clock, STUCK, removing).await.ok_or(RoomError::Busy)?.map_err(RoomError::from)
        };
        context.wait(wrap_future(remove).map(move |removed, this: &mut Self, context| {
            match removed {
                Ok(()) => {
                    this.shared.standings.forget(id);
                    this.close_all(Goodbye::Deleted);
                }
                Err(error) => tracing::error!(%error, "an ended room could not be removed; the sweeper tries again"),
            }
            let closed = RoomEvent::Closed { why, at: this.now() };
            done(this, context, removed.map(|()| Some(closed)));
            this.refuse_all(Vec::new(), Rejection::Ended(why).into(), context);
            this.give_up(context);
        }));
    }

    /// Ends this actor; the room lives on in its log. Members who are connected
    /// or connecting connect again.
    fn give_up(&mut self, context: &mut Context<Self>) {
        self.shared.forget(self.card.id, &context.address());
        self.shared.budget.left(self.card.id, &context.address());
        self.sockets.clear();
        context.stop();
    }

    /// Wakes when something is due without anybody asking.
    fn set_timer(&mut self, context: &mut Context<Self>) {
        let deadline = self.room.deadline().map(|deadline| deadline.max(self.not_before));
        if self.timer.as_ref().map(|(at, _)| *at) == deadline {
            return;
        }
        if let Some((_, timer)) = self.timer.take() {
            context.cancel_future(timer);
        }
        let Some(deadline) = deadline else { return };
        let wait = Duration::from_millis(deadline.0.saturating_sub(self.now().0));
        let sleep =
            wrap_future(self.shared.clock.sleep(wait)).map(|(), this: &mut Self, context: &mut Context<Self>| {
                this.timer = None;
                this.wake(context);
            });
        self.timer = Some((deadline, context.spawn(sleep)));
    }

    /// Does what is due.
    fn wake(&mut self, context: &mut Context<Self>) {
        let done: Done = Box::new(|this, context, outcome| {
            if outcome.is_err() {
                this.set_timer(context);
            }
        });
        self.ask(Command::Wake, done, context);
    }

    /// Whether its time is up, whatever the timer says: that measures time,
    /// and the time of day may have been set.
    fn is_over(&self) -> bool {
        self.now() >= terms(&self.shared, &self.card).expires_at
    }

    fn look_around_later(&mut self, context: &mut Context<Self>) {
        let sleep = wrap_future(self.shared.clock.sleep(LOOKS_EVERY));
        context.spawn(sleep.map(|(), this: &mut Self, context| {
            this.look_around(context);
            this.look_around_later(context);
        }));
    }

    fn look_around(&mut self, context: &mut Context<Self>) {
        if self.appending.is_none() {
            self.drop_pictures();
        }
        self.part_with_the_gone(context);
        self.look_who_is_here();
        if self.ending.is_none() && !self.is_overrun() && self.free_seats_of_the_away(None) {
            self.append(context);
        }
        if self.room.deadline().is_some_and(|deadline| deadline.max(self.not_before) <= self.now()) {
            return self.wake(context);
        }
        let idle = self.shared.clock.moment().duration_since(self.used_at) >= LINGERS;
        let is_done = idle && self.is_quiet() && !self.has_pictures_to_send();
        // It did not answer once, and another has taken its place.
        let is_replaced = !self.shared.knows(self.card.id, &context.address());
        if is_done || is_replaced {
            return self.give_up(context);
        }
        self.count_again(context);
    }

    /// Whether nobody is here, and nothing is under way.
    fn is_quiet(&self) -> bool {
        self.sockets.is_empty()
            && self.waiting.is_empty()
            && self.appending.is_none()
            && self.ending.is_none()
            && self.redacting == 0
    }

    /// Somebody wants something.
    fn touch(&mut self) {
        self.used_at = self.shared.clock.moment();
        if self.sockets.is_empty() {
            self.shared.budget.touch(self.card.id, self.used_at);
        }
    }
}

pub(crate) fn terms(shared: &Shared, card: &RoomCard) -> Terms {
    let lines = shared.settings.keeps;
    let keeps = Keeps { lines, bytes: (lines * ROOM_LINE_BYTES).max(ROOM_BYTES_MIN) };
    Terms { expires_at: Millis(card.expires * 1000), keeps }
}

impl Actor for RoomActor {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        context.set_mailbox_capacity(MAILBOX);
        self.address = Some(context.address().downgrade());
        self.load(context);
        self.look_around_later(context);
    }
}

impl Drop for RoomActor {
    /// Also runs after a panic: dropping the sockets closes them, the members
    /// connect again, and the room is rebuilt from its log.
    fn drop(&mut self) {
        self.standing.has_active(0);
        if let Some(address) = self.address.as_ref().and_then(WeakAddr::upgrade) {
            self.shared.forget_dropped(self.card.id, &address);
        }
    }
}
