//! Asks a push service to take a message. A name that leads inside leads nowhere: addresses are looked up once and
//! checked, and the connection goes to one that was checked. No redirect is followed, and of the answer only the head
//! is read.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;
use std::pin::pin;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use actix_web::rt::time::timeout;
use annon_contract::limits::PUSH_KEPT;
use futures_util::future::{Either, select};
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1;
use hyper::header::{AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, HOST, HeaderMap, RETRY_AFTER};
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use rustls::crypto::aws_lc_rs::default_provider;
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, RootCertStore};
use tokio::net::{TcpStream, lookup_host};
use tokio_rustls::TlsConnector;

use super::service::Target;
use crate::net::tls::certificates;

/// The most bytes of an answer's head.
const HEAD_MAX: usize = 16 * 1024;
/// Addresses of one name that are tried.
const ADDRESSES: usize = 4;

/// What has become of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    Taken,
    /// The subscription has ended.
    Gone,
    /// It may be taken later; perhaps the service says when.
    Later(Option<Duration>),
    /// It won't be taken. The status is the service's.
    Refused(StatusCode),
    /// The service was not reached, or has not answered.
    Unreachable,
    /// The service's name leads to no address that everybody can reach.
    Inside,
}

pub(super) struct Client {
    tls: OnceLock<Option<TlsConnector>>,
    /// How long all of a message may take.
    within: Duration,
    /// Certificates for tests, whose services are on this machine.
    for_tests: Option<PathBuf>,
}

impl Client {
    pub(super) fn new(within: Duration, for_tests: Option<PathBuf>) -> Self {
        Self { tls: OnceLock::new(), within, for_tests }
    }

    /// Sends a message.
    pub(super) async fn send(&self, to: &Target, authorization: &str, message: Vec<u8>) -> Outcome {
        let look_up = |host: String, port| async move { Ok(lookup_host((host, port)).await?.collect()) };
        self.send_by(look_up, to, authorization, message).await
    }

    async fn send_by<F: Future<Output = io::Result<Vec<SocketAddr>>>>(
        &self,
        look_up: impl FnOnce(String, u16) -> F,
        to: &Target,
        authorization: &str,
        message: Vec<u8>,
    ) -> Outcome {
        let all = async {
            let mut addresses = look_up(to.host.clone(), to.port).await.map_err(|_| Outcome::Unreachable)?;
            addresses.retain(|at| self.for_tests.is_some() || is_global(at.ip()));
            addresses.truncate(ADDRESSES);
            if addresses.is_empty() {
                return Err(Outcome::Inside);
            }
            let tls = self.tls().ok_or(Outcome::Unreachable)?;
            let name = ServerName::try_from(to.host.clone()).map_err(|_| Outcome::Unreachable)?;
            let stream = TcpStream::connect(&*addresses).await.map_err(|_| Outcome::Unreachable)?;
            let stream = tls.connect(name, stream).await.map_err(|_| Outcome::Unreachable)?;
            let request = request(to, authorization, message).ok_or(Outcome::Unreachable)?;
            ask(stream, request).await.map_err(|_| Outcome::Unreachable)
        };
        // On the heap: it is large, and most of the time nothing is sent.
        match timeout(self.within, Box::pin(all)).await {
            Ok(Ok(answer)) => outcome(answer.status(), answer.headers()),
            Ok(Err(outcome)) => outcome,
            Err(_) => Outcome::Unreachable,
        }
    }

    fn tls(&self) -> Option<&TlsConnector> {
        let made = self.tls.get_or_init(|| {
            let mut roots = RootCertStore::empty();
            match &self.for_tests {
                Some(file) => roots.add_parsable_certificates(certificates(file).ok()?),
                None => roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs),
            };
            let builder = ClientConfig::builder_with_provider(Arc::new(default_provider()));
            let builder = builder.with_safe_default_protocol_versions().ok()?;
            Some(TlsConnector::from(Arc::new(builder.with_root_certificates(roots).with_no_client_auth())))
        });
        made.as_ref()
    }
}

/// RFC 8030. There is no `Topic`: it would tell the service which messages are of one kind.
fn request(to: &Target, authorization: &str, message: Vec<u8>) -> Option<Request<Full<Bytes>>> {
    let host = to.origin.strip_prefix("https://")?;
    Request::builder()
        .method(Method::POST)
        .uri(&*to.path)
        .header(HOST, host)
        .header(AUTHORIZATION, authorization)
        .header("TTL", PUSH_KEPT.as_secs())
        .header("Urgency", "normal")
        .header(CONTENT_ENCODING, "aes128gcm")
        .header(CONTENT_TYPE, "application/octet-stream")
        .body(Full::new(message.into()))
        .ok()
}

/// The head of the answer. The connection ends with it, whatever else the service has to say.
async fn ask<S>(stream: S, request: Request<Full<Bytes>>) -> hyper::Result<Response<Incoming>>
where
    S: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin + 'static,
{
    let (mut sender, connection) = http1::Builder::new().max_buf_size(HEAD_MAX).handshake(TokioIo::new(stream)).await?;
    let (answer, connection) = (pin!(sender.send_request(request)), pin!(connection));
    match select(answer, connection).await {
        Either::Left((answer, _)) => answer,
        Either::Right((_, answer)) => answer.await,
    }
}

