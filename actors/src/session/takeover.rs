//! Starts a session after its handshake, on the thread that is best for it:
//! that needn't be the one that answered the handshake.

use std::any::Any;
use std::thread::{self, ThreadId};
use std::time::Duration;

use actix::{Actor, Arbiter, ArbiterHandle};
use bytes::BytesMut;
use tokio::net::TcpStream;

use super::incoming::{Duplex, Incoming, Reader};
use super::{Fragments, Outbox, Role, Session};
use crate::bucket::Bucket;
use crate::clock::SharedClock;

/// A connection that speaks WebSocket from now on, and bytes that have come.
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
    /// This thread, if it runs actors.
    pub(crate) fn here() -> Option<Self> {
        Some(Self { thread: thread::current().id(), arbiter: Arbiter::try_current()? })
    }

    fn is_here(&self) -> bool {
        self.thread == thread::current().id()
    }
}

/// Starts a session on the connection that its handshake came by.
pub struct Takeover(Box<dyn FnOnce(Connection)>);

impl Takeover {
    /// A session with this role. After `lives_for` it ends as signed out;
    /// `slot` is kept as long as the socket is open.
    pub fn new<R: Role + Send>(
        role: R,
        clock: SharedClock,
        lives_for: Option<Duration>,
        slot: Box<dyn Any + Send>,
    ) -> Self {
        let thread = role.thread();
        let start = move |connection| {
            let (reader, writer, buffer) = match connection {
                Connection::Other(io, buffer) => (Reader::Other(io), None, buffer),
                Connection::Tcp(tcp, buffer) => {
                    let (read, write) = tcp.into_split();
                    (Reader::Tcp(read), Some(write), buffer)
                }
            };
            let (outbox, now) = (Outbox::new(writer), clock.moment());
            let session = Session {
                role,
                clock,
                last_frame_at: now,
                frames: Bucket::new(now),
                refused: Bucket::new(now),
                incoming: Some(Incoming::new(outbox.clone(), reader, buffer)),
                pieces: Fragments::default(),
                outbox,
                lives_for,
                _slot: slot,
            };
            session.start();
        };
        Self(Box::new(move |connection| match (connection, thread) {
            (Connection::Tcp(tcp, buffer), Some(thread)) if !thread.is_here() => {
                // The socket changes to the other thread's event queue.
                let Ok(tcp) = tcp.into_std() else { return };
                thread.arbiter.spawn_fn(move || {
                    if let Ok(tcp) = TcpStream::from_std(tcp) {
                        start(Connection::Tcp(tcp, buffer));
                    }
                });
            }
            (connection, _) => start(connection),
        }))
    }

    /// Starts the session, when the handshake is answered.
    pub fn begin(self, connection: Connection) {
        (self.0)(connection);
    }
}
