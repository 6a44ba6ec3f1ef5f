//! What an owner and senders must not learn by how conversations end.

use std::collections::BTreeSet;

use annon_contract::limits::{CONVERSATIONS_OF_TAG, HELD_NOTES};
use serde_json::{Value, json};

use crate::support::client::Call;
use crate::support::person::Person;
use crate::support::server::{Folder, Server};
use crate::support::talk::{Talk, TalkSocket};
use crate::support::test_socket::TestSocket;
use crate::worlds::notes::looks;
use crate::worlds::watcher::Watcher;
use crate::worlds::world::{Hand, LIMITED, World, address, worlds};

/// A note of somebody: if the secret is so, it begins a conversation.
fn comes(world: &World<'_>, hand: &Hand, words: &str) -> Option<Talk> {
    if world.secret {
        return Some(hand.begins(world, words));
    }
    hand.sends(world, words);
    None
}

/// Begins a conversation that the owner is shown, and hears of it.
fn is_begun(
    world: &World<'_>,
    watcher: &mut Watcher<'_>,
    socket: &mut TestSocket,
    hears: &[&str],
    words: &str,
) -> Talk {
    let talk = Hand::new().begins(world, words);
    let comes = |frame: &Value| frame["note"]["message"] == words || frame["data"]["note"]["message"] == words;
    watcher
        .hears_each(socket, &hears.iter().map(|event| (*event, &comes as &dyn Fn(&Value) -> bool)).collect::<Vec<_>>());
    talk
}

/// Conversations end that their owner was not shown, by their senders and with all notes. The watcher is the owner,
/// who hears events of these kinds.
pub(super) fn end_unseen(world: &World<'_>, watcher: &mut Watcher<'_>, hears: &[&str]) {
    let blocked = Hand::new();
    blocked.sends(world, "a note that leads to a block");
    world.block_newest();
    world.set(&json!({ "held_words": ["zebra"] }));
    let mut socket = TestSocket::of(watcher.server, &world.owner);
    let shown = ["the first one that is shown", "the second one that is shown"]
        .map(|words| is_begun(world, watcher, &mut socket, hears, words));
    let end = |talk: &Talk| {
        talk.call(world.here, None, "DELETE", "").send().assert(200, "Conversation ended");
    };
    let held = Hand::new();
    for (hand, words) in [(&blocked, "a note that is dropped"), (&held, "a note about a zebra")] {
        // One ends here, and the other one with all notes.
        comes(world, hand, words).iter().for_each(end);
        comes(world, hand, words);
    }
    world.set(&json!({ "batches": true }));
    comes(world, &held, "a note that waits").iter().for_each(end);
    comes(world, &held, "another note that waits");
    let has_ended = |talk: &Talk| json!({ "event": "event.conversation", "id": talk.id });
    end(&shown[0]);
    let ended = has_ended(&shown[0]);
    watcher.hears_each(&mut socket, &[("event.conversation", &|frame| *frame == ended)]);
    looks(world, watcher);
    watcher.sees(world.owner.call(watcher.server, "DELETE", "/api/messages"));
    let ended = has_ended(&shown[1]);
    watcher.hears_each(&mut socket, &[("event.conversation", &|frame| *frame == ended)]);
    world.set(&json!({ "batches": false }));
    is_begun(world, watcher, &mut socket, hears, "the last one that is shown");
    looks(world, watcher);
}

#[test]
fn an_owner_does_not_learn_that_a_conversation_has_ended_which_they_were_not_shown() {
    let server = Server::with(LIMITED);
    worlds("a hidden conversation has ended or never was × owner", &server, |world, watcher| {
        end_unseen(world, watcher, &["event.inbox", "event.conversation"]);
    });
}

/// A hand that is blocked, and has as many conversations as there may be, goes on writing if the secret is so. The
/// watcher is the owner, who was shown some of them and hears events of these kinds.
pub(super) fn write_on(world: &World<'_>, watcher: &mut Watcher<'_>, hears: &[&str]) {
    let hand = Hand::new();
    for n in 0..CONVERSATIONS_OF_TAG {
        hand.begins(world, &format!("one of many of a hand, {n:02}"));
    }
    world.block_newest();
    let mut socket = TestSocket::of(watcher.server, &world.owner);
    // Another node may still tell of those.
    let first = "the first note of somebody else";
    Hand::new().begins(world, first);
    let mut heard = BTreeSet::new();
    while heard.len() < hears.len() {
        let frame = socket.next_frame();
        if [&frame["note"], &frame["data"]["note"]].iter().any(|note| note["message"] == first) {
            heard.extend(frame["event"].as_str().filter(|event| hears.contains(event)).map(str::to_owned));
        }
    }
    let begins = |words: &str| {
        let beginning = json!({ "conversation": Talk::new().beginning() });
        let call = hand.call(world.here, &world.target, words, &beginning);
        call.header("X-Forwarded-For", &address()).send()
    };
    if world.secret {
        (0..3).for_each(|n| assert_eq!(begins(&format!("a note that is dropped, {n}")).status, 409));
        hand.sends(world, "a note that asks for nothing");
    }
    is_begun(world, watcher, &mut socket, hears, "a note of somebody else");
    looks(world, watcher);
    let blocks = world.owner.get(watcher.server, "/api/blocks").json();
    let block = blocks["data"][0]["id"].as_str().unwrap().to_owned();
    watcher.sees(world.owner.call(watcher.server, "DELETE", &format!("/api/block/{block}")));
    world.set(&json!({ "batches": true }));
    if world.secret {
        assert_eq!(begins("a note that would wait").status, 409);
    }
    looks(world, watcher);
}

