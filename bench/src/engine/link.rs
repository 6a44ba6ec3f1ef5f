//! One member's connection, as the engine holds it: the socket and little
//! else, because there are thousands.

use std::io::{self, Write};
use std::net::TcpStream;

use crate::engine::poll::Poll;

/// What is kept for a server that reads too slowly.
const UNSENT_MAX: usize = 64 * 1024;

/// A connection after its handshake.
pub(crate) struct Link {
    pub(crate) stream: TcpStream,
    /// The beginning of a frame that has not arrived whole.
    pub(crate) received: Vec<u8>,
    /// What the kernel did not take yet.
    unsent: Vec<u8>,
    pub(crate) is_gone: bool,
}

impl Link {
    pub(crate) fn new(stream: TcpStream, received: Vec<u8>) -> Self {
        Self { stream, received, unsent: Vec::new(), is_gone: false }
    }

    /// Whether more would only wait here, and never be sent at all.
    pub(crate) fn is_full(&self) -> bool {
        self.unsent.len() > UNSENT_MAX
    }

    /// Sends at once what can be sent at once, the rest as soon as it goes.
    pub(crate) fn send(&mut self, bytes: &[u8], poll: &Poll, at: usize) -> io::Result<()> {
        if self.is_gone {
            return Ok(());
        }
        if !self.unsent.is_empty() {
            self.unsent.extend_from_slice(bytes);
            return Ok(());
        }
        let sent = self.write(bytes)?;
        if sent < bytes.len() {
            self.unsent.extend_from_slice(&bytes[sent..]);
            poll.watch_writing(&self.stream, at, true)?;
        }
        Ok(())
    }

    /// The socket takes bytes again.
    pub(crate) fn flush(&mut self, poll: &Poll, at: usize) -> io::Result<()> {
        let unsent = std::mem::take(&mut self.unsent);
        let sent = self.write(&unsent)?;
        self.unsent = unsent[sent..].to_vec();
        if self.unsent.is_empty() {
            poll.watch_writing(&self.stream, at, false)?;
        }
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match (&self.stream).write(bytes) {
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => Ok(0),
            other => other,
        }
    }
}
