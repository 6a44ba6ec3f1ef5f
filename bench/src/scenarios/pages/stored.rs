//! Whether any call gets slower the more notes are stored: the same server
//! takes more and more of them, and at each stage every call that a user makes
//! and the store answers is timed, in turns with a server that has as many as
//! at first. Pictures and sockets know nothing of notes.

use std::cell::Cell;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use futures_util::future::try_join_all;
use tokio::sync::Mutex;
use tokio::time::sleep;

use crate::load::{Address, Client, Cost, INBOX_NOTES, People, Stop, Subject, api, clock};
use crate::report::view::watched;
use crate::report::{Columns, Row, print_line};
use crate::scenarios::Run;
use crate::scenarios::notes::{Post, check};
use crate::scenarios::pages::visitor::{BATCH, Costs, Visitor};
use crate::trouble::{Fallible, Trouble};

/// Notes in a filled inbox; the rest is room for the notes that are measured.
const INBOX: usize = INBOX_NOTES - 1000;
/// Connections that fill the inboxes.
const FILLERS: usize = 128;
/// If a call's time grows by more than this factor, a remark says so.
const GROWN: f64 = 1.25;

const CALLS: Columns = &[
    &["stored", "call", "calls = latency/count", "p50 ms = latency/p50", "p99 ms = latency/p99"],
    &["server µs/call = server_cpu_each", "× p50 = p50_times", "× server = server_times"],
];
const SIZES: Columns = &[
    &["stored", "filled/s = filled_per_second", "MiB in memory = memory", "MiB on disk = on_disk"],
    &["ms from a start after a kill to ready = ready_after"],
];

pub(super) async fn measure(stages: &[usize], calls: usize, run: &mut Run<'_>) -> Fallible {
    if !stages.is_sorted_by(|earlier, later| earlier < later) {
        return Trouble::because("--stored has to grow from one stage to the next: notes are only added");
    }
    let (first, last) = (stages[0], stages[stages.len() - 1]);
    // The last inbox stays nearly empty.
    let post = Post::new(run.sign_up(last.div_ceil(INBOX) + 1).await?, &run.people.tag);
    print_line(&format!(
        "Inboxes of up to {INBOX} notes; then one connection makes every call {calls} times, {BATCH} in a row."
    ));
    let mut beside = match run.subject.folder() {
        Some(_) => Some(beside(first, run).await?),
        None => None,
    };
    let (mut stored, mut earlier) = (0, None);
    for &notes in stages {
        let begun = clock::now();
        fill(&post, run.address(), notes - stored, run.stop).await?;
        let filled_per_second = (notes - stored) as f64 / begun.elapsed().as_secs_f64();
        stored = notes;
        quiet(&run.subject).await;
        let (memory, on_disk) = (run.subject.memory(), run.subject.folder().and_then(|folder| on_disk(folder).ok()));
        let mut visitors = vec![Visitor::new(&run.subject, &post.people).await?];
        if let Some((subject, post)) = &beside {
            visitors.push(Visitor::new(subject, &post.people).await?);
        }
        let visitors = Mutex::new(visitors);
        let round = |_| async {
            for visitor in visitors.lock().await.iter_mut() {
                visitor.round().await?;
            }
            Ok(())
        };
        run.stop.each("rounds of calls are made", calls.div_ceil(BATCH), 1, round).await?;
        let mut costs = visitors.into_inner().into_iter().map(Visitor::costs);
        let (here, there) = (costs.next().unwrap_or_default(), costs.next());
        report_growth(notes, &here, there.as_ref().or(earlier.as_ref()).unwrap_or(&here), run);
        earlier.get_or_insert(here);
        if run.subject.folder().is_some() {
            // The server is killed, to show whether what it has acknowledged is on the disk.
            run.subject.restart(run.against).await?;
        }
        let ready_after = run.stop.or(run.subject.ready()).await?.map(|took| took.as_micros() as u64);
        let row = Row::default().with("stored", notes).with("filled_per_second", filled_per_second);
        let row = row.with("memory", memory).with("on_disk", on_disk).with("ready_after", ready_after);
        run.report.row("sizes", SIZES, row);
    }
    if let Some((subject, _)) = &mut beside {
        subject.end().await?;
    }
    check(&post, run).await
}

