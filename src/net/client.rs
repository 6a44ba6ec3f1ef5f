//! The address that a request comes from. It is used to count, never stored.

use std::future::{Ready, ready};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use actix_web::dev::Payload;
use actix_web::http::header::HeaderMap;
use actix_web::web::Data;
use actix_web::{FromRequest, HttpRequest};
use ipnet::IpNet;

use crate::app::App;
use crate::config::is_among;

/// The client's address. Behind a proxy it comes from `X-Forwarded-For`.
#[derive(Clone, Copy)]
pub struct ClientIp(pub IpAddr);

impl FromRequest for ClientIp {
    type Error = std::convert::Infallible;
    type Future = Ready<Result<Self, Self::Error>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Self::of(request)))
    }
}

impl ClientIp {
    pub fn of(request: &HttpRequest) -> Self {
        let peer = request.peer_addr().map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.ip());
        let proxies = request.app_data::<Data<App>>().map_or(&[][..], |app| &app.config.trusted_proxies);
        Self(client(peer, request.headers(), proxies))
    }
}

/// The last address in X-Forwarded-For that isn't a trusted proxy's. Anybody
/// could have written what stands before it.
fn client(peer: IpAddr, headers: &HeaderMap, proxies: &[IpNet]) -> IpAddr {
    let is_proxy = |address| is_among(proxies, address);
    if !is_proxy(peer) {
        return peer.to_canonical();
    }
    // A line that can't be read must not be skipped: a stranger may have
    // written the one before it.
    let lines: Vec<_> =
        headers.get_all("x-forwarded-for").map(|line| String::from_utf8_lossy(line.as_bytes())).collect();
    let mut nearest = peer;
    for hop in lines.iter().rev().flat_map(|line| line.rsplit(',')) {
        let Some(hop) = address(hop.trim()) else { break };
        nearest = hop;
        if !is_proxy(hop) {
            break;
        }
    }
    nearest.to_canonical()
}

/// Parses an address; some proxies add the port.
fn address(hop: &str) -> Option<IpAddr> {
    hop.parse().ok().or_else(|| hop.parse().ok().map(|at: SocketAddr| at.ip()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::http::header::{HeaderName, HeaderValue};

    fn seen(peer: &str, forwarded: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for line in forwarded {
            headers
                .append(HeaderName::from_static("x-forwarded-for"), HeaderValue::from_bytes(line.as_bytes()).unwrap());
        }
        let proxies = ["10.0.0.0/8".parse().unwrap(), "::1/128".parse().unwrap()];
        client(peer.parse().unwrap(), &headers, &proxies).to_string()
    }

    #[test]
    fn a_stranger_can_not_claim_to_be_somebody_else() {
        assert_eq!(seen("192.0.2.9", &["198.51.100.1"]), "192.0.2.9");
        assert_eq!(seen("10.0.0.1", &["203.0.113.7, 198.51.100.1"]), "198.51.100.1");
        assert_eq!(seen("10.0.0.1", &["203.0.113.7", "198.51.100.1, 10.0.0.2"]), "198.51.100.1");
    }

    #[test]
    fn a_proxy_is_believed_and_odd_headers_are_not() {
        assert_eq!(seen("::1", &["198.51.100.1"]), "198.51.100.1");
        assert_eq!(seen("10.0.0.1", &[]), "10.0.0.1");
        assert_eq!(seen("10.0.0.1", &["nonsense"]), "10.0.0.1");
        assert_eq!(seen("10.0.0.1", &["198.51.100.1, nonsense"]), "10.0.0.1");
        assert_eq!(seen("10.0.0.1", &["203.0.113.7", "198.51.100.1, é"]), "10.0.0.1");
        assert_eq!(seen("10.0.0.1", &["198.51.100.1:4711"]), "198.51.100.1");
        assert_eq!(seen("10.0.0.1", &["[2001:db8::1]:4711"]), "2001:db8::1");
        assert_eq!(seen("::ffff:192.0.2.1", &[]), "192.0.2.1");
    }
}
