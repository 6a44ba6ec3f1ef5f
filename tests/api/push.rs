//! Web push: who is told of what, what a push service learns by it, and services that are of no use.

use std::collections::BTreeSet;

use annon_contract::limits::{PUSH_KEPT, SUBSCRIPTIONS};
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use crate::support::client::with_code;
use crate::support::patience::{since_1970, wait_until};
use crate::support::person::{Person, SIGNED_OUT, send_note};
use crate::support::push::{Browser, PushService, Reply, Sent, assert_subscribed, outcomes};
use crate::support::server::{Folder, NO_LIMITS, Server, files_below, holds};
use crate::support::talk::Talk;
use crate::support::test_socket::TestSocket;

const NOTE: &str = "some zebra words of a note";

pub(crate) fn started(replies: impl Fn(&str, usize) -> Reply + Send + Sync + 'static) -> (PushService, Server) {
    let folder = Folder::new();
    let service = PushService::that(&folder, replies);
    let server = Server::on(&folder, &[&service.flags()[..], NO_LIMITS].concat());
    (service, server)
}

fn taken(_: &str, _: usize) -> Reply {
    Reply::Status(201, String::new())
}

pub(crate) fn subscriptions(server: &Server, person: &Person) -> Vec<Value> {
    let answer = person.get(server, "/api/push");
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()["data"]["subscriptions"].as_array().unwrap().clone()
}

/// Has somebody be told of a note.
pub(crate) fn tell(server: &Server, person: &Person) {
    send_note(server, &person.target(server), NOTE).assert(201, "Anonymous Message Sent");
}

/// Checks who has sent a message, as a push service does.
fn assert_signed(sent: &Sent, key: &str, origin: &str) {
    let header = sent.header("authorization").unwrap();
    let (token, shown) = header.strip_prefix("vapid t=").unwrap().split_once(", k=").unwrap();
    assert_eq!(shown, key);
    let bytes = |text: &str| BASE64_URL_SAFE_NO_PAD.decode(text).unwrap();
    let (signed, signature) = token.rsplit_once('.').unwrap();
    let public = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, bytes(key));
    public.verify(signed.as_bytes(), &bytes(signature)).unwrap();
    let claims: Value = serde_json::from_slice(&bytes(signed.split_once('.').unwrap().1)).unwrap();
    assert_eq!(claims["aud"], origin);
    let left = claims["exp"].as_u64().unwrap().saturating_sub(since_1970().as_secs());
    assert!((1..=24 * 60 * 60).contains(&left), "{claims}");
}

#[test]
fn a_browser_is_told_of_a_note_and_of_an_answer_and_its_service_learns_nothing_of_them() {
    let (service, server) = started(taken);
    let person = Person::new(&server);
    let key = person.get(&server, "/api/push").json()["data"]["key"].as_str().unwrap().to_owned();
    let browser = Browser::new(&service);
    browser.subscribe(&server, &person, &["note", "answer"]);
    let talk = Talk::begun(&server, &person, NOTE);
    let sent = service.wait_for(&browser.name, 1).remove(0);
    let notification = |body: &str, kind: &str| {
        let navigate = format!("http://{}/homepage", server.address);
        json!({ "web_push": 8030, "kind": kind, "notification": {
            "title": "Annon", "body": body, "lang": "en", "tag": kind, "navigate": navigate, "silent": false,
        } })
    };
    assert_eq!(browser.read(&sent), notification("Somebody left you a note", "note"));
    talk.said(&server, None, 1, "zebra words of a line");
    let all = service.wait_for(&browser.name, 2);
    assert_eq!(browser.read(&all[1]), notification("There is an answer", "answer"));
    for sent in &all {
        assert_signed(sent, &key, browser.endpoint.split("/push/").next().unwrap());
        let header = |name| sent.header(name).unwrap_or_default().to_owned();
        assert_eq!(header("ttl"), PUSH_KEPT.as_secs().to_string());
        assert_eq!((header("urgency"), header("content-encoding")), ("normal".to_owned(), "aes128gcm".to_owned()));
        // What differs between two messages is the signature, of the same length, and what is encrypted.
        let names: BTreeSet<_> = sent.headers.iter().map(|(name, _)| name.to_lowercase()).collect();
        let known = ["authorization", "content-encoding", "content-length", "content-type", "host", "ttl", "urgency"];
        assert_eq!(names, known.map(str::to_owned).into());
        assert_eq!((sent.body.len(), header("content-length")), (1126, "1126".to_owned()));
    }
    wait_until("both counts", || outcomes(&server, "taken") == 2);
}

