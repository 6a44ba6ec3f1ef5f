//! The times of answers, in two worlds at once: 1,000 of each in turns, by their ranks. These
//! measure, so they run alone, when the machine is quiet:
//! `cargo test --workspace --test server worlds::times -- --ignored --nocapture --test-threads 1`.

use serde_json::{Value, json};

use crate::api::timing::{answered, compare};
use crate::support::client::Connection;
use crate::support::person::Person;
use crate::support::server::{NO_LIMITS, Server};
use crate::support::talk::Talk;
use crate::worlds::world::{Hand, fresh_tag};

/// An inbox that knows two hands and has blocked the second one, and holds some words back.
fn inbox(server: &Server) -> (Person, String, [Hand; 2]) {
    let person = Person::new(server);
    let target = person.target(server);
    let words: Vec<_> = (0..50).map(|n| format!("zebra number {n}")).chain(["giraffe".to_owned()]).collect();
    let settings = json!({ "held_words": words });
    assert_eq!(person.send(server, "PATCH", "/api/inbox", &settings).status, 200);
    let hands = [Hand::new(), Hand::new()];
    for hand in &hands {
        hand.call(server, &target, "the first note of a hand", &json!({})).send().assert(201, "Anonymous Message Sent");
    }
    let newest = person.inbox(server)["data"][0]["id"].as_str().unwrap().to_owned();
    person.call(server, "POST", &format!("/api/message/{newest}/block")).send().assert(200, "Blocked");
    (person, target, hands)
}

#[test]
#[ignore = "it measures"]
fn no_time_tells_a_sender_what_became_of_a_note() {
    let server = Server::with(NO_LIMITS);
    let (person, target, hands) = inbox(&server);
    let mut connection = Connection::open(server.address);
    let plain = |_: usize| json!({});
    let private = |_: usize| json!({ "only_for_you": true });
    let talking = |_: usize| json!({ "conversation": Talk::new().beginning() });
    type More<'a> = &'a dyn Fn(usize) -> Value;
    // An account may have a thousand conversations, and the first note of each is there already.
    let kinds: [(&str, usize, More<'_>); 3] =
        [("plain", 1000, &plain), ("private", 1000, &private), ("talking", 450, &talking)];
    for (what, words) in [
        ("delivered or dropped", ["a note about something"; 2]),
        ("delivered or held", ["a note about a giraffa", "a note about a giraffe"]),
    ] {
        for (kind, most, more) in kinds {
            let hand = |one: usize| if what == "delivered or dropped" { &hands[one] } else { &hands[0] };
            let mut count = 0;
            compare(&format!("a {kind} note, {what}"), |one, n| {
                count += 1;
                let more = if count <= 2 * most { more(n) } else { json!({}) };
                answered(&mut connection, hand(one).call(&server, &target, words[one], &more), 201).1
            });
        }
    }
    assert!(person.inbox(&server)["message"].as_u64().unwrap() > 2000);
}

#[test]
#[ignore = "it measures"]
fn no_time_tells_a_stranger_what_an_owner_has_hidden() {
    let server = Server::with(NO_LIMITS);
    let people = [0, 1].map(|hidden| {
        let (person, target, hands) = inbox(&server);
        for n in 0..20 * hidden {
            hands[1].call(&server, &target, &format!("a note that is dropped, {n}"), &json!({})).send();
        }
        (person, target)
    });
    let mut connection = Connection::open(server.address);
    compare("asking about an inbox without and with dropped notes", |one, _| {
        let path = format!("/api/annon/{}?tag={}", people[one].0.username, fresh_tag());
        answered(&mut connection, server.get(&path), 200).1
    });
    compare("a note to it", |one, _| {
        answered(&mut connection, Hand::new().call(&server, &people[one].1, "a note of a stranger", &json!({})), 201).1
    });
}

#[test]
#[ignore = "it measures"]
fn no_time_tells_an_owner_that_conversations_wait() {
    let server = Server::with(NO_LIMITS);
    let people = [0, 1].map(|waiting| {
        let (person, target, _) = inbox(&server);
        let begin = |words: &str| {
            let beginning = json!({ "conversation": Talk::new().beginning() });
            Hand::new().call(&server, &target, words, &beginning).send().assert(201, "Anonymous Message Sent");
        };
        begin("one that is shown");
        assert_eq!(person.send(&server, "PATCH", "/api/inbox", &json!({ "batches": true })).status, 200);
        (0..50 * waiting).for_each(|n| begin(&format!("one that waits, {n}")));
        person
    });
    let mut connection = Connection::open(server.address);
    compare("conversations, while none waits and while fifty wait", |one, _| {
        answered(&mut connection, people[one].call(&server, "GET", "/api/conversations?limit=1"), 200).1
    });
}

#[test]
#[ignore = "it measures"]
fn no_time_tells_a_sender_how_many_words_are_held_back() {
    let server = Server::with(NO_LIMITS);
    let targets = [0, 200].map(|words| {
        let person = Person::new(&server);
        let words: Vec<_> = (0..words).map(|n| format!("zebra number {n}")).collect();
        assert_eq!(person.send(&server, "PATCH", "/api/inbox", &json!({ "held_words": words })).status, 200);
        person.target(&server)
    });
    let mut connection = Connection::open(server.address);
    for (what, words) in [("usual", "zebra zoo, a note of a stranger".to_owned()), ("longest", "\u{fdfa}".repeat(280))]
    {
        compare(&format!("the {what} note, with no word held back and with two hundred"), |one, _| {
            answered(&mut connection, Hand::new().call(&server, &targets[one], &words, &json!({})), 201).1
        });
    }
}
