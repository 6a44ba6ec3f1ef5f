//! One page of an inbox: its time should not depend on how many notes the
//! inbox holds, nor on which of its pages is asked for.

use std::cell::Cell;
use std::time::Duration;

use futures_util::future::try_join_all;
use serde::Serialize;

use crate::api::{self, Api, NoteItem, Who};
use crate::args;
use crate::clock;
use crate::http::Connection;
use crate::latency::{Latencies, Summary};
use crate::people::People;
use crate::report::{Report, Table, cell, unfinished};
use crate::stop::Stop;
use crate::subject::Subject;
use crate::trouble::{Finding, Trouble, cleared_up};
use crate::view::watched;

/// Notes on the page that is measured: what the web app asks for.
pub(crate) const SHOWN: usize = 50;
/// Connections that fill an inbox.
const FILLERS: u64 = 64;
const TABLE: Table = Table(&["notes", "page", "pages/s", "p50 ms", "p99 ms", "max ms", "server µs/page"]);

/// One page, as programs read it.
#[derive(Serialize)]
struct Stage {
    notes: u64,
    page: &'static str,
    #[serde(flatten)]
    asked: Asked,
}

/// What came of asking for one page again and again. Times in microseconds.
#[derive(Serialize)]
pub(crate) struct Asked {
    seconds: f64,
    /// What it was to last, in seconds, if somebody ended it before.
    #[serde(skip_serializing_if = "Option::is_none")]
    cut_short_of: Option<f64>,
    pages_per_second: f64,
    latency: Summary,
    server_cpu_each: Option<f64>,
}

impl Asked {
    /// What a table shows of it.
    pub(crate) fn cells(&self) -> [String; 5] {
        let times = [self.latency.p50, self.latency.p99, self.latency.max].map(|micros| self.latency.shown(micros));
        let [p50, p99, max] = times;
        [cell(Some(self.pages_per_second), 0), p50, p99, max, cell(self.server_cpu_each, 0)]
    }

    /// A line on that, if somebody ended it.
    pub(crate) fn cut_short(&self) -> Option<String> {
        self.cut_short_of.map(|length| unfinished(self.seconds, length))
    }
}

/// Runs `annon-bench pages`.
pub(crate) async fn run(args: &args::Pages, report: &mut Report, stop: &Stop) -> Result<Finding, Trouble> {
    let subject = stop.or(Subject::prepare(&args.against, report)).await?;
    let measured = measure(args, &subject, report, stop).await;
    cleared_up(measured, subject.end().await)
}

async fn measure(args: &args::Pages, subject: &Subject, report: &mut Report, stop: &Stop) -> Result<Finding, Trouble> {
    let people = People::sign_up(subject.address, args.notes.len(), &args.against, stop).await?;
    report.say(&format!("One connection asks for a page of {SHOWN} again and again.\n"));
    report.say(&TABLE.head());
    let measured = stages(args, &people, subject, report, stop).await;
    // Also after a failure: these are no accounts of anybody's.
    cleared_up(measured, people.leave().await)
}

async fn stages(
    args: &args::Pages,
    people: &People,
    subject: &Subject,
    report: &mut Report,
    stop: &Stop,
) -> Result<Finding, Trouble> {
    let mut finding = Finding::Right;
    for (who, &notes) in args.notes.iter().enumerate() {
        let (token, inbox) = stop.or(fill(subject, people, who, notes)).await?;
        if !holds(&inbox, notes) {
            report.say(&format!(
                "    WRONG: {notes} notes were sent, and {} were read that are not the same.",
                inbox.len()
            ));
            finding = Finding::Wrong;
        }
        for (page, path) in [("newest", newest_page(SHOWN)), ("oldest", oldest_page(&inbox, SHOWN))] {
            let request = api::request("GET", &path, subject.address, Who::Token(&token), None);
            let asked = ask(subject, &request, args.seconds, stop).await?;
            report.say(&TABLE.row(&[&[notes.to_string(), page.to_owned()], asked.cells().as_slice()].concat()));
            asked.cut_short().iter().for_each(|line| report.say(line));
            report.push("stages", Stage { notes, page, asked });
            if stop.is_asked() {
                return Err(Trouble::Interrupted);
            }
        }
    }
    if finding == Finding::Right {
        report.say("Checked: page by page each inbox has all that was sent, once.");
    }
    Ok(finding)
}

