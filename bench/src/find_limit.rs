//! The highest rate of sends at which a given share of messages is in time:
//! doubled until it no longer holds, then halved in between.

use std::time::Duration;

use serde::Serialize;

use crate::args;
use crate::crowd::Size;
use crate::engine::pace::{Course, Pace};
use crate::fanout::ground::Ground;
use crate::fanout::stage::{Stage, TABLE};
use crate::report::Report;
use crate::stop::Stop;
use crate::subject::{Subject, allow_connections};
use crate::trouble::{Finding, Trouble, cleared_up};
use crate::turns::Rate;

/// Rates tried between one that holds and one that doesn't.
const BETWEEN: usize = 4;
/// Past that it is this program that is measured.
const HIGHEST: f64 = 1_000_000.0;
const LENGTH_OF_TEXT: usize = 100;

/// What was found, for programs.
#[derive(Serialize)]
struct Limit {
    p99_ms: f64,
    /// Nothing when not even the first rate held.
    sends_per_second: Option<f64>,
    deliveries_per_second: Option<f64>,
}

/// Runs `annon-bench find-limit`.
pub(crate) async fn run(args: &args::FindLimit, report: &mut Report, stop: &Stop) -> Result<Finding, Trouble> {
    if args.from.0 > HIGHEST {
        return Err(Trouble::because(format!("--from is at most {HIGHEST} sends a second")));
    }
    allow_connections(args.rooms * args.members)?;
    let subject = stop.or(Subject::of_kind(args.speak, &args.against, report)).await?;
    let measured = search(args, &subject, report, stop).await;
    cleared_up(measured, subject.end().await)
}

async fn search(
    args: &args::FindLimit,
    subject: &Subject,
    report: &mut Report,
    stop: &Stop,
) -> Result<Finding, Trouble> {
    report.say(&format!("Looking for the highest rate with a p99 of at most {} ms\n", args.p99_ms));
    report.say(&TABLE.head());
    let (mut holds, mut fails): (Option<f64>, Option<f64>) = (None, None);
    let mut between = 0;
    let mut rate = args.from.0;
    while between < BETWEEN && rate <= HIGHEST {
        let (stage, is_interrupted) = try_rate(args, Rate(rate), subject, report, stop).await?;
        let (is_held, is_right) = (holds_at(&stage, rate, args.p99_ms), stage.faults.is_none());
        report.push("stages", stage);
        if is_interrupted {
            return Err(Trouble::Interrupted);
        }
        if !is_right {
            return Ok(Finding::Wrong);
        }
        if is_held {
            holds = Some(rate)
        } else {
            fails = Some(rate)
        }
        rate = match (holds, fails) {
            (Some(holds), None) => holds * 2.0,
            (None, Some(fails)) if fails < 2.0 => break,
            (None, Some(fails)) => fails / 2.0,
            (Some(holds), Some(fails)) => {
                between += 1;
                (holds + fails) / 2.0
            }
            (None, None) => break,
        };
    }
    let told = match holds {
        Some(rate) => format!("\nIt holds {rate:.0} sends a second ({:.0} deliveries).", rate * args.members as f64),
        None => "\nIt holds none of these rates.".to_owned(),
    };
    report.say(&told);
    let members = args.members as f64;
    let limit =
        Limit { p99_ms: args.p99_ms, sends_per_second: holds, deliveries_per_second: holds.map(|rate| rate * members) };
    report.set("limit", limit);
    Ok(Finding::Right)
}

async fn try_rate(
    args: &args::FindLimit,
    rate: Rate,
    subject: &Subject,
    report: &Report,
    stop: &Stop,
) -> Result<(Stage, bool), Trouble> {
    let course = Course {
        pace: Pace::Open(rate),
        warm_up: Duration::from_secs(1),
        length: args.seconds,
        length_of_text: LENGTH_OF_TEXT,
    };
    let ground = Ground { speak: args.speak, against: &args.against, subject, stop };
    let size = Size { rooms: args.rooms, members: args.members };
    let (stage, is_interrupted) = ground.measure(size, &course).await?;
    report.say(&stage.row());
    stage.remarks().iter().for_each(|line| report.say(line));
    Ok((stage, is_interrupted))
}

/// Also what was refused, or went out late, was not in time; nor was what
/// this program itself was too slow for.
fn holds_at(stage: &Stage, rate: f64, p99_ms: f64) -> bool {
    stage.faults.is_none()
        && stage.overload.is_none()
        && stage.refused == 0
        && stage.latency.p99 as f64 <= p99_ms * 1000.0
        && stage.deliveries_per_second >= 0.95 * rate * stage.members as f64
}
