//! One stage of load: many clients at once, what they meet, and what it
//! costs both sides.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde::Serialize;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::cpu;
use crate::latency::{Latencies, Summary, careful};
use crate::report::{Report, unfinished};
use crate::stop::Stop;
use crate::subject::Subject;
use crate::trouble::{Finding, Trouble};
use crate::turns::Turns;
use crate::view::watched;

/// How long requests that are out may still take after Ctrl-C.
const LAST_ANSWERS: Duration = Duration::from_millis(500);

/// Requests that no server answers without any processor time.
const MANY: u64 = 1000;

/// What all clients of a stage met. One for all of them: a histogram each
/// would be the largest thing in memory.
#[derive(Default)]
pub(crate) struct Meter(Mutex<Tally>);

struct Tally {
    latencies: Latencies,
    failures: BTreeMap<String, u64>,
    behind: u64,
}

impl Default for Tally {
    fn default() -> Self {
        Self { latencies: Latencies::new(), failures: BTreeMap::new(), behind: 0 }
    }
}

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

impl Meter {
    pub(crate) fn good(&self, took: Duration) {
        self.with(|tally| tally.latencies.record(took));
    }

    pub(crate) fn failed(&self, why: impl ToString) {
        self.with(|tally| *tally.failures.entry(why.to_string()).or_default() += 1);
    }

    fn behind(&self, turns: &Turns) {
        self.with(|tally| {
            for late in turns.behind() {
                tally.behind += 1;
                // It would have taken longer than that, and must not be
                // left out: these are the worst ones.
                tally.latencies.record(late);
            }
        });
    }

    /// For people, while it goes on.
    fn line(&self, elapsed: Duration) -> String {
        self.with(|tally| {
            let latency = tally.latencies.summary();
            let failed: u64 = tally.failures.values().sum();
            let rate = latency.count as f64 / elapsed.as_secs_f64().max(0.001);
            format!("errors {failed}, {rate:.0}/s, {}", latency.line())
        })
    }

    fn with<T>(&self, change: impl FnOnce(&mut Tally) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn outcome(&self, elapsed: Duration, server_cpu: Option<Duration>, own_cpu: Option<Duration>) -> Outcome {
        self.with(|tally| {
            let latency = tally.latencies.summary();
            let good = latency.count - tally.behind;
            let each =
                |cpu: Option<Duration>| cpu.filter(|_| good > 0).map(|cpu| cpu.as_secs_f64() * 1e6 / good as f64);
            Outcome {
                seconds: elapsed.as_secs_f64(),
                cut_short_of: None,
                good,
                good_per_second: good as f64 / elapsed.as_secs_f64(),
                latency,
                failures: tally.failures.clone(),
                behind: tally.behind,
                server_cpu_each: each(server_cpu),
                own_cpu_each: each(own_cpu),
                own_lateness: None,
            }
        })
    }
}

impl Outcome {
    /// All failures together.
    pub(crate) fn failed(&self) -> u64 {
        self.failures.values().sum()
    }

    /// Lines about what went otherwise than it should.
    pub(crate) fn remarks(&self) -> Vec<String> {
        let mut lines = Vec::from_iter(self.cut_short_of.map(|length| unfinished(self.seconds, length)));
        lines.extend(self.failures.iter().map(|(why, count)| format!("    {count} × {why}")));
        if self.behind > 0 {
            lines.push(format!("    {} were due and never went out; they count as late as they were", self.behind));
        }
        if self.server_cpu_each == Some(0.0) && self.good > MANY {
            lines.push(format!(
                "    Careful: the server used no processor time for {} requests: is --server-pid its process?",
                self.good
            ));
        }
        lines.extend(self.own_lateness.as_ref().and_then(|lateness| careful(lateness, "requests")));
        lines
    }

    /// The outcome without the costs, which others caused as well, and without
    /// the way the run ended, which another outcome reports.
    pub(crate) fn among_others(self) -> Self {
        Self { server_cpu_each: None, own_cpu_each: None, cut_short_of: None, ..self }
    }

    /// Why this says nothing of the server, if it doesn't.
    pub(crate) fn not_measured(&self) -> Option<Trouble> {
        let Self { good, behind, .. } = self;
        if self.failed() > *good {
            let most = self.failures.iter().max_by_key(|(_, count)| **count).map(|(why, _)| why.as_str());
            let (failed, most) = (self.failed(), most.unwrap_or_default());
            return Some(Trouble::because(format!("{failed} failed and only {good} did not: {most}")));
        }
        // A slow server leaves some behind; that is its latency.
        (*behind > 9 * good).then(|| {
            Trouble::because(format!(
                "only {good} of {} that were due went out: ask for fewer a second, or use more connections",
                good + behind + self.failed()
            ))
        })
    }

