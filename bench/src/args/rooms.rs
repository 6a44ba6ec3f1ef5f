//! The flags of the scenarios with rooms.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::args::{Against, CLIENTS, seconds, whole};
use crate::load::chat::{Course, Flow};
use crate::load::frames::SHORTEST;
use crate::load::pace::Rate;

/// As many as a message's name can tell apart.
const ROOMS: usize = 0xffff;
const MEMBERS: usize = 0xfff;

/// Flags of `fanout`.
#[derive(Debug, Args)]
pub(crate) struct Fanout {
    #[command(flatten)]
    pub(crate) against: Against,
    /// Rooms, one stage each.
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "20", value_parser = whole::<1, ROOMS>)]
    pub(crate) rooms: Vec<usize>,
    /// Members in each room.
    #[arg(long, value_name = "N", default_value = "10", value_parser = whole::<1, MEMBERS>)]
    pub(crate) members: usize,
    /// Sends per second over all rooms, whatever the server does: latency then
    /// counts from when a message should have been sent. Default: a room sends
    /// the next message when the last one has reached every member.
    #[arg(long, value_name = "N", conflicts_with = "in_flight")]
    pub(crate) rate: Option<Rate>,
    /// Messages that each room has in flight at once, without --rate.
    #[arg(long, value_name = "N", default_value = "1", value_parser = whole::<1, 1000>)]
    pub(crate) in_flight: usize,
    /// Seconds that a stage is measured.
    #[arg(long, value_name = "N", default_value = "5", value_parser = seconds)]
    pub(crate) seconds: Duration,
    /// Seconds that a stage runs before it is measured.
    #[arg(long, value_name = "N", default_value = "1", value_parser = seconds)]
    pub(crate) warm_up: Duration,
    /// Characters in a message, 8 to 255.
    #[arg(long, value_name = "N", default_value = "100", value_parser = whole::<SHORTEST, 255>)]
    pub(crate) length: usize,
    /// The server at --url speaks these frames but has no accounts: any room
    /// exists. Such are the servers of bench/peers.
    #[arg(long, requires = "url")]
    pub(crate) bare: bool,
}

impl Fanout {
    pub(crate) fn course(&self) -> Course {
        let flow = self.rate.map_or(Flow::Closed { in_flight: self.in_flight }, Flow::Open);
        Course { flow, warm_up: self.warm_up, length: self.seconds, words: self.length }
    }
}

/// Flags of `idle`.
#[derive(Debug, Args)]
pub(crate) struct Idle {
    #[command(flatten)]
    pub(crate) against: Against,
    /// Connections, one stage each, in full rooms. More than 25000 come from
    /// several loopback addresses.
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "1000,5000",
        value_parser = whole::<1, 500_000>)]
    pub(crate) connections: Vec<usize>,
    /// Members in each room.
    #[arg(long, value_name = "N", default_value = "10", value_parser = whole::<1, MEMBERS>)]
    pub(crate) members: usize,
    /// Seconds that the connections are held.
    #[arg(long, value_name = "N", default_value = "5", value_parser = seconds)]
    pub(crate) seconds: Duration,
    /// The server at --url has no accounts: see `fanout`.
    #[arg(long, requires = "url")]
    pub(crate) bare: bool,
}

/// Flags of `storm`.
#[derive(Debug, Args)]
pub(crate) struct Storm {
    #[command(flatten)]
    pub(crate) against: Against,
    /// Rooms, one stage each.
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "100", value_parser = whole::<1, ROOMS>)]
    pub(crate) rooms: Vec<usize>,
    /// Members in each room.
    #[arg(long, value_name = "N", default_value = "10", value_parser = whole::<1, MEMBERS>)]
    pub(crate) members: usize,
    /// Messages in each room that all members have missed, up to 1000. For
    /// more than 500, a server may tell clients to load the room again.
    #[arg(long, value_name = "N", default_value = "20", value_parser = whole::<1, 1000>)]
    pub(crate) missed: usize,
    /// Kill the server that was started for the run (SIGKILL), and start it
    /// again on the same folder. The times then include its start.
    #[arg(long, conflicts_with = "url")]
    pub(crate) restart: bool,
}

/// Flags of `churn`.
#[derive(Debug, Args)]
pub(crate) struct Churn {
    #[command(flatten)]
    pub(crate) against: Against,
    /// Members who join and leave at the same time, one stage each.
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "1,16,64", value_parser = whole::<1, CLIENTS>)]
    pub(crate) clients: Vec<usize>,
    /// Seconds a stage lasts.
    #[arg(long, value_name = "N", default_value = "5", value_parser = seconds)]
    pub(crate) seconds: Duration,
    /// Joins per second, whatever the server does. Default: each member joins
    /// again right after leaving.
    #[arg(long, value_name = "N")]
    pub(crate) rate: Option<Rate>,
    /// Keep the seats, and only open and close sockets.
    #[arg(long)]
    pub(crate) keep_seats: bool,
}

/// Flags of `images`.
#[derive(Debug, Args)]
pub(crate) struct Images {
    #[command(flatten)]
    pub(crate) against: Against,
    /// Members who send pictures at the same time, one stage each.
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "1,8", value_parser = whole::<1, CLIENTS>)]
    pub(crate) clients: Vec<usize>,
    /// Seconds that pictures are uploaded, and as many that they are downloaded.
    #[arg(long, value_name = "N", default_value = "5", value_parser = seconds)]
    pub(crate) seconds: Duration,
    /// Width of a picture in pixels; its height is two thirds of that.
    #[arg(long, value_name = "N", default_value = "1080", value_parser = whole::<16, 4096>)]
    pub(crate) width: usize,
}

/// Flags of `mixed`.
#[derive(Debug, Args)]
pub(crate) struct Mixed {
    #[command(flatten)]
    pub(crate) against: Against,
    /// A TOML file that describes the day. Default: the built-in one, which
    /// --print shows.
    #[arg(long, value_name = "FILE")]
    pub(crate) day: Option<PathBuf>,
    /// Seconds that the day lasts, instead of those in the file.
    #[arg(long, value_name = "N", value_parser = seconds)]
    pub(crate) seconds: Option<Duration>,
    /// Only print the built-in file, to edit it.
    #[arg(long)]
    pub(crate) print: bool,
}
