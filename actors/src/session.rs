//! One WebSocket: what every kind of session shares.
//!
//! It keeps the limits (frames, rate, silence), says goodbye with the right
//! code, and never lets a slow reader make anybody wait: what is said to it
//! is written there and then, what its socket doesn't take is kept up to a
//! bound, and a client that can't keep up is disconnected.

use std::any::Any;
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix::fut::wrap_future;
use actix::{Actor, ActorContext, ActorFutureExt, AsyncContext, Context, Running, StreamHandler};
use actix_http::ws::{CloseCode, CloseReason, Frame, Item, OpCode, ProtocolError};
use annon_contract::code::Code;
use annon_contract::limits::{FRAME_MAX_BYTES, SOCKET_PING, SOCKET_SILENCE};
use bytes::{Bytes, BytesMut};

use crate::bucket::{Bucket, Rate};
use crate::clock::SharedClock;

mod encoded_frame;
pub mod frame;
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
/// Refused frames that get an answer: 20 at once, and one a second. A client
/// that stays above the rate uses them up, even when most of its frames are
/// admitted.
const REFUSED: Rate = Rate { burst: 20, refill: 1, per: Duration::from_secs(1) };

/// How long the other side has to close when the last byte is written.
const LINGERS: Duration = Duration::from_secs(2);

/// Why the server ends a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goodbye {
    /// Its token is no longer good.
    SignedOut,
    /// It reads too slowly, and may come back.
    TooSlow,
    TooFast,
    /// It sent something other than text.
    NotText,
    /// It sent a text that isn't UTF-8.
    BadText,
    /// It sent a frame over the limit.
    TooLarge,
    /// It does not speak the protocol.
    Malformed,
    /// It has been silent for too long.
    Silent,
    /// Its user opened too many others since.
    Replaced,
    /// The creator of the group sent its member out.
    Kicked,
    /// Its member left the group.
    Left,
    /// The group's time is up.
    Expired,
    /// The group's creator closed it.
    Deleted,
    /// The server ends.
    ShuttingDown,
    /// The connection is gone already.
    Torn,
}

impl Goodbye {
    /// What closes the connection, and what the client is told in a frame
    /// before, where it can't tell by itself.
    fn reason(self) -> (CloseReason, Option<Code>) {
        let (code, text, told) = match self {
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
            Self::ShuttingDown => (CloseCode::Restart, "restarting", None),
            Self::Torn => (CloseCode::Away, "gone", None),
        };
        (CloseReason { code, description: Some(text.to_owned()) }, told)
    }
}

/// What a session is for: it is called when the session begins, at each frame
/// and at the end.
pub trait Role: Unpin + 'static {
    /// The socket is open; `outbox` leads back to it.
    fn opened(&mut self, outbox: Arc<Outbox>);
    /// The client said something. An answer goes to this client alone.
    fn received(&mut self, text: &str) -> Option<EncodedFrame>;
    /// The socket is gone.
    fn closed(&mut self);
    /// How many frames it may send; `None` is no limit.
    fn rate(&self) -> Option<Rate> {
        Some(FRAME_RATE)
    }
    /// The answer to a frame that was one too many.
    fn too_fast(&self, _: &str) -> EncodedFrame {
        frame::error(Code::SendingTooFast)
    }
    /// The thread it is best run on; anywhere, if it doesn't matter.
    fn thread(&self) -> Option<RoomThread> {
        None
    }
}

/// The actor around one socket.
pub struct Session<R: Role> {
    role: R,
    clock: SharedClock,
    heard_at: Instant,
    frames: Bucket,
    refused: Bucket,
    outbox: Arc<Outbox>,
    incoming: Option<Incoming>,
    pieces: Pieces,
    lives_for: Option<Duration>,
    _slot: Box<dyn Any + Send>,
}

impl<R: Role> Session<R> {
    fn send(&self, text: &EncodedFrame) {
        // If the buffer is full, the session is ending now.
        let _ = self.outbox.push(text);
    }

