//! Sealed inboxes: who is given the key, which notes are taken, and what comes of them.

use serde_json::{Value, json};

use crate::api::operator::done;
use crate::api::operator_lists::objects;
use crate::support::client::Answer;
use crate::support::person::{Person, send_note};
use crate::support::server::{NO_LIMITS, Server};
use crate::support::talk::{Talk, base64url};

/// So many bytes, as something sealed begins.
pub(crate) fn raw(bytes: usize) -> String {
    base64url(&vec![1; bytes])
}

pub(crate) fn key(n: u8) -> String {
    let mut key = [n; 65];
    key[0] = 4;
    base64url(&key)
}

pub(crate) fn fingerprint(key: &str) -> String {
    use base64::Engine;
    use base64::prelude::BASE64_URL_SAFE_NO_PAD;
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(key).unwrap();
    let hash = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, &bytes);
    base64url(&hash.as_ref()[..10])
}

pub(crate) fn seal(server: &Server, person: &Person, n: u8, open_notes: bool) -> Answer {
    let form = json!({ "key": key(n), "wrapped": raw(166), "open_notes": open_notes });
    person.send(server, "PUT", "/api/seal", &form)
}

/// Sends a note that is sealed with a key of this number.
fn send_sealed(server: &Server, target: &str, n: u8, more: &Value) -> Answer {
    let mut note = json!({ "id": target, "message": raw(594), "sealed_for": fingerprint(&key(n)) });
    note.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    server.post("/api/annon-message").json(&note).send()
}

fn code(answer: &Answer) -> (u16, String) {
    (answer.status, answer.json()["code"].as_str().unwrap_or_default().to_owned())
}

fn refused(status: u16, code: &str) -> (u16, String) {
    (status, code.to_owned())
}

#[test]
fn senders_are_given_the_key_while_the_inbox_is_sealed() {
    let (server, person) = Person::with(NO_LIMITS);
    let target = person.target(&server);
    let page = format!("/api/annon/{}", person.username);
    assert_eq!(person.get(&server, "/api/seal").json(), json!({ "status": 200, "data": null }));
    assert_eq!(server.get(&page).send().json().get("seal"), None);
    assert_eq!(code(&send_sealed(&server, &target, 1, &json!({}))), refused(409, "seal_changed"));
    let off = json!({ "on": false });
    assert_eq!(code(&person.send(&server, "PATCH", "/api/seal", &off)), refused(404, "no_seal"));

    assert_eq!(seal(&server, &person, 1, false).status, 200);
    assert_eq!(server.get(&page).send().json()["seal"], json!({ "key": key(1), "open_notes": false }));
    let own = json!({ "key": key(1), "wrapped": raw(166), "on": true, "open_notes": false });
    assert_eq!(person.get(&server, "/api/seal").json()["data"], own);
    assert_eq!(code(&send_note(&server, &target, "words that nobody has sealed")), refused(409, "seal_needed"));
    assert_eq!(code(&send_sealed(&server, &target, 2, &json!({}))), refused(409, "seal_changed"));
    send_sealed(&server, &target, 1, &json!({})).assert(201, "Anonymous Message Sent");
    let note = person.inbox(&server)["data"][0].clone();
    assert_eq!((&note["message"], &note["sealed"]), (&json!(raw(594)), &json!(target)));

    // Whoever can't seal may write if the owner says so.
    assert_eq!(person.send(&server, "PATCH", "/api/seal", &json!({ "open_notes": true })).status, 200);
    send_note(&server, &target, "words that nobody has sealed").assert(201, "Anonymous Message Sent");
    assert_eq!(person.inbox(&server)["data"][0].get("sealed"), None);
    assert_eq!(person.send(&server, "PATCH", "/api/seal", &off).status, 200);
    assert_eq!(server.get(&page).send().json().get("seal"), None);
    assert_eq!(code(&send_sealed(&server, &target, 1, &json!({}))), refused(409, "seal_changed"));
    assert_eq!(person.get(&server, "/api/seal").json()["data"]["on"], json!(false));

    // A note tells for which link it was sealed, also when there is a newer one.
    seal(&server, &person, 3, true);
    assert_eq!(person.call(&server, "POST", "/api/user/new-link").send().status, 200);
    send_sealed(&server, &person.target(&server), 3, &json!({})).assert(201, "Anonymous Message Sent");
    let all = person.inbox(&server);
    let sealed: Vec<_> = all["data"].as_array().unwrap().iter().map(|note| note["sealed"].as_str()).collect();
    assert_eq!(sealed, [Some(&*person.target(&server)), None, Some(&*target)]);
}

