//! Random runs: people knock, come, post, lose their connection and resume, take messages back, leave and
//! are removed, while the disk is slow and the server crashes between an append and its
//! acknowledgement. A seed decides a run. A failing run prints its seed, and `ANNON_SEED` runs it
//! alone. `ANNON_SEEDS` is the number of runs.

use std::collections::{BTreeMap, BTreeSet};

use annon_store::StoreError;
use annon_store::room::{Body, KnockId};
use annon_store_memory::AppendFault::{Fails, Panics, Unanswered};
use serde_json::{Value, json};

use super::*;
use crate::room::View;
use crate::room::frame::reactions;
use crate::room::machine::Room;

const SEEDS: u64 = 150;
const STEPS: usize = 120;
pub(super) const PEOPLE: u8 = 13;

pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }
}

/// A person's browser: what the person has seen stays when the socket is cut.
#[derive(Default)]
pub(super) struct Browser {
    pub(super) emoji: String,
    pub(super) socket: Option<Guest>,
    /// Which of several servers the socket leads to.
    pub(super) house: usize,
    /// Lines by `seq`, as they were first shown.
    pub(super) seen: BTreeMap<u64, String>,
    /// The order in which the lines came.
    order: Vec<u64>,
    pub(super) since: Option<u64>,
    /// What this person has sent, and what was acknowledged.
    pub(super) sent: Vec<usize>,
    acknowledged: BTreeSet<String>,
    /// The reactions to each message, as they were last shown.
    reactions: BTreeMap<u64, Value>,
    /// The active members, as they were last shown.
    active: BTreeSet<String>,
    /// Every frame that the browser received.
    received: Vec<String>,
}

impl Browser {
    /// Sends a new message, or this person's last one again.
    pub(super) fn say(&mut self, random: &mut Random, next: &mut usize, reply: Value) {
        let again = random.roll(4) == 0;
        let n = self.sent.last().copied().filter(|_| again).unwrap_or(*next);
        let Some(socket) = &self.socket else { return };
        let (id, words) = (id(n).into(), format!("words {n}").into());
        socket.send("event.chat", &[("id", id), ("message", words), ("reply", reply)]);
        if n == *next {
            self.sent.push(n);
            *next += 1;
        }
    }

    /// Takes this person's last message back.
    pub(super) fn take_back(&self) {
        if let (Some(socket), Some(n)) = (&self.socket, self.sent.last()) {
            socket.send("event.unsend", &[("id", id(*n).into())]);
        }
    }

    /// Reacts to a message that may be there, or takes a reaction back.
    pub(super) fn react(&self, random: &mut Random) {
        let emoji = ["👍", "❤️", "😂", "🎉"][random.roll(4) as usize];
        let (place, on) = (random.roll(60), random.roll(3) > 0);
        if let Some(socket) = &self.socket {
            let fields = [("message", place.into()), ("emoji", emoji.into()), ("on", on.into())];
            socket.send("event.react", &fields);
        }
    }

    /// The connection is cut. Frames that have arrived are read before.
    pub(super) fn lose_connection(&mut self) {
        self.read();
        self.socket.take().iter().for_each(Guest::tear_away);
    }

