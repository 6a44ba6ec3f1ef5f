//! Whether any call gets slower the more notes are stored: the same server
//! takes more and more of them, and at each stage every call that a user makes
//! and the store answers is timed, in turns with a server that has as many as
//! at first. Pictures and sockets know nothing of notes.

use std::cell::Cell;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::Duration;

use futures_util::future::try_join_all;
use tokio::time::sleep;

use crate::load::api::{INBOX_NOTES, expected, no_answer};
use crate::load::clock;
use crate::load::http::Client;
use crate::load::people::{People, Person};
use crate::load::process::Cost;
use crate::load::stop::Stop;
use crate::load::subject::Subject;
use crate::load::target::Address;
use crate::report::Row;
use crate::report::view::watched;
use crate::scenarios::Run;
use crate::scenarios::notes::check;
use crate::scenarios::notes::sender::Post;
use crate::scenarios::pages::visitor::{BATCH, Costs, Visitor};
use crate::trouble::Trouble;

/// Notes in an inbox: there is room for those that are measured.
const INBOX: usize = INBOX_NOTES - 1000;
/// Connections that fill the inboxes.
const FILLERS: usize = 128;
/// Characters of a note.
const LENGTH: usize = 120;
/// Growing by more is said plainly.
const GROWN: f64 = 1.25;

pub(super) async fn measure(stages: &[usize], calls: usize, run: &mut Run<'_>) -> Result<(), Trouble> {
    if !stages.is_sorted_by(|earlier, later| earlier < later) {
        return Err(Trouble::because("--stored has to grow from one stage to the next: notes are only added"));
    }
    let (first, last) = (stages[0], stages[stages.len() - 1]);
    let inboxes: Vec<_> = (0..last.div_ceil(INBOX)).collect();
    // The last of them stays nearly empty.
    let people = run.sign_up(inboxes.len() + 1).await?;
    let post = Post::new(people, &run.people.tag, LENGTH);
    run.report.say(&format!(
        "{} inboxes of up to {INBOX} notes; then one connection makes every call {calls} times, {BATCH} in a row.",
        inboxes.len()
    ));
    let mut beside = match run.subject.folder() {
        Some(_) => Some(Beside::start(first, run).await?),
        None => None,
    };
    let mut stored = 0;
    let mut earlier = Costs::new();
    for &notes in stages {
        let begun = clock::now();
        fill(&post, run.address(), &inboxes, notes - stored, FILLERS, run.stop).await?;
        let filled_per_second = (notes - stored) as f64 / begun.elapsed().as_secs_f64();
        stored = notes;
        quiet(&run.subject).await;
        let (memory, on_disk) = (run.subject.memory(), run.subject.folder().and_then(|folder| on_disk(folder).ok()));
        let mut visitors = vec![Visitor::new(&run.subject, &post.people).await?];
        if let Some(beside) = &beside {
            visitors.push(Visitor::new(&beside.subject, &beside.people).await?);
        }
        let (rounds, made) = (calls.div_ceil(BATCH), Cell::new(0));
        let making = async {
            while made.get() < rounds {
                for visitor in &mut visitors {
                    visitor.round().await?;
                }
                made.set(made.get() + 1);
            }
            Ok(())
        };
        let told = || (made.get() as f64 / rounds as f64, format!("every call, round {} of {rounds}", made.get() + 1));
        watched(run.stop.or(making), told).await?;
        let mut costs = visitors.into_iter().map(Visitor::costs);
        let (here, there) = (costs.next().unwrap_or_default(), costs.next());
        let first = there.as_ref().unwrap_or(if earlier.is_empty() { &here } else { &earlier });
        tell(notes, &here, first, run);
        if earlier.is_empty() {
            earlier = here;
        }
        let mut ready_after = None;
        if run.subject.folder().is_some() {
            // A killed server shows whether what it has acknowledged is on disk.
            run.subject.restart(run.against).await?;
            ready_after = run.stop.or(run.subject.ready()).await?.map(|took| took.as_micros() as f64);
        }
        let row = Row::default()
            .count("stored", notes)
            .number("filled/s", "filled_per_second", Some(filled_per_second), 0)
            .bytes("MiB in memory", "memory", memory.map(|bytes| bytes as f64))
            .bytes("MiB on disk", "on_disk", on_disk.map(|bytes| bytes as f64))
            .shown("ms from a start after a kill to ready", ready_after.map(|micros| micros / 1000.0), 0)
            .only("ready_after", ready_after);
        run.report.row("sizes", row);
    }
    if let Some(beside) = &mut beside {
        beside.subject.end().await?;
    }
    check(&post, run).await
}

