//! Latencies, in a histogram with a high dynamic range, so that even the slowest of a million is
//! kept.

use std::time::Duration;

use hdrhistogram::Histogram;
use serde::Serialize;

/// Durations, to three digits, from a microsecond up.
pub(crate) struct Latencies(Histogram<u64>);

/// The reported figures of many latencies, in microseconds.
#[derive(Debug, Default, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Summary {
    pub(crate) count: u64,
    pub(crate) p10: u64,
    pub(crate) p50: u64,
    pub(crate) p90: u64,
    pub(crate) p99: u64,
    #[serde(rename = "p99.9")]
    pub(crate) p99_9: u64,
    pub(crate) max: u64,
}

/// A longer latency is recorded as an hour.
const LONGEST_MICROS: u64 = 3_600_000_000;

/// What was done and what failed in one second.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Tick {
    #[serde(flatten)]
    pub(crate) latency: Summary,
    pub(crate) failed: u64,
}

impl Default for Latencies {
    #[expect(clippy::expect_used, reason = "only more than 5 digits, or bounds in the wrong order, are refused")]
    fn default() -> Self {
        Self(Histogram::new_with_bounds(1, LONGEST_MICROS, 3).expect("constant bounds"))
    }
}

impl Latencies {
    pub(crate) fn record(&mut self, took: Duration) {
        let micros = u64::try_from(took.as_nanos().div_ceil(1000)).unwrap_or(LONGEST_MICROS);
        self.0.saturating_record(micros.max(1));
    }

    pub(crate) fn summary(&self) -> Summary {
        let (count, max, at) = (self.0.len(), self.0.max(), |quantile| self.0.value_at_quantile(quantile));
        Summary { count, p10: at(0.1), p50: at(0.5), p90: at(0.9), p99: at(0.99), p99_9: at(0.999), max }
    }
}

impl Summary {
    /// A line with the most important figures, to show while a run goes on.
    pub(crate) fn line(&self) -> String {
        let Self { p50, p99, max, p99_9, .. } = *self;
        let [p50, p99, max, p99_9] = [p50, p99, max, p99_9].map(millis);
        format!("p50 {p50} p99 {p99} max {max} ms, p99.9 {p99_9} ms")
    }
}

fn millis(micros: u64) -> String {
    digits(micros as f64 / 1000.0)
}

/// A number with as many digits as are meaningful.
pub(crate) fn digits(number: f64) -> String {
    match number.abs() {
        0.0..10.0 => format!("{number:.2}"),
        10.0..100.0 => format!("{number:.1}"),
        _ => format!("{number:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_too_short_or_too_long_to_be_counted() {
        let mut latencies = Latencies::default();
        latencies.record(Duration::ZERO);
        latencies.record(Duration::MAX);
        let summary = latencies.summary();
        assert_eq!((summary.count, summary.p50), (2, 1));
        assert!(summary.max >= LONGEST_MICROS);
        assert_eq!([50, 9_990, 12_345, 1_234_000].map(millis), ["0.05", "9.99", "12.3", "1234"]);
    }
}
