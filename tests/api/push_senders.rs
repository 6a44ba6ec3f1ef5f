//! Web push for senders, who have no account: their subscriptions belong to a conversation.

use annon_contract::limits::SUBSCRIPTIONS;
use serde_json::{Value, json};

use crate::api::push::{started, tell};
use crate::support::person::Person;
use crate::support::push::{Browser, PushService, Reply};
use crate::support::server::Server;
use crate::support::talk::{GONE, Talk};

const NOTE: &str = "some words of a note";

fn all_taken() -> (PushService, Server) {
    started(|_, _| Reply::Status(201, String::new()))
}

fn ids(server: &Server, talk: &Talk) -> Vec<Value> {
    let answer = talk.call(server, None, "GET", "/push").send();
    assert_eq!(answer.status, 200, "{answer:?}");
    let data = answer.json()["data"].clone();
    assert_eq!(data["key"].as_str().map(str::len), Some(87));
    data["subscriptions"].as_array().unwrap().iter().map(|one| one["id"].clone()).collect()
}

#[test]
fn a_sender_is_told_of_an_answer_and_not_of_what_they_have_said() {
    let (service, server) = all_taken();
    let person = Person::new(&server);
    let [talk, other] = [NOTE, "a note of somebody else"].map(|note| Talk::begun(&server, &person, note));
    let [browser, last] = [&talk, &other].map(|talk| {
        let browser = Browser::new(&service);
        browser.subscribe_sender(&server, talk);
        browser
    });
    talk.said(&server, None, 1, "a line of the sender's own");
    // What is told of twice to somebody else would be told of by now.
    for n in 1..=2 {
        other.said(&server, Some(&person), n, "an answer to somebody else");
        service.wait_for(&last.name, usize::try_from(n).unwrap());
    }
    assert!(service.sent_to(&browser.name).is_empty());
    talk.said(&server, Some(&person), 2, "an answer");
    let sent = service.wait_for(&browser.name, 1).remove(0);
    let told = browser.read(&sent);
    assert_eq!((&told["kind"], &told["notification"]["body"]), (&json!("answer"), &json!("There is an answer")));
    let page = format!("http://{}/c/{}", server.address, talk.id);
    assert_eq!(told["notification"]["navigate"], page.as_str(), "and not what follows #");
    assert_eq!(sent.body.len(), 1126, "as long as any other");
}

#[test]
fn only_who_has_the_key_subscribes_and_it_ends_with_the_conversation() {
    let (service, server) = all_taken();
    let person = Person::new(&server);
    let talk = Talk::begun(&server, &person, NOTE);
    let (browser, second) = (Browser::new(&service), Browser::new(&service));
    let mut form = browser.form_of_sender();
    for method in ["GET", "PUT", "DELETE"] {
        // The owner has the account's, and a stranger nothing.
        let owner = talk.call(&server, Some(&person), method, "/push");
        owner.json(&form).send().assert(404, GONE);
        let other = Talk { key: Talk::new().key, ..talk.clone() };
        other.call(&server, None, method, "/push").json(&form).send().assert(404, GONE);
    }
    let none = "There is no such subscription. It may have ended.";
    talk.call(&server, None, "DELETE", "/push").send().assert(404, none);
    browser.subscribe_sender(&server, &talk);
    second.subscribe_sender(&server, &talk);
    assert_eq!(ids(&server, &talk), [browser.id(), second.id()]);
    let one = format!("/push?subscription={}", browser.id());
    talk.call(&server, None, "DELETE", &one).send().assert(200, "Unsubscribed");
    talk.call(&server, None, "DELETE", &one).send().assert(404, none);
    assert_eq!(ids(&server, &talk), [second.id()]);
    form["endpoint"] = json!("https://push.example/x");
    let unknown = talk.call(&server, None, "PUT", "/push").json(&form).send();
    unknown.assert(400, "This server doesn't know the push service of this browser.");
    for _ in 0..=SUBSCRIPTIONS {
        Browser::new(&service).subscribe_sender(&server, &talk);
    }
    assert_eq!(ids(&server, &talk).len(), SUBSCRIPTIONS);
    talk.call(&server, None, "DELETE", "/push").send().assert(200, "Unsubscribed");
    assert!(ids(&server, &talk).is_empty());
    // What is unsent takes nothing away, and the end everything.
    second.subscribe_sender(&server, &talk);
    let seq = talk.said(&server, Some(&person), 1, "a line that is unsent");
    service.wait_for(&second.name, 1);
    let unsent = talk.call(&server, Some(&person), "DELETE", &format!("/line/{seq}")).send();
    assert_eq!(unsent.status, 200, "{unsent:?}");
    assert_eq!(ids(&server, &talk), [second.id()]);
    talk.call(&server, None, "DELETE", "").send().assert(200, "Conversation ended");
    talk.call(&server, None, "GET", "/push").send().assert(404, GONE);
    tell(&server, &person);
}
