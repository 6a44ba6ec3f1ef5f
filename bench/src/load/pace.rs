//! When each client makes its next request, and how the request went. In a closed loop a client
//! asks as soon as it has its answer, so a server that stalls is asked less. In an open loop the
//! times are set beforehand, and a latency counts from the time at which the request was due.

use std::cell::{Cell, RefCell, RefMut};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt::Display;
use std::future::pending;
use std::rc::Rc;
use std::time::{Duration, Instant};

use tokio::sync::{Mutex, watch};
use tokio::task::JoinSet;
use tokio::time::{sleep_until, timeout};

use crate::load::{Cost, Faults, Latencies, StageOutcome, Stop, Subject, Tick, Timer, clock};
use crate::report::view::watched;
use crate::trouble::{Because, Fallible};

/// How long requests on their way may still take after Ctrl-C.
const LAST_ANSWERS: Duration = Duration::from_millis(500);

/// A number of requests a second, evenly spread.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct PerSecond(pub(crate) f64);

impl PerSecond {
    /// When request `n` is due, after the beginning.
    fn due(self, n: u64) -> Duration {
        Duration::from_secs_f64(n as f64 / self.0)
    }

    /// How many requests are due in a stage of this length. A request that is due at the end
    /// belongs to the next stage.
    fn due_before(self, length: Duration) -> u64 {
        (length.as_secs_f64() * self.0).ceil() as u64
    }
}

/// The requests of one stage: when they are due, and how they went.
pub(crate) struct Pace {
    pub(super) begun: Cell<Instant>,
    pub(super) length: Cell<Duration>,
    is_over: watch::Sender<bool>,
    pub(super) open: Option<Open>,
    counts: RefCell<StageCounts>,
}

/// An open loop. The client that waits longest holds the timer, and so makes the next request.
pub(super) struct Open {
    rate: PerSecond,
    timer: Mutex<Timer>,
    /// How many requests clients have taken.
    taken: Cell<u64>,
}

/// The results of all clients of a stage. There is one for all of them, because a histogram for
/// each would be the largest thing in memory.
#[derive(Default)]
pub(crate) struct StageCounts {
    pub(super) done: u64,
    pub(super) latencies: Latencies,
    /// The latencies of this second, and the figures of each second before.
    second: Latencies,
    pub(super) seconds: Vec<Tick>,
    pub(super) failures: BTreeMap<String, u64>,
    /// Requests that were due and not made, because the server took no more.
    pub(super) untaken: u64,
    /// How late this program made requests for which a client was ready.
    pub(super) lateness: Latencies,
    pub(super) faults: Faults,
}

impl StageCounts {
    pub(super) fn record(&mut self, took: Duration) {
        self.latencies.record(took);
        self.second.record(took);
    }

    pub(super) fn fail(&mut self, why: impl Display) {
        *self.failures.entry(why.to_string()).or_default() += 1;
    }

    pub(super) fn failed(&self) -> u64 {
        self.failures.values().sum()
    }

    /// A line for people while a stage runs.
    fn line(&self, elapsed: Duration) -> String {
        let (errors, rate) = (self.failed() + self.faults.count(), self.done as f64 / elapsed.as_secs_f64().max(0.001));
        format!("errors {errors}, {rate:.0}/s, {}", self.latencies.summary().line())
    }
}

impl Pace {
    pub(crate) fn new(rate: Option<PerSecond>) -> Fallible<Rc<Self>> {
        let open = |rate| {
            let timer = Timer::new().because("there is no timer")?;
            Ok(Open { rate, timer: Mutex::new(timer), taken: Cell::new(0) })
        };
        Ok(Rc::new(Self {
            begun: Cell::new(clock::now()),
            length: Cell::default(),
            is_over: watch::Sender::new(false),
            open: rate.map(open).transpose()?,
            counts: RefCell::default(),
        }))
    }

    /// Runs clients until the time is up and all have their answers, or until Ctrl-C. After Ctrl-C
    /// some clients are dropped before their answers.
    pub(crate) async fn stage(
        &self,
        length: Duration,
        clients: impl IntoIterator<Item = impl Future<Output = ()> + 'static>,
        subject: &Subject,
        stop: &Stop,
    ) -> Fallible<StageOutcome> {
        self.begin(length);
        let before = Cost::now(subject.pid);
        let mut running = JoinSet::new();
        clients.into_iter().for_each(|client| drop(running.spawn_local(client)));
        let working = async {
            tokio::select! {
                all_back = all_back(&mut running) => all_back.map(|()| true),
                never = keep_time(self) => match never {},
                () = stop.asked() => Ok(false),
            }
        };
        let progress = || (self.elapsed().as_secs_f64() / length.as_secs_f64(), self.counts().line(self.elapsed()));
        if !watched(working, progress).await? {
            self.end();
            let _ = timeout(LAST_ANSWERS, all_back(&mut running)).await;
        }
        let outcome = StageOutcome::of(self, Cost::now(subject.pid).since(before));
        let is_cut_short = stop.check().is_err() && self.elapsed() < length;
        Ok(StageOutcome { cut_short_of: is_cut_short.then_some(length.as_secs_f64()), ..outcome })
    }

    /// Begins a stage. Of an earlier stage only the faults still count.
    fn begin(&self, length: Duration) {
        self.begun.set(clock::now());
        self.length.set(length);
        self.is_over.send_replace(false);
        self.open.iter().for_each(|open| open.taken.set(0));
        let faults = std::mem::take(&mut self.counts().faults);
        self.counts.replace(StageCounts { faults, ..StageCounts::default() });
    }

