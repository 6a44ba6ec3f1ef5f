//! Web push and time: batches, and a clock that is set back.

use std::time::Duration;

use annon_contract::limits::BATCH;
use serde_json::{Value, json};

use crate::api::push::{subscriptions, tell};
use crate::support::patience::since_1970;
use crate::support::person::Person;
use crate::support::push::{Browser, PushService};
use crate::support::server::{Folder, NO_LIMITS, Server, annon};

/// A server whose clock is what a file says, and what writes that. The certificate of its push service is good for two days.
fn with_clock(folder: &Folder, flags: &[&str]) -> (Server, impl Fn(&str) + use<>) {
    let file = folder.file("clock");
    let set = move |clock: &str| std::fs::write(&file, clock).unwrap();
    set("+36h");
    let mut command = annon();
    command.env("LD_PRELOAD", "/usr/$LIB/faketime/libfaketime.so.1").env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
    command.env("FAKETIME_TIMESTAMP_FILE", folder.file("clock")).env("FAKETIME_NO_CACHE", "1");
    (Server::run(command, folder, flags), set)
}

#[test]
fn a_clock_that_is_set_back_keeps_nobody_from_being_told() {
    let folder = Folder::new();
    let service = PushService::start(&folder);
    let (server, set_clock) = with_clock(&folder, &[&service.flags()[..], NO_LIMITS].concat());
    let (person, browser) = (Person::new(&server), Browser::new(&service));
    browser.subscribe(&server, &person, &["note"]);
    tell(&server, &person);
    service.wait_for(&browser.name, 1);
    set_clock("+6h");
    let later = Browser::new(&service);
    later.subscribe(&server, &person, &["note"]);
    let all = subscriptions(&server, &person);
    assert!(all[0]["added"].as_str() > all[1]["added"].as_str(), "the clock was set back: {all:?}");
    for n in 1..=2 {
        tell(&server, &person);
        service.wait_for(&browser.name, 1 + n);
        service.wait_for(&later.name, n);
    }
}

/// The flags of a server whose clock stands so long before the next batch.
fn before_a_batch(left: Duration) -> String {
    // It is never behind: the service's certificate begins now.
    let begins = since_1970() + left;
    let next = (begins.as_secs() / BATCH.as_secs() + 1) * BATCH.as_secs();
    format!("+{}s", next - begins.as_secs())
}

#[test]
fn who_takes_notes_in_batches_is_told_when_one_has_brought_something_and_nobody_of_what_is_hidden() {
    let folder = Folder::new();
    let service = PushService::start(&folder);
    let mut command = annon();
    command.env("LD_PRELOAD", "/usr/$LIB/faketime/libfaketime.so.1").env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
    command.env("FAKETIME", before_a_batch(Duration::from_secs(40)));
    let server = Server::run(command, &folder, &[&service.flags()[..], NO_LIMITS].concat());
    let [batched, held, shown] = [(); 3].map(|()| Person::new(&server));
    let browsers = [(); 3].map(|()| Browser::new(&service));
    for (person, browser) in [&batched, &held, &shown].into_iter().zip(&browsers) {
        browser.subscribe(&server, person, &["note"]);
    }
    let set = |person: &Person, settings: Value| {
        assert_eq!(person.send(&server, "PATCH", "/api/inbox", &settings).status, 200);
    };
    // An old note that nobody has seen is no reason to tell of one that is held back.
    tell(&server, &held);
    service.wait_for(&browsers[1].name, 1);
    set(&batched, json!({ "batches": true }));
    set(&held, json!({ "held_words": ["zebra"] }));
    tell(&server, &batched);
    tell(&server, &held);
    tell(&server, &shown);
    service.wait_for(&browsers[2].name, 1);
    assert!(service.sent_to(&browsers[0].name).is_empty(), "it waits for its batch");
    service.wait_for(&browsers[0].name, 1);
    // Whatever was planned for the batch was planned with it.
    tell(&server, &shown);
    service.wait_for(&browsers[2].name, 2);
    assert_eq!(service.sent_to(&browsers[1].name).len(), 1, "of what is held back nobody is told");
}
