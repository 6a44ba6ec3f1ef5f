//! The program as a load tester runs it: against the real server, against
//! one that lies, and against none.

#![expect(clippy::panic, clippy::unwrap_used, reason = "also in a test's own functions a failure is a panic")]

use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process, test_kill_process};

use crate::liar::{Liar, Lie};
use crate::program::{BENCH, bench, out, read, server};

#[path = "runs/liar.rs"]
mod liar;

#[path = "runs/program.rs"]
mod program;

#[test]
fn every_note_the_server_acknowledges_is_found_and_the_numbers_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let (server, json) = (server(), folder.path().join("notes.json"));
    let (server, file) = (server.as_str(), json.to_str().unwrap());
    let dir = folder.path().to_str().unwrap();
    let ran = bench(&[
        "notes",
        "--server",
        server,
        "--dir",
        dir,
        "--clients",
        "1,16",
        "--seconds",
        "1",
        "--accounts",
        "3",
        "--json",
        file,
    ]);
    assert!(ran.status.success(), "{}", out(&ran));
    assert!(out(&ran).contains("acknowledged notes is in its inbox, once."), "{}", out(&ran));
    let told = read(&json);
    assert_eq!((told["scenario"].as_str(), told["ending"].as_str()), (Some("notes"), Some("right")));
    assert!(told["machine"]["cores"].as_u64().unwrap() > 0 && told["command"][1] == "notes", "{told:#}");
    let stages = told["results"]["stages"].as_array().unwrap();
    assert_eq!(stages.len(), 2);
    let mut good = 0;
    for stage in stages {
        good += stage["good"].as_u64().unwrap();
        assert_eq!(stage["failures"], serde_json::json!({}));
        assert!(stage["good"].as_u64().unwrap() > 0 && stage["latency"]["p99.9"].as_u64().unwrap() > 0, "{stage:#}");
        assert!(stage["sends_per_commit"].as_f64().unwrap() >= 1.0, "{stage:#}");
        assert!(stage["disk"]["fsync"]["per_second"].as_f64().unwrap() > 0.0, "{stage:#}");
        assert!(stage["server_cpu_each"].as_f64().unwrap() > 0.0, "{stage:#}");
    }
    assert!(stages[1]["sends_per_commit"].as_f64() > stages[0]["sends_per_commit"].as_f64(), "{told:#}");
    assert_eq!(told["results"]["check"]["acknowledged"].as_u64(), Some(good));
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["notes.json"], "the server's folder is gone");
}

#[test]
fn the_other_scenarios_run_and_the_rate_of_an_open_loop_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let (server, json) = (server(), folder.path().join("out.json"));
    let (server, file) = (server.as_str(), json.to_str().unwrap());
    let dir = folder.path().to_str().unwrap();
    let run = |args: &[&str]| {
        let ran = bench(&[args, &["--dir", dir, "--json", file]].concat());
        assert!(ran.status.success(), "{}", out(&ran));
        read(&json)["results"].take()
    };
    let started = run(&["start", "--server", server, "--runs", "2"]);
    assert_eq!(started["starts"]["ready"]["count"], 2);
    let signed_in = run(&["login", "--server", server, "--clients", "2", "--seconds", "1.5"]);
    assert!(signed_in["stages"][0]["sign_ins"]["good"].as_u64().unwrap() > 0, "{signed_in:#}");
    assert!(signed_in["stages"][0]["times_p50"].as_f64().unwrap() > 0.0, "{signed_in:#}");
    let pages = run(&["pages", "--server", server, "--notes", "60", "--seconds", "0.2"]);
    assert_eq!(pages["stages"].as_array().unwrap().len(), 2);
    let flags = ["--clients", "8", "--rate", "50", "--seconds", "1", "--accounts", "1"];
    let paced = run(&[&["notes", "--server", server], flags.as_slice()].concat());
    // However slow the machine is, all that were due are told of.
    let stage = &paced["stages"][0];
    let told = ["good", "behind"].map(|what| stage[what].as_u64().unwrap());
    assert!(told[0] > 0 && told[0] + told[1] == 50 && stage["latency"]["count"] == 50, "{paced:#}");
    assert!(run(&["disk", "--seconds", "0.2"])["disk"]["fdatasync"]["per_second"].as_f64().unwrap() > 0.0);
}

