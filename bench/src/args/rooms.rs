//! Flags of what is measured in rooms.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::args::Against;
use crate::args::value::{chat_length, clients, connections, hours, in_flight, members, p99, rooms, said, seconds};
use crate::crowd::Speak;
use crate::engine::pace::{Course, Pace};
use crate::turns::Rate;

/// Flags of `fanout`.
#[derive(Debug, Args)]
pub(crate) struct Fanout {
    #[command(flatten)]
    pub(crate) against: Against,
    /// Rooms, one stage each.
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "20", value_parser = rooms)]
    pub(crate) rooms: Vec<usize>,
    /// Members in each room.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = members)]
    pub(crate) members: usize,
    /// Sends a second over all rooms, whatever the server does: latency then
    /// counts from when a message should have been sent. Not set: a room
    /// sends the next message when one has reached everybody.
    #[arg(long, value_name = "N", conflicts_with = "in_flight")]
    pub(crate) rate: Option<Rate>,
    /// Messages each room has on their way at once, without --rate.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = in_flight)]
    pub(crate) in_flight: usize,
    /// Seconds a stage is measured.
    #[arg(long, value_name = "N", default_value = "5", value_parser = seconds)]
    pub(crate) seconds: Duration,
    /// Seconds it runs before that, which don't count.
    #[arg(long, value_name = "N", default_value = "1", value_parser = seconds)]
    pub(crate) warm_up: Duration,
    /// Characters of a message, 8 to 255.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = chat_length)]
    pub(crate) length: usize,
    /// What the server at --url speaks, to measure others the same way.
    #[arg(long, value_enum, value_name = "PROTOCOL", default_value_t = Speak::Annon)]
    pub(crate) speak: Speak,
}

impl Fanout {
    pub(crate) fn pace(&self) -> Pace {
        self.rate.map_or(Pace::Closed { on_their_way: self.in_flight }, Pace::Open)
    }

    pub(crate) fn course(&self) -> Course {
        let Self { warm_up, seconds: length, length: length_of_text, .. } = *self;
        Course { pace: self.pace(), warm_up, length, length_of_text }
    }
}

/// Flags of `idle`.
#[derive(Debug, Args)]
pub(crate) struct Idle {
    #[command(flatten)]
    pub(crate) against: Against,
    /// Connections, one stage each, in as many whole rooms as hold them. Past
    /// 25000 they come from several loopback addresses.
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "1000,5000", value_parser = connections)]
    pub(crate) connections: Vec<usize>,
    /// Members in each room.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = members)]
    pub(crate) members: usize,
    /// Seconds they are held.
    #[arg(long, value_name = "N", default_value = "5", value_parser = seconds)]
    pub(crate) seconds: Duration,
    /// What the server at --url speaks, to measure others the same way.
    #[arg(long, value_enum, value_name = "PROTOCOL", default_value_t = Speak::Annon)]
    pub(crate) speak: Speak,
}

/// Flags of `storm`.
#[derive(Debug, Args)]
pub(crate) struct Storm {
    #[command(flatten)]
    pub(crate) against: Against,
    /// Rooms, one stage each.
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "100", value_parser = rooms)]
    pub(crate) rooms: Vec<usize>,
    /// Members in each room.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = members)]
    pub(crate) members: usize,
    /// Messages in each room that everybody has missed, up to 1000. More than
    /// 500 a server need not give back: then the room is loaded anew.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = in_flight)]
    pub(crate) missed: usize,
    /// Kill the server that was started for the run (SIGKILL), and start it
    /// again on the same folder: the time then includes its start.
    #[arg(long, conflicts_with = "url")]
    pub(crate) restart: bool,
}

/// Flags of `churn`.
#[derive(Debug, Args)]
pub(crate) struct Churn {
    #[command(flatten)]
    pub(crate) against: Against,
    /// Members who come and go at the same time, one stage each.
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "1,16,64", value_parser = clients)]
    pub(crate) clients: Vec<usize>,
    /// Seconds a stage lasts.
    #[arg(long, value_name = "N", default_value = "5", value_parser = seconds)]
    pub(crate) seconds: Duration,
    /// Comings a second, whatever the server does. Not set: everybody comes
    /// back as soon as they have left.
    #[arg(long, value_name = "N")]
    pub(crate) rate: Option<Rate>,
    /// Keep the seats: only sockets come and go.
    #[arg(long)]
    pub(crate) keep_seats: bool,
}

