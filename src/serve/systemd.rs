//! Tells systemd how far the server is, for a unit with `Type=notify`.

use std::env;
use std::io;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};

pub(super) const READY: &str = "READY=1";
pub(super) const STOPPING: &str = "STOPPING=1";

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