fn outcome(status: StatusCode, headers: &HeaderMap) -> Outcome {
    match status {
        _ if status.is_success() => Outcome::Taken,
        StatusCode::NOT_FOUND | StatusCode::GONE => Outcome::Gone,
        StatusCode::TOO_MANY_REQUESTS => Outcome::Later(wait(headers)),
        _ if status.is_server_error() => Outcome::Later(wait(headers)),
        _ => Outcome::Refused(status),
    }
}

/// What `Retry-After` says, if it is a number of seconds.
fn wait(headers: &HeaderMap) -> Option<Duration> {
    let seconds = headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds))
}

/// Whether everybody can reach this address, as far as it tells: none of this machine, of a home or an office, of a
/// provider's inside, or of no machine at all.
fn is_global(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => is_global_v4(address),
        IpAddr::V6(address) => is_global_v6(address),
    }
}

fn is_global_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let is_shared = a == 100 && b & 0xc0 == 64;
    let is_for_protocols = (a, b, c) == (192, 0, 0) || (a, b, c) == (192, 88, 99);
    let is_for_benchmarks = a == 198 && b & 0xfe == 18;
    !(a == 0
        || a >= 224
        || address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_documentation()
        || is_shared
        || is_for_protocols
        || is_for_benchmarks)
}

fn is_global_v6(address: Ipv6Addr) -> bool {
    match address.segments() {
        // What a network without version 4 makes of an address of it.
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => {
            is_global_v4(Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low)))
        }
        // Of protocols and tunnels, which may lead to an address of version 4; and for documents.
        [0x2001, 0..0x200 | 0xdb8, ..] | [0x2002, ..] => false,
        [0x3fff, 0..0x1000, ..] => false,
        [first, ..] => first & 0xe000 == 0x2000,
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use tokio::net::TcpListener;

    use super::*;

    #[test]
    fn only_addresses_that_everybody_can_reach_are_called() {
        for inside in [
            "0.0.0.0",
            "0.1.2.3",
            "10.1.2.3",
            "100.64.0.1",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.255.254",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.8",
            "192.0.2.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::7f00:1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "64:ff9b::7f00:1",
            "64:ff9b::a9fe:a9fe",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::1",
            "3fff::1",
            "fc00::1",
            "fd12:3456::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!is_global(inside.parse().unwrap()), "{inside}");
        }
        for outside in [
            "1.1.1.1",
            "100.63.255.255",
            "100.128.0.1",
            "142.250.74.106",
            "172.32.0.1",
            "192.1.0.1",
            "198.20.0.1",
            "223.255.255.255",
            "::ffff:142.250.74.106",
            "64:ff9b::8efa:4a6a",
            "2001:4860:4860::8888",
            "2a00:1450:4001::200a",
        ] {
            assert!(is_global(outside.parse().unwrap()), "{outside}");
        }
    }

    #[test]
    fn an_answer_is_what_its_status_and_its_wait_say() {
        let with = |status: u16, wait: Option<&str>| {
            let mut headers = HeaderMap::new();
            headers.extend(wait.map(|wait| (RETRY_AFTER, wait.parse().unwrap())));
            outcome(StatusCode::from_u16(status).unwrap(), &headers)
        };
        assert!([200, 201, 202, 204].iter().all(|status| with(*status, None) == Outcome::Taken));
        assert!([404, 410].iter().all(|status| with(*status, None) == Outcome::Gone));
        for status in [301, 302, 307, 308, 400, 401, 403, 413] {
            assert_eq!(with(status, None), Outcome::Refused(StatusCode::from_u16(status).unwrap()));
        }
        assert_eq!(with(429, Some("7")), Outcome::Later(Some(Duration::from_secs(7))));
        assert_eq!(with(503, Some("Wed, 21 Oct 2026 07:28:00 GMT")), Outcome::Later(None));
        assert_eq!(with(500, Some("-1")), Outcome::Later(None));
    }

    fn target() -> Target {
        let (host, origin) = ("push.example".to_owned(), "https://push.example".to_owned());
        Target { host, port: 443, origin, path: "/x".to_owned() }
    }

    fn client(for_tests: Option<PathBuf>) -> Client {
        Client::new(Duration::from_secs(20), for_tests)
    }

    #[actix_web::test]
    async fn a_name_that_leads_inside_is_not_called_whatever_it_leads_to_later() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let inside = listener.local_addr().unwrap();
        let asked = Cell::new(0);
        let look_up = |_, _| {
            asked.set(asked.get() + 1);
            async move { Ok(vec![inside]) }
        };
        let sent = client(None).send_by(look_up, &target(), "vapid", Vec::new()).await;
        assert_eq!((sent, asked.get()), (Outcome::Inside, 1));
        let for_tests = client(Some(PathBuf::from("/dev/null")));
        let sent = for_tests.send_by(look_up, &target(), "vapid", Vec::new()).await;
        assert_eq!((sent, asked.get()), (Outcome::Unreachable, 2), "nobody is trusted without a certificate");
        let nowhere = |_, _| async { Ok(Vec::new()) };
        let sent = client(None).send_by(nowhere, &target(), "vapid", Vec::new()).await;
        assert_eq!(sent, Outcome::Inside);
    }
}
