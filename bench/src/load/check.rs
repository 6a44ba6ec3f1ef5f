//! What was sent in one room, and what each member has received of it. Every message must reach
//! every member once, in the same order for all.
//!
//! The first member who receives a message sets its place. The others must receive the same text at
//! the same place. This check is the cheapest, and the strictest.

use std::collections::{BTreeMap, VecDeque};
use std::time::Instant;

use crate::load::faults::{DISORDERED, DOUBLED, Faults, GARBLED, LOST, STRANGE};

/// A message that has reached a member.
pub(crate) struct Delivery {
    /// When the message was due.
    pub(crate) due: Instant,
    /// Whether every member has the message now.
    pub(crate) is_complete: bool,
}

/// The messages of one room.
#[derive(Default)]
pub(crate) struct Check {
    room: usize,
    /// The number of the next message.
    pub(crate) next: u32,
    /// The messages that no member has received yet, and when each was due.
    sent: BTreeMap<u32, Instant>,
    /// The messages that a member has received, in the order of the first receiver. Messages at the
    /// front that every member has are dropped.
    received: VecDeque<Message>,
    /// How many messages were dropped at the front.
    dropped: usize,
    last_seq: Option<u64>,
    /// How many places of that order each member has passed.
    positions: Vec<usize>,
}

/// A message as its first receiver got it.
struct Message {
    number: u32,
    due: Instant,
    seq: Option<u64>,
    text: String,
    /// Which members do not have the message yet, and how many.
    misses: Vec<bool>,
    missing: usize,
}

impl Check {
    pub(crate) fn new(room: usize, members: usize) -> Self {
        Self { room, positions: vec![0; members], ..Self::default() }
    }

    /// Records that the next message is sent.
    pub(crate) fn send(&mut self, due: Instant) {
        self.sent.insert(self.next, due);
        self.next += 1;
    }

    /// How many messages some member does not have yet.
    pub(crate) fn open(&self) -> usize {
        self.sent.len() + self.received.iter().filter(|message| message.missing > 0).count()
    }

    /// A member receives the text that another has received at the same place. `None` if the text
    /// is another one.
    pub(crate) fn receive_same(&mut self, member: usize, text: &str) -> Option<Delivery> {
        let at = self.positions[member] - self.dropped;
        self.received.get(at).filter(|message| message.text == text)?;
        self.deliver(member, at)
    }

    /// A member receives a message with the right contents, which is not what another member has
    /// received at this place.
    pub(crate) fn receive(
        &mut self,
        member: usize,
        number: u32,
        seq: Option<u64>,
        text: &str,
        faults: &mut Faults,
    ) -> Option<Delivery> {
        let (room, members) = (self.room, self.positions.len());
        let mut fault = |what| faults.add(what, 1, || format!("message {number} of room {room}, at member {member}"));
        if let Some(due) = self.sent.remove(&number) {
            if seq.is_some() && seq <= self.last_seq {
                fault(DISORDERED);
            }
            self.last_seq = seq.max(self.last_seq);
            let (misses, text) = (vec![true; members], text.to_owned());
            self.received.push_back(Message { number, due, seq, text, misses, missing: members });
            return self.deliver(member, self.received.len() - 1);
        }
        let missed = self.received.iter().position(|message| message.number == number && message.misses[member]);
        let Some(at) = missed else {
            fault(if number < self.next { DOUBLED } else { STRANGE });
            return None;
        };
        if self.dropped + at < self.positions[member] {
            fault(DISORDERED);
        }
        if self.received[at].seq != seq || self.received[at].text != text {
            fault(GARBLED);
        }
        self.deliver(member, at)
    }

    fn deliver(&mut self, member: usize, at: usize) -> Option<Delivery> {
        let message = self.received.get_mut(at)?;
        message.misses[member] = false;
        message.missing -= 1;
        let delivery = Delivery { due: message.due, is_complete: message.missing == 0 };
        self.positions[member] = self.positions[member].max(self.dropped + at + 1);
        while self.received.pop_front_if(|message| message.missing == 0).is_some() {
            self.dropped += 1;
        }
        Some(delivery)
    }

    /// The server refused a message. Returns whether the message was on its way.
    pub(crate) fn refuse(&mut self, number: u32) -> bool {
        self.sent.remove(&number).is_some()
    }

    /// The end of the run: every message that a member has not received is lost. After an early end
    /// a message is lost only if the member has received a later one. Returns how many other
    /// deliveries are missing.
    pub(crate) fn close(&self, is_early: bool, faults: &mut Faults) -> u64 {
        let missed = (self.dropped..).zip(&self.received).map(|(place, message)| {
            let members = message.misses.iter().zip(&self.positions);
            let gone_past = members.filter(|(misses, position)| **misses && **position > place).count();
            (message.number, message.missing, gone_past)
        });
        let unheard = self.sent.keys().map(|number| (*number, self.positions.len(), 0));
        let (room, mut on_their_way) = (self.room, 0);
        for (number, missing, gone_past) in missed.chain(unheard) {
            let lost = if is_early { gone_past } else { missing };
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

    /// A room of three members, and the faults in it.
    struct Room(Check, Faults);

    impl Room {
        /// `sent` messages are sent, and each member receives these, in this order.
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

        /// Returns whether every member has the message now.
        fn receive_as(&mut self, member: usize, number: u32, seq: u64, text: &str) -> Option<bool> {
            let same = self.0.receive_same(member, text);
            let delivery = same.or_else(|| self.0.receive(member, number, Some(seq), text, &mut self.1));
            delivery.map(|delivery| delivery.is_complete)
        }

        /// Returns the counts of faults (lost, doubled, out of order, different, made up), and how
        /// many deliveries were on their way.
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
        // The first receiver misses a message, and a message's place in the log is before the last
        // one's.
        let (wrong, _) = Room::new(2, [&[1], &[0, 1], &[0, 1]]).close(false);
        assert!(wrong[0] == 1 && wrong[2] > 0, "{wrong:?}");
    }

    #[test]
    fn a_message_is_complete_when_the_last_has_received_it_and_is_then_forgotten() {
        let mut room = Room::new(2, [&[0], &[], &[0]]);
        assert_eq!(room.receive(2, 1), Some(false));
        assert_eq!((room.0.open(), room.receive(1, 0), room.0.open()), (2, Some(true), 1));
        assert_eq!((room.0.next, room.0.received.len(), room.0.sent.len()), (2, 1, 0));
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
        // One member has passed message 1. Messages 1 and 2 may still reach the last member, and
        // message 3 all members.
        assert_eq!(Room::new(4, [&[0, 1, 2], &[0, 2], &[0]]).close(true), ([1, 0, 0, 0, 0], 5));
    }
}
