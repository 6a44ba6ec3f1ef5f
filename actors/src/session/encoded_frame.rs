//! A frame as it travels: encoded once, and shared by everybody it goes to.

use std::cell::RefCell;

use actix_http::ws::{OpCode, Parser};
use bytes::{Bytes, BytesMut};
use serde::Serialize;

/// A text frame, or another whose bytes never change.
#[derive(Debug, Clone)]
pub struct EncodedFrame(Bytes);

/// The longest head a frame from a server has.
const HEAD: usize = 10;

thread_local! {
    /// What a thread puts the words of frames together in.
    static SCRATCH: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

impl EncodedFrame {
    /// A frame of a type of our own. Those always serialise.
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

    /// These frames in one piece, to send them to many sockets.
    pub(crate) fn joined(texts: &[Self]) -> Option<Self> {
        match texts {
            [] => None,
            [only] => Some(only.clone()),
            _ => Some(Self(texts.iter().map(Self::bytes).collect::<Vec<_>>().concat().into())),
        }
    }

    /// As it goes over the wire.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }
}