    /// Counts a frame, of whatever kind: a ping costs as much as a text.
    fn admits(&mut self, frame: &Frame) -> bool {
        let Some(rate) = self.role.rate() else { return true };
        let now = self.clock.moment();
        if self.frames.take(rate, now).is_ok() {
            return true;
        }
        if self.refused.take(REFUSED, now).is_err() {
            self.outbox.finish(Goodbye::TooFast);
        } else {
            let text = if let Frame::Text(text) = frame { str::from_utf8(text).unwrap_or_default() } else { "" };
            self.send(&self.role.too_fast(text));
        }
        false
    }

    /// Asks now and then whether the other side is there.
    fn ask_later(&mut self, context: &mut Context<Self>) {
        let sleep = wrap_future(self.clock.sleep(SOCKET_PING));
        context.spawn(sleep.map(|(), this: &mut Self, context| {
            if this.clock.moment().duration_since(this.heard_at) >= SOCKET_SILENCE {
                return this.outbox.finish(Goodbye::Silent);
            }
            this.send(&EncodedFrame::new(&[], OpCode::Ping));
            this.ask_later(context);
        }));
    }

    fn receive(&mut self, frame: Frame) {
        self.heard_at = self.clock.moment();
        if self.outbox.end().is_some() {
            return;
        }
        if matches!(frame, Frame::Text(_) | Frame::Ping(_) | Frame::Pong(_)) && !self.admits(&frame) {
            return;
        }
        match frame {
            Frame::Text(text) => match str::from_utf8(&text) {
                Ok(text) => {
                    if let Some(answer) = self.role.received(text) {
                        self.send(&answer);
                    }
                }
                Err(_) => self.outbox.finish(Goodbye::BadText),
            },
            Frame::Ping(bytes) => self.send(&EncodedFrame::new(&bytes, OpCode::Pong)),
            Frame::Pong(_) => {}
            Frame::Close(reason) => self.outbox.echo(reason),
            Frame::Binary(_) => self.outbox.finish(Goodbye::NotText),
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
            context.spawn(sleep.map(|(), this: &mut Self, _| this.outbox.finish(Goodbye::SignedOut)));
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
            Seen::Broken(ProtocolError::Overflow) => self.outbox.finish(Goodbye::TooLarge),
            Seen::Broken(_) => self.outbox.finish(Goodbye::Malformed),
            Seen::Done => {
                context.run_later(LINGERS, |_, context| context.stop());
            }
        }
    }
}

/// What there is so far of a message that comes in pieces: libraries and
/// proxies may send one so. Most messages don't, so that a session keeps no
/// more than a pointer for its pieces.
#[derive(Default)]
struct Pieces(Option<Box<PartialText>>);

#[derive(Default)]
struct PartialText {
    text: BytesMut,
    /// The bytes of the pieces and of their heads: a client that sends empty
    /// pieces reaches the limit as well.
    sent: usize,
}

impl Pieces {
    /// The whole message, when this was its last piece. That they come in
    /// order the codec has seen to.
    fn add(&mut self, piece: Item) -> Result<Option<Bytes>, Goodbye> {
        let (bytes, is_last) = match piece {
            Item::FirstText(bytes) | Item::Continue(bytes) => (bytes, false),
            Item::Last(bytes) => (bytes, true),
            Item::FirstBinary(_) => return Err(Goodbye::NotText),
        };
        let so_far = self.0.get_or_insert_default();
        so_far.sent += FRAME_HEAD + bytes.len();
        if so_far.sent > FRAME_HEAD + FRAME_MAX_BYTES {
            self.0 = None;
            return Err(Goodbye::TooLarge);
        }
        so_far.text.extend_from_slice(&bytes);
        Ok(if is_last { self.0.take().map(|whole| whole.text.freeze()) } else { None })
    }
}

#[cfg(test)]
mod tests;
