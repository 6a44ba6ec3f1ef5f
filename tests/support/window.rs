//! A page that watches an inbox: the live socket, seen from its far end.

use std::net::TcpStream;

use serde_json::Value;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::client::Response;

use crate::support::client::{Call, dial, with_code};
use crate::support::far_end::{self, Received, Socket};
use crate::support::person::Person;
use crate::support::server::Server;

pub(crate) const SOCKET: &str = "/api/inbox/socket";

/// An open socket.
pub(crate) struct Window {
    pub(crate) socket: Socket,
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
        Self::over(dial(server.address), server, token, headers)
    }

    /// Opens an inbox socket over an existing connection.
    pub(crate) fn over(stream: TcpStream, server: &Server, token: &str, headers: &[(&str, &str)]) -> Result<Self, u16> {
        let request = far_end::request(server, SOCKET, headers);
        let request = request.with_sub_protocol("bearer").with_sub_protocol(token);
        far_end::upgrade(stream, request).map(|(socket, response)| {
            agreed(&response);
            Self { socket }
        })
    }

    pub(crate) fn next(&mut self) -> Received {
        far_end::next(&mut self.socket)
    }

    pub(crate) fn next_frame(&mut self) -> Value {
        self.next().frame()
    }

    /// Everything up to the end, which comes last.
    pub(crate) fn rest(&mut self) -> Vec<Received> {
        let mut heard = Vec::new();
        while !matches!(heard.last(), Some(Received::Closed(..) | Received::Ended)) {
            heard.push(self.next());
        }
        heard
    }

    pub(crate) fn say(&mut self, text: &str) {
        self.socket.send(Message::text(text)).unwrap();
    }

    pub(crate) fn say_bytes(&mut self, pieces: &[&[u8]], is_whole: bool) {
        far_end::say_bytes(&mut self.socket, pieces, is_whole);
    }

    /// The server's last words to somebody whose token has died.
    #[track_caller]
    pub(crate) fn is_signed_out(&mut self) {
        assert_eq!(
            self.next_frame(),
            with_code(serde_json::json!({ "event": "event.closed", "message": "Sign in to continue." }))
        );
        assert_eq!(self.next(), Received::closed(4401, "signed out"));
    }
}

/// The server agrees to the name of the protocol, and never sends the token
/// back.
fn agreed(response: &Response) {
    let agreed: Vec<_> = response.headers().get_all("sec-websocket-protocol").iter().collect();
    assert_eq!(agreed, ["bearer"]);
}

/// A handshake as a plain call, for those that are to be refused.
pub(crate) fn handshake(server: &Server, path: &str, protocols: &str) -> Call {
    let call = server
        .get(path)
        .header("Connection", "Upgrade")
        .header("Upgrade", "websocket")
        .header("Sec-WebSocket-Version", "13")
        .header("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==");
    if protocols.is_empty() { call } else { call.header("Sec-WebSocket-Protocol", protocols) }
}