fn words(note: u64, of: u64) -> String {
    format!("Note {note} of {of}: what a note usually says takes about a hundred characters, like this one.")
}

/// Whether these are the notes an inbox was filled with. Several connections
/// did it at once, so that nobody knows their order.
fn holds(inbox: &[NoteItem], notes: u64) -> bool {
    let mut sent: Vec<_> = (0..notes).map(|note| words(note, notes)).collect();
    let mut read: Vec<_> = inbox.iter().map(|note| note.message.as_str()).collect();
    sent.sort_unstable();
    read.sort_unstable();
    sent == read
}

/// Fills somebody's inbox; their token, and what is in it then.
async fn fill(subject: &Subject, people: &People, who: usize, notes: u64) -> Result<(String, Vec<NoteItem>), Trouble> {
    let target = &people.all[who].target;
    let lanes = (0..FILLERS.min(notes)).map(|lane| async move {
        let mut api = Api::new(subject.address);
        for note in (lane..notes).step_by(FILLERS as usize) {
            api.send(target, &words(note, notes)).await?;
        }
        Ok::<_, Trouble>(())
    });
    try_join_all(lanes).await?;
    let token = people.sign_in(who).await?;
    let inbox = Api::new(subject.address).inbox(&token).await?;
    Ok((token, inbox))
}

/// Where the newest page is, of so many notes.
pub(crate) fn newest_page(limit: usize) -> String {
    format!("/api/messages?limit={limit}")
}

/// Where the page is that ends with the oldest note of an inbox; the newest
/// one when there is only one.
pub(crate) fn oldest_page(inbox: &[NoteItem], limit: usize) -> String {
    let newest = newest_page(limit);
    let behind = inbox.len().checked_sub(limit + 1).map(|at| format!("{newest}&before={}", inbox[at].id));
    behind.unwrap_or(newest)
}

/// One connection asks for the same page, again and again, until the time is
/// up or somebody ends it.
pub(crate) async fn ask(subject: &Subject, request: &[u8], length: Duration, stop: &Stop) -> Result<Asked, Trouble> {
    let odd = |why: String| Trouble::because(format!("a page: {why}"));
    let mut connection = Connection::open(subject.address).await.map_err(|error| odd(error.to_string()))?;
    let mut latencies = Latencies::new();
    let (begun, cpu_before) = (clock::now(), subject.cpu());
    let count = Cell::new(0_u64);
    let asking = async {
        while begun.elapsed() < length && !stop.is_asked() {
            let sent = clock::now();
            let reply = connection.call(request).await.map_err(|error| odd(error.to_string()))?;
            if reply.status != 200 {
                return Err(odd(format!("answered with {}", reply.status)));
            }
            latencies.record(sent.elapsed());
            count.set(count.get() + 1);
        }
        Ok(())
    };
    watched(asking, || {
        let elapsed = begun.elapsed().as_secs_f64();
        (elapsed / length.as_secs_f64(), format!("{:.0} pages a second", count.get() as f64 / elapsed))
    })
    .await?;
    let (latency, took) = (latencies.summary(), begun.elapsed());
    let cpu = subject.cpu().zip(cpu_before).and_then(|(now, before)| now.checked_sub(before));
    Ok(Asked {
        seconds: took.as_secs_f64(),
        cut_short_of: (took < length).then_some(length.as_secs_f64()),
        pages_per_second: latency.count as f64 / took.as_secs_f64(),
        latency,
        server_cpu_each: cpu.map(|cpu| cpu.as_secs_f64() * 1e6 / latency.count.max(1) as f64),
    })
}
