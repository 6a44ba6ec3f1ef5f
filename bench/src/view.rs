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
const TO_THE_LEFT: &str = "\r";
/// To the end of the screen, and not of the row: a terminal that was made
/// narrower has folded the line.
const EMPTY_FROM_HERE: &str = "\x1b[J";
/// Of a terminal that doesn't say how wide it is.
const WIDTH: usize = 80;
/// Between two looks at how it goes.
const LOOK: Duration = Duration::from_millis(500);

/// There is one line: who comes second while it is in use has none.
static IS_TAKEN: AtomicBool = AtomicBool::new(false);
/// Whether it can be seen just now.
static IS_DRAWN: AtomicBool = AtomicBool::new(false);

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
        let line = line(self.begun.elapsed(), self.length);
        let line = cut(&line, columns);
        IS_DRAWN.store(true, Relaxed);
        let mut out = stdout().lock();
        // Back to the left, because a terminal shows Ctrl-C as `^C` where the
        // cursor is: behind a full line that would be on the next row.
        let _ = write!(out, "{TO_THE_LEFT}{line}{EMPTY_FROM_HERE}{TO_THE_LEFT}");
        let _ = out.flush();
    }
}

/// Takes the line away, if there is one, for what is said next.
pub(crate) fn make_room() {
    if IS_DRAWN.swap(false, Relaxed) {
        let mut out = stdout().lock();
        let _ = write!(out, "{TO_THE_LEFT}{EMPTY_FROM_HERE}");
        let _ = out.flush();
    }
}

impl Drop for View {
    fn drop(&mut self) {
        if self.is_on {
            make_room();
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

/// As many whole parts of a line as fit: half a number would be another one,
/// and what goes on to the next row would stay there. The last column is left
/// free, because some terminals go on from there, too.
fn cut(line: &str, columns: usize) -> &str {
    let room = columns.saturating_sub(1);
    let ends = line.match_indices([',', ' ']).map(|(at, _)| at).filter(|at| is_gap(&line[*at..]));
    let parts = ends.map(|end| &line[..end]).chain([line]);
    parts.take_while(|part| part.chars().count() <= room).last().unwrap_or_default().trim_end()
}

/// Whether a part of a line ends here.
fn is_gap(rest: &str) -> bool {
    rest.starts_with(", ") || rest.starts_with("  ")
}

fn bar(share: f64) -> String {
    let full = (share.clamp(0.0, 1.0) * BAR as f64) as usize;
    format!("{}{}", "█".repeat(full), "░".repeat(BAR - full))
}

fn line(elapsed: Duration, length: Duration, tick: Option<&Tick>) -> String {
    let bar = bar(elapsed.as_secs_f64() / length.as_secs_f64().max(0.001));
    let now = match tick {
        None => "warming up".to_owned(),
        Some(tick) => {
            let said = match (tick.sends, tick.deliveries) {
                (0, 0) => "nothing is said".to_owned(),
                // The most important comes first: the rest may be cut off.
                (sends, deliveries) => {
                    format!("{sends} sends/s, {}, {deliveries} deliveries/s", tick.latency.line())
                }
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
        let told = "errors 1, 20 sends/s, p50 3.00 p99 3.00 max 3.00 ms, p99.9 3.00 ms, 200 deliveries/s";
        assert_eq!(shown, format!("█████░░░░░   5 s  {told}"));
        assert!(cut(&shown, 80).ends_with("max 3.00 ms"), "{shown}");
        assert!(line(Duration::from_secs(99), Duration::from_secs(10), None).ends_with("99 s  warming up"));
        let quiet = Tick { sends: 0, deliveries: 0, errors: 0, latency: Latencies::new().summary() };
        assert!(line(Duration::ZERO, Duration::from_secs(1), Some(&quiet)).ends_with("errors 0, nothing is said"));
    }

    #[test]
    fn a_line_never_reaches_the_last_column_and_ends_with_a_whole_part() {
        let line = "███░   5 s  errors 12, 345/s";
        let shown = [80, 29, 28, 22, 21, 12, 10, 5, 4, 0].map(|columns| cut(line, columns));
        let (all, some) = (line, "███░   5 s  errors 12");
        assert_eq!(shown, [all, all, some, some, "███░   5 s", "███░   5 s", "███░", "███░", "", ""]);
    }
}
