//! One connection, which makes one call at a time. Every simulated client has a connection of its
//! own.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::header::{
    AUTHORIZATION, CONNECTION, CONTENT_TYPE, COOKIE, HOST, HeaderValue, LOCATION, SEC_WEBSOCKET_ACCEPT,
    SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_PROTOCOL, SEC_WEBSOCKET_VERSION, SET_COOKIE, UPGRADE,
};
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;
use tokio::time::timeout;
use url::{Position, Url};

use crate::trouble::{Because, Fallible, Trouble};

/// The longest wait for an answer; a later one counts as lost. A server on a busy
/// machine can take ten seconds to hash a password.
const PATIENCE: Duration = Duration::from_secs(30);
/// How many characters of a server's error are shown.
const MESSAGE_MAX: usize = 200;

/// Where requests are sent, and the name of the host in them: one server can
/// answer for several hosts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Address {
    pub(crate) at: SocketAddr,
    pub(crate) host: &'static str,
}

/// Parses a typed address: plain HTTP, without anything after the port.
pub(crate) fn target(raw: &str) -> Result<Url, &'static str> {
    const LOOKS: &str = "an address looks like http://127.0.0.1:8080";
    let url = Url::parse(raw).map_err(|_| LOOKS)?;
    let is_plain = url[Position::AfterPort..] == *"/" && url[Position::BeforeUsername..Position::BeforeHost].is_empty();
    match url.scheme() {
        "http" if is_plain => Ok(url),
        "http" => Err("an address has nothing behind its port and nobody before its host"),
        "https" => Err("only http:// can be measured; TLS would measure the tester's own encryption as well"),
        // `localhost:8080` looks like an address with the scheme `localhost`.
        _ => Err(LOOKS),
    }
}

impl Address {
    /// Looks the host up, once for the whole run. If it has several addresses
    /// (`localhost` often has two), takes the first one that can be connected to.
    pub(crate) async fn of(url: &Url) -> Fallible<Self> {
        /// How long trying all addresses may take.
        const PATIENCE: Duration = Duration::from_secs(10);
        let host = &url[Position::BeforeHost..Position::AfterPort];
        let found = url.socket_addrs(|| None).because(format_args!("the host {host} has no address"))?;
        let connected = timeout(PATIENCE, TcpStream::connect(found.as_slice())).await;
        let connected = connected.map_err(io::Error::from).flatten().and_then(|stream| stream.peer_addr());
        let at = connected.because(format_args!("http://{host}: can't connect"))?;
        // One host is leaked, because it is in every request until the program ends.
        Ok(Self { at, host: host.to_owned().leak() })
    }
}

impl From<SocketAddr> for Address {
    fn from(at: SocketAddr) -> Self {
        Self { at, host: at.to_string().leak() }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.host)
    }
}

/// Why there is no answer, or nothing more to receive. Errors are counted by this sentence.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NetError {
    #[error("the handshake was answered with {0}{hint}", hint = hint(*.0))]
    Refused(u16),
    #[error("closed by the server: {0}")]
    Closed(String),
    #[error("{0}")]
    Because(String),
}

impl NetError {
    pub(super) fn because<T>(sentence: impl Into<String>) -> Result<T, Self> {
        Err(Self::Because(sentence.into()))
    }
}

impl From<io::Error> for NetError {
    fn from(error: io::Error) -> Self {
        Self::Because(format!("the connection broke: {error}"))
    }
}

impl From<hyper::Error> for NetError {
    fn from(error: hyper::Error) -> Self {
        Self::Because(match () {
            () if error.is_parse() => "the answer is not the HTTP/1.1 that was expected".to_owned(),
            () if error.is_incomplete_message() || error.is_closed() => {
                "the connection was closed before the answer".to_owned()
            }
            () => format!("the connection broke: {error}"),
        })
    }
}

/// Advice about a status.
pub(super) fn hint(status: u16) -> &'static str {
    if status == 429 { "; start it with --address-limits off" } else { "" }
}

/// Runs `work`, or returns an error when it takes too long.
pub(super) async fn within<T>(
    patience: Duration,
    work: impl Future<Output = Result<T, NetError>>,
) -> Result<T, NetError> {
    let late = |_| NetError::because(format!("no answer within {} s", patience.as_secs()));
    timeout(patience, work).await.unwrap_or_else(late)
}

/// Who makes a call.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Who<'a> {
    Nobody,
    /// A person who is signed in, by the token.
    Token(&'a str),
    /// A member of a room, by the cookie.
    Seat(&'a str),
    /// The sender of a conversation, by its key.
    Key(&'a str),
}

impl Who<'_> {
    /// The subprotocols by which a socket is told, which has no headers in a browser.
    fn protocols(self) -> Option<String> {
        match self {
            Who::Nobody | Who::Seat(_) => None,
            Who::Token(token) => Some(format!("bearer, {token}")),
            Who::Key(key) => Some(format!("annon-key, {key}")),
        }
    }
}

/// A request that can be made again and again.
#[derive(Debug, Clone)]
pub(crate) struct Call(Request<Full<Bytes>>);

impl Call {
    pub(crate) fn get(path: &str, who: Who<'_>) -> Self {
        Self::new("GET", path, who, None)
    }

    pub(crate) fn post(path: &str, who: Who<'_>, body: impl ToString) -> Self {
        Self::new("POST", path, who, Some(body.to_string()))
    }

    pub(crate) fn delete(path: &str, who: Who<'_>) -> Self {
        Self::new("DELETE", path, who, None)
    }

    #[expect(clippy::expect_used, reason = "only what a server has sent before stands in it, which was valid there")]
    pub(crate) fn new(method: &str, path: &str, who: Who<'_>, body: Option<String>) -> Self {
        let request = Request::builder().method(method).uri(path);
        let request = match who {
            Who::Nobody => request,
            Who::Token(token) => request.header(AUTHORIZATION, format!("Bearer {token}")),
            Who::Seat(cookie) => request.header(COOKIE, cookie),
            Who::Key(key) => request.header(AUTHORIZATION, format!("Annon {key}")),
        };
        let request = if body.is_some() { request.header(CONTENT_TYPE, "application/json") } else { request };
        Self(request.body(body.unwrap_or_default().into()).expect("a valid request"))
    }

    /// Its path without ids and names, so that failures of one kind are counted together.
    pub(crate) fn kind(&self) -> String {
        /// The longest fixed part of a path. Ids and names of a run are longer.
        const LONGEST: usize = 15;
        let parts = self.0.uri().path().split('/').map(|part| if part.len() > LONGEST { "…" } else { part });
        parts.collect::<Vec<_>>().join("/")
    }
}

pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) body: Bytes,
    /// The name and value of a cookie that comes with the reply.
    pub(crate) cookie: Option<String>,
}

