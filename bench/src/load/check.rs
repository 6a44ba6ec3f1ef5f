//! What was sent in one room, and what each member has received of it. Every
//! message has to reach every member, once, and in the same order for all.
//!
//! The member who receives a message first sets its place. The others must
//! receive the same text at the same place, which is the cheapest check there is,
//! and the strictest.

use std::collections::VecDeque;
use std::time::Instant;

use crate::load::faults::{DISORDERED, DOUBLED, Faults, GARBLED, LOST, STRANGE};

/// A message that has reached a member.
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
    /// When each was due; nothing of those that everybody has received, or
    /// that the server refused.
    sent: VecDeque<Option<Instant>>,
    /// The place of the first entry of `log`.
    base: u64,
    /// What somebody has received, and not everybody.
    log: VecDeque<Entry>,
    last_seq: Option<u64>,
    /// How many places of the log each member has gone through.
    positions: Vec<u64>,
}

/// A message that somebody has received.
struct Entry {
    number: u32,
    seq: Option<u64>,
    due: Instant,
    text: String,
    /// Which members have it, and how many do not.
    received: Vec<bool>,
    missing: usize,
}

impl Check {
    pub(crate) fn new(room: usize, members: usize) -> Self {
        let (sent, log) = (VecDeque::new(), VecDeque::new());
        Self { room, first: 0, sent, base: 0, log, last_seq: None, positions: vec![0; members] }
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

    /// A member receives what another has received already, at the same place.
    /// Nothing when it is anything else.
    pub(crate) fn receive_same(&mut self, member: usize, text: &str) -> Option<Delivery> {
        let place = (self.positions[member] - self.base) as usize;
        self.log.get(place).filter(|entry| entry.text == text)?;
        Some(self.receive_at(member, place))
    }

    /// A member receives a message whose contents are as they should be, and
    /// which is not the same as what another has received at this place.
    pub(crate) fn receive(
        &mut self,
        member: usize,
        number: u32,
        seq: Option<u64>,
        text: &str,
        faults: &mut Faults,
    ) -> Option<Delivery> {
        let room = self.room;
        let mut fault = |what| faults.add(what, 1, || format!("message {number} of room {room}, at member {member}"));
        if let Some(place) = self.log.iter().position(|entry| entry.number == number) {
            let entry = &self.log[place];
            if entry.received[member] {
                fault(DOUBLED);
                return None;
            }
            if self.base + (place as u64) < self.positions[member] {
                fault(DISORDERED);
            }
            if entry.seq != seq || entry.text != text {
                fault(GARBLED);
            }
            return Some(self.receive_at(member, place));
        }
        if number >= self.next() {
            fault(STRANGE);
            return None;
        }
        let Some(due) = number.checked_sub(self.first).and_then(|at| self.sent[at as usize]) else {
            fault(DOUBLED);
            return None;
        };
        if seq.is_some() && seq <= self.last_seq {
            fault(DISORDERED);
        }
        self.last_seq = seq.max(self.last_seq);
        let received = vec![false; self.positions.len()];
        self.log.push_back(Entry { number, seq, due, text: text.to_owned(), missing: received.len(), received });
        Some(self.receive_at(member, self.log.len() - 1))
    }

    fn receive_at(&mut self, member: usize, place: usize) -> Delivery {
        let entry = &mut self.log[place];
        entry.received[member] = true;
        entry.missing -= 1;
        self.positions[member] = self.positions[member].max(self.base + place as u64 + 1);
        let (number, delivery) = (entry.number, Delivery { due: entry.due, is_complete: entry.missing == 0 });
        if delivery.is_complete {
            self.forget(number);
            while self.log.pop_front_if(|entry| entry.missing == 0).is_some() {
                self.base += 1;
            }
        }
        delivery
    }

    fn forget(&mut self, number: u32) {
        if let Some(sent) = number.checked_sub(self.first).and_then(|at| self.sent.get_mut(at as usize)) {
            *sent = None;
        }
        while self.sent.pop_front_if(|sent| sent.is_none()).is_some() {
            self.first += 1;
        }
    }

    /// Messages that nobody has received.
    fn unreceived(&self) -> impl Iterator<Item = u32> {
        let open = (self.first..).zip(&self.sent).filter(|(_, sent)| sent.is_some());
        open.map(|(number, _)| number).filter(|number| self.log.iter().all(|entry| entry.number != *number))
    }

    /// The server refused a message; whether it was still on its way.
    pub(crate) fn refuse(&mut self, number: u32) -> bool {
        let is_open = self.unreceived().any(|open| open == number);
        if is_open {
            self.forget(number);
        }
        is_open
    }

    /// Nothing comes any more: what somebody has not received is lost. Where
    /// nobody waits for what may still come, only what a member has gone past
    /// is; the rest is counted and returned.
    pub(crate) fn close(&self, is_early: bool, faults: &mut Faults) -> u64 {
        let entries = (self.base..).zip(&self.log).map(|(place, entry)| {
            let members = entry.received.iter().zip(&self.positions);
            let passed = members.filter(|(received, position)| !**received && **position > place).count();
            (entry.number, entry.missing, passed)
        });
        let unreceived = self.unreceived().map(|number| (number, self.positions.len(), 0));
        let mut on_their_way = 0;
        for (number, missing, passed) in entries.chain(unreceived) {
            let (lost, room) = (if is_early { passed } else { missing }, self.room);
            on_their_way += (missing - lost) as u64;
            if lost > 0 {
                faults.add(LOST, lost as u64, || format!("message {number} of room {room}, at {lost} of its members"));
            }
        }
        on_their_way
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::clock;

    /// A room of three, and what was wrong in it.
    struct Room(Check, Faults);

    impl Room {
        /// So many messages are sent, and each member receives these, in this order.
        fn new(sent: u32, received: [&[u32]; 3]) -> Self {
            let mut room = Self(Check::new(0, 3), Faults::default());
            (0..sent).for_each(|_| room.0.send(clock::now()));
            for (member, numbers) in received.iter().enumerate() {
                for number in *numbers {
                    room.receive(member, *number);
                }
            }
            room
        }

        fn receive(&mut self, member: usize, number: u32) -> Option<bool> {
            self.receive_as(member, number, u64::from(number) + 10, &format!("message {number}"))
        }

        /// Whether everybody has it now.
        fn receive_as(&mut self, member: usize, number: u32, seq: u64, text: &str) -> Option<bool> {
            let same = self.0.receive_same(member, text);
            let delivery = same.or_else(|| self.0.receive(member, number, Some(seq), text, &mut self.1));
            delivery.map(|delivery| delivery.is_complete)
        }

        /// What is lost, doubled, out of order, different or made up; and what was on its way.
        fn close(mut self, is_early: bool) -> ([u64; 5], u64) {
            let on_their_way = self.0.close(is_early, &mut self.1);
            ([LOST, DOUBLED, DISORDERED, GARBLED, STRANGE].map(|what| self.1.count_of(what)), on_their_way)
        }
    }

    #[test]
    fn what_is_missing_doubled_or_in_another_order_is_found() {
        for (sent, received, wrong, what) in [
            (4, [&[0, 1, 2, 3][..]; 3], [0; 5], "right"),
            (3, [&[0, 1, 2], &[0, 2], &[0, 1, 2]], [1, 0, 0, 0, 0], "in the middle"),
            (3, [&[0, 1, 2], &[0, 1], &[0, 1]], [2, 0, 0, 0, 0], "at the end"),
            (2, [&[0], &[0], &[0]], [3, 0, 0, 0, 0], "for everybody"),
            (2, [&[0, 0, 1], &[0, 1], &[0, 1]], [0, 1, 0, 0, 0], "on its way"),
            (2, [&[0, 1], &[0, 1], &[0, 1, 0]], [0, 1, 0, 0, 0], "after it was done"),
            (3, [&[0, 1, 2], &[0, 2, 1], &[0, 1, 2]], [0, 0, 1, 0, 0], "out of order"),
            (1, [&[0], &[0, 7], &[0]], [0, 0, 0, 0, 1], "never sent"),
        ] {
            assert_eq!(Room::new(sent, received).close(false).0, wrong, "{what}");
        }
        // Lost at who is first to receive; and a place in the log before the last.
        let (wrong, _) = Room::new(2, [&[1], &[0, 1], &[0, 1]]).close(false);
        assert!(wrong[0] == 1 && wrong[2] > 0, "{wrong:?}");
    }

    #[test]
    fn a_message_is_complete_when_the_last_has_received_it_and_is_then_forgotten() {
        let mut room = Room::new(2, [&[0], &[], &[0]]);
        assert_eq!(room.receive(2, 1), Some(false));
        assert_eq!((room.0.open(), room.receive(1, 0), room.0.open()), (2, Some(true), 1));
        assert_eq!((room.0.next(), room.0.log.len(), room.0.sent.len()), (2, 1, 1));
    }

    #[test]
    fn one_who_receives_something_else_is_found_and_who_is_first_may_choose_the_order() {
        let mut room = Room::new(1, [&[0], &[], &[]]);
        room.receive_as(1, 0, 10, "another text");
        room.receive_as(2, 0, 11, "message 0");
        assert_eq!(room.close(false).0, [0, 0, 0, 1, 0], "the third received the same bytes");
        let mut room = Room::new(2, [&[]; 3]);
        for member in 0..3 {
            room.receive_as(member, 1, 1, "one");
            room.receive_as(member, 0, 2, "nought");
        }
        assert_eq!(room.close(false).0, [0; 5]);
    }

    #[test]
    fn what_was_refused_or_is_on_its_way_at_an_early_end_is_not_lost() {
        let mut room = Room::new(2, [&[]; 3]);
        assert!(room.0.refuse(0) && !room.0.refuse(0) && !room.0.refuse(9));
        assert_eq!([0, 1, 2].map(|member| room.receive(member, 1)), [Some(false), Some(false), Some(true)]);
        assert_eq!((room.0.open(), room.close(false).0), (0, [0; 5]));
        // One has gone past 1; 1 and 2 may still reach the last, and 3 everybody.
        assert_eq!(Room::new(4, [&[0, 1, 2], &[0, 2], &[0]]).close(true), ([1, 0, 0, 0, 0], 5));
    }
}
