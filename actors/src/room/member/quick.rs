//! What pages send most, taken apart by hand: serde takes every text and
//! every field's name for something that may be escaped, which here took
//! longer than all else a message needs before it is stored.

use std::borrow::Cow;

use super::{ClientFrame, ClientMessage, Word};
use crate::session::plain;

/// The same as serde would make of it, where there is nothing in it but short
/// objects of plain texts; anything else, and anything wrong, is serde's.
pub(super) fn frame(text: &str) -> Option<ClientFrame<'_>> {
    let mut rest = Rest(text);
    let (mut action, mut room_id, mut message) = (None, None, None);
    rest.object(|name, rest| match name {
        "action" => put(&mut action, rest.string()?),
        "room_id" => put(&mut room_id, rest.string()?),
        "message" => put(&mut message, rest.message()?),
        _ => None,
    })?;
    let frame = ClientFrame { action: action?.into(), room_id: room_id?.into(), message: message? };
    rest.0.is_empty().then_some(frame)
}

/// A name that comes twice is for serde to refuse.
fn put<T>(place: &mut Option<T>, value: T) -> Option<()> {
    place.replace(value).is_none().then_some(())
}

/// What has not been looked at yet. Nothing goes on after a `None`.
struct Rest<'a>(&'a str);

impl<'a> Rest<'a> {
    fn take(&mut self, token: &str) -> Option<()> {
        self.0 = self.0.strip_prefix(token)?;
        Some(())
    }

    /// A text that stands there as it is.
    fn string(&mut self) -> Option<&'a str> {
        self.take("\"")?;
        let (text, rest) = self.0.split_at_checked(plain(self.0.as_bytes()))?;
        self.0 = rest;
        self.take("\"")?;
        Some(text)
    }

    fn word(&mut self) -> Option<Option<Word<'a>>> {
        if self.take("null").is_some() {
            return Some(None);
        }
        Some(Some(Word(Cow::Borrowed(self.string()?))))
    }

    /// An object with at least one field, without a space in it.
    fn object(&mut self, mut field: impl FnMut(&str, &mut Self) -> Option<()>) -> Option<()> {
        self.take("{")?;
        loop {
            let name = self.string()?;
            self.take(":")?;
            field(name, self)?;
            if self.take(",").is_none() {
                return self.take("}");
            }
        }
    }

    fn message(&mut self) -> Option<ClientMessage<'a>> {
        let mut event = None;
        let [mut id, mut message, mut caption, mut image_src, mut image_low] = [const { None }; 5];
        self.object(|name, rest| match name {
            "event" => put(&mut event, rest.string()?),
            "id" => put(&mut id, rest.word()?),
            "message" => put(&mut message, rest.word()?),
            "caption" => put(&mut caption, rest.word()?),
            "image_src" => put(&mut image_src, rest.word()?),
            "image_low" => put(&mut image_low, rest.word()?),
            "reply" | "since" => None,
            // Pages say more than anybody listens to.
            _ => rest.word().map(drop),
        })?;
        Some(ClientMessage {
            event: event?.into(),
            id: id.flatten(),
            message: message.flatten(),
            caption: caption.flatten(),
            image_src: image_src.flatten(),
            image_low: image_low.flatten(),
            reply: None,
            since: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn shown(frame: &ClientFrame<'_>) -> String {
        format!("{frame:?}")
    }

    #[test]
    fn what_a_page_sends_is_taken_apart_here() {
        let says = |message| json!({"action": "sendMessage", "room_id": "r", "message": message}).to_string();
        let id = "abcDEF123456789";
        for message in [
            json!({"event": "event.chat", "id": id, "sender": "🦊", "message": "Words", "caption": "", "image_src": null}),
            json!({"event": "event.image", "id": id, "message": "", "image_src": "/api/a", "image_low": "/api/b"}),
            json!({"event": "event.unsend", "id": id}),
            json!({"event": "event.typing"}),
        ] {
            let text = says(message);
            let frame = frame(&text).expect("nothing odd");
            assert_eq!(shown(&frame), shown(&serde_json::from_str(&text).unwrap()));
        }
    }

    /// Pieces of frames, good ones and others, put together in any order.
    fn pieces() -> impl Strategy<Value = String> {
        let piece = prop::sample::select(vec![
            "{",
            "}",
            ",",
            ":",
            "\"",
            "null",
            " ",
            "\\\"",
            "\\u0041",
            "\u{1}",
            "7",
            "[",
            "]",
            "🦊",
            "aaaaaaaaaaaaaaaaa",
            "\"action\":\"sendMessage\"",
            "\"room_id\":\"r\"",
            "\"message\":{\"event\":\"event.chat\"}",
            "\"message\":{",
            "\"event\":\"event.chat\"",
            "\"id\":null",
            "\"message\":\"Words\"",
            "\"caption\":\"\"",
            "\"image_src\":null",
            "\"reply\":[\"🦊\",\"a\",7,\"\"]",
            "\"since\":7",
            "\"sender\":\"🦊\"",
            "\"odd\":7",
        ]);
        prop::collection::vec(piece, 0..16).prop_map(|pieces| pieces.concat())
    }

    fn fields() -> impl Strategy<Value = String> {
        let field = |names: &'static [&'static str]| {
            let value = prop_oneof![
                any::<Option<String>>().prop_map(|text| json!(text)),
                any::<u64>().prop_map(|number| json!(number)),
                "[ -~]{0,40}".prop_map(|text| json!(text)),
            ];
            (prop::sample::select(names), value).prop_map(|(name, value)| format!("\"{name}\":{value}"))
        };
        let inner = field(&["event", "id", "message", "caption", "image_src", "image_low", "reply", "since", "more"]);
        let outer = field(&["action", "room_id", "message", "more"]);
        let inner = prop::collection::vec(inner, 0..6).prop_map(|fields| fields.join(","));
        let outer = prop::option::weighted(0.2, outer);
        (inner, "[a-z\"]{0,3}", outer).prop_map(|(inner, room, outer)| {
            let more = outer.map(|field| format!(",{field}")).unwrap_or_default();
            format!(r#"{{"action":"sendMessage","room_id":"{room}","message":{{"event":"event.chat",{inner}}}{more}}}"#)
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]
        #[test]
        fn it_never_hears_anything_but_what_serde_hears(text in prop_oneof![pieces(), fields(), any::<String>()]) {
            if let Some(quick) = frame(&text) {
                let serde: Result<ClientFrame<'_>, _> = serde_json::from_str(&text);
                prop_assert_eq!(shown(&quick), shown(&serde.map_err(|error| TestCaseError::fail(error.to_string()))?));
            }
        }
    }
}
