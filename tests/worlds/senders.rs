//! What senders must not learn of what became of their notes.

use annon_contract::limits::NOTES_TO_ONE_PER_HOUR;
use serde_json::json;

use crate::api::seal::{fingerprint, key, raw, seal};
use crate::support::push::form_of_usual_service;
use crate::support::server::Server;
use crate::support::talk::{Talk, TalkSocket};
use crate::worlds::notes::{EDGES, asks};
use crate::worlds::watcher::Watcher;
use crate::worlds::world::{Hand, LIMITED, World, form, worlds};

/// All that a sender can do with a conversation, up to what it may say before it is answered.
fn talks(talk: &Talk, watcher: &mut Watcher<'_>) {
    let server = watcher.server;
    watcher.sees(talk.call(server, None, "GET", ""));
    let mut socket = TalkSocket::open(server, talk, None);
    socket.connect(None);
    watcher.hears(&mut socket.socket, |frame| frame["event"] == "event.ready");
    socket.socket.send_text(&json!({ "event": "event.typing" }).to_string());
    for n in 0..4 {
        let line = json!({ "id": format!("{n:015}"), "message": format!("line number {n}") });
        watcher.sees(talk.call(server, None, "POST", "").json(&line));
    }
    let answer = json!({ "id": format!("{:015}", 9), "message": "line that quotes", "reply": 1 });
    watcher.sees(talk.call(server, None, "POST", "").json(&answer));
    let react = json!({ "event": "event.react", "id": format!("{:015}", 10), "line": 2, "emoji": "👍", "on": true });
    socket.socket.send_text(&react.to_string());
    watcher.hears(&mut socket.socket, |frame| frame["event"] == "event.react");
    watcher.sees(talk.call(server, None, "DELETE", "/line/1"));
    watcher.sees(talk.call(server, None, "PUT", "/push").json(&form_of_usual_service()));
    watcher.sees(talk.call(server, None, "GET", "/push"));
    watcher.sees(talk.call(server, None, "DELETE", "/push"));
    watcher.sees(talk.call(server, None, "GET", "?limit=2"));
    let peek = json!({ "ids": [{ "id": talk.id, "key": talk.key }] });
    watcher.sees(server.post("/api/conversations/peek").json(&peek));
    watcher.hears(&mut socket.socket, |frame| frame["event"] == "event.unsend");
}

/// Ends it, and looks whether it has ended.
fn ends(talk: &Talk, watcher: &mut Watcher<'_>) {
    let server = watcher.server;
    let mut socket = TalkSocket::open(server, talk, None);
    socket.connect(None);
    // It is registered as soon as it hears that.
    watcher.hears(&mut socket.socket, |frame| frame["event"] == "event.ready");
    watcher.sees(talk.call(server, None, "DELETE", ""));
    watcher.hears(&mut socket.socket, |frame| frame["event"] == "event.closed");
    watcher.sees(talk.call(server, None, "GET", ""));
}

/// Sends all that one address may send to an inbox, of one hand and of fresh ones, and more.
fn sends_all(world: &World<'_>, watcher: &mut Watcher<'_>, hand: &Hand, words: &str) {
    let server = watcher.server;
    for n in 0..NOTES_TO_ONE_PER_HOUR + 2 {
        let hand = if n % 3 == 0 { Hand::new() } else { hand.clone() };
        // Each even one is sent again after it.
        let even = n - n % 2;
        let more = json!({ "only_for_you": n % 4 == 0, "note_id": format!("{even:032}") });
        watcher.sees(hand.call(server, &world.target, &format!("{words} {even:03}"), &more));
        asks(world, watcher);
    }
    watcher.sees(form(server, &world.owner.username, "a note from a form"));
}

