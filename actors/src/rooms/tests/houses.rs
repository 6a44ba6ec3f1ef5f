//! Random runs of three servers that share one store. People roam between them, while the wire
//! loses, doubles, delays and reorders what they hear of each other, pairs of them are parted, and
//! servers crash, pause, lose the store and have their clocks set. A seed decides a run, as in
//! `simulation`; `ANNON_HOUSE_SEEDS` is the number of runs.

use std::collections::BTreeMap;

use actix::fut::wrap_future;
use actix::{Addr, AsyncContext, Context, Handler, Message};
use annon_contract::limits::SEAT_LAPSES;
use annon_store::StoreError;
use annon_store::room::{MemberId, SeatNumber};
use serde_json::Value;
use tokio::sync::oneshot;

use super::simulation::{Browser, PEOPLE, Random, ask, at_the_door, enter, finish, kick, seeds};
use super::*;
use crate::room::frame::knocks::Knocks;
use crate::room::machine::Room;
use crate::room::shell::Shell;

mod cases;

const SEEDS: u64 = 150;
const STEPS: usize = 150;
const HOUSES: usize = 3;
/// How far the clocks of two servers are apart while time passes.
const STEP: Duration = Duration::from_secs(4);

#[test]
fn whichever_server_people_are_on_they_see_one_log() {
    let count = std::env::var("ANNON_HOUSE_SEEDS").ok().and_then(|count| count.parse().ok());
    for seed in seeds(count.unwrap_or(SEEDS)) {
        // If the test fails, its output ends with the seed.
        println!("ANNON_SEED={seed}");
        actix::System::new().block_on(simulate(seed));
    }
}

fn houses() -> Vec<RoomSetup> {
    let first = RoomSetup::new();
    let house = |process: usize| {
        let (clock, store) = (TestClock::new(), first.store.shared_with(process));
        let inboxes = Inboxes::new(store.wire());
        let rooms = RoomSetup::rooms(&clock, &store, &inboxes, first.settings);
        RoomSetup { clock, store, rooms, inboxes, settings: first.settings }
    };
    (0..HOUSES).map(house).collect()
}

/// Stops a room's actor until the sender is dropped, as if its process got no time to run. Messages,
/// answers of the store and what others write wait meanwhile.
#[derive(Message)]
#[rtype(result = "()")]
struct Pause(oneshot::Receiver<()>);

impl Handler<Pause> for Shell {
    type Result = ();

    fn handle(&mut self, Pause(ends): Pause, context: &mut Context<Self>) {
        context.wait(wrap_future(ends.map(drop)));
    }
}

/// Pauses the rooms of a server, until what is returned is dropped.
fn pause(house: &RoomSetup) -> Vec<oneshot::Sender<()>> {
    let pause = |actor: &Addr<Shell>| {
        let (until, ends) = oneshot::channel();
        actor.do_send(Pause(ends));
        until
    };
    house.rooms.registry.lock().all().map(pause).collect()
}

/// Time passes in all of them, a few seconds at a time in each.
async fn pass(houses: &[RoomSetup], time: Duration) {
    let mut left = time;
    while !left.is_zero() {
        let step = left.min(STEP);
        for house in houses {
            house.pass(step).await;
        }
        left -= step;
    }
}

async fn simulate(seed: u64) {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut houses = houses();
    houses[0].store.make_wire_bad(seed | 1);
    let mut people: Vec<Browser> = (0..PEOPLE).map(|_| Browser::default()).collect();
    let mut paused: [_; HOUSES] = std::array::from_fn(|_| Vec::new());
    let mut next = 0;
    for _ in 0..STEPS {
        let who = u8::try_from(random.roll(PEOPLE.into())).unwrap();
        let at = usize::from(who);
        let house = random.roll(HOUSES as u64) as usize;
        match random.roll(33) {
            0..=5 if people[at].socket.is_none() => {
                people[at].house = house;
                enter(&houses[house], &mut random, who, &mut people[at]).await;
            }
            6..=13 => people[at].say(&mut random, &mut next, Value::Null),
            14 => people[at].take_back(),
            15 => people[at].lose_connection(),
            16 => drop(houses[0].store.faults().cut_off.insert(house)),
            17 => houses[0].store.reconnect_all(),
            18 => houses[0].store.part(house, (house + 1) % HOUSES),
            19 => houses[0].store.mend_wire(),
            20 if random.roll(3) == 0 => crash(&mut houses, house, &mut people).await,
            21 if random.roll(12) == 0 => {
                people.iter_mut().for_each(Browser::read);
                let here = seated_and_here(&houses[0], &people, &paused);
                pass(&houses, SEAT_LAPSES + MINUTE).await;
                nobody_who_was_here_lost_a_seat(&houses[0], &people, &here);
            }
            21 => pass(&houses, Duration::from_secs(random.roll(8))).await,
            22 if random.roll(2) == 0 => ask(&houses[house], Command::Leave(member(who))),
            22 => {
                let clock = &houses[house].clock;
                let step = Duration::from_secs(random.roll(3600));
                if random.roll(2) == 0 { clock.step(step) } else { clock.step_back(step) }
            }
            23 if random.roll(3) == 0 => {
                drop(actix::spawn(kick(houses[house].rooms.clone(), who, random.roll(2) == 0)));
            }
            23 => claim_here_and_open_there(&houses, house, who, random.roll(1000)).await,
            24 => paused[house].extend(pause(&houses[house])),
            25..=26 => paused[house].clear(),
            27..=29 => people[at].react(&mut random),
            30..=32 => at_the_door(&houses[house].rooms, &mut random, who),
            _ => {}
        }
        if random.roll(3) > 0 {
            run_until_idle().await;
        }
        people.iter_mut().for_each(Browser::read);
    }
    drop(paused);
    let store = &houses[0].store;
    store.make_wire_bad(0);
    store.reconnect_all();
    store.mend_wire();
    // Whoever met too many conflicts in a row waits some milliseconds.
    pass(&houses, Duration::from_secs(60)).await;
    people.iter_mut().for_each(Browser::read);
    who_was_removed_was_shown_nothing_behind_it(&houses[0], &people);
    finish(&houses, &mut people).await;
    seats_are_as_the_log_says(&houses).await;
    doors_are_as_the_log_says(&houses).await;
}

