//! The least a relay can do: what comes in goes out to everybody at the same
//! path, by one bare `send` call each. Nothing is parsed, stored or queued.
//! What a server costs beyond that is its own doing.

use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

use crate::args;
use crate::clock;
use crate::engine::poll::Poll;
use crate::frame::{Frame, Kind, write_plain};
use crate::report::say;
use crate::socket::{ACCEPT, KEY};
use crate::trouble::{Finding, Trouble};

const LISTENER: usize = usize::MAX;
const SCRATCH: usize = 64 * 1024;

struct Member {
    stream: TcpStream,
    received: Vec<u8>,
    /// Nothing before the handshake.
    room: Option<String>,
}

#[derive(Default)]
struct Floor {
    members: HashMap<usize, Member>,
    rooms: HashMap<String, Vec<usize>>,
    out: Vec<u8>,
}

/// Runs `annon-bench floor` until it is ended from outside.
pub(crate) fn run(args: &args::Floor) -> Result<Finding, Trouble> {
    serve(args.port).map_err(|error| Trouble::because(format!("port {}: {error}", args.port)))
}

fn serve(port: u16) -> io::Result<Finding> {
    let listener = TcpListener::bind(("127.0.0.1", port))?;
    listener.set_nonblocking(true)?;
    say(&format!("floor {} listening on {}", env!("CARGO_PKG_VERSION"), listener.local_addr()?.port()));
    let mut poll = Poll::new()?;
    poll.add(&listener, LISTENER)?;
    let (mut floor, mut next, mut scratch) = (Floor::default(), 0, vec![0; SCRATCH]);
    loop {
        for n in 0..poll.wait(clock::now() + Duration::from_secs(60))? {
            let at = poll.ready(n).at;
            if at != LISTENER {
                if !floor.read(at, &mut scratch)? {
                    floor.remove(at);
                }
                continue;
            }
            while let Ok((stream, _)) = listener.accept() {
                stream.set_nonblocking(true)?;
                stream.set_nodelay(true)?;
                poll.add(&stream, next)?;
                floor.members.insert(next, Member { stream, received: Vec::new(), room: None });
                next += 1;
            }
        }
    }
}

impl Floor {
    /// Whether the member stays.
    fn read(&mut self, at: usize, scratch: &mut [u8]) -> io::Result<bool> {
        let Some(member) = self.members.get_mut(&at) else { return Ok(false) };
        match member.stream.read(scratch) {
            Ok(0) => return Ok(false),
            Ok(read) => member.received.extend_from_slice(&scratch[..read]),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(true),
            Err(_) => return Ok(false),
        }
        let mut received = std::mem::take(&mut member.received);
        let Some(room) = member.room.clone() else {
            let stays = self.shake(at, &mut received)?;
            self.keep(at, received);
            return Ok(stays);
        };
        let mut used = 0;
        while let Ok(Some(frame)) = Frame::of_client(&mut received[used..]) {
            used += frame.length;
            match frame.kind {
                Kind::Text => {
                    self.out.clear();
                    write_plain(Kind::Text, frame.payload, &mut self.out);
                    self.relay(&room);
                }
                Kind::Close => return Ok(false),
                Kind::Binary | Kind::Ping | Kind::Pong => {}
            }
        }
        received.drain(..used);
        self.keep(at, received);
        Ok(true)
    }

    fn keep(&mut self, at: usize, received: Vec<u8>) {
        if let Some(member) = self.members.get_mut(&at) {
            member.received = received;
        }
    }

    fn relay(&mut self, room: &str) {
        for at in self.rooms.get(room).into_iter().flatten() {
            let Some(member) = self.members.get_mut(at) else { continue };
            // An error means that the load tester is gone or no longer reads:
            // then reading from this member ends, which removes it.
            let _ = member.stream.write_all(&self.out);
        }
    }

    /// Answers the handshake of our own client, which always shows the same
    /// key.
    fn shake(&mut self, at: usize, received: &mut Vec<u8>) -> io::Result<bool> {
        let text = String::from_utf8_lossy(received);
        if !text.ends_with("\r\n\r\n") {
            return Ok(true);
        }
        let path = text.split(' ').nth(1).unwrap_or_default().to_owned();
        let is_ours = text.contains(KEY);
        received.clear();
        let Some(member) = self.members.get_mut(&at).filter(|_| is_ours) else { return Ok(false) };
        let answer = format!(
            "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Accept: {ACCEPT}\r\n\r\n"
        );
        member.stream.write_all(answer.as_bytes())?;
        member.room = Some(path.clone());
        self.rooms.entry(path).or_default().push(at);
        Ok(true)
    }

    fn remove(&mut self, at: usize) {
        let Some(member) = self.members.remove(&at) else { return };
        if let Some(room) = member.room.and_then(|room| self.rooms.get_mut(&room)) {
            room.retain(|other| *other != at);
        }
    }
}
