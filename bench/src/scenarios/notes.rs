//! Anonymous notes: how many a second are acknowledged to a number of clients, how long each takes,
//! and how many share one sync of the disk. Afterwards every acknowledged note must be in its
//! inbox, once.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use clap::Args;
use serde_json::json;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use crate::args::{CLIENTS, rate, seconds, whole};
use crate::load::{Call, Client, Latencies, PerSecond, Person, Summary, Who, clock};
use crate::report::{Columns, Row, TAIL_LATENCY, print_line};
use crate::scenarios::Run;
use crate::scenarios::notes::post::Fate;
use crate::sealing::Inbox;
use crate::trouble::{Because, Fallible, Trouble};

mod post;

pub(super) use post::{AFTER_FAILURE, Post, Sender};

/// How long the disk is measured before each stage, because other users make a disk slower or
/// faster within a minute.
const DISK: Duration = Duration::from_millis(500);
/// How many inboxes are sealed or read at once, to keep the server busy.
const AT_ONCE: usize = 4;
/// How long the server may take to tell its number of commits.
const COMMITS: Duration = Duration::from_secs(2);

const COLUMNS: Columns = &[
    &["clients", "sends/s = done_per_second"],
    TAIL_LATENCY,
    &["failed", "commits/s = commits_per_second", "sends/commit = sends_per_commit"],
    &["disk fsyncs/s = disk_fsyncs_per_second", "× one sync each = times_one_sync_each"],
    &["server µs/send = server_cpu_each", "own µs/send = own_cpu_each"],
];

#[derive(Debug, Args)]
pub(crate) struct Notes {
    /// Connections that send at the same time, one stage each.
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "1,16,128", value_parser = whole::<1, CLIENTS>)]
    pub(crate) clients: Vec<usize>,
    /// Seconds a stage lasts.
    #[arg(long, value_name = "N", default_value = "5", value_parser = seconds)]
    seconds: Duration,
    /// Sends per second, whatever the server does: latency then counts from
    /// when a note should have been sent. Default: each connection sends as
    /// soon as it has its answer.
    #[arg(long, value_name = "N", value_parser = rate)]
    rate: Option<PerSecond>,
    /// Inboxes to spread the notes over; each holds at most 10000.
    #[arg(long, value_name = "N", default_value = "50", value_parser = whole::<1, 99_999>)]
    accounts: usize,
    /// Seal the inboxes, and every note, as browsers do.
    #[arg(long)]
    sealed: bool,
}

impl Notes {
    pub(super) async fn measure(&self, run: &mut Run<'_>) -> Fallible {
        let people = run.sign_up(self.accounts).await?;
        let keys = if self.sealed { sealed(&people, run).await? } else { Vec::new() };
        let post = Post::sealed(people, keys, &run.people.tag);
        let each = || "each client sends when it has its answer".to_owned();
        let how = self.rate.map_or_else(each, |rate| format!("{} a second", rate.0));
        let which = if self.sealed { "sealed inboxes" } else { "inboxes" };
        print_line(&format!("{} {which}; {how}", self.accounts));
        let measured = self.stages(&post, run).await;
        match measured {
            Err(Trouble::Interrupted) => print_line("What the inboxes hold is not checked."),
            // The acknowledged notes are checked also when little was measured.
            Ok(()) | Err(Trouble::Because(_)) if !post.notes.borrow().is_empty() => check(&post, run).await?,
            _ => {}
        }
        measured
    }

