//! Flags that several scenarios share.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use url::Url;

use crate::load::{PerSecond, target};

/// A load, and the server that it is for.
#[derive(Debug, Args)]
pub(crate) struct On<Load: Args> {
    #[command(flatten)]
    pub(crate) against: Against,
    #[command(flatten)]
    pub(crate) load: Load,
}

/// The server to measure.
#[derive(Debug, Args)]
pub(crate) struct Against {
    /// A running server, as http://HOST:PORT. Start it with
    /// --address-limits off --sends-per-second 0, or the run measures those
    /// limits. Its own figures come from port 9464 of this machine, if it shows
    /// them there. Default: a server is started with these flags for the run.
    #[arg(long, value_name = "URL", value_parser = target, conflicts_with_all = ["server", "dir", "server_flags"])]
    pub(crate) url: Option<Url>,
    /// The process id of the server at --url, if it runs on this machine, to
    /// measure its processor time and memory.
    #[arg(long, value_name = "PID", requires = "url")]
    pub(crate) server_pid: Option<u32>,
    /// The server at --url has fan-outs and idle connections, but no accounts:
    /// any room exists. Such are the servers of bench/peers.
    #[arg(long, requires = "url")]
    pub(crate) bare: bool,
    #[command(flatten)]
    pub(crate) started: Started,
}

/// A server that is started for the run.
#[derive(Debug, Clone, Args)]
pub(crate) struct Started {
    /// The server to start. Default: the `annon` beside this program.
    #[arg(long, value_name = "FILE")]
    pub(crate) server: Option<PathBuf>,
    /// Where to create the server's data folder: on the disk to measure.
    /// Default: the system's folder for temporary files.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) dir: Option<PathBuf>,
    /// More flags for the server that is started, after `--`: for example
    /// `-- --sync off`.
    #[arg(last = true, value_name = "SERVER FLAG")]
    pub(crate) server_flags: Vec<String>,
    /// Where its log goes. Otherwise the first lines that aren't routine are
    /// printed.
    #[arg(skip)]
    pub(crate) log: Option<PathBuf>,
}

/// A time that a flag gives.
pub(crate) fn seconds(raw: &str) -> Result<Duration, &'static str> {
    let seconds: f64 = raw.parse().map_err(|_| "that is no number of seconds")?;
    if (0.1..=86_400.0).contains(&seconds) { Ok(Duration::from_secs_f64(seconds)) } else { Err("0.1 to 86400 seconds") }
}

/// A whole number that a flag gives.
pub(crate) fn whole<const LEAST: usize, const MOST: usize>(raw: &str) -> Result<usize, String> {
    let number = raw.parse().ok().filter(|number| (LEAST..=MOST).contains(number));
    number.ok_or_else(|| format!("a whole number from {LEAST} to {MOST}"))
}

/// A rate a second that a flag gives.
pub(crate) fn rate(raw: &str) -> Result<PerSecond, &'static str> {
    let rate = raw.parse().map_err(|_| "a rate is a number a second")?;
    if (0.001..=10_000_000.0).contains(&rate) {
        Ok(PerSecond(rate))
    } else {
        Err("a rate is 0.001 to 10000000 a second")
    }
}

/// With more clients, our address has no free ports to connect to one server address.
pub(crate) const CLIENTS: usize = 25_000;
/// The most rooms that the id of a message can name.
pub(crate) const ROOMS: usize = 0xffff;
