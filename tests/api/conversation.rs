//! Conversations over HTTP: the whole way, and every refusal.

use serde_json::{Value, json};

use crate::support::client::Answer;
use crate::support::person::{Person, SIGNED_OUT, send_note};
use crate::support::server::{NO_LIMITS, Server, files_below, holds};
use crate::support::talk::{GONE, Talk, base64url};

const NOTE: &str = "You were great on stage yesterday.";

fn list(server: &Server, owner: &Person) -> Vec<Value> {
    let answer = owner.get(server, "/api/conversations");
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()["data"].as_array().unwrap().clone()
}

fn peek(server: &Server, talks: &[&Talk]) -> Answer {
    let ids: Vec<_> = talks.iter().map(|talk| json!({ "id": talk.id, "key": talk.key })).collect();
    server.post("/api/conversations/peek").json(&json!({ "ids": ids })).send()
}

#[test]
fn somebody_without_an_account_is_answered() {
    let (server, owner) = Person::with(NO_LIMITS);
    let talk = Talk::begun(&server, &owner, NOTE);
    let note = owner.inbox(&server)["data"][0].clone();
    assert_eq!(note["conversation"], json!(talk.id));
    let listed = list(&server, &owner);
    assert_eq!((listed.len(), &listed[0]["id"], &listed[0]["last"]), (1, &json!(talk.id), &Value::Null));
    assert_eq!(
        (&listed[0]["unread"], &listed[0]["open"], &listed[0]["note"]["id"]),
        (&json!(0), &json!(true), &note["id"])
    );

    assert_eq!(talk.said(&server, None, 1, "  Will you play again?\r\n"), 1);
    let listed = list(&server, &owner);
    assert_eq!((&listed[0]["unread"], &listed[0]["last"]["message"]), (&json!(1), &json!("Will you play again?")));
    // The answer also says that the question was seen.
    assert_eq!(talk.said(&server, Some(&owner), 1, "On Friday. Who are you?"), 3);
    let theirs = talk.read(&server, None);
    let said: Vec<_> = theirs["lines"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| {
            (
                line["seq"].as_u64().unwrap(),
                line["from"].as_str().unwrap(),
                line["message"].as_str().unwrap(),
                line["seen"] == true,
            )
        })
        .collect();
    assert_eq!(said, [(1, "sender", "Will you play again?", true), (3, "owner", "On Friday. Who are you?", false)]);
    assert_eq!(
        (&theirs["me"], &theirs["to"], &theirs["last_seq"]),
        (&json!("sender"), &json!(owner.username), &json!(3))
    );
    assert_eq!((&theirs["note"]["message"], theirs["note"].get("id")), (&json!(NOTE), None));
    assert_eq!((&theirs["unread"], &theirs["has_older"]), (&json!(1), &json!(false)));
    let unknown = Talk::new();
    let wrong = Talk { id: talk.id.clone(), key: unknown.key.clone() };
    let odd = Talk { id: "x".to_owned(), key: "y".to_owned() };
    let peeked = peek(&server, &[&unknown, &talk, &wrong, &odd]).json();
    assert_eq!(peeked["data"], json!([{ "id": talk.id, "unread": 1, "answered": 3, "open": true }]));
    let seen = talk.call(&server, None, "PATCH", "").json(&json!({ "seen": 3 })).send();
    seen.assert(200, "Lines seen");
    // It was seen, and it is still an answer.
    let peeked = peek(&server, &[&talk]).json()["data"][0].clone();
    assert_eq!((&peeked["unread"], &peeked["answered"]), (&json!(0), &json!(3)));
    let mine = talk.read(&server, Some(&owner));
    assert_eq!(
        (&mine["me"], &mine["note"]["id"], &mine["lines"][1]["seen"]),
        (&json!("owner"), &note["id"], &json!(true))
    );
    let last = talk.call(&server, None, "GET", "?limit=1").send().json()["data"].clone();
    assert_eq!((&last["lines"][0]["seq"], &last["has_older"]), (&json!(3), &json!(true)));
    let before = talk.call(&server, None, "GET", "?before=3").send().json()["data"].clone();
    assert_eq!((before["lines"].as_array().unwrap().len(), &before["has_older"]), (1, &json!(false)));

    talk.call(&server, Some(&owner), "PATCH", "")
        .json(&json!({ "open": false }))
        .send()
        .assert(200, "Conversation closed");
    assert_eq!(peek(&server, &[&talk]).json()["data"][0]["open"], false);
    let closed = "This conversation is closed: nothing more can be said in it.";
    talk.say(&server, None, 2, "one more thing").assert(409, closed);
    talk.say(&server, Some(&owner), 2, "one more thing").assert(409, closed);
    assert_eq!(talk.said(&server, None, 1, "something else"), 1, "what was said before is said");
    talk.call(&server, None, "DELETE", "").send().assert(200, "Conversation ended");
    talk.assert_gone(&server, &owner);
    assert_eq!(list(&server, &owner), [] as [Value; 0]);
    assert_eq!(owner.inbox(&server)["data"][0].get("conversation"), None, "the note stays");
}

