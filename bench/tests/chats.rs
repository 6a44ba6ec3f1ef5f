//! Fan-outs as a load tester runs them: against the real server, and against
//! one that lies about what it delivers.

#![expect(clippy::unwrap_used, reason = "also in a test's own functions a failure is a panic")]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::program::{BENCH, bench, out, read, server};
use crate::relay::{Lie, Relay};

#[path = "chats/relay.rs"]
mod relay;

#[path = "runs/program.rs"]
mod program;

#[test]
fn a_fan_out_is_measured_checked_and_told() {
    let (folder, server) = (tempfile::tempdir().unwrap(), server());
    let [json, html] = ["a.json", "a.html"].map(|name| folder.path().join(name).to_str().unwrap().to_owned());
    let files = ["--json", &json, "--html", &html];
    let closed =
        ["fanout", "--server", &server, "--rooms", "2,6", "--members", "3", "--seconds", "1.5", "--warm-up", "0.2"];
    let ran = bench(&[&closed, files.as_slice()].concat());
    assert!(ran.status.success(), "{}", out(&ran));
    assert!(out(&ran).contains("every message reached every member, once, in the same order."), "{}", out(&ran));
    let told = read(Path::new(&json));
    let stages = told["results"]["stages"].as_array().unwrap();
    assert_eq!(stages.len(), 2);
    for stage in stages {
        let (sends, deliveries) =
            (stage["sends_per_second"].as_f64().unwrap(), stage["deliveries_per_second"].as_f64().unwrap());
        assert!(sends > 0.0 && (deliveries / sends - 3.0).abs() < 0.2, "{stage:#}");
        assert!(stage["server_cpu_per_million"].as_f64().unwrap() > 0.0, "{stage:#}");
        assert!(stage["own_cpu_per_million"].as_f64().unwrap() > 0.0, "{stage:#}");
        assert!(stage["latency"]["p99.9"].as_u64() >= stage["latency"]["p50"].as_u64(), "{stage:#}");
        assert_eq!(stage["ticks"].as_array().unwrap().len(), 1);
    }
    let page = std::fs::read_to_string(&html).unwrap();
    assert!(page.contains("<svg") && !page.contains("<script") && !page.contains("https://"), "{page}");
    let open = ["fanout", "--server", &server, "--rooms", "4", "--rate", "100", "--seconds", "1", "--warm-up", "0.2"];
    let ran = bench(&[&open, &["--json", json.as_str()][..]].concat());
    assert!(ran.status.success(), "{}", out(&ran));
    let stage = read(Path::new(&json))["results"]["stages"][0].take();
    // A busy machine sends some of them too late to be counted, and never more than were asked for.
    assert!((50.0..115.0).contains(&stage["sends_per_second"].as_f64().unwrap()), "{stage:#}");
    assert!((500..=1200).contains(&stage["latency"]["count"].as_u64().unwrap()), "{stage:#}");
}

#[test]
fn whoever_loses_doubles_mixes_up_or_makes_up_messages_fails_the_run() {
    for (lie, word) in [
        (Lie::Loses, "lost"),
        (Lie::Doubles, "doubled"),
        (Lie::Disorders, "out of order"),
        (Lie::OtherWords, "with other contents"),
        (Lie::OtherWordsForAll, "with other contents"),
        (Lie::OtherSender, "with other contents"),
        (Lie::SameSeq, "out of order"),
        (Lie::MakesUp, "that nobody sent"),
        (Lie::NextDoor, "that nobody sent"),
        (Lie::HangsUp, "connections closed by the server"),
    ] {
        let relay = Relay::start(lie);
        let ran = bench(&args(&relay));
        assert_eq!(ran.status.code(), Some(1), "{lie:?}: {}", out(&ran));
        assert!(out(&ran).contains("WRONG") && out(&ran).contains(word), "{lie:?}: {}", out(&ran));
    }
    let honest = Relay::start(Lie::None);
    let ran = bench(&args(&honest));
    assert!(ran.status.success(), "{}", out(&ran));
    let refusing = Relay::start(Lie::Refuses);
    let ran = bench(&args(&refusing));
    assert_eq!(ran.status.code(), Some(2), "{}", out(&ran));
    assert!(out(&ran).contains("no message was delivered: Not now."), "{}", out(&ran));
}

/// Three in flight, so that there is something to mix up.
fn args(relay: &Relay) -> Vec<&str> {
    let against = ["fanout", "--bare", "--url", &relay.url];
    let load = ["--rooms", "2", "--members", "3", "--in-flight", "3", "--seconds", "0.5", "--warm-up", "0.1"];
    [against.as_slice(), &load].concat()
}

