//! What pushes cost those who chat meanwhile: `cargo test --workspace --test server -- --ignored --nocapture
//! api::push_load`.

use std::path::Path;
use std::process::Command;

use annon_contract::limits::SUBSCRIPTIONS;
use serde_json::json;

use crate::api::push::tell;
use crate::support::client::Connection;
use crate::support::patience::{at_once, wait_until};
use crate::support::person::Person;
use crate::support::push::{Browser, PushService, outcomes};
use crate::support::server::{Folder, NO_LIMITS, Server, printed};
use crate::support::talk::Talk;

const OWNERS: usize = 100;
/// With as many talks each, and as many browsers as a sender may have, a hundred thousand subscriptions.
const ASKED: usize = 10;
const TALKS: usize = 1_000;
const ROUNDS: usize = 3;

/// A chat of twenty groups, for longer than a push may be delayed.
fn chat(server: &Server) -> String {
    let bench = Path::new(env!("CARGO_BIN_EXE_annon")).with_file_name("annon-bench");
    let mut command = Command::new(bench);
    command.args(["fanout", "--rate", "500", "--seconds", "34", "--url", &format!("http://{}", server.address)]);
    printed(&command.output().unwrap().stdout)
}

#[test]
#[ignore = "it measures"]
fn pushes_to_a_thousand_endpoints_beside_a_chat() {
    let folder = Folder::new();
    let service = PushService::start(&folder);
    let flags = [&service.flags()[..], NO_LIMITS, &["--sends-per-second", "0"]].concat();
    let server = Server::on(&folder, &flags);
    for round in 1..=ROUNDS {
        let owners: Vec<_> = (0..OWNERS).map(|_| Person::new(&server)).collect();
        for owner in &owners {
            (0..SUBSCRIPTIONS).for_each(|_| Browser::new(&service).subscribe(&server, owner, &["note"]));
        }
        println!("round {round}: nobody is told\n{}", chat(&server));
        let before = outcomes(&server, "taken");
        at_once([true, false].map(|chats| {
            let (server, owners) = (&server, &owners);
            move || {
                if chats {
                    println!("round {round}: a thousand are told\n{}", chat(server));
                } else {
                    owners.iter().for_each(|owner| tell(server, owner));
                }
            }
        }));
        println!("{} were told; the server has {} KiB", outcomes(&server, "taken") - before, server.resident_kib());
    }
}

/// Where a sender is told of answers.
fn subscribe_senders(server: &Server, service: &PushService, owner: &Person) -> Vec<Talk> {
    let target = owner.target(server);
    let mut connection = Connection::open(server.address);
    let begun = (0..TALKS).map(|n| {
        let talk = Talk::new();
        let note = json!({ "id": target, "message": format!("note number {n}"), "conversation": talk.beginning() });
        let begun = server.post("/api/annon-message").json(&note).send_on(&mut connection);
        assert_eq!(begun.status, 201, "{begun:?}");
        for _ in 0..SUBSCRIPTIONS {
            let form = Browser::new(service).form_of_sender();
            let answer = talk.call(server, None, "PUT", "/push").json(&form).send_on(&mut connection);
            assert_eq!(answer.status, 200, "{answer:?}");
        }
        talk
    });
    begun.collect()
}

#[test]
#[ignore = "it measures"]
fn a_hundred_thousand_subscriptions_and_all_are_told() {
    let folder = Folder::new();
    let service = PushService::start(&folder);
    let server = Server::on(&folder, &[&service.flags()[..], NO_LIMITS].concat());
    let owners: Vec<_> = (0..ASKED).map(|_| Person::new(&server)).collect();
    let before = (server.resident_kib(), server.peak_kib());
    println!("nobody has subscribed: {} KiB, at most {} KiB", before.0, before.1);
    let talks = at_once(owners.iter().map(|owner| {
        let (server, service) = (&server, &service);
        move || subscribe_senders(server, service, owner)
    }));
    let subscribed = (server.resident_kib(), server.peak_kib());
    let count = ASKED * TALKS * SUBSCRIPTIONS;
    println!("{count} subscriptions: {} KiB, at most {} KiB", subscribed.0, subscribed.1);
    at_once(owners.iter().zip(&talks).map(|(owner, talks)| {
        let server = &server;
        move || {
            let mut connection = Connection::open(server.address);
            for talk in talks {
                let answer = json!({ "id": "000000000000001", "message": "an answer" });
                let said = talk.call(server, Some(owner), "POST", "").json(&answer).send_on(&mut connection);
                assert_eq!(said.status, 201, "{said:?}");
            }
        }
    }));
    let told = || outcomes(&server, "taken") + outcomes(&server, "dropped") + outcomes(&server, "given_up");
    while told() < count as u64 {
        let before = told();
        wait_until("more are told", || told() > before);
    }
    let all = server.peak_kib();
    println!("all are told: {} KiB, at most {all} KiB", server.resident_kib());
    println!("{} were taken, and for {} there was no place", outcomes(&server, "taken"), outcomes(&server, "dropped"));
    // A subscription alone has about 300 bytes.
    assert!(all - before.1 < 100 * 1024, "{} KiB more", all - before.1);
}