/// A second server, which keeps as many notes as the first stage has. What
/// the machine does besides slows both down, so the two can be compared on a
/// machine that is not quiet.
struct Beside {
    subject: Subject,
    people: Vec<Person>,
}

impl Beside {
    async fn start(notes: usize, run: &Run<'_>) -> Result<Self, Trouble> {
        let subject = run.stop.or(Subject::start(run.against)).await?;
        let people = People::new(false, true);
        let inboxes: Vec<_> = (0..notes.div_ceil(INBOX)).collect();
        let accounts = people.sign_up(subject.address, inboxes.len() + 1, run.stop).await?;
        let post = Post::new(accounts.clone(), &people.tag, LENGTH);
        fill(&post, subject.address, &inboxes, notes, FILLERS, run.stop).await?;
        Ok(Self { subject, people: accounts })
    }
}

/// Stores so many notes more, one inbox after the other.
pub(super) async fn fill(
    post: &Post,
    address: Address,
    inboxes: &[usize],
    notes: usize,
    clients: usize,
    stop: &Stop,
) -> Result<(), Trouble> {
    let (already, next) = (post.ledger.borrow().len(), Cell::new(0));
    let next = &next;
    let lanes = (0..clients.min(notes)).map(|lane| async move {
        let mut client = Client::new(address);
        while next.get() < notes {
            let inbox = inboxes[((already + next.get()) / INBOX).min(inboxes.len() - 1)];
            next.set(next.get() + 1);
            let (number, call) = post.note((already, lane), inbox);
            let reply = client.call(&call).await.map_err(|error| no_answer(address, &call, &error))?;
            post.answered(number, reply.status);
            expected(201, &call, &reply)?;
        }
        Ok::<_, Trouble>(())
    });
    let told = || (next.get() as f64 / notes as f64, format!("{} of {notes} notes", next.get()));
    watched(stop.or(try_join_all(lanes)), told).await.map(drop)
}

fn tell(notes: usize, here: &Costs, first: &Costs, run: &mut Run<'_>) {
    let mut grown = Vec::new();
    for (call, cost) in here {
        let Some(first) = first.get(call) else { continue };
        let p50_times = cost.latency.p50 as f64 / first.latency.p50.max(1) as f64;
        let server_times = cost.server.zip(first.server).map(|(here, first)| here / first);
        if p50_times > GROWN || server_times.is_some_and(|times| times > GROWN) {
            grown.push(*call);
        }
        let row = Row::default()
            .count("stored", notes)
            .word("call", call, 28)
            .shown("calls", Some(cost.latency.count as f64), 0)
            .times(&cost.latency, &["p50 ms", "p99 ms"])
            .number("server µs/call", "server_cpu_each", cost.server, 0)
            .number("× p50", "p50_times", Some(p50_times), 2)
            .number("× server", "server_times", server_times, 2)
            .only("latency", cost.latency);
        run.report.row("calls", row);
    }
    let percent = (GROWN - 1.0) * 100.0;
    run.report.say(&if grown.is_empty() {
        format!("×: compared with the first stage. No p50 or processor time grew by more than {percent:.0} %.")
    } else {
        format!("×: compared with the first stage. Grew by more than {percent:.0} %: {}.", grown.join("; "))
    });
}

/// Waits until the server has nothing left to do of what the filling left.
async fn quiet(subject: &Subject) {
    const TRIES: u32 = 40;
    const LOOK: Duration = Duration::from_millis(250);
    /// Processor time in that while of a server that has nothing to do.
    const QUIET: Duration = Duration::from_millis(20);
    for _ in 0..TRIES {
        let before = Cost::now(subject.pid());
        sleep(LOOK).await;
        if Cost::now(subject.pid()).since(before).server.is_none_or(|used| used <= QUIET) {
            break;
        }
    }
}

/// What a folder takes, which is not always how long its files say they are.
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
