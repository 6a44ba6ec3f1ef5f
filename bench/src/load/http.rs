//! One kept connection for calls, one at a time: a client of its own for
//! everybody who calls.

use std::io;
use std::time::Duration;

use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::header::{
    CONNECTION, CONTENT_TYPE, HOST, HeaderValue, LOCATION, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY,
    SEC_WEBSOCKET_VERSION, SET_COOKIE, UPGRADE,
};
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::load::socket::SocketError;
use crate::load::target::Address;

/// How long an answer is waited for. What takes longer is lost.
const PATIENCE: Duration = Duration::from_secs(10);

/// Why there is no answer. The sentence is also the name it is counted under.
#[derive(Debug, thiserror::Error)]
pub(crate) enum HttpError {
    #[error("can't connect: {0}")]
    Connect(io::Error),
    #[error("the connection broke: {0}")]
    Broken(hyper::Error),
    #[error("the connection was closed before the answer")]
    Closed,
    #[error("no answer within {} s", PATIENCE.as_secs())]
    Silent,
    #[error("the answer is not the HTTP/1.1 that was expected")]
    Odd,
    #[error("it redirects to {0}: --url has to be where the server itself answers")]
    Redirect(String),
}

impl From<hyper::Error> for HttpError {
    fn from(error: hyper::Error) -> Self {
        if error.is_parse() {
            Self::Odd
        } else if error.is_incomplete_message() || error.is_closed() {
            Self::Closed
        } else {
            Self::Broken(error)
        }
    }
}

/// What a caller shows of itself.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Who<'a> {
    Nobody,
    /// Somebody signed in, by their token.
    Token(&'a str),
    /// Somebody with a seat, by their cookie.
    Seat(&'a str),
}

/// A request that can be made again and again.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    request: Request<Full<Bytes>>,
}

impl Call {
    /// The path is one of ours and always valid; so is what identifies `who`.
    #[expect(clippy::expect_used, reason = "only what a server has sent before stands in it, which was valid there")]
    pub(crate) fn new(method: &str, path: &str, who: Who<'_>, body: Option<String>) -> Self {
        let request = Request::builder().method(method).uri(path);
        let request = match who {
            Who::Nobody => request,
            Who::Token(token) => request.header("authorization", format!("Bearer {token}")),
            Who::Seat(cookie) => request.header("cookie", cookie),
        };
        let request = if body.is_some() { request.header(CONTENT_TYPE, "application/json") } else { request };
        Self { request: request.body(body.unwrap_or_default().into()).expect("a valid request") }
    }

    pub(crate) fn path(&self) -> &str {
        self.request.uri().path()
    }
}

/// What a call was answered with.
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) body: Bytes,
    /// Name and value of a cookie that comes with it.
    pub(crate) cookie: Option<String>,
}

/// A connection that is opened with the first call, and again after an error.
pub(crate) struct Client {
    address: Address,
    sender: Option<SendRequest<Full<Bytes>>>,
}

impl Client {
    pub(crate) fn new(address: Address) -> Self {
        Self { address, sender: None }
    }

    /// One that is connected already.
    pub(crate) async fn connected(address: Address) -> Result<Self, HttpError> {
        Ok(Self { address, sender: Some(connect(address).await?) })
    }

    /// Makes a call and waits for its whole answer.
    pub(crate) async fn call(&mut self, call: &Call) -> Result<Reply, HttpError> {
        timeout(PATIENCE, self.exchange(call)).await.unwrap_or(Err(HttpError::Silent))
    }

    async fn exchange(&mut self, call: &Call) -> Result<Reply, HttpError> {
        let mut sender = match self.sender.take() {
            Some(kept) if !kept.is_closed() => kept,
            _ => connect(self.address).await?,
        };
        sender.ready().await?;
        let mut request = call.request.clone();
        request.headers_mut().insert(HOST, self.address.host());
        let response = sender.send_request(request).await?;
        let reply = Self::reply(response).await?;
        self.sender = Some(sender);
        Ok(reply)
    }

    async fn reply(response: Response<hyper::body::Incoming>) -> Result<Reply, HttpError> {
        let status = response.status().as_u16();
        let header = |name| response.headers().get(name).map(|value| String::from_utf8_lossy(value.as_bytes()));
        // Nobody is followed there: what answers there is not what is to be
        // measured.
        if matches!(status, 301 | 302 | 303 | 307 | 308) {
            return Err(HttpError::Redirect(header(LOCATION).unwrap_or("nowhere".into()).into_owned()));
        }
        let cookie = header(SET_COOKIE).and_then(|cookie| cookie.split(';').next().map(str::to_owned));
        let body = response.into_body().collect().await?.to_bytes();
        Ok(Reply { status, body, cookie })
    }
}

/// Makes a WebSocket of a connection; what was received behind the answer
/// comes with it.
pub(super) async fn upgrade(
    stream: TcpStream,
    address: Address,
    path: &str,
    cookie: &str,
) -> Result<(TcpStream, Vec<u8>), SocketError> {
    /// The key of the standard's own example, and what a server makes of it.
    const KEY: &str = "dGhlIHNhbXBsZSBub25jZQ==";
    const ACCEPT: &str = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";
    stream.set_nodelay(true).map_err(HttpError::Connect)?;
    let (mut sender, connection) = handshake(TokioIo::new(stream)).await.map_err(HttpError::from)?;
    tokio::task::spawn_local(async move { drop(connection.with_upgrades().await) });
    let mut request = Call::new("GET", path, Who::Seat(cookie), None).request;
    let headers = request.headers_mut();
    headers.insert(HOST, address.host());
    headers.insert(CONNECTION, HeaderValue::from_static("Upgrade"));
    headers.insert(UPGRADE, HeaderValue::from_static("websocket"));
    headers.insert(SEC_WEBSOCKET_VERSION, HeaderValue::from_static("13"));
    headers.insert(SEC_WEBSOCKET_KEY, HeaderValue::from_static(KEY));
    let response = sender.send_request(request).await.map_err(HttpError::from)?;
    if response.status() != StatusCode::SWITCHING_PROTOCOLS {
        let Reply { status, .. } = Client::reply(response).await?;
        return Err(SocketError::Refused(status));
    }
    if response.headers().get(SEC_WEBSOCKET_ACCEPT).is_none_or(|accept| accept != ACCEPT) {
        return Err(SocketError::Odd("an answer that does not accept the key it was given".to_owned()));
    }
    let upgraded = hyper::upgrade::on(response).await.map_err(HttpError::from)?;
    let parts = upgraded.downcast::<TokioIo<TcpStream>>().map_err(|_| HttpError::Odd)?;
    Ok((parts.io.into_inner(), parts.read_buf.to_vec()))
}

async fn connect(address: Address) -> Result<SendRequest<Full<Bytes>>, HttpError> {
    let stream = TcpStream::connect(address.at).await.map_err(HttpError::Connect)?;
    stream.set_nodelay(true).map_err(HttpError::Connect)?;
    let (sender, connection) = handshake(TokioIo::new(stream)).await?;
    // It ends with the sender; what goes wrong in it, the sender is told.
    tokio::task::spawn_local(async move { drop(connection.await) });
    Ok(sender)
}
