//! Who comes in: what is decided about seats and knocks, and what is asked.

use std::collections::HashSet;

use annon_contract::code::Code;
use annon_contract::limits::ROOM_MEMBERS;
use annon_store::room::{Emoji, KnockId, MemberId, Millis, RoomEvent, SeatNumber};

use super::Room;
use crate::room::door::{Knock, KnockState};

impl Room {
    /// Nothing to do if the member has a seat. The room's creator doesn't have to knock.
    pub(super) fn claim(
        &self,
        member: MemberId,
        dice: u64,
        is_creator: bool,
        at: Millis,
    ) -> Result<Option<RoomEvent>, Code> {
        if self.kept_out.contains(&member) {
            return Err(Code::RemovedFromGroup);
        }
        if self.seat_of(member).is_ok() {
            return Ok(None);
        }
        self.has_space()?;
        let admitted = self.door.admitted(member);
        if self.door.asks_first() && admitted.is_none() && !is_creator {
            return Err(Code::AsksFirst);
        }
        let promised = admitted.filter(|emoji| self.seats.iter().all(|seat| seat.emoji != *emoji));
        let emoji = promised.or_else(|| self.free_emoji(dice, at)).ok_or(Code::GroupFull)?;
        Ok(Some(RoomEvent::Claimed { seat: SeatNumber(self.next_seat), member, emoji, at }))
    }

    /// Why nobody new can come in.
    fn has_space(&self) -> Result<(), Code> {
        if self.locked {
            Err(Code::GroupLocked)
        } else if self.seats.len() >= ROOM_MEMBERS {
            Err(Code::GroupFull)
        } else {
            Ok(())
        }
    }

    /// Nothing to do if the visitor waits already.
    pub(super) fn knock(
        &self,
        member: MemberId,
        knock: KnockId,
        dice: u64,
        at: Millis,
    ) -> Result<Option<RoomEvent>, Code> {
        if self.kept_out.contains(&member) {
            return Err(Code::RemovedFromGroup);
        }
        if self.seat_of(member).is_ok() {
            return Err(Code::NoNeedToKnock);
        }
        self.has_space()?;
        if !self.door.asks_first() || self.door.admitted(member).is_some() {
            return Err(Code::NoNeedToKnock);
        }
        if self.door.waiting(at).any(|waiting| waiting.member == member) {
            return Ok(None);
        }
        self.door.takes_knock_of(member, at)?;
        let emoji = self.free_emoji(dice, at).ok_or(Code::GroupFull)?;
        Ok(Some(RoomEvent::Knocked { knock, member, emoji, at }))
    }

    /// Nothing to do if the knock was answered in the same way before.
    pub(super) fn answer(&self, knock: KnockId, admits: bool, at: Millis) -> Result<Option<RoomEvent>, Code> {
        match (self.door.knock(knock).map(|knock| knock.state(at)), admits) {
            (Some(KnockState::Waiting), true) => {
                self.has_space()?;
                Ok(Some(RoomEvent::Admitted { knock, at }))
            }
            (Some(KnockState::Waiting), false) => Ok(Some(RoomEvent::Declined { knock, at })),
            (Some(KnockState::Admitted), true) | (Some(KnockState::Declined), false) => Ok(None),
            (Some(KnockState::Admitted | KnockState::Declined | KnockState::Lapsed) | None, _) => {
                Err(Code::NoSuchKnock)
            }
        }
    }

    /// An emoji that nobody has had here, and that nobody who waits is shown with. If there is
    /// none left, one without a message or reaction that can still be seen, so that its new owner
    /// isn't taken for the sender. If there is none of those either, one that nobody has now.
    fn free_emoji(&self, dice: u64, at: Millis) -> Option<Emoji> {
        let is_unseen = |emoji: &Emoji| !self.worn.contains(emoji) && !self.door.promises(*emoji, at);
        let mut free: Vec<_> = Emoji::all().filter(is_unseen).collect();
        if free.is_empty() {
            free = Emoji::all().filter(|emoji| self.seats.iter().all(|seat| seat.emoji != *emoji)).collect();
            if free.iter().any(|emoji| !self.door.promises(*emoji, at)) {
                free.retain(|emoji| !self.door.promises(*emoji, at));
            }
            let senders = self.lines.all().filter_map(|line| line.message()?.emoji);
            let spoke: HashSet<_> = senders.chain(self.lines.reactions().emojis()).collect();
            if free.iter().any(|emoji| !spoke.contains(emoji)) {
                free.retain(|emoji| !spoke.contains(emoji));
            }
        }
        let pick = dice.checked_rem(free.len() as u64)?;
        free.get(usize::try_from(pick).ok()?).copied()
    }

    /// Whether newcomers have to knock.
    pub fn asks_first(&self) -> bool {
        self.door.asks_first()
    }

    /// The knocks that the creator has not answered yet, in the order in which they came.
    pub fn knocks(&self, now: Millis) -> impl Iterator<Item = &Knock> {
        self.door.waiting(now.max(self.last_at))
    }

    pub fn knock_with(&self, id: KnockId) -> Option<&Knock> {
        self.door.knock(id)
    }

    /// The last knock of a visitor.
    pub fn knock_of(&self, member: MemberId) -> Option<&Knock> {
        self.door.knock_of(member)
    }
}
