//! Rooms full of members who chat: messages go out on time, and every one that
//! arrives is checked.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use futures_util::future::LocalBoxFuture;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::load::{
    CUT, ChatOutcome, Check, Delivery, Frame, GARBLED, MessageId, NetError, Outcome, Pace, Rate, STRANGE, Socket, Stop,
    Subject, clock, frames,
};
use crate::trouble::Fallible;

/// How long what is on its way may take when the time is up.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long to wait for missing messages after a fault.
const PATIENCE_AFTER_FAULT: Duration = Duration::from_secs(2);
/// How long to wait for missing messages after Ctrl-C.
const PATIENCE_WHEN_STOPPED: Duration = Duration::from_secs(1);
/// Where one connection is closed the others may be as well.
const AFTER_CUT: Duration = Duration::from_millis(300);
/// An open loop that is behind by less than this kept its rate.
const BEHIND: Duration = Duration::from_millis(100);
/// And by less than this share of the time it had.
const BEHIND_SHARE: f64 = 0.1;
/// What Annon answers to who sends more than it takes from one socket.
const TOO_FAST: &str = "sending too fast";
const LIMITED: &str =
    "the server limits how much one socket may send: start it with --sends-per-second 0, or give a --rate";

/// A member of a room, whose socket receives everything.
pub(crate) struct Member {
    pub(crate) socket: Rc<Socket>,
    /// How the others see it.
    pub(crate) face: String,
    pub(crate) cookie: String,
    /// The last place in the room's log when it came in.
    pub(crate) last_seq: u64,
}

/// Everybody who is connected: room after room, all of the same size.
pub(crate) struct Hall {
    pub(crate) rooms: Vec<String>,
    pub(crate) room_size: usize,
    pub(crate) members: Vec<Member>,
}

/// When messages are sent, and for how long.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Course {
    /// An open loop: so many a second over all rooms, whatever the server does.
    /// Latency counts from when a message should have been sent.
    pub(crate) rate: Option<Rate>,
    /// Otherwise each room has so many messages on their way, and sends the
    /// next when one has reached everybody: a server that stalls is asked less.
    pub(crate) in_flight: usize,
    /// Before the measuring.
    pub(crate) warm_up: Duration,
    pub(crate) length: Duration,
}

/// Has everybody chat, until the course is over or somebody ends it.
pub(crate) async fn run(hall: Hall, course: Course, subject: &Subject, stop: &Stop) -> Fallible<Outcome> {
    let rooms = 0..hall.rooms.len();
    let chat = Rc::new(Chat {
        pace: Pace::new(course.rate)?,
        is_open: course.rate.is_some(),
        permits: rooms.clone().map(|_| Semaphore::new(course.in_flight)).collect(),
        checks: RefCell::new(rooms.map(|room| Check::new(room, hall.room_size)).collect()),
        sends: Cell::new(0),
        is_ended: Cell::new(false),
        is_limited: Cell::new(false),
        hall,
    });
    let mut listeners = JoinSet::new();
    for at in 0..chat.hall.members.len() {
        listeners.spawn_local(chat.clone().listen(at));
    }
    let mut outcome = chat.pace.stage(course.warm_up, chat.senders(), subject, stop).await?;
    if !chat.is_ended.get() {
        chat.sends.set(0);
        outcome = chat.pace.stage(course.length, chat.senders(), subject, stop).await?;
    }
    let (sends, behind, elapsed) = (chat.sends.get(), chat.pace.behind().next(), chat.pace.elapsed());
    let behind = behind.filter(|behind| *behind > BEHIND && *behind > elapsed.mul_f64(BEHIND_SHARE));
    chat.drain(behind.is_some(), stop).await;
    listeners.shutdown().await;
    let mut tally = chat.pace.tally();
    let is_early = behind.is_some() || stop.check().is_err();
    let on_their_way = chat.checks.borrow().iter().map(|check| check.close(is_early, &mut tally.faults)).sum();
    // Who does not read in time is hung up on, which is no fault of the server's.
    let unmeasured = behind.map(|behind| {
        format!(
            "this program itself can't keep up with that rate here: it fell {:.1} s behind, and the server closed {} \
             connections that it did not read in time; ask for a lower --rate",
            behind.as_secs_f64(),
            tally.faults.excuse_cuts()
        )
    });
    let chat = ChatOutcome {
        sends,
        sends_per_second: sends as f64 / outcome.seconds,
        on_their_way,
        unmeasured: chat.is_limited.get().then(|| LIMITED.to_owned()).or(unmeasured),
    };
    Ok(Outcome { chat: Some(chat), ..outcome }.with(&tally))
}

struct Chat {
    hall: Hall,
    pace: Rc<Pace>,
    is_open: bool,
    /// For each room of a closed loop one permit for every message it may send.
    permits: Vec<Semaphore>,
    checks: RefCell<Vec<Check>>,
    sends: Cell<u64>,
    /// Nothing more can be measured.
    is_ended: Cell<bool>,
    /// A closed loop has met the server's limit on sends.
    is_limited: Cell<bool>,
}

