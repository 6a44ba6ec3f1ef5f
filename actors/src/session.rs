//! One WebSocket: what every kind of session shares. The only file that
//! names `actix-web-actors`.
//!
//! It keeps the limits (frames, rate, silence), says goodbye with the right
//! code, and never lets a slow reader make anybody wait: it is fed through a
//! bounded mailbox with `try_send`, and whoever can't keep up is cut off.

use std::any::Any;
use std::time::{Duration, Instant};

use actix::{Actor, ActorContext, AsyncContext, Handler, Running, StreamHandler};
use actix_web::web::Payload;
use actix_web::{HttpRequest, HttpResponse};
use actix_web_actors::ws::{self, CloseCode, CloseReason, ProtocolError, WebsocketContext, WsResponseBuilder};
use annon_store::limits::{FRAME_MAX_BYTES, SOCKET_MAILBOX, SOCKET_PING, SOCKET_SILENCE};
use bytestring::ByteString;

use crate::bucket::{Bucket, Rate};
use crate::clock::SharedClock;

pub mod frame;
mod outbox;

pub use outbox::Outbox;
pub(crate) use outbox::{End, Line, Wake};

/// Frames a client may send: 10 a second, 20 at once.
pub(crate) const FRAME_RATE: Rate = Rate { burst: 20, refill: 10, per: Duration::from_secs(1) };
/// Refused frames in a row after which it isn't worth answering.
const REFUSED_MAX: u32 = 20;

/// What somebody hears who sends more than that.
pub(crate) const TOO_FAST: &str = "You are sending too fast. Wait a moment.";

/// One frame, serialised once and shared by everybody it goes to.
pub type Text = ByteString;

/// Why the server ends a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goodbye {
    /// Its token is no longer good.
    SignedOut,
    /// It reads too slowly, and may come back.
    TooSlow,
    /// It sends too much.
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
}

impl Goodbye {
    fn reason(self) -> CloseReason {
        let (code, text) = match self {
            Self::SignedOut => (CloseCode::Other(4401), "signed out"),
            Self::TooSlow => (CloseCode::Again, "reading too slowly"),
            Self::TooFast => (CloseCode::Policy, "sending too much"),
            Self::NotText => (CloseCode::Unsupported, "text frames only"),
            Self::BadText => (CloseCode::Invalid, "not UTF-8"),
            Self::TooLarge => (CloseCode::Size, "frame too large"),
            Self::Malformed => (CloseCode::Protocol, "protocol error"),
            Self::Silent => (CloseCode::Policy, "silent for too long"),
            Self::Replaced => (CloseCode::Policy, "too many windows"),
            Self::Kicked => (CloseCode::Other(4403), "removed from the group"),
            Self::Left => (CloseCode::Other(4404), "left the group"),
            Self::Expired => (CloseCode::Other(4410), "the group has expired"),
            Self::Deleted => (CloseCode::Other(4410), "the group was deleted"),
            Self::ShuttingDown => (CloseCode::Restart, "restarting"),
        };
        CloseReason { code, description: Some(text.to_owned()) }
    }
}

/// What a session is for: told of its beginning, its end and what it hears.
pub trait Role: Unpin + 'static {
    /// The socket is open; `outbox` leads back to it.
    fn opened(&mut self, outbox: Outbox);
    /// The client said something. An answer goes to this client alone.
    fn heard(&mut self, text: &str) -> Option<Text>;
    /// The socket is gone.
    fn closed(&mut self);
    /// How many frames it may send; `None` is no limit.
    fn rate(&self) -> Option<Rate> {
        Some(FRAME_RATE)
    }
    /// The answer to a frame that was one too many.
    fn too_fast(&self, _: &str) -> Text {
        frame::error(TOO_FAST).into()
    }
}

/// The actor around one socket.
pub struct Session<R: Role> {
    role: R,
    clock: SharedClock,
    heard_at: Instant,
    frames: Bucket,
    refused: u32,
    line: Line,
    lives_for: Option<Duration>,
    _slot: Box<dyn Any>,
}

impl<R: Role> Session<R> {
    /// A session in this role. After `lives_for` it ends as signed out;
    /// `slot` is kept as long as the socket is open.
    pub fn new(role: R, clock: SharedClock, lives_for: Option<Duration>, slot: Box<dyn Any>) -> Self {
        let now = clock.moment();
        Self {
            role,
            clock,
            heard_at: now,
            frames: Bucket::new(now),
            refused: 0,
            line: Line::default(),
            lives_for,
            _slot: slot,
        }
    }

