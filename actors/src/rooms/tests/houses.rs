//! Random runs of three servers that share one store. People roam between them, while the wire
//! loses, doubles, delays and reorders what they hear of each other, pairs of them are parted, and
//! servers crash, pause, lose the store and have their clocks set. A seed decides a run, as in
//! `simulation`; `ANNON_HOUSE_SEEDS` is the number of runs.

use std::collections::BTreeMap;

use actix::fut::wrap_future;
use actix::{Addr, AsyncContext, Context, Handler, Message};
use annon_contract::limits::SEAT_LAPSES;
use annon_store::room::{MemberId, SeatNumber};
use serde_json::Value;
use tokio::sync::oneshot;

use super::simulation::{Browser, PEOPLE, Random, ask, enter, finish, kick, seeds};
use super::*;
use crate::room::machine::Room;
use crate::room::shell::Shell;

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

/// A picture is uploaded by one server, and posted by another, which has to ask the record for it.
#[actix::test]
async fn a_picture_that_another_server_stored_can_be_shown() {
    let houses = houses();
    let mut guests = Vec::new();
    for (house, n) in [(0, 1), (1, 2)] {
        guests.push(houses[house].guest_of(1, n).await);
    }
    houses[1].store.make_wire_bad(0);
    let image = houses[0].upload(7).await;
    let picture = format!("/api/room/{}/image/{}", room(1).0, image.0);
    houses[0].store.faults().seen();
    guests[1].send_and_wait("event.unsend", &[("id", id(9).into())]).await;
    assert_eq!(guests[1].refusals().len(), 1);
    let seen = houses[0].store.faults().seen();
    assert_eq!((seen.reads, seen.lists), (1, 0), "what is not about pictures asks for none");
    guests[1].send_and_wait("event.image", &[("id", id(1).into()), ("image_src", picture.into())]).await;
    assert_eq!((guests[1].refusals().len(), guests[0].of("event.image").len()), (1, 1));
}

/// A server that hasn't heard of the message which shows a picture doesn't remove it.
#[actix::test]
async fn a_picture_that_another_server_shows_is_not_removed() {
    let houses = houses();
    let mut guests = Vec::new();
    for (house, n) in [(0, 1), (1, 2)] {
        guests.push(houses[house].guest_of(1, n).await);
    }
    let image = houses[0].upload(7).await;
    let picture = format!("/api/room/{}/image/{}", room(1).0, image.0);
    houses[0].store.part(0, 1);
    pass(&houses, Duration::from_secs(500)).await;
    guests[1].send_and_wait("event.image", &[("id", id(1).into()), ("image_src", picture.as_str().into())]).await;
    assert_eq!((guests[1].refusals().len(), guests[0].of("event.image").len()), (0, 0));
    pass(&houses, Duration::from_secs(200)).await;
    let kept = async || houses[0].store.images().list(annon_store::image::Album::Room(room(1).0)).await.unwrap().len();
    assert_eq!(kept().await, 1);
    // One that nobody shows goes, and is not taken for a message shortly before that.
    houses[0].upload(8).await;
    pass(&houses, Duration::from_secs(560)).await;
    let late = picture.replace(&image.0.to_string(), &Uuid::from_u128(8).to_string());
    guests[1].send_and_wait("event.image", &[("id", id(2).into()), ("image_src", late.into())]).await;
    assert_eq!((guests[1].refusals().len(), kept().await), (1, 2));
    houses[0].store.mend_wire();
    pass(&houses, Duration::from_secs(100)).await;
    assert_eq!(kept().await, 1);
}

/// Two servers give the last seat at the same moment: one of the two gets it.
#[actix::test]
async fn the_last_seat_is_given_once() {
    let houses = houses();
    for n in 0..9 {
        houses[usize::from(n) % HOUSES].rooms.claim(room(1), member(n), u64::from(n)).await.unwrap();
    }
    let claims = [(0, 20), (1, 21)].map(|(house, n): (usize, u8)| {
        let rooms: Rooms = houses[house].rooms.clone();
        actix::spawn(async move { rooms.claim(room(1), member(n), 1).await })
    });
    let [one, other] = claims.map(|claim| claim.now_or_never());
    assert!(one.is_none() && other.is_none(), "both are asked before either is answered");
    run_until_idle().await;
    assert_eq!(room_of(&houses[0]).seats().len(), 10);
    let seated = |n| room_of(&houses[0]).seat_of(member(n)).is_ok();
    assert!(seated(20) != seated(21));
}

