//! Clients that send too much, or read too little.

use std::collections::HashSet;
use std::net::TcpStream;
use std::time::Duration;

use serde_json::json;
use tokio_tungstenite::tungstenite::Message;

use crate::rooms::group::{Group, server};
use crate::rooms::member::{Member, fresh_id};
use crate::support::client::Answer;
use crate::support::patience::{now, wait_until};
use crate::support::person::Person;
use crate::support::server::Server;
use crate::support::test_socket::Received;

const TOO_FAST: &str = "You are sending too fast. Wait a moment.";

#[test]
fn who_floods_is_told_which_messages_were_too_many_and_then_cut_off() {
    let (server, group) = Group::with(&[]);
    let [a, b] = group.seats(&server);
    let (mut flooding, mut other) = (Member::open(&server, &group, &a), Member::open(&server, &group, &b));
    let (ids, begun): (Vec<_>, _) = ((0..60).map(|_| fresh_id()).collect(), now());
    for id in &ids {
        let frame = flooding.frame("event.chat", &json!({ "id": id, "message": "words" }));
        flooding.web_socket.write(Message::text(frame)).unwrap();
    }
    flooding.web_socket.flush().unwrap();
    let mut received = flooding.read_to_end();
    assert_eq!(received.pop(), Some(Received::closed(1008, "sending too much")));
    let refused = received.iter().filter_map(|received| match received {
        Received::Frame(frame) if frame["event"] == "event.error" => Some(frame.clone()),
        _ => None,
    });
    let refused: Vec<_> = refused.collect();
    assert_eq!(refused.len(), 20, "warned a while first");
    assert!(refused.iter().all(|frame| frame["message"] == TOO_FAST && ids.iter().any(|id| frame["id"] == *id)));
    let echoed = received.len() - refused.len();
    other.chat("calm");
    let stored = group.words(&server, &b).len();
    // Twenty messages at once, and ten for each second since.
    let most = 22 + begun.elapsed().as_millis() as usize / 100;
    assert!((15..=most).contains(&stored), "{stored} of {most}");
    assert!(echoed <= stored + 2);
}

#[test]
fn a_seats_rate_is_one_for_all_its_windows() {
    let (server, group) = Group::with(&[]);
    let seat = group.seat(&server);
    let mut sockets: Vec<_> = (0..3).map(|_| (Member::open(&server, &group, &seat), HashSet::new())).collect();
    let begun = now();
    for _ in 0..15 {
        sockets.iter_mut().for_each(|(socket, ids)| ids.extend([socket.post("words")]));
    }
    let mut refused = 0;
    for (socket, ids) in &mut sockets {
        // Each message is answered by its echo, or by a refusal that names it.
        while !ids.is_empty() {
            let frame = socket.next_frame();
            let is_its_own = frame["id"].as_str().is_some_and(|id| ids.remove(id));
            refused += usize::from(is_its_own && frame["message"] == TOO_FAST);
        }
    }
    // About twenty at once, and ten for each second since. A socket alone may send its fifteen.
    let most = 26 + begun.elapsed().as_millis() as usize / 100;
    assert!((20..=most).contains(&(45 - refused)), "{refused} of 45 refused, and {most} may be taken");
}

