//! One WebSocket: what all kinds of sessions share.
//!
//! A session enforces the limits (frames, rate, silence), closes with the right code, and never
//! lets a slow reader make anybody wait: a frame is written at once, what the socket doesn't take
//! is kept up to a limit, and a client that can't keep up is disconnected.

use std::any::Any;
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix::fut::wrap_future;
use actix::{Actor, ActorContext, ActorFutureExt, AsyncContext, Context, Running, StreamHandler};
use actix_http::ws::{self, CloseCode, Frame, Item, OpCode, ProtocolError};
use annon_contract::code::Code;
use annon_contract::limits::{FRAME_MAX_BYTES, SOCKET_PING, SOCKET_SILENCE};
use bytes::{Bytes, BytesMut};

use crate::bucket::{Bucket, Rate};
use crate::clock::SharedClock;

mod encoded_frame;
pub mod frame;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
mod incoming;
mod outgoing;
mod takeover;

pub use encoded_frame::EncodedFrame;
pub use incoming::Duplex;
pub use outgoing::Outbox;
pub(crate) use takeover::RoomThread;
pub use takeover::{Connection, Takeover};

use incoming::{FRAME_HEAD, Incoming, Seen};

/// Frames a client may send: 10 a second, 20 at once.
pub(crate) const FRAME_RATE: Rate = Rate { burst: 20, refill: 10, per: Duration::from_secs(1) };
/// Refused frames that get an answer: 20 at once, and one a second. A client that stays above the
/// rate uses them up and is disconnected, even if most of its frames are admitted.
const REFUSED: Rate = Rate { burst: 20, refill: 1, per: Duration::from_secs(1) };

/// The time the other side has to close after our last byte is written.
const CLOSES_WITHIN: Duration = Duration::from_secs(2);

/// Why the server ends a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CloseReason {
    /// The session's token is no longer valid.
    SignedOut,
    /// The client reads too slowly. It may connect again.
    TooSlow,
    TooFast,
    /// The client sent a frame other than text.
    NotText,
    /// The client sent a text that isn't UTF-8.
    BadText,
    TooLarge,
    Malformed,
    Silent,
    /// The user has opened too many newer sockets.
    Replaced,
    /// The creator removed the member from the group.
    Kicked,
    /// The member left the group, or lost the seat.
    Left,
    Expired,
    Deleted,
    /// The conversation is gone for both sides.
    Ended,
    /// The server ends.
    ShuttingDown,
    /// The connection is gone already.
    Torn,
}

impl CloseReason {
    /// The reason in the close frame, and the code of a frame before it, if the
    /// client needs one to know why.
    fn reason(self) -> (ws::CloseReason, Option<Code>) {
        let (close_code, text, code) = match self {
            Self::SignedOut => (CloseCode::Other(4401), "signed out", Some(Code::SignedOut)),
            Self::TooSlow => (CloseCode::Again, "reading too slowly", None),
            Self::TooFast => (CloseCode::Policy, "sending too much", None),
            Self::NotText => (CloseCode::Unsupported, "text frames only", None),
            Self::BadText => (CloseCode::Invalid, "not UTF-8", None),
            Self::TooLarge => (CloseCode::Size, "frame too large", None),
            Self::Malformed => (CloseCode::Protocol, "protocol error", None),
            Self::Silent => (CloseCode::Policy, "silent for too long", None),
            Self::Replaced => (CloseCode::Policy, "too many windows", None),
            Self::Kicked => (CloseCode::Other(4403), "removed from the group", Some(Code::RemovedFromGroup)),
            Self::Left => (CloseCode::Other(4404), "left the group", Some(Code::LeftGroup)),
            Self::Expired => (CloseCode::Other(4410), "the group has expired", Some(Code::GroupExpired)),
            Self::Deleted => (CloseCode::Other(4410), "the group was deleted", Some(Code::GroupDeleted)),
            Self::Ended => (CloseCode::Other(4410), "the conversation has ended", Some(Code::ConversationEnded)),
            Self::ShuttingDown => (CloseCode::Restart, "restarting", None),
            Self::Torn => (CloseCode::Away, "gone", None),
        };
        (ws::CloseReason { code: close_code, description: Some(text.to_owned()) }, code)
    }
}

/// Ends some sessions, because the server ends. Their clients connect again.
pub type Farewell = Box<dyn FnOnce() + Send>;

/// What a session does with its frames, as an inbox or as a room's member. It
/// is called when the session begins, at each text and at the end.
pub trait Role: Unpin + 'static {
    /// The socket is open; `outbox` sends to it.
    fn opened(&mut self, outbox: Arc<Outbox>);
    /// The client sent a text. The answer goes to this client alone.
    fn received(&mut self, text: &str) -> Option<EncodedFrame>;
    /// The socket is gone.
    fn closed(&mut self);
    /// How many frames the client may send; `None` is no limit.
    fn rate(&self) -> Option<Rate> {
        Some(FRAME_RATE)
    }
    /// The answer to a frame above the rate.
    fn too_fast(&self, _: &str) -> EncodedFrame {
        frame::error(Code::SendingTooFast)
    }
    /// The thread the session runs best on; `None` if any will do.
    fn thread(&self) -> Option<RoomThread> {
        None
    }
}

