//! Going back: events that were applied before they were in the log, and that
//! the log then refused.

use std::collections::HashSet;

use annon_store::room::{Emoji, MemberId, Millis, RoomEvent, SeatNumber, Seq};

use super::{Room, Seat};
use crate::room::door::Door;
use crate::room::reactions::OfMessage;

/// How to undo one event. It must be the last event of the room.
#[derive(Debug)]
pub struct Undo {
    seq: Seq,
    last_at: Millis,
    what: What,
}

#[derive(Debug)]
enum What {
    /// A message of this seat. It may be the first one.
    Message { seat: SeatNumber, spoke: bool },
    /// Who may be in the room was another before.
    Seats(Box<Seats>),
    /// The message had these reactions.
    Reactions { message: Seq, before: Option<OfMessage> },
    /// What the creator and those who knock did at the door.
    Door(Box<Door>),
    /// Words were dropped from memory. Only the log has them.
    Words,
}

#[derive(Debug)]
struct Seats {
    seats: Vec<Seat>,
    next_seat: u32,
    worn: HashSet<Emoji>,
    kept_out: HashSet<MemberId>,
    locked: bool,
    door: Door,
}

impl Room {
    /// How to undo an event that is applied next.
    pub(super) fn undo_of(&self, event: &RoomEvent) -> Undo {
        let what = match event {
            RoomEvent::Posted { seat, .. } => {
                let spoke = self.seats.iter().any(|taken| taken.number == *seat && taken.spoke);
                What::Message { seat: *seat, spoke }
            }
            RoomEvent::Reacted { message, .. } | RoomEvent::Unreacted { message, .. } => {
                What::Reactions { message: *message, before: self.lines.reactions().entry(*message) }
            }
            RoomEvent::AskFirst { .. }
            | RoomEvent::Knocked { .. }
            | RoomEvent::Admitted { .. }
            | RoomEvent::Declined { .. } => What::Door(Box::new(self.door.clone())),
            RoomEvent::Retracted { .. } | RoomEvent::Kicked { with_messages: true, .. } => What::Words,
            // The shell applies neither of these before it is in the log.
            RoomEvent::Closed { .. } | RoomEvent::Lost { .. } => What::Words,
            RoomEvent::Claimed { .. }
            | RoomEvent::Arrived { .. }
            | RoomEvent::Viewed { .. }
            | RoomEvent::Lapsed { .. }
            | RoomEvent::Left { .. }
            | RoomEvent::Kicked { with_messages: false, .. }
            | RoomEvent::Locked { .. } => What::Seats(Box::new(Seats {
                seats: self.seats.clone(),
                next_seat: self.next_seat,
                worn: self.worn.clone(),
                kept_out: self.kept_out.clone(),
                locked: self.locked,
                door: self.door.clone(),
            })),
        };
        Undo { seq: self.seq, last_at: self.last_at, what }
    }

    /// Undoes the last event. Lines that it pushed out at the front stay
    /// dropped. Returns `false` if only the log can tell how it was before.
    pub fn rewind(&mut self, undo: Undo) -> bool {
        let Undo { seq, last_at, what } = undo;
        match what {
            What::Words => return false,
            What::Message { seat, spoke } => {
                self.messages -= 1;
                if let Some(sender) = self.seats.iter_mut().find(|taken| taken.number == seat) {
                    sender.spoke = spoke;
                }
            }
            What::Reactions { message, before } => self.lines.restore_reactions(message, before),
            What::Door(before) => self.door = *before,
            What::Seats(before) => {
                let Seats { seats, next_seat, worn, kept_out, locked, door } = *before;
                self.seats = seats;
                self.next_seat = next_seat;
                self.worn = worn;
                self.kept_out = kept_out;
                self.locked = locked;
                self.door = door;
            }
        }
        self.lines.remove_last(self.seq);
        self.seq = seq;
        self.last_at = last_at;
        true
    }
}
