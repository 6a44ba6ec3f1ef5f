//! Public answers and personal pages over HTTP: the whole way, and every refusal.

use serde_json::{Value, json};

use crate::support::client::Answer;
use crate::support::person::{Person, SIGNED_OUT, send_note};
use crate::support::server::{NO_LIMITS, Server, files_below, holds};

const NOTE: &str = "Will you play again this summer?";
const SENT: &str = "Anonymous Message Sent";
const NO_NOTE: &str = "There is no such message in your inbox.";
const NO_ANSWER: &str = "There is no such answer. It may have been taken down.";
const FOR_YOU: &str = "The sender asked you to keep this note to yourself. It can't be answered in public.";

/// Sends a note, and returns its id.
fn note(server: &Server, owner: &Person, words: &str) -> String {
    send_note(server, &owner.target(server), words).assert(201, SENT);
    owner.inbox(server)["data"][0]["id"].as_str().unwrap().to_owned()
}

fn publish(server: &Server, owner: &Person, note: &str, answer: &str) -> Answer {
    owner.send(server, "PUT", &format!("/api/message/{note}/answer"), &json!({ "answer": answer }))
}

fn published(server: &Server, owner: &Person, note: &str, answer: &str) -> Value {
    let said = publish(server, owner, note, answer);
    assert_eq!(said.status, 200, "{said:?}");
    said.json()["data"].clone()
}

fn take_down(server: &Server, owner: &Person, note: &str) -> Answer {
    owner.call(server, "DELETE", &format!("/api/message/{note}/answer")).send()
}

fn list(server: &Server, owner: &Person, query: &str) -> Answer {
    server.get(&format!("/api/annon/{}/answers{query}", owner.username)).send()
}

fn answers(server: &Server, owner: &Person, query: &str) -> Vec<Value> {
    let listed = list(server, owner, query);
    assert_eq!(listed.status, 200, "{listed:?}");
    listed.json()["data"].as_array().unwrap().clone()
}

fn one(server: &Server, name: &str, id: &str) -> Answer {
    server.get(&format!("/api/annon/{name}/answers/{id}")).send()
}

fn has_answers(server: &Server, owner: &Person) -> bool {
    server.get(&format!("/api/annon/{}", owner.username)).send().json()["answers"].as_bool().unwrap()
}

#[test]
fn a_note_is_answered_in_public_and_taken_down() {
    let (server, owner) = Person::with(NO_LIMITS);
    let id = note(&server, &owner, NOTE);
    assert!(!has_answers(&server, &owner));
    assert_eq!(answers(&server, &owner, ""), [] as [Value; 0]);
    let answer = published(&server, &owner, &id, "  On Friday,\r\nat the harbour. \u{7}");
    assert_eq!((&answer["note"], &answer["answer"]), (&json!(NOTE), &json!("On Friday,\nat the harbour.")));
    assert!(answer["date"].as_str().unwrap().ends_with(":00"), "{answer}");
    assert!(has_answers(&server, &owner));
    assert_eq!(answers(&server, &owner, ""), vec![answer.clone()]);
    let public = answer["id"].as_str().unwrap();
    assert_eq!(one(&server, &owner.username.to_uppercase(), public).json()["data"], answer);
    let mine = owner.inbox(&server)["data"][0].clone();
    assert_eq!((&mine["answer"], &mine["only_for_you"]), (&answer, &json!(false)));
    // The same once more changes nothing, and other words keep the link.
    assert_eq!(published(&server, &owner, &id, "On Friday,\nat the harbour."), answer);
    let again = published(&server, &owner, &id, "On Saturday.");
    assert_eq!(
        (&again["id"], &again["date"], &again["answer"]),
        (&answer["id"], &answer["date"], &json!("On Saturday."))
    );
    for _ in 0..2 {
        take_down(&server, &owner, &id).assert(200, "Answer taken down");
        one(&server, &owner.username, public).assert(404, NO_ANSWER);
        assert_eq!(answers(&server, &owner, ""), [] as [Value; 0]);
        assert!(!has_answers(&server, &owner));
    }
    assert_eq!(owner.inbox(&server)["data"][0].get("answer"), None, "the note stays");
    let anew = published(&server, &owner, &id, "On Sunday.");
    assert_ne!(anew["id"], answer["id"]);
    // It goes with its note, and with its owner.
    assert_eq!(owner.call(&server, "DELETE", &format!("/api/message/{id}")).send().status, 200);
    one(&server, &owner.username, anew["id"].as_str().unwrap()).assert(404, NO_ANSWER);
    let other = note(&server, &owner, NOTE);
    published(&server, &owner, &other, "yes");
    assert_eq!(owner.call(&server, "DELETE", "/api/messages").send().status, 200);
    assert_eq!(answers(&server, &owner, ""), [] as [Value; 0]);
    let last = note(&server, &owner, NOTE);
    let last = published(&server, &owner, &last, "yes");
    assert_eq!(owner.delete(&server, &owner.password).status, 200);
    one(&server, &owner.username, last["id"].as_str().unwrap()).assert(404, "No one here goes by that name.");
    list(&server, &owner, "").assert(404, "No one here goes by that name.");
}

