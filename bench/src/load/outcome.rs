//! The outcome of a stage: whether it measured the server, and what it found.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::load::{Cost, Faults, Pace, StageCounts, Subject, Summary, Tick, latency, process};
use crate::report::print_remark;
use crate::trouble::{Fallible, Trouble};

/// If requests are sent later than this, in microseconds, latencies are doubtful.
const LATE: u64 = 1000;

/// The outcome of a stage of calls or of a chat.
#[derive(Debug, Default, Clone, Serialize)]
pub(crate) struct StageOutcome {
    /// Seconds from the stage's beginning to the last answer.
    pub(crate) seconds: f64,
    /// How long it should have lasted, in seconds, if somebody ended it early.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cut_short_of: Option<f64>,
    /// The number of correctly answered requests, or of deliveries.
    pub(crate) done: u64,
    pub(crate) done_per_second: f64,
    /// Microseconds, over the requests that were done and those that were never sent.
    pub(crate) latency: Summary,
    /// How many requests failed, or messages were refused, by reason.
    pub(crate) failures: BTreeMap<String, u64>,
    pub(crate) failed: u64,
    /// Requests of an open loop that were due and never sent, because the server took no more.
    pub(crate) behind: u64,
    /// Microseconds of processor time for each request that was done.
    pub(crate) server_cpu_each: Option<f64>,
    pub(crate) own_cpu_each: Option<f64>,
    /// Processor time of the server, in percent of one core.
    pub(crate) server_cpu_percent: Option<f64>,
    /// How late this program sent the requests of an open loop, which is not the server's fault.
    pub(crate) own_lateness: Option<Summary>,
    /// The latencies and failures in each whole second.
    pub(crate) ticks: Vec<Tick>,
    pub(crate) faults: Faults,
    pub(crate) wrong: u64,
    /// Sends in a chat, where each message has many deliveries.
    pub(crate) sends_per_second: Option<f64>,
    /// Deliveries that were on their way when the run was stopped.
    pub(crate) on_their_way: u64,
    /// Why the server was not measured, if something else was the limit.
    pub(crate) unmeasured: Option<String>,
}

impl StageOutcome {
    /// The outcome of a stage that has just ended.
    pub(super) fn of(pace: &Pace, cost: Cost) -> Self {
        let seconds = pace.elapsed().as_secs_f64();
        let late: Vec<_> = pace.behind().collect();
        let mut counts = pace.counts();
        // Late requests would have taken longer than this, and must not be left out, because they
        // are the worst ones.
        late.iter().for_each(|late| counts.latencies.record(*late));
        let done = counts.done;
        let outcome = Self {
            seconds,
            done,
            done_per_second: done as f64 / seconds,
            behind: late.len() as u64 + counts.untaken,
            server_cpu_each: process::each(cost.server, done),
            own_cpu_each: process::each(cost.own, done),
            server_cpu_percent: cost.server.map(|used| used.as_secs_f64() / seconds * 100.0),
            own_lateness: pace.open.as_ref().map(|_| counts.lateness.summary()),
            ticks: counts.seconds.clone(),
            ..Self::default()
        };
        outcome.with(&counts)
    }

    /// Adds what arrived after the stage.
    pub(super) fn with(self, counts: &StageCounts) -> Self {
        Self {
            latency: counts.latencies.summary(),
            failures: counts.failures.clone(),
            failed: counts.failed(),
            faults: counts.faults.clone(),
            wrong: counts.faults.count(),
            ..self
        }
    }

    /// The outcome without processor time, because other clients caused some of it.
    pub(crate) fn among_others(self) -> Self {
        Self { server_cpu_each: None, own_cpu_each: None, ..self }
    }

    /// Lines about what was not as it should be.
    pub(crate) fn remarks(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some(length) = self.cut_short_of {
            lines.push(format!("Unfinished: ended after {:.1} s of {length}.", self.seconds));
        }
        lines.extend(self.failures.iter().map(|(why, count)| format!("{count} × {why}")));
        if self.behind > 0 {
            lines.push(format!("{} were due and never went out; they count as late as they were", self.behind));
        }
        if self.on_their_way > 0 {
            lines.push(format!("{} deliveries were still on their way when it was ended.", self.on_their_way));
        }
        if let Some(lateness) = self.own_lateness.filter(|lateness| lateness.p99 > LATE) {
            let late = latency::digits(lateness.p99 as f64 / 1000.0);
            lines.push(format!("Careful: 1 in 100 went out {late} ms late or later, by this program's own doing."));
        }
        lines.extend(self.faults.lines());
        lines
    }

    /// Judges the outcome after it was printed: returns an error if the server did something wrong,
    /// or was not measured.
    pub(crate) async fn judge(&self, subject: &Subject) -> Fallible {
        if self.wrong > 0 {
            return Err(Trouble::Wrong);
        }
        if self.failed > 0 && subject.has_ended().await {
            print_remark("WRONG: the server has ended; nobody listens there any more.");
            return Err(Trouble::Wrong);
        }
        self.is_measured()
    }

    fn is_measured(&self) -> Fallible {
        let Self { done, behind, failed, .. } = self;
        if let Some(why) = &self.unmeasured {
            return Trouble::because(why);
        }
        if failed > done {
            let most = self.failures.iter().max_by_key(|(_, count)| **count).map_or("", |(why, _)| why);
            return Trouble::because(format!("{failed} failed and only {done} did not: {most}"));
        }
        if *done == 0 && self.sends_per_second.is_none() {
            return Trouble::because("nothing was answered in this time: ask for more --seconds");
        }
        // A slow server leaves some requests unsent; that shows in its latency.
        if *behind > 9 * done {
            let due = done + behind + failed;
            return Trouble::because(format!(
                "only {done} of {due} that were due went out: ask for fewer a second, or use more connections"
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn an_outcome_is_counted_for_each_that_was_done() {
        let outcome = |done: u64, failed: u64, behind| {
            let pace = Pace::new(None).unwrap();
            (0..done).for_each(|_| pace.record(pace.begun.get(), Ok::<_, &str>(())));
            (0..failed).for_each(|_| pace.record(pace.begun.get(), Err(500)));
            let cost = Cost { server: Some(Duration::from_millis(1)), own: None };
            StageOutcome { behind, ..StageOutcome::of(&pace, cost) }
        };
        let one = outcome(4, 3, 0);
        assert_eq!((one.done, one.failed, one.server_cpu_each, one.own_cpu_each), (4, 3, Some(250.0), None));
        assert_eq!((one.remarks(), outcome(0, 0, 0).server_cpu_each), (vec!["3 × 500".to_owned()], None));
        assert_eq!([outcome(5, 5, 0), outcome(5, 0, 45)].map(|outcome| outcome.is_measured()), [Ok(()), Ok(())]);
        assert_eq!(outcome(0, 3, 0).is_measured(), Trouble::because("3 failed and only 0 did not: 500"));
        let why = outcome(4, 0, 999_996).is_measured().unwrap_err().to_string();
        assert!(why.starts_with("only 4 of 1000000 that were due went out"), "{why}");
    }
}