#[test]
fn a_socket_asks_for_the_host_that_was_typed() {
    let relay = Relay::start(Lie::None);
    let typed = relay.url.replace("127.0.0.1", "localhost");
    let ran = bench(&["fanout", "--bare", "--url", &typed, "--rooms", "1", "--seconds", "0.2"]);
    assert!(ran.status.success(), "{}", out(&ran));
    assert_eq!(relay.hosts(), [typed.strip_prefix("http://").unwrap()]);
}

#[test]
fn the_other_scenarios_with_rooms_run() {
    let (folder, server) = (tempfile::tempdir().unwrap(), server());
    let json = folder.path().join("out.json");
    let run = |args: &[&str]| {
        let ran = bench(&[&["--json", json.to_str().unwrap(), args[0], "--server", &server], &args[1..]].concat());
        assert!(ran.status.success(), "{args:?}: {}", out(&ran));
        read(&json)["results"].take()
    };
    let idle = run(&["idle", "--connections", "40", "--seconds", "0.3"]);
    assert!(idle["stages"][0]["memory_per_connection"].as_f64().unwrap() > 0.0, "{idle:#}");
    for how in
        [&["storm", "--rooms", "3", "--missed", "5"][..], &["storm", "--rooms", "3", "--missed", "5", "--restart"]]
    {
        let storm = run(how);
        assert_eq!(
            (&storm["stages"][0]["latency"]["count"], &storm["stages"][0]["wrong"]),
            (&30.into(), &0.into()),
            "{storm:#}"
        );
    }
    // More than a server gives back by itself.
    let long = run(&["storm", "--rooms", "1", "--members", "2", "--missed", "600", "--", "--sync", "off"]);
    assert_eq!((&long["stages"][0]["not_resumed"], &long["stages"][0]["wrong"]), (&2.into(), &0.into()), "{long:#}");
    for how in [
        &["churn", "--clients", "3", "--seconds", "0.5"][..],
        // More than ten who sat down would not find a seat in the next stage.
        &["churn", "--clients", "8,8", "--seconds", "0.3", "--keep-seats"],
    ] {
        let churn = run(how);
        assert!(churn["stages"][0]["good"].as_u64().unwrap() > 0, "{churn:#}");
        for stage in churn["stages"].as_array().unwrap() {
            assert_eq!(stage["failures"], serde_json::json!({}));
        }
    }
    let images = run(&["images", "--clients", "2", "--seconds", "0.5", "--width", "640"]);
    for (stage, what) in images["stages"].as_array().unwrap().iter().zip(["sent", "read"]) {
        assert_eq!((stage["what"].as_str(), &stage["failures"]), (Some(what), &serde_json::json!({})), "{stage:#}");
        assert!(stage["good"].as_u64().unwrap() > 0, "{stage:#}");
    }
    let many = run(&["images", "--clients", "1", "--seconds", "4", "--width", "16"]);
    assert!(many["stages"][0]["good"].as_u64() <= Some(400), "a room holds no more: {many:#}");
    assert_eq!(many["stages"][0]["failures"], serde_json::json!({}), "{many:#}");
    let history = run(&["history", "--messages", "30,250", "--seconds", "0.2"]);
    let stages = history["stages"].as_array().unwrap();
    assert!(
        stages.len() == 8 && stages.iter().all(|stage| stage["latency"]["count"].as_u64() > Some(0)),
        "{history:#}"
    );
    assert!(history["cold"][1]["first_page"].as_u64() > Some(0), "{history:#}");
    let mixed = run(&["mixed", "--seconds", "2"]);
    let failed: Vec<_> = mixed["shares"].as_array().unwrap().iter().map(|share| share["failed"].as_u64()).collect();
    assert_eq!(failed, [Some(0); 6], "{mixed:#}");
    assert!(mixed["check"]["acknowledged"].as_u64() > Some(0) && mixed["check"]["lost"] == 0, "{mixed:#}");
    assert!(mixed["server_cpu_percent"].as_f64() > Some(0.0), "{mixed:#}");
    assert!(mixed["stages"][0]["server_cpu_per_million"].is_null(), "it was not the chat's alone: {mixed:#}");
}

#[test]
fn a_closed_loop_ends_at_the_server_s_limit_on_sends() {
    let server = server();
    let load = ["fanout", "--server", &server, "--rooms", "1", "--in-flight", "10", "--", "--sends-per-second", "5"];
    let ran = bench(&load);
    assert_eq!(ran.status.code(), Some(2), "{}", out(&ran));
    assert!(out(&ran).contains("start it with --sends-per-second 0") && !out(&ran).contains("WRONG"), "{}", out(&ran));
}

