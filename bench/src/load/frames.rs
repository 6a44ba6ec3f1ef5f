//! The frames of a group's socket: those that a member sends, and those that the server sends.

use std::borrow::Cow;
use std::fmt;

use annon_contract::limits::{SEALED_AROUND, SEALED_SIZES};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde::Deserialize;
use serde_json::Value;

/// The id of a message: its room and number, in fifteen letters and digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct MessageId {
    pub(crate) room: usize,
    /// The message's number in its room.
    pub(crate) number: u32,
}

impl MessageId {
    const LENGTH: usize = 15;

    pub(crate) fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('b').filter(|digits| digits.len() == Self::LENGTH - 1)?;
        let (room, number) = digits.split_at_checked(4)?;
        let hex = |digits| u32::from_str_radix(digits, 16).ok();
        Some(Self { room: hex(room)? as usize, number: hex(number)? })
    }
}

impl fmt::Display for MessageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "b{:04x}{:010x}", self.room & 0xffff, self.number)
    }
}

/// The part of a frame that is checked.
#[derive(Deserialize)]
pub(crate) struct Frame<'a> {
    pub(crate) event: &'a str,
    #[serde(borrow)]
    pub(crate) id: Option<&'a str>,
    #[serde(borrow)]
    pub(crate) sender: Option<&'a str>,
    #[serde(borrow, default)]
    pub(crate) message: Cow<'a, str>,
    #[serde(borrow)]
    pub(crate) code: Option<&'a str>,
    pub(crate) seq: Option<u64>,
}

/// A member's message. Its words need no escaping in JSON.
pub(crate) fn chat(room: &str, id: MessageId, text: &str) -> String {
    format!(
        r#"{{"action":"sendMessage","room_id":"{room}","message":{{"event":"event.chat","id":"{id}","message":"{text}"}}}}"#
    )
}

/// A member's reaction to the message at this place.
pub(crate) fn react(room: &str, message: u64, sign: &str) -> String {
    format!(
        r#"{{"action":"sendMessage","room_id":"{room}","message":{{"event":"event.react","message":{message},"emoji":"{sign}","on":true}}}}"#
    )
}

/// The part of a reaction's frame that is checked.
#[derive(Deserialize)]
pub(crate) struct ReactFrame<'a> {
    pub(crate) message: u64,
    pub(crate) sender: &'a str,
    pub(crate) emoji: &'a str,
    pub(crate) seq: u64,
}

/// The first frame of a member, who receives everything from then on.
pub(crate) fn connect(room: &str, since: Option<u64>) -> String {
    let since = since.map_or(String::new(), |since| format!(r#","since":{since}"#));
    format!(r#"{{"action":"sendMessage","room_id":"{room}","message":{{"event":"event.connect"{since}}}}}"#)
}

/// A message as every member must receive it.
#[derive(Debug, Default, Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct ChatMessage {
    pub(crate) id: String,
    /// Its place in the room's log.
    pub(crate) seq: u64,
    /// The emoji of the member who sent it.
    pub(crate) sender: String,
    pub(crate) message: String,
}

/// The messages among frames or among a room's lines.
pub(crate) fn messages(frames: &[Value]) -> Vec<ChatMessage> {
    let chats = frames.iter().filter(|frame| frame["event"] == "event.chat");
    chats.map(|frame| ChatMessage::deserialize(frame).unwrap_or_default()).collect()
}

/// Compares messages that were read again with those that were sent. Returns a
/// sentence about the first one that differs, or None.
pub(crate) fn difference(sent: &[ChatMessage], read: &[ChatMessage]) -> Option<String> {
    let at = (0..sent.len().max(read.len())).find(|at| sent.get(*at) != read.get(*at))?;
    let (count, was, is) = (sent.len(), sent.get(at), read.get(at));
    Some(format!("of {count} messages {} were read; at {at} it is {is:?} and was {was:?}", read.len()))
}

/// The words of a message. The number makes them different from all others of the room, so a wrong
/// text is found. They are a hundred letters that need no escaping in JSON.
pub(crate) fn words(number: u32) -> String {
    format!("{number:08x} what people say to each other in a group takes about a hundred letters; others write fewer.")
}

/// As many words, as a browser seals them: the server can't open them either, so they need not open.
pub(crate) fn sealed_words(number: u32) -> String {
    let mut bytes = vec![7; SEALED_AROUND + SEALED_SIZES[1]];
    bytes[0] = 1;
    bytes[1..5].copy_from_slice(&number.to_be_bytes());
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_message_s_name_has_fifteen_letters_and_digits() {
        for (room, number) in [(0, 0), (1999, 123_456), (0xffff, u32::MAX)] {
            let id = MessageId { room, number };
            assert_eq!((id.to_string().len(), MessageId::parse(&id.to_string())), (MessageId::LENGTH, Some(id)));
        }
        for odd in ["", "b", "c00000000000000", "b0000000000000x", "b000000000000000"] {
            assert_eq!(MessageId::parse(odd), None, "{odd}");
        }
        assert_eq!([0, u32::MAX].map(|number| words(number).len()), [100; 2]);
    }

    #[test]
    fn only_what_was_said_and_in_its_order_is_right() {
        let chat = |seq: u64| json!({"event": "event.chat", "id": "x", "seq": seq, "sender": "🦊", "message": "a"});
        let read = |places: &[u64]| messages(&places.iter().map(|seq| chat(*seq)).collect::<Vec<_>>());
        let sent = read(&[2, 3, 4]);
        let noise = json!({"event": "event.notify", "message": "🦊 joined", "seq": 5});
        assert_eq!(difference(&sent, &messages(&[chat(2), chat(3), noise, chat(4)])), None);
        for wrong in [&[2, 3][..], &[2, 4, 3], &[2, 3, 3, 4], &[3, 4], &[2, 3, 4, 5], &[]] {
            assert!(difference(&sent, &read(wrong)).is_some(), "{wrong:?}");
        }
        let mut other = sent.clone();
        other[1].message = "word".to_owned();
        let sentence = difference(&sent, &other).unwrap();
        assert!(sentence.starts_with("of 3 messages 3 were read; at 1 it is Some(ChatMessage"), "{sentence}");
    }
}
