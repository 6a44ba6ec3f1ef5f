//! Conversations over sockets: both sides live, what was missed, and how windows end.

use serde_json::{Value, json};

use crate::api::operator::done;
use crate::support::client::with_code;
use crate::support::patience::at_once;
use crate::support::person::Person;
use crate::support::server::NO_LIMITS;
use crate::support::talk::{Talk, TalkSocket};
use crate::support::test_socket::{Received, TestSocket, handshake};

const NOTE: &str = "You were great on stage yesterday.";

/// An `event.line`, without its times.
fn line(seq: u64, n: u64, from: &str, message: &str) -> Value {
    json!({ "event": "event.line", "seq": seq, "id": format!("{n:015}"), "from": from, "message": message, "seen": false })
}

fn seen(seq: u64, from: &str, upto: u64) -> Value {
    json!({ "event": "event.seen", "seq": seq, "from": from, "upto": upto })
}

fn ended() -> [Received; 2] {
    let frame = with_code(json!({ "event": "event.closed", "message": "This conversation has ended" }));
    [Received::Frame(frame), Received::closed(4410, "the conversation has ended")]
}

#[test]
fn the_other_side_is_told_who_writes_and_nobody_else_is() {
    let (server, owner) = Person::with(NO_LIMITS);
    let talk = Talk::begun(&server, &owner, NOTE);
    let open = |who| TalkSocket::connected(&server, &talk, who, None, 0);
    let (mut sender, mut second, mut owners) = (open(None), open(None), open(Some(&owner)));
    let writes = |socket: &mut TalkSocket| socket.socket.send_text(&json!({ "event": "event.typing" }).to_string());
    writes(&mut sender);
    // Soon after that nobody is told again.
    writes(&mut sender);
    assert_eq!(owners.next_frame(), json!({ "event": "event.typing", "from": "sender" }));
    writes(&mut owners);
    for socket in [&mut sender, &mut second] {
        assert_eq!(socket.next_frame(), json!({ "event": "event.typing", "from": "owner" }));
    }
    talk.said(&server, None, 1, "Will you play again?");
    for socket in [&mut sender, &mut second, &mut owners] {
        assert_eq!(socket.next_frame(), line(1, 1, "sender", "Will you play again?"));
    }
    let close = talk.call(&server, Some(&owner), "PATCH", "").json(&json!({ "open": false })).send();
    assert_eq!(close.status, 200, "{close:?}");
    for socket in [&mut sender, &mut second, &mut owners] {
        assert_eq!(socket.next_frame()["event"], "event.open");
    }
    // In a closed one nobody writes.
    writes(&mut second);
    talk.call(&server, None, "DELETE", "/line/1").send().assert(200, "Line unsent");
    assert_eq!(owners.next_frame()["event"], "event.unsend");
}

#[test]
fn a_line_answers_another_and_both_sides_react_and_it_is_there_when_one_comes_back() {
    let (server, owner) = Person::with(NO_LIMITS);
    let talk = Talk::begun(&server, &owner, NOTE);
    let mut both = [None, Some(&owner)].map(|who| TalkSocket::connected(&server, &talk, who, None, 0));
    talk.said(&server, None, 1, "Will you play again?");
    let send = |socket: &mut TalkSocket, frame: Value| socket.socket.send_text(&frame.to_string());
    let id = |n: u64| format!("{n:015}");
    send(&mut both[1], json!({ "event": "event.line", "id": id(2), "message": "On Friday.", "reply": 1 }));
    let quote = json!({ "seq": 1, "from": "sender", "message": "Will you play again?" });
    for socket in &mut both {
        assert_eq!(
            socket.next_where(|frame| frame["from"] == "owner" && frame["event"] == "event.line")["reply"],
            quote
        );
    }
    let react = |n: u64, line: u64, emoji: &str, on: bool| json!({ "event": "event.react", "id": id(n), "line": line, "emoji": emoji, "on": on });
    let reacted = |line: u64, reactions: Value, seq: u64| json!({ "event": "event.react", "line": line, "reactions": reactions, "seq": seq });
    send(&mut both[0], react(3, 3, "👍", true));
    let one = json!([{ "emoji": "👍", "from": ["sender"] }]);
    for socket in &mut both {
        assert_eq!(socket.next_frame(), reacted(3, one.clone(), 4));
    }
    // Whoever asks again is told how it is, and nobody else is.
    send(&mut both[0], react(3, 3, "👍", true));
    assert_eq!(both[0].next_frame(), reacted(3, one, 4));
    send(&mut both[1], react(4, 3, "👍", true));
    let two = json!([{ "emoji": "👍", "from": ["sender", "owner"] }]);
    for socket in &mut both {
        assert_eq!(socket.next_frame(), reacted(3, two.clone(), 5));
    }
    for (frame, code) in [(react(5, 9, "👍", true), "message_gone"), (react(6, 3, "fox", true), "no_such_sign")] {
        send(&mut both[0], frame.clone());
        let refused = both[0].next_frame();
        assert_eq!(
            (&refused["event"], &refused["id"], &refused["code"]),
            (&json!("event.error"), &frame["id"], &json!(code))
        );
    }
    assert_eq!(talk.read(&server, None)["lines"][1]["reactions"], two);
    // Whoever was away is told what has changed.
    let mut late = TalkSocket::open(&server, &talk, None);
    late.connect(Some(4));
    assert_eq!(late.next_frame(), reacted(3, two, 5));
    talk.call(&server, None, "DELETE", "/line/1").send().assert(200, "Line unsent");
    talk.call(&server, Some(&owner), "DELETE", "/line/3").send().assert(200, "Line unsent");
    let lines = talk.read(&server, Some(&owner))["lines"].clone();
    assert!(lines[1].get("reactions").is_none() && lines[1].get("reply").is_none(), "{lines}");
}

