//! The command line.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};

use crate::target::Target;
use crate::turns::Rate;

/// Loads an Annon server over HTTP, and measures it.
///
/// It measures a running server (--url), or starts one on a temporary
/// folder. Latencies are in milliseconds, processor times in microseconds.
/// It ends with 0 when the server did everything right, 1 when it did not
/// (a note was lost, say), and 2 when there was nothing to measure.
#[derive(Debug, Parser)]
#[command(name = "annon-bench", version, max_term_width = 100)]
pub(crate) struct Cli {
    /// What to measure.
    #[command(subcommand)]
    pub(crate) scenario: Scenario,
    /// Also write everything into this file, as one JSON object.
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
}

/// What can be measured.
#[derive(Debug, Subcommand)]
pub(crate) enum Scenario {
    /// Anonymous notes: sends a second, and whether each arrives once.
    Notes(Notes),
    /// Sign-ins, and how much they disturb somebody who is signed in.
    Login(Login),
    /// Time from starting the server to its first answer.
    Start(Start),
    /// One page of an inbox, the more notes it holds.
    Pages(Pages),
    /// What the disk does alone: the floor under every durable send.
    Disk(Disk),
}

impl Scenario {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Notes(_) => "notes",
            Self::Login(_) => "login",
            Self::Start(_) => "start",
            Self::Pages(_) => "pages",
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

/// Flags of `notes`.
#[derive(Debug, Args)]
pub(crate) struct Notes {
    #[command(flatten)]
    pub(crate) against: Against,
    /// Connections that send at the same time, one stage each.
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "1,16,128", value_parser = clients)]
    pub(crate) clients: Vec<usize>,
    /// How long a stage lasts.
    #[arg(long, value_name = "N", default_value = "5", value_parser = seconds)]
    pub(crate) seconds: Duration,
    /// Sends a second, whatever the server does: latency then counts from
    /// when a note should have been sent. Not set: everybody sends as soon
    /// as they have their answer.
    #[arg(long, value_name = "N")]
    pub(crate) rate: Option<Rate>,
    /// Inboxes to spread the notes over; each holds at most 10000.
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = people)]
    pub(crate) accounts: usize,
    /// Characters in a note.
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
    /// How long a stage lasts, and the quiet before it.
    #[arg(long, value_name = "N", default_value = "5", value_parser = seconds)]
    pub(crate) seconds: Duration,
    /// How often somebody who is signed in asks for their dashboard.
    #[arg(long, value_name = "N", default_value = "200")]
    pub(crate) probe_rate: Rate,
    /// How long a client that was told to come back later waits, in
    /// milliseconds; with 0 the flood of refusals is what is measured.
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) after_busy_ms: u64,
    /// Accounts to sign in to.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = people)]
    pub(crate) accounts: usize,
}

/// Flags of `start`.
#[derive(Debug, Args)]
pub(crate) struct Start {
    /// The server to start. Not set: the `annon` beside this program.
    #[arg(long, value_name = "FILE")]
    pub(crate) server: Option<PathBuf>,
    /// A folder with data to start on. No copy is made: the server runs on
    /// it as it would for its owner. Not set: an empty one each time.
    #[arg(long, value_name = "FOLDER", conflicts_with = "dir")]
    pub(crate) data_dir: Option<PathBuf>,
    /// Where the empty folders are made.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) dir: Option<PathBuf>,
    /// How often to start it.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) runs: u32,
    /// Further flags for the server, after `--`.
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
    /// How long each page is asked for.
    #[arg(long, value_name = "N", default_value = "2", value_parser = seconds)]
    pub(crate) seconds: Duration,
}

/// Flags of `disk`.
#[derive(Debug, Args)]
pub(crate) struct Disk {
    /// A folder on the disk to measure.
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    pub(crate) dir: PathBuf,
    /// How long each kind of sync is measured.
    #[arg(long, value_name = "N", default_value = "2", value_parser = seconds)]
    pub(crate) seconds: Duration,
}

fn seconds(raw: &str) -> Result<Duration, &'static str> {
    let seconds: f64 = raw.parse().map_err(|_| "that is no number of seconds")?;
    if (0.1..=86_400.0).contains(&seconds) { Ok(Duration::from_secs_f64(seconds)) } else { Err("0.1 to 86400 seconds") }
}

fn within(raw: &str, most: u64) -> Result<u64, String> {
    let number = raw.parse().ok().filter(|number| (1..=most).contains(number));
    number.ok_or_else(|| format!("a whole number from 1 to {most}"))
}

fn clients(raw: &str) -> Result<usize, String> {
    // Past that one address of ours has no ports left for one of theirs.
    within(raw, 25_000).map(|clients| clients as usize)
}

fn people(raw: &str) -> Result<usize, String> {
    within(raw, 99_999).map(|people| people as usize)
}

fn notes(raw: &str) -> Result<u64, String> {
    within(raw, crate::people::INBOX_NOTES)
}

fn length(raw: &str) -> Result<usize, &'static str> {
    // Shorter, the words that tell notes apart don't fit; longer ones are refused.
    raw.parse().ok().filter(|length| (80..=280).contains(length)).ok_or("80 to 280 characters")
}

#[cfg(test)]
mod tests {
    use super::*;

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
            "annon-bench start --runs 0",
        ] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
