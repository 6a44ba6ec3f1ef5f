//! A mail a day that counts what is waiting: who gets one, when, and how it ends.

use annon_contract::code::Code;
use serde_json::{Value, json};

use crate::api::confirm::{MailSetup, PASSWORD};
use crate::support::person::{Person, send_note, sign_in};
use crate::support::push::form_of_usual_service;
use crate::support::talk::Talk;

/// Somebody whose address is confirmed.
fn confirmed(setup: &MailSetup, name: &str) -> (Person, String) {
    let email = format!("{name}@mail.example");
    assert_eq!(setup.sign_up(name, &email).status, 201);
    setup.confirm(&setup.token(&email, name)).assert(200, "Address confirmed");
    (again(setup, name), email)
}

/// The same person, signed in at the server that runs now.
fn again(setup: &MailSetup, name: &str) -> Person {
    let email = format!("{name}@mail.example");
    Person {
        username: name.to_owned(),
        email,
        password: PASSWORD.to_owned(),
        token: sign_in(&setup.server, name, PASSWORD),
    }
}

fn wants(setup: &MailSetup, person: &Person, on: bool) {
    let said = if on { "Digest on" } else { "Digest off" };
    person.send(&setup.server, "PUT", "/api/digest", &json!({ "on": on })).assert(200, said);
    assert_eq!(person.get(&setup.server, "/api/digest").json()["data"], json!({ "on": on }));
}

fn note(setup: &MailSetup, person: &Person, words: &str) {
    send_note(&setup.server, &person.target(&setup.server), words).assert(201, "Anonymous Message Sent");
}

/// The link of a mail, by which it ends.
fn link(mail: &str) -> String {
    let (_, link) = mail.split_once("List-Unsubscribe: <http://").expect(mail);
    let link = link.split_once('>').unwrap().0.replace("\r\n", "").replace(['\n', ' '], "");
    link[link.find('/').unwrap()..].to_owned()
}

#[test]
fn a_digest_comes_once_a_day_counts_what_is_new_and_has_no_words() {
    let mut setup = MailSetup::with(&["--address-limits", "off"]);
    let (person, email) = confirmed(&setup, "with-digest");
    let (without, other) = confirmed(&setup, "without-one");
    wants(&setup, &person, true);
    let mut browser = form_of_usual_service();
    (browser["endpoint"], browser["kinds"]) = (json!("https://fcm.googleapis.com/fcm/send/zebra"), json!(["knock"]));
    let subscribed = person.send(&setup.server, "PUT", "/api/push", &browser);
    assert_eq!(subscribed.status, 200, "{subscribed:?}");
    for owner in [&person, &without] {
        note(&setup, owner, "zebra number one");
        note(&setup, owner, "zebra number two");
    }
    let talk = Talk::new();
    let body = json!({ "id": person.target(&setup.server), "message": "zebra number three", "conversation": talk.beginning() });
    setup.server.post("/api/annon-message").json(&body).send().assert(201, "Anonymous Message Sent");
    talk.said(&setup.server, None, 1, "giraffe");

    setup.start_days_later(1);
    let mail = setup.digests(1, &email).swap_remove(0);
    assert!(mail.contains("Subject: 3 notes and 1 reply are waiting at Annon"), "{mail}");
    assert!(mail.contains("List-Unsubscribe-Post: List-Unsubscribe=One-Click"), "{mail}");
    for secret in ["zebra", "giraffe", "with-digest\n", "Hello with"] {
        assert!(!mail.contains(secret), "{secret} is in {mail}");
    }
    // Nothing new has come, so nothing is sent on the next day.
    setup.start_days_later(2);
    // One more that is new: it counts with all that was never looked at.
    note(&setup, &again(&setup, "with-digest"), "zebra number four");
    setup.start_days_later(3);
    let mails = setup.digests(2, &email);
    assert!(mails.iter().any(|mail| mail.contains("Subject: 4 notes and 1 reply are waiting at Annon")), "{mails:?}");
    // What was looked at isn't new any more.
    let owner = again(&setup, "with-digest");
    note(&setup, &owner, "zebra number five");
    for note in owner.inbox(&setup.server)["data"].as_array().unwrap() {
        owner.get(&setup.server, &format!("/api/mark_as_seen/{}", note["id"].as_str().unwrap()));
    }
    setup.start_days_later(4);
    note(&setup, &again(&setup, "with-digest"), "zebra number six");
    setup.start_days_later(5);
    let mails = setup.digests(3, &email);
    assert_eq!(mails.len(), 3, "one for each day with news");
    assert!(mails.iter().any(|mail| mail.contains("Subject: 1 note and 1 reply are waiting at Annon")), "{mails:?}");
    assert_eq!(setup.digests(0, &other).len(), 0);
}

