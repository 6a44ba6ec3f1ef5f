//! Rooms full of members who talk: messages go out on time, and every one
//! that arrives is checked.

use std::cell::{Cell, RefCell, RefMut};
use std::convert::Infallible;
use std::rc::Rc;
use std::time::{Duration, Instant};

use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::{sleep, sleep_until};

use crate::load::chat::talk::Talk;
use crate::load::check::Delivery;
use crate::load::clock;
use crate::load::faults::{CUT, GARBLED};
use crate::load::frames::{self, MessageId, ServerFrame};
use crate::load::http::NetError;
use crate::load::outcome::{ChatOutcome, Outcome, Overload};
use crate::load::pace::{Pace, Rate};
use crate::load::process::{Cost, each};
use crate::load::socket::Socket;
use crate::load::stop::Stop;
use crate::load::subject::Subject;
use crate::report::view::watched;
use crate::trouble::Fallible;

mod talk;

pub(crate) use talk::Tick;

/// How long what is on its way may take when the time is up.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long to wait for missing messages after a fault.
const PATIENCE_AFTER_FAULT: Duration = Duration::from_secs(2);
/// How long to wait for missing messages after Ctrl-C.
const PATIENCE_WHEN_STOPPED: Duration = Duration::from_secs(1);
/// Where one connection is closed the others may be as well.
const AFTER_CUT: Duration = Duration::from_millis(300);
const SECOND: Duration = Duration::from_secs(1);
/// What a second may be short of.
const NEARLY: Duration = Duration::from_millis(100);
/// What Annon says to who sends more than it takes from one socket.
const TOO_FAST: &str = "sending too fast";

/// A member of a room, who has said that it wants to hear everything.
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
    pub(crate) members: usize,
    pub(crate) seats: Vec<Member>,
}

/// When a room sends its next message.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Flow {
    /// Each room has so many messages on their way, and sends the next when
    /// one has reached everybody: a server that stalls is asked less.
    Closed { in_flight: usize },
    /// So many a second over all rooms, whatever the server does. Latency
    /// counts from when a message should have been sent.
    Open(Rate),
}

/// The course of a stage.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Course {
    pub(crate) flow: Flow,
    /// Before the measuring.
    pub(crate) warm_up: Duration,
    pub(crate) length: Duration,
}

/// Has everybody talk, until the course is over or somebody ends it.
pub(crate) async fn run(hall: Hall, course: Course, subject: &Subject, stop: &Stop) -> Fallible<Outcome> {
    let whole = course.warm_up + course.length;
    let pace = match course.flow {
        Flow::Open(rate) => Some(Pace::new(whole, Some(rate))?),
        Flow::Closed { .. } => None,
    };
    let chat = Chat::new(hall, course);
    let begun = clock::now();
    let told = || (begun.elapsed().as_secs_f64() / whole.as_secs_f64(), chat.talk().line());
    let work = chat.clone().course(begun, pace.as_deref(), subject, stop);
    Ok(watched(work, told).await)
}

struct Chat {
    hall: Hall,
    course: Course,
    is_sending: Cell<bool>,
    /// Told when nothing more is to be sent.
    ended: Notify,
    talk: RefCell<Talk>,
}

impl Chat {
    fn new(hall: Hall, course: Course) -> Rc<Self> {
        let talk = Talk::new(hall.rooms.len(), hall.members);
        Rc::new(Self { hall, course, is_sending: Cell::new(true), ended: Notify::new(), talk: RefCell::new(talk) })
    }

