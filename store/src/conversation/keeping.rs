//! How many conversations an inbox keeps, and which ends for the sake of another. Every engine
//! uses this code. What somebody can notice of it depends only on what they may know: whether a
//! note was shown, held back or dropped, or waits for its batch, makes no difference here.

use annon_contract::code::Code;
use annon_contract::limits::{CONVERSATIONS_OF_TAG, CONVERSATIONS_PER_ACCOUNT, CONVERSATIONS_UNANSWERED};

use super::{Change, Conversation, ConversationId, Side};
use crate::account::Timestamp;

/// Conversations that one transaction ends, so that other calls don't wait long.
pub const ENDED_TOGETHER: usize = 256;

/// What a conversation counts as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CountsAs {
    /// It is open, and its owner has said nothing in it.
    Unanswered,
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

/// How many of the conversations that nobody has answered end when one more begins: of those that
/// have been silent for the longest.
pub fn too_many_unanswered(unanswered: u32) -> usize {
    (unanswered.saturating_add(1).saturating_sub(CONVERSATIONS_UNANSWERED)) as usize
}

/// A conversation that was begun with some tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OfTag {
    pub id: ConversationId,
    pub counts_as: CountsAs,
    /// When its last line was said, or its note came.
    pub moved: Timestamp,
}

/// Which of those that were begun with a tag ends when one more is begun with it. If all of them
/// were answered, none is begun.
pub fn gives_way_to_one_more(of_tag: &[OfTag]) -> Result<Option<ConversationId>, Code> {
    let open = of_tag.iter().filter(|one| one.counts_as != CountsAs::Closed);
    if open.count() < CONVERSATIONS_OF_TAG {
        return Ok(None);
    }
    let unanswered = of_tag.iter().filter(|one| one.counts_as == CountsAs::Unanswered);
    let silent = unanswered.min_by_key(|one| (one.moved, one.id)).ok_or(Code::NoMoreConversations)?;
    Ok(Some(silent.id))
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn of_tag(n: u64, counts_as: CountsAs) -> OfTag {
        OfTag { id: ConversationId(Uuid::from_u128(n.into())), counts_as, moved: 1_000 - n }
    }

    #[test]
    fn the_one_of_a_tag_that_was_silent_for_the_longest_gives_way_and_none_that_was_answered() {
        let most = CONVERSATIONS_OF_TAG as u64;
        let with = |counts_as: fn(u64) -> CountsAs| (1..=most).map(|n| of_tag(n, counts_as(n))).collect::<Vec<_>>();
        let all = with(|_| CountsAs::Unanswered);
        assert_eq!(gives_way_to_one_more(&all[1..]), Ok(None));
        assert_eq!(gives_way_to_one_more(&all), Ok(Some(all[all.len() - 1].id)));
        let some = with(|n| if n < 5 { CountsAs::Unanswered } else { CountsAs::Answered });
        assert_eq!(gives_way_to_one_more(&some), Ok(Some(some[3].id)));
        assert_eq!(gives_way_to_one_more(&with(|_| CountsAs::Answered)), Err(Code::NoMoreConversations));
        let closed = with(|n| if n == 1 { CountsAs::Closed } else { CountsAs::Answered });
        assert_eq!(gives_way_to_one_more(&closed), Ok(None));
    }

    #[test]
    fn the_limits_are_what_they_say() {
        assert_eq!(may_answer_one_more(CONVERSATIONS_PER_ACCOUNT - 1), Ok(()));
        assert_eq!(may_answer_one_more(CONVERSATIONS_PER_ACCOUNT), Err(Code::TooManyAnswered));
        let most = CONVERSATIONS_UNANSWERED;
        assert_eq!([0, most - 1, most, most + 2].map(too_many_unanswered), [0, 0, 1, 3]);
    }
}
