//! One WebSocket: the handshake, and whole texts in both directions. What is
//! held by the thousand leaves it after the handshake, see `engine`.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

use crate::frame::{self, Frame, Kind};
use crate::http::{HttpError, redirect};
use crate::target::Address;

/// How long a handshake may take on a server that is being flooded.
const PATIENCE: Duration = Duration::from_secs(30);
const HEAD_MAX_BYTES: usize = 16 * 1024;
/// The key of the standard's own example, and what a server makes of it.
pub(crate) const KEY: &str = "dGhlIHNhbXBsZSBub25jZQ==";
pub(crate) const ACCEPT: &str = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";

/// Why a socket is of no more use.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SocketError {
    #[error(transparent)]
    Http(#[from] HttpError),
    #[error("no answer within {} s", PATIENCE.as_secs())]
    Silent,
    #[error("the socket opened, and {0} did not come within {patience} s", patience = .1.as_secs())]
    Missing(&'static str, Duration),
    #[error("the handshake was answered with {0}")]
    Refused(u16),
    #[error("closed by the server: {0}")]
    Closed(String),
    #[error("the server sent {0}")]
    Odd(String),
}

/// A socket after its handshake.
pub(crate) struct Socket {
    stream: TcpStream,
    received: Vec<u8>,
    /// Bytes at the front that have been handed out.
    used: usize,
}

/// Where a socket leads.
#[derive(Debug, Clone)]
pub(crate) struct Door<'a> {
    pub(crate) address: Address,
    pub(crate) path: &'a str,
    pub(crate) cookie: Option<&'a str>,
    pub(crate) protocol: Option<&'a str>,
    /// The address of ours it comes from, where one has not enough ports.
    pub(crate) from: Option<IpAddr>,
}

impl<'a> Door<'a> {
    pub(crate) fn new(address: Address, path: &'a str) -> Self {
        Self { address, path, cookie: None, protocol: None, from: None }
    }

    fn request(&self) -> String {
        let mut text = format!(
            "GET {} HTTP/1.1\r\nHost: {}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {KEY}\r\n",
            self.path, self.address
        );
        if let Some(cookie) = self.cookie {
            text.push_str(&format!("Cookie: {cookie}\r\n"));
        }
        if let Some(protocol) = self.protocol {
            text.push_str(&format!("Sec-WebSocket-Protocol: {protocol}\r\n"));
        }
        text.push_str("\r\n");
        text
    }
}

impl Socket {
    /// Connects and shakes hands.
    pub(crate) async fn open(door: &Door<'_>) -> Result<Self, SocketError> {
        timeout(PATIENCE, Self::shake(door)).await.map_err(|_| SocketError::Silent)?
    }

    async fn shake(door: &Door<'_>) -> Result<Self, SocketError> {
        let mut stream = connect(door).await.map_err(HttpError::Connect)?;
        stream.set_nodelay(true).map_err(HttpError::Connect)?;
        stream.write_all(door.request().as_bytes()).await.map_err(HttpError::Broken)?;
        let mut this = Self { stream, received: Vec::with_capacity(512), used: 0 };
        loop {
            this.receive().await?;
            if let Some(length) = answered(&this.received)? {
                this.used = length;
                return Ok(this);
            }
            if this.received.len() > HEAD_MAX_BYTES {
                return Err(HttpError::Odd("its head doesn't end").into());
            }
        }
    }

    /// Sends a text.
    pub(crate) async fn say(&mut self, text: &str) -> Result<(), SocketError> {
        self.send(Kind::Text, text.as_bytes()).await
    }

    async fn send(&mut self, kind: Kind, payload: &[u8]) -> Result<(), SocketError> {
        let mut bytes = Vec::with_capacity(payload.len() + 16);
        frame::write(kind, payload, &mut bytes);
        Ok(self.stream.write_all(&bytes).await.map_err(HttpError::Broken)?)
    }

    /// The next text; pings are answered on the way. Nothing is lost when
    /// it is dropped while it waits.
    pub(crate) async fn hear(&mut self) -> Result<String, SocketError> {
        loop {
            while let Some(frame) = Frame::first(&self.received[self.used..]).map_err(|error| odd(&error))? {
                let (kind, payload) = (frame.kind, frame.payload.to_vec());
                self.used += frame.length;
                match kind {
                    Kind::Text => return String::from_utf8(payload).map_err(|_| odd(&"a text that is not UTF-8")),
                    Kind::Ping => self.send(Kind::Pong, &payload).await?,
                    Kind::Pong => {}
                    Kind::Close => return Err(SocketError::Closed(frame::goodbye(&payload))),
                    Kind::Binary => return Err(odd(&"a binary frame")),
                }
            }
            self.receive().await?;
        }
    }

