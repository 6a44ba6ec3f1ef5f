//! Reading one's inbox.

use serde_json::{Value, json};

use crate::support::patience::wait_until;
use crate::support::person::{Person, send_note};
use crate::support::server::{NO_LIMITS, Server};
use crate::support::talk::Talk;
use crate::support::test_socket::TestSocket;

const NO_SUCH_NOTE: &str = "There is no such message in your inbox.";

/// A person with this many notes, and the notes' ids, newest first.
fn with_notes(server: &Server, count: usize) -> (Person, Vec<String>) {
    let person = Person::new(server);
    let target = person.target(server);
    for n in 0..count {
        assert_eq!(send_note(server, &target, &format!("note number {n}")).status, 201);
    }
    let inbox = person.get(server, "/api/messages?limit=200").json();
    let ids = ids_of(&inbox);
    assert_eq!(ids.len(), count);
    (person, ids)
}

fn ids_of(inbox: &Value) -> Vec<String> {
    inbox["data"].as_array().unwrap().iter().map(|note| note["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn an_inbox_is_listed_newest_first() {
    let server = Server::start();
    let (person, ids) = with_notes(&server, 3);
    let inbox = person.inbox(&server);
    assert_eq!(inbox["message"], 3);
    for (n, note) in inbox["data"].as_array().unwrap().iter().enumerate() {
        let date = note["date"].as_str().unwrap();
        let text = format!("note number {}", 2 - n);
        let expected = json!({ "id": ids[n], "message": text, "seen": false, "date": date, "only_for_you": false });
        assert_eq!(*note, expected);
        let shape: String = date.chars().map(|c| if c.is_ascii_digit() { '9' } else { c }).collect();
        assert_eq!(shape, "9999-99-99 99:99:99");
        assert!(date.ends_with(":00"), "it tells the minute, and no more: {date}");
    }
    let other = Person::new(&server);
    assert_eq!(other.inbox(&server), json!({ "status": 200, "message": 0, "data": [] }));
}

#[test]
fn pages_are_as_long_as_was_asked_and_begin_where_was_asked() {
    let server = Server::with(NO_LIMITS);
    let (person, all) = with_notes(&server, 60);
    let page = |query: &str| {
        let inbox = person.get(&server, &format!("/api/messages?{query}")).json();
        assert_eq!(inbox["message"], 60, "the count is the whole inbox's");
        ids_of(&inbox)
    };
    assert_eq!(page(""), all[..50]);
    assert_eq!(page("limit=1"), all[..1]);
    assert_eq!(page("limit=200"), all);
    assert_eq!(page(&format!("before={}", all[9])), all[10..]);
    assert_eq!(page(&format!("limit=5&before={}", all[9])), all[10..15]);
    assert_eq!(page(&format!("before={}", all[59])), [""; 0]);
    assert_eq!(page("limit=2&unknown=x&other"), all[..2]);
    let (other, theirs) = with_notes(&server, 2);
    let others = other.get(&server, &format!("/api/messages?before={}", all[0])).json();
    assert!(ids_of(&others).iter().all(|id| theirs.contains(id)), "another's id shows nothing of theirs");
}

#[test]
fn a_bad_page_is_refused_in_words() {
    let (server, person) = Person::with(&[]);
    for limit in ["0", "201", "-1", "1.5", "", "ten", "%FF", "99999999999999999999999", "0x10"] {
        person.get(&server, &format!("/api/messages?limit={limit}")).assert(400, "limit has to be 1 to 200.");
    }
    for before in ["", "x", "5", "%00", "0193b0a0", "null"] {
        let answer = person.get(&server, &format!("/api/messages?before={before}"));
        answer.assert(400, "before has to be the id of a message.");
    }
}

#[test]
fn marking_and_deleting_tell_how_many_are_unread_and_count_once() {
    let server = Server::start();
    let (person, ids) = with_notes(&server, 3);
    let mark = |id: &str| person.get(&server, &format!("/api/mark_as_seen/{id}"));
    let delete = |id: &str| person.call(&server, "DELETE", &format!("/api/message/{id}")).send();
    for id in [&ids[1], &ids[1], &ids[1].to_uppercase()] {
        assert_eq!(mark(id).json(), json!({ "status": 200, "message": 2 }));
    }
    let inbox = person.inbox(&server);
    let seen: Vec<_> = inbox["data"].as_array().unwrap().iter().map(|note| note["seen"] == true).collect();
    assert_eq!((&inbox["message"], seen), (&json!(2), vec![false, true, false]));
    assert_eq!(delete(&ids[1]).json(), json!({ "status": 200, "message": 2 }), "it was seen");
    assert_eq!(delete(&ids[0]).json(), json!({ "status": 200, "message": 1 }), "it was not");
    delete(&ids[0]).assert(404, NO_SUCH_NOTE);
    mark(&ids[0]).assert(404, NO_SUCH_NOTE);
    let inbox = person.inbox(&server);
    assert_eq!((&inbox["message"], ids_of(&inbox)), (&json!(1), vec![ids[2].clone()]));
}

#[test]
fn a_note_gets_a_star_and_goes_to_the_archive_and_the_other_windows_hear_of_it() {
    let server = Server::start();
    let (person, ids) = with_notes(&server, 3);
    let mut socket = TestSocket::of(&server, &person);
    let path = |id: &str| format!("/api/message/{id}");
    let flag = |id: &str, flags: Value| person.send(&server, "PATCH", &path(id), &flags);
    let list = |query: &str| person.get(&server, &format!("/api/messages?{query}")).json();
    assert_eq!(flag(&ids[0], json!({ "starred": true })).json(), json!({ "status": 200, "message": 3 }));
    assert_eq!(socket.next_frame(), json!({ "event": "event.inbox", "unread": 3, "reload": true }));
    assert_eq!(flag(&ids[0], json!({ "archived": true })).json(), json!({ "status": 200, "message": 2 }));
    assert_eq!(socket.next_frame(), json!({ "event": "event.inbox", "unread": 2, "reload": true }));
    assert_eq!((list("")["message"].clone(), ids_of(&list(""))), (json!(2), ids[1..].to_vec()));
    for shelf in ["starred=true", "archived=true", "archived=true&held=false&starred=true"] {
        let page = list(shelf);
        assert_eq!((&page["message"], ids_of(&page)), (&json!(2), vec![ids[0].clone()]), "{shelf}");
        let note = &page["data"][0];
        assert_eq!([&note["starred"], &note["archived"], &note["seen"]], [true, true, true]);
    }
    assert_eq!(list("")["data"][0].get("starred"), None);
    assert_eq!(flag(&ids[0], json!({ "starred": false, "archived": false })).json()["message"], 3, "it was not read");
    assert_eq!((ids_of(&list("")), ids_of(&list("starred=true"))), (ids.clone(), vec![]));
    let (null, text) = (json!({ "starred": null }), json!({ "archived": "yes" }));
    for (wrong, field) in [(json!({}), None), (null, Some("starred")), (text, Some("archived"))] {
        let refused = flag(&ids[0], wrong.clone());
        assert_eq!((refused.status, refused.json()["field"].as_str()), (400, field), "{wrong}");
    }
    assert_eq!(person.get(&server, "/api/messages?archived=1").json()["code"], "fields_invalid");
    let other = Person::new(&server);
    other.send(&server, "PATCH", &path(&ids[0]), &json!({ "archived": true })).assert(404, NO_SUCH_NOTE);
    flag("x", json!({ "archived": true })).assert(404, NO_SUCH_NOTE);
}

#[test]
fn a_new_line_of_its_sender_brings_a_note_back_from_the_archive_and_one_of_the_owner_does_not() {
    let (server, person) = Person::with(&[]);
    let talk = Talk::new();
    let note =
        json!({ "id": person.target(&server), "message": "will you play again?", "conversation": talk.beginning() });
    server.post("/api/annon-message").json(&note).send().assert(201, "Anonymous Message Sent");
    let id = ids_of(&person.inbox(&server)).remove(0);
    let archive = || person.send(&server, "PATCH", &format!("/api/message/{id}"), &json!({ "archived": true }));
    assert_eq!(archive().json()["message"], 0);
    let line = |n: usize| json!({ "id": format!("{n:015}"), "message": format!("line number {n}") });
    let said = talk.call(&server, Some(&person), "POST", "").json(&line(1)).send();
    assert_eq!(said.status, 201, "{said:?}");
    let mut socket = TestSocket::of(&server, &person);
    assert_eq!(ids_of(&person.inbox(&server)), [""; 0]);
    let said = talk.call(&server, None, "POST", "").json(&line(2)).send();
    assert_eq!(said.status, 201, "{said:?}");
    while socket.next_frame()["reload"] != true {}
    assert_eq!(ids_of(&person.inbox(&server)), [id]);
}

#[test]
fn nobody_reaches_into_another_inbox() {
    let server = Server::start();
    let (person, ids) = with_notes(&server, 1);
    let other = Person::new(&server);
    let before = person.inbox(&server);
    for id in [&*ids[0], "x", "0193b0a0-0000-7000-8000-000000000000", "%00", "..%2f..", &"9".repeat(3000)] {
        other.get(&server, &format!("/api/mark_as_seen/{id}")).assert(404, NO_SUCH_NOTE);
        other.call(&server, "DELETE", &format!("/api/message/{id}")).send().assert(404, NO_SUCH_NOTE);
    }
    assert_eq!(person.inbox(&server), before);
}

/// A UUID of version 7 would tell the millisecond, and sort by it.
#[test]
fn an_id_tells_nothing_and_a_deleted_note_still_ends_a_page() {
    let server = Server::with(NO_LIMITS);
    let (person, ids) = with_notes(&server, 40);
    assert!(!ids.is_sorted() && !ids.iter().rev().is_sorted());
    let first_parts: std::collections::BTreeSet<_> = ids.iter().map(|id| &id[..4]).collect();
    assert!(first_parts.len() > 30, "they begin alike: {ids:?}");
    person.call(&server, "DELETE", &format!("/api/message/{}", ids[9])).send();
    let older = person.get(&server, &format!("/api/messages?before={}", ids[9])).json();
    assert_eq!(ids_of(&older), ids[10..]);
}

#[test]
fn an_inbox_is_emptied_at_once_and_its_other_windows_hear_of_it() {
    let server = Server::with(NO_LIMITS);
    let (person, ids) = with_notes(&server, 30);
    let (other, others) = with_notes(&server, 2);
    let mut socket = TestSocket::of(&server, &person);
    let empty = || person.call(&server, "DELETE", "/api/messages").send().json();
    assert_eq!(empty(), json!({ "status": 200, "message": 0 }));
    assert_eq!(socket.next_frame(), json!({ "event": "event.inbox", "unread": 0, "reload": true }));
    assert_eq!(person.inbox(&server), json!({ "status": 200, "message": 0, "data": [] }));
    person.get(&server, &format!("/api/mark_as_seen/{}", ids[3])).assert(404, NO_SUCH_NOTE);
    assert_eq!(ids_of(&other.inbox(&server)), others, "nobody else's is touched");
    assert_eq!(empty(), json!({ "status": 200, "message": 0 }), "once more is no mistake");
    send_note(&server, &person.target(&server), "the first of the new ones").assert(201, "Anonymous Message Sent");
    assert_eq!(person.inbox(&server)["message"], 1);
}

/// The quarter of an hour by the clock. A test that sees it change starts again.
fn quarter() -> u64 {
    crate::support::patience::since_1970().as_secs() / 900
}

#[test]
fn notes_in_batches_wait_unseen_and_are_delivered_when_that_ends() {
    let server = Server::with(NO_LIMITS);
    loop {
        let begun = quarter();
        let (person, ids) = with_notes(&server, 1);
        let settings = |change: Option<bool>| match change {
            Some(batches) => person.call(&server, "PATCH", "/api/inbox").json(&json!({ "batches": batches })).send(),
            None => person.get(&server, "/api/inbox"),
        };
        assert_eq!(settings(None).json()["batches"], false);
        assert_eq!(settings(Some(true)).json()["batches"], true);
        assert_eq!(settings(None).json()["batches"], true);
        let target = person.target(&server);
        let mut socket = TestSocket::of(&server, &person);
        for n in 0..3 {
            send_note(&server, &target, &format!("it waits: {n}")).assert(201, "Anonymous Message Sent");
        }
        let inbox = person.inbox(&server);
        let marked = person.get(&server, &format!("/api/mark_as_seen/{}", ids[0])).json();
        let frame = socket.next_frame();
        if quarter() != begun {
            continue;
        }
        assert_eq!((&inbox["message"], ids_of(&inbox)), (&json!(1), ids), "nothing has come");
        assert_eq!(marked["message"], 0);
        assert_eq!(frame, json!({ "event": "event.inbox", "unread": 0 }), "nor was anything told before");

        settings(Some(false));
        let frame = socket.next_frame();
        let inbox = person.inbox(&server);
        assert_eq!(inbox["message"], 3);
        assert_eq!(inbox["data"].as_array().unwrap().len(), 4);
        if quarter() != begun {
            continue;
        }
        assert_eq!(frame, json!({ "event": "event.inbox", "unread": 3, "reload": true }));
        wait_until("a note shown as it comes", || {
            send_note(&server, &target, "it waits no more").assert(201, "Anonymous Message Sent");
            socket.next_frame()["note"]["message"] == "it waits no more"
        });
        return;
    }
}
