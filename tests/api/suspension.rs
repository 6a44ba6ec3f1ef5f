//! Suspensions: what a stranger sees, what the suspended can still do, and how it ends.

use serde_json::{Value, json};

use crate::api::operator::{done, failed};
use crate::api::operator_lists::objects;
use crate::rooms::group::{GONE, Group};
use crate::support::client::Answer;
use crate::support::person::{Person, is_alive, password_is_set, send_note};
use crate::support::server::{NO_LIMITS, Server, printed};
use crate::support::talk::Talk;

const NOT_AVAILABLE: &str = "This page isn't available right now.";
const SUSPENDED: &str = "Your account is suspended. Your home page says why, and until when.";
const REASON: &str = "Threats in several notes.";

fn suspend(server: &Server, person: &Person, days: &str, reason: &str) -> String {
    done(&server.folder, &["user", "suspend", &person.username, "--days", days, "--reason", reason])
}

fn dashboard(server: &Server, person: &Person) -> Value {
    person.get(server, "/api/dashboard").json()["user"]["suspended"].clone()
}

#[test]
fn a_suspended_persons_page_is_not_available_and_says_nothing_more() {
    let server = Server::with(NO_LIMITS);
    let (person, other) = (Person::new(&server), Person::new(&server));
    let (target, page) = (person.target(&server), format!("/api/annon/{}", person.username));
    assert!(suspend(&server, &person, "7", REASON).starts_with("suspended until 2"));
    for path in [&page, &page.to_uppercase().replace("/API/ANNON/", "/api/annon/")] {
        let answer = server.get(path).send();
        answer.assert(403, NOT_AVAILABLE);
        assert_eq!(answer.json()["code"], "page_not_available");
        assert!(!answer.text().contains("suspend") && !answer.text().contains(REASON), "{answer:?}");
    }
    send_note(&server, &target, "a note that comes too late").assert(403, NOT_AVAILABLE);
    Talk::new().begin_at(&server, &target, "a note with a conversation").assert(403, NOT_AVAILABLE);
    let form = server.post(&format!("/{}", person.username));
    let form = form.header("Content-Type", "application/x-www-form-urlencoded");
    let answer = form.header("Sec-Fetch-Site", "same-origin").body("message=a+note+from+a+form").send();
    assert_eq!(answer.status, 403);
    assert_eq!(person.inbox(&server)["data"], json!([]));
    send_note(&server, &other.target(&server), "others get their notes").assert(201, "Anonymous Message Sent");

    assert_eq!(done(&server.folder, &["user", "restore", &person.username]), "restored\n");
    assert_eq!(person.target(&server), target);
    send_note(&server, &target, "a note that comes again").assert(201, "Anonymous Message Sent");
    assert_eq!(done(&server.folder, &["user", "restore", &person.username]), "they were not suspended\n");
}

