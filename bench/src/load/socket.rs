//! One WebSocket. It reads and writes frames itself, whole ones only and not
//! compressed, because there are thousands of sockets and the machine that
//! measures is the machine that is measured: tungstenite took 1.7 times as
//! much processor time for a delivery.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::io::{self, ErrorKind};
use std::net::{IpAddr, SocketAddr};
use std::rc::Rc;
use std::time::Duration;

use tokio::io::Interest;
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

use crate::load::frame::{Frame, Kind, goodbye, write};
use crate::load::http::{HttpError, upgrade};
use crate::load::target::Address;

/// How long a handshake may take on a server that is being flooded.
const PATIENCE: Duration = Duration::from_secs(30);
/// Room for what one read brings.
const READ_BYTES: usize = 64 * 1024;
/// What is kept for a server that reads too slowly.
const UNSENT_MAX: usize = 64 * 1024;

thread_local! {
    /// Where everybody reads to, one after the other: what is left of a read
    /// is kept by its socket.
    static SCRATCH: RefCell<Vec<u8>> = RefCell::new(vec![0; 2 * READ_BYTES]);
}

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
    #[error("closed without a word")]
    Gone,
    #[error("the connection broke: {0}")]
    Broken(#[from] io::Error),
    #[error("the server sent {0}")]
    Odd(String),
}

/// Where a socket leads.
#[derive(Debug, Clone)]
pub(crate) struct Door<'a> {
    pub(crate) address: Address,
    pub(crate) path: &'a str,
    pub(crate) cookie: &'a str,
    /// The address of ours it comes from, where one has not enough ports.
    pub(crate) from: Option<IpAddr>,
}

impl Door<'_> {
    async fn connect(&self) -> io::Result<TcpStream> {
        let Some(from) = self.from else { return TcpStream::connect(self.address.at).await };
        let socket = if from.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
        socket.bind(SocketAddr::new(from, 0))?;
        socket.connect(self.address.at).await
    }
}

/// A socket after its handshake.
pub(crate) struct Socket {
    stream: TcpStream,
    /// The beginning of a frame that has not arrived whole.
    received: RefCell<Vec<u8>>,
    /// Whether whole frames may be in it, from behind the handshake.
    is_unread: Cell<bool>,
    /// Texts that nobody has asked for yet.
    texts: RefCell<VecDeque<String>>,
    /// What the kernel did not take yet.
    unsent: RefCell<Vec<u8>>,
    is_flushing: Cell<bool>,
}

impl Socket {
    /// Connects and shakes hands.
    pub(crate) async fn open(door: &Door<'_>) -> Result<Rc<Self>, SocketError> {
        let opened = async {
            let stream = door.connect().await.map_err(HttpError::Connect)?;
            let (stream, received) = upgrade(stream, door.address, door.path, door.cookie).await?;
            Ok(Rc::new(Self {
                stream,
                is_unread: Cell::new(!received.is_empty()),
                received: RefCell::new(received),
                texts: RefCell::default(),
                unsent: RefCell::default(),
                is_flushing: Cell::new(false),
            }))
        };
        timeout(PATIENCE, opened).await.unwrap_or(Err(SocketError::Silent))
    }

    /// Sends a text: at once what can be sent at once, the rest as soon as it
    /// goes. Tells whether there was room for it.
    pub(crate) fn say(self: &Rc<Self>, text: &str) -> Result<bool, SocketError> {
        if self.unsent.borrow().len() > UNSENT_MAX {
            return Ok(false);
        }
        self.send(Kind::Text, text.as_bytes()).map(|()| true)
    }

    fn send(self: &Rc<Self>, kind: Kind, payload: &[u8]) -> Result<(), SocketError> {
        write(kind, payload, &mut self.unsent.borrow_mut());
        if self.is_flushing.get() || self.flush()? {
            return Ok(());
        }
        self.is_flushing.set(true);
        let this = self.clone();
        tokio::task::spawn_local(async move {
            // What goes wrong in it, whoever reads is told.
            while this.stream.writable().await.is_ok() && matches!(this.flush(), Ok(false)) {}
            this.is_flushing.set(false);
        });
        Ok(())
    }