/// The actor around one socket.
pub struct Session<R: Role> {
    role: R,
    clock: SharedClock,
    last_frame_at: Instant,
    frames: Bucket,
    refused: Bucket,
    outbox: Arc<Outbox>,
    incoming: Option<Incoming>,
    pieces: Fragments,
    lives_for: Option<Duration>,
    _slot: Box<dyn Any + Send>,
}

impl<R: Role> Session<R> {
    fn send(&self, text: &EncodedFrame) {
        // If the outbox is full, the session is ending now.
        let _ = self.outbox.push(text);
    }

    /// Counts a frame, also a ping. Returns whether the rate admits it.
    fn admit(&mut self, frame: &Frame) -> bool {
        let Some(rate) = self.role.rate() else { return true };
        let now = self.clock.moment();
        if self.frames.take(rate, now).is_ok() {
            return true;
        }
        if self.refused.take(REFUSED, now).is_err() {
            self.outbox.finish(CloseReason::TooFast);
        } else {
            let text = if let Frame::Text(text) = frame { str::from_utf8(text).unwrap_or_default() } else { "" };
            self.send(&self.role.too_fast(text));
        }
        false
    }

    /// Pings the client again and again, and ends the session if it is silent.
    fn ask_later(&mut self, context: &mut Context<Self>) {
        let sleep = wrap_future(self.clock.sleep(SOCKET_PING));
        context.spawn(sleep.map(|(), this: &mut Self, context| {
            if this.clock.moment().duration_since(this.last_frame_at) >= SOCKET_SILENCE {
                return this.outbox.finish(CloseReason::Silent);
            }
            this.send(&EncodedFrame::new(&[], OpCode::Ping));
            this.ask_later(context);
        }));
    }

    fn receive(&mut self, frame: Frame) {
        self.last_frame_at = self.clock.moment();
        if self.outbox.end().is_some() {
            return;
        }
        if matches!(frame, Frame::Text(_) | Frame::Ping(_) | Frame::Pong(_)) && !self.admit(&frame) {
            return;
        }
        match frame {
            Frame::Text(text) => match str::from_utf8(&text) {
                Ok(text) => {
                    if let Some(answer) = self.role.received(text) {
                        self.send(&answer);
                    }
                }
                Err(_) => self.outbox.finish(CloseReason::BadText),
            },
            Frame::Ping(bytes) => self.send(&EncodedFrame::new(&bytes, OpCode::Pong)),
            Frame::Pong(_) => {}
            Frame::Close(reason) => self.outbox.echo(reason),
            Frame::Binary(_) => self.outbox.finish(CloseReason::NotText),
            Frame::Continuation(piece) => match self.pieces.add(piece) {
                Ok(Some(text)) => self.receive(Frame::Text(text)),
                Ok(None) => {}
                Err(why) => self.outbox.finish(why),
            },
        }
    }
}

impl<R: Role> Actor for Session<R> {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        self.role.opened(self.outbox.clone());
        if let Some(incoming) = self.incoming.take() {
            context.add_stream(incoming);
        }
        self.ask_later(context);
        if let Some(lives_for) = self.lives_for {
            let sleep = wrap_future(self.clock.sleep(lives_for));
            context.spawn(sleep.map(|(), this: &mut Self, _| this.outbox.finish(CloseReason::SignedOut)));
        }
    }

    fn stopping(&mut self, _: &mut Self::Context) -> Running {
        self.outbox.cut();
        self.role.closed();
        Running::Stop
    }
}

impl<R: Role> StreamHandler<Seen> for Session<R> {
    fn handle(&mut self, seen: Seen, context: &mut Self::Context) {
        match seen {
            Seen::Frame(frame) => self.receive(frame),
            Seen::Broken(ProtocolError::Overflow) => self.outbox.finish(CloseReason::TooLarge),
            Seen::Broken(_) => self.outbox.finish(CloseReason::Malformed),
            Seen::Done => {
                context.run_later(CLOSES_WITHIN, |_, context| context.stop());
            }
        }
    }
}

/// What has come of a message in pieces. Libraries and proxies may send
/// messages so, but few are: a session has only a pointer for them.
#[derive(Default)]
struct Fragments(Option<Box<PartialText>>);

#[derive(Default)]
struct PartialText {
    text: BytesMut,
    /// The bytes of the pieces and of their headers: a client that sends empty
    /// pieces reaches the limit as well.
    sent: usize,
}

impl Fragments {
    /// Adds a piece. Returns the whole message if this was its last piece. The
    /// codec has checked the pieces' order.
    fn add(&mut self, piece: Item) -> Result<Option<Bytes>, CloseReason> {
        let (bytes, is_last) = match piece {
            Item::FirstText(bytes) | Item::Continue(bytes) => (bytes, false),
            Item::Last(bytes) => (bytes, true),
            Item::FirstBinary(_) => return Err(CloseReason::NotText),
        };
        let so_far = self.0.get_or_insert_default();
        so_far.sent += FRAME_HEAD + bytes.len();
        if so_far.sent > FRAME_HEAD + FRAME_MAX_BYTES {
            self.0 = None;
            return Err(CloseReason::TooLarge);
        }
        so_far.text.extend_from_slice(&bytes);
        Ok(if is_last { self.0.take().map(|whole| whole.text.freeze()) } else { None })
    }
}

#[cfg(test)]
mod tests;
