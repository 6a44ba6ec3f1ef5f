//! The handle that finds or starts the actor of a room. Callers never hold an
//! actor's address.

use std::collections::HashMap;
use std::fmt::{self, Display, Formatter};
use std::sync::Arc;
use std::time::Duration;

use actix::dev::ToEnvelope;
use actix::{Actor, Addr, Handler, MailboxError, Message};
use annon_contract::code::Code;
use annon_store::StoreError;
use annon_store::image::{ImageId, Images};
use annon_store::room::{Face, MemberId, RoomCard, RoomDirectory, RoomEvent, RoomId, Seq};
use annon_store::room_log::RoomLog;
use parking_lot::Mutex;
use tokio::sync::Semaphore;

use crate::bucket::Rate;
use crate::clock::{SharedClock, within};
use crate::room::actor::{AskSeat, ComeIn, Do, GiveUp, Issue, MayUpload, RoomActor, View, ViewAsked, terms};
use crate::room::command::{Command, Rejection};
use crate::room::machine::Room;
use crate::session::Home;

mod absence;
mod budget;
pub(crate) mod standing;
mod unsent;

use absence::Absence;
use budget::Budget;
pub use standing::Standing;
use standing::Standings;

/// Tries to reach a room that is just ending or starting.
const TRIES: usize = 4;
/// A room that hasn't answered by then is stuck: it is given up and rebuilt
/// from its log.
pub(crate) const STUCK: Duration = Duration::from_secs(10);

/// Logs that may be read at once. The limit gives rooms that have to leave
/// memory the time to do so before many others come.
const READS_AT_ONCE: usize = 4;

/// Why a room did not do what it was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoomError {
    /// There is no such room, or no longer.
    Gone,
    /// The room said no.
    Rejected(Rejection),
    /// The room has too many pictures.
    TooManyPictures,
    /// The room is overloaded, or just being rebuilt.
    Busy,
    /// The store failed.
    Store(StoreError),
}

impl From<Rejection> for RoomError {
    fn from(rejection: Rejection) -> Self {
        Self::Rejected(rejection)
    }
}

impl From<StoreError> for RoomError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<RoomError> for Code {
    fn from(error: RoomError) -> Self {
        match error {
            RoomError::Gone => Self::GroupExpired,
            RoomError::Rejected(rejection) => rejection.into(),
            RoomError::TooManyPictures => Self::GroupHoldsNoMorePictures,
            RoomError::Busy => Self::GroupBusy,
            RoomError::Store(error) => error.into(),
        }
    }
}

impl Display for RoomError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Code::from(*self).fmt(f)
    }
}

/// How rooms are run.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// Lines a room keeps.
    pub keeps: usize,
    /// How fast one seat may send; `None` is no limit.
    pub sends: Option<Rate>,
    /// Bytes of memory that rooms may hold. Past that, those nobody is in make
    /// way, and then the largest leave old words to the log.
    pub memory: usize,
    /// Newest lines whose words a room has in memory whatever happens.
    pub stays: usize,
}

/// What all rooms share.
pub(crate) struct Shared {
    pub(crate) directory: Arc<dyn RoomDirectory>,
    pub(crate) log: Arc<dyn RoomLog>,
    pub(crate) images: Arc<dyn Images>,
    pub(crate) clock: SharedClock,
    pub(crate) settings: Settings,
    /// What rooms hold in memory.
    pub(crate) budget: Budget,
    /// Since when rooms have no actor.
    absence: Absence,
    /// How rooms stand, also those that have no actor any more.
    pub(crate) standings: Standings,
    /// Logs that may be read at once: each is held twice for a moment.
    pub(crate) reading: Semaphore,
    open: Mutex<HashMap<RoomId, Open>>,
}

/// A room that has an actor.
#[derive(Clone)]
pub(crate) struct Open {
    pub(crate) actor: Addr<RoomActor>,
    /// Where it runs. Its members' sockets are best kept there, too: what it
    /// tells them needs no other thread then.
    pub(crate) home: Option<Home>,
}

