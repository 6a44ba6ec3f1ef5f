//! The address of the server that is measured.

use std::net::SocketAddr;
use std::str::FromStr;
use std::time::Duration;

use hyper::header::HeaderValue;
use tokio::net::{TcpStream, lookup_host};
use tokio::time::timeout;
use url::Url;

use crate::trouble::Trouble;

/// How long one of several addresses may take to let somebody in.
const PATIENCE: Duration = Duration::from_secs(2);

/// A server's address as it was typed: plain HTTP, and nothing behind the port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Target {
    host: String,
    port: u16,
    /// What a request calls the host: without a port that goes without saying.
    name: String,
}

/// Where requests go, and the host that they ask for there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Address {
    pub(crate) at: SocketAddr,
    /// One server may answer for several. Nothing for one that was started
    /// for the run, which has no name.
    name: Option<&'static str>,
}

impl FromStr for Target {
    type Err = &'static str;

    fn from_str(raw: &str) -> Result<Self, Self::Err> {
        const LOOKS: &str = "an address looks like http://127.0.0.1:8080";
        let url = Url::parse(raw).map_err(|_| LOOKS)?;
        match url.scheme() {
            "http" => {}
            "https" => {
                return Err("only http:// can be measured; TLS would measure the tester's own encryption as well");
            }
            // `localhost:8080` looks like one of a scheme of that name.
            _ => return Err(LOOKS),
        }
        let is_nobody_s = url.username().is_empty() && url.password().is_none();
        if !matches!(url.path(), "" | "/") || url.query().is_some() || url.fragment().is_some() || !is_nobody_s {
            return Err("an address has nothing behind its port and nobody before its host");
        }
        let host = url.host_str().ok_or("the address names no host")?.to_owned();
        let name = url.port().map_or_else(|| host.clone(), |port| format!("{host}:{port}"));
        Ok(Self { host, port: url.port_or_known_default().unwrap_or(80), name })
    }
}

impl Target {
    /// Looks the host up, once for the whole run. Of several addresses it is
    /// the first where somebody listens: `localhost` often has two.
    pub(crate) async fn resolve(&self) -> Result<Address, Trouble> {
        let host = self.host.trim_start_matches('[').trim_end_matches(']');
        let found: Vec<_> = lookup_host((host, self.port)).await.map(Iterator::collect).unwrap_or_default();
        let mut chosen = *found.first().ok_or_else(|| Trouble::because(format!("the host {host} has no address")))?;
        if found.len() > 1 {
            for at in found {
                if matches!(timeout(PATIENCE, TcpStream::connect(at)).await, Ok(Ok(_))) {
                    chosen = at;
                    break;
                }
            }
        }
        // It is in every request until the program ends, and there is one.
        Ok(Address { at: chosen, name: Some(self.name.clone().leak()) })
    }
}

impl From<SocketAddr> for Address {
    fn from(at: SocketAddr) -> Self {
        Self { at, name: None }
    }
}

impl Address {
    /// What a request calls the host.
    #[expect(clippy::expect_used, reason = "a host that was resolved has no control characters")]
    pub(crate) fn host(self) -> HeaderValue {
        HeaderValue::try_from(self.to_string()).expect("a host's name")
    }
}

impl std::fmt::Display for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.name {
            Some(name) => f.write_str(name),
            None => self.at.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_plain_http_and_no_more() {
        for (raw, host, port) in [
            ("http://127.0.0.1:8080", "127.0.0.1:8080", 8080),
            ("http://localhost/", "localhost", 80),
            ("http://notes.example:80", "notes.example", 80),
            ("http://[::1]:9", "[::1]:9", 9),
        ] {
            let target = raw.parse::<Target>().unwrap();
            assert_eq!((target.name.as_str(), target.port), (host, port));
        }
        for bad in
            ["", "127.0.0.1:8080", "https://x.example", "http://x.example/api", "http://a@x.example", "http://x/?y"]
        {
            assert!(bad.parse::<Target>().is_err(), "{bad}");
        }
        assert!("localhost:8080".parse::<Target>().unwrap_err().contains("looks like"), "no scheme at all");
    }

    #[tokio::test]
    async fn a_name_is_kept_where_it_leads() {
        let target = "http://localhost:9".parse::<Target>().unwrap();
        let found = target.resolve().await.unwrap();
        assert!(found.at.ip().is_loopback() && found.at.port() == 9, "{found:?}");
        assert_eq!(found.to_string(), "localhost:9");
        assert_eq!(Address::from(SocketAddr::from(([127, 0, 0, 1], 8))).to_string(), "127.0.0.1:8");
    }
}
