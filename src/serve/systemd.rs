//! What systemd does for a service: it hands over sockets that it keeps open while the
//! service starts anew, and hears how far the server is (`Type=notify`).

use std::env;
use std::io;
use std::net::TcpListener;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};

use listenfd::ListenFd;

pub(super) const READY: &str = "READY=1";
pub(super) const STOPPING: &str = "STOPPING=1";

/// The sockets of `annon.socket`. None, if systemd has none for this process. The error
/// is a sentence for the operator.
pub(super) fn sockets() -> Result<Vec<TcpListener>, String> {
    let mut handed = ListenFd::from_env();
    let mut sockets = Vec::new();
    for index in 0..handed.len() {
        let taken = handed.take_tcp_listener(index);
        let taken = taken.map_err(|error| format!("systemd has handed over what is no TCP socket: {error}"))?;
        sockets.extend(taken);
    }
    Ok(sockets)
}

/// Says it, if systemd wants to hear it. The server runs all the same if that fails.
pub(super) fn tell(state: &str) {
    let Some(path) = env::var_os("NOTIFY_SOCKET") else { return };
    let told = (|| -> io::Result<usize> {
        let address = match path.as_bytes() {
            [b'@', name @ ..] => SocketAddr::from_abstract_name(name)?,
            _ => SocketAddr::from_pathname(&path)?,
        };
        UnixDatagram::unbound()?.send_to_addr(state.as_bytes(), &address)
    })();
    if let Err(error) = told {
        tracing::warn!(%error, "systemd can't be told how far the server is");
    }
}