impl Shared {
    /// Forgets a room's actor, unless another has taken its place.
    pub(crate) fn forget(&self, room: RoomId, actor: &Addr<RoomActor>) {
        let mut open = self.open.lock();
        if is(open.get(&room), actor) {
            self.absence.begins(room, self.clock.moment());
            open.remove(&room);
        }
    }

    /// Has a stuck actor replaced. If the message doesn't reach it, it finds
    /// out by itself.
    fn replace(&self, room: RoomId, actor: &Addr<RoomActor>) {
        self.forget(room, actor);
        let _ = actor.try_send(GiveUp);
    }

    /// Forgets an actor that is being dropped. That may happen anywhere, so
    /// it never waits; one that is left is replaced when somebody comes.
    pub(crate) fn forget_dropped(&self, room: RoomId, actor: &Addr<RoomActor>) {
        self.budget.try_left(room, actor);
        if let Some(mut open) = self.open.try_lock()
            && is(open.get(&room), actor)
            && self.absence.try_begin(room, self.clock.moment())
        {
            open.remove(&room);
        }
    }

    /// Whether this is the room's actor.
    pub(crate) fn knows(&self, room: RoomId, actor: &Addr<RoomActor>) -> bool {
        is(self.open.lock().get(&room), actor)
    }
}

fn is(open: Option<&Open>, actor: &Addr<RoomActor>) -> bool {
    open.is_some_and(|open| open.actor == *actor)
}

/// The handle.
#[derive(Clone)]
pub struct Rooms(pub(crate) Arc<Shared>);

impl Rooms {
    /// No room open yet.
    pub fn new(
        directory: Arc<dyn RoomDirectory>,
        log: Arc<dyn RoomLog>,
        images: Arc<dyn Images>,
        clock: SharedClock,
        settings: Settings,
    ) -> Self {
        let (budget, reading) = (Budget::new(settings.memory), Semaphore::new(READS_AT_ONCE));
        let (absence, standings) = (Absence::new(clock.moment()), Standings::default());
        let open = Mutex::default();
        Self(Arc::new(Shared { directory, log, images, clock, settings, budget, absence, standings, reading, open }))
    }

    /// A room's card, while it lives. Nobody's actor is started for it.
    pub async fn card(&self, room: RoomId) -> Result<RoomCard, RoomError> {
        let card = self.0.directory.by_id(room).await?.ok_or(RoomError::Gone)?;
        if card.expires > self.0.clock.timestamp() { Ok(card) } else { Err(RoomError::Gone) }
    }

    /// A seat for a member, or the one they have.
    pub async fn claim(&self, room: RoomId, member: MemberId, dice: u64) -> Result<Face, RoomError> {
        match self.ask(room, Do(Command::Claim { member, dice })).await {
            Ok(RoomEvent::Claimed { face, .. }) => Ok(face),
            Err(RoomError::Rejected(Rejection::Seated(_))) => self.seat(room, member).await,
            Ok(_) => Err(RoomError::Busy),
            Err(error) => Err(error),
        }
    }

    /// The face of a member who has a seat.
    pub async fn seat(&self, room: RoomId, member: MemberId) -> Result<Face, RoomError> {
        self.ask(room, AskSeat(member)).await
    }

    /// A seat for a member, or the one they have, and what they see from it.
    pub async fn come_in(
        &self,
        room: RoomId,
        member: MemberId,
        dice: u64,
        before: Option<Seq>,
        limit: usize,
    ) -> Result<(Face, View), RoomError> {
        self.ask(room, ComeIn { dice, view: ViewAsked { member, before, limit } }).await
    }

    /// What somebody sees who opens the room. Without a seat that is its card,
    /// for which nobody's actor is started.
    pub async fn view(
        &self,
        room: RoomId,
        member: Option<MemberId>,
        before: Option<Seq>,
        limit: usize,
    ) -> Result<View, RoomError> {
        let Some(member) = member else { return self.card(room).await.map(View::from_outside) };
        self.ask(room, ViewAsked { member, before, limit }).await
    }

