//! The frame that is sent most, encoded by hand: serde looks at every byte of
//! every field's name, which took longer than the rest of a message's way.

use serde::Serialize;

use super::ChatFrame;
use crate::session::Text;

/// Encodes a frame to the same bytes as `Text::of`.
pub(super) fn text(frame: &ChatFrame) -> Text {
    if !is_plain(frame) {
        return Text::of(frame);
    }
    Text::put_together(|out| {
        raw(out, r#"{"event":"event.chat","id":""#);
        raw(out, frame.id.as_str());
        raw(out, r#"","sender":"#);
        string(out, frame.sender);
        raw(out, r#","message":"#);
        string(out, &frame.message);
        raw(out, r#","caption":"","image_src":null,"image_low":null,"image_size":null,"reply":"#);
        json(out, &frame.reply);
        raw(out, r#","time":""#);
        out.extend_from_slice(&frame.time.text());
        raw(out, r#"","seq":"#);
        json(out, &frame.seq);
        raw(out, "}");
    })
}

/// Whether it holds nothing but what is put together here.
fn is_plain(frame: &ChatFrame) -> bool {
    frame.event == "event.chat"
        && frame.caption.is_empty()
        && frame.image_src.is_none()
        && frame.image_low.is_none()
        && frame.image_size.is_none()
        && !frame.unsent
}

fn raw(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(text.as_bytes());
}

/// Such values always serialise.
fn json(out: &mut Vec<u8>, value: &impl Serialize) {
    let _ = serde_json::to_writer(out, value);
}

fn string(out: &mut Vec<u8>, text: &str) {
    // Without a branch, so that many bytes are looked at together.
    let is_plain = |b: u8| (b >= b' ') & (b != b'"') & (b != b'\\');
    if text.bytes().fold(true, |all, b| all & is_plain(b)) {
        raw(out, "\"");
        raw(out, text);
        raw(out, "\"");
    } else {
        json(out, &text);
    }
}

#[cfg(test)]
mod tests {
    use annon_store::room::{ChatId, Millis};
    use proptest::prelude::*;

    use super::super::{ClockTime, Quote};
    use super::*;

    proptest! {
        #[test]
        fn it_says_what_serde_says(message in any::<String>(), quoted in any::<Option<String>>(), seq: u64, at: u64,
            odd in prop::option::weighted(0.5, 0..6_u8)) {
            // One field at a time is something it doesn't put together itself.
            let frame = ChatFrame {
                event: if odd == Some(0) { "event.image" } else { "event.chat" },
                id: ChatId::try_from("abcDEF123456789").unwrap(),
                sender: "🦊",
                message: message.into(),
                caption: if odd == Some(1) { "under \"it\"".into() } else { "".into() },
                image_src: (odd == Some(2)).then(|| "/api/room/x/image/y".to_owned()),
                image_low: (odd == Some(3)).then(|| "data:".to_owned()),
                image_size: (odd == Some(4)).then_some([1080, 720]),
                reply: quoted.map(|words| Quote("🐢", words.into(), 7, String::new())),
                time: ClockTime(Millis(at)),
                seq,
                unsent: odd == Some(5),
            };
            let (quick, serde) = (text(&frame), Text::of(&frame));
            prop_assert_eq!(quick.bytes(), serde.bytes());
        }
    }
}
