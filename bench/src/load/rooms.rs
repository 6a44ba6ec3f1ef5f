//! Members in rooms: accounts that make the rooms, seats, and sockets that
//! have said that they want to hear everything.

use std::cell::Cell;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::rc::Rc;
use std::time::Duration;

use futures_util::future::try_join_all;
use serde_json::Value;
use tokio::time::timeout;

use crate::load::api::{Api, Seat};
use crate::load::chat::{Hall, Member};
use crate::load::clock;
use crate::load::frames::{self, MessageId, Said};
use crate::load::people::People;
use crate::load::socket::{Door, Socket, SocketError};
use crate::load::stop::Stop;
use crate::load::target::Address;
use crate::report::remark;
use crate::report::view::watched;
use crate::trouble::Trouble;

/// Rooms one account may have.
const PER_ACCOUNT: usize = 50;
/// Rooms that are made, or filled, at the same time.
const AT_ONCE: usize = 64;
/// Connections from one address of ours to one of theirs; there are some
/// 28000 ports for them.
const FROM_ONE_ADDRESS: usize = 25_000;
/// How long a server may take to say what it has to say on an open socket.
const PATIENCE: Duration = Duration::from_secs(10);

/// Makes rooms, and as many accounts as that takes.
pub(crate) async fn make(people: &People, address: Address, count: usize, stop: &Stop) -> Result<Vec<String>, Trouble> {
    let owners = people.sign_up(address, count.div_ceil(PER_ACCOUNT), stop).await?;
    let mut tokens = Vec::with_capacity(owners.len());
    for owner in &owners {
        tokens.push(stop.or(owner.token(address)).await?);
    }
    let tokens = &tokens;
    let made = |room: usize| async move {
        Api::new(address).create_room(&tokens[room / PER_ACCOUNT], &format!("bench {room}")).await
    };
    for_each_room("made", count, stop, made).await
}

/// Rooms of a server without accounts, where any room exists.
pub(crate) fn bare(count: usize) -> Vec<String> {
    // Others than in the run before, whose members may still sit there.
    let tag = clock::since_1970().as_millis() & 0xffff_ffff;
    (0..count).map(|room| format!("{tag:08x}-0000-4000-8000-{room:012}")).collect()
}

/// Does to every room what comes before the measuring, some at a time, and
/// shows how many are done; tells of them when the run is to end before all
/// are.
pub(crate) async fn for_each_room<T, F: Future<Output = Result<T, Trouble>>>(
    what: &str,
    rooms: usize,
    stop: &Stop,
    work: impl Fn(usize) -> F,
) -> Result<Vec<T>, Trouble> {
    let (done, work) = (&Cell::new(0), &work);
    let lanes = (0..AT_ONCE.min(rooms)).map(|lane| async move {
        let mut results = Vec::new();
        for room in (lane..rooms).step_by(AT_ONCE) {
            results.push((room, work(room).await?));
            done.set(done.get() + 1);
        }
        Ok(results)
    });
    let told = || format!("{} of {rooms} rooms {what}", done.get());
    let ended = watched(stop.or(try_join_all(lanes)), || (done.get() as f64 / rooms as f64, told())).await;
    if let Err(Trouble::Interrupted) = ended {
        remark(&format!("Unfinished: {}, nothing measured in them.", told()));
    }
    let mut results: Vec<_> = ended?.into_iter().flatten().collect();
    results.sort_by_key(|(room, _)| *room);
    Ok(results.into_iter().map(|(_, result)| result).collect())
}

