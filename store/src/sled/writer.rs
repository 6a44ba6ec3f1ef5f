//! The one thread that writes. Calls that arrive while it is busy are its
//! next group: run one after the other, committed as one batch with one
//! sync, and only then answered.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, PoisonError, RwLock};
use std::thread;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot, watch};

use crate::clock::Stopwatch;
use crate::disk_space::DiskSpace;
use crate::error::{Result, StoreError};
use crate::gauges::Gauges;
use crate::keyring::{KeyFile, Keyring, Owner};
use crate::seal::{KeyId, SealKey};
use crate::sled::mark::{Mark, Told};
use crate::sled::unit::{Pending, Unit};
use crate::sled::{Changes, Disk, Reader, Table, key};

/// Calls that may wait for the writer before callers themselves wait.
const QUEUE: usize = 4096;
/// Most calls in one group: what one sync may keep waiting.
const GROUP: usize = 1024;

/// Whether a call makes the store grow. A nearly full disk refuses those.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    /// It adds something.
    Grows,
    /// It removes or replaces something.
    Shrinks,
}

/// How the writer is set up.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pace {
    /// The least time between two syncs under load. When idle, none.
    pub(crate) pause: Duration,
}

type Answer = Box<dyn FnOnce(Result<()>) + Send>;
/// What a call does with its unit, or with the reason why it gets none;
/// whether that is to be kept, and how the caller hears of it.
type Work = Box<dyn FnOnce(Result<&mut Unit<'_>>) -> (bool, Answer) + Send>;
/// Every committed change since a moment, in order.
pub(crate) type Tap = std::sync::mpsc::Receiver<Arc<Changes>>;

enum Order {
    Work(Effect, Work),
    /// Begin to copy every commit to somebody.
    OpenTap(oneshot::Sender<Tap>),
    /// Stop copying, and tell the keys that belong to the state reached.
    CloseTap(oneshot::Sender<Vec<u8>>),
    /// Finish what came before, and end.
    Stop,
}

/// Handle of the writer; readers use it to wait for the disk.
#[derive(Clone)]
pub(crate) struct Writer {
    orders: mpsc::Sender<Order>,
    state: watch::Receiver<State>,
}

/// Where the writer has got to.
#[derive(Default)]
struct State {
    /// The group that readers may see already and that is not on disk yet.
    /// After a failure it stays here: nobody can tell what became of it.
    in_flight: Option<(u64, Arc<Changes>)>,
    /// The last group that is on disk.
    durable: u64,
    failed: bool,
}

impl Writer {
    /// Starts the thread. It ends when every handle is gone.
    pub(crate) fn start(
        disk: Disk,
        key_file: KeyFile,
        keyring: Arc<RwLock<Keyring>>,
        mark: Mark,
        pace: Pace,
        space: Arc<DiskSpace>,
        gauges: Arc<Gauges>,
    ) -> std::io::Result<(Self, thread::JoinHandle<()>)> {
        let (orders, queue) = mpsc::channel(QUEUE);
        let (tell, state) = watch::channel(State::default());
        let group = disk.commits().map_err(std::io::Error::other)?;
        let reader = disk.reader();
        let mut desk = Desk { reader, disk, key_file, keyring, mark, pace, space, gauges, tell, tap: None, group };
        let thread = thread::Builder::new().name("store-writer".into()).spawn(move || {
            if catch_unwind(AssertUnwindSafe(|| desk.run(queue))).is_err() {
                desk.fail("the writer panicked");
            }
        })?;
        Ok((Self { orders, state }, thread))
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
        self.orders.send(Order::Work(effect, work)).await.map_err(|_| StoreError::Unavailable)?;
        answer.await.map_err(|_| StoreError::Unavailable)?
    }

    /// Waits until what a read has just seen is on disk. `saw` tells whether
    /// any of these changes can be among it; a read that saw none of the
    /// group that is being written waits for nobody.
    pub(crate) async fn settled(&self, saw: impl Fn(&Changes) -> bool) -> Result<()> {
        let group = match &self.state.borrow().in_flight {
            Some((group, changes)) if saw(changes) => *group,
            _ => return Ok(()),
        };
        let mut state = self.state.clone();
        match state.wait_for(|state| state.failed || state.durable >= group).await {
            Ok(state) if state.durable >= group => Ok(()),
            _ => Err(StoreError::Unavailable),
        }
    }

    /// Resolves when writing has failed for good.
    pub(crate) async fn failed(&self) {
        let mut state = self.state.clone();
        if state.wait_for(|state| state.failed).await.is_err() {
            // Shut down in the ordinary way: nothing failed.
            std::future::pending::<()>().await;
        }
    }

    /// Ends the thread when it has done what was asked before.
    pub(crate) async fn stop(&self) {
        let _ = self.orders.send(Order::Stop).await;
    }

    /// Whether writing still works.
    pub(crate) fn is_healthy(&self) -> bool {
        !self.state.borrow().failed
    }

    pub(crate) fn open_tap(&self) -> Result<Tap> {
        let (reply, answer) = oneshot::channel();
        self.orders.blocking_send(Order::OpenTap(reply)).map_err(|_| StoreError::Unavailable)?;
        answer.blocking_recv().map_err(|_| StoreError::Unavailable)
    }

    pub(crate) fn close_tap(&self) -> Result<Vec<u8>> {
        let (reply, answer) = oneshot::channel();
        self.orders.blocking_send(Order::CloseTap(reply)).map_err(|_| StoreError::Unavailable)?;
        answer.blocking_recv().map_err(|_| StoreError::Unavailable)
    }
}

/// What the thread owns.
struct Desk {
    disk: Disk,
    reader: Reader,
    key_file: KeyFile,
    keyring: Arc<RwLock<Keyring>>,
    mark: Mark,
    pace: Pace,
    space: Arc<DiskSpace>,
    gauges: Arc<Gauges>,
    tell: watch::Sender<State>,
    tap: Option<std::sync::mpsc::Sender<Arc<Changes>>>,
    /// Commits since the folder was made.
    group: u64,
}

impl Desk {
    fn run(&mut self, mut queue: mpsc::Receiver<Order>) {
        let mut orders = Vec::with_capacity(GROUP);
        let mut last_sync: Option<Stopwatch> = None;
        while queue.blocking_recv_many(&mut orders, GROUP) > 0 {
            if let Some(rest) = last_sync.as_ref().and_then(|at| self.pace.pause.checked_sub(at.elapsed())) {
                thread::sleep(rest);
                while orders.len() < GROUP {
                    let Ok(order) = queue.try_recv() else { break };
                    orders.push(order);
                }
            }
            if self.serve(orders.drain(..)).is_break() {
                return;
            }
            last_sync = Some(Stopwatch::start());
        }
    }

    /// Runs a group, commits it and answers everybody.
    fn serve(&mut self, orders: impl Iterator<Item = Order>) -> ControlFlow<()> {
        let mut pending = Pending::default();
        let mut answers: Vec<Answer> = Vec::new();
        let mut others = Vec::new();
        for order in orders {
            match order {
                Order::Work(effect, work) => self.run_one(effect, work, &mut pending, &mut answers),
                other => others.push(other),
            }
        }
        let outcome = self.commit(pending, answers.len());
        for answer in answers {
            answer(outcome);
        }
        others.into_iter().try_for_each(|order| self.obey(order))
    }

    fn run_one(&self, effect: Effect, work: Work, pending: &mut Pending, answers: &mut Vec<Answer>) {
        let keyring = self.keyring.read().unwrap_or_else(PoisonError::into_inner);
        let mut unit = Unit::new(&self.reader, &keyring, pending);
        let refused = if self.tell.borrow().failed {
            Some(StoreError::Unavailable)
        } else if effect == Effect::Grows && self.space.refuses_writes() {
            Some(StoreError::DiskFull)
        } else {
            None
        };
        let given = refused.map_or(Ok(&mut unit), Err);
        // A call that panics answers nobody (its caller sees Unavailable)
        // and leaves nothing: what it gathered is dropped.
        let Ok((keep, answer)) = catch_unwind(AssertUnwindSafe(|| work(given))) else {
            tracing::error!("a unit of work panicked; nothing of it was written");
            return;
        };
        if keep {
            let own = unit.into_pending();
            drop(keyring);
            pending.absorb(own);
        }
        // A refusal waits as well: it may rest on what the group has added.
        answers.push(answer);
    }

    fn commit(&mut self, pending: Pending, calls: usize) -> Result<()> {
        if self.tell.borrow().failed {
            return Err(StoreError::Unavailable);
        }
        if pending.changes.is_empty() && pending.born.is_empty() && pending.dying.is_empty() {
            return Ok(());
        }
        let begun = Stopwatch::start();
        self.group += 1;
        let mut changes = pending.changes;
        // Opening compares this with the mark: see `sled/mark.rs`.
        changes.insert(key(Table::Commits, &[]), Some(self.group.to_be_bytes().to_vec()));
        let changes = Arc::new(changes);
        let written = catch_unwind(AssertUnwindSafe(|| self.write(&changes, pending.born, &pending.dying)));
        let failure = match written {
            Ok(Ok(())) => None,
            Ok(Err(error)) => Some(error),
            Err(_) => Some("the database panicked".to_owned()),
        };
        if let Some(error) = failure {
            self.fail(&error);
            return Err(StoreError::Unavailable);
        }
        self.mark.put(Told { commits: self.group, key_slots: self.key_file.slots() });
        self.tell.send_modify(|state| {
            state.in_flight = None;
            state.durable = self.group;
        });
        self.gauges.committed(calls, begun.elapsed());
        if let Some(tap) = &self.tap
            && tap.send(changes).is_err()
        {
            self.tap = None;
        }
        Ok(())
    }

    /// New keys first, then the records sealed with them; dead keys last,
    /// when nothing on disk needs them any more.
    fn write(&mut self, changes: &Arc<Changes>, born: Vec<(Owner, SealKey)>, dying: &[KeyId]) -> Result<(), String> {
        if !born.is_empty() {
            self.key_file.add(&born).map_err(|error| error.to_string())?;
            let mut ring = self.keyring.write().unwrap_or_else(PoisonError::into_inner);
            born.into_iter().for_each(|(owner, key)| ring.hold(owner, key));
        }
        self.tell.send_modify(|state| state.in_flight = Some((self.group, changes.clone())));
        self.disk.commit(changes).map_err(|error| error.to_string())?;
        if !dying.is_empty() {
            let mut ring = self.keyring.write().unwrap_or_else(PoisonError::into_inner);
            dying.iter().for_each(|&id| ring.forget(id));
            drop(ring);
            self.key_file.destroy(dying).map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    /// After one failed write nobody can tell what is on disk, and a second
    /// sync would claim success: stop, and start afresh.
    fn fail(&self, error: &str) {
        tracing::error!(error, "writing failed; no further write is accepted");
        self.tell.send_modify(|state| state.failed = true);
    }

    fn obey(&mut self, order: Order) -> ControlFlow<()> {
        match order {
            Order::OpenTap(reply) => {
                let (tap, receiver) = std::sync::mpsc::channel();
                self.tap = reply.send(receiver).is_ok().then_some(tap);
            }
            Order::CloseTap(reply) => {
                self.tap = None;
                let keyring = self.keyring.read().unwrap_or_else(PoisonError::into_inner);
                let _ = reply.send(keyring.copy());
            }
            Order::Work(..) => {}
            Order::Stop => return ControlFlow::Break(()),
        }
        ControlFlow::Continue(())
    }
}