#[test]
fn whoever_has_not_the_key_finds_nothing() {
    let (server, owner) = Person::with(NO_LIMITS);
    let (stranger, talk) = (Person::new(&server), Talk::begun(&server, &owner, NOTE));
    let line = talk.said(&server, None, 1, "a line");
    let calls: [(&str, String, Value); 5] = [
        ("GET", String::new(), Value::Null),
        ("POST", String::new(), json!({ "id": "abcDEF123456789", "message": "words" })),
        ("PATCH", String::new(), json!({ "seen": 1, "open": false })),
        ("DELETE", String::new(), Value::Null),
        ("DELETE", format!("/line/{line}"), Value::Null),
    ];
    let other = Talk::begun(&server, &owner, NOTE);
    let keys = [&*other.key, "x", &talk.proof(), &talk.key[1..], &base64url(&[0; 32])];
    let id_of_nobody = Talk::new().id;
    for (method, below, body) in &calls {
        let send = |id: &str, authorization: &str| {
            let call = server.call(method, &format!("/api/conversation/{id}{below}"));
            let call = if authorization.is_empty() { call } else { call.header("Authorization", authorization) };
            if body.is_null() { call.send() } else { call.json(body).send() }
        };
        for key in keys {
            send(&talk.id, &format!("Annon {key}")).assert(404, GONE);
        }
        for id in [&*id_of_nobody, "x", "00000000-0000-0000-0000-000000000000", &base64url(&[0; 16])] {
            send(id, &format!("Annon {}", talk.key)).assert(404, GONE);
            send(id, &format!("Bearer {}", owner.token)).assert(404, GONE);
        }
        send(&talk.id, &format!("Bearer {}", stranger.token)).assert(404, GONE);
        for nobody in ["", "Bearer x", "Basic x", "Annon"] {
            send(&talk.id, nobody).assert(401, SIGNED_OUT);
        }
    }
    assert_eq!(talk.read(&server, None)["lines"].as_array().unwrap().len(), 1, "nothing has changed");
}

#[test]
fn a_key_of_a_conversation_opens_nothing_else_of_its_owner() {
    let (server, owner) = Person::with(NO_LIMITS);
    let talk = Talk::begun(&server, &owner, NOTE);
    send_note(&server, &owner.target(&server), "a note without a conversation").assert(201, "Anonymous Message Sent");
    let inbox = owner.inbox(&server);
    let note = inbox["data"][1]["id"].as_str().unwrap();
    let of_note = |below: &str| format!("/api/message/{note}{below}");
    let calls = [
        ("GET", "/api/messages".to_owned(), Value::Null),
        ("DELETE", "/api/messages".to_owned(), Value::Null),
        ("GET", "/api/conversations".to_owned(), Value::Null),
        ("GET", "/api/blocks".to_owned(), Value::Null),
        ("GET", "/api/inbox".to_owned(), Value::Null),
        ("PATCH", "/api/inbox".to_owned(), json!({ "paused": true })),
        ("GET", "/api/dashboard".to_owned(), Value::Null),
        ("DELETE", of_note(""), Value::Null),
        ("POST", of_note("/block"), Value::Null),
        ("PUT", of_note("/answer"), json!({ "answer": "an answer of somebody else" })),
    ];
    for (method, path, body) in calls {
        for shown in [format!("Annon {}", talk.key), format!("Bearer {}", talk.key)] {
            let call = server.call(method, &path).header("Authorization", &shown);
            let answer = if body.is_null() { call.send() } else { call.json(&body).send() };
            assert_eq!(answer.status, 401, "{method} {path}: {answer:?}");
        }
    }
    assert_eq!(owner.inbox(&server), inbox);
    assert_eq!(server.get(&format!("/api/annon/{}", owner.username)).send().json().get("paused"), None);
}

