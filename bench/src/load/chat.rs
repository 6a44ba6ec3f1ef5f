//! Rooms full of members who chat: messages are sent on time, and every delivery is checked.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant};

use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::load::{
    CUT, Check, Delivery, Frame, GARBLED, MessageId, NetError, Pace, PerSecond, ReactFrame, Reacting, STRANGE, Socket,
    StageOutcome, Stop, Subject, clock, frames,
};
use crate::trouble::Fallible;

/// How long messages may take to arrive after the end of a stage.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long they may take after a fault or Ctrl-C.
const SHORT_PATIENCE: Duration = Duration::from_secs(2);
/// An open loop that is behind by less than this kept its rate.
const BEHIND: Duration = Duration::from_millis(100);
/// An open loop may also be behind by this share of its time.
const BEHIND_SHARE: f64 = 0.1;
/// Annon's refusal when one socket sends too fast.
const TOO_FAST: &str = "sending too fast";
const LIMITED: &str =
    "the server limits how much one socket may send: start it with --sends-per-second 0, or give a --rate";

/// A member of a room, whose socket receives everything.
pub(crate) struct Member {
    pub(crate) socket: Rc<Socket>,
    /// The emoji by which the other members see this one.
    pub(crate) emoji: String,
    pub(crate) cookie: String,
    /// The last place in the room's log when the member connected.
    pub(crate) last_seq: u64,
}

/// The connected members: room after room, all of the same size.
pub(crate) struct ConnectedMembers {
    pub(crate) rooms: Vec<String>,
    pub(crate) room_size: usize,
    pub(crate) members: Vec<Member>,
}

/// When messages are sent, and for how long.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ChatSchedule {
    /// An open loop sends this many messages a second over all rooms, whatever the server does. A
    /// latency counts from when the message was due.
    pub(crate) rate: Option<PerSecond>,
    /// A closed loop has this many messages on their way in each room, and sends the next when one
    /// has reached every member: a server that stalls is asked less.
    pub(crate) in_flight: usize,
    /// Reactions that follow each message, if there is place for them on it.
    pub(crate) reactions: usize,
    /// What the message with this number says.
    pub(crate) words: fn(u32) -> String,
    /// Chats before the measuring.
    pub(crate) warm_up: Duration,
    pub(crate) length: Duration,
}

/// Lets all members chat until the stage is over or the run is stopped.
pub(crate) async fn run(
    connected: ConnectedMembers,
    schedule: ChatSchedule,
    subject: &Subject,
    stop: &Stop,
) -> Fallible<StageOutcome> {
    let rooms = 0..connected.rooms.len();
    let chat = Rc::new(ChatStage {
        pace: Pace::new(schedule.rate)?,
        checks: RefCell::new(rooms.clone().map(|room| Check::new(room, connected.room_size)).collect()),
        reacting: RefCell::new(rooms.map(|_| Reacting::default()).collect()),
        sends: Cell::new(0),
        is_ended: Cell::new(false),
        is_limited: Cell::new(false),
        connected,
        schedule,
    });
    let mut listeners = JoinSet::new();
    for at in 0..chat.connected.members.len() {
        listeners.spawn_local(chat.clone().listen(at));
    }
    let mut outcome = chat.pace.stage(schedule.warm_up, [chat.clone().send_messages()], subject, stop).await?;
    if !chat.is_ended.get() {
        chat.sends.set(0);
        outcome = chat.pace.stage(schedule.length, [chat.clone().send_messages()], subject, stop).await?;
    }
    let (sends, behind, elapsed) = (chat.sends.get(), chat.pace.behind().next(), chat.pace.elapsed());
    let behind = behind.filter(|behind| *behind > BEHIND && *behind > elapsed.mul_f64(BEHIND_SHARE));
    chat.drain(behind.is_some(), stop).await;
    listeners.shutdown().await;
    let mut counts = chat.pace.counts();
    let is_early = behind.is_some() || stop.check().is_err();
    let on_their_way = chat.checks.borrow().iter().map(|check| check.close(is_early, &mut counts.faults)).sum();
    // The server closes connections that read too slowly, which is not its fault.
    let unmeasured = behind.map(|behind| {
        format!(
            "this program itself can't keep up with that rate here: it fell {:.1} s behind, and the server closed {} \
             connections that it did not read in time; ask for a lower --rate",
            behind.as_secs_f64(),
            counts.faults.excuse_cuts()
        )
    });
    let sends_per_second = Some(sends as f64 / outcome.seconds);
    let unmeasured = chat.is_limited.get().then(|| LIMITED.to_owned()).or(unmeasured);
    Ok(StageOutcome { sends_per_second, on_their_way, unmeasured, ..outcome }.with(&counts))
}

struct ChatStage {
    connected: ConnectedMembers,
    schedule: ChatSchedule,
    pace: Rc<Pace>,
    checks: RefCell<Vec<Check>>,
    reacting: RefCell<Vec<Reacting>>,
    sends: Cell<u64>,
    /// Nothing more can be measured.
    is_ended: Cell<bool>,
    /// A closed loop has reached the server's limit on sends.
    is_limited: Cell<bool>,
}

