//! Web push for the creator of a group: somebody knocks, or writes after a silence.

use serde_json::json;

use crate::api::push::started;
use crate::rooms::group::Group;
use crate::rooms::member::Member;
use crate::support::person::Person;
use crate::support::push::{Browser, Reply};

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
