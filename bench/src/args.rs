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
/// It measures a running server (--url), or starts one on a temporary folder
/// and ends it with the run. Every column says its unit. Of p50, p99, p99.9
/// and max the p99 is the time that 99 of 100 took at most. What stands under
/// `server` and `own` is processor time, of the server and of this program,
/// which on one machine share its cores.
///
/// Without --rate everybody waits for an answer before they ask again (a
/// closed loop): that shows how much a server can do, and hides when it
/// stalls. With --rate what is due goes out whatever the server does (an open
/// loop), and latency counts from when it was due.
///
/// It checks what it is answered, and ends with 0 when the server did
/// everything right, 1 when it did not (a note was lost, say), 2 when there
/// was nothing to measure, and 130 when it was stopped before the end: by then
/// it has told what was measured. A second Ctrl-C does not wait for that.
#[derive(Debug, Parser)]
#[command(name = "annon-bench", version, max_term_width = 100)]
pub(crate) struct Cli {
    /// What to measure.
    #[command(subcommand)]
    pub(crate) scenario: Scenario,
    /// Also write everything as one JSON object, and overwrite this file.
    /// Times in it are microseconds, unless their names say otherwise.
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Also write a page with everything, plots included, and overwrite this
    /// file.
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
}

/// What can be measured.
#[derive(Debug, Subcommand)]
pub(crate) enum Scenario {
    /// Rooms full of members: what a delivery costs and how long it takes.
    ///
    /// What one member says all members of the room hear: one send, as many
    /// deliveries. A latency ends when a member has heard it. Processor time
    /// is told in seconds for a million deliveries, memory in KiB that each
    /// connection added; `wrong` is what was lost, doubled, out of order or
    /// made up.
    Fanout(Fanout),
    /// Anonymous notes: sends a second, and whether each arrives once.
    ///
    /// `sends/commit` is how many notes shared one sync of the disk, `disk
    /// fsyncs/s` what the disk did alone just before, and `× one sync each`
    /// sends a second over that.
    Notes(Notes),
    /// Sign-ins, and how much they disturb somebody who is signed in.
    ///
    /// `quiet` is before the flood of sign-ins, `flood` during it: a dashboard
    /// that is asked for, and a room that chats. `busy/s` were told to come
    /// back later (503), which is a proper answer; `failed` had no such one.
    Login(Login),
    /// Time from starting the server to its first answer.
    Start(Start),
    /// How long a page of an inbox takes, the more notes it holds.
    Pages(Pages),
    /// How long a page of a group takes, the more was said in it.
    ///
    /// `entering` is the one call by which the web app opens a group. A server
    /// that was started for the run is then killed and started again, and its
    /// first page timed.
    History(History),
    /// How long every call takes that a user makes, the more notes are stored.
    ///
    /// A second server keeps the notes of the first stage, and makes the same
    /// calls in turns: `×` is the time here over the time there. Not with
    /// --url, where the last stage is compared with the first.
    Growth(Growth),
    /// What the disk does alone: the floor under every durable send.
    Disk(Disk),
    /// Connections on which nobody says anything: the memory of each.
    Idle(Idle),
    /// Everybody loses the connection at once, and comes back.
    ///
    /// Times count from the loss until one is back and has been given what
    /// they had missed. `tries` are handshakes that failed before one didn't,
    /// `not resumed` were told to load the room anew, `wrong` were given
    /// something else than what they had missed, or never came back.
    Storm(Storm),
    /// Members who come, connect, and leave again.
    Churn(Churn),
    /// Pictures: uploads and downloads a second.
    Images(Images),
    /// A realistic day: everything at once, each at its own rate.
    Mixed(Mixed),
    /// A fan-out for hours: does anything grow?
    ///
    /// `worst p99` is that of the worst second since the line before.
    Soak(Soak),
    /// The highest rate of sends that holds a given p99.
    ///
    /// The rate is doubled until it no longer holds, then halved in between:
    /// also what was refused or never went out does not hold.
    FindLimit(FindLimit),
    /// What got better or worse between two runs of one scenario.
    ///
    /// It ends with 1 when the server was wrong in the later one.
    Compare(Compare),
    /// Several runs of `fanout` in one table, and how each compares with the
    /// first.
    SideBySide(SideBySide),
    /// The least a relay can do, as a server to be measured.
    ///
    /// It relays what it is given until it is ended: `fanout --speak raw --url
    /// http://127.0.0.1:PORT` measures it.
    Floor(Floor),
    /// Take part in a group: lines from the keyboard go out, what arrives is
    /// printed.
    Chat(Chat),
}

impl Scenario {
    /// Whether it has no results that could be written into a file.
    pub(crate) fn measures_nothing(&self) -> bool {
        match self {
            Self::Floor(_) | Self::Chat(_) => true,
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
    /// A running server, as http://HOST:PORT, best started with
    /// --address-limits off --sends-per-second 0, or those limits are what is
    /// measured. Not set: one is started like that for the run.
    #[arg(long, value_name = "URL", conflicts_with_all = ["server", "dir", "server_flags"])]
    pub(crate) url: Option<Target>,
    /// Where the server at --url shows its metrics, as its --metrics-listen
    /// says. Not set: http://127.0.0.1:9464, and if nobody answers there, what
    /// the server counts itself is not told.
    #[arg(long, value_name = "URL", requires = "url")]
    pub(crate) metrics: Option<Target>,
    /// The process of the server at --url, which runs on this machine: to
    /// measure its processor time and its memory.
    #[arg(long, value_name = "PID", requires = "url")]
    pub(crate) server_pid: Option<u32>,
    /// Leave the accounts made for the run, and what they got, on the server
    /// at --url, to have a store of some size. Not set: they are deleted.
    #[arg(long, requires = "url")]
    pub(crate) keep: bool,
    /// The server to start. Not set: the `annon` beside this program.
    #[arg(long, value_name = "FILE")]
    pub(crate) server: Option<PathBuf>,
    /// Where its folder is made: on the disk to measure. Not set: where the
    /// system keeps temporary files.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) dir: Option<PathBuf>,
    /// Further flags for the server that is started, after `--`, such as
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
            "annon-bench soak --hours 23.91",
        ] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
