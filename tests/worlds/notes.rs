//! What the owner of an inbox and strangers must not learn of its notes.

use serde_json::json;

use crate::support::server::Server;
use crate::support::talk::Talk;
use crate::support::test_socket::TestSocket;
use crate::worlds::watcher::Watcher;
use crate::worlds::world::{Hand, LIMITED, World, address, form, fresh_tag, worlds};

const SENT: &str = "Anonymous Message Sent";

/// Notes that were enough for a shield, or are, so that one more or less would be seen.
pub(super) const EDGES: [usize; 2] = [20, 40];

/// All calls by which an owner sees their inbox.
pub(super) fn looks(world: &World<'_>, watcher: &mut Watcher<'_>) {
    for path in [
        "/api/messages",
        "/api/messages?held=true",
        "/api/messages?starred=true",
        "/api/messages?archived=true",
        "/api/blocks",
        "/api/inbox",
        "/api/conversations",
        "/api/dashboard",
        "/api/page",
        "/api/rooms",
    ] {
        watcher.sees(world.owner.call(watcher.server, "GET", path));
    }
}

/// All that anybody can ask about an inbox without leaving a note.
pub(super) fn asks(world: &World<'_>, watcher: &mut Watcher<'_>) {
    let name = &world.owner.username;
    for path in [
        format!("/api/annon/{name}"),
        format!("/api/annon/{name}?tag={}", fresh_tag()),
        format!("/api/annon/{name}/answers"),
        format!("/{name}"),
    ] {
        watcher.sees(watcher.server.get(&path));
    }
}

/// Leaves a note with a fresh tag, one without a tag, and one by the form without scripts.
pub(super) fn tries(world: &World<'_>, watcher: &mut Watcher<'_>) {
    asks(world, watcher);
    let server = watcher.server;
    watcher.sees(Hand::new().call(server, &world.target, "a note with a fresh tag", &json!({})));
    watcher
        .sees(server.post("/api/annon-message").json(&json!({ "id": world.target, "message": "a note without one" })));
    watcher.sees(form(server, &world.owner.username, "a note from a form"));
    asks(world, watcher);
}

/// Leaves notes with fresh tags until they need work, and looks at the shield after each.
fn climbs(world: &World<'_>, watcher: &mut Watcher<'_>) {
    for n in 0..EDGES[1] + 2 {
        let hand = Hand::new();
        let words = format!("a note of the owner's own, {n:03}");
        let sent = watcher.sees_from(&hand.address, hand.call(watcher.server, &world.target, &words, &json!({})));
        watcher.sees(watcher.server.get(&format!("/api/annon/{}?tag={}", world.owner.username, fresh_tag())));
        if sent.status != 201 {
            return;
        }
    }
}

#[test]
fn an_owner_does_not_learn_whether_two_notes_came_from_one_hand() {
    let server = Server::with(LIMITED);
    worlds("one hand or two × owner", &server, |world, watcher| {
        let mut socket = TestSocket::of(watcher.server, &world.owner);
        let hands = [Hand::new(), Hand::new()];
        hands[0].sends(world, "the first of two notes");
        hands[usize::from(world.secret)].sends(world, "the second of two notes");
        looks(world, watcher);
        climbs(world, watcher);
        let [.., second, first] = &world.notes()[..] else { panic!("two notes at least") };
        for note in [first, second] {
            for method_and_path in
                [("GET", format!("/api/mark_as_seen/{note}")), ("POST", format!("/api/message/{note}/block"))]
            {
                let (method, path) = method_and_path;
                watcher.sees(world.owner.call(watcher.server, method, &path));
                looks(world, watcher);
            }
            let flags = json!({ "starred": true, "archived": note == first });
            watcher.sees(world.owner.call(watcher.server, "PATCH", &format!("/api/message/{note}")).json(&flags));
            looks(world, watcher);
        }
        let blocks = world.owner.get(watcher.server, "/api/blocks").json();
        let block = blocks["data"][1]["id"].as_str().unwrap().to_owned();
        watcher.sees(world.owner.call(watcher.server, "DELETE", &format!("/api/block/{block}")));
        watcher.sees(world.owner.call(watcher.server, "DELETE", &format!("/api/message/{second}")));
        looks(world, watcher);
        asks(world, watcher);
        watcher.sees(world.owner.call(watcher.server, "DELETE", "/api/messages"));
        looks(world, watcher);
        world.set(&json!({ "batches": true }));
        watcher.hears(&mut socket, |frame| frame["unread"] == 0 && frame["reload"] == true);
    });
}

