//! What fuzzing calls (`fuzz/`): the bytes of a socket, as a stranger sends them.

use std::io::{self, ErrorKind};
use std::pin::Pin;
use std::task::{Poll, Waker};

use annon_store::invariant;
use futures_util::Stream;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::incoming::{Incoming, Reader, Seen};
use super::*;
use crate::room::ClientFrame;

/// A connection that brings its bytes so many at a time, and takes whatever is written.
struct Sent {
    bytes: Vec<u8>,
    at: usize,
    at_once: usize,
}

impl AsyncRead for Sent {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
        to: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let end = self.bytes.len().min(self.at + self.at_once.min(to.remaining()));
        to.put_slice(&self.bytes[self.at..end]);
        self.at = end;
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Sent {
    fn poll_write(self: Pin<&mut Self>, _: &mut std::task::Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut std::task::Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut std::task::Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Err(ErrorKind::Unsupported.into()))
    }
}

/// What is seen of the bytes, in order, and what messages they make.
fn seen(bytes: &[u8], at_once: usize) -> Vec<String> {
    let sent = Sent { bytes: bytes.to_vec(), at: 0, at_once };
    let mut incoming = Incoming::new(Outbox::new(None), Reader::Other(Box::new(sent)), BytesMut::new());
    let (mut pieces, mut all) = (Fragments::default(), Vec::new());
    let mut context = std::task::Context::from_waker(Waker::noop());
    while let Poll::Ready(Some(Seen::Frame(frame))) = Pin::new(&mut incoming).poll_next(&mut context) {
        all.push(format!("{frame:?}"));
        let text = match frame {
            Frame::Text(text) => Some(text),
            Frame::Continuation(piece) => match pieces.add(piece) {
                Ok(whole) => whole,
                Err(why) => {
                    all.push(format!("{why:?}"));
                    break;
                }
            },
            Frame::Binary(_) | Frame::Ping(_) | Frame::Pong(_) | Frame::Close(_) => None,
        };
        if let Some(text) = text.as_deref().and_then(|text| str::from_utf8(text).ok()) {
            all.push(format!("{:?}", serde_json::from_str::<ClientFrame<'_>>(text).is_ok()));
        }
    }
    all
}

/// However the bytes are cut, the same frames are seen.
pub fn frames(bytes: &[u8]) {
    let whole = seen(bytes, usize::MAX);
    for at_once in [1, 7] {
        invariant!(seen(bytes, at_once) == whole, "frames don't depend on how their bytes come");
    }
}

#[test]
fn what_fuzzing_has_found_is_read() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../fuzz/corpus/frames");
    let files: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|file| std::fs::read(file.unwrap().path()).unwrap()).collect();
    assert!(!files.is_empty());
    files.iter().for_each(|file| frames(file));
}
