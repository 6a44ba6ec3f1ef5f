//! Pictures in groups: how many a second can be stored, each of them drawn
//! anew by the server, and how many can be read.

use std::sync::Arc;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::Serialize;

use crate::args;
use crate::crowd::Rooms;
use crate::load::{Meter, Outcome, stage};
use crate::report::{Report, Table, cell};
use crate::stop::Stop;
use crate::subject::{Subject, allow_connections};
use crate::trouble::{Finding, Trouble, cleared_up};
use crate::turns::Turns;

mod painter;
mod png;

pub(crate) use painter::{Album, PER_ROOM, Painter};

const TABLE: Table =
    Table(&["what", "clients", "pictures/s", "p50 ms", "p99 ms", "max ms", "failed", "server ms each", "own ms each"]);

/// One stage, as programs read it.
#[derive(Serialize)]
struct Stage {
    what: &'static str,
    clients: usize,
    #[serde(flatten)]
    outcome: Outcome,
}

/// Runs `annon-bench images`.
pub(crate) async fn run(args: &args::Images, report: &mut Report, stop: &Stop) -> Result<Finding, Trouble> {
    let most = args.clients.iter().copied().max().unwrap_or(0);
    allow_connections(most)?;
    let subject = stop.or(Subject::prepare(&args.against, report)).await?;
    let measured = measure(args, &subject, report, stop).await;
    cleared_up(measured, subject.end().await)
}

async fn measure(args: &args::Images, subject: &Subject, report: &mut Report, stop: &Stop) -> Result<Finding, Trouble> {
    // Everybody in a room of their own, a new one each stage: a room holds
    // only so many pictures.
    let rooms = Rooms::make(subject.address, args.clients.iter().sum(), &args.against, stop).await?;
    let picture = picture(args.width, 1);
    report.say(&format!(
        "{} × {} pixels, a PNG of {} KiB in base64\n",
        args.width,
        args.width * 2 / 3,
        picture.len() / 1024
    ));
    report.say(&TABLE.head());
    let measured = stages(args, &rooms, &Arc::new(picture), subject, report, stop).await;
    cleared_up(measured, rooms.people.leave().await)
}

/// A picture as it travels.
pub(crate) fn picture(width: u32, seed: u32) -> String {
    BASE64_STANDARD.encode(png::png(width, width * 2 / 3, seed))
}

async fn stages(
    args: &args::Images,
    rooms: &Rooms,
    picture: &Arc<String>,
    subject: &Subject,
    report: &mut Report,
    stop: &Stop,
) -> Result<Finding, Trouble> {
    let mut free = rooms.ids.iter();
    for &clients in &args.clients {
        let mut painters = Vec::new();
        for room in free.by_ref().take(clients) {
            let album = Album::new(std::slice::from_ref(room));
            painters.push(stop.or(Painter::new(subject.address, &album).sit()).await?);
        }
        let (turns, meter) = (Arc::new(Turns::begin(args.seconds, None)), Arc::new(Meter::default()));
        let sending = painters.into_iter().map(|painter| painter.send(picture.clone(), turns.clone(), meter.clone()));
        let (outcome, painters, is_interrupted) = stage(turns.clone(), &meter, subject, sending, stop).await?;
        let ended_after = outcome.seconds;
        let judged = show(Stage { what: "sent", clients, outcome }, subject, report).await;
        if is_interrupted {
            return Err(Trouble::Interrupted);
        }
        if judged? == Finding::Wrong {
            return Ok(Finding::Wrong);
        }
        if ended_after < args.seconds.as_secs_f64() {
            report.say(&format!(
                "    All rooms were full after {ended_after:.1} s: each holds {PER_ROOM} pictures at most."
            ));
        }
        let (turns, meter) = (Arc::new(Turns::begin(args.seconds, None)), Arc::new(Meter::default()));
        let reading = painters.into_iter().map(|painter| painter.read(turns.clone(), meter.clone()));
        let (outcome, _, is_interrupted) = stage(turns.clone(), &meter, subject, reading, stop).await?;
        let judged = show(Stage { what: "read", clients, outcome }, subject, report).await;
        if is_interrupted {
            return Err(Trouble::Interrupted);
        }
        if judged? == Finding::Wrong {
            return Ok(Finding::Wrong);
        }
    }
    Ok(Finding::Right)
}

async fn show(stage: Stage, subject: &Subject, report: &mut Report) -> Result<Finding, Trouble> {
    let Outcome { latency, .. } = &stage.outcome;
    report.say(&TABLE.row(&[
        stage.what.to_owned(),
        stage.clients.to_string(),
        cell(Some(stage.outcome.good_per_second), 1),
        latency.shown(latency.p50),
        latency.shown(latency.p99),
        latency.shown(latency.max),
        stage.outcome.failed().to_string(),
        cell(stage.outcome.server_cpu_each.map(|micros| micros / 1000.0), 2),
        cell(stage.outcome.own_cpu_each.map(|micros| micros / 1000.0), 2),
    ]));
    stage.outcome.remarks().iter().for_each(|line| report.say(line));
    let judged = stage.outcome.judge(subject, report).await;
    report.push("stages", stage);
    judged
}
