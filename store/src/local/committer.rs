//! The committer, the one thread that writes. Calls that arrive while it is busy
//! become the next commit: they run one after the other, their changes go to the
//! commit log with one sync, and only then can be read and are acknowledged.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use parking_lot::{Mutex, RwLock};
use tokio::sync::{mpsc, oneshot, watch};
use zeroize::Zeroizing;

use crate::engine::Commits;
use crate::error::{Result, StoreError};
use crate::folder::DataFolder;
use crate::folder::ballast::Ballast;
use crate::folder::space::DiskSpace;
use crate::local::commit_log::CommitLog;
use crate::local::index::Index;
use crate::local::recent::Recent;
use crate::local::room_records::RoomRecords;
use crate::local::transaction::Transaction;
use crate::rows::Effect;
use crate::seals::keyring::{KeyFile, Keyring};

mod commit_loop;
#[cfg(test)]
pub(crate) mod tests;
mod watchdog;
use commit_loop::CommitLoop;

/// The most calls in one commit, which all wait for one sync.
const CALLS_MAX: usize = 1024;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Pace {
    /// The least time between two syncs under load.
    pub(crate) pause: Duration,
    /// How long a commit may take. After that the disk counts as failed.
    pub(crate) patience: Duration,
}

/// What the committer's thread owns or shares. It alone writes to the commit log, the
/// index and the file of keys.
pub(crate) struct Parts {
    pub(crate) commit_log: CommitLog,
    pub(crate) index: Index,
    pub(crate) rooms: RoomRecords,
    pub(crate) recent: Recent,
    pub(crate) key_file: KeyFile,
    pub(crate) keyring: Arc<RwLock<Keyring>>,
    /// It stays locked until the thread has ended.
    pub(crate) folder: Arc<DataFolder>,
    pub(crate) space: Arc<DiskSpace>,
    pub(crate) ballast: Ballast,
    pub(crate) commits: Arc<Mutex<Commits>>,
}

