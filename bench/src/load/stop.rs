//! Ctrl-C, being told to end, and a terminal that is closed: what was
//! measured so far is still shown. Who asks a second time does not want to
//! wait for that.

use std::fs;
use std::time::Duration;

use futures_util::future::select_all;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;

use crate::load::clock;
use crate::trouble::Trouble;

/// `timeout`, for one, tells a program and then its whole group; nobody
/// presses Ctrl-C twice as fast.
const ONCE: Duration = Duration::from_millis(100);

/// How often somebody has asked for the run to end: not, once or twice.
#[derive(Clone)]
pub(crate) struct Stop(watch::Receiver<u8>);

impl Stop {
    /// Listens for the signals from here on.
    pub(crate) fn listen() -> Result<Self, Trouble> {
        let heard =
            |kind| signal(kind).map_err(|error| Trouble::because(format!("signals can't be received: {error}")));
        let mut signals = vec![heard(SignalKind::interrupt())?, heard(SignalKind::terminate())?];
        // `nohup` starts a program so that it outlives its terminal.
        if !ignores_hangup(&fs::read_to_string("/proc/self/status").unwrap_or_default()) {
            signals.push(heard(SignalKind::hangup())?);
        }
        let (tell, told) = watch::channel(0);
        tokio::spawn(async move {
            one_of(&mut signals).await;
            let _ = tell.send(1);
            let first = clock::now();
            while first.elapsed() < ONCE {
                one_of(&mut signals).await;
            }
            let _ = tell.send(2);
            // Dropping the sender would look like a run nobody can stop.
            tell.closed().await;
        });
        Ok(Self(told))
    }

    /// Resolves when the run is to end.
    pub(crate) async fn asked(&self) {
        self.asked_times(1).await;
    }

    /// Resolves when it is to end at once.
    pub(crate) async fn asked_again(&self) {
        self.asked_times(2).await;
    }

    async fn asked_times(&self, times: u8) {
        if self.0.clone().wait_for(|asked| *asked >= times).await.is_err() {
            std::future::pending::<()>().await;
        }
    }

    /// An error if the run is to end.
    pub(crate) fn check(&self) -> Result<(), Trouble> {
        if *self.0.borrow() > 0 { Err(Trouble::Interrupted) } else { Ok(()) }
    }

    /// Does something, unless the run is to end before it is done.
    pub(crate) async fn or<T>(&self, work: impl Future<Output = Result<T, Trouble>>) -> Result<T, Trouble> {
        tokio::select! {
            done = work => done,
            () = self.asked() => Err(Trouble::Interrupted),
        }
    }
}

async fn one_of(signals: &mut [Signal]) {
    select_all(signals.iter_mut().map(|signal| Box::pin(signal.recv()))).await;
}

/// The kernel shows a bit for each signal that is ignored, the first for
/// number 1, which is the hangup.
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
