//! The committer. Calls that arrive while its thread is busy become the next
//! group: they run one after the other, are put on the tape with one sync, and
//! only then can be read and are answered.

use std::sync::{Arc, RwLock};
use std::thread;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot, watch};
use zeroize::Zeroizing;

use crate::error::{Result, StoreError};
use crate::folder::DataFolder;
use crate::folder::ballast::Ballast;
use crate::folder::space::DiskSpace;
use crate::local::gauges::Gauges;
use crate::local::index::Index;
use crate::local::room_records::Rooms;
use crate::local::tape::Tape;
use crate::local::transaction::Transaction;
use crate::seals::keyring::{KeyFile, Keyring};

mod group;
#[cfg(test)]
pub(crate) mod tests;
mod watchdog;
use group::Groups;

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

/// How the committer is set up.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pace {
    /// The least time between two syncs under load. When idle, none.
    pub(crate) pause: Duration,
    /// How long a commit may take. A disk that needs longer is as good as
    /// gone, and a restart of the process is the better answer.
    pub(crate) patience: Duration,
}

/// What the committer works with. It alone writes the tape, the index and the
/// file of keys.
pub(crate) struct Parts {
    pub(crate) tape: Tape,
    pub(crate) index: Index,
    pub(crate) rooms: Rooms,
    pub(crate) key_file: KeyFile,
    pub(crate) keyring: Arc<RwLock<Keyring>>,
    /// The folder stays locked until the last order is done.
    pub(crate) folder: Arc<DataFolder>,
    pub(crate) space: Arc<DiskSpace>,
    pub(crate) ballast: Ballast,
    pub(crate) gauges: Arc<Gauges>,
}

type Answer = Box<dyn FnOnce(Result<()>) + Send>;
/// A call's work. It gets a transaction, or the reason why there is none, and
/// returns whether its changes are kept and how the caller is answered.
type Work = Box<dyn FnOnce(Result<&mut Transaction<'_>>) -> (bool, Answer) + Send>;

/// A moment between two groups.
pub(crate) struct Moment {
    /// The last group.
    pub(crate) group: u64,
    /// All keys there were then, in the form of their file.
    pub(crate) keys: Zeroizing<Vec<u8>>,
}

enum Order {
    Work(Effect, Work),
    /// Answer what there is now.
    Moment(oneshot::Sender<Moment>),
    /// The index is on disk up to a group; and what came before another is
    /// needed by nobody any more.
    Synced {
        index: u64,
        unneeded: u64,
    },
    /// Finish what came before, and end.
    Stop,
}

/// Handle of the committer.
#[derive(Clone)]
pub(crate) struct Committer {
    /// Unbounded: a caller that waited for a free place would hold as much
    /// memory.
    orders: mpsc::UnboundedSender<Order>,
    failure: watch::Receiver<bool>,
}

/// Raised when writing has failed for good. When the committer ends it drops
/// the last flag, and the others see that.
#[derive(Clone)]
pub(crate) struct FailureFlag(Arc<watch::Sender<bool>>);

impl FailureFlag {
    fn is_raised(&self) -> bool {
        *self.0.borrow()
    }

    /// To raise it later, without keeping anybody waiting for the end.
    pub(crate) fn raise_later(&self) -> impl FnOnce(&str) + Send + use<> {
        let flag = Arc::downgrade(&self.0);
        move |error| flag.upgrade().map(FailureFlag).iter().for_each(|flag| flag.raise(error))
    }

    /// After one failed write nobody can tell what is on disk, and a second
    /// sync would claim success: stop, and start afresh.
    fn raise(&self, error: &str) {
        tracing::error!(error, "writing failed; no further write is accepted");
        self.0.send_replace(true);
    }
}

impl Committer {
    /// Starts the thread. It ends when every handle is gone.
    pub(crate) fn start(parts: Parts, pace: Pace) -> std::io::Result<(Self, FailureFlag)> {
        let (orders, queue) = mpsc::unbounded_channel();
        let (flag, failure) = watch::channel(false);
        let flag = FailureFlag(Arc::new(flag));
        let groups = Groups::new(parts, pace.patience, flag.clone())?;
        thread::Builder::new().name("store-committer".into()).spawn(move || groups.work(queue, pace.pause))?;
        Ok((Self { orders, failure }, flag))
    }

    /// Runs a call and waits until it is on disk. An error from the work
    /// itself leaves nothing behind. The work is done even if the caller goes.
    pub(crate) async fn write<T, E, W>(&self, effect: Effect, work: W) -> Result<T, E>
    where
        W: FnOnce(&mut Transaction<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        self.order(effect, false, work).await
    }

    /// Like [`Committer::write`], but the order is placed before this returns,
    /// and work whose caller has gone before its turn is not done.
    pub(crate) fn ask<T, E, W>(
        &self,
        effect: Effect,
        work: W,
    ) -> impl Future<Output = Result<T, E>> + Send + use<T, E, W>
    where
        W: FnOnce(&mut Transaction<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        self.order(effect, true, work)
    }

    fn order<T, E, W>(
        &self,
        effect: Effect,
        is_dropped_with_caller: bool,
        work: W,
    ) -> impl Future<Output = Result<T, E>> + Send + use<T, E, W>
    where
        W: FnOnce(&mut Transaction<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let work: Work = Box::new(move |transaction| {
            let is_dropped = is_dropped_with_caller && reply.is_closed();
            let transaction = if is_dropped { Err(StoreError::Unavailable) } else { transaction };
            let outcome = transaction.map_err(E::from).and_then(work);
            let keep = outcome.is_ok();
            let answer_caller = move |committed: Result<()>| {
                // The caller may have gone away; what is written stays.
                let _ = reply.send(committed.map_err(E::from).and(outcome));
            };
            (keep, Box::new(answer_caller) as Answer)
        });
        let sent = self.orders.send(Order::Work(effect, work)).is_ok();
        let failed = until_failed(self.failure.clone());
        async move {
            if !sent {
                return Err(StoreError::Unavailable.into());
            }
            tokio::select! {
                biased;
                answer = answer => answer.map_err(|_| StoreError::Unavailable)?,
                // The committer may hang in a call to the disk.
                () = failed => Err(StoreError::Unavailable.into()),
            }
        }
    }

    /// What there is now. Blocks.
    pub(crate) fn moment(&self) -> Result<Moment> {
        let (reply, answer) = oneshot::channel();
        self.orders.send(Order::Moment(reply)).map_err(|_| StoreError::Unavailable)?;
        answer.blocking_recv().map_err(|_| StoreError::Unavailable)
    }

    /// The index is on disk up to a group; and what came before another is
    /// needed by nobody any more.
    pub(crate) fn is_synced(&self, index: u64, unneeded: u64) {
        // If it has ended, nobody needs to know.
        let _ = self.orders.send(Order::Synced { index, unneeded });
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
}

async fn until_failed(mut failure: watch::Receiver<bool>) {
    if failure.wait_for(|failed| *failed).await.is_err() {
        // Shut down in the ordinary way: nothing failed.
        std::future::pending::<()>().await;
    }
}
