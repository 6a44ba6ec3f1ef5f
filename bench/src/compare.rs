//! Two runs of the same scenario: what got better, what got worse.

use std::fs;
use std::path::Path;

use serde::Serialize;
use serde_json::Value;

use crate::args;
use crate::report::{Report, Table, cell};
use crate::trouble::{Finding, Trouble};

const TABLE: Table =
    Table(&["where                         ", "what                    ", "before", "after", "change %", "        "]);

/// What is compared, how to find it in a stage, and whether more is better.
const MEASURES: [(&str, &[&str], bool); 18] = [
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
    percent: f64,
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
    let changes = changes(&before["results"], &after["results"], args.noise);
    if changes.is_empty() {
        return Err(Trouble::because("the two have nothing in common that can be compared"));
    }
    report.say(&TABLE.head());
    for change in changes {
        report.say(&TABLE.row(&[
            format!("{:30}", change.place),
            format!("{:24}", change.what),
            cell(Some(change.before), digits(change.before)),
            cell(Some(change.after), digits(change.after)),
            format!("{:+.1}", change.percent),
            format!("{:8}", change.verdict),
        ]));
        report.push("changes", change);
    }
    Ok(Finding::Right)
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
        for (what, path, more_is_better) in MEASURES {
            let number = |stage: &Value| path.iter().fold(stage, |value, key| &value[*key]).as_f64();
            let (Some(before), Some(after)) = (number(stage), number(other)) else { continue };
            if before == 0.0 {
                continue;
            }
            let percent = (after - before) / before * 100.0;
            let verdict = match (percent.abs() <= noise, (percent > 0.0) == more_is_better) {
                (true, _) => "same",
                (false, true) => "better",
                (false, false) => "WORSE",
            };
            changes.push(Change { place: place.clone(), what, before, after, percent, verdict });
        }
    }
    changes
}

/// Every stage of a run, with its name.
fn stages(results: &Value) -> Vec<(String, &Value)> {
    let lists = ["stages", "shares", "rows", "calls"].iter().filter_map(|list| results[*list].as_array()).flatten();
    let single = results["starts"].is_object().then_some(&results["starts"]);
    lists.chain(single).map(|stage| (name(stage), stage)).collect()
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
    use serde_json::json;

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
}