#[test]
fn only_those_are_told_who_asked_for_it_in_their_language_and_not_in_quiet_hours() {
    let (service, server) = started(taken);
    let person = Person::new(&server);
    let [told, other, quiet, ended, awake] = [(); 5].map(|()| Browser::new(&service));
    let minute = since_1970().as_secs() / 60 % 1440;
    let hours = |from: u64, to: u64| json!({ "from": from % 1440, "to": to % 1440 });
    other.subscribe(&server, &person, &["answer", "knock", "group"]);
    ended.subscribe(&server, &person, &["note"]);
    let mut form = quiet.form(&["note"]);
    form["quiet"] = hours(minute + 1440 - 60, minute + 60);
    assert_subscribed(&person.send(&server, "PUT", "/api/push", &form), &quiet);
    form = awake.form(&["note"]);
    (form["quiet"], form["language"]) = (hours(minute + 60, minute + 120), json!("de"));
    assert_subscribed(&person.send(&server, "PUT", "/api/push", &form), &awake);
    told.subscribe(&server, &person, &["note"]);
    let end = || person.call(&server, "DELETE", &format!("/api/push/{}", ended.id())).send();
    end().assert(200, "Unsubscribed");
    end().assert(404, "There is no such subscription. It may have ended.");
    let listed = subscriptions(&server, &person);
    let ids: Vec<_> = listed.iter().map(|one| one["id"].as_str().unwrap().to_owned()).collect();
    assert_eq!(ids, [other.id(), quiet.id(), awake.id(), told.id()]);
    assert_eq!((&listed[1]["quiet"], &listed[2]["quiet"]), (&hours(minute + 1380, minute + 60), &form["quiet"]));
    assert_eq!(listed[0]["kinds"], json!(["answer", "knock", "group"]));
    assert!(listed.iter().all(|one| one["added"].as_str().unwrap().len() == "2026-11-30".len()), "{listed:?}");
    tell(&server, &person);
    let read = browser_body(&awake, &service.wait_for(&awake.name, 1)[0]);
    assert_eq!(read, "Jemand hat dir eine Nachricht hinterlassen");
    service.wait_for(&told.name, 1);
    // All are chosen at once, so the others would have been by now.
    tell(&server, &person);
    service.wait_for(&told.name, 2);
    for silent in [&other, &quiet, &ended] {
        assert!(service.sent_to(&silent.name).is_empty(), "{}", silent.name);
    }
}

fn browser_body(browser: &Browser, sent: &Sent) -> String {
    browser.read(sent)["notification"]["body"].as_str().unwrap().to_owned()
}

/// Two people, whose browsers are told of notes.
fn two(service: &PushService, server: &Server) -> ([Person; 2], [Browser; 2]) {
    let people = [(); 2].map(|()| Person::new(server));
    let browsers = people.each_ref().map(|person| {
        let browser = Browser::new(service);
        browser.subscribe(server, person, &["note"]);
        browser
    });
    (people, browsers)
}

#[test]
fn who_has_the_inbox_open_or_has_seen_the_note_is_not_told() {
    let (service, server) = started(taken);
    let ([person, other], [browser, last]) = two(&service, &server);
    let mut socket = TestSocket::of(&server, &person);
    tell(&server, &person);
    while socket.next_frame()["event"] != "event.inbox" {}
    // What is told of later comes later.
    tell(&server, &other);
    service.wait_for(&last.name, 1);
    tell(&server, &other);
    service.wait_for(&last.name, 2);
    assert!(service.sent_to(&browser.name).is_empty());
    drop(socket);
    wait_until("nobody looks", || server.metric("annon_inboxes_open") == 0.0);
    tell(&server, &person);
    service.wait_for(&browser.name, 1);
}

/// A tab that was forgotten on a laptop must not keep a phone silent.
#[test]
fn who_has_the_inbox_open_where_nobody_sees_it_is_told() {
    let (service, server) = started(taken);
    let ([person, other], [browser, last]) = two(&service, &server);
    let mut socket = TestSocket::of(&server, &person);
    let mut says = |frame: &Value| {
        socket.web_socket.send(Message::text(frame.to_string())).unwrap();
        // Its answer comes after the frame before it was read.
        socket.web_socket.send(Message::text(json!({ "event": "event.connect" }).to_string())).unwrap();
        while socket.next_frame()["event"] != "event.ready" {}
    };
    says(&json!({ "event": "event.visible", "on": false }));
    tell(&server, &person);
    service.wait_for(&browser.name, 1);
    for nonsense in [json!({ "event": "event.visible" }), json!({ "event": "event.visible", "on": 1 })] {
        says(&nonsense);
    }
    tell(&server, &person);
    service.wait_for(&browser.name, 2);
    says(&json!({ "event": "event.visible", "on": true }));
    tell(&server, &person);
    for n in 1..=2 {
        tell(&server, &other);
        service.wait_for(&last.name, n);
    }
    assert_eq!(service.sent_to(&browser.name).len(), 2);
}

