//! Whether anything gets slower as more is stored: a page of an inbox by its
//! notes, a page of a group by its messages, and every call by all notes.

use std::cell::RefCell;
use std::time::Duration;

use crate::args;
use crate::load::api::no_answer;
use crate::load::clock;
use crate::load::http::{Call, Client};
use crate::load::latency::Latencies;
use crate::load::process::{Cost, each};
use crate::load::stage::unfinished;
use crate::report::Row;
use crate::report::view::watched;
use crate::scenarios::Run;
use crate::trouble::Trouble;

mod group;
mod inbox;
mod stored;
mod visitor;

/// What fills inboxes and asks for pages.
pub(super) const CONNECTIONS: usize = 300;

pub(super) async fn measure(args: &args::Pages, run: &mut Run<'_>) -> Result<(), Trouble> {
    let (notes, messages) = args.or_usual();
    if !notes.is_empty() {
        inbox::measure(&notes, args.seconds, run).await?;
    }
    if !messages.is_empty() {
        group::measure(&messages, args.seconds, run).await?;
    }
    if args.stored.is_empty() { Ok(()) } else { stored::measure(&args.stored, args.calls, run).await }
}

/// One connection asks for the same page, again and again, until the time is
/// up or somebody ends it; a row of what came of it.
async fn ask(row: Row, page: &str, call: &Call, length: Duration, run: &mut Run<'_>) -> Result<(), Trouble> {
    let (mut client, latencies) = (Client::new(run.address()), RefCell::new(Latencies::new()));
    let (begun, before) = (clock::now(), Cost::now(run.subject.pid()));
    let asking = async {
        while begun.elapsed() < length && run.stop.check().is_ok() {
            let sent = clock::now();
            let reply = client.call(call).await.map_err(|error| no_answer(run.address(), call, &error))?;
            crate::load::api::expected(200, call, &reply)?;
            latencies.borrow_mut().record(sent.elapsed());
        }
        Ok::<_, Trouble>(())
    };
    let told = || {
        let (elapsed, asked) = (begun.elapsed().as_secs_f64(), latencies.borrow().summary().count);
        (elapsed / length.as_secs_f64(), format!("{:.0} pages a second", asked as f64 / elapsed))
    };
    watched(asking, told).await?;
    let (latency, seconds) = (latencies.borrow().summary(), begun.elapsed().as_secs_f64());
    let cost = Cost::now(run.subject.pid()).since(before);
    let cut_short = run.stop.check().is_err().then(|| unfinished(seconds, length.as_secs_f64()));
    let row = row
        .word("page", page, 8)
        .number("pages/s", "pages_per_second", Some(latency.count as f64 / seconds), 0)
        .times(&latency, &["p50 ms", "p99 ms", "max ms"])
        .number("server µs/page", "server_cpu_each", each(cost.server, latency.count), 0)
        .only("latency", latency)
        .remarks(Vec::from_iter(cut_short));
    run.report.row("stages", row);
    run.stop.check()
}
