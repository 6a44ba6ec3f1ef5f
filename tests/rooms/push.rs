//! Web push for the creator of a group, and for its members: somebody knocks, or writes after a silence.

use serde_json::json;

use crate::api::push::started;
use crate::rooms::group::{GONE, Group, NO_SEAT, Seat, seated};
use crate::rooms::member::Member;
use crate::support::patience::wait_until;
use crate::support::person::Person;
use crate::support::push::{Browser, Reply, assert_subscribed};
use crate::support::server::Server;

#[test]
fn a_creator_is_told_that_somebody_knocks_and_that_a_group_is_talking_and_nothing_more() {
    let (service, server) = started(|_, _| Reply::Status(201, String::new()));
    let (creator, other) = (Person::new(&server), Person::new(&server));
    let (browser, silent) = (Browser::new(&service), Browser::new(&service));
    browser.subscribe(&server, &creator, &["knock", "group"]);
    silent.subscribe(&server, &other, &["note", "answer", "knock", "group"]);
    let asking = Group::asking(&server, creator.clone());
    asking.visitor(&server);
    let sent = service.wait_for(&browser.name, 1);
    let told = browser.read(&sent[0]);
    assert_eq!((&told["kind"], &told["notification"]["body"]), (&json!("knock"), &json!("Somebody knocks")));
    let group = Group::of(&server, creator);
    let seat = group.seat(&server);
    let mut member = Member::open(&server, &group, &seat);
    member.chat("zebra words of a message");
    let all = service.wait_for(&browser.name, 2);
    let told = browser.read(&all[1]);
    assert_eq!((&told["kind"], &told["notification"]["body"]), (&json!("group"), &json!("Your group is talking")));
    assert_eq!(told["notification"]["navigate"], format!("http://{}/room/{}", server.address, group.id));
    assert!(!told.to_string().contains("tacos") && !told.to_string().contains("zebra"), "{told}");
    assert!(all.iter().all(|sent| sent.body.len() == 1126));
    // Who goes on talking isn't told of, and a second knock is.
    member.chat("more words");
    asking.visitor(&server);
    let all = service.wait_for(&browser.name, 3);
    assert_eq!(browser.read(&all[2])["kind"], "knock");
    assert!(service.sent_to(&silent.name).is_empty(), "it is another's group");
}

/// How many browsers of a seat are told.
fn told(server: &Server, group: &Group, seat: &Seat) -> usize {
    let answer = server.get(&group.path("/push")).cookie(Some(&seat.cookie)).send();
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()["data"]["subscriptions"].as_array().unwrap().len()
}

fn subscribe(server: &Server, group: &Group, seat: &Seat, browser: &Browser) {
    let call = server.call("PUT", &group.path("/push")).cookie(Some(&seat.cookie));
    assert_subscribed(&call.json(&browser.form_of_sender()).send(), browser);
}

#[test]
fn a_member_without_an_account_is_told_that_the_group_is_talking_while_they_are_away() {
    let (service, server) = started(|_, _| Reply::Status(201, String::new()));
    let group = Group::of(&server, Person::new(&server));
    let [speaks, away, here] = group.seats(&server);
    let [browser, silent, own] = [(); 3].map(|()| Browser::new(&service));
    let mut speaker = Member::open(&server, &group, &speaks);
    let _listener = Member::open(&server, &group, &here);
    for (seat, browser) in [(&away, &browser), (&here, &silent), (&speaks, &own)] {
        subscribe(&server, &group, seat, browser);
        assert_eq!(told(&server, &group, seat), 1);
    }
    let newest = group.renewed(&server);
    speaker.chat("zebra words of a message");
    let sent = service.wait_for(&browser.name, 1).remove(0);
    let said = browser.read(&sent);
    assert_eq!((&said["kind"], &said["notification"]["body"]), (&json!("group"), &json!("Your group is talking")));
    assert_eq!(said["notification"]["navigate"], format!("http://{}/room/{}", server.address, newest.id));
    assert!(!said.to_string().contains("tacos") && !said.to_string().contains("zebra"), "{said}");
    assert_eq!(sent.body.len(), 1126, "as long as any other");
    // Who goes on talking isn't told of, and who is there is never told.
    speaker.chat("more words");
    let other = Group::of(&server, Person::new(&server));
    let [talks, last] = other.seats(&server);
    let end = Browser::new(&service);
    subscribe(&server, &other, &last, &end);
    Member::open(&server, &other, &talks).chat("words in another group");
    service.wait_for(&end.name, 1);
    assert_eq!([&browser, &silent, &own].map(|browser| service.sent_to(&browser.name).len()), [1, 0, 0]);
}

#[test]
fn what_a_seat_is_told_ends_with_it() {
    let (service, server) = started(|_, _| Reply::Status(201, String::new()));
    let group = Group::of(&server, Person::new(&server));
    let [leaves, kicked, stays] = group.seats(&server);
    let push = group.path("/push");
    let browser = Browser::new(&service);
    for seat in [&leaves, &kicked, &stays] {
        subscribe(&server, &group, seat, &browser);
    }
    server.call("PUT", &push).json(&browser.form_of_sender()).send().assert(403, NO_SEAT);
    server.get(&push).send().assert(403, NO_SEAT);
    let mut odd = browser.form_of_sender();
    odd["endpoint"] = json!("https://push.example/x");
    let refused = server.call("PUT", &push).cookie(Some(&stays.cookie)).json(&odd).send();
    refused.assert(400, "This server doesn't know the push service of this browser.");

    let left = server.delete(&group.path("/seat")).cookie(Some(&leaves.cookie)).send();
    assert_eq!(left.status, 200, "{left:?}");
    group.kick(&server, &kicked, "").assert(200, "Member removed");
    // Whoever comes back with the same cookie has nothing of it.
    let again =
        Seat { cookie: leaves.cookie.clone(), ..seated(&group.try_seat(&server, Some(&leaves.cookie))).unwrap() };
    wait_until("its end", || told(&server, &group, &again) == 0);
    assert_eq!(told(&server, &group, &stays), 1);
    let one = format!("{push}?subscription={}", browser.id());
    server.delete(&one).cookie(Some(&stays.cookie)).send().assert(200, "Unsubscribed");
    assert_eq!(told(&server, &group, &stays), 0);
    let none = "There is no such subscription. It may have ended.";
    server.delete(&push).cookie(Some(&stays.cookie)).send().assert(404, none);
    group.command(&server, "DELETE", "").send().assert(200, "Group deleted");
    server.get(&push).cookie(Some(&stays.cookie)).send().assert(404, GONE);
}
