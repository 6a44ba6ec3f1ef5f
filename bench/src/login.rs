//! Sign-ins: how many a second, and whether a flood of them disturbs
//! somebody who is signed in already. Each costs a hash that is meant to be
//! slow, so this is the cheapest way to keep a server busy. A room chats
//! meanwhile: that is who would notice first.

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use tokio::time::sleep;

use crate::api::{self, DASHBOARD, SIGN_IN, Who};
use crate::args;
use crate::clock;
use crate::crowd::{Rooms, Size};
use crate::drive::{Cost, drive_and};
use crate::engine::pace::{Course, Pace};
use crate::fanout::stage as chat;
use crate::http::{Connection, HttpError};
use crate::load::{Meter, Outcome, stage};
use crate::people::People;
use crate::report::{Report, Table, cell};
use crate::stop::Stop;
use crate::subject::{Subject, allow_connections};
use crate::target::Address;
use crate::trouble::{Finding, Trouble, cleared_up};
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
    "chat quiet p99",
    "chat flood p99",
    "× chat p99",
]);
/// Members of the room that chats.
const MEMBERS: usize = 10;
const LENGTH_OF_TEXT: usize = 100;

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
    quiet_chat: chat::Stage,
    flooded_chat: chat::Stage,
    times_chat_p99: f64,
    /// Of one core, during the flood: whose it was can't be told.
    server_cpu_percent: Option<f64>,
}

/// What was measured before the first flood.
#[derive(Serialize)]
struct Quiet {
    dashboard: Outcome,
    chat: chat::Stage,
}

/// Runs `annon-bench login`.
pub(crate) async fn run(args: &args::Login, report: &mut Report, stop: &Stop) -> Result<Finding, Trouble> {
    allow_connections(PROBES + 2 * MEMBERS + args.clients.iter().copied().max().unwrap_or(0))?;
    let subject = stop.or(Subject::prepare(&args.against, report)).await?;
    let measured = measure(args, &subject, report, stop).await;
    cleared_up(measured, subject.end().await)
}

async fn measure(args: &args::Login, subject: &Subject, report: &mut Report, stop: &Stop) -> Result<Finding, Trouble> {
    let people = People::sign_up(subject.address, args.accounts, &args.against, stop).await?;
    let measured = beside_rooms(args, &people, subject, report, stop).await;
    // Also after a failure: these are no accounts of anybody's.
    cleared_up(measured, people.leave().await)
}

async fn beside_rooms(
    args: &args::Login,
    people: &People,
    subject: &Subject,
    report: &mut Report,
    stop: &Stop,
) -> Result<Finding, Trouble> {
    // Two for each stage, because a room that has chatted has a history.
    let rooms = Rooms::make(subject.address, 2 * args.clients.len(), &args.against, stop).await?;
    let measured = stages(args, people, &rooms, subject, report, stop).await;
    cleared_up(measured, rooms.people.leave().await)
}