type Answer = Box<dyn FnOnce(Result<()>) + Send>;
/// A call's work. It gets a transaction, or the error with which the call is
/// refused. It returns whether its changes are kept, and the function that answers
/// the caller.
type Work = Box<dyn FnOnce(Result<&mut Transaction<'_>>) -> (bool, Answer) + Send>;

/// A moment between two commits.
pub(crate) struct Moment {
    /// The last commit.
    pub(crate) commit: u64,
    /// All keys there were then, as their file has them.
    pub(crate) keys: Zeroizing<Vec<u8>>,
}

enum Order {
    Work(Effect, Work),
    /// Answer the last commit and the keys.
    Moment(oneshot::Sender<Moment>),
    /// The index is on disk up to commit `index`, and nobody needs the commits up
    /// to `unneeded` in the commit log.
    Synced {
        index: u64,
        unneeded: u64,
    },
    /// End when all earlier orders are done.
    Stop,
}

/// The handle by which calls reach the committer's thread.
#[derive(Clone)]
pub(crate) struct Committer {
    /// It has no limit: a caller that waits takes as much memory as an order.
    orders: mpsc::UnboundedSender<Order>,
    failure: watch::Receiver<bool>,
}

/// Set when a write has failed. If the committer's thread ends without setting
/// it, the channel closes, and the handles notice that.
#[derive(Clone)]
pub(crate) struct FailureFlag(Arc<watch::Sender<bool>>);

impl FailureFlag {
    fn is_raised(&self) -> bool {
        *self.0.borrow()
    }

    /// A function that sets the flag. It does not keep the channel open.
    pub(crate) fn raise_later(&self) -> impl FnOnce(&str) + Send + use<> {
        let flag = Arc::downgrade(&self.0);
        move |error| {
            if let Some(flag) = flag.upgrade() {
                FailureFlag(flag).raise(error);
            }
        }
    }

    /// After a failed write nobody knows what is on disk, and a second sync may
    /// report success all the same. So nothing more is written until a restart.
    fn raise(&self, error: &str) {
        tracing::error!(
            error,
            "writing failed; no further write is accepted. What was acknowledged is kept: start the server again. If \
             this comes again, see what the kernel says of the disk (dmesg), copy the folder to another disk, and \
             start there"
        );
        self.0.send_replace(true);
    }
}

impl Committer {
    /// Starts the thread. It ends when every handle is dropped.
    pub(crate) fn start(parts: Parts, pace: Pace) -> std::io::Result<(Self, FailureFlag)> {
        let (orders, queue) = mpsc::unbounded_channel();
        let (flag, failure) = watch::channel(false);
        let flag = FailureFlag(Arc::new(flag));
        let commits = CommitLoop::new(parts, pace.patience, flag.clone())?;
        thread::Builder::new().name("store-committer".into()).spawn(move || commits.work(queue, pace.pause))?;
        Ok((Self { orders, failure }, flag))
    }

    /// Runs a call, and waits until its changes are on disk. If the work returns
    /// an error, nothing is changed. The work is done even if the caller does not
    /// wait any more.
    pub(crate) async fn write<T, E, W>(&self, effect: Effect, work: W) -> Result<T, E>
    where
        W: FnOnce(&mut Transaction<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        self.order(effect, false, work, |_| {}).await
    }

    /// Like [`Committer::write`]. When the changes are on disk, and before the
    /// caller is answered, the thread calls `then`: for one call after the other,
    /// in the order of their changes.
    pub(crate) async fn write_then<T, E, W>(
        &self,
        effect: Effect,
        work: W,
        then: impl FnOnce(&mut T) + Send + 'static,
    ) -> Result<T, E>
    where
        W: FnOnce(&mut Transaction<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        self.order(effect, false, work, then).await
    }

    /// Like [`Committer::write`], but the call is queued before this returns, and
    /// the work is not done if the future is dropped before.
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
        self.order(effect, true, work, |_| {})
    }

    fn order<T, E, W, F>(
        &self,
        effect: Effect,
        is_dropped_with_caller: bool,
        work: W,
        then: F,
    ) -> impl Future<Output = Result<T, E>> + Send + use<T, E, W, F>
    where
        W: FnOnce(&mut Transaction<'_>) -> Result<T, E> + Send + 'static,
        F: FnOnce(&mut T) + Send + 'static,
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
                let mut answer = committed.map_err(E::from).and(outcome);
                if let Ok(done) = &mut answer {
                    then(done);
                }
                // The caller may not wait any more. Its changes stay.
                let _ = reply.send(answer);
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
                // The committer's thread may hang in a call to the disk.
                () = failed => Err(StoreError::Unavailable.into()),
            }
        }
    }

    /// The last commit and the keys. Blocks its thread.
    pub(crate) fn moment(&self) -> Result<Moment> {
        let (reply, answer) = oneshot::channel();
        self.orders.send(Order::Moment(reply)).map_err(|_| StoreError::Unavailable)?;
        answer.blocking_recv().map_err(|_| StoreError::Unavailable)
    }

    /// Tells that the index is on disk up to commit `index`, and that nobody needs
    /// the commits up to `unneeded` in the commit log: so some of its files may go.
    pub(crate) fn retire_commit_log(&self, index: u64, unneeded: u64) {
        // It may have ended.
        let _ = self.orders.send(Order::Synced { index, unneeded });
    }

    /// Resolves when a write has failed.
    pub(crate) async fn failed(&self) {
        until_failed(self.failure.clone()).await;
    }

    /// Ends the thread when it has done all earlier orders, and waits for that.
    /// `Unavailable` when a write has failed: then the thread may hang.
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

    pub(crate) fn is_healthy(&self) -> bool {
        !*self.failure.borrow()
    }
}

async fn until_failed(mut failure: watch::Receiver<bool>) {
    if failure.wait_for(|failed| *failed).await.is_err() {
        // The thread has ended, and no write has failed.
        std::future::pending::<()>().await;
    }
}
