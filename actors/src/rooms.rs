//! The handle that finds or starts the actor of a room. Callers never hold an
//! actor's address.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use actix::{Addr, MailboxError};
use annon_contract::code::Code;
use annon_store::image::ImageId;
use annon_store::room::{Emoji, KnockId, MemberId, RoomId, RoomMetadata, Seq};
use annon_store::{Engine, StoreError};
use futures_util::future::{join, join_all};
use parking_lot::Mutex;
use tokio::sync::{Semaphore, oneshot};

use crate::clock::{SharedClock, within};
use crate::inbox::Inboxes;
use crate::room::budget::Budget;
use crate::room::command::Command;
use crate::room::error::RoomError;
use crate::room::frame::knocks::Knocks;
use crate::room::machine::Room;
use crate::room::page::Asked;
use crate::room::services::{READS_AT_ONCE, Services};
use crate::room::shell::Shell;
use crate::room::shell::actor::ToRoom;
use crate::room::shell::knocks::{KnockSeen, WhichKnock};
use crate::room::shell::presence::others::who_is_elsewhere;
use crate::room::shell::requests::{Reply, Request};
use crate::room::{Member, Settings, Standing, View};
use crate::session::{Farewell, RoomThread};

mod registry;

use registry::{Open, Registry};

/// How often a call tries to reach a room that is just ending or starting.
const TRIES: usize = 4;

#[derive(Clone)]
pub struct Rooms {
    services: Arc<Services>,
    registry: Arc<Mutex<Registry>>,
}

impl Rooms {
    /// The rooms of a server that has just begun: none has an actor.
    pub fn new(store: &dyn Engine, inboxes: Inboxes, clock: SharedClock, settings: Settings) -> Self {
        let registry = Arc::new(Mutex::new(Registry::new(clock.moment())));
        let (budget, reading) = (Budget::new(settings.memory), Semaphore::new(READS_AT_ONCE));
        let (directory, log, images) = (store.rooms(), store.room_log(), store.images());
        let (record, wire) = (store.record(), store.wire());
        let (catch_ups, differences) = Default::default();
        let services = Services {
            directory,
            log,
            images,
            record,
            wire,
            inboxes,
            clock,
            settings,
            budget,
            reading,
            catch_ups,
            differences,
        };
        Self { services: Arc::new(services), registry }
    }

    /// A room's metadata, while the room lives. No actor is started for it.
    pub async fn metadata(&self, room: RoomId) -> Result<RoomMetadata, RoomError> {
        let record = &self.services.record;
        let server = record.server();
        let Some(metadata) = self.services.directory.by_id(room).await? else {
            record.confirm(server).await?;
            return Err(RoomError::Gone);
        };
        if metadata.expires > self.services.clock.timestamp() { Ok(metadata) } else { Err(RoomError::Gone) }
    }

    /// Gives a member a seat, unless they have one. Returns its emoji.
    pub async fn claim(&self, room: RoomId, member: MemberId, dice: u64, is_creator: bool) -> Result<Emoji, RoomError> {
        self.command(room, Command::Claim { member, dice, is_creator }).await?;
        self.seat(room, member).await
    }

    pub async fn seat(&self, room: RoomId, member: MemberId) -> Result<Emoji, RoomError> {
        self.ask(room, |reply| Request::Seat(member, reply)).await
    }

    /// Gives a member a seat, unless they have one. Returns its emoji, and what
    /// the member sees.
    pub async fn come_in(
        &self,
        room: RoomId,
        member: MemberId,
        dice: u64,
        is_creator: bool,
        (before, limit): (Option<Seq>, usize),
    ) -> Result<(Emoji, View), RoomError> {
        let (claim, asked) = (Command::Claim { member, dice, is_creator }, Asked { member, before, limit });
        let view = self.ask(room, |reply| Request::ComeIn(claim.clone(), asked, reply)).await?;
        Ok((view.own.ok_or(Code::NotAMember)?, view))
    }

    /// Knocks for a visitor, unless they wait already, and tells how their knock stands. The
    /// creator has to answer.
    pub async fn knock(
        &self,
        room: RoomId,
        member: MemberId,
        knock: KnockId,
        dice: u64,
    ) -> Result<KnockSeen, RoomError> {
        self.command(room, Command::Knock { member, knock, dice }).await?;
        self.ask(room, |reply| Request::Knock(WhichKnock::Of(member), reply)).await
    }