#[test]
fn growth_times_every_call_at_every_stage_and_finds_every_note_again() {
    let folder = tempfile::tempdir().unwrap();
    let [json, html] = ["g.json", "g.html"].map(|name| folder.path().join(name));
    let ran = bench(&[
        "growth",
        "--server",
        &server(),
        "--dir",
        folder.path().to_str().unwrap(),
        "--notes",
        "100,300",
        "--calls",
        "50",
        "--clients",
        "8",
        "--json",
        json.to_str().unwrap(),
        "--html",
        html.to_str().unwrap(),
    ]);
    assert!(ran.status.success(), "{}", out(&ran));
    assert!(out(&ran).contains("From 100 to 300 notes, side by side:"), "{}", out(&ran));
    assert!(out(&ran).contains("each of the 300 acknowledged notes is in its inbox, once."), "{}", out(&ran));
    let told = read(&json)["results"].take();
    let (calls, growth) = (told["calls"].as_array().unwrap(), told["growth"].as_array().unwrap());
    assert_eq!((calls.len(), growth.len()), (44, 22), "each call at each of two stages, and compared");
    for call in calls {
        assert!(
            call["latency"]["p50"].as_u64().unwrap() > 0 && call["latency"]["count"].as_u64() > Some(0),
            "{call:#}"
        );
        assert!(call["server_cpu_each"].as_f64().unwrap() > 0.0, "{call:#}");
        assert!(call["p50_times"].as_f64().unwrap() > 0.0, "the server beside was measured, too: {call:#}");
    }
    for size in told["sizes"].as_array().unwrap() {
        for key in ["memory", "on_disk", "ready_after"] {
            assert!(size[key].as_u64().unwrap() > 0, "{key}: {size:#}");
        }
    }
    let page = std::fs::read_to_string(&html).unwrap();
    assert!(page.contains("p50: notes read") && page.matches("notes stored").count() >= 12, "{page}");
}

#[test]
fn a_server_that_loses_or_doubles_notes_fails_the_run() {
    for (lie, word) in [(Lie::Loses, "lost"), (Lie::Doubles, "doubled"), (Lie::Misplaces, "in the wrong inbox")] {
        let liar = Liar::start(lie);
        let ran = bench(&["notes", "--url", &liar.url, "--clients", "4", "--seconds", "1", "--accounts", "2"]);
        assert_eq!(ran.status.code(), Some(1), "{}", out(&ran));
        assert!(out(&ran).contains("WRONG") && out(&ran).contains(word), "{}", out(&ran));
    }
    let liar = Liar::start(Lie::Repeats);
    let ran = bench(&["pages", "--url", &liar.url, "--notes", "250", "--seconds", "0.1"]);
    assert_eq!(ran.status.code(), Some(1), "{}", out(&ran));
    assert!(out(&ran).contains("WRONG: 250 notes were sent"), "{}", out(&ran));
    let honest = Liar::start(Lie::None);
    let ran = bench(&["notes", "--url", &honest.url, "--clients", "4", "--seconds", "0.2", "--accounts", "2"]);
    assert!(ran.status.success(), "{}", out(&ran));
    assert_eq!(honest.accounts(), 0, "a server that goes on is left as it was");
}

#[test]
fn the_host_that_is_asked_for_is_the_one_that_was_typed() {
    let liar = Liar::start(Lie::None);
    let typed = liar.url.replace("127.0.0.1", "localhost");
    let ran = bench(&["notes", "--url", &typed, "--clients", "2", "--seconds", "0.1", "--accounts", "1"]);
    assert!(ran.status.success() && out(&ran).contains(&format!(", at {typed}")), "{}", out(&ran));
    assert_eq!(liar.hosts(), [typed.strip_prefix("http://").unwrap()]);
}

#[test]
fn what_is_set_in_the_shell_does_not_change_the_server_that_is_started() {
    let ran = Command::new(BENCH)
        .args(["start", "--server", &server(), "--runs", "1"])
        .envs([("ANNON_LOG_LEVEL", "error"), ("ANNON_SYNC", "nonsense")])
        .output()
        .unwrap();
    assert!(ran.status.success(), "{}", out(&ran));
}

#[test]
fn accounts_are_deleted_again_however_their_making_ends() {
    let limiting = Liar::start(Lie::Limits);
    let ran = bench(&["notes", "--url", &limiting.url, "--accounts", "30"]);
    assert_eq!((ran.status.code(), limiting.accounts()), (Some(2), 0), "{}", out(&ran));
    assert!(out(&ran).contains("start it with --address-limits off"), "{}", out(&ran));
    let honest = Liar::start(Lie::None);
    let kept = bench(&["notes", "--url", &honest.url, "--accounts", "2", "--seconds", "0.1", "--keep"]);
    assert!(out(&kept).contains("2 accounts stay on the server: b"), "{}", out(&kept));
    let running = Command::new(BENCH)
        .args(["notes", "--accounts", "99999", "--url", &honest.url])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    while honest.accounts() < 200 {
        thread::sleep(Duration::from_millis(1));
    }
    kill_process(pid(running.id()), Signal::INT).unwrap();
    let ran = running.wait_with_output().unwrap();
    assert_eq!((ran.status.code(), honest.accounts()), (Some(130), 2), "{}", out(&ran));
    assert!(out(&ran).contains("deleted again"), "{}", out(&ran));
}