#[test]
fn what_is_no_subscription_is_refused() {
    let (service, server) = started(taken);
    let person = Person::new(&server);
    let browser = Browser::new(&service);
    let good = browser.form(&["note"]);
    let put = |form: &Value| person.send(&server, "PUT", "/api/push", form);
    let changed = |field: &str, value: Value| {
        let mut form = good.clone();
        *form.pointer_mut(field).unwrap() = value;
        form
    };
    let invalid = "This is no subscription of a browser.";
    let off_the_curve = BASE64_URL_SAFE_NO_PAD.encode([4; 65]);
    for (field, value) in [
        ("/keys/p256dh", json!(off_the_curve)),
        ("/keys/p256dh", json!("")),
        ("/keys/p256dh", json!("!")),
        ("/keys/auth", json!(BASE64_URL_SAFE_NO_PAD.encode([7; 15]))),
        ("/keys/auth", json!(BASE64_URL_SAFE_NO_PAD.encode([7; 17]))),
        ("/endpoint", json!("")),
        ("/endpoint", json!("http://localhost/x")),
        ("/endpoint", json!("https://u:p@localhost/x")),
        ("/endpoint", json!("https://localhost/x#y")),
        ("/endpoint", json!("https://127.0.0.1/x")),
        ("/endpoint", json!("https://[::ffff:10.0.0.1]/x")),
        ("/endpoint", json!("https://localhost/x\r\nX: y")),
        ("/endpoint", json!(format!("https://localhost/{}", "x".repeat(1024)))),
        ("/quiet", json!({ "from": 1440, "to": 0 })),
        ("/quiet", json!({ "from": 0, "to": 1_000_000 })),
    ] {
        put(&changed(field, value.clone())).assert(400, invalid);
    }
    let elsewhere = put(&changed("/endpoint", json!("https://push.example/x")));
    elsewhere.assert(400, "This server doesn't know the push service of this browser.");
    for (field, value) in [
        ("/kinds", json!(["notes"])),
        ("/kinds", json!("note")),
        ("/kinds", json!([1])),
        ("/language", json!("fr")),
        ("/language", json!(1)),
        ("/quiet", json!({ "from": -1, "to": 0 })),
        ("/quiet", json!({ "from": 1 })),
        ("/keys", json!(null)),
    ] {
        let answer = put(&changed(field, value.clone()));
        assert_eq!((answer.status, answer.json()["code"].as_str()), (400, Some("fields_invalid")), "{field} {value}");
    }
    assert!(subscriptions(&server, &person).is_empty());
    for path in ["/api/push/x", "/api/push/AAAAAAAAehwAAAAAAAAAAQ"] {
        person.call(&server, "DELETE", path).send().assert(404, "There is no such subscription. It may have ended.");
    }
    let nobody = with_code(json!({ "status": 401, "message": SIGNED_OUT }));
    for (method, path) in [("GET", "/api/push"), ("PUT", "/api/push"), ("DELETE", "/api/push/x")] {
        assert_eq!(server.call(method, path).json(&good).send().json(), nobody, "{method} {path}");
    }
    // Whoever sends a thousand has ten, and is refused most of them.
    let taken: Vec<_> = (0..1_000)
        .filter(|n| {
            let answer = put(&changed("/endpoint", json!(service.endpoint(&format!("many-{n}")))));
            assert!([200, 429].contains(&answer.status), "{answer:?}");
            answer.status == 200
        })
        .collect();
    assert!((SUBSCRIPTIONS + 1..1_000).contains(&taken.len()), "{}", taken.len());
    let ids: Vec<_> = subscriptions(&server, &person).iter().map(|one| one["id"].clone()).collect();
    let newest = taken.iter().skip(taken.len() - SUBSCRIPTIONS);
    let kept: Vec<_> = newest.map(|n| json!(Browser::named(&service, &format!("many-{n}")).id())).collect();
    assert_eq!(ids, kept);
}

#[test]
fn the_key_is_the_same_after_a_restart_and_in_a_backup() {
    let folder = Folder::new();
    let mut server = Server::on(&folder, &[]);
    let person = Person::new(&server);
    // A restored folder has everybody sign in again.
    let key = |server: &Server| {
        let answer = server.get("/api/push").bearer(&person.sign_in(server)).send();
        answer.json()["data"]["key"].as_str().unwrap().to_owned()
    };
    let before = key(&server);
    assert_eq!(BASE64_URL_SAFE_NO_PAD.decode(&before).unwrap().len(), 65);
    let backup = folder.file("backup");
    assert!(folder.annon(&["backup", backup.to_str().unwrap()]).status.success());
    assert!(server.stop().success());
    assert_eq!(key(&Server::on(&folder, &[])), before);
    let other = Folder::new();
    assert!(other.annon(&["restore", backup.to_str().unwrap()]).status.success());
    assert_eq!(key(&Server::on(&other, &[])), before);
}

