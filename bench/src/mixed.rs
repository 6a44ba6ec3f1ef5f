//! A realistic day: everything at once, each at its own rate, and what each
//! has of it.

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

use crate::api::{self, Who};
use crate::args;
use crate::churn::Visitor;
use crate::crowd::{Rooms, Size};
use crate::drive::{Cost, drive};
use crate::engine::pace::{Course, Pace};
use crate::fanout::stage::{Memory, Stage};
use crate::images::{Album, PER_ROOM, Painter, picture};
use crate::latency::Summary;
use crate::load::{Meter, Outcome, stage};
use crate::login::Caller;
use crate::mixed::day::{BUILT_IN, Day, rate};
use crate::mixed::notes::Notes;
use crate::people::People;
use crate::report::{Report, Table, cell, say};
use crate::stop::Stop;
use crate::subject::{Subject, allow_connections};
use crate::trouble::{Finding, Trouble, cleared_up};
use crate::turns::{Rate, Turns};

mod day;
mod notes;

const TABLE: Table = Table(&["what        ", "wanted/s", "done/s", "p50 ms", "p99 ms", "max ms", "failed"]);
/// Connections of each kind of caller.
const CALLERS: usize = 8;
/// Members who come and go, and who send pictures.
const VISITORS: usize = 8;
/// Past that the rest of the pictures is told as never sent.
const ALBUMS_MAX: f64 = 2000.0;

/// One share, as programs read it.
#[derive(Serialize)]
struct Share {
    what: &'static str,
    wanted_per_second: f64,
    done_per_second: f64,
    latency: Summary,
    failed: u64,
}

impl Share {
    fn of_chat(wanted_per_second: f64, chat: &Stage) -> Self {
        let (done_per_second, latency, failed) = (chat.sends_per_second, chat.latency, chat.refused);
        Self { what: "chat", wanted_per_second, done_per_second, latency, failed }
    }
}

/// The rooms and inboxes that the day uses.
struct Town {
    day: Day,
    rooms: Rooms,
    people: People,
}

/// Runs `annon-bench mixed --print`.
pub(crate) fn print() {
    say(BUILT_IN.trim_end());
}

/// Runs `annon-bench mixed`.
pub(crate) async fn run(args: &args::Mixed, report: &mut Report, stop: &Stop) -> Result<Finding, Trouble> {
    let day = Day::load(args.day.as_deref(), args.seconds)?;
    allow_connections(day.rooms * day.members + 4 * CALLERS + 2 * VISITORS)?;
    let subject = stop.or(Subject::prepare(&args.against, report)).await?;
    let measured = town(args, day, &subject, report, stop).await;
    cleared_up(measured, subject.end().await)
}

async fn town(
    args: &args::Mixed,
    day: Day,
    subject: &Subject,
    report: &mut Report,
    stop: &Stop,
) -> Result<Finding, Trouble> {
    // One for those who come and go, so that the others stay full, and those
    // for pictures.
    let rooms = day.rooms + 1 + albums(&day);
    let rooms = Rooms::make(subject.address, rooms, &args.against, stop).await?;
    let owners = rooms.people.clone();
    let measured = match People::sign_up(subject.address, day.inboxes, &args.against, stop).await {
        Ok(people) => {
            let town = Town { day, rooms, people };
            let measured = live(&town, subject, report, stop).await;
            cleared_up(measured, town.people.leave().await)
        }
        Err(trouble) => Err(trouble),
    };
    cleared_up(measured, owners.leave().await)
}

