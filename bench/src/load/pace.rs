//! When each client asks, and how it went. In a closed loop everybody asks as
//! soon as they have their answer, so a server that stalls is asked less. In
//! an open loop the times are set beforehand, and a latency counts from the
//! time at which the request should have gone out. A stage runs clients who
//! take such turns.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::rc::Rc;
use std::time::{Duration, Instant};

use tokio::sync::{Mutex, Notify};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::load::clock::{self, Timer};
use crate::load::latency::{Latencies, Summary};
use crate::load::outcome::Outcome;
use crate::load::process::Cost;
use crate::load::stop::Stop;
use crate::load::subject::Subject;
use crate::report::view::watched;
use crate::trouble::{Because, Fallible};

/// How long requests that are out may still take after Ctrl-C.
const LAST_ANSWERS: Duration = Duration::from_millis(500);

/// So many a second, evenly spread.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rate(pub(crate) f64);

impl Rate {
    /// When, after the beginning, number `n` is due.
    fn due(self, n: u64) -> Duration {
        Duration::from_secs_f64(n as f64 / self.0)
    }

    /// How many a stage of this length has; what would be due when it ends
    /// belongs to the next.
    fn due_before(self, length: Duration) -> u64 {
        (length.as_secs_f64() * self.0).ceil() as u64
    }
}

impl std::str::FromStr for Rate {
    type Err = &'static str;

    fn from_str(raw: &str) -> Result<Self, Self::Err> {
        let rate = raw.parse().map(Self).map_err(|_| "a rate is a number a second")?;
        if (0.001..=10_000_000.0).contains(&rate.0) { Ok(rate) } else { Err("a rate is 0.001 to 10000000 a second") }
    }
}

/// The turns of one stage, and how they went.
pub(crate) struct Pace {
    pub(crate) length: Duration,
    begun: Cell<Instant>,
    is_over: Cell<bool>,
    over: Notify,
    open: Option<Open>,
    tally: RefCell<Tally>,
}

/// An open loop. Who waits longest holds the timer, and so has the next turn.
struct Open {
    rate: Rate,
    timer: Mutex<Timer>,
    taken: Cell<u64>,
}

/// What all clients of a stage met. One for all of them: a histogram each
/// would be the largest thing in memory.
pub(super) struct Tally {
    pub(super) latencies: Latencies,
    pub(super) failures: BTreeMap<String, u64>,
    /// Of requests that somebody stood ready for: this program's own doing.
    lateness: Latencies,
}

/// Somebody's turn, which has come when it was due.
pub(crate) struct Turn<'a> {
    pub(crate) due: Instant,
    pub(crate) pace: &'a Pace,
}

impl Turn<'_> {
    pub(crate) fn good(self) {
        let took = clock::now().saturating_duration_since(self.due);
        self.pace.tally.borrow_mut().latencies.record(took);
    }

    pub(crate) fn failed(self, why: impl Display) {
        self.pace.failed(why);
    }
}

impl Pace {
    pub(crate) fn new(length: Duration, rate: Option<Rate>) -> Fallible<Rc<Self>> {
        let open = |rate| {
            let timer = Timer::new().because("there is no timer")?;
            Ok(Open { rate, timer: Mutex::new(timer), taken: Cell::new(0) })
        };
        let open = rate.map(open).transpose()?;
        let tally = Tally { latencies: Latencies::new(), failures: BTreeMap::new(), lateness: Latencies::new() };
        Ok(Rc::new(Self {
            length,
            begun: Cell::new(clock::now()),
            is_over: Cell::new(false),
            over: Notify::new(),
            open,
            tally: RefCell::new(tally),
        }))
    }

    /// The stage begins now, and not when it was made ready.
    pub(crate) fn begin(&self) {
        self.begun.set(clock::now());
    }

