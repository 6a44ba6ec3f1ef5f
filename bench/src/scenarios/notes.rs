//! Anonymous notes: how many a second are acknowledged at a number of
//! clients, how long each waits, how many share one sync of the disk; and
//! afterwards whether every acknowledged one is in its inbox, once.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use futures_util::future::try_join_all;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use crate::args;
use crate::load::api::Api;
use crate::load::clock;
use crate::load::http::Client;
use crate::load::latency::{Latencies, Summary};
use crate::load::pace::Pace;
use crate::load::stage::stage;
use crate::load::target::Address;
use crate::report::Row;
use crate::scenarios::Run;
use crate::scenarios::notes::sender::{Post, Sender};
use crate::trouble::Trouble;

pub(super) mod ledger;
pub(super) mod sender;

/// How long the disk is measured before each stage: one that others use as
/// well is another one a minute later.
const DISK: Duration = Duration::from_millis(500);
/// How long the server may take to tell of its commits.
const COMMITS: Duration = Duration::from_secs(2);

pub(super) async fn measure(args: &args::Notes, run: &mut Run<'_>) -> Result<(), Trouble> {
    let people = run.sign_up(args.accounts).await?;
    let post = Post::new(people, &run.people.tag, args.length);
    let how =
        args.rate.map_or("each client sends when it has its answer".to_owned(), |rate| format!("{} a second", rate.0));
    run.report.say(&format!("{} inboxes, notes of {} characters; {how}", args.accounts, args.length));
    if run.subject.folder().is_none() {
        run.report.say("The server's disk is not measured: that is done for a server that is started for the run.");
    }
    let measured = stages(args, &post, run).await;
    if measured == Err(Trouble::Interrupted) {
        run.report.say("What the inboxes hold is not checked.");
    }
    // What was acknowledged has to be there, also where little was measured.
    if matches!(measured, Ok(()) | Err(Trouble::Because(_))) && post.ledger.borrow().len() > 0 {
        check(&post, run).await?;
    }
    measured
}

async fn stages(args: &args::Notes, post: &Rc<Post>, run: &mut Run<'_>) -> Result<(), Trouble> {
    let mut metrics = Api::new(run.subject.metrics(run.against).await?);
    for (number, &clients) in args.clients.iter().enumerate() {
        let disk = match run.subject.folder() {
            Some(folder) => Some(run.stop.or(fsyncs(folder)).await?),
            None => None,
        };
        let senders = run.stop.or(connected(post, run.address(), number, clients)).await?;
        let before = run.stop.or(commits(&mut metrics)).await?;
        let pace = Pace::new(args.seconds, args.rate)?;
        let sending = senders.into_iter().map(|sender| sender.run(pace.clone()));
        let outcome = stage(&pace, sending, &run.subject, run.stop).await?;
        // Without an answer about commits the rest is still worth showing.
        let after = timeout(COMMITS, commits(&mut metrics)).await.ok().and_then(Result::ok).flatten();
        let since = |(commits, calls): (u64, u64), before: (u64, u64)| {
            Some((commits.checked_sub(before.0)? as f64, calls.checked_sub(before.1)? as f64))
        };
        let commits = after.zip(before).and_then(|(after, before)| since(after, before));
        let per_commit = commits.filter(|(commits, _)| *commits > 0.0).map(|(commits, calls)| calls / commits);
        // What the disk does when nobody else keeps it, or the processors,
        // busy: as many as if all were like the fastest tenth.
        let undisturbed = disk.map(|disk| 1e6 / disk.p10.max(1) as f64);
        let row = Row::default()
            .all(&outcome)
            .count("clients", clients)
            .only("rate", args.rate.map(|rate| rate.0))
            .shown("sends/s", Some(outcome.good_per_second), 0)
            .times(&outcome.latency, &["p50 ms", "p99 ms", "p99.9 ms", "max ms"])
            .shown("failed", Some(outcome.failed() as f64), 0)
            .number("commits/s", "commits_per_second", commits.map(|(commits, _)| commits / outcome.seconds), 0)
            .number("sends/commit", "sends_per_commit", per_commit, 1)
            .number("disk fsyncs/s", "disk_fsyncs_per_second", undisturbed, 0)
            .number("× one sync each", "times_one_sync_each", undisturbed.map(|rate| outcome.good_per_second / rate), 2)
            .shown("server µs/send", outcome.server_cpu_each, 0)
            .shown("own µs/send", outcome.own_cpu_each, 0);
        run.judged(row, &outcome).await?;
    }
    let full = post.full();
    if full > 0 {
        run.report.say(&format!("{full} of the {} inboxes are full now; more --accounts make room.", args.accounts));
    }
    Ok(())
}

/// Commits of the store, each with one sync, and the calls that they answered.
async fn commits(metrics: &mut Api) -> Result<Option<(u64, u64)>, Trouble> {
    let commits = metrics.counter("annon_store_commits_total").await;
    Ok(commits.zip(metrics.counter("annon_store_commit_calls_total").await))
}

async fn connected(post: &Rc<Post>, address: Address, stage: usize, clients: usize) -> Result<Vec<Sender>, Trouble> {
    let connected = (0..clients).map(|client| async move {
        let connected = Client::connected(address).await.map_err(|error| {
            Trouble::because(format!("connection {} of {clients} to http://{address}: {error}", client + 1))
        })?;
        Ok(Sender { post: post.clone(), client: (stage, client), connection: connected })
    });
    try_join_all(connected).await
}

/// Reads every inbox whole.
pub(super) async fn check(post: &Post, run: &mut Run<'_>) -> Result<(), Trouble> {
    /// Enough to keep the server busy without waiting for each other.
    const AT_ONCE: usize = 4;
    let (count, address) = (post.people.len(), run.address());
    let lanes = (0..AT_ONCE.min(count)).map(|lane| async move {
        let mut inboxes = Vec::new();
        for inbox in (lane..count).step_by(AT_ONCE) {
            let token = post.people[inbox].token(address).await?;
            let notes = Api::new(address).inbox(&token).await?;
            inboxes.push((inbox, notes.into_iter().map(|note| note.message).collect()));
        }
        Ok::<_, Trouble>(inboxes)
    });
    let inboxes = run.stop.or(try_join_all(lanes)).await?.into_iter().flatten();
    let verdict = post.ledger.borrow().judge(inboxes, &post.tag);
    verdict.lines().iter().for_each(|line| run.report.say(line));
    let is_right = verdict.is_right();
    run.report.set("check", verdict);
    if is_right { Ok(()) } else { Err(Trouble::Wrong) }
}

/// How long the disk takes alone for 4 KiB appended and synced, one after the
/// other. A server that acknowledges nothing before it is on disk, and syncs
/// for each acknowledgement, can't be faster than that.
async fn fsyncs(folder: &Path) -> Result<Summary, Trouble> {
    let folder = folder.to_owned();
    let measured = spawn_blocking(move || -> io::Result<Summary> {
        let own = tempfile::tempdir_in(folder)?;
        let mut file = OpenOptions::new().create(true).append(true).open(own.path().join("appended"))?;
        let (mut latencies, begun) = (Latencies::new(), clock::now());
        while begun.elapsed() < DISK {
            let before = clock::now();
            file.write_all(&[0x5a; 4096])?;
            file.sync_all()?;
            latencies.record(before.elapsed());
        }
        Ok(latencies.summary())
    });
    let failed = |error: &dyn std::fmt::Display| Trouble::because(format!("the disk can't be measured: {error}"));
    measured.await.map_err(|error| failed(&error))?.map_err(|error| failed(&error))
}
