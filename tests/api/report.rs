//! Reports: what the operator gets to read, and everything that can't be reported.

use annon_contract::limits::{REPORT_LINES, REPORT_MAX};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::api::operator::{done, failed};
use crate::api::operator_lists::objects;
use crate::rooms::group::{GONE, Group, NO_SEAT, Seat};
use crate::rooms::pictures::{png, upload};
use crate::support::client::{Answer, Call};
use crate::support::person::{Person, SIGNED_OUT, send_note};
use crate::support::server::{NO_LIMITS, Server, files_below, holds, printed};
use crate::support::talk::{GONE as NO_TALK, Talk};

const NO_NOTE: &str = "There is no such message in your inbox.";
const NOBODY: &str = "No one here goes by that name.";
const LINE_GONE: &str = "One of these messages isn't there any more. Reload and choose again.";
const LINES_WRONG: &str = "Choose 1 to 50 messages to show.";

fn form(about: &str, id: &str, lines: &[u64], words: &str) -> Value {
    json!({ "about": about, "id": id, "lines": lines, "words": words })
}

fn report(server: &Server, form: &Value) -> Answer {
    server.post("/api/report").json(form).send()
}

/// Reports lines of a group by somebody's seat.
fn from_seat(server: &Server, group: &Group, seat: &Seat, lines: &[u64], words: &str) -> Answer {
    let call = server.post("/api/report").cookie(Some(&*seat.cookie));
    call.json(&form("room", &group.id, lines, words)).send()
}

/// The open reports, newest first.
fn reports(server: &Server) -> Vec<Value> {
    objects(&server.folder, &["report", "list", "--json"])
}

/// Who has said what, as a report shows it.
fn said(report: &Value) -> Vec<(&str, &str)> {
    let words = report["words"].as_array().unwrap();
    words.iter().map(|one| (one["from"].as_str().unwrap(), one["text"].as_str().unwrap())).collect()
}

#[test]
fn a_note_is_reported_with_its_words_and_nothing_of_its_owner() {
    let server = Server::with(NO_LIMITS);
    let (owner, other) = (Person::new(&server), Person::new(&server));
    send_note(&server, &owner.target(&server), "a note that nobody should get").assert(201, "Anonymous Message Sent");
    let note = owner.inbox(&server)["data"][0]["id"].as_str().unwrap().to_owned();
    let words = form("note", &note, &[], "  It is a threat.\u{7}\r\nPlease look. ");
    owner.send(&server, "POST", "/api/report", &words).assert_reported();
    let all = reports(&server);
    assert_eq!((all.len(), &all[0]["about"], &all[0]["account"]), (1, &json!("note"), &Value::Null));
    assert_eq!(said(&all[0]), [("sender", "a note that nobody should get")]);
    assert_eq!((&all[0]["text"], &all[0]["of"]), (&json!("It is a threat.\nPlease look."), &Value::Null));
    let id = all[0]["id"].as_str().unwrap();
    assert!(done(&server.folder, &["report", "list"]).trim_end().ends_with("  waits for less than a minute"));
    for text in [done(&server.folder, &["report", "list"]), done(&server.folder, &["report", "show", id])] {
        assert!(!text.contains(&owner.username) && !text.contains(&note) && text.contains(id), "{text}");
    }

    // Another's note, one that is not there, and one that was deleted are the same.
    for id in [&*note, &Uuid::nil().to_string(), "x", ""] {
        other.send(&server, "POST", "/api/report", &form("note", id, &[], "")).assert(404, NO_NOTE);
    }
    report(&server, &form("note", &note, &[], "")).assert(401, SIGNED_OUT);
    owner.send(&server, "POST", "/api/report", &form("note", &note, &[1], "")).assert(422, LINES_WRONG);
    assert_eq!(owner.call(&server, "DELETE", &format!("/api/message/{note}")).send().status, 200);
    owner.send(&server, "POST", "/api/report", &form("note", &note, &[], "")).assert(404, NO_NOTE);
    assert_eq!(said(&reports(&server)[0]).len(), 1, "a report has a copy");
    assert_eq!(reports(&server).len(), 1);
}