#[test]
fn a_note_that_claims_a_conversation_is_refused_with_it() {
    let (server, owner) = Person::with(NO_LIMITS);
    let (other, talk) = (Person::new(&server), Talk::begun(&server, &owner, NOTE));
    let taken = Talk { id: talk.id.clone(), ..Talk::new() };
    for with in [&owner, &other] {
        taken.begin(&server, with, "a note that is not stored").assert(409, "This conversation has already begun.");
    }
    let invalid = "A conversation needs an id and a proof, both in base64url.";
    let good = Talk::new();
    for (id, proof) in
        [("", &*good.proof()), ("x", &good.proof()), (&good.id, ""), (&good.id, &good.id), (&good.key, &good.proof())]
    {
        let form =
            json!({ "id": owner.target(&server), "message": NOTE, "conversation": { "id": id, "proof": proof } });
        server.post("/api/annon-message").json(&form).send().assert(422, invalid);
    }
    assert_eq!((&owner.inbox(&server)["message"], &other.inbox(&server)["message"]), (&json!(1), &json!(0)));
    assert_eq!(talk.read(&server, None)["note"]["message"], NOTE, "the first one goes on");
    let null = json!({ "id": owner.target(&server), "message": NOTE, "conversation": null });
    server.post("/api/annon-message").json(&null).send().assert(201, "Anonymous Message Sent");
}

#[test]
fn what_is_said_is_refused_by_its_rule() {
    let (server, owner) = Person::with(NO_LIMITS);
    let talk = Talk::begun(&server, &owner, NOTE);
    let say = |id: &str, message: &str| {
        talk.call(&server, None, "POST", "").json(&json!({ "id": id, "message": message })).send()
    };
    say("short", "words").assert(422, "A message's id has to be 15 letters and digits.");
    for empty in ["", "  \n ", "\u{200b}\u{200b}"] {
        say("abcDEF123456789", empty).assert(422, "There is nothing in that message.");
    }
    say("abcDEF123456789", &"é".repeat(281)).assert(422, "Please shorten what you say to 280 characters");
    for n in 1..=3 {
        talk.said(&server, None, n, &"🙂".repeat(280));
    }
    talk.say(&server, None, 4, "a fourth").assert(409, "You've said three things in a row. Wait for an answer.");
    talk.said(&server, Some(&owner), 1, "an answer");
    talk.said(&server, None, 4, "a fourth");
    let unsend = |who, line: &str| talk.call(&server, who, "DELETE", &format!("/line/{line}")).send();
    for (who, line) in [(None, "5"), (Some(&owner), "1"), (None, "0"), (None, "99"), (None, "x"), (None, "-1")] {
        unsend(who, line).assert(404, "There is no such line of yours.");
    }
    unsend(None, "2").assert(200, "Line unsent");
    unsend(None, "2").assert(404, "This message is already gone");
    let lines = talk.read(&server, Some(&owner))["lines"].clone();
    assert_eq!((&lines[1]["message"], &lines[1]["unsent"], lines[0].get("unsent")), (&json!(""), &json!(true), None));
    let change = |who, form: Value| talk.call(&server, who, "PATCH", "").json(&form).send();
    change(None, json!({ "open": false })).assert(403, "Only the person who got the note can close the conversation.");
    change(Some(&owner), json!({ "open": true })).assert(422, "A closed conversation can't be opened again.");
    for n in 10..105 {
        talk.said(&server, Some(&owner), n, "and more");
    }
    talk.say(&server, None, 200, "too much").assert(409, "This conversation has all the 100 lines it can have.");
    talk.call(&server, None, "GET", "?before=x").send().assert(400, "before has to be a place in the log.");
    talk.call(&server, None, "GET", "?limit=0").send().assert(400, "limit has to be 1 to 200.");
    let page = |query: &str| owner.get(&server, &format!("/api/conversations?{query}"));
    page("before=x").assert(400, "before has to be the id of a conversation.");
    page("limit=201").assert(400, "limit has to be 1 to 200.");
    server.get("/api/conversations").send().assert(401, SIGNED_OUT);
    let many: Vec<_> = (0..51).map(|_| Talk::new()).collect();
    let many: Vec<_> = many.iter().collect();
    peek(&server, &many).assert(422, "Ask about at most 50 conversations at once.");
    assert_eq!(peek(&server, &many[1..]).json()["data"], json!([]));
}

