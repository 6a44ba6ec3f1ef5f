//! Members who come, connect and leave again, for good: a seat is taken, a
//! socket opened, everything said that was missed, and both are given back.

use std::sync::Arc;

use serde::Serialize;

use crate::api::Api;
use crate::args;
use crate::clock;
use crate::cpu;
use crate::crowd::{Rooms, join};
use crate::load::{Meter, Outcome, stage};
use crate::report::{Report, Table, cell};
use crate::stop::Stop;
use crate::subject::{Subject, allow_connections};
use crate::target::Address;
use crate::trouble::{Finding, Trouble, cleared_up};
use crate::turns::Turns;

/// Members of a room at the same time: one seat stays free for who comes
/// while another leaves.
const PER_ROOM: usize = 8;

const TABLE: Table = Table(&[
    "clients",
    "comings/s",
    "p50 ms",
    "p99 ms",
    "max ms",
    "failed",
    "server ms each",
    "own ms each",
    "server MiB",
]);

/// One stage, as programs read it.
#[derive(Serialize)]
struct Stage {
    clients: usize,
    rate: Option<f64>,
    #[serde(flatten)]
    outcome: Outcome,
    /// Bytes of the whole server afterwards.
    memory: Option<u64>,
}

/// Runs `annon-bench churn`.
pub(crate) async fn run(args: &args::Churn, report: &mut Report, stop: &Stop) -> Result<Finding, Trouble> {
    let most = args.clients.iter().copied().max().unwrap_or(0);
    allow_connections(2 * most)?;
    let subject = stop.or(Subject::prepare(&args.against, report)).await?;
    let measured = measure(args, most, &subject, report, stop).await;
    cleared_up(measured, subject.end().await)
}

async fn measure(
    args: &args::Churn,
    most: usize,
    subject: &Subject,
    report: &mut Report,
    stop: &Stop,
) -> Result<Finding, Trouble> {
    let rooms = Rooms::make(subject.address, most.div_ceil(PER_ROOM), &args.against, stop).await?;
    let how = if args.keep_seats { "sockets open and close; seats stay" } else { "seats are taken and given back" };
    report.say(&format!("{how}; a coming counts from its first call until its socket is ready\n"));
    report.say(&TABLE.head());
    let measured = stages(args, &rooms, subject, report, stop).await;
    cleared_up(measured, rooms.people.leave().await)
}

async fn stages(
    args: &args::Churn,
    rooms: &Rooms,
    subject: &Subject,
    report: &mut Report,
    stop: &Stop,
) -> Result<Finding, Trouble> {
    // A seat that is kept is there for the next stage, too: others would not
    // find room.
    let mut cookies: Vec<Option<String>> = Vec::new();
    for &clients in &args.clients {
        cookies.resize(cookies.len().max(clients), None);
        let (turns, meter) = (Arc::new(Turns::begin(args.seconds, args.rate)), Arc::new(Meter::default()));
        let visitors = (0..clients).map(|client| {
            let room = rooms.ids[client / PER_ROOM].clone();
            let (address, cookie) = (subject.address, cookies[client].take());
            let visitor = Visitor { address, room, client, keeps_seat: args.keep_seats, cookie };
            visitor.run(turns.clone(), meter.clone())
        });
        let (outcome, returned, is_interrupted) = stage(turns.clone(), &meter, subject, visitors, stop).await?;
        returned.into_iter().for_each(|(client, cookie)| cookies[client] = cookie);
        let memory = subject.pid().and_then(cpu::memory_of);
        let done = Stage { clients, rate: args.rate.map(|rate| rate.0), outcome, memory };
        report.say(&row(&done));
        done.outcome.remarks().iter().for_each(|line| report.say(line));
        let judged = done.outcome.judge(subject, report).await;
        let is_empty = done.outcome.good == 0;
        report.push("stages", done);
        if is_interrupted {
            return Err(Trouble::Interrupted);
        }
        match judged {
            Ok(Finding::Wrong) => return Ok(Finding::Wrong),
            Err(Trouble::Because(why)) if is_empty => {
                return Err(Trouble::because(format!("nobody came in: {why}")));
            }
            Err(trouble) => return Err(trouble),
            Ok(Finding::Right) if is_empty => return Err(Trouble::because("nobody came in")),
            Ok(Finding::Right) => {}
        }
    }
    Ok(Finding::Right)
}

/// One who comes and goes.
pub(crate) struct Visitor {
    pub(crate) address: Address,
    pub(crate) room: String,
    pub(crate) client: usize,
    pub(crate) keeps_seat: bool,
    pub(crate) cookie: Option<String>,
}

impl Visitor {
    /// Until the turns are over; returns who it is, and the seat it has kept.
    pub(crate) async fn run(mut self, turns: Arc<Turns>, meter: Arc<Meter>) -> (usize, Option<String>) {
        let mut api = Api::new(self.address);
        while let Some(due) = turns.next().await {
            match self.come(&mut api).await {
                Ok(socket) => {
                    meter.good(clock::now().saturating_duration_since(due));
                    if let Err(why) = self.leave(&mut api, socket).await {
                        meter.failed(why);
                    }
                }
                Err(why) => meter.failed(why),
            }
        }
        (self.client, self.cookie)
    }

    async fn come(&mut self, api: &mut Api) -> Result<crate::socket::Socket, String> {
        let cookie = match &self.cookie {
            Some(cookie) => cookie.clone(),
            None => api.seat(&self.room, None).await.map_err(|trouble| trouble.to_string())?.cookie,
        };
        self.cookie = Some(cookie.clone());
        let joined = join(self.address, &self.room, &cookie, None, self.client).await;
        joined.map(|(socket, _)| socket).map_err(|error| error.to_string())
    }

    async fn leave(&mut self, api: &mut Api, socket: crate::socket::Socket) -> Result<(), String> {
        socket.close().await.map_err(|error| error.to_string())?;
        if self.keeps_seat {
            return Ok(());
        }
        let Some(cookie) = self.cookie.take() else { return Ok(()) };
        api.leave_room(&self.room, &cookie).await.map_err(|trouble| trouble.to_string())
    }
}

fn row(stage: &Stage) -> String {
    let outcome = &stage.outcome;
    TABLE.row(&[
        stage.clients.to_string(),
        cell(Some(outcome.good_per_second), 0),
        outcome.latency.shown(outcome.latency.p50),
        outcome.latency.shown(outcome.latency.p99),
        outcome.latency.shown(outcome.latency.max),
        outcome.failed().to_string(),
        cell(outcome.server_cpu_each.map(|micros| micros / 1000.0), 2),
        cell(outcome.own_cpu_each.map(|micros| micros / 1000.0), 2),
        cell(stage.memory.map(|bytes| bytes as f64 / 1024.0 / 1024.0), 0),
    ])
}
