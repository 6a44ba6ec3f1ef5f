//! Every scenario against the real server, and its results.

use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::program::{BENCH, bench, out, read, server};

/// Runs a scenario with a server of its own, and returns the results.
fn run(args: &[&str]) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("out.json");
    let own = ["--server", &server(), "--dir", folder.path().to_str().unwrap(), "--json", file.to_str().unwrap()];
    // A busy machine may measure nothing for a while, and says so.
    let measure = || bench(&[&args[..1], &own, &args[1..]].concat());
    let is_measured = |ran: &Output| ran.status.success() || !out(ran).contains("can't keep up");
    let ran = std::iter::repeat_with(measure).take(10).find(is_measured).unwrap();
    assert!(ran.status.success(), "{args:?}: {}", out(&ran));
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["out.json"], "{args:?}: the server's folder is gone");
    let results = read(&file);
    assert_eq!((&results["scenario"], &results["ending"]), (&json!(args[0]), &json!("right")));
    assert!(results["machine"]["cores"].as_u64() > Some(0) && results["command"][1] == args[0], "{results:#}");
    results["results"].clone()
}

fn is_some(value: &Value) -> bool {
    value.as_f64() > Some(0.0)
}

#[test]
fn a_fan_out_is_measured_checked_and_told() {
    let closed = run(&["fanout", "--rooms", "2,6", "--members", "3", "--seconds", "1.5"]);
    let stages = closed["stages"].as_array().unwrap();
    assert_eq!(stages.len(), 2);
    for stage in stages {
        let rates = ["sends_per_second", "done_per_second"].map(|rate| stage[rate].as_f64().unwrap());
        assert!(rates[0] > 0.0 && (rates[1] / rates[0] - 3.0).abs() < 0.2, "{stage:#}");
        // The time is counted in hundredths of a second, which the server may not have got on a
        // busy machine.
        assert!(["server_cpu_each", "own_cpu_each"].iter().all(|cost| stage[cost].is_number()), "{stage:#}");
        // The memory that hashing leaves behind may be free by now.
        assert!(stage["memory_per_connection"].is_number(), "{stage:#}");
        assert!(stage["latency"]["p99.9"].as_u64() >= stage["latency"]["p50"].as_u64(), "{stage:#}");
        assert_eq!(stage["ticks"].as_array().unwrap().len(), 1);
    }
    let open = run(&["fanout", "--rooms", "4", "--rate", "100", "--seconds", "1"]);
    let stage = &open["stages"][0];
    // A busy machine sends some messages too late to be counted, and never more than were due.
    assert!((50.0..115.0).contains(&stage["sends_per_second"].as_f64().unwrap()), "{stage:#}");
    assert!((500..=1200).contains(&stage["latency"]["count"].as_u64().unwrap()), "{stage:#}");
    assert!(is_some(&stage["own_lateness"]["count"]), "{stage:#}");
    // Reactions are checked like messages: each reaches everybody, once, in one order.
    let reacting = run(&["fanout", "--rooms", "2", "--members", "3", "--seconds", "1", "--reactions", "20"]);
    let stage = &reacting["stages"][0];
    assert_eq!((&stage["failures"], &stage["reactions"]), (&json!({}), &json!(20)));
    let rates = ["sends_per_second", "done_per_second"].map(|rate| stage[rate].as_f64().unwrap());
    assert!(rates[0] > 0.0 && (rates[1] / rates[0] - 3.0).abs() < 0.2, "{stage:#}");
}