    /// Reads the frames that have come.
    pub(super) fn read(&mut self) {
        let Some(socket) = &self.socket else { return };
        for frame in socket.frames() {
            self.received.push(frame.to_string());
            assert_ne!(frame["event"], "event.knocks", "members hear nothing of those who wait");
            let seq = frame["seq"].as_u64();
            match frame["event"].as_str().unwrap() {
                "event.ready" => {
                    self.since = frame["last_seq"].as_u64();
                    if frame["resumed"] == false {
                        self.seen.clear();
                        self.order.clear();
                        self.reactions.clear();
                    }
                    continue;
                }
                "event.chat" => {
                    let seq = seq.unwrap();
                    let words = frame["message"].as_str().unwrap().to_owned();
                    if let Some(reactions) = frame.get("reactions") {
                        self.reactions.insert(seq, reactions.clone());
                    }
                    if frame["sender"] == *self.emoji {
                        self.acknowledged.insert(frame["id"].as_str().unwrap().to_owned());
                    }
                    // The echo of a message that its sender sent twice.
                    if let Some(known) = self.seen.get(&seq) {
                        assert!(*known == words || words.is_empty(), "one place, two messages");
                        assert_eq!(frame["sender"], *self.emoji, "line {seq} came twice");
                        continue;
                    }
                    self.seen.insert(seq, words);
                    self.order.push(seq);
                }
                "event.react" => {
                    self.reactions.insert(frame["message"].as_u64().unwrap(), frame["reactions"].clone());
                }
                "event.unsend" => drop(self.reactions.remove(&frame["message_seq"].as_u64().unwrap())),
                "event.active-users" => {
                    let emojis = frame["active_users"].as_array().unwrap().iter();
                    self.active = emojis.map(|emoji| emoji.as_str().unwrap().to_owned()).collect();
                    continue;
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

/// Each run is made twice: once with all text in memory, and once with old text in the log only.
/// Both times everybody gets exactly the same frames.
#[test]
fn whatever_happens_everybody_sees_the_log_once_and_in_order() {
    let mut read_back = 0;
    for seed in seeds(SEEDS) {
        let (whole, _) = run(seed, usize::MAX);
        let (evicted, picks) = run(seed, usize::try_from(seed % 4).unwrap());
        read_back += picks;
        for (who, (one, other)) in whole.iter().zip(&evicted).enumerate() {
            for (one, other) in one.iter().zip(other) {
                assert_eq!(one, other, "ANNON_SEED={seed}: {who} received something else");
            }
            assert_eq!(one.len(), other.len(), "ANNON_SEED={seed}: {who} received more, or less");
        }
    }
    assert!(read_back > 0, "nothing was read from the log");
}

pub(super) fn seeds(count: u64) -> std::ops::RangeInclusive<u64> {
    let asked = |name| std::env::var(name).ok().and_then(|number| number.parse::<u64>().ok());
    asked("ANNON_SEED").map_or(1..=asked("ANNON_SEEDS").unwrap_or(count), |seed| seed..=seed)
}

/// Runs a seed while the text of `stays` lines stays in memory. Returns what each person received
/// and then what pages showed, and how often old messages were read.
fn run(seed: u64, stays: usize) -> (Vec<Vec<String>>, usize) {
    // If the test fails, its output ends with the seed.
    println!("ANNON_SEED={seed}");
    actix::System::new().block_on(simulate(seed, stays))
}

async fn simulate(seed: u64, stays: usize) -> (Vec<Vec<String>>, usize) {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut setup = RoomSetup::of_memory(usize::MAX, stays);
    let mut pages = Vec::new();
    let mut people: Vec<Browser> = (0..PEOPLE).map(|_| Browser::default()).collect();
    let mut next = 0;
    for _ in 0..STEPS {
        let who = u8::try_from(random.roll(PEOPLE.into())).unwrap();
        let at = usize::from(who);
        match random.roll(33) {
            0..=5 if people[at].socket.is_none() => enter(&setup, &mut random, who, &mut people[at]).await,
            6..=13 => {
                let place = random.roll(60);
                let answers = place.is_multiple_of(2).then(|| json!([null, null, place, null]));
                people[at].say(&mut random, &mut next, answers.into());
            }
            14 => people[at].take_back(),
            15..=16 => people[at].lose_connection(),
            17 => setup.store.faults().holds_appends = true,
            18 => setup.store.release_appends(AppendFault::None),
            19 => {
                let how = [Fails(StoreError::Conflict), Fails(StoreError::DiskFull), Unanswered, Panics];
                setup.store.release_appends(how[random.roll(4) as usize]);
            }
            20 if random.roll(3) == 0 => crash(&mut setup, &mut people, random.roll(2) == 0).await,
            21 => setup.pass(Duration::from_secs(random.roll(70))).await,
            22 => ask(&setup, Command::Leave(member(who))),
            23 if random.roll(3) == 0 => drop(actix::spawn(kick(setup.rooms.clone(), who, random.roll(2) == 0))),
            24 => ask(&setup, Command::RetractAny(Seq(random.roll(60)))),
            25..=26 => {
                let (rooms, before) = (setup.rooms.clone(), Some(Seq(random.roll(60))).filter(|seq| seq.0 % 3 > 0));
                let asked =
                    actix::spawn(async move { rooms.view(room(1), Some(member(who)), before, 20).await.map(shown) });
                run_until_idle().await;
                if asked.is_finished() {
                    pages.push(format!("{:?}", asked.await.unwrap()));
                } else {
                    asked.abort();
                }
            }
            27..=29 => people[at].react(&mut random),
            30..=32 => at_the_door(&setup.rooms, &mut random, who),
            _ => {}
        }
        // What is on disk leaves memory, except for the lines that stay.
        setup.ask_to_make_way();
        if random.roll(3) > 0 {
            run_until_idle().await;
        }
        people.iter_mut().for_each(Browser::read);
    }
    setup.release(AppendFault::None).await;
    finish(std::slice::from_ref(&setup), &mut people).await;
    for before in (0..60).step_by(7) {
        for n in 0..PEOPLE {
            let before = Some(Seq(before)).filter(|seq| seq.0 > 0);
            pages.push(format!("{:?}", setup.rooms.view(room(1), Some(member(n)), before, 50).await.map(shown)));
        }
    }
    (people.into_iter().map(|person| person.received).chain([pages]).collect(), setup.store.faults().seen().picks)
}

/// The parts of a page that are compared.
fn shown(view: View) -> String {
    let View { members, lines, has_older, last, locked, .. } = view;
    let lines = serde_json::to_string(&lines).unwrap();
    format!("{members:?} {has_older} {last:?} {locked} {lines}")
}

/// Everybody who may come back does, and then all have seen the same lines.
pub(super) async fn finish(houses: &[RoomSetup], people: &mut [Browser]) {
    let setup = &houses[0];
    setup.pass(Duration::from_secs(30)).await;
    come_back(houses, people).await;
    // The next append finds an event that was written after its room had been given up. There
    // always is an append, because clients send again.
    if let Some(socket) = people.iter().find_map(|person| person.socket.as_ref()) {
        socket.post(9999).await;
    }
    come_back(houses, people).await;
    // Everybody was sent the list of active members by then, wherever they are.
    for house in houses {
        house.pass(Duration::from_secs(1)).await;
    }
    let log: BTreeMap<_, _> = setup.log().into_iter().map(|(seq, event)| (seq.0, event)).collect();
    let metadata = setup.store.rooms().by_id(room(1)).await.unwrap().unwrap();
    let terms = setup.rooms.services.terms(&metadata);
    let as_logged = Room::replay(terms, log.iter().map(|(seq, event)| (Seq(*seq), event)));
    let mut posted = BTreeSet::new();
    for event in log.values() {
        if let RoomEvent::Posted { seat, id, .. } = event {
            assert!(posted.insert((*seat, id.as_str())), "{id:?} is there twice");
        }
    }
    let ids: BTreeSet<_> = posted.iter().map(|(_, id)| (*id).to_owned()).collect();
    people.iter_mut().for_each(Browser::read);
    for person in people.iter() {
        let here = people.iter().filter(|other| other.socket.is_some());
        let here: BTreeSet<_> = here.map(|person| person.emoji.clone()).collect();
        assert!(person.socket.is_none() || person.active == here, "{:?} are here, not {:?}", here, person.active);
        assert!(person.order.is_sorted(), "out of order: {:?}", person.order);
        for (seq, shown) in &person.seen {
            match &log[seq] {
                RoomEvent::Posted { body: Body::Text(words), .. } => assert_eq!(words.as_str(), shown),
                RoomEvent::Posted { .. } => {}
                other => panic!("{shown} was shown where {other:?} is"),
            }
        }
        for seq in person.seen.keys().filter(|_| person.socket.is_some()) {
            let there = json!(reactions::to(&as_logged, Seq(*seq)));
            let shown = person.reactions.get(seq).cloned().unwrap_or_else(|| json!([]));
            assert_eq!(shown, there, "the reactions to {seq}");
        }
        assert!(person.acknowledged.is_subset(&ids), "an acknowledged message is lost");
        if person.socket.is_some() {
            let first = person.seen.keys().next().copied().unwrap_or(0);
            let posted = log.iter().filter(|(seq, event)| **seq >= first && matches!(event, RoomEvent::Posted { .. }));
            let missing: Vec<_> =
                posted.filter(|(seq, _)| !person.seen.contains_key(seq)).map(|(seq, _)| seq).collect();
            assert!(missing.is_empty() || person.seen.is_empty(), "never saw {missing:?}");
        }
    }
}

async fn come_back(houses: &[RoomSetup], people: &mut [Browser]) {
    for (who, person) in people.iter_mut().enumerate() {
        person.read();
        if person.socket.is_none() {
            person.house = who % houses.len();
        }
        let setup = &houses[person.house];
        let member = member(u8::try_from(who).unwrap());
        // The seat may have lapsed meanwhile.
        if person.socket.is_none()
            && let Ok(socket) = Guest::open(&setup.rooms, room(1), member).await
        {
            socket.connect(person.since.unwrap_or(0)).await;
            person.socket = Some(socket);
            // The call may have been dropped before it returned the emoji.
            if let Ok(emoji) = setup.rooms.seat(room(1), member).await {
                emoji.as_str().clone_into(&mut person.emoji);
            }
        }
    }
    run_until_idle().await;
}

pub(super) async fn enter(setup: &RoomSetup, random: &mut Random, who: u8, person: &mut Browser) {
    let (rooms, roll) = (setup.rooms.clone(), random.roll(1000));
    let opened = actix::spawn(async move {
        let emoji = match roll % 2 {
            0 => rooms.claim(room(1), member(who), roll, false).await?,
            _ => rooms.come_in(room(1), member(who), roll, false, (None, 10)).await?.0,
        };
        Ok::<_, RoomError>((emoji, Guest::open(&rooms, room(1), member(who)).await?))
    });
    run_until_idle().await;
    // While the disk is held there is no answer, and the call is dropped.
    if !opened.is_finished() {
        return opened.abort();
    }
    if let Ok((seat, socket)) = opened.await.unwrap() {
        seat.as_str().clone_into(&mut person.emoji);
        socket.send("event.connect", &[("since", person.since.unwrap_or(0).into())]);
        person.socket = Some(socket);
    }
}

/// Somebody knocks, or the creator answers somebody, or has newcomers knock or not.
pub(super) fn at_the_door(rooms: &Rooms, random: &mut Random, who: u8) {
    let (rooms, what, roll, admits) = (rooms.clone(), random.roll(9), random.roll(1000), random.roll(4) > 0);
    let knock = KnockId(u128::from(random.0).to_le_bytes());
    drop(actix::spawn(async move {
        match what {
            0 => rooms.command(room(1), Command::AskFirst(roll % 2 == 0)).await,
            1..=4 => rooms.knock(room(1), member(who), knock, roll).await.map(drop),
            _ => {
                for knock in rooms.knocks(room(1)).await?.knocks {
                    let knock = KnockId::try_from(&*knock.knock)?;
                    rooms.command(room(1), Command::AnswerKnock { knock, admits }).await?;
                }
                Ok(())
            }
        }
    }));
}

/// Sends a command, and doesn't wait for the answer.
pub(super) fn ask(setup: &RoomSetup, command: Command) {
    let rooms = setup.rooms.clone();
    drop(actix::spawn(async move { rooms.command(room(1), command).await }));
}

pub(super) async fn kick(rooms: Rooms, who: u8, with_messages: bool) {
    if let Ok(emoji) = rooms.seat(room(1), member(who)).await {
        let _ = rooms.command(room(1), Command::Kick { emoji, with_messages }).await;
    }
}

/// The process crashes. What it was writing may be on disk or not.
async fn crash(setup: &mut RoomSetup, people: &mut [Browser], is_written: bool) {
    people.iter_mut().for_each(Browser::lose_connection);
    setup.rooms.crash();
    setup.release(if is_written { Unanswered } else { Fails(StoreError::Unavailable) }).await;
    setup.store.release_appends(AppendFault::None);
    setup.rooms = setup.start();
}

impl Rooms {
    /// Forgets all actors, as a new process would.
    pub(super) fn crash(&self) {
        *self.registry.lock() = super::super::Registry::new(self.services.clock.moment());
    }
}