#[test]
fn both_sides_see_what_is_said_as_it_happens() {
    let (server, owner) = Person::with(NO_LIMITS);
    let mut inbox = TestSocket::of(&server, &owner);
    let talk = Talk::begun(&server, &owner, NOTE);
    let first = [inbox.next_frame(), inbox.next_frame()];
    let of = |event: &str| first.iter().find(|frame| frame["event"] == event).unwrap();
    assert_eq!(of("event.inbox")["note"]["conversation"], json!(talk.id));
    assert_eq!(
        (&of("event.conversation")["id"], &of("event.conversation")["data"]["unread"]),
        (&json!(talk.id), &json!(0))
    );

    let mut both = [None, Some(&owner)].map(|who| TalkSocket::connected(&server, &talk, who, None, 0));
    let mut told = |expected: &[Value]| {
        for socket in &mut both {
            for frame in expected {
                assert_eq!(socket.next_frame(), *frame);
            }
        }
    };
    talk.said(&server, None, 1, "Will you play again?");
    told(&[line(1, 1, "sender", "Will you play again?")]);
    assert_eq!(inbox.next_frame()["data"]["unread"], 1);
    talk.said(&server, Some(&owner), 1, "On Friday.");
    told(&[seen(2, "owner", 1), line(3, 1, "owner", "On Friday.")]);
    assert_eq!(inbox.next_frame()["data"]["last"]["message"], "On Friday.");
    talk.call(&server, Some(&owner), "DELETE", "/line/3").send().assert(200, "Line unsent");
    told(&[json!({ "event": "event.unsend", "line": 3, "seq": 4 })]);
    assert_eq!(inbox.next_frame()["data"]["last"]["message"], "Will you play again?");
    talk.said(&server, Some(&owner), 2, "On Saturday.");
    told(&[line(5, 2, "owner", "On Saturday.")]);
    inbox.next_frame();
    talk.call(&server, None, "PATCH", "").json(&json!({ "seen": 5 })).send().assert(200, "Lines seen");
    told(&[seen(6, "sender", 5)]);
    inbox.next_frame();
    talk.call(&server, Some(&owner), "PATCH", "")
        .json(&json!({ "open": false }))
        .send()
        .assert(200, "Conversation closed");
    told(&[json!({ "event": "event.open", "open": false, "seq": 7 })]);
    assert_eq!(inbox.next_frame()["data"]["open"], false);
    talk.call(&server, None, "DELETE", "").send().assert(200, "Conversation ended");
    for socket in &mut both {
        assert_eq!(socket.socket.read_to_end(), ended());
    }
    assert_eq!(inbox.next_frame(), json!({ "event": "event.conversation", "id": talk.id }));
}

#[test]
fn a_window_says_what_was_seen() {
    let (server, owner) = Person::with(NO_LIMITS);
    let talk = Talk::begun(&server, &owner, NOTE);
    talk.said(&server, None, 1, "a line");
    let mut socket = TalkSocket::connected(&server, &talk, Some(&owner), Some(1), 1);
    socket.socket.send_text(&json!({ "event": "event.seen", "seq": 1 }).to_string());
    assert_eq!(socket.next_frame(), seen(2, "owner", 1));
    // An unknown event is ignored, and a connection is tested by another `event.connect`.
    socket.socket.send_text(&json!({ "event": "event.of-tomorrow" }).to_string());
    socket.connect(None);
    assert_eq!(socket.next_frame(), json!({ "event": "event.ready", "last_seq": 2, "resumed": false }));
    socket.socket.send_text("words");
    assert_eq!(socket.next_frame()["code"], "frame_not_json");
}

fn say(socket: &mut TalkSocket, n: u64, message: &str) {
    let frame = json!({ "event": "event.line", "id": format!("{n:015}"), "message": message });
    socket.socket.send_text(&frame.to_string());
}