    /// Waits until a client's next request is due, and returns when it was due. `None` when the
    /// stage is over.
    pub(crate) async fn next(&self) -> Option<Instant> {
        let ready = clock::now();
        let Some(open) = &self.open else { return (!self.is_over()).then_some(ready) };
        let timer = open.timer.lock().await;
        let after = open.rate.due(open.taken.get());
        let due = self.begun.get() + after.min(self.length.get());
        tokio::select! {
            biased;
            () = self.ended() => return None,
            waited = timer.until(due) => waited.ok()?,
        }
        // Clients that have nothing more to send wait for the end of the stage.
        if after >= self.length.get() {
            return None;
        }
        open.taken.update(|taken| taken + 1);
        // A client that was free only after `due` was waiting for the server.
        if ready <= due {
            self.counts().lateness.record(due.elapsed());
        }
        Some(due)
    }

    /// Records how the request that was due at `due` went.
    pub(crate) fn record(&self, due: Instant, result: Result<(), impl Display>) {
        let mut counts = self.counts();
        match result {
            Ok(()) => {
                counts.done += 1;
                counts.record(clock::now().saturating_duration_since(due));
            }
            Err(why) => counts.fail(why),
        }
    }

    /// Records that the server did something wrong.
    pub(crate) fn fault(&self, what: &'static str, example: impl FnOnce() -> String) {
        self.counts().faults.add(what, 1, example);
    }

    /// Ends the stage: no client makes another request.
    pub(crate) fn end(&self) {
        self.is_over.send_replace(true);
    }

    pub(super) fn is_over(&self) -> bool {
        *self.is_over.borrow()
    }

    pub(crate) async fn ended(&self) {
        // An error would mean that the sender is gone, but `self` holds it.
        let _ = self.is_over.subscribe().wait_for(|is_over| *is_over).await;
    }

    /// How late the requests are that were due and never sent, because every client waited for an
    /// answer.
    pub(super) fn behind(&self) -> impl Iterator<Item = Duration> + '_ {
        let elapsed = self.elapsed();
        self.open.iter().flat_map(move |open| {
            let waiting = open.taken.get()..open.rate.due_before(elapsed.min(self.length.get()));
            waiting.map(move |n| elapsed.saturating_sub(open.rate.due(n)))
        })
    }

    pub(super) fn counts(&self) -> RefMut<'_, StageCounts> {
        self.counts.borrow_mut()
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.begun.get().elapsed()
    }
}

/// Ends a stage in time, and records the figures of each second.
async fn keep_time(pace: &Pace) -> Infallible {
    for second in 1..=pace.length.get().as_secs() {
        sleep_until((pace.begun.get() + Duration::from_secs(second)).into()).await;
        let mut counts = pace.counts();
        let second = std::mem::take(&mut counts.second);
        let failed = counts.failed() - counts.seconds.iter().map(|before| before.failed).sum::<u64>();
        counts.seconds.push(Tick { latency: second.summary(), failed });
    }
    sleep_until((pace.begun.get() + pace.length.get()).into()).await;
    pace.end();
    pending().await
}

async fn all_back(running: &mut JoinSet<()>) -> Fallible {
    while let Some(done) = running.join_next().await {
        done.because("a bug: a client ended badly")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args;

    #[test]
    fn a_rate_spreads_its_requests_evenly_and_loses_none() {
        let rate = PerSecond(3.0);
        assert_eq!((rate.due(0), rate.due(3)), (Duration::ZERO, Duration::from_secs(1)));
        assert_eq!([900, 1000, 1001].map(|ms| rate.due_before(Duration::from_millis(ms))), [3, 3, 4]);
        assert_eq!((args::rate("2000"), args::rate("0.5")), (Ok(PerSecond(2000.0)), Ok(PerSecond(0.5))));
        for bad in ["", "0", "-1", "NaN", "inf", "1e12", "fast"] {
            assert!(args::rate(bad).is_err(), "{bad}");
        }
    }

    fn open(length: Duration, rate: f64) -> Rc<Pace> {
        let pace = Pace::new(Some(PerSecond(rate))).unwrap();
        pace.begin(length);
        pace
    }

    #[tokio::test]
    async fn an_open_loop_counts_from_when_a_request_was_due() {
        let pace = open(Duration::from_millis(200), 50.0);
        let first = pace.next().await.unwrap();
        assert_eq!(first, pace.begun.get());
        // The client is busy until three more requests are due, then ready for the rest.
        tokio::time::sleep(Duration::from_millis(70)).await;
        pace.record(first, Ok::<_, &str>(()));
        while let Some(due) = pace.next().await {
            pace.record(due, Ok::<_, &str>(()));
        }
        assert_eq!(pace.counts().done as usize + pace.behind().count(), 10);
        assert!(pace.counts().latencies.summary().max >= 70_000);
        let late = pace.counts().lateness.summary();
        assert!((1..=7).contains(&late.count) && late.p50 < 20_000, "what waited is not this program's: {late:?}");
    }

    #[tokio::test]
    async fn requests_that_never_went_out_are_counted_with_their_delay() {
        let pace = open(Duration::from_millis(50), 100.0);
        tokio::time::sleep(Duration::from_millis(60)).await;
        pace.end();
        assert!(pace.next().await.is_none());
        let behind: Vec<_> = pace.behind().collect();
        assert!(behind.len() == 5 && behind[0] >= Duration::from_millis(60), "{behind:?}");
    }
}
