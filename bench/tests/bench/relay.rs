//! A chat server that speaks just enough of the API, with one fault.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::{Value, json};

/// The fault of the server. It concerns message 7 of a room, and its last member or all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
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

const EMOJIS: [&str; 3] = ["🦊", "🐼", "🐸"];

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
    pub(crate) fn start(fault: Fault) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let rooms = Rooms::default();
        let kept = rooms.clone();
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let rooms = kept.clone();
                thread::spawn(move || serve(stream, fault, &rooms));
            }
        });
        Self { url, rooms }
    }

    /// A message from a member who is not connected here.
    pub(crate) fn add_message_from_elsewhere(&self, room: &str, words: &str) {
        let mut rooms = self.rooms.lock().unwrap();
        let room = rooms.get_mut(room).unwrap();
        room.seq += 1;
        let frame = chat("somebodyelse000", EMOJIS[1], words, room.seq);
        room.log.push(frame);
    }
}

fn chat(id: &str, sender: &str, message: &str, seq: u64) -> String {
    json!({"event": "event.chat", "id": id, "sender": sender, "message": message, "seq": seq}).to_string()
}

/// Answers until the client closes the connection.
fn serve(mut stream: TcpStream, fault: Fault, rooms: &Rooms) -> Option<()> {
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
            let emoji = json!(EMOJIS[number % EMOJIS.len()]).to_string();
            let head =
                format!("HTTP/1.1 200 X\r\nSet-Cookie: seat={number}\r\nContent-Length: {}\r\n\r\n", emoji.len());
            stream.write_all((head + &emoji).as_bytes()).ok()?;
            continue;
        }
        let asked = path.strip_prefix("/api/room/")?;
        if asked.ends_with("?limit=1") {
            let shown = json!({"status": 200, "data": {}}).to_string();
            let head = format!("HTTP/1.1 200 X\r\nContent-Length: {}\r\n\r\n", shown.len());
            stream.write_all((head + &shown).as_bytes()).ok()?;
            continue;
        }
        let room = asked.strip_suffix("/socket")?;
        let number: usize = cookie?.parse().ok()?;
        let accept = "HTTP/1.1 101 X\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";
        stream.write_all(accept.as_bytes()).ok()?;
        rooms.lock().unwrap().get_mut(room)?.sockets.push(stream.try_clone().ok()?);
        return listen(&mut reader, &mut stream, room, EMOJIS[number % EMOJIS.len()], fault, rooms);
    }
}

fn listen(
    reader: &mut impl Read,
    stream: &mut TcpStream,
    room: &str,
    emoji: &str,
    fault: Fault,
    rooms: &Rooms,
) -> Option<()> {
    loop {
        let (code, payload) = read_frame(reader)?;
        if code == 8 {
            let mut frame = vec![0x88, payload.len() as u8];
            frame.extend(payload);
            return stream.write_all(&frame).ok();
        }
        let frame: Value = serde_json::from_slice(&payload).ok()?;
        let message = &frame["message"];
        let mut rooms = rooms.lock().unwrap();
        if message["event"] == "event.connect" {
            let here = rooms.get_mut(room)?;
            let since = message["since"].as_u64().unwrap_or(here.seq) as usize;
            for frame in here.log.get(since..).unwrap_or_default() {
                send_text(stream, frame)?;
            }
            let ready = json!({"event": "event.ready", "last_seq": here.seq, "resumed": true});
            send_text(stream, &ready.to_string())?;
            continue;
        }
        if fault == Fault::Refuses {
            send_text(
                stream,
                &json!({"event": "event.error", "id": message["id"], "message": "Not now."}).to_string(),
            )?;
            continue;
        }
        let (id, words) = (message["id"].as_str()?, message["message"].as_str()?);
        relay(&mut rooms, room, id, emoji, words, if id.ends_with("00007") { fault } else { Fault::None })?;
    }
}

fn relay(
    rooms: &mut HashMap<String, Room>,
    name: &str,
    id: &str,
    emoji: &str,
    words: &str,
    fault: Fault,
) -> Option<()> {
    let room = rooms.get_mut(name)?;
    room.seq += u64::from(fault != Fault::SameSeq);
    let emoji = if fault == Fault::OtherSender { "👻" } else { emoji };
    let other = format!("other {words}");
    let words = if fault == Fault::OtherWordsForAll { other.as_str() } else { words };
    let frame = chat(id, emoji, words, room.seq);
    room.log.push(frame.clone());
    let last = room.sockets.len() - 1;
    for socket in &mut room.sockets[..last] {
        send_text(socket, &frame)?;
    }
    let held_back = room.held_back.take();
    let socket = &mut room.sockets[last];
    match fault {
        Fault::Loses => {}
        Fault::Disorders => room.held_back = Some(frame.clone()),
        Fault::OtherWords => send_text(socket, &chat(id, emoji, &other, room.seq))?,
        Fault::HangsUp => socket.shutdown(std::net::Shutdown::Both).ok()?,
        _ => send_text(socket, &frame)?,
    }
    match fault {
        Fault::Doubles => send_text(socket, &frame)?,
        Fault::MakesUp => send_text(socket, &chat("b00000010ffffff", emoji, words, room.seq))?,
        _ => {}
    }
    if let Some(earlier) = held_back {
        send_text(socket, &earlier)?;
    }
    if fault == Fault::NextDoor {
        let (_, next) = rooms.iter_mut().find(|(other, _)| *other != name)?;
        send_text(next.sockets.first_mut()?, &frame)?;
    }
    Some(())
}

/// Reads one masked frame of a client.
fn read_frame(reader: &mut impl Read) -> Option<(u8, Vec<u8>)> {
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

fn send_text(stream: &mut TcpStream, text: &str) -> Option<()> {
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
