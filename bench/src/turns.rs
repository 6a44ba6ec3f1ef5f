//! When each client sends. In a closed loop everybody sends as soon as they have
//! their answer, so a server that stalls is asked less. In an open loop the
//! times are set beforehand, and a latency counts from the time at which the
//! request should have gone out.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::Semaphore;
use tokio::time::sleep;

use crate::clock;
use crate::latency::{Latencies, Summary};

/// The longest that the thread of a stage that is over stays asleep.
const NAP_MAX: Duration = Duration::from_millis(50);

/// So many a second, evenly spread.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rate(pub(crate) f64);

impl Rate {
    /// When, after the beginning, number `n` is due.
    pub(crate) fn due(self, n: u64) -> Duration {
        Duration::from_secs_f64(n as f64 / self.0)
    }

    /// How many are due when `elapsed` is over.
    fn due_by(self, elapsed: Duration) -> u64 {
        // Number 0 is due at once.
        (elapsed.as_secs_f64() * self.0) as u64 + 1
    }

    /// How many a stage of this length has; what would be due when it ends
    /// belongs to the next.
    pub(crate) fn due_before(self, length: Duration) -> u64 {
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

/// The turns of one stage.
pub(crate) struct Turns {
    begun: Instant,
    length: Duration,
    is_over: AtomicBool,
    open: Option<OpenLoop>,
}

struct OpenLoop {
    rate: Rate,
    due: Semaphore,
    taken: AtomicU64,
    /// Of requests that somebody stood ready for.
    lateness: Mutex<Latencies>,
}

impl Turns {
    /// Begins a stage.
    pub(crate) fn begin(length: Duration, rate: Option<Rate>) -> Self {
        let open = rate.map(|rate| OpenLoop {
            rate,
            due: Semaphore::new(0),
            taken: AtomicU64::new(0),
            lateness: Mutex::new(Latencies::new()),
        });
        Self { begun: clock::now(), length, is_over: AtomicBool::new(false), open }
    }

    /// Waits for one's turn: the moment the request is due. Nothing when the
    /// stage is over.
    pub(crate) async fn next(&self) -> Option<Instant> {
        let Some(open) = &self.open else {
            let now = clock::now();
            let goes_on = now < self.begun + self.length && !self.is_over.load(Relaxed);
            return goes_on.then_some(now);
        };
        let ready = clock::now();
        open.due.acquire().await.ok()?.forget();
        let due = self.begun + open.rate.due(open.taken.fetch_add(1, Relaxed));
        // Otherwise it was an answer that was waited for.
        if ready <= due {
            open.lateness().record(due.elapsed());
        }
        Some(due)
    }

    /// How late requests went out by this program's own doing; nothing in a
    /// closed loop.
    pub(crate) fn own_lateness(&self) -> Option<Summary> {
        self.open.as_ref().map(|open| open.lateness().summary())
    }

    /// Gives the turns of an open loop out until the stage is over; in a
    /// closed loop only waits.
    pub(crate) async fn run(self: &Arc<Self>) {
        if self.open.is_some() {
            // A thread of its own, because it sleeps to some 50 µs: tokio's
            // timer counts in whole milliseconds, and the difference would
            // be reported as the server's latency.
            let this = self.clone();
            thread::spawn(move || this.give_out());
        }
        sleep(self.length.saturating_sub(self.begun.elapsed())).await;
        self.end();
    }

    fn give_out(&self) {
        let Some(open) = &self.open else { return };
        let total = open.rate.due_before(self.length);
        let mut released = 0;
        while released < total && !self.is_over.load(Relaxed) {
            let elapsed = self.begun.elapsed();
            let left = open.rate.due(released).saturating_sub(elapsed);
            if !left.is_zero() {
                thread::sleep(left.min(NAP_MAX));
                continue;
            }
            let due = open.rate.due_by(elapsed).clamp(released + 1, total);
            open.due.add_permits(usize::try_from(due - released).unwrap_or(0));
            released = due;
        }
    }

    /// Ends the turns.
    pub(crate) fn end(&self) {
        self.is_over.store(true, Relaxed);
        if let Some(open) = &self.open {
            open.due.close();
        }
    }

    /// How late the requests are by now that were due and never went out,
    /// because every connection was waiting for an answer.
    pub(crate) fn behind(&self) -> impl Iterator<Item = Duration> + '_ {
        let elapsed = self.begun.elapsed();
        self.open.iter().flat_map(move |open| {
            // Also those that we were too late to give out.
            let unsent = open.taken.load(Relaxed)..open.rate.due_before(elapsed.min(self.length));
            unsent.map(move |n| elapsed.saturating_sub(open.rate.due(n)))
        })
    }

    /// How much of the stage is over.
    pub(crate) fn share(&self) -> f64 {
        self.begun.elapsed().as_secs_f64() / self.length.as_secs_f64()
    }

    /// How long the stage is, in seconds, unless it is over by then.
    pub(crate) fn left_of(&self, elapsed: Duration) -> Option<f64> {
        (elapsed < self.length).then_some(self.length.as_secs_f64())
    }

    /// Since the stage began.
    pub(crate) fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }
}

