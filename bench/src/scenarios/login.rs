//! Sign-ins: how many a second, and whether a flood of them disturbs
//! somebody who is signed in already. Each costs a hash that is meant to be
//! slow, so this is the cheapest way to keep a server busy. A room chats
//! meanwhile: that is who would notice first.

use std::rc::Rc;
use std::time::Duration;

use tokio::time::sleep;

use crate::args;
use crate::load::chat::{self, Course, Flow, Talked};
use crate::load::http::{Call, Client, Who};
use crate::load::pace::Pace;
use crate::load::process::Cost;
use crate::load::rooms;
use crate::load::stage::{Outcome, stage};
use crate::load::target::Address;
use crate::report::Row;
use crate::scenarios::{Run, fanout};
use crate::trouble::Trouble;

/// Connections that the dashboard is asked for on, so that one slow answer
/// doesn't keep the next question waiting here instead of there.
const PROBES: usize = 8;
/// Members of the room that chats.
const MEMBERS: usize = 10;
const LENGTH_OF_TEXT: usize = 100;
/// Columns of those who may be disturbed, before and during the flood.
const QUIET: [&str; 3] = ["quiet p50", "quiet p99", "chat quiet p99"];
const FLOOD: [&str; 3] = ["flood p50", "flood p99", "chat flood p99"];
/// What there are beside those who sign in.
pub(super) const CONNECTIONS: usize = PROBES + 2 * MEMBERS;

pub(super) async fn measure(args: &args::Login, run: &mut Run<'_>) -> Result<(), Trouble> {
    let people = run.sign_up(args.accounts).await?;
    // Two for each stage, because a room that has chatted has a history.
    let rooms = run.rooms(2 * args.clients.len()).await?;
    let token = run.stop.or(people[0].token(run.address())).await?;
    let dashboard = Call::new("GET", "/api/dashboard", Who::Token(&token), None);
    run.report.say(&format!(
        "Dashboards: {} a second, a room of {MEMBERS}: {} messages a second; first while nobody signs in (quiet), then \
         during the flood; times in ms.",
        args.probe_rate.0, args.chat_rate.0
    ));
    let course = Course {
        flow: Flow::Open(args.chat_rate),
        warm_up: Duration::ZERO,
        length: args.seconds,
        words: LENGTH_OF_TEXT,
    };
    for (&clients, rooms) in args.clients.iter().zip(rooms.chunks(2)) {
        let quiet = beside(args, &dashboard, course, &rooms[..1], run).await?;
        if run.stop.check().is_err() {
            // What there is when the flood has not come yet.
            let row = Row::default().count("clients", clients);
            run.report.row("stages", quiet.show(row, "quiet", QUIET));
        }
        run.stop.check()?;
        let pace = Pace::new(args.seconds, None)?;
        let callers = (0..clients).map(|client| {
            let call = people[client % people.len()].sign_in();
            let after_busy = Duration::from_millis(args.after_busy_ms);
            Caller { after_busy, ..Caller::new(run.address(), vec![call]) }.run(pace.clone())
        });
        let before = Cost::now(run.subject.pid());
        let flood = beside(args, &dashboard, course, &rooms[1..], run);
        let (sign_ins, flood) = tokio::join!(stage(&pace, callers, &run.subject, run.stop), flood);
        let (mut sign_ins, flood) = (sign_ins?.among_others(), flood?);
        // Whose it was can't be told.
        let percent = Cost::now(run.subject.pid()).since(before).server_percent(sign_ins.seconds);
        let sign_ins_row = Row::default().only("sign_ins", &sign_ins).remarks(sign_ins.remarks());
        // In a flood these are correct answers.
        let busy = sign_ins.failures.remove("503").unwrap_or(0);
        let times = |of: fn(&Beside) -> u64| Some(of(&flood) as f64 / of(&quiet).max(1) as f64);
        let row = sign_ins_row
            .count("clients", clients)
            .shown("sign-ins/s", Some(sign_ins.good_per_second), 1)
            .times(&sign_ins.latency, &["p50 ms", "p99 ms", "max ms"])
            .number("busy/s", "busy_per_second", Some(busy as f64 / sign_ins.seconds), 0)
            .shown("failed", Some(sign_ins.failed() as f64), 0)
            .number("server CPU %", "server_cpu_percent", percent, 0);
        let row = quiet.show(row, "quiet", QUIET);
        let row = flood.show(row, "flooded", FLOOD);
        let row = row
            .number("× p50", "times_p50", times(|beside| beside.dashboard.latency.p50), 2)
            .number("× p99", "times_p99", times(|beside| beside.dashboard.latency.p99), 2)
            .number("× chat p99", "times_chat_p99", times(|beside| beside.chat.latency.p99), 2);
        run.report.row("stages", row);
        run.stop.check()?;
        fanout::judge(&quiet.chat, course, MEMBERS)?;
        fanout::judge(&flood.chat, course, MEMBERS)?;
        for outcome in [&sign_ins, &quiet.dashboard, &flood.dashboard] {
            outcome.judge(&run.subject).await?;
        }
    }
    Ok(())
}

/// Those who may be disturbed.
struct Beside {
    dashboard: Outcome,
    chat: Talked,
    course: Course,
}

async fn beside(
    args: &args::Login,
    dashboard: &Call,
    course: Course,
    room: &[String],
    run: &Run<'_>,
) -> Result<Beside, Trouble> {
    let pace = Pace::new(args.seconds, Some(args.probe_rate))?;
    let hall = rooms::fill(run.address(), room, MEMBERS, run.stop).await?;
    let probes = (0..PROBES).map(|_| Caller::new(run.address(), vec![dashboard.clone()]).run(pace.clone()));
    let probing = stage(&pace, probes, &run.subject, run.stop);
    let (dashboard, chat) = tokio::join!(probing, chat::run(hall, course, &run.subject, run.stop));
    // What the server used, it used for everybody: nobody has costs.
    let chat = Talked { cost: Cost::default(), ..chat? };
    Ok(Beside { dashboard: dashboard?.among_others(), chat, course })
}

impl Beside {
    fn show(&self, row: Row, when: &str, titles: [&'static str; 3]) -> Row {
        let (dashboard, talk) = (&self.dashboard.latency, fanout::values(self.course, &self.chat));
        row.times(dashboard, &titles[..1])
            .times(dashboard, &titles[1..2])
            .times(&self.chat.latency, &titles[2..])
            .only(&format!("{when}_dashboard"), &self.dashboard)
            .remarks(self.dashboard.remarks())
            .part(&format!("{when}_chat"), talk)
    }
}

/// A connection that makes the same calls again and again.
pub(super) struct Caller {
    client: Client,
    calls: Vec<Call>,
    after_busy: Duration,
}

impl Caller {
    pub(super) fn new(address: Address, calls: Vec<Call>) -> Self {
        Self { client: Client::new(address), calls, after_busy: Duration::ZERO }
    }

    pub(super) async fn run(mut self, pace: Rc<Pace>) {
        for call in self.calls.iter().cycle() {
            let Some(turn) = pace.next().await else { return };
            match self.client.call(call).await {
                Ok(reply) if reply.status == 200 => turn.good(),
                Ok(reply) => {
                    turn.failed(reply.status);
                    if reply.status == 503 {
                        sleep(self.after_busy).await;
                    }
                }
                Err(error) => turn.failed(error),
            }
        }
    }
}