#[test]
fn a_note_that_is_held_back_is_reported_and_stays_held_back() {
    let (server, owner) = Person::with(NO_LIMITS);
    assert_eq!(owner.send(&server, "PATCH", "/api/inbox", &json!({ "held_words": ["threat"] })).status, 200);
    send_note(&server, &owner.target(&server), "a threat to somebody").assert(201, "Anonymous Message Sent");
    let held = || owner.get(&server, "/api/messages?held=true").json()["data"].clone();
    let id = held()[0]["id"].as_str().unwrap().to_owned();
    owner.send(&server, "POST", "/api/report", &form("note", &id, &[], "")).assert_reported();
    assert_eq!(said(&reports(&server)[0]), [("sender", "a threat to somebody")]);
    assert_eq!((owner.inbox(&server)["data"].clone(), held()[0]["id"].clone()), (json!([]), json!(id)));
    let other = Person::new(&server);
    other.send(&server, "POST", "/api/report", &form("note", &id, &[], "")).assert(404, NO_NOTE);
}

#[test]
fn either_side_of_a_conversation_reports_the_lines_that_it_chooses() {
    let (server, owner) = Person::with(NO_LIMITS);
    let talk = Talk::begun(&server, &owner, "a note that begins it");
    let first = talk.said(&server, None, 1, "what the sender says");
    let second = talk.said(&server, Some(&owner), 1, "what the owner says");
    let by = |who: Option<&Person>| -> Call {
        let call = server.post("/api/report");
        match who {
            None => call.header("Authorization", &format!("Annon {}", talk.key)),
            Some(owner) => call.bearer(&owner.token),
        }
    };
    by(None).json(&form("conversation", &talk.id, &[second], "")).send().assert_reported();
    by(Some(&owner)).json(&form("conversation", &talk.id, &[second, first, first], "")).send().assert_reported();
    by(None).json(&json!({ "about": "conversation", "id": talk.id })).send().assert_reported();
    let all = reports(&server);
    assert_eq!(said(&all[0]), [("sender", "a note that begins it")]);
    let both =
        [("sender", "a note that begins it"), ("sender", "what the sender says"), ("owner", "what the owner says")];
    assert_eq!((said(&all[1]), &all[1]["account"]), (both.to_vec(), &Value::Null), "an owner stays unnamed");
    assert_eq!((said(&all[2]), &all[2]["account"]), (vec![both[0], both[2]], &json!(owner.username)));

    let unsent = talk.said(&server, None, 2, "what is taken back");
    assert_eq!(talk.call(&server, None, "DELETE", &format!("/line/{unsent}")).send().status, 200);
    for line in [unsent, 0, 99, u64::MAX] {
        by(None).json(&form("conversation", &talk.id, &[first, line], "")).send().assert(404, LINE_GONE);
    }
    let others = Talk::new();
    for call in [
        server.post("/api/report").header("Authorization", &format!("Annon {}", others.key)),
        by(Some(&Person::new(&server))),
    ] {
        call.json(&form("conversation", &talk.id, &[], "")).send().assert(404, NO_TALK);
    }
    by(None).json(&form("conversation", &others.id, &[], "")).send().assert(404, NO_TALK);
    report(&server, &form("conversation", &talk.id, &[], "")).assert(401, SIGNED_OUT);
    assert_eq!(reports(&server).len(), 3);
}

