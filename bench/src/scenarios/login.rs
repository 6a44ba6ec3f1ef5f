//! Sign-ins: how many a second, and whether a flood of them disturbs a user who is signed in. Each
//! costs a hash that is meant to be slow, so sign-ins are the cheapest way to keep a server busy. A
//! room chats meanwhile, whose members would notice first.

use std::rc::Rc;
use std::time::Duration;

use clap::Args;
use tokio::time::sleep;

use crate::args::{CLIENTS, seconds, whole};
use crate::load::{
    Address, Call, ChatSchedule, Client, Pace, PerSecond, StageOutcome, Who, chat, frames, people, rooms,
};
use crate::report::{Columns, Row, print_line};
use crate::scenarios::Run;
use crate::trouble::Fallible;

/// Accounts to sign in to.
const ACCOUNTS: usize = 4;
/// How many connections ask for the dashboard. With one connection a slow answer would keep the
/// next request waiting in this program, and not in the server.
const PROBES: usize = 8;
/// How often a second the dashboard is asked for.
const PROBE_RATE: PerSecond = PerSecond(200.0);
/// Members of the room that chats, and their messages a second.
const MEMBERS: usize = 10;
const CHAT_RATE: PerSecond = PerSecond(50.0);
/// How long a client waits after the server said that it is busy.
const AFTER_BUSY: Duration = Duration::from_millis(100);
/// Connections beside those that sign in.
pub(super) const CONNECTIONS: usize = PROBES + 2 * MEMBERS;

const COLUMNS: Columns = &[
    &["clients", "sign-ins/s = done_per_second", "p50 ms = latency/p50", "p99 ms = latency/p99"],
    &["busy/s = busy_per_second", "failed", "server CPU % = server_cpu_percent"],
    &["quiet p50 ms = quiet_dashboard/latency/p50", "quiet p99 ms = quiet_dashboard/latency/p99"],
    &["flood p50 ms = flood_dashboard/latency/p50", "flood p99 ms = flood_dashboard/latency/p99"],
    &["× p99 = times_p99", "chat quiet p99 ms = quiet_chat/latency/p99"],
    &["chat flood p99 ms = flood_chat/latency/p99", "× chat p99 = times_chat_p99"],
];

#[derive(Debug, Args)]
pub(crate) struct Login {
    /// Connections that sign in without a pause, one stage each.
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "1,16,64", value_parser = whole::<1, CLIENTS>)]
    pub(crate) clients: Vec<usize>,
    /// Seconds that the flood lasts, and the quiet before it.
    #[arg(long, value_name = "N", default_value = "5", value_parser = seconds)]
    seconds: Duration,
}

impl Login {
    pub(super) async fn measure(&self, run: &mut Run<'_>) -> Fallible {
        let people = run.sign_up(ACCOUNTS).await?;
        // Two rooms for each stage, because a room that has chatted has a history.
        let rooms = run.rooms(2 * self.clients.len()).await?;
        let token = run.stop.or(people[0].token(run.address())).await?;
        let dashboard = Call::get("/api/dashboard", Who::Token(&token));
        print_line(&format!(
            "Dashboards: {} a second, a room of {MEMBERS}: {} messages a second; first while nobody signs in (quiet), \
             then during the flood.",
            PROBE_RATE.0, CHAT_RATE.0
        ));
        for (&clients, rooms) in self.clients.iter().zip(rooms.chunks(2)) {
            let quiet = self.beside(&dashboard, &rooms[..1], run).await?;
            let row = quiet.add_to(Row::default().with("clients", clients), "quiet");
            if run.stop.check().is_err() {
                // The row without the flood, which has not come yet.
                run.report.row("stages", COLUMNS, row);
                return run.stop.check();
            }
            let sign_in =
                |client: usize, pace| call(run.address(), people::sign_in(&people[client % ACCOUNTS].name), pace);
            let sign_ins = run.stage(None, self.seconds, 0..clients, sign_in);
            let (sign_ins, flood) = tokio::join!(sign_ins, self.beside(&dashboard, &rooms[1..], run));
            let (mut sign_ins, flood) = (sign_ins?.among_others(), flood?);
            // In a flood these are correct answers.
            let busy: u64 =
                sign_ins.failures.extract_if(.., |why, _| why.starts_with("503 ")).map(|(_, count)| count).sum();
            sign_ins.failed -= busy;
            let times =
                |flood: &StageOutcome, quiet: &StageOutcome| flood.latency.p99 as f64 / quiet.latency.p99.max(1) as f64;
            let row = flood.add_to(quiet.add_to(Row::of(&sign_ins), "quiet"), "flood").with("clients", clients);
            let row = row.with("busy_per_second", busy as f64 / sign_ins.seconds);
            let row = row.with("times_p99", times(&flood.dashboard, &quiet.dashboard));
            let row = row.with("times_chat_p99", times(&flood.chat, &quiet.chat));
            run.judged(COLUMNS, row, &sign_ins).await?;
            for outcome in [&quiet.chat, &flood.chat, &quiet.dashboard, &flood.dashboard] {
                outcome.judge(&run.subject).await?;
            }
        }
        Ok(())
    }

    async fn beside(&self, dashboard: &Call, room: &[String], run: &Run<'_>) -> Fallible<Beside> {
        let schedule = ChatSchedule {
            rate: Some(CHAT_RATE),
            in_flight: 0,
            reactions: 0,
            words: frames::words,
            warm_up: Duration::ZERO,
            length: self.seconds,
        };
        let connected = rooms::fill(run.address(), room, MEMBERS, run.stop).await?;
        let probe = |_, pace| call(run.address(), dashboard.clone(), pace);
        let probing = run.stage(Some(PROBE_RATE), self.seconds, 0..PROBES, probe);
        let (dashboard, chat) = tokio::join!(probing, chat::run(connected, schedule, &run.subject, run.stop));
        // The server's time was spent on all clients, so no outcome has costs.
        Ok(Beside { dashboard: dashboard?.among_others(), chat: chat?.among_others() })
    }
}

/// The outcomes of those who may be disturbed.
struct Beside {
    dashboard: StageOutcome,
    chat: StageOutcome,
}

impl Beside {
    fn add_to(&self, row: Row, when: &str) -> Row {
        let row = row.with(&format!("{when}_dashboard"), &self.dashboard).with(&format!("{when}_chat"), &self.chat);
        row.remarks(self.dashboard.remarks()).remarks(self.chat.remarks())
    }
}

/// One connection makes the same call again and again.
pub(super) async fn call(address: Address, call: Call, pace: Rc<Pace>) {
    let mut client = Client::new(address);
    while let Some(due) = pace.next().await {
        let answered = client.ask(&call).await;
        let is_busy = answered.as_ref().is_ok_and(|reply| reply.status == 503);
        pace.record(due, answered.and_then(|reply| reply.expect(200)).map(drop));
        if is_busy {
            sleep(AFTER_BUSY).await;
        }
    }
}
