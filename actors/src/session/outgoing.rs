//! The sending side of one socket. A sender writes to the socket directly, without waking a task.
//! Bytes that the socket doesn't take wait here, and the session's own task sends them.

use std::io::{Error, ErrorKind, Result};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::task::{Context, Poll, Waker, ready};

use actix_http::ws::{self, Codec, Message};
use bytes::{Buf, BytesMut};
use parking_lot::Mutex;
use socket2::SockRef;
use tokio::net::tcp::OwnedWriteHalf;
use tokio_util::codec::Encoder;

use super::{CloseReason, EncodedFrame, frame};
use annon_contract::limits::SOCKET_WAITING;

/// Sends to one session, from any thread, and never waits.
pub struct Outbox {
    /// `None` when only the session's task can write, as through TLS.
    tcp: Option<OwnedWriteHalf>,
    out: Mutex<Sending>,
}

#[derive(Default)]
struct Sending {
    /// Bytes that the socket hasn't taken yet.
    pending: BytesMut,
    end: Option<CloseReason>,
    /// The session's task.
    session: Option<Waker>,
}

impl Outbox {
    pub(crate) fn new(tcp: Option<OwnedWriteHalf>) -> Arc<Self> {
        Arc::new(Self { tcp, out: Mutex::default() })
    }

    /// Sends a frame. `Break` if the session is gone, or is ended now because
    /// its client can't keep up: then the caller must drop the outbox.
    pub fn push(&self, text: &EncodedFrame) -> ControlFlow<()> {
        let mut out = self.out.lock();
        if out.end.is_some() {
            return ControlFlow::Break(());
        }
        if out.pending.len() > SOCKET_WAITING {
            // The client is told when its socket takes bytes again. If that
            // never happens, TCP_USER_TIMEOUT ends the connection.
            out.finish(CloseReason::TooSlow);
            return ControlFlow::Break(());
        }
        self.write(&mut out, text)
    }

    /// Sends frames with one write.
    pub fn push_all(&self, texts: &[EncodedFrame]) -> ControlFlow<()> {
        EncodedFrame::joined(texts).map_or(ControlFlow::Continue(()), |text| self.push(&text))
    }

    fn write(&self, out: &mut Sending, text: &EncodedFrame) -> ControlFlow<()> {
        let mut rest = text.bytes();
        if let (Some(tcp), true) = (&self.tcp, out.pending.is_empty()) {
            while !rest.is_empty() {
                match tcp.try_write(rest) {
                    Ok(bytes) => rest = &rest[bytes..],
                    Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                    Err(_) => {
                        out.finish(CloseReason::Torn);
                        return ControlFlow::Break(());
                    }
                }
            }
        }
        if !rest.is_empty() {
            out.pending.extend_from_slice(rest);
            out.wake();
        }
        ControlFlow::Continue(())
    }

    /// Ends the session. A client that has to know why gets an `event.closed` first.
    pub fn finish(&self, why: CloseReason) {
        let mut out = self.out.lock();
        if out.end.is_none() {
            let (reason, code) = why.reason();
            if let Some(code) = code {
                let _ = self.write(&mut out, &frame::closed(code));
            }
            out.close(Some(reason), why);
            self.try_flush(&mut out);
        }
    }

    /// Writes as many waiting bytes as the socket takes now.
    fn try_flush(&self, out: &mut Sending) {
        if let Some(tcp) = &self.tcp
            && let Ok(bytes) = tcp.try_write(&out.pending)
        {
            out.pending.advance(bytes);
        }
    }

    /// The client has sent a close frame: sends it back.
    pub(crate) fn echo(&self, reason: Option<ws::CloseReason>) {
        let mut out = self.out.lock();
        out.close(reason, CloseReason::Torn);
        self.try_flush(&mut out);
    }