/// Flags of `images`.
#[derive(Debug, Args)]
pub(crate) struct Images {
    #[command(flatten)]
    pub(crate) against: Against,
    /// Members who send pictures at the same time, one stage each.
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "1,8", value_parser = clients)]
    pub(crate) clients: Vec<usize>,
    /// Seconds that pictures are sent, and then as long again read.
    #[arg(long, value_name = "N", default_value = "5", value_parser = seconds)]
    pub(crate) seconds: Duration,
    /// Width of a picture in pixels; its height is two thirds of that.
    #[arg(long, value_name = "N", default_value_t = 1080, value_parser = clap::value_parser!(u32).range(16..=4096))]
    pub(crate) width: u32,
}

/// Flags of `history`.
#[derive(Debug, Args)]
pub(crate) struct History {
    #[command(flatten)]
    pub(crate) against: Against,
    /// Messages in the group, one stage each. A server keeps 10000, or what
    /// its --room-messages says.
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "200,1000,5000,10000", value_parser = said)]
    pub(crate) messages: Vec<u32>,
    /// Seconds each page is asked for.
    #[arg(long, value_name = "N", default_value = "2", value_parser = seconds)]
    pub(crate) seconds: Duration,
    /// Characters of a message, 8 to 255.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = chat_length)]
    pub(crate) length: usize,
}

/// Flags of `mixed`.
#[derive(Debug, Args)]
pub(crate) struct Mixed {
    #[command(flatten)]
    pub(crate) against: Against,
    /// A TOML file that says what the day is made of. Not set: the one that
    /// is built in, which --print shows.
    #[arg(long, value_name = "FILE")]
    pub(crate) day: Option<PathBuf>,
    /// Seconds it lasts, whatever the file says.
    #[arg(long, value_name = "N", value_parser = seconds)]
    pub(crate) seconds: Option<Duration>,
    /// Only print the day that is built in, to be edited.
    #[arg(long)]
    pub(crate) print: bool,
}

/// Flags of `soak`.
#[derive(Debug, Args)]
pub(crate) struct Soak {
    #[command(flatten)]
    pub(crate) against: Against,
    /// Hours it lasts, up to 23.9: a group lives 24.
    #[arg(long, value_name = "N", default_value = "1", value_parser = hours)]
    pub(crate) hours: Duration,
    /// Seconds between two lines.
    #[arg(long, value_name = "N", default_value = "60", value_parser = seconds)]
    pub(crate) every: Duration,
    /// Rooms.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = rooms)]
    pub(crate) rooms: usize,
    /// Members in each room.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = members)]
    pub(crate) members: usize,
    /// Sends a second over all rooms.
    #[arg(long, value_name = "N", default_value = "200")]
    pub(crate) rate: Rate,
}

/// Flags of `find-limit`.
#[derive(Debug, Args)]
pub(crate) struct FindLimit {
    #[command(flatten)]
    pub(crate) against: Against,
    /// The p99 that has to be held, in milliseconds. A message counts from
    /// when it should have been sent.
    #[arg(long, value_name = "N", default_value_t = 10.0, value_parser = p99)]
    pub(crate) p99_ms: f64,
    /// Sends a second over all rooms to begin with.
    #[arg(long, value_name = "N", default_value = "500")]
    pub(crate) from: Rate,
    /// Rooms.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = rooms)]
    pub(crate) rooms: usize,
    /// Members in each room.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = members)]
    pub(crate) members: usize,
    /// Seconds each rate is tried, after one that doesn't count.
    #[arg(long, value_name = "N", default_value = "4", value_parser = seconds)]
    pub(crate) seconds: Duration,
    /// What the server at --url speaks, to measure others the same way.
    #[arg(long, value_enum, value_name = "PROTOCOL", default_value_t = Speak::Annon)]
    pub(crate) speak: Speak,
}
