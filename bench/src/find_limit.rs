//! The highest rate of sends at which a given share of messages is in time:
//! doubled until it no longer holds, then halved in between.

use std::time::Duration;

use serde::Serialize;

use crate::args;
use crate::crowd::Size;
use crate::engine::pace::{Course, Pace};
use crate::fanout::ground::{Ground, Held};
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
    /// Above that it was this program that was late.
    is_testers: bool,
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
    let (mut tried, mut between, mut is_testers_limit) = (0, 0, false);
    let mut rate = args.from.0;
    while between < BETWEEN && rate <= HIGHEST {
        let is_used = tried > 0;
        tried += 1;
        let ground = Ground { speak: args.speak, against: &args.against, subject, stop, is_used };
        let held = try_rate(args, Rate(rate), ground, report).await;
        let is_any_known = holds.or(fails).is_some();
        if matches!(held, Err(Trouble::Interrupted) | Ok(Held { is_interrupted: true, .. })) && is_any_known {
            show(args, holds, is_testers_limit, "so far", report);
        }
        let Held { stage, is_interrupted, cleared } = held?;
        let is_held = holds_at(&stage, rate, args.p99_ms);
        let is_own = is_testers(&stage);
        let finding = if stage.faults.is_none() { Finding::Right } else { Finding::Wrong };
        report.push("stages", stage);
        if is_interrupted {
            return Err(Trouble::Interrupted);
        }
        if cleared_up(Ok(finding), cleared)? == Finding::Wrong {
            return Ok(Finding::Wrong);
        }
        if is_held {
            holds = Some(rate)
        } else {
            fails = Some(rate);
            is_testers_limit = is_own;
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
    show(args, holds, is_testers_limit, "", report);
    Ok(Finding::Right)
}

fn show(args: &args::FindLimit, holds: Option<f64>, is_testers: bool, so_far: &str, report: &mut Report) {
    let members = args.members as f64;
    let mut told = match holds {
        Some(rate) => format!("\nIt holds {rate:.0} sends a second ({:.0} deliveries) {so_far}", rate * members),
        None => format!("\nIt holds none of these rates {so_far}"),
    };
    told.truncate(told.trim_end().len());
    told.push('.');
    if is_testers {
        told.push_str(" Above that it was this program that was late: what the server holds is not measured.");
    }
    report.say(&told);
    let (sends_per_second, deliveries_per_second) = (holds, holds.map(|rate| rate * members));
    report.set("limit", Limit { p99_ms: args.p99_ms, sends_per_second, deliveries_per_second, is_testers });
}

/// Whether it was too slow, or a large part of the slowest hundredth's time
/// is its own lateness.
fn is_testers(stage: &Stage) -> bool {
    stage.overload.is_some() || 2 * stage.own_lateness.p99 > stage.latency.p99
}

async fn try_rate(args: &args::FindLimit, rate: Rate, ground: Ground<'_>, report: &Report) -> Result<Held, Trouble> {
    let course = Course {
        pace: Pace::Open(rate),
        warm_up: Duration::from_secs(1),
        length: args.seconds,
        length_of_text: LENGTH_OF_TEXT,
    };
    let size = Size { rooms: args.rooms, members: args.members };
    let held = ground.measure(size, &course).await?;
    report.say(&held.stage.row());
    held.stage.remarks().iter().for_each(|line| report.say(line));
    Ok(held)
}

/// Also what was refused, or went out late, was not in time; nor was what
/// this program itself was too slow for. A stage in which nothing was sent
/// says nothing about its rate.
fn holds_at(stage: &Stage, rate: f64, p99_ms: f64) -> bool {
    stage.latency.count > 0
        && stage.faults.is_none()
        && stage.overload.is_none()
        && stage.refused == 0
        && stage.latency.p99 as f64 <= p99_ms * 1000.0
        && stage.deliveries_per_second >= 0.95 * rate * stage.members as f64
}
