//! What changes with every message of a talk, and what it looks like while it
//! goes on.

use std::collections::BTreeMap;
use std::time::Instant;

use serde::Serialize;

use crate::load::check::Check;
use crate::load::clock;
use crate::load::faults::{Faults, STRANGE};
use crate::load::latency::{Latencies, Summary};

/// About one second of a run.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Tick {
    sends: u64,
    deliveries: u64,
    /// What was refused, and what was wrong, since the beginning.
    errors: u64,
    /// Microseconds; of what arrived in this second.
    latency: Summary,
}

/// What changes with every message.
pub(super) struct Talk {
    pub(super) checks: Vec<Check>,
    pub(super) frame: String,
    /// The stretch that is measured: what was due in it.
    pub(super) window: (Instant, Instant),
    /// Of this second, and of all.
    pub(super) latencies: (Latencies, Latencies),
    /// All, and those before this second.
    pub(super) sends: (u64, u64),
    pub(super) deliveries: (u64, u64),
    pub(super) untaken: u64,
    /// How many messages the server said no to, by its reason.
    pub(super) refusals: BTreeMap<String, u64>,
    pub(super) is_limited: bool,
    /// Those that no check knows of.
    pub(super) faults: Faults,
    pub(super) ticks: Vec<Tick>,
}

impl Talk {
    pub(super) fn new(rooms: usize, members: usize) -> Self {
        let now = clock::now();
        Self {
            checks: (0..rooms).map(|room| Check::new(room, members)).collect(),
            frame: String::new(),
            window: (now, now),
            latencies: (Latencies::new(), Latencies::new()),
            sends: (0, 0),
            deliveries: (0, 0),
            untaken: 0,
            refusals: BTreeMap::new(),
            is_limited: false,
            faults: Faults::default(),
            ticks: Vec::new(),
        }
    }

    /// What came before was the warm-up.
    pub(super) fn begin(&mut self) {
        self.tick_latencies();
        (self.sends, self.deliveries) = ((0, 0), (0, 0));
        self.ticks.clear();
    }

    pub(super) fn record(&mut self, due: Instant, heard: Instant) {
        if due >= self.window.0 && due < self.window.1 {
            self.latencies.0.record(heard.saturating_duration_since(due));
        }
    }

    pub(super) fn odd(&mut self, at: usize, what: &str) {
        self.faults.add(STRANGE, 1, || format!("connection {at} was told: {what}"));
    }

    pub(super) fn refused(&self) -> u64 {
        self.refusals.values().sum()
    }

    pub(super) fn wrong(&self) -> u64 {
        self.faults.count() + self.checks.iter().map(|check| check.faults.count()).sum::<u64>()
    }

    /// Nothing comes any more: all that was wrong, and how much may still have
    /// been on its way.
    pub(super) fn close(&mut self, is_early: bool) -> (Faults, u64) {
        let (mut faults, mut unheard) = (std::mem::take(&mut self.faults), 0);
        for check in self.checks.drain(..) {
            let (found, open) = check.close(is_early);
            faults.join(found);
            unheard += open;
        }
        self.tick_latencies();
        (faults, unheard)
    }

    /// A second is over.
    pub(super) fn tick(&mut self) {
        let latency = self.latencies.0.summary();
        self.tick_latencies();
        let since = |(all, before): &mut (u64, u64)| {
            // What was sent in one second may be refused in the next.
            let since = all.saturating_sub(*before);
            *before = *all;
            since
        };
        let (sends, deliveries) = (since(&mut self.sends), since(&mut self.deliveries));
        self.ticks.push(Tick { sends, deliveries, errors: self.refused() + self.wrong(), latency });
    }

    pub(super) fn tick_latencies(&mut self) {
        let new = std::mem::replace(&mut self.latencies.0, Latencies::new());
        self.latencies.1.add(&new);
    }

    /// For people, while it goes on. The most important comes first: the rest
    /// may be cut off.
    pub(super) fn line(&self) -> String {
        match self.ticks.last() {
            None => "warming up".to_owned(),
            Some(Tick { sends: 0, deliveries: 0, errors, .. }) => format!("errors {errors}, nothing is said"),
            Some(Tick { sends, deliveries, errors, latency }) => {
                format!("errors {errors}, {sends} sends/s, {}, {deliveries} deliveries/s", latency.line())
            }
        }
    }
}
