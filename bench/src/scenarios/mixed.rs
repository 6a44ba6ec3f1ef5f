//! A day of a small server in one minute: all kinds of calls at once, each at its own rate, and the
//! outcome of each.

use std::rc::Rc;
use std::time::Duration;

use clap::Args;
use futures_util::future::try_join_all;
use tokio::sync::Mutex;

use crate::args::{rate, seconds};
use crate::load::{Call, ChatSchedule, Client, PerSecond, Who, chat, frames, people, rooms};
use crate::report::{Columns, LATENCY, Row, print_line};
use crate::scenarios::Run;
use crate::scenarios::churn::come_and_go;
use crate::scenarios::images::{PER_ROOM, Painter, picture};
use crate::scenarios::login::call;
use crate::scenarios::notes::{Post, Sender, check};
use crate::trouble::{Fallible, Trouble};

const ROOMS: usize = 20;
const MEMBERS: usize = 10;
/// People who receive notes.
const INBOXES: usize = 50;
/// Clients of each kind of call.
const CLIENTS: usize = 8;
pub(super) const CONNECTIONS: usize = ROOMS * MEMBERS + 8 * CLIENTS;
/// Requests a second, of all clients together.
const CHAT: f64 = 100.0;
const NOTES: f64 = 20.0;
const INBOX_READS: f64 = 20.0;
const SIGN_INS: f64 = 1.0;
const COMINGS: f64 = 2.0;
const PICTURES: f64 = 0.5;

const COLUMNS: Columns =
    &[&["what", "wanted/s = wanted_per_second", "done/s = asked_per_second"], LATENCY, &["failed"]];

#[derive(Debug, Args)]
pub(crate) struct Mixed {
    /// Seconds that the day lasts.
    #[arg(long, value_name = "N", default_value = "60", value_parser = seconds)]
    seconds: Duration,
    /// Multiplies all rates: 0.5 is half of everything.
    #[arg(long, value_name = "N", value_parser = factor, default_value = "1")]
    times: f64,
}

impl Mixed {
    pub(super) async fn measure(&self, run: &mut Run<'_>) -> Fallible {
        let pictures = self.seconds.as_secs_f64() * self.rate(PICTURES).0;
        // Each painter has a room. There are more than needed, because the size of its pictures
        // fills a room sooner.
        let painters = CLIENTS + pictures as usize / PER_ROOM;
        // One more room is for members who come and go, so that the other rooms stay full.
        let ids = run.rooms(ROOMS + 1 + painters).await?;
        let people = run.sign_up(INBOXES).await?;
        let (address, stop) = (run.address(), run.stop);
        // An error in the preparation shows now, and not at the end of the day.
        let connected = rooms::fill(address, &ids[..ROOMS], MEMBERS, stop).await?;
        let token = stop.or(people[0].token(address)).await?;
        let picture = picture()?;
        let painters = ids[ROOMS + 1..].iter().map(|room| Painter::sit(address, room, picture.clone()));
        let painters = stop.or(try_join_all(painters)).await?;
        let inbox = Call::get("/api/messages?limit=50", Who::Token(&token));
        let post = Post::new(people, &run.people.tag);
        let length = self.seconds;
        print_line(&format!("{ROOMS} rooms of {MEMBERS} and {INBOXES} inboxes, for {} s", length.as_secs_f64()));
        let schedule = ChatSchedule {
            rate: Some(self.rate(CHAT)),
            in_flight: 0,
            reactions: 0,
            words: frames::words,
            warm_up: Duration::ZERO,
            length,
        };
        let (at, clients) = (|a_second| Some(self.rate(a_second)), 0..CLIENTS);
        let sender = |n| Sender { post: post.clone(), client: (0, n), connection: Client::new(address) };
        let sign_in = |n: usize| people::sign_in(&post.people[n].name);
        let (chat, notes, reads, sign_ins, comings, pictures) = tokio::try_join!(
            chat::run(connected, schedule, &run.subject, stop),
            run.stage(at(NOTES), length, clients.clone(), |n, pace| sender(n).run(pace)),
            run.stage(at(INBOX_READS), length, clients.clone(), |_, pace| call(address, inbox.clone(), pace)),
            run.stage(at(SIGN_INS), length, clients.clone(), |n, pace| call(address, sign_in(n), pace)),
            run.stage(at(COMINGS), length, clients, |_, pace| come_and_go(address, ids[ROOMS].clone(), pace)),
            run.stage(at(PICTURES), length, painters, |painter: Rc<Mutex<Painter>>, pace| async move {
                painter.lock().await.send(&pace).await;
            }),
        )?;
        let server_cpu_percent = chat.server_cpu_percent;
        let mut outcomes = Vec::new();
        for (what, wanted, outcome) in [
            ("chat", CHAT, chat),
            ("notes", NOTES, notes),
            ("inbox reads", INBOX_READS, reads),
            ("sign-ins", SIGN_INS, sign_ins),
            ("comings", COMINGS, comings),
            ("pictures", PICTURES, pictures),
        ] {
            // Each message is delivered to all members; here the sends count.
            let asked = outcome.sends_per_second.unwrap_or(outcome.done_per_second);
            // The server's time was spent on all kinds of calls, so no share has costs.
            let outcome = outcome.among_others();
            let row = Row::of(&outcome).with("what", what).with("wanted_per_second", self.rate(wanted).0);
            run.report.row("shares", COLUMNS, row.with("asked_per_second", asked).remarks(outcome.remarks()));
            outcomes.push(outcome);
        }
        if let Some(percent) = server_cpu_percent {
            print_line(&format!("The server used {percent:.0} % of one core."));
            run.report.set("server_cpu_percent", percent);
        }
        stop.check()?;
        let mut judged = Ok(());
        for outcome in &outcomes {
            // A server's fault counts more than a share that was not measured.
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

    fn rate(&self, a_second: f64) -> PerSecond {
        PerSecond(a_second * self.times)
    }
}

/// A factor that a flag gives, within the limits of a rate.
fn factor(raw: &str) -> Result<f64, &'static str> {
    rate(raw).map(|factor| factor.0)
}
