//! Two runs of the same scenario: what got better, what got worse, and
//! whether either was wrong or cut short.

use std::fs;
use std::path::Path;

use serde::Serialize;
use serde_json::{Value, json};

use crate::args;
use crate::report::{Report, Table, cell};
use crate::trouble::{Finding, Trouble};

const TABLE: Table = Table(&["                               ", "before", "after", "change %", "        "]);

/// What is compared, how to find it in a stage, and whether more is better.
const MEASURES: [(&str, &[&str], bool); 20] = [
    ("deliveries/s", &["deliveries_per_second"], true),
    ("sends/s", &["sends_per_second"], true),
    ("good/s", &["good_per_second"], true),
    ("pages/s", &["pages_per_second"], true),
    ("back/s", &["back_per_second"], true),
    ("sign-ins/s", &["sign_ins", "good_per_second"], true),
    ("p50 µs", &["latency", "p50"], false),
    ("p99 µs", &["latency", "p99"], false),
    ("p99.9 µs", &["latency", "p99.9"], false),
    ("max µs", &["latency", "max"], false),
    ("server s/million", &["server_cpu_per_million"], false),
    ("server µs each", &["server_cpu_each"], false),
    ("bytes/connection", &["memory_per_connection"], false),
    ("p99 under flood, times", &["times_p99"], false),
    ("chat p99 under flood, times", &["times_chat_p99"], false),
    ("done/s", &["done_per_second"], true),
    ("listening µs", &["listening", "p50"], false),
    ("ready µs", &["ready", "p50"], false),
    ("first page µs", &["first_page"], false),
    ("syncs/s", &["per_second"], true),
];
/// What is counted that should not happen at all.
const FAILURES: [(&str, &[&str]); 10] = [
    ("wrong", &["faults"]),
    ("wrong", &["wrong"]),
    ("never back", &["never_back"]),
    ("not resumed", &["not_resumed"]),
    ("closed", &["closed"]),
    ("refused", &["refused"]),
    ("failed", &["failures"]),
    ("failed", &["failed"]),
    ("sign-ins failed", &["sign_ins", "failures"]),
    ("never went out", &["behind"]),
];
/// What names a stage.
const NAMES: [&str; 13] = [
    "rooms",
    "members",
    "connections",
    "clients",
    "notes",
    "messages",
    "page",
    "what",
    "rate",
    "on_their_way",
    "load",
    "server",
    "kind",
];

/// One change.
#[derive(Debug, PartialEq, Serialize)]
struct Change {
    place: String,
    what: &'static str,
    before: f64,
    after: f64,
    /// Nothing where there was nothing before.
    percent: Option<f64>,
    verdict: &'static str,
}

/// Runs `annon-bench compare`.
pub(crate) fn run(args: &args::Compare, report: &mut Report) -> Result<Finding, Trouble> {
    let (before, after) = (read(&args.before)?, read(&args.after)?);
    if before["scenario"] != after["scenario"] {
        let (a, b) = (&before["scenario"], &after["scenario"]);
        return Err(Trouble::because(format!("these are two scenarios, {a} and {b}")));
    }
    if before["machine"]["cpu"] != after["machine"]["cpu"] {
        report.say("Careful: these are two machines.");
    }
    if let Some(how) = asked_otherwise(&before, &after) {
        report.say(&format!("Careful: they were asked differently: {how}."));
    }
    let changes = changes(&before["results"], &after["results"], args.noise);
    let is_wrong = [(&args.before, &before), (&args.after, &after)].map(|(file, run)| {
        doubts(file, run).iter().for_each(|line| report.say(line));
        is_wrong(run)
    });
    if changes.is_empty() {
        return Err(Trouble::because("the two have nothing in common that can be compared"));
    }
    report.say(&TABLE.head());
    let mut place = String::new();
    for change in changes {
        if place != change.place {
            place.clone_from(&change.place);
            report.say(&place);
        }
        report.say(&TABLE.row(&[
            format!("    {:27}", change.what),
            cell(Some(change.before), digits(change.before)),
            cell(Some(change.after), digits(change.after)),
            change.percent.map_or_else(|| "–".to_owned(), |percent| format!("{percent:+.1}")),
            format!("{:8}", change.verdict),
        ]));
        report.push("changes", change);
    }
    Ok(if is_wrong[1] { Finding::Wrong } else { Finding::Right })
}