    /// How a knock stands: `newly`, also if others have written that meanwhile, or as it is
    /// known here.
    pub async fn knock_seen(&self, room: RoomId, knock: KnockId, newly: bool) -> Result<KnockSeen, RoomError> {
        let which = if newly { WhichKnock::Newly(knock) } else { WhichKnock::Known(knock) };
        self.ask(room, |reply| Request::Knock(which, reply)).await
    }

    /// Everybody who waits to be let into a room.
    pub async fn knocks(&self, room: RoomId) -> Result<Knocks, RoomError> {
        self.ask(room, Request::Knocks).await
    }

    /// What somebody sees who opens the room. Without a seat that is its metadata,
    /// for which no actor is started.
    pub async fn view(
        &self,
        room: RoomId,
        member: Option<MemberId>,
        before: Option<Seq>,
        limit: usize,
    ) -> Result<View, RoomError> {
        let Some(member) = member else { return self.metadata(room).await.map(View::from_outside) };
        self.ask(room, |reply| Request::Look(Asked { member, before, limit }, reply)).await
    }

    /// The role of a socket, for a member who has a seat.
    pub async fn socket(&self, room: RoomId, member: MemberId) -> Result<Member, RoomError> {
        self.seat(room, member).await?;
        let Open { actor, thread, is_sealed } = self.find_or_start(room).await?;
        Ok(Member::new((room, is_sealed), member, actor, thread, self.services.settings.sends))
    }

    /// How many seats of a room are taken.
    pub async fn seats_taken(&self, metadata: &RoomMetadata) -> Result<usize, StoreError> {
        let known = self.registry.lock().standing(metadata.id, self.services.wire.is_some());
        match known {
            Some(known) => Ok(known.seats),
            None => {
                let (standing, _) = self.read(metadata).await?;
                Ok(self.note(metadata, standing).seats)
            }
        }
    }

    /// How rooms stand, in their order. No actor is started for them or asked: actors note it when
    /// it changes. If a room had no actor since the server began, its log is read, once. With other
    /// nodes, what is noted is true while the room has an actor; otherwise the log is read, and they
    /// are asked, for all rooms together.
    pub async fn standings(&self, rooms: &[RoomMetadata]) -> Vec<Result<Standing, StoreError>> {
        let wire = self.services.wire.as_deref();
        let known: Vec<_> = {
            let registry = self.registry.lock();
            rooms.iter().map(|metadata| registry.standing(metadata.id, wire.is_some())).collect()
        };
        let unknown = rooms.iter().zip(&known).filter(|(_, known)| known.is_none()).map(|(metadata, _)| metadata);
        let read = join_all(unknown.clone().map(|metadata| self.read(metadata)));
        let elsewhere = async {
            match wire {
                Some(wire) => who_is_elsewhere(wire, unknown.map(|room| room.id).collect(), &self.services.clock).await,
                None => HashMap::new(),
            }
        };
        let (read, elsewhere) = join(read, elsewhere).await;
        let mut read = read.into_iter();
        let mut standings = Vec::with_capacity(rooms.len());
        for (metadata, known) in rooms.iter().zip(known) {
            standings.push(match known {
                Some(known) => Ok(known),
                None => read.next().unwrap_or(Err(StoreError::NotFound)).map(|(standing, seated)| {
                    let here = elsewhere.get(&metadata.id);
                    let is_here = |member: &&MemberId| here.is_some_and(|here| here.contains(*member));
                    let active = seated.iter().filter(is_here).count();
                    let noted = self.note(metadata, standing);
                    Standing { active: active.max(noted.active), ..noted }
                }),
            });
        }
        standings
    }

    /// Notes how a room stands, as its log says, and returns what is known now. With other nodes
    /// nothing is noted, since they may change it.
    fn note(&self, metadata: &RoomMetadata, standing: Standing) -> Standing {
        if self.services.wire.is_some() {
            return standing;
        }
        self.registry.lock().note_standing(metadata.id, standing, self.services.clock.moment())
    }

