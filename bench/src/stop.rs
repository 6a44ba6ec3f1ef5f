//! Ctrl-C, and being told to end: what was measured so far is still shown.

use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

use crate::trouble::Trouble;

/// Whether somebody wants the run to end.
#[derive(Clone)]
pub(crate) struct Stop(watch::Receiver<bool>);

impl Stop {
    /// Listens for the signals from here on.
    pub(crate) fn listen() -> Result<Self, Trouble> {
        let heard =
            |kind| signal(kind).map_err(|error| Trouble::because(format!("signals can't be received: {error}")));
        let (mut interrupt, mut terminate) = (heard(SignalKind::interrupt())?, heard(SignalKind::terminate())?);
        let (tell, told) = watch::channel(false);
        tokio::spawn(async move {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
            let _ = tell.send(true);
            // Dropping the sender would look like a run nobody can stop.
            tell.closed().await;
        });
        Ok(Self(told))
    }

    /// Resolves when the run is to end.
    pub(crate) async fn asked(&self) {
        if self.0.clone().wait_for(|asked| *asked).await.is_err() {
            std::future::pending::<()>().await;
        }
    }

    /// Whether the run is to end.
    pub(crate) fn is_asked(&self) -> bool {
        *self.0.borrow()
    }

    /// Does something, unless the run is to end before it is done.
    pub(crate) async fn or<T>(&self, work: impl Future<Output = Result<T, Trouble>>) -> Result<T, Trouble> {
        tokio::select! {
            done = work => done,
            () = self.asked() => Err(Trouble::Interrupted),
        }
    }
}