impl Reply {
    /// The body; null if it is no JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    /// Returns an error if the status is another one.
    pub(crate) fn expect(self, status: u16) -> Fallible<Self> {
        if self.status == status { Ok(self) } else { Trouble::because(self.to_string()) }
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let answer = self.json();
        let message = answer["message"].as_str().unwrap_or("nothing that can be read");
        let message: String = message.chars().take(MESSAGE_MAX).collect();
        write!(f, "{} ({message})", self.status)
    }
}

/// A connection that is opened with the first call, and again after an error.
pub(crate) struct Client {
    pub(crate) address: Address,
    sender: Option<SendRequest<Full<Bytes>>>,
}

impl Client {
    pub(crate) fn new(address: Address) -> Self {
        Self { address, sender: None }
    }

    /// Makes a call and returns the reply, with any status.
    pub(crate) async fn ask(&mut self, call: &Call) -> Fallible<Reply> {
        let answered = within(PATIENCE, self.exchange(call)).await;
        answered.because(format_args!("http://{} at {}", self.address, call.kind()))
    }

    async fn exchange(&mut self, call: &Call) -> Result<Reply, NetError> {
        let mut sender = match self.sender.take() {
            Some(sender) if !sender.is_closed() => sender,
            _ => connect(self.address).await?,
        };
        sender.ready().await?;
        let mut request = call.0.clone();
        request.headers_mut().insert(HOST, HeaderValue::from_static(self.address.host));
        let reply = reply(sender.send_request(request).await?).await?;
        self.sender = Some(sender);
        Ok(reply)
    }
}

async fn reply(response: Response<hyper::body::Incoming>) -> Result<Reply, NetError> {
    let status = response.status();
    let header = |name| response.headers().get(name).map(|value| String::from_utf8_lossy(value.as_bytes()));
    // A redirect is not followed, because it would measure another server.
    if status.is_redirection() {
        let elsewhere = header(LOCATION).unwrap_or("nowhere".into());
        return NetError::because(format!(
            "it redirects to {elsewhere}: --url has to be where the server itself answers"
        ));
    }
    let cookie = header(SET_COOKIE).and_then(|cookie| cookie.split(';').next().map(str::to_owned));
    let body = response.into_body().collect().await?.to_bytes();
    Ok(Reply { status: status.as_u16(), body, cookie })
}

/// Opens a connection and makes a WebSocket of it. Also returns the bytes that
/// were received after the answer.
pub(super) async fn upgrade(address: Address, path: &str, who: Who<'_>) -> Result<(TcpStream, Vec<u8>), NetError> {
    /// The key of the standard's example, and the server's answer to it.
    const KEY: &str = "dGhlIHNhbXBsZSBub25jZQ==";
    const ACCEPT: &str = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";
    let mut call = Call::get(path, who);
    if let Some(protocols) = who.protocols() {
        let protocols = HeaderValue::try_from(protocols).map_err(|_| NetError::Because("an odd token".to_owned()))?;
        call.0.headers_mut().insert(SEC_WEBSOCKET_PROTOCOL, protocols);
    }
    for (name, value) in [
        (HOST, address.host),
        (CONNECTION, "Upgrade"),
        (UPGRADE, "websocket"),
        (SEC_WEBSOCKET_VERSION, "13"),
        (SEC_WEBSOCKET_KEY, KEY),
    ] {
        call.0.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    let response = connect(address).await?.send_request(call.0).await?;
    if response.status() != StatusCode::SWITCHING_PROTOCOLS {
        return Err(NetError::Refused(reply(response).await?.status));
    }
    if response.headers().get(SEC_WEBSOCKET_ACCEPT).is_none_or(|accept| accept != ACCEPT) {
        return NetError::because("the answer to the handshake does not accept the key it was given");
    }
    let upgraded = hyper::upgrade::on(response).await?;
    match upgraded.downcast::<TokioIo<TcpStream>>() {
        Ok(parts) => Ok((parts.io.into_inner(), parts.read_buf.to_vec())),
        Err(_) => NetError::because("a bug: the connection is no TCP stream"),
    }
}

async fn connect(address: Address) -> Result<SendRequest<Full<Bytes>>, NetError> {
    let stream = TcpStream::connect(address.at).await;
    let stream = stream.map_err(|error| NetError::Because(format!("can't connect: {error}")))?;
    stream.set_nodelay(true)?;
    let (sender, connection) = handshake(TokioIo::new(stream)).await?;
    // The task ends with the sender, whose calls fail when the connection fails.
    tokio::task::spawn_local(async move { drop(connection.with_upgrades().await) });
    Ok(sender)
}
