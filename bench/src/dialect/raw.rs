//! A relay of plain texts, which knows nothing of what it relays: the
//! message's name first, then its words.

use std::borrow::Cow;
use std::fmt::Write;

use crate::dialect::{Dialect, Heard, MessageId};

/// Nothing to know.
pub(crate) struct Raw;

impl Dialect for Raw {
    const SAME_FOR_ALL: bool = true;

    fn compose(&self, id: MessageId, text: &str, out: &mut String) {
        let _ = write!(out, "{id}{text}");
    }

    fn understand<'a>(&self, text: &'a str) -> Heard<'a> {
        match text.split_at_checked(MessageId::LENGTH) {
            Some((id, text)) => Heard::Message { id, sender: None, text: Cow::Borrowed(text), seq: None },
            None => Heard::Odd(text.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_composed_is_understood() {
        let mut out = String::new();
        let id = MessageId { room: 1, member: 2, number: 3 };
        Raw.compose(id, "words", &mut out);
        let Heard::Message { id: heard, text, .. } = Raw.understand(&out) else { panic!("{out}") };
        assert_eq!((MessageId::parse(heard), &*text), (Some(id), "words"));
        assert!(matches!(Raw.understand("short"), Heard::Odd(_)));
    }
}
