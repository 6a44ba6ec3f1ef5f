//! Sign-ins: how many a second, and whether a flood of them disturbs
//! somebody who is signed in already. Each costs a hash that is meant to be
//! slow, so this is the cheapest way to keep a server busy.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use tokio::time::sleep;

use crate::api::{self, DASHBOARD, SIGN_IN};
use crate::args;
use crate::clock;
use crate::http::{Connection, HttpError};
use crate::latency::millis;
use crate::load::{Meter, Outcome, stage};
use crate::people::People;
use crate::report::{Report, Table, cell};
use crate::stop::Stop;
use crate::subject::{Subject, allow_connections};
use crate::trouble::{Finding, Trouble};
use crate::turns::Turns;

/// Connections that the dashboard is asked for on, so that one slow answer
/// doesn't keep the next question waiting here instead of there.
const PROBES: usize = 8;

const TABLE: Table = Table(&[
    "clients",
    "sign-ins/s",
    "p50 ms",
    "p99 ms",
    "max ms",
    "busy/s",
    "failed",
    "quiet p50",
    "flood p50",
    "× p50",
    "quiet p99",
    "flood p99",
    "× p99",
]);

/// One stage, as programs read it.
#[derive(Serialize)]
struct Stage {
    clients: usize,
    sign_ins: Outcome,
    /// How many a second were told to come back.
    busy_per_second: f64,
    quiet_dashboard: Outcome,
    flooded_dashboard: Outcome,
    times_p50: f64,
    times_p99: f64,
}

/// Runs `annon-bench login`.
pub(crate) async fn run(args: &args::Login, report: &mut Report, stop: &Stop) -> Result<Finding, Trouble> {
    allow_connections(PROBES + args.clients.iter().copied().max().unwrap_or(0))?;
    let subject = stop.or(Subject::prepare(&args.against, report)).await?;
    let measured = measure(args, &subject, report, stop).await;
    let ended = subject.end().await;
    let finding = measured?;
    ended.map(|()| finding)
}

async fn measure(args: &args::Login, subject: &Subject, report: &mut Report, stop: &Stop) -> Result<Finding, Trouble> {
    let people = stop.or(People::sign_up(subject.address, args.accounts)).await?;
    let measured = stages(args, &people, subject, report, stop).await;
    // Also after a failure: these are no accounts of anybody's.
    let left = people.leave(&args.against, report, stop).await;
    let finding = measured?;
    left.map(|()| finding)
}

async fn stages(
    args: &args::Login,
    people: &People,
    subject: &Subject,
    report: &mut Report,
    stop: &Stop,
) -> Result<Finding, Trouble> {
    let token = stop.or(people.sign_in(0)).await?;
    let dashboard = api::request("GET", DASHBOARD, subject.address, Some(&token), None);
    report.say(&format!(
        "Dashboards: {} a second, first while nobody signs in (quiet), then during the flood; times in ms.\n",
        args.probe_rate.0
    ));
    report.say(&TABLE.head());
    for &clients in &args.clients {
        let address = subject.address;
        let probing = || async {
            let (turns, meter) =
                (Arc::new(Turns::begin(args.seconds, Some(args.probe_rate))), Arc::new(Meter::default()));
            let probes = (0..PROBES).map(|_| Caller::new(address, dashboard.clone(), &turns, &meter).run());
            stage(turns.clone(), &meter, subject, probes, stop).await
        };
        let (quiet, _, is_interrupted) = probing().await?;
        if is_interrupted {
            return Err(Trouble::Interrupted);
        }
        let flood = async {
            let (turns, meter) = (Arc::new(Turns::begin(args.seconds, None)), Arc::new(Meter::default()));
            let callers = (0..clients).map(|client| {
                let body = people.sign_in_body(client % people.all.len());
                let request = api::request("POST", SIGN_IN, address, None, Some(&body));
                let after_busy = Duration::from_millis(args.after_busy_ms);
                Caller { after_busy, ..Caller::new(address, request, &turns, &meter) }.run()
            });
            stage(turns.clone(), &meter, subject, callers, stop).await
        };
        let (sign_ins, dashboards) = tokio::join!(flood, probing());
        let ((sign_ins, _, is_interrupted), (flooded, ..)) = (sign_ins?, dashboards?);
        show(clients, sign_ins, quiet, flooded, report);
        if is_interrupted {
            return Err(Trouble::Interrupted);
        }
    }
    Ok(Finding::Right)
}

/// A connection that asks for the same thing again and again.
struct Caller {
    address: SocketAddr,
    request: Vec<u8>,
    turns: Arc<Turns>,
    meter: Arc<Meter>,
    connection: Option<Connection>,
    after_busy: Duration,
}

impl Caller {
    fn new(address: SocketAddr, request: Vec<u8>, turns: &Arc<Turns>, meter: &Arc<Meter>) -> Self {
        Self {
            address,
            request,
            turns: turns.clone(),
            meter: meter.clone(),
            connection: None,
            after_busy: Duration::ZERO,
        }
    }

    async fn run(mut self) {
        while let Some(due) = self.turns.next().await {
            match self.call().await {
                Ok(200) => self.meter.good(clock::now().saturating_duration_since(due)),
                Ok(503) => {
                    self.meter.failed(503);
                    sleep(self.after_busy).await;
                }
                Ok(status) => self.meter.failed(status),
                Err(error) => self.meter.failed(error),
            }
        }
    }

    async fn call(&mut self) -> Result<u16, HttpError> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => Connection::open(self.address).await?,
        };
        let reply = connection.call(&self.request).await?;
        let (status, is_kept) = (reply.status, reply.is_kept);
        self.connection = is_kept.then_some(connection);
        Ok(status)
    }
}

fn show(clients: usize, sign_ins: Outcome, quiet: Outcome, flooded: Outcome, report: &mut Report) {
    let times = |flooded: u64, quiet: u64| flooded as f64 / quiet.max(1) as f64;
    let busy = sign_ins.failures.get("503").copied().unwrap_or(0);
    let stage = Stage {
        clients,
        busy_per_second: busy as f64 / sign_ins.seconds,
        times_p50: times(flooded.latency.p50, quiet.latency.p50),
        times_p99: times(flooded.latency.p99, quiet.latency.p99),
        sign_ins,
        quiet_dashboard: quiet,
        flooded_dashboard: flooded,
    };
    let (latency, quiet, flooded) = (&stage.sign_ins.latency, &stage.quiet_dashboard, &stage.flooded_dashboard);
    report.say(&TABLE.row(&[
        clients.to_string(),
        cell(Some(stage.sign_ins.good_per_second), 1),
        millis(latency.p50),
        millis(latency.p99),
        millis(latency.max),
        cell(Some(stage.busy_per_second), 0),
        (stage.sign_ins.failed() - busy).to_string(),
        millis(quiet.latency.p50),
        millis(flooded.latency.p50),
        cell(Some(stage.times_p50), 2),
        millis(quiet.latency.p99),
        millis(flooded.latency.p99),
        cell(Some(stage.times_p99), 2),
    ]));
    for outcome in [&stage.sign_ins, quiet, flooded] {
        outcome.remarks().iter().for_each(|line| report.say(line));
    }
    report.push("stages", stage);
}
