//! What an owner sets against spam and cruelty: pause, words held back, blocks.

use annon_contract::limits::{FLOOD_CLOSES_FORM, FLOOD_NOTES};
use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use crate::support::client::{Answer, Call};
use crate::support::person::{Person, send_note};
use crate::support::server::{NO_LIMITS, Server};
use crate::support::test_socket::TestSocket;

const SENT: &str = "Anonymous Message Sent";
/// What two senders' browsers send.
pub(super) const TAGS: [&str; 2] = ["bWFya2VkLXRhZy1vZi0xIQ", "bWFya2VkLXRhZy1vZi0yIQ"];

pub(super) fn set(server: &Server, person: &Person, settings: &Value) -> Answer {
    person.send(server, "PATCH", "/api/inbox", settings)
}

pub(super) fn send_with(server: &Server, target: &str, message: &str, more: &Value) -> Answer {
    let mut note = json!({ "id": target, "message": message });
    note.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    server.post("/api/annon-message").json(&note).send()
}

pub(super) fn send_as(server: &Server, target: &str, message: &str, tag: &str) -> Answer {
    send_with(server, target, message, &json!({ "tag": tag }))
}

pub(super) fn block(server: &Server, person: &Person, note: &str) -> Answer {
    person.call(server, "POST", &format!("/api/message/{note}/block")).send()
}

/// The first frame of which this is so.
fn until(socket: &mut TestSocket, is_it: impl Fn(&Value) -> bool) -> Value {
    loop {
        let frame = socket.next_frame();
        if is_it(&frame) {
            return frame;
        }
    }
}

pub(super) fn texts(inbox: &Value) -> Vec<&str> {
    inbox["data"].as_array().unwrap().iter().map(|note| note["message"].as_str().unwrap()).collect()
}

