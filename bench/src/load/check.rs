//! What was said in one room, and what each member has heard of it. Every
//! message has to reach every member, once, and in the same order for all.
//!
//! The member who receives a message first sets its place. The others must
//! receive the same text at the same place, which is the cheapest check there is,
//! and the strictest.

use std::collections::VecDeque;
use std::time::Instant;

use crate::load::faults::{DISORDERED, DOUBLED, Faults, GARBLED, LOST, STRANGE};

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
    /// When each was due; nothing of those that everybody has heard, or that
    /// the server refused.
    sent: VecDeque<Option<Instant>>,
    /// The place of the first of `order`.
    base: u64,
    order: VecDeque<Line>,
    last_seq: Option<u64>,
    /// How many places each member has gone through.
    ears: Vec<u64>,
    pub(crate) faults: Faults,
}

/// A message that somebody has heard.
struct Line {
    number: u32,
    seq: Option<u64>,
    due: Instant,
    text: String,
    /// Which members have heard it, and how many have not.
    heard: Vec<bool>,
    missing: usize,
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
            ears: vec![0; members],
            faults: Faults::default(),
        }
    }

    /// The number of the next message.
    pub(crate) fn next(&self) -> u32 {
        self.first + self.sent.len() as u32
    }

    /// Notes that a message is sent.
    pub(crate) fn send(&mut self, due: Instant) {
        self.sent.push_back(Some(due));
    }

    /// Messages that not everybody has.
    pub(crate) fn open(&self) -> usize {
        self.sent.iter().flatten().count()
    }

    /// A member hears what another has heard already, at the same place.
    /// Nothing when it is anything else.
    pub(crate) fn hear_same(&mut self, member: usize, text: &str) -> Option<Delivery> {
        let place = (self.ears[member] - self.base) as usize;
        self.order.get(place).filter(|line| line.text == text)?;
        Some(self.hear_at(member, place))
    }

    /// A member hears a message whose contents are as they should be.
    pub(crate) fn hear(&mut self, member: usize, number: u32, seq: Option<u64>, text: &str) -> Option<Delivery> {
        if let Some(delivery) = self.hear_same(member, text) {
            return Some(delivery);
        }
        let place = match self.order.iter().position(|line| line.number == number) {
            Some(place) => {
                let line = &self.order[place];
                let is_same = line.seq == seq && line.text == text;
                if line.heard[member] {
                    return self.fault(DOUBLED, member, number);
                }
                if self.base + (place as u64) < self.ears[member] {
                    self.fault::<()>(DISORDERED, member, number);
                }
                if !is_same {
                    self.fault::<()>(GARBLED, member, number);
                }
                place
            }
            None => self.hear_first(member, number, seq, text)?,
        };
        Some(self.hear_at(member, place))
    }

    /// Somebody hears what nobody has heard: the place it has from now on.
    fn hear_first(&mut self, member: usize, number: u32, seq: Option<u64>, text: &str) -> Option<usize> {
        if number >= self.next() {
            return self.fault(STRANGE, member, number);
        }
        let sent = number.checked_sub(self.first).and_then(|at| self.sent[at as usize]);
        let Some(due) = sent else { return self.fault(DOUBLED, member, number) };
        if seq.is_some() && seq <= self.last_seq {
            self.fault::<()>(DISORDERED, member, number);
        }
        self.last_seq = seq.max(self.last_seq);
        let heard = vec![false; self.ears.len()];
        self.order.push_back(Line { number, seq, due, text: text.to_owned(), missing: heard.len(), heard });
        Some(self.order.len() - 1)
    }

    fn hear_at(&mut self, member: usize, place: usize) -> Delivery {
        let line = &mut self.order[place];
        line.heard[member] = true;
        line.missing -= 1;
        self.ears[member] = self.ears[member].max(self.base + place as u64 + 1);
        let (number, delivery) = (line.number, Delivery { due: line.due, is_complete: line.missing == 0 });
        if delivery.is_complete {
            self.done(number);
            while self.order.front().is_some_and(|line| line.missing == 0) {
                self.order.pop_front();
                self.base += 1;
            }
        }
        delivery
    }

    fn done(&mut self, number: u32) {
        if let Some(sent) = number.checked_sub(self.first).and_then(|at| self.sent.get_mut(at as usize)) {
            *sent = None;
        }
        while self.sent.front().is_some_and(Option::is_none) {
            self.sent.pop_front();
            self.first += 1;
        }
    }

    fn is_heard(&self, number: u32) -> bool {
        self.order.iter().any(|line| line.number == number)
    }

    /// The server said no to a message; whether it was still on its way.
    pub(crate) fn refuse(&mut self, number: u32) -> bool {
        let at = number.checked_sub(self.first).map(|at| at as usize);
        let is_open = at.and_then(|at| *self.sent.get(at)?).is_some() && !self.is_heard(number);
        if is_open {
            self.done(number);
        }
        is_open
    }

    /// Nothing comes any more: what somebody has not heard is lost. Where
    /// nobody waits for what may still come, only what a member has gone past
    /// is; the rest is counted beside.
    pub(crate) fn close(mut self, is_early: bool) -> (Faults, u64) {
        let lines = self.order.iter().zip(self.base..).map(|(line, place)| {
            let is_passed = |(heard, ear): (&bool, &u64)| !heard && *ear > place;
            let passed = line.heard.iter().zip(&self.ears).filter(|(heard, ear)| is_passed((heard, ear))).count();
            (line.number, line.missing, passed)
        });
        let silent =
            self.sent.iter().zip(self.first..).filter(|(sent, number)| sent.is_some() && !self.is_heard(*number));
        let silent = silent.map(|(_, number)| (number, self.ears.len(), 0));
        let mut unheard = 0;
        for (number, missing, passed) in lines.chain(silent).collect::<Vec<_>>() {
            let (lost, room) = (if is_early { passed } else { missing }, self.room);
            unheard += (missing - lost) as u64;
            if lost > 0 {
                self.faults
                    .add(LOST, lost as u64, || format!("message {number} of room {room}, at {lost} of its members"));
            }
        }
        (self.faults, unheard)
    }

    fn fault<T>(&mut self, what: &'static str, member: usize, number: u32) -> Option<T> {
        let room = self.room;
        self.faults.add(what, 1, || format!("message {number} of room {room}, at member {member}"));
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::clock;

    /// A room of three, where `sent` messages are on their way, and everybody
    /// hears these, in this order each.
    fn room(sent: u32, heard: [&[u32]; 3]) -> Check {
        let mut check = Check::new(0, 3);
        (0..sent).for_each(|_| check.send(clock::now()));
        for (member, numbers) in heard.iter().enumerate() {
            for number in *numbers {
                hear(&mut check, member, *number);
            }
        }
        check
    }

    fn hear(check: &mut Check, member: usize, number: u32) -> Option<bool> {
        let heard = check.hear(member, number, Some(u64::from(number) + 10), &format!("message {number}"));
        heard.map(|delivery| delivery.is_complete)
    }

    fn counts(faults: &Faults) -> [u64; 5] {
        [LOST, DOUBLED, DISORDERED, GARBLED, STRANGE].map(|what| faults.count_of(what))
    }

    #[test]
    fn what_is_missing_doubled_or_in_another_order_is_found() {
        for (sent, heard, wrong, what) in [
            (4, [&[0, 1, 2, 3][..]; 3], [0; 5], "right"),
            (3, [&[0, 1, 2], &[0, 2], &[0, 1, 2]], [1, 0, 0, 0, 0], "in the middle"),
            (3, [&[0, 1, 2], &[0, 1], &[0, 1]], [2, 0, 0, 0, 0], "at the end"),
            (2, [&[0], &[0], &[0]], [3, 0, 0, 0, 0], "for everybody"),
            (2, [&[0, 0, 1], &[0, 1], &[0, 1]], [0, 1, 0, 0, 0], "on its way"),
            (2, [&[0, 1], &[0, 1], &[0, 1, 0]], [0, 1, 0, 0, 0], "after it was done"),
            (3, [&[0, 1, 2], &[0, 2, 1], &[0, 1, 2]], [0, 0, 1, 0, 0], "out of order"),
            (1, [&[0], &[0, 7], &[0]], [0, 0, 0, 0, 1], "never sent"),
        ] {
            assert_eq!(counts(&room(sent, heard).close(false).0), wrong, "{what}");
        }
        // Lost at who hears first; and a place in the log before the last.
        let (faults, _) = room(2, [&[1], &[0, 1], &[0, 1]]).close(false);
        assert_eq!((counts(&faults)[0], faults.count_of(DISORDERED) > 0), (1, true));
    }

    #[test]
    fn a_message_is_complete_when_the_last_has_heard_it_and_is_then_forgotten() {
        let mut check = room(2, [&[0], &[], &[0]]);
        assert_eq!(hear(&mut check, 2, 1), Some(false));
        assert_eq!((check.open(), hear(&mut check, 1, 0), check.open()), (2, Some(true), 1));
        assert_eq!((check.next(), check.order.len(), check.sent.len()), (2, 1, 1));
    }

    #[test]
    fn one_who_is_told_something_else_is_found_and_who_is_first_may_choose_the_order() {
        let mut check = room(1, [&[0], &[], &[]]);
        check.hear(1, 0, Some(10), "another text");
        check.hear(2, 0, Some(11), "message 0");
        assert_eq!(counts(&check.close(false).0), [0, 0, 0, 1, 0], "the third heard the same bytes");
        let mut check = room(2, [&[]; 3]);
        for member in 0..3 {
            check.hear(member, 1, Some(1), "one");
            check.hear(member, 0, Some(2), "nought");
        }
        assert_eq!(check.close(false).0, Faults::default());
    }

    #[test]
    fn what_was_refused_or_is_on_its_way_at_an_early_end_is_not_lost() {
        let mut check = room(2, [&[]; 3]);
        assert!(check.refuse(0) && !check.refuse(0) && !check.refuse(9));
        let heard = [0, 1, 2].map(|member| hear(&mut check, member, 1));
        assert_eq!(heard, [Some(false), Some(false), Some(true)]);
        assert_eq!((check.open(), check.close(false).0), (0, Faults::default()));
        // One has gone past 1; 1 and 2 may still reach the last, and 3 everybody.
        let (faults, unheard) = room(4, [&[0, 1, 2], &[0, 2], &[0]]).close(true);
        assert_eq!((counts(&faults), unheard), ([1, 0, 0, 0, 0], 5));
    }
}