/// A second server, which keeps as many notes as the first stage has. Other programs slow both
/// down, so the two can be compared on a machine that is not quiet.
async fn beside(notes: usize, run: &Run<'_>) -> Fallible<(Subject, Rc<Post>)> {
    let subject = run.stop.or(Subject::start(run.against.started.folder()?, run.against)).await?;
    let people = People::new(false);
    let accounts = people.sign_up(subject.address, notes.div_ceil(INBOX) + 1, run.stop).await?;
    let post = Post::new(accounts, &people.tag);
    fill(&post, subject.address, notes, run.stop).await?;
    Ok((subject, post))
}

/// Stores `notes` more notes, one inbox after the other.
pub(super) async fn fill(post: &Post, address: Address, notes: usize, stop: &Stop) -> Fallible {
    let (already, next, last) = (post.notes.borrow().len(), &Cell::new(0), post.people.len() - 1);
    let lanes = (0..FILLERS.min(notes)).map(|lane| async move {
        let mut client = Client::new(address);
        while next.get() < notes {
            let inbox = ((already + next.get()) / INBOX).min(last);
            next.set(next.get() + 1);
            let (number, call) = post.note((already, lane), inbox, "");
            let reply = client.ask(&call).await?;
            post.answered(number, reply.status);
            api::expected(201, &call, &reply)?;
        }
        Ok(())
    });
    let progress = || (next.get() as f64 / notes as f64, format!("{} of {notes} notes", next.get()));
    watched(stop.or(try_join_all(lanes)), progress).await.map(drop)
}

fn report_growth(notes: usize, here: &Costs, first: &Costs, run: &mut Run<'_>) {
    let mut grown = Vec::new();
    for (call, cost) in here {
        let Some(first) = first.get(call) else { continue };
        let p50_times = cost.latency.p50 as f64 / first.latency.p50.max(1) as f64;
        let server_times = cost.server_cpu_each.zip(first.server_cpu_each).map(|(here, first)| here / first);
        if p50_times > GROWN || server_times.is_some_and(|times| times > GROWN) {
            grown.push(call.as_str());
        }
        let row = Row::of(cost).with("stored", notes).with("call", call);
        run.report.row("calls", CALLS, row.with("p50_times", p50_times).with("server_times", server_times));
    }
    let grown = if grown.is_empty() { "nothing".to_owned() } else { grown.join("; ") };
    let percent = (GROWN - 1.0) * 100.0;
    print_line(&format!(
        "×: compared with the first stage. The p50 or processor time grew by more than {percent:.0} % of: {grown}."
    ));
}

/// Waits until the server has finished what the filling left to do.
async fn quiet(subject: &Subject) {
    const TRIES: u32 = 40;
    const LOOK: Duration = Duration::from_millis(250);
    /// The processor time that an idle server may take between two looks.
    const QUIET: Duration = Duration::from_millis(20);
    for _ in 0..TRIES {
        let before = Cost::now(subject.pid);
        sleep(LOOK).await;
        if Cost::now(subject.pid).since(before).server.is_none_or(|used| used <= QUIET) {
            break;
        }
    }
}

/// How many bytes a folder takes on the disk, which may differ from the lengths of its files.
fn on_disk(folder: &Path) -> io::Result<u64> {
    const BLOCK: u64 = 512;
    let mut sum = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let about = entry.metadata()?;
        sum += if about.is_dir() { on_disk(&entry.path())? } else { about.blocks() * BLOCK };
    }
    Ok(sum)
}
