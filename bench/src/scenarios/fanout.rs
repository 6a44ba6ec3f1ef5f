//! Rooms full of members: what one says, all hear. How much that costs the
//! server, how long it takes, and whether everybody hears everything once
//! and in the same order.

use crate::args;
use crate::load::chat::{self, Course, Flow, Overload, Talked};
use crate::load::latency::careful;
use crate::load::process::each;
use crate::load::rooms;
use crate::load::stage::unfinished;
use crate::report::Row;
use crate::scenarios::Run;
use crate::trouble::Trouble;

/// Deliveries that no server makes without any processor time.
const MANY: u64 = 50_000;
/// Seconds in which nothing can be measured: it ended in its warm-up.
const NOTHING: f64 = 0.01;

pub(super) async fn measure(args: &args::Fanout, run: &mut Run<'_>) -> Result<(), Trouble> {
    let course = args.course();
    let how = match course.flow {
        Flow::Open(rate) => format!("{} sends a second over all rooms", rate.0),
        Flow::Closed { in_flight } => format!("each room has {in_flight} on their way"),
    };
    run.report.say(&format!("Messages of {} characters; {how}; {} s each", args.length, args.seconds.as_secs_f64()));
    let mut costs = Vec::new();
    let ended = curve(args, course, run, &mut costs).await;
    // Also of a run that somebody ended: as far as it went.
    if let (Ok(()) | Err(Trouble::Interrupted), [first, .., last]) = (&ended, costs.as_slice()) {
        let times = |of: fn(&Cost) -> Option<f64>| match (of(first), of(last)) {
            (Some(first), Some(last)) if first > 0.0 => format!("{:.2}", last / first),
            _ => "–".to_owned(),
        };
        run.report.say(&format!(
            "From {} to {} connections: processor time for a delivery × {}, memory for a connection × {}.",
            first.connections,
            last.connections,
            times(|cost| cost.cpu),
            times(|cost| cost.memory)
        ));
    }
    if ended.is_ok() {
        run.report.say("Checked: every message reached every member, once, in the same order.");
    }
    ended
}

/// What should be the same however many there are.
struct Cost {
    connections: usize,
    /// Of a delivery.
    cpu: Option<f64>,
    /// Of a connection, in bytes.
    memory: Option<f64>,
}

/// Stage after stage; their costs are those of the stages that came to their
/// end.
async fn curve(args: &args::Fanout, course: Course, run: &mut Run<'_>, costs: &mut Vec<Cost>) -> Result<(), Trouble> {
    for (stage, &rooms) in args.rooms.iter().enumerate() {
        let (talked, memory) = hold(rooms, args.members, course, args.bare, stage, run).await?;
        let is_whole = run.stop.check();
        let cpu = each(talked.cost.server, talked.deliveries);
        run.report.row("stages", row((rooms, args.members), course, &talked, memory));
        is_whole?;
        costs.push(Cost { connections: rooms * args.members, cpu, memory });
        judge(&talked, course, args.members)?;
        if talked.deliveries == 0 {
            let why = talked.refusal.as_deref().unwrap_or("nothing was said");
            return Err(Trouble::because(format!("no message was delivered: {why}")));
        }
    }
    Ok(())
}

/// Fills rooms and has everybody talk in them: what came of it, and the bytes
/// of the server that each connection added, with its seat.
pub(super) async fn hold(
    rooms: usize,
    members: usize,
    course: Course,
    is_bare: bool,
    stage: usize,
    run: &mut Run<'_>,
) -> Result<(Talked, Option<f64>), Trouble> {
    let stop = run.stop;
    if stage > 0 {
        stop.or(run.subject.renew(run.against)).await?;
    }
    let ids = if is_bare { rooms::bare(rooms) } else { run.rooms(rooms).await? };
    let before = run.subject.memory();
    let hall = rooms::fill(run.address(), &ids, members, stop).await?;
    // Memory that an earlier stage has left behind is used again, so that
    // what is added then says nothing.
    let is_fresh = stage == 0 || run.subject.folder().is_some();
    let added = before.zip(run.subject.memory()).filter(|_| is_fresh);
    let memory = added.map(|(before, now)| now.saturating_sub(before) as f64 / (rooms * members) as f64);
    Ok((chat::run(hall, course, &run.subject, stop).await?, memory))
}

