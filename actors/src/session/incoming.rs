//! The receiving side of one socket, and the task's part in sending: a stream
//! of frames that also writes what waits.

use std::cell::RefCell;
use std::io::Result;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use actix_http::ws::{Codec, Frame, ProtocolError};
use annon_store::limits::FRAME_MAX_BYTES;
use bytes::BytesMut;
use futures_util::Stream;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::tcp::OwnedReadHalf;
use tokio_util::codec::Decoder;

use super::wire::Wire;

/// What is read at once.
const READS: usize = 16 * 1024;

thread_local! {
    /// What a thread reads into. A socket keeps nothing but half a frame.
    static SCRATCH: RefCell<Box<[u8]>> = RefCell::new(vec![0; READS].into());
}

/// Both directions of a connection that isn't plain TCP.
pub trait Duplex: AsyncRead + AsyncWrite + Unpin + 'static {}

impl<T: AsyncRead + AsyncWrite + Unpin + 'static> Duplex for T {}

pub(super) enum Reader {
    Tcp(OwnedReadHalf),
    Other(Box<dyn Duplex>),
}

/// What there is to see to.
pub(super) enum Seen {
    /// The client said something.
    Frame(Frame),
    /// It broke the protocol; nothing more is heard.
    Broken(ProtocolError),
    /// The last byte is written. The other side has a moment to close.
    Done,
}

pub(super) struct Incoming {
    wire: Arc<Wire>,
    reader: Reader,
    buffer: BytesMut,
    codec: Codec,
    /// What comes is thrown away.
    deaf: bool,
    done: bool,
}

impl Incoming {
    pub(super) fn new(wire: Arc<Wire>, reader: Reader, buffer: BytesMut) -> Self {
        Self { wire, reader, buffer, codec: Codec::new().max_size(FRAME_MAX_BYTES), deaf: false, done: false }
    }

    fn poll_flush(&mut self, context: &mut Context<'_>) -> Poll<Result<bool>> {
        match &mut self.reader {
            Reader::Tcp(_) => self.wire.poll_flush(context),
            Reader::Other(io) => {
                let ended = ready!(
                    self.wire
                        .poll_flush_with(context, |context, unsent| Pin::new(&mut **io).poll_write(context, unsent))
                )?;
                ready!(Pin::new(&mut **io).poll_flush(context))?;
                Poll::Ready(Ok(ended))
            }
        }
    }

    /// Adds what has come to the buffer; 0 is the end.
    fn poll_read(&mut self, context: &mut Context<'_>) -> Poll<Result<usize>> {
        SCRATCH.with_borrow_mut(|scratch| {
            let mut read = ReadBuf::new(scratch);
            ready!(match &mut self.reader {
                Reader::Tcp(tcp) => Pin::new(tcp).poll_read(context, &mut read),
                Reader::Other(io) => Pin::new(&mut **io).poll_read(context, &mut read),
            })?;
            if !self.deaf {
                self.buffer.extend_from_slice(read.filled());
            }
            Poll::Ready(Ok(read.filled().len()))
        })
    }

    fn poll_shut_down(&mut self, context: &mut Context<'_>) {
        match &mut self.reader {
            Reader::Tcp(_) => self.wire.shut_down(),
            // If it has to wait, the connection's end says the same.
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
                    (this.deaf, this.done) = (true, true);
                    this.poll_shut_down(context);
                    return Poll::Ready(Some(Seen::Done));
                }
                Poll::Ready(Err(_)) => return Poll::Ready(None),
                Poll::Ready(Ok(false)) | Poll::Pending => {}
            }
        }
        loop {
            if this.deaf {
                this.buffer = BytesMut::new();
            } else if !this.buffer.is_empty() {
                match this.codec.decode(&mut this.buffer) {
                    Ok(Some(frame)) => return Poll::Ready(Some(Seen::Frame(frame))),
                    Ok(None) if this.buffer.is_empty() => this.buffer = BytesMut::new(),
                    Ok(None) => {}
                    Err(error) => {
                        this.deaf = true;
                        return Poll::Ready(Some(Seen::Broken(error)));
                    }
                }
            }
            match ready!(this.poll_read(context)) {
                Ok(1..) => {}
                Ok(0) | Err(_) => return Poll::Ready(None),
            }
        }
    }
}