#[test]
fn subscriptions_end_with_the_password_and_with_the_account_also_when_a_message_waits() {
    let (service, server) = started(|_, _| Reply::Status(503, "Retry-After: 1\r\n".to_owned()));
    let person = Person::new(&server);
    let browser = Browser::new(&service);
    browser.subscribe(&server, &person, &["note"]);
    let changed = person.change_password(&server, &person.password, "another good password");
    assert_eq!(changed.status, 200, "{changed:?}");
    assert!(subscriptions(&server, &person).is_empty());
    // That of the browser which changes it stays.
    let [stays, ends] = [(); 2].map(|()| Browser::new(&service));
    for one in [&stays, &ends] {
        one.subscribe(&server, &person, &["note", "answer"]);
    }
    let before = subscriptions(&server, &person)[0].clone();
    let form = |old: &str, new: &str, push: &str| json!({ "old_password": old, "new_password": new, "push": push });
    let change = |form: &Value| person.send(&server, "POST", "/api/user/change-password", form);
    let changed = change(&form("another good password", "one more good password", &stays.id()));
    assert_eq!(changed.status, 200, "{changed:?}");
    assert_eq!(subscriptions(&server, &person), [before]);
    let changed = change(&form("one more good password", "another good password", &ends.id()));
    assert_eq!(changed.status, 200, "{changed:?}");
    assert!(subscriptions(&server, &person).is_empty(), "there is none of this id");
    browser.subscribe(&server, &person, &["note"]);
    tell(&server, &person);
    service.wait_for(&browser.name, 1);
    let deleted = person.delete(&server, "another good password");
    assert_eq!(deleted.status, 200, "{deleted:?}");
    wait_until("the message is given up", || outcomes(&server, "ended") == 1);
    assert!(service.sent_to(&browser.name).len() < 4);
}

#[test]
fn what_is_marked_in_a_subscription_is_in_no_log_no_metric_and_no_file() {
    let folder = Folder::new();
    let service = PushService::that(&folder, |path, _| {
        Reply::Status(if path.contains("gone") { 410 } else { 400 }, String::new())
    });
    let mut server = Server::on(&folder, &[&service.flags()[..], &["--log-level", "debug"]].concat());
    let person = Person::new(&server);
    let marked = [Browser::named(&service, "zebra-gone"), Browser::named(&service, "zebra-stays")];
    for browser in &marked {
        browser.subscribe(&server, &person, &["note"]);
    }
    person.send(&server, "PUT", "/api/push", &json!({ "endpoint": "https://zebra.example" }));
    tell(&server, &person);
    wait_until("both messages", || outcomes(&server, "gone") == 1 && outcomes(&server, "refused") == 1);
    let exported = folder.annon(&["user", "export", &person.username]);
    let exported: Value = serde_json::from_slice(&exported.stdout).unwrap();
    assert_eq!(exported["push"].as_array().unwrap().len(), 1);
    assert!(exported["push"][0]["endpoint"].as_str().unwrap().ends_with("zebra-stays"));
    let backup = folder.file("backup");
    assert!(folder.annon(&["backup", backup.to_str().unwrap()]).status.success());
    assert!(!server.metrics().text().contains("zebra"));
    assert!(server.stop().success());
    assert!(server.log.whole().iter().all(|line| !line.contains("zebra")));
    let files = files_below(&folder.data()).into_iter().chain([(backup.clone(), std::fs::read(&backup).unwrap())]);
    for (path, bytes) in files {
        assert!(!holds(&bytes, b"zebra"), "{}", path.display());
    }
}

/// Somebody may sign in with another account in the same browser.
#[test]
fn one_browser_may_be_told_for_two_accounts_and_each_ends_its_own() {
    let (service, server) = started(taken);
    let ([person, other], [browser, last]) = two(&service, &server);
    browser.subscribe(&server, &other, &["note"]);
    tell(&server, &person);
    service.wait_for(&browser.name, 1);
    tell(&server, &other);
    service.wait_for(&browser.name, 2);
    service.wait_for(&last.name, 1);
    let ended = person.call(&server, "DELETE", &format!("/api/push/{}", browser.id())).send();
    assert_eq!(ended.status, 200, "{ended:?}");
    assert!(subscriptions(&server, &person).is_empty());
    tell(&server, &person);
    tell(&server, &other);
    service.wait_for(&browser.name, 3);
    service.wait_for(&last.name, 2);
    // What the account without a subscription was to be told of would have been by now.
    tell(&server, &other);
    service.wait_for(&last.name, 3);
    assert_eq!(service.wait_for(&browser.name, 4).len(), 4);
}
