//! The reactions that members of one room send while they chat.

use std::collections::BTreeMap;

use crate::load::frames::ReactFrame;

/// A member has at most so many on a message.
const SIGNS: [&str; 3] = ["👍", "😂", "🎉"];
/// How many reactions are remembered: far more than are on their way.
const REMEMBERED: usize = 8192;

#[derive(Default)]
pub(crate) struct Reacting {
    /// The place of the newest message that somebody has received.
    pub(crate) newest: Option<u64>,
    /// The number of each reaction, by the message's place, its sender and its sign.
    sent: BTreeMap<(u64, String, &'static str), u32>,
}

impl Reacting {
    /// A reaction that a member hasn't sent yet: the message's place, and the sign. `None` if
    /// there is no message for it.
    pub(crate) fn next(&mut self, member: &str, number: u32) -> Option<(u64, &'static str)> {
        let message = self.newest?;
        let sign = SIGNS.into_iter().find(|sign| !self.sent.contains_key(&(message, member.to_owned(), *sign)))?;
        self.sent.insert((message, member.to_owned(), sign), number);
        if self.sent.len() > REMEMBERED {
            self.sent.pop_first();
        }
        Some((message, sign))
    }

    /// The number under which a reaction was sent.
    pub(crate) fn number(&self, frame: &ReactFrame<'_>) -> Option<u32> {
        let sign = SIGNS.into_iter().find(|sign| *sign == frame.emoji)?;
        self.sent.get(&(frame.message, frame.sender.to_owned(), sign)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_member_sends_each_reaction_once_and_no_more_than_there_may_be() {
        let mut reacting = Reacting::default();
        assert_eq!(reacting.next("🦊", 1), None, "there is no message yet");
        reacting.newest = Some(5);
        assert_eq!(
            [1, 2, 3, 4].map(|n| reacting.next("🦊", n)),
            [Some((5, "👍")), Some((5, "😂")), Some((5, "🎉")), None]
        );
        assert_eq!(reacting.next("🐻", 5), Some((5, "👍")));
        let frame = |sender, emoji| ReactFrame { message: 5, sender, emoji, seq: 9 };
        assert_eq!(reacting.number(&frame("🦊", "😂")), Some(2));
        assert_eq!((reacting.number(&frame("🐻", "😂")), reacting.number(&frame("🦊", "❤️"))), (None, None));
    }
}