    /// How a room stands, as its log says, and who has a seat.
    async fn read(&self, metadata: &RoomMetadata) -> Result<(Standing, Vec<MemberId>), StoreError> {
        let _permit = self.services.reading.acquire().await;
        let log = self.services.log.read(metadata.id, Seq(0)).await?;
        let room = Room::replay(self.services.terms(metadata), log.iter().map(|(seq, event)| (*seq, event)));
        Ok(((&room).into(), room.seats().iter().map(|seat| seat.member).collect()))
    }

    pub async fn command(&self, room: RoomId, command: Command) -> Result<(), RoomError> {
        self.ask(room, |reply| Request::Decide(command.clone(), reply)).await
    }

    pub async fn may_upload(&self, room: RoomId, member: MemberId, bytes: usize) -> Result<(), RoomError> {
        self.ask(room, |reply| Request::MayUpload(member, bytes, reply)).await
    }

    /// A picture is stored, and messages may refer to it from now on.
    pub async fn add_picture(&self, room: RoomId, image: ImageId, bytes: usize) -> Result<(), RoomError> {
        self.ask(room, |reply| Request::AddPicture(image, bytes, reply)).await
    }

    /// How many rooms have an actor.
    pub fn open(&self) -> usize {
        self.registry.lock().all().count()
    }

    /// How often rooms have read what others have written.
    pub fn catch_ups(&self) -> u64 {
        self.services.catch_ups.load(Ordering::Relaxed)
    }

    /// How often a room was found to differ from another node's.
    pub fn differences(&self) -> u64 {
        self.services.differences.load(Ordering::Relaxed)
    }

    /// The bytes of memory that all rooms hold, as they count it.
    pub fn memory(&self) -> usize {
        self.services.budget.held()
    }

    /// Each ends the sockets of one room, because the server ends.
    pub fn farewells(&self) -> Vec<Farewell> {
        let farewell = |actor: Addr<Shell>| {
            // A room whose mailbox is full is cut off with the process.
            let say = move || drop(actor.try_send(ToRoom::ShutDown));
            Box::new(say) as Farewell
        };
        self.registry.lock().all().cloned().map(farewell).collect()
    }

    async fn ask<T>(&self, room: RoomId, request: impl Fn(Reply<T>) -> Request) -> Result<T, RoomError> {
        for _ in 0..TRIES {
            let Open { actor, .. } = self.find_or_start(room).await?;
            let (reply, answer) = oneshot::channel();
            let asking = async {
                actor.send(ToRoom::Ask(request(reply))).await?;
                Ok(answer.await.unwrap_or(Err(RoomError::Interrupted)))
            };
            match within(&self.services.clock, self.services.log.patience(), asking).await {
                Some(Ok(answer)) => return answer,
                // The actor ended, by itself or by a panic, before it answered.
                Some(Err(MailboxError::Closed | MailboxError::Timeout)) => self.give_up(room, &actor),
                None => {
                    tracing::error!("a room did not answer; it is rebuilt from its log");
                    self.give_up(room, &actor);
                    return Err(RoomError::Stuck);
                }
            }
        }
        Err(RoomError::Interrupted)
    }

    /// Forgets an actor that doesn't answer: another one takes its place. If
    /// the message doesn't reach the old actor, it finds out by itself.
    fn give_up(&self, room: RoomId, actor: &Addr<Shell>) {
        self.registry.lock().give_up(room, actor, self.services.clock.moment());
        let _ = actor.try_send(ToRoom::GiveUp);
    }

    async fn find_or_start(&self, room: RoomId) -> Result<Open, RoomError> {
        if let Some(found) = self.registry.lock().find(room) {
            return Ok(found);
        }
        let metadata = self.metadata(room).await?;
        // Another call may have started it while the metadata was read.
        Ok(self.registry.lock().find_or_start(room, self.services.clock.moment(), |status, nobody_since| {
            let is_sealed = metadata.sealed.is_some();
            let actor = Shell::launch(self.services.clone(), metadata, status, nobody_since);
            Open { actor, thread: RoomThread::here(), is_sealed }
        }))
    }
}

#[cfg(test)]
pub(crate) mod tests;
