//! Rooms full of members: what one says, all hear. How much that costs the
//! server, how long it takes, and whether everybody hears everything once
//! and in the same order.

use crate::args;
use crate::crowd::Size;
use crate::engine::pace::Pace;
use crate::fanout::ground::Ground;
use crate::fanout::stage::TABLE;
use crate::report::Report;
use crate::stop::Stop;
use crate::subject::{Subject, allow_connections};
use crate::trouble::{Finding, Trouble, cleared_up};

pub(crate) mod ground;
pub(crate) mod stage;

/// Runs `annon-bench fanout`.
pub(crate) async fn run(args: &args::Fanout, report: &mut Report, stop: &Stop) -> Result<Finding, Trouble> {
    let most = args.rooms.iter().copied().max().unwrap_or(0) * args.members;
    allow_connections(most)?;
    let subject = stop.or(Subject::of_kind(args.speak, &args.against, report)).await?;
    let measured = stages(args, &subject, report, stop).await;
    cleared_up(measured, subject.end().await)
}

async fn stages(args: &args::Fanout, subject: &Subject, report: &mut Report, stop: &Stop) -> Result<Finding, Trouble> {
    let how = match args.pace() {
        Pace::Open(rate) => format!("{} sends a second over all rooms", rate.0),
        Pace::Closed { on_their_way } => format!("each room has {on_their_way} on their way"),
    };
    report.say(&format!("Messages of {} characters; {how}; {} s each\n", args.length, args.seconds.as_secs_f64()));
    report.say(&TABLE.head());
    let mut finding = Finding::Right;
    for &rooms in &args.rooms {
        let size = Size { rooms, members: args.members };
        let ground = Ground { speak: args.speak, against: &args.against, subject, report, stop };
        let (stage, is_interrupted) = ground.measure(size, &args.course()).await?;
        report.say(&stage.row());
        stage.remarks().iter().for_each(|line| report.say(line));
        if !stage.faults.is_none() {
            finding = Finding::Wrong;
        }
        let is_empty = stage.deliveries == 0 && stage.faults.is_none();
        let refusal = stage.refusal.clone();
        report.push("stages", stage);
        if is_interrupted {
            return Err(Trouble::Interrupted);
        }
        if is_empty {
            let why = refusal.unwrap_or_else(|| "nothing was said".to_owned());
            return Err(Trouble::because(format!("no message was delivered: {why}")));
        }
    }
    if finding == Finding::Right {
        report.say("Checked: every message reached every member, once, in the same order.");
    }
    Ok(finding)
}
