//! A member of a group, who does what the web app does: connects again after each loss with what is
//! known, waits longer each time, and sends again what was not echoed.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::time::sleep;

use crate::load::{
    Address, CUT, ChatMessage, Client, DISORDERED, DOUBLED, GARBLED, MessageId, NetError, STRANGE, Socket, Who, clock,
    frames,
};
use crate::scenarios::cluster::chaos::{Chaos, Trial};

/// The web app's first and its longest wait before it connects again.
const FIRST_WAIT: Duration = Duration::from_millis(500);
const LONGEST_WAIT: Duration = Duration::from_secs(20);
/// From this code on a client doesn't connect again.
const FINAL_FROM: u16 = 4400;
/// How long a message waits after the server refused it, as if somebody pressed "try again".
const AGAIN: Duration = Duration::from_secs(1);
/// The most members of a group.
pub(super) const SEATS: usize = 10;

/// A message of this member.
pub(super) struct Sent {
    pub(super) begun: Instant,
    pub(super) during: Trial,
    /// Its place in the log, and when it was echoed.
    pub(super) echoed: Option<(u64, Instant)>,
}

pub(super) struct Member {
    pub(super) room: usize,
    pub(super) seat: usize,
    pub(super) emoji: String,
    pub(super) cookie: String,
    /// The last place of the log that it knows.
    known: Cell<u64>,
    /// Until here the log was read in pages.
    loaded: Cell<u64>,
    /// The chat as it was received: places, and what stood there.
    pub(super) received: RefCell<Vec<(u64, u64)>>,
    pub(super) sent: RefCell<BTreeMap<u32, Sent>>,
    waiting: RefCell<BTreeSet<u32>>,
    /// Who is shown as active.
    pub(super) here: RefCell<Vec<String>>,
    /// The node it is connected to.
    pub(super) at: Cell<Option<usize>>,
    socket: RefCell<Option<Rc<Socket>>>,
    /// When it lost its socket, and in which trial.
    lost: Cell<Option<(Instant, Trial)>>,
    failures: Cell<u32>,
    /// Whether it may connect. A test of ghosts keeps it away.
    pub(super) is_away: Cell<bool>,
}

impl Member {
    pub(super) fn new(room: usize, seat: usize, emoji: String, cookie: String) -> Self {
        Self {
            room,
            seat,
            emoji,
            cookie,
            known: Cell::default(),
            loaded: Cell::default(),
            received: RefCell::default(),
            sent: RefCell::default(),
            waiting: RefCell::default(),
            here: RefCell::default(),
            at: Cell::default(),
            socket: RefCell::default(),
            lost: Cell::default(),
            failures: Cell::default(),
            is_away: Cell::default(),
        }
    }

    /// Whether it is connected, and all that it has sent was echoed.
    pub(super) fn is_at_rest(&self) -> bool {
        self.is_there() && self.waiting.borrow().is_empty()
    }

    pub(super) fn is_there(&self) -> bool {
        self.socket.borrow().is_some()
    }

    /// Sends messages until the run is over.
    pub(super) async fn talk(self: Rc<Self>, chaos: Rc<Chaos>) {
        let pause = chaos.each_sends_every;
        loop {
            sleep(chaos.chance.between(pause / 2, pause * 3 / 2)).await;
            if chaos.is_over.get() {
                return;
            }
            // Numbers of different members differ.
            let number = ((self.seat as u32) << 24) + self.sent.borrow().len() as u32;
            self.sent.borrow_mut().insert(number, Sent { begun: clock::now(), during: chaos.now.get(), echoed: None });
            self.waiting.borrow_mut().insert(number);
            chaos.sends(MessageId { room: self.room, number }, self.seat, self.at.get());
            if let Some(socket) = &*self.socket.borrow() {
                self.send(socket, number, &chaos);
            }
        }
    }

    fn send(&self, socket: &Rc<Socket>, number: u32, chaos: &Chaos) {
        let id = MessageId { room: self.room, number };
        // An error is noticed where frames are received.
        let _ = socket.send(&frames::chat(&chaos.rooms[self.room], id, &frames::words(number)));
    }

    /// Stays connected until the server says that it may not.
    pub(super) async fn stay(self: Rc<Self>, chaos: Rc<Chaos>) {
        loop {
            while self.is_away.get() {
                sleep(Duration::from_millis(50)).await;
                // It comes back when it wants to.
                self.lost.set(None);
            }
            if let Some((node, address)) = chaos.nodes.of(self.room) {
                let Err(why) = self.visit(node, address, &chaos).await;
                self.socket.take();
                self.at.set(None);
                if self.lost.get().is_none() {
                    self.lost.set(Some((clock::now(), chaos.now.get())));
                }
                if let Some(sentence) = is_final(&why) {
                    return chaos.fault(CUT, || format!("member {} of room {}: {sentence}", self.seat, self.room));
                }
            }
            let longest = (FIRST_WAIT * 2_u32.pow(self.failures.get().min(8))).min(LONGEST_WAIT);
            self.failures.update(|failures| failures + 1);
            sleep(chaos.chance.between(longest / 2, longest)).await;
        }
    }

