//! A small HTTP/1.1 client: one request at a time on a kept connection, and
//! little work for each, because the machine that measures is the machine
//! that is measured.

use std::io;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::target::Address;

/// How long an answer is waited for. What takes longer is lost.
const PATIENCE: Duration = Duration::from_secs(10);
const HEADERS_MAX: usize = 64;
const HEAD_MAX_BYTES: usize = 32 * 1024;
const BODY_MAX_BYTES: usize = 16 * 1024 * 1024;
/// Room made for the next piece of an answer; most answers fit in one.
const CHUNK: usize = 4 * 1024;

/// Why there is no answer. The sentence is also the name it is counted under.
#[derive(Debug, thiserror::Error)]
pub(crate) enum HttpError {
    #[error("can't connect: {0}")]
    Connect(io::Error),
    #[error("the connection broke: {0}")]
    Broken(io::Error),
    #[error("the connection was closed before the answer")]
    Closed,
    #[error("no answer within {} s", PATIENCE.as_secs())]
    Silent,
    #[error("the answer is not the HTTP/1.1 that was expected: {0}")]
    Odd(&'static str),
    #[error("it redirects to {0}: --url has to be where the server itself answers")]
    Redirect(String),
}

/// A kept connection. After an error it is of no more use.
pub(crate) struct Connection {
    stream: TcpStream,
    received: Vec<u8>,
}

/// An answer.
pub(crate) struct Reply<'a> {
    pub(crate) status: u16,
    pub(crate) body: &'a [u8],
    /// Name and value of a cookie that comes with it.
    pub(crate) cookie: Option<String>,
    /// Whether the server takes another request on this connection.
    pub(crate) is_kept: bool,
}

impl Connection {
    pub(crate) async fn open(address: Address) -> Result<Self, HttpError> {
        let connecting = timeout(PATIENCE, TcpStream::connect(address.at));
        let stream = connecting.await.map_err(|_| HttpError::Silent)?.map_err(HttpError::Connect)?;
        stream.set_nodelay(true).map_err(HttpError::Connect)?;
        Ok(Self { stream, received: Vec::with_capacity(CHUNK) })
    }

    /// Sends a whole request and waits for its whole answer.
    pub(crate) async fn call(&mut self, request: &[u8]) -> Result<Reply<'_>, HttpError> {
        let head = timeout(PATIENCE, self.exchange(request)).await.map_err(|_| HttpError::Silent)??;
        let body = &self.received[head.length..head.length + head.body_length];
        Ok(Reply { status: head.status, body, cookie: head.cookie, is_kept: head.is_kept })
    }

    async fn exchange(&mut self, request: &[u8]) -> Result<Head, HttpError> {
        self.received.clear();
        self.stream.write_all(request).await.map_err(HttpError::Broken)?;
        let head = loop {
            self.receive().await?;
            if let Some(head) = Head::parse(&self.received)? {
                break head;
            }
            if self.received.len() > HEAD_MAX_BYTES {
                return Err(HttpError::Odd("its head doesn't end"));
            }
        };
        while self.received.len() < head.length + head.body_length {
            self.receive().await?;
        }
        if self.received.len() > head.length + head.body_length {
            return Err(HttpError::Odd("it is longer than it says"));
        }
        Ok(head)
    }

    async fn receive(&mut self) -> Result<(), HttpError> {
        self.received.reserve(CHUNK);
        match self.stream.read_buf(&mut self.received).await {
            Ok(0) => Err(HttpError::Closed),
            Ok(_) => Ok(()),
            Err(error) => Err(HttpError::Broken(error)),
        }
    }
}

struct Head {
    status: u16,
    length: usize,
    body_length: usize,
    cookie: Option<String>,
    is_kept: bool,
}