    /// What has come of it, when it has been told.
    pub(crate) async fn judge(&self, subject: &Subject, report: &Report) -> Result<Finding, Trouble> {
        if self.failed() > 0 && subject.has_ended().await {
            report.say("    WRONG: the server has ended; nobody listens there any more.");
            return Ok(Finding::Wrong);
        }
        self.not_measured().map_or(Ok(Finding::Right), Err)
    }
}

/// Runs the clients of a stage until their turns are over. The flag tells
/// whether Ctrl-C ended it; then what some clients returned is missing.
pub(crate) async fn stage<T: Send + 'static>(
    turns: Arc<Turns>,
    meter: &Meter,
    subject: &Subject,
    clients: impl IntoIterator<Item = impl Future<Output = T> + Send + 'static>,
    stop: &Stop,
) -> Result<(Outcome, Vec<T>, bool), Trouble> {
    let cpu_before = (subject.cpu(), cpu::used());
    let mut running = JoinSet::new();
    for client in clients {
        running.spawn(client);
    }
    let mut returned = Vec::new();
    let mut is_interrupted = false;
    let until_over = async {
        tokio::select! {
            gathered = gather(&mut running, &mut returned) => { gathered?; Ok(true) }
            () = turns.run() => Ok(false),
            () = stop.asked() => { is_interrupted = true; Ok(false) }
        }
    };
    let all_back: Result<bool, Trouble> = watched(until_over, || (turns.share(), meter.line(turns.elapsed()))).await;
    let all_back = all_back?;
    turns.end();
    if !all_back && !is_interrupted {
        tokio::select! {
            gathered = gather(&mut running, &mut returned) => gathered?,
            () = stop.asked() => is_interrupted = true,
        }
    }
    if is_interrupted {
        let _ = timeout(LAST_ANSWERS, gather(&mut running, &mut returned)).await;
    }
    meter.behind(&turns);
    let spent = |before: Option<Duration>, now: Option<Duration>| now?.checked_sub(before?);
    let (server, own) = (spent(cpu_before.0, subject.cpu()), spent(cpu_before.1, cpu::used()));
    let (elapsed, own_lateness) = (turns.elapsed(), turns.own_lateness());
    let cut_short_of = turns.left_of(elapsed).filter(|_| is_interrupted);
    let outcome = Outcome { own_lateness, cut_short_of, ..meter.outcome(elapsed, server, own) };
    Ok((outcome, returned, is_interrupted))
}

/// Waits for those who are still out. Nothing is lost when it is dropped.
async fn gather<T: Send + 'static>(running: &mut JoinSet<T>, returned: &mut Vec<T>) -> Result<(), Trouble> {
    while let Some(done) = running.join_next().await {
        returned.push(done.map_err(|error| Trouble::because(format!("a bug: a client ended badly: {error}")))?);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outcome_is_counted_for_each_good_request() {
        let meter = Meter::default();
        for micros in [100, 200, 300, 400] {
            meter.good(Duration::from_micros(micros));
        }
        meter.failed("503");
        meter.failed("503");
        meter.failed("closed");
        let outcome = meter.outcome(Duration::from_secs(2), Some(Duration::from_millis(1)), None);
        assert_eq!((outcome.good, outcome.good_per_second, outcome.failed()), (4, 2.0, 3));
        assert_eq!((outcome.server_cpu_each, outcome.own_cpu_each), (Some(250.0), None));
        assert_eq!(outcome.remarks(), ["    2 × 503", "    1 × closed"]);
        assert_eq!(meter.line(Duration::from_secs(2)), "errors 3, 2/s, p50 0.20 p99 0.40 max 0.40 ms, p99.9 0.40 ms");
    }

    #[test]
    fn where_most_failed_or_never_went_out_nothing_was_measured() {
        let outcome = |good, failed, behind| {
            let meter = Meter::default();
            (0..good).for_each(|_| meter.good(Duration::from_millis(1)));
            (0..failed).for_each(|_| meter.failed(500));
            Outcome { behind, ..meter.outcome(Duration::from_secs(1), None, None) }.not_measured()
        };
        assert_eq!([outcome(0, 0, 0), outcome(5, 5, 0), outcome(5, 0, 45)], [None, None, None]);
        assert_eq!(outcome(0, 3, 0), Some(Trouble::because("3 failed and only 0 did not: 500")));
        assert!(outcome(4, 0, 999_996).unwrap().to_string().starts_with("only 4 of 1000000 that were due went out"));
    }

    #[test]
    fn a_stage_without_an_answer_divides_by_nothing() {
        let outcome = Meter::default().outcome(Duration::from_secs(1), Some(Duration::from_secs(1)), None);
        assert_eq!((outcome.good_per_second, outcome.server_cpu_each), (0.0, None));
    }
}