/// An error if the server was wrong, or if this says nothing of it.
pub(super) fn judge(talked: &Talked, course: Course, members: usize) -> Result<(), Trouble> {
    if !talked.faults.is_none() {
        return Err(Trouble::Wrong);
    }
    if talked.is_limited {
        let why =
            "the server limits how much one socket may send: start it with --sends-per-second 0, or give a --rate";
        return Err(Trouble::because(why));
    }
    match (talked.overload, course.flow) {
        (Some(_), Flow::Open(rate)) => Err(Trouble::because(format!(
            "this program itself can't keep up with {} sends a second to {members} members here: ask for a lower --rate",
            rate.0
        ))),
        _ => Ok(()),
    }
}

fn row((rooms, members): (usize, usize), course: Course, talked: &Talked, memory: Option<f64>) -> Row {
    let Talked { seconds, sends, deliveries, cost, faults, .. } = talked;
    let (sends, received) = (*sends as f64 / seconds, *deliveries as f64 / seconds);
    values(course, talked)
        .count("rooms", rooms)
        .count("members", members)
        .number("sends/s", "sends_per_second", Some(sends), 0)
        .number("deliveries/s", "deliveries_per_second", Some(received), 0)
        .times(&talked.latency, &["p50 ms", "p99 ms", "p99.9 ms", "max ms"])
        .number("server s/million", "server_cpu_per_million", each(cost.server, *deliveries), 2)
        .number("own s/million", "own_cpu_per_million", each(cost.own, *deliveries), 2)
        .bytes("KiB/connection", "memory_per_connection", memory)
        .count("refused", talked.refused as usize)
        .number("wrong", "wrong", Some(faults.count() as f64), 0)
}

/// What programs read of a talk, without its costs, and what there is to say
/// of it.
pub(super) fn values(course: Course, talked: &Talked) -> Row {
    let (rate, in_flight) = match course.flow {
        Flow::Open(rate) => (Some(rate.0), None),
        Flow::Closed { in_flight } => (None, Some(in_flight)),
    };
    let cut_short_of = talked.is_cut_short.then_some(course.length.as_secs_f64());
    Row::default()
        .only("rate", rate)
        .only("on_their_way", in_flight)
        .only("seconds", talked.seconds)
        .only("cut_short_of", cut_short_of)
        .only("deliveries", talked.deliveries)
        .only("unheard", talked.unheard)
        .only("latency", talked.latency)
        .only("own_lateness", talked.own_lateness)
        .only("untaken", talked.untaken)
        .only("refusal", &talked.refusal)
        .only("overload", talked.overload)
        .only("faults", &talked.faults)
        .only("ticks", &talked.ticks)
        .remarks(remarks(talked, course))
}

/// Lines about what went otherwise than it should.
pub(super) fn remarks(talked: &Talked, course: Course) -> Vec<String> {
    let mut lines = Vec::new();
    match talked.is_cut_short {
        true if talked.seconds < NOTHING => {
            lines.push("Unfinished: ended in the warm-up, before any message counts.".to_owned());
        }
        true => lines.push(unfinished(talked.seconds, course.length.as_secs_f64())),
        false => {}
    }
    if talked.unheard > 0 && talked.overload.is_none() {
        lines.push(format!("{} deliveries were still on their way when it was ended.", talked.unheard));
    }
    if talked.untaken > 0 {
        let untaken = talked.untaken;
        lines.push(format!("{untaken} were due and never went out: the server took no more. They count as late."));
    }
    if let Some(Overload { behind_seconds, unsent, closed }) = talked.overload {
        lines.push(format!(
            "Careful: this measured this program, which fell {behind_seconds:.1} s behind: {unsent} messages never went \
             out, and the server closed {closed} connections that were not read in time."
        ));
    } else {
        lines.extend(talked.own_lateness.as_ref().and_then(|lateness| careful(lateness, "messages")));
    }
    if let Some(why) = &talked.refusal {
        lines.push(format!("{} were refused: {why}", talked.refused));
    }
    if talked.cost.server.is_some_and(|cpu| cpu.is_zero()) && talked.deliveries > MANY {
        let many = talked.deliveries;
        lines.push(format!("Careful: no processor time for {many} deliveries: is --server-pid the server's process?"));
    }
    if !talked.faults.is_none() {
        lines.push(format!("WRONG: {}.", talked.faults.line()));
        lines.extend(talked.faults.examples.clone());
    }
    lines
}
