//! How long a server takes from being executed to its first answer that it
//! is ready.

use std::time::Duration;

use tempfile::TempDir;

use crate::args;
use crate::load::latency::Latencies;
use crate::load::stop::Stop;
use crate::load::subject::ready;
use crate::report::machine::filesystem_of;
use crate::report::{Report, Row};
use crate::trouble::Trouble;

pub(super) async fn run(args: &args::Start, report: &mut Report, stop: &Stop) -> Result<(), Trouble> {
    let on = match &args.data_dir {
        Some(folder) if !folder.is_dir() => {
            return Err(Trouble::because(format!("there is no folder {}", folder.display())));
        }
        Some(folder) => format!("on {} itself, no copy: the server writes there as it always does", folder.display()),
        None => "on an empty folder each time".to_owned(),
    };
    let folder = args.data_dir.clone().or(args.started.dir.clone()).unwrap_or_else(std::env::temp_dir);
    report.data_is_on(filesystem_of(&folder));
    report.say(&format!("{} starts {on}; after the first, all files are in the kernel's cache", args.runs));
    report.set("data_dir", args.data_dir.as_ref().map(|folder| folder.display().to_string()));
    let (mut listening, mut answering) = (Latencies::new(), Latencies::new());
    let mut ending = Ok(());
    for _ in 0..args.runs {
        match stop.or(once(args)).await {
            Ok((until_listening, until_ready)) => {
                listening.record(until_listening);
                answering.record(until_ready);
            }
            Err(trouble) => {
                ending = Err(trouble);
                break;
            }
        }
    }
    for (until, summary) in [("listening", listening.summary()), ("ready", answering.summary())] {
        let row = Row::default().word("until", until, 9).count("starts", summary.count as usize);
        report.row("stages", row.times(&summary, &["p50 ms", "p90 ms", "max ms"]).only("latency", summary));
    }
    ending
}

async fn once(args: &args::Start) -> Result<(Duration, Duration), Trouble> {
    let own = if args.data_dir.is_none() { Some(args.started.folder()?) } else { None };
    let folder = own.as_ref().map(TempDir::path).or(args.data_dir.as_deref());
    let folder = folder.ok_or_else(|| Trouble::because("there is no folder to start on"))?;
    let server = args.started.start(folder).await?;
    ready(server.address.into()).await?;
    let times = (server.listening_after, server.begun.elapsed());
    server.end().await?;
    Ok(times)
}
