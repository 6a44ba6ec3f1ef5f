//! The writer. Calls that arrive while its thread is busy become the next
//! group: they run one after the other, are committed to the journal with one
//! sync, and only then can be read and are answered.

use std::sync::{Arc, RwLock};
use std::thread;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot, watch};
use zeroize::Zeroizing;

use crate::error::{Result, StoreError};
use crate::folder::DataFolder;
use crate::folder::ballast::Ballast;
use crate::folder::space::DiskSpace;
use crate::gauges::Gauges;
use crate::seals::keyring::{KeyFile, Keyring};
use crate::sled::journal::Journal;
use crate::sled::mark::Mark;
use crate::sled::unit::Unit;
use crate::sled::{Changes, Disk};

mod desk;
mod keeper;
#[cfg(test)]
mod tests;
mod watchdog;
use desk::Desk;

/// Most calls in one group: what one sync may keep waiting.
const GROUP: usize = 1024;

/// What a call does to the store, and so what a full disk refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    /// The work adds data. A nearly full disk refuses that.
    Grows,
    /// The work replaces data. A full disk refuses that.
    Replaces,
    /// Somebody wants something gone. There is room kept for that.
    Shrinks,
}

/// How the writer is set up.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pace {
    /// The least time between two syncs under load. When idle, none.
    pub(crate) pause: Duration,
    /// How long a commit may take. A disk that needs longer is as good as
    /// gone, and a restart of the process is the better answer.
    pub(crate) patience: Duration,
}

/// The files only the writer writes.
pub(crate) struct Files {
    pub(crate) disk: Disk,
    pub(crate) journal: Journal,
    pub(crate) key_file: KeyFile,
    pub(crate) mark: Mark,
    /// Nobody else gets the folder while the last orders are carried out.
    pub(crate) _folder: Arc<DataFolder>,
}

/// What others use as well.
pub(crate) struct Shared {
    pub(crate) keyring: Arc<RwLock<Keyring>>,
    pub(crate) space: Arc<DiskSpace>,
    pub(crate) ballast: Ballast,
    pub(crate) gauges: Arc<Gauges>,
}