#[test]
fn a_member_reports_messages_of_a_group_and_nobody_else_does() {
    let (server, group) = Group::with(&[]);
    let [mut fox, mut dog] = group.members(&server);
    let first = fox.chat("what fox says")["seq"].as_u64().unwrap();
    let second = dog.chat("what dog says")["seq"].as_u64().unwrap();
    let picture = upload(&server, &group, &dog.seat.clone(), &png(30, 20)).message();
    dog.send_event("event.image", &json!({ "id": "abcdefghij00001", "image_src": picture, "caption": "a caption" }));
    let third = dog.await_event("event.image")["seq"].as_u64().unwrap();
    let seat = fox.seat.clone();
    from_seat(&server, &group, &seat, &[third, first, second], "a friend of mine is in it").assert_reported();
    let all = reports(&server);
    let (foxes, dogs) = (fox.seat.emoji.as_str(), dog.seat.emoji.as_str());
    assert_eq!(said(&all[0]), [(foxes, "what fox says"), (dogs, "what dog says"), (dogs, "(a photo) a caption")]);
    assert_eq!((&all[0]["about"], &all[0]["account"]), (&json!("group"), &json!(group.creator.username)));
    let text = all[0].to_string();
    assert!(!text.contains(&group.id) && !text.contains("tacos"), "{text}");
    let listed = objects(&server.folder, &["room", "list", "--json"]);
    assert_eq!(all[0]["of"], listed[0]["id"], "by this id the operator can close it");

    let elsewhere = Group::of(&server, group.creator.clone());
    let [mut stranger] = elsewhere.members(&server);
    let theirs = stranger.chat("what is said elsewhere")["seq"].as_u64().unwrap();
    from_seat(&server, &group, &stranger.seat, &[first], "").assert(403, NO_SEAT);
    report(&server, &form("room", &group.id, &[first], "")).assert(403, NO_SEAT);
    group.creator.send(&server, "POST", "/api/report", &form("room", &group.id, &[first], "")).assert(403, NO_SEAT);
    dog.send_event("event.unsend", &json!({ "seq": second }));
    let notice = group.data(&server, &seat)["messages"][0]["seq"].as_u64().unwrap();
    for line in [notice, 0, theirs + 1_000, u64::MAX] {
        from_seat(&server, &group, &seat, &[first, line], "").assert(404, LINE_GONE);
    }
    from_seat(&server, &group, &seat, &[], "").assert(422, LINES_WRONG);
    let many: Vec<u64> = (1..).take(REPORT_LINES + 1).collect();
    from_seat(&server, &group, &seat, &many, "").assert(422, LINES_WRONG);
    for unknown in [&*Uuid::nil().to_string(), "x", ""] {
        report(&server, &form("room", unknown, &[1], "")).assert(404, GONE);
    }
    assert_eq!(reports(&server).len(), 1);
}

#[test]
fn what_was_unsent_is_not_reported() {
    let (server, group) = Group::with(&[]);
    let [mut fox] = group.members(&server);
    let said = fox.chat("what is taken back")["seq"].as_u64().unwrap();
    group.command(&server, "DELETE", &format!("/message/{said}")).send().assert(200, "Message removed");
    from_seat(&server, &group, &fox.seat.clone(), &[said], "").assert(404, LINE_GONE);
}

#[test]
fn anybody_reports_a_page_from_outside() {
    let server = Server::with(NO_LIMITS);
    let (person, why) = (Person::named(&server, "Some-Body"), "This is about a friend of mine.");
    for (path, shown) in [
        ("/some-body", "/Some-Body"),
        ("some-body/", "/Some-Body"),
        ("/SOME-BODY/a/0193b0a0-7c5e", "/Some-Body/a/0193b0a0-7c5e"),
    ] {
        report(&server, &form("page", path, &[], why)).assert_reported();
        let newest = reports(&server).remove(0);
        assert_eq!((&newest["about"], &newest["of"]), (&json!("page"), &json!(shown)));
        assert_eq!((&newest["account"], &newest["text"]), (&json!(person.username), &json!(why)));
    }
    let group = Group::of(&server, person);
    report(&server, &form("page", &format!("/room/{}", group.id), &[], why)).assert_reported();
    let newest = reports(&server).remove(0);
    assert_eq!((&newest["about"], &newest["account"]), (&json!("group"), &json!("Some-Body")));
    assert!(!newest.to_string().contains(&group.id), "{newest}");

    for nobody in ["/nobody-here", "", "/", "//", "/a/b/c/d", "/some-body/a/x y", "/settings", "\u{202e}", "/%00", "\0"]
    {
        report(&server, &form("page", nobody, &[], why)).assert(404, NOBODY);
    }
    report(&server, &form("page", &format!("/room/{}", Uuid::nil()), &[], why)).assert(404, GONE);
    let short = "Say in at least 10 characters what is wrong";
    for empty in [
        "",
        "         ",
        "too short",
        "\u{200b}\u{200b}\u{200b}\u{200b}\u{200b}\u{200b}\u{200b}\u{200b}\u{200b}\u{200b}",
        "\u{7}\u{7}\u{7}\u{7}\u{7}\u{7}\u{7}\u{7}\u{7}\u{7}\u{7}",
    ] {
        report(&server, &form("page", "/some-body", &[], empty)).assert(422, short);
    }
    report(&server, &form("page", "/some-body", &[], &"🙂".repeat(REPORT_MAX))).assert_reported();
    let long = "🙂".repeat(REPORT_MAX + 1);
    report(&server, &form("page", "/some-body", &[], &long))
        .assert(422, "Please shorten what you say to 1000 characters");
    for odd in [
        json!({}),
        json!({ "about": "person", "id": "x" }),
        json!({ "about": "page", "id": 7, "words": why }),
        json!({ "about": "page", "id": "/some-body", "lines": [-1], "words": why }),
    ] {
        assert_eq!(report(&server, &odd).status, 400, "{odd}");
    }
}

