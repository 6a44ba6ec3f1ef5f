//! A line on the terminal that shows how a run goes.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use crate::clock;
use crate::engine::live::Tick;
use crate::latency::millis;

/// Cells of the bar.
const BAR: usize = 20;
const TO_THE_LEFT_AND_EMPTY: &str = "\r\x1b[K";

/// Nothing where nobody looks: in a file or a pipe the table is enough.
pub(crate) struct View {
    begun: Instant,
    length: Duration,
    is_on: bool,
}

impl View {
    pub(crate) fn new(length: Duration) -> Self {
        Self { begun: clock::now(), length, is_on: std::io::stdout().is_terminal() }
    }

    /// Draws it anew.
    pub(crate) fn show(&mut self, ticks: &[Tick]) {
        self.draw(&line(self.begun.elapsed(), self.length, ticks.last()));
    }

    /// Draws how much is done of something that has no set length.
    pub(crate) fn show_share(&mut self, share: f64, words: &str) {
        self.draw(&format!("{} {words}", bar(share)));
    }

    fn draw(&mut self, line: &str) {
        if !self.is_on {
            return;
        }
        let mut out = std::io::stdout().lock();
        let _ = write!(out, "{TO_THE_LEFT_AND_EMPTY}{line}");
        let _ = out.flush();
    }

    /// Makes room for what comes next.
    pub(crate) fn clear(&mut self) {
        if std::mem::take(&mut self.is_on) {
            let _ = write!(std::io::stdout().lock(), "{TO_THE_LEFT_AND_EMPTY}");
        }
    }
}

fn bar(share: f64) -> String {
    let full = (share.clamp(0.0, 1.0) * BAR as f64) as usize;
    format!("{}{}", "█".repeat(full), "░".repeat(BAR - full))
}

fn line(elapsed: Duration, length: Duration, tick: Option<&Tick>) -> String {
    let bar = bar(elapsed.as_secs_f64() / length.as_secs_f64().max(0.001));
    let now = tick.map_or_else(
        || "warming up".to_owned(),
        |tick| {
            let latency = &tick.latency;
            let times = [latency.p50, latency.p99, latency.p99_9, latency.max].map(millis);
            let [p50, p99, p99_9, max] = times;
            format!(
                "{} sends/s, {} deliveries/s, p50 {p50} p99 {p99} p99.9 {p99_9} max {max} ms",
                tick.sends, tick.deliveries
            )
        },
    );
    format!("{bar} {:3.0} s  {now}", elapsed.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::latency::Latencies;

    #[test]
    fn the_line_tells_how_far_and_how_fast() {
        let mut latencies = Latencies::new();
        latencies.record(Duration::from_millis(3));
        let tick = Tick { sends: 20, deliveries: 200, latency: latencies.summary() };
        let shown = line(Duration::from_secs(5), Duration::from_secs(10), Some(&tick));
        assert!(shown.starts_with("██████████░░░░░░░░░░   5 s  20 sends/s, 200 deliveries/s, p50 3.0"), "{shown}");
        assert!(line(Duration::from_secs(99), Duration::from_secs(10), None).ends_with("99 s  warming up"));
    }
}