async fn stages(
    args: &args::Login,
    people: &People,
    rooms: &Rooms,
    subject: &Subject,
    report: &mut Report,
    stop: &Stop,
) -> Result<Finding, Trouble> {
    let token = stop.or(people.sign_in(0)).await?;
    let dashboard = api::request("GET", DASHBOARD, subject.address, Who::Token(&token), None);
    report.say(&format!(
        "Dashboards: {} a second, a room of {MEMBERS}: {} messages a second; first while nobody signs in (quiet), then \
         during the flood; times in ms.\n",
        args.probe_rate.0, args.chat_rate.0
    ));
    report.say(&TABLE.head());
    for (n, &clients) in args.clients.iter().enumerate() {
        let address = subject.address;
        let probing = || async {
            let (turns, meter) =
                (Arc::new(Turns::begin(args.seconds, Some(args.probe_rate))), Arc::new(Meter::default()));
            let probes = (0..PROBES).map(|_| Caller::new(address, dashboard.clone(), &turns, &meter).run());
            stage(turns.clone(), &meter, subject, probes, stop).await
        };
        let (quiet, quiet_chat) = tokio::join!(probing(), chat(args, rooms, 2 * n, subject, stop));
        let ((quiet, _, is_interrupted), quiet_chat) = (quiet?, quiet_chat?);
        if is_interrupted {
            show_quiet(quiet, quiet_chat, report);
            return Err(Trouble::Interrupted);
        }
        let flood = async {
            let (turns, meter) = (Arc::new(Turns::begin(args.seconds, None)), Arc::new(Meter::default()));
            let callers = (0..clients).map(|client| {
                let body = people.sign_in_body(client % people.all.len());
                let request = api::request("POST", SIGN_IN, address, Who::Nobody, Some(&body));
                let after_busy = Duration::from_millis(args.after_busy_ms);
                Caller { after_busy, ..Caller::new(address, request, &turns, &meter) }.run()
            });
            stage(turns.clone(), &meter, subject, callers, stop).await
        };
        let chatting = chat(args, rooms, 2 * n + 1, subject, stop);
        let cpu_before = subject.cpu();
        let (sign_ins, dashboards, flooded_chat) = tokio::join!(flood, probing(), chatting);
        let cpu = subject.cpu().zip(cpu_before).and_then(|(now, before)| now.checked_sub(before));
        let ((sign_ins, _, is_interrupted), (flooded, ..)) = (sign_ins?, dashboards?);
        let chats = (quiet_chat, flooded_chat?);
        let is_wrong = !chats.0.faults.is_none() || !chats.1.faults.is_none();
        let not_measured = chats.0.not_measured().or_else(|| chats.1.not_measured());
        let told = [without_busy(&sign_ins), quiet.clone(), flooded.clone()];
        show(clients, sign_ins, (quiet, flooded), chats, cpu, report);
        if is_interrupted {
            return Err(Trouble::Interrupted);
        }
        if is_wrong {
            return Ok(Finding::Wrong);
        }
        if let Some(why) = not_measured {
            return Err(why);
        }
        for outcome in told {
            if outcome.judge(subject, report).await? == Finding::Wrong {
                return Ok(Finding::Wrong);
            }
        }
    }
    Ok(Finding::Right)
}

/// A room in which something is said at a steady rate.
async fn chat(
    args: &args::Login,
    rooms: &Rooms,
    which: usize,
    subject: &Subject,
    stop: &Stop,
) -> Result<chat::Stage, Trouble> {
    let room = Rooms { people: rooms.people.clone(), ids: rooms.ids[which..=which].to_vec() };
    let (dialect, hall) = room.fill(subject.address, MEMBERS, stop).await?;
    let course = Course {
        pace: Pace::Open(args.chat_rate),
        warm_up: Duration::ZERO,
        length: args.seconds,
        length_of_text: LENGTH_OF_TEXT,
    };
    let (measured, _, _) = drive_and(dialect, hall, &course, subject, stop, |_| {}).await?;
    let size = Size { rooms: 1, members: MEMBERS };
    Ok(chat::Stage::new(size, &course, measured, Cost::default(), chat::Memory::default()))
}

/// The outcome without the 503 answers, which are correct in a flood.
fn without_busy(sign_ins: &Outcome) -> Outcome {
    let mut others = sign_ins.clone();
    others.failures.remove("503");
    others
}

/// A connection that asks for the same things again and again.
pub(crate) struct Caller {
    address: Address,
    /// And the status of a good answer.
    requests: Vec<(Vec<u8>, u16)>,
    turns: Arc<Turns>,
    meter: Arc<Meter>,
    connection: Option<Connection>,
    after_busy: Duration,
}

impl Caller {
    fn new(address: Address, request: Vec<u8>, turns: &Arc<Turns>, meter: &Arc<Meter>) -> Self {
        Self::of_many(address, vec![(request, 200)], turns, meter)
    }

    pub(crate) fn of_many(
        address: Address,
        requests: Vec<(Vec<u8>, u16)>,
        turns: &Arc<Turns>,
        meter: &Arc<Meter>,
    ) -> Self {
        Self {
            address,
            requests,
            turns: turns.clone(),
            meter: meter.clone(),
            connection: None,
            after_busy: Duration::ZERO,
        }
    }

