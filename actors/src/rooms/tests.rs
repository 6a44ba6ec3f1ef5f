//! Rooms whole, without a network, a disk or a real clock: the handle, the
//! actors, and sessions that say and hear what sockets would.

mod fake_store;
mod guest;

mod away;
mod budget;
mod durability;
mod lifetime;
mod old_words;
mod pictures;
mod presence;
mod recovery;
mod simulation;
mod standing;

use std::sync::Arc;
use std::time::Duration;

use annon_store::account::{AccountId, Username};
use annon_store::room::{MemberId, RoomCard, RoomEvent, RoomId, RoomName, Seq};
use uuid::Uuid;

use super::{GiveUp, RoomError, Rooms, Settings};
use crate::clock::stopped::{TestClock, settle};
use crate::room::actor::MakeRoom;
use fake_store::FakeStore;
use guest::Guest;

/// A server's worth of rooms that can be crashed and started again.
struct House {
    clock: Arc<TestClock>,
    store: FakeStore,
    rooms: Rooms,
    /// What rooms may hold of it, and lines that stay in it.
    memory: usize,
    stays: usize,
}

const LIFETIME: u64 = 24 * 60 * 60;

fn room(n: u128) -> RoomId {
    RoomId(Uuid::from_u128(n))
}

fn member(n: u8) -> MemberId {
    MemberId([n; 16])
}

/// Fifteen letters and digits.
fn id(n: usize) -> String {
    format!("message{n:08}")
}

impl House {
    fn new() -> Self {
        let clock = TestClock::new();
        let store = FakeStore::new(&clock);
        for n in 1..=3 {
            store.add(RoomCard {
                id: room(n),
                name: RoomName::try_from("midnight tacos").unwrap(),
                owner: AccountId(Uuid::from_u128(9)),
                creator: Username::try_from("some-body".to_owned()).unwrap(),
                created: clock.seconds(),
                expires: clock.seconds() + LIFETIME,
            });
        }
        let (memory, stays) = (usize::MAX, 200);
        let rooms = Self::rooms(&clock, &store, memory, stays);
        Self { clock, store, rooms, memory, stays }
    }

    /// A server that has little memory.
    fn of_memory(memory: usize, stays: usize) -> Self {
        let mut house = Self::new();
        (house.memory, house.stays) = (memory, stays);
        house.rooms = house.start();
        house
    }

    /// Rooms as a server has them that has just begun.
    fn start(&self) -> Rooms {
        Self::rooms(&self.clock, &self.store, self.memory, self.stays)
    }

    fn rooms(clock: &Arc<TestClock>, store: &FakeStore, memory: usize, stays: usize) -> Rooms {
        let settings = Settings { keeps: 1000, sends: None, memory, stays };
        let shared = Arc::new(store.clone());
        Rooms::new(shared.clone(), shared, store.images(), clock.clone(), settings)
    }

    /// The server ends, and another begins on the same store.
    async fn restart(&mut self) {
        let actors: Vec<_> = self.rooms.0.open.lock().values().cloned().collect();
        actors.iter().for_each(|open| open.actor.do_send(GiveUp));
        settle().await;
        self.rooms = self.start();
    }

    async fn pass(&self, time: Duration) {
        self.clock.pass(time).await;
    }

    /// Somebody with a seat and an open socket that listens.
    async fn guest(&self, n: u8) -> Guest {
        self.guest_of(1, n).await
    }

    async fn guest_of(&self, of: u128, n: u8) -> Guest {
        self.rooms.claim(room(of), member(n), u64::from(n) * 7919).await.unwrap();
        let guest = Guest::open(&self.rooms, room(of), member(n)).await.unwrap();
        guest.say("event.connect", &[]);
        settle().await;
        guest.forget();
        guest
    }

    /// Every room lets go of what it can.
    async fn make_room(&self) {
        let actors: Vec<_> = self.rooms.0.open.lock().values().cloned().collect();
        actors.iter().for_each(|open| open.actor.do_send(MakeRoom));
        settle().await;
    }

    /// Guests 1 to `count`, who have heard of each other.
    async fn guests<const N: usize>(&self) -> [Guest; N] {
        let mut guests = Vec::new();
        for n in 1..=N {
            guests.push(self.guest(u8::try_from(n).unwrap()).await);
        }
        settle().await;
        guests.iter().for_each(Guest::forget);
        guests.try_into().unwrap_or_else(|_| panic!("so many"))
    }

    fn log(&self) -> Vec<(Seq, RoomEvent)> {
        self.store.log(room(1))
    }

    /// The words that are in the log, in order.
    fn words(&self) -> Vec<String> {
        self.log().iter().filter_map(|(_, event)| fake_store::words(event)).collect()
    }
}

/// Runs a test on a thread's own runtime.
fn on_one_thread(test: impl Future<Output = ()>) {
    actix::System::new().block_on(test);
}
