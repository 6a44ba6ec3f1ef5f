//! One WebSocket. This code reads and writes only whole frames, without compression.
//! `tungstenite`'s socket took 1.7 times as much processor time for a delivery, and the measured
//! machine has thousands of sockets. So `tungstenite` reads and writes only the header of a frame.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::io::{self, Cursor, ErrorKind};
use std::rc::Rc;
use std::time::Duration;

use tokio::io::Interest;
use tokio::net::TcpStream;
use tungstenite::protocol::frame::FrameHeader;
use tungstenite::protocol::frame::coding::{Control, Data, OpCode};

use crate::load::http::{Address, NetError, Who, upgrade, within};

/// How long a handshake may take on a server that is being flooded.
const PATIENCE: Duration = Duration::from_secs(30);
/// The most bytes of one read.
const READ_BYTES: usize = 64 * 1024;
/// How many bytes may wait for a server that reads too slowly.
const WAITING_MAX: usize = 64 * 1024;

/// The longest payload that is accepted in one frame.
const PAYLOAD_MAX: u64 = 16 * 1024 * 1024;
/// A client must mask its frames. The key only matters if a proxy between the two ends could take
/// the bytes for a request.
const MASK: [u8; 4] = [0x6b, 0x21, 0xd9, 0x9c];

thread_local! {
    /// The buffer into which all sockets read, one after the other. The unfinished rest of a read
    /// is copied to its socket.
    static SCRATCH: RefCell<Vec<u8>> = RefCell::new(vec![0; 2 * READ_BYTES]);
}

/// A socket after its handshake.
pub(crate) struct Socket {
    stream: TcpStream,
    /// The beginning of a frame whose end has not arrived yet.
    received: RefCell<Vec<u8>>,
    /// Whether `received` may have whole frames, which came with the handshake.
    is_unread: Cell<bool>,
    /// Texts that `receive` has not returned yet.
    texts: RefCell<VecDeque<String>>,
    /// Bytes to send that the kernel has not taken yet.
    waiting: RefCell<Vec<u8>>,
    is_flushing: Cell<bool>,
}

impl Socket {
    pub(crate) async fn open(address: Address, path: &str, who: Who<'_>) -> Result<Rc<Self>, NetError> {
        let opened = async {
            let (stream, received) = upgrade(address, path, who).await?;
            Ok(Rc::new(Self {
                stream,
                is_unread: Cell::new(!received.is_empty()),
                received: RefCell::new(received),
                texts: RefCell::default(),
                waiting: RefCell::default(),
                is_flushing: Cell::new(false),
            }))
        };
        within(PATIENCE, opened).await
    }

    /// Sends a text: as much as possible at once, the rest as soon as the kernel takes it. Returns
    /// false if too much waits already.
    pub(crate) fn send(self: &Rc<Self>, text: &str) -> Result<bool, NetError> {
        if self.waiting.borrow().len() > WAITING_MAX {
            return Ok(false);
        }
        self.send_frame(OpCode::Data(Data::Text), text.as_bytes()).map(|()| true)
    }

    fn send_frame(self: &Rc<Self>, opcode: OpCode, payload: &[u8]) -> Result<(), NetError> {
        let header = FrameHeader { opcode, mask: Some(MASK), ..FrameHeader::default() };
        {
            let mut waiting = self.waiting.borrow_mut();
            header.format(payload.len() as u64, &mut *waiting).map_err(io::Error::other)?;
            waiting.extend(payload.iter().zip(MASK.iter().cycle()).map(|(byte, mask)| byte ^ mask));
        }
        if self.is_flushing.get() || self.flush()? {
            return Ok(());
        }
        self.is_flushing.set(true);
        let this = self.clone();
        tokio::task::spawn_local(async move {
            // An error here is also an error of the next read.
            while this.stream.writable().await.is_ok() && matches!(this.flush(), Ok(false)) {}
            this.is_flushing.set(false);
        });
        Ok(())
    }

    /// Sends what the kernel takes. Returns whether that was everything.
    fn flush(&self) -> Result<bool, NetError> {
        let mut waiting = self.waiting.borrow_mut();
        match self.stream.try_write(&waiting) {
            Ok(sent) if sent == waiting.len() => waiting.clear(),
            Ok(sent) => drop(waiting.drain(..sent)),
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(error) => return Err(error.into()),
        }
        Ok(waiting.is_empty())
    }

