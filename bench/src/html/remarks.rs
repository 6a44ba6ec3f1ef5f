//! What a table doesn't show: how a run ended, what failed and why, and
//! examples of what was wrong.

use serde_json::Value;

use crate::html::plots::name;
use crate::latency::{LATE_MICROS, millis};

/// How it ended, and whether that is bad.
pub(super) fn ending(whole: &Value) -> (String, bool) {
    let results = &whole["results"];
    match whole["ending"].as_str().unwrap_or_default() {
        "right" => match whole["scenario"].as_str() {
            Some("compare") => worse(results),
            Some("side-by-side") => match sum(results, "wrong") {
                0 => ("No run was wrong.".to_owned(), false),
                wrong => (format!("{wrong} runs were wrong."), true),
            },
            _ => match failed(results) {
                0 => ("Everything was as it should be.".to_owned(), false),
                failed => (format!("Nothing was lost or mixed up; {failed} calls failed."), true),
            },
        },
        "wrong" => ("The server lost or mixed something up.".to_owned(), true),
        other => (other.to_owned(), true),
    }
}

fn worse(results: &Value) -> (String, bool) {
    let changes = results["changes"].as_array().map_or(&[][..], Vec::as_slice);
    let worse = changes.iter().filter(|change| change["verdict"] == "WORSE").count();
    (format!("{worse} of {} measures got worse.", changes.len()), worse > 0)
}

/// Calls that were not answered as they should be, and messages refused.
fn failed(results: &Value) -> u64 {
    // A chat in a mixed day is a share of it, and a stage as well.
    if results["shares"].is_array() {
        return sum(&results["shares"], "failed");
    }
    sum(results, "failures") + sum(results, "refused")
}

/// All numbers under a name, however deep.
fn sum(value: &Value, key: &str) -> u64 {
    let all = |value: &Value| match value {
        Value::Object(counts) => counts.values().filter_map(Value::as_u64).sum(),
        value => value.as_u64().unwrap_or(0),
    };
    match value {
        Value::Object(fields) => {
            fields.iter().map(|(name, value)| if name == key { all(value) } else { sum(value, key) }).sum()
        }
        Value::Array(values) => values.iter().map(|value| sum(value, key)).sum(),
        _ => 0,
    }
}

/// What the terminal says below its rows.
pub(super) fn remarks(results: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    of(results, "", &mut lines);
    lines
}

fn of(value: &Value, place: &str, lines: &mut Vec<String>) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| of(value, place, lines)),
        Value::Object(fields) => {
            let own = name(value);
            let place = if own.is_empty() { place } else { &own };
            let mut say = |line: String| lines.push(if place.is_empty() { line } else { format!("{place}: {line}") });
            own_remarks(value, &mut say);
            for (name, inner) in fields {
                let at = if inner["latency"].is_object() {
                    format!("{place}, {name}").replace('_', " ")
                } else {
                    place.to_owned()
                };
                of(inner, &at, lines);
            }
        }
        _ => {}
    }
}

fn own_remarks(value: &Value, say: &mut impl FnMut(String)) {
    let count = |key: &str| value[key].as_u64().unwrap_or(0);
    if count("refused") > 0 {
        say(format!("{} were refused: {}", count("refused"), value["refusal"].as_str().unwrap_or("without a reason")));
    }
    for (why, failed) in value["failures"].as_object().into_iter().flatten() {
        say(format!("{failed} × {why}"));
    }
    for never in ["untaken", "behind"] {
        if count(never) > 0 {
            say(format!("{} were due and never went out; they count as late.", count(never)));
        }
    }
    if let Some(behind) = value["overload"]["behind_seconds"].as_f64() {
        say(format!("Careful: this measured the tester itself, which fell {behind:.1} s behind."));
    } else if let Some(p99) = value["own_lateness"]["p99"].as_u64().filter(|p99| *p99 > LATE_MICROS) {
        say(format!("Careful: 1 in 100 went out {} ms late or later, by the tester's own doing.", millis(p99)));
    }
    let examples = value["examples"].as_array().into_iter().flatten().chain([&value["example"]]);
    examples.filter_map(Value::as_str).for_each(|example| say(format!("WRONG: {example}")));
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_failed_or_was_wrong_is_told_with_its_place() {
        let results = json!({"stages": [
            {"clients": 1, "failures": {}, "latency": {"p99": 1}},
            {"clients": 4, "failures": {"500 (no)": 3}, "behind": 2, "own_lateness": {"p99": 1500}},
            {"rooms": 2, "refused": 7, "refusal": "Slowly.", "faults": {"lost": 1, "examples": ["message 3"]}},
            {"clients": 9, "sign_ins": {"latency": {}, "failures": {"503": 5}}},
        ]});
        assert_eq!(
            remarks(&results),
            [
                "4 clients: 3 × 500 (no)",
                "4 clients: 2 were due and never went out; they count as late.",
                "4 clients: Careful: 1 in 100 went out 1.50 ms late or later, by the tester's own doing.",
                "2 rooms: 7 were refused: Slowly.",
                "2 rooms: WRONG: message 3",
                "9 clients, sign ins: 5 × 503",
            ]
        );
        let ended = |scenario: &str, results: &Value| {
            ending(&json!({"scenario": scenario, "ending": "right", "results": results}))
        };
        assert_eq!(ended("notes", &results), ("Nothing was lost or mixed up; 15 calls failed.".to_owned(), true));
        assert_eq!(ended("notes", &json!({})), ("Everything was as it should be.".to_owned(), false));
        let changes = json!({"changes": [{"verdict": "WORSE"}, {"verdict": "same"}]});
        assert_eq!(ended("compare", &changes), ("1 of 2 measures got worse.".to_owned(), true));
    }
}