#[test]
fn every_note_the_server_acknowledges_is_found_and_the_numbers_are_told() {
    let notes = run(&["notes", "--clients", "1,16", "--seconds", "1", "--accounts", "3"]);
    let stages = notes["stages"].as_array().unwrap();
    for stage in stages {
        assert_eq!(stage["failures"], json!({}));
        let figures = ["done", "sends_per_commit", "disk_fsyncs_per_second", "server_cpu_each"];
        assert!(figures.iter().all(|key| is_some(&stage[key])), "{stage:#}");
    }
    assert!(stages[1]["sends_per_commit"].as_f64() > stages[0]["sends_per_commit"].as_f64(), "{notes:#}");
    let good: u64 = stages.iter().filter_map(|stage| stage["done"].as_u64()).sum();
    assert_eq!(notes["check"]["acknowledged"].as_u64(), Some(good));
    let paced = run(&["notes", "--clients", "8", "--rate", "50", "--seconds", "1", "--accounts", "1"]);
    // However slow the machine is, all requests that were due are counted.
    let counts = ["done", "behind"].map(|what| paced["stages"][0][what].as_u64().unwrap());
    assert!(counts[0] > 0 && counts[0] + counts[1] == 50 && paced["stages"][0]["latency"]["count"] == 50, "{paced:#}");
}

/// A note counts as found only if its owner's key opens it.
#[test]
fn sealed_notes_are_taken_and_each_opens() {
    let notes = run(&["notes", "--sealed", "--clients", "4", "--seconds", "0.5", "--accounts", "2"]);
    let stage = &notes["stages"][0];
    assert_eq!((&stage["failures"], &notes["check"]["wrong"]), (&json!({}), &json!(0)), "{notes:#}");
    assert!(is_some(&stage["done"]) && notes["check"]["acknowledged"] == stage["done"], "{notes:#}");
}

#[test]
fn known_tags_are_measured_and_a_flood_of_fresh_ones_gets_nowhere() {
    let few = ["--clients", "2", "--turns", "2", "--accounts", "2", "--solved", "5", "--flood-clients", "8"];
    let shield = run(&[&["shield", "--seconds", "0.7", "--trickle", "20", "--flood", "100"][..], &few].concat());
    let stages = shield["stages"].as_array().unwrap();
    let what: Vec<_> = stages.iter().map(|stage| stage["what"].as_str().unwrap()).collect();
    assert_eq!(what, ["plain", "known tag", "plain", "known tag", "with work"]);
    assert!(stages.iter().all(|stage| is_some(&stage["done"]) && stage["failures"] == json!({})), "{shield:#}");
    let mut sent: u64 = stages.iter().map(|stage| stage["done"].as_u64().unwrap()).sum();
    assert_eq!(stages[4]["done"], 5);
    for flood in shield["floods"].as_array().unwrap() {
        sent += ["calm", "beside"].map(|when| flood[when]["done"].as_u64().unwrap()).iter().sum::<u64>();
        assert!(is_some(&flood["flood"]["done"]) && flood["flood"]["failed"] == 0, "{flood:#}");
    }
    // Beside these, each client sent one note to each inbox that was to know it.
    assert_eq!(shield["check"]["acknowledged"].as_u64(), Some(sent + 4), "{shield:#}");
    assert!(["known_times_p50", "known_times_server_cpu", "flood_times_p99"].iter().all(|key| is_some(&shield[*key])));
}

#[test]
fn the_other_scenarios_with_rooms_run() {
    let idle = run(&["idle", "--connections", "40", "--seconds", "0.3"]);
    assert!(
        idle["stages"][0]["memory_per_connection"].is_number() && is_some(&idle["stages"][0]["memory"]),
        "{idle:#}"
    );
    for how in [&[][..], &["--restart"]] {
        let storm = &run(&[&["storm", "--rooms", "3", "--missed", "5"], how].concat())["stages"][0];
        assert_eq!((&storm["latency"]["count"], &storm["wrong"]), (&json!(30), &json!(0)), "{storm:#}");
    }
    // More messages than a server sends again by itself.
    let long =
        &run(&["storm", "--rooms", "1", "--members", "2", "--missed", "600", "--", "--sync", "off"])["stages"][0];
    assert_eq!((&long["not_resumed"], &long["wrong"]), (&json!(2), &json!(0)), "{long:#}");
    for stage in run(&["churn", "--clients", "3,8", "--seconds", "0.5"])["stages"].as_array().unwrap() {
        assert!(is_some(&stage["done"]) && stage["failures"] == json!({}), "{stage:#}");
    }
    let images = run(&["images", "--clients", "2", "--seconds", "0.5"]);
    for (stage, what) in images["stages"].as_array().unwrap().iter().zip(["sent", "read"]) {
        assert!(stage["what"] == what && is_some(&stage["done"]) && stage["failures"] == json!({}), "{stage:#}");
    }
    let mixed = run(&["mixed", "--seconds", "2"]);
    let failed: Vec<_> = mixed["shares"].as_array().unwrap().iter().map(|share| share["failed"].as_u64()).collect();
    assert_eq!(failed, [Some(0); 6], "{mixed:#}");
    assert!(is_some(&mixed["check"]["acknowledged"]) && is_some(&mixed["server_cpu_percent"]), "{mixed:#}");
}