/// Somebody is removed by one server in the moment in which they send at another one.
#[actix::test]
async fn who_is_removed_while_they_send_is_heard_before_it_or_not_at_all() {
    let houses = houses();
    let (creator, sender) = (houses[0].guest_of(1, 1).await, houses[1].guest_of(1, 2).await);
    let emoji = houses[0].rooms.seat(room(1), member(2)).await.unwrap();
    sender.send("event.chat", &[("id", id(1).into()), ("message", "words 1".into())]);
    let kick = Command::Kick { emoji, with_messages: false };
    let kicked = houses[0].rooms.command(room(1), kick).await;
    run_until_idle().await;
    assert_eq!(kicked, Ok(()));
    assert_eq!(sender.end(), Some((Some("removed_from_group"), CloseReason::Kicked)));
    assert_eq!(creator.words(), houses[0].words(), "what the log has, and nothing else");
}

#[actix::test]
async fn what_was_missed_while_two_servers_were_parted_is_told_when_they_meet() {
    let houses = houses();
    let (guest, other) = (houses[0].guest_of(1, 1).await, houses[1].guest_of(1, 2).await);
    houses[0].store.part(0, 1);
    guest.forget();
    other.post_all(1..4).await;
    assert_eq!(guest.words(), words([]));
    houses[0].store.mend_wire();
    run_until_idle().await;
    assert_eq!(guest.words(), words([1, 2, 3]));
}

#[actix::test]
async fn a_server_that_was_paused_goes_on_with_what_piled_up() {
    let houses = houses();
    let (guest, other) = (houses[0].guest_of(1, 1).await, houses[1].guest_of(1, 2).await);
    let paused = pause(&houses[0]);
    other.post_all(1..4).await;
    guest.post(4).await;
    assert_eq!((guest.words(), other.words()), (words([]), words([1, 2, 3])));
    drop(paused);
    run_until_idle().await;
    assert_eq!((guest.words(), other.words()), (words([1, 2, 3, 4]), words([1, 2, 3, 4])));
}

/// A browser that comes from another server may have seen more than this one.
#[actix::test]
async fn who_has_seen_more_than_a_server_knows_resumes_there() {
    let houses = houses();
    let (_guest, other) = (houses[0].guest_of(1, 1).await, houses[1].guest_of(1, 2).await);
    houses[0].store.part(0, 1);
    other.post_all(1..4).await;
    let since = houses[0].end();
    other.tear_away();
    let roams = houses[0].guest_again(2).await;
    roams.connect(since).await;
    assert_eq!((&roams.of("event.ready")[0]["resumed"], roams.words()), (&true.into(), words([])));
}

/// Each server shows who is connected to any of them, whatever is lost on the way.
#[actix::test]
async fn everybody_is_shown_who_is_connected_to_another_server() {
    let houses = houses();
    let (guest, other) = (houses[0].guest_of(1, 1).await, houses[1].guest_of(1, 2).await);
    let seen = |guest: &Guest| {
        guest.of("event.active-users").last().map(|list| list["active_users"].as_array().unwrap().len())
    };
    pass(&houses, STEP).await;
    assert_eq!([&guest, &other].map(seen), [Some(2); 2]);
    other.send_and_wait("event.typing", &[]).await;
    assert_eq!((guest.of("event.typing").len(), other.of("event.typing").len()), (1, 0));
    other.tear_away();
    pass(&houses, STEP).await;
    assert_eq!(seen(&guest), Some(1), "said at once");
    let _again = houses[1].guest_again(2).await;
    pass(&houses, STEP).await;
    assert_eq!(seen(&guest), Some(2));
    houses[0].store.part(0, 1);
    run_until_idle().await;
    assert_eq!(seen(&guest), Some(1), "who isn't heard is not shown");
    houses[0].store.mend_wire();
    pass(&houses, STEP).await;
    assert_eq!(seen(&guest), Some(2), "they asked each other");
    let _paused = pause(&houses[1]);
    pass(&houses, MINUTE).await;
    assert_eq!(seen(&guest), Some(1), "and what was said long ago is forgotten");
}

