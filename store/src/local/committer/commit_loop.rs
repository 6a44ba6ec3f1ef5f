//! The committer's thread: what it does with a commit of calls.

use std::io::{self, ErrorKind};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;
use std::time::Duration;

use tokio::sync::mpsc;

use super::watchdog::Watched;
use super::{Answer, CALLS_MAX, FailureFlag, Moment, Order, Parts, Work};
use crate::clock::{self, Stopwatch};
use crate::engine::Commits;
use crate::error::{Result, StoreError};
use crate::local::commit_log::{Change, CommitError};
use crate::local::index_state::IndexState;
use crate::local::index_sum::IndexSum;
use crate::local::transaction::{Pending, Transaction};
use crate::rows::Effect;
use crate::seals::KeyId;
use crate::table::{Changes, Table, key};

/// If the last commits had more calls than this on average, the thread waits for
/// more calls before a commit. A caller that is alone never waits.
const COMPANY: f64 = 1.05;

/// What the thread owns.
pub(super) struct CommitLoop {
    parts: Parts,
    failure: FailureFlag,
    watched: Watched,
}

impl CommitLoop {
    pub(super) fn new(parts: Parts, patience: Duration, failure: FailureFlag) -> io::Result<Self> {
        // The watchdog may end later than this thread. It does not keep the channel
        // open, so nobody waits for it.
        let raise = failure.raise_later();
        let watched = Watched::start(patience, move || raise("the disk does not answer"))?;
        Ok(Self { parts, failure, watched })
    }

    /// Serves until every handle is dropped, or `Stop` comes.
    pub(super) fn work(mut self, queue: mpsc::UnboundedReceiver<Order>, pause: Duration) {
        if catch_unwind(AssertUnwindSafe(|| self.run(queue, pause))).is_err() {
            self.failure.raise("the committer panicked");
        }
        self.end();
    }

    fn run(&mut self, mut queue: mpsc::UnboundedReceiver<Order>, pause: Duration) {
        let mut orders = Vec::with_capacity(CALLS_MAX);
        let mut begun: Option<Stopwatch> = None;
        let mut company = 1.0;
        while queue.blocking_recv_many(&mut orders, CALLS_MAX) > 0 {
            let rest = begun.as_ref().and_then(|at| pause.checked_sub(at.elapsed()));
            if let Some(rest) = rest.filter(|_| company > COMPANY) {
                thread::sleep(rest);
                while orders.len() < CALLS_MAX {
                    let Ok(order) = queue.try_recv() else { break };
                    orders.push(order);
                }
            }
            company += (orders.len() as f64 - company) / 8.0;
            begun = Some(Stopwatch::start());
            if self.serve(orders.drain(..)).is_break() {
                return;
            }
        }
    }

    /// Leaves everything in order for the next start.
    fn end(self) {
        let Self { parts, failure, watched } = self;
        if !failure.is_raised() {
            watched.begin();
            // If this fails, the next start takes everything from the commit log.
            if let Err(error) = leave(parts) {
                tracing::warn!(%error, "the index could not be brought up to date");
            }
            watched.end();
        }
        drop(watched);
        // It goes last: a caller that waits for the end finds the folder unlocked.
        drop(failure);
    }

