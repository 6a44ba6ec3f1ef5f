//! A frame as it is sent: encoded once, for all its sockets.

use std::cell::RefCell;

use actix_http::ws::{OpCode, Parser};
use bytes::{Bytes, BytesMut};
use serde::Serialize;

/// A text frame, or another frame whose bytes never change.
#[derive(Debug, Clone)]
pub struct EncodedFrame(Bytes);

/// The longest header of a frame from a server.
const HEAD: usize = 10;

thread_local! {
    /// The buffer in which a thread writes frames as JSON.
    static SCRATCH: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

impl EncodedFrame {
    /// Encodes a frame of one of our types. Those always serialise.
    pub fn of<T: Serialize>(frame: &T) -> Self {
        SCRATCH.with_borrow_mut(|words| {
            words.clear();
            if let Err(error) = serde_json::to_writer(&mut *words, frame) {
                tracing::error!(%error, "a frame can't be written down");
            }
            Self::new(words, OpCode::Text)
        })
    }

    pub(super) fn new(payload: &[u8], kind: OpCode) -> Self {
        let mut bytes = BytesMut::with_capacity(HEAD + payload.len());
        Parser::write_message(&mut bytes, payload, kind, true, false);
        Self(bytes.freeze())
    }

    /// Joins frames, to send them in one piece. `None` if there are none.
    pub(crate) fn joined(texts: &[Self]) -> Option<Self> {
        match texts {
            [] => None,
            [only] => Some(only.clone()),
            _ => Some(Self(texts.iter().map(Self::bytes).collect::<Vec<_>>().concat().into())),
        }
    }

    /// The bytes on the wire.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }
}