impl Chat {
    /// What sends messages until a stage is over.
    fn senders(self: &Rc<Self>) -> Vec<LocalBoxFuture<'static, ()>> {
        if self.is_open {
            return vec![self.clone().send_when_due().boxed_local()];
        }
        (0..self.hall.rooms.len()).map(|room| self.clone().send_when_free(room).boxed_local()).collect()
    }

    /// In an open loop, one room after the other.
    async fn send_when_due(self: Rc<Self>) {
        for room in (0..self.hall.rooms.len()).cycle() {
            let Some(due) = self.pace.next().await else { return };
            self.send(room, due);
        }
    }

    /// In a closed loop, where the next message follows the last.
    async fn send_when_free(self: Rc<Self>, room: usize) {
        loop {
            let permit = tokio::select! {
                permit = self.permits[room].acquire() => permit,
                () = self.pace.ended() => return,
            };
            let (Ok(permit), Some(due)) = (permit, self.pace.next().await) else { return };
            permit.forget();
            self.send(room, due);
        }
    }

    /// Sends a message in a room, from one member after the other.
    fn send(&self, room: usize, due: Instant) {
        let number = self.checks.borrow()[room].next;
        let member = number as usize % self.hall.room_size;
        let frame = frames::chat(&self.hall.rooms[room], MessageId { room, member, number }, &frames::words(number));
        let at = room * self.hall.room_size + member;
        match self.hall.members[at].socket.send(&frame) {
            // It counts as late as the stage can still make it.
            Ok(false) => {
                let mut tally = self.pace.tally();
                tally.untaken += 1;
                tally.record((self.pace.begun.get() + self.pace.length.get()).saturating_duration_since(due));
            }
            sent => {
                self.checks.borrow_mut()[room].send(due);
                self.sends.update(|sends| sends + 1);
                if let Err(error) = sent {
                    self.cut(at, &error);
                }
            }
        }
    }

    async fn listen(self: Rc<Self>, at: usize) {
        let error = self.hall.members[at].socket.receive_all(|text| self.receive(at, text)).await;
        self.cut(at, &error);
    }

    fn cut(&self, at: usize, why: &NetError) {
        self.pace.fault(CUT, || format!("connection {at}: {why}"));
        self.end();
    }

    fn end(&self) {
        self.is_ended.set(true);
        self.pace.end();
    }

    fn receive(&self, at: usize, text: &str) {
        let (room, member) = (at / self.hall.room_size, at % self.hall.room_size);
        let same = self.checks.borrow_mut()[room].receive_same(member, text);
        let Some(Delivery { due, is_complete }) = same.or_else(|| self.understand(room, member, text)) else { return };
        let mut tally = self.pace.tally();
        tally.done += 1;
        // Later when it was sent in the warm-up.
        if due >= self.pace.begun.get() {
            tally.record(clock::now().saturating_duration_since(due));
        }
        if is_complete {
            self.permits[room].add_permits(1);
        }
    }

    /// What is not the same as another member has received: a message's first
    /// copy, or something else.
    fn understand(&self, room: usize, member: usize, text: &str) -> Option<Delivery> {
        let (size, mut checks) = (self.hall.room_size, self.checks.borrow_mut());
        let at = room * size + member;
        let odd = || self.pace.fault(STRANGE, || format!("connection {at} received: {text}"));
        let Ok(frame) = serde_json::from_str::<Frame<'_>>(text) else {
            odd();
            return None;
        };
        match (frame.event, frame.id.map(MessageId::parse), frame.sender) {
            ("event.chat", Some(Some(id)), Some(sender)) if id.room == room && id.member < size => {
                let is_right = frame.message == frames::words(id.number)
                    && id.number as usize % size == id.member
                    && sender == self.hall.members[room * size + id.member].face;
                let faults = &mut self.pace.tally().faults;
                if !is_right {
                    faults.add(GARBLED, 1, || text.to_owned());
                }
                return checks[room].receive(member, id.number, frame.seq, text, faults);
            }
            ("event.error", id, _) => {
                let id = id.flatten();
                if id.is_none_or(|id| id.room == room && checks[room].refuse(id.number)) {
                    // A closed loop that sends on at once is soon disconnected,
                    // and rightly.
                    if frame.message.contains(TOO_FAST) && !self.is_open {
                        self.is_limited.set(true);
                        self.end();
                    }
                    self.pace.tally().fail(frame.message);
                    self.permits[room].add_permits(1);
                }
            }
            ("event.closed", ..) => {
                let code = frame.code.unwrap_or("without a code");
                self.cut(at, &NetError::Closed(format!("the group has ended: {code}")));
            }
            ("event.notify" | "event.ready" | "event.active-users" | "event.typing" | "event.image", ..) => {}
            _ => odd(),
        }
        None
    }

    /// Waits for what is still on its way.
    async fn drain(&self, is_hopeless: bool, stop: &Stop) {
        let begun = clock::now();
        loop {
            let is_all_here = self.checks.borrow().iter().all(|check| check.open() == 0);
            let (is_wrong, is_cut) = {
                let faults = &self.pace.tally().faults;
                (faults.count() > 0, faults.count_of(CUT) > 0)
            };
            let patience = match (stop.check().is_err(), is_wrong || is_hopeless) {
                (true, _) => PATIENCE_WHEN_STOPPED,
                (false, true) => PATIENCE_AFTER_FAULT,
                (false, false) => PATIENCE,
            };
            let waited = begun.elapsed();
            if waited >= patience || is_all_here && (!is_cut || waited >= AFTER_CUT) {
                return;
            }
            sleep(Duration::from_millis(20)).await;
        }
    }
}
