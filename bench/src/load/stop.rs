//! Signals that end a run early (Ctrl-C, SIGTERM, a closed terminal). The results so far are still
//! printed; a second signal ends the run without them.

use std::cell::Cell;
use std::fs;
use std::time::Duration;

use futures_util::future::select_all;
use futures_util::{StreamExt, TryStreamExt, stream};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;
use tokio::time::sleep;

use crate::load::clock;
use crate::report::print_remark;
use crate::report::view::watched;
use crate::trouble::{Because, Fallible, Trouble};

/// Two signals within this time count as one: `timeout` sends one to the program and another to its
/// group, and nobody presses Ctrl-C twice so fast.
const ONCE: Duration = Duration::from_millis(100);
/// How long the last answers may take after a run was ended early.
const LAST_ANSWERS: Duration = Duration::from_secs(2);

/// How often a signal has asked the run to end: never, once or twice.
pub(crate) struct Stop(watch::Receiver<u8>);

impl Stop {
    /// Listens for the signals from here on.
    pub(crate) fn listen() -> Fallible<Self> {
        let mut kinds = vec![SignalKind::interrupt(), SignalKind::terminate()];
        // `nohup` starts a program that is to outlive its terminal.
        if !ignores_hangup(&fs::read_to_string("/proc/self/status").unwrap_or_default()) {
            kinds.push(SignalKind::hangup());
        }
        let signals: Result<Vec<_>, _> = kinds.into_iter().map(signal).collect();
        let mut signals = signals.because("signals can't be received")?;
        let (asks, asked) = watch::channel(0);
        tokio::spawn(async move {
            one_of(&mut signals).await;
            let _ = asks.send(1);
            let first = clock::now();
            while first.elapsed() < ONCE {
                one_of(&mut signals).await;
            }
            let _ = asks.send(2);
            // If the sender were dropped, it would look like another signal.
            asks.closed().await;
        });
        Ok(Self(asked))
    }

    /// Resolves when the run must end.
    pub(crate) async fn asked(&self) {
        self.asked_times(1).await;
    }

    /// Resolves when `times` signals have come. After the second the run must end immediately.
    pub(crate) async fn asked_times(&self, times: u8) {
        // An error would mean that there is no sender, but the task above keeps it.
        let _ = self.0.clone().wait_for(|asked| *asked >= times).await;
    }

    /// Returns an error if the run must end.
    pub(crate) fn check(&self) -> Fallible {
        if *self.0.borrow() > 0 { Err(Trouble::Interrupted) } else { Ok(()) }
    }

    /// Does some work, unless the run must end before the work is done.
    pub(crate) async fn or<T>(&self, work: impl Future<Output = Fallible<T>>) -> Fallible<T> {
        tokio::select! {
            done = work => done,
            () = self.asked() => Err(Trouble::Interrupted),
        }
    }

    /// Does the work before the measuring, several pieces at a time, and shows how much is done. If
    /// the run must end, it waits for the pieces that have begun, because the server finishes them
    /// anyway, and says how many were done.
    pub(crate) async fn each<T, F: Future<Output = Fallible<T>>>(
        &self,
        what: &str,
        count: usize,
        at_once: usize,
        work: impl Fn(usize) -> F,
    ) -> Fallible<Vec<T>> {
        let (done, work) = (&Cell::new(0), &work);
        let works = (0..count).map(|n| async move {
            self.check()?;
            let result = work(n).await?;
            done.set(done.get() + 1);
            Ok(result)
        });
        let working = async {
            tokio::select! {
                results = stream::iter(works).buffered(at_once).try_collect() => results,
                () = async { self.asked().await; sleep(LAST_ANSWERS).await } => Err(Trouble::Interrupted),
            }
        };
        let progress = || format!("{} of {count} {what}", done.get());
        let ended = watched(working, || (done.get() as f64 / count as f64, progress())).await;
        if let Err(Trouble::Interrupted) = ended {
            print_remark(&format!("Unfinished: {}.", progress()));
        }
        ended
    }
}

async fn one_of(signals: &mut [Signal]) {
    select_all(signals.iter_mut().map(|signal| Box::pin(signal.recv()))).await;
}

/// The kernel shows a bit for each ignored signal. The first bit is signal 1, the hangup.
fn ignores_hangup(status: &str) -> bool {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_ignored_is_read_from_the_kernel() {
        assert!(ignores_hangup("Name:\tx\nSigIgn:\t0000000000001001\n"));
        assert!(!ignores_hangup("SigIgn:\t0000000000001000\n") && !ignores_hangup(""));
    }
}
