//! Tests of whole rooms without a network, a disk or a real clock: the handle, the actors, and
//! sessions that send and receive like sockets.

mod guest;

mod away;
mod budget;
mod durability;
mod houses;
mod knocks;
mod lifetime;
mod old_words;
mod owner;
mod pictures;
mod presence;
mod recovery;
mod simulation;
mod standing;

use std::sync::Arc;
use std::time::Duration;

use annon_contract::code::Code;
use annon_store::account::{Account, AccountId, Email, PasswordHash, TargetId, Username};
use annon_store::room::{Body, MemberId, RoomEvent, RoomId, RoomMetadata, RoomName, Seq};
use annon_store::{Engine, Kept};
use annon_store_memory::{AppendFault, MemoryStore};
use futures_util::FutureExt;
use uuid::Uuid;

use super::{RoomError, Rooms, Services, Settings, ToRoom};
use crate::clock::Clock;
use crate::clock::stopped::{TestClock, run_until_idle};
use crate::inbox::Inboxes;
use crate::room::budget::MakeWay;
use crate::room::command::Command;
use crate::session::CloseReason;
use guest::{Guest, words};

/// A server's rooms with their store, which a test can crash and start again.
struct RoomSetup {
    clock: Arc<TestClock>,
    store: MemoryStore,
    rooms: Rooms,
    inboxes: Inboxes,
    settings: Settings,
}

const LIFETIME: u64 = 24 * 60 * 60;
const MINUTE: Duration = Duration::from_secs(60);
const FULL: RoomError = RoomError::Rejected(Code::GroupFull);

pub(crate) fn room(n: u128) -> RoomId {
    RoomId(Uuid::from_u128(n))
}

fn member(n: u8) -> MemberId {
    MemberId([n; 16])
}

pub(crate) fn id(n: usize) -> String {
    format!("message{n:08}")
}

pub(crate) fn account(id: AccountId, name: &str) -> Account {
    Account {
        id,
        target: TargetId(id.0),
        username: Username::try_from(name.to_owned()).unwrap(),
        email: Email::try_from(format!("{name}@example.org")).unwrap(),
        password: PasswordHash("hash".into()),
        created: 1,
        confirmed: true,
    }
}

/// A store that has three rooms.
pub(crate) fn store_with_rooms(clock: &Arc<TestClock>) -> MemoryStore {
    let (now, ticks) = (clock.timestamp(), clock.clone());
    let store = MemoryStore::with_clock(move || ticks.timestamp());
    let (owner, creator) = (AccountId(Uuid::from_u128(9)), Username::try_from("some-body".to_owned()).unwrap());
    store.accounts().create(account(owner, "some-body")).now_or_never().unwrap().unwrap();
    let name = RoomName::try_from("midnight tacos").unwrap();
    let metadata =
        RoomMetadata { id: room(1), name, owner, creator, created: now, expires: now + LIFETIME, sealed: None };
    for n in 1..=3 {
        store.rooms().create(RoomMetadata { id: room(n), ..metadata.clone() }, now).now_or_never().unwrap().unwrap();
    }
    store
}

/// A store that has three rooms, and what these share.
pub(crate) fn store_and_services() -> (MemoryStore, Arc<Services>) {
    let RoomSetup { store, rooms, .. } = RoomSetup::of_memory(usize::MAX, 1);
    (store, rooms.services)
}

impl RoomSetup {
    fn new() -> Self {
        Self::of_memory(usize::MAX, 200)
    }

    /// A server with guests 1 to `N` in the first room, who have seen each other's coming.
    async fn with_guests<const N: usize>() -> (Self, [Guest; N]) {
        let setup = Self::new();
        let guests = setup.guests().await;
        (setup, guests)
    }

