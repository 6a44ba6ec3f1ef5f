//! A chat server that speaks just enough of the API, with one fault.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::{Value, json};

/// The fault of the server. It concerns message 7 of a room, and its last member or all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lie {
    /// It makes no mistake.
    None,
    /// The last member does not receive the message.
    Loses,
    /// The last member receives the message twice.
    Doubles,
    /// The last member receives the message after the next one.
    Disorders,
    /// The last member receives other words.
    OtherWords,
    /// All members receive other words.
    OtherWordsForAll,
    /// The message comes from another sender.
    OtherSender,
    /// The message has the same place in the log as the one before.
    SameSeq,
    /// A message that nobody has sent comes with it.
    MakesUp,
    /// A member of another room receives the message.
    NextDoor,
    /// The last member's connection is closed.
    HangsUp,
    /// Every message is refused.
    Refuses,
}

const FACES: [&str; 3] = ["🦊", "🐼", "🐸"];

#[derive(Default)]
struct Room {
    seats: usize,
    seq: u64,
    log: Vec<String>,
    sockets: Vec<TcpStream>,
    held_back: Option<String>,
}

type Rooms = Arc<Mutex<HashMap<String, Room>>>;

/// A wrong chat server. It runs until the test ends.
pub(crate) struct Relay {
    pub(crate) url: String,
    rooms: Rooms,
}

impl Relay {
    pub(crate) fn start(lie: Lie) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let rooms = Rooms::default();
        let kept = rooms.clone();
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let rooms = kept.clone();
                thread::spawn(move || talk(stream, lie, &rooms));
            }
        });
        Self { url, rooms }
    }

    /// A message from a member who is not connected here.
    pub(crate) fn say_behind_their_back(&self, room: &str, words: &str) {
        let mut rooms = self.rooms.lock().unwrap();
        let room = rooms.get_mut(room).unwrap();
        room.seq += 1;
        let frame = chat("somebodyelse000", FACES[1], words, room.seq);
        room.log.push(frame);
    }
}

fn chat(id: &str, sender: &str, message: &str, seq: u64) -> String {
    json!({"event": "event.chat", "id": id, "sender": sender, "message": message, "seq": seq}).to_string()
}

/// Answers until the client closes the connection.
fn talk(mut stream: TcpStream, lie: Lie, rooms: &Rooms) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    loop {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
            if line == "\r\n" {
                break;
            }
            lines.push(line.trim_end().to_owned());
        }
        let path = lines.first()?.split(' ').nth(1)?.to_owned();
        let cookie = lines.iter().find_map(|line| line.strip_prefix("cookie: seat="));
        if let Some(room) = path.strip_prefix("/api/room-emoji/") {
            let number = cookie.and_then(|cookie| cookie.parse().ok()).unwrap_or_else(|| {
                let mut rooms = rooms.lock().unwrap();
                let room = rooms.entry(room.to_owned()).or_default();
                room.seats += 1;
                room.seats - 1
            });
            let face = json!(FACES[number % FACES.len()]).to_string();
            let head = format!("HTTP/1.1 200 X\r\nSet-Cookie: seat={number}\r\nContent-Length: {}\r\n\r\n", face.len());
            stream.write_all((head + &face).as_bytes()).ok()?;
            continue;
        }
        let room = path.strip_prefix("/api/room/")?.strip_suffix("/socket")?;
        let number: usize = cookie?.parse().ok()?;
        let accept = "HTTP/1.1 101 X\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";
        stream.write_all(accept.as_bytes()).ok()?;
        rooms.lock().unwrap().get_mut(room)?.sockets.push(stream.try_clone().ok()?);
        return listen(&mut reader, &mut stream, room, FACES[number % FACES.len()], lie, rooms);
    }
}