#[test]
fn what_a_node_was_about_to_mail_when_it_died_the_next_days_digest_tells_once() {
    let mut setup = MailSetup::with(&["--address-limits", "off"]);
    let (person, email) = confirmed(&setup, "lost-digest");
    wants(&setup, &person, true);
    note(&setup, &person, "a note that waits");
    setup.die_with_a_mail(1);
    let mail = setup.digests(1, &email).swap_remove(0);
    assert!(mail.contains("Subject: 1 note is waiting at Annon"), "{mail}");
    // What was told of is no news. On the day after somebody else's digest comes, and no other one.
    let (other, later) = confirmed(&setup, "later-digest");
    wants(&setup, &other, true);
    note(&setup, &other, "a note to somebody else");
    setup.start_days_later(4);
    setup.digests(1, &later);
    assert_eq!(setup.digests(1, &email).len(), 1);
}

#[test]
fn a_link_ends_it_in_one_click_or_by_a_button_and_opening_it_does_nothing() {
    let mut setup = MailSetup::with(&["--address-limits", "off"]);
    let (person, email) = confirmed(&setup, "ends-by-link");
    wants(&setup, &person, true);
    note(&setup, &person, "a note that waits");
    setup.start_days_later(1);
    let mail = setup.digests(1, &email).swap_remove(0);
    let link = link(&mail);
    assert!(link.starts_with("/mails/") && !link.contains("ends-by-link"), "{link}");
    let is_on = |setup: &MailSetup| -> Value {
        again(setup, "ends-by-link").get(&setup.server, "/api/digest").json()["data"]["on"].clone()
    };

    let page = setup.server.get(&link).send();
    assert_eq!((page.status, page.header("cache-control")), (200, Some("no-store")));
    assert!(page.text().contains("Stop the emails") && page.text().contains("method=\"post\""), "{}", page.text());
    assert_eq!(is_on(&setup), true);
    // What a mail program sends, which has no cookie and comes from nowhere.
    let one_click = |link: &str| {
        let call = setup.server.post(link).header("Content-Type", "application/x-www-form-urlencoded");
        call.body("List-Unsubscribe=One-Click".to_owned()).send()
    };
    // Its last sign may be an A already.
    for bad in ["/mails/AAAA", &link[..link.len() - 4], &format!("{}AAAAA", &link[..link.len() - 5])] {
        let refused = one_click(bad);
        assert_eq!(refused.status, 400, "{bad}");
        assert!(refused.text().contains(Code::LinkUsed.sentence()), "{}", refused.text());
    }
    assert_eq!(is_on(&setup), true);
    for _ in 0..2 {
        let ended = one_click(&link);
        assert_eq!(ended.status, 200);
        assert!(ended.text().contains("You won’t get these emails anymore"), "{}", ended.text());
        assert_eq!(is_on(&setup), false);
    }
    // It ends no digest that was switched on later.
    wants(&setup, &again(&setup, "ends-by-link"), true);
    assert_eq!(one_click(&link).status, 200);
    assert_eq!(is_on(&setup), true);
    wants(&setup, &again(&setup, "ends-by-link"), false);
}

#[test]
fn nobody_is_written_to_at_an_address_that_is_not_confirmed_or_after_the_account() {
    let mut setup = MailSetup::with(&["--address-limits", "off"]);
    let person = Person::new(&setup.server);
    let refused = person.send(&setup.server, "PUT", "/api/digest", &json!({ "on": true }));
    refused.assert(409, "Confirm your email address first.");
    assert_eq!(person.get(&setup.server, "/api/digest").json()["data"]["on"], false);
    setup.server.get("/api/digest").send().assert(401, Code::SignedOut.sentence());

    let (leaves, gone) = confirmed(&setup, "leaves-soon");
    let (stays, there) = confirmed(&setup, "stays-here");
    for owner in [&leaves, &stays] {
        wants(&setup, owner, true);
        note(&setup, owner, "a note that waits");
    }
    let deleted = leaves.send(&setup.server, "DELETE", "/api/user/delete", &json!({ "password": PASSWORD }));
    assert_eq!(deleted.status, 200, "{deleted:?}");
    setup.start_days_later(1);
    setup.digests(1, &there);
    assert_eq!(setup.digests(0, &gone).len(), 0);
}