#[test]
fn the_suspended_read_why_and_can_read_and_delete_and_nothing_else() {
    let server = Server::with(NO_LIMITS);
    let group = Group::new(&server);
    let person = group.creator.clone();
    let talk = Talk::begun(&server, &person, "a note from before");
    let [mut member] = group.members(&server);
    assert_eq!(dashboard(&server, &person), Value::Null);
    suspend(&server, &person, "3650", REASON);
    assert!(is_alive(&server, &person.token), "nobody is signed out");
    let person = Person { token: person.sign_in(&server), ..person };
    let shown = dashboard(&server, &person);
    assert_eq!((&shown["reason"], shown["until"].as_str().unwrap().len()), (&json!(REASON), 19));

    let refused = |answer: Answer| {
        answer.assert(403, SUSPENDED);
        assert_eq!(answer.json()["code"], "suspended");
    };
    refused(person.send(&server, "POST", "/api/room/create", &json!({ "name": "midnight tacos" })));
    refused(person.call(&server, "POST", "/api/user/new-link").send());
    refused(person.send(&server, "PATCH", "/api/inbox", &json!({ "batches": true })));
    refused(person.send(&server, "PATCH", &group.path(""), &json!({ "locked": true })));
    refused(talk.say(&server, Some(&person), 1, "an answer"));
    refused(group.kick(&server, &member.seat.clone(), ""));

    // The members of a group aren't cut off, and the other side can read what was said.
    member.chat("the others talk on");
    assert_eq!(talk.read(&server, None)["note"]["message"], "a note from before");
    assert_eq!(person.get(&server, "/api/conversations").status, 200);
    assert_eq!(person.get(&server, "/api/inbox").status, 200);
    assert_eq!(person.get(&server, "/api/rooms").json()["data"].as_array().unwrap().len(), 1);
    let note = person.inbox(&server)["data"][0]["id"].as_str().unwrap().to_owned();
    assert_eq!(person.get(&server, &format!("/api/mark_as_seen/{note}")).status, 200);
    assert_eq!(person.call(&server, "DELETE", &format!("/api/message/{note}")).send().status, 200);
    password_is_set(&person.change_password(&server, &person.password, "battery staple"));
    let exported: Value = serde_json::from_str(&done(&server.folder, &["user", "export", &person.username])).unwrap();
    assert_eq!(exported["account"]["suspended"]["reason"], REASON);
    let listed = objects(&server.folder, &["user", "list", "--json"]);
    assert_eq!(listed[0]["suspended"]["reason"], REASON);
    assert!(done(&server.folder, &["user", "find", &person.username]).contains("  (suspended until 2"));
    person.call(&server, "DELETE", &group.path("")).send().assert(200, "Group deleted");
    server.get(&format!("/api/room/valid/{}", group.id)).send().assert(404, GONE);
    person.delete(&server, "battery staple").assert(200, "Account Deleted");
}

#[test]
fn a_suspension_outlives_the_server_and_is_replaced_by_the_next() {
    let (mut server, person) = Person::with(NO_LIMITS);
    suspend(&server, &person, "1", "spam");
    assert!(server.stop().success());
    let server = Server::on(&server.folder.clone(), NO_LIMITS);
    assert_eq!(dashboard(&server, &person)["reason"], "spam");
    let told = suspend(&server, &person, "30", "  more\u{7}\nspam \u{202e}here ");
    assert!(told.contains("; it was until 2"), "{told}");
    assert_eq!(dashboard(&server, &person)["reason"], "more\nspam \u{202e}here");
    assert_eq!(
        objects(&server.folder, &["user", "list", "--json"])[0]["suspended"]["reason"],
        "more\nspam \u{202e}here"
    );
}

#[test]
fn odd_suspensions_are_refused() {
    let (server, person) = Person::with(&[]);
    let of = |name: &str, days: &str, reason: &str| {
        let arguments = ["user", "suspend", name, "--days", days, "--reason", reason];
        let output = server.folder.annon(&arguments);
        (output.status.code(), printed(&output.stderr))
    };
    for days in ["0", "-1", "3651", "99999999999999999999", "x", "", "1.5"] {
        assert_eq!(of(&person.username, days, REASON).0, Some(2), "{days}");
    }
    for reason in ["", "   ", "\u{200b}", &"x".repeat(501)] {
        let why = failed(&server.folder, &["user", "suspend", &person.username, "--days", "1", "--reason", reason]);
        assert_eq!(why, "say why, in at most 500 characters");
    }
    for nobody in ["nobody-here", "x", "settings", "\u{202e}"] {
        for arguments in
            [&["user", "suspend", nobody, "--days", "1", "--reason", "spam"][..], &["user", "restore", nobody]]
        {
            assert_eq!(server.folder.annon(arguments).status.code(), Some(1), "{arguments:?}");
        }
    }
    assert_eq!(of("nobody-here", "1", REASON).1, "annon: there is nobody named nobody-here\n");
    assert_eq!(dashboard(&server, &person), Value::Null);
}
