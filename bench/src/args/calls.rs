//! The flags of the scenarios without rooms.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::args::Against;
use crate::args::value::{clients, length, measured, notes, people, seconds, stored};
use crate::target::Target;
use crate::turns::Rate;

/// Flags of `notes`.
#[derive(Debug, Args)]
pub(crate) struct Notes {
    #[command(flatten)]
    pub(crate) against: Against,
    /// Connections that send at the same time, one stage each.
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "1,16,128", value_parser = clients)]
    pub(crate) clients: Vec<usize>,
    /// Seconds a stage lasts.
    #[arg(long, value_name = "N", default_value = "5", value_parser = seconds)]
    pub(crate) seconds: Duration,
    /// Sends per second, whatever the server does: latency then counts from
    /// when a note should have been sent. Default: each connection sends as
    /// soon as it has its answer.
    #[arg(long, value_name = "N")]
    pub(crate) rate: Option<Rate>,
    /// Inboxes to spread the notes over; each holds at most 10000.
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = people)]
    pub(crate) accounts: usize,
    /// Characters in a note, 80 to 280.
    #[arg(long, value_name = "N", default_value_t = 120, value_parser = length)]
    pub(crate) length: usize,
}

/// Flags of `login`.
#[derive(Debug, Args)]
pub(crate) struct Login {
    #[command(flatten)]
    pub(crate) against: Against,
    /// Connections that sign in without a pause, one stage each.
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "1,16,64", value_parser = clients)]
    pub(crate) clients: Vec<usize>,
    /// Seconds that the flood lasts, and the quiet before it.
    #[arg(long, value_name = "N", default_value = "5", value_parser = seconds)]
    pub(crate) seconds: Duration,
    /// How often per second the signed-in user asks for the dashboard.
    #[arg(long, value_name = "N", default_value = "200")]
    pub(crate) probe_rate: Rate,
    /// Messages per second in a room of ten, at the same time.
    #[arg(long, value_name = "N", default_value = "50")]
    pub(crate) chat_rate: Rate,
    /// Milliseconds that a client waits after a 503. With 0, the run measures
    /// a flood of refusals.
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) after_busy_ms: u64,
    /// Accounts to sign in to.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = people)]
    pub(crate) accounts: usize,
}

/// Flags of `start`.
#[derive(Debug, Args)]
pub(crate) struct Start {
    /// The server to start. Default: the `annon` beside this program.
    #[arg(long, value_name = "FILE")]
    pub(crate) server: Option<PathBuf>,
    /// A data folder to start on. It isn't copied: the server changes it.
    /// Default: an empty folder each time.
    #[arg(long, value_name = "FOLDER", conflicts_with = "dir")]
    pub(crate) data_dir: Option<PathBuf>,
    /// Where to create the empty folders. Default: the system's folder for
    /// temporary files.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) dir: Option<PathBuf>,
    /// How often to start it.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) runs: u32,
    /// Further flags for the server, after `--`, such as `-- --sync off`.
    #[arg(last = true, value_name = "SERVER FLAG")]
    pub(crate) server_flags: Vec<String>,
}

/// Flags of `pages`.
#[derive(Debug, Args)]
pub(crate) struct Pages {
    #[command(flatten)]
    pub(crate) against: Against,
    /// Notes in the inbox, one stage each.
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "50,1000,10000", value_parser = notes)]
    pub(crate) notes: Vec<u64>,
    /// Seconds that each page is requested for.
    #[arg(long, value_name = "N", default_value = "2", value_parser = seconds)]
    pub(crate) seconds: Duration,
}

/// Flags of `growth`.
#[derive(Debug, Args)]
pub(crate) struct Growth {
    #[command(flatten)]
    pub(crate) against: Against,
    /// Notes stored in total, one stage each.
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "1000,10000,100000,1000000",
        value_parser = stored)]
    pub(crate) notes: Vec<u64>,
    /// How often each call is made at each stage, up to 1000. Calls that
    /// create, open and delete an account are made less often.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = measured)]
    pub(crate) calls: usize,
    /// Connections that fill the inboxes beforehand.
    #[arg(long, value_name = "N", default_value_t = 128, value_parser = clients)]
    pub(crate) clients: usize,
}

/// Flags of `disk`.
#[derive(Debug, Args)]
pub(crate) struct Disk {
    /// A folder on the disk to measure.
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    pub(crate) dir: PathBuf,
    /// Seconds that each kind of sync is measured.
    #[arg(long, value_name = "N", default_value = "2", value_parser = seconds)]
    pub(crate) seconds: Duration,
}

/// Flags of `chat`.
#[derive(Debug, Args)]
pub(crate) struct Chat {
    /// The server.
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8080")]
    pub(crate) url: Target,
    /// The group: the last part of its link.
    #[arg(long, value_name = "ID")]
    pub(crate) room: String,
    /// A file for the seat and the last message seen, to come back later as
    /// the same member.
    #[arg(long, value_name = "FILE")]
    pub(crate) cookie: Option<PathBuf>,
}
