//! What the makers of NGL were fined for: an inbox has no note that nobody sent, and an owner learns nothing of who
//! sent one, for money or otherwise.

use std::collections::BTreeSet;
use std::thread::sleep;
use std::time::Duration;

use serde_json::{Value, json};

use crate::api::shield::send_with;
use crate::support::contract::{needs_token, operations};
use crate::support::person::{Person, send_note};
use crate::support::server::{Folder, NO_LIMITS, Server};
use crate::support::test_socket::TestSocket;

/// All that an owner may read without naming something: every call that takes a token and nothing else.
fn readable(server: &Server, person: &Person) -> Vec<(&'static str, String)> {
    let reads = operations().into_iter().filter(|(path, method)| {
        *method == "get" && !path.contains('{') && !path.ends_with("/socket") && needs_token(path, method)
    });
    reads.map(|(path, _)| (path, person.get(server, path).text())).collect()
}

#[test]
fn an_inbox_to_which_nobody_has_written_stays_empty() {
    let folder = Folder::new();
    let mut server = Server::on(&folder, NO_LIMITS);
    let (quiet, popular) = (Person::new(&server), Person::new(&server));
    let empty = json!({ "status": 200, "message": 0, "data": [] });
    let mut socket = TestSocket::of(&server, &quiet);
    let target = popular.target(&server);
    for n in 0..30 {
        send_with(&server, &target, &format!("note number {n} to somebody else"), &json!({}));
    }
    // The owner shares the link, and people look at the page without writing.
    for _ in 0..30 {
        assert_eq!(server.get(&format!("/{}", quiet.username)).send().status, 200);
        quiet.target(&server);
    }
    sleep(Duration::from_secs(2));
    assert_eq!(quiet.inbox(&server), empty);
    // The first that the live inbox hears of is the first that somebody sends.
    send_note(&server, &quiet.target(&server), "the first note of all");
    let heard = loop {
        let frame = socket.next_frame();
        if frame["event"] == "event.inbox" {
            break frame;
        }
    };
    assert_eq!(heard["note"]["message"], "the first note of all", "{heard}");
    assert_eq!(heard["unread"], 1);

    assert!(server.stop().success());
    let server = Server::on(&folder, NO_LIMITS);
    let notes = quiet.inbox(&server);
    assert_eq!(notes["data"].as_array().unwrap().len(), 1, "also after a start: {notes}");
}

/// What a sender's browser tells a server, whether it wants to or not.
const HINTS: [(&str, &str); 7] = [
    ("X-Forwarded-For", "203.0.113.77"),
    ("User-Agent", "TellTaleAgent/7.1 (Linux; Android 14; Pixel 8)"),
    ("Accept-Language", "kl-GL"),
    ("Referer", "https://annon.example/from-this-story"),
    ("Cookie", "sender=crumbs-of-a-cookie"),
    ("Sec-CH-UA-Platform", "\"TellTaleOs\""),
    ("X-Request-Id", "told-by-a-proxy"),
];

#[test]
fn an_owner_learns_of_a_note_what_its_sender_wrote_and_nothing_else() {
    let (server, person) = Person::with(&["--address-limits", "off", "--trusted-proxies", "127.0.0.1"]);
    let target = person.target(&server);
    let tag = "bWFya2VkLXRhZy1vZi0xIQ";
    let mut socket = TestSocket::of(&server, &person);
    let note = json!({ "id": target, "message": "a note of somebody", "tag": tag, "only_for_you": true });
    let call = HINTS.iter().fold(server.post("/api/annon-message"), |call, (name, value)| call.header(name, value));
    call.json(&note).send().assert(201, "Anonymous Message Sent");
    let frame = loop {
        let frame = socket.next_frame();
        if frame["event"] == "event.inbox" {
            break frame;
        }
    };

    let mut told = readable(&server, &person);
    assert!(told.iter().any(|(_, body)| body.contains("a note of somebody")), "the note itself is found: {told:?}");
    told.push(("the live inbox", frame.to_string()));
    for (place, body) in &told {
        for hint in HINTS.iter().map(|(_, value)| *value).chain([tag]) {
            assert!(!body.contains(hint.trim_matches('"')), "{place} has {hint}: {body}");
        }
    }
    // A field that is added to a note is a decision, and is made here, too.
    let fields = |note: &Value| note.as_object().unwrap().keys().cloned().collect::<BTreeSet<_>>();
    let expected = ["id", "message", "seen", "date", "only_for_you"].map(str::to_owned);
    for note in [&frame["note"], &person.inbox(&server)["data"][0]] {
        assert_eq!(fields(note), expected.clone().into(), "{note}");
    }
}
