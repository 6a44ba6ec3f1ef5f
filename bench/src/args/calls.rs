//! The flags of the scenarios without rooms.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::args::{Against, CLIENTS, Started, seconds, whole};
use crate::load::api::INBOX_NOTES;
use crate::load::pace::Rate;
use crate::load::target::Target;

/// Flags of `notes`.
#[derive(Debug, Args)]
pub(crate) struct Notes {
    #[command(flatten)]
    pub(crate) against: Against,
    /// Connections that send at the same time, one stage each.
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "1,16,128", value_parser = whole::<1, CLIENTS>)]
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
    #[arg(long, value_name = "N", default_value = "50", value_parser = whole::<1, 99_999>)]
    pub(crate) accounts: usize,
    /// Characters in a note, 80 to 280.
    #[arg(long, value_name = "N", default_value = "120", value_parser = whole::<80, 280>)]
    pub(crate) length: usize,
}

/// Flags of `login`.
#[derive(Debug, Args)]
pub(crate) struct Login {
    #[command(flatten)]
    pub(crate) against: Against,
    /// Connections that sign in without a pause, one stage each.
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "1,16,64", value_parser = whole::<1, CLIENTS>)]
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
    #[arg(long, value_name = "N", default_value = "4", value_parser = whole::<1, 99_999>)]
    pub(crate) accounts: usize,
}

/// Flags of `pages`.
#[derive(Debug, Args)]
pub(crate) struct Pages {
    #[command(flatten)]
    pub(crate) against: Against,
    /// Notes in an inbox, one stage each.
    #[arg(long, value_name = "N,…", value_delimiter = ',', value_parser = whole::<1, INBOX_NOTES>)]
    pub(crate) notes: Vec<usize>,
    /// Messages in a group, one stage each. A server keeps 10000, or the
    /// number of its --room-messages flag.
    #[arg(long, value_name = "N,…", value_delimiter = ',', value_parser = whole::<1, 10_000>)]
    pub(crate) messages: Vec<usize>,
    /// Notes stored in total, one stage each, such as 1000,1000000: every call
    /// that the store answers is timed, in turns with a second server that
    /// keeps the notes of the first stage. With --url there is no second one.
    #[arg(long, value_name = "N,…", value_delimiter = ',', value_parser = whole::<1, 100_000_000>)]
    pub(crate) stored: Vec<usize>,
    /// Seconds that each page is requested for.
    #[arg(long, value_name = "N", default_value = "2", value_parser = seconds)]
    pub(crate) seconds: Duration,
    /// How often each call is made at each stage of --stored.
    #[arg(long, value_name = "N", default_value = "500", value_parser = whole::<1, 1000>)]
    pub(crate) calls: usize,
}

impl Pages {
    /// What is measured when no part is named.
    pub(crate) fn or_usual(&self) -> (Vec<usize>, Vec<usize>) {
        if self.notes.is_empty() && self.messages.is_empty() && self.stored.is_empty() {
            return (vec![50, 1000, 10_000], vec![200, 1000, 5000, 10_000]);
        }
        (self.notes.clone(), self.messages.clone())
    }
}

/// Flags of `start`.
#[derive(Debug, Args)]
pub(crate) struct Start {
    #[command(flatten)]
    pub(crate) started: Started,
    /// A data folder to start on. It isn't copied: the server changes it.
    /// Default: an empty folder each time.
    #[arg(long, value_name = "FOLDER", conflicts_with = "dir")]
    pub(crate) data_dir: Option<PathBuf>,
    /// How often to start it.
    #[arg(long, value_name = "N", default_value = "20", value_parser = whole::<1, 10_000>)]
    pub(crate) runs: usize,
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
