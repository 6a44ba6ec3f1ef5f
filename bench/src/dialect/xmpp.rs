//! Rooms of an XMPP server (multi-user chat), over its WebSocket transport:
//! one stanza in each text.

use std::borrow::Cow;
use std::fmt::Write;

use crate::dialect::{Dialect, Heard, MessageId};

/// The domain and its rooms' service.
pub(crate) struct Xmpp {
    pub(crate) service: String,
    /// Different in every run, whose members may still sit in their rooms.
    pub(crate) tag: u128,
}

/// How a member is called in a room.
pub(crate) fn nick(member: usize) -> String {
    format!("m{member}")
}

impl Xmpp {
    /// The address of a room.
    pub(crate) fn room(&self, room: usize) -> String {
        format!("bench{:x}-{room}@{}", self.tag, self.service)
    }
}

impl Dialect for Xmpp {
    // Every copy is addressed to its member.
    const SAME_FOR_ALL: bool = false;

    fn compose(&self, id: MessageId, text: &str, out: &mut String) {
        let _ = write!(
            out,
            "<message xmlns='jabber:client' type='groupchat' to='{}' id='{id}'><body>{text}</body></message>",
            self.room(id.room)
        );
    }

    fn understand<'a>(&self, text: &'a str) -> Heard<'a> {
        if text.starts_with("<presence") || text.starts_with("<iq") {
            return Heard::Noise;
        }
        if !text.starts_with("<message") {
            return Heard::Odd(text.to_owned());
        }
        let head = text.split('>').next().unwrap_or_default();
        if attribute(head, "type") == Some("error") {
            let id = attribute(head, "id").map(str::to_owned);
            return Heard::Refused { id, why: "an error stanza".to_owned() };
        }
        let body = text.split_once("<body>").and_then(|(_, rest)| rest.split_once("</body>"));
        let (Some((body, _)), Some(id), Some(from)) = (body, attribute(head, "id"), attribute(head, "from")) else {
            return Heard::Noise;
        };
        let sender = from.split_once('/').map(|(_, nick)| nick);
        Heard::Message { id, sender, text: Cow::Borrowed(body), seq: None }
    }
}

/// Servers quote in either way.
fn attribute<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = head;
    while let Some((before, after)) = rest.split_once(name) {
        let quote = after.strip_prefix('=').and_then(|after| after.chars().next());
        if before.ends_with([' ', '\n', '\t'])
            && let Some(quote @ ('\'' | '"')) = quote
        {
            return after[2..].split_once(quote).map(|(value, _)| value);
        }
        rest = after;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stanzas_are_told_apart() {
        let xmpp = Xmpp { service: "conference.localhost".to_owned(), tag: 0xb };
        let stanza = "<message xml:lang='en' to='a@localhost/1' from=\"bench0@conference.localhost/m3\" type='groupchat' \
                      id='b00000030000001' xmlns='jabber:client'><stanza-id id='9'/><body>words</body></message>";
        let heard = xmpp.understand(stanza);
        let wanted = Heard::Message { id: "b00000030000001", sender: Some("m3"), text: "words".into(), seq: None };
        assert_eq!(heard, wanted);
        assert_eq!(xmpp.room(7), "benchb-7@conference.localhost");
        assert_eq!(xmpp.understand("<presence from='x'/>"), Heard::Noise);
        assert_eq!(xmpp.understand("<message from='x/y' type='groupchat'><subject/></message>"), Heard::Noise);
        assert!(matches!(xmpp.understand("<message type='error' id='7'/>"), Heard::Refused { .. }));
        assert!(matches!(xmpp.understand("<close/>"), Heard::Odd(_)));
    }
}
