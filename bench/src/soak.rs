//! A steady fan-out for hours: does the server grow, or get slower?

use std::time::Duration;

use serde::Serialize;

use crate::args;
use crate::cpu;
use crate::crowd::{Rooms, Size};
use crate::drive::drive_and;
use crate::engine::live::Tick;
use crate::engine::pace::{Course, Pace};
use crate::fanout::stage::{Memory, Stage};
use crate::latency::millis;
use crate::report::{Report, Table, cell};
use crate::stop::Stop;
use crate::subject::{Subject, allow_connections};
use crate::trouble::{Finding, Trouble, cleared_up};
use crate::view::View;

const TABLE: Table =
    Table(&["minutes", "sends/s", "deliveries/s", "worst p99 ms", "max ms", "server MiB", "server CPU %"]);
const LENGTH_OF_TEXT: usize = 100;

/// What was seen since the line before.
#[derive(Debug, Clone, Serialize)]
struct Interval {
    minutes: f64,
    sends_per_second: f64,
    deliveries_per_second: f64,
    /// Of its worst second, in microseconds.
    worst_p99: u64,
    max: u64,
    memory: Option<u64>,
    server_cpu_percent: Option<f64>,
}

/// Runs `annon-bench soak`.
pub(crate) async fn run(args: &args::Soak, report: &mut Report, stop: &Stop) -> Result<Finding, Trouble> {
    allow_connections(args.rooms * args.members)?;
    let subject = stop.or(Subject::prepare(&args.against, report)).await?;
    let measured = soak(args, &subject, report, stop).await;
    cleared_up(measured, subject.end().await)
}

async fn soak(args: &args::Soak, subject: &Subject, report: &mut Report, stop: &Stop) -> Result<Finding, Trouble> {
    let size = Size { rooms: args.rooms, members: args.members };
    let rooms = Rooms::make(subject.address, size.rooms, &args.against, stop).await?;
    let measured = soak_in(&rooms, size, args, subject, report, stop).await;
    cleared_up(measured, rooms.people.leave().await)
}

async fn soak_in(
    rooms: &Rooms,
    size: Size,
    args: &args::Soak,
    subject: &Subject,
    report: &mut Report,
    stop: &Stop,
) -> Result<Finding, Trouble> {
    let (dialect, hall) = rooms.fill(subject.address, size.members, stop).await?;
    let pace = Pace::Open(args.rate);
    let course = Course { pace, warm_up: Duration::from_secs(1), length: args.hours, length_of_text: LENGTH_OF_TEXT };
    report.say(&format!("{} rooms of {}, {} sends a second\n", size.rooms, size.members, args.rate.0));
    report.say(&TABLE.head());
    let every = args.every.as_secs().max(1) as usize;
    let (mut intervals, mut cpu_before) = (Vec::<Interval>::new(), subject.cpu());
    let mut view = View::new(course.warm_up + course.length);
    let look = |ticks: &[Tick]| {
        view.show(ticks);
        let seen = intervals.len() * every;
        let Some(new) = ticks.get(seen..seen + every) else { return };
        let cpu_now = subject.cpu();
        let used = cpu_now.zip(cpu_before).and_then(|(now, before)| now.checked_sub(before));
        cpu_before = cpu_now;
        let interval = interval(new, seen + every, used, subject.pid().and_then(cpu::memory_of));
        report.say(&row(&interval));
        intervals.push(interval);
    };
    let (measured, cost, is_interrupted) = drive_and(dialect, hall, &course, subject, stop, look).await?;
    drop(view);
    let seen = intervals.len() * every;
    if let Some(rest @ [_, ..]) = measured.ticks.get(seen..) {
        let used = subject.cpu().zip(cpu_before).and_then(|(now, before)| now.checked_sub(before));
        let interval = interval(rest, measured.ticks.len(), used, subject.pid().and_then(cpu::memory_of));
        report.say(&row(&interval));
        intervals.push(interval);
    }
    let memory = Memory { per_connection: None, whole: subject.pid().and_then(cpu::memory_of) };
    let stage = Stage::new(size, &course, measured, cost, memory);
    say_growth(&intervals, report);
    stage.remarks().iter().for_each(|line| report.say(line));
    let (is_right, not_measured) = (stage.faults.is_none(), stage.not_measured());
    report.set("intervals", &intervals);
    report.push("stages", stage);
    match (is_interrupted, is_right) {
        (true, _) => Err(Trouble::Interrupted),
        (false, true) => not_measured.map_or(Ok(Finding::Right), Err),
        (false, false) => Ok(Finding::Wrong),
    }
}

fn interval(ticks: &[Tick], until: usize, cpu: Option<Duration>, memory: Option<u64>) -> Interval {
    let seconds = ticks.len() as f64;
    Interval {
        minutes: until as f64 / 60.0,
        sends_per_second: ticks.iter().map(|tick| tick.sends).sum::<u64>() as f64 / seconds,
        deliveries_per_second: ticks.iter().map(|tick| tick.deliveries).sum::<u64>() as f64 / seconds,
        worst_p99: ticks.iter().map(|tick| tick.latency.p99).max().unwrap_or_default(),
        max: ticks.iter().map(|tick| tick.latency.max).max().unwrap_or_default(),
        memory,
        server_cpu_percent: cpu.map(|cpu| cpu.as_secs_f64() / seconds * 100.0),
    }
}

fn row(interval: &Interval) -> String {
    TABLE.row(&[
        format!("{:.1}", interval.minutes),
        cell(Some(interval.sends_per_second), 0),
        cell(Some(interval.deliveries_per_second), 0),
        millis(interval.worst_p99),
        millis(interval.max),
        cell(interval.memory.map(mebibytes), 1),
        cell(interval.server_cpu_percent, 1),
    ])
}

fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / 1024.0 / 1024.0
}

/// Lines of which the second half says something.
const HALVES: usize = 4;

/// The second half against the first: a start is no growth.
fn say_growth(intervals: &[Interval], report: &Report) {
    let memories: Vec<_> = intervals.iter().filter_map(|interval| interval.memory).collect();
    if memories.len() < HALVES {
        return;
    }
    let (Some(middle), Some(last)) = (memories.get(memories.len() / 2), memories.last()) else { return };
    let grown = mebibytes(*last) - mebibytes(*middle);
    report.say(&format!("Over the second half the server's memory changed by {grown:+.1} MiB."));
}
