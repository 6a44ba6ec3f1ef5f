//! Reading the whole database once, to know that all of it is there.
//!
//! A small one is read before anybody is told that it is open. A large one
//! takes longer than somebody who waits for the start should have to wait:
//! then the reading goes on behind, and until it is over nothing is written.

use std::collections::BTreeSet;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::{Claim, Disk, Table, Tally, UnderWay, as_io, damage, decode, is_about_itself, key};
use crate::clock::Stopwatch;
use crate::sled::journal::Left;

/// Where the tables are cut, so that several threads can read: by the first
/// bits of what follows a table's byte, which for most is an id or a digest.
const PIECES: u8 = 8;
/// Threads that read at once, at most.
const READERS: usize = 4;
/// Behind everybody somebody waits for.
const NICE: i32 = 5;

/// In place of the next piece: nobody wants to know any more.
const OVER: usize = usize::MAX / 2;

/// What one thread has found: all there is, and what of it no commit in the
/// journal is about.
type Found = io::Result<(Tally, Tally)>;

/// A database that is being read.
pub(super) struct Reading {
    shared: Arc<Shared>,
    found: Receiver<Found>,
    readers: Vec<JoinHandle<()>>,
    /// How many have not found anything yet.
    missing: usize,
    all: Tally,
    besides: Tally,
    claimed: Option<Tally>,
}

struct Shared {
    db: ::sled::Db,
    /// What was being written when the process ended.
    touched: BTreeSet<Vec<u8>>,
    /// Where the pieces begin.
    starts: Vec<Vec<u8>>,
    /// The next piece to read. Past the last there is nothing to do.
    next: AtomicUsize,
}

impl Disk {
    /// Reads every pair, and compares what is there with what the database
    /// says it holds; if `strict`, a difference is damage. The journal tells
    /// which pairs were being written when the process ended. What is not
    /// read in so long a time is read behind.
    pub(crate) fn read_whole(&mut self, journal: &Left, strict: bool, patience: Duration) -> io::Result<()> {
        let commits = self.stored_commits()?;
        let claim = self.db.get(key(Table::Claim, &[])).map_err(as_io)?;
        let claim =
            claim.map(|bytes| decode::<Claim>(&bytes)).transpose().map_err(|error| damage(&error.to_string()))?;
        let (claimed, touched) = match claim {
            Some(Claim { commits: before, under_way: Some(UnderWay { through, besides }), .. })
                if commits == before || commits == through =>
            {
                (Some(besides), journal.touched(before, through))
            }
            Some(Claim { commits: at, tally, under_way: None }) if at == commits => (Some(tally), BTreeSet::new()),
            _ => (None, BTreeSet::new()),
        };
        let mut reading = Reading::begin(self.db.clone(), touched, claimed.filter(|_| strict))?;
        match reading.wait(patience)? {
            Some(tally) => self.tally = Some(tally),
            None => self.reading = Some(reading),
        }
        Ok(())
    }

    /// Waits until all is read.
    pub(crate) fn finish_reading(&mut self) -> io::Result<()> {
        let Some(mut reading) = self.reading.take() else { return Ok(()) };
        self.tally = reading.wait(Duration::MAX)?;
        Ok(())
    }

    /// Whether all is read.
    pub(crate) fn is_read(&self) -> bool {
        self.reading.is_none()
    }
}

impl Reading {
    fn begin(db: ::sled::Db, touched: BTreeSet<Vec<u8>>, claimed: Option<Tally>) -> io::Result<Self> {
        let starts = (0..=u8::MAX).flat_map(|table| {
            let pieces = if table.is_ascii_graphic() { PIECES } else { 1 };
            (0..pieces).map(move |piece| match piece {
                0 => vec![table],
                _ => vec![table, piece * (u8::MAX / PIECES + 1)],
            })
        });
        let shared = Arc::new(Shared { db, touched, starts: starts.collect(), next: AtomicUsize::new(0) });
        let (tell, found) = channel();
        let readers = thread::available_parallelism().map_or(1, usize::from).min(READERS);
        let (all, besides) = Default::default();
        let mut this = Self { shared, found, readers: Vec::new(), missing: readers, all, besides, claimed };
        for _ in 0..readers {
            let (shared, tell) = (this.shared.clone(), tell.clone());
            let work = move || {
                // On Linux this is the thread's own.
                let _ = rustix::process::nice(NICE);
                // On some damage sled panics instead of answering.
                let found = catch_unwind(AssertUnwindSafe(|| shared.read()));
                // Nobody may want to know any more.
                let _ = tell.send(found.unwrap_or_else(|_| Err(damage("reading it panicked"))));
            };
            this.readers.push(thread::Builder::new().name("store-reader".into()).spawn(work)?);
        }
        Ok(this)
    }

    /// What there is, if that is known in so long a time.
    fn wait(&mut self, patience: Duration) -> io::Result<Option<Tally>> {
        let begun = Stopwatch::start();
        while self.missing > 0 {
            match self.found.recv_timeout(patience.saturating_sub(begun.elapsed())) {
                Ok(found) => {
                    let (all, besides) = found?;
                    (self.all, self.besides) = (self.all.join(all), self.besides.join(besides));
                    self.missing -= 1;
                }
                Err(RecvTimeoutError::Timeout) => return Ok(None),
                Err(RecvTimeoutError::Disconnected) => return Err(damage("reading it panicked")),
            }
        }
        if self.claimed.is_some_and(|claimed| claimed != self.besides) {
            return Err(damage("something that was in it is missing"));
        }
        Ok(Some(self.all))
    }
}

impl Drop for Reading {
    /// The database is not closed while anybody reads.
    fn drop(&mut self) {
        self.shared.next.store(OVER, Ordering::Relaxed);
        for reader in self.readers.drain(..) {
            // If it panicked, that was told.
            let _ = reader.join();
        }
    }
}

impl Shared {
    fn read(&self) -> Found {
        let (mut all, mut besides) = (Tally::default(), Tally::default());
        loop {
            let at = self.next.fetch_add(1, Ordering::Relaxed);
            let pairs = match self.starts.get(at..) {
                Some([from, to, ..]) => self.db.range(from.clone()..to.clone()),
                Some([from]) => self.db.range(from.clone()..),
                _ => return Ok((all, besides)),
            };
            for pair in pairs {
                let (key, value) = pair.map_err(as_io)?;
                if is_about_itself(&key) {
                    continue;
                }
                all.add(&key, &value);
                if !self.touched.contains(key.as_ref()) {
                    besides.add(&key, &value);
                }
                if self.next.load(Ordering::Relaxed) >= OVER {
                    return Ok((all, besides));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