/// Flags, each with its value, that say what is measured.
fn asked(run: &Value) -> Vec<String> {
    /// Where it is written, and which server is found how.
    const ELSEWHERE: [&str; 6] = ["--json", "--html", "--url", "--server", "--server-pid", "--dir"];
    let words = run["command"].as_array().into_iter().flatten().filter_map(Value::as_str).skip(2);
    let mut flags: Vec<String> = Vec::new();
    for word in words {
        match flags.last_mut() {
            Some(flag) if !word.starts_with("--") => flag.push_str(&format!(" {word}")),
            _ => flags.push(word.replacen('=', " ", 1)),
        }
    }
    flags.retain(|flag| flag != "--" && !ELSEWHERE.contains(&flag.split(' ').next().unwrap_or_default()));
    flags.sort();
    flags
}

fn asked_otherwise(before: &Value, after: &Value) -> Option<String> {
    let (before, after) = (asked(before), asked(after));
    let only = |these: &[String], those: &[String]| {
        let only: Vec<_> = these.iter().filter(|flag| !those.contains(flag)).cloned().collect();
        if only.is_empty() { "without".to_owned() } else { only.join(" ") }
    };
    (before != after).then(|| format!("{} before, {} after", only(&before, &after), only(&after, &before)))
}

/// What a run's numbers don't show.
fn doubts(file: &Path, run: &Value) -> Vec<String> {
    let file = file.display();
    let mut lines = Vec::new();
    if is_wrong(run) {
        lines.push(format!("WRONG: in {file} the server lost or mixed something up."));
    }
    if let Some(ending) = early_ending(run) {
        lines.push(format!("Careful: {file} is of a run that ended early: {ending}"));
    }
    lines
}

fn is_wrong(run: &Value) -> bool {
    let stages = run["results"]["stages"].as_array();
    let is_faulty = |stage: &Value| count(&stage["faults"]).is_some_and(|count| count > 0.0);
    run["ending"] == "wrong" || stages.is_some_and(|stages| stages.iter().any(is_faulty))
}

/// Why a run did not come to its end.
pub(crate) fn early_ending(run: &Value) -> Option<&str> {
    run["ending"].as_str().filter(|ending| !matches!(*ending, "right" | "wrong"))
}

fn digits(value: f64) -> usize {
    if value.abs() < 100.0 { 2 } else { 0 }
}

fn read(file: &Path) -> Result<Value, Trouble> {
    let no = |why: &dyn std::fmt::Display| Trouble::because(format!("{}: {why}", file.display()));
    let text = fs::read(file).map_err(|error| no(&error))?;
    let whole: Value = serde_json::from_slice(&text).map_err(|error| no(&error))?;
    if whole["scenario"].is_string() && whole["results"].is_object() {
        Ok(whole)
    } else {
        Err(no(&"no run of annon-bench wrote this"))
    }
}

/// Stages are the same when they have the same name.
fn changes(before: &Value, after: &Value, noise: f64) -> Vec<Change> {
    let (before, after) = (stages(before), stages(after));
    let mut changes = Vec::new();
    for (place, stage) in &before {
        let Some((_, other)) = after.iter().find(|(name, _)| name == place) else { continue };
        let both = |path: &[&str]| Some((count(at(stage, path))?, count(at(other, path))?));
        let measures = MEASURES.iter().map(|(what, path, more_is_better)| (*what, *path, *more_is_better));
        let failures = FAILURES.iter().map(|(what, path)| (*what, *path, false));
        for (what, path, more_is_better) in measures.chain(failures) {
            let Some((before, after)) = both(path).filter(|both| *both != (0.0, 0.0)) else { continue };
            changes.push(Change::of(place, what, (before, after), more_is_better, noise));
        }
    }
    changes
}

impl Change {
    fn of(place: &str, what: &'static str, (before, after): (f64, f64), more_is_better: bool, noise: f64) -> Self {
        let percent = (before != 0.0).then(|| (after - before) / before * 100.0);
        let is_same = percent.is_some_and(|percent| percent.abs() <= noise);
        let verdict = match (is_same, (after > before) == more_is_better) {
            (true, _) => "same",
            (false, true) => "better",
            (false, false) => "WORSE",
        };
        Self { place: place.to_owned(), what, before, after, percent, verdict }
    }
}

fn at<'a>(stage: &'a Value, path: &[&str]) -> &'a Value {
    path.iter().fold(stage, |value, key| &value[*key])
}

/// A number, or all those of an object together.
fn count(value: &Value) -> Option<f64> {
    match value {
        Value::Object(fields) => Some(fields.values().filter_map(Value::as_f64).sum()),
        value => value.as_f64(),
    }
}

