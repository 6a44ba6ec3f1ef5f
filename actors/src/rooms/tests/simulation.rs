//! Everything at once, by dice: people come, post, are cut off and resume,
//! take words back, leave and are sent out, while the disk holds back and the
//! server crashes between an append and its acknowledgement. A run is its
//! seed; a failing one prints it, and `ANNON_SEED` runs it alone. `ANNON_SEEDS`
//! is how many there are.

use std::collections::{BTreeMap, BTreeSet};

use annon_store::StoreError;
use annon_store::limits::ROOM_MEMBERS;
use annon_store::room::Body;

use super::fake_store::{Append, words};
use super::*;
use crate::room::command::Command;
use crate::room::line::{LineKind, Message};
use crate::room::machine::{Keeps, Room, Terms};
use annon_store::room::Millis;

const SEEDS: u64 = 150;
const STEPS: usize = 120;
const PEOPLE: u8 = 13;

struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }
}

/// Somebody's window: what they have seen stays when the socket is cut.
#[derive(Default)]
struct Window {
    socket: Option<Guest>,
    /// Lines by place, as they were first shown.
    seen: BTreeMap<u64, String>,
    /// In which order they came.
    order: Vec<u64>,
    taken_back: BTreeSet<u64>,
    since: Option<u64>,
    /// What this person has sent, and what was acknowledged.
    sent: Vec<usize>,
    acknowledged: BTreeSet<String>,
    /// Who is here, as it was last shown.
    active: BTreeSet<String>,
}

impl Window {
    /// Takes in what was heard.
    fn read(&mut self, me: &str) {
        let Some(socket) = &self.socket else { return };
        for frame in socket.frames() {
            let seq = frame["seq"].as_u64();
            match frame["event"].as_str().unwrap() {
                "event.ready" => {
                    self.since = frame["last_seq"].as_u64();
                    if frame["resumed"] == false {
                        self.seen.clear();
                        self.order.clear();
                    }
                    continue;
                }
                "event.chat" => {
                    let seq = seq.unwrap();
                    let words = frame["message"].as_str().unwrap().to_owned();
                    if frame["sender"] == me {
                        self.acknowledged.insert(frame["id"].as_str().unwrap().to_owned());
                    }
                    // An echo for its sender's second try.
                    if let Some(known) = self.seen.get(&seq) {
                        assert!(*known == words || words.is_empty(), "one place, two messages");
                        assert_eq!(frame["sender"], me, "line {seq} came twice");
                        continue;
                    }
                    self.seen.insert(seq, words);
                    self.order.push(seq);
                }
                "event.active-users" => {
                    let faces = frame["active_users"].as_array().unwrap().iter();
                    self.active = faces.map(|face| face.as_str().unwrap().to_owned()).collect();
                    continue;
                }
                "event.unsend" => {
                    self.taken_back.insert(frame["message_seq"].as_u64().unwrap());
                }
                _ => {}
            }
            self.since = self.since.max(seq);
        }
        if socket.end().is_some() {
            self.socket = None;
        } else {
            socket.forget();
        }
    }
}

#[test]
fn whatever_happens_everybody_sees_the_log_once_and_in_order() {
    let asked = |name| std::env::var(name).ok().and_then(|number| number.parse::<u64>().ok());
    let seeds = asked("ANNON_SEED").map_or(1..=asked("ANNON_SEEDS").unwrap_or(SEEDS), |seed| seed..=seed);
    for seed in seeds {
        let run = std::panic::AssertUnwindSafe(|| on_one_thread(simulate(seed)));
        if let Err(panic) = std::panic::catch_unwind(run) {
            let why = panic.downcast_ref::<String>().cloned().unwrap_or_default();
            panic!("ANNON_SEED={seed}: {why}");
        }
    }
}

async fn simulate(seed: u64) {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut house = House::new();
    let mut people: Vec<Window> = (0..PEOPLE).map(|_| Window::default()).collect();
    let mut faces = vec![String::new(); usize::from(PEOPLE)];
    let mut next = 0;
    for _ in 0..STEPS {
        let who = u8::try_from(dice.roll(PEOPLE.into())).unwrap();
        let at = usize::from(who);
        match dice.roll(24) {
            0..=5 => enter(&house, &mut dice, who, &mut people[at], &mut faces[at]).await,
            6..=13 => {
                // Something new, or once more what was not acknowledged.
                let again = dice.roll(4) == 0;
                let n = people[at].sent.last().copied().filter(|_| again).unwrap_or(next);
                if let Some(socket) = &people[at].socket {
                    socket.post(n);
                    if n == next {
                        people[at].sent.push(n);
                        next += 1;
                    }
                }
            }
            14 => {
                if let (Some(socket), Some(n)) = (&people[at].socket, people[at].sent.last()) {
                    socket.say("event.unsend", &[("id", id(*n).into())]);
                }
            }
            15..=16 => {
                // What had arrived was read before the cut.
                people[at].read(&faces[at]);
                if let Some(socket) = people[at].socket.take() {
                    socket.tear_away();
                }
            }
            17 => house.store.hold(),
            18 => house.store.release(Append::Works),
            19 => {
                let how = [
                    Append::Fails(StoreError::Conflict),
                    Append::Fails(StoreError::DiskFull),
                    Append::Unanswered,
                    Append::Panics,
                ];
                house.store.release(how[dice.roll(4) as usize]);
            }
            20 if dice.roll(3) == 0 => crash(&mut house, &mut people, &faces, dice.roll(2) == 0).await,
            21 => house.pass(Duration::from_secs(dice.roll(70))).await,
            22 => drop(actix::spawn(leave(house.rooms.clone(), who))),
            23 if dice.roll(3) == 0 => drop(actix::spawn(kick(house.rooms.clone(), who, dice.roll(2) == 0))),
            _ => {}
        }
        if dice.roll(3) > 0 {
            settle().await;
        }
        for (window, face) in people.iter_mut().zip(&faces) {
            window.read(face);
        }
    }
    house.store.release(Append::Works);
    settle().await;
    finish(&house, &mut people, &mut faces).await;
}

