//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::target::Target;

mod calls;
mod rooms;
mod tools;
mod value;

pub(crate) use calls::{Disk, Growth, Login, Notes, Pages, Start};
pub(crate) use rooms::{Churn, Fanout, FindLimit, History, Idle, Images, Mixed, Soak, Storm};
pub(crate) use tools::{Chat, Compare, Floor, SideBySide};

/// Loads an Annon server over HTTP, and measures it.
///
/// It measures a running server (--url), or starts one on a temporary
/// folder. Latencies are in milliseconds, processor times in microseconds.
/// It ends with 0 when the server did everything right, 1 when it did not
/// (a note was lost, say), 2 when there was nothing to measure, and 130 when
/// it was stopped before the end: it has told what it measured until then.
#[derive(Debug, Parser)]
#[command(name = "annon-bench", version, max_term_width = 100)]
pub(crate) struct Cli {
    /// What to measure.
    #[command(subcommand)]
    pub(crate) scenario: Scenario,
    /// Also write everything into this file, as one JSON object.
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Also write a page with everything, plots included, into this file.
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
}

/// What can be measured.
#[derive(Debug, Subcommand)]
pub(crate) enum Scenario {
    /// Rooms full of members: what a delivery costs and how long it takes.
    Fanout(Fanout),
    /// Anonymous notes: sends a second, and whether each arrives once.
    Notes(Notes),
    /// Sign-ins, and how much they disturb somebody who is signed in.
    Login(Login),
    /// Time from starting the server to its first answer.
    Start(Start),
    /// One page of an inbox, the more notes it holds.
    Pages(Pages),
    /// One page of a group, the more was said in it.
    History(History),
    /// Every call a user makes, the more notes are stored.
    Growth(Growth),
    /// What the disk does alone: the floor under every durable send.
    Disk(Disk),
    /// Connections that nobody says anything on: memory for each.
    Idle(Idle),
    /// Everybody loses the connection at once, and comes back.
    Storm(Storm),
    /// Members who come, connect, and leave again.
    Churn(Churn),
    /// Pictures: uploads and downloads a second.
    Images(Images),
    /// A realistic day: shares of everything, from a TOML file.
    Mixed(Mixed),
    /// A fan-out for hours: does anything grow?
    Soak(Soak),
    /// The highest rate of sends that holds a given p99.
    FindLimit(FindLimit),
    /// What got better or worse between two runs, as --json wrote them.
    Compare(Compare),
    /// The least a relay can do, as a server to be measured.
    Floor(Floor),
    /// Several runs of `fanout`, as --json wrote them, in one table: medians,
    /// and how they compare with the first label's.
    SideBySide(SideBySide),
    /// Take part in a group: lines from the keyboard go out, what arrives is
    /// printed.
    Chat(Chat),
}

impl Scenario {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Fanout(_) => "fanout",
            Self::Idle(_) => "idle",
            Self::Storm(_) => "storm",
            Self::Churn(_) => "churn",
            Self::Images(_) => "images",
            Self::Mixed(_) => "mixed",
            Self::Soak(_) => "soak",
            Self::FindLimit(_) => "find-limit",
            Self::Compare(_) => "compare",
            Self::Floor(_) => "floor",
            Self::SideBySide(_) => "side-by-side",
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
    /// A running server, started with --address-limits off. Not set: one is
    /// started for the run.
    #[arg(long, value_name = "URL", conflicts_with_all = ["server", "dir", "server_flags"])]
    pub(crate) url: Option<Target>,
    /// The process of the server at --url, to measure its processor time.
    #[arg(long, value_name = "PID", requires = "url")]
    pub(crate) server_pid: Option<u32>,
    /// Leave the accounts made for the run, and what they got, on the server
    /// at --url, to have a store of some size.
    #[arg(long, requires = "url")]
    pub(crate) keep: bool,
    /// The server to start. Not set: the `annon` beside this program.
    #[arg(long, value_name = "FILE")]
    pub(crate) server: Option<PathBuf>,
    /// Where its folder is made: on the disk to measure. Not set: where the
    /// system keeps temporary files.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) dir: Option<PathBuf>,
    /// Further flags for the server that is started, after `--`.
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
