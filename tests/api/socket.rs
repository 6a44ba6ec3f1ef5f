//! The live inbox: who may open a socket, what it shows, and how it ends.

use std::collections::BTreeSet;
use std::io::Write;

use serde_json::json;
use tokio_tungstenite::tungstenite::Message;

use crate::api::auth::forge;
use crate::support::client::{raw, with_code};
use crate::support::patience::{at_once, wait_until};
use crate::support::person::{Person, SIGNED_OUT, is_alive, send_note};
use crate::support::server::{NO_LIMITS, Server};
use crate::support::test_socket::{Received, SOCKET, TestSocket, handshake};

const FOREIGN: &str = "This socket is not open to pages from elsewhere.";
const NO_UPGRADE: &str = "This call is a WebSocket; ask for an upgrade.";

#[test]
fn a_window_is_told_of_every_note_and_every_change() {
    let (server, person) = Person::with(&[]);
    let (mut first, mut second) =
        (TestSocket::of(&server, &person), TestSocket::with_token(&server, &person.sign_in(&server)));
    let mut stranger = TestSocket::of(&server, &Person::new(&server));
    let target = person.target(&server);
    for n in 1..=2 {
        send_note(&server, &target, &format!("note number {n}")).assert(201, "Anonymous Message Sent");
        let note = person.inbox(&server)["data"][0].clone();
        assert_eq!(note["message"], format!("note number {n}"));
        let expected = json!({ "event": "event.inbox", "unread": n, "note": note });
        assert_eq!(first.next_frame(), expected);
        assert_eq!(second.next_frame(), expected);
    }
    let ids: Vec<_> = person.inbox(&server)["data"].as_array().unwrap().iter().map(|note| note["id"].clone()).collect();
    let path = |call: &str, id: usize| format!("/api/{call}/{}", ids[id].as_str().unwrap());
    person.get(&server, &path("mark_as_seen", 0));
    assert_eq!(first.next_frame(), json!({ "event": "event.inbox", "unread": 1 }));
    assert_eq!(second.next_frame(), json!({ "event": "event.inbox", "unread": 1 }));
    person.call(&server, "DELETE", &path("message", 1)).send();
    assert_eq!(second.next_frame(), json!({ "event": "event.inbox", "unread": 0, "reload": true }));
    stranger.send_text(r#"{"event":"event.connect"}"#);
    assert_eq!(stranger.next_frame(), json!({ "event": "event.ready" }), "nothing else came before");
    stranger.send_text("[]");
    assert_eq!(stranger.next_frame()["event"], "event.error");
}

#[test]
fn a_handshake_needs_a_good_token_in_its_place() {
    let (server, person) = Person::with(&[]);
    let token = &person.token;
    for protocols in
        ["", "bearer", "bearer,", "bearer, x", token, &format!("{token}, bearer"), &format!("basic, {token}")]
    {
        handshake(&server, SOCKET, protocols).send().assert(401, SIGNED_OUT);
    }
    let elsewhere = handshake(&server, SOCKET, "").bearer(token).header("Cookie", &format!("annon_token={token}"));
    elsewhere.send().assert(401, SIGNED_OUT);
    for (header, value) in [("Connection", "Upgrade"), ("X-Nothing", "else")] {
        let call =
            server.get(SOCKET).header("Sec-WebSocket-Protocol", &format!("bearer, {token}")).header(header, value);
        call.send().assert(400, NO_UPGRADE);
    }
    let old = handshake(&server, SOCKET, &format!("bearer, {token}")).bytes();
    let old = String::from_utf8(old).unwrap().replace("Version: 13", "Version: 6");
    raw(server.address, old.as_bytes(), "GET", SOCKET).assert(400, NO_UPGRADE);
    assert!(TestSocket::try_open(&server, token, &[]).is_ok());
}

/// If a proxy takes this for a WebSocket, the server must not answer what follows as calls.
#[test]
fn a_handshake_with_a_body_is_no_handshake() {
    let (server, person) = Person::with(&[]);
    let plain = handshake(&server, SOCKET, &format!("bearer, {}", person.token)).bytes();
    let plain = String::from_utf8(plain).unwrap();
    let odd = |name: &str, value: &str, body: &str| {
        let head = plain.trim_end().to_owned() + &format!("\r\n{name}: {value}\r\n\r\n{body}");
        raw(server.address, head.as_bytes(), "GET", SOCKET).assert(400, NO_UPGRADE);
    };
    odd("Transfer-Encoding", "chunked", "0\r\n\r\n");
    odd("Content-Length", "5", "hello");
    let two = plain.replace("Upgrade: websocket", "Upgrade: websocket, foo");
    raw(server.address, two.as_bytes(), "GET", SOCKET).assert(400, NO_UPGRADE);
}

#[test]
fn a_page_from_elsewhere_is_not_let_in() {
    let (server, person) = Person::with(&[]);
    let here = format!("http://{}", server.address);
    let try_from = |server: &Server, person: &Person, origin: &str| {
        TestSocket::try_open(server, &person.token, &[("Origin", origin)]).map(drop)
    };
    assert_eq!(try_from(&server, &person, &here), Ok(()));
    let elsewhere =
        ["https://evil.example", "null", "", "file://", "http://127.0.0.1", &format!("{here}.evil.example")];
    for origin in elsewhere {
        assert_eq!(try_from(&server, &person, origin), Err(403), "{origin}");
    }
    let protocols = format!("bearer, {}", person.token);
    handshake(&server, SOCKET, &protocols).header("Origin", "https://evil.example").send().assert(403, FOREIGN);

    let (server, person) = Person::with(&["--public-url", "https://annon.example"]);
    assert_eq!(try_from(&server, &person, "https://annon.example"), Ok(()));
    for origin in [&*here, &format!("http://{}", server.address), "http://annon.example", "https://annon.example:8443"]
    {
        assert_eq!(try_from(&server, &person, origin), Err(403), "{origin}");
    }
    assert!(TestSocket::try_open(&server, &person.token, &[]).is_ok(), "a program says no origin");
}

/// Many notes at once must not cut off a page that reads them.
#[test]
fn a_crowd_of_notes_reaches_every_window_that_reads() {
    let (server, person) = Person::with(NO_LIMITS);
    let mut sockets: Vec<_> = (0..3).map(|_| TestSocket::of(&server, &person)).collect();
    let (server, target) = (&server, &person.target(&server));
    for round in 0..3 {
        let send = |n: usize| move || send_note(server, target, &format!("note {n} of {round}")).status;
        assert!(at_once((0..200).map(send)).iter().all(|status| *status == 201));
        for socket in &mut sockets {
            let mut texts = BTreeSet::new();
            for n in 1..=200 {
                let frame = socket.next_frame();
                assert_eq!(frame["unread"], 200 * round + n, "in the order in which they are stored");
                texts.insert(frame["note"]["message"].to_string());
            }
            assert_eq!(texts.len(), 200);
        }
    }
    assert_eq!(person.inbox(server)["message"], 600, "and each is there once");
}

/// A token lives two hours, so the test forges one that has two seconds left.
#[test]
fn a_window_ends_with_the_token_it_was_opened_with() {
    let (server, person) = Person::with(&[]);
    let old = forge(&server, &person.token, |claims| claims["exp"] = (claims["exp"].as_u64().unwrap() - 7_198).into());
    let mut socket = TestSocket::with_token(&server, &old);
    socket.assert_signed_out();
    assert!(!is_alive(&server, &old) && is_alive(&server, &person.token));
}

#[test]
fn what_is_no_small_text_frame_ends_the_window_with_the_reason() {
    let (server, person) = Person::with(&[]);
    let ends = |code: u16, why: &str, send: &dyn Fn(&mut TestSocket)| {
        let mut socket = TestSocket::of(&server, &person);
        send(&mut socket);
        assert_eq!(socket.next(), Received::closed(code, why));
    };
    ends(1003, "text frames only", &|socket| socket.web_socket.send(Message::binary(vec![1, 2, 3])).unwrap());
    ends(1007, "not UTF-8", &|socket| socket.send_pieces(&[b"\"\xff\xfe\""], true));
    ends(1009, "frame too large", &|socket| socket.send_text(&"x".repeat(16 * 1024 + 1)));
    ends(1009, "frame too large", &|socket| socket.send_pieces(&[&[b'x'; 9 * 1024][..]; 2], false));
    // The server does not wait for a frame that never ends.
    for claimed in [20_000_u64, 1 << 40] {
        ends(1009, "frame too large", &|socket| {
            let head = [&[0x81, 0xff][..], &claimed.to_be_bytes(), &[0; 4]].concat();
            socket.web_socket.get_mut().write_all(&[head, vec![b'x'; 17 * 1024]].concat()).unwrap();
        });
    }
    let mut socket = TestSocket::of(&server, &person);
    socket.send_text(&format!("{{\"event\":\"{}\"}}", "x".repeat(16 * 1024 - 12)));
    socket.send_text("nonsense");
    assert_eq!(socket.next_frame()["event"], "event.error", "the largest frame was taken, and the next one heard");
}

#[test]
fn a_frame_that_is_no_object_is_said_so_and_an_unknown_event_ignored() {
    let server = Server::start();
    let mut socket = TestSocket::of(&server, &Person::new(&server));
    for odd in ["", "nonsense", "[]", "null", "7", "{\"event\":", "\"event\"", "{} {}"] {
        socket.send_text(odd);
        assert_eq!(
            socket.next_frame(),
            with_code(json!({ "event": "event.error", "message": "That is not a JSON object." })),
            "{odd}"
        );
    }
    for unknown in ["{}", r#"{"event":"event.unheard-of"}"#, r#"{"event":7,"x":[{}]}"#] {
        socket.send_text(unknown);
    }
    socket.web_socket.send(Message::Ping(vec![1, 2, 3].into())).unwrap();
    socket.send_text("[]");
    assert_eq!(socket.next_frame()["event"], "event.error", "the socket stays");
}

/// Frames of every kind count: a ping costs as much as a text.
#[test]
fn a_flood_is_warned_and_then_cut_off() {
    let (server, person) = Person::with(&[]);
    let floods = [Message::text("{}"), Message::Ping(vec![0; 125].into()), Message::Pong(vec![0; 125].into())];
    for flood in floods {
        let mut socket = TestSocket::of(&server, &person);
        for _ in 0..45 {
            socket.web_socket.write(flood.clone()).unwrap();
        }
        // All frames go out at once, because a frame after the close would reset the connection.
        socket.web_socket.flush().unwrap();
        let received = socket.read_to_end();
        let warning =
            with_code(json!({ "event": "event.error", "message": "You are sending too fast. Wait a moment." }));
        let (last, before) = received.split_last().unwrap();
        assert_eq!(*last, Received::closed(1008, "sending too much"), "{flood:?}");
        assert_eq!(before.len(), 20, "warned a while first: {received:?}");
        assert!(before.iter().all(|received| *received == Received::Frame(warning.clone())), "{received:?}");
    }
}

#[test]
fn the_seventeenth_window_takes_the_place_of_the_oldest() {
    let (server, person) = Person::with(&[]);
    let mut sockets: Vec<_> = (0..17).map(|_| TestSocket::of(&server, &person)).collect();
    assert_eq!(sockets[0].next(), Received::closed(1008, "too many windows"));
    assert_eq!(sockets[0].next(), Received::Ended);
    send_note(&server, &person.target(&server), "for the sixteen others").assert(201, "Anonymous Message Sent");
    for socket in &mut sockets[1..] {
        assert_eq!(socket.next_frame()["unread"], 1);
    }
}

#[test]
fn a_window_that_is_closed_or_torn_away_leaves_nothing() {
    let (server, person) = Person::with(NO_LIMITS);
    let open = || server.metric("annon_inboxes_open");
    for how in ["a close frame", "the end of the connection"] {
        let mut sockets: Vec<_> = (0..5).map(|_| TestSocket::of(&server, &person)).collect();
        assert_eq!(open(), 1.0);
        if how == "a close frame" {
            for socket in &mut sockets {
                socket.web_socket.close(None).unwrap();
                assert!(matches!(socket.next(), Received::Closed(..) | Received::Ended), "it is answered");
            }
        }
        drop(sockets);
        wait_until(how, || open() == 0.0);
        send_note(&server, &person.target(&server), "nobody is looking").assert(201, "Anonymous Message Sent");
    }
}