#[test]
fn a_thousand_reports_of_one_address_are_refused_and_reports_are_closed() {
    let (server, person) = Person::with(&[]);
    let form = form("page", &person.username, &[], "the same words, over and over");
    let mut connection = crate::support::client::Connection::open(server.address);
    let call = server.post("/api/report").json(&form);
    let answers: Vec<_> = (0..1_000).map(|_| call.clone().send_on(&mut connection).status).collect();
    let taken = answers.iter().filter(|status| **status == 201).count();
    assert!((10..=12).contains(&taken) && answers.iter().all(|status| [201, 429].contains(status)), "{taken}");
    let all = reports(&server);
    assert_eq!(all.len(), taken);

    let id = all[0]["id"].as_str().unwrap();
    assert!(done(&server.folder, &["report", "close", id]).starts_with("closed"));
    assert!(done(&server.folder, &["report", "close", id]).starts_with("closed"), "again");
    assert_eq!(reports(&server).len(), taken - 1);
    let with_closed = objects(&server.folder, &["report", "list", "--all", "--json"]);
    assert_eq!((with_closed.len(), with_closed[0]["closed"].is_string()), (taken, true));
    assert!(done(&server.folder, &["report", "show", id]).contains("closed 2"));
    let unknown = "0193b0a0-0000-7000-8000-000000000000";
    for command in ["show", "close"] {
        let why = failed(&server.folder, &["report", command, unknown]);
        assert_eq!(why, format!("there is no report {unknown}"));
        let output = server.folder.annon(&["report", command, "x"]);
        assert_eq!(output.status.code(), Some(2), "{}", printed(&output.stderr));
    }
}

#[test]
fn a_receipt_tells_its_owner_how_the_report_stands() {
    let server = Server::with(NO_LIMITS);
    let person = Person::new(&server);
    let page = format!("/{}", person.username);
    let sent = report(&server, &form("page", &page, &[], "this is a threat to somebody")).json();
    let number = sent["receipt"].as_str().unwrap().to_owned();
    let look = |number: &str| server.post("/api/report/receipt").json(&json!({ "receipt": number })).send();
    let state = |number: &str| look(number).json()["state"].as_str().map(str::to_owned);
    assert_eq!(state(&number).as_deref(), Some("waits"));
    for unknown in ["0000-0000-0000-0000-0000-0000-0000-0000", "", "x", &number[1..]] {
        look(unknown).assert(404, "There is nothing here.");
    }
    let id = reports(&server)[0]["id"].as_str().unwrap().to_owned();
    assert_eq!(state(&number).as_deref(), Some("waits"), "a list shows no words");
    done(&server.folder, &["report", "show", &id]);
    assert_eq!(state(&number.to_uppercase().replace('-', " ")).as_deref(), Some("looked_at"));
    done(&server.folder, &["report", "close", &id]);
    assert_eq!(state(&number).as_deref(), Some("closed"));
    for (path, bytes) in files_below(&server.folder.data()) {
        assert!(!holds(&bytes, &number) && !holds(&bytes, number.replace('-', "")), "{}", path.display());
    }
}
