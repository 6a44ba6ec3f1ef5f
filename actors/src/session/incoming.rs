//! The receiving side of one socket: a stream of frames. While it waits for
//! them, it also writes the bytes that wait in the outbox.

use std::cell::RefCell;
use std::io::{ErrorKind, Result};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use actix_http::ws::{Codec, Frame, ProtocolError};
use annon_contract::limits::FRAME_MAX_BYTES;
use bytes::BytesMut;
use futures_util::Stream;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::tcp::OwnedReadHalf;
use tokio_util::codec::Decoder;
use tokio_util::io::poll_read_buf;

use super::Outbox;

/// The longest header of a client's frame: 2 bytes, 8 of length, 4 of mask.
pub(super) const FRAME_HEAD: usize = 14;
/// Bytes that are read at once.
const READS: usize = 16 * 1024;

thread_local! {
    /// The buffer a thread reads into. A frame borrows from it until it is
    /// handled; a socket keeps only the bytes after its first frame.
    static SCRATCH: RefCell<BytesMut> = RefCell::new(BytesMut::new());
}

/// Both directions of a connection that isn't plain TCP.
pub trait Duplex: AsyncRead + AsyncWrite + Unpin + 'static {}

impl<T: AsyncRead + AsyncWrite + Unpin + 'static> Duplex for T {}

pub(super) enum Reader {
    Tcp(OwnedReadHalf),
    Other(Box<dyn Duplex>),
}

/// What the receiving side hands to the session.
pub(super) enum Seen {
    /// The client sent a frame.
    Frame(Frame),
    /// The client broke the protocol; nothing more is read.
    Broken(ProtocolError),
    /// Our last byte is written. The other side has a moment to close.
    Done,
}

pub(super) struct Incoming {
    outbox: Arc<Outbox>,
    reader: Reader,
    buffer: BytesMut,
    codec: Codec,
    /// Incoming bytes are thrown away.
    discards: bool,
    done: bool,
}

impl Incoming {
    pub(super) fn new(outbox: Arc<Outbox>, reader: Reader, buffer: BytesMut) -> Self {
        Self { outbox, reader, buffer, codec: Codec::new().max_size(FRAME_MAX_BYTES), discards: false, done: false }
    }

    fn poll_flush(&mut self, context: &mut Context<'_>) -> Poll<Result<bool>> {
        match &mut self.reader {
            Reader::Tcp(_) => self.outbox.poll_flush(context),
            Reader::Other(io) => {
                let ended = ready!(self.outbox.poll_flush_with(context, |context, pending| {
                    Pin::new(&mut **io).poll_write(context, pending)
                }))?;
                ready!(Pin::new(&mut **io).poll_flush(context))?;
                Poll::Ready(Ok(ended))
            }
        }
    }

    /// Reads the bytes that have come. Returns their first frame, unless
    /// earlier bytes still wait in the buffer. An error is the end.
    fn poll_read(&mut self, context: &mut Context<'_>) -> Poll<Result<Option<Seen>>> {
        SCRATCH.with_borrow_mut(|scratch| {
            scratch.clear();
            scratch.reserve(READS);
            let read = ready!(match &mut self.reader {
                Reader::Tcp(tcp) => poll_read_buf(Pin::new(tcp), context, scratch),
                Reader::Other(io) => poll_read_buf(Pin::new(&mut **io), context, scratch),
            })?;
            if read == 0 {
                return Poll::Ready(Err(ErrorKind::UnexpectedEof.into()));
            }
            let seen = if self.discards || !self.buffer.is_empty() { None } else { self.decode(scratch) };
            if !self.discards {
                self.buffer.extend_from_slice(scratch);
            }
            Poll::Ready(Ok(seen))
        })
    }

    /// Takes the first frame off `bytes`, if all of it is there.
    fn decode(&mut self, bytes: &mut BytesMut) -> Option<Seen> {
        let error = match self.codec.decode(bytes) {
            Ok(Some(frame)) => return Some(Seen::Frame(frame)),
            // The codec checks a frame's length only when all of it is there.
            Ok(None) if bytes.len() > FRAME_MAX_BYTES + FRAME_HEAD => ProtocolError::Overflow,
            Ok(None) => return None,
            Err(error) => error,
        };
        self.discards = true;
        self.buffer = BytesMut::new();
        Some(Seen::Broken(error))
    }

    /// Decodes a frame that arrived together with the frame before.
    fn decode_rest(&mut self) -> Option<Seen> {
        let mut rest = std::mem::take(&mut self.buffer);
        if rest.is_empty() {
            return None;
        }
        let seen = self.decode(&mut rest);
        if !self.discards && !rest.is_empty() {
            self.buffer = rest;
        }
        seen
    }

    fn poll_shut_down(&mut self, context: &mut Context<'_>) {
        match &mut self.reader {
            Reader::Tcp(_) => self.outbox.shut_down(),
            // If this has to wait, the connection's end says the same.
            Reader::Other(io) => drop(Pin::new(&mut **io).poll_shutdown(context)),
        }
    }
}

impl Stream for Incoming {
    type Item = Seen;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Seen>> {
        let this = &mut *self;
        if !this.done {
            match this.poll_flush(context) {
                Poll::Ready(Ok(true)) => {
                    (this.discards, this.done) = (true, true);
                    this.buffer = BytesMut::new();
                    this.poll_shut_down(context);
                    return Poll::Ready(Some(Seen::Done));
                }
                Poll::Ready(Err(_)) => return Poll::Ready(None),
                Poll::Ready(Ok(false)) | Poll::Pending => {}
            }
        }
        loop {
            if let Some(seen) = this.decode_rest() {
                return Poll::Ready(Some(seen));
            }
            match ready!(this.poll_read(context)) {
                Ok(Some(seen)) => return Poll::Ready(Some(seen)),
                Ok(None) => {}
                Err(_) => return Poll::Ready(None),
            }
        }
    }
}
