//! A page that watches an inbox: the live socket, seen from its far end.

use std::net::TcpStream;

use serde_json::Value;
use tokio_tungstenite::tungstenite::client::ClientRequestBuilder;
use tokio_tungstenite::tungstenite::handshake::client::Response;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};
use tokio_tungstenite::tungstenite::{Error, HandshakeError, Message, WebSocket, client};

use crate::client::Call;
use crate::contract;
use crate::patience::HANG;
use crate::person::Person;
use crate::server::Server;

pub(crate) const SOCKET: &str = "/api/inbox/socket";

/// An open socket.
pub(crate) struct Window {
    pub(crate) socket: WebSocket<TcpStream>,
}

/// What comes out of one.
#[derive(Debug, PartialEq)]
pub(crate) enum Heard {
    Frame(Value),
    /// A close frame: its code and its text.
    Closed(u16, String),
    /// The connection is gone without one.
    Ended,
}

impl Heard {
    pub(crate) fn closed(code: u16, why: &str) -> Self {
        Self::Closed(code, why.to_owned())
    }
}

impl Window {
    /// Opened with a person's own token, and ready.
    pub(crate) fn of(server: &Server, person: &Person) -> Self {
        Self::with_token(server, &person.token)
    }

    pub(crate) fn with_token(server: &Server, token: &str) -> Self {
        let mut window = Self::try_open(server, token, &[]).unwrap();
        assert_eq!(window.next_frame(), serde_json::json!({ "event": "event.ready" }));
        window
    }

    /// Tries to open one; the error is the HTTP status.
    pub(crate) fn try_open(server: &Server, token: &str, headers: &[(&str, &str)]) -> Result<Self, u16> {
        let stream = TcpStream::connect(server.address).unwrap();
        stream.set_read_timeout(Some(HANG)).unwrap();
        stream.set_write_timeout(Some(HANG)).unwrap();
        stream.set_nodelay(true).unwrap();
        Self::over(stream, server, token, headers)
    }

    /// The same over a connection that is set up already.
    pub(crate) fn over(stream: TcpStream, server: &Server, token: &str, headers: &[(&str, &str)]) -> Result<Self, u16> {
        let uri = format!("ws://{}{SOCKET}", server.address).parse().unwrap();
        let mut request = ClientRequestBuilder::new(uri).with_sub_protocol("bearer").with_sub_protocol(token);
        for (name, value) in headers {
            request = request.with_header(*name, *value);
        }
        match client(request, stream) {
            Ok((socket, response)) => {
                agreed(&response);
                Ok(Self { socket })
            }
            Err(HandshakeError::Failure(Error::Http(response))) => Err(response.status().as_u16()),
            Err(error) => panic!("{error}"),
        }
    }

    /// The next thing that isn't a ping.
    pub(crate) fn next(&mut self) -> Heard {
        loop {
            match self.socket.read() {
                Ok(Message::Text(text)) => {
                    let frame = serde_json::from_str(&text).unwrap();
                    hold(&frame);
                    return Heard::Frame(frame);
                }
                Ok(Message::Close(Some(frame))) => return Heard::Closed(frame.code.into(), frame.reason.to_string()),
                Ok(Message::Close(None)) => return Heard::closed(1005, ""),
                Ok(Message::Ping(_) | Message::Pong(_)) => {}
                Ok(other) => panic!("the server sent {other:?}"),
                Err(Error::Io(error)) if error.kind() == std::io::ErrorKind::WouldBlock => panic!("nothing came"),
                Err(_) => return Heard::Ended,
            }
        }
    }

    pub(crate) fn next_frame(&mut self) -> Value {
        match self.next() {
            Heard::Frame(frame) => frame,
            other => panic!("{other:?} instead of a frame"),
        }
    }

    /// Everything up to the end, which comes last.
    pub(crate) fn rest(&mut self) -> Vec<Heard> {
        let mut heard = Vec::new();
        while !matches!(heard.last(), Some(Heard::Closed(..) | Heard::Ended)) {
            heard.push(self.next());
        }
        heard
    }

    pub(crate) fn say(&mut self, text: &str) {
        self.socket.send(Message::text(text)).unwrap();
    }

    /// One text with any bytes in it, in pieces or in one.
    pub(crate) fn say_bytes(&mut self, pieces: &[&[u8]], is_whole: bool) {
        for (n, piece) in pieces.iter().enumerate() {
            let kind = if n == 0 { Data::Text } else { Data::Continue };
            let is_last = is_whole && n + 1 == pieces.len();
            let frame = Frame::message(piece.to_vec(), OpCode::Data(kind), is_last);
            self.socket.send(Message::Frame(frame)).unwrap();
        }
    }

    /// The server's last words to somebody whose token has died.
    #[track_caller]
    pub(crate) fn is_signed_out(&mut self) {
        assert_eq!(self.next_frame(), serde_json::json!({ "event": "event.closed", "reason": "signed-out" }));
        assert_eq!(self.next(), Heard::closed(4401, "signed out"));
    }
}

/// The server agrees to the name of the protocol, and never sends the token
/// back.
fn agreed(response: &Response) {
    let agreed: Vec<_> = response.headers().get_all("sec-websocket-protocol").iter().collect();
    assert_eq!(agreed, ["bearer"]);
}

/// Every frame is of a kind the description has, in its shape.
fn hold(frame: &Value) {
    let schema = match frame["event"].as_str().unwrap_or_default() {
        "event.ready" => "ReadyFrame",
        "event.inbox" => "InboxFrame",
        "event.error" => "ErrorFrame",
        "event.closed" => "ClosedFrame",
        other => panic!("an event nobody described: {other:?}"),
    };
    contract::hold_against(schema, frame);
}

/// A handshake as a plain call, for those that are to be refused.
pub(crate) fn handshake(server: &Server, protocols: &str) -> Call {
    let call = server
        .get(SOCKET)
        .header("Connection", "Upgrade")
        .header("Upgrade", "websocket")
        .header("Sec-WebSocket-Version", "13")
        .header("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==");
    if protocols.is_empty() { call } else { call.header("Sec-WebSocket-Protocol", protocols) }
}