    /// How a room stands. Nobody's actor is started for it, and none is asked: they note it as it changes. The log of
    /// a room that had none since the server began is read, once.
    pub async fn standing(&self, card: &RoomCard) -> Result<Standing, StoreError> {
        if let Some(known) = self.0.standings.of(card.id) {
            return Ok(known);
        }
        let turn = self.0.reading.acquire().await;
        let log = self.0.log.read(card.id, Seq(0)).await?;
        let room = Room::replay(terms(&self.0, card), log.iter().map(|(seq, event)| (*seq, event)));
        drop(turn);
        Ok(self.0.standings.read(card.id, &room))
    }

    /// Does something nobody needs the event of.
    pub async fn command(&self, room: RoomId, command: Command) -> Result<(), RoomError> {
        self.ask(room, Do(command)).await.map(drop)
    }

    /// Whether a member may add a picture of so many bytes.
    pub async fn may_upload(&self, room: RoomId, member: MemberId, bytes: usize) -> Result<(), RoomError> {
        self.ask(room, MayUpload { member, bytes }).await
    }

    /// A picture is stored, and messages may refer to it from now on.
    pub async fn issue(&self, room: RoomId, image: ImageId, bytes: usize) -> Result<(), RoomError> {
        self.ask(room, Issue { image, bytes }).await
    }

    /// How many rooms have an actor.
    pub fn open(&self) -> usize {
        self.0.open.lock().len()
    }

    /// What they hold in memory, in bytes, as it is counted.
    pub fn memory(&self) -> usize {
        self.0.budget.held()
    }

    /// Ends every socket, since the server does.
    pub fn shut_down(&self) {
        for open in self.0.open.lock().values() {
            // One that can't even take this is cut off with the process.
            let _ = open.actor.try_send(crate::room::actor::ShutDown);
        }
    }

    async fn ask<M, T>(&self, room: RoomId, message: M) -> Result<T, RoomError>
    where
        M: Message<Result = Result<T, RoomError>> + Clone + Send + 'static,
        T: Send + 'static,
        RoomActor: Handler<M>,
        <RoomActor as Actor>::Context: ToEnvelope<RoomActor, M>,
    {
        for _ in 0..TRIES {
            let Open { actor, .. } = self.find_or_start(room).await?;
            match within(&self.0.clock, STUCK, actor.send(message.clone())).await {
                Some(Ok(answer)) => return answer,
                // It ended, by itself or by a panic, before it answered.
                Some(Err(MailboxError::Closed | MailboxError::Timeout)) => self.0.forget(room, &actor),
                None => {
                    tracing::error!("a room did not answer; it is rebuilt from its log");
                    self.0.replace(room, &actor);
                    return Err(RoomError::Busy);
                }
            }
        }
        Err(RoomError::Busy)
    }

    pub(crate) async fn find_or_start(&self, room: RoomId) -> Result<Open, RoomError> {
        let find = || self.0.open.lock().get(&room).filter(|open| open.actor.connected()).cloned();
        if let Some(found) = find() {
            return Ok(found);
        }
        let card = self.card(room).await?;
        let mut open = self.0.open.lock();
        // Somebody may have been faster while the card was read.
        if let Some(found) = open.get(&room).filter(|open| open.actor.connected()) {
            return Ok(found.clone());
        }
        // One that is dead and still there was here until a moment ago.
        if open.remove(&room).is_some() {
            self.0.absence.begins(room, self.0.clock.moment());
        }
        let nobody_since = self.0.absence.since(room);
        let actor = RoomActor::new(self.0.clone(), card, nobody_since).start();
        let started = Open { actor, home: Home::here() };
        open.insert(room, started.clone());
        Ok(started)
    }
}

#[cfg(test)]
mod tests;
