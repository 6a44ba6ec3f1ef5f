//! A line on the terminal that shows how a run goes.

use std::io::{IsTerminal, Write, stdout};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use rustix::termios::tcgetwinsize;
use tokio::time::sleep;

use crate::load::clock;

/// Cells of the bar.
const BAR: usize = 10;
const TO_THE_LEFT: &str = "\r";
/// To the end of the screen, and not of the row: a terminal that was made
/// narrower has folded the line.
const EMPTY_FROM_HERE: &str = "\x1b[J";
/// Of a terminal that doesn't say how wide it is.
const WIDTH: usize = 80;
/// Between two looks at how it goes.
const LOOK: Duration = Duration::from_millis(250);

/// There is only one line. A second caller, while it is in use, gets none.
static IS_TAKEN: AtomicBool = AtomicBool::new(false);
/// Whether it can be seen just now. Somebody on another thread may say
/// something, too.
static IS_DRAWN: AtomicBool = AtomicBool::new(false);

/// Takes the line away, if there is one, for what is said next.
pub(crate) fn make_room() {
    if IS_DRAWN.swap(false, Relaxed) {
        let mut out = stdout().lock();
        let _ = write!(out, "{TO_THE_LEFT}{EMPTY_FROM_HERE}");
        let _ = out.flush();
    }
}

/// Does something, and shows meanwhile how much of it is done. Shows nothing if
/// the output is a file or a pipe, where the table is enough.
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
    // Back to the left, because a terminal shows Ctrl-C as `^C` where the
    // cursor is: behind a full line that would be on the next row.
    let _ = write!(out, "{TO_THE_LEFT}{}{EMPTY_FROM_HERE}{TO_THE_LEFT}", cut(line, columns));
    let _ = out.flush();
}

/// As many whole parts of a line as fit: half a number would be another one,
/// and what goes on to the next row would stay there. The last column is left
/// free, because some terminals go on from there, too.
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
