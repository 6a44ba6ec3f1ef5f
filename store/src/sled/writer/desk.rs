//! What the writer's thread does with a group of orders.

use std::io;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, PoisonError};
use std::thread;
use std::time::Duration;

use tokio::sync::mpsc;

use super::keeper::Keeper;
use super::watchdog::Watched;
use super::{Answer, Effect, Files, GROUP, Order, Shared, Tell, Work};
use crate::clock::Stopwatch;
use crate::error::{Result, StoreError};
use crate::folder::DataFolder;
use crate::seals::keyring::{KeyFile, Owner};
use crate::seals::{KeyId, SealKey};
use crate::sled::fresh::Fresh;
use crate::sled::journal::{Journal, Which};
use crate::sled::mark::Mark;
use crate::sled::unit::{Pending, Unit};
use crate::sled::{Changes, Reader, Table, key};

/// How many times over the journal may be full before commits wait for the
/// database.
const OVERFULL: u64 = 8;
/// Calls in a group, on average of late, above which groups are worth waiting
/// for. Somebody who is alone never has company, and never waits.
const COMPANY: f64 = 1.05;

/// What the thread owns.
pub(super) struct Desk {
    reader: Reader,
    journal: Journal,
    fresh: Fresh,
    keeper: Keeper,
    key_file: KeyFile,
    mark: Mark,
    shared: Shared,
    tell: Tell,
    watched: Watched,
    tap: Option<std::sync::mpsc::Sender<Changes>>,
    /// Commits since the folder was made.
    group: u64,
    /// Whether the journal's file is to be overwritten when the database has it.
    wipes: bool,
    _folder: Arc<DataFolder>,
}

impl Desk {
    pub(super) fn new(files: Files, shared: Shared, patience: Duration, tell: Tell) -> io::Result<Self> {
        let Files { disk, journal, key_file, mark, _folder } = files;
        let group = disk.commits().map_err(io::Error::other)?;
        let everybody = tell.clone();
        let give_up = move || everybody.fail("the disk does not answer");
        let watched = Watched::start(patience, || false, give_up)?;
        let (reader, fresh) = (disk.reader(), disk.fresh());
        let keeper = Keeper::start(disk, patience, tell.clone())?;
        let tap = None;
        Ok(Self {
            reader,
            journal,
            fresh,
            keeper,
            key_file,
            mark,
            shared,
            tell,
            watched,
            tap,
            group,
            wipes: false,
            _folder,
        })
    }

    /// Serves until every caller has gone, or one says stop.
    pub(super) fn work(mut self, queue: mpsc::UnboundedReceiver<Order>, pause: Duration) {
        if catch_unwind(AssertUnwindSafe(|| self.run(queue, pause))).is_err() {
            // Nobody knows what is on disk.
            self.tell.fail("the writer panicked");
        }
        self.end();
    }

