//! How long a server takes from being executed to its first answer that it
//! is ready.

use std::time::Duration;

use serde::Serialize;
use tokio::time::sleep;

use crate::api::Api;
use crate::args::{self, Against};
use crate::latency::{Latencies, Summary};
use crate::machine::filesystem_of;
use crate::report::{Report, Table};
use crate::server::Launch;
use crate::stop::Stop;
use crate::subject::temporary;
use crate::target::Address;
use crate::trouble::{Finding, Trouble};

/// Between two questions whether it is ready, if it wasn't.
const AGAIN: Duration = Duration::from_millis(1);
/// How often it is asked.
const TRIES: u32 = 60_000;

/// Times in microseconds.
#[derive(Serialize)]
struct Starts {
    listening: Summary,
    ready: Summary,
}

/// Runs `annon-bench start`.
pub(crate) async fn run(args: &args::Start, report: &mut Report, stop: &Stop) -> Result<Finding, Trouble> {
    let against = Against {
        metrics: None,
        url: None,
        server_pid: None,
        keep: false,
        server: args.server.clone(),
        dir: args.dir.clone(),
        server_flags: args.server_flags.clone(),
    };
    let launch = against.launch()?;
    let on = match &args.data_dir {
        Some(folder) if !folder.is_dir() => {
            return Err(Trouble::because(format!("there is no folder {}", folder.display())));
        }
        Some(folder) => {
            format!("on {} itself, no copy of it: the server writes there as it always does", folder.display())
        }
        None => "on an empty folder each time".to_owned(),
    };
    let folder = args.data_dir.as_ref().or(args.dir.as_ref()).cloned().unwrap_or_else(std::env::temp_dir);
    let filesystem = filesystem_of(&folder);
    report.say(&format!(
        "{} starts {on} ({}); the program's and the store's files are in the kernel's cache after the first\n",
        args.runs,
        filesystem.as_deref().unwrap_or("a filesystem of unknown kind")
    ));
    let (mut listening, mut ready) = (Latencies::new(), Latencies::new());
    let mut ending = Ok(Finding::Right);
    for _ in 0..args.runs {
        match stop.or(once(&launch, args)).await {
            Ok((until_listening, until_ready)) => {
                listening.record(until_listening);
                ready.record(until_ready);
            }
            Err(trouble) => {
                ending = Err(trouble);
                break;
            }
        }
    }
    let starts = Starts { listening: listening.summary(), ready: ready.summary() };
    show(&starts, report);
    report.set("filesystem", filesystem);
    report.set("data_dir", args.data_dir.as_ref().map(|folder| folder.display().to_string()));
    report.set("starts", starts);
    ending
}

async fn once(launch: &Launch, args: &args::Start) -> Result<(Duration, Duration), Trouble> {
    let own = match &args.data_dir {
        Some(_) => None,
        None => Some(temporary(args.dir.as_deref())?),
    };
    let folder = own.as_ref().map(tempfile::TempDir::path).or(args.data_dir.as_deref());
    let folder = folder.ok_or_else(|| Trouble::because("there is no folder to start on"))?;
    let server = launch.start(folder).await?;
    ready(server.address.into()).await?;
    let times = (server.listening_after, server.begun.elapsed());
    server.end().await?;
    Ok(times)
}

/// Waits until a server says that it is ready.
pub(crate) async fn ready(address: Address) -> Result<(), Trouble> {
    let mut api = Api::new(address);
    for _ in 0..TRIES {
        if api.is_ready().await? {
            return Ok(());
        }
        sleep(AGAIN).await;
    }
    Err(Trouble::because("the server listens, and does not become ready"))
}

fn show(starts: &Starts, report: &Report) {
    let table = Table(&["until", "starts", "p50 ms", "p90 ms", "max ms"]);
    report.say(&table.head());
    for (until, summary) in [("listening", &starts.listening), ("ready", &starts.ready)] {
        let times = [summary.p50, summary.p90, summary.max].map(|micros| summary.shown(micros));
        report.say(&table.row(&[[until.to_owned(), summary.count.to_string()].as_slice(), &times].concat()));
    }
}
