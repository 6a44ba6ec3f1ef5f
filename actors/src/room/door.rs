//! The door of a room: whether newcomers have to knock, who knocks, and who was admitted.

use std::time::Duration;

use annon_contract::code::Code;
use annon_contract::limits::{KNOCK_LASTS, KNOCKS_OF_VISITOR, KNOCKS_PER, KNOCKS_WAITING};
use annon_store::room::{Emoji, KnockId, MemberId, Millis};

use crate::room::machine::millis;

/// How a knock stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KnockState {
    /// The creator has not answered yet.
    Waiting,
    Admitted,
    Declined,
    /// The creator has not answered in time.
    Lapsed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Knock {
    pub id: KnockId,
    pub(super) member: MemberId,
    /// The emoji that the visitor gets when they come in.
    pub emoji: Emoji,
    pub at: Millis,
    /// Whether the visitor was admitted; `None` until the creator answers.
    answer: Option<bool>,
}

impl Knock {
    pub fn state(&self, now: Millis) -> KnockState {
        match self.answer {
            Some(true) => KnockState::Admitted,
            Some(false) => KnockState::Declined,
            None if self.left(now).is_zero() => KnockState::Lapsed,
            None => KnockState::Waiting,
        }
    }

    /// How long it waits from now on, if nobody answers.
    pub fn left(&self, now: Millis) -> Duration {
        KNOCK_LASTS.saturating_sub(Duration::from_millis(now.0.saturating_sub(self.at.0)))
    }

    fn is_counted(&self, now: Millis) -> bool {
        now.0.saturating_sub(self.at.0) < millis(KNOCKS_PER)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Door {
    asks_first: bool,
    /// Those of the last hour, in the order in which they came.
    knocks: Vec<Knock>,
    /// Who may come in without knocking, and the emoji that they get.
    admitted: Vec<(MemberId, Emoji)>,
}

impl Door {
    pub(super) fn asks_first(&self) -> bool {
        self.asks_first
    }

    pub(super) fn knock(&self, id: KnockId) -> Option<&Knock> {
        self.knocks.iter().find(|knock| knock.id == id)
    }

    /// The last knock of a visitor.
    pub(super) fn knock_of(&self, member: MemberId) -> Option<&Knock> {
        self.knocks.iter().rfind(|knock| knock.member == member)
    }

    /// The knocks that the creator has not answered yet.
    pub(super) fn waiting(&self, now: Millis) -> impl Iterator<Item = &Knock> {
        self.knocks.iter().filter(move |knock| knock.state(now) == KnockState::Waiting)
    }

    /// The emoji of somebody who may come in without knocking.
    pub(super) fn admitted(&self, member: MemberId) -> Option<Emoji> {
        self.admitted.iter().find(|(admitted, _)| *admitted == member).map(|(_, emoji)| *emoji)
    }

    /// Whether somebody who may come in is shown with this emoji.
    pub(super) fn promises(&self, emoji: Emoji, now: Millis) -> bool {
        self.waiting(now).any(|knock| knock.emoji == emoji) || self.admitted.iter().any(|(_, theirs)| *theirs == emoji)
    }

    /// Why a visitor can't knock once more.
    pub(super) fn takes_knock_of(&self, member: MemberId, now: Millis) -> Result<(), Code> {
        let theirs = self.knocks.iter().filter(|knock| knock.member == member && knock.is_counted(now));
        if theirs.count() >= KNOCKS_OF_VISITOR {
            Err(Code::KnockedTooOften)
        } else if self.waiting(now).count() >= KNOCKS_WAITING {
            Err(Code::TooManyKnocks)
        } else {
            Ok(())
        }
    }

    /// Newcomers have to knock from now on, or no longer: then all who wait are admitted.
    pub(super) fn ask_first(&mut self, on: bool, at: Millis) {
        self.asks_first = on;
        if !on {
            let waiting: Vec<_> = self.waiting(at).map(|knock| knock.id).collect();
            waiting.into_iter().for_each(|id| self.answer(id, true));
        }
    }

    pub(super) fn add(&mut self, id: KnockId, member: MemberId, emoji: Emoji, at: Millis) {
        self.knocks.retain(|knock| knock.is_counted(at));
        self.knocks.push(Knock { id, member, emoji, at, answer: None });
    }

    /// The creator has answered a knock.
    pub(super) fn answer(&mut self, id: KnockId, admits: bool) {
        let Some(knock) = self.knocks.iter_mut().find(|knock| knock.id == id) else { return };
        knock.answer = Some(admits);
        let (member, emoji) = (knock.member, knock.emoji);
        if admits {
            self.admit(member, emoji);
        }
    }

    /// A visitor may come in without knocking from now on.
    pub(super) fn admit(&mut self, member: MemberId, emoji: Emoji) {
        if self.admitted(member).is_none() {
            self.admitted.push((member, emoji));
        }
    }

    /// Somebody is in the room, and no longer waits.
    pub(super) fn came_in(&mut self, member: MemberId) {
        let theirs = self.knocks.iter_mut().filter(|knock| knock.member == member && knock.answer.is_none());
        theirs.for_each(|knock| knock.answer = Some(true));
    }

    /// A member left for good, or was removed.
    pub(super) fn went(&mut self, member: MemberId) {
        self.admitted.retain(|(admitted, _)| *admitted != member);
    }

    /// The memory that it takes, roughly.
    pub(super) fn memory(&self) -> usize {
        self.knocks.len() * size_of::<Knock>() + self.admitted.len() * size_of::<(MemberId, Emoji)>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_grows_with_each_who_knocks_and_each_who_is_admitted() {
        let mut door = Door::default();
        let grows = |door: &Door, from: usize| (10 * 10..200 * 10).contains(&(door.memory() - from));
        (1..=10).for_each(|n| door.add(KnockId([n; 16]), MemberId([n; 16]), Emoji(n), Millis(1)));
        assert!(grows(&door, 0), "{}", door.memory());
        let before = door.memory();
        (1..=10).for_each(|n| door.answer(KnockId([n; 16]), true));
        assert!(grows(&door, before), "{before} -> {}", door.memory());
    }
}
