//! How far a long piece of work is, for whoever waits for it.

use std::io::{self, Read};
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;

use crate::clock::Stopwatch;

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    Bytes,
    Records,
}

/// A step of the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// What is being done, as "reading the backup".
    pub what: &'static str,
    pub unit: Unit,
    pub done: u64,
    /// How much there is to do, if that is known.
    pub of: Option<u64>,
    /// For how long it has been done.
    pub since: Duration,
}

/// Hears from the work, and tells how far it is.
#[derive(Clone, Default)]
pub struct Progress(Arc<Mutex<Option<(Stopwatch, Step)>>>);

impl Progress {
    /// A step begins, and the one before it has ended.
    pub fn begin(&self, what: &'static str, unit: Unit, of: Option<u64>) {
        let step = Step { what, unit, done: 0, of, since: Duration::ZERO };
        *self.0.lock() = Some((Stopwatch::start(), step));
    }

    /// So much more of the step is done.
    pub fn add(&self, more: u64) {
        if let Some((_, step)) = &mut *self.0.lock() {
            step.done += more;
        }
    }

    /// The current step, if any has begun.
    pub fn now(&self) -> Option<Step> {
        let current = *self.0.lock();
        current.map(|(begun, step)| Step { since: begun.elapsed(), ..step })
    }

    /// Counts what is read from here.
    pub fn counting<R: Read>(&self, from: R) -> Counting<R> {
        Counting { from, progress: self.clone() }
    }
}

/// A reader whose bytes are progress.
pub struct Counting<R> {
    from: R,
    progress: Progress,
}

impl<R: Read> Read for Counting<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.from.read(buffer)?;
        self.progress.add(length as u64);
        Ok(length)
    }
}
