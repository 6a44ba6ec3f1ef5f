//! An HTTP client: whole requests for most tests, raw bytes on an open connection for hostile ones.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};

use annon_contract::code::Code;
use serde_json::Value;
use socket2::{Domain, Socket, Type};

use crate::support::contract;
use crate::support::patience::HANG;

#[derive(Clone)]
pub(crate) struct Call {
    address: SocketAddr,
    method: String,
    path: String,
    headers: Vec<(String, String)>,
    body: Option<Vec<u8>>,
}

impl Call {
    pub(crate) fn new(address: SocketAddr, method: &str, path: &str) -> Self {
        Self { address, method: method.to_owned(), path: path.to_owned(), headers: Vec::new(), body: None }
    }

    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn bearer(self, token: &str) -> Self {
        self.header("Authorization", &format!("Bearer {token}"))
    }

    pub(crate) fn cookie(self, cookie: Option<&str>) -> Self {
        match cookie {
            Some(cookie) => self.header("Cookie", cookie),
            None => self,
        }
    }

    pub(crate) fn json(self, body: &Value) -> Self {
        self.header("Content-Type", "application/json").body(body.to_string())
    }

    pub(crate) fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = Some(body.into());
        self
    }

    /// Its method and its path.
    pub(crate) fn what(&self) -> (String, String) {
        (self.method.clone(), self.path.clone())
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut head = format!("{} {} HTTP/1.1\r\n", self.method, self.path);
        let has_host = self.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host"));
        if !has_host {
            let _ = write!(head, "Host: {}\r\n", self.address);
        }
        for (name, value) in &self.headers {
            let _ = write!(head, "{name}: {value}\r\n");
        }
        if let Some(body) = &self.body {
            let _ = write!(head, "Content-Length: {}\r\n", body.len());
        }
        [head.as_bytes(), b"\r\n", self.body.as_deref().unwrap_or_default()].concat()
    }

    /// Sends the call on a new connection.
    pub(crate) fn send(self) -> Answer {
        let mut connection = Connection::open(self.address);
        self.send_on(&mut connection)
    }

    /// Sends the call on this connection.
    pub(crate) fn send_on(self, connection: &mut Connection) -> Answer {
        connection.send(&self.bytes()).unwrap();
        connection.answer_to(&self.method, &self.path)
    }
}

#[derive(Clone)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

/// Prints a body as text, because failed tests print answers.
impl std::fmt::Debug for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {:?} {}", self.status, self.headers, String::from_utf8_lossy(&self.body))
    }
}

impl Answer {
    /// A header's value; of several, the first.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// All headers but those that differ in every answer.
    pub(crate) fn stable_headers(&self) -> BTreeSet<(String, String)> {
        let is_always_new = |name: &str| matches!(name, "date" | "x-request-id");
        self.headers.iter().filter(|(name, _)| !is_always_new(name)).cloned().collect()
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The sentence in the envelope.
    pub(crate) fn message(&self) -> String {
        self.json()["message"].as_str().unwrap_or_else(|| panic!("no message: {self:?}")).to_owned()
    }

    /// Checks that the body has this status, this sentence with its code, and nothing else.
    #[track_caller]
    pub(crate) fn assert(&self, status: u16, message: &str) {
        let mut body = self.json();
        // Which field is wrong has tests of its own.
        if body["code"] == "fields_invalid" {
            body.as_object_mut().unwrap().remove("field");
        }
        assert_eq!(body, with_code(serde_json::json!({ "status": status, "message": message })));
        assert_eq!(self.status, status);
    }

    /// Checks that a report was stored: the body has its number, too.
    #[track_caller]
    pub(crate) fn assert_reported(&self) {
        let mut body = self.json();
        let receipt = body.as_object_mut().unwrap().remove("receipt");
        assert!(receipt.is_some_and(|receipt| receipt.as_str().unwrap().len() == 39), "{self:?}");
        assert_eq!((body, self.status), (serde_json::json!({ "status": 201, "message": "Report sent" }), 201));
    }
}

/// Adds the code of the body's sentence, unless the sentence names a waiting time.
pub(crate) fn with_code(mut body: Value) -> Value {
    let code = Code::ALL.iter().find(|code| body["message"] == code.sentence());
    if let Some(code) = code {
        body["code"] = code.name().into();
    }
    body
}

/// A connection whose reads and writes time out.
pub(crate) fn dial(address: SocketAddr) -> TcpStream {
    dial_with(address, |_| Ok(())).unwrap()
}

/// A connection from another of this machine's addresses.
pub(crate) fn dial_from(from: [u8; 4], address: SocketAddr) -> io::Result<TcpStream> {
    dial_with(address, |socket| socket.bind(&SocketAddr::from((from, 0)).into()))
}

/// A connection that receives `takes` bytes before it is read.
pub(crate) fn dial_tight(address: SocketAddr, takes: usize) -> TcpStream {
    dial_with(address, |socket| socket.set_recv_buffer_size(takes)).unwrap()
}

fn dial_with(address: SocketAddr, prepare: impl FnOnce(&Socket) -> io::Result<()>) -> io::Result<TcpStream> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, None)?;
    prepare(&socket)?;
    socket.connect(&address.into())?;
    let stream = TcpStream::from(socket);
    stream.set_read_timeout(Some(HANG)).unwrap();
    stream.set_write_timeout(Some(HANG)).unwrap();
    stream.set_nodelay(true).unwrap();
    Ok(stream)
}

