//! A day of a small server, pressed into a minute: everything at once, each
//! at its own rate, and what each has of it.

use std::rc::Rc;
use std::time::Duration;

use clap::Args;
use futures_util::FutureExt;
use futures_util::future::{LocalBoxFuture, try_join_all};

use crate::args::{Against, seconds};
use crate::load::chat::{self, Course};
use crate::load::http::{Call, Client, Who};
use crate::load::pace::{Pace, Rate};
use crate::load::people;
use crate::load::rooms;
use crate::load::stage::stage;
use crate::report::{Columns, Row, print_line};
use crate::scenarios::Run;
use crate::scenarios::churn::come_and_go;
use crate::scenarios::images::{PER_ROOM, Painter, picture};
use crate::scenarios::login::call;
use crate::scenarios::notes::check;
use crate::scenarios::notes::sender::{Post, Sender};
use crate::trouble::{Fallible, Trouble};

const ROOMS: usize = 20;
const MEMBERS: usize = 10;
/// People who get notes.
const INBOXES: usize = 50;
/// Pixels.
const PICTURE_WIDTH: u32 = 720;
/// Clients of each kind of call.
const CLIENTS: usize = 8;
pub(super) const CONNECTIONS: usize = ROOMS * MEMBERS + 8 * CLIENTS;
/// A second, over everybody.
const CHAT: f64 = 100.0;
const NOTES: f64 = 20.0;
const INBOX_READS: f64 = 20.0;
const SIGN_INS: f64 = 1.0;
const COMINGS: f64 = 2.0;
const PICTURES: f64 = 0.5;

const COLUMNS: Columns = &[
    "what",
    "wanted/s = wanted_per_second",
    "done/s = asked_per_second",
    "p50 ms = latency/p50",
    "p99 ms = latency/p99",
    "max ms = latency/max",
    "failed",
];

/// Flags of `mixed`.
#[derive(Debug, Args)]
pub(crate) struct Mixed {
    #[command(flatten)]
    pub(crate) against: Against,
    /// Seconds that the day lasts.
    #[arg(long, value_name = "N", default_value = "60", value_parser = seconds)]
    seconds: Duration,
    /// So many times as much of everything: 0.5 is half of it.
    #[arg(long, value_name = "N", default_value = "1")]
    times: Rate,
}

impl Mixed {
    pub(super) async fn measure(&self, run: &mut Run<'_>) -> Fallible {
        let rate = |a_second: f64| Rate(a_second * self.times.0);
        let pictures = self.seconds.as_secs_f64() * rate(PICTURES).0;
        // One room more for each, since some are full sooner by the size of
        // their pictures.
        let albums = 1 + pictures as usize / CLIENTS / PER_ROOM;
        // And one for those who come and go, so that the others stay full.
        let ids = run.rooms(ROOMS + 1 + CLIENTS * albums).await?;
        let people = run.sign_up(INBOXES).await?;
        let (address, stop) = (run.address(), run.stop);
        // What can't begin is told now, and not when the day is over.
        let hall = rooms::fill(address, &ids[..ROOMS], MEMBERS, stop).await?;
        let token = stop.or(people[0].token(address)).await?;
        let picture = picture(PICTURE_WIDTH)?;
        let painters = ids[ROOMS + 1..].chunks(albums).map(|rooms| Painter::sit(address, rooms, picture.clone()));
        let painters = stop.or(try_join_all(painters)).await?;
        let inbox = Call::get("/api/messages?limit=50", Who::Token(&token));
        let sign_ins: Vec<_> = people.iter().map(|person| people::sign_in(&person.name)).collect();
        let post = Post::new(people, &run.people.tag);
        let client = |what, n: usize, pace: Rc<Pace>| -> LocalBoxFuture<'static, ()> {
            match what {
                "notes" => Sender { post: post.clone(), client: (0, n), connection: Client::new(address) }
                    .run(pace)
                    .boxed_local(),
                "inbox reads" => call(address, vec![inbox.clone()], pace).boxed_local(),
                "sign-ins" => {
                    let mut calls = sign_ins.clone();
                    calls.rotate_left(n * INBOXES / CLIENTS);
                    call(address, calls, pace).boxed_local()
                }
                "comings" => come_and_go(address, ids[ROOMS].clone(), pace).boxed_local(),
                _ => {
                    let painter = painters[n].clone();
                    async move { painter.lock().await.send(&pace).await }.boxed_local()
                }
            }
        };
        let kinds = [
            ("notes", NOTES),
            ("inbox reads", INBOX_READS),
            ("sign-ins", SIGN_INS),
            ("comings", COMINGS),
            ("pictures", PICTURES),
        ];
        let mut shares = Vec::new();
        for (what, wanted) in kinds {
            let pace = Pace::new(Some(rate(wanted)))?;
            let clients: Vec<_> = (0..CLIENTS).map(|n| client(what, n, pace.clone())).collect();
            shares.push((what, wanted, pace, clients));
        }
        print_line(&format!("{ROOMS} rooms of {MEMBERS} and {INBOXES} inboxes, for {} s", self.seconds.as_secs_f64()));
        let course = Course { rate: Some(rate(CHAT)), in_flight: 0, warm_up: Duration::ZERO, length: self.seconds };
        let (subject, length) = (&run.subject, self.seconds);
        let working = try_join_all(shares.into_iter().map(|(what, wanted, pace, clients)| async move {
            Ok::<_, Trouble>((what, wanted, stage(&pace, length, clients, subject, stop).await?))
        }));
        let (talked, others) = tokio::join!(chat::run(hall, course, subject, stop), working);
        let mut outcomes = vec![("chat", CHAT, talked?)];
        outcomes.extend(others?);
        for (what, wanted, outcome) in &mut outcomes {
            // Each is delivered to all members; here what counts is who speaks.
            let asked = outcome.chat.as_ref().map_or(outcome.done_per_second, |chat| chat.sends_per_second);
            // What the server used, it used for everybody: no share has costs.
            *outcome = outcome.clone().among_others();
            let row = Row::of(&*outcome).with("what", *what).with("wanted_per_second", rate(*wanted).0);
            run.report.row("shares", COLUMNS, row.with("asked_per_second", asked).remarks(outcome.remarks()));
        }
        if let Some(percent) = outcomes[0].2.server_cpu_percent {
            print_line(&format!("The server used {percent:.0} % of one core."));
            run.report.set("server_cpu_percent", percent);
        }
        stop.check()?;
        let mut judged = Ok(());
        for (.., outcome) in &outcomes {
            // A server that was wrong counts more than what was not measured.
            judged = match outcome.judge(&run.subject).await {
                Err(Trouble::Wrong) => Err(Trouble::Wrong),
                next => judged.and(next),
            };
        }
        if judged != Err(Trouble::Wrong) {
            check(&post, run).await?;
        }
        judged
    }
}
