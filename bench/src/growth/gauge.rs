//! Times calls, and what they cost the server: one connection, one call
//! after the other.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;
use tokio::time::sleep;

use crate::api::Api;
use crate::cpu::Threads;
use crate::growth::call::Call;
use crate::latency::{Latencies, Summary};
use crate::target::Address;
use crate::trouble::Trouble;

/// What a call leaves to do after its answer belongs to it, and not to the
/// next one.
const AFTERMATH: Duration = Duration::from_millis(2);

/// All calls of one kind.
struct Tally {
    latencies: Latencies,
    /// Nothing where the server's process isn't known.
    server: Option<Duration>,
}

/// What they came to, in microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct Cost {
    pub(super) latency: Summary,
    pub(super) server_cpu_each: Option<f64>,
}

impl Tally {
    fn cost(&self) -> Cost {
        let latency = self.latencies.summary();
        let each = |used: Duration| used.as_secs_f64() * 1e6 / latency.count.max(1) as f64;
        Cost { latency, server_cpu_each: self.server.map(each) }
    }
}

/// What a call was answered with.
pub(super) struct Told {
    pub(super) json: Value,
    pub(super) cookie: Option<String>,
}

/// What was measured so far, by kind.
pub(super) struct Gauge {
    api: Api,
    pid: Option<u32>,
    tallies: BTreeMap<Call, Tally>,
}

impl Gauge {
    pub(super) fn new(address: Address, pid: Option<u32>) -> Self {
        Self { api: Api::new(address), pid, tallies: BTreeMap::new() }
    }

    /// Makes calls of one kind, and returns what they were answered with.
    /// Any other answer than a good one ends the run.
    pub(super) async fn make(&mut self, call: Call, requests: &[Vec<u8>]) -> Result<Vec<Told>, Trouble> {
        let broken = |error| Trouble::because(format!("{}: {error}", call.name()));
        let before = self.threads();
        let mut answers = Vec::with_capacity(requests.len());
        for request in requests {
            let (answer, took) = self.api.exchange(request).await.map_err(broken)?;
            let json = answer.expect(call.status(), call.name())?;
            self.tally(call).latencies.record(took);
            answers.push(Told { json, cookie: answer.cookie });
        }
        sleep(AFTERMATH).await;
        let used = self.threads().zip(before).map(|(now, before)| now.since(&before));
        let tally = self.tally(call);
        tally.server = tally.server.zip(used).map(|(sum, used)| sum + used);
        Ok(answers)
    }

    /// Drops what was measured so far.
    pub(super) fn forget(&mut self) {
        self.tallies.clear();
    }

    /// What each kind of call came to.
    pub(super) fn costs(self) -> BTreeMap<Call, Cost> {
        self.tallies.into_iter().map(|(call, tally)| (call, tally.cost())).collect()
    }

    fn tally(&mut self, call: Call) -> &mut Tally {
        let new = || Tally { latencies: Latencies::new(), server: Some(Duration::ZERO) };
        self.tallies.entry(call).or_insert_with(new)
    }

    fn threads(&self) -> Option<Threads> {
        Threads::of(self.pid?)
    }
}
