//! PostgreSQL crashes, or is away for a while.

use std::collections::BTreeSet;

use serde_json::json;

use crate::rooms::group::Group;
use crate::rooms::member::Member;
use crate::support::database::Databases;
use crate::support::patience::wait_until;
use crate::support::person::{Person, send_note};

#[test]
fn when_the_database_crashes_in_mid_conversation_nobody_is_cut_off_and_nothing_is_lost() {
    let mut databases = Databases::start();
    let server = databases.serve();
    let group = Group::new(&server);
    let [mut one, mut other] = group.members(&server);
    let mut said = Vec::new();
    for round in 0..3 {
        for n in 0..5 {
            said.push(format!("{round} {n} before"));
            one.chat(said.last().unwrap());
        }
        // These are on their way when it crashes.
        let ids: BTreeSet<String> = (0..8)
            .map(|n| {
                said.push(format!("{round} {n} meanwhile"));
                one.post(said.last().unwrap())
            })
            .collect();
        databases.cluster.restart();
        let mut echoed = BTreeSet::new();
        while echoed.len() < ids.len() {
            let frame = one.next_frame();
            assert_ne!(frame["event"], "event.error", "nothing is marked as failed: {frame}");
            echoed.extend(frame["id"].as_str().filter(|id| ids.contains(*id)).map(ToOwned::to_owned));
        }
        said.push(format!("{round} after"));
        other.chat(said.last().unwrap());
        one.await_where(|frame| frame["message"] == **said.last().unwrap());
    }
    assert_eq!(group.words(&server, &one.seat), said, "each once, and in order");
}

#[test]
fn while_the_database_is_away_the_server_stays_says_why_and_serves_again() {
    let mut databases = Databases::start();
    let server = databases.serve();
    let person = Person::new(&server);
    let group = Group::of(&server, person.clone());
    let [mut one, mut other]: [Member; 2] = group.members(&server);
    let target = person.target(&server);
    databases.cluster.stop();
    let refused = send_note(&server, &target, "a note while nobody can keep it");
    refused.assert(503, "The server can't store anything right now. Try again later.");
    let id = one.post("said while it is away");
    let why = "the database has confirmed nothing for 10 seconds";
    wait_until("it isn't ready", || server.get("/readyz").send().status == 503);
    let body = json!({ "status": 503, "code": "cannot_store", "message": why });
    assert_eq!(server.get("/readyz").send().json(), body);
    server.get("/healthz").send().assert(200, "alive");
    databases.cluster.start_again();
    let echo = one.await_where(|frame| frame["id"] == id);
    assert_eq!(echo["event"], "event.chat", "it was held and not refused");
    other.await_where(|frame| frame["id"] == id);
    wait_until("it is ready", || server.get("/readyz").send().status == 200);
    send_note(&server, &target, "a note after it").assert(201, "Anonymous Message Sent");
    other.chat("and so on");
}
