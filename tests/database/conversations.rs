//! Conversations at two servers on one database.

use serde_json::json;

use crate::support::database::{Databases, with};
use crate::support::person::Person;
use crate::support::server::{Folder, Server};
use crate::support::talk::{Talk, TalkSocket};
use crate::support::test_socket::{Received, TestSocket};

#[test]
fn the_two_who_talk_are_at_two_servers_and_notice_nothing_of_it() {
    let (databases, elsewhere) = (Databases::start(), Folder::new());
    let flags = databases.flags();
    let (one, other) = (databases.serve(), Server::on(&elsewhere, &with(&flags, "--node-name", Some("the second"))));
    let owner = Person::new(&one);
    let talk = Talk::begun(&one, &owner, "a note that asks for an answer");
    let mut inbox = TestSocket::of(&other, &owner);
    let mut sender = TalkSocket::connected(&one, &talk, None, None, 0);
    let mut theirs = TalkSocket::connected(&other, &talk, Some(&owner), None, 0);
    for round in 1..=5 {
        let asked = talk.said(&one, None, round, &format!("question {round}"));
        for socket in [&mut sender, &mut theirs] {
            let frame = socket.next_where(|frame| frame["event"] == "event.line");
            assert_eq!((&frame["seq"], &frame["message"]), (&json!(asked), &json!(format!("question {round}"))));
        }
        let answered = talk.said(&other, Some(&owner), round, &format!("answer {round}"));
        for socket in [&mut sender, &mut theirs] {
            let frame = socket.next_where(|frame| frame["event"] == "event.line");
            assert_eq!((&frame["seq"], &frame["message"]), (&json!(answered), &json!(format!("answer {round}"))));
        }
    }
    assert_eq!(talk.read(&one, None)["lines"], talk.read(&other, None)["lines"]);
    // Also where nothing but the inbox is open, its owner is told.
    let listed = loop {
        let frame = inbox.next_frame();
        if frame["event"] == "event.conversation" && frame["data"]["last"]["message"] == "answer 5" {
            break frame;
        }
    };
    assert_eq!((&listed["id"], &listed["data"]["unread"]), (&json!(talk.id), &json!(0)));
    // A sign-out at one server ends the window at the other, and nothing else.
    let again = Person { token: owner.sign_in(&one), ..owner.clone() };
    let mut second = TalkSocket::open(&other, &talk, Some(&again));
    assert_eq!(owner.call(&one, "POST", "/api/logout").send().status, 200);
    theirs.next_where(|frame| frame["event"] == "event.closed" && frame["code"] == "signed_out");
    second.connect(None);
    second.next_where(|frame| frame["event"] == "event.ready");
    talk.call(&one, None, "DELETE", "").send().assert(200, "Conversation ended");
    for socket in [&mut sender, &mut second] {
        socket.next_where(|frame| frame["event"] == "event.closed" && frame["code"] == "conversation_ended");
        assert_eq!(socket.socket.next(), Received::closed(4410, "the conversation has ended"));
    }
    talk.assert_gone(&other, &again);
}

#[test]
fn at_no_server_an_owner_hears_of_the_end_of_one_that_they_must_not_know_of() {
    let (databases, elsewhere) = (Databases::start(), Folder::new());
    let flags = databases.flags();
    let (one, other) = (databases.serve(), Server::on(&elsewhere, &with(&flags, "--node-name", Some("the second"))));
    let owner = Person::new(&one);
    owner.send(&one, "PATCH", "/api/inbox", &json!({ "held_words": ["stupid"] }));
    let held = Talk::begun(&one, &owner, "a stupid note that is held back");
    let shown = Talk::begun(&one, &owner, "a note like any other");
    let mut inboxes = [&one, &other].map(|server| TestSocket::of(server, &owner));
    let mut window = TalkSocket::connected(&other, &held, None, None, 0);
    held.call(&one, None, "DELETE", "").send().assert(200, "Conversation ended");
    window.next_where(|frame| frame["event"] == "event.closed" && frame["code"] == "conversation_ended");
    shown.call(&one, None, "DELETE", "").send().assert(200, "Conversation ended");
    let ended = json!({ "event": "event.conversation", "id": shown.id });
    for inbox in &mut inboxes {
        loop {
            let frame = inbox.next_frame();
            assert_ne!(frame["id"], json!(held.id), "{frame}");
            if frame == ended {
                break;
            }
        }
    }
}
