//! How long things took: counted in a high dynamic range histogram, so that
//! the slowest in a million is still there.

use std::time::Duration;

use hdrhistogram::Histogram;
use serde::Serialize;

/// Durations, to three digits, from a microsecond up.
pub(crate) struct Latencies(Histogram<u64>);

/// What is told of them, in microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Summary {
    pub(crate) count: u64,
    pub(crate) mean: f64,
    pub(crate) p10: u64,
    pub(crate) p50: u64,
    pub(crate) p90: u64,
    pub(crate) p99: u64,
    #[serde(rename = "p99.9")]
    pub(crate) p99_9: u64,
    pub(crate) max: u64,
}

/// Nothing here waits longer: an hour is recorded as one.
const LONGEST_MICROS: u64 = 3_600_000_000;
const DIGITS: u8 = 3;

impl Latencies {
    #[expect(clippy::expect_used, reason = "only more than 5 digits, or bounds in the wrong order, are refused")]
    pub(crate) fn new() -> Self {
        Self(Histogram::new_with_bounds(1, LONGEST_MICROS, DIGITS).expect("constant bounds"))
    }

    pub(crate) fn record(&mut self, took: Duration) {
        let micros = u64::try_from(took.as_nanos().div_ceil(1000)).unwrap_or(LONGEST_MICROS);
        self.0.saturating_record(micros.max(1));
    }

    /// Counts those of another as well.
    pub(crate) fn add(&mut self, other: &Self) {
        // Only other bounds could be refused.
        let _ = self.0.add(&other.0);
    }

    pub(crate) fn summary(&self) -> Summary {
        Summary {
            count: self.0.len(),
            mean: self.0.mean(),
            p10: self.0.value_at_quantile(0.1),
            p50: self.0.value_at_quantile(0.5),
            p90: self.0.value_at_quantile(0.9),
            p99: self.0.value_at_quantile(0.99),
            p99_9: self.0.value_at_quantile(0.999),
            max: self.0.max(),
        }
    }
}

impl Summary {
    /// One of its values in milliseconds, or a dash: of nothing there is none.
    pub(crate) fn shown(&self, micros: u64) -> String {
        if self.count == 0 { "–".to_owned() } else { millis(micros) }
    }

    /// The value in a column, by its title.
    pub(crate) fn of(&self, title: &str) -> u64 {
        let is = |word| title.split(' ').any(|part| part == word);
        let values = [("p50", self.p50), ("p90", self.p90), ("p99", self.p99), ("p99.9", self.p99_9)];
        values.into_iter().find(|(word, _)| is(*word)).map_or(self.max, |(_, value)| value)
    }

    /// What of it matters while a run goes on, the most important first.
    pub(crate) fn line(&self) -> String {
        let times = [self.p50, self.p99, self.max, self.p99_9].map(|micros| self.shown(micros));
        let [p50, p99, max, p99_9] = times;
        format!("p50 {p50} p99 {p99} max {max} ms, p99.9 {p99_9} ms")
    }
}

/// What went out later than this makes the latencies doubtful.
const LATE_MICROS: u64 = 1000;

/// A line about how late this program itself was, if that matters.
pub(crate) fn careful(own_lateness: &Summary, what: &str) -> Option<String> {
    let late = millis(own_lateness.p99);
    (own_lateness.p99 > LATE_MICROS)
        .then(|| format!("Careful: 1 in 100 {what} went out {late} ms late or later, by this program's own doing."))
}

/// Microseconds as milliseconds, in as many digits as mean something.
pub(crate) fn millis(micros: u64) -> String {
    let millis = micros as f64 / 1000.0;
    match micros {
        0..10_000 => format!("{millis:.2}"),
        10_000..100_000 => format!("{millis:.1}"),
        _ => format!("{millis:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_those_of_what_was_recorded() {
        let mut latencies = Latencies::new();
        for micros in 1..=10_000 {
            latencies.record(Duration::from_micros(micros));
        }
        let summary = latencies.summary();
        let is_near = |value: u64, wanted: u64| value.abs_diff(wanted) * 1000 <= wanted;
        assert_eq!(summary.count, 10_000);
        assert!(is_near(summary.p50, 5_000), "{summary:?}");
        assert!(is_near(summary.p90, 9_000), "{summary:?}");
        assert!(is_near(summary.p99, 9_900), "{summary:?}");
        assert!(is_near(summary.p99_9, 9_990), "{summary:?}");
        assert!(is_near(summary.max, 10_000), "{summary:?}");
        assert!((summary.mean - 5_000.5).abs() < 5.0, "{summary:?}");
    }

    #[test]
    fn nothing_is_too_short_or_too_long_to_be_counted() {
        let mut latencies = Latencies::new();
        latencies.record(Duration::ZERO);
        latencies.record(Duration::MAX);
        let summary = latencies.summary();
        assert_eq!((summary.count, summary.p50), (2, 1));
        assert!(summary.max >= LONGEST_MICROS);
        let nothing = Latencies::new().summary();
        assert_eq!((nothing.count, nothing.shown(nothing.p50).as_str()), (0, "–"));
        assert_eq!([50, 9_990, 12_345, 1_234_000].map(millis), ["0.05", "9.99", "12.3", "1234"]);
    }
}
