//! Annon's own frames.

use std::borrow::Cow;
use std::fmt::Write;

use serde::Deserialize;

use crate::dialect::{Dialect, Heard, MessageId};

/// Rooms by their ids.
pub(crate) struct Annon {
    pub(crate) rooms: Vec<String>,
}

/// As much of a frame as is checked.
#[derive(Deserialize)]
struct Frame<'a> {
    #[serde(borrow)]
    event: &'a str,
    #[serde(borrow, default)]
    id: Option<&'a str>,
    #[serde(borrow, default)]
    sender: Option<&'a str>,
    #[serde(borrow, default)]
    message: Cow<'a, str>,
    #[serde(borrow, default)]
    reason: Option<&'a str>,
    seq: Option<u64>,
}

impl Dialect for Annon {
    const SAME_FOR_ALL: bool = true;

    fn compose(&self, id: MessageId, text: &str, out: &mut String) {
        // The words are ours, and hold nothing that JSON would escape.
        let _ = write!(
            out,
            r#"{{"action":"sendMessage","room_id":"{}","message":{{"event":"event.chat","id":"{id}","message":"{text}"}}}}"#,
            self.rooms[id.room]
        );
    }

    fn understand<'a>(&self, text: &'a str) -> Heard<'a> {
        let Ok(frame) = serde_json::from_str::<Frame<'a>>(text) else { return Heard::Odd(text.to_owned()) };
        match (frame.event, frame.id, frame.sender) {
            ("event.chat", Some(id), Some(sender)) => {
                Heard::Message { id, sender: Some(sender), text: frame.message, seq: frame.seq }
            }
            ("event.error", id, _) => Heard::Refused { id: id.map(str::to_owned), why: frame.message.into_owned() },
            ("event.closed", ..) => Heard::Closed { why: frame.reason.unwrap_or("without a reason").to_owned() },
            ("event.notify" | "event.ready" | "event.active-users" | "event.typing" | "event.image", ..) => {
                Heard::Noise
            }
            _ => Heard::Odd(text.to_owned()),
        }
    }
}

/// What a member says first: from here on it wants to hear everything.
pub(crate) fn connect(room: &str, since: Option<u64>) -> String {
    let since = since.map_or(String::new(), |since| format!(r#","since":{since}"#));
    format!(r#"{{"action":"sendMessage","room_id":"{room}","message":{{"event":"event.connect"{since}}}}}"#)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_composed_and_understood() {
        let annon = Annon { rooms: vec!["r0".to_owned(), "r1".to_owned()] };
        let mut out = String::new();
        annon.compose(MessageId { room: 1, member: 2, number: 3 }, "words", &mut out);
        let sent: serde_json::Value = serde_json::from_str(&out).unwrap();
        assert_eq!((sent["action"].as_str(), sent["room_id"].as_str()), (Some("sendMessage"), Some("r1")));
        assert_eq!(sent["message"]["id"], "b00010020000003");
        let frame = r#"{"event":"event.chat","id":"b00010020000003","sender":"🦊","message":"a \"b\"","caption":"",
            "image_src":null,"reply":null,"time":"18:05:59.042","seq":7}"#;
        assert_eq!(
            annon.understand(frame),
            Heard::Message { id: "b00010020000003", sender: Some("🦊"), text: "a \"b\"".into(), seq: Some(7) }
        );
    }

    #[test]
    fn refusals_and_noise_are_told_apart() {
        let annon = Annon { rooms: vec![] };
        let no = annon.understand(r#"{"event":"event.error","id":"x","message":"No."}"#);
        assert_eq!(no, Heard::Refused { id: Some("x".to_owned()), why: "No.".to_owned() });
        let no = annon.understand(r#"{"event":"event.error","id":null,"message":"No."}"#);
        assert_eq!(no, Heard::Refused { id: None, why: "No.".to_owned() });
        let joined = r#"{"event":"event.notify","message":"🦊 joined","time":"18:05:59.042","seq":1}"#;
        assert_eq!(annon.understand(joined), Heard::Noise);
        let closed = annon.understand(r#"{"event":"event.closed","reason":"expired"}"#);
        assert_eq!(closed, Heard::Closed { why: "expired".to_owned() });
        for odd in ["", "{}", "hello", r#"{"event":"event.chat"}"#] {
            assert!(matches!(annon.understand(odd), Heard::Odd(_)), "{odd}");
        }
    }

    #[test]
    fn who_comes_back_says_what_was_seen_last() {
        assert!(connect("r", None).contains(r#"{"event":"event.connect"}"#));
        assert!(connect("r", Some(7)).contains(r#"{"event":"event.connect","since":7}"#));
    }
}
