//! Many sockets on one thread: messages go out on time, and every one that
//! arrives is checked.
//!
//! It asks the kernel itself which sockets have something to read, and does
//! one read for each, because the machine that measures is the machine that
//! is measured. Everything else here is tokio's.

use std::io::{self, Read};
use std::time::{Duration, Instant};

use crate::clock;
use crate::dialect::{Dialect, MessageId};
use crate::engine::book::{Book, Faults};
use crate::engine::live::Live;
use crate::engine::pace::{Course, Pace};
use crate::engine::poll::Poll;
use crate::engine::words::Words;
use crate::frame::{Frame, Kind};
use crate::latency::Latencies;

pub(crate) mod book;
mod hearing;
mod link;
pub(crate) mod live;
mod measured;
pub(crate) mod pace;
pub(crate) mod poll;
pub(crate) mod words;

pub(crate) use link::Link;
pub(crate) use measured::{Measured, Overload};

/// How long what is on its way may take when the time is up.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long to wait for missing messages after a fault.
const PATIENCE_AFTER_FAULT: Duration = Duration::from_secs(2);
/// How long to wait for missing messages after Ctrl-C.
const PATIENCE_WHEN_STOPPED: Duration = Duration::from_secs(1);
/// Messages that go out before something is read again: who only sends is
/// hung up on as one who does not read.
const AT_ONCE: usize = 256;
/// What a second may be short of.
const NEARLY: Duration = Duration::from_millis(100);
/// Where one connection is closed the others may be as well.
const AFTER_CUT: Duration = Duration::from_millis(300);
/// Room for what one read brings.
const SCRATCH: usize = 64 * 1024;

/// Everybody who is connected: room after room, all of the same size.
pub(crate) struct Hall {
    pub(crate) members: usize,
    pub(crate) links: Vec<Link>,
    /// How each is seen by the others; nothing where the server doesn't say.
    pub(crate) faces: Vec<Option<String>>,
}

/// Called when the measuring begins and when it ends.
pub(crate) trait Probe {
    fn begin(&mut self);
    fn end(&mut self);
}

pub(crate) struct Engine<'a, D> {
    dialect: D,
    hall: Hall,
    course: &'a Course,
    live: &'a Live,
    poll: Poll,
    scratch: Vec<u8>,
    books: Vec<Book>,
    words: Words,
    text: String,
    frame: Vec<u8>,
    /// Rooms in which a message has reached everybody since the last look.
    complete: Vec<usize>,
    is_sending: bool,
    /// Whose turn it is in an open loop, over all rooms.
    turn: u64,
    /// The stretch that is measured: what was due in it.
    window: (Instant, Instant),
    latencies: Latencies,
    lateness: Latencies,
    sends: u64,
    deliveries: u64,
    untaken: u64,
    refused: u64,
    refusal: Option<String>,
    /// A closed loop goes as fast as it is let, and is not let any faster.
    is_limited: bool,
    faults: Faults,
}

impl<'a, D: Dialect> Engine<'a, D> {
    pub(crate) fn new(dialect: D, hall: Hall, course: &'a Course, live: &'a Live) -> io::Result<Self> {
        let poll = Poll::new()?;
        for (at, link) in hall.links.iter().enumerate() {
            link.stream.set_nonblocking(true)?;
            poll.add(&link.stream, at)?;
        }
        let rooms = hall.links.len() / hall.members.max(1);
        let now = clock::now();
        Ok(Self {
            dialect,
            books: (0..rooms).map(|room| Book::new(room, hall.members, D::SAME_FOR_ALL)).collect(),
            hall,
            course,
            live,
            poll,
            scratch: vec![0; SCRATCH],
            words: Words::new(course.length_of_text),
            text: String::new(),
            frame: Vec::new(),
            complete: Vec::new(),
            is_sending: true,
            turn: 0,
            window: (now, now),
            latencies: Latencies::new(),
            lateness: Latencies::new(),
            sends: 0,
            deliveries: 0,
            untaken: 0,
            refused: 0,
            refusal: None,
            is_limited: false,
            faults: Faults::default(),
        })
    }

