//! The client's end of a live socket, and how an inbox's socket is opened.

use std::io::ErrorKind;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::client::ClientRequestBuilder;
use tokio_tungstenite::tungstenite::handshake::client::Response;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};
use tokio_tungstenite::tungstenite::{Error, HandshakeError, Message, WebSocket, client};

use crate::support::client::{Call, dial, with_code};
use crate::support::contract;
use crate::support::patience::{HANG, now};
use crate::support::person::{Person, SIGNED_OUT};
use crate::support::server::Server;

pub(crate) const SOCKET: &str = "/api/inbox/socket";

/// What a client receives from a socket.
#[derive(Debug, PartialEq)]
pub(crate) enum Received {
    Frame(Value),
    /// A close frame: its code and its text.
    Closed(u16, String),
    /// The connection ended without a close frame.
    Ended,
}

impl Received {
    pub(crate) fn closed(code: u16, why: &str) -> Self {
        Self::Closed(code, why.to_owned())
    }
}

pub(crate) struct TestSocket {
    pub(crate) web_socket: WebSocket<TcpStream>,
    /// When the server last had to hear that somebody is here.
    here_at: Instant,
}

impl TestSocket {
    /// The socket of a person's inbox, opened with their own token, and ready.
    pub(crate) fn of(server: &Server, person: &Person) -> Self {
        Self::with_token(server, &person.token)
    }

    pub(crate) fn with_token(server: &Server, token: &str) -> Self {
        let mut socket = Self::try_open(server, token, &[]).unwrap();
        assert_eq!(socket.next_frame(), json!({ "event": "event.ready" }));
        socket
    }

    /// Tries to open an inbox's socket; the error is the status. The token must not come back.
    pub(crate) fn try_open(server: &Server, token: &str, headers: &[(&str, &str)]) -> Result<Self, u16> {
        let request = request(server, SOCKET, headers).with_sub_protocol("bearer").with_sub_protocol(token);
        let (socket, response) = Self::upgrade(server, request)?;
        let agreed: Vec<_> = response.headers().get_all("sec-websocket-protocol").iter().collect();
        assert_eq!(agreed, ["bearer"]);
        Ok(socket)
    }

    /// Tries to open any socket; the error is the HTTP status.
    pub(crate) fn upgrade(server: &Server, request: ClientRequestBuilder) -> Result<(Self, Response), u16> {
        match client(request, dial(server.address)) {
            Ok((socket, response)) => Ok((Self { web_socket: socket, here_at: now() }, response)),
            Err(HandshakeError::Failure(Error::Http(response))) => Err(response.status().as_u16()),
            Err(error) => panic!("{error}"),
        }
    }

    /// The next frame that is not a ping. The description must have its kind in its shape.
    pub(crate) fn next(&mut self) -> Received {
        let begun = now();
        loop {
            match self.web_socket.read() {
                Ok(Message::Text(text)) => {
                    let frame = serde_json::from_str(&text).unwrap();
                    let schema = schema_of(&frame).unwrap_or_else(|| panic!("an event nobody described: {frame}"));
                    contract::hold_against(schema, &frame);
                    return Received::Frame(frame);
                }
                Ok(Message::Close(Some(frame))) => {
                    return Received::Closed(frame.code.into(), frame.reason.to_string());
                }
                Ok(Message::Close(None)) => return Received::closed(1005, ""),
                // They go on for as long as the socket is open.
                Ok(Message::Ping(_) | Message::Pong(_)) => assert!(begun.elapsed() < HANG, "nothing came but pings"),
                Ok(other) => panic!("the server sent {other:?}"),
                Err(Error::Io(error)) if error.kind() == ErrorKind::WouldBlock => panic!("nothing came"),
                Err(_) => return Received::Ended,
            }
        }
    }

    pub(crate) fn next_frame(&mut self) -> Value {
        match self.next() {
            Received::Frame(frame) => frame,
            other => panic!("{other:?} instead of a frame"),
        }
    }

    /// Everything up to the end.
    pub(crate) fn read_to_end(&mut self) -> Vec<Received> {
        std::iter::from_fn(|| Some(self.next()).filter(|next| *next != Received::Ended)).collect()
    }

    /// Tells the server now and then that somebody is here, as an answer to a ping does. A test that is busy reads no
    /// pings.
    pub(crate) fn is_here(&mut self) {
        if self.here_at.elapsed() > Duration::from_secs(5) {
            self.web_socket.send(Message::Pong(Vec::new().into())).unwrap();
            self.here_at = now();
        }
    }

    pub(crate) fn send_text(&mut self, text: &str) {
        self.web_socket.send(Message::text(text)).unwrap();
    }

    /// Sends a text of any bytes in these pieces; the last piece ends it if `is_whole`.
    pub(crate) fn send_pieces(&mut self, pieces: &[&[u8]], is_whole: bool) {
        for (n, piece) in pieces.iter().enumerate() {
            let kind = if n == 0 { Data::Text } else { Data::Continue };
            let is_last = is_whole && n + 1 == pieces.len();
            self.web_socket.send(Message::Frame(Frame::message(piece.to_vec(), OpCode::Data(kind), is_last))).unwrap();
        }
    }

    /// Checks that the socket ends as it does when its token has died.
    #[track_caller]
    pub(crate) fn assert_signed_out(&mut self) {
        assert_eq!(self.next_frame(), with_code(json!({ "event": "event.closed", "message": SIGNED_OUT })));
        assert_eq!(self.next(), Received::closed(4401, "signed out"));
    }
}

pub(crate) fn request(server: &Server, path: &str, headers: &[(&str, &str)]) -> ClientRequestBuilder {
    let request = ClientRequestBuilder::new(format!("ws://{}{path}", server.address).parse().unwrap());
    headers.iter().fold(request, |request, (name, value)| request.with_header(*name, *value))
}

/// The name of a frame's schema in the description.
fn schema_of(frame: &Value) -> Option<&'static str> {
    Some(match frame["event"].as_str()? {
        "event.chat" | "event.image" => "ChatFrame",
        "event.notify" => "NotifyFrame",
        "event.active-users" => "ActiveUsersFrame",
        "event.typing" if frame.get("sender").is_none() => "WritingFrame",
        "event.typing" => "TypingFrame",
        "event.unsend" if frame.get("id").is_none() => "LineUnsentFrame",
        "event.unsend" => "UnsendFrame",
        "event.line" => "SaidFrame",
        "event.seen" => "SeenFrame",
        "event.open" => "OpenFrame",
        "event.conversation" => "OwnConversationFrame",
        "event.react" if frame.get("line").is_some() => "ReactedFrame",
        "event.react" => "ReactFrame",
        "event.knocks" => "KnocksFrame",
        "event.inbox" => "InboxFrame",
        "event.room" => "OwnRoomFrame",
        "event.ready" if frame.get("last_seq").is_none() => "ReadyFrame",
        "event.ready" => "RoomReadyFrame",
        "event.error" if frame.get("id").is_none() => "ErrorFrame",
        "event.error" => "RefusedFrame",
        "event.closed" => "ClosedFrame",
        _ => return None,
    })
}

/// A handshake as a plain call, for handshakes that are refused.
pub(crate) fn handshake(server: &Server, path: &str, protocols: &str) -> Call {
    let call = server
        .get(path)
        .header("Connection", "Upgrade")
        .header("Upgrade", "websocket")
        .header("Sec-WebSocket-Version", "13")
        .header("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==");
    if protocols.is_empty() { call } else { call.header("Sec-WebSocket-Protocol", protocols) }
}