/// The next frame, which refuses a line: its code and the line's id.
fn refusal(socket: &mut TalkSocket) -> (Value, Value) {
    let frame = socket.next_frame();
    assert_eq!(frame["event"], "event.error", "{frame}");
    (frame["code"].clone(), frame["id"].clone())
}

#[test]
fn a_line_is_said_through_a_window_once_and_in_order() {
    let (server, owner) = Person::with(NO_LIMITS);
    let talk = Talk::begun(&server, &owner, NOTE);
    let [mut theirs, mut mine] = [None, Some(&owner)].map(|who| TalkSocket::connected(&server, &talk, who, None, 0));
    say(&mut theirs, 1, "  a question\r\n");
    for socket in [&mut theirs, &mut mine] {
        assert_eq!(socket.next_frame(), line(1, 1, "sender", "a question"));
    }
    for n in 1..=15 {
        say(&mut mine, n, &format!("answer {n}"));
    }
    for socket in [&mut theirs, &mut mine] {
        assert_eq!(socket.next_frame(), seen(2, "owner", 1));
        for n in 1..=15 {
            assert_eq!(socket.next_frame(), line(n + 2, n, "owner", &format!("answer {n}")));
        }
    }
    // What was said before is said, and its window is shown it again.
    say(&mut theirs, 1, "something else");
    let again = theirs.next_frame();
    assert_eq!((&again["seq"], &again["message"], &again["seen"]), (&json!(1), &json!("a question"), &json!(true)));
    say(&mut theirs, 2, "another question");
    assert_eq!(theirs.next_frame(), seen(18, "sender", 17));
    assert_eq!(theirs.next_frame(), line(19, 2, "sender", "another question"));
    assert_eq!(mine.next_frame(), seen(18, "sender", 17), "nobody else was shown the line again");
    assert_eq!(talk.read(&server, None)["lines"].as_array().unwrap().len(), 17);
}

#[test]
fn a_line_that_is_refused_in_a_window_is_named() {
    let (server, owner) = Person::with(NO_LIMITS);
    let talk = Talk::begun(&server, &owner, NOTE);
    let [mut theirs, mut mine] = [None, Some(&owner)].map(|who| TalkSocket::connected(&server, &talk, who, None, 0));
    let id = |n: u64| json!(format!("{n:015}"));
    for (message, code) in [(" \n ", "message_empty"), (&*"é".repeat(281), "line_too_long")] {
        say(&mut theirs, 7, message);
        assert_eq!(refusal(&mut theirs), (json!(code), id(7)));
    }
    theirs.socket.send_text(&json!({ "event": "event.line", "id": "short", "message": "words" }).to_string());
    assert_eq!(refusal(&mut theirs), (json!("message_id_invalid"), Value::Null));
    theirs.socket.send_text(&json!({ "event": "event.line" }).to_string());
    assert_eq!(refusal(&mut theirs), (json!("message_id_invalid"), Value::Null));
    for n in 1..=3 {
        say(&mut theirs, n, "a line");
        assert_eq!(theirs.next_frame(), line(n, n, "sender", "a line"));
    }
    say(&mut theirs, 4, "a fourth");
    assert_eq!(refusal(&mut theirs), (json!("wait_for_answer"), id(4)));
    done(&server.folder, &["user", "suspend", &owner.username, "--days", "1", "--reason", "spam"]);
    say(&mut mine, 1, "an answer");
    assert_eq!(mine.next_where(|frame| frame["event"] != "event.line")["code"], "suspended");
    done(&server.folder, &["user", "restore", &owner.username]);
    for n in 1..=40 {
        say(&mut mine, n, "an answer");
    }
    let too_fast = mine.next_where(|frame| frame["event"] == "event.error");
    assert_eq!(too_fast["code"], "sending_too_fast");
    assert!(too_fast["id"].is_string(), "{too_fast}");
    talk.call(&server, Some(&owner), "PATCH", "").json(&json!({ "open": false })).send();
    theirs.next_where(|frame| frame["event"] == "event.open");
    say(&mut theirs, 9, "too late");
    assert_eq!(refusal(&mut theirs), (json!("conversation_closed"), id(9)));
}

