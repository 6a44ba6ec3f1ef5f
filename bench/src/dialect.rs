//! How the servers that are measured are spoken to. They all relay texts
//! over WebSockets; what stands in a text differs.

use std::borrow::Cow;

mod annon;

pub(crate) use annon::{Annon, connect};

/// A message's name: who sent it and where, in fifteen letters and digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MessageId {
    pub(crate) room: usize,
    pub(crate) member: usize,
    /// Among those of the room.
    pub(crate) number: u32,
}

impl MessageId {
    pub(crate) const LENGTH: usize = 15;

    pub(crate) fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('b').filter(|digits| digits.len() == Self::LENGTH - 1)?;
        let part = |range: std::ops::Range<usize>| u32::from_str_radix(digits.get(range)?, 16).ok();
        Some(Self { room: part(0..4)? as usize, member: part(4..7)? as usize, number: part(7..14)? })
    }
}

impl std::fmt::Display for MessageId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "b{:04x}{:03x}{:07x}", self.room & 0xffff, self.member & 0xfff, self.number & 0xfff_ffff)
    }
}

/// What a server's text says.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Heard<'a> {
    Message {
        id: &'a str,
        /// As the room sees the sender, where the server says so.
        sender: Option<&'a str>,
        text: Cow<'a, str>,
        seq: Option<u64>,
    },
    /// The server said no.
    Refused { id: Option<String>, why: String },
    /// The group has ended, and this connection with it.
    Closed { why: String },
    /// Something that doesn't matter here.
    Noise,
    /// Something that no such server should say.
    Odd(String),
}

/// One way to speak.
pub(crate) trait Dialect: Send + 'static {
    /// Whether all members are sent the very same bytes.
    const SAME_FOR_ALL: bool;

    /// Appends what a member sends to say something.
    fn compose(&self, id: MessageId, text: &str, out: &mut String);

    /// What the server says with a text.
    fn understand<'a>(&self, text: &'a str) -> Heard<'a>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_s_name_has_fifteen_letters_and_digits() {
        for id in [
            MessageId { room: 0, member: 0, number: 0 },
            MessageId { room: 1999, member: 9, number: 123_456 },
            MessageId { room: 0xffff, member: 0xfff, number: 0xfff_ffff },
        ] {
            let text = id.to_string();
            assert_eq!(text.len(), MessageId::LENGTH);
            assert_eq!(MessageId::parse(&text), Some(id));
        }
        for odd in ["", "b", "c00000000000000", "b0000000000000x", "b000000000000000"] {
            assert_eq!(MessageId::parse(odd), None, "{odd}");
        }
    }
}