    pub(crate) async fn run(mut self) {
        for n in (0..self.requests.len()).cycle() {
            let Some(due) = self.turns.next().await else { return };
            let wanted = self.requests[n].1;
            match self.call(n).await {
                Ok(status) if status == wanted => self.meter.good(clock::now().saturating_duration_since(due)),
                Ok(503) => {
                    self.meter.failed(503);
                    sleep(self.after_busy).await;
                }
                Ok(status) => self.meter.failed(status),
                Err(error) => self.meter.failed(error),
            }
        }
    }

    async fn call(&mut self, n: usize) -> Result<u16, HttpError> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => Connection::open(self.address).await?,
        };
        let reply = connection.call(&self.requests[n].0).await?;
        let (status, is_kept) = (reply.status, reply.is_kept);
        self.connection = is_kept.then_some(connection);
        Ok(status)
    }
}

/// What there is when the flood has not come yet.
fn show_quiet(dashboard: Outcome, chat: chat::Stage, report: &mut Report) {
    let (of_dashboard, of_chat) = (&dashboard.latency, &chat.latency);
    report.say(&format!(
        "Quiet: dashboard p50 {} ms, p99 {} ms; chat p99 {} ms.",
        of_dashboard.shown(of_dashboard.p50),
        of_dashboard.shown(of_dashboard.p99),
        of_chat.shown(of_chat.p99)
    ));
    chat.remarks().iter().for_each(|line| report.say(line));
    report.set("quiet", Quiet { dashboard, chat });
}

fn show(
    clients: usize,
    sign_ins: Outcome,
    (quiet, flooded): (Outcome, Outcome),
    (quiet_chat, flooded_chat): (chat::Stage, chat::Stage),
    cpu: Option<Duration>,
    report: &mut Report,
) {
    let times = |flooded: u64, quiet: u64| flooded as f64 / quiet.max(1) as f64;
    let busy = sign_ins.failures.get("503").copied().unwrap_or(0);
    let stage = Stage {
        clients,
        busy_per_second: busy as f64 / sign_ins.seconds,
        times_p50: times(flooded.latency.p50, quiet.latency.p50),
        times_p99: times(flooded.latency.p99, quiet.latency.p99),
        server_cpu_percent: cpu.map(|cpu| cpu.as_secs_f64() / sign_ins.seconds * 100.0),
        sign_ins: sign_ins.among_others(),
        quiet_dashboard: quiet.among_others(),
        flooded_dashboard: flooded.among_others(),
        times_chat_p99: times(flooded_chat.latency.p99, quiet_chat.latency.p99),
        quiet_chat,
        flooded_chat,
    };
    let (latency, quiet, flooded) = (&stage.sign_ins.latency, &stage.quiet_dashboard, &stage.flooded_dashboard);
    report.say(&TABLE.row(&[
        clients.to_string(),
        cell(Some(stage.sign_ins.good_per_second), 1),
        latency.shown(latency.p50),
        latency.shown(latency.p99),
        latency.shown(latency.max),
        cell(Some(stage.busy_per_second), 0),
        (stage.sign_ins.failed() - busy).to_string(),
        quiet.latency.shown(quiet.latency.p50),
        flooded.latency.shown(flooded.latency.p50),
        cell(Some(stage.times_p50), 2),
        quiet.latency.shown(quiet.latency.p99),
        flooded.latency.shown(flooded.latency.p99),
        cell(Some(stage.times_p99), 2),
        stage.quiet_chat.latency.shown(stage.quiet_chat.latency.p99),
        stage.flooded_chat.latency.shown(stage.flooded_chat.latency.p99),
        cell(Some(stage.times_chat_p99), 2),
    ]));
    for outcome in [&stage.sign_ins, quiet, flooded] {
        outcome.remarks().iter().for_each(|line| report.say(line));
    }
    for chat in [&stage.quiet_chat, &stage.flooded_chat] {
        chat.remarks().iter().for_each(|line| report.say(line));
    }
    if stage.server_cpu_percent.is_some() {
        report.say(&format!("    The server used {} % of one core in the flood.", cell(stage.server_cpu_percent, 0)));
    }
    report.push("stages", stage);
}