type Answer = Box<dyn FnOnce(Result<()>) + Send>;
/// What a call does with its unit, or with the reason why it gets none;
/// whether that is to be kept, and how the caller hears of it.
type Work = Box<dyn FnOnce(Result<&mut Unit<'_>>) -> (bool, Answer) + Send>;
/// Every committed change since a moment, in order.
pub(crate) type Tap = std::sync::mpsc::Receiver<Changes>;

enum Order {
    Work(Effect, Work),
    /// Begin to copy every commit to somebody.
    OpenTap(oneshot::Sender<Tap>),
    /// Stop copying, and tell the keys that belong to the state reached.
    CloseTap(oneshot::Sender<Zeroizing<Vec<u8>>>),
    /// Overwrite what the journal holds of something that was removed, as
    /// soon as the database has it.
    WipeJournal,
    /// Finish what came before, and end.
    Stop,
}

/// Makes an order of a unit of work, and a place where its outcome comes to.
fn package<T, E>(
    work: impl FnOnce(&mut Unit<'_>) -> Result<T, E> + Send + 'static,
) -> (Work, oneshot::Receiver<Result<T, E>>)
where
    T: Send + 'static,
    E: From<StoreError> + Send + 'static,
{
    let (reply, answer) = oneshot::channel();
    let work: Work = Box::new(move |unit| {
        let outcome = unit.map_err(E::from).and_then(work);
        let keep = outcome.is_ok();
        let tell = move |committed: Result<()>| {
            // The caller may have gone away; what is written stays.
            let _ = reply.send(committed.map_err(E::from).and(outcome));
        };
        (keep, Box::new(tell) as Answer)
    });
    (work, answer)
}

/// Handle of the writer.
#[derive(Clone)]
pub(crate) struct Writer {
    /// Without a bound: whoever waited for a place in it would hold as much.
    orders: mpsc::UnboundedSender<Order>,
    failure: watch::Receiver<bool>,
}

/// How the others hear of a failure. That the writer has ended they hear by
/// this going away.
#[derive(Clone)]
struct Tell(Arc<watch::Sender<bool>>);

impl Tell {
    fn has_failed(&self) -> bool {
        *self.0.borrow()
    }

    /// After one failed write nobody can tell what is on disk, and a second
    /// sync would claim success: stop, and start afresh.
    fn fail(&self, error: &str) {
        tracing::error!(error, "writing failed; no further write is accepted");
        self.0.send_replace(true);
    }
}

impl Writer {
    /// Starts the thread. It ends when every handle is gone.
    pub(crate) fn start(files: Files, shared: Shared, pace: Pace) -> std::io::Result<Self> {
        let (orders, queue) = mpsc::unbounded_channel();
        let (tell, failure) = watch::channel(false);
        let desk = Desk::new(files, shared, pace.patience, Tell(Arc::new(tell)))?;
        thread::Builder::new().name("store-writer".into()).spawn(move || desk.work(queue, pace.pause))?;
        Ok(Self { orders, failure })
    }

    /// Runs a unit of work and waits until it is on disk. An error from the
    /// work itself leaves nothing behind.
    pub(crate) async fn write<T, E>(
        &self,
        effect: Effect,
        work: impl FnOnce(&mut Unit<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        self.ask(effect, work).await
    }

    /// Like [`Writer::write`], and the work has its turn before this returns.
    pub(crate) fn ask<T, E, W>(
        &self,
        effect: Effect,
        work: W,
    ) -> impl Future<Output = Result<T, E>> + Send + use<T, E, W>
    where
        W: FnOnce(&mut Unit<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let (work, answer) = package(work);
        let sent = self.orders.send(Order::Work(effect, work)).is_ok();
        let failed = until_failed(self.failure.clone());
        async move {
            if !sent {
                return Err(StoreError::Unavailable.into());
            }
            tokio::select! {
                biased;
                answer = answer => answer.map_err(|_| StoreError::Unavailable)?,
                // The writer may be lost in the database.
                () = failed => Err(StoreError::Unavailable.into()),
            }
        }
    }

    /// Has what is deleted overwritten in the journal, too. One file is done
    /// at a time, so it takes two calls that nothing is removed before.
    pub(crate) async fn wipe_journal(&self) -> Result<()> {
        self.orders.send(Order::WipeJournal).map_err(|_| StoreError::Unavailable)
    }

    /// Resolves when writing has failed for good.
    pub(crate) async fn failed(&self) {
        until_failed(self.failure.clone()).await;
    }

    /// Ends the thread when it has done what was asked before, and waits for
    /// that. `Unavailable` when writing has failed: then it may never end.
    pub(crate) async fn stop(&self) -> Result<()> {
        let mut failure = self.failure.clone();
        let ended = async {
            let _ = self.orders.send(Order::Stop);
            while failure.changed().await.is_ok() {}
        };
        tokio::select! {
            biased;
            () = self.failed() => Err(StoreError::Unavailable),
            () = ended => Ok(()),
        }
    }

    /// Whether writing still works.
    pub(crate) fn is_healthy(&self) -> bool {
        !*self.failure.borrow()
    }

    pub(crate) fn open_tap(&self) -> Result<Tap> {
        let (reply, answer) = oneshot::channel();
        self.orders.send(Order::OpenTap(reply)).map_err(|_| StoreError::Unavailable)?;
        answer.blocking_recv().map_err(|_| StoreError::Unavailable)
    }

    pub(crate) fn close_tap(&self) -> Result<Zeroizing<Vec<u8>>> {
        let (reply, answer) = oneshot::channel();
        self.orders.send(Order::CloseTap(reply)).map_err(|_| StoreError::Unavailable)?;
        answer.blocking_recv().map_err(|_| StoreError::Unavailable)
    }
}

async fn until_failed(mut failure: watch::Receiver<bool>) {
    if failure.wait_for(|failed| *failed).await.is_err() {
        // Shut down in the ordinary way: nothing failed.
        std::future::pending::<()>().await;
    }
}
