//! Members in rooms: the accounts that make the rooms, the seats, and the sockets that receive
//! everything.

use std::rc::Rc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::timeout;

use crate::load::{
    Address, Call, ChatMessage, Client, ConnectedMembers, Member, MessageId, People, Seat, Socket, Stop, Who, api,
    clock, frames,
};
use crate::trouble::{Because, Fallible, Trouble};

/// How many rooms one account may have.
const PER_ACCOUNT: usize = 50;
/// The subject of an error.
const SOCKET: &str = "a socket of a room";
/// How many rooms are made, or filled, at the same time.
pub(crate) const AT_ONCE: usize = 64;
/// How long the server may take for a frame that it must send.
const PATIENCE: Duration = Duration::from_secs(10);

/// Makes rooms, and as many accounts as are needed for them.
pub(crate) async fn make(
    people: &People,
    address: Address,
    (count, is_sealed): (usize, bool),
    stop: &Stop,
) -> Fallible<Vec<String>> {
    let made = make_owned(people, address, (count, is_sealed), stop).await?;
    Ok(made.into_iter().map(|(room, _)| room).collect())
}

/// Makes rooms, and returns each with the token of its owner.
pub(crate) async fn make_owned(
    people: &People,
    address: Address,
    (count, is_sealed): (usize, bool),
    stop: &Stop,
) -> Fallible<Vec<(String, String)>> {
    let owners = people.sign_up(address, count.div_ceil(PER_ACCOUNT), stop).await?;
    let tokens = &stop.each("accounts are signed in", owners.len(), 1, |n| owners[n].token(address)).await?;
    let one = |room: usize| async move {
        let token = &tokens[room / PER_ACCOUNT];
        let body = if is_sealed {
            json!({"name": frames::sealed_words(0), "sealed": true, "check": "AAAAAAAAAAA"})
        } else {
            json!({"name": format!("bench {room}")})
        };
        let call = Call::post("/api/room/create", Who::Token(token), body);
        let id = api::word(&Client::new(address).expect(201, &call).await?, "room_id", &call)?;
        Ok((id, token.clone()))
    };
    stop.each("rooms are made", count, AT_ONCE, one).await
}

/// Rooms of a server without accounts, where any room exists.
pub(crate) fn bare(count: usize) -> Vec<String> {
    // The tag keeps these rooms apart from those of the run before, whose members may still be
    // connected.
    let tag = clock::since_1970().as_millis() & 0xffff_ffff;
    (0..count).map(|room| format!("{tag:08x}-0000-4000-8000-{room:012}")).collect()
}

/// Seats and connects `members` members in each room.
pub(crate) async fn fill(
    address: Address,
    rooms: &[String],
    members: usize,
    stop: &Stop,
) -> Fallible<ConnectedMembers> {
    let one = |room: usize| async move {
        let (id, mut client) = (&rooms[room], Client::new(address));
        let mut filled = Vec::with_capacity(members);
        for _ in 0..members {
            let Seat { emoji, cookie } = client.seat(id, None).await?;
            let (socket, welcome) = join(address, id, &cookie, None).await?;
            filled.push(Member { socket, emoji, cookie, last_seq: welcome.last_seq });
        }
        Ok(filled)
    };
    let filled = stop.each("rooms are filled", rooms.len(), AT_ONCE, one).await?;
    Ok(ConnectedMembers { rooms: rooms.to_vec(), room_size: members, members: filled.into_iter().flatten().collect() })
}

/// What a member received until it had everything that it had missed.
pub(crate) struct Welcome {
    /// The frames before `event.ready`.
    pub(crate) missed: Vec<Value>,
    pub(crate) last_seq: u64,
    pub(crate) is_resumed: bool,
}

/// Opens a member's socket, which receives everything after the last place it knows.
pub(crate) async fn join(
    address: Address,
    room: &str,
    cookie: &str,
    since: Option<u64>,
) -> Fallible<(Rc<Socket>, Welcome)> {
    let socket = Socket::open(address, &format!("/api/room/{room}/socket"), Who::Seat(cookie)).await.because(SOCKET)?;
    socket.send(&frames::connect(room, since)).because(SOCKET)?;
    let mut missed = Vec::new();
    let ready = receive_until(&socket, "event.ready", |frame| {
        let is_ready = frame["event"] == "event.ready";
        if !is_ready {
            missed.push(frame.clone());
        }
        is_ready
    });
    let ready = ready.await?;
    let last_seq = ready["last_seq"].as_u64().unwrap_or_default();
    Ok((socket, Welcome { missed, last_seq, is_resumed: ready["resumed"] == true }))
}

/// Sends `count` messages from one member, a few at a time, and waits for the echo of each. The
/// echo is the acknowledgement: no message may be lost after it.
pub(crate) async fn send_all(member: &Member, id: &str, room: usize, count: u32) -> Fallible<Vec<ChatMessage>> {
    /// How many messages are on their way at once.
    const AT_ONCE: usize = 64;
    let mut sent = Vec::with_capacity(count as usize);
    let numbers: Vec<_> = (0..count).collect();
    for numbers in numbers.chunks(AT_ONCE) {
        let name = |number| MessageId { room, number };
        for &number in numbers {
            member.socket.send(&frames::chat(id, name(number), &frames::words(number))).because(SOCKET)?;
        }
        for &number in numbers {
            let id = name(number).to_string();
            let is_it = |frame: &Value| frame["event"] == "event.chat" && frame["id"] == id.as_str();
            let echo = receive_until(&member.socket, "a message that was sent on it", is_it).await?;
            let seq = echo["seq"].as_u64().unwrap_or_default();
            sent.push(ChatMessage { id, seq, sender: member.emoji.clone(), message: frames::words(number) });
        }
    }
    Ok(sent)
}

/// Waits for a frame on an open socket, at most for `PATIENCE`, because a server may have lost the
/// frame.
async fn receive_until(
    socket: &Rc<Socket>,
    what: &'static str,
    mut is_it: impl FnMut(&Value) -> bool,
) -> Fallible<Value> {
    let receiving = async {
        loop {
            let frame: Value = serde_json::from_str(&socket.receive().await.because(SOCKET)?).unwrap_or_default();
            if frame["event"] == "event.error" {
                return Trouble::because(format!("{SOCKET}: the server sent {frame}"));
            }
            if is_it(&frame) {
                return Ok(frame);
            }
        }
    };
    let missing =
        |_| Trouble::because(format!("a socket opened, and {what} did not come within {} s", PATIENCE.as_secs()));
    timeout(PATIENCE, receiving).await.unwrap_or_else(missing)
}
