//! Reactions: what is decided about them, and what is asked.

use annon_contract::code::Code;
use annon_store::room::{Millis, RoomEvent, SeatNumber, Seq, Sign};

use super::Room;
use crate::room::reactions::Reaction;

impl Room {
    /// Nothing to do if the reaction is there, or not there, as the member wants it.
    pub(super) fn react(
        &self,
        seat: SeatNumber,
        message: Seq,
        sign: Sign,
        on: bool,
        at: Millis,
    ) -> Result<Option<RoomEvent>, Code> {
        if self.message(message).is_none_or(|message| message.is_gone) {
            return Err(Code::MessageGone);
        }
        let reactions = self.lines.reactions();
        match reactions.of(seat, message, sign) {
            Some(reaction) if !on => Ok(Some(RoomEvent::Unreacted { seat, message, reaction: reaction.seq, at })),
            None if on => {
                reactions.admits(seat, message)?;
                Ok(Some(RoomEvent::Reacted { seat, message, sign: Some(sign), at }))
            }
            Some(_) | None => Ok(None),
        }
    }

    /// Adds the reaction of the event at `self.seq`.
    pub(super) fn reacted(&mut self, seat: SeatNumber, message: Seq, sign: Option<Sign>) {
        let emoji = self.seats.iter().find(|taken| taken.number == seat).map(|seat| seat.emoji);
        self.lines.react(message, Reaction { seq: self.seq, seat, emoji, sign });
    }

    /// The reactions to a message that were not taken back, in the order in which they came.
    pub fn reactions_to(&self, message: Seq) -> impl Iterator<Item = &Reaction> {
        self.lines.reactions().to(message)
    }

    /// The messages to which the reactions have changed after `since`, each with the last change.
    pub fn reactions_changed_after(&self, since: Seq) -> impl Iterator<Item = (Seq, Seq)> {
        self.lines.reactions().changed_after(since)
    }
}
