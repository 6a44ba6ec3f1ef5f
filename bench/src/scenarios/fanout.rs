//! Rooms full of members, who all receive what one sends: how much that costs the server, how long
//! it takes, and whether all members receive everything once and in the same order.

use std::time::Duration;

use clap::Args;

use crate::args::{CLIENTS, ROOMS, rate, seconds, whole};
use crate::load::{ChatSchedule, PerSecond, StageOutcome, chat, frames, rooms};
use crate::report::{Columns, Row, TAIL_LATENCY, print_line};
use crate::scenarios::Run;
use crate::trouble::{Fallible, Trouble};

/// How long a stage runs before it is measured; at most a fifth of its time.
const WARM_UP: Duration = Duration::from_secs(1);

const COLUMNS: Columns = &[
    &["rooms", "members", "sends/s = sends_per_second", "deliveries/s = done_per_second"],
    TAIL_LATENCY,
    &["server s/million = server_cpu_each", "own s/million = own_cpu_each"],
    &["KiB/connection = memory_per_connection", "refused = failed", "wrong"],
];

const IDLE: Columns = &[
    &["connections", "rooms", "KiB/connection = memory_per_connection", "server MiB = memory"],
    &["server CPU % = server_cpu_percent", "closed = wrong"],
];

#[derive(Debug, Args)]
pub(crate) struct Fanout {
    /// Rooms, one stage each.
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "20", value_parser = whole::<1, ROOMS>)]
    pub(crate) rooms: Vec<usize>,
    /// Members in each room.
    #[arg(long, value_name = "N", default_value = "10", value_parser = whole::<1, CLIENTS>)]
    pub(crate) members: usize,
    /// Sends per second over all rooms, whatever the server does: latency then
    /// counts from when a message should have been sent. Default: a room sends
    /// the next message when the last one has reached every member.
    #[arg(long, value_name = "N", value_parser = rate, conflicts_with = "in_flight")]
    rate: Option<PerSecond>,
    /// Messages that each room has in flight at once, without --rate.
    #[arg(long, value_name = "N", default_value = "1", value_parser = whole::<1, 1000>)]
    in_flight: usize,
    /// Reactions that follow each message. They count as sends, so the figures say what a reaction
    /// costs beside a message.
    #[arg(long, value_name = "N", default_value = "0", value_parser = whole::<0, 1000>)]
    reactions: usize,
    /// The messages are sealed, as browsers seal as many words.
    #[arg(long, conflicts_with_all = ["bare", "reactions"])]
    sealed: bool,
    /// Seconds that a stage is measured.
    #[arg(long, value_name = "N", default_value = "5", value_parser = seconds)]
    seconds: Duration,
}

impl Fanout {
    pub(super) async fn measure(&self, run: &mut Run<'_>) -> Fallible {
        let &Self { rate, in_flight, reactions, sealed, seconds: length, .. } = self;
        let words = if sealed { frames::sealed_words } else { frames::words };
        let how = match rate {
            Some(PerSecond(rate)) => format!("{rate} sends a second over all rooms"),
            None => format!("each room has {in_flight} in flight"),
        };
        print_line(&format!(
            "Messages of 100 characters{}; {how}; {} s each",
            if sealed { ", sealed" } else { "" },
            length.as_secs_f64()
        ));
        if reactions > 0 {
            print_line(&format!("Each message is followed by {reactions} reactions, which count as sends"));
        }
        let schedule = ChatSchedule { rate, in_flight, reactions, words, warm_up: WARM_UP.min(length / 5), length };
        for (stage, &rooms) in self.rooms.iter().enumerate() {
            let (outcome, memory) = hold(rooms, self.members, (schedule, sealed), stage, run).await?;
            let row = Row::of(&outcome).with("rooms", rooms).with("members", self.members);
            let row =
                row.with("rate", rate.map(|rate| rate.0)).with("in_flight", in_flight).with("reactions", reactions);
            let row = row.with("sealed", u64::from(sealed));
            run.judged(COLUMNS, row.with("memory_per_connection", memory), &outcome).await?;
            if outcome.done == 0 {
                return Trouble::because("no message was delivered");
            }
        }
        run.report.checked("every message reached every member, once, in the same order.");
        Ok(())
    }
}

/// Connections on which nobody sends anything: the memory that each costs, and whether the server
/// keeps them all.
#[derive(Debug, Args)]
pub(crate) struct Idle {
    /// Connections, one stage each, in full rooms.
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "1000,5000", value_parser = whole::<1, CLIENTS>)]
    pub(crate) connections: Vec<usize>,
    /// Members in each room.
    #[arg(long, value_name = "N", default_value = "10", value_parser = whole::<1, CLIENTS>)]
    members: usize,
    /// Seconds that the connections are held.
    #[arg(long, value_name = "N", default_value = "5", value_parser = seconds)]
    seconds: Duration,
}

impl Idle {
    pub(super) async fn measure(&self, run: &mut Run<'_>) -> Fallible {
        let (seconds, members) = (self.seconds.as_secs_f64(), self.members);
        print_line(&format!(
            "Memory that connections add, each with its seat in a room of {members}; {seconds} s each"
        ));
        let schedule = ChatSchedule {
            rate: None,
            in_flight: 0,
            reactions: 0,
            words: frames::words,
            warm_up: Duration::ZERO,
            length: self.seconds,
        };
        for (stage, &connections) in self.connections.iter().enumerate() {
            // If there are fewer connections than members, the room is smaller.
            let members = self.members.min(connections);
            let rooms = connections.div_ceil(members);
            let (outcome, memory) = hold(rooms, members, (schedule, false), stage, run).await?;
            let row = Row::of(&outcome).with("connections", rooms * members).with("rooms", rooms);
            let row = row.with("memory_per_connection", memory).with("memory", run.subject.memory());
            run.judged(IDLE, row, &outcome).await?;
        }
        Ok(())
    }
}

/// Fills rooms and lets all members chat. Returns the outcome, and the memory that
/// each connection and its seat added to the server, in bytes.
async fn hold(
    rooms: usize,
    members: usize,
    (schedule, is_sealed): (ChatSchedule, bool),
    stage: usize,
    run: &mut Run<'_>,
) -> Fallible<(StageOutcome, Option<f64>)> {
    let stop = run.stop;
    if stage > 0 {
        stop.or(run.subject.renew(run.against)).await?;
    }
    let ids = match (run.against.bare, is_sealed) {
        (true, _) => rooms::bare(rooms),
        (false, true) => run.sealed_rooms(rooms).await?,
        (false, false) => run.rooms(rooms).await?,
    };
    let before = run.subject.memory();
    let connected = rooms::fill(run.address(), &ids, members, stop).await?;
    // The server uses memory again that an earlier stage has left behind, so what is added then
    // says nothing.
    let is_fresh = stage == 0 || run.subject.folder().is_some();
    let added = before.zip(run.subject.memory()).filter(|_| is_fresh);
    let memory = added.map(|(before, now)| now.saturating_sub(before) as f64 / (rooms * members) as f64);
    Ok((chat::run(connected, schedule, &run.subject, stop).await?, memory))
}
