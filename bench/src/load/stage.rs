//! A stage of a run: clients who make requests at their pace, for some time.

use std::convert::Infallible;
use std::future::pending;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{sleep_until, timeout};

use crate::load::outcome::Outcome;
use crate::load::pace::Pace;
use crate::load::process::Cost;
use crate::load::stop::Stop;
use crate::load::subject::Subject;
use crate::report::view::watched;
use crate::trouble::{Because, Fallible};

/// How long requests that are out may still take after Ctrl-C.
const LAST_ANSWERS: Duration = Duration::from_millis(500);

impl Pace {
    /// Runs clients until the time is up and all have their answers, or until
    /// Ctrl-C. Some clients may then be gone before they have an answer.
    pub(crate) async fn stage(
        &self,
        length: Duration,
        clients: impl IntoIterator<Item = impl Future<Output = ()> + 'static>,
        subject: &Subject,
        stop: &Stop,
    ) -> Fallible<Outcome> {
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
        let progress = || (self.elapsed().as_secs_f64() / length.as_secs_f64(), self.tally().line(self.elapsed()));
        if !watched(working, progress).await? {
            self.end();
            let _ = timeout(LAST_ANSWERS, all_back(&mut running)).await;
        }
        let outcome = Outcome::of(self, Cost::now(subject.pid).since(before));
        let is_cut_short = stop.check().is_err() && self.elapsed() < length;
        Ok(Outcome { cut_short_of: is_cut_short.then_some(length.as_secs_f64()), ..outcome })
    }
}

/// Ends a stage in time, and notes what each of its seconds came to.
async fn keep_time(pace: &Pace) -> Infallible {
    for second in 1..=pace.length.get().as_secs() {
        sleep_until((pace.begun.get() + Duration::from_secs(second)).into()).await;
        pace.tally().next_second();
    }
    sleep_until((pace.begun.get() + pace.length.get()).into()).await;
    pace.end();
    pending().await
}

/// Waits for those who are still out.
async fn all_back(running: &mut JoinSet<()>) -> Fallible {
    while let Some(done) = running.join_next().await {
        done.because("a bug: a client ended badly")?;
    }
    Ok(())
}
