//! Sending an anonymous note.

use serde_json::json;

use crate::support::person::{Person, send_note};
use crate::support::server::{NO_LIMITS, Server};

const SENT: &str = "Anonymous Message Sent";
const NOBODY: &str = "No one here goes by that name.";
const TOO_SHORT: &str = "Please Lengthen your message to more than 10 Characters";
const TOO_LONG: &str = "Please shorten your message to 280 characters";

#[test]
fn a_personal_link_leads_to_its_owner_in_any_mixture_of_cases() {
    let server = Server::start();
    let person = Person::named(&server, "Some-Body_1");
    let answer = server.get("/api/annon/Some-Body_1").send();
    let target = answer.message();
    let page = json!({ "answers": false, "line": "", "prompts": [], "only_for_you": false });
    let mut shown = json!({ "status": 200, "message": target });
    shown.as_object_mut().unwrap().extend(page.as_object().unwrap().clone());
    assert_eq!(answer.json(), shown);
    for name in ["some-body_1", "SOME-BODY_1", "some%2Dbody_1", "%53ome-Body_1"] {
        assert_eq!(server.get(&format!("/api/annon/{name}")).send().message(), target);
    }
    assert_eq!(person.target(&server), target, "it stays the same");
    assert_ne!(Person::new(&server).target(&server), target);
}

#[test]
fn a_name_nobody_has_leads_nowhere() {
    let server = Server::with(NO_LIMITS);
    let long = "x".repeat(5_000);
    let rude =
        "%00 %FF%FE % %zz ..%2f..%2fetc%2fpasswd %C3%A9%C3%A9 a+b+c+d %3Cscript%3E %0d%0aX-Injected:%201 %25%32%35";
    for name in rude.split(' ').chain(["nobody-here", "short", "settings", &long]) {
        server.get(&format!("/api/annon/{name}")).send().assert(404, NOBODY);
    }
}

#[test]
fn a_note_arrives_as_it_was_written() {
    let (server, person) = Person::with(NO_LIMITS);
    let target = person.target(&server);
    let longest = "🙂".repeat(280);
    let texts = [
        ("ten chars.", "ten chars."),
        ("éééééééééé", "éééééééééé"),
        (&*longest, &*longest),
        ("<script>alert('x')</script> & \"quotes\" \\ {{7*7}}", "<script>alert('x')</script> & \"quotes\" \\ {{7*7}}"),
        ("two\r\nlines and\ra\tthird", "two\nlines and\na\tthird"),
        ("   blank ends are cut   \n\n", "blank ends are cut"),
        ("nobody sees \u{0}\u{7}\u{1b}these", "nobody sees these"),
        ("right-to-left \u{202e}and joiners 👩‍👩‍👧", "right-to-left \u{202e}and joiners 👩‍👩‍👧"),
    ];
    for (sent, _) in &texts {
        send_note(&server, &target, sent).assert(201, SENT);
    }
    let inbox = person.inbox(&server);
    let arrived: Vec<_> =
        inbox["data"].as_array().unwrap().iter().map(|note| note["message"].as_str().unwrap()).collect();
    let expected: Vec<_> = texts.iter().rev().map(|(_, arrived)| *arrived).collect();
    assert_eq!(arrived, expected);
}

#[test]
fn a_note_is_refused_in_the_words_of_the_form() {
    let (server, person) = Person::with(NO_LIMITS);
    let target = person.target(&server);
    let (blank, padded, long) = (" ".repeat(40), format!("{}short{}", " ".repeat(20), " ".repeat(20)), "é".repeat(281));
    for (text, message) in [
        ("", TOO_SHORT),
        ("nine char", TOO_SHORT),
        ("ééééééééé", TOO_SHORT),
        (&blank, TOO_SHORT),
        (&padded, TOO_SHORT),
        ("\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}", TOO_SHORT),
        (&long, TOO_LONG),
    ] {
        send_note(&server, &target, text).assert(422, message);
    }
    let other = Person::new(&server);
    send_note(&server, &other.target(&server), "a note to somebody else").assert(201, SENT);
    let note = other.inbox(&server)["data"][0]["id"].as_str().unwrap().to_owned();
    for nobody in ["", "x", &person.username, "00000000-0000-0000-0000-000000000000", &note, &format!("{target}0")] {
        send_note(&server, nobody, "a note to nobody").assert(404, NOBODY);
    }
    assert_eq!(person.inbox(&server), json!({ "status": 200, "message": 0, "data": [] }));
}

#[test]
fn a_new_target_takes_the_place_of_the_old_one() {
    let (server, person) = Person::with(NO_LIMITS);
    let old = person.target(&server);
    let answer = person.call(&server, "POST", "/api/user/new-link").send();
    let new = answer.message();
    assert_eq!(answer.json(), json!({ "status": 200, "message": new }));
    assert_ne!(old, new);
    assert_eq!(person.target(&server), new, "the personal link leads there");
    send_note(&server, &old, "to where nobody is now").assert(404, NOBODY);
    send_note(&server, &new, "to where they are now").assert(201, SENT);
    assert_eq!(person.inbox(&server)["message"], 1);
}

#[test]
fn a_note_that_is_sent_again_with_its_id_is_one_note() {
    let (server, person) = Person::with(NO_LIMITS);
    let other = Person::new(&server);
    let send = |to: &Person, id: Option<&str>, words: &str| {
        let mut note = json!({ "id": to.target(&server), "message": words });
        if let Some(id) = id {
            note["note_id"] = json!(id);
        }
        server.post("/api/annon-message").json(&note).send()
    };
    let (id, words) = ("5e0c6c8e-24c5-4e53-8f0e-1b1a9f3f7a11", "it is sent twice");
    for to in [&person, &person, &other] {
        send(to, Some(id), words).assert(201, SENT);
    }
    // A browser that makes the id by itself may leave out the hyphens.
    send(&person, Some(&id.replace('-', "")), words).assert(201, SENT);
    assert_eq!(count(&server, &person), 1);
    assert_eq!(count(&server, &other), 1, "to somebody else it is another note");
    send(&person, Some(id), "in other words").assert(201, SENT);
    send(&person, Some("5e0c6c8e-24c5-4e53-8f0e-1b1a9f3f7a12"), words).assert(201, SENT);
    send(&person, None, words).assert(201, SENT);
    send(&person, None, words).assert(201, SENT);
    assert_eq!(count(&server, &person), 5);
    for wrong in ["", "1", &"5".repeat(33)] {
        let refused = send(&person, Some(wrong), words);
        assert_eq!((refused.status, refused.json()["field"].as_str()), (400, Some("note_id")), "{}", refused.text());
    }
    // Its owner has a new link, and then takes no notes: it has come all the same, and no other does.
    person.call(&server, "POST", "/api/user/new-link").send();
    send(&person, Some(id), words).assert(201, SENT);
    person.call(&server, "PATCH", "/api/inbox").json(&json!({ "paused": true })).send();
    send(&person, Some(id), words).assert(201, SENT);
    assert_eq!(send(&person, Some(id), "in words that are new").status, 409);
    assert_eq!(send(&person, None, words).status, 409);
    assert_eq!(count(&server, &person), 5);
}

fn count(server: &Server, person: &Person) -> usize {
    person.inbox(server)["data"].as_array().unwrap().len()
}