#[test]
fn what_is_not_sealed_as_it_has_to_be_is_refused() {
    let (server, person) = Person::with(NO_LIMITS);
    let target = person.target(&server);
    for (key, wrapped) in [(raw(65), raw(166)), (key(1), raw(10)), (key(1), raw(513)), ("no key".to_owned(), raw(166))]
    {
        let form = json!({ "key": key, "wrapped": wrapped, "open_notes": true });
        assert_eq!(code(&person.send(&server, "PUT", "/api/seal", &form)), refused(422, "seal_invalid"));
    }
    assert_eq!(server.call("PUT", "/api/seal").json(&json!({})).send().status, 401);
    seal(&server, &person, 1, true);
    let talk = Talk::new();
    let begins = json!({ "conversation": talk.beginning() });
    let copy = format!("{}.{}", raw(594), raw(93));
    for (message, more) in [
        (raw(593), json!({})),
        (raw(595), json!({})),
        (raw(4096), json!({})),
        ("words that nobody has sealed".to_owned(), json!({})),
        (String::new(), json!({})),
        (copy.clone(), json!({})),
        (raw(594), begins.clone()),
        (format!("{}.{}", raw(594), raw(94)), begins.clone()),
        (format!("{copy}.{}", raw(93)), begins.clone()),
    ] {
        let mut form = json!({ "message": message });
        form.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        assert_eq!(code(&send_sealed(&server, &target, 1, &form)), refused(422, "sealed_invalid"), "{form}");
    }
    let mut form = json!({ "message": copy });
    form.as_object_mut().unwrap().extend(begins.as_object().unwrap().clone());
    send_sealed(&server, &target, 1, &form).assert(201, "Anonymous Message Sent");
    // Words are compared by nobody: the same id is the same note.
    for bytes in [594, 1106, 2130] {
        let note = json!({ "message": raw(bytes), "note_id": "8c5f44b3-7f36-4c52-9b7d-0c9b7d7c6a11" });
        send_sealed(&server, &target, 1, &note).assert(201, "Anonymous Message Sent");
    }
    assert_eq!(person.inbox(&server)["message"], json!(2));
}

#[test]
fn lines_of_a_conversation_are_sealed_as_its_note_is() {
    let (server, owner) = Person::with(NO_LIMITS);
    seal(&server, &owner, 1, true);
    let (talk, note) = (Talk::new(), format!("{}.{}", raw(594), raw(93)));
    let begins = json!({ "message": note, "conversation": talk.beginning() });
    send_sealed(&server, &owner.target(&server), 1, &begins).assert(201, "Anonymous Message Sent");
    let path = format!("/api/conversation/{}", talk.id);
    let say = |n: u8, message: &str, sealed: bool| {
        let line = json!({ "id": format!("abcDEF12345678{n}"), "message": message, "sealed": sealed });
        owner.send(&server, "POST", &path, &line)
    };
    assert_eq!(code(&say(1, "words that nobody has sealed", false)), refused(422, "sealed_invalid"));
    assert_eq!(code(&say(1, "words that nobody has sealed", true)), refused(422, "sealed_invalid"));
    assert_eq!(say(1, &raw(93), true).status, 201);
    let read = talk.read(&server, None);
    assert_eq!((&read["note"]["message"], &read["note"]["sealed"]), (&json!(note), &json!(owner.target(&server))));
    assert_eq!(read["lines"][0]["message"], json!(raw(93)));
    let open = Talk::begun(&server, &owner, "words that nobody has sealed");
    let line = json!({ "id": "abcDEF123456789", "message": raw(93), "sealed": true });
    let answer = owner.send(&server, "POST", &format!("/api/conversation/{}", open.id), &line);
    assert_eq!(code(&answer), refused(422, "sealed_invalid"));

    // Whoever reports it says what the words are.
    let report = |opened: Value| {
        let form = json!({ "about": "conversation", "id": talk.id, "lines": [1], "opened": opened });
        owner.send(&server, "POST", "/api/report", &form)
    };
    assert_eq!(code(&report(json!([{ "seq": 1, "words": "a line" }]))), refused(422, "report_lines_invalid"));
    report(json!([{ "seq": 0, "words": "a note" }, { "seq": 1, "words": "a line" }])).assert_reported();
    let words = objects(&server.folder, &["report", "list", "--json"])[0]["words"].clone();
    let unchecked = "(sealed: as whoever reports it shows it)";
    let texts: Vec<_> = words.as_array().unwrap().iter().map(|words| words["text"].as_str().unwrap()).collect();
    assert_eq!(texts, [format!("{unchecked} a note"), format!("{unchecked} a line")]);
}

