//! Rooms full of members: what one says, all hear. How much that costs the
//! server, how long it takes, and whether everybody hears everything once
//! and in the same order.

use crate::args;
use crate::crowd::Size;
use crate::engine::pace::Pace;
use crate::fanout::ground::{Ground, Held};
use crate::fanout::stage::{Stage, TABLE};
use crate::report::{Report, cell, times};
use crate::stop::Stop;
use crate::subject::{Subject, allow_connections};
use crate::trouble::{Finding, Trouble, cleared_up};

pub(crate) mod ground;
pub(crate) mod stage;

/// Runs `annon-bench fanout`.
pub(crate) async fn run(args: &args::Fanout, report: &mut Report, stop: &Stop) -> Result<Finding, Trouble> {
    let most = args.rooms.iter().copied().max().unwrap_or(0) * args.members;
    allow_connections(most)?;
    let mut subject = stop.or(Subject::of_kind(args.bare, &args.against, report)).await?;
    let measured = stages(args, &mut subject, report, stop).await;
    cleared_up(measured, subject.end().await)
}

async fn stages(
    args: &args::Fanout,
    subject: &mut Subject,
    report: &mut Report,
    stop: &Stop,
) -> Result<Finding, Trouble> {
    let how = match args.pace() {
        Pace::Open(rate) => format!("{} sends a second over all rooms", rate.0),
        Pace::Closed { on_their_way } => format!("each room has {on_their_way} on their way"),
    };
    report.say(&format!("Messages of {} characters; {how}; {} s each\n", args.length, args.seconds.as_secs_f64()));
    subject.say_if_used(args.rooms.len(), report);
    report.say(&TABLE.head());
    let mut costs = Vec::new();
    let ended = curve(args, subject, &mut costs, report, stop).await;
    // Also of a run that somebody ended: as far as it went.
    if let (Ok(Finding::Right) | Err(Trouble::Interrupted), [first, .., last]) = (&ended, costs.as_slice()) {
        report.say(&last.compared_with(first));
    }
    if ended == Ok(Finding::Right) {
        report.say("Checked: every message reached every member, once, in the same order.");
    }
    ended
}

/// Stage after stage; their costs are those of the stages that came to their
/// end.
async fn curve(
    args: &args::Fanout,
    subject: &mut Subject,
    costs: &mut Vec<Costs>,
    report: &mut Report,
    stop: &Stop,
) -> Result<Finding, Trouble> {
    for (stage, &rooms) in args.rooms.iter().enumerate() {
        if stage > 0 {
            stop.or(subject.renew(&args.against)).await?;
        }
        let size = Size { rooms, members: args.members };
        let Held { stage, is_interrupted, cleared } =
            Ground { is_bare: args.bare, against: &args.against, subject, stop, is_used: subject.is_used(stage) }
                .measure(size, &args.course())
                .await?;
        report.say(&stage.row());
        stage.remarks().iter().for_each(|line| report.say(line));
        let finding = if stage.faults.is_none() { Finding::Right } else { Finding::Wrong };
        let not_measured = stage.not_measured();
        let is_empty = stage.deliveries == 0 && stage.faults.is_none();
        let refusal = stage.refusal.clone();
        let cost = Costs::of(size, &stage);
        report.push("stages", stage);
        if is_interrupted {
            return Err(Trouble::Interrupted);
        }
        costs.push(cost);
        // What comes behind one that was wrong would be of a server that may
        // have ended.
        if cleared_up(Ok(finding), cleared)? == Finding::Wrong {
            return Ok(Finding::Wrong);
        }
        if let Some(why) = not_measured {
            return Err(why);
        }
        if is_empty {
            let why = refusal.unwrap_or_else(|| "nothing was said".to_owned());
            return Err(Trouble::because(format!("no message was delivered: {why}")));
        }
    }
    Ok(Finding::Right)
}

/// What should be the same however many there are.
struct Costs {
    connections: usize,
    /// Of a delivery.
    cpu: Option<f64>,
    /// Of a connection.
    memory: Option<f64>,
}

impl Costs {
    fn of(size: Size, stage: &Stage) -> Self {
        let (cpu, memory) = (stage.server_cpu_per_million, stage.memory_per_connection);
        Self { connections: size.connections(), cpu, memory }
    }

    fn compared_with(&self, first: &Self) -> String {
        format!(
            "From {} to {} connections: processor time for a delivery × {}, memory for a connection × {}.",
            first.connections,
            self.connections,
            cell(times(self.cpu, first.cpu), 2),
            cell(times(self.memory, first.memory), 2)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_stage_is_compared_with_the_first() {
        let costs = |connections, cpu, memory| Costs { connections, cpu, memory };
        let (few, many) = (costs(100, Some(8.0), Some(4096.0)), costs(19_000, Some(10.0), None));
        let told = "From 100 to 19000 connections: processor time for a delivery × 1.25, memory for a connection × –.";
        assert_eq!(many.compared_with(&few), told);
    }
}
