//! A WebSocket seen from its far end, whatever it is for.

use std::io::ErrorKind;
use std::net::TcpStream;

use serde_json::Value;
use tokio_tungstenite::tungstenite::client::ClientRequestBuilder;
use tokio_tungstenite::tungstenite::handshake::client::Response;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};
use tokio_tungstenite::tungstenite::{Error, HandshakeError, Message, WebSocket, client};

use crate::support::contract;
use crate::support::server::Server;

pub(crate) type Socket = WebSocket<TcpStream>;

/// What comes out of one.
#[derive(Debug, PartialEq)]
pub(crate) enum Received {
    Frame(Value),
    /// A close frame: its code and its text.
    Closed(u16, String),
    /// The connection is gone without one.
    Ended,
}

impl Received {
    pub(crate) fn closed(code: u16, why: &str) -> Self {
        Self::Closed(code, why.to_owned())
    }

    pub(crate) fn frame(self) -> Value {
        match self {
            Self::Frame(frame) => frame,
            other => panic!("{other:?} instead of a frame"),
        }
    }
}

pub(crate) fn request(server: &Server, path: &str, headers: &[(&str, &str)]) -> ClientRequestBuilder {
    let request = ClientRequestBuilder::new(format!("ws://{}{path}", server.address).parse().unwrap());
    headers.iter().fold(request, |request, (name, value)| request.with_header(*name, *value))
}

/// Opens one; the error is the HTTP status.
pub(crate) fn upgrade(stream: TcpStream, request: ClientRequestBuilder) -> Result<(Socket, Response), u16> {
    client(request, stream).map_err(|error| match error {
        HandshakeError::Failure(Error::Http(response)) => response.status().as_u16(),
        error => panic!("{error}"),
    })
}

/// The next thing that isn't a ping. Every frame is of a kind the description
/// has, in its shape.
pub(crate) fn next(socket: &mut Socket) -> Received {
    loop {
        match socket.read() {
            Ok(Message::Text(text)) => {
                let frame = serde_json::from_str(&text).unwrap();
                let schema = schema_of(&frame).unwrap_or_else(|| panic!("an event nobody described: {frame}"));
                contract::hold_against(schema, &frame);
                return Received::Frame(frame);
            }
            Ok(Message::Close(Some(frame))) => return Received::Closed(frame.code.into(), frame.reason.to_string()),
            Ok(Message::Close(None)) => return Received::closed(1005, ""),
            Ok(Message::Ping(_) | Message::Pong(_)) => {}
            Ok(other) => panic!("the server sent {other:?}"),
            Err(Error::Io(error)) if error.kind() == ErrorKind::WouldBlock => panic!("nothing came"),
            Err(_) => return Received::Ended,
        }
    }
}

/// What the description calls such a frame.
fn schema_of(frame: &Value) -> Option<&'static str> {
    Some(match frame["event"].as_str()? {
        "event.chat" | "event.image" => "ChatFrame",
        "event.notify" => "NotifyFrame",
        "event.active-users" => "ActiveUsersFrame",
        "event.typing" => "TypingFrame",
        "event.unsend" => "UnsendFrame",
        "event.inbox" => "InboxFrame",
        "event.ready" if frame.get("last_seq").is_none() => "ReadyFrame",
        "event.ready" => "RoomReadyFrame",
        "event.error" if frame.get("id").is_none() => "ErrorFrame",
        "event.error" => "RefusedFrame",
        "event.closed" => "ClosedFrame",
        _ => return None,
    })
}

/// Says a text with any bytes in it, in pieces or in one.
pub(crate) fn say_bytes(socket: &mut Socket, pieces: &[&[u8]], is_whole: bool) {
    for (n, piece) in pieces.iter().enumerate() {
        let kind = if n == 0 { Data::Text } else { Data::Continue };
        let is_last = is_whole && n + 1 == pieces.len();
        socket.send(Message::Frame(Frame::message(piece.to_vec(), OpCode::Data(kind), is_last))).unwrap();
    }
}