    async fn visit(
        self: &Rc<Self>,
        node: usize,
        address: Address,
        chaos: &Rc<Chaos>,
    ) -> Result<std::convert::Infallible, NetError> {
        let room = &chaos.rooms[self.room];
        let since = Some(self.known.get()).filter(|seq| *seq > 0);
        let socket = Socket::open(address, &format!("/api/room/{room}/socket"), Who::Seat(&self.cookie)).await?;
        socket.send(&frames::connect(room, since))?;
        self.at.set(Some(node));
        loop {
            let text = socket.receive().await?;
            self.failures.set(0);
            let frame: Value = serde_json::from_str(&text).unwrap_or_default();
            if frame["event"] != "event.ready" {
                self.hear(&frame, &socket, chaos);
                continue;
            }
            let last = frame["last_seq"].as_u64().unwrap_or_default();
            if since.is_none() {
                self.known.set(last);
            } else if frame["resumed"] != true {
                let lines = Client::new(address).room_since(room, &self.cookie, self.known.get()).await;
                let lines = lines.map_err(|trouble| NetError::Because(trouble.to_string()))?;
                lines.iter().for_each(|line| self.hear(line, &socket, chaos));
                self.known.set(self.known.get().max(last));
                self.loaded.set(self.known.get());
            }
            if let Some((lost, during)) = self.lost.take() {
                chaos.came_back(during, lost.elapsed());
            }
            self.waiting.borrow().iter().for_each(|number| self.send(&socket, *number, chaos));
            *self.socket.borrow_mut() = Some(socket.clone());
        }
    }

    fn hear(self: &Rc<Self>, frame: &Value, socket: &Rc<Socket>, chaos: &Rc<Chaos>) {
        let where_from = || format!("member {} of room {} received {frame}", self.seat, self.room);
        if let Some(seq) = frame["seq"].as_u64() {
            if seq <= self.loaded.get() && seq <= self.known.get() {
                return;
            }
            if seq <= self.known.get() && self.is_own_echo(frame, seq) {
                // What was sent again and had arrived is echoed again.
                return;
            }
            if seq <= self.known.get() {
                chaos.fault(DISORDERED, where_from);
            }
            self.known.set(seq.max(self.known.get()));
        }
        match frame["event"].as_str().unwrap_or_default() {
            // What was taken back meanwhile has no words.
            "event.chat" if frame["unsent"] == true => {}
            "event.chat" => {
                let [message] = &frames::messages(std::slice::from_ref(frame))[..] else { return };
                self.hear_message(message, chaos);
            }
            "event.error" => {
                chaos.refused(frame["message"].as_str().unwrap_or("without a word"));
                let number = frame["id"].as_str().and_then(MessageId::parse).map(|id| id.number);
                if let Some(number) = number.filter(|number| self.waiting.borrow().contains(number)) {
                    let (this, socket, chaos) = (self.clone(), socket.clone(), chaos.clone());
                    tokio::task::spawn_local(async move {
                        sleep(AGAIN).await;
                        if this.waiting.borrow().contains(&number) {
                            this.send(&socket, number, &chaos);
                        }
                    });
                }
            }
            "event.active-users" => {
                let here: Vec<_> = frame["active_users"].as_array().into_iter().flatten().cloned().collect();
                let here: Vec<_> = here.iter().filter_map(Value::as_str).map(str::to_owned).collect();
                if here.len() > SEATS {
                    chaos.fault(STRANGE, where_from);
                }
                *self.here.borrow_mut() = here;
            }
            "event.closed" => chaos.fault(CUT, where_from),
            "event.notify" | "event.typing" | "event.unsend" => {}
            _ => chaos.fault(STRANGE, where_from),
        }
    }

    /// Whether this is the echo of a message of its own that was echoed at this place before.
    fn is_own_echo(&self, frame: &Value, seq: u64) -> bool {
        let id = frame["id"].as_str().and_then(MessageId::parse);
        let sent = self.sent.borrow();
        let echoed = id.and_then(|id| sent.get(&id.number)?.echoed);
        frame["sender"] == *self.emoji && echoed.is_some_and(|(before, _)| before == seq)
    }

    fn hear_message(&self, message: &ChatMessage, chaos: &Chaos) {
        self.received.borrow_mut().push((message.seq, digest(message)));
        let id = MessageId::parse(&message.id).filter(|id| id.room == self.room);
        let Some(id) = id.filter(|id| message.message == frames::words(id.number)) else {
            return chaos.fault(GARBLED, || format!("{message:?}"));
        };
        if message.sender != self.emoji {
            return chaos.arrived(id, self.at.get());
        }
        self.waiting.borrow_mut().remove(&id.number);
        match self.sent.borrow_mut().get_mut(&id.number) {
            Some(Sent { echoed: Some((seq, _)), .. }) => {
                chaos.fault(DOUBLED, || format!("{message:?}, which stood at {seq} before"));
            }
            Some(sent) => {
                let now = clock::now();
                chaos.echoed(id, message.seq, sent.during, now - sent.begun);
                sent.echoed = Some((message.seq, now));
            }
            None => chaos.fault(STRANGE, || format!("{message:?}, which was never sent")),
        }
    }
}

pub(super) fn digest(message: &ChatMessage) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&message.id, &message.sender, &message.message).hash(&mut hasher);
    hasher.finish()
}

/// Statuses that pass: the address asks too often, or the request took too long to arrive.
const PASSING: [u16; 2] = [408, 429];

/// Why a member may not come back, if the server says so.
fn is_final(why: &NetError) -> Option<String> {
    let is_no = match why {
        NetError::Closed(goodbye) => goodbye.split(' ').next()?.parse::<u16>().is_ok_and(|code| code >= FINAL_FROM),
        NetError::Refused(status) => (400..500).contains(status) && !PASSING.contains(status),
        NetError::Because(_) => false,
    };
    is_no.then(|| why.to_string())
}
