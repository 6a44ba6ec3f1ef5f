//! The time of answers: it tells nothing that the answer itself keeps to itself. These measure, so
//! they run alone: `cargo test --workspace --test server timing -- --ignored --nocapture --test-threads 1`.

use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde_json::json;

use crate::api::shield::{TAGS, ids, send_as, texts};
use crate::rooms::group::Group;
use crate::support::client::{Answer, Call, Connection};
use crate::support::patience::timed;
use crate::support::person::Person;
use crate::support::server::{NO_LIMITS, Server};
use crate::support::talk::Talk;

/// How often each of two is measured.
const N: usize = 1_000;
/// By chance alone the ranks of two differ more than this once in 15,000 comparisons.
const CHANCE: f64 = 4.0;

/// How far the ranks of two samples are apart, in standard deviations (Mann and Whitney).
fn apart(samples: &[Vec<Duration>; 2]) -> f64 {
    let of = |n: usize| samples[n].iter().map(move |time| (*time, n));
    let mut all: Vec<_> = of(0).chain(of(1)).collect();
    all.sort();
    let mut rank_sum = 0.0;
    for equal in all.chunk_by(|one, next| one.0 == next.0) {
        let first = all.partition_point(|one| one.0 < equal[0].0);
        let rank = first as f64 + (equal.len() as f64 + 1.0) / 2.0;
        rank_sum += rank * equal.iter().filter(|one| one.1 == 0).count() as f64;
    }
    let [n, m] = [0, 1].map(|n| samples[n].len() as f64);
    (rank_sum - n * (n + m + 1.0) / 2.0) / (n * m * (n + m + 1.0) / 12.0).sqrt()
}

fn median(sample: &[Duration]) -> f64 {
    let mut sorted = sample.to_vec();
    sorted.sort();
    sorted[sorted.len() / 2].as_secs_f64() * 1e6
}

/// Measures two in turns, each first as often as last, and prints how they differ.
pub(crate) fn compare(what: &str, mut measure: impl FnMut(usize, usize) -> Duration) {
    let mut samples = [Vec::new(), Vec::new()];
    for n in 0..N {
        // Neither a rhythm of the machine nor who comes first may make a difference.
        let first = (n.wrapping_mul(0x9e37_79b9) >> 16) & 1;
        for one in [first, 1 - first] {
            samples[one].push(measure(one, n));
        }
    }
    let (apart, medians) = (apart(&samples), [median(&samples[0]), median(&samples[1])]);
    eprintln!("{what}: medians {:.0} and {:.0} µs, {apart:+.2} σ apart, n = {N}", medians[0], medians[1]);
    assert!(apart.abs() < CHANCE, "{what}: {apart:.2} σ apart, medians {medians:?}");
}

pub(crate) fn answered(connection: &mut Connection, call: Call, status: u16) -> (Answer, Duration) {
    let (answer, time) = timed(|| call.send_on(connection));
    assert_eq!(answer.status, status, "{answer:?}");
    (answer, time)
}

#[test]
fn ranks_tell_whether_two_differ() {
    let sample =
        |from: u64| (0..N as u64).map(|n| Duration::from_nanos((n * 7919) % 10_007 + from)).collect::<Vec<_>>();
    assert!(apart(&[sample(0), sample(0)]).abs() < 0.01);
    assert!(apart(&[sample(0), sample(900)]) < -CHANCE && apart(&[sample(900), sample(0)]) > CHANCE);
}