    /// Runs the whole course.
    pub(crate) fn run(mut self, probe: &mut dyn Probe) -> io::Result<Measured> {
        let begun = clock::now();
        let first = begun + self.course.warm_up;
        self.window = (first, first + self.course.length);
        self.begin();
        self.until(first, begun)?;
        self.live.begin();
        probe.begin();
        (self.sends, self.deliveries) = (0, 0);
        let measured_from = clock::now();
        let next_tick = self.until(self.window.1, begun)?;
        // The last second has been one, but for what came in between.
        if clock::now() + NEARLY >= next_tick {
            self.tick();
        }
        probe.end();
        let (sends, deliveries) = (self.sends, self.deliveries);
        let seconds = measured_from.elapsed().as_secs_f64();
        let is_cut_short = self.live.is_to_end() && clock::now() < self.window.1;
        let mut overload = self.overload(begun);
        let is_hurried = self.drain(overload.is_some())? || overload.is_some();
        let (mut faults, mut unheard) = (self.faults, 0);
        for book in self.books {
            let (found, open) = if is_hurried { book.close_early() } else { (book.close(), 0) };
            faults.add(found);
            unheard += open;
        }
        if let Some(overload) = &mut overload {
            overload.closed = faults.excuse_cuts();
        }
        Ok(Measured {
            seconds,
            is_cut_short,
            sends,
            deliveries,
            unheard,
            latency: self.live.total(self.latencies),
            own_lateness: self.lateness.summary(),
            untaken: self.untaken,
            refused: self.refused,
            refusal: self.refusal,
            is_limited: self.is_limited,
            overload,
            faults,
            ticks: self.live.ticks(),
        })
    }

    /// In a closed loop, the first messages.
    fn begin(&mut self) {
        if let Pace::Closed { on_their_way } = self.course.pace {
            for room in 0..self.books.len() {
                (0..on_their_way).for_each(|_| self.send(room, clock::now()));
            }
        }
    }

    /// Sends and receives until then, or until it has to end. Returns when
    /// the next second would have been over.
    fn until(&mut self, end: Instant, begun: Instant) -> io::Result<Instant> {
        let mut tick = clock::now() + Live::EVERY;
        loop {
            let now = clock::now();
            if now >= tick {
                tick += Live::EVERY;
                self.tick();
            }
            if now >= end || !self.goes_on() {
                return Ok(tick);
            }
            let due = self.send_due(begun, now);
            self.turn_once(due.min(end).min(tick))?;
        }
    }

    fn goes_on(&mut self) -> bool {
        self.is_sending &= self.faults.cut == 0 && !self.live.is_to_end() && !self.is_limited;
        self.is_sending
    }

    /// In an open loop, sends what is due, or the first of it; when the next
    /// will be.
    fn send_due(&mut self, begun: Instant, now: Instant) -> Instant {
        let Pace::Open(rate) = self.course.pace else { return now + Live::EVERY };
        for _ in 0..AT_ONCE {
            let due = begun + rate.due(self.turn);
            if due > now {
                return due;
            }
            self.lateness.record(clock::now() - due);
            let room = self.turn as usize % self.books.len();
            if self.hall.links[self.next_speaker(room)].is_full() {
                self.leave_out(due);
            } else {
                self.send(room, due);
            }
            self.turn += 1;
        }
        now
    }

    /// The server takes no more from who should say this: as late as it can
    /// still be told it is.
    fn leave_out(&mut self, due: Instant) {
        self.untaken += 1;
        if due >= self.window.0 && due < self.window.1 {
            self.latencies.record(self.window.1 - due);
        }
    }

    /// Whether an open loop is behind for which nobody else can do anything.
    fn overload(&self, begun: Instant) -> Option<Overload> {
        let Pace::Open(rate) = self.course.pace else { return None };
        let had = clock::now().min(self.window.1) - begun;
        let behind = had.saturating_sub(rate.due(self.turn));
        Overload::of(had, behind, rate.due_before(had).saturating_sub(self.turn))
    }

    /// Where the one sits whose turn it is in a room.
    fn next_speaker(&self, room: usize) -> usize {
        room * self.hall.members + self.books[room].next() as usize % self.hall.members
    }