impl OpenLoop {
    fn lateness(&self) -> MutexGuard<'_, Latencies> {
        self.lateness.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_spreads_its_requests_evenly_and_loses_none() {
        let rate = Rate(3.0);
        assert_eq!(rate.due(0), Duration::ZERO);
        assert_eq!(rate.due(3), Duration::from_secs(1));
        assert_eq!([900, 1000, 1001].map(|ms| rate.due_before(Duration::from_millis(ms))), [3, 3, 4]);
        for n in 0..1000 {
            // A hair later, because a third of a second is no binary number.
            assert_eq!(rate.due_by(rate.due(n) + Duration::from_micros(1)), n + 1);
        }
    }

    #[test]
    fn only_sensible_rates_are_taken() {
        assert_eq!("2000".parse(), Ok(Rate(2000.0)));
        assert_eq!("0.5".parse(), Ok(Rate(0.5)));
        for bad in ["", "0", "-1", "NaN", "inf", "1e12", "fast"] {
            assert!(bad.parse::<Rate>().is_err(), "{bad}");
        }
    }

    #[tokio::test]
    async fn an_open_loop_counts_from_when_a_request_was_due() {
        let turns = Arc::new(Turns::begin(Duration::from_millis(100), Some(Rate(100.0))));
        let late = async {
            tokio::time::sleep(Duration::from_millis(50)).await;
            let first = turns.next().await.unwrap();
            let mut taken = 1;
            while turns.next().await.is_some() {
                taken += 1;
            }
            (first, taken)
        };
        let ((), (first, taken)) = tokio::join!(turns.run(), late);
        assert_eq!(first, turns.begun);
        assert!((1..=10).contains(&taken), "{taken}");
        assert_eq!(turns.behind().count(), 10 - taken);
    }

    #[tokio::test]
    async fn what_waited_for_an_answer_is_not_called_this_program_s_lateness() {
        let turns = Arc::new(Turns::begin(Duration::from_millis(200), Some(Rate(50.0))));
        let calling = async {
            // Ready for the first, busy until three are due, ready for the rest.
            turns.next().await.unwrap();
            tokio::time::sleep(Duration::from_millis(70)).await;
            while turns.next().await.is_some() {}
        };
        tokio::join!(turns.run(), calling);
        let late = turns.own_lateness().unwrap();
        assert!((1..=6).contains(&late.count) && late.p50 < 20_000, "{late:?}");
        assert_eq!(Turns::begin(Duration::ZERO, None).own_lateness(), None);
    }

    #[tokio::test]
    async fn requests_that_never_went_out_are_counted_with_their_delay() {
        let turns = Arc::new(Turns::begin(Duration::from_millis(50), Some(Rate(100.0))));
        turns.run().await;
        assert_eq!(turns.next().await, None);
        let behind: Vec<_> = turns.behind().collect();
        assert!(behind.len() == 5, "{behind:?}");
        assert!(behind[0] >= Duration::from_millis(50), "{behind:?}");
    }
}