#[test]
fn a_conversation_ends_with_its_note_and_its_account() {
    let (server, owner) = Person::with(NO_LIMITS);
    let [one, two, three] = [(); 3].map(|()| Talk::begun(&server, &owner, NOTE));
    let note = one.read(&server, Some(&owner))["note"]["id"].as_str().unwrap().to_owned();
    assert_eq!(owner.call(&server, "DELETE", &format!("/api/message/{note}")).send().status, 200);
    one.assert_gone(&server, &owner);
    two.said(&server, None, 1, "still here");
    assert_eq!(owner.call(&server, "DELETE", "/api/messages").send().status, 200);
    two.assert_gone(&server, &owner);
    three.assert_gone(&server, &owner);
    let last = Talk::begun(&server, &owner, NOTE);
    assert_eq!(owner.delete(&server, &owner.password).status, 200);
    last.call(&server, None, "GET", "").send().assert(404, GONE);
    assert_eq!(peek(&server, &[&one, &two, &three, &last]).json()["data"], json!([]));
}

#[test]
fn while_a_note_waits_for_its_batch_only_its_sender_sees_the_conversation() {
    let (server, owner) = Person::with(NO_LIMITS);
    assert_eq!(owner.send(&server, "PATCH", "/api/inbox", &json!({ "batches": true })).status, 200);
    let talk = Talk::begun(&server, &owner, NOTE);
    talk.said(&server, None, 1, "are you there?");
    assert_eq!(list(&server, &owner), [] as [Value; 0]);
    talk.call(&server, Some(&owner), "GET", "").send().assert(404, GONE);
    talk.say(&server, Some(&owner), 1, "yes").assert(404, GONE);
    talk.call(&server, Some(&owner), "DELETE", "").send().assert(404, GONE);
    assert_eq!(owner.send(&server, "PATCH", "/api/inbox", &json!({ "batches": false })).status, 200);
    assert_eq!(list(&server, &owner)[0]["unread"], 1);
    talk.said(&server, Some(&owner), 1, "yes");
}

#[test]
fn neither_files_nor_log_have_ids_keys_or_words() {
    let (mut server, owner) = Person::with(&["--log-level", "debug"]);
    let talk = Talk::begun(&server, &owner, "zebra note that asks for an answer");
    talk.said(&server, None, 1, "zebra line");
    talk.read(&server, Some(&owner));
    Talk { key: Talk::new().key, ..talk.clone() }.call(&server, None, "GET", "").send().assert(404, GONE);
    peek(&server, &[&talk]);
    send_note(&server, &owner.target(&server), "zebra note without an answer").assert(201, "Anonymous Message Sent");
    let metrics = server.metrics().text();
    server.stop();
    let log = server.log.whole().join("\n") + &metrics;
    for secret in ["zebra", &talk.id, &talk.key, &talk.proof()] {
        assert!(!log.contains(secret), "{secret}");
        for (path, bytes) in files_below(&server.folder.data()) {
            assert!(!holds(&bytes, secret), "{secret} in {}", path.display());
        }
    }
}
