//! Annon's members: accounts that make the rooms, seats, and sockets that
//! have said that they want to hear everything.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use serde_json::Value;

use crate::api::{Api, Seat};
use crate::args::Against;
use crate::crowd::{Size, awaited, beforehand, fill, not_in, source};
use crate::dialect::Annon;
use crate::engine::Hall;
use crate::people::People;
use crate::socket::{Door, Socket, SocketError};
use crate::stop::Stop;
use crate::target::Address;
use crate::trouble::Trouble;

/// Rooms one account may have.
const PER_ACCOUNT: usize = 50;

/// Rooms made for a run, and the accounts they belong to.
pub(crate) struct Rooms {
    pub(crate) people: People,
    pub(crate) ids: Vec<String>,
}

impl Rooms {
    /// Makes them, and as many accounts as that takes.
    pub(crate) async fn make(address: Address, count: usize, against: &Against, stop: &Stop) -> Result<Self, Trouble> {
        let people = People::sign_up(address, count.div_ceil(PER_ACCOUNT), against, stop).await?;
        let made = AtomicUsize::new(0);
        match beforehand("made", &made, count, Self::of(&people, address, count, &made), stop).await {
            Ok(ids) => Ok(Self { people, ids }),
            Err(trouble) => {
                // The first trouble is the one to tell.
                let _ = people.leave().await;
                Err(trouble)
            }
        }
    }

    async fn of(people: &People, address: Address, count: usize, made: &AtomicUsize) -> Result<Vec<String>, Trouble> {
        let mut ids = Vec::with_capacity(count);
        for (who, first) in (0..count).step_by(PER_ACCOUNT).enumerate() {
            let token = people.sign_in(who).await?;
            let mut api = Api::new(address);
            for room in first..count.min(first + PER_ACCOUNT) {
                ids.push(api.create_room(&token, &format!("bench {room}")).await?);
                made.fetch_add(1, Relaxed);
            }
        }
        Ok(ids)
    }

    /// Seats and connects so many members in each.
    pub(crate) async fn fill(&self, address: Address, members: usize, stop: &Stop) -> Result<(Annon, Hall), Trouble> {
        let size = Size { rooms: self.ids.len(), members };
        let hall = fill(size, |room| room_of(address, &self.ids[room], room * members, members), stop).await?;
        Ok((Annon { rooms: self.ids.clone() }, hall))
    }
}

/// The members of one room; the first is connection number `first`.
pub(super) async fn room_of(
    address: Address,
    id: &str,
    first: usize,
    members: usize,
) -> Result<Vec<(Socket, Option<String>)>, Trouble> {
    let mut api = Api::new(address);
    let mut filled = Vec::with_capacity(members);
    for member in 0..members {
        let Seat { face, cookie } = api.seat(id, None).await?;
        let joined = join(address, id, &cookie, None, first + member).await;
        let (socket, _) = joined.map_err(|error| not_in(address, &error))?;
        filled.push((socket, Some(face)));
    }
    Ok(filled)
}

/// What a member was told until everything was said that it had missed.
pub(crate) struct Welcome {
    /// The frames before `event.ready`.
    pub(crate) missed: Vec<Value>,
    pub(crate) last_seq: u64,
    pub(crate) is_resumed: bool,
}

/// Opens a member's socket and says what was seen last.
pub(crate) async fn join(
    address: Address,
    room: &str,
    cookie: &str,
    since: Option<u64>,
    connection: usize,
) -> Result<(Socket, Welcome), SocketError> {
    let path = format!("/api/room/{room}/socket");
    let door = Door { cookie: Some(cookie), from: source(address.at, connection), ..Door::new(address, &path) };
    let mut socket = Socket::open(&door).await?;
    let welcome = awaited("event.ready", welcome(&mut socket, room, since)).await?;
    Ok((socket, welcome))
}

async fn welcome(socket: &mut Socket, room: &str, since: Option<u64>) -> Result<Welcome, SocketError> {
    socket.say(&crate::dialect::connect(room, since)).await?;
    let mut missed = Vec::new();
    loop {
        let frame: Value = serde_json::from_str(&socket.hear().await?).unwrap_or_default();
        match frame["event"].as_str() {
            Some("event.ready") => {
                let last_seq = frame["last_seq"].as_u64().unwrap_or_default();
                let is_resumed = frame["resumed"] == true;
                return Ok(Welcome { missed, last_seq, is_resumed });
            }
            Some("event.error") => return Err(SocketError::Odd(frame.to_string())),
            _ => missed.push(frame),
        }
    }
}

/// Waits until a member hears what it said itself; the answer is its place.
pub(crate) async fn echo(speaker: &mut Socket, id: &str) -> Result<u64, SocketError> {
    let echoed = async {
        loop {
            let frame: Value = serde_json::from_str(&speaker.hear().await?).unwrap_or_default();
            match frame["event"].as_str() {
                Some("event.chat") if frame["id"] == id => return Ok(frame["seq"].as_u64().unwrap_or_default()),
                Some("event.error") => return Err(SocketError::Odd(frame.to_string())),
                _ => {}
            }
        }
    };
    awaited("a message that was sent on it", echoed).await
}

/// A message as everybody is to be told of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) id: String,
    /// Its place in the room.
    pub(crate) seq: u64,
    /// The face of who said it.
    pub(crate) sender: String,
    pub(crate) words: String,
}

/// The messages among frames, or among a room's lines.
pub(crate) fn messages(frames: &[Value]) -> impl Iterator<Item = Said> + '_ {
    let word = |frame: &Value, field: &str| frame[field].as_str().unwrap_or_default().to_owned();
    let chats = frames.iter().filter(|frame| frame["event"] == "event.chat");
    chats.map(move |frame| Said {
        id: word(frame, "id"),
        seq: frame["seq"].as_u64().unwrap_or_default(),
        sender: word(frame, "sender"),
        words: word(frame, "message"),
    })
}