/// A hand writes that is blocked if the secret is so. The watcher is that hand.
pub(super) fn writes_while_blocked(world: &World<'_>, watcher: &mut Watcher<'_>) {
    let hand = Hand::new();
    hand.sends(world, "the note that leads to a block");
    if world.secret {
        world.block_newest();
    }
    let talk = Talk::new();
    let beginning = json!({ "conversation": talk.beginning() });
    watcher.sees(hand.call(watcher.server, &world.target, "a note that asks for an answer", &beginning));
    talks(&talk, watcher);
    watcher.sees(watcher.server.get(&format!("/api/annon/{}?tag={}", world.owner.username, hand.tag)));
    sends_all(world, watcher, &hand, "a note of somebody who may be blocked");
    ends(&talk, watcher);
}

#[test]
fn whoever_is_blocked_does_not_learn_it() {
    let server = Server::with(LIMITED);
    worlds("a hand is blocked or not × that hand", &server, writes_while_blocked);
}

#[test]
fn whoever_is_blocked_in_a_sealed_inbox_does_not_learn_it() {
    let server = Server::with(LIMITED);
    worlds("a hand is blocked or not × that hand in a sealed inbox", &server, |world, watcher| {
        seal(&server, &world.owner, 1, false);
        let hand = Hand::new();
        let sealed = |bytes: usize| (raw(bytes), json!({ "sealed_for": fingerprint(&key(1)) }));
        let (words, for_key) = sealed(594);
        watcher.sees(hand.call(watcher.server, &world.target, &words, &for_key));
        if world.secret {
            world.block_newest();
        }
        let talk = Talk::new();
        let begins = json!({ "sealed_for": fingerprint(&key(1)), "conversation": talk.beginning() });
        watcher.sees(hand.call(watcher.server, &world.target, &format!("{}.{}", raw(1106), raw(93)), &begins));
        watcher.sees(talk.call(watcher.server, None, "GET", ""));
        for n in 0..4 {
            let line = json!({ "id": format!("{n:015}"), "message": raw(93), "sealed": n != 1 });
            watcher.sees(talk.call(watcher.server, None, "POST", "").json(&line));
        }
        for bytes in [594, 1106, 2130, 600] {
            let (words, for_key) = sealed(bytes);
            watcher.sees(hand.call(watcher.server, &world.target, &words, &for_key));
            asks(world, watcher);
        }
        watcher.sees(hand.call(watcher.server, &world.target, "words that nobody has sealed", &json!({})));
        ends(&talk, watcher);
    });
}

/// A hand writes a word that is held back if the secret is so. The watcher is that hand.
pub(super) fn writes_a_held_word(world: &World<'_>, watcher: &mut Watcher<'_>, in_batches: bool) {
    let word = if world.secret { "zebra" } else { "giraffe" };
    world.set(&json!({ "held_words": [word], "batches": in_batches }));
    // One more than these raises the shield.
    world.crowd(EDGES[1] - 10);
    let (hand, talk) = (Hand::new(), Talk::new());
    let beginning = json!({ "conversation": talk.beginning() });
    watcher.sees(hand.call(watcher.server, &world.target, "a note about a zebra", &beginning));
    talks(&talk, watcher);
    sends_all(world, watcher, &hand, "a note about another zebra");
    ends(&talk, watcher);
}

#[test]
fn whoever_sends_a_held_word_does_not_learn_it() {
    let server = Server::with(LIMITED);
    for in_batches in [false, true] {
        worlds("a note is held or shown × its sender", &server, |world, watcher| {
            writes_a_held_word(world, watcher, in_batches);
        });
    }
}

#[test]
fn whoever_sent_a_note_does_not_learn_that_it_is_archived() {
    let server = Server::with(LIMITED);
    worlds("a note is archived or not × its sender", &server, |world, watcher| {
        let talk = Hand::new().begins(world, "a note that asks for an answer");
        if world.secret {
            let path = format!("/api/message/{}", world.notes()[0]);
            let archived = world.owner.send(world.here, "PATCH", &path, &json!({ "archived": true }));
            assert_eq!(archived.status, 200, "{archived:?}");
        }
        talks(&talk, watcher);
        ends(&talk, watcher);
    });
}
