//! The real server with somebody between who changes what it says.

#![expect(clippy::unwrap_used, reason = "also in a test's own functions a failure is a panic")]

use std::process::{Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use crate::annon::Annon;
use crate::program::{BENCH, bench, out, read};
use crate::proxy::{Porter, Proxy};

#[path = "between/annon.rs"]
mod annon;
#[path = "runs/program.rs"]
mod program;
#[path = "between/proxy.rs"]
mod proxy;

#[test]
fn other_words_are_found_by_who_comes_back_and_by_who_reads_again() {
    let (folder, annon) = (tempfile::tempdir().unwrap(), Annon::start());
    let json = folder.path().join("storm.json");
    let proxy = Proxy::start(annon.address, "missed, number 3", "forgot, number 3");
    let told = ["--json", json.to_str().unwrap()];
    let ran = bench(&[&["storm", "--url", &proxy.url, "--rooms", "2", "--missed", "5"], told.as_slice()].concat());
    assert_eq!(ran.status.code(), Some(1), "{}", out(&ran));
    assert!(out(&ran).contains("WRONG: 20 were given something else"), "{}", out(&ran));
    assert_eq!(read(&json)["results"]["stages"][0]["wrong"], 20);
    let proxy = Proxy::start(annon.address, "00000005 what people say", "00000005 what nobody say");
    let ran = bench(&["history", "--url", &proxy.url, "--messages", "20", "--seconds", "0.1"]);
    assert_eq!(ran.status.code(), Some(1), "{}", out(&ran));
    assert!(out(&ran).contains("WRONG") && out(&ran).contains("what nobody say"), "{}", out(&ran));
}

#[test]
fn a_storm_that_is_ended_tells_who_was_back() {
    let (folder, annon) = (tempfile::tempdir().unwrap(), Annon::start());
    let json = folder.path().join("storm.json");
    let porter = Porter::start(annon.address, "missed, number 4", 3);
    let running = Command::new(BENCH)
        .args(["storm", "--url", &porter.url, "--rooms", "1", "--missed", "5", "--json", json.to_str().unwrap()])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // Until everybody has tried.
    for _ in 0..3000 {
        if porter.turned_away() >= 50 {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    kill_process(Pid::from_raw(running.id().cast_signed()).unwrap(), Signal::INT).unwrap();
    let ran = running.wait_with_output().unwrap();
    assert_eq!(ran.status.code(), Some(130), "{}", out(&ran));
    assert!(out(&ran).contains(" after the loss; 3 of 10 were back, and the row is of them."), "{}", out(&ran));
    assert!(!out(&ran).contains("WRONG") && out(&ran).contains("\nInterrupted: "), "{}", out(&ran));
    let stage = read(&json)["results"]["stages"][0].take();
    assert_eq!((&stage["latency"]["count"], &stage["still_away"]), (&3.into(), &7.into()), "{stage:#}");
}

#[test]
fn a_server_that_ends_under_the_load_is_wrong_and_the_stage_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let runs = [
        (vec!["fanout", "--rooms", "2,2"], "connections closed by the server"),
        (vec!["notes", "--accounts", "2", "--clients", "2,2"], "the server has ended"),
    ];
    std::thread::scope(|scope| {
        for (args, words) in &runs {
            let json = folder.path().join(args[0]);
            scope.spawn(move || {
                let annon = Annon::start();
                let url = format!("http://{}", annon.address);
                scope.spawn(move || {
                    // Into the first stage, after its accounts are made.
                    std::thread::sleep(std::time::Duration::from_secs(4));
                    drop(annon);
                });
                let ran =
                    bench(&[args, &["--url", &url, "--seconds", "6", "--json", json.to_str().unwrap()][..]].concat());
                assert_eq!(ran.status.code(), Some(1), "{args:?}: {}", out(&ran));
                assert!(out(&ran).contains("WRONG") && out(&ran).contains(words), "{args:?}: {}", out(&ran));
                assert_eq!(read(&json)["results"]["stages"].as_array().unwrap().len(), 1, "{args:?}: {}", out(&ran));
            });
        }
    });
}

#[test]
fn a_frame_that_never_comes_is_not_waited_for_without_end() {
    let annon = Annon::start();
    let unready = Proxy::start(annon.address, "event.ready", "event.later");
    let unheard = Proxy::start(annon.address, "event.chat", "event.lost");
    let runs = [
        (vec!["fanout", "--rooms", "1", "--url", &unready.url], "event.ready did not come within 10 s"),
        (vec!["storm", "--rooms", "1", "--url", &unready.url], "event.ready did not come within 10 s"),
        (vec!["churn", "--clients", "1", "--seconds", "1", "--url", &unready.url], "nobody came in"),
        (vec!["history", "--messages", "1", "--url", &unheard.url], "a message that was sent on it did not come"),
    ];
    // All at once: each waits for ten seconds.
    std::thread::scope(|scope| {
        for (args, words) in &runs {
            scope.spawn(move || {
                let ran = bench(args);
                assert_eq!(ran.status.code(), Some(2), "{args:?}: {}", out(&ran));
                assert!(out(&ran).contains(words), "{args:?}: {}", out(&ran));
                assert!(out(&ran).contains("deleted again"), "{args:?}: {}", out(&ran));
            });
        }
    });
}