#[test]
fn bad_input_gets_one_sentence_and_2() {
    let odd = Liar::start(Lie::NotHttp);
    let other = Liar::start(Lie::NotAnnon);
    let [failing, honest, nothing] = [Lie::Fails, Lie::None, Lie::NotThere].map(Liar::start);
    let [elsewhere, mute, rambling] = [Lie::Redirects, Lie::HangsUp, Lie::Rambles].map(Liar::start);
    for (args, words) in [
        (&["fly"][..], "fly"),
        (&[], "say what to measure"),
        (&["notes", "--clients", "0"], "--clients"),
        (&["notes", "--url", "http://127.0.0.1:1"], "can't connect"),
        (&["notes", "--url", "https://127.0.0.1:1"], "only http://"),
        (&["notes", "--url", &odd.url], "not the HTTP/1.1"),
        (&["notes", "--url", &other.url], "is not Annon's"),
        (&["notes", "--url", &nothing.url], "/readyz is not Annon's: it is 404 (no such page)"),
        (&["notes", "--url", &elsewhere.url], "at /readyz: it redirects to https://notes.example/: --url has to be"),
        (&["fanout", "--url", &mute.url], "at /readyz: the connection was closed before the answer"),
        (&["idle", "--url", &rambling.url], "it is 500 (first line second [2J line and on"),
        (
            &["disk", "--json", "/tmp/annon-bench-x", "--html", "/tmp/annon-bench-x"],
            "--json and --html name the same file",
        ),
        (&["login", "--server", "/nowhere/annon"], "can't start /nowhere/annon"),
        (&["start", "--server", "/bin/true"], "ended before it listened"),
        (&["start", "--server", "/bin/true", "--", "--log-level", "warn"], "--log-level has to be info or debug"),
        (&["start", "--server", "/bin/true", "--", "--log-level=error"], "--log-level has to be info or debug"),
        (&["notes", "--url", &failing.url, "--accounts", "1", "--seconds", "0.1"], "failed and only 0 did not: 500"),
        (
            &[
                "notes",
                "--url",
                &honest.url,
                "--accounts",
                "1",
                "--seconds",
                "0.2",
                "--clients",
                "1",
                "--rate",
                "1000000",
            ],
            "that were due went out",
        ),
        (&["mixed", "--print", "--html", "/tmp/annon-bench-x"], "mixed measures nothing"),
        (&["start", "--data-dir", "/nowhere"], "there is no folder"),
        (&["growth", "--notes", "100,0"], "--notes"),
        (&["growth", "--calls", "1001"], "from 1 to 1000"),
        (&["growth", "--notes", "100,100"], "--notes has to grow"),
        (&["growth", "--url", &other.url], "is not Annon's"),
        (&["disk", "--dir", "/nowhere"], "/nowhere"),
        (&["disk", "--dir", "/tmp", "--seconds", "600", "--json", "/nowhere/x"], "can't write /nowhere/x"),
        (&["disk", "--dir", "/tmp", "--seconds", "600", "--html", "/nowhere/x"], "can't write /nowhere/x"),
        (&["notes", "--url", &other.url, "--server-pid", "4294967"], "there is no process 4294967"),
    ] {
        let ran = bench(args);
        let told = String::from_utf8(ran.stderr.clone()).unwrap();
        assert_eq!(ran.status.code(), Some(2), "{args:?}: {}", out(&ran));
        assert!(told.starts_with("annon-bench: ") && told.trim_end().lines().count() == 1, "{args:?}: {told}");
        assert!(told.len() < 500, "{args:?}: {told}");
        assert!(told.contains(words), "{args:?}: {told}");
    }
}

#[test]
fn too_few_files_are_said_before_anything_is_started() {
    let limited = format!("ulimit -n 100; exec {BENCH} notes --server /nowhere/annon --clients 500");
    let ran = Command::new("sh").args(["-c", &limited]).output().unwrap();
    assert_eq!(ran.status.code(), Some(2), "{}", out(&ran));
    assert!(out(&ran).contains("500 connections need 564 open files, and only 100 are allowed"), "{}", out(&ran));
}

#[test]
fn ctrl_c_shows_what_was_measured_and_takes_the_server_along() {
    let folder = tempfile::tempdir().unwrap();
    let json = folder.path().join("cut.json");
    let mut running = Command::new(BENCH)
        .args(["notes", "--clients", "2", "--seconds", "600", "--accounts", "1", "--server"])
        .arg(server())
        .arg("--json")
        .arg(&json)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let started = wait_for_child(&running);
    // Past the disk's second, into the stage.
    thread::sleep(Duration::from_secs(4));
    kill_process(pid(running.id()), Signal::INT).unwrap();
    assert_eq!(running.wait().unwrap().code(), Some(130));
    let mut told = String::new();
    running.stdout.take().unwrap().read_to_string(&mut told).unwrap();
    assert!(told.contains("Interrupted"), "{told}");
    let cut = read(&json);
    assert_eq!(cut["ending"], "interrupted");
    assert!(cut["results"]["stages"][0]["good"].as_u64().unwrap() > 0, "{cut:#}");
    assert!(test_kill_process(started).is_err(), "the server is gone");
}

fn pid(raw: u32) -> Pid {
    Pid::from_raw(raw.cast_signed()).unwrap()
}

/// The server that the program has started.
fn wait_for_child(parent: &Child) -> Pid {
    for _ in 0..500 {
        let children = format!("/proc/{0}/task/{0}/children", parent.id());
        let children = std::fs::read_to_string(children).unwrap_or_default();
        if let Some(child) = children.split_whitespace().next() {
            return pid(child.parse().unwrap());
        }
        thread::sleep(Duration::from_millis(10));
    }
    panic!("no server was started");
}