    fn run(&mut self, mut queue: mpsc::UnboundedReceiver<Order>, pause: Duration) {
        let mut orders = Vec::with_capacity(GROUP);
        let mut begun: Option<Stopwatch> = None;
        let mut company = 1.0;
        while queue.blocking_recv_many(&mut orders, GROUP) > 0 {
            let rest = begun.as_ref().and_then(|at| pause.checked_sub(at.elapsed()));
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

    /// Leaves everything as the next start likes to find it.
    fn end(mut self) {
        if !self.tell.has_failed() {
            self.watched.begin();
            // If it can't, the journal has it, and the next start takes it over.
            if self.shared.space.is_full() {
                self.keeper.end();
            } else if let Err(error) = self.finish() {
                tracing::warn!(%error, "the database could not be brought up to date");
            }
            self.watched.end();
        }
        // A caller that waits for the end must find the folder unlocked.
        let tell = self.tell.clone();
        drop(self);
        drop(tell);
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
        } else {
            let is_refused = match effect {
                Effect::Grows => self.shared.space.refuses_writes(),
                Effect::Replaces => self.shared.space.is_full(),
                Effect::Shrinks => self.shared.ballast.refuses_deletions(),
            };
            is_refused.then_some(StoreError::DiskFull)
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
            // The journal must not meet the disk's end: after that nobody
            // could write any more.
            let space = &self.shared.space;
            if space.is_full() && space.refuses_commit(pending.weight() + own.weight()) {
                answers.push(Box::new(move |_| answer(Err(StoreError::DiskFull))));
                return;
            }
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
        self.watched.begin();
        let written = catch_unwind(AssertUnwindSafe(|| self.write(changes, pending.born, &pending.dying)));
        self.watched.end();
        let failure = match written {
            Ok(Ok(())) => None,
            Ok(Err(error)) => Some(error),
            Err(_) => Some("writing panicked".to_owned()),
        };
        if let Some(error) = failure {
            self.tell.fail(&error);
            return Err(StoreError::Unavailable);
        }
        self.mark.put(self.group, self.key_file.slots());
        self.shared.gauges.committed(calls, begun.elapsed());
        Ok(())
    }

    /// New keys first, then the records sealed with them; dead keys last,
    /// when nothing on disk needs them any more.
    fn write(&mut self, changes: Changes, born: Vec<(Owner, SealKey)>, dying: &[KeyId]) -> Result<(), String> {
        if !born.is_empty() {
            self.key_file.add(&born).map_err(|error| error.to_string())?;
            let mut ring = self.shared.keyring.write().unwrap_or_else(PoisonError::into_inner);
            born.into_iter().for_each(|(owner, key)| ring.hold(owner, key));
        }
        if !dying.is_empty() || changes.values().any(Option::is_none) {
            self.journal.holds_removed();
        }
        self.journal.append(self.group, &changes).map_err(|error| error.to_string())?;
        if let Some(tap) = &self.tap
            && tap.send(changes.clone()).is_err()
        {
            self.tap = None;
        }
        self.fresh.add(changes);
        if !dying.is_empty() {
            let mut ring = self.shared.keyring.write().unwrap_or_else(PoisonError::into_inner);
            dying.iter().for_each(|&id| ring.forget(id));
            drop(ring);
            self.key_file.destroy(dying).map_err(|error| error.to_string())?;
        }
        match self.journal.fullness() {
            0 => Ok(()),
            fullness if fullness < OVERFULL && !self.keeper.is_free() => Ok(()),
            // What room there is belongs to the journal: the database would
            // take more of it.
            _ if self.shared.space.is_full() => Ok(()),
            _ => self.turn().map_err(|error| error.to_string()),
        }
    }

    /// Lets the database catch up, while commits go on in the journal's other
    /// file.
    fn turn(&mut self) -> io::Result<()> {
        self.keeper.wait()?;
        let wipe = if std::mem::take(&mut self.wipes) { self.journal.wipe(Which::Current)? } else { None };
        self.journal.turn();
        self.fresh.turn();
        self.keeper.begin(wipe)
    }

    /// Has the file overwritten that commits don't go to now, or else lets it
    /// be the other's turn. The file that is in use is wiped when the keeper
    /// has what is in it.
    fn wipe_journal(&mut self) -> io::Result<()> {
        if self.tell.has_failed() || !self.journal.has_removed() || self.shared.space.is_full() {
            return Ok(());
        }
        if !self.keeper.is_free() {
            self.wipes = true;
            return Ok(());
        }
        match self.journal.wipe(Which::Other)? {
            Some(wipe) => self.keeper.begin(Some(wipe)),
            None => {
                self.wipes = true;
                self.turn()
            }
        }
    }

    /// Leaves a database that needs no journal, and closes it.
    fn finish(&mut self) -> io::Result<()> {
        self.turn()?;
        self.keeper.wait()?;
        self.journal.clear()?;
        self.keeper.end();
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
            Order::WipeJournal => {
                if let Err(error) = self.wipe_journal() {
                    self.tell.fail(&error.to_string());
                }
            }
            Order::Work(..) => {}
            Order::Stop => return ControlFlow::Break(()),
        }
        ControlFlow::Continue(())
    }
}
