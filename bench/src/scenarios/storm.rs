//! Everybody loses the connection at once and comes back, as after a restart
//! or when a train leaves a tunnel: how long until the last is back, and
//! whether each was given exactly what they had missed.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant};

use clap::Args;
use tokio::time::sleep;

use crate::args::{Against, MEMBERS, ROOMS, whole};
use crate::load::chat::Member;
use crate::load::clock;
use crate::load::faults::Faults;
use crate::load::frames::{ChatMessage, difference, messages};
use crate::load::http::Client;
use crate::load::pace::{Pace, Turn, stage};
use crate::load::rooms::{self, AT_ONCE, join, not_in, talk};
use crate::load::socket::Socket;
use crate::load::target::Address;
use crate::report::{Columns, Row, print_line};
use crate::scenarios::Run;
use crate::trouble::{Fallible, Trouble};

/// Between two tries of one member.
const AGAIN: Duration = Duration::from_millis(20);
/// A member who is not back after this time counts as kept out.
const PATIENCE: Duration = Duration::from_secs(60);
/// Messages that a server gives back by itself.
const GIVEN_BACK: usize = 500;

const COLUMNS: Columns = &[
    "rooms",
    "connections",
    "p50 ms = latency/p50",
    "p99 ms = latency/p99",
    "last back ms = latency/max",
    "back/s = back_per_second",
    "tries = failed_tries",
    "server ms each = server_cpu_each",
    "own ms each = own_cpu_each",
    "not resumed = not_resumed",
    "wrong",
];

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
    missed: usize,
    /// Kill the server that was started for the run (SIGKILL), and start it
    /// again on the same folder. The times then include its start.
    #[arg(long, conflicts_with = "url")]
    restart: bool,
}

/// A member who will lose the connection, and what they will have missed.
struct Away {
    room: String,
    cookie: String,
    since: u64,
    missed: Rc<Vec<ChatMessage>>,
}

/// How all of them came back.
#[derive(Default)]
struct Back {
    /// Kept, or the others would be told of one who left.
    sockets: RefCell<Vec<Rc<Socket>>>,
    failed_tries: Cell<u64>,
    not_resumed: Cell<u64>,
    faults: RefCell<Faults>,
}

impl Storm {
    pub(super) async fn measure(&self, run: &mut Run<'_>) -> Fallible {
        let how = if self.restart { "the server is killed and started again" } else { "all sockets are dropped" };
        print_line(&format!("{how}; each member has missed {} messages; times count from the loss", self.missed));
        for &rooms in &self.rooms {
            self.storm(rooms, run).await?;
        }
        print_line("Checked: everybody was given exactly what they had missed, in order.");
        Ok(())
    }

    async fn storm(&self, rooms: usize, run: &mut Run<'_>) -> Fallible {
        let (stop, address) = (run.stop, run.address());
        let ids = run.rooms(rooms).await?;
        let hall = rooms::fill(address, &ids, self.members, stop).await?;
        let (seats, names) = (&hall.seats, &ids);
        let said = |room: usize| async move {
            not_in(address, talk(&seats[room * self.members], &names[room], room, self.missed as u32).await)
        };
        let said = stop.each("rooms are prepared", rooms, AT_ONCE, said).await?;
        let mut away = Vec::with_capacity(seats.len());
        for (missed, (room, members)) in said.into_iter().zip(ids.iter().zip(seats.chunks(self.members))) {
            let missed = Rc::new(missed);
            // The last who came in has seen all that was before.
            let since = members.iter().map(|member| member.last_seq).max().unwrap_or_default();
            let away_from = |Member { cookie, .. }: &Member| (room.clone(), cookie.clone(), missed.clone());
            away.extend(members.iter().map(away_from).map(|(room, cookie, missed)| Away {
                room,
                cookie,
                since,
                missed,
            }));
        }
        // From here on everybody is alone.
        let lost = clock::now();
        if self.restart {
            stop.or(run.subject.restart(run.against)).await?;
        }
        drop(hall);
        let (connections, back, pace) = (away.len(), Rc::new(Back::default()), Pace::new(PATIENCE, None)?);
        let address = run.address();
        let coming = away.into_iter().map(|away| come_back(address, away, lost, back.clone(), pace.clone()));
        let outcome = stage(&pace, coming, &run.subject, stop).await?;
        let (mut faults, resumed_not) = (back.faults.take(), back.not_resumed.get());
        // A member who has missed more than the server resends has to load the
        // room again.
        if self.missed <= GIVEN_BACK && resumed_not > 0 {
            faults.add("were told to load the room anew", resumed_not, || format!("after {} messages", self.missed));
        }
        let wrong = faults.count() + outcome.failed;
        let row = Row::of(&outcome)
            .with("rooms", rooms)
            .with("connections", connections)
            .with("back_per_second", outcome.done as f64 * 1e6 / outcome.latency.max.max(1) as f64)
            .with("failed_tries", back.failed_tries.get())
            .with("not_resumed", resumed_not)
            .with("restarted", self.restart)
            .with("missed", self.missed)
            .with("faults", &faults)
            .with("wrong", wrong)
            .remarks(faults.lines());
        run.report.row("stages", COLUMNS, row.remarks(outcome.remarks()));
        stop.check()?;
        if wrong == 0 { Ok(()) } else { Err(Trouble::Wrong) }
    }
}

/// One member tries again and again.
async fn come_back(address: Address, away: Away, lost: Instant, back: Rc<Back>, pace: Rc<Pace>) {
    let Some(turn) = pace.next().await else { return };
    let turn = Turn { due: lost, ..turn };
    loop {
        match join(address, &away.room, &away.cookie, Some(away.since)).await {
            Ok((socket, mut welcome)) => {
                turn.good();
                if !welcome.is_resumed {
                    back.not_resumed.update(|count| count + 1);
                    // The room's lines since then, as the web app loads them.
                    let (most, mut client) = (away.missed.len(), Client::new(address));
                    let lines = client.room_since(&away.room, &away.cookie, away.since, most).await;
                    welcome.missed = lines.unwrap_or_default();
                }
                back.sockets.borrow_mut().push(socket);
                if let Some(wrong) = difference(&away.missed, &messages(&welcome.missed)) {
                    back.faults.borrow_mut().add("were given something else", 1, || wrong);
                }
                return;
            }
            Err(_) if lost.elapsed() < PATIENCE => {
                back.failed_tries.update(|count| count + 1);
                sleep(AGAIN).await;
            }
            Err(why) => return turn.failed(format!("WRONG: never came back: {why}")),
        }
    }
}