    fn talk(&self) -> RefMut<'_, Talk> {
        self.talk.borrow_mut()
    }

    async fn course(self: Rc<Self>, begun: Instant, pace: Option<&Pace>, subject: &Subject, stop: &Stop) -> Outcome {
        let mut listeners = JoinSet::new();
        for at in 0..self.hall.seats.len() {
            listeners.spawn_local(self.clone().listen(at));
        }
        let first = begun + self.course.warm_up;
        let end = first + self.course.length;
        self.talk().window = (first, end);
        let measuring = async {
            self.wait_until(first).await;
            self.talk().begin();
            let (before, measured_from) = (Cost::now(subject.pid), clock::now());
            for second in 1.. {
                let over = self.wait_until(end.min(measured_from + second * SECOND)).await;
                // The last second has been one, but for what came in between.
                if clock::now() + NEARLY >= measured_from + second * SECOND {
                    self.talk().tick();
                }
                if over || clock::now() >= end {
                    break;
                }
            }
            (Cost::now(subject.pid).since(before), measured_from.elapsed().as_secs_f64())
        };
        let sending = async {
            match (self.course.flow, pace) {
                (Flow::Closed { in_flight }, _) => {
                    (0..self.hall.rooms.len())
                        .for_each(|room| (0..in_flight).for_each(|_| self.send(room, clock::now())));
                }
                (_, Some(pace)) => self.send_when_due(pace).await,
                _ => {}
            }
            std::future::pending::<Infallible>().await
        };
        let stopped = async {
            stop.asked().await;
            self.end();
            std::future::pending::<Infallible>().await
        };
        let (cost, seconds) = tokio::select! {
            measured = measuring => measured,
            never = sending => match never {},
            never = stopped => match never {},
        };
        self.end();
        let is_cut_short = stop.check().is_err() && clock::now() < end;
        let Talk { sends: (sends, _), deliveries: (done, _), .. } = *self.talk();
        let overload = pace.and_then(|pace| {
            let late: Vec<_> = pace.behind().collect();
            Overload::of(pace.elapsed(), late.first().copied().unwrap_or_default(), late.len() as u64)
        });
        self.drain(overload.is_some(), stop).await;
        listeners.shutdown().await;
        let mut talk = self.talk();
        let (mut faults, unheard) = talk.close(overload.is_some() || stop.check().is_err());
        let overload = overload.map(|overload| Overload { closed: faults.excuse_cuts(), ..overload });
        let (rate, in_flight) = match self.course.flow {
            Flow::Open(rate) => (Some(rate.0), None),
            Flow::Closed { in_flight } => (None, Some(in_flight)),
        };
        let chat = ChatOutcome {
            rate,
            in_flight,
            sends,
            sends_per_second: sends as f64 / seconds,
            unheard,
            overload,
            is_limited: talk.is_limited,
            wrong: faults.count(),
            faults,
            ticks: std::mem::take(&mut talk.ticks),
        };
        Outcome {
            seconds,
            cut_short_of: is_cut_short.then_some(self.course.length.as_secs_f64()),
            done,
            done_per_second: done as f64 / seconds,
            latency: talk.latencies.1.summary(),
            failed: talk.refused(),
            failures: std::mem::take(&mut talk.refusals),
            behind: talk.untaken,
            server_cpu_each: each(cost.server, done),
            own_cpu_each: each(cost.own, done),
            server_cpu_percent: cost.server_percent(seconds),
            own_lateness: pace.and_then(Pace::own_lateness),
            chat: Some(chat),
        }
    }

    /// Waits until then, or until it is to end. Whether it is.
    async fn wait_until(&self, moment: Instant) -> bool {
        if self.is_sending.get() {
            tokio::select! {
                () = sleep_until(moment.into()) => {}
                () = self.ended.notified() => {}
            }
        }
        !self.is_sending.get()
    }

    /// Nothing more is sent.
    fn end(&self) {
        self.is_sending.set(false);
        self.ended.notify_waiters();
    }

    async fn send_when_due(&self, pace: &Pace) {
        let mut room = 0;
        while let Some(turn) = pace.next().await {
            if !self.is_sending.get() {
                break;
            }
            self.send(room, turn.due);
            room = (room + 1) % self.hall.rooms.len();
        }
    }

    /// Says something in a room. It is its next member's turn.
    fn send(&self, room: usize, due: Instant) {
        let mut talk = self.talk();
        let number = talk.checks[room].next();
        let member = number as usize % self.hall.members;
        let mut frame = std::mem::take(&mut talk.frame);
        frame.clear();
        let (id, words) = (MessageId { room, member, number }, frames::words(number));
        frames::compose(&self.hall.rooms[room], id, &words, &mut frame);
        let at = room * self.hall.members + member;
        match self.hall.seats[at].socket.say(&frame) {
            // As late as it can still be told it is.
            Ok(false) => {
                talk.untaken += 1;
                let end = talk.window.1;
                talk.record(due, end);
            }
            said => {
                talk.checks[room].send(due);
                talk.sends.0 += 1;
                if let Err(error) = said {
                    self.cut(&mut talk, at, &error);
                }
            }
        }
        talk.frame = frame;
    }

    async fn listen(self: Rc<Self>, at: usize) {
        let socket = &self.hall.seats[at].socket;
        let error = socket.hear_all(|text| self.hear(at, text)).await;
        self.cut(&mut self.talk(), at, &error);
    }

    fn cut(&self, talk: &mut Talk, at: usize, why: &NetError) {
        talk.faults.add(CUT, 1, || format!("connection {at}: {why}"));
        self.end();
    }

    fn hear(&self, at: usize, text: &str) {
        let (room, member) = (at / self.hall.members, at % self.hall.members);
        let mut talk = self.talk();
        let delivery = match talk.checks[room].hear_same(member, text) {
            Some(delivery) => Some(delivery),
            None => self.understand(&mut talk, room, member, text),
        };
        let is_complete = delivery.is_some_and(|delivery| {
            talk.deliveries.0 += 1;
            talk.record(delivery.due, clock::now());
            delivery.is_complete
        });
        drop(talk);
        if is_complete {
            self.send_next(room);
        }
    }

    /// In a closed loop the next message follows the last.
    fn send_next(&self, room: usize) {
        if self.is_sending.get() && matches!(self.course.flow, Flow::Closed { .. }) {
            self.send(room, clock::now());
        }
    }

    /// What is not the same as somebody else has heard: a message's first
    /// copy, or something else.
    fn understand(&self, talk: &mut Talk, room: usize, member: usize, text: &str) -> Option<Delivery> {
        let at = room * self.hall.members + member;
        match frames::understand(text) {
            ServerFrame::Noise => {}
            ServerFrame::Ended(why) => self.cut(talk, at, &NetError::Goodbye(format!("the group has ended: {why}"))),
            ServerFrame::Odd => talk.odd(at, text),
            ServerFrame::Refused { id, why } => {
                let id = id.and_then(MessageId::parse);
                if id.is_none_or(|id| id.room == room && talk.checks[room].refuse(id.number)) {
                    // It was never said to anybody.
                    talk.sends.0 = talk.sends.0.saturating_sub(1);
                    // A closed loop that sends on at once is soon
                    // disconnected, and rightly.
                    if why.contains(TOO_FAST) && matches!(self.course.flow, Flow::Closed { .. }) {
                        talk.is_limited = true;
                        self.end();
                    }
                    *talk.refusals.entry(why.into_owned()).or_default() += 1;
                    return None;
                }
            }
            ServerFrame::Message { id, sender, text: words, seq } => {
                let id = MessageId::parse(id).filter(|id| id.room == room && id.member < self.hall.members);
                let Some(id) = id else {
                    talk.odd(at, text);
                    return None;
                };
                let is_right = words == frames::words(id.number)
                    && id.number as usize % self.hall.members == id.member
                    && sender == self.hall.seats[room * self.hall.members + id.member].face;
                if !is_right {
                    talk.faults.add(GARBLED, 1, || text.to_owned());
                }
                return talk.checks[room].hear(member, id.number, seq, text);
            }
        }
        None
    }

    /// Takes what is still on its way.
    async fn drain(&self, is_hopeless: bool, stop: &Stop) {
        let begun = clock::now();
        loop {
            let (is_wrong, is_all_here, is_cut) = {
                let talk = self.talk();
                (talk.wrong() > 0, talk.checks.iter().all(|check| check.open() == 0), talk.faults.count_of(CUT) > 0)
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