#[test]
fn what_this_program_is_too_slow_for_is_not_blamed_on_the_server() {
    let server = server();
    let load = ["--rooms", "5", "--rate", "5000000", "--seconds", "0.3", "--warm-up", "0.1"];
    let ran = bench(&[&["fanout", "--server", &server], load.as_slice()].concat());
    assert_eq!(ran.status.code(), Some(2), "{}", out(&ran));
    assert!(out(&ran).contains("this program itself can't keep up with 5000000 sends a second"), "{}", out(&ran));
    assert!(!out(&ran).contains("lost") && !out(&ran).contains("WRONG"), "{}", out(&ran));
}

#[test]
fn the_day_that_is_printed_can_be_run() {
    let (folder, server) = (tempfile::tempdir().unwrap(), server());
    let printed = bench(&["mixed", "--print"]);
    assert!(printed.status.success() && printed.stderr.is_empty(), "{}", out(&printed));
    let day = folder.path().join("day.toml");
    std::fs::write(&day, &printed.stdout).unwrap();
    let ran = bench(&["mixed", "--server", &server, "--seconds", "0.5", "--day", day.to_str().unwrap()]);
    assert!(ran.status.success(), "{}", out(&ran));
}

#[test]
fn what_a_group_no_longer_has_is_missed() {
    let server = server();
    let keeping = |kept| {
        let said = ["history", "--server", &server, "--messages", "1100", "--seconds", "0.1"];
        bench(&[said.as_slice(), &["--", "--room-messages", kept]].concat())
    };
    let ran = keeping("1000");
    assert_eq!(ran.status.code(), Some(1), "{}", out(&ran));
    assert!(out(&ran).contains("WRONG: of 1100 messages 1000 were read"), "{}", out(&ran));
    let refused = keeping("1");
    assert_eq!(refused.status.code(), Some(2), "{}", out(&refused));
    assert!(out(&refused).contains("'--room-messages <N>': 1 is not in"), "{}", out(&refused));
}

#[test]
fn bad_input_gets_one_sentence_and_2() {
    let folder = tempfile::tempdir().unwrap();
    let day = folder.path().join("day.toml").to_str().unwrap().to_owned();
    std::fs::write(&day, "rooms = 3\n").unwrap();
    for (args, words) in [
        (&["fanout", "--members", "0"][..], "--members"),
        (&["fanout", "--rate", "5", "--in-flight", "2"], "cannot be used with"),
        (&["fanout", "--bare"], "not provided: --url <URL>"),
        (&["fanout", "--bare", "--url", "http://127.0.0.1:1"], "can't connect"),
        (&["mixed", "--day", &day], "missing field"),
        (&["mixed", "--day", "/nowhere/day"], "/nowhere/day"),
        (&["fanout", "--server-pid", "1"], "not provided: --url <URL>"),
        (&["fanout", "--url", "localhost:8080"], "an address looks like http://"),
        (&["chat", "--url", "http://127.0.0.1:1", "--room", "x"], "can't connect"),
    ] {
        let ran = bench(args);
        let told = String::from_utf8(ran.stderr.clone()).unwrap();
        assert_eq!(ran.status.code(), Some(2), "{args:?}: {}", out(&ran));
        assert!(told.starts_with("annon-bench: ") && told.trim_end().lines().count() == 1, "{args:?}: {told}");
        assert!(told.contains(words), "{args:?}: {told}");
    }
}

#[test]
fn a_chat_shows_what_was_missed() {
    let (folder, relay) = (tempfile::tempdir().unwrap(), Relay::start(Lie::None));
    let room = "0b5c1f5e-0000-4000-8000-000000000000";
    let seat = folder.path().join("seat");
    let say = |words: &str| {
        let mut chat = Command::new(BENCH)
            .args(["chat", "--url", &relay.url, "--room", room, "--cookie", seat.to_str().unwrap()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        chat.stdin.take().unwrap().write_all(words.as_bytes()).unwrap();
        let ended = chat.wait_with_output().unwrap();
        assert!(ended.status.success());
        String::from_utf8(ended.stdout).unwrap()
    };
    assert_eq!(say("hello\n"), "🦊 hello\n");
    relay.say_behind_their_back(room, "you were away");
    assert_eq!(say("back\n"), "🐼 you were away\n🦊 back\n");
}