impl ChatStage {
    /// Sends messages until the stage is over: an open loop in one room after the other, a closed
    /// loop whenever a message has reached every member.
    async fn send_messages(self: Rc<Self>) {
        let rooms = 0..self.connected.rooms.len();
        if self.schedule.rate.is_none() {
            rooms.for_each(|room| self.send_next(room));
            return self.pace.ended().await;
        }
        for room in rooms.cycle() {
            let Some(due) = self.pace.next().await else { return };
            self.send(room, due);
        }
    }

    /// In a closed loop, sends the messages that a room may still have on their way.
    fn send_next(&self, room: usize) {
        let is_due = || {
            let is_going_on = self.schedule.rate.is_none() && !self.pace.is_over();
            is_going_on && self.checks.borrow()[room].open() < self.schedule.in_flight
        };
        while is_due() && self.send(room, clock::now()) {}
    }

    /// Sends a message in a room; its members take turns. Returns false if too much waits in the
    /// member's socket.
    fn send(&self, room: usize, due: Instant) -> bool {
        let number = self.checks.borrow()[room].next;
        let member = number as usize % self.connected.room_size;
        let at = room * self.connected.room_size + member;
        let id = &self.connected.rooms[room];
        let is_reaction = !(number as usize).is_multiple_of(self.schedule.reactions + 1);
        let emoji = &self.connected.members[at].emoji;
        let reaction = is_reaction.then(|| self.reacting.borrow_mut()[room].next(emoji, number)).flatten();
        let frame = match reaction {
            Some((message, sign)) => frames::react(id, message, sign),
            None => frames::chat(id, MessageId { room, number }, &(self.schedule.words)(number)),
        };
        match self.connected.members[at].socket.send(&frame) {
            // Its latency is the longest that the stage can still measure.
            Ok(false) => {
                let mut counts = self.pace.counts();
                counts.untaken += 1;
                counts.record((self.pace.begun.get() + self.pace.length.get()).saturating_duration_since(due));
                false
            }
            sent => {
                self.checks.borrow_mut()[room].send(due);
                self.sends.update(|sends| sends + 1);
                if let Err(error) = sent {
                    self.cut(at, &error);
                }
                true
            }
        }
    }

    async fn listen(self: Rc<Self>, at: usize) {
        let error = self.connected.members[at].socket.receive_all(|text| self.receive(at, text)).await;
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
        let (room, member) = (at / self.connected.room_size, at % self.connected.room_size);
        let same = self.checks.borrow_mut()[room].receive_same(member, text);
        let delivery = same.or_else(|| self.understand(room, member, text));
        let Some(Delivery { due, is_complete }) = delivery else { return self.send_next(room) };
        let mut counts = self.pace.counts();
        counts.done += 1;
        // Messages of the warm-up are not measured.
        if due >= self.pace.begun.get() {
            counts.record(clock::now().saturating_duration_since(due));
        }
        drop(counts);
        if is_complete {
            self.send_next(room);
        }
    }

    /// Reads a frame that is not the text which another member has received: a message's first
    /// copy, or something else.
    fn understand(&self, room: usize, member: usize, text: &str) -> Option<Delivery> {
        let (size, mut checks) = (self.connected.room_size, self.checks.borrow_mut());
        let at = room * size + member;
        let odd = || self.pace.fault(STRANGE, || format!("connection {at} received: {text}"));
        if self.schedule.reactions > 0
            && let Ok(reaction) = serde_json::from_str::<ReactFrame<'_>>(text)
        {
            let Some(number) = self.reacting.borrow()[room].number(&reaction) else {
                odd();
                return None;
            };
            let faults = &mut self.pace.counts().faults;
            return checks[room].receive(member, number, Some(reaction.seq), text, faults);
        }
        let Ok(frame) = serde_json::from_str::<Frame<'_>>(text) else {
            odd();
            return None;
        };
        match (frame.event, frame.id.map(MessageId::parse), frame.sender) {
            ("event.chat", Some(Some(id)), Some(sender)) if id.room == room => {
                let expected = &self.connected.members[room * size + id.number as usize % size];
                let is_right = frame.message == (self.schedule.words)(id.number) && sender == expected.emoji;
                let faults = &mut self.pace.counts().faults;
                if !is_right {
                    faults.add(GARBLED, 1, || text.to_owned());
                }
                self.reacting.borrow_mut()[room].newest = frame.seq;
                return checks[room].receive(member, id.number, frame.seq, text, faults);
            }
            ("event.error", id, _) => {
                let id = id.flatten();
                if id.is_none_or(|id| id.room == room && checks[room].refuse(id.number)) {
                    // The server soon disconnects a closed loop that goes on sending, and is right
                    // to do so.
                    if frame.message.contains(TOO_FAST) && self.schedule.rate.is_none() {
                        self.is_limited.set(true);
                        self.end();
                    }
                    self.pace.counts().fail(frame.message);
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

    /// Waits for the messages that are still on their way.
    async fn drain(&self, is_hopeless: bool, stop: &Stop) {
        let begun = clock::now();
        loop {
            let is_all_here = self.checks.borrow().iter().all(|check| check.open() == 0);
            let is_cut = self.pace.counts().faults.count_of(CUT) > 0;
            let is_hopeless = is_hopeless || stop.check().is_err() || self.pace.counts().faults.count() > 0;
            let patience = if is_hopeless { SHORT_PATIENCE } else { PATIENCE };
            // Where one connection is closed, others may be closed as well.
            if begun.elapsed() >= patience || is_all_here && !is_cut {
                return;
            }
            sleep(Duration::from_millis(20)).await;
        }
    }
}