/// Seats and connects so many members in each room.
pub(crate) async fn fill(address: Address, rooms: &[String], members: usize, stop: &Stop) -> Result<Hall, Trouble> {
    let fill_one = |room: usize| async move {
        let (id, mut api) = (&rooms[room], Api::new(address));
        let mut filled = Vec::with_capacity(members);
        for member in 0..members {
            let Seat { face, cookie } = api.seat(id, None).await?;
            let joined = join(address, id, &cookie, None, room * members + member).await;
            let (socket, welcome) = joined.map_err(|error| not_in(address, &error))?;
            filled.push(Member { socket, face, cookie, last_seq: welcome.last_seq });
        }
        Ok(filled)
    };
    let filled = for_each_room("filled", rooms.len(), stop, fill_one).await?;
    Ok(Hall { rooms: rooms.to_vec(), members, seats: filled.into_iter().flatten().collect() })
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
) -> Result<(Rc<Socket>, Welcome), SocketError> {
    let path = format!("/api/room/{room}/socket");
    let socket = Socket::open(&Door { address, path: &path, cookie, from: source(address.at, connection) }).await?;
    socket.say(&frames::connect(room, since))?;
    let welcome = async {
        let mut missed = Vec::new();
        loop {
            let frame: Value = serde_json::from_str(&socket.hear().await?).unwrap_or_default();
            match frame["event"].as_str() {
                Some("event.ready") => {
                    let last_seq = frame["last_seq"].as_u64().unwrap_or_default();
                    return Ok(Welcome { missed, last_seq, is_resumed: frame["resumed"] == true });
                }
                Some("event.error") => return Err(SocketError::Odd(frame.to_string())),
                _ => missed.push(frame),
            }
        }
    };
    let welcome = awaited("event.ready", welcome).await?;
    Ok((socket, welcome))
}

/// Has one member say so many things, a few at a time, and waits until it has
/// heard each itself: the echo is the acknowledgement, and from then on none
/// may be lost.
pub(crate) async fn talk(
    member: &Member,
    id: &str,
    room: usize,
    count: u32,
    length: usize,
) -> Result<Vec<Said>, SocketError> {
    /// Messages on their way.
    const AT_ONCE: usize = 64;
    let (mut said, mut frame) = (Vec::with_capacity(count as usize), String::new());
    let numbers: Vec<_> = (0..count).collect();
    for numbers in numbers.chunks(AT_ONCE) {
        let name = |number| MessageId { room, member: 0, number };
        for &number in numbers {
            frame.clear();
            frames::compose(id, name(number), &frames::words(number, length), &mut frame);
            member.socket.say(&frame)?;
        }
        for &number in numbers {
            let (id, words) = (name(number).to_string(), frames::words(number, length));
            let seq = awaited("a message that was sent on it", echo(&member.socket, &id)).await?;
            said.push(Said { id, seq, sender: member.face.clone(), words });
        }
    }
    Ok(said)
}

/// Waits until a member hears what it said itself; the answer is its place.
async fn echo(speaker: &Rc<Socket>, id: &str) -> Result<u64, SocketError> {
    loop {
        let frame: Value = serde_json::from_str(&speaker.hear().await?).unwrap_or_default();
        match frame["event"].as_str() {
            Some("event.chat") if frame["id"] == id => return Ok(frame["seq"].as_u64().unwrap_or_default()),
            Some("event.error") => return Err(SocketError::Odd(frame.to_string())),
            _ => {}
        }
    }
}

/// Waits for what a server has to say on an open socket. One frame that was
/// swallowed would be waited for without end.
async fn awaited<T>(
    what: &'static str,
    coming: impl Future<Output = Result<T, SocketError>>,
) -> Result<T, SocketError> {
    timeout(PATIENCE, coming).await.unwrap_or(Err(SocketError::Missing(what, PATIENCE)))
}

/// The address of ours that a connection comes from. One is enough unless
/// there are very many, and this machine has more than one of its own.
fn source(server: SocketAddr, connection: usize) -> Option<IpAddr> {
    let block = connection / FROM_ONE_ADDRESS;
    let is_own = server.is_ipv4() && server.ip().is_loopback();
    (is_own && block > 0).then(|| Ipv4Addr::new(127, 0, 0, 1 + block as u8).into())
}

/// A socket could not be opened, or broke before it began.
pub(crate) fn not_in(address: Address, error: &SocketError) -> Trouble {
    match error {
        SocketError::Refused(429) => {
            Trouble::because("the server limits sockets per address (429): start it with --address-limits off")
        }
        _ => Trouble::because(format!("a socket to http://{address}: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn very_many_connections_come_from_several_addresses() {
        let own = SocketAddr::from(([127, 0, 0, 1], 80));
        assert_eq!([0, 24_999].map(|n| source(own, n)), [None, None]);
        assert_eq!(source(own, 60_000), Some(Ipv4Addr::new(127, 0, 0, 3).into()));
        assert_eq!(source(SocketAddr::from(([10, 0, 0, 1], 80)), 60_000), None);
    }
}