    fn send(&mut self, room: usize, due: Instant) {
        let at = self.next_speaker(room);
        let book = &mut self.books[room];
        let (number, member) = (book.next(), at % self.hall.members);
        self.text.clear();
        self.dialect.compose(MessageId { room, member, number }, self.words.of(number), &mut self.text);
        self.frame.clear();
        crate::frame::write(Kind::Text, self.text.as_bytes(), &mut self.frame);
        book.send(due);
        self.sends += 1;
        if self.hall.links[at].send(&self.frame, &self.poll, at).is_err() {
            self.cut(at, "the connection broke");
        }
    }

    /// Waits for something to arrive, and takes it.
    fn turn_once(&mut self, until: Instant) -> io::Result<()> {
        for n in 0..self.poll.wait(until)? {
            let event = self.poll.ready(n);
            if event.can_write && self.hall.links[event.at].flush(&self.poll, event.at).is_err() {
                self.cut(event.at, "the connection broke");
            }
            if event.can_read {
                self.read(event.at);
            }
        }
        if matches!(self.course.pace, Pace::Closed { .. }) && self.is_sending && !self.is_limited {
            let mut complete = std::mem::take(&mut self.complete);
            complete.drain(..).for_each(|room| self.send(room, clock::now()));
            self.complete = complete;
        } else {
            self.complete.clear();
        }
        Ok(())
    }

    fn read(&mut self, at: usize) {
        let link = &mut self.hall.links[at];
        if link.is_gone {
            return;
        }
        let kept = link.received.len();
        if kept + SCRATCH > self.scratch.len() {
            self.scratch.resize(kept + SCRATCH, 0);
        }
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch[..kept].copy_from_slice(&link.received);
        match (&link.stream).read(&mut scratch[kept..]) {
            Ok(0) => self.cut(at, "closed without a word"),
            Ok(read) => self.take(at, &scratch[..kept + read]),
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {}
            Err(error) => self.cut(at, &error.to_string()),
        }
        self.scratch = scratch;
    }

    /// Takes the frames at the front of what a socket has received.
    fn take(&mut self, at: usize, bytes: &[u8]) {
        let now = clock::now();
        let mut used = 0;
        loop {
            match Frame::first(&bytes[used..]) {
                Ok(Some(frame)) => {
                    used += frame.length;
                    self.frame(at, &frame, now);
                }
                Ok(None) => break,
                Err(error) => return self.cut(at, &error.to_string()),
            }
        }
        let link = &mut self.hall.links[at];
        link.received.clear();
        link.received.extend_from_slice(&bytes[used..]);
    }

    fn cut(&mut self, at: usize, why: &str) {
        let link = &mut self.hall.links[at];
        if !std::mem::replace(&mut link.is_gone, true) {
            let _ = self.poll.remove(&link.stream);
            self.faults.cut += 1;
            self.faults.example(|| format!("connection {at} was closed: {why}"));
        }
    }

    fn tick(&mut self) {
        let latencies = std::mem::replace(&mut self.latencies, Latencies::new());
        let wrong = self.faults.count() + self.books.iter().map(|book| book.faults.count()).sum::<u64>();
        self.live.tick((self.sends, self.deliveries), self.refused + wrong, latencies);
    }

    /// Takes what is still on its way. Whether somebody did not want to wait
    /// for all of it.
    fn drain(&mut self, is_hopeless: bool) -> io::Result<bool> {
        self.is_sending = false;
        let begun = clock::now();
        loop {
            let is_wrong =
                is_hopeless || !self.faults.is_none() || self.books.iter().any(|book| !book.faults.is_none());
            let is_stopped = self.live.is_to_end();
            let patience = match (is_stopped, is_wrong) {
                (true, _) => PATIENCE_WHEN_STOPPED,
                (false, true) => PATIENCE_AFTER_FAULT,
                (false, false) => PATIENCE,
            };
            let now = clock::now();
            let is_all_here = self.books.iter().all(|book| book.open() == 0);
            let is_quiet = self.faults.cut == 0 || now >= begun + AFTER_CUT;
            if now >= begun + patience || is_all_here && is_quiet {
                return Ok(is_stopped);
            }
            self.turn_once(now + Duration::from_millis(20))?;
        }
    }
}