async fn crash(houses: &mut [RoomSetup], house: usize, people: &mut [Browser]) {
    people.iter_mut().filter(|person| person.house == house).for_each(Browser::lose_connection);
    houses[house].rooms.crash();
    run_until_idle().await;
    houses[house].rooms = houses[house].start();
}

/// Who has a seat and an open socket at a server that runs and reaches the store.
fn seated_and_here(
    setup: &RoomSetup,
    people: &[Browser],
    paused: &[Vec<oneshot::Sender<()>>; HOUSES],
) -> BTreeMap<u8, SeatNumber> {
    let room = room_of(setup);
    let cut_off = setup.store.faults().cut_off.clone();
    let is_here = |person: &Browser| {
        person.socket.is_some() && paused[person.house].is_empty() && !cut_off.contains(&person.house)
    };
    let here = (0..PEOPLE).zip(people).filter(|(_, person)| is_here(person));
    here.filter_map(|(who, _)| Some((who, room.seat_of(member(who)).ok()?.number))).collect()
}

/// Nobody's socket was closed in a long quiet time because the seat had lapsed. Who lost the
/// connection to a server in that time has been away.
fn nobody_who_was_here_lost_a_seat(setup: &RoomSetup, people: &[Browser], here: &BTreeMap<u8, SeatNumber>) {
    let log = log_of(setup);
    for (who, seat) in here {
        let is_lapsed = |event: &RoomEvent| matches!(event, RoomEvent::Lapsed { seat: lapsed, .. } if lapsed == seat);
        let end = people[usize::from(*who)].socket.as_ref().and_then(Guest::end);
        let is_sent_away = end.is_some_and(|(_, why)| why == CloseReason::Left);
        let has_lapsed = log.iter().any(|(_, event)| is_lapsed(event));
        assert!(!(is_sent_away && has_lapsed), "{who} was connected, and has lost the seat");
    }
}

/// The room's log, which no fault hides.
fn log_of(setup: &RoomSetup) -> Vec<(Seq, RoomEvent)> {
    let log = setup.store.shared_with(HOUSES).room_log();
    log.read(room(1), Seq(0)).now_or_never().unwrap().unwrap()
}

/// The room as the log has it.
fn room_of(setup: &RoomSetup) -> Room {
    let store = setup.store.shared_with(HOUSES);
    let log = log_of(setup);
    let metadata = store.rooms().by_id(room(1)).now_or_never().unwrap().unwrap().unwrap();
    let terms = setup.rooms.services.terms(&metadata);
    Room::replay(terms, log.iter().map(|(seq, event)| (*seq, event)))
}

/// The claim is at one server, and the socket's handshake a moment later at another one, which may
/// not have heard of the seat: it must not say no.
async fn claim_here_and_open_there(houses: &[RoomSetup], house: usize, who: u8, dice: u64) {
    let (here, there) = (houses[house].rooms.clone(), houses[(house + 1) % HOUSES].rooms.clone());
    let opened = actix::spawn(async move {
        here.claim(room(1), member(who), dice, false).await?;
        there.socket(room(1), member(who)).await
    });
    run_until_idle().await;
    // A server without the store answers later.
    if !opened.is_finished() {
        return opened.abort();
    }
    if let Err(RoomError::Rejected(Code::NotAMember)) = opened.await.unwrap() {
        assert!(room_of(&houses[0]).seat_of(member(who)).is_err(), "{who} has a seat");
    }
}

fn who_was_removed_was_shown_nothing_behind_it(setup: &RoomSetup, people: &[Browser]) {
    let mut members: BTreeMap<_, MemberId> = BTreeMap::new();
    for (seq, event) in setup.log() {
        match event {
            RoomEvent::Claimed { seat, member, .. } => drop(members.insert(seat, member)),
            RoomEvent::Kicked { seat, .. } => {
                let who = usize::from(members[&seat].0[0]);
                let behind = people[who].seen.range(seq.0..).next();
                assert_eq!(behind, None, "{who} was removed at {seq:?}");
            }
            _ => {}
        }
    }
}

/// After a minute of quiet each server knows who has a seat.
async fn seats_are_as_the_log_says(houses: &[RoomSetup]) {
    let room_now = room_of(&houses[0]);
    for house in houses {
        for n in 0..PEOPLE {
            let expected = room_now.seat_of(member(n)).map(|seat| seat.emoji).map_err(RoomError::from);
            assert_eq!(house.rooms.seat(room(1), member(n)).await, expected);
        }
    }
}

async fn doors_are_as_the_log_says(houses: &[RoomSetup]) {
    for house in houses {
        let there = Knocks::of(&room_of(&houses[0]), house.rooms.services.now());
        assert_eq!(house.rooms.knocks(room(1)).await, Ok(there));
    }
}
