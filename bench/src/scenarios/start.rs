//! How long a server takes from its start to its first answer that it is ready.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use tempfile::TempDir;

use crate::args::{Started, whole};
use crate::load::{Latencies, Stop};
use crate::report::{Columns, Report, Row, print_line};
use crate::trouble::{Fallible, Trouble};

const COLUMNS: Columns = &[
    &["until = what", "starts = latency/count"],
    &["p50 ms = latency/p50", "p90 ms = latency/p90", "max ms = latency/max"],
];

#[derive(Debug, Args)]
pub(crate) struct Start {
    #[command(flatten)]
    started: Started,
    /// A data folder to start on. It isn't copied: the server changes it.
    /// Default: an empty folder each time.
    #[arg(long, value_name = "FOLDER", conflicts_with = "dir")]
    data_dir: Option<PathBuf>,
    /// How often to start it.
    #[arg(long, value_name = "N", default_value = "20", value_parser = whole::<1, 10_000>)]
    runs: usize,
}

impl Start {
    pub(super) async fn run(&self, report: &mut Report, stop: &Stop) -> Fallible {
        let on = match &self.data_dir {
            Some(folder) if !folder.is_dir() => {
                return Trouble::because(format!("there is no folder {}", folder.display()));
            }
            Some(folder) => format!("on {} itself, no copy: the server writes there", folder.display()),
            None => "on an empty folder each time".to_owned(),
        };
        report.data_is_in(&self.data_dir.clone().or(self.started.dir.clone()).unwrap_or_else(std::env::temp_dir));
        print_line(&format!("{} starts {on}; after the first, all files are in the kernel's cache", self.runs));
        let (mut listening, mut answering, mut ending) = (Latencies::default(), Latencies::default(), Ok(()));
        for _ in 0..self.runs {
            match stop.or(self.once()).await {
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
        for (until, latencies) in [("listening", listening), ("ready", answering)] {
            let row = Row::default().with("what", until).with("latency", latencies.summary());
            report.row("stages", COLUMNS, row);
        }
        ending
    }

    async fn once(&self) -> Fallible<(Duration, Duration)> {
        let own = if self.data_dir.is_none() { Some(self.started.folder()?) } else { None };
        let folder = own.as_ref().map(TempDir::path).or(self.data_dir.as_deref()).unwrap_or("".as_ref());
        let server = self.started.start(folder).await?;
        let times = (server.listening_after, server.ready().await?);
        server.end().await?;
        Ok(times)
    }
}
