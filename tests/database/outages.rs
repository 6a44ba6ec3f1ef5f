//! PostgreSQL crashes, or is away for a while.

use std::collections::BTreeSet;

use serde_json::json;

use crate::rooms::group::Group;
use crate::rooms::member::Member;
use crate::support::database::{Databases, with};
use crate::support::patience::wait_until;
use crate::support::person::{Person, send_note};
use crate::support::server::{Server, refusal};

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

#[test]
fn a_server_that_starts_before_its_databases_waits_for_them() {
    let mut databases = Databases::start();
    databases.cluster.stop();
    let waits: Vec<String> =
        with(&databases.flags(), "--wait-for-database", Some("3600")).into_iter().map(ToOwned::to_owned).collect();
    let flags: Vec<&str> = waits.iter().map(|flag| &**flag).collect();
    let mut server = Server::waiting(&databases.folder, &flags);
    server.get("/healthz").send().assert(200, "alive");
    for path in ["/readyz", "/", "/api/dashboard"] {
        let answer = server.get(path).send();
        answer.assert(503, "The server can't store anything right now. Try again later.");
        assert_eq!(answer.header("retry-after"), Some("5"));
    }
    assert!(server.stop().success(), "a signal ends the wait");
    let mut server = Server::waiting(&databases.folder, &flags);
    databases.cluster.start_again();
    assert!(server.log.wait_for("listening").is_some());
    server.get("/readyz").send().assert(200, "ready");
    Person::new(&server);
    assert!(server.stop().success());
    let said = server.log.whole();
    assert_eq!(said.iter().filter(|line| line.contains("waiting for the databases")).count(), 1, "{said:?}");

    // What nobody starts is waited for in vain, and what is a mistake not at all.
    let mut nobody = with(&waits, "--database-url", Some("postgresql://annon@127.0.0.1:1/annon"));
    for value in nobody.iter_mut().filter(|value| **value == "3600") {
        *value = "1";
    }
    let (code, text) = refusal(&databases.folder, &nobody);
    assert!(code == Some(1) && text.contains("the database can't be reached or written"), "{text}");
    let wrong = databases.cluster.url("nowhere");
    let (code, text) = refusal(&databases.folder, &with(&waits, "--database-url", Some(&wrong)));
    assert!(code == Some(1) && text.contains("nowhere"), "{text}");
}

#[test]
fn what_may_have_been_stored_is_not_called_lost() {
    let databases = Databases::start();
    let server = databases.serve();
    let person = Person::new(&server);
    let target = person.target(&server);
    send_note(&server, &target, "the first one, whose inbox needs a key").assert(201, "Anonymous Message Sent");
    for what in ["ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()"] {
        databases.ask("record", what);
    }
    wait_until("a standby is wanted", || databases.ask("record", "SHOW synchronous_standby_names") == "*");
    let send = |id: Option<&str>, words: &str| {
        let note = json!({ "id": target, "message": words, "note_id": id });
        server.post("/api/annon-message").json(&note).send()
    };
    let sent = send(None, "a note of which nobody knows");
    sent.assert(503, "It may have been stored. Look before you try again.");
    assert_eq!(sent.json()["code"], "maybe_stored");
    // With an id it can be sent again.
    let again = || send(Some("0193b0a0-0000-7000-8000-000000000001"), "a note that is sent until it is there");
    assert_eq!((again().status, again().json()["code"].clone()), (503, json!("cannot_store")));
    for what in ["ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()"] {
        databases.ask("record", what);
    }
    wait_until("the note is taken", || again().status == 201);
    let inbox = person.inbox(&server).to_string();
    for words in ["a note of which nobody knows", "a note that is sent until it is there"] {
        assert_eq!(inbox.matches(words).count(), 1, "{inbox}");
    }
}

const NO_SPACE: &str = "The server has no space left for this. Try again later.";

#[test]
fn when_the_database_may_not_grow_people_read_and_delete() {
    let databases = Databases::start();
    let mut server = databases.serve();
    let person = Person::new(&server);
    let target = person.target(&server);
    send_note(&server, &target, "before it was full").assert(201, "Anonymous Message Sent");
    assert!(server.stop().success());
    let flags = databases.flags();
    let server = Server::on(&databases.folder, &with(&flags, "--database-bytes", Some("1000")));
    server.get("/readyz").send().assert(200, "ready to read, but the disk is full");
    send_note(&server, &target, "there is no space").assert(507, NO_SPACE);
    let inbox = person.call(&server, "GET", "/api/messages").send().json();
    assert_eq!(inbox["data"].as_array().unwrap().len(), 1, "{inbox}");
    let id = inbox["data"][0]["id"].as_str().unwrap();
    assert_eq!(person.call(&server, "DELETE", &format!("/api/message/{id}")).send().status, 200);
    assert_eq!(person.call(&server, "POST", "/api/logout").send().status, 200);
}

#[test]
fn when_the_disk_of_the_database_is_full_nothing_is_lost_and_writing_goes_on_once_there_is_space() {
    let databases = Databases::start();
    let server = databases.serve();
    let group = Group::new(&server);
    let target = group.creator.target(&server);
    let [mut one, mut other] = group.members(&server);
    one.chat("before");
    let full = "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS \
         $$ BEGIN RAISE EXCEPTION USING ERRCODE = '53100'; END $$; \
         CREATE TRIGGER full_disk BEFORE INSERT ON room_log FOR EACH ROW EXECUTE FUNCTION full_disk(); \
         CREATE TRIGGER full_disk BEFORE INSERT ON kept FOR EACH ROW EXECUTE FUNCTION full_disk()";
    databases.ask("record", full);
    send_note(&server, &target, "there is no space").assert(507, NO_SPACE);
    let id = one.post("there is no space");
    let refused = one.await_where(|frame| frame["id"] == *id);
    assert_eq!((&refused["event"], &refused["code"]), (&json!("event.error"), &json!("no_space")), "{refused}");
    server.get("/readyz").send().assert(200, "ready to read, but the disk is full");
    databases.ask("record", "DROP FUNCTION full_disk CASCADE");
    send_note(&server, &target, "there is space").assert(201, "Anonymous Message Sent");
    other.chat("after");
    assert_eq!(group.words(&server, &one.seat), ["before", "after"]);
}