/// The answer to any bytes, on a new connection.
pub(crate) fn raw(address: SocketAddr, bytes: &[u8], method: &str, path: &str) -> Answer {
    let mut connection = Connection::open(address);
    connection.send(bytes).unwrap();
    connection.answer_to(method, path)
}

/// An open connection over TCP or TLS.
pub(crate) struct Connection<S: Read + Write = TcpStream> {
    pub(crate) stream: BufReader<S>,
}

impl Connection {
    pub(crate) fn open(address: SocketAddr) -> Self {
        Self::over(dial(address))
    }

    /// Whether the server has neither sent anything unread nor closed.
    pub(crate) fn is_silent(&self) -> bool {
        let stream = self.stream.get_ref();
        stream.set_nonblocking(true).unwrap();
        let next = stream.peek(&mut [0]);
        stream.set_nonblocking(false).unwrap();
        next.is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock)
    }

    /// Tells the server that nothing more will come.
    pub(crate) fn finish(&self) {
        self.stream.get_ref().shutdown(std::net::Shutdown::Write).unwrap();
    }
}

impl<S: Read + Write> Connection<S> {
    pub(crate) fn over(stream: S) -> Self {
        Self { stream: BufReader::new(stream) }
    }

    /// The stream below, once every answer has been read.
    pub(crate) fn into_stream(self) -> S {
        self.stream.into_inner()
    }

    pub(crate) fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.get_mut().write_all(bytes)?;
        self.stream.get_mut().flush()
    }

    /// The answer to a request of this kind, compared with the description.
    pub(crate) fn answer_to(&mut self, method: &str, path: &str) -> Answer {
        let answer = self.read(method).unwrap_or_else(|error| panic!("no answer to {method} {path}: {error}"));
        contract::hold(method, path, &answer);
        answer
    }

    /// The next answer, without that comparison.
    pub(crate) fn read(&mut self, method: &str) -> io::Result<Answer> {
        let (status, headers) = loop {
            let head = self.head()?;
            // `100 Continue` only announces the answer.
            if head.0 != 100 {
                break head;
            }
        };
        let mut answer = Answer { status, headers, body: Vec::new() };
        if method == "HEAD" || matches!(status, 101 | 204 | 304) {
            return Ok(answer);
        }
        if answer.header("transfer-encoding").is_some_and(|coding| coding.eq_ignore_ascii_case("chunked")) {
            answer.body = self.chunks()?;
        } else if let Some(length) = answer.header("content-length").map(|length| length.parse().unwrap()) {
            answer.body = vec![0; length];
            self.stream.read_exact(&mut answer.body)?;
        } else {
            self.stream.read_to_end(&mut answer.body)?;
        }
        Ok(answer)
    }

    fn head(&mut self) -> io::Result<(u16, Vec<(String, String)>)> {
        let first = self.line()?;
        let odd = || io::Error::new(io::ErrorKind::InvalidData, first.clone());
        let rest = first.strip_prefix("HTTP/1.1 ").or(first.strip_prefix("HTTP/1.0 ")).ok_or_else(odd)?;
        let status = rest.get(..3).and_then(|status| status.parse().ok()).ok_or_else(odd)?;
        let mut headers = Vec::new();
        loop {
            let line = self.line()?;
            if line.is_empty() {
                return Ok((status, headers));
            }
            let (name, value) = line.split_once(':').ok_or_else(odd)?;
            headers.push((name.to_owned(), value.trim().to_owned()));
        }
    }

    fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        if self.stream.read_line(&mut line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(line.trim_end_matches(['\r', '\n']).to_owned())
    }

    fn chunks(&mut self) -> io::Result<Vec<u8>> {
        let mut body = Vec::new();
        loop {
            let length = usize::from_str_radix(&self.line()?, 16).map_err(io::Error::other)?;
            let begin = body.len();
            body.resize(begin + length, 0);
            self.stream.read_exact(&mut body[begin..])?;
            self.line()?;
            if length == 0 {
                return Ok(body);
            }
        }
    }
}