#[test]
fn the_other_scenarios_run() {
    let started = run(&["start", "--runs", "2"]);
    assert_eq!(started["stages"][1]["latency"]["count"], 2);
    let login = &run(&["login", "--clients", "2", "--seconds", "1.5"])["stages"][0];
    assert!(is_some(&login["done"]) && is_some(&login["times_p99"]), "{login:#}");
    assert!(is_some(&login["quiet_chat"]["latency"]["count"]), "{login:#}");
    let pages = run(&[
        "pages",
        "--notes",
        "60",
        "--messages",
        "30,250",
        "--stored",
        "100,300",
        "--calls",
        "25",
        "--seconds",
        "0.2",
    ]);
    let stages = pages["stages"].as_array().unwrap();
    assert!(stages.len() == 10 && stages.iter().all(|stage| is_some(&stage["latency"]["count"])), "{pages:#}");
    assert!(is_some(&pages["cold"][1]["first_page"]), "{pages:#}");
    let calls = pages["calls"].as_array().unwrap();
    assert_eq!(calls.len(), 2 * 21, "each call at each of two stages");
    for call in calls {
        let figures = ["server_cpu_each", "p50_times", "server_times"];
        assert!(figures.iter().all(|key| is_some(&call[key])), "the server beside was measured, too: {call:#}");
    }
    for size in pages["sizes"].as_array().unwrap() {
        assert!(["memory", "on_disk", "ready_after"].iter().all(|key| is_some(&size[key])), "{size:#}");
    }
    assert_eq!((&pages["check"]["acknowledged"], &pages["check"]["wrong"]), (&json!(300), &json!(0)));
}

#[test]
fn a_page_shows_what_was_measured() {
    let folder = tempfile::tempdir().unwrap();
    let html = folder.path().join("<script>.html");
    let ran = bench(&["start", "--server", &server(), "--runs", "1", "--html", html.to_str().unwrap()]);
    assert!(ran.status.success(), "{}", out(&ran));
    let page = std::fs::read_to_string(&html).unwrap();
    assert!(page.contains("\"what\":\"listening\"") && page.contains("\\u003cscript>.html"), "{page}");
}

#[test]
fn limits_of_the_server_and_of_this_program_are_told_from_faults() {
    let server = server();
    let limited = ["fanout", "--server", &server, "--rooms", "1", "--in-flight", "10", "--", "--sends-per-second", "5"];
    let mut hurried = vec!["fanout", "--server", &server, "--rooms", "5", "--members", "1", "--rate", "5000000"];
    hurried.extend(["--seconds", "0.3"]);
    for (args, words) in [
        (&limited[..], "start it with --sends-per-second 0"),
        (&hurried, "this program itself can't keep up with that rate"),
    ] {
        let ran = bench(args);
        assert_eq!(ran.status.code(), Some(2), "{args:?}: {}", out(&ran));
        assert!(out(&ran).contains(words) && !out(&ran).contains("WRONG"), "{args:?}: {}", out(&ran));
    }
}

