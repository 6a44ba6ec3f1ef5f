//! Members in rooms: how they come in, for every kind of server.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use futures_util::future::try_join_all;
use tokio::time::timeout;

use crate::engine::{Hall, Link};
use crate::report::say;
use crate::socket::{Socket, SocketError};
use crate::stop::Stop;
use crate::target::Address;
use crate::trouble::Trouble;
use crate::view::watched;

mod annon;
mod relay;

pub(crate) use annon::{Rooms, Said, echo, join, messages};
pub(crate) use relay::gather_bare;

/// Rooms that are filled at the same time.
const AT_ONCE: usize = 64;
/// Connections from one address of ours to one of theirs; there are some
/// 28000 ports for them.
const FROM_ONE_ADDRESS: usize = 25_000;
/// How long a server may take to say what it has to say on an open socket.
const PATIENCE: Duration = Duration::from_secs(10);

/// How many of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) rooms: usize,
    pub(crate) members: usize,
}

impl Size {
    pub(crate) fn connections(self) -> usize {
        self.rooms * self.members
    }
}

/// The address of ours that a connection comes from. One is enough unless
/// there are very many, and this machine has more than one of its own.
pub(crate) fn source(server: SocketAddr, connection: usize) -> Option<IpAddr> {
    let block = connection / FROM_ONE_ADDRESS;
    let is_own = server.is_ipv4() && server.ip().is_loopback();
    (is_own && block > 0).then(|| Ipv4Addr::new(127, 0, 0, 1 + block as u8).into())
}

/// Does to every room what comes before the measuring, and shows how many
/// are done; tells of them when the run is to end before all are.
pub(crate) async fn beforehand<T>(
    what: &str,
    done: &AtomicUsize,
    rooms: usize,
    work: impl Future<Output = Result<T, Trouble>>,
    stop: &Stop,
) -> Result<T, Trouble> {
    let told = || format!("{} of {rooms} rooms {what}", done.load(Relaxed));
    let share = || done.load(Relaxed) as f64 / rooms as f64;
    let ended = watched(stop.or(work), || (share(), told())).await;
    if let Err(Trouble::Interrupted) = ended {
        say(&format!("    Unfinished: {}, nothing measured in them.", told()));
    }
    ended
}

/// Fills all rooms, some at a time, and keeps them in their order.
pub(crate) async fn fill<F: Future<Output = Result<Vec<(Socket, Option<String>)>, Trouble>>>(
    size: Size,
    fill_one: impl Fn(usize) -> F,
    stop: &Stop,
) -> Result<Hall, Trouble> {
    let (fill_one, done) = (&fill_one, &AtomicUsize::new(0));
    let lanes = (0..AT_ONCE.min(size.rooms)).map(|lane| async move {
        let mut filled = Vec::new();
        for room in (lane..size.rooms).step_by(AT_ONCE) {
            filled.push((room, fill_one(room).await?));
            done.fetch_add(1, Relaxed);
        }
        Ok::<_, Trouble>(filled)
    });
    let filled = beforehand("filled", done, size.rooms, try_join_all(lanes), stop).await?;
    let mut filled: Vec<_> = filled.into_iter().flatten().collect();
    filled.sort_by_key(|(room, _)| *room);
    let mut hall = Hall { members: size.members, links: Vec::new(), faces: Vec::new() };
    for (socket, face) in filled.into_iter().flat_map(|(_, members)| members) {
        let (stream, received) = socket.into_parts().map_err(|error| Trouble::because(error.to_string()))?;
        hall.links.push(Link::new(stream, received));
        hall.faces.push(face);
    }
    Ok(hall)
}

/// Waits for what a server has to say on an open socket. One frame that was
/// swallowed would be waited for without end.
async fn awaited<T>(
    what: &'static str,
    coming: impl Future<Output = Result<T, SocketError>>,
) -> Result<T, SocketError> {
    timeout(PATIENCE, coming).await.unwrap_or(Err(SocketError::Missing(what, PATIENCE)))
}

/// A socket could not be opened, or broke before it began.
pub(crate) fn not_in(address: Address, error: &SocketError) -> Trouble {
    match error {
        SocketError::Refused(429) => Trouble::because(
            "the server limits sockets per address (429): start it with --address-limits off".to_owned(),
        ),
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
        assert_eq!(source(own, 25_000), Some(Ipv4Addr::new(127, 0, 0, 2).into()));
        assert_eq!(source(own, 60_000), Some(Ipv4Addr::new(127, 0, 0, 3).into()));
        assert_eq!(source(SocketAddr::from(([10, 0, 0, 1], 80)), 60_000), None);
    }
}
