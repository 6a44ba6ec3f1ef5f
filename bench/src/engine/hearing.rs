//! What a frame says, and whether it should have said that.

use std::time::Instant;

use crate::dialect::{Dialect, Heard, MessageId};
use crate::engine::Engine;
use crate::engine::book::{self, Message};
use crate::engine::pace::Pace;
use crate::frame::{Frame, Kind, goodbye};

/// What Annon says to who sends more than it takes from one socket.
const TOO_FAST: &str = "sending too fast";

impl<D: Dialect> Engine<'_, D> {
    pub(super) fn frame(&mut self, at: usize, frame: &Frame<'_>, now: Instant) {
        match frame.kind {
            Kind::Text => self.hear(at, frame.payload, now),
            Kind::Ping => self.answer(at, Kind::Pong, frame.payload),
            Kind::Pong => {}
            Kind::Binary => self.odd(at, "a binary frame"),
            Kind::Close => self.cut(at, &goodbye(frame.payload)),
        }
    }

    fn answer(&mut self, at: usize, kind: Kind, payload: &[u8]) {
        self.frame.clear();
        crate::frame::write(kind, payload, &mut self.frame);
        if self.hall.links[at].send(&self.frame, &self.poll, at).is_err() {
            self.cut(at, "the connection broke");
        }
    }

    fn hear(&mut self, at: usize, payload: &[u8], now: Instant) {
        let (room, member) = (at / self.hall.members, at % self.hall.members);
        let delivery = match self.books[room].hear_same(member, payload) {
            Some(delivery) => Some(delivery),
            None => self.understand(at, payload),
        };
        let Some(delivery) = delivery else { return };
        self.deliveries += 1;
        if delivery.due >= self.window.0 && delivery.due < self.window.1 {
            self.latencies.record(now.saturating_duration_since(delivery.due));
        }
        if delivery.is_complete {
            self.complete.push(room);
        }
    }

    /// What is not the same as somebody else has heard: a message's first
    /// copy, or something else.
    fn understand(&mut self, at: usize, payload: &[u8]) -> Option<book::Delivery> {
        let (room, member) = (at / self.hall.members, at % self.hall.members);
        let Ok(said) = str::from_utf8(payload) else {
            self.odd(at, "a text that is not UTF-8");
            return None;
        };
        match self.dialect.understand(said) {
            Heard::Noise => None,
            Heard::Closed { why } => {
                self.cut(at, &format!("the group has ended: {why}"));
                None
            }
            Heard::Odd(what) => {
                self.odd(at, &what);
                None
            }
            Heard::Refused { id, why } => {
                let id = id.as_deref().and_then(MessageId::parse);
                if id.is_none_or(|id| id.room == room && self.books[room].refuse(id.number)) {
                    self.refused += 1;
                    // It was never said to anybody.
                    self.sends = self.sends.saturating_sub(1);
                    // A closed loop that sends on at once is soon
                    // disconnected, and rightly.
                    self.is_limited |= why.contains(TOO_FAST) && matches!(self.course.pace, Pace::Closed { .. });
                    self.refusal.get_or_insert(why);
                    self.complete.push(room);
                }
                None
            }
            Heard::Message { id, sender, text, seq } => {
                let id = MessageId::parse(id).filter(|id| id.room == room && id.member < self.hall.members);
                let Some(id) = id else {
                    self.odd(at, said);
                    return None;
                };
                let face = self.hall.faces[room * self.hall.members + id.member].as_deref();
                let is_right = text == self.words.of(id.number)
                    && id.number as usize % self.hall.members == id.member
                    && face.is_none_or(|face| Some(face) == sender);
                if !is_right {
                    self.faults.garbled += 1;
                    self.faults.example(|| format!("other contents than were sent: {said}"));
                }
                self.books[room].hear(member, Message { number: id.number, seq }, payload)
            }
        }
    }

    fn odd(&mut self, at: usize, what: &str) {
        self.faults.strange += 1;
        self.faults.example(|| format!("connection {at} was told: {what}"));
    }
}
