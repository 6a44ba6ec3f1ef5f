//! Conversations that their owner must not know of: nothing that becomes of them is told to the
//! owner, and their senders see what those of others see.

use annon_contract::limits::{CONVERSATIONS_OF_TAG, HELD_NOTES};
use serde_json::{Value, json};

use crate::api::shield::{TAGS, block, ids, send_as, set};
use crate::support::client::Answer;
use crate::support::person::{Person, send_note};
use crate::support::server::{NO_LIMITS, Server};
use crate::support::talk::{Talk, TalkSocket};
use crate::support::test_socket::TestSocket;

const SENT: &str = "Anonymous Message Sent";

fn begin(server: &Server, target: &str, talk: &Talk, note: &str, tag: Option<&str>) -> Answer {
    let conversation = json!({ "id": talk.id, "proof": talk.proof() });
    let form = json!({ "id": target, "message": note, "conversation": conversation, "tag": tag });
    server.post("/api/annon-message").json(&form).send()
}

fn begun(server: &Server, target: &str, note: &str, tag: Option<&str>) -> Talk {
    let talk = Talk::new();
    begin(server, target, &talk, note, tag).assert(201, SENT);
    talk
}

fn end(server: &Server, talk: &Talk) {
    talk.call(server, None, "DELETE", "").send().assert(200, "Conversation ended");
}

/// An owner who holds a word back and has blocked the first tag.
fn shielded(server: &Server, owner: &Person) -> String {
    let target = owner.target(server);
    send_as(server, &target, "a note of somebody to block", TAGS[0]).assert(201, SENT);
    assert_eq!(block(server, owner, &ids(&owner.inbox(server))[0]).status, 200);
    set(server, owner, &json!({ "held_words": ["stupid"] }));
    target
}

/// The conversations of which a socket is told until this note comes.
fn told_until(socket: &mut TestSocket, note: &str) -> Vec<Value> {
    let mut told = Vec::new();
    loop {
        let frame = socket.next_frame();
        if frame["note"]["message"] == note {
            return told;
        }
        told.extend((frame["event"] == "event.conversation").then_some(frame));
    }
}

#[test]
fn an_owner_hears_nothing_of_the_end_of_one_that_they_must_not_know_of() {
    let (server, owner) = Person::with(NO_LIMITS);
    let target = shielded(&server, &owner);
    let mut socket = TestSocket::of(&server, &owner);
    let blocked = begun(&server, &target, "a note of somebody blocked", Some(TAGS[0]));
    let held = begun(&server, &target, "a stupid note that is held back", Some(TAGS[1]));
    end(&server, &blocked);
    end(&server, &held);
    send_note(&server, &target, "the first one that is shown").assert(201, SENT);
    assert_eq!(told_until(&mut socket, "the first one that is shown"), [] as [Value; 0]);
    // Nor with all others, when the owner deletes everything.
    let others = ["a note of somebody blocked", "a stupid note that is held back"];
    let hidden: Vec<_> = others.iter().map(|note| begun(&server, &target, note, Some(TAGS[0]))).collect();
    let shown = begun(&server, &target, "a note like any other", None);
    told_until(&mut socket, "a note like any other");
    assert_eq!(owner.call(&server, "DELETE", "/api/messages").send().status, 200);
    send_note(&server, &target, "the last one that is shown").assert(201, SENT);
    let mut told = told_until(&mut socket, "the last one that is shown");
    let ended = json!({ "event": "event.conversation", "id": shown.id });
    while !told.contains(&ended) {
        told.push(socket.next_frame());
    }
    assert!(told.iter().all(|frame| frame["event"] != "event.conversation" || frame["id"] == shown.id), "{told:?}");
    for talk in hidden.iter().chain([&shown]) {
        talk.assert_gone(&server, &owner);
    }
}

#[test]
fn a_held_note_that_makes_room_for_others_ends_nothing_for_its_sender() {
    let (server, owner) = Person::with(NO_LIMITS);
    let target = shielded(&server, &owner);
    let held = begun(&server, &target, "a stupid note that waits", None);
    let mut window = TalkSocket::connected(&server, &held, None, None, 0);
    let mut send = |n: usize| {
        send_note(&server, &target, &format!("stupid note number {n}")).assert(201, SENT);
        window.socket.is_here();
    };
    (0..HELD_NOTES).for_each(&mut send);
    // Those of one minute are in random order, so it may not be the first that goes.
    let mut more = HELD_NOTES..;
    while owner.holds_back(&server, "a stupid note that waits") {
        more.by_ref().take(50).for_each(&mut send);
    }
    assert_eq!(held.said(&server, None, 1, "are you there?"), 1);
    assert_eq!(window.next_frame()["message"], "are you there?", "and its window is told");
    // Nobody else can begin one under its id, and speak with its sender.
    let again = begin(&server, &target, &held, "a note that claims it", None);
    assert_eq!((again.status, again.json()["code"].as_str()), (409, Some("conversation_taken")));
}

#[test]
fn one_hand_has_so_many_open_ones_blocked_or_not() {
    let (server, owner) = Person::with(NO_LIMITS);
    let target = shielded(&server, &owner);
    for tag in TAGS {
        let all: Vec<_> = (0..CONVERSATIONS_OF_TAG)
            .map(|n| begun(&server, &target, &format!("a note of one hand, number {n}"), Some(tag)))
            .collect();
        let one_more = || begin(&server, &target, &Talk::new(), "one more than there may be", Some(tag));
        let refused = one_more();
        assert_eq!((refused.status, refused.json()["code"].as_str()), (409, Some("no_more_conversations")));
        end(&server, &all[3]);
        one_more().assert(201, SENT);
        let there = |talk: &&Talk| talk.call(&server, None, "GET", "").send().status == 200;
        assert_eq!(all.iter().filter(there).count(), CONVERSATIONS_OF_TAG - 1, "none has ended by itself");
    }
    let listed = owner.get(&server, "/api/conversations?limit=200").json();
    assert_eq!(listed["data"].as_array().unwrap().len(), CONVERSATIONS_OF_TAG, "of those that the owner may know of");
}