    /// Sends what the kernel takes; whether that was all.
    fn flush(&self) -> io::Result<bool> {
        let mut unsent = self.unsent.borrow_mut();
        match self.stream.try_write(&unsent) {
            Ok(sent) if sent == unsent.len() => unsent.clear(),
            Ok(sent) => drop(unsent.drain(..sent)),
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
        Ok(unsent.is_empty())
    }

    /// The next text; pings are answered on the way. Nothing is lost when
    /// it is dropped while it waits.
    pub(crate) async fn hear(self: &Rc<Self>) -> Result<String, SocketError> {
        loop {
            if let Some(text) = self.texts.borrow_mut().pop_front() {
                return Ok(text);
            }
            self.read(&mut |text| self.texts.borrow_mut().push_back(text.to_owned())).await?;
        }
    }

    /// Gives every text to somebody, until nothing comes any more.
    pub(crate) async fn hear_all(self: &Rc<Self>, mut take: impl FnMut(&str)) -> SocketError {
        loop {
            if let Err(error) = self.read(&mut take).await {
                return error;
            }
        }
    }

    /// Waits for something to read, and reads once.
    async fn read(self: &Rc<Self>, take: &mut impl FnMut(&str)) -> Result<(), SocketError> {
        if !self.is_unread.take() {
            self.stream.readable().await?;
        }
        SCRATCH.with_borrow_mut(|scratch| {
            let kept = self.received.borrow().len();
            scratch.resize(scratch.len().max(kept + READ_BYTES), 0);
            scratch[..kept].copy_from_slice(&self.received.borrow());
            let room = scratch.len() - kept;
            let read = match self.stream.try_read(&mut scratch[kept..]) {
                Ok(0) => return Err(SocketError::Gone),
                Ok(read) => read,
                Err(error) if error.kind() == ErrorKind::WouldBlock => 0,
                Err(error) => return Err(error.into()),
            };
            if read < room {
                // The kernel has no more: tells the runtime to wait for it,
                // which a second read would only have found out.
                let none = || Err::<(), _>(ErrorKind::WouldBlock.into());
                let _ = self.stream.try_io(Interest::READABLE, none);
            }
            let used = self.take_frames(&scratch[..kept + read], take)?;
            let mut received = self.received.borrow_mut();
            received.clear();
            received.extend_from_slice(&scratch[used..kept + read]);
            Ok(())
        })
    }

    /// Takes the whole frames at the front; how many bytes they are.
    fn take_frames(self: &Rc<Self>, bytes: &[u8], take: &mut impl FnMut(&str)) -> Result<usize, SocketError> {
        let odd = |what: &str| SocketError::Odd(what.to_owned());
        let mut used = 0;
        while let Some(frame) = Frame::first(&bytes[used..]).map_err(|error| odd(&error.to_string()))? {
            used += frame.length;
            match frame.kind {
                Kind::Text => take(str::from_utf8(frame.payload).map_err(|_| odd("a text that is not UTF-8"))?),
                Kind::Ping => self.send(Kind::Pong, frame.payload)?,
                Kind::Pong => {}
                Kind::Close => return Err(SocketError::Closed(goodbye(frame.payload))),
                Kind::Binary => return Err(odd("a binary frame")),
            }
        }
        Ok(used)
    }

    /// Says goodbye and waits for the other side's.
    pub(crate) async fn close(self: Rc<Self>) -> Result<(), SocketError> {
        self.send(Kind::Close, &1000_u16.to_be_bytes())?;
        match timeout(PATIENCE, self.hear_all(|_| {})).await {
            Ok(SocketError::Closed(_) | SocketError::Gone) => Ok(()),
            Ok(error) => Err(error),
            Err(_) => Err(SocketError::Silent),
        }
    }
}
