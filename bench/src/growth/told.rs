//! What was measured at each stage, and how the last compares with the first.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::growth::call::Call;
use crate::growth::gauge::Cost;
use crate::report::{Report, Table, cell, times};

const CALLS: Table =
    Table(&["call                           ", "calls", "p50 µs", "p99 µs", "server µs/call", "× p50", "× server"]);
const GROWTH: Table =
    Table(&["call                           ", "p50 µs", "then", "×", "server µs", "then", "×", "        "]);
/// Growing by more is said plainly.
const GROWN: f64 = 1.25;

/// What one stage came to.
#[derive(Default)]
pub(super) struct Measured {
    pub(super) here: BTreeMap<Call, Cost>,
    /// On the server that keeps the notes of the first stage.
    pub(super) beside: Option<BTreeMap<Call, Cost>>,
}

/// One call at one stage, as programs read it.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Row {
    pub(super) notes: u64,
    what: &'static str,
    kind: &'static str,
    #[serde(flatten)]
    cost: Cost,
    beside: Option<Cost>,
    /// Here, over beside.
    p50_times: Option<f64>,
    server_times: Option<f64>,
}

/// One call from the first stage to the last. Times in microseconds.
#[derive(Debug, PartialEq, Serialize)]
struct Growth {
    what: &'static str,
    p50_first: u64,
    p50_last: u64,
    p50_times: f64,
    server_first: Option<f64>,
    server_last: Option<f64>,
    server_times: Option<f64>,
    has_grown: bool,
}

impl Growth {
    fn between(what: &'static str, first: &Cost, last: &Cost) -> Self {
        let (p50_times, server_times) = (p50_times(first, last), server_times(first, last));
        Self {
            what,
            p50_first: first.latency.p50,
            p50_last: last.latency.p50,
            p50_times,
            server_first: first.server_cpu_each,
            server_last: last.server_cpu_each,
            server_times,
            has_grown: p50_times > GROWN || server_times.is_some_and(|times| times > GROWN),
        }
    }

    fn row(&self) -> String {
        GROWTH.row(&[
            format!("{:31}", self.what),
            self.p50_first.to_string(),
            self.p50_last.to_string(),
            cell(Some(self.p50_times), 2),
            cell(self.server_first, 0),
            cell(self.server_last, 0),
            cell(self.server_times, 2),
            if self.has_grown { "GREW" } else { "" }.to_owned(),
        ])
    }
}

fn p50_times(first: &Cost, last: &Cost) -> f64 {
    last.latency.p50 as f64 / first.latency.p50.max(1) as f64
}

fn server_times(first: &Cost, last: &Cost) -> Option<f64> {
    times(last.server_cpu_each, first.server_cpu_each)
}

pub(super) fn rows(notes: u64, measured: Measured) -> Vec<Row> {
    let row = |(call, cost): (Call, Cost)| {
        let beside = measured.beside.as_ref().and_then(|beside| beside.get(&call).copied());
        Row {
            notes,
            what: call.name(),
            kind: call.kind(),
            cost,
            beside,
            p50_times: beside.map(|beside| p50_times(&beside, &cost)),
            server_times: beside.and_then(|beside| server_times(&beside, &cost)),
        }
    };
    measured.here.into_iter().map(row).collect()
}

pub(super) fn show(rows: &[Row], report: &Report) {
    report.say(&CALLS.head());
    for row in rows {
        report.say(&CALLS.row(&[
            format!("{:31}", row.what),
            row.cost.latency.count.to_string(),
            row.cost.latency.p50.to_string(),
            row.cost.latency.p99.to_string(),
            cell(row.cost.server_cpu_each, 0),
            cell(row.p50_times, 2),
            cell(row.server_times, 2),
        ]));
    }
}

/// Says of each call how the last stage compares with the first: as measured
/// beside it, where there was a second server.
pub(super) fn compared(first: &[Row], last: &[Row], report: &mut Report) {
    let growth = |last: &Row| {
        let earlier = first.iter().find(|first| first.what == last.what).map(|first| first.cost);
        Some(Growth::between(last.what, &last.beside.or(earlier)?, &last.cost))
    };
    let growths: Vec<_> = last.iter().filter_map(growth).collect();
    let notes = |rows: &[Row]| rows.first().map_or(0, |row| row.notes);
    let (from, to) = (notes(first), notes(last));
    let is_beside = last.iter().any(|row| row.beside.is_some());
    let how = if is_beside { ", side by side" } else { "" };
    report.say(&format!("\nFrom {from} to {to} notes{how}:"));
    report.say(&GROWTH.head());
    growths.iter().for_each(|growth| report.say(&growth.row()));
    report.say(&format!("\n{}", sentence(&growths)));
    growths.into_iter().for_each(|growth| report.push("growth", growth));
}

fn sentence(growths: &[Growth]) -> String {
    let grown: Vec<_> = growths.iter().filter(|growth| growth.has_grown).map(|growth| growth.what).collect();
    let percent = (GROWN - 1.0) * 100.0;
    if grown.is_empty() {
        format!("No call's p50 or processor time grew by more than {percent:.0} %.")
    } else {
        format!("Grew by more than {percent:.0} %: {}.", grown.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::latency::Latencies;

    fn cost(micros: u64, server_cpu_each: Option<f64>) -> Cost {
        let mut latencies = Latencies::new();
        latencies.record(Duration::from_micros(micros));
        Cost { latency: latencies.summary(), server_cpu_each }
    }

    #[test]
    fn growth_is_more_than_a_quarter_of_either_time() {
        let grown = |first: (u64, Option<f64>), last: (u64, Option<f64>)| {
            Growth::between("a call", &cost(first.0, first.1), &cost(last.0, last.1)).has_grown
        };
        assert!(!grown((100, Some(50.0)), (125, Some(62.0))));
        assert!(grown((100, Some(50.0)), (126, Some(50.0))));
        assert!(grown((100, Some(50.0)), (100, Some(63.0))));
        assert!(!grown((100, None), (90, Some(63.0))), "what isn't known hasn't grown");
    }

    #[test]
    fn a_row_compares_with_the_server_beside() {
        let costs = |micros| BTreeMap::from([(Call::Unread, cost(micros, Some(40.0)))]);
        let rows = |beside| rows(7, Measured { here: costs(150), beside });
        let with = rows(Some(costs(100)));
        assert_eq!((with[0].p50_times, with[0].server_times), (Some(1.5), Some(1.0)));
        assert_eq!(rows(None)[0].p50_times, None);
    }

    #[test]
    fn what_grew_is_named() {
        let growth = |micros| Growth::between("a call", &cost(100, None), &cost(micros, None));
        assert_eq!(sentence(&[growth(100)]), "No call's p50 or processor time grew by more than 25 %.");
        assert_eq!(sentence(&[growth(100), growth(200)]), "Grew by more than 25 %: a call.");
    }
}
