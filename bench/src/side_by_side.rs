//! Several runs of the same load against several servers, in one table.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Serialize;
use serde_json::Value;

use crate::args;
use crate::compare::early_ending;
use crate::latency::millis;
use crate::report::{Report, Table, cell};
use crate::trouble::{Finding, Trouble};

const TABLE: Table = Table(&[
    "load                ",
    "server              ",
    "runs",
    "deliveries/s",
    "p50 ms",
    "p99 ms",
    "server s/million",
    "× first",
    "own s/million",
    "wrong",
]);

/// One run of one load.
struct Run {
    deliveries: f64,
    p50: f64,
    p99: f64,
    server: Option<f64>,
    own: Option<f64>,
    is_right: bool,
}

/// What all runs of one server under one load come to: medians.
#[derive(Debug, PartialEq, Serialize)]
struct Row {
    load: String,
    server: String,
    runs: usize,
    deliveries_per_second: f64,
    /// Microseconds.
    p50: f64,
    p99: f64,
    server_cpu_per_million: Option<f64>,
    /// How often the processor time of the first server.
    times_first: Option<f64>,
    own_cpu_per_million: Option<f64>,
    wrong: usize,
}

/// Runs `annon-bench side-by-side`.
pub(crate) fn run(args: &args::SideBySide, report: &mut Report) -> Result<Finding, Trouble> {
    let mut runs = Vec::new();
    for (label, file) in &args.runs {
        for (load, run) in read(file, report)? {
            runs.push((load, label.clone(), run));
        }
    }
    let rows = rows(runs);
    report.say("Medians. × first: processor time for a delivery, compared with the first server's.\n");
    report.say(&TABLE.head());
    let mut load = String::new();
    for row in rows {
        if !load.is_empty() && load != row.load {
            report.say("");
        }
        load.clone_from(&row.load);
        report.say(&line(&row));
        report.push("rows", row);
    }
    Ok(Finding::Right)
}

fn line(row: &Row) -> String {
    TABLE.row(&[
        format!("{:20}", row.load),
        format!("{:20}", row.server),
        row.runs.to_string(),
        cell(Some(row.deliveries_per_second), 0),
        millis(row.p50 as u64),
        millis(row.p99 as u64),
        cell(row.server_cpu_per_million, 2),
        cell(row.times_first, 2),
        cell(row.own_cpu_per_million, 2),
        if row.wrong == 0 { "–".to_owned() } else { format!("{} WRONG", row.wrong) },
    ])
}

/// The stages of a file, each with a name for its load.
fn read(file: &Path, report: &Report) -> Result<Vec<(String, Run)>, Trouble> {
    let no = |why: &dyn std::fmt::Display| Trouble::because(format!("{}: {why}", file.display()));
    let text = fs::read(file).map_err(|error| no(&error))?;
    let whole: Value = serde_json::from_slice(&text).map_err(|error| no(&error))?;
    if whole["scenario"] != "fanout" {
        return Err(no(&"no fanout was measured in it"));
    }
    if let Some(ending) = early_ending(&whole) {
        report.say(&format!("Careful: {} is of a run that ended early: {ending}", file.display()));
    }
    // One that has come to nothing has said why by itself.
    let Some(stages) = whole["results"]["stages"].as_array() else { return Ok(Vec::new()) };
    stages.iter().map(|stage| run_of(stage).ok_or_else(|| no(&"a stage of it can't be read"))).collect()
}

fn run_of(stage: &Value) -> Option<(String, Run)> {
    let size = format!("{}×{}", stage["rooms"].as_u64()?, stage["members"].as_u64()?);
    let load = match (stage["rate"].as_f64(), stage["on_their_way"].as_u64()) {
        (Some(rate), _) => format!("{size}, {rate} sends/s"),
        (None, Some(on_their_way)) => format!("{size}, {on_their_way} in flight"),
        (None, None) => return None,
    };
    let faults = stage["faults"].as_object()?;
    let run = Run {
        deliveries: stage["deliveries_per_second"].as_f64()?,
        p50: stage["latency"]["p50"].as_f64()?,
        p99: stage["latency"]["p99"].as_f64()?,
        server: stage["server_cpu_per_million"].as_f64(),
        own: stage["own_cpu_per_million"].as_f64(),
        is_right: faults.values().all(|count| count.as_u64().unwrap_or(0) == 0),
    };
    Some((load, run))
}

/// Loads and servers in the order in which they come first.
fn rows(runs: Vec<(String, String, Run)>) -> Vec<Row> {
    let (mut loads, mut servers): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    let mut grouped: BTreeMap<(usize, usize), Vec<Run>> = BTreeMap::new();
    for (load, server, run) in runs {
        grouped.entry((place(&mut loads, load), place(&mut servers, server))).or_default().push(run);
    }
    let mut first: BTreeMap<usize, f64> = BTreeMap::new();
    let mut rows = Vec::new();
    for ((load, server), runs) in grouped {
        let of = |field: fn(&Run) -> Option<f64>| median(runs.iter().filter_map(field).collect());
        let cpu = of(|run| run.server);
        if let Some(cpu) = cpu {
            first.entry(load).or_insert(cpu);
        }
        rows.push(Row {
            load: loads[load].clone(),
            server: servers[server].clone(),
            runs: runs.len(),
            deliveries_per_second: of(|run| Some(run.deliveries)).unwrap_or_default(),
            p50: of(|run| Some(run.p50)).unwrap_or_default(),
            p99: of(|run| Some(run.p99)).unwrap_or_default(),
            server_cpu_per_million: cpu,
            times_first: cpu.zip(first.get(&load)).map(|(cpu, first)| cpu / first),
            own_cpu_per_million: of(|run| run.own),
            wrong: runs.iter().filter(|run| !run.is_right).count(),
        });
    }
    rows
}

fn place(names: &mut Vec<String>, name: String) -> usize {
    names.iter().position(|known| *known == name).unwrap_or_else(|| {
        names.push(name);
        names.len() - 1
    })
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => None,
        length if length % 2 == 1 => values.get(middle).copied(),
        _ => Some((values[middle - 1] + values[middle]) / 2.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(server: f64, is_right: bool) -> Run {
        Run { deliveries: 10.0, p50: 1.0, p99: 2.0, server: Some(server), own: None, is_right }
    }

    #[test]
    fn medians_stand_beside_the_first_server_s() {
        let named = |load: &str, server: &str, run| (load.to_owned(), server.to_owned(), run);
        let rows = rows(vec![
            named("b", "annon", run(1.0, true)),
            named("b", "bun", run(2.0, false)),
            named("a", "annon", run(5.0, true)),
            named("b", "annon", run(3.0, true)),
            named("b", "bun", run(4.0, true)),
            named("b", "bun", run(9.0, true)),
        ]);
        let told: Vec<_> = rows
            .iter()
            .map(|row| (row.load.as_str(), row.server.as_str(), row.server_cpu_per_million, row.times_first, row.wrong))
            .collect();
        assert_eq!(
            told,
            [
                ("b", "annon", Some(2.0), Some(1.0), 0),
                ("b", "bun", Some(4.0), Some(2.0), 1),
                ("a", "annon", Some(5.0), Some(1.0), 0)
            ]
        );
    }

    #[test]
    fn a_median_of_two_lies_between_them() {
        assert_eq!(
            [vec![], vec![3.0], vec![4.0, 1.0], vec![9.0, 1.0, 2.0]].map(median),
            [None, Some(3.0), Some(2.5), Some(2.0)]
        );
    }
}