pub(super) fn ids(inbox: &Value) -> Vec<String> {
    inbox["data"].as_array().unwrap().iter().map(|note| note["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn settings_are_changed_one_by_one() {
    let (server, person) = Person::with(NO_LIMITS);
    let fresh = json!({ "status": 200, "batches": false, "paused": false, "shield": "auto", "held_words": [] });
    assert_eq!(person.get(&server, "/api/inbox").json(), fresh);
    assert_eq!(set(&server, &person, &json!({})).status, 400);
    let words = json!({ "held_words": [" Some Phrase ", "word", "word"] });
    let expected = json!({ "status": 200, "batches": false, "paused": false, "shield": "auto", "held_words": ["Some Phrase", "word"] });
    assert_eq!(set(&server, &person, &words).json(), expected);
    let expected = json!({ "status": 200, "batches": true, "paused": true, "shield": "auto", "held_words": ["Some Phrase", "word"] });
    set(&server, &person, &json!({ "batches": true }));
    assert_eq!(set(&server, &person, &json!({ "paused": true })).json(), expected);
    assert_eq!(person.get(&server, "/api/inbox").json(), expected);
    for (bad, code) in [
        (json!({ "held_words": [""] }), "held_word_invalid"),
        (json!({ "held_words": ["x".repeat(41)] }), "held_word_invalid"),
        (json!({ "held_words": ["\u{200b}\u{301}"] }), "held_word_invalid"),
        (json!({ "held_words": vec!["word"; 201] }), "too_many_held_words"),
    ] {
        let answer = set(&server, &person, &bad);
        assert_eq!((answer.status, answer.json()["code"].as_str()), (422, Some(code)), "{bad}");
    }
    for bad in [
        json!({ "shield": "sometimes" }),
        json!({ "held_words": "word" }),
        json!({ "paused": 1 }),
        json!({ "batches": "yes" }),
    ] {
        assert_eq!(set(&server, &person, &bad).status, 400, "{bad}");
    }
    assert_eq!(person.get(&server, "/api/inbox").json(), expected, "nothing of them was taken");
}

#[test]
fn a_paused_inbox_takes_no_notes_and_says_so() {
    let (server, person) = Person::with(NO_LIMITS);
    let target = person.target(&server);
    let asked = || server.get(&format!("/api/annon/{}", person.username)).send().json();
    assert_eq!(asked().get("paused"), None);
    set(&server, &person, &json!({ "paused": true }));
    assert_eq!((&asked()["paused"], &asked()["message"]), (&json!(true), &json!(target)));
    let refused = send_note(&server, &target, "a note to somebody who rests");
    assert_eq!((refused.status, refused.json()["code"].as_str()), (409, Some("inbox_paused")));
    assert_eq!(person.inbox(&server)["message"], 0);
    set(&server, &person, &json!({ "paused": false }));
    send_note(&server, &target, "a note to somebody who is back").assert(201, SENT);
}

#[test]
fn what_has_a_held_word_waits_and_its_sender_hears_the_same() {
    let (server, person) = Person::with(NO_LIMITS);
    let target = person.target(&server);
    set(&server, &person, &json!({ "held_words": ["stupid"] }));
    let mut socket = TestSocket::of(&server, &person);
    let plain = send_note(&server, &target, "a plain note to begin with");
    until(&mut socket, |frame| frame.to_string().contains("a plain note"));
    let held = send_note(&server, &target, "You are STU\u{200b}PID, I think");
    assert_eq!((held.status, held.json()), (plain.status, plain.json()));
    send_note(&server, &target, "stupidity is another word").assert(201, SENT);
    let frame =
        until(&mut socket, |frame| frame.to_string().contains("I think") || frame.to_string().contains("another word"));
    assert!(frame.to_string().contains("another word"), "nothing tells of the held one: {frame}");
    let inbox = person.inbox(&server);
    assert_eq!(
        (texts(&inbox), &inbox["message"]),
        (vec!["stupidity is another word", "a plain note to begin with"], &json!(2))
    );
    let waits = person.get(&server, "/api/messages?held=true").json();
    assert_eq!((texts(&waits), &waits["message"]), (vec!["You are STU\u{200b}PID, I think"], &json!(0)));
    let id = &ids(&waits)[0];
    assert_eq!(Person::new(&server).call(&server, "POST", &format!("/api/message/{id}/show")).send().status, 404);
    let shown = person.call(&server, "POST", &format!("/api/message/{id}/show")).send();
    assert_eq!(
        (shown.status, shown.json()["data"]["message"].as_str()),
        (200, Some("You are STU\u{200b}PID, I think"))
    );
    assert_eq!(person.call(&server, "POST", &format!("/api/message/{id}/show")).send().status, 404, "shown before");
    assert_eq!(texts(&person.inbox(&server))[0], "You are STU\u{200b}PID, I think");
    assert!(texts(&person.get(&server, "/api/messages?held=true").json()).is_empty());
    send_note(&server, &target, "a stupid note to delete").assert(201, SENT);
    let id = &ids(&person.get(&server, "/api/messages?held=true").json())[0];
    assert_eq!(person.call(&server, "DELETE", &format!("/api/message/{id}")).send().status, 200);
    assert!(texts(&person.get(&server, "/api/messages?held=true").json()).is_empty());
    assert_eq!(person.get(&server, "/api/messages?held=perhaps").status, 400);
}

#[test]
fn the_blocked_hear_the_same_and_nothing_arrives() {
    let (server, person) = Person::with(NO_LIMITS);
    let target = person.target(&server);
    for tag in
        ["", "x", &TAGS[0][..20], &format!("{}AA", TAGS[0]), "!!!!!!!!!!!!!!!!!!!!!!", "bWFya2VkLXRhZy1vZi0xIQ=="]
    {
        let refused = send_as(&server, &target, "a note with a bad tag", tag);
        assert_eq!((refused.status, refused.json()["code"].as_str()), (422, Some("tag_invalid")), "{tag}");
    }
    for (n, tag) in [TAGS[0], TAGS[0], TAGS[1]].into_iter().enumerate() {
        let words = format!("note number {n} of somebody {}", "who goes on and on ".repeat(5));
        send_as(&server, &target, &words, tag).assert(201, SENT);
    }
    send_note(&server, &target, "a note without a tag").assert(201, SENT);
    let notes = ids(&person.inbox(&server));
    let refused = block(&server, &person, &notes[0]);
    assert_eq!((refused.status, refused.json()["code"].as_str()), (409, Some("sender_not_known")));
    assert_eq!(block(&server, &Person::new(&server), &notes[3]).status, 404);
    assert_eq!(block(&server, &person, "x").status, 404);
    let mut socket = TestSocket::of(&server, &person);
    block(&server, &person, &notes[3]).assert(200, "Blocked");
    let list = person.get(&server, "/api/blocks").json();
    let [only] = &list["data"].as_array().unwrap()[..] else { panic!("{list}") };
    assert_eq!(only["began"], "note number 0 of somebody who goes on and on who goes on and…", "its first words");
    assert_eq!(only.as_object().unwrap().keys().collect::<Vec<_>>(), ["began", "date", "id"]);
    assert_eq!(ids(&person.inbox(&server)), notes, "those that are there stay");
    let ordinary = send_as(&server, &target, "a note of the other hand", TAGS[1]);
    let conversation = json!({ "id": "AAAAAAAAAAAAAAAAAAAAAA", "proof": "A".repeat(43) });
    for more in [json!({ "tag": TAGS[0] }), json!({ "tag": TAGS[0], "conversation": conversation })] {
        let dropped = send_with(&server, &target, "a note of the blocked hand", &more);
        assert_eq!((dropped.status, dropped.json()), (ordinary.status, ordinary.json()));
    }
    send_as(&server, &target, "a last note of the other hand", TAGS[1]).assert(201, SENT);
    let frame =
        until(&mut socket, |frame| frame.to_string().contains("blocked") || frame.to_string().contains("a last note"));
    assert!(frame.to_string().contains("a last note"), "{frame}");
    assert_eq!(texts(&person.inbox(&server))[..2], ["a last note of the other hand", "a note of the other hand"]);
    let id = only["id"].as_str().unwrap();
    assert_eq!(Person::new(&server).call(&server, "DELETE", &format!("/api/block/{id}")).send().status, 404);
    person.call(&server, "DELETE", &format!("/api/block/{id}")).send().assert(200, "Unblocked");
    assert_eq!(person.call(&server, "DELETE", &format!("/api/block/{id}")).send().status, 404);
    send_as(&server, &target, "the blocked hand is back", TAGS[0]).assert(201, SENT);
    assert_eq!(texts(&person.inbox(&server))[0], "the blocked hand is back");
}

/// All that an owner is answered, with its length, and without what is different anyway: ids and minutes.
fn seen_by(server: &Server, person: &Person) -> String {
    let paths = [
        "/api/messages",
        "/api/messages?held=true",
        "/api/blocks",
        "/api/inbox",
        "/api/conversations",
        "/api/dashboard",
    ];
    let answers = paths.map(|path| person.get(server, path));
    let lengths = answers.each_ref().map(|answer| answer.text().replace(&person.username, "").len());
    let mut all = answers.map(|answer| answer.json());
    for answer in &mut all {
        for item in answer["data"].as_array_mut().into_iter().flatten() {
            item["id"] = Value::Null;
            item["date"] = Value::Null;
        }
        answer["user"] = Value::Null;
    }
    json!([all, lengths]).to_string()
}

#[test]
fn nothing_tells_an_owner_whether_two_notes_came_from_one_hand() {
    let server = Server::with(NO_LIMITS);
    // One gets all three notes from one hand, the other from two.
    let [same, different] = [[0, 0, 0], [0, 1, 0]].map(|hands| {
        let person = Person::new(&server);
        let target = person.target(&server);
        for (n, hand) in hands.into_iter().enumerate() {
            send_as(&server, &target, &format!("note number {n} of somebody"), TAGS[hand]).assert(201, SENT);
        }
        person
    });
    assert_eq!(seen_by(&server, &same), seen_by(&server, &different));
    for at in [2, 1, 0] {
        let [one, other] = [&same, &different].map(|person| {
            let note = &ids(&person.inbox(&server))[at];
            let answer = block(&server, person, note);
            (answer.status, answer.text())
        });
        assert_eq!(one, other);
        assert_eq!(seen_by(&server, &same), seen_by(&server, &different), "after a block");
    }
    for person in [&same, &different] {
        let first = person.get(&server, "/api/blocks").json()["data"][2]["id"].as_str().unwrap().to_owned();
        person.call(&server, "DELETE", &format!("/api/block/{first}")).send().assert(200, "Unblocked");
        let newest = &ids(&person.inbox(&server))[0];
        assert_eq!(person.call(&server, "DELETE", &format!("/api/message/{newest}")).send().status, 200);
    }
    assert_eq!(seen_by(&server, &same), seen_by(&server, &different), "after one block has ended");
}

/// The nonce that a seed asks for.
pub(super) fn solved(shield: &Value) -> Value {
    let seed = BASE64_URL_SAFE_NO_PAD.decode(shield["seed"].as_str().unwrap()).unwrap();
    let bits = shield["bits"].as_u64().unwrap() as u32;
    let is_good = |nonce: &u64| {
        let digest = digest(&SHA256, &[&seed[..], &nonce.to_be_bytes()].concat());
        u32::from_be_bytes(*digest.as_ref().first_chunk().unwrap()).leading_zeros() >= bits
    };
    let nonce = (0_u64..).find(is_good).unwrap();
    json!({ "seed": shield["seed"], "nonce": BASE64_URL_SAFE_NO_PAD.encode(nonce.to_be_bytes()) })
}

/// The shield that a refusal names.
#[track_caller]
pub(super) fn needed(answer: &Answer) -> Value {
    assert_eq!((answer.status, answer.json()["code"].as_str()), (428, Some("work_needed")), "{answer:?}");
    answer.json()["shield"].clone()
}

#[test]
fn under_the_shield_a_fresh_sender_brings_work_once() {
    let (server, person) = Person::with(NO_LIMITS);
    let target = person.target(&server);
    set(&server, &person, &json!({ "shield": "always" }));
    let words = "a note that comes with work";
    let shield = needed(&send_as(&server, &target, words, TAGS[0]));
    assert_eq!(shield["bits"], 14);
    let work = solved(&shield);
    let with = |tag: &str, work: &Value| json!({ "tag": tag, "work": work });
    needed(&send_with(&server, &target, words, &with(TAGS[1], &work)));
    let other = Person::new(&server);
    set(&server, &other, &json!({ "shield": "always" }));
    needed(&send_with(&server, &other.target(&server), words, &with(TAGS[0], &work)));
    let lazy = json!({ "seed": work["seed"], "nonce": "AAAAAAAAAAA" });
    needed(&send_with(&server, &target, words, &with(TAGS[0], &lazy)));
    for bad in [json!({ "seed": "", "nonce": "" }), json!({ "seed": "é".repeat(34), "nonce": "%" })] {
        needed(&send_with(&server, &target, words, &with(TAGS[0], &bad)));
    }
    for broken in [json!({ "seed": 1, "nonce": "x" }), json!({ "nonce": "x" }), json!("x")] {
        assert_eq!(send_with(&server, &target, words, &with(TAGS[0], &broken)).status, 400, "{broken}");
    }
    let none = send_note(&server, &target, words);
    assert_eq!((none.status, none.json()["code"].as_str()), (428, Some("tag_needed")));
    assert_eq!(person.inbox(&server)["message"], 0, "none of them is in");
    send_with(&server, &target, words, &with(TAGS[0], &work)).assert(201, SENT);
    send_as(&server, &target, "another one of theirs", TAGS[0]).assert(201, SENT);
    needed(&send_with(&server, &target, words, &with(TAGS[1], &work)));
    assert_eq!(person.inbox(&server)["message"], 2);
    let asked = |tag: &str| server.get(&format!("/api/annon/{}?tag={tag}", person.username)).send().json();
    assert_eq!(asked(TAGS[0]).get("shield"), None, "the inbox knows them");
    let shield = asked(TAGS[1])["shield"].clone();
    send_with(&server, &target, words, &with(TAGS[1], &solved(&shield))).assert(201, SENT);
    assert_eq!(server.get(&format!("/api/annon/{}?tag=x", person.username)).send().status, 422);
    set(&server, &person, &json!({ "shield": "off" }));
    send_note(&server, &target, "nothing is asked now").assert(201, SENT);
}

#[test]
fn the_shield_goes_up_by_itself_and_closes_the_form_later() {
    let (server, person) = Person::with(&["--trusted-proxies", "127.0.0.1"]);
    let target = person.target(&server);
    let tag = |n: u32| BASE64_URL_SAFE_NO_PAD.encode([n as u8; 16]);
    let from = |n: u32, call: Call| call.header("X-Forwarded-For", &format!("203.0.113.{n}")).send();
    let note = |n: u32, tag: &str| {
        let note = json!({ "id": target, "message": format!("note number {n} of many"), "tag": tag });
        from(n, server.post("/api/annon-message").json(&note))
    };
    let form = |n: u32| {
        let kind = "application/x-www-form-urlencoded";
        from(
            n,
            server.post(&format!("/{}", person.username)).header("Content-Type", kind).body("message=a+note+of+a+form"),
        )
    };
    // Whoever sends them, one hand or many: it is the notes that count.
    for n in 0..=FLOOD_NOTES {
        let tag = if n % 2 == 0 { tag(1) } else { tag(n) };
        note(n, &tag).assert(201, SENT);
    }
    needed(&note(101, &tag(101)));
    note(102, &tag(3)).assert(201, SENT);
    for n in FLOOD_NOTES + 2..=FLOOD_CLOSES_FORM {
        assert_eq!(form(n).status, 201, "a form can't work");
    }
    let closed = form(103);
    assert_eq!((closed.status, closed.text().contains("needs JavaScript")), (428, true));
    assert_eq!(needed(&note(104, &tag(104)))["bits"], 15, "twice as many");
    let other = Person::new(&server);
    let theirs = other.target(&server);
    send_as(&server, &theirs, "a note to somebody else", TAGS[0]).assert(201, SENT);
    block(&server, &other, &ids(&other.inbox(&server))[0]).assert(200, "Blocked");
    send_as(&server, &theirs, "no block raises a shield", TAGS[1]).assert(201, SENT);
    send_as(&server, &theirs, "the blocked notice nothing", TAGS[0]).assert(201, SENT);
    assert_eq!(other.inbox(&server)["message"], 2);
}
