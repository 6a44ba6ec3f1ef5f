//! What the writer's thread does with a group of orders.

use std::io;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, PoisonError};
use std::thread;

use tokio::sync::mpsc;

use super::watchdog::Watched;
use super::{Answer, Effect, Files, GROUP, Order, Pace, Shared, Tell, Work};
use crate::clock::Stopwatch;
use crate::error::{Result, StoreError};
use crate::keyring::Owner;
use crate::seal::{KeyId, SealKey};
use crate::sled::mark::Told;
use crate::sled::unit::{Pending, Unit};
use crate::sled::{Changes, Reader, Table, key};

/// Calls in a group, on average of late, above which groups are worth waiting
/// for. Somebody who is alone never has company, and never waits.
const COMPANY: f64 = 1.05;

/// What the thread owns.
pub(super) struct Desk {
    reader: Reader,
    files: Files,
    shared: Shared,
    pace: Pace,
    tell: Arc<Tell>,
    watched: Watched,
    tap: Option<std::sync::mpsc::Sender<Arc<Changes>>>,
    /// Commits since the folder was made.
    group: u64,
}

impl Desk {
    pub(super) fn new(files: Files, shared: Shared, pace: Pace, tell: Tell) -> io::Result<Self> {
        let group = files.disk.commits().map_err(io::Error::other)?;
        let tell = Arc::new(tell);
        let everybody = tell.clone();
        let give_up = move || everybody.fail("the database does not answer");
        let watched = Watched::start(pace.patience, files.disk.has_failed(), give_up)?;
        Ok(Self { reader: files.disk.reader(), files, shared, pace, tell, watched, tap: None, group })
    }

    /// Works until everybody has gone, or somebody says stop.
    pub(super) fn work(mut self, queue: mpsc::Receiver<Order>) {
        if catch_unwind(AssertUnwindSafe(|| self.run(queue))).is_err() {
            self.tell.fail("the writer panicked");
        }
    }

    fn run(&mut self, mut queue: mpsc::Receiver<Order>) {
        let mut orders = Vec::with_capacity(GROUP);
        let mut begun: Option<Stopwatch> = None;
        let mut company = 1.0;
        while queue.blocking_recv_many(&mut orders, GROUP) > 0 {
            let rest = begun.as_ref().and_then(|at| self.pace.pause.checked_sub(at.elapsed()));
            if let Some(rest) = rest.filter(|_| company > COMPANY) {
                thread::sleep(rest);
                while orders.len() < GROUP {
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
        let keyring = self.shared.keyring.read().unwrap_or_else(PoisonError::into_inner);
        let mut unit = Unit::new(&self.reader, &keyring, pending);
        let refused = if self.tell.has_failed() {
            Some(StoreError::Unavailable)
        } else if effect == Effect::Grows && self.shared.space.refuses_writes() {
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
        if self.tell.has_failed() {
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
        self.watched.begin();
        let written = catch_unwind(AssertUnwindSafe(|| self.write(&changes, pending.born, &pending.dying)));
        self.watched.end();
        let failure = match written {
            Ok(Ok(())) => None,
            Ok(Err(error)) => Some(error),
            Err(_) => Some("the database panicked".to_owned()),
        };
        if let Some(error) = failure {
            self.tell.fail(&error);
            return Err(StoreError::Unavailable);
        }
        self.files.mark.put(Told { commits: self.group, key_slots: self.files.key_file.slots() });
        self.tell.state.send_modify(|state| {
            state.in_flight = None;
            state.durable = self.group;
        });
        self.shared.gauges.committed(calls, begun.elapsed());
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
            self.files.key_file.add(&born).map_err(|error| error.to_string())?;
            let mut ring = self.shared.keyring.write().unwrap_or_else(PoisonError::into_inner);
            born.into_iter().for_each(|(owner, key)| ring.hold(owner, key));
        }
        self.tell.state.send_modify(|state| state.in_flight = Some((self.group, changes.clone())));
        self.files.disk.commit(changes).map_err(|error| error.to_string())?;
        if !dying.is_empty() {
            let mut ring = self.shared.keyring.write().unwrap_or_else(PoisonError::into_inner);
            dying.iter().for_each(|&id| ring.forget(id));
            drop(ring);
            self.files.key_file.destroy(dying).map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    fn obey(&mut self, order: Order) -> ControlFlow<()> {
        match order {
            Order::OpenTap(reply) => {
                let (tap, receiver) = std::sync::mpsc::channel();
                self.tap = reply.send(receiver).is_ok().then_some(tap);
            }
            Order::CloseTap(reply) => {
                self.tap = None;
                let keyring = self.shared.keyring.read().unwrap_or_else(PoisonError::into_inner);
                let _ = reply.send(keyring.copy());
            }
            Order::Work(..) => {}
            Order::Stop => return ControlFlow::Break(()),
        }
        ControlFlow::Continue(())
    }
}
