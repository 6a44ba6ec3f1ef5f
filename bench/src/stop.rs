//! Ctrl-C, being told to end, and a terminal that is closed: what was measured so far is still shown.
//! Who asks a second time does not want to wait for that.

use std::time::Duration;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;

use crate::clock;
use crate::trouble::Trouble;

/// `timeout`, for one, tells a program and then its whole group; nobody
/// presses Ctrl-C twice as fast.
const ONCE: Duration = Duration::from_millis(100);

/// Whether somebody wants the run to end.
#[derive(Clone)]
pub(crate) struct Stop(watch::Receiver<Asked>);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd)]
enum Asked {
    Not,
    Once,
    Again,
}

impl Stop {
    /// Listens for the signals from here on.
    pub(crate) fn listen() -> Result<Self, Trouble> {
        let heard =
            |kind| signal(kind).map_err(|error| Trouble::because(format!("signals can't be received: {error}")));
        let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
        let [interrupt, terminate, hangup] = kinds.map(heard);
        let mut signals = [interrupt?, terminate?, hangup?];
        let (tell, told) = watch::channel(Asked::Not);
        tokio::spawn(async move {
            one_of(&mut signals).await;
            let _ = tell.send(Asked::Once);
            let first = clock::now();
            while first.elapsed() < ONCE {
                one_of(&mut signals).await;
            }
            let _ = tell.send(Asked::Again);
            // Dropping the sender would look like a run nobody can stop.
            tell.closed().await;
        });
        Ok(Self(told))
    }

    /// Resolves when the run is to end.
    pub(crate) async fn asked(&self) {
        self.reaches(Asked::Once).await;
    }

    /// Resolves when it is to end at once.
    pub(crate) async fn asked_again(&self) {
        self.reaches(Asked::Again).await;
    }

    async fn reaches(&self, wanted: Asked) {
        if self.0.clone().wait_for(|asked| *asked >= wanted).await.is_err() {
            std::future::pending::<()>().await;
        }
    }

    /// Whether the run is to end.
    pub(crate) fn is_asked(&self) -> bool {
        *self.0.borrow() >= Asked::Once
    }

    /// Does something, unless the run is to end before it is done.
    pub(crate) async fn or<T>(&self, work: impl Future<Output = Result<T, Trouble>>) -> Result<T, Trouble> {
        tokio::select! {
            done = work => done,
            () = self.asked() => Err(Trouble::Interrupted),
        }
    }
}

async fn one_of([first, second, third]: &mut [Signal; 3]) {
    tokio::select! {
        _ = first.recv() => {}
        _ = second.recv() => {}
        _ = third.recv() => {}
    }
}