#[test]
fn no_mark_of_direction_turns_a_public_answers_page_round() {
    let (server, owner) = Person::with(NO_LIMITS);
    let id = note(&server, &owner, "\u{202e}txt.ecin\u{2066} a note, שלום\u{200f}! \u{202d}");
    let answer = published(&server, &owner, &id, "\u{2067}an\u{202e}swer");
    let public = answer["id"].as_str().unwrap();
    let html = server.get(&format!("/{}/a/{public}", owner.username)).send().text();
    for forcing in ["\u{202d}", "\u{202e}"] {
        assert!(!html.contains(forcing), "{html}");
    }
    // A preview shows both texts in one sentence of ours, which no mark may turn round.
    let (head, body) = html.split_once("<body").unwrap();
    let said = "content=\"“txt.ecin a note, שלום!” answer\"";
    assert_eq!(head.matches(said).count(), 3, "{head}");
    assert!(!head.contains(['\u{61c}', '\u{200e}', '\u{200f}', '\u{2066}', '\u{2067}', '\u{2068}', '\u{2069}']));
    assert!(body.contains("שלום\u{200f}!"), "what Hebrew needs is in an element of its own: {body}");
    assert_eq!(one(&server, &owner.username, public).json()["data"], answer, "the calls have what was written");
}

#[test]
fn what_can_not_be_answered_in_public_is_refused_by_its_rule() {
    let (server, owner) = Person::with(NO_LIMITS);
    let other = Person::new(&server);
    let id = note(&server, &owner, NOTE);
    let longest = "🙂".repeat(500);
    for (words, says) in [
        ("", "There is nothing in that answer."),
        (" \n\t", "There is nothing in that answer."),
        ("\u{0}\u{1b}\u{7f}", "There is nothing in that answer."),
        ("\u{200b}\u{200b}", "There is nothing in that answer."),
        (&*format!("{longest}🙂"), "Please shorten your answer to 500 characters"),
    ] {
        publish(&server, &owner, &id, words).assert(422, says);
    }
    for wrong in [json!({}), json!({ "answer": null }), json!({ "answer": 7 }), json!(["yes"])] {
        let sent = owner.send(&server, "PUT", &format!("/api/message/{id}/answer"), &wrong);
        assert_eq!(sent.status, 400, "{sent:?}");
    }
    // Somebody else's, one that is gone, and none.
    publish(&server, &other, &id, "yes").assert(404, NO_NOTE);
    take_down(&server, &other, &id).assert(404, NO_NOTE);
    let gone = note(&server, &owner, NOTE);
    published(&server, &owner, &gone, "yes");
    assert_eq!(owner.call(&server, "DELETE", &format!("/api/message/{gone}")).send().status, 200);
    for nothing in [&*gone, "x", "00000000-0000-0000-0000-000000000000"] {
        publish(&server, &owner, nothing, "yes").assert(404, NO_NOTE);
        take_down(&server, &owner, nothing).assert(404, NO_NOTE);
    }
    let path = format!("/api/message/{id}/answer");
    server.call("PUT", &path).json(&json!({ "answer": "yes" })).send().assert(401, SIGNED_OUT);
    server.call("DELETE", &path).send().assert(401, SIGNED_OUT);
    assert_eq!(answers(&server, &owner, ""), [] as [Value; 0]);
    let answer = published(&server, &owner, &id, &longest);
    assert_eq!(answer["answer"], json!(longest));
    // Neither a note's id nor somebody else's name leads to it.
    let public = answer["id"].as_str().unwrap();
    for (name, id) in
        [(&other.username, public), (&owner.username, &*id), (&owner.username, "x"), (&owner.username, &public[1..])]
    {
        one(&server, name, id).assert(404, NO_ANSWER);
    }
    list(&server, &owner, "?before=x").assert(400, "before has to be the id of an answer.");
    list(&server, &owner, "?limit=201").assert(400, "limit has to be 1 to 200.");
}

