//! Which connections are accepted, before their first byte: those that there
//! is room for, with limits on what each can buffer.

use std::net::SocketAddr;
use std::time::Duration;

use actix_web::rt::net::TcpStream;
use actix_web::web::Data;
use rustix::process::{Resource, getrlimit, setrlimit};
use socket2::{SockRef, TcpKeepalive};
use tokio::sync::watch;

use crate::app::App;
use crate::config::is_among;
use crate::limits::rate_limit::QuotaGuard;

/// Open files and connections: more than any machine serves from one process.
const MOST: u64 = 1 << 20;
/// At most so many of them are kept for files, and no more than a quarter of all.
const FOR_FILES: usize = 512;
/// How long a client that takes no bytes is waited for. actix's own timers
/// don't fire for one, so the kernel has to.
const UNREAD_MAX: Duration = Duration::from_secs(20);
/// What the kernel may hold for one client that isn't reading.
const SEND_BUFFER: usize = 128 * 1024;

/// Lets connections in, until it is shut.
#[derive(Clone)]
pub struct Admission {
    app: Data<App>,
    is_shut: watch::Receiver<bool>,
}

impl Admission {
    /// The admission, and the sender that shuts it forever when it sends `true`.
    pub fn new(app: Data<App>) -> (Self, watch::Sender<bool>) {
        let (shut, is_shut) = watch::channel(false);
        (Self { app, is_shut }, shut)
    }

    /// Resolves when it is shut. Nothing more is asked on a connection from then on.
    pub async fn shut(mut self) {
        // An error means that the sender is dropped, and so is the server.
        let _ = self.is_shut.wait_for(|is_shut| *is_shut).await;
    }

    /// Where a connection comes from, and what counts it for as long as it is
    /// kept, from before its first byte. `None`: it has to go, for others are to have room as well.
    pub fn admit(&self, tcp: &TcpStream) -> Option<(SocketAddr, QuotaGuard)> {
        let peer = tcp.peer_addr().ok()?;
        let is_proxy = is_among(&self.app.config.trusted_proxies, peer.ip());
        Some((peer, self.app.limits.connect(peer.ip(), is_proxy)?))
    }
}

/// Bounds what a client that stops reading can hold, in bytes and in time.
pub fn tune(tcp: &TcpStream) {
    let socket = SockRef::from(tcp);
    let set = tcp
        .set_nodelay(true)
        .and_then(|()| socket.set_tcp_user_timeout(Some(UNREAD_MAX)))
        .and_then(|()| socket.set_send_buffer_size(SEND_BUFFER))
        .and_then(|()| socket.set_tcp_keepalive(&TcpKeepalive::new().with_time(Duration::from_secs(60))));
    if set.is_err() {
        tracing::debug!("a connection could not be tuned");
    }
}

/// Asks for as many open files as the system grants, and tells how many of them may be
/// connections: a store that finds no descriptor for a file of its own has
/// failed.
pub fn for_connections() -> usize {
    let mut limit = getrlimit(Resource::Nofile);
    let granted = limit.maximum.unwrap_or(MOST).min(MOST);
    if limit.current.is_some_and(|now| now < granted) {
        limit.current = Some(granted);
        if let Err(error) = setrlimit(Resource::Nofile, limit) {
            tracing::warn!(%error, "no more open files can be had");
        }
    }
    let open = getrlimit(Resource::Nofile).current.unwrap_or(MOST).min(MOST);
    let open = usize::try_from(open).unwrap_or(usize::MAX);
    open - FOR_FILES.min(open / 4)
}
