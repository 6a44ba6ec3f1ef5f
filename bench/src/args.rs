//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::target::Target;

mod calls;
mod rooms;
mod value;

pub(crate) use calls::{Chat, Disk, Growth, Login, Notes, Pages, Start};
pub(crate) use rooms::{Churn, Fanout, History, Idle, Images, Mixed, Storm};

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
    /// What to measure.
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

/// What can be measured.
#[derive(Debug, Subcommand)]
pub(crate) enum Scenario {
    /// Rooms full of members: what a delivery costs and how long it takes.
    ///
    /// One send is delivered to every member of the room. A latency ends when
    /// a member has received the message. Processor time is in seconds for a
    /// million deliveries, memory in KiB that each connection added. `wrong`
    /// counts messages that were lost, doubled, out of order or never sent.
    Fanout(Fanout),
    /// Anonymous notes: sends per second, and whether each arrives once.
    ///
    /// `sends/commit` is how many notes shared one disk sync. `disk fsyncs/s`
    /// is what the disk did alone just before. `× one sync each` is sends per
    /// second divided by that.
    Notes(Notes),
    /// Sign-ins, and how much they slow down a user who is signed in.
    ///
    /// A user asks for a dashboard and a room chats: `quiet` is before the
    /// flood of sign-ins, `flood` during it. `busy/s` were refused with 503,
    /// which is a correct answer; `failed` got no correct answer.
    Login(Login),
    /// Time from starting the server to its first answer.
    Start(Start),
    /// How the time for a page of an inbox grows with the notes in it.
    Pages(Pages),
    /// How the time for a page of a group grows with the messages in it.
    ///
    /// `entering` is the call with which the web app opens a group. A server
    /// that was started for the run is then killed and started again, and its
    /// first page is timed.
    History(History),
    /// How the time of a user's calls grows with the notes stored.
    ///
    /// A second server keeps the notes of the first stage and gets the same
    /// calls in turns: `×` is the time on the first server divided by the time
    /// on the second. With --url there is no second server, and the last stage
    /// is compared with the first.
    Growth(Growth),
    /// How fast the disk syncs alone: no durable send can be faster.
    Disk(Disk),
    /// Idle connections: the memory of each.
    Idle(Idle),
    /// All members lose their connections at once, and reconnect.
    ///
    /// Times count from the loss until a member is connected again and has
    /// received what it missed. `tries` are handshakes that failed before. `not
    /// resumed` were told to load the room again. `wrong` received something
    /// else than what they had missed, or never reconnected.
    Storm(Storm),
    /// Members who join, connect and leave again.
    Churn(Churn),
    /// Pictures: uploads and downloads per second.
    Images(Images),
    /// A realistic day: all kinds of calls at once, each at its own rate.
    Mixed(Mixed),
    /// Take part in a group: send lines from the keyboard, and print what
    /// arrives.
    Chat(Chat),
}

impl Scenario {
    /// Whether it has no results that could be written into a file.
    pub(crate) fn measures_nothing(&self) -> bool {
        match self {
            Self::Chat(_) => true,
            Self::Mixed(mixed) => mixed.print,
            _ => false,
        }
    }

    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Fanout(_) => "fanout",
            Self::Idle(_) => "idle",
            Self::Storm(_) => "storm",
            Self::Churn(_) => "churn",
            Self::Images(_) => "images",
            Self::Mixed(_) => "mixed",
            Self::Chat(_) => "chat",
            Self::Notes(_) => "notes",
            Self::Login(_) => "login",
            Self::Start(_) => "start",
            Self::Pages(_) => "pages",
            Self::History(_) => "history",
            Self::Growth(_) => "growth",
            Self::Disk(_) => "disk",
        }
    }
}

/// The server to measure.
#[derive(Debug, Args)]
pub(crate) struct Against {
    /// A running server, as http://HOST:PORT. Start it with
    /// --address-limits off --sends-per-second 0, or the run measures those
    /// limits. Default: a server is started with these flags for the run.
    #[arg(long, value_name = "URL", conflicts_with_all = ["server", "dir", "server_flags"])]
    pub(crate) url: Option<Target>,
    /// The metrics address of the server at --url (its --metrics-listen).
    /// Default: http://127.0.0.1:9464. If nothing answers there, the server's
    /// own figures are left out.
    #[arg(long, value_name = "URL", requires = "url")]
    pub(crate) metrics: Option<Target>,
    /// The process id of the server at --url, if it runs on this machine, to
    /// measure its processor time and memory.
    #[arg(long, value_name = "PID", requires = "url")]
    pub(crate) server_pid: Option<u32>,
    /// Keep the accounts made for the run, and their notes, on the server at
    /// --url, to fill its store. Default: they are deleted.
    #[arg(long, requires = "url")]
    pub(crate) keep: bool,
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::turns::Rate;

    fn parse(line: &str) -> Result<Cli, clap::Error> {
        Cli::try_parse_from(line.split(' '))
    }

    #[test]
    fn the_defaults_are_those_of_the_documentation() {
        let Scenario::Notes(notes) = parse("annon-bench notes").unwrap().scenario else { panic!() };
        assert_eq!((notes.clients, notes.seconds, notes.rate), (vec![1, 16, 128], Duration::from_secs(5), None));
        assert_eq!((notes.accounts, notes.length), (50, 120));
        let Scenario::Start(start) = parse("annon-bench start").unwrap().scenario else { panic!() };
        assert_eq!((start.runs, start.data_dir), (20, None));
    }

    #[test]
    fn lists_rates_and_flags_for_the_server_are_read() {
        let line = "annon-bench notes --clients 2,4 --rate 99.5 --seconds 0.5 --json x -- --sync off";
        let cli = parse(line).unwrap();
        assert_eq!(cli.json, Some(PathBuf::from("x")));
        let Scenario::Notes(notes) = cli.scenario else { panic!() };
        assert_eq!((notes.clients, notes.rate), (vec![2, 4], Some(Rate(99.5))));
        assert_eq!(notes.against.server_flags, ["--sync", "off"]);
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for bad in [
            "annon-bench",
            "annon-bench fly",
            "annon-bench notes --clients 0",
            "annon-bench notes --clients 1,,2",
            "annon-bench notes --clients 1000000",
            "annon-bench notes --seconds -1",
            "annon-bench notes --rate never",
            "annon-bench notes --length 281",
            "annon-bench notes --url https://x.example",
            "annon-bench notes --url http://x.example --server ./annon",
            "annon-bench notes --server-pid 7",
            "annon-bench pages --notes 10001",
            "annon-bench history --messages 10001",
            "annon-bench growth --notes 0",
            "annon-bench start --runs 0",
        ] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
