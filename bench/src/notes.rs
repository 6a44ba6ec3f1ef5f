//! Anonymous notes: how many a second are acknowledged at a number of
//! clients, how long each waits, how many share one sync of the disk; and
//! afterwards whether every acknowledged one is in its inbox, once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use futures_util::future::try_join_all;
use serde::Serialize;
use tokio::time::timeout;

use crate::api::Api;
use crate::args;
use crate::disk::Floor;
use crate::http::Connection;
use crate::load::{Meter, Outcome, stage};
use crate::metrics::Commits;
use crate::notes::ledger::Ledger;
use crate::notes::sender::{Post, Sender};
use crate::people::People;
use crate::report::{Report, Table, cell};
use crate::stop::Stop;
use crate::subject::{Subject, allow_connections};
use crate::trouble::{Finding, Trouble, cleared_up};
use crate::turns::Turns;

pub(crate) mod check;
pub(crate) mod ledger;
pub(crate) mod sender;

/// How long each kind of sync is measured before each stage: a disk that
/// others use as well is another one a minute later.
const FLOOR: Duration = Duration::from_millis(500);

/// How long the server may take to tell of its commits.
const COMMITS: Duration = Duration::from_secs(2);

const TABLE: Table = Table(&[
    "clients",
    "sends/s",
    "p50 ms",
    "p99 ms",
    "p99.9 ms",
    "max ms",
    "failed",
    "commits/s",
    "sends/commit",
    "disk fsyncs/s",
    "× one sync each",
    "server µs/send",
    "own µs/send",
]);

/// One stage, as programs read it.
#[derive(Serialize)]
struct Stage {
    clients: usize,
    /// Sends a second that were asked for; nothing in a closed loop.
    rate: Option<f64>,
    #[serde(flatten)]
    outcome: Outcome,
    commits_per_second: Option<f64>,
    sends_per_commit: Option<f64>,
    /// What the disk did alone, just before.
    disk: Option<Floor>,
    /// Sends a second, compared with the disk's undisturbed syncs a second.
    times_one_sync_each: Option<f64>,
}

/// Runs `annon-bench notes`.
pub(crate) async fn run(args: &args::Notes, report: &mut Report, stop: &Stop) -> Result<Finding, Trouble> {
    allow_connections(args.clients.iter().copied().max().unwrap_or(0))?;
    let subject = stop.or(Subject::prepare(&args.against, report)).await?;
    let measured = measure(args, &subject, report, stop).await;
    // What the measuring found counts more than how the server ended.
    cleared_up(measured, subject.end().await)
}

async fn measure(args: &args::Notes, subject: &Subject, report: &mut Report, stop: &Stop) -> Result<Finding, Trouble> {
    if subject.folder().is_none() {
        report.say("The server's disk is not measured; `annon-bench disk` does that, on its machine.");
    }
    let people = People::sign_up(subject.address, args.accounts, &args.against, stop).await?;
    let full = people.all.iter().map(|_| AtomicBool::new(false)).collect();
    let post = Arc::new(Post { address: subject.address, people, full, length: args.length });
    let measured = stages(args, &post, subject, report, stop).await;
    // Also after a failure: these are no accounts of anybody's.
    cleared_up(measured, post.people.leave().await)
}