#[test]
#[ignore = "it measures"]
fn no_time_tells_an_owner_whether_two_notes_came_from_one_hand() {
    let server = Server::with(NO_LIMITS);
    let people = [[0, 0], [0, 1]].map(|hands| {
        let person = Person::new(&server);
        let target = person.target(&server);
        for (n, hand) in hands.into_iter().enumerate() {
            send_as(&server, &target, &format!("note number {n} of somebody"), TAGS[hand]);
        }
        person
    });
    let notes = people.clone().map(|person| ids(&person.inbox(&server)));
    let mut connection = Connection::open(server.address);
    let reads = |when: &str, connection: &mut Connection| {
        for path in ["/api/messages", "/api/blocks", "/api/inbox", "/api/dashboard"] {
            compare(&format!("GET {path} {when}"), |one, _| {
                answered(connection, people[one].call(&server, "GET", path), 200).1
            });
        }
    };
    reads("before a block", &mut connection);
    for (person, notes) in people.iter().zip(&notes) {
        let block = person.call(&server, "POST", &format!("/api/message/{}/block", notes[1]));
        answered(&mut connection, block, 200);
    }
    reads("after a block", &mut connection);
    // The other note is of the blocked hand in one inbox, and of another hand in the other.
    let mut unblocks = [Vec::new(), Vec::new()];
    compare("blocking the other note", |one, _| {
        let person = &people[one];
        let block = person.call(&server, "POST", &format!("/api/message/{}/block", notes[one][0]));
        let time = answered(&mut connection, block, 200).1;
        let list = answered(&mut connection, person.call(&server, "GET", "/api/blocks"), 200).0.json();
        let path = format!("/api/block/{}", list["data"][0]["id"].as_str().unwrap());
        unblocks[one].push(answered(&mut connection, person.call(&server, "DELETE", &path), 200).1);
        time
    });
    compare("unblocking it", |one, n| unblocks[one][n]);
    assert_eq!(people.each_ref().map(|person| texts(&person.inbox(&server)).len()), [2, 2]);
}

#[test]
#[ignore = "it measures"]
fn a_wrong_key_and_an_unknown_conversation_take_as_long() {
    let (server, person) = Person::with(NO_LIMITS);
    let talk = Talk::begun(&server, &person, "a note that wants an answer");
    let [wrong, unknown] = [Talk { key: Talk::new().key, ..talk.clone() }, Talk::new()];
    let mut connection = Connection::open(server.address);
    let bodies = [&wrong, &unknown].map(|talk| {
        let (answer, _) = answered(&mut connection, talk.call(&server, None, "GET", ""), 404);
        (answer.stable_headers(), answer.body)
    });
    assert_eq!(bodies[0], bodies[1]);
    for method in ["GET", "POST", "DELETE"] {
        compare(&format!("{method} with a wrong key, and of an unknown id"), |one, n| {
            let call = [&wrong, &unknown][one].call(&server, None, method, "");
            let call = match method {
                "POST" => call.json(&json!({ "id": format!("{n:015}"), "message": "words of a stranger" })),
                _ => call,
            };
            answered(&mut connection, call, 404).1
        });
    }
}

#[test]
#[ignore = "it measures"]
fn an_answer_that_was_taken_down_and_one_that_never_was_take_as_long() {
    let (server, person) = Person::with(NO_LIMITS);
    send_as(&server, &person.target(&server), "a note to answer", TAGS[0]);
    let note = &ids(&person.inbox(&server))[0];
    let answer = format!("/api/message/{note}/answer");
    let published = person.send(&server, "PUT", &answer, &json!({ "answer": "an answer" }));
    assert_eq!(published.status / 100, 2, "{published:?}");
    let id = published.json()["data"]["id"].as_str().unwrap().to_owned();
    let path = |id: &str| format!("/api/annon/{}/answers/{id}", person.username);
    assert_eq!(server.get(&path(&id)).send().status, 200);
    assert_eq!(person.call(&server, "DELETE", &answer).send().status, 200);
    let never = BASE64_URL_SAFE_NO_PAD.encode([9; 16]);
    let mut connection = Connection::open(server.address);
    compare("an answer that was taken down, and one that never was", |one, _| {
        answered(&mut connection, server.get(&path([&id, &never][one])), 404).1
    });
}

#[test]
#[ignore = "it measures"]
fn a_groups_old_link_and_none_take_as_long() {
    let (server, old) = Group::with(&[]);
    old.renewed(&server);
    let none = Group { id: "5f2c0a8e-9f0b-4c6e-8d1a-2b3c4d5e6f70".to_owned(), ..old.clone() };
    let mut connection = Connection::open(server.address);
    for (method, below) in [("GET", ""), ("POST", "/seat"), ("POST", "/knock"), ("GET", "/push")] {
        compare(&format!("{method} {below} by a group's old link, and by none"), |one, _| {
            answered(&mut connection, server.call(method, &[&old, &none][one].path(below)), 404).1
        });
    }
}
