//! What was measured at each stage, and how the last compares with the first.

use serde::Serialize;

use crate::growth::gauge::Gauge;
use crate::latency::Summary;
use crate::report::{Report, Table, cell};

const CALLS: Table = Table(&["call                           ", "calls", "p50 µs", "p99 µs", "server µs/call"]);
const GROWTH: Table =
    Table(&["call                           ", "p50 µs", "then", "×", "server µs", "then", "×", "        "]);
/// Growing by more is said plainly.
const GROWN: f64 = 1.25;

/// One call at one stage, as programs read it. Times in microseconds.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Row {
    pub(super) notes: u64,
    pub(super) what: &'static str,
    pub(super) kind: &'static str,
    pub(super) latency: Summary,
    pub(super) server_cpu_each: Option<f64>,
}

/// One call from the first stage to the last.
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
    fn between(first: &Row, last: &Row) -> Self {
        let p50_times = last.latency.p50 as f64 / first.latency.p50.max(1) as f64;
        let server = last.server_cpu_each.zip(first.server_cpu_each).filter(|(_, first)| *first > 0.0);
        let server_times = server.map(|(last, first)| last / first);
        Self {
            what: last.what,
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

pub(super) fn rows(notes: u64, gauge: Gauge) -> Vec<Row> {
    let row = |(call, tally): (crate::growth::call::Call, crate::growth::gauge::Tally)| {
        let latency = tally.latencies.summary();
        let each = |used: std::time::Duration| used.as_secs_f64() * 1e6 / latency.count.max(1) as f64;
        Row { notes, what: call.name(), kind: call.kind(), latency, server_cpu_each: tally.server.map(each) }
    };
    gauge.tallies.into_iter().map(row).collect()
}

pub(super) fn show(rows: &[Row], report: &Report) {
    report.say(&CALLS.head());
    for row in rows {
        report.say(&CALLS.row(&[
            format!("{:31}", row.what),
            row.latency.count.to_string(),
            row.latency.p50.to_string(),
            row.latency.p99.to_string(),
            cell(row.server_cpu_each, 0),
        ]));
    }
}

/// Says of each call how the last stage compares with the first.
pub(super) fn compared(first: &[Row], last: &[Row], report: &mut Report) {
    let pairs = last.iter().filter_map(|last| Some((first.iter().find(|first| first.what == last.what)?, last)));
    let growths: Vec<_> = pairs.map(|(first, last)| Growth::between(first, last)).collect();
    let notes = |rows: &[Row]| rows.first().map_or(0, |row| row.notes);
    let (from, to) = (notes(first), notes(last));
    report.say(&format!("\nFrom {from} to {to} notes:"));
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

    fn row(micros: u64, server_cpu_each: Option<f64>) -> Row {
        let mut latencies = Latencies::new();
        latencies.record(Duration::from_micros(micros));
        Row { notes: 1, what: "a call", kind: "calls", latency: latencies.summary(), server_cpu_each }
    }

    #[test]
    fn growth_is_more_than_a_quarter_of_either_time() {
        let grown = |first: (u64, Option<f64>), last: (u64, Option<f64>)| {
            Growth::between(&row(first.0, first.1), &row(last.0, last.1)).has_grown
        };
        assert!(!grown((100, Some(50.0)), (125, Some(62.0))));
        assert!(grown((100, Some(50.0)), (126, Some(50.0))));
        assert!(grown((100, Some(50.0)), (100, Some(63.0))));
        assert!(!grown((100, None), (90, Some(63.0))), "what isn't known hasn't grown");
    }

    #[test]
    fn what_grew_is_named() {
        let growth = |micros| Growth::between(&row(100, None), &row(micros, None));
        assert_eq!(sentence(&[growth(100)]), "No call's p50 or processor time grew by more than 25 %.");
        assert_eq!(sentence(&[growth(100), growth(200)]), "Grew by more than 25 %: a call.");
    }
}