async fn live(town: &Town, subject: &Subject, report: &mut Report, stop: &Stop) -> Result<Finding, Trouble> {
    let Day { seconds, rooms, members, length, rates, .. } = town.day;
    let length_of_day = Duration::from_secs_f64(seconds);
    let size = Size { rooms, members };
    let chatting = Rooms { people: town.rooms.people.clone(), ids: town.rooms.ids[..rooms].to_vec() };
    let (dialect, hall) = chatting.fill(subject.address, members, stop).await?;
    let pace = rate(rates.chat).map_or(Pace::Closed { on_their_way: 0 }, Pace::Open);
    let course = Course { pace, warm_up: Duration::ZERO, length: length_of_day, length_of_text: length };
    // What can't begin is told now, and not when the day is over.
    let (painters, visitors) = (stop.or(painters(town, subject)).await?, visitors(town, subject));
    let token = stop.or(town.people.sign_in(0)).await?;
    let notes = Notes::new(subject.address, &town.people);
    let others = async {
        let shares = tokio::try_join!(
            share("notes", rates.notes, length_of_day, notes.senders(), subject, stop),
            share(
                "inbox reads",
                rates.inbox_reads,
                length_of_day,
                callers(subject, inbox(subject, &token)),
                subject,
                stop
            ),
            share("sign-ins", rates.sign_ins, length_of_day, callers(subject, sign_ins(town, subject)), subject, stop),
            share("comings", rates.comings, length_of_day, visitors, subject, stop),
            share("pictures", rates.pictures, length_of_day, painters, subject, stop),
        )?;
        Ok::<_, Trouble>([shares.0, shares.1, shares.2, shares.3, shares.4])
    };
    report.say(&format!("{rooms} rooms of {members} and {} inboxes, for {seconds} s\n", town.day.inboxes));
    let (chat, others) = tokio::join!(drive(dialect, hall, &course, subject, stop), others);
    let ((measured, cost, is_interrupted), others) = (chat?, others?);
    // What the server used, it used for everybody: no share has costs.
    let chat = Stage::new(size, &course, measured, Cost::default(), Memory::default());
    report.say(&TABLE.head());
    show(&Share::of_chat(rates.chat, &chat), &chat.remarks(), report);
    let others: Vec<_> = others.into_iter().flatten().collect();
    for (share, outcome) in &others {
        show(share, &outcome.remarks(), report);
    }
    let cpu = cost.server.map(|cpu| cpu.as_secs_f64() / chat.seconds * 100.0);
    if cpu.is_some() {
        report.say(&format!("The server used {} % of one core.", cell(cpu, 0)));
        report.set("server_cpu_percent", cpu);
    }
    let (is_right, not_measured) = (chat.faults.is_none(), chat.not_measured());
    report.push("stages", chat);
    if is_interrupted {
        return Err(Trouble::Interrupted);
    }
    if !is_right {
        return Ok(Finding::Wrong);
    }
    judge(&others, (rates.notes > 0.0).then_some(&notes), not_measured, subject, report, stop).await
}

fn show(share: &Share, remarks: &[String], report: &mut Report) {
    report.say(&row(share));
    remarks.iter().for_each(|line| report.say(line));
    report.push("shares", share);
}

/// What the day is worth, beside its chat: a server that has ended is wrong,
/// then one that has lost a note, and where most has failed nothing was
/// measured.
async fn judge(
    others: &[(Share, Outcome)],
    notes: Option<&Notes>,
    mut not_measured: Option<Trouble>,
    subject: &Subject,
    report: &mut Report,
    stop: &Stop,
) -> Result<Finding, Trouble> {
    for (share, outcome) in others {
        match outcome.judge(subject, report).await {
            Ok(Finding::Right) => {}
            Ok(Finding::Wrong) => return Ok(Finding::Wrong),
            Err(why) => {
                not_measured.get_or_insert(Trouble::because(format!("{}: {why}", share.what)));
            }
        }
    }
    if let Some(notes) = notes {
        let verdict = stop.or(notes.check()).await?;
        verdict.lines().iter().for_each(|line| report.say(line));
        let is_right = verdict.is_right();
        report.set("check", verdict);
        if !is_right {
            return Ok(Finding::Wrong);
        }
    }
    not_measured.map_or(Ok(Finding::Right), Err)
}

type Told = Option<(Share, Outcome)>;
type Work = Box<dyn FnOnce(Arc<Turns>, Arc<Meter>) -> Job + Send>;
type Job = std::pin::Pin<Box<dyn Future<Output = ()> + Send>>;