/// Everybody who may comes back, and then all have seen the same.
async fn finish(house: &House, people: &mut [Window], faces: &mut [String]) {
    house.pass(Duration::from_secs(30)).await;
    for (who, window) in people.iter_mut().enumerate() {
        window.read(&faces[who]);
        let who = u8::try_from(who).unwrap();
        // Unless their seat has lapsed meanwhile.
        if window.socket.is_none()
            && let Ok(socket) = Guest::open(&house.rooms, room(1), member(who)).await
        {
            socket.connect(window.since.unwrap_or(0));
            window.socket = Some(socket);
            // They may have turned away before they heard it.
            if let Ok(face) = house.rooms.seat(room(1), member(who)).await {
                faces[usize::from(who)] = crate::room::face::emoji(face).to_owned();
            }
        }
    }
    // Until everybody was shown who is here.
    house.pass(Duration::from_secs(1)).await;
    let log: BTreeMap<_, _> = house.log().into_iter().map(|(seq, event)| (seq.0, event)).collect();
    check_seats(&house.log());
    people.iter_mut().zip(&*faces).for_each(|(window, face)| window.read(face));
    let here = people.iter().zip(&*faces).filter(|(window, _)| window.socket.is_some());
    let here: BTreeSet<_> = here.map(|(_, face)| face.clone()).collect();
    for window in people.iter() {
        assert!(window.socket.is_none() || window.active == here, "{:?} are here, not {:?}", here, window.active);
        assert!(window.order.is_sorted(), "out of order: {:?}", window.order);
        for (seq, shown) in &window.seen {
            match &log[seq] {
                event @ RoomEvent::Posted { body: Body::Text(_), .. } => assert_eq!(words(event).as_ref(), Some(shown)),
                RoomEvent::Posted { .. } => {}
                other => panic!("{shown} was shown where {other:?} is"),
            }
        }
        let ids = log.values().filter_map(|event| match event {
            RoomEvent::Posted { id, .. } => Some(id.as_str().to_owned()),
            _ => None,
        });
        assert!(window.acknowledged.is_subset(&ids.collect::<BTreeSet<_>>()), "an acknowledged message is lost");
        if window.socket.is_some() {
            let first = window.seen.keys().next().copied().unwrap_or(0);
            let posted = log.iter().filter(|(seq, event)| **seq >= first && matches!(event, RoomEvent::Posted { .. }));
            let missing: Vec<_> =
                posted.filter(|(seq, _)| !window.seen.contains_key(seq)).map(|(seq, _)| seq).collect();
            assert!(missing.is_empty() || window.seen.is_empty(), "never saw {missing:?}");
        }
    }
}

fn check_seats(log: &[(Seq, RoomEvent)]) {
    let terms = Terms { expires_at: Millis(u64::MAX), keeps: Keeps { lines: 1000, bytes: usize::MAX } };
    let mut posted = BTreeSet::new();
    for end in 1..=log.len() {
        let room = Room::replay(terms, log[..end].iter().map(|(seq, event)| (*seq, event)));
        assert!(room.seats().len() <= ROOM_MEMBERS);
    }
    let room = Room::replay(terms, log.iter().map(|(seq, event)| (*seq, event)));
    for line in room.lines_before(None) {
        if let LineKind::Message(Message { seat, id, .. }) = &line.kind {
            assert!(posted.insert((*seat, id.as_str().to_owned())), "{id:?} is there twice");
        }
    }
}

async fn enter(house: &House, dice: &mut Dice, who: u8, window: &mut Window, face: &mut String) {
    if window.socket.is_some() {
        return;
    }
    let (rooms, roll) = (house.rooms.clone(), dice.roll(1000));
    let opened = actix::spawn(async move {
        let face = match roll % 2 {
            0 => rooms.claim(room(1), member(who), roll).await?,
            _ => rooms.come_in(room(1), member(who), roll, None, 10).await?.0,
        };
        Ok::<_, RoomError>((face, Guest::open(&rooms, room(1), member(who)).await?))
    });
    settle().await;
    // While the disk holds back there is no answer, and they turn away.
    if !opened.is_finished() {
        return opened.abort();
    }
    if let Ok((seat, socket)) = opened.await.unwrap() {
        *face = crate::room::face::emoji(seat).to_owned();
        socket.connect(window.since.unwrap_or(0));
        window.socket = Some(socket);
    }
}

async fn leave(rooms: Rooms, who: u8) {
    let _ = rooms.command(room(1), Command::Leave(member(who))).await;
}

async fn kick(rooms: Rooms, who: u8, with_messages: bool) {
    if let Ok(face) = rooms.seat(room(1), member(who)).await {
        let _ = rooms.command(room(1), Command::Kick { face, with_messages }).await;
    }
}

/// The process ends; what it was writing may be on disk, or not.
async fn crash(house: &mut House, people: &mut [Window], faces: &[String], is_written: bool) {
    for (window, face) in people.iter_mut().zip(faces) {
        window.read(face);
        if let Some(socket) = window.socket.take() {
            socket.tear_away();
        }
    }
    house.rooms.crash();
    house.store.release(if is_written { Append::Unanswered } else { Append::Fails(StoreError::Unavailable) });
    settle().await;
    house.store.release(Append::Works);
    house.rooms = house.start();
}

impl Rooms {
    /// Nobody here finds anything any more.
    fn crash(&self) {
        self.0.lock().clear();
    }
}