#[test]
fn only_its_owner_says_what_is_published_and_reported_of_a_note() {
    let (server, owner) = Person::with(NO_LIMITS);
    seal(&server, &owner, 1, false);
    let tag = json!({ "tag": "bWFya2VkLXRhZy1vZi0xIQ" });
    send_sealed(&server, &owner.target(&server), 1, &tag).assert(201, "Anonymous Message Sent");
    let note = owner.inbox(&server)["data"][0]["id"].as_str().unwrap().to_owned();
    let answer = |form: &Value| owner.send(&server, "PUT", &format!("/api/message/{note}/answer"), form);
    assert_eq!(code(&answer(&json!({ "answer": "Yes." }))), refused(422, "note_words_needed"));
    assert_eq!(answer(&json!({ "answer": "Yes.", "note": "short" })).status, 422);
    let published = answer(&json!({ "answer": "Yes.", "note": "Will you play again?" }));
    assert_eq!(published.json()["data"]["note"], json!("Will you play again?"));
    let all = server.get(&format!("/api/annon/{}/answers", owner.username)).send().json();
    assert_eq!(all["data"][0]["note"], json!("Will you play again?"));

    assert_eq!(owner.call(&server, "POST", &format!("/api/message/{note}/block")).send().status, 200);
    let block = owner.get(&server, "/api/blocks").json()["data"][0].clone();
    assert_eq!((&block["began"], &block["sealed"]), (&json!(raw(594)), &json!(owner.target(&server))));
    let report = json!({ "about": "note", "id": note, "opened": [{ "seq": 0, "words": "what it says" }] });
    owner.send(&server, "POST", "/api/report", &report).assert_reported();
    let words = objects(&server.folder, &["report", "list", "--json"])[0]["words"][0]["text"].clone();
    assert_eq!(words, json!("(sealed: as whoever reports it shows it) what it says"));
    // With the recovery code, the document is all that is needed to read it.
    let all: Value = serde_json::from_str(&done(&server.folder, &["user", "export", &owner.username])).unwrap();
    assert_eq!(all["seal"], json!({ "key": key(1), "wrapped": raw(166), "on": true, "open_notes": false }));
    assert_eq!(all["notes"][0]["sealed"], json!(owner.target(&server)));
}

#[test]
fn a_key_is_handed_to_another_device_once() {
    let (server, owner) = Person::with(NO_LIMITS);
    let hand_over = |bytes: usize| owner.send(&server, "PUT", "/api/seal/handover", &json!({ "wrapped": raw(bytes) }));
    let take = |person: &Person| person.call(&server, "POST", "/api/seal/handover/take").send();
    assert_eq!(code(&hand_over(200)), refused(404, "no_seal"));
    seal(&server, &owner, 1, true);
    assert_eq!(code(&take(&owner)), refused(404, "no_handover"));
    assert_eq!(code(&hand_over(9)), refused(422, "seal_invalid"));
    assert_eq!(hand_over(200).status, 200);
    assert_eq!(code(&take(&Person::new(&server))), refused(404, "no_handover"));
    assert_eq!(take(&owner).json()["data"], json!({ "wrapped": raw(200) }));
    assert_eq!(code(&take(&owner)), refused(404, "no_handover"));
    assert_eq!(server.post("/api/seal/handover/take").send().status, 401);
}

#[test]
fn a_form_without_scripts_says_what_becomes_of_a_note() {
    let (server, owner) = Person::with(NO_LIMITS);
    let send = || {
        let call = server.post(&format!("/{}", owner.username));
        let call = call.header("Content-Type", "application/x-www-form-urlencoded");
        call.body("message=words+that+nobody+has+sealed").send()
    };
    let page = || server.get(&format!("/{}", owner.username)).send().text();
    let (only_sealed, not_sealed) = ("takes sealed notes only.", "your note won’t be sealed");
    assert!(!page().contains(only_sealed) && !page().contains(not_sealed));
    seal(&server, &owner, 1, false);
    assert!(page().contains(only_sealed));
    assert_eq!(send().status, 409);
    assert_eq!(owner.inbox(&server)["message"], json!(0));
    owner.send(&server, "PATCH", "/api/seal", &json!({ "open_notes": true }));
    assert!(page().contains(not_sealed) && !page().contains(only_sealed));
    assert_eq!(send().status, 201);
    assert_eq!(owner.inbox(&server)["message"], json!(1));
}
