//! The types of the flags' values, with the messages for values they refuse.

use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;
use std::time::Duration;

use annon_store::account::Email;
use annon_store::invariant;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use ipnet::IpNet;
use tracing_subscriber::filter::LevelFilter;
use url::{Host, Url};

/// A time in hours, up to a week.
pub(super) fn hours(raw: &str) -> Result<Duration, String> {
    let hours: f64 = raw.parse().map_err(|_| "it has to be a number of hours".to_owned())?;
    if hours > 0.0 && hours <= 168.0 {
        Ok(Duration::from_secs_f64(hours * 3600.0).max(Duration::from_secs(1)))
    } else {
        Err("it has to be more than 0 and at most 168".to_owned())
    }
}

pub(super) fn log_level() -> impl TypedValueParser<Value = LevelFilter> {
    PossibleValuesParser::new(["error", "warn", "info", "debug"]).try_map(|level| level.parse::<LevelFilter>())
}

/// A mail address.
pub(super) fn address(raw: &str) -> Result<Email, &'static str> {
    Email::try_from(raw.to_owned()).map_err(|_| "it has to be a mail address")
}

/// The address for metrics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MetricsListen {
    Off,
    At(SocketAddr),
}

impl FromStr for MetricsListen {
    type Err = String;

    fn from_str(raw: &str) -> Result<Self, String> {
        match raw {
            "off" => Ok(Self::Off),
            _ => raw.parse().map(Self::At).map_err(|_| "it has to be ADDR:PORT or off".to_owned()),
        }
    }
}

impl std::fmt::Display for MetricsListen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Off => f.write_str("off"),
            Self::At(at) => at.fmt(f),
        }
    }
}

/// Where somebody can be reached, as a URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contact(pub String);

impl FromStr for Contact {
    type Err = &'static str;

    fn from_str(raw: &str) -> Result<Self, Self::Err> {
        const LOOKS: &str = "it has to be a mail address or begin with https://";
        let address = raw.strip_prefix("mailto:").unwrap_or(raw);
        if Email::try_from(address.to_owned()).is_ok() {
            return Ok(Self(format!("mailto:{address}")));
        }
        let url = Url::parse(raw).map_err(|_| LOOKS)?;
        if url.scheme() == "https" { Ok(Self(url.into())) } else { Err(LOOKS) }
    }
}

/// A URL of only a scheme, a host and a port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicUrl(String);

impl PublicUrl {
    /// The default: the address the server listens on, or localhost if it
    /// listens on all addresses.
    pub fn of(scheme: &str, listening: SocketAddr) -> Self {
        if listening.ip().is_unspecified() {
            return Self(format!("{scheme}://localhost:{}", listening.port()));
        }
        Self(format!("{scheme}://{listening}"))
    }

    /// The URL in the form that browsers send in `Origin`.
    pub fn origin(&self) -> &str {
        &self.0
    }

    /// The URL of a page of the site.
    pub fn page(&self, path: &str) -> String {
        format!("{}{path}", self.0)
    }

    /// The host, without a port.
    pub fn host(&self) -> String {
        let host = Url::parse(&self.0).ok().and_then(|url| url.host_str().map(str::to_owned));
        invariant!(host.is_some(), "the public URL has a host");
        host.unwrap_or_default()
    }

    /// Whether pages are served over TLS, here or by a proxy.
    pub fn is_https(&self) -> bool {
        self.0.starts_with("https:")
    }

    /// Whether the host is one for everybody: no name or address of this machine or of a home.
    pub fn is_public(&self) -> bool {
        let Ok(url) = Url::parse(&self.0) else { return false };
        match url.host() {
            Some(Host::Domain(name)) => {
                let at_home = ["localhost", "local", "internal", "lan", "test"];
                name.rsplit_once('.').is_some_and(|(_, end)| !at_home.contains(&end))
            }
            Some(Host::Ipv4(ip)) => !(ip.is_loopback() || ip.is_private() || ip.is_link_local() || ip.is_unspecified()),
            Some(Host::Ipv6(ip)) => {
                !(ip.is_loopback() || ip.is_unique_local() || ip.is_unicast_link_local() || ip.is_unspecified())
            }
            None => false,
        }
    }
}

impl FromStr for PublicUrl {
    type Err = String;

    fn from_str(raw: &str) -> Result<Self, String> {
        let url = Url::parse(raw).map_err(|error| error.to_string())?;
        let is_bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
            return Err("it has to begin with http:// or https://".to_owned());
        }
        if !is_bare || !url.username().is_empty() || url.password().is_some() {
            return Err("only scheme, host and port: nothing may follow".to_owned());
        }
        Ok(Self(url.origin().ascii_serialization()))
    }
}

/// Parses a range of addresses such as `10.0.0.0/8`, or one address.
pub(super) fn network(raw: &str) -> Result<IpNet, String> {
    let raw = raw.trim();
    raw.parse().or_else(|_| raw.parse::<IpAddr>().map(IpNet::from)).map_err(|_| "it has to be ADDR or ADDR/BITS".into())
}

/// Whether an address is in any of these ranges.
pub fn is_among(networks: &[IpNet], address: IpAddr) -> bool {
    networks.iter().any(|network| network.contains(&address.to_canonical()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_listens_everywhere_is_at_least_here() {
        let of = |at: &str| PublicUrl::of("http", at.parse().unwrap()).0;
        assert_eq!(of("0.0.0.0:8080"), "http://localhost:8080");
        assert_eq!(of("[::]:8080"), "http://localhost:8080");
        assert_eq!(of("192.0.2.1:80"), "http://192.0.2.1:80");
    }

    #[test]
    fn a_public_url_is_an_origin() {
        let parse = |raw: &str| raw.parse::<PublicUrl>().map(|url| url.origin().to_owned());
        assert_eq!(parse("https://Annon.Example/").as_deref(), Ok("https://annon.example"));
        assert_eq!(parse("http://127.0.0.1:8080").as_deref(), Ok("http://127.0.0.1:8080"));
        assert_eq!(parse("https://a.example:443").as_deref(), Ok("https://a.example"));
        for bad in
            ["annon.example", "ftp://a.example", "https://a.example/x", "https://u:p@a.example", "https://a.example/?q"]
        {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_network_is_one_address_or_a_range_and_sees_through_mapped_ones() {
        let is_in = |raw: &str, address: &str| is_among(&[network(raw).unwrap()], address.parse().unwrap());
        assert!(is_in("10.0.0.0/8", "10.255.0.1") && !is_in("10.0.0.0/8", "11.0.0.1"));
        assert!(is_in("127.0.0.1", "::ffff:127.0.0.1") && !is_in("127.0.0.1", "127.0.0.2"));
        for bad in ["10.0.0.0/33", "x", "::/129", "10.0.0.0/-1"] {
            assert!(network(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_contact_is_an_address_or_a_page() {
        let parse = |raw: &str| raw.parse::<Contact>().map(|contact| contact.0);
        assert_eq!(parse("safe@annon.example").as_deref(), Ok("mailto:safe@annon.example"));
        assert_eq!(parse("mailto:safe@annon.example").as_deref(), Ok("mailto:safe@annon.example"));
        assert_eq!(parse("https://annon.example/holes").as_deref(), Ok("https://annon.example/holes"));
        for bad in ["", "somebody", "http://annon.example", "safe@annon.example\nContact: x", "javascript:1"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
