//! Shows how far long work is: on a terminal a line that is written anew, in a log a line
//! now and then. Both are on the standard error, since the standard output may be data.

use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use annon_store::{Progress, Step, Unit};

const ON_A_TERMINAL: Duration = Duration::from_millis(200);
const IN_A_LOG: Duration = Duration::from_secs(10);
/// Goes to the beginning of the terminal's line, and clears it.
const AFRESH: &str = "\r\x1b[K";

/// Does the work, and shows meanwhile how far it is.
pub(super) fn shown<T>(work: impl FnOnce(&Progress) -> T) -> T {
    let progress = Progress::default();
    let (end, ended) = channel::<()>();
    thread::scope(|scope| {
        scope.spawn(|| show(&progress, ended));
        let done = work(&progress);
        drop(end);
        done
    })
}

fn show(progress: &Progress, ended: Receiver<()>) {
    let mut out = io::stderr();
    let is_terminal = out.is_terminal();
    let every = if is_terminal { ON_A_TERMINAL } else { IN_A_LOG };
    // What can't be shown is no reason to stop the work.
    while ended.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
        let Some(line) = progress.now().map(line) else { continue };
        let _ = if is_terminal { write!(out, "{AFRESH}{line}") } else { writeln!(out, "annon: {line}") };
        let _ = out.flush();
    }
    if is_terminal {
        let _ = write!(out, "{AFRESH}");
    }
}

/// What is done of what, how fast, and how long the rest takes.
fn line(step: Step) -> String {
    let Step { what, unit, done, of, since } = step;
    let millis = u64::try_from(since.as_millis()).unwrap_or(u64::MAX).max(1);
    let per_second = done.saturating_mul(1000) / millis;
    // An estimate may be too low.
    let of = of.filter(|&of| of >= done);
    let whole = of.map_or(String::new(), |of| format!(" of {}", amount(of, unit)));
    let left = of.filter(|_| per_second > 0).map(|of| (of - done) / per_second);
    let left = left.filter(|&left| left > 0).map_or(String::new(), |left| format!(", {} left", time(left)));
    format!("{what}: {}{whole}, {} a second{left}", amount(done, unit), amount(per_second, unit))
}

fn amount(count: u64, unit: Unit) -> String {
    match (unit, count) {
        (Unit::Records, 1) => "1 record".to_owned(),
        (Unit::Records, _) => format!("{count} records"),
        (Unit::Bytes, 0..1_000_000) => format!("{} kB", count / 1000),
        (Unit::Bytes, 1_000_000..1_000_000_000) => format!("{}.{} MB", count / 1_000_000, count / 100_000 % 10),
        (Unit::Bytes, _) => format!("{}.{} GB", count / 1_000_000_000, count / 100_000_000 % 10),
    }
}

fn time(seconds: u64) -> String {
    match seconds {
        0..90 => format!("{seconds} s"),
        90..5400 => format!("{} min", seconds.div_ceil(60)),
        _ => format!("{} h", seconds.div_ceil(3600)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_is_done_of_what_and_how_long_the_rest_takes() {
        let says = |unit, done, of, seconds| {
            line(Step { what: "restoring", unit, done, of, since: Duration::from_secs(seconds) })
        };
        assert_eq!(
            says(Unit::Bytes, 1_250_000_000, Some(3_000_000_000), 50),
            "restoring: 1.2 GB of 3.0 GB, 25.0 MB a second, 70 s left"
        );
        assert_eq!(
            says(Unit::Records, 500, Some(1_000_000), 10),
            "restoring: 500 records of 1000000 records, 50 records a second, 6 h left"
        );
        assert_eq!(says(Unit::Records, 1, None, 1), "restoring: 1 record, 1 record a second");
        // An estimate that was too low, and a step that has only begun.
        assert_eq!(says(Unit::Bytes, 20_000, Some(10_000), 2), "restoring: 20 kB, 10 kB a second");
        assert_eq!(says(Unit::Bytes, 0, Some(10_000), 0), "restoring: 0 kB of 10 kB, 0 kB a second");
    }
}
