//! Members of servers that have rooms and no accounts.

use crate::clock;
use crate::crowd::annon::room_of;
use crate::crowd::{Size, awaited, fill, not_in, source};
use crate::dialect::{Annon, Raw, SocketIo};
use crate::engine::Hall;
use crate::socket::{Door, Socket, SocketError};
use crate::stop::Stop;
use crate::target::Address;
use crate::trouble::Trouble;

/// Seats and frames as Annon has them; any room exists.
pub(crate) async fn gather_bare(address: Address, size: Size, stop: &Stop) -> Result<(Annon, Hall), Trouble> {
    // Others than in the run before, whose members may still sit there.
    let tag = clock::since_1970().as_millis() & 0xffff_ffff;
    let ids: Vec<_> = (0..size.rooms).map(|room| format!("{tag:08x}-0000-4000-8000-{room:012}")).collect();
    let hall = fill(size, |room| room_of(address, &ids[room], room * size.members, size.members), stop).await?;
    Ok((Annon { rooms: ids }, hall))
}

/// Everybody at the same path hears everybody.
pub(crate) async fn gather_raw(address: Address, size: Size, stop: &Stop) -> Result<(Raw, Hall), Trouble> {
    let hall = fill(size, |room| members(address, room, size, |room| format!("/room/{room}"), &[]), stop).await?;
    Ok((Raw, hall))
}

/// The room is named in the query.
pub(crate) async fn gather_socket_io(address: Address, size: Size, stop: &Stop) -> Result<(SocketIo, Hall), Trouble> {
    let path = |room| format!("/socket.io/?EIO=4&transport=websocket&room={room}");
    // The transport is opened first, then the namespace; both are answered.
    let hall = fill(size, |room| members(address, room, size, path, &["0", "40"]), stop).await?;
    Ok((SocketIo, hall))
}

async fn members(
    address: Address,
    room: usize,
    size: Size,
    path: impl Fn(usize) -> String,
    answers: &[&str],
) -> Result<Vec<(Socket, Option<String>)>, Trouble> {
    let mut filled = Vec::with_capacity(size.members);
    for member in 0..size.members {
        let from = source(address.at, room * size.members + member);
        let joined = join(address, from, &path(room), answers).await;
        filled.push((joined.map_err(|error| not_in(address, &error))?, None));
    }
    Ok(filled)
}

async fn join(
    address: Address,
    from: Option<std::net::IpAddr>,
    path: &str,
    answers: &[&str],
) -> Result<Socket, SocketError> {
    let mut socket = Socket::open(&Door { from, ..Door::new(address, path) }).await?;
    for answer in answers {
        if *answer == crate::dialect::SOCKET_IO_CONNECT {
            socket.say(answer).await?;
        }
        let said = awaited("its greeting", socket.hear()).await?;
        if !said.starts_with(answer) {
            return Err(SocketError::Odd(said));
        }
    }
    Ok(socket)
}