#[test]
fn an_owner_does_not_learn_that_a_note_was_sent_again() {
    let server = Server::with(LIMITED);
    worlds("a note was sent again or not × owner", &server, |world, watcher| {
        let mut socket = TestSocket::of(watcher.server, &world.owner);
        world.crowd(EDGES[0] - 2);
        let (hand, talk) = (Hand::new(), Talk::new());
        let sends = || {
            let note = json!({ "note_id": format!("{:032}", 1) });
            hand.call(world.here, &world.target, "a note of which nobody heard", &note).send().assert(201, SENT);
            let note = json!({ "note_id": format!("{:032}", 2), "conversation": talk.beginning() });
            hand.call(world.here, &world.target, "a note that asks for an answer", &note).send().assert(201, SENT);
        };
        (0..1 + 2 * usize::from(world.secret)).for_each(|_| sends());
        looks(world, watcher);
        tries(world, watcher);
        watcher.sees(world.owner.call(watcher.server, "DELETE", "/api/messages"));
        if world.secret {
            sends();
        }
        looks(world, watcher);
        world.set(&json!({ "batches": true }));
        watcher.hears(&mut socket, |frame| frame["unread"] == 0 && frame["reload"] == true);
    });
}

#[test]
fn nobody_learns_that_a_note_waits_for_its_batch() {
    let server = Server::with(LIMITED);
    for shown in EDGES {
        worlds("a note waits in a batch or was never sent × owner", &server, |world, watcher| {
            world.crowd(shown);
            world.set(&json!({ "batches": true, "held_words": ["zebra"] }));
            let mut socket = TestSocket::of(watcher.server, &world.owner);
            if world.secret {
                Hand::new().sends(world, "a note that waits");
                Hand::new().begins(world, "a note that waits for an answer, too");
            }
            looks(world, watcher);
            tries(world, watcher);
            looks(world, watcher);
            let talk = Hand::new().begins(world, "a note of the owner's own");
            watcher.sees(talk.call(watcher.server, None, "GET", ""));
            world.set(&json!({ "paused": true }));
            watcher.sees(world.owner.call(watcher.server, "DELETE", "/api/messages"));
            watcher.hears(&mut socket, |frame| frame["unread"] == 0 && frame["reload"] == true);
            looks(world, watcher);
        });
    }
}

#[test]
fn a_stranger_does_not_learn_that_somebody_wrote_who_is_not_shown() {
    let server = Server::with(LIMITED);
    for shown in EDGES {
        worlds("a note waits in a batch or was never sent × stranger", &server, |world, watcher| {
            world.crowd(shown);
            world.set(&json!({ "batches": true }));
            if world.secret {
                Hand::new().sends(world, "a note that waits");
            }
            tries(world, watcher);
        });
    }
}

#[test]
fn nobody_learns_that_an_owner_has_blocked_somebody() {
    let server = Server::with(LIMITED);
    worlds("somebody is blocked or nobody × stranger", &server, |world, watcher| {
        Hand::new().sends(world, "a note that is blocked, or not");
        if world.secret {
            world.block_newest();
        }
        tries(world, watcher);
        if world.secret {
            let blocks = world.owner.get(world.here, "/api/blocks").json();
            let block = blocks["data"][0]["id"].as_str().unwrap().to_owned();
            world.owner.call(world.here, "DELETE", &format!("/api/block/{block}")).send().assert(200, "Unblocked");
        }
        tries(world, watcher);
    });
}

#[test]
fn nobody_learns_that_somebody_who_is_blocked_still_writes() {
    let server = Server::with(LIMITED);
    for shown in EDGES {
        worlds("a note was dropped or never sent × owner", &server, |world, watcher| {
            let hand = Hand::new();
            hand.sends(world, "a note that is blocked");
            world.block_newest();
            let mut socket = TestSocket::of(watcher.server, &world.owner);
            // The inbox forgets its tags, and the block stays.
            assert_eq!(world.owner.call(world.here, "DELETE", "/api/messages").send().status, 200);
            world.crowd(shown - 1);
            if world.secret {
                hand.sends(world, "a note that is dropped");
                hand.begins(world, "a note that is dropped, with a conversation");
            }
            looks(world, watcher);
            tries(world, watcher);
            world.set(&json!({ "paused": true }));
            world.set(&json!({ "batches": true }));
            watcher.hears(&mut socket, |frame| frame["reload"] == true && frame["unread"] != 0);
            looks(world, watcher);
            watcher.sees_from(&address(), world.owner.call(watcher.server, "DELETE", "/api/messages"));
        });
    }
}

#[test]
fn a_stranger_does_not_learn_whether_a_note_is_held_back() {
    let server = Server::with(LIMITED);
    for shown in EDGES {
        worlds("a note is held or shown × stranger", &server, |world, watcher| {
            let word = if world.secret { "zebra" } else { "giraffe" };
            world.set(&json!({ "held_words": [word] }));
            world.crowd(shown - 1);
            Hand::new().sends(world, "a note about a zebra");
            tries(world, watcher);
        });
    }
}