fn listen(
    reader: &mut impl Read,
    stream: &mut TcpStream,
    room: &str,
    face: &str,
    lie: Lie,
    rooms: &Rooms,
) -> Option<()> {
    loop {
        let (code, payload) = hear(reader)?;
        if code == 8 {
            let mut frame = vec![0x88, payload.len() as u8];
            frame.extend(payload);
            return stream.write_all(&frame).ok();
        }
        let said: Value = serde_json::from_slice(&payload).ok()?;
        let message = &said["message"];
        let mut rooms = rooms.lock().unwrap();
        if message["event"] == "event.connect" {
            let here = rooms.get_mut(room)?;
            let since = message["since"].as_u64().unwrap_or(here.seq) as usize;
            for frame in here.log.get(since..).unwrap_or_default() {
                tell(stream, frame)?;
            }
            let ready = json!({"event": "event.ready", "last_seq": here.seq, "resumed": true});
            tell(stream, &ready.to_string())?;
            continue;
        }
        if lie == Lie::Refuses {
            tell(stream, &json!({"event": "event.error", "id": message["id"], "message": "Not now."}).to_string())?;
            continue;
        }
        let (id, words) = (message["id"].as_str()?, message["message"].as_str()?);
        relay(&mut rooms, room, id, face, words, if id.ends_with("00007") { lie } else { Lie::None })?;
    }
}

fn relay(rooms: &mut HashMap<String, Room>, name: &str, id: &str, face: &str, words: &str, lie: Lie) -> Option<()> {
    let room = rooms.get_mut(name)?;
    room.seq += u64::from(lie != Lie::SameSeq);
    let face = if lie == Lie::OtherSender { "👻" } else { face };
    let other = format!("other {words}");
    let words = if lie == Lie::OtherWordsForAll { other.as_str() } else { words };
    let frame = chat(id, face, words, room.seq);
    room.log.push(frame.clone());
    let last = room.sockets.len() - 1;
    for socket in &mut room.sockets[..last] {
        tell(socket, &frame)?;
    }
    let held_back = room.held_back.take();
    let socket = &mut room.sockets[last];
    match lie {
        Lie::Loses => {}
        Lie::Disorders => room.held_back = Some(frame.clone()),
        Lie::OtherWords => tell(socket, &chat(id, face, &other, room.seq))?,
        Lie::HangsUp => socket.shutdown(std::net::Shutdown::Both).ok()?,
        _ => tell(socket, &frame)?,
    }
    match lie {
        Lie::Doubles => tell(socket, &frame)?,
        Lie::MakesUp => tell(socket, &chat("b00000010ffffff", face, words, room.seq))?,
        _ => {}
    }
    if let Some(earlier) = held_back {
        tell(socket, &earlier)?;
    }
    if lie == Lie::NextDoor {
        let (_, next) = rooms.iter_mut().find(|(other, _)| *other != name)?;
        tell(next.sockets.first_mut()?, &frame)?;
    }
    Some(())
}

/// Reads one masked frame of a client.
fn hear(reader: &mut impl Read) -> Option<(u8, Vec<u8>)> {
    let mut head = [0; 2];
    reader.read_exact(&mut head).ok()?;
    let mut length = usize::from(head[1] & 0x7f);
    if length == 126 {
        let mut more = [0; 2];
        reader.read_exact(&mut more).ok()?;
        length = usize::from(u16::from_be_bytes(more));
    }
    let mut mask = [0; 4];
    reader.read_exact(&mut mask).ok()?;
    let mut payload = vec![0; length];
    reader.read_exact(&mut payload).ok()?;
    payload.iter_mut().zip(mask.iter().cycle()).for_each(|(byte, mask)| *byte ^= mask);
    Some((head[0] & 0x0f, payload))
}

fn tell(stream: &mut TcpStream, text: &str) -> Option<()> {
    let mut frame = vec![0x81];
    match text.len() {
        length @ 0..126 => frame.push(length as u8),
        length => {
            frame.push(126);
            frame.extend((length as u16).to_be_bytes());
        }
    }
    frame.extend_from_slice(text.as_bytes());
    stream.write_all(&frame).ok()
}
