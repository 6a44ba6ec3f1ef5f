//! Connections that nobody says anything on: what each costs in memory, and
//! whether the server keeps them all.

use serde::Serialize;

use crate::args;
use crate::crowd::Size;
use crate::engine::pace::{Course, Pace};
use crate::fanout::ground::{Ground, Held};
use crate::fanout::stage::Stage;
use crate::report::{Report, Table, cell};
use crate::stop::Stop;
use crate::subject::{Subject, allow_connections};
use crate::trouble::{Finding, Trouble, cleared_up};

const TABLE: Table = Table(&["connections", "rooms", "KiB/connection", "server MiB", "server CPU %", "closed"]);

/// One stage, as programs read it.
#[derive(Serialize)]
struct Idle {
    connections: usize,
    rooms: usize,
    /// Bytes.
    memory_per_connection: Option<f64>,
    memory: Option<u64>,
    /// Of one core, while nothing was said.
    server_cpu_percent: Option<f64>,
    closed: u64,
}

impl Idle {
    fn of(size: Size, stage: &Stage) -> Self {
        Self {
            connections: size.connections(),
            rooms: size.rooms,
            memory_per_connection: stage.memory_per_connection,
            memory: stage.memory,
            server_cpu_percent: stage.server_cpu.map(|cpu| cpu.as_secs_f64() / stage.seconds * 100.0),
            closed: stage.faults.cut,
        }
    }

    fn row(&self) -> String {
        TABLE.row(&[
            self.connections.to_string(),
            self.rooms.to_string(),
            cell(self.memory_per_connection.map(|bytes| bytes / 1024.0), 1),
            cell(self.memory.map(|bytes| bytes as f64 / 1024.0 / 1024.0), 0),
            cell(self.server_cpu_percent, 1),
            self.closed.to_string(),
        ])
    }
}

/// Runs `annon-bench idle`.
pub(crate) async fn run(args: &args::Idle, report: &mut Report, stop: &Stop) -> Result<Finding, Trouble> {
    allow_connections(args.connections.iter().copied().max().unwrap_or(0))?;
    let mut subject = stop.or(Subject::of_kind(args.bare, &args.against, report)).await?;
    let measured = stages(args, &mut subject, report, stop).await;
    cleared_up(measured, subject.end().await)
}

async fn stages(
    args: &args::Idle,
    subject: &mut Subject,
    report: &mut Report,
    stop: &Stop,
) -> Result<Finding, Trouble> {
    if subject.pid().is_none() {
        report.say("Without --server-pid the server's memory can't be seen.");
    }
    let held = args.seconds.as_secs_f64();
    report.say(&format!(
        "Memory that connections add, each with its seat in a room of {}; held {held} s\n",
        args.members
    ));
    subject.say_if_used(args.connections.len(), report);
    report.say(&TABLE.head());
    let course = Course {
        pace: Pace::Closed { on_their_way: 0 },
        warm_up: std::time::Duration::ZERO,
        length: args.seconds,
        length_of_text: crate::engine::words::SHORTEST,
    };
    for (stage, &connections) in args.connections.iter().enumerate() {
        if stage > 0 {
            stop.or(subject.renew(&args.against)).await?;
        }
        // Fewer than a room has members get a smaller room.
        let members = args.members.min(connections);
        let size = Size { rooms: connections.div_ceil(members), members };
        let is_used = subject.is_used(stage);
        let ground = Ground { is_bare: args.bare, against: &args.against, subject, stop, is_used };
        let Held { stage, is_interrupted, cleared } = ground.measure(size, &course).await?;
        let idle = Idle::of(size, &stage);
        report.say(&idle.row());
        report.push("stages", idle);
        if stage.faults.is_none() {
            stage.cut_short().iter().for_each(|line| report.say(line));
        } else {
            stage.remarks().iter().for_each(|line| report.say(line));
        }
        if is_interrupted {
            return Err(Trouble::Interrupted);
        }
        let finding = if stage.faults.is_none() { Finding::Right } else { Finding::Wrong };
        if cleared_up(Ok(finding), cleared)? == Finding::Wrong {
            return Ok(Finding::Wrong);
        }
    }
    Ok(Finding::Right)
}