#[test]
fn a_window_gets_what_it_has_missed_and_nothing_twice() {
    let (server, owner) = Person::with(NO_LIMITS);
    let talk = Talk::begun(&server, &owner, NOTE);
    for n in 1..=3 {
        talk.said(&server, None, n, &format!("line {n}"));
    }
    talk.said(&server, Some(&owner), 1, "an answer");
    for unsent in [2, 3] {
        talk.call(&server, None, "DELETE", &format!("/line/{unsent}")).send().assert(200, "Line unsent");
    }
    talk.call(&server, Some(&owner), "PATCH", "").json(&json!({ "open": false })).send();
    let mut socket = TalkSocket::open(&server, &talk, None);
    socket.connect(Some(2));
    let mut third = line(3, 3, "sender", "");
    (third["unsent"], third["seen"]) = (json!(true), json!(true));
    let missed = [
        third,
        seen(4, "owner", 3),
        line(5, 1, "owner", "an answer"),
        json!({ "event": "event.unsend", "line": 2, "seq": 6 }),
        json!({ "event": "event.open", "open": false, "seq": 8 }),
        json!({ "event": "event.ready", "last_seq": 8, "resumed": true }),
    ];
    for frame in missed {
        assert_eq!(socket.next_frame(), frame);
    }
    for (since, resumed) in [(Some(8), true), (Some(99), false), (None, false)] {
        socket.connect(since);
        assert_eq!(socket.next_frame(), json!({ "event": "event.ready", "last_seq": 8, "resumed": resumed }));
    }
}

#[test]
fn a_window_opens_for_those_two_alone_and_ends_with_its_token() {
    let (server, owner) = Person::with(NO_LIMITS);
    let (stranger, talk) = (Person::new(&server), Talk::begun(&server, &owner, NOTE));
    let path = format!("{}/socket", talk.path());
    for (protocols, status, code) in [
        (format!("annon-key, {}", Talk::new().key), 404, "no_such_conversation"),
        (format!("bearer, {}", stranger.token), 404, "no_such_conversation"),
        ("bearer, x".to_owned(), 401, "signed_out"),
        (String::new(), 401, "signed_out"),
    ] {
        let answer = handshake(&server, &path, &protocols).send();
        assert_eq!((answer.status, &answer.json()["code"]), (status, &json!(code)), "{protocols}");
    }
    let elsewhere =
        handshake(&server, &path, &format!("annon-key, {}", talk.key)).header("Origin", "https://evil.example");
    assert_eq!(elsewhere.send().json()["code"], "socket_from_elsewhere");
    let again = Person { token: owner.sign_in(&server), ..owner.clone() };
    let mut theirs = TalkSocket::connected(&server, &talk, None, None, 0);
    let [mut first, mut second] = [&owner, &again].map(|who| TalkSocket::connected(&server, &talk, Some(who), None, 0));
    assert_eq!(owner.call(&server, "POST", "/api/logout").send().status, 200);
    first.socket.assert_signed_out();
    talk.said(&server, Some(&again), 1, "still here");
    for socket in [&mut theirs, &mut second] {
        assert_eq!(socket.next_frame(), line(1, 1, "owner", "still here"));
    }
    let mut others: Vec<_> = (0..8).map(|_| TalkSocket::connected(&server, &talk, None, None, 1)).collect();
    assert_eq!(theirs.socket.next(), Received::closed(1008, "too many windows"), "the oldest of nine has to go");
    assert_eq!(again.delete(&server, &again.password).status, 200);
    for socket in &mut others {
        assert_eq!(socket.socket.read_to_end(), ended());
    }
    let why = second.next_frame()["code"].clone();
    assert!(["conversation_ended", "signed_out"].contains(&why.as_str().unwrap()), "whichever is first: {why}");
}

#[test]
fn a_link_that_two_have_opened_at_once_is_one_sender() {
    let (server, owner) = Person::with(NO_LIMITS);
    let talk = Talk::begun(&server, &owner, NOTE);
    let open = |()| {
        let (server, talk) = (&server, &talk);
        move || TalkSocket::connected(server, talk, None, None, 0)
    };
    let mut both = at_once([(); 2].map(open));
    for n in 1..=3 {
        say(&mut both[n as usize % 2], n, &format!("line {n}"));
        for window in &mut both {
            assert_eq!(window.next_frame(), line(n, n, "sender", &format!("line {n}")));
        }
    }
    for window in &mut both {
        say(window, 4, "a fourth");
        assert_eq!(refusal(window).0, "wait_for_answer", "three in a row are those of both");
    }
    talk.said(&server, Some(&owner), 1, "an answer");
    for window in &mut both {
        assert_eq!(window.next_where(|frame| frame["event"] == "event.line")["message"], "an answer");
    }
    let again = || talk.said(&server, None, 5, "said by both at once");
    let seqs = at_once([again, again]);
    assert_eq!(seqs[0], seqs[1], "one id is one line");
    for window in &mut both {
        let frame = window.next_where(|frame| frame["event"] == "event.line");
        assert_eq!(frame["message"], "said by both at once");
    }
    let end = || talk.call(&server, None, "DELETE", "").send().status;
    assert!(at_once([end, end]).iter().all(|status| [200, 404].contains(status)));
    for window in &mut both {
        assert_eq!(window.socket.read_to_end(), ended());
    }
    talk.assert_gone(&server, &owner);
}
