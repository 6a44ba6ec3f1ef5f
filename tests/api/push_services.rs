//! Push services that are of no use: those that refuse, that never end, that are inside, or that the operator doesn't name.

use annon_contract::limits::SUBSCRIPTIONS;
use serde_json::json;

use crate::api::push::{started, subscriptions, tell};
use crate::support::patience::wait_until;
use crate::support::person::Person;
use crate::support::push::{Browser, PushService, Reply, outcomes};
use crate::support::server::{Folder, Server};

#[test]
fn what_a_service_says_decides_what_becomes_of_a_message() {
    let (service, server) = started(|path, before| {
        let status = |status| Reply::Status(status, String::new());
        match path.trim_start_matches("/push/") {
            "gone-410" => status(410),
            "gone-404" => status(404),
            "moved" => Reply::Status(307, "Location: /push/elsewhere\r\n".to_owned()),
            "refused" => status(400),
            "broken" if before == 0 => status(500),
            "busy" if before == 0 => Reply::Status(429, "Retry-After: 1\r\n".to_owned()),
            "for-long" => Reply::Status(429, "Retry-After: 86400\r\n".to_owned()),
            "down" => status(503),
            "silent" => Reply::Silence,
            "endless-body" => Reply::EndlessBody,
            "endless-head" => Reply::EndlessHead,
            "large-body" => Reply::Body(10 * 1024 * 1024),
            _ => status(201),
        }
    });
    let names =
        ["gone-410", "gone-404", "moved", "refused", "broken", "busy", "for-long", "down", "silent", "endless-body"];
    let person = Person::new(&server);
    for name in names {
        Browser::named(&service, name).subscribe(&server, &person, &["note"]);
    }
    assert_eq!(subscriptions(&server, &person).len(), SUBSCRIPTIONS);
    tell(&server, &person);
    for (outcome, count) in [("gone", 2), ("refused", 2), ("taken", 3), ("given_up", 2)] {
        wait_until(outcome, || outcomes(&server, outcome) == count);
    }
    for (name, count) in [("broken", 2), ("busy", 2), ("down", 4), ("for-long", 1), ("moved", 1), ("elsewhere", 0)] {
        assert_eq!(service.sent_to(name).len(), count, "{name}");
    }
    let left: Vec<_> = subscriptions(&server, &person).iter().map(|one| one["id"].clone()).collect();
    let expected: Vec<_> = names[2..].iter().map(|name| json!(Browser::named(&service, name).id())).collect();
    assert_eq!(left, expected, "who is gone is forgotten, and nobody else");
    // One that never ends its head is no reason to wait for it, nor is one that is silent.
    let other = Person::new(&server);
    let [endless, large, good] = ["endless-head", "large-body", "good"].map(|name| {
        let browser = Browser::named(&service, name);
        browser.subscribe(&server, &other, &["note"]);
        browser
    });
    tell(&server, &other);
    service.wait_for(&good.name, 1);
    service.wait_for(&large.name, 1);
    wait_until("both are taken", || outcomes(&server, "taken") == 5);
    wait_until("the endless one is given up", || service.sent_to(&endless.name).len() == 4);
    // The silent one has got each of its tries by now, too, and none was answered in time.
    wait_until("both are counted", || outcomes(&server, "given_up") == 4);
    assert_eq!(service.sent_to("silent").len(), 4);
}

#[test]
fn without_services_nobody_is_told() {
    let (server, person) = Person::with(&["--push-services", "off"]);
    assert_eq!(person.get(&server, "/api/push").json()["data"], json!({ "key": null, "subscriptions": [] }));
    let folder = Folder::new();
    let service = PushService::start(&folder);
    let answer = person.send(&server, "PUT", "/api/push", &Browser::new(&service).form(&["note"]));
    // Without tests' own setting a service has no port of its own.
    answer.assert(400, "This is no subscription of a browser.");
}

#[test]
fn a_service_inside_is_not_called() {
    let folder = Folder::new();
    let service = PushService::start(&folder);
    let flags = ["--push-services", "localhost"];
    let server = Server::on(&folder, &flags);
    let person = Person::new(&server);
    let mut form = Browser::new(&service).form(&["note"]);
    form["endpoint"] = json!("https://localhost/push/inside");
    assert_eq!(person.send(&server, "PUT", "/api/push", &form).status, 200);
    tell(&server, &person);
    // After at most half a minute.
    wait_until("it was looked up", || outcomes(&server, "inside") == 1);
    assert_eq!(subscriptions(&server, &person).len(), 1);
}