#[test]
fn whoever_says_only_for_you_is_never_published() {
    let (server, owner) = Person::with(NO_LIMITS);
    let send = |only_for_you: Value| {
        let form = json!({ "id": owner.target(&server), "message": NOTE, "only_for_you": only_for_you });
        server.post("/api/annon-message").json(&form).send().assert(201, SENT);
        owner.inbox(&server)["data"][0].clone()
    };
    let id = |note: &Value| note["id"].as_str().unwrap().to_owned();
    let kept = send(json!(true));
    assert_eq!(kept["only_for_you"], true);
    let refused = publish(&server, &owner, &id(&kept), "yes");
    refused.assert(409, FOR_YOU);
    assert_eq!(refused.json()["code"], "only_for_you");
    take_down(&server, &owner, &id(&kept)).assert(200, "Answer taken down");
    publish(&server, &owner, &id(&kept), "yes").assert(409, FOR_YOU);
    for said in [json!(false), Value::Null] {
        assert_eq!(send(said)["only_for_you"], false);
    }
    let wrong = json!({ "id": owner.target(&server), "message": NOTE, "only_for_you": "yes" });
    assert_eq!(server.post("/api/annon-message").json(&wrong).send().status, 400);
    // As the owner has set it up, unless a sender says otherwise.
    assert_eq!(owner.send(&server, "PATCH", "/api/page", &json!({ "only_for_you": true })).status, 200);
    assert_eq!(
        [Value::Null, json!(true), json!(false)].map(|said| send(said)["only_for_you"] == true),
        [true, true, false]
    );
    // A form without scripts can't show that, so it promises no less.
    let form = |fields: &str| {
        let call =
            server.post(&format!("/{}", owner.username)).header("Content-Type", "application/x-www-form-urlencoded");
        assert_eq!(call.body(fields).send().status, 201);
        owner.inbox(&server)["data"][0]["only_for_you"] == true
    };
    assert!(form("message=a+note+without+scripts"));
    assert_eq!(owner.send(&server, "PATCH", "/api/page", &json!({ "only_for_you": false })).status, 200);
    assert!(!form("message=a+note+without+scripts"));
    assert!(form("only_for_you=on&message=a+note+without+scripts"));
    assert_eq!(answers(&server, &owner, ""), [] as [Value; 0]);
}

#[test]
fn a_note_that_waits_for_its_batch_can_not_be_answered() {
    let (server, owner) = Person::with(NO_LIMITS);
    assert_eq!(owner.send(&server, "PATCH", "/api/inbox", &json!({ "batches": true })).status, 200);
    send_note(&server, &owner.target(&server), NOTE).assert(201, SENT);
    assert_eq!(owner.inbox(&server)["data"], json!([]), "its id isn't known");
    assert_eq!(owner.send(&server, "PATCH", "/api/inbox", &json!({ "batches": false })).status, 200);
    let id = owner.inbox(&server)["data"][0]["id"].as_str().unwrap().to_owned();
    published(&server, &owner, &id, "yes");
}