async fn stages(
    args: &args::Notes,
    post: &Arc<Post>,
    subject: &Subject,
    report: &mut Report,
    stop: &Stop,
) -> Result<Finding, Trouble> {
    report.set("accounts", post.people.all.len());
    let how = args
        .rate
        .map_or("each client sends when it has its answer".to_owned(), |rate| format!("{} sends a second", rate.0));
    report.say(&format!("{} inboxes, notes of {} characters; {how}", post.people.all.len(), args.length));
    report.say("disk: 4 KiB appended with fsync, alone, before each stage, fastest tenth; ×: sends/s over that\n");
    report.say(&TABLE.head());
    let (mut ledger, mut not_measured) = (Ledger::default(), None);
    let mut metrics = Api::new(subject.metrics(&args.against).await?);
    for (number, &clients) in args.clients.iter().enumerate() {
        let floor = match subject.folder() {
            Some(folder) => Some(Floor::measure(folder, FLOOR, stop).await?),
            None => None,
        };
        let senders = stop.or(senders(post, number, clients)).await?;
        let before = stop.or(metrics.commits()).await?;
        let (turns, meter) = (Arc::new(Turns::begin(args.seconds, args.rate)), Arc::new(Meter::default()));
        let running = senders.into_iter().map(|sender| sender.run(turns.clone(), meter.clone()));
        let (outcome, mut returned, is_interrupted) = stage(turns.clone(), &meter, subject, running, stop).await?;
        // Without an answer about commits the rest is still worth showing.
        let after = timeout(COMMITS, metrics.commits()).await.ok().and_then(Result::ok).flatten();
        let told = outcome.clone();
        show(clients, args, outcome, commits_between(before, after), floor, report);
        if is_interrupted {
            report.say("What the inboxes hold is not checked.");
            return Err(Trouble::Interrupted);
        }
        // They come back in any order.
        returned.sort_by_key(|(client, _)| *client);
        ledger.add_stage(returned.into_iter().map(|(_, fates)| fates).collect());
        match told.judge(subject, report).await {
            Ok(Finding::Right) => {}
            Ok(Finding::Wrong) => return Ok(Finding::Wrong),
            // What was acknowledged has to be there all the same.
            Err(why) => {
                not_measured = Some(why);
                break;
            }
        }
    }
    let full = post.full.iter().filter(|full| full.load(Relaxed)).count();
    if full > 0 {
        report.say(&format!("{full} of the {} inboxes are full now; more --accounts make room.", post.full.len()));
    }
    let verdict = stop.or(check::check(post, &ledger)).await?;
    report.say("");
    verdict.lines().iter().for_each(|line| report.say(line));
    let is_right = verdict.is_right();
    report.set("check", verdict);
    match not_measured {
        Some(why) if is_right => Err(why),
        _ if is_right => Ok(Finding::Right),
        _ => Ok(Finding::Wrong),
    }
}

async fn senders(post: &Arc<Post>, stage: usize, clients: usize) -> Result<Vec<Sender>, Trouble> {
    let connected = (0..clients).map(|client| async move {
        let connection = Connection::open(post.address).await.map_err(|error| {
            Trouble::because(format!("connection {} of {clients} to http://{}: {error}", client + 1, post.address))
        })?;
        Ok(Sender { post: post.clone(), stage, client, connection: Some(connection) })
    });
    try_join_all(connected).await
}

fn commits_between(before: Option<Commits>, after: Option<Commits>) -> Option<Commits> {
    after?.since(before?)
}

fn show(
    clients: usize,
    args: &args::Notes,
    outcome: Outcome,
    commits: Option<Commits>,
    floor: Option<Floor>,
    report: &mut Report,
) {
    let undisturbed = floor.as_ref().map(|floor| floor.fsync.undisturbed_per_second());
    let stage = Stage {
        clients,
        rate: args.rate.map(|rate| rate.0),
        commits_per_second: commits.map(|commits| commits.commits as f64 / outcome.seconds),
        sends_per_commit: commits.and_then(Commits::calls_per_commit),
        times_one_sync_each: undisturbed.map(|rate| outcome.good_per_second / rate),
        disk: floor,
        outcome,
    };
    let latency = &stage.outcome.latency;
    report.say(&TABLE.row(&[
        clients.to_string(),
        cell(Some(stage.outcome.good_per_second), 0),
        latency.shown(latency.p50),
        latency.shown(latency.p99),
        latency.shown(latency.p99_9),
        latency.shown(latency.max),
        stage.outcome.failed().to_string(),
        cell(stage.commits_per_second, 0),
        cell(stage.sends_per_commit, 1),
        cell(undisturbed, 0),
        cell(stage.times_one_sync_each, 2),
        cell(stage.outcome.server_cpu_each, 0),
        cell(stage.outcome.own_cpu_each, 0),
    ]));
    stage.outcome.remarks().iter().for_each(|line| report.say(line));
    report.push("stages", stage);
}
