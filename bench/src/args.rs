//! The command line.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};
use url::Url;

use crate::load::{Rate, target};
use crate::scenarios::chat::Chat;
use crate::scenarios::churn::Churn;
use crate::scenarios::fanout::{Fanout, Idle};
use crate::scenarios::images::Images;
use crate::scenarios::login::Login;
use crate::scenarios::mixed::Mixed;
use crate::scenarios::notes::Notes;
use crate::scenarios::pages::Pages;
use crate::scenarios::start::Start;
use crate::scenarios::storm::Storm;

/// Puts load on an Annon server over HTTP, and measures it.
///
/// It measures a running server (--url), or starts one on a temporary folder
/// and stops it after the run. Every column names its unit. p50, p99 and p99.9
/// are percentiles: 99 of 100 calls took the p99 or less. `server` and `own`
/// are the processor time of the server and of this program, which share the
/// machine's cores.
///
/// Without --rate, each client waits for an answer before it asks again (a
/// closed loop). That shows how much a server can do, and hides its stalls.
/// With --rate, requests go out when they are due, whatever the server does
/// (an open loop), and latency counts from then.
///
/// It checks every answer. The exit code is 0 if the server did everything
/// right, 1 if not (a note was lost, for example), 2 if nothing could be
/// measured, and 130 if the run was stopped early. A stopped run still prints
/// what it measured; a second Ctrl-C ends it at once.
#[derive(Debug, Parser)]
#[command(name = "annon-bench", version, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) scenario: Scenario,
    /// Also write the results to this file as one JSON object. Times are in
    /// microseconds, unless their names say otherwise.
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Also write the results, with plots, to this file as an HTML page.
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Scenario {
    /// Rooms full of members: what a delivery costs and how long it takes.
    ///
    /// One send is delivered to every member of the room. A latency ends when
    /// a member has received the message. Processor time is in seconds for a
    /// million deliveries, memory in KiB that each connection added. `wrong`
    /// counts messages that were lost, doubled, out of order or never sent.
    Fanout(On<Fanout>),
    /// Idle connections: the memory of each.
    Idle(On<Idle>),
    /// All members lose their connections at once, and reconnect.
    ///
    /// Times count from the loss until a member is connected again and has
    /// received what it missed. `tries` are handshakes that failed before. `not
    /// resumed` were told to load the room again. `wrong` received something
    /// else than what they had missed, or never reconnected.
    Storm(On<Storm>),
    /// Members who join, connect and leave again.
    Churn(On<Churn>),
    /// Anonymous notes: sends per second, and whether each arrives once.
    ///
    /// `sends/commit` is how many notes shared one disk sync. `disk fsyncs/s`
    /// is what the disk did alone just before: 4 KiB appended, the fastest
    /// tenth. `× one sync each` is sends per second divided by that.
    Notes(On<Notes>),
    /// Sign-ins, and how much they slow down a user who is signed in.
    ///
    /// A user asks for a dashboard and a room chats: `quiet` is before the
    /// flood of sign-ins, `flood` during it. `busy/s` were refused with 503,
    /// which is a correct answer; `failed` got no correct answer.
    Login(On<Login>),
    /// Pictures: uploads and downloads per second.
    Images(On<Images>),
    /// A realistic day: all kinds of calls at once, each at its own rate.
    Mixed(On<Mixed>),
    /// How the time for a page of an inbox, or of a group, grows with what is
    /// in it, and how every call grows with the notes that are stored.
    ///
    /// Without --notes, --messages or --stored it measures inboxes of 50, 1000
    /// and 10000 notes and groups of 200, 1000, 5000 and 10000 messages.
    Pages(On<Pages>),
    /// Time from starting the server to its first answer.
    Start(Start),
    /// Take part in a group: send lines from the keyboard, and print what
    /// arrives.
    Chat(Chat),
}

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
#[derive(Debug, Args)]
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
pub(crate) fn rate(raw: &str) -> Result<Rate, &'static str> {
    let rate = raw.parse().map_err(|_| "a rate is a number a second")?;
    if (0.001..=10_000_000.0).contains(&rate) { Ok(Rate(rate)) } else { Err("a rate is 0.001 to 10000000 a second") }
}

/// With more, our address has no free ports to connect to one server address.
pub(crate) const CLIENTS: usize = 25_000;
/// The most rooms that the id of a message can name.
pub(crate) const ROOMS: usize = 0xffff;
