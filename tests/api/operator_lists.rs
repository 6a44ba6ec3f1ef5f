//! What the operator looks up: accounts, groups and feedback, for people and for programs.

use annon_contract::code::Code;
use serde_json::{Value, json};

use crate::api::operator::{done, failed};
use crate::rooms::group::{GONE, Group};
use crate::support::form::Form;
use crate::support::person::{Person, send_note};
use crate::support::server::{Folder, NO_LIMITS, Server, printed};

/// The JSON objects that a command prints, one a line.
#[track_caller]
pub(crate) fn objects(folder: &Folder, arguments: &[&str]) -> Vec<Value> {
    done(folder, arguments).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn somebody_is_found_by_a_part_of_their_name_or_confirmed_address() {
    let server = Server::start();
    for name in ["Anna-Lena", "lena77", "otto99"] {
        Person::named(&server, name);
    }
    let found = |text: &str| {
        let names = objects(&server.folder, &["user", "find", text, "--json"]);
        let mut names: Vec<_> = names.iter().map(|one| one["username"].as_str().unwrap().to_owned()).collect();
        names.sort();
        names
    };
    assert_eq!(found("LENA"), ["Anna-Lena", "lena77"]);
    assert_eq!(found("otto99@MAIL"), ["otto99"]);
    assert_eq!(found("example").len(), 3);
    let plain = done(&server.folder, &["user", "find", "otto"]);
    assert!(plain.contains("  otto99            otto99@mail.example\n") && plain.lines().count() == 1, "{plain}");
    let nobody = failed(&server.folder, &["user", "find", "nobody at all"]);
    assert_eq!(nobody, "nobody has nobody at all in their username or confirmed address");
    // An address that is not confirmed may be somebody else's.
    let server = Server::with(&["--smtp-url", "smtp+plain://127.0.0.1:9"]);
    Person::named(&server, "unsure");
    assert_eq!(objects(&server.folder, &["user", "list", "--json"])[0]["email_confirmed"], json!(false));
    failed(&server.folder, &["user", "find", "mail.example"]);
    assert_eq!(objects(&server.folder, &["user", "find", "unsure", "--json"]).len(), 1);
}

#[test]
fn an_account_is_exported_with_its_notes_conversations_and_groups_and_nothing_of_others() {
    let server = Server::with(NO_LIMITS);
    let (person, other) = (Person::new(&server), Person::new(&server));
    let target = person.target(&server);
    for n in 0..3 {
        send_note(&server, &target, &format!("note {n} with \"quotes\",\nlines and \u{202e}marks"))
            .assert(201, "Anonymous Message Sent");
    }
    send_note(&server, &other.target(&server), "a note of somebody else");
    person.send(&server, "POST", "/api/room/create", &json!({ "name": "midnight tacos" }));
    let text = done(&server.folder, &["user", "export", &person.username]);
    let all: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(
        (&all["account"]["username"], &all["account"]["email"]),
        (&json!(person.username), &json!(person.email))
    );
    let notes: Vec<_> = all["notes"].as_array().unwrap().iter().map(|note| note["message"].as_str().unwrap()).collect();
    let note = |n: u32| format!("note {n} with \"quotes\",\nlines and \u{202e}marks");
    assert_eq!(notes, [note(2), note(1), note(0)]);
    assert_eq!(all["groups"][0]["name"], "midnight tacos");
    assert_eq!(all["conversations"], json!([]));
    assert!(!text.contains("somebody else") && !text.contains("argon2") && !text.contains(&target), "{text}");
    let nothing: Value =
        serde_json::from_str(&done(&server.folder, &["user", "export", &Person::new(&server).username])).unwrap();
    assert_eq!((&nothing["notes"], &nothing["groups"]), (&json!([]), &json!([])));
}

#[test]
fn an_export_has_what_somebody_has_set_and_published_and_what_was_held_back() {
    let server = Server::with(NO_LIMITS);
    let person = Person::new(&server);
    let target = person.target(&server);
    let set = |path: &str, form: &Value| assert_eq!(person.send(&server, "PATCH", path, form).status, 200, "{form}");
    set("/api/page", &json!({ "line": "I play the cello", "prompts": ["Books?"], "only_for_you": true }));
    set("/api/inbox", &json!({ "held_words": ["stupid"], "shield": "off" }));
    let tag = "AAECAwQFBgcICQoLDA0ODw";
    let form = json!({ "id": target, "message": "a note that is answered", "only_for_you": false, "tag": tag });
    server.post("/api/annon-message").json(&form).send().assert(201, "Anonymous Message Sent");
    send_note(&server, &target, "you are stupid, I think").assert(201, "Anonymous Message Sent");
    let note = person.inbox(&server)["data"][0]["id"].as_str().unwrap().to_owned();
    let answered = person.send(&server, "PUT", &format!("/api/message/{note}/answer"), &json!({ "answer": "Yes." }));
    let public = answered.json()["data"]["id"].as_str().unwrap().to_owned();
    assert_eq!(person.call(&server, "POST", &format!("/api/message/{note}/block")).send().status, 200);
    let flags =
        person.send(&server, "PATCH", &format!("/api/message/{note}"), &json!({ "archived": true, "starred": true }));
    assert_eq!(flags.status, 200);
    send_note(&server, &target, "a note that is only for you").assert(201, "Anonymous Message Sent");
    let text = done(&server.folder, &["user", "export", &person.username]);
    let all: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(all["page"], json!({ "line": "I play the cello", "prompts": ["Books?"], "only_for_you": true }));
    let inbox = json!({ "batches": false, "paused": false, "shield": "off", "held_words": ["stupid"] });
    assert_eq!(all["inbox"], inbox);
    let notes = all["notes"].as_array().unwrap();
    assert_eq!((&notes[0]["only_for_you"], &notes[0]["answer"]), (&json!(true), &Value::Null));
    assert_eq!((&notes[1]["only_for_you"], &notes[1]["answer"]["answer"]), (&json!(false), &json!("Yes.")));
    let flags = |n: usize| [&notes[n]["archived"], &notes[n]["starred"]];
    assert_eq!((flags(0), flags(1)), ([&json!(false); 2], [&json!(true); 2]));
    let link = notes[1]["answer"]["link"].as_str().unwrap();
    assert!(link.ends_with(&format!("/{}/a/{public}", person.username)), "{link}");
    assert_eq!((notes.len(), &all["held_back"][0]["message"]), (2, &json!("you are stupid, I think")));
    assert_eq!(
        (&all["blocks"][0]["message"], all["blocks"][0]["date"].is_string()),
        (&json!("a note that is answered"), true)
    );
    // What it has nothing of is named, with the reason; and nothing leads to a sender.
    let left: Vec<_> = all["left_out"].as_object().unwrap().keys().collect();
    assert_eq!(left, ["feedback", "image", "invitation", "pause", "report", "room_link", "room_log", "telling"]);
    assert!(!text.contains(tag) && !text.contains(&target), "{text}");
}

#[test]
fn groups_are_listed_without_their_words_and_closed() {
    let server = Server::with(NO_LIMITS);
    let person = Person::new(&server);
    assert_eq!(done(&server.folder, &["room", "list"]), "");
    let [one, other] = [0, 1].map(|_| Group::of(&server, person.clone()));
    let [mut member] = one.members(&server);
    let (first, second) = (one.id.clone(), other.id.clone());
    let listed = objects(&server.folder, &["room", "list", "--json"]);
    assert_eq!(listed.len(), 2);
    let busy = listed.iter().find(|room| room["members"] == 1).unwrap();
    for text in [done(&server.folder, &["room", "list"]), done(&server.folder, &["room", "list", "--json"])] {
        for hidden in ["tacos", &*first, &second, &person.username] {
            assert!(!text.contains(hidden), "{text}");
        }
        assert!(text.contains(busy["id"].as_str().unwrap()) && text.lines().count() == 2, "{text}");
    }
    assert_eq!(done(&server.folder, &["room", "close", busy["id"].as_str().unwrap()]), "closed\n");
    member.assert_closed(Code::GroupDeleted, 4410, "the group was deleted");
    server.get(&format!("/api/room/valid/{first}")).send().assert(404, GONE);
    let alive = server.get(&format!("/api/room/valid/{second}")).send();
    assert_eq!(alive.json(), json!({ "status": 200, "message": "This group is alive.", "free_seats": 10 }));
    // By the id in its link, too.
    assert_eq!(done(&server.folder, &["room", "close", &second]), "closed\n");
    for gone in [&*first, &second, busy["id"].as_str().unwrap(), "0123456789abcdef", "", "x\ny"] {
        let output = server.folder.annon(&["room", "close", gone]);
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(printed(&output.stderr), format!("annon: there is no group {gone}\n"));
    }
}

#[test]
fn lists_are_printed_for_programs_one_object_a_line() {
    let (server, person) = Person::with(&[]);
    let accounts = objects(&server.folder, &["user", "list", "--json"]);
    assert_eq!(accounts.len(), 1);
    assert_eq!((&accounts[0]["username"], &accounts[0]["email_confirmed"]), (&json!(person.username), &json!(true)));
    assert_eq!(accounts[0]["created"].as_str().unwrap().len(), "2026-11-20 18:05:09".len());
    Form::with_text("two lines\nand \u{202e}marks, as they were sent").send(&server).assert(201, "Feedback sent");
    let feedback = objects(&server.folder, &["feedback", "list", "--json"]);
    assert_eq!(feedback[0]["text"], "two lines\nand \u{202e}marks, as they were sent");
    assert_eq!((feedback.len(), &feedback[0]["has_picture"]), (1, &json!(false)));
}

#[test]
fn an_empty_list_says_so_to_people_and_nothing_to_programs() {
    let server = Server::start();
    for (command, says) in [
        (&["user", "list"][..], "there are no accounts\n"),
        (&["room", "list"], "there are no groups\n"),
        (&["report", "list"], "there are no open reports\n"),
        (&["report", "list", "--all"], "there are no reports\n"),
        (&["feedback", "list"], "there are no pieces of feedback\n"),
        (&["invite", "list"], "there are no invitations that work\n"),
        (&["mail"], "there are no mails\n"),
    ] {
        let output = server.folder.annon(command);
        let (shown, said) = (printed(&output.stdout), printed(&output.stderr));
        assert_eq!((output.status.code(), &*shown, &*said), (Some(0), "", says), "{command:?}");
    }
    Person::new(&server);
    assert_eq!(printed(&server.folder.annon(&["user", "list"]).stderr), "");
}
