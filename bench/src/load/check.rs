//! What was said in one room, and what each member has heard of it. Every
//! message has to reach every member, once, and in the same order for all.
//!
//! The member who receives a message first sets its place. The others must
//! receive the same text at the same place, which is the cheapest check there is,
//! and the strictest.

use std::collections::VecDeque;
use std::time::Instant;

use serde::Serialize;

/// Examples that are shown of what is wrong.
const EXAMPLES: usize = 5;

/// What went wrong, over all rooms.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Faults {
    /// Never reached a member it should have reached.
    pub(crate) lost: u64,
    /// Reached a member more than once.
    pub(crate) doubled: u64,
    /// Reached a member after something it comes before for others.
    pub(crate) disordered: u64,
    /// Says something else than was sent, or than others were told.
    pub(crate) garbled: u64,
    /// Nobody sent it, or nobody in this room.
    pub(crate) strange: u64,
    /// Connections the server closed.
    pub(crate) cut: u64,
    /// A few of what is wrong.
    pub(crate) examples: Vec<String>,
}

impl Faults {
    pub(crate) fn is_none(&self) -> bool {
        self.count() == 0
    }

    /// All kinds together.
    pub(crate) fn count(&self) -> u64 {
        self.lost + self.doubled + self.disordered + self.garbled + self.strange + self.cut
    }

    pub(crate) fn example(&mut self, text: impl FnOnce() -> String) {
        if self.examples.len() < EXAMPLES {
            self.examples.push(text());
        }
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.lost += other.lost;
        self.doubled += other.doubled;
        self.disordered += other.disordered;
        self.garbled += other.garbled;
        self.strange += other.strange;
        self.cut += other.cut;
        other.examples.into_iter().for_each(|example| self.example(|| example));
    }

    /// That connections were closed is nobody's fault; how many were.
    pub(crate) fn excuse_cuts(&mut self) -> u64 {
        let cut = std::mem::take(&mut self.cut);
        if self.is_none() {
            self.examples.clear();
        }
        cut
    }

    /// For people.
    pub(crate) fn line(&self) -> String {
        let counts = [
            (self.lost, "lost"),
            (self.doubled, "doubled"),
            (self.disordered, "out of order"),
            (self.garbled, "with other contents"),
            (self.strange, "that nobody sent"),
            (self.cut, "connections closed by the server"),
        ];
        let wrong = counts.iter().filter(|(count, _)| *count > 0);
        wrong.map(|(count, what)| format!("{count} {what}")).collect::<Vec<_>>().join(", ")
    }
}

/// What hearing it came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Delivery {
    /// When it should have been sent.
    pub(crate) due: Instant,
    /// Whether everybody has it now.
    pub(crate) is_complete: bool,
}

/// The messages of one room.
pub(crate) struct Check {
    room: usize,
    /// The number of the first of `sent`.
    first: u32,
    sent: VecDeque<Sent>,
    /// The place of the first of `order`.
    base: u64,
    order: VecDeque<Line>,
    last_seq: Option<u64>,
    members: Vec<Ear>,
    /// Buffers for the next lines.
    spare: Vec<String>,
    pub(crate) faults: Faults,
}

struct Sent {
    due: Instant,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    OnItsWay,
    Heard,
    /// By everybody, or refused by the server.
    Done,
}

struct Line {
    number: u32,
    seq: Option<u64>,
    due: Instant,
    text: String,
    heard: usize,
}

#[derive(Clone, Default)]
struct Ear {
    /// How many places it has gone through.
    at: u64,
    /// Numbers it has passed over without hearing them.
    passed: Vec<u32>,
}

impl Check {
    pub(crate) fn new(room: usize, members: usize) -> Self {
        Self {
            room,
            first: 0,
            sent: VecDeque::new(),
            base: 0,
            order: VecDeque::new(),
            last_seq: None,
            members: vec![Ear::default(); members],
            spare: Vec::new(),
            faults: Faults::default(),
        }
    }

    /// The number of the next message.
    pub(crate) fn next(&self) -> u32 {
        self.first + self.sent.len() as u32
    }

    /// Notes that a message is sent.
    pub(crate) fn send(&mut self, due: Instant) {
        self.sent.push_back(Sent { due, state: State::OnItsWay });
    }

    /// Messages that not everybody has.
    pub(crate) fn open(&self) -> usize {
        self.sent.iter().filter(|sent| sent.state != State::Done).count()
    }

    /// A member hears what another has heard already, at the same place.
    /// Nothing when it is anything else.
    pub(crate) fn hear_same(&mut self, member: usize, text: &str) -> Option<Delivery> {
        let ear = &mut self.members[member];
        let line = self.order.get_mut((ear.at - self.base) as usize)?;
        if line.text != text {
            return None;
        }
        ear.at += 1;
        line.heard += 1;
        let delivery = Delivery { due: line.due, is_complete: line.heard == self.members.len() };
        if delivery.is_complete {
            let number = line.number;
            self.complete(number);
        }
        Some(delivery)
    }

