//! Accepts or closes a connection before its first byte, and limits what each
//! one can buffer.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use actix_web::rt::net::TcpStream;
use actix_web::web::Data;
use rustix::process::{Resource, getrlimit, setrlimit};
use socket2::{SockRef, TcpKeepalive};
use tokio::sync::watch;

use crate::app::App;
use crate::config::is_among;
use crate::event_log::Event;
use crate::limits::rate_limit::QuotaGuard;

/// The most open files and connections: no process serves more on any machine.
const MOST: u64 = 1 << 20;
/// The most of them that are kept for files; never more than a quarter.
const FOR_FILES: usize = 512;
/// How long a client may take no bytes. actix's own timers don't notice such a
/// client, so the kernel has to.
const UNREAD_MAX: Duration = Duration::from_secs(20);
/// How long an accepted connection takes, at the most, to get to its thread, and then to be
/// served if it asks at once.
const ARRIVES_WITHIN: Duration = Duration::from_millis(300);
/// The most bytes that the kernel holds for a client that isn't reading.
const SEND_BUFFER: usize = 128 * 1024;

/// Accepts connections until it is shut.
#[derive(Clone)]
pub struct Admission {
    app: Data<App>,
    is_shut: watch::Receiver<bool>,
    /// How many connections came to be admitted.
    arrived: Arc<AtomicUsize>,
}

impl Admission {
    /// The admission, and the sender that shuts it forever when it sends `true`.
    pub fn new(app: Data<App>) -> (Self, watch::Sender<bool>) {
        let (shut, is_shut) = watch::channel(false);
        (Self { app, is_shut, arrived: Arc::default() }, shut)
    }

    /// Resolves when this is shut; from then on connections take no request.
    pub async fn shut(mut self) {
        // An error means that the sender is dropped, and so is the server.
        let _ = self.is_shut.wait_for(|is_shut| *is_shut).await;
    }

    /// Waits until no connection has arrived for a moment: those that are accepted are on
    /// their way to the thread that serves them.
    pub async fn until_all_have_arrived(&self) {
        let arrived = || self.arrived.load(Ordering::Relaxed);
        let mut before = arrived();
        loop {
            actix_web::rt::time::sleep(ARRIVES_WITHIN).await;
            if arrived() == before {
                return;
            }
            before = arrived();
        }
    }

    /// The client's address, and a guard that counts the connection from before
    /// its first byte until the guard is dropped. `None`: the connection is
    /// closed, because its address or the server has too many.
    pub fn admit(&self, tcp: &TcpStream) -> Option<(SocketAddr, QuotaGuard)> {
        self.arrived.fetch_add(1, Ordering::Relaxed);
        let peer = tcp.peer_addr().ok()?;
        let is_proxy = is_among(&self.app.config.trusted_proxies, peer.ip());
        let guard = self.app.limits.connect(peer.ip(), is_proxy);
        if guard.is_none() && !is_proxy {
            self.app.events.write(Event::FloodRefused, Some(peer.ip().to_canonical()));
        }
        Some((peer, guard?))
    }
}

/// Limits how many bytes a client that stops reading can hold, and how long.
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

/// Raises the limit of open files as far as the system grants, and returns how
/// many of them may be connections. The rest is for the store, which fails if
/// it can't open a file.
pub fn for_connections() -> usize {
    let mut limit = getrlimit(Resource::Nofile);
    let granted = limit.maximum.unwrap_or(MOST).min(MOST);
    if limit.current.is_some_and(|now| now < granted) {
        limit.current = Some(granted);
        if let Err(error) = setrlimit(Resource::Nofile, limit) {
            tracing::warn!(%error, "can't raise the limit of open files");
        }
    }
    let open = getrlimit(Resource::Nofile).current.unwrap_or(MOST).min(MOST);
    let open = usize::try_from(open).unwrap_or(usize::MAX);
    open - FOR_FILES.min(open / 4)
}
