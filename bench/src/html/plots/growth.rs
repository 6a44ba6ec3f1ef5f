//! How calls, and the server, change with the notes that are stored. Every
//! axis begins at nothing, so that what is flat looks flat.

use serde_json::Value;

use crate::html::plot::{Across, Line, Plot};

const MIB: f64 = 1024.0 * 1024.0;
/// What is drawn of a call, where it is, and in what.
const TIMES: [(&str, &[&str], &str); 4] = [
    ("p50", &["latency", "p50"], "µs"),
    ("p50, times that of the server beside", &["p50_times"], "times"),
    ("Processor time of the server for a call", &["server_cpu_each"], "µs"),
    ("Processor time, times that of the server beside", &["server_times"], "times"),
];

/// Nothing for runs of anything else.
pub(super) fn plots(results: &Value) -> Vec<Plot> {
    let list = |key: &str| results[key].as_array().map_or(&[] as &[Value], Vec::as_slice);
    let (calls, sizes) = (list("calls"), list("sizes"));
    let mut plots = Vec::new();
    for kind in unlike(calls, "kind") {
        let calls: Vec<_> = calls.iter().filter(|call| call["kind"] == kind).collect();
        plots.extend(TIMES.map(|(title, path, unit)| of_calls(&calls, &format!("{title}: {kind}"), path, unit)));
    }
    let of_sizes = |title: &str, up_name, names: &[(&str, &str, f64)]| {
        let line = |(key, name, unit): &(&str, &str, f64)| Line {
            name: (*name).to_owned(),
            points: sizes.iter().filter_map(|size| point(size, &[*key], *unit)).collect(),
        };
        by_notes(title.to_owned(), up_name, names.iter().map(line).collect())
    };
    plots.push(of_sizes("The server's size", "MiB", &[("memory", "in memory", MIB), ("on_disk", "on disk", MIB)]));
    plots.push(of_sizes("From a start after a kill to the first answer", "ms", &[("ready_after", "ready", 1000.0)]));
    plots
}

/// One line for each call.
fn of_calls(calls: &[&Value], title: &str, path: &[&str], up_name: &'static str) -> Plot {
    let line = |what: &str| {
        let same = calls.iter().filter(|call| call["what"] == what);
        Line { name: what.to_owned(), points: same.filter_map(|call| point(call, path, 1.0)).collect() }
    };
    by_notes(title.to_owned(), up_name, unlike(calls.iter().copied(), "what").into_iter().map(line).collect())
}

fn by_notes(title: String, up_name: &'static str, mut lines: Vec<Line>) -> Plot {
    // One stage makes no curve.
    lines.retain(|line| line.points.len() > 1);
    Plot { title, across: Across::Factors, across_name: "notes stored", up_name, lines }
}

fn point(stage: &Value, path: &[&str], unit: f64) -> Option<(f64, f64)> {
    let value = path.iter().fold(stage, |value, key| &value[*key]);
    Some((stage["notes"].as_f64()?, value.as_f64()? / unit))
}

/// The different words under a key, in their order.
fn unlike<'a>(stages: impl IntoIterator<Item = &'a Value>, key: &str) -> Vec<&'a str> {
    let mut words = Vec::new();
    for word in stages.into_iter().filter_map(|stage| stage[key].as_str()) {
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn call(notes: u64, what: &str, kind: &str, p50: u64) -> Value {
        json!({"notes": notes, "what": what, "kind": kind, "latency": {"p50": p50}, "server_cpu_each": p50 as f64 / 2.0})
    }

    #[test]
    fn each_kind_of_call_has_its_curves() {
        let mut calls = Vec::new();
        for (notes, p50) in [(1000, 50), (1_000_000, 60)] {
            calls.extend([call(notes, "send", "written", p50), call(notes, "page", "read", 2 * p50)]);
            calls.push(call(notes, "delete", "written", 3 * p50));
        }
        let size =
            |notes: u64| json!({"notes": notes, "memory": notes * 1_048_576, "on_disk": null, "ready_after": 9000});
        let plots = plots(&json!({"calls": calls, "sizes": [size(1000), size(2000)]}));
        let drawn: Vec<_> = plots.iter().filter(|plot| plot.svg().is_some()).map(|plot| plot.title.as_str()).collect();
        let cpu = "Processor time of the server for a call";
        assert_eq!(
            drawn,
            [
                "p50: written",
                &format!("{cpu}: written"),
                "p50: read",
                &format!("{cpu}: read"),
                "The server's size",
                "From a start after a kill to the first answer",
            ]
        );
        let send = &plots[0].lines[0];
        assert_eq!((send.name.as_str(), send.points.as_slice()), ("send", &[(1000.0, 50.0), (1_000_000.0, 60.0)][..]));
        assert_eq!(plots[0].lines.len(), 2);
        let size = plots.iter().find(|plot| plot.title == "The server's size").unwrap();
        assert_eq!(size.lines.len(), 1, "a folder nobody could look into is no line");
        assert_eq!(plots.last().unwrap().lines[0].points[0], (1000.0, 9.0));
    }

    #[test]
    fn one_stage_and_other_runs_have_none() {
        assert!(plots(&json!({"stages": [{"notes": 5}]})).iter().all(|plot| plot.svg().is_none()));
        let one = json!({"calls": [call(5, "send", "written", 1)], "sizes": [{"notes": 5, "memory": 7}]});
        assert!(plots(&one).iter().all(|plot| plot.svg().is_none()));
    }
}
