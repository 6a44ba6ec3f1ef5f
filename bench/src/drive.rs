//! Runs an engine on a thread of its own, shows how it goes, and measures
//! what it costs both sides.

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use tokio::time::sleep;

use crate::cpu;
use crate::dialect::Dialect;
use crate::engine::live::{Live, Seen, Tick};
use crate::engine::pace::Course;
use crate::engine::{Engine, Hall, Measured, Probe};
use crate::stop::Stop;
use crate::subject::Subject;
use crate::trouble::Trouble;
use crate::view::View;

/// Between two looks at how it goes.
const LOOK: Duration = Duration::from_millis(200);

/// Processor time of both sides while it was measured.
#[derive(Debug, Default, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Cost {
    pub(crate) server: Option<Duration>,
    pub(crate) own: Option<Duration>,
}

impl Cost {
    /// Seconds for a million of something; in other words microseconds each.
    pub(crate) fn per_million(used: Option<Duration>, count: u64) -> Option<f64> {
        used.filter(|_| count > 0).map(|used| used.as_secs_f64() * 1e6 / count as f64)
    }
}

struct Meter {
    pid: Option<u32>,
    before: Cost,
    used: Cost,
}

impl Meter {
    fn now(&self) -> Cost {
        Cost { server: self.pid.and_then(cpu::used_by), own: cpu::used() }
    }
}

impl Probe for Meter {
    fn begin(&mut self) {
        self.before = self.now();
    }

    fn end(&mut self) {
        let now = self.now();
        let used = |now: Option<Duration>, before: Option<Duration>| now?.checked_sub(before?);
        self.used = Cost { server: used(now.server, self.before.server), own: used(now.own, self.before.own) };
    }
}

/// Runs a course to its end, or until Ctrl-C; the flag tells which.
pub(crate) async fn drive<D: Dialect>(
    dialect: D,
    hall: Hall,
    course: &Course,
    subject: &Subject,
    stop: &Stop,
) -> Result<(Measured, Cost, bool), Trouble> {
    let mut view = View::new(course.warm_up + course.length);
    drive_and(dialect, hall, course, subject, stop, |ticks| view.show(ticks)).await
}

/// Drives the connections, and reports progress now and then.
pub(crate) async fn drive_and<D: Dialect>(
    dialect: D,
    hall: Hall,
    course: &Course,
    subject: &Subject,
    stop: &Stop,
    mut look: impl FnMut(&[Tick]),
) -> Result<(Measured, Cost, bool), Trouble> {
    let live = Arc::new(Live::default());
    let mut meter = Meter { pid: subject.pid(), before: Cost::default(), used: Cost::default() };
    let (course, shared) = (*course, live.clone());
    let mut running = tokio::task::spawn_blocking(move || {
        let measured = Engine::new(dialect, hall, &course, &shared).and_then(|engine| engine.run(&mut meter));
        (measured, meter.used)
    });
    let (mut is_interrupted, mut seen) = (false, Seen::default());
    let (measured, cost) = loop {
        tokio::select! {
            ended = &mut running => break ended.map_err(|error| Trouble::because(format!("a bug: {error}")))?,
            () = stop.asked(), if !is_interrupted => {
                is_interrupted = true;
                live.end();
            }
            () = sleep(LOOK) => {
                live.look(&mut seen);
                look(&seen.ticks);
            }
        }
    };
    let measured = measured.map_err(|error| Trouble::because(format!("the sockets can't be watched: {error}")))?;
    Ok((measured, cost, is_interrupted))
}
