//! A line on the terminal that shows the progress of a run.

use std::io::{IsTerminal, Write, stdout};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use rustix::termios::tcgetwinsize;
use tokio::time::sleep;

use crate::load::clock;

/// The bar's width.
const BAR: usize = 10;
const TO_THE_LEFT: &str = "\r";
/// Empties the rest of the screen, and not only of the row: a terminal that was made narrower has
/// folded the line.
const EMPTY_FROM_HERE: &str = "\x1b[J";
/// The width of a terminal that does not tell its width.
const WIDTH: usize = 80;
/// The time between two updates.
const LOOK: Duration = Duration::from_millis(250);

/// There is only one line. A second caller, while it is in use, gets none.
static IS_TAKEN: AtomicBool = AtomicBool::new(false);
/// Whether the line is visible now. Another thread may print something, too.
static IS_DRAWN: AtomicBool = AtomicBool::new(false);

/// Removes the line, if it is visible, before other output.
pub(crate) fn make_room() {
    if IS_DRAWN.swap(false, Relaxed) {
        let mut out = stdout().lock();
        let _ = write!(out, "{TO_THE_LEFT}{EMPTY_FROM_HERE}");
        let _ = out.flush();
    }
}

/// Does some work, and shows meanwhile how much of it is done. Shows nothing if the output is a
/// file or a pipe, where the table is enough.
pub(crate) async fn watched<T>(work: impl Future<Output = T>, progress: impl Fn() -> (f64, String)) -> T {
    let is_able = std::env::var_os("TERM").is_some_and(|term| !term.is_empty() && term != "dumb");
    if !is_able || !stdout().is_terminal() || IS_TAKEN.swap(true, Relaxed) {
        return work.await;
    }
    let begun = clock::now();
    let drawing = async {
        loop {
            sleep(LOOK).await;
            let (share, words) = progress();
            draw(&format!("{} {:3.0} s  {words}", bar(share), begun.elapsed().as_secs_f64()));
        }
    };
    let done = tokio::select! {
        done = work => done,
        never = drawing => never,
    };
    make_room();
    IS_TAKEN.store(false, Relaxed);
    done
}

fn draw(line: &str) {
    let size = tcgetwinsize(stdout()).ok().filter(|size| size.ws_col > 0);
    let columns = size.map_or(WIDTH, |size| usize::from(size.ws_col));
    IS_DRAWN.store(true, Relaxed);
    let mut out = stdout().lock();
    // The cursor goes back to the left, because a terminal prints Ctrl-C as `^C` at the cursor:
    // behind a full line that would be on the next row.
    let _ = write!(out, "{TO_THE_LEFT}{}{EMPTY_FROM_HERE}{TO_THE_LEFT}", cut(line, columns));
    let _ = out.flush();
}

/// The whole parts of a line that fit: half a number would be another number, and text on the next
/// row would stay there. The last column stays empty, because some terminals wrap there.
fn cut(line: &str, columns: usize) -> &str {
    let room = columns.saturating_sub(1);
    let is_gap = |at: &usize| line[*at..].starts_with(", ") || line[*at..].starts_with("  ");
    let ends = line.match_indices([',', ' ']).map(|(at, _)| at).filter(is_gap);
    let parts = ends.map(|end| &line[..end]).chain([line]);
    parts.take_while(|part| part.chars().count() <= room).last().unwrap_or_default().trim_end()
}

fn bar(share: f64) -> String {
    let full = (share.clamp(0.0, 1.0) * BAR as f64) as usize;
    format!("{}{}", "█".repeat(full), "░".repeat(BAR - full))
}
