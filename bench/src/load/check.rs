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
    members: usize,
    /// The number of the first of `messages`.
    first: u32,
    /// All that were sent, but for those at the front that nobody misses.
    messages: VecDeque<Message>,
    /// The place of the first of `order`.
    base: u64,
    /// The numbers of the messages that somebody has received.
    order: VecDeque<u32>,
    last_seq: Option<u64>,
    /// How many places each member has gone through.
    positions: Vec<u64>,
}

/// A message that was sent.
struct Message {
    due: Instant,
    /// How the first who received it did: its place in the order, its place in
    /// the server's log, and the whole text.
    received: Option<(u64, Option<u64>, String)>,
    /// Which members miss it, and how many.
    misses: Vec<bool>,
    missing: usize,
}

impl Check {
    pub(crate) fn new(room: usize, members: usize) -> Self {
        let (messages, order, positions) = (VecDeque::new(), VecDeque::new(), vec![0; members]);
        Self { room, members, first: 0, messages, base: 0, order, last_seq: None, positions }
    }

    /// The number of the next message.
    pub(crate) fn next(&self) -> u32 {
        self.first + self.messages.len() as u32
    }

    /// Notes that a message is sent.
    pub(crate) fn send(&mut self, due: Instant) {
        let misses = vec![true; self.members];
        self.messages.push_back(Message { due, received: None, misses, missing: self.members });
    }

    /// Messages that not everybody has.
    pub(crate) fn open(&self) -> usize {
        self.messages.iter().filter(|message| message.missing > 0).count()
    }

    fn message(&mut self, number: u32) -> Option<&mut Message> {
        self.messages.get_mut(number.checked_sub(self.first)? as usize)
    }

    /// A member receives what another has received already, at the same place.
    /// Nothing when it is anything else.
    pub(crate) fn receive_same(&mut self, member: usize, text: &str) -> Option<Delivery> {
        let number = *self.order.get((self.positions[member] - self.base) as usize)?;
        self.message(number)?.received.as_ref().filter(|(_, _, received)| received == text)?;
        self.deliver(member, number)
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
        let (room, next, position, last_seq) = (self.room, self.next(), self.positions[member], self.last_seq);
        let place = self.base + self.order.len() as u64;
        let mut fault = |what| faults.add(what, 1, || format!("message {number} of room {room}, at member {member}"));
        match self.message(number).filter(|message| message.misses[member]) {
            None => {
                fault(if number < next { DOUBLED } else { STRANGE });
                return None;
            }
            Some(Message { received: Some((place, first_seq, first_text)), .. }) => {
                if *place < position {
                    fault(DISORDERED);
                }
                if *first_seq != seq || first_text != text {
                    fault(GARBLED);
                }
            }
            Some(message) => {
                message.received = Some((place, seq, text.to_owned()));
                if seq.is_some() && seq <= last_seq {
                    fault(DISORDERED);
                }
                self.last_seq = seq.max(last_seq);
                self.order.push_back(number);
            }
        }
        self.deliver(member, number)
    }

    fn deliver(&mut self, member: usize, number: u32) -> Option<Delivery> {
        let message = self.message(number)?;
        message.misses[member] = false;
        message.missing -= 1;
        let (due, is_complete) = (message.due, message.missing == 0);
        let next = message.received.as_ref().map_or(0, |(place, ..)| place + 1);
        self.positions[member] = self.positions[member].max(next);
        self.forget();
        Some(Delivery { due, is_complete })
    }

    /// Drops what everybody has, or nobody will have, from the front.
    fn forget(&mut self) {
        while self.messages.pop_front_if(|message| message.missing == 0).is_some() {
            self.first += 1;
        }
        while self.order.pop_front_if(|number| *number < self.first).is_some() {
            self.base += 1;
        }
    }

    /// The server refused a message; whether it was still on its way.
    pub(crate) fn refuse(&mut self, number: u32) -> bool {
        let Some(message) = self.message(number).filter(|message| message.received.is_none() && message.missing > 0)
        else {
            return false;
        };
        message.misses.fill(false);
        message.missing = 0;
        self.forget();
        true
    }

    /// Nothing comes any more: what somebody has not received is lost. Where
    /// nobody waits for what may still come, only what a member has gone past
    /// is; the rest is counted and returned.
    pub(crate) fn close(&self, is_early: bool, faults: &mut Faults) -> u64 {
        let (room, mut on_their_way) = (self.room, 0);
        for (number, message) in (self.first..).zip(&self.messages) {
            let place = message.received.as_ref().map_or(u64::MAX, |(place, ..)| *place);
            let members = message.misses.iter().zip(&self.positions);
            let lost = members.filter(|(misses, position)| **misses && (!is_early || **position > place)).count();
            on_their_way += (message.missing - lost) as u64;
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
        assert_eq!((room.0.next(), room.0.order.len(), room.0.messages.len()), (2, 1, 1));
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