#[test]
fn answers_are_listed_page_by_page() {
    let (server, owner) = Person::with(NO_LIMITS);
    let mut all: Vec<Value> = Vec::new();
    for n in 0..23 {
        let id = note(&server, &owner, &format!("question number {n}"));
        all.push(published(&server, &owner, &id, &format!("answer number {n}")));
    }
    // Those of one second are in any order among themselves.
    let first = answers(&server, &owner, "");
    assert_eq!(first.len(), 20);
    let last = first[19]["id"].as_str().unwrap();
    let rest = answers(&server, &owner, &format!("?before={last}&limit=200"));
    let mut listed: Vec<_> = first.iter().chain(&rest).map(ToString::to_string).collect();
    let mut expected: Vec<_> = all.iter().map(ToString::to_string).collect();
    listed.sort();
    expected.sort();
    assert_eq!(listed, expected);
}

#[test]
fn a_page_has_a_line_and_prompts() {
    let (server, owner) = Person::with(NO_LIMITS);
    let set = |form: Value| owner.send(&server, "PATCH", "/api/page", &form);
    let nothing = json!({ "status": 200, "line": "", "prompts": [], "only_for_you": false });
    assert_eq!(owner.get(&server, "/api/page").json(), nothing);
    let all =
        json!({ "line": " I play\nthe cello ", "prompts": ["Ask me about music", " Books? "], "only_for_you": true });
    let shown = json!({ "status": 200, "line": "I play the cello", "prompts": ["Ask me about music", "Books?"], "only_for_you": true });
    assert_eq!(set(all).json(), shown);
    assert_eq!(set(json!({})).json(), shown, "what is left out stays");
    assert_eq!(owner.get(&server, "/api/page").json(), shown);
    let public = server.get(&format!("/api/annon/{}", owner.username)).send().json();
    for field in ["line", "prompts", "only_for_you"] {
        assert_eq!(public[field], shown[field], "{field}");
    }
    let (long, longest) = ("é".repeat(81), "é".repeat(80));
    for (form, says) in [
        (json!({ "line": long }), "Please shorten your profile line to 80 characters"),
        (json!({ "prompts": ["fine", long] }), "Please shorten each prompt to 80 characters"),
        (json!({ "prompts": ["fine", " \u{202e}"] }), "There is nothing in one of your prompts."),
        (json!({ "prompts": ["1", "2", "3", "4"] }), "A page can have three prompts."),
    ] {
        set(form).assert(422, says);
    }
    assert_eq!(owner.get(&server, "/api/page").json(), shown, "nothing has changed");
    assert_eq!(set(json!({ "line": longest, "prompts": [longest, longest, longest] })).status, 200);
    assert_eq!(set(json!({ "line": "", "prompts": [], "only_for_you": false })).json(), nothing);
    server.get("/api/page").send().assert(401, SIGNED_OUT);
    server.call("PATCH", "/api/page").json(&json!({})).send().assert(401, SIGNED_OUT);
}

#[test]
fn neither_files_nor_log_have_what_is_published() {
    let (mut server, owner) = Person::with(&["--log-level", "debug"]);
    let id = note(&server, &owner, "zebra note that is answered");
    let answer = published(&server, &owner, &id, "zebra answer");
    assert_eq!(owner.send(&server, "PATCH", "/api/page", &json!({ "line": "zebra line" })).status, 200);
    one(&server, &owner.username, answer["id"].as_str().unwrap());
    assert!(server.get(&format!("/{}/a/{}", owner.username, answer["id"].as_str().unwrap())).send().status < 500);
    let metrics = server.metrics().text();
    server.stop();
    let log = server.log.whole().join("\n") + &metrics;
    for secret in ["zebra", answer["id"].as_str().unwrap()] {
        assert!(!log.contains(secret), "{secret}");
        for (path, bytes) in files_below(&server.folder.data()) {
            assert!(!holds(&bytes, secret), "{secret} in {}", path.display());
        }
    }
}
