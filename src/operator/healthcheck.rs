//! Asks the server whether it is ready, with nothing but the options that the server
//! has, as a container's health check does.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::time::Duration;

use rustls::pki_types::ServerName;
use rustls::{ClientConnection, StreamOwned};
use serde_json::Value;

use super::in_words;
use crate::config::Config;
use crate::http::health::READY;
use crate::net::tls::OwnServer;

/// The longest answer that is read.
const ANSWER_MAX: u64 = 4096;
/// How long each step may take.
const PATIENCE: Duration = Duration::from_secs(2);
const QUESTION: &[u8] = b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

/// What the server says of itself. With `strict` it is an error, too, that only a part
/// of it works.
pub(super) fn health(config: &Config, strict: bool) -> Result<String, String> {
    let not_ready = |error: io::Error| format!("not ready: {error}");
    let at = reachable(config.listen);
    let stream = TcpStream::connect_timeout(&at, PATIENCE).map_err(not_ready)?;
    stream.set_read_timeout(Some(PATIENCE)).map_err(not_ready)?;
    stream.set_write_timeout(Some(PATIENCE)).map_err(not_ready)?;
    let (answer, doubt) = match &config.tls_cert {
        None => (ask(stream).map_err(not_ready)?, None),
        Some(chain) => {
            let own = OwnServer::of(chain)?;
            let tls = ClientConnection::new(own.client()?, ServerName::from(at.ip())).map_err(in_words)?;
            let answer = ask(StreamOwned::new(tls, stream)).map_err(not_ready)?;
            let doubt = own.was_another().then(|| format!("its certificate is not the one in {}", chain.display()));
            (answer, doubt)
        }
    };
    // A server of another kind may listen there.
    let body = answer.split_once("\r\n\r\n").and_then(|(_, body)| serde_json::from_str(body).ok());
    let message = body.as_ref().and_then(|body: &Value| body["message"].as_str()).ok_or_else(|| {
        let hint = if config.tls_cert.is_none() { " (with TLS it needs --tls-cert, too)" } else { "" };
        format!("not ready: what listens at {at} doesn't answer as annon does{hint}")
    })?;
    if answer.split(' ').nth(1) != Some("200") {
        return Err(format!("not ready: {message}"));
    }
    let is_whole = message == READY && doubt.is_none();
    let says = doubt.map_or_else(|| message.to_owned(), |doubt| format!("{message}, but {doubt}"));
    if is_whole || !strict { Ok(says) } else { Err(says) }
}

/// Where a server that listens everywhere is reached from here.
fn reachable(listen: SocketAddr) -> SocketAddr {
    match listen {
        SocketAddr::V4(at) if at.ip().is_unspecified() => (Ipv4Addr::LOCALHOST, at.port()).into(),
        SocketAddr::V6(at) if at.ip().is_unspecified() => (Ipv6Addr::LOCALHOST, at.port()).into(),
        at => at,
    }
}

fn ask(mut stream: impl Read + Write) -> io::Result<String> {
    stream.write_all(QUESTION)?;
    let mut answer = Vec::new();
    match stream.take(ANSWER_MAX).read_to_end(&mut answer) {
        // A connection may end without a goodbye of TLS: what is there is looked at.
        Err(error) if error.kind() != io::ErrorKind::UnexpectedEof || answer.is_empty() => Err(error),
        _ => Ok(String::from_utf8_lossy(&answer).into_owned()),
    }
}
