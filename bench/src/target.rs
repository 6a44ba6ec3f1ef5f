//! The address of the server that is measured.

use std::net::SocketAddr;
use std::str::FromStr;

use tokio::net::lookup_host;
use url::Url;

use crate::trouble::Trouble;

/// A server's address as it was typed: plain HTTP, and nothing behind the port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Target {
    host: String,
    port: u16,
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
        if !matches!(url.path(), "" | "/") || url.query().is_some() || !url.username().is_empty() {
            return Err("an address has nothing behind its port and nobody before its host");
        }
        let host = url.host_str().ok_or("the address names no host")?.to_owned();
        Ok(Self { host, port: url.port_or_known_default().unwrap_or(80) })
    }
}

impl Target {
    /// Looks the host up, once for the whole run.
    pub(crate) async fn resolve(&self) -> Result<SocketAddr, Trouble> {
        let host = self.host.trim_start_matches('[').trim_end_matches(']');
        let found = lookup_host((host, self.port)).await.ok().and_then(|mut found| found.next());
        found.ok_or_else(|| Trouble::because(format!("the host {host} has no address")))
    }
}

impl std::fmt::Display for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "http://{}:{}", self.host, self.port)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_plain_http_and_no_more() {
        for (raw, shown) in [
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("http://localhost/", "http://localhost:80"),
            ("http://[::1]:9", "http://[::1]:9"),
        ] {
            assert_eq!(raw.parse::<Target>().unwrap().to_string(), shown);
        }
        for bad in
            ["", "127.0.0.1:8080", "https://x.example", "http://x.example/api", "http://a@x.example", "http://x/?y"]
        {
            assert!(bad.parse::<Target>().is_err(), "{bad}");
        }
        assert!("localhost:8080".parse::<Target>().unwrap_err().contains("looks like"), "no scheme at all");
    }
}
