//! One stage of load: many clients at once, what they meet, and what it
//! costs both sides.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::load::latency::{Summary, careful};
use crate::load::pace::Pace;
use crate::load::process::{Cost, each};
use crate::load::stop::Stop;
use crate::load::subject::Subject;
use crate::report::view::watched;
use crate::trouble::Trouble;

/// How long requests that are out may still take after Ctrl-C.
const LAST_ANSWERS: Duration = Duration::from_millis(500);
/// Requests that no server answers without any processor time.
const MANY: u64 = 1000;

/// What a stage came to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Outcome {
    /// From its beginning to the last answer.
    pub(crate) seconds: f64,
    /// What it was to last, in seconds, if somebody ended it before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cut_short_of: Option<f64>,
    /// Requests that were answered as they should be.
    pub(crate) good: u64,
    pub(crate) good_per_second: f64,
    /// Microseconds, of the good ones and of those that never went out.
    pub(crate) latency: Summary,
    /// How many requests failed, by reason.
    pub(crate) failures: BTreeMap<String, u64>,
    /// Requests of an open loop that were due and never went out.
    pub(crate) behind: u64,
    /// Microseconds of processor time for each good request.
    pub(crate) server_cpu_each: Option<f64>,
    pub(crate) own_cpu_each: Option<f64>,
    /// How late the requests of an open loop went out, for which the server
    /// can do nothing.
    pub(crate) own_lateness: Option<Summary>,
}

impl Outcome {
    fn of(pace: &Pace, cost: Cost) -> Self {
        let (seconds, late) = (pace.elapsed().as_secs_f64(), pace.behind().collect::<Vec<_>>());
        let own_lateness = pace.own_lateness();
        pace.with_tally(|tally| {
            let good = tally.latencies.summary().count;
            // These would have taken longer than that, and must not be left
            // out: they are the worst ones.
            late.iter().for_each(|late| tally.latencies.record(*late));
            Self {
                seconds,
                cut_short_of: (seconds < pace.length.as_secs_f64()).then_some(pace.length.as_secs_f64()),
                good,
                good_per_second: good as f64 / seconds,
                latency: tally.latencies.summary(),
                failures: tally.failures.clone(),
                behind: late.len() as u64,
                server_cpu_each: each(cost.server, good),
                own_cpu_each: each(cost.own, good),
                own_lateness,
            }
        })
    }

    /// All failures together.
    pub(crate) fn failed(&self) -> u64 {
        self.failures.values().sum()
    }

    /// Lines about what went otherwise than it should.
    pub(crate) fn remarks(&self) -> Vec<String> {
        let mut lines = Vec::from_iter(self.cut_short_of.map(|length| unfinished(self.seconds, length)));
        lines.extend(self.failures.iter().map(|(why, count)| format!("{count} × {why}")));
        if self.behind > 0 {
            lines.push(format!("{} were due and never went out; they count as late as they were", self.behind));
        }
        if self.server_cpu_each == Some(0.0) && self.good > MANY {
            let good = self.good;
            lines
                .push(format!("Careful: no processor time for {good} requests: is --server-pid the server's process?"));
        }
        lines.extend(self.own_lateness.as_ref().and_then(|lateness| careful(lateness, "requests")));
        lines
    }

    /// The outcome without the costs, which others caused as well, and without
    /// the way the run ended, which another outcome reports.
    pub(crate) fn among_others(self) -> Self {
        Self { server_cpu_each: None, own_cpu_each: None, cut_short_of: None, ..self }
    }

    /// An error if this says nothing of the server.
    fn is_measured(&self) -> Result<(), Trouble> {
        let Self { good, behind, .. } = self;
        let failed = self.failed();
        if failed > *good {
            let most = self.failures.iter().max_by_key(|(_, count)| **count).map(|(why, _)| why.as_str());
            let most = most.unwrap_or_default();
            return Err(Trouble::because(format!("{failed} failed and only {good} did not: {most}")));
        }
        // A slow server leaves some behind; that is its latency.
        if *behind > 9 * good {
            let due = good + behind + failed;
            return Err(Trouble::because(format!(
                "only {good} of {due} that were due went out: ask for fewer a second, or use more connections"
            )));
        }
        Ok(())
    }