/// Every stage of a run, with its name.
fn stages(results: &Value) -> Vec<(String, Value)> {
    let lists = ["stages", "shares", "rows", "calls", "cold"].iter().filter_map(|list| results[*list].as_array());
    let single = [&results["starts"], &results["disk"]["fdatasync"], &results["disk"]["fsync"]];
    let single = single.into_iter().filter(|stage| stage.is_object());
    let mut stages: Vec<_> = lists.flatten().chain(single).map(|stage| (name(stage), stage.clone())).collect();
    if let Some(p99) = results["limit"]["p99_ms"].as_f64() {
        // Where nothing held it is nothing.
        let most = results["limit"]["sends_per_second"].as_f64().unwrap_or(0.0);
        stages.push((format!("the limit, p99 {p99} ms"), json!({"sends_per_second": most})));
    }
    stages
}

fn name(stage: &Value) -> String {
    let parts = NAMES.iter().filter_map(|name| match &stage[*name] {
        Value::Number(number) => Some(format!("{name} {number}").replace('_', " ")),
        Value::String(text) => Some(text.clone()),
        _ => None,
    });
    let name = parts.collect::<Vec<_>>().join(", ");
    if name.is_empty() { "everything".to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_judged_by_what_is_better() {
        let run = |per_second: f64, p99: u64| json!({"stages": [{"rooms": 20, "deliveries_per_second": per_second, "latency": {"p99": p99}}]});
        let verdicts = |before: &Value, after: &Value| -> Vec<_> {
            changes(before, after, 5.0).iter().map(|change| (change.what, change.verdict)).collect()
        };
        let before = run(1000.0, 100);
        assert_eq!(verdicts(&before, &run(1100.0, 90)), [("deliveries/s", "better"), ("p99 µs", "better")]);
        assert_eq!(verdicts(&before, &run(900.0, 200)), [("deliveries/s", "WORSE"), ("p99 µs", "WORSE")]);
        assert_eq!(verdicts(&before, &run(1010.0, 100)), [("deliveries/s", "same"), ("p99 µs", "same")]);
        let other = json!({"stages": [{"rooms": 30, "deliveries_per_second": 1.0}]});
        assert_eq!(changes(&before, &other, 5.0), [], "another stage");
    }

    #[test]
    fn what_should_not_happen_is_compared_too() {
        let verdicts = |before: &Value, after: &Value| -> Vec<_> {
            changes(before, after, 5.0).iter().map(|change| (change.what, change.verdict)).collect()
        };
        let run = |refused: u64, failed: u64| json!({"stages": [{"clients": 1, "refused": refused, "failures": {"503": failed, "no": failed}}]});
        assert_eq!(verdicts(&run(0, 0), &run(0, 0)), []);
        assert_eq!(verdicts(&run(0, 3), &run(9000, 1)), [("refused", "WORSE"), ("failed", "better")]);
        let limit = |most: Value| json!({"limit": {"p99_ms": 10.0, "sends_per_second": most}});
        assert_eq!(verdicts(&limit(json!(2000.0)), &limit(json!(500.0))), [("sends/s", "WORSE")]);
        assert_eq!(verdicts(&limit(json!(2000.0)), &limit(Value::Null)), [("sends/s", "WORSE")]);
        let disk = |per_second: f64| json!({"disk": {"fsync": {"kind": "fsync", "per_second": per_second}}});
        assert_eq!(verdicts(&disk(100.0), &disk(300.0)), [("syncs/s", "better")]);
    }

    #[test]
    fn runs_that_were_asked_differently_are_called_so() {
        let run = |line: &str| json!({"command": line.split(' ').collect::<Vec<_>>()});
        let told = |before: &str, after: &str| asked_otherwise(&run(before), &run(after));
        let plain = "annon-bench fanout --rate 5 --json a";
        assert_eq!(told(plain, "./annon-bench fanout --json=b --rate=5 --url http://x"), None);
        let other = told(plain, "annon-bench fanout --rate 5 --length 9 -- --sync off").unwrap();
        assert_eq!(other, "without before, --length 9 --sync off after");
        assert_eq!(told(plain, "annon-bench fanout --rate 6").unwrap(), "--rate 5 before, --rate 6 after");
    }

    #[test]
    fn a_wrong_or_shortened_run_is_called_so() {
        let told = |ending: &str, lost: u64| {
            let run = json!({"ending": ending, "results": {"stages": [{"faults": {"lost": lost, "examples": []}}]}});
            doubts(Path::new("x"), &run).len()
        };
        assert_eq!([told("right", 0), told("wrong", 1), told("interrupted", 0), told("interrupted", 1)], [0, 1, 1, 2]);
    }
}
