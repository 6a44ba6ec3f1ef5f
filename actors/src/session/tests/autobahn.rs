//! The cases of the Autobahn test suite, against sessions that send each text back.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use actix_http::ws::hash_key;

use super::*;

/// Cases whose message a session refuses, as it should: binary ones, and those that are larger than a
/// frame may be. Other tests see that it does.
const REFUSED: &str = r"1\.2\.\d|1\.1\.[678]";
/// Framing, pings, reserved bits, opcodes, pieces, UTF-8 and closing. The others are about size, speed
/// and compression.
const SECTIONS: [&str; 7] = ["1", "2", "3", "4", "5", "6", "7"];

/// A role without a limit, which sends each text back as it is.
struct Mirror;

impl Role for Mirror {
    fn opened(&mut self, _: Arc<Outbox>) {}

    fn received(&mut self, text: &str) -> Option<EncodedFrame> {
        Some(EncodedFrame::new(text.as_bytes(), OpCode::Text))
    }

    fn closed(&mut self) {}

    fn rate(&self) -> Option<Rate> {
        None
    }
}

/// Answers a handshake, and starts a session.
async fn take(mut tcp: TcpStream, clock: Arc<TestClock>) {
    let mut head = BytesMut::new();
    while !head.ends_with(b"\r\n\r\n") {
        assert_ne!(tcp.read_buf(&mut head).await.unwrap(), 0, "no handshake");
    }
    let head = String::from_utf8(head.to_vec()).unwrap();
    let key = head.lines().find_map(|line| line.strip_prefix("Sec-WebSocket-Key: ")).unwrap();
    let accept = String::from_utf8(hash_key(key.as_bytes()).to_vec()).unwrap();
    let answer = format!("HTTP/1.1 101 Switching Protocols\r\nSec-WebSocket-Accept: {accept}\r\n\r\n");
    tcp.write_all(answer.as_bytes()).await.unwrap();
    Takeover::new(Mirror, clock, None, Box::new(())).begin(Connection::Tcp(tcp, BytesMut::new()));
}

/// The Python of the environment that scripts/deps.sh has made.
fn python() -> PathBuf {
    let home = || PathBuf::from(std::env::var_os("HOME").unwrap()).join(".cache");
    let cache = std::env::var_os("XDG_CACHE_HOME").map_or_else(home, PathBuf::from);
    let python = cache.join("annon/autobahntestsuite/bin/python");
    assert!(python.exists(), "run `make deps`: there is no {}", python.display());
    python
}

#[actix::test]
async fn the_cases_of_autobahn_are_answered_as_they_should() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let clock = TestClock::new();
    actix::spawn(async move {
        while let Ok((tcp, _)) = listener.accept().await {
            actix::spawn(take(tcp, clock.clone()));
        }
    });
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../scripts/testers/autobahn.py");
    let mut command = Command::new(python());
    command.args([script, &port.to_string(), REFUSED]).args(SECTIONS).stdin(Stdio::null());
    let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{told}{}", String::from_utf8_lossy(&output.stderr));
    eprintln!("{}", told.lines().last().unwrap());
}