#[test]
fn who_does_not_read_is_cut_off_and_costs_the_others_nothing() {
    let (server, group) = Group::with(&["--sends-per-second", "0"]);
    let [a, b, c] = group.seats(&server);
    let mut a = Member::open(&server, &group, &a);
    let mut b = Member::open(&server, &group, &b);
    let mut asleep = Member::open(&server, &group, &c);
    let tcp: &TcpStream = asleep.web_socket.get_ref();
    rustix::net::sockopt::set_socket_recv_buffer_size(tcp, 4096).unwrap();
    let (before, begun) = (server.resident_kib(), now());
    let words = "🦊".repeat(255);
    for _ in 0..60 {
        let ids: Vec<_> = (0..50).map(|_| a.post(&words)).collect();
        let last = ids.last().unwrap();
        a.await_where(|frame| frame["id"] == **last);
        b.await_where(|frame| frame["id"] == **last);
    }
    let alone = json!([a.seat.emoji, b.seat.emoji]);
    let mut is_gone = false;
    wait_until("the slow reader's end", || {
        a.send_event("event.active-users", &json!({}));
        is_gone |= a.await_event("event.active-users")["active_users"] == alone;
        is_gone
    });
    // The queued frames and the reason; or nothing, if the kernel has cut the connection.
    let last = asleep.read_to_end().pop();
    let is_long_ago = begun.elapsed() > Duration::from_secs(20);
    assert!(is_long_ago || last == Some(Received::closed(1013, "reading too slowly")), "{last:?}");
    // 3,000 messages and sled's cache take memory. The slow reader would have held as much again.
    assert!(server.resident_kib() < before + 40 * 1024, "{} -> {}", before, server.resident_kib());
    // The room kept every message; a disconnected member loads them again.
    let mut back = Member::silent(&server, &group, &c);
    assert_eq!(back.connect(Some(0))["resumed"], false);
}

/// The memory that a server needs for large groups with one socket each.
fn memory_of_large_groups(budget: &str) -> u64 {
    const GROUPS: usize = 10;
    let server = server(&["--sends-per-second", "0", "--rooms-memory-mb", budget]);
    let before = server.resident_kib();
    let words = "🦊".repeat(255);
    let mut members = Vec::new();
    for _ in 0..GROUPS {
        let group = Group::new(&server);
        let [mut member] = group.members(&server);
        let seat = member.seat.clone();
        let first = member.chat("the first words")["seq"].as_u64().unwrap();
        for _ in 0..34 {
            (0..99).for_each(|_| drop(member.post(&words)));
            member.chat(&words);
        }
        // Every message can be read, from memory or from the disk.
        let page = group.view(&server, Some(&seat), "?limit=3&before=5").json()["data"]["messages"].clone();
        assert_eq!(
            page.as_array().unwrap().iter().find(|line| line["seq"] == first).unwrap()["message"],
            "the first words"
        );
        members.push(member);
    }
    server.resident_kib() - before
}

/// Sockets keep groups in memory, but old messages stay on the disk only.
#[test]
fn large_groups_that_somebody_is_in_take_no_more_memory_than_groups_may() {
    let (little, plenty) = (memory_of_large_groups("4"), memory_of_large_groups("1000"));
    // All 34,000 messages take 40 MB in memory, and 6 MB when most of them are on the disk.
    assert!(little + 16 * 1024 < plenty, "{little} KiB, and {plenty} KiB with all in memory");
}

/// Each coming, leaving and locking is stored, so nobody may fill the disk with it.
#[test]
fn who_comes_and_goes_or_locks_and_unlocks_all_the_time_is_slowed() {
    let is_slowed = |call: &dyn Fn(usize) -> Answer| {
        (0..30).for_each(|n| assert_eq!(call(n).status, 200));
        // The limit recovers a little while the test is running.
        let slowed = (30..60).map(call).find(|answer| answer.status == 429).expect("slowed");
        assert!(slowed.header("retry-after").is_some());
    };
    let server = Server::start();
    let group = Group::new(&server);
    let seat = group.seat(&server);
    is_slowed(&|_| {
        assert_eq!(group.try_seat(&server, Some(&seat.cookie)).status, 200);
        server.delete(&group.path("/seat")).header("Cookie", &seat.cookie).send()
    });
    // The limit is per account, over all its groups and from any address.
    let server = crate::rooms::group::server(&[]);
    let creator = Person::new(&server);
    let groups = [Group::of(&server, creator.clone()), Group::of(&server, creator)];
    is_slowed(&|n| {
        let call = groups[n % 2].command(&server, "PATCH", "");
        call.json(&json!({ "locked": n % 4 < 2 })).send()
    });
}
