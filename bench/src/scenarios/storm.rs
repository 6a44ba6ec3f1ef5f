//! All members lose their connections at once and come back, as after a restart or when a train
//! leaves a tunnel: how long until the last one is back, and whether each received exactly what it
//! had missed.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant};

use clap::Args;
use tokio::time::sleep;

use crate::args::{CLIENTS, ROOMS, whole};
use crate::load::{Address, ChatMessage, Client, Member, Pace, Socket, clock, frames, rooms};
use crate::report::{Columns, Row, print_line};
use crate::scenarios::Run;
use crate::trouble::{Fallible, Trouble};

/// The time between two tries of one member.
const AGAIN: Duration = Duration::from_millis(20);
/// A member who is not back after this time counts as kept out.
const PATIENCE: Duration = Duration::from_secs(60);
/// Messages that a server resends by itself. Who has missed more has to load the
/// room again.
const RESENT: usize = 500;

const COLUMNS: Columns = &[
    &["rooms", "connections", "p50 ms = latency/p50", "p99 ms = latency/p99", "last back ms = latency/max"],
    &["back/s = back_per_second", "tries = failed_tries"],
    &["server ms each = server_cpu_each", "own ms each = own_cpu_each", "not resumed = not_resumed", "wrong"],
];

#[derive(Debug, Args)]
pub(crate) struct Storm {
    /// Rooms, one stage each.
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "100", value_parser = whole::<1, ROOMS>)]
    pub(crate) rooms: Vec<usize>,
    /// Members in each room.
    #[arg(long, value_name = "N", default_value = "10", value_parser = whole::<1, CLIENTS>)]
    pub(crate) members: usize,
    /// Messages in each room that all members have missed, up to 1000. For
    /// more than 500, a server may tell clients to load the room again.
    #[arg(long, value_name = "N", default_value = "20", value_parser = whole::<1, 1000>)]
    missed: usize,
    /// Kill the server that was started for the run (SIGKILL), and start it
    /// again on the same folder. The times then include its start.
    #[arg(long, conflicts_with = "url")]
    restart: bool,
}

/// A member who will lose the connection, and the messages that it will have missed.
struct Away {
    room: String,
    cookie: String,
    since: u64,
    missed: Rc<Vec<ChatMessage>>,
}

/// How all members came back.
#[derive(Default)]
struct Back {
    /// The sockets stay open, or the other members would receive notices of who left.
    sockets: RefCell<Vec<Rc<Socket>>>,
    failed_tries: Cell<u64>,
    not_resumed: Cell<u64>,
}

impl Storm {
    pub(super) async fn measure(&self, run: &mut Run<'_>) -> Fallible {
        let how = if self.restart { "the server is killed and started again" } else { "all sockets are dropped" };
        print_line(&format!("{how}; each member has missed {} messages; times count from the loss", self.missed));
        for &rooms in &self.rooms {
            self.storm(rooms, run).await?;
        }
        run.report.checked("everybody was given exactly what they had missed, in order.");
        Ok(())
    }

    async fn storm(&self, rooms: usize, run: &mut Run<'_>) -> Fallible {
        let (stop, address) = (run.stop, run.address());
        let ids = run.rooms(rooms).await?;
        let connected = rooms::fill(address, &ids, self.members, stop).await?;
        let (members, names) = (&connected.members, &ids);
        let prepare = |room: usize| async move {
            rooms::send_all(&members[room * self.members], &names[room], room, self.missed as u32).await
        };
        let sent = stop.each("rooms are prepared", rooms, rooms::AT_ONCE, prepare).await?;
        let sent: Vec<_> = sent.into_iter().map(Rc::new).collect();
        let away = members.iter().enumerate().map(|(at, Member { cookie, .. })| {
            let room = at / self.members;
            // The last member who connected has seen everything before.
            let since = members[(room + 1) * self.members - 1].last_seq;
            Away { room: ids[room].clone(), cookie: cookie.clone(), since, missed: sent[room].clone() }
        });
        let away: Vec<_> = away.collect();
        // From here on no member is connected.
        let lost = clock::now();
        if self.restart {
            stop.or(run.subject.restart(run.against)).await?;
        }
        drop(connected);
        let (connections, back, address) = (away.len(), Rc::new(Back::default()), run.address());
        let coming = |away, pace| come_back(address, away, lost, back.clone(), pace);
        let outcome = run.stage(None, PATIENCE, away, coming).await?;
        let row = Row::of(&outcome)
            .with("rooms", rooms)
            .with("connections", connections)
            .with("back_per_second", outcome.done as f64 * 1e6 / outcome.latency.max.max(1) as f64)
            .with("failed_tries", back.failed_tries.get())
            .with("not_resumed", back.not_resumed.get());
        run.judged(COLUMNS, row, &outcome).await
    }
}

/// A member tries again and again.
async fn come_back(address: Address, away: Away, lost: Instant, back: Rc<Back>, pace: Rc<Pace>) {
    loop {
        match rooms::join(address, &away.room, &away.cookie, Some(away.since)).await {
            Ok((socket, mut welcome)) => {
                pace.record(lost, Ok::<_, Trouble>(()));
                if !welcome.is_resumed {
                    back.not_resumed.update(|count| count + 1);
                    let missed = away.missed.len();
                    if missed <= RESENT {
                        pace.fault("had to load the room again", || format!("after {missed} messages"));
                    }
                    // The room's lines since then, as the web app loads them.
                    let lines = Client::new(address).room_since(&away.room, &away.cookie, away.since).await;
                    welcome.missed = lines.unwrap_or_default();
                }
                back.sockets.borrow_mut().push(socket);
                if let Some(wrong) = frames::difference(&away.missed, &frames::messages(&welcome.missed)) {
                    pace.fault("were given something else", || wrong);
                }
                return;
            }
            Err(_) if lost.elapsed() < PATIENCE => {
                back.failed_tries.update(|count| count + 1);
                sleep(AGAIN).await;
            }
            Err(why) => return pace.fault("never came back", || why.to_string()),
        }
    }
}