    /// What has come of it, when it has been told.
    pub(crate) async fn judge(&self, subject: &Subject) -> Result<(), Trouble> {
        if self.failed() > 0 && subject.has_ended().await {
            crate::report::remark("WRONG: the server has ended; nobody listens there any more.");
            return Err(Trouble::Wrong);
        }
        self.is_measured()
    }
}

/// A line on a stage that somebody ended.
pub(crate) fn unfinished(seconds: f64, of: f64) -> String {
    format!("Unfinished: ended after {seconds:.1} s of {of}.")
}

/// Runs the clients of a stage until its turns are over, or until Ctrl-C.
/// Some clients may then be gone before they have an answer.
pub(crate) async fn stage(
    pace: &Pace,
    clients: impl IntoIterator<Item = impl Future<Output = ()> + 'static>,
    subject: &Subject,
    stop: &Stop,
) -> Result<Outcome, Trouble> {
    pace.begin();
    let before = Cost::now(subject.pid());
    let mut running = JoinSet::new();
    clients.into_iter().for_each(|client| drop(running.spawn_local(client)));
    let all_back = watched(
        async {
            tokio::select! {
                all_back = back(&mut running) => return all_back.map(|()| true),
                () = sleep(pace.length) => pace.end(),
                () = stop.asked() => return Ok(false),
            }
            tokio::select! {
                all_back = back(&mut running) => all_back.map(|()| true),
                () = stop.asked() => Ok(false),
            }
        },
        || (pace.elapsed().as_secs_f64() / pace.length.as_secs_f64(), line(pace)),
    );
    if !all_back.await? {
        pace.end();
        let _ = timeout(LAST_ANSWERS, back(&mut running)).await;
    }
    let cost = Cost::now(subject.pid()).since(before);
    let outcome = Outcome::of(pace, cost);
    let cut_short_of = outcome.cut_short_of.filter(|_| stop.check().is_err());
    Ok(Outcome { cut_short_of, ..outcome })
}

/// Waits for those who are still out.
async fn back(running: &mut JoinSet<()>) -> Result<(), Trouble> {
    while let Some(done) = running.join_next().await {
        done.map_err(|error| Trouble::because(format!("a bug: a client ended badly: {error}")))?;
    }
    Ok(())
}

/// For people, while it goes on.
fn line(pace: &Pace) -> String {
    pace.with_tally(|tally| {
        let latency = tally.latencies.summary();
        let failed: u64 = tally.failures.values().sum();
        let rate = latency.count as f64 / pace.elapsed().as_secs_f64().max(0.001);
        format!("errors {failed}, {rate:.0}/s, {}", latency.line())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_outcome_is_counted_for_each_good_request() {
        let outcome = |good: u64, failed: u64, behind| {
            let pace = Pace::new(Duration::ZERO, None).unwrap();
            pace.with_tally(|tally| (0..good).for_each(|_| tally.latencies.record(Duration::from_millis(1))));
            (0..failed).for_each(|_| pace.failed(500));
            let cost = Cost { server: Some(Duration::from_millis(1)), own: None };
            Outcome { behind, ..Outcome::of(&pace, cost) }
        };
        let one = outcome(4, 3, 0);
        assert_eq!((one.good, one.failed(), one.server_cpu_each, one.own_cpu_each), (4, 3, Some(250.0), None));
        assert_eq!(one.remarks(), ["3 × 500"]);
        assert_eq!(outcome(0, 0, 0).server_cpu_each, None, "nothing is divided by nothing");
        assert_eq!([outcome(5, 5, 0), outcome(5, 0, 45)].map(|outcome| outcome.is_measured()), [Ok(()), Ok(())]);
        assert_eq!(outcome(0, 3, 0).is_measured(), Err(Trouble::because("3 failed and only 0 did not: 500")));
        let why = outcome(4, 0, 999_996).is_measured().unwrap_err().to_string();
        assert!(why.starts_with("only 4 of 1000000 that were due went out"), "{why}");
    }
}