impl Head {
    /// Nothing while there is more of it to come.
    fn parse(bytes: &[u8]) -> Result<Option<Self>, HttpError> {
        let mut headers = [httparse::EMPTY_HEADER; HEADERS_MAX];
        let mut answer = httparse::Response::new(&mut headers);
        let length = match answer.parse(bytes) {
            Ok(httparse::Status::Complete(length)) => length,
            Ok(httparse::Status::Partial) => return Ok(None),
            Err(_) => return Err(HttpError::Odd("it can't be parsed")),
        };
        let status = answer.code.unwrap_or_default();
        if let Some(elsewhere) = redirect(&answer) {
            return Err(elsewhere);
        }
        let mut body_length = matches!(status, 204 | 304).then_some(0);
        let mut is_kept = answer.version == Some(1);
        let mut cookie = None;
        for header in answer.headers.iter() {
            if header.name.eq_ignore_ascii_case("content-length") {
                let said = str::from_utf8(header.value).ok().and_then(|said| said.parse().ok());
                body_length = Some(said.ok_or(HttpError::Odd("its Content-Length is no number"))?);
            } else if header.name.eq_ignore_ascii_case("connection") {
                is_kept &= !header.value.eq_ignore_ascii_case(b"close");
            } else if header.name.eq_ignore_ascii_case("set-cookie") {
                let said = str::from_utf8(header.value).ok().and_then(|said| said.split(';').next());
                cookie = said.map(str::to_owned);
            }
        }
        match body_length {
            Some(body_length) if body_length <= BODY_MAX_BYTES => {
                Ok(Some(Self { status, length, body_length, cookie, is_kept }))
            }
            Some(_) => Err(HttpError::Odd("it is too long")),
            None => Err(HttpError::Odd("it has no Content-Length")),
        }
    }
}

/// Where an answer sends its caller, if it does: nobody is followed there,
/// because what answers there is not what is to be measured.
pub(crate) fn redirect(answer: &httparse::Response<'_, '_>) -> Option<HttpError> {
    if !matches!(answer.code, Some(301 | 302 | 303 | 307 | 308)) {
        return None;
    }
    let location = answer.headers.iter().find(|header| header.name.eq_ignore_ascii_case("location"));
    let shown = location.map_or("nowhere".into(), |location| String::from_utf8_lossy(location.value));
    Some(HttpError::Redirect(shown.into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(bytes: &[u8]) -> Result<Option<(u16, usize, bool)>, String> {
        let head = Head::parse(bytes).map_err(|error| error.to_string())?;
        Ok(head.map(|head| (head.status, head.body_length, head.is_kept)))
    }

    #[test]
    fn an_answer_s_head_says_how_long_it_is() {
        assert_eq!(head(b"HTTP/1.1 200 OK\r\nContent-Le"), Ok(None));
        assert_eq!(head(b"HTTP/1.1 200 OK\r\ncontent-length: 32\r\n\r\n{"), Ok(Some((200, 32, true))));
        assert_eq!(
            head(b"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
            Ok(Some((503, 0, false)))
        );
        assert_eq!(head(b"HTTP/1.1 204 Nothing\r\n\r\n"), Ok(Some((204, 0, true))));
    }

    #[test]
    fn a_cookie_is_taken_without_what_browsers_do_with_it() {
        let bytes = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nset-cookie: a=b-c; HttpOnly; Path=/api\r\n\r\n";
        assert_eq!(Head::parse(bytes).unwrap().unwrap().cookie.as_deref(), Some("a=b-c"));
    }

    #[test]
    fn a_redirect_is_told_with_where_it_leads() {
        let why = head(b"HTTP/1.1 301 Moved\r\nLocation: https://x.example/readyz\r\n\r\n").unwrap_err();
        assert!(why.starts_with("it redirects to https://x.example/readyz"), "{why}");
        let why = head(b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n").unwrap_err();
        assert!(why.starts_with("it redirects to nowhere"), "{why}");
        assert_eq!(head(b"HTTP/1.1 304 Same\r\n\r\n"), Ok(Some((304, 0, true))));
    }

    #[test]
    fn odd_answers_are_told_from_good_ones() {
        for odd in [
            &b"SSH-2.0-OpenSSH_9.6\r\n"[..],
            b"HTTP/1.1 200 OK\r\n\r\n",
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
            b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
            b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n",
        ] {
            assert!(head(odd).is_err(), "{}", odd.escape_ascii());
        }
    }
}
