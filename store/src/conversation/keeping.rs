//! How many conversations an inbox keeps, and which ends for the sake of another. What somebody can notice of
//! it depends only on what they may know. An owner may end conversations by beginning some of their own, so those
//! that they are shown give way to such ones only. A sender knows how many they have begun.

use annon_contract::code::Code;
use annon_contract::limits::{CONVERSATIONS_OF_TAG, CONVERSATIONS_PER_ACCOUNT, CONVERSATIONS_UNANSWERED};

use super::{Change, Conversation, Side};

/// Conversations that one transaction ends, so that other calls don't wait long: each may have a hundred lines.
pub const ENDED_TOGETHER: usize = 64;

/// What a conversation counts as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CountsAs {
    /// It is open, and its owner has said nothing in it.
    Unanswered,
    /// It is open, and its owner must not know of it.
    Hidden,
    /// It is open, and its owner has said something in it.
    Answered,
    Closed,
}

impl Conversation {
    pub fn counts_as(&self) -> CountsAs {
        let is_answered = || self.lines.iter().any(|line| line.from == Side::Owner);
        match self.closed {
            Some(_) => CountsAs::Closed,
            None if is_answered() => CountsAs::Answered,
            None => CountsAs::Unanswered,
        }
    }

    /// Whether with this change the owner answers for the first time.
    pub fn is_answered_by(&self, change: &Change) -> bool {
        matches!(change, Change::Say { from: Side::Owner, .. }) && self.counts_as() == CountsAs::Unanswered
    }
}

/// Whether an owner who has answered in so many open conversations may answer in one more. Only
/// the owner hears of it: a sender who was refused would learn how many talk to them.
pub fn may_answer_one_more(answered: u32) -> Result<(), Code> {
    if answered < CONVERSATIONS_PER_ACCOUNT { Ok(()) } else { Err(Code::TooManyAnswered) }
}

/// How many of so many conversations that nobody has answered end when one more begins: those that have been silent for
/// the longest.
pub fn too_many_unanswered(unanswered: usize) -> usize {
    (unanswered + 1).saturating_sub(CONVERSATIONS_UNANSWERED as usize)
}

/// Whether one more may be begun with a tag with which so many are open. None of these ends for it: its owner would
/// learn that they came from one hand, and that this hand has written again.
pub fn may_begin_one_more(of_tag: usize) -> Result<(), Code> {
    if of_tag < CONVERSATIONS_OF_TAG { Ok(()) } else { Err(Code::NoMoreConversations) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limits_are_what_they_say() {
        assert_eq!(may_answer_one_more(CONVERSATIONS_PER_ACCOUNT - 1), Ok(()));
        assert_eq!(may_answer_one_more(CONVERSATIONS_PER_ACCOUNT), Err(Code::TooManyAnswered));
        assert_eq!(may_begin_one_more(CONVERSATIONS_OF_TAG - 1), Ok(()));
        assert_eq!(may_begin_one_more(CONVERSATIONS_OF_TAG), Err(Code::NoMoreConversations));
        let most = CONVERSATIONS_UNANSWERED as usize;
        assert_eq!([0, most - 1, most, most + 2].map(too_many_unanswered), [0, 0, 1, 3]);
    }
}
