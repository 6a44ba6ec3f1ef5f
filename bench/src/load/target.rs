//! The address of the server that is measured.

use std::fmt;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::time::timeout;
use url::{Position, Url};

use crate::trouble::{Because, Fallible};

/// How long all addresses of a host together may take to let somebody in.
const PATIENCE: Duration = Duration::from_secs(10);

/// Where requests go, and what they call the host there: one server may
/// answer for several.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Address {
    pub(crate) at: SocketAddr,
    pub(crate) host: &'static str,
}

/// A server's address as it is typed: plain HTTP, and nothing behind the port.
pub(crate) fn target(raw: &str) -> Result<Url, &'static str> {
    const LOOKS: &str = "an address looks like http://127.0.0.1:8080";
    let url = Url::parse(raw).map_err(|_| LOOKS)?;
    let is_plain = url[Position::AfterPort..] == *"/" && url[Position::BeforeUsername..Position::BeforeHost].is_empty();
    match url.scheme() {
        "http" if is_plain => Ok(url),
        "http" => Err("an address has nothing behind its port and nobody before its host"),
        "https" => Err("only http:// can be measured; TLS would measure the tester's own encryption as well"),
        // `localhost:8080` looks like one of a scheme of that name.
        _ => Err(LOOKS),
    }
}

impl Address {
    /// Looks the host up, once for the whole run. Of several addresses it is
    /// the first where somebody listens: `localhost` often has two.
    pub(crate) async fn of(url: &Url) -> Fallible<Self> {
        let host = &url[Position::BeforeHost..Position::AfterPort];
        let found = url.socket_addrs(|| None).because(format_args!("the host {host} has no address"))?;
        let connected = timeout(PATIENCE, TcpStream::connect(found.as_slice())).await;
        let connected = connected.map_err(std::io::Error::from).flatten().and_then(|stream| stream.peer_addr());
        let at = connected.because(format_args!("http://{host}: can't connect"))?;
        // It is in every request until the program ends, and there is one.
        Ok(Self { at, host: host.to_owned().leak() })
    }
}

impl From<SocketAddr> for Address {
    fn from(at: SocketAddr) -> Self {
        Self { at, host: at.to_string().leak() }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.host)
    }
}