#[test]
fn an_owner_does_not_learn_which_conversations_are_of_the_hand_that_writes_on() {
    let server = Server::with(LIMITED);
    worlds("a hand that has many conversations writes on or not × owner", &server, |world, watcher| {
        write_on(world, watcher, &["event.inbox", "event.conversation"]);
    });
}

/// A note with a word that is held back if the secret is so.
fn about_a_zebra(world: &World<'_>, watcher: &mut Watcher<'_>) -> Talk {
    let word = if world.secret { "zebra" } else { "giraffe" };
    world.set(&json!({ "held_words": [word], "shield": "off" }));
    let talk = Talk::new();
    let beginning = json!({ "conversation": talk.beginning() });
    watcher.sees(Hand::new().call(world.here, &world.target, "a note about a zebra", &beginning));
    talk
}

fn says(server: &Server, talk: &Talk, n: u32) -> Call {
    talk.call(server, None, "POST", "")
        .json(&json!({ "id": format!("{n:015}"), "message": format!("line number {n}") }))
}

#[test]
fn whoever_waits_until_a_held_note_makes_room_does_not_learn_that_it_was_held() {
    let server = Server::with(LIMITED);
    worlds("a note has made room for others or is shown × its sender", &server, |world, watcher| {
        let talk = about_a_zebra(world, watcher);
        let server = watcher.server;
        let mut window = TalkSocket::open(server, &talk, None);
        window.connect(None);
        watcher.hears(&mut window.socket, |frame| frame["event"] == "event.ready");
        let mut send = |n: usize| {
            Hand::new().sends(world, &format!("another zebra, {n:03}"));
            window.socket.is_here();
        };
        (0..HELD_NOTES).for_each(&mut send);
        // Those of one minute go in any order.
        while world.owner.holds_back(server, "a note about a zebra") {
            (0..50).for_each(&mut send);
        }
        watcher.sees(talk.call(server, None, "GET", ""));
        if watcher.sees(says(server, &talk, 1)).status == 201 {
            watcher.hears(&mut window.socket, |frame| frame["event"] == "event.line");
        }
        // As long as it goes on, nobody begins another one under its id.
        let other = Talk { id: talk.id.clone(), ..Talk::new() };
        let claims = || {
            let beginning = json!({ "conversation": other.beginning() });
            Hand::new().call(server, &world.target, "a note that claims an id", &beginning)
        };
        watcher.sees(claims());
        watcher.sees(talk.call(server, None, "DELETE", ""));
        watcher.hears(&mut window.socket, |frame| frame["event"] == "event.closed");
        watcher.notes(&format!("{:?}", window.socket.next()));
        // Nor does anybody stay in it who was there before.
        watcher.sees(claims());
        watcher.sees(says(server, &other, 2));
        watcher.sees(talk.call(server, None, "GET", ""));
        watcher.sees(says(server, &talk, 3));
        watcher.sees(talk.call(server, None, "DELETE", ""));
        watcher.sees(other.call(server, None, "GET", ""));
    });
}

#[test]
fn whoever_waits_until_a_held_note_is_gone_does_not_learn_that_it_was_held() {
    let server = Server::with(LIMITED);
    worlds("a note was held for too long or is shown × its sender", &server, |world, watcher| {
        let folder = Folder::new();
        let mut first = Server::on(&folder, LIMITED);
        let there = World::at(&first, world.secret);
        watcher.knows(&there.owner.username, "owner");
        let (talk, owner) = (about_a_zebra(&there, watcher), there.owner);
        watcher.sees(says(&first, &talk, 1));
        first.stop();
        // Whatever is said keeps it for another 30 days, and the held note goes after 30.
        for (days, goes_on) in [(20, true), (31, true), (60, false), (62, false)] {
            let mut server = Server::days_later(&folder, days, LIMITED);
            if days == 31 && world.secret {
                server.log.wait_for("swept").unwrap();
            }
            let owner = Person { token: owner.sign_in(&server), ..owner.clone() };
            assert_eq!(owner.holds_back(&server, "a note about a zebra"), world.secret && days < 30);
            watcher.sees(talk.call(&server, None, "GET", ""));
            if goes_on {
                watcher.sees(says(&server, &talk, days));
            }
            let peek = json!({ "ids": [{ "id": talk.id, "key": talk.key }] });
            watcher.sees(server.post("/api/conversations/peek").json(&peek));
            server.stop();
        }
    });
}
