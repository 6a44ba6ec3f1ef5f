//! Socket.IO over its WebSocket transport: an event named `say` with the
//! message's name and words, relayed to the room as it is.

use std::borrow::Cow;
use std::fmt::Write;

use crate::dialect::{Dialect, Heard, MessageId};

/// Nothing to know.
pub(crate) struct SocketIo;

/// What opens the default namespace.
pub(crate) const CONNECT: &str = "40";
const EVENT: &str = r#"42["say",""#;
const END: &str = r#""]"#;

impl Dialect for SocketIo {
    const SAME_FOR_ALL: bool = true;

    fn compose(&self, id: MessageId, text: &str, out: &mut String) {
        let _ = write!(out, "{EVENT}{id}{text}{END}");
    }

    fn understand<'a>(&self, text: &'a str) -> Heard<'a> {
        let said = text.strip_prefix(EVENT).and_then(|rest| rest.strip_suffix(END));
        match (text, said.and_then(|said| said.split_at_checked(MessageId::LENGTH))) {
            (_, Some((id, text))) => Heard::Message { id, sender: None, text: Cow::Borrowed(text), seq: None },
            ("2", _) => Heard::Ask("3"),
            _ if text.starts_with(['0', '3', '6']) || text.starts_with(CONNECT) => Heard::Noise,
            _ => Heard::Odd(text.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_composed_is_understood_and_pings_are_answered() {
        let mut out = String::new();
        let id = MessageId { room: 1, member: 2, number: 3 };
        SocketIo.compose(id, "words", &mut out);
        let event: serde_json::Value = serde_json::from_str(out.strip_prefix("42").unwrap()).unwrap();
        assert_eq!(event, serde_json::json!(["say", "b00010020000003words"]));
        let Heard::Message { id: heard, text, .. } = SocketIo.understand(&out) else { panic!("{out}") };
        assert_eq!((MessageId::parse(heard), &*text), (Some(id), "words"));
        assert_eq!(SocketIo.understand("2"), Heard::Ask("3"));
        assert_eq!(SocketIo.understand(r#"40{"sid":"x"}"#), Heard::Noise);
        assert!(matches!(SocketIo.understand(r#"41"#), Heard::Odd(_)));
    }
}