    /// Waits for one's turn. Nothing when the stage is over.
    pub(crate) async fn next(&self) -> Option<Turn<'_>> {
        let ready = clock::now();
        let Some(open) = &self.open else {
            let goes_on = ready < self.begun.get() + self.length && !self.is_over.get();
            return goes_on.then_some(Turn { due: ready, pace: self });
        };
        let timer = open.timer.lock().await;
        let (number, after) = (open.taken.get(), open.rate.due(open.taken.get()));
        if self.is_over.get() {
            return None;
        }
        let is_last = after >= self.length;
        let due = self.begun.get() + after.min(self.length);
        tokio::select! {
            waited = timer.until(due) => waited.ok()?,
            () = self.over.notified() => return None,
        }
        // Also who has nothing more to do stays to the end.
        if is_last {
            return None;
        }
        open.taken.set(number + 1);
        // Otherwise it was an answer that was waited for.
        if ready <= due {
            self.tally.borrow_mut().lateness.record(due.elapsed());
        }
        Some(Turn { due, pace: self })
    }

    pub(crate) fn failed(&self, why: impl Display) {
        *self.tally.borrow_mut().failures.entry(why.to_string()).or_default() += 1;
    }

    /// Nobody has another turn.
    pub(crate) fn end(&self) {
        self.is_over.set(true);
        self.over.notify_waiters();
    }

    /// How late the requests are by now that were due and never went out,
    /// because everybody was waiting for an answer.
    pub(crate) fn behind(&self) -> impl Iterator<Item = Duration> + '_ {
        let elapsed = self.elapsed();
        self.open.iter().flat_map(move |open| {
            let unsent = open.taken.get()..open.rate.due_before(elapsed.min(self.length));
            unsent.map(move |n| elapsed.saturating_sub(open.rate.due(n)))
        })
    }

    /// How late requests went out by this program's own doing; nothing in a
    /// closed loop.
    pub(crate) fn own_lateness(&self) -> Option<Summary> {
        self.open.as_ref().map(|_| self.tally.borrow().lateness.summary())
    }

    pub(super) fn with_tally<T>(&self, read: impl FnOnce(&mut Tally) -> T) -> T {
        read(&mut self.tally.borrow_mut())
    }

    /// Since the stage began.
    pub(crate) fn elapsed(&self) -> Duration {
        self.begun.get().elapsed()
    }
}

/// Runs the clients of a stage until its turns are over, or until Ctrl-C.
/// Some clients may then be gone before they have an answer.
pub(crate) async fn stage(
    pace: &Pace,
    clients: impl IntoIterator<Item = impl Future<Output = ()> + 'static>,
    subject: &Subject,
    stop: &Stop,
) -> Fallible<Outcome> {
    pace.begin();
    let before = Cost::now(subject.pid);
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
    let outcome = Outcome::of(pace, Cost::now(subject.pid).since(before));
    let cut_short_of = outcome.cut_short_of.filter(|_| stop.check().is_err());
    Ok(Outcome { cut_short_of, ..outcome })
}

/// Waits for those who are still out.
async fn back(running: &mut JoinSet<()>) -> Fallible {
    while let Some(done) = running.join_next().await {
        done.because("a bug: a client ended badly")?;
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

    #[test]
    fn a_rate_spreads_its_requests_evenly_and_loses_none() {
        let rate = Rate(3.0);
        assert_eq!((rate.due(0), rate.due(3)), (Duration::ZERO, Duration::from_secs(1)));
        assert_eq!([900, 1000, 1001].map(|ms| rate.due_before(Duration::from_millis(ms))), [3, 3, 4]);
        assert_eq!(("2000".parse(), "0.5".parse()), (Ok(Rate(2000.0)), Ok(Rate(0.5))));
        for bad in ["", "0", "-1", "NaN", "inf", "1e12", "fast"] {
            assert!(bad.parse::<Rate>().is_err(), "{bad}");
        }
    }

    #[tokio::test]
    async fn an_open_loop_counts_from_when_a_request_was_due() {
        let pace = Pace::new(Duration::from_millis(200), Some(Rate(50.0))).unwrap();
        let first = pace.next().await.unwrap();
        assert_eq!(first.due, pace.begun.get());
        // Busy until three more are due, then ready for the rest.
        tokio::time::sleep(Duration::from_millis(70)).await;
        first.good();
        let mut taken = 1;
        while let Some(turn) = pace.next().await {
            turn.good();
            taken += 1;
        }
        assert_eq!(taken + pace.behind().count(), 10);
        pace.with_tally(|tally| assert!(tally.latencies.summary().max >= 70_000));
        let late = pace.own_lateness().unwrap();
        assert!((1..=7).contains(&late.count) && late.p50 < 20_000, "what waited is not this program's: {late:?}");
        assert_eq!(Pace::new(Duration::ZERO, None).unwrap().own_lateness(), None);
    }

    #[tokio::test]
    async fn requests_that_never_went_out_are_counted_with_their_delay() {
        let pace = Pace::new(Duration::from_millis(50), Some(Rate(100.0))).unwrap();
        tokio::time::sleep(Duration::from_millis(60)).await;
        pace.end();
        assert!(pace.next().await.is_none());
        let behind: Vec<_> = pace.behind().collect();
        assert!(behind.len() == 5 && behind[0] >= Duration::from_millis(60), "{behind:?}");
    }
}
