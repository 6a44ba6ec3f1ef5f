//! What an engine says while it runs, and how it is told to end: the one
//! thing it shares with the thread that shows it.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::Serialize;

use crate::latency::{Latencies, Summary};

/// About one second of a run.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Tick {
    pub(crate) sends: u64,
    pub(crate) deliveries: u64,
    /// What was refused, and what was wrong, since the beginning.
    pub(crate) errors: u64,
    /// Microseconds; of what arrived in this second.
    pub(crate) latency: Summary,
}

#[derive(Default)]
pub(crate) struct Live {
    is_to_end: AtomicBool,
    told: Mutex<Told>,
}

struct Told {
    ticks: Vec<Tick>,
    total: Latencies,
    before: (u64, u64),
    /// How often it was begun anew.
    begun: u32,
}

/// What somebody who looks now and then has seen: only what is new is copied,
/// because the engine waits meanwhile.
#[derive(Default)]
pub(crate) struct Seen {
    pub(crate) ticks: Vec<Tick>,
    begun: u32,
}

impl Default for Told {
    fn default() -> Self {
        Self { ticks: Vec::new(), total: Latencies::new(), before: (0, 0), begun: 0 }
    }
}

impl Live {
    /// Between two ticks.
    pub(crate) const EVERY: Duration = Duration::from_secs(1);

    /// Tells the engine to end.
    pub(crate) fn end(&self) {
        self.is_to_end.store(true, Relaxed);
    }

    pub(crate) fn is_to_end(&self) -> bool {
        self.is_to_end.load(Relaxed)
    }

    /// The engine's: what came before was the warm-up.
    pub(crate) fn begin(&self) {
        let mut told = self.told();
        told.ticks.clear();
        told.before = (0, 0);
        told.begun += 1;
    }

    /// The engine's: counts so far, and the latencies since the last tick.
    pub(crate) fn tick(&self, (sends, deliveries): (u64, u64), errors: u64, latencies: Latencies) {
        let mut told = self.told();
        // What was sent in one second may be refused in the next.
        let sends_since = sends.saturating_sub(told.before.0);
        let deliveries_since = deliveries - told.before.1;
        let tick = Tick { sends: sends_since, deliveries: deliveries_since, errors, latency: latencies.summary() };
        told.before = (sends, deliveries);
        told.ticks.push(tick);
        told.total.add(&latencies);
    }

    /// All latencies, with those since the last tick.
    pub(crate) fn total(&self, latencies: Latencies) -> Summary {
        let mut told = self.told();
        told.total.add(&latencies);
        told.total.summary()
    }

    pub(crate) fn ticks(&self) -> Vec<Tick> {
        self.told().ticks.clone()
    }

    pub(crate) fn look(&self, seen: &mut Seen) {
        let told = self.told();
        if told.begun != seen.begun {
            (seen.ticks, seen.begun) = (Vec::new(), told.begun);
        }
        seen.ticks.extend_from_slice(&told.ticks[seen.ticks.len()..]);
    }

    fn told(&self) -> MutexGuard<'_, Told> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_looks_sees_every_second_once_and_nothing_of_the_warm_up() {
        let (live, mut seen) = (Live::default(), Seen::default());
        let tick = |sends| live.tick((sends, 0), 0, Latencies::new());
        let mut sends = || {
            live.look(&mut seen);
            seen.ticks.iter().map(|tick| tick.sends).collect::<Vec<_>>()
        };
        tick(5);
        assert_eq!(sends(), [5]);
        live.begin();
        tick(1);
        assert_eq!(sends(), [1], "as many as before, and others");
        tick(3);
        assert_eq!(sends(), [1, 2]);
        assert_eq!(sends(), [1, 2]);
    }
}