/// One kind of work, at its rate.
async fn share(
    what: &'static str,
    per_second: f64,
    length: Duration,
    workers: Vec<Work>,
    subject: &Subject,
    stop: &Stop,
) -> Result<Told, Trouble> {
    let Some(rate @ Rate(wanted_per_second)) = rate(per_second) else { return Ok(None) };
    let (turns, meter) = (Arc::new(Turns::begin(length, Some(rate))), Arc::new(Meter::default()));
    let jobs: Vec<_> = workers.into_iter().map(|work| work(turns.clone(), meter.clone())).collect();
    let (outcome, _, _) = stage(turns.clone(), &meter, subject, jobs, stop).await?;
    // When the day was ended is told by its chat.
    let outcome = Outcome { cut_short_of: None, ..outcome };
    let Outcome { good_per_second: done_per_second, latency, .. } = outcome;
    Ok(Some((Share { what, wanted_per_second, done_per_second, latency, failed: outcome.failed() }, outcome)))
}

/// Connections that make the same calls in turns, each beginning elsewhere.
fn callers(subject: &Subject, requests: Vec<(Vec<u8>, u16)>) -> Vec<Work> {
    let address = subject.address;
    let one = |first: usize| -> Work {
        let (requests, length) = (requests.clone(), requests.len());
        let mine = requests.into_iter().cycle().skip(first * length / CALLERS);
        let mine: Vec<_> = mine.take(length).collect();
        Box::new(move |turns, meter| Box::pin(Caller::of_many(address, mine, &turns, &meter).run()))
    };
    (0..CALLERS).map(one).collect()
}

fn inbox(subject: &Subject, token: &str) -> Vec<(Vec<u8>, u16)> {
    vec![(api::request("GET", "/api/messages?limit=50", subject.address, Who::Token(token), None), 200)]
}

fn sign_ins(town: &Town, subject: &Subject) -> Vec<(Vec<u8>, u16)> {
    let sign_in = |who: usize| {
        let body = town.people.sign_in_body(who);
        (api::request("POST", api::SIGN_IN, subject.address, Who::Nobody, Some(&body)), 200)
    };
    (0..town.people.all.len()).map(sign_in).collect()
}

fn visitors(town: &Town, subject: &Subject) -> Vec<Work> {
    let (address, rooms) = (subject.address, town.day.rooms);
    let one = |client: usize| -> Work {
        let room = town.rooms.ids[rooms].clone();
        let visitor = Visitor { address, room, client, keeps_seat: false, cookie: None };
        Box::new(move |turns, meter| Box::pin(async move { drop(visitor.run(turns, meter).await) }))
    };
    (0..VISITORS).map(one).collect()
}

/// Rooms that hold all pictures of a day.
fn albums(day: &Day) -> usize {
    let pictures = day.seconds * day.rates.pictures;
    // Some rooms may be full sooner, by the size of their pictures.
    1 + (pictures / PER_ROOM as f64).ceil().min(ALBUMS_MAX) as usize
}

async fn painters(town: &Town, subject: &Subject) -> Result<Vec<Work>, Trouble> {
    let picture = Arc::new(picture(town.day.picture_width, 1));
    let album = Album::new(&town.rooms.ids[town.day.rooms + 1..]);
    let mut works: Vec<Work> = Vec::new();
    for _ in 0..VISITORS {
        let painter = Painter::new(subject.address, &album).sit().await?;
        let picture = picture.clone();
        works.push(Box::new(move |turns, meter| {
            Box::pin(async move { drop(painter.send(picture, turns, meter).await) })
        }));
    }
    Ok(works)
}

fn row(share: &Share) -> String {
    TABLE.row(&[
        format!("{:12}", share.what),
        cell(Some(share.wanted_per_second), 1),
        cell(Some(share.done_per_second), 1),
        share.latency.shown(share.latency.p50),
        share.latency.shown(share.latency.p99),
        share.latency.shown(share.latency.max),
        share.failed.to_string(),
    ])
}
