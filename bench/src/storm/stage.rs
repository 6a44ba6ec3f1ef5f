//! What one storm came to.

use std::time::Duration;

use serde::Serialize;

use crate::args;
use crate::latency::{Latencies, Summary};
use crate::report::{Table, cell};
use crate::storm::Back;
use crate::trouble::Finding;

pub(super) const TABLE: Table = Table(&[
    "rooms",
    "connections",
    "p50 ms",
    "p99 ms",
    "last back ms",
    "back/s",
    "tries",
    "server s",
    "own s",
    "not resumed",
    "wrong",
]);
/// Messages that a server gives back by itself.
const GIVEN_BACK: usize = 500;

/// Processor seconds of both sides.
pub(super) struct Costs {
    pub(super) server: Option<f64>,
    pub(super) own: Option<f64>,
}

/// One stage, as programs read it. Times in microseconds.
#[derive(Serialize)]
pub(super) struct Stage {
    rooms: usize,
    connections: usize,
    restarted: bool,
    missed: usize,
    /// From the moment when all were lost.
    latency: Summary,
    back_per_second: f64,
    /// Handshakes that failed before the one that didn't.
    failed_tries: u64,
    server_cpu: Option<f64>,
    own_cpu: Option<f64>,
    /// Told to load the room anew.
    not_resumed: usize,
    never_back: usize,
    /// Given something else than what they had missed.
    wrong: usize,
    example: Option<String>,
    /// Seconds after the loss, when somebody ended it before all were back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ended_after: Option<f64>,
    /// Those who were not, then: that is nobody's fault.
    still_away: usize,
}

impl Stage {
    pub(super) fn new(
        args: &args::Storm,
        (rooms, connections): (usize, usize),
        back: &[Back],
        costs: Costs,
        ended_after: Option<Duration>,
    ) -> Self {
        let mut latencies = Latencies::new();
        back.iter().for_each(|back| latencies.record(back.took));
        let latency = latencies.summary();
        let away = connections - back.len();
        let (never_back, still_away) = if ended_after.is_none() { (away, 0) } else { (0, away) };
        Self {
            rooms,
            connections,
            restarted: args.restart,
            missed: args.missed,
            back_per_second: latency.count as f64 * 1e6 / latency.max.max(1) as f64,
            latency,
            failed_tries: back.iter().map(|back| back.failed_tries).sum(),
            server_cpu: costs.server,
            own_cpu: costs.own,
            not_resumed: back.iter().filter(|back| !back.is_resumed).count(),
            never_back,
            wrong: back.iter().filter(|back| back.wrong.is_some()).count(),
            example: back.iter().find_map(|back| back.wrong.clone()),
            ended_after: ended_after.map(|after| after.as_secs_f64()),
            still_away,
        }
    }

    pub(super) fn finding(&self) -> Finding {
        // A member who has missed more than the server resends has to load
        // the room again, and has done so.
        let not_resumed = if self.missed > GIVEN_BACK { 0 } else { self.not_resumed };
        if self.wrong + self.never_back + not_resumed > 0 { Finding::Wrong } else { Finding::Right }
    }

    pub(super) fn row(&self) -> String {
        let latency = &self.latency;
        TABLE.row(&[
            self.rooms.to_string(),
            self.connections.to_string(),
            latency.shown(latency.p50),
            latency.shown(latency.p99),
            latency.shown(latency.max),
            cell(Some(self.back_per_second), 0),
            self.failed_tries.to_string(),
            cell(self.server_cpu, 2),
            cell(self.own_cpu, 2),
            self.not_resumed.to_string(),
            (self.wrong + self.never_back).to_string(),
        ])
    }

    /// Lines about what went otherwise than it should.
    pub(super) fn remarks(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some(after) = self.ended_after {
            lines.push(format!(
                "    Unfinished: ended {after:.1} s after the loss; {} of {} were back, and the row is of them.",
                self.connections - self.still_away,
                self.connections
            ));
        }
        if self.finding() == Finding::Wrong {
            let example = self.example.as_ref().map_or(String::new(), |example| format!(": {example}"));
            lines.push(format!(
                "    WRONG: {} were given something else, {} never came back, {} were told to load the room anew{example}",
                self.wrong, self.never_back, self.not_resumed
            ));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::args::{Cli, Scenario};

    #[test]
    fn who_is_still_away_when_it_is_ended_is_nobody_s_fault() {
        let Scenario::Storm(args) = Cli::parse_from(["annon-bench", "storm"]).scenario else { panic!() };
        let stage = |after| Stage::new(&args, (1, 10), &[], Costs { server: None, own: None }, after);
        let ended = stage(Some(Duration::from_millis(1250)));
        assert_eq!((ended.finding(), ended.never_back, ended.still_away), (Finding::Right, 0, 10));
        let told = "    Unfinished: ended 1.2 s after the loss; 0 of 10 were back, and the row is of them.";
        assert_eq!(ended.remarks(), [told]);
        let whole = stage(None);
        assert_eq!((whole.finding(), whole.never_back, whole.still_away), (Finding::Wrong, 10, 0));
    }
}