    /// A server with `memory` bytes for rooms; the text of `stays` lines stays in memory.
    fn of_memory(memory: usize, stays: usize) -> Self {
        let clock = TestClock::new();
        let store = store_with_rooms(&clock);
        let settings = Settings { keeps: 1000, sends: None, memory, stays };
        let inboxes = Inboxes::default();
        let rooms = Self::rooms(&clock, &store, &inboxes, settings);
        Self { clock, store, rooms, inboxes, settings }
    }

    /// The rooms of a server that has just started.
    fn start(&self) -> Rooms {
        Self::rooms(&self.clock, &self.store, &self.inboxes, self.settings)
    }

    fn rooms(clock: &Arc<TestClock>, store: &MemoryStore, inboxes: &Inboxes, settings: Settings) -> Rooms {
        Rooms::new(store, inboxes.clone(), clock.clone(), settings)
    }

    /// The server stops, and another starts on the same store.
    async fn restart(&mut self) {
        self.rooms.registry.lock().all().for_each(|actor| actor.do_send(ToRoom::GiveUp));
        run_until_idle().await;
        self.rooms = self.start();
    }

    async fn pass(&self, time: Duration) {
        self.clock.pass(time).await;
    }

    /// Asks something now. The returned task waits for the answer.
    async fn asks<T: 'static, F: Future<Output = T> + 'static>(
        &self,
        ask: impl FnOnce(Rooms) -> F,
    ) -> tokio::task::JoinHandle<T> {
        let asked = actix::spawn(ask(self.rooms.clone()));
        run_until_idle().await;
        asked
    }

    /// Lets the waiting appends continue. The first one ends with `first`.
    async fn release(&self, first: AppendFault) {
        self.store.release_appends(first);
        run_until_idle().await;
    }

    /// Runs a command of the creator, or of anybody, in the first room.
    async fn command(&self, command: Command) -> Result<(), RoomError> {
        let done = self.rooms.command(room(1), command).await;
        run_until_idle().await;
        done
    }

    /// A guest with a seat, and an open socket that listens.
    async fn guest_of(&self, of: u128, n: u8) -> Guest {
        self.rooms.claim(room(of), member(n), u64::from(n) * 7919, false).await.unwrap();
        let guest = Guest::open(&self.rooms, room(of), member(n)).await.unwrap();
        guest.send_and_wait("event.connect", &[]).await;
        guest.forget();
        guest
    }

    /// Guests 1 to `N`, who have seen each other's coming.
    async fn guests<const N: usize>(&self) -> [Guest; N] {
        let mut guests = Vec::new();
        for n in 1..=N {
            guests.push(self.guest_of(1, u8::try_from(n).unwrap()).await);
        }
        run_until_idle().await;
        guests.iter().for_each(Guest::forget);
        guests.try_into().unwrap_or_else(|_| panic!("so many"))
    }

    /// A new socket of a guest who has a seat in the first room.
    async fn guest_again(&self, n: u8) -> Guest {
        let guest = Guest::open(&self.rooms, room(1), member(n)).await.unwrap();
        run_until_idle().await;
        guest
    }

    /// Makes every room drop what it can from memory.
    async fn make_way(&self) {
        self.ask_to_make_way();
        run_until_idle().await;
    }

    fn ask_to_make_way(&self) {
        self.rooms.registry.lock().all().for_each(|actor| actor.do_send(MakeWay));
    }

    fn log(&self) -> Vec<(Seq, RoomEvent)> {
        self.store.room_log().read(room(1), Seq(0)).now_or_never().unwrap().unwrap()
    }

    /// The `seq` of the last event in the log.
    fn end(&self) -> u64 {
        self.log().last().unwrap().0.0
    }

    /// The texts of messages that are in the log, in order.
    fn words(&self) -> Vec<String> {
        let words = |(_, event)| match event {
            RoomEvent::Posted { body: Body::Text(words), .. } => Some(words.as_str().to_owned()),
            _ => None,
        };
        self.log().into_iter().filter_map(words).collect()
    }

    fn has_room(&self) -> bool {
        self.store.rooms().by_id(room(1)).now_or_never().unwrap().unwrap().is_some()
    }
}