    /// Says goodbye and waits for the other side's.
    pub(crate) async fn close(mut self) -> Result<(), SocketError> {
        self.send(Kind::Close, &1000u16.to_be_bytes()).await?;
        loop {
            match timeout(PATIENCE, self.hear()).await {
                Ok(Ok(_)) => {}
                Ok(Err(SocketError::Closed(_) | SocketError::Http(HttpError::Closed))) => return Ok(()),
                Ok(Err(error)) => return Err(error),
                Err(_) => return Err(SocketError::Silent),
            }
        }
    }

    /// The connection itself, and what was received and not handed out yet.
    pub(crate) fn into_parts(self) -> std::io::Result<(std::net::TcpStream, Vec<u8>)> {
        Ok((self.stream.into_std()?, self.received[self.used..].to_vec()))
    }

    async fn receive(&mut self) -> Result<(), SocketError> {
        self.received.drain(..self.used);
        self.used = 0;
        self.received.reserve(512);
        match self.stream.read_buf(&mut self.received).await {
            Ok(0) => Err(HttpError::Closed.into()),
            Ok(_) => Ok(()),
            Err(error) => Err(HttpError::Broken(error).into()),
        }
    }
}

async fn connect(door: &Door<'_>) -> std::io::Result<TcpStream> {
    let Some(from) = door.from else { return TcpStream::connect(door.address.at).await };
    let socket = if from.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    socket.bind(SocketAddr::new(from, 0))?;
    socket.connect(door.address.at).await
}

fn odd(what: &dyn std::fmt::Display) -> SocketError {
    SocketError::Odd(what.to_string())
}

/// How long the answer's head is; nothing while there is more to come.
fn answered(bytes: &[u8]) -> Result<Option<usize>, SocketError> {
    let mut headers = [httparse::EMPTY_HEADER; 64];
    let mut answer = httparse::Response::new(&mut headers);
    let length = match answer.parse(bytes) {
        Ok(httparse::Status::Complete(length)) => length,
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(_) => return Err(HttpError::Odd("it can't be parsed").into()),
    };
    let status = answer.code.unwrap_or_default();
    if let Some(elsewhere) = redirect(&answer) {
        return Err(elsewhere.into());
    }
    if status != 101 {
        return Err(SocketError::Refused(status));
    }
    let is_ours = |header: &httparse::Header<'_>| {
        header.name.eq_ignore_ascii_case("sec-websocket-accept") && header.value == ACCEPT.as_bytes()
    };
    if !answer.headers.iter().any(is_ours) {
        return Err(HttpError::Odd("it does not accept the key it was given").into());
    }
    Ok(Some(length))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(bytes: &[u8]) -> Result<Option<usize>, String> {
        answered(bytes).map_err(|error| error.to_string())
    }

    #[test]
    fn only_an_answer_to_our_own_key_opens_a_socket() {
        let good =
            b"HTTP/1.1 101 Switching Protocols\r\nsec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n\x81";
        assert_eq!(told(good), Ok(Some(good.len() - 1)));
        assert_eq!(told(&good[..40]), Ok(None));
        assert_eq!(told(b"HTTP/1.1 404 Not Found\r\n\r\n"), Err("the handshake was answered with 404".to_owned()));
        assert!(told(b"HTTP/1.1 101 X\r\nSec-WebSocket-Accept: AAAA\r\n\r\n").unwrap_err().contains("the key"));
        assert!(told(b"220 mail.example ESMTP\r\n\r\n").is_err());
    }

    #[test]
    fn a_handshake_carries_what_it_needs() {
        let address = Address::from(SocketAddr::from(([127, 0, 0, 1], 80)));
        let door = Door { cookie: Some("a=b"), protocol: Some("xmpp"), ..Door::new(address, "/ws") };
        let request = door.request();
        assert!(request.starts_with("GET /ws HTTP/1.1\r\nHost: 127.0.0.1:80\r\n") && request.ends_with("\r\n\r\n"));
        assert!(request.contains("Cookie: a=b\r\n") && request.contains("Sec-WebSocket-Protocol: xmpp\r\n"));
    }
}