    /// Answers the handshake and starts the session. `protocols` are
    /// the subprotocols it may agree to.
    pub fn start(
        self,
        request: &HttpRequest,
        body: Payload,
        protocols: &[&str],
    ) -> Result<HttpResponse, actix_web::Error> {
        WsResponseBuilder::new(self, request, body).protocols(protocols).frame_size(FRAME_MAX_BYTES).start()
    }

    fn goodbye(&self, context: &mut WebsocketContext<Self>, why: Goodbye) {
        context.close(Some(why.reason()));
        context.stop();
    }

    /// Counts a frame, of whatever kind: a ping costs as much as a text.
    fn admits(&mut self, context: &mut WebsocketContext<Self>, message: &ws::Message) -> bool {
        let Some(rate) = self.role.rate() else { return true };
        if self.frames.take(rate, self.clock.moment()).is_ok() {
            self.refused = 0;
            return true;
        }
        self.refused += 1;
        if self.refused > REFUSED_MAX {
            self.goodbye(context, Goodbye::TooFast);
        } else {
            let text = if let ws::Message::Text(text) = message { text } else { "" };
            context.text(self.role.too_fast(text));
        }
        false
    }

    fn hear(&mut self, context: &mut WebsocketContext<Self>, text: &str) {
        if let Some(answer) = self.role.heard(text) {
            context.text(answer);
        }
    }
}

impl<R: Role> Actor for Session<R> {
    type Context = WebsocketContext<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        context.set_mailbox_capacity(SOCKET_MAILBOX);
        self.role.opened(Outbox::new(&self.line, context.address().recipient()));
        context.run_interval(SOCKET_PING, |this, context| {
            if this.clock.moment().duration_since(this.heard_at) >= SOCKET_SILENCE {
                this.goodbye(context, Goodbye::Silent);
            } else {
                context.ping(b"");
            }
        });
        if let Some(lives_for) = self.lives_for {
            context.run_later(lives_for, |this, context| {
                context.text(frame::closed("signed-out"));
                this.goodbye(context, Goodbye::SignedOut);
            });
        }
    }

    fn stopping(&mut self, _: &mut Self::Context) -> Running {
        self.role.closed();
        Running::Stop
    }
}

impl<R: Role> Handler<Wake> for Session<R> {
    type Result = ();

    fn handle(&mut self, _: Wake, context: &mut Self::Context) {
        let due = self.line.take();
        due.texts.into_iter().for_each(|text| context.text(text));
        if let Some(End { reason, why }) = due.end {
            if let Some(reason) = reason {
                context.text(frame::closed(reason));
            }
            self.goodbye(context, why);
        }
    }
}

impl<R: Role> StreamHandler<Result<ws::Message, ProtocolError>> for Session<R> {
    fn handle(&mut self, message: Result<ws::Message, ProtocolError>, context: &mut Self::Context) {
        self.heard_at = self.clock.moment();
        if let Ok(counted @ (ws::Message::Text(_) | ws::Message::Ping(_) | ws::Message::Pong(_))) = &message
            && !self.admits(context, counted)
        {
            return;
        }
        match message {
            Ok(ws::Message::Text(text)) => self.hear(context, &text),
            Ok(ws::Message::Ping(bytes)) => context.pong(&bytes),
            Ok(ws::Message::Pong(_) | ws::Message::Nop) => {}
            Ok(ws::Message::Close(reason)) => {
                // Echoed, or the connection lingers for a second.
                context.close(reason);
                context.stop();
            }
            Ok(ws::Message::Binary(_)) => self.goodbye(context, Goodbye::NotText),
            // No page sends a message in pieces that fits in one frame.
            Ok(ws::Message::Continuation(_)) => self.goodbye(context, Goodbye::TooLarge),
            Err(ProtocolError::Overflow) => self.goodbye(context, Goodbye::TooLarge),
            // The one protocol error that is reported as an I/O error is a
            // text that isn't UTF-8; on a real one nobody reads the code.
            Err(ProtocolError::Io(_)) => self.goodbye(context, Goodbye::BadText),
            Err(_) => self.goodbye(context, Goodbye::Malformed),
        }
    }
}
