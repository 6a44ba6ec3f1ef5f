//! Clients that ask for the messages, and don't read the answer.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::thread::sleep;
use std::time::Duration;

use crate::rooms::group::{Group, Seat};
use crate::rooms::member::Member;
use crate::support::client::{Connection, dial_tight};
use crate::support::patience::{HANG, now, wait_until};
use crate::support::server::Server;

/// Lines of the longest kind on one page: half a megabyte.
const LINES: usize = 500;
/// Slow readers: 150 MB, if the server kept all their answers.
const READERS: usize = 300;

fn full(server: &Server) -> (Group, Seat) {
    let group = Group::new(server);
    let seat = group.seat(server);
    let mut member = Member::open(server, &group, &seat);
    let words = "🦊".repeat(255);
    for _ in 0..LINES / 50 {
        let ids: Vec<_> = (0..50).map(|_| member.post(&words)).collect();
        let last = ids.last().unwrap();
        member.await_where(|frame| frame["id"] == **last);
    }
    (group, seat)
}

/// Asks for a whole page on a connection that receives `takes` bytes.
fn asks(server: &Server, group: &Group, seat: &Seat, takes: usize) -> TcpStream {
    let mut stream = dial_tight(server.address, takes);
    let call = server.get(&group.path(&format!("?limit={LINES}"))).header("Cookie", &seat.cookie);
    stream.write_all(&call.bytes()).unwrap();
    stream
}

#[test]
fn slow_readers_of_one_address_hold_some_megabytes_and_no_more() {
    let server = Server::with(&["--sends-per-second", "0"]);
    let (group, seat) = full(&server);
    let plain = group.view(&server, Some(&seat), &format!("?limit={LINES}"));
    assert!(plain.status == 200 && plain.body.len() > 500_000, "{}", plain.body.len());
    let before = server.resident_kib();
    let mut readers: Vec<_> = (0..READERS).map(|_| asks(&server, &group, &seat, 4096)).collect();
    let mut refused = 0;
    for reader in readers.iter_mut().rev().take(READERS / 2) {
        let mut status = [0; 12];
        reader.read_exact(&mut status).unwrap();
        refused += usize::from(status == *b"HTTP/1.1 429");
    }
    let grown = server.resident_kib().saturating_sub(before);
    assert!(grown < 60 * 1024, "{grown} KiB");
    assert!(refused > 100, "{refused}");
    // Their answers are freed with their connections.
    drop(readers);
    wait_until("an answer", || group.view(&server, Some(&seat), &format!("?limit={LINES}")).status == 200);
}

/// The kernel's timer ends this connection first; `src/net/slow_client.rs` tests the pace.
#[test]
fn who_takes_a_little_of_an_answer_now_and_then_is_cut_off() {
    let server = Server::with(&["--sends-per-second", "0"]);
    let (group, seat) = full(&server);
    let mut reader = asks(&server, &group, &seat, 16 * 1024);
    let begun = now();
    let mut taken = 0;
    let end = loop {
        assert!(begun.elapsed() < 2 * HANG, "{taken} bytes, and still not cut off");
        sleep(Duration::from_millis(400));
        match reader.read(&mut [0; 512]) {
            Ok(0) => break ErrorKind::UnexpectedEof,
            Ok(some) => taken += some,
            Err(error) => break error.kind(),
        }
    };
    assert!(matches!(end, ErrorKind::UnexpectedEof | ErrorKind::ConnectionReset), "{end}");
    assert!(begun.elapsed() > Duration::from_secs(20), "it is given its time: {:?}", begun.elapsed());
    assert!(taken < 500_000, "all of it");
}

/// A member who scrolls never comes near the limit, because all messages are fifty pages.
#[test]
fn an_address_that_reads_without_a_pause_is_slowed() {
    let server = Server::start();
    let group = Group::new(&server);
    let seat = group.seat(&server);
    let call = server.get(&group.path("?limit=1")).header("Cookie", &seat.cookie);
    let mut connection = Connection::open(server.address);
    // The limit allows ten more a second while the test is running.
    let mut answers = (0..2000).map(|_| call.clone().send_on(&mut connection));
    let (went, refused) = answers.by_ref().enumerate().find(|(_, answer)| answer.status != 200).unwrap();
    assert!(went >= 600 && refused.status == 429, "{went}");
    refused.header("retry-after").unwrap();
    assert_eq!(group.view(&server, None, "").status, 200, "what is known of a room is no history");
}