    /// Ends the session without a word: nobody reads any more.
    pub(crate) fn cut(&self) {
        let mut out = self.out.lock();
        out.end.get_or_insert(CloseReason::Torn);
        out.pending = BytesMut::new();
        out.session = None;
        if let Some(tcp) = &self.tcp {
            let _ = SockRef::from(tcp.as_ref()).shutdown(std::net::Shutdown::Both);
        }
    }

    /// Writes the waiting bytes. Ready when none is left; returns whether the
    /// session has ended. From now on the task is woken when there are more.
    pub(crate) fn poll_flush(&self, context: &mut Context<'_>) -> Poll<Result<bool>> {
        self.poll_flush_with(context, |context, pending| {
            let Some(tcp) = &self.tcp else { return Poll::Pending };
            loop {
                ready!(tcp.as_ref().poll_write_ready(context))?;
                match tcp.try_write(pending) {
                    Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                    wrote => return Poll::Ready(wrote),
                }
            }
        })
    }

    /// Like `poll_flush`, with a given function that writes.
    pub(crate) fn poll_flush_with(
        &self,
        context: &mut Context<'_>,
        mut write: impl FnMut(&mut Context<'_>, &[u8]) -> Poll<Result<usize>>,
    ) -> Poll<Result<bool>> {
        let mut out = self.out.lock();
        if !out.session.as_ref().is_some_and(|waker| waker.will_wake(context.waker())) {
            out.session = Some(context.waker().clone());
        }
        while !out.pending.is_empty() {
            match ready!(write(context, &out.pending))? {
                0 => return Poll::Ready(Err(Error::from(ErrorKind::WriteZero))),
                bytes => out.pending.advance(bytes),
            }
        }
        // An idle socket holds no buffer.
        out.pending = BytesMut::new();
        Poll::Ready(Ok(out.end.is_some()))
    }

    /// Tells the other side that no more bytes come.
    pub(crate) fn shut_down(&self) {
        if let Some(tcp) = &self.tcp {
            let _ = SockRef::from(tcp.as_ref()).shutdown(std::net::Shutdown::Write);
        }
    }

    /// Why the session has ended, if it has.
    pub(crate) fn end(&self) -> Option<CloseReason> {
        self.out.lock().end
    }
}

impl Sending {
    fn finish(&mut self, why: CloseReason) {
        self.close(Some(why.reason().0), why);
    }

    /// Only the first reason counts.
    fn close(&mut self, frame: Option<ws::CloseReason>, why: CloseReason) {
        if self.end.is_none() {
            self.end = Some(why);
            // Only a fragment in the wrong place can't be encoded.
            let _ = Codec::new().encode(Message::Close(frame), &mut self.pending);
            self.wake();
        }
    }

    fn wake(&self) {
        if let Some(session) = &self.session {
            session.wake_by_ref();
        }
    }
}

#[cfg(test)]
impl Outbox {
    /// The frames in an outbox without a socket, and whether the session has ended. From now on the
    /// task is woken for new frames.
    pub(crate) fn poll_frames(&self, context: &mut Context<'_>) -> (Vec<actix_http::ws::Frame>, bool) {
        let mut bytes = BytesMut::new();
        let read = self.poll_flush_with(context, |_, pending| {
            bytes.extend_from_slice(pending);
            Poll::Ready(Ok(pending.len()))
        });
        let mut codec = Codec::new().client_mode();
        let frames = std::iter::from_fn(|| tokio_util::codec::Decoder::decode(&mut codec, &mut bytes).unwrap());
        (frames.collect(), !matches!(read, Poll::Ready(Ok(false))))
    }

    /// The texts that were written.
    pub(crate) fn texts(&self) -> Vec<serde_json::Value> {
        let (frames, _) = self.poll_frames(&mut Context::from_waker(Waker::noop()));
        let text = |frame| match frame {
            actix_http::ws::Frame::Text(text) => serde_json::from_slice(&text).unwrap(),
            other => panic!("{other:?}"),
        };
        frames.into_iter().map(text).collect()
    }
}