    /// Runs a commit, commits it, and answers its callers.
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
        let mut outcome = self.commit(pending, answers.len());
        let is_on_disk = outcome.is_err() || self.parts.commit_log.is_synced();
        if !invariant!(is_on_disk, "nothing is acknowledged before it is on disk") {
            self.failure.raise("the commit log is not on disk");
            outcome = Err(StoreError::Unavailable);
        }
        for answer in answers {
            answer(outcome);
        }
        others.into_iter().try_for_each(|order| self.obey(order))
    }

    fn run_one(&self, effect: Effect, work: Work, pending: &mut Pending, answers: &mut Vec<Answer>) {
        let keyring = self.parts.keyring.read();
        let Parts { index, rooms, recent, .. } = &self.parts;
        let mut transaction = Transaction::new(index, rooms, recent, &keyring, pending);
        let refused = if self.failure.is_raised() {
            Some(StoreError::Unavailable)
        } else {
            let is_refused = match effect {
                Effect::Grows => self.parts.space.refuses_writes(),
                Effect::Replaces => self.parts.space.is_full(),
                Effect::Shrinks => self.parts.ballast.refuses_deletions(),
            };
            is_refused.then_some(StoreError::DiskFull)
        };
        let given = refused.map_or(Ok(&mut transaction), Err);
        // If a call panics, its caller gets `Unavailable`, and its changes are
        // dropped.
        let Ok((keep, answer)) = catch_unwind(AssertUnwindSafe(|| work(given))) else {
            tracing::error!("a call panicked; nothing of it was written");
            return;
        };
        if keep {
            let own = transaction.own;
            drop(keyring);
            // The disk must not become full in the middle of a frame.
            let space = &self.parts.space;
            if space.is_full() && space.refuses_commit(pending.weight() + own.weight()) {
                answers.push(Box::new(move |_| answer(Err(StoreError::DiskFull))));
                return;
            }
            pending.absorb(own);
        }
        // A refused caller waits for the commit, too: the reason may be a change
        // of the same commit.
        answers.push(answer);
    }

    fn commit(&mut self, pending: Pending, calls: usize) -> Result<()> {
        if self.failure.is_raised() {
            return Err(StoreError::Unavailable);
        }
        if pending.is_empty() {
            return Ok(());
        }
        let begun = Stopwatch::start();
        self.watched.begin();
        let written = catch_unwind(AssertUnwindSafe(|| self.write(pending)));
        self.watched.end();
        match written.unwrap_or_else(|_| Err("writing panicked".to_owned())) {
            Ok(Ok(())) => {
                let Commits { count, calls: all, time } = &mut *self.parts.commits.lock();
                *count += 1;
                *all += calls as u64;
                *time += begun.elapsed();
                Ok(())
            }
            // Nothing was written, and the thread goes on.
            Ok(Err(refused)) => Err(refused),
            Err(error) => {
                self.failure.raise(&error);
                Err(StoreError::Unavailable)
            }
        }
    }

    /// Writes new keys, then the frame with what they seal. Keys are destroyed
    /// last, when no frame needs them any more. The outer error ends all writing,
    /// the inner one refuses this commit.
    fn write(&mut self, pending: Pending) -> Result<Result<()>, String> {
        let Pending { mut changes, born, dying, rooms, conversations } = pending;
        let new_keys: Vec<_> = born.iter().map(|(_, key)| key.id).collect();
        if !born.is_empty() {
            self.parts.key_file.add(&born).map_err(|error| error.to_string())?;
            let mut ring = self.parts.keyring.write();
            for (owner, key) in born {
                ring.hold(owner, key);
            }
            // By this a start notices that the file of keys was cut.
            changes.insert(key(Table::KeySlots, &[]), Some(self.parts.key_file.slots().to_be_bytes().to_vec()));
        }
        let index_sum = self.index_sum_after(&mut changes).map_err(|error| error.to_string())?;
        let ended = rooms.ended.clone();
        let mut frame = Vec::new();
        let sealed = {
            let keyring = self.parts.keyring.read();
            rooms.seal(&keyring, &mut frame)
        };
        let fresh = match sealed {
            Ok(fresh) => fresh,
            // The new keys are not used then.
            Err(error) => return self.destroy(&new_keys).map(|()| Err(error)),
        };
        frame.extend(changes.iter().map(|(key, value)| Change::State { key: key.clone(), value: value.clone() }));
        // A commit that only changes keys needs no frame.
        if !frame.is_empty() {
            let committed = match self.parts.commit_log.commit(frame, index_sum.bytes(), clock::hour()) {
                Ok(committed) => committed,
                Err(CommitError::Dead(error)) => return Err(error.to_string()),
                Err(CommitError::Refused(error)) => {
                    let is_possible = error.kind() != ErrorKind::InvalidInput;
                    invariant!(is_possible, "a record goes on where its log ends, and a body keeps its length");
                    tracing::error!(%error, "the commit log can't be written to now");
                    let refusal = match error.kind() {
                        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => StoreError::DiskFull,
                        _ => StoreError::Corrupt,
                    };
                    return self.destroy(&new_keys).map(|()| Err(refusal));
                }
            };
            if !changes.is_empty() {
                let is_in_log = committed.commit <= self.parts.commit_log.last_commit();
                if !invariant!(is_in_log, "the index never passes the commit log's end") {
                    return Err("the index would pass the end of the commit log".to_owned());
                }
                self.parts.index.apply(committed.commit, &changes).map_err(|_| "the index is damaged".to_owned())?;
                invariant!(self.parts.index.index_sum() == index_sum, "the index holds what the commit log says");
                self.parts.recent.keep(conversations);
            }
            for ((room, last), place) in fresh.into_iter().zip(committed.places) {
                self.parts.rooms.written(room, last, place);
            }
            for room in ended {
                self.parts.rooms.forget(room);
            }
        }
        let is_on_disk = dying.is_empty() || self.parts.commit_log.is_synced();
        if !invariant!(is_on_disk, "keys are destroyed when the frame that gives them up is on disk") {
            return Err("the commit log is not on disk, so no key is destroyed".to_owned());
        }
        self.destroy(&dying).map(Ok)
    }

    /// The sum of the index after these changes. Changes to the same value are
    /// left out.
    fn index_sum_after(&self, changes: &mut Changes) -> Result<IndexSum> {
        let mut index_sum = self.parts.index.index_sum();
        let mut unchanged = Vec::new();
        for (key, value) in changes.iter() {
            let old = self.parts.index.read(key)?;
            if old == *value {
                unchanged.push(key.clone());
            }
            index_sum.replace(key, old.as_deref(), value.as_deref());
        }
        for key in unchanged {
            changes.remove(&key);
        }
        Ok(index_sum)
    }

    fn destroy(&mut self, keys: &[KeyId]) -> Result<(), String> {
        if keys.is_empty() {
            return Ok(());
        }
        let mut ring = self.parts.keyring.write();
        for id in keys {
            ring.forget(*id);
        }
        drop(ring);
        self.parts.key_file.destroy(keys).map_err(|error| error.to_string())
    }

    fn obey(&mut self, order: Order) -> ControlFlow<()> {
        match order {
            Order::Moment(reply) => {
                let keyring = self.parts.keyring.read();
                let _ = reply.send(Moment { commit: self.parts.commit_log.last_commit(), keys: keyring.copy() });
            }
            Order::Synced { index, unneeded } => {
                self.parts.commit_log.checkpoint(index);
                match self.parts.commit_log.retire(unneeded.min(index)) {
                    Ok(0) => {}
                    Ok(files) => tracing::info!(files, "removed files of the commit log that are no longer needed"),
                    Err(error) => tracing::warn!(%error, "files of the commit log can't be removed"),
                }
            }
            Order::Work(..) => {
                invariant!(false, "calls have run before the other orders");
            }
            Order::Stop => return ControlFlow::Break(()),
        }
        ControlFlow::Continue(())
    }
}

fn leave(Parts { commit_log, index, folder, .. }: Parts) -> io::Result<()> {
    let closed = commit_log.close();
    index.flush()?;
    closed?;
    if index.is_whole() { IndexState::Clean.put(folder.path()) } else { Ok(()) }
}