    /// A member hears a message whose contents are as they should be.
    pub(crate) fn hear(&mut self, member: usize, number: u32, seq: Option<u64>, text: &str) -> Option<Delivery> {
        if let Some(delivery) = self.hear_same(member, text) {
            return Some(delivery);
        }
        let place = (self.members[member].at - self.base) as usize;
        let found = self.order.iter().skip(place).position(|line| line.number == number);
        if let Some(ahead) = found {
            self.pass(member, place..place + ahead);
            return self.hear_at(member, place + ahead, number, seq, text);
        }
        let passed = &mut self.members[member].passed;
        if let Some(at) = passed.iter().position(|passed| *passed == number) {
            passed.swap_remove(at);
            self.fault(|faults| &mut faults.disordered, member, number, "out of order");
            let place = self.order.iter().position(|line| line.number == number)?;
            return self.hear_at(member, place, number, seq, text);
        }
        let state = number.checked_sub(self.first).map(|at| self.sent.get(at as usize));
        match state {
            Some(Some(Sent { due, state: State::OnItsWay })) => Some(self.hear_first(member, *due, number, seq, text)),
            Some(None) => {
                self.fault(|faults| &mut faults.strange, member, number, "not sent");
                None
            }
            _ => {
                self.fault(|faults| &mut faults.doubled, member, number, "doubled");
                None
            }
        }
    }

    fn hear_at(&mut self, member: usize, place: usize, number: u32, seq: Option<u64>, text: &str) -> Option<Delivery> {
        let ear = &mut self.members[member];
        let line = self.order.get_mut(place)?;
        ear.at = ear.at.max(self.base + place as u64 + 1);
        line.heard += 1;
        let delivery = Delivery { due: line.due, is_complete: line.heard == self.members.len() };
        let is_same = line.seq == seq && line.text == text;
        if !is_same {
            self.fault(|faults| &mut faults.garbled, member, number, "told otherwise than to others");
        }
        if delivery.is_complete {
            self.complete(number);
        }
        Some(delivery)
    }

    fn hear_first(&mut self, member: usize, due: Instant, number: u32, seq: Option<u64>, text: &str) -> Delivery {
        let place = (self.members[member].at - self.base) as usize;
        self.pass(member, place..self.order.len());
        if seq.is_some() && seq <= self.last_seq {
            self.fault(|faults| &mut faults.disordered, member, number, "with a seq that was used before");
        }
        self.last_seq = seq.max(self.last_seq);
        self.members[member].at = self.base + self.order.len() as u64 + 1;
        if let Some(sent) = self.sent.get_mut((number - self.first) as usize) {
            sent.state = State::Heard;
        }
        let mut kept = self.spare.pop().unwrap_or_default();
        kept.clear();
        kept.push_str(text);
        self.order.push_back(Line { number, seq, due, text: kept, heard: 1 });
        let is_complete = self.members.len() == 1;
        if is_complete {
            self.complete(number);
        }
        Delivery { due, is_complete }
    }

    /// A member goes past places without hearing what stands there.
    fn pass(&mut self, member: usize, places: std::ops::Range<usize>) {
        let passed = &mut self.members[member].passed;
        passed.extend(self.order.range(places).map(|line| line.number));
    }

    fn complete(&mut self, number: u32) {
        self.done(number);
        while self.order.front().is_some_and(|line| line.heard == self.members.len()) {
            self.spare.extend(self.order.pop_front().map(|line| line.text));
            self.base += 1;
        }
    }

    fn done(&mut self, number: u32) {
        if let Some(sent) = number.checked_sub(self.first).and_then(|at| self.sent.get_mut(at as usize)) {
            sent.state = State::Done;
        }
        while self.sent.front().is_some_and(|sent| sent.state == State::Done) {
            self.sent.pop_front();
            self.first += 1;
        }
    }

    /// The server said no to a message; whether it was still on its way.
    pub(crate) fn refuse(&mut self, number: u32) -> bool {
        let at = number.checked_sub(self.first).map(|at| at as usize);
        let is_open = at.and_then(|at| self.sent.get(at)).is_some_and(|sent| sent.state == State::OnItsWay);
        if is_open {
            self.done(number);
        }
        is_open
    }

    /// Nothing comes any more: what somebody has not heard is lost. Where
    /// nobody waits for what may still come, only what a member has gone past
    /// is; the rest is counted beside.
    pub(crate) fn close(mut self, is_early: bool) -> (Faults, u64) {
        let mut unheard = 0;
        for (number, missing) in self.missing() {
            let passed = self.members.iter().filter(|ear| ear.passed.contains(&number)).count();
            let lost = if is_early { passed } else { missing };
            unheard += (missing - lost) as u64;
            if lost > 0 {
                let room = self.room;
                self.faults.lost += lost as u64;
                self.faults.example(|| format!("message {number} of room {room} is missing at {lost} of its members"));
            }
        }
        (self.faults, unheard)
    }

    /// What was sent and not heard by all, and at how many it is missing.
    fn missing(&self) -> Vec<(u32, usize)> {
        let members = self.members.len();
        let lines = self.order.iter().map(|line| (line.number, members - line.heard));
        let silent = self.sent.iter().zip(self.first..).filter(|(sent, _)| sent.state == State::OnItsWay);
        lines.chain(silent.map(|(_, number)| (number, members))).filter(|(_, missing)| *missing > 0).collect()
    }

    fn fault(&mut self, count: impl FnOnce(&mut Faults) -> &mut u64, member: usize, number: u32, what: &str) {
        *count(&mut self.faults) += 1;
        let room = self.room;
        self.faults.example(|| format!("message {number} of room {room}, at member {member}: {what}"));
    }
}

#[cfg(test)]
mod tests;
