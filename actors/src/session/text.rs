//! A frame as it travels: encoded once, and shared by everybody it goes to.

use std::cell::RefCell;
use std::sync::Arc;

use serde::Serialize;

/// A text frame, or another whose bytes never change.
#[derive(Debug, Clone)]
pub struct Text(Arc<[u8]>);

/// The longest head a frame from a server has.
const HEAD: usize = 10;
const LAST_OF_TEXT: u8 = 0x81;

thread_local! {
    /// What a thread puts frames together in.
    static SCRATCH: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

impl Text {
    /// Asks whether the other side is there.
    pub(crate) fn ping() -> Self {
        Self([0x89, 0].into())
    }

    /// The answer to a ping; those are short.
    pub(crate) fn pong(ping: &[u8]) -> Self {
        let length = u8::try_from(ping.len()).unwrap_or_default();
        Self([&[0x8a, length], &ping[..length.into()]].concat().into())
    }

    /// A frame of a type of our own. Those always serialise.
    pub fn of<T: Serialize>(frame: &T) -> Self {
        SCRATCH.with_borrow_mut(|bytes| {
            bytes.clear();
            bytes.extend_from_slice(&[0; HEAD]);
            if serde_json::to_writer(&mut *bytes, frame).is_err() {
                bytes.truncate(HEAD);
            }
            Self(with_head(bytes).into())
        })
    }

    /// These frames in one piece, to send them to many sockets.
    pub(crate) fn joined(texts: &[Self]) -> Option<Self> {
        match texts {
            [] => None,
            [only] => Some(only.clone()),
            _ => SCRATCH.with_borrow_mut(|bytes| {
                bytes.clear();
                texts.iter().for_each(|text| bytes.extend_from_slice(text.bytes()));
                Some(Self(bytes.as_slice().into()))
            }),
        }
    }

    /// As it goes over the wire.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

/// A text frame, where its payload stands behind room for the longest head.
fn with_head(bytes: &mut [u8]) -> &[u8] {
    let length = bytes.len() - HEAD;
    let mut head = [0; HEAD];
    head[0] = LAST_OF_TEXT;
    // Seven bits, or a mark and sixteen, or a mark and sixty-four.
    let used = match (u8::try_from(length), u16::try_from(length)) {
        (Ok(short @ ..126), _) => {
            head[1] = short;
            2
        }
        (_, Ok(length)) => {
            head[1] = 126;
            head[2..4].copy_from_slice(&length.to_be_bytes());
            4
        }
        _ => {
            head[1] = 127;
            head[2..].copy_from_slice(&(length as u64).to_be_bytes());
            10
        }
    };
    bytes[HEAD - used..HEAD].copy_from_slice(&head[..used]);
    &bytes[HEAD - used..]
}

#[cfg(test)]
mod tests {
    use actix_http::ws::{Codec, Frame};
    use bytes::BytesMut;
    use tokio_util::codec::Decoder;

    use super::*;

    #[test]
    fn a_frame_of_any_length_is_what_it_says() {
        for length in [0, 1, 123, 124, 125, 126, 65_533, 65_534, 65_535, 70_000] {
            let words = "x".repeat(length);
            let text = Text::of(&words);
            let mut codec = Codec::new().client_mode().max_size(100_000);
            let mut bytes = BytesMut::from(text.bytes());
            let Some(Frame::Text(payload)) = codec.decode(&mut bytes).unwrap() else { panic!("no text") };
            assert_eq!(payload, serde_json::to_string(&words).unwrap());
            assert!(bytes.is_empty());
        }
    }
}