    async fn stages(&self, post: &Rc<Post>, run: &mut Run<'_>) -> Fallible {
        let mut metrics = Client::new(run.subject.metrics());
        for (number, &clients) in self.clients.iter().enumerate() {
            let disk = match run.subject.folder() {
                Some(folder) => Some(run.stop.or(fsyncs(folder)).await?),
                None => None,
            };
            let address = run.address();
            let sender = |client| async move {
                let mut connection = Client::new(address);
                // The connection opens before the stage, because that is not measured.
                connection.is_ready().await.because(format_args!("connection {client} of {clients}"))?;
                Ok(Sender { post: post.clone(), client: (number, client), connection })
            };
            let senders = run.stop.each("clients are connected", clients, clients, sender).await?;
            let before = run.stop.or(async { Ok(commits(&mut metrics).await) }).await?;
            let outcome = run.stage(self.rate, self.seconds, senders, Sender::run).await?;
            // Without the number of commits the other figures are still worth printing.
            let after = timeout(COMMITS, commits(&mut metrics)).await.ok().flatten();
            let commits = after.zip(before).map(|(after, before)| (after.0 - before.0, after.1 - before.1));
            let per_commit = commits.filter(|(commits, _)| *commits > 0.0).map(|(commits, calls)| calls / commits);
            // What the disk does when it and the processors are not busy: the rate if all syncs
            // were like the fastest tenth.
            let undisturbed = disk.map(|disk| 1e6 / disk.p10.max(1) as f64);
            let row = Row::of(&outcome)
                .with("clients", clients)
                .with("rate", self.rate.map(|rate| rate.0))
                .with("commits_per_second", commits.map(|(commits, _)| commits / outcome.seconds))
                .with("sends_per_commit", per_commit)
                .with("disk_fsyncs_per_second", undisturbed)
                .with("times_one_sync_each", undisturbed.map(|rate| outcome.done_per_second / rate));
            run.judged(COLUMNS, row, &outcome).await?;
        }
        Ok(())
    }
}

/// The store's commits, each with one sync, and the calls that they answered.
async fn commits(metrics: &mut Client) -> Option<(f64, f64)> {
    let commits = metrics.counter("annon_store_commits_total").await;
    commits.zip(metrics.counter("annon_store_commit_calls_total").await)
}

/// Seals these people's inboxes, and returns the keys.
async fn sealed(people: &[Person], run: &mut Run<'_>) -> Fallible<Vec<Inbox>> {
    let address = run.address();
    let seal = |one: usize| async move {
        let token = people[one].token(address).await?;
        let inbox = Inbox::new().because("a key can't be made")?;
        let form = inbox.form().because("a key can't be wrapped")?;
        let call = Call::new("PUT", "/api/seal", Who::Token(&token), Some(form.to_string()));
        Client::new(address).expect(200, &call).await?;
        Ok(inbox)
    };
    run.stop.each("inboxes are sealed", people.len(), AT_ONCE, seal).await
}

/// Reads all inboxes whole.
pub(super) async fn check(post: &Post, run: &mut Run<'_>) -> Fallible {
    let address = run.address();
    let read = |inbox: usize| async move {
        let token = post.people[inbox].token(address).await?;
        let notes = Client::new(address).inbox(&token).await?;
        Ok((inbox, notes.into_iter().map(|note| post.words(inbox, note)).collect()))
    };
    let inboxes = run.stop.each("inboxes are read", post.people.len(), AT_ONCE, read).await?;
    let notes = post.notes.borrow();
    let faults = post.compare(inboxes);
    let count = |fate| notes.iter().filter(|note| note.fate == fate).count();
    let (acknowledged, unanswered, wrong) = (count(Fate::Acknowledged), count(Fate::Unknown), faults.count());
    faults.lines().iter().for_each(|line| print_line(line));
    if wrong == 0 {
        run.report.checked(&format!("each of the {acknowledged} acknowledged notes is in its inbox, once."));
    }
    if unanswered > 0 {
        print_line(&format!("{unanswered} were never answered, and may be there or not."));
    }
    let check = json!({"acknowledged": acknowledged, "unanswered": unanswered, "wrong": wrong, "faults": faults});
    run.report.set("check", check);
    if wrong == 0 { Ok(()) } else { Err(Trouble::Wrong) }
}

/// How long the disk alone takes to append and sync 4 KiB, one after the other. A server that
/// acknowledges only what is on the disk, and syncs for each acknowledgement, cannot be faster.
async fn fsyncs(folder: &Path) -> Fallible<Summary> {
    let folder = folder.to_owned();
    let measured = spawn_blocking(move || -> io::Result<Summary> {
        let own = tempfile::tempdir_in(folder)?;
        let mut file = OpenOptions::new().create(true).append(true).open(own.path().join("appended"))?;
        let (mut latencies, begun) = (Latencies::default(), clock::now());
        while begun.elapsed() < DISK {
            let before = clock::now();
            file.write_all(&[0x5a; 4096])?;
            file.sync_all()?;
            latencies.record(before.elapsed());
        }
        Ok(latencies.summary())
    });
    measured.await.because("the disk can't be measured")?.because("the disk can't be measured")
}
