//! A line on the terminal that shows how a run goes.

use std::io::{IsTerminal, Write, stdout};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use rustix::termios::tcgetwinsize;
use tokio::time::sleep;

use crate::clock;
use crate::engine::live::Tick;

/// Cells of the bar.
const BAR: usize = 10;
const TO_THE_LEFT_AND_EMPTY: &str = "\r\x1b[K";
/// Of a terminal that doesn't say how wide it is.
const WIDTH: usize = 80;
/// Between two looks at how it goes.
const LOOK: Duration = Duration::from_millis(500);

/// There is one line: who comes second while it is in use has none.
static IS_TAKEN: AtomicBool = AtomicBool::new(false);

/// Nothing where nobody looks: in a file or a pipe the table is enough.
pub(crate) struct View {
    begun: Instant,
    length: Duration,
    is_on: bool,
}

impl View {
    pub(crate) fn new(length: Duration) -> Self {
        let is_on = can_draw() && !IS_TAKEN.swap(true, Relaxed);
        Self { begun: clock::now(), length, is_on }
    }

    /// Draws it anew.
    pub(crate) fn show(&mut self, ticks: &[Tick]) {
        self.draw(|elapsed, length| line(elapsed, length, ticks.last()));
    }

    /// Draws how much is done of something that has no set length.
    pub(crate) fn show_share(&mut self, share: f64, words: &str) {
        self.draw(|elapsed, _| format!("{} {:3.0} s  {words}", bar(share), elapsed.as_secs_f64()));
    }

    fn draw(&self, line: impl FnOnce(Duration, Duration) -> String) {
        if !self.is_on {
            return;
        }
        let columns = tcgetwinsize(stdout()).map_or(0, |size| usize::from(size.ws_col));
        let columns = if columns == 0 { WIDTH } else { columns };
        let line = cut(&line(self.begun.elapsed(), self.length), columns);
        let mut out = stdout().lock();
        let _ = write!(out, "{TO_THE_LEFT_AND_EMPTY}{line}");
        let _ = out.flush();
    }

    /// Makes room for what comes next.
    pub(crate) fn clear(&self) {
        if self.is_on {
            let mut out = stdout().lock();
            let _ = write!(out, "{TO_THE_LEFT_AND_EMPTY}");
            let _ = out.flush();
        }
    }
}

impl Drop for View {
    fn drop(&mut self) {
        self.clear();
        if self.is_on {
            IS_TAKEN.store(false, Relaxed);
        }
    }
}

/// Does something, and shows meanwhile how much of it is done.
pub(crate) async fn watched<T>(work: impl Future<Output = T>, told: impl Fn() -> (f64, String)) -> T {
    let mut view = View::new(Duration::ZERO);
    tokio::select! {
        done = work => done,
        never = async {
            loop {
                sleep(LOOK).await;
                if view.is_on {
                    let (share, words) = told();
                    view.show_share(share, &words);
                }
            }
        } => never,
    }
}

fn can_draw() -> bool {
    let is_able = std::env::var_os("TERM").is_some_and(|term| !term.is_empty() && term != "dumb");
    is_able && stdout().is_terminal()
}

/// A line that is not longer: what goes on to the next row stays there. The
/// last column is left free, because some terminals go on from there, too.
fn cut(line: &str, columns: usize) -> String {
    line.chars().take(columns.saturating_sub(1)).collect()
}

fn bar(share: f64) -> String {
    let full = (share.clamp(0.0, 1.0) * BAR as f64) as usize;
    format!("{}{}", "█".repeat(full), "░".repeat(BAR - full))
}

fn line(elapsed: Duration, length: Duration, tick: Option<&Tick>) -> String {
    let bar = bar(elapsed.as_secs_f64() / length.as_secs_f64().max(0.001));
    let now = match tick {
        None => "warming up".to_owned(),
        // The most important comes first: the rest may be cut off.
        Some(tick) => {
            let latency = &tick.latency;
            let times = [latency.p50, latency.p99, latency.p99_9, latency.max].map(|micros| latency.shown(micros));
            let [p50, p99, p99_9, max] = times;
            let said = match (tick.sends, tick.deliveries) {
                (0, 0) => "nothing is said".to_owned(),
                (sends, deliveries) => format!(
                    "{sends} sends/s, {deliveries} deliveries/s, p50 {p50} p99 {p99} p99.9 {p99_9} max {max} ms"
                ),
            };
            format!("errors {}, {said}", tick.errors)
        }
    };
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
        let tick = Tick { sends: 20, deliveries: 200, errors: 1, latency: latencies.summary() };
        let shown = line(Duration::from_secs(5), Duration::from_secs(10), Some(&tick));
        assert!(shown.starts_with("█████░░░░░   5 s  errors 1, 20 sends/s, 200 deliveries/s, p50 3.0"), "{shown}");
        assert!(line(Duration::from_secs(99), Duration::from_secs(10), None).ends_with("99 s  warming up"));
        let quiet = Tick { sends: 0, deliveries: 0, errors: 0, latency: Latencies::new().summary() };
        assert!(line(Duration::ZERO, Duration::from_secs(1), Some(&quiet)).ends_with("errors 0, nothing is said"));
    }

    #[test]
    fn a_line_never_reaches_the_last_column() {
        assert_eq!(cut("█████ words", 8), "█████ w");
        assert_eq!(cut("words", 80), "words");
    }
}
