//! What cruel senders try on the shield, many times over, and how far they get.

use annon_contract::limits::{BLOCKS, INBOX_PAGE};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::api::shield::{block, ids, needed, send_as, send_with, set, solved, texts};
use crate::support::client::{Answer, Connection};
use crate::support::patience::at_once;
use crate::support::person::Person;
use crate::support::server::{NO_LIMITS, Server};

const SENT: &str = "Anonymous Message Sent";

/// The tag of a number.
fn tag(n: u64) -> String {
    BASE64_URL_SAFE_NO_PAD.encode([&n.to_be_bytes()[..], &[7; 8]].concat())
}

/// Calls that are shared out among a few connections.
fn on_few_connections(server: &Server, count: u64, call: impl Fn(&mut Connection, u64) + Sync) {
    const CONNECTIONS: u64 = 8;
    let work = |first| {
        let call = &call;
        move || {
            let mut connection = Connection::open(server.address);
            (first..count).step_by(CONNECTIONS as usize).for_each(|n| call(&mut connection, n));
        }
    };
    at_once((0..CONNECTIONS).map(work));
}

#[test]
fn a_proof_is_of_use_once_and_only_where_it_was_asked_for() {
    let (server, person) = Person::with(NO_LIMITS);
    set(&server, &person, &json!({ "shield": "always" }));
    let target = person.target(&server);
    let work = solved(&needed(&send_as(&server, &target, "a note that comes with work", &tag(1))));
    let with = |tag: &str| json!({ "tag": tag, "work": work });
    // Whoever has used it is known by the note; for all others it is of no use, before and after that.
    needed(&send_with(&server, &target, "a note with somebody else's work", &with(&tag(2))));
    send_with(&server, &target, "a note that comes with work", &with(&tag(1))).assert(201, SENT);
    needed(&send_with(&server, &target, "a note with somebody else's work", &with(&tag(2))));
    // Nor is it at a new link to the same inbox.
    let moved = person.call(&server, "POST", "/api/user/new-link").send().message();
    needed(&send_with(&server, &moved, "a note to the new link", &with(&tag(1))));
    assert_eq!(send_with(&server, &target, "a note to the old link", &with(&tag(1))).status, 404);
    assert_eq!(person.inbox(&server)["message"], 1);
}

/// How many KiB the server takes for so many proofs that are wrong, each from a fresh tag.
fn memory_of_wrong_proofs(count: u64) -> u64 {
    let (server, person) = Person::with(NO_LIMITS);
    set(&server, &person, &json!({ "shield": "always" }));
    let target = person.target(&server);
    let asked = needed(&send_as(&server, &target, "a note that needs work", &tag(0)));
    let flood = |from: u64, count: u64| {
        on_few_connections(&server, count, |connection, n| {
            let nonce = BASE64_URL_SAFE_NO_PAD.encode(n.to_be_bytes());
            let note = json!({ "id": target, "message": "a note of a flood", "tag": tag(from + n),
                "work": { "seed": asked["seed"], "nonce": nonce } });
            needed(&server.post("/api/annon-message").json(&note).send_on(connection));
        });
    };
    // The first ones fill what any load fills.
    flood(1, 2_000);
    let before = server.resident_kib();
    flood(1_000_000_000, count);
    let grown = server.resident_kib().saturating_sub(before);
    assert_eq!(person.inbox(&server)["message"], 0, "none of them is in");
    send_with(&server, &target, "a note with work", &json!({ "tag": tag(0), "work": solved(&asked) }))
        .assert(201, SENT);
    grown
}

#[test]
fn wrong_proofs_take_no_memory() {
    let grown = memory_of_wrong_proofs(5_000);
    assert!(grown < 4 * 1024, "{grown} KiB");
}

/// `cargo test --workspace --test server a_million_wrong_proofs -- --ignored --nocapture`
#[test]
#[ignore = "it takes minutes"]
fn a_million_wrong_proofs_take_no_memory() {
    let grown = memory_of_wrong_proofs(1_000_000);
    eprintln!("a million wrong proofs: {grown} KiB");
    assert!(grown < 4 * 1024, "{grown} KiB");
}

#[test]
fn ten_thousand_attempts_at_blocks_leave_five_hundred() {
    let (server, person) = Person::with(NO_LIMITS);
    let target = person.target(&server);
    let most = BLOCKS as u64;
    on_few_connections(&server, most + 1, |connection, n| {
        let note = json!({ "id": target, "message": format!("note number {n} of a flood"), "tag": tag(n) });
        server.post("/api/annon-message").json(&note).send_on(connection).assert(201, SENT);
    });
    let mut notes = Vec::new();
    while notes.len() <= BLOCKS {
        let before = notes.last().map_or(String::new(), |last: &String| format!("&before={last}"));
        notes.extend(ids(&person.get(&server, &format!("/api/messages?limit=200{before}")).json()));
    }
    let path = |note: &String| format!("/api/message/{note}/block");
    let call = |note| person.call(&server, "POST", &path(note));
    on_few_connections(&server, most, |connection, n| {
        call(&notes[n as usize]).send_on(connection).assert(200, "Blocked");
    });
    let refused = |answer: &Answer| {
        assert_eq!((answer.status, answer.json()["code"].as_str()), (409, Some("no_more_blocks")), "{answer:?}");
    };
    refused(&block(&server, &person, &notes[BLOCKS]));
    on_few_connections(&server, 10_000 - most, |connection, _| refused(&call(&notes[BLOCKS]).send_on(connection)));
    block(&server, &person, &notes[7]).assert(200, "Blocked");
    let page = |query: &str| person.get(&server, &format!("/api/blocks{query}"));
    let of = |page: &Answer| page.json()["data"].as_array().unwrap().clone();
    let mut blocks = of(&page(""));
    assert_eq!(blocks.len(), INBOX_PAGE, "a page of a long list is short");
    loop {
        let before = blocks.last().unwrap()["id"].as_str().unwrap();
        let older = of(&page(&format!("?before={before}&limit=200")));
        if older.is_empty() {
            break;
        }
        blocks.extend(older);
    }
    page(&format!("?before={}", Uuid::nil())).assert(404, "There is no such block.");
    page("?before=x").assert(404, "There is no such block.");
    page("?limit=201").assert(400, "limit has to be 1 to 200.");
    assert_eq!(blocks.len(), BLOCKS);
    let began = |block: &Value| block["began"].as_str().unwrap().to_owned();
    let mut words: Vec<_> = blocks.iter().map(began).collect();
    words.sort();
    words.dedup();
    assert_eq!(words.len(), BLOCKS, "one for each note");
    // With all of them the blocked are blocked and others are not, and one that ends makes room for another.
    set(&server, &person, &json!({ "shield": "off" }));
    let hand = |block: &Value| began(block).split(' ').nth(2).unwrap().parse().unwrap();
    for blocked in [&blocks[0], &blocks[BLOCKS - 1]] {
        send_as(&server, &target, "a note of a blocked hand", &tag(hand(blocked))).assert(201, SENT);
    }
    send_as(&server, &target, "a note of another hand", &tag(9_999_999)).assert(201, SENT);
    let inbox = person.inbox(&server);
    assert_eq!(texts(&inbox)[0], "a note of another hand");
    assert!(texts(&inbox)[1].starts_with("note number"), "{inbox}");
    let first = blocks[0]["id"].as_str().unwrap();
    person.call(&server, "DELETE", &format!("/api/block/{first}")).send().assert(200, "Unblocked");
    block(&server, &person, &notes[BLOCKS]).assert(200, "Blocked");
    refused(&block(&server, &person, &ids(&person.inbox(&server))[0]));
}