    /// Returns the next text, and answers pings. The future can be dropped while it waits, and
    /// loses no text.
    pub(crate) async fn receive(self: &Rc<Self>) -> Result<String, NetError> {
        loop {
            if let Some(text) = self.texts.borrow_mut().pop_front() {
                return Ok(text);
            }
            self.read(&mut |text| self.texts.borrow_mut().push_back(text.to_owned())).await?;
        }
    }

    /// Gives every text to `take` until the connection ends.
    pub(crate) async fn receive_all(self: &Rc<Self>, mut take: impl FnMut(&str)) -> NetError {
        loop {
            if let Err(error) = self.read(&mut take).await {
                return error;
            }
        }
    }

    /// Waits for bytes to read, and reads once.
    async fn read(self: &Rc<Self>, take: &mut impl FnMut(&str)) -> Result<(), NetError> {
        if !self.is_unread.take() {
            self.stream.readable().await?;
        }
        SCRATCH.with_borrow_mut(|scratch| {
            let rest = self.received.borrow().len();
            scratch.resize(scratch.len().max(rest + READ_BYTES), 0);
            scratch[..rest].copy_from_slice(&self.received.borrow());
            let room = scratch.len() - rest;
            let read = match self.stream.try_read(&mut scratch[rest..]) {
                Ok(0) => return Err(NetError::Closed("without a word".to_owned())),
                Ok(read) => read,
                Err(error) if error.kind() == ErrorKind::WouldBlock => 0,
                Err(error) => return Err(error.into()),
            };
            if read < room {
                // The kernel has no more bytes. This tells the runtime to wait for them, which
                // otherwise a second read would find out.
                let none = || Err::<(), _>(ErrorKind::WouldBlock.into());
                let _ = self.stream.try_io(Interest::READABLE, none);
            }
            let used = self.take_frames(&scratch[..rest + read], take)?;
            let mut received = self.received.borrow_mut();
            received.clear();
            received.extend_from_slice(&scratch[used..rest + read]);
            Ok(())
        })
    }

    /// Takes all whole frames from the front, and returns how many bytes they had.
    fn take_frames(self: &Rc<Self>, bytes: &[u8], take: &mut impl FnMut(&str)) -> Result<usize, NetError> {
        let odd = |what: &str| NetError::Because(format!("the server sent {what}"));
        let (mut cursor, mut used) = (Cursor::new(bytes), 0);
        while let Some((header, length)) = FrameHeader::parse(&mut cursor).map_err(|error| odd(&error.to_string()))? {
            if !header.is_final || header.rsv1 || header.mask.is_some() || length > PAYLOAD_MAX {
                return Err(odd("what is no whole, plain WebSocket frame"));
            }
            let start = cursor.position() as usize;
            let Some(payload) = bytes.get(start..start + length as usize) else { break };
            used = start + payload.len();
            cursor.set_position(used as u64);
            match header.opcode {
                OpCode::Data(Data::Text) => take(str::from_utf8(payload).map_err(|_| odd("a text that is not UTF-8"))?),
                OpCode::Control(Control::Ping) => self.send_frame(OpCode::Control(Control::Pong), payload)?,
                OpCode::Control(Control::Close) => return Err(NetError::Closed(goodbye(payload))),
                OpCode::Control(_) => {}
                OpCode::Data(_) => return Err(odd("a frame that is no text")),
            }
        }
        Ok(used)
    }

    /// Sends a close frame and waits for the other side's.
    pub(crate) async fn close(self: Rc<Self>) -> Result<(), NetError> {
        self.send_frame(OpCode::Control(Control::Close), &1000_u16.to_be_bytes())?;
        match within(PATIENCE, async { Err(self.receive_all(|_| {}).await) }).await {
            Err(NetError::Closed(_)) => Ok(()),
            ended => ended,
        }
    }
}

/// The code and the text of a close frame.
fn goodbye(payload: &[u8]) -> String {
    match payload {
        [a, b, words @ ..] => {
            let code = u16::from_be_bytes([*a, *b]);
            format!("{code} {}", String::from_utf8_lossy(words)).trim_end().to_owned()
        }
        _ => "no reason given".to_owned(),
    }
}