#[test]
fn what_is_set_in_the_shell_does_not_change_the_server_that_is_started() {
    let mut command = Command::new(BENCH);
    command.args(["start", "--server", &server(), "--runs", "1"]);
    let ran = command.envs([("ANNON_LOG_LEVEL", "error"), ("ANNON_SYNC", "nonsense")]).output().unwrap();
    assert!(ran.status.success(), "{}", out(&ran));
}

#[test]
fn servers_and_databases_fail_and_everything_that_was_acknowledged_is_there() {
    let few = ["--rooms", "6", "--rate", "60", "--kills", "2", "--pauses", "0", "--partitions", "1"];
    let folder = tempfile::tempdir().unwrap();
    let history = folder.path().join("history").to_str().unwrap().to_owned();
    let results = run(&[&["cluster", "--history", &history][..], &few].concat());
    let trials = results["trials"].as_array().unwrap();
    let times = |what: &str| trials.iter().find(|trial| trial["what"] == what).map(|trial| trial["times"].clone());
    assert_eq!(times("a server is killed"), Some(json!(2)));
    for what in ["a server loses the databases", "the database crashes", "the standby takes over"] {
        assert_eq!(times(what), Some(json!(1)), "{what}");
    }
    let lost = trials.iter().filter_map(|trial| trial["back"]["count"].as_u64()).sum::<u64>();
    assert!(lost > 0 && results["received"].as_u64() > results["sent"].as_u64(), "{results:#}");
    let judged = bench(&["judge", &history]);
    assert!(judged.status.success() && out(&judged).contains("Checked: one order"), "{}", out(&judged));
    // Without the last message of its last read, the history is another one.
    let lines = std::fs::read_to_string(&history).unwrap();
    let (at, _) = lines.rmatch_indices("],[").next().unwrap();
    let end = at + 2 + lines[at + 2..].find(']').unwrap();
    std::fs::write(&history, format!("{}{}", &lines[..=at], &lines[end + 1..])).unwrap();
    let judged = bench(&["judge", &history]);
    assert!(judged.status.code() == Some(1) && out(&judged).contains("WRONG"), "{}", out(&judged));
}

#[test]
fn nats_fails_and_everything_that_was_acknowledged_is_there() {
    let mut args = vec!["cluster", "--nats", "--rooms", "6", "--rate", "60", "--nats-kills", "2", "--kills", "1"];
    for none in ["--pauses", "--partitions", "--restarts", "--keys-restarts", "--promotions", "--upgrades"] {
        args.extend([none, "0"]);
    }
    let results = run(&args);
    let trials = results["trials"].as_array().unwrap();
    let of = |what: &str| trials.iter().find(|trial| trial["what"] == what).unwrap_or_else(|| panic!("{results:#}"));
    for (what, times) in [("NATS is killed", 2), ("a server loses NATS", 1), ("a server is killed", 1)] {
        assert_eq!(of(what)["times"], times, "{what}");
    }
    for what in ["NATS is killed", "a server loses NATS"] {
        assert!(of(what)["back"]["count"].as_u64().unwrap_or(0) == 0, "nobody is cut off: {results:#}");
    }
    assert!(results["received"].as_u64() > results["sent"].as_u64(), "{results:#}");
}

#[test]
fn patroni_changes_the_primary_and_everything_that_was_acknowledged_is_there() {
    let mut args = vec!["cluster", "--patroni", "--rooms", "6", "--rate", "60"];
    for none in ["--kills", "--pauses", "--partitions", "--restarts", "--keys-restarts", "--upgrades"] {
        args.extend([none, "0"]);
    }
    let results = run(&args);
    let trials = results["trials"].as_array().unwrap();
    for what in ["the standby takes over", "primary and standby change", "there are two primaries"] {
        assert!(trials.iter().any(|trial| trial["what"] == what && trial["times"] == 1), "{what}: {results:#}");
    }
    assert!(results["received"].as_u64() > results["sent"].as_u64(), "{results:#}");
}
