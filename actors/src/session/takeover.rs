//! From a handshake that was answered to a running session: on the thread
//! that is best for it, which needn't be the one that answered.

use std::any::Any;
use std::thread::{self, ThreadId};
use std::time::Duration;

use actix::{Actor, Arbiter, ArbiterHandle};
use bytes::BytesMut;
use tokio::net::TcpStream;

use super::incoming::{Duplex, Incoming, Reader};
use super::pieces::Pieces;
use super::{OutgoingBuffer, Role, Session};
use crate::bucket::Bucket;
use crate::clock::SharedClock;

/// A connection that speaks WebSocket from now on, and what it has said
/// already.
pub enum Connection {
    /// Plain TCP.
    Tcp(TcpStream, BytesMut),
    /// Anything else, such as TLS. It stays on its thread.
    Other(Box<dyn Duplex>, BytesMut),
}

/// A thread that runs actors.
#[derive(Clone)]
pub struct RoomThread {
    thread: ThreadId,
    arbiter: ArbiterHandle,
}

impl RoomThread {
    /// This thread, if it is one.
    pub(crate) fn here() -> Option<Self> {
        Some(Self { thread: thread::current().id(), arbiter: Arbiter::try_current()? })
    }

    fn is_here(&self) -> bool {
        self.thread == thread::current().id()
    }
}

/// Starts a session on the connection its handshake came by.
pub struct Takeover(Box<dyn FnOnce(Connection)>);

impl Takeover {
    /// A session in this role. After `lives_for` it ends as signed out;
    /// `slot` is kept as long as the socket is open.
    pub fn new<R: Role + Send>(
        role: R,
        clock: SharedClock,
        lives_for: Option<Duration>,
        slot: Box<dyn Any + Send>,
    ) -> Self {
        let opening = Opening { role, clock, lives_for, slot };
        Self(Box::new(|connection| opening.begin(connection)))
    }

    /// The handshake is answered.
    pub fn begin(self, connection: Connection) {
        (self.0)(connection);
    }
}

/// Everything of a session but its connection.
struct Opening<R> {
    role: R,
    clock: SharedClock,
    lives_for: Option<Duration>,
    slot: Box<dyn Any + Send>,
}

impl<R: Role + Send> Opening<R> {
    fn begin(self, connection: Connection) {
        match (connection, self.role.thread()) {
            (Connection::Other(io, buffer), _) => self.start(Reader::Other(io), None, buffer),
            (Connection::Tcp(tcp, buffer), Some(thread)) if !thread.is_here() => {
                // It leaves this thread's event queue and joins the other's.
                let Ok(tcp) = tcp.into_std() else { return };
                thread.arbiter.spawn_fn(move || {
                    if let Ok(tcp) = TcpStream::from_std(tcp) {
                        self.start_on(tcp, buffer);
                    }
                });
            }
            (Connection::Tcp(tcp, buffer), _) => self.start_on(tcp, buffer),
        }
    }

    fn start_on(self, tcp: TcpStream, buffer: BytesMut) {
        let (read, write) = tcp.into_split();
        self.start(Reader::Tcp(read), Some(write), buffer);
    }

    fn start(self, reader: Reader, writer: Option<tokio::net::tcp::OwnedWriteHalf>, buffer: BytesMut) {
        let outgoing = OutgoingBuffer::new(writer);
        let now = self.clock.moment();
        let session = Session {
            role: self.role,
            clock: self.clock,
            heard_at: now,
            frames: Bucket::new(now),
            refused: Bucket::new(now),
            incoming: Some(Incoming::new(outgoing.clone(), reader, buffer)),
            pieces: Pieces::default(),
            outgoing,
            lives_for: self.lives_for,
            _slot: self.slot,
        };
        session.start();
    }
}
