//! A realistic day: everything at once, each at its own rate, and what each
//! has of it.

use std::rc::Rc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{LocalBoxFuture, try_join_all};

use crate::args;
use crate::load::chat::{self, Course, Flow};
use crate::load::http::{Call, Client, Who};
use crate::load::latency::Summary;
use crate::load::pace::Pace;
use crate::load::rooms;
use crate::load::stage::stage;
use crate::report::{Row, say};
use crate::scenarios::churn::Visitor;
use crate::scenarios::images::{Album, PER_ROOM, Painter, picture};
use crate::scenarios::login::Caller;
use crate::scenarios::mixed::day::{BUILT_IN, Day, rate};
use crate::scenarios::notes::check;
use crate::scenarios::notes::sender::{Post, Sender};
use crate::scenarios::{Run, fanout};
use crate::trouble::Trouble;

mod day;

/// Clients of each kind of call.
const CLIENTS: usize = 8;
/// Characters of a note.
const NOTE: usize = 100;
/// Past that the rest of the pictures is told as never sent.
const ALBUMS_MAX: f64 = 2000.0;

/// Shows the day that is built in.
pub(super) fn print() {
    say(BUILT_IN.trim_end());
}

/// How many the day needs.
pub(super) fn connections(args: &args::Mixed) -> Result<usize, Trouble> {
    let day = Day::load(args.day.as_deref(), args.seconds)?;
    Ok(day.rooms * day.members + 8 * CLIENTS)
}

type Clients = Vec<LocalBoxFuture<'static, ()>>;

/// One kind of call, at its rate.
struct Share {
    what: &'static str,
    wanted: f64,
    pace: Rc<Pace>,
    clients: Clients,
}

pub(super) async fn measure(args: &args::Mixed, run: &mut Run<'_>) -> Result<(), Trouble> {
    let day = Day::load(args.day.as_deref(), args.seconds)?;
    let Day { seconds, rooms, members, length, inboxes, .. } = day;
    let whole_day = Duration::from_secs_f64(seconds);
    // Some rooms may be full sooner, by the size of their pictures.
    let albums = 1 + (seconds * day.rates.pictures / PER_ROOM as f64).ceil().min(ALBUMS_MAX) as usize;
    // One more for those who come and go, so that the others stay full.
    let ids = run.rooms(rooms + 1 + albums).await?;
    let people = run.sign_up(inboxes).await?;
    let (address, stop) = (run.address(), run.stop);
    // What can't begin is told now, and not when the day is over.
    let hall = rooms::fill(address, &ids[..rooms], members, stop).await?;
    let token = stop.or(people[0].token(address)).await?;
    let (album, picture) = (Album::new(&ids[rooms + 1..]), picture(day.picture_width)?);
    let painters = try_join_all((0..CLIENTS).map(|_| Painter::sit(address, &album, &picture)));
    let painters = stop.or(painters).await?;
    let inbox = Call::new("GET", "/api/messages?limit=50", Who::Token(&token), None);
    let sign_ins: Vec<_> = people.iter().map(|person| person.sign_in()).collect();
    let post = Post::new(people, &run.people.tag, NOTE);
    let mut shares = Vec::new();
    let mut share = |what, per_second, client: &dyn Fn(usize, Rc<Pace>) -> LocalBoxFuture<'static, ()>| {
        let Some(rate) = rate(per_second) else { return Ok(()) };
        let pace = Pace::new(whole_day, Some(rate))?;
        let clients = (0..CLIENTS).map(|n| client(n, pace.clone())).collect();
        shares.push(Share { what, wanted: per_second, pace, clients });
        Ok::<_, Trouble>(())
    };
    share("notes", day.rates.notes, &|n, pace| {
        Sender { post: post.clone(), client: (0, n), connection: Client::new(address) }.run(pace).boxed_local()
    })?;
    let call = |calls: Vec<Call>, pace| Caller::new(address, calls).run(pace).boxed_local();
    share("inbox reads", day.rates.inbox_reads, &|_, pace| call(vec![inbox.clone()], pace))?;
    share("sign-ins", day.rates.sign_ins, &|n, pace| {
        let mut calls = sign_ins.clone();
        calls.rotate_left(n * sign_ins.len() / CLIENTS);
        call(calls, pace)
    })?;
    share("comings", day.rates.comings, &|n, pace| {
        Visitor::run(Visitor::new(address, ids[rooms].clone(), n, false), pace).boxed_local()
    })?;
    share("pictures", day.rates.pictures, &|n, pace| painters[n].clone().send(pace).boxed_local())?;
    run.report.say(&format!("{rooms} rooms of {members} and {inboxes} inboxes, for {seconds} s"));
    let flow = rate(day.rates.chat).map_or(Flow::Closed { in_flight: 0 }, Flow::Open);
    let course = Course { flow, warm_up: Duration::ZERO, length: whole_day, words: length };
    let (subject, working) = (&run.subject, shares.into_iter());
    let working = try_join_all(working.map(|share| async move {
        let outcome = stage(&share.pace, share.clients, subject, stop).await?;
        // When the day was ended is told by its chat.
        Ok::<_, Trouble>((share.what, share.wanted, outcome.among_others()))
    }));
    let (talked, others) = tokio::join!(chat::run(hall, course, subject, stop), working);
    let (mut talked, others) = (talked?, others?);
    // What the server used, it used for everybody: no share has costs.
    let cost = std::mem::take(&mut talked.cost);
    let chat = (day.rates.chat, talked.sends as f64 / talked.seconds);
    let told = row("chat", chat, &talked.latency, talked.refused).also(fanout::values(course, &talked));
    run.report.row("shares", told);
    for (what, wanted, outcome) in &others {
        let told = row(what, (*wanted, outcome.good_per_second), &outcome.latency, outcome.failed());
        run.report.row("shares", told.all(outcome).remarks(outcome.remarks()));
    }
    if let Some(percent) = cost.server_percent(talked.seconds) {
        run.report.say(&format!("The server used {percent:.0} % of one core."));
        run.report.set("server_cpu_percent", percent);
    }
    stop.check()?;
    // A server that has ended is wrong, then one that has lost a note, and
    // where most has failed nothing was measured.
    let mut measured = fanout::judge(&talked, course, members);
    for (what, _, outcome) in &others {
        match outcome.judge(&run.subject).await {
            Err(Trouble::Because(why)) if measured.is_ok() => {
                measured = Err(Trouble::because(format!("{what}: {why}")));
            }
            Err(Trouble::Wrong) => return Err(Trouble::Wrong),
            _ => {}
        }
    }
    if measured != Err(Trouble::Wrong) && day.rates.notes > 0.0 {
        check(&post, run).await?;
    }
    measured
}

fn row(what: &str, (wanted, done): (f64, f64), latency: &Summary, failed: u64) -> Row {
    Row::default()
        .word("what", what, 11)
        .number("wanted/s", "wanted_per_second", Some(wanted), 1)
        .number("done/s", "done_per_second", Some(done), 1)
        .times(latency, &["p50 ms", "p99 ms", "max ms"])
        .number("failed", "failed", Some(failed as f64), 0)
}