/// A server must not free the seat of somebody who is connected to another one, also not when
/// it could not know.
#[actix::test]
async fn who_is_quiet_at_another_server_keeps_the_seat_and_who_is_away_loses_it() {
    let houses = houses();
    let (guest, quiet) = (houses[0].guest_of(1, 1).await, houses[1].guest_of(1, 2).await);
    houses[2].guest_of(1, 3).await.tear_away();
    guest.post(1).await;
    pass(&houses, 2 * SEAT_LAPSES).await;
    assert_eq!(quiet.end(), None);
    let seated = |n| room_of(&houses[0]).seat_of(member(n)).is_ok();
    assert_eq!([1, 2, 3].map(seated), [true, true, false], "who is connected nowhere is away");
    // Nobody hears anybody for a moment, in which anybody may have been connected.
    houses[1].guest_of(1, 4).await.tear_away();
    pass(&houses, SEAT_LAPSES - MINUTE).await;
    houses[0].store.part(0, 1);
    houses[0].store.part(1, 2);
    houses[0].store.part(2, 0);
    pass(&houses, 2 * MINUTE).await;
    assert!(seated(4), "nobody can know that");
    pass(&houses, SEAT_LAPSES + 2 * MINUTE).await;
    assert!(seated(2) && seated(4), "nor while they are parted");
    houses[0].store.mend_wire();
    pass(&houses, SEAT_LAPSES + 2 * MINUTE).await;
    assert_eq!([2, 4].map(seated), [true, false]);
}

/// Whoever asks a server where nobody is gets to know of those at the others.
#[actix::test]
async fn how_a_group_stands_is_known_where_nobody_is() {
    let houses = houses();
    let (_guest, other) = (houses[0].guest_of(1, 1).await, houses[1].guest_of(1, 2).await);
    let metadata = houses[2].rooms.metadata(room(1)).await.unwrap();
    for active in [2, 1] {
        let rooms: Rooms = houses[2].rooms.clone();
        let asked = metadata.clone();
        let standing = actix::spawn(async move { rooms.standing(&asked).await });
        run_until_idle().await;
        // The others gather what changes, and then answer; then the question is over.
        for house in [0, 1, 2, 2] {
            houses[house].pass(Duration::from_millis(50)).await;
        }
        let standing = standing.now_or_never().unwrap().unwrap().unwrap();
        assert_eq!((standing.seats, standing.active, standing.messages), (2, active, 0));
        other.tear_away();
        pass(&houses, STEP).await;
    }
    assert_eq!(houses[2].rooms.open(), 0);
}

#[actix::test]
async fn a_group_that_is_closed_at_one_server_is_closed_at_all() {
    let houses = houses();
    let guest = houses[0].guest_of(1, 1).await;
    houses[1].command(Command::Close).await.unwrap();
    assert_eq!(guest.end(), Some((Some("group_deleted"), CloseReason::Deleted)));
}

/// A room that hears twice, or backwards, or of what it wrote itself, tells each line once.
#[actix::test]
async fn a_wire_that_repeats_itself_is_not_believed() {
    let houses = houses();
    let guest = houses[0].guest_of(1, 1).await;
    let other = houses[1].guest_of(1, 2).await;
    guest.forget();
    for seed in [1, 3, 5, 7, 9] {
        houses[0].store.make_wire_bad(seed);
        other.post_all(seed as usize * 100..seed as usize * 100 + 20).await;
    }
    houses[0].store.mend_wire();
    run_until_idle().await;
    assert_eq!(guest.words(), houses[0].words());
}

fn houses() -> Vec<RoomSetup> {
    let first = RoomSetup::new();
    let house = |process: usize| {
        let (clock, store) = (TestClock::new(), first.store.shared_with(process));
        let inboxes = Inboxes::default();
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
        match random.roll(27) {
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
        here.claim(room(1), member(who), dice).await?;
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
