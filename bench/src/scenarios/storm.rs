//! Everybody loses the connection at once and comes back, as after a restart
//! or when a train leaves a tunnel: how long until the last is back, and
//! whether each was given exactly what they had missed.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use tokio::time::sleep;

use crate::args;
use crate::load::api::Api;
use crate::load::chat::Member;
use crate::load::clock;
use crate::load::frames::{Said, difference, messages};
use crate::load::latency::Latencies;
use crate::load::process::Cost;
use crate::load::rooms::{self, join, not_in, talk};
use crate::load::socket::Socket;
use crate::load::target::Address;
use crate::report::Row;
use crate::report::view::watched;
use crate::scenarios::Run;
use crate::trouble::Trouble;

/// Between two tries of one member.
const AGAIN: Duration = Duration::from_millis(20);
/// A member who is not back after this time counts as kept out.
const PATIENCE: Duration = Duration::from_secs(60);
/// Messages that a server gives back by itself.
const GIVEN_BACK: usize = 500;
/// Characters of a message.
const LENGTH: usize = 40;

/// A member who will lose the connection, and what they will have missed.
struct Away {
    room: String,
    cookie: String,
    since: u64,
    missed: Rc<Vec<Said>>,
}

/// How one came back.
struct Back {
    /// Kept, or the others would be told of one who left.
    _socket: Rc<Socket>,
    took: Duration,
    failed_tries: usize,
    is_resumed: bool,
    wrong: Option<String>,
}

pub(super) async fn measure(args: &args::Storm, run: &mut Run<'_>) -> Result<(), Trouble> {
    let how = if args.restart { "the server is killed and started again" } else { "all sockets are dropped" };
    run.report.say(&format!("{how}; each member has missed {} messages; times count from the loss", args.missed));
    for &rooms in &args.rooms {
        storm(args, rooms, run).await?;
    }
    run.report.say("Checked: everybody was given exactly what they had missed, in order.");
    Ok(())
}

/// Ended by somebody it tells of those who were back by then.
async fn storm(args: &args::Storm, rooms: usize, run: &mut Run<'_>) -> Result<(), Trouble> {
    let (stop, address) = (run.stop, run.address());
    let ids = run.rooms(rooms).await?;
    let hall = rooms::fill(address, &ids, args.members, stop).await?;
    let said = |room: usize| {
        let seats = &hall.seats[room * args.members..];
        let talk = talk(&seats[0], &ids[room], room, args.missed as u32, LENGTH);
        async move { talk.await.map_err(|error| not_in(address, &error)) }
    };
    let said = rooms::for_each_room("prepared", rooms, stop, said).await?;
    let mut away = Vec::with_capacity(hall.seats.len());
    for (missed, (id, members)) in said.into_iter().zip(ids.iter().zip(hall.seats.chunks(args.members))) {
        let missed = Rc::new(missed);
        // The last who came in has seen all that was before.
        let since = members.iter().map(|member| member.last_seq).max().unwrap_or_default();
        away.extend(members.iter().map(|Member { cookie, .. }| Away {
            room: id.clone(),
            cookie: cookie.clone(),
            since,
            missed: missed.clone(),
        }));
    }
    let (connections, back) = (away.len(), RefCell::new(Vec::new()));
    let before = Cost::now(run.subject.pid());
    // From here on everybody is alone.
    let lost = clock::now();
    let returning = async {
        if args.restart {
            run.subject.restart(run.against).await?;
        }
        drop(hall);
        let coming = away.iter().enumerate().map(|(n, away)| {
            let (address, back) = (run.subject.address, &back);
            async move {
                let one = come_back(address, away, lost, n).await;
                back.borrow_mut().extend(one);
            }
        });
        join_all(coming).await;
        Ok(())
    };
    let told = || {
        let back = back.borrow().len();
        (back as f64 / connections as f64, format!("{back} of {connections} are back"))
    };
    let ended = watched(stop.or(returning), told).await;
    let ended_after = match ended {
        Ok(()) => None,
        Err(Trouble::Interrupted) => Some(lost.elapsed().as_secs_f64()),
        Err(trouble) => return Err(trouble),
    };
    // After a restart it is another process, which began at nothing.
    let before = if args.restart { Cost { server: Some(Duration::ZERO), ..before } } else { before };
    let cost = Cost::now(run.subject.pid()).since(before);
    let back = back.into_inner();
    let is_right = is_right(args, connections, &back, ended_after);
    run.report.row("stages", row(args, (rooms, connections), &back, cost, ended_after));
    match (ended_after, is_right) {
        (Some(_), _) => Err(Trouble::Interrupted),
        (None, true) => Ok(()),
        (None, false) => Err(Trouble::Wrong),
    }
}

async fn come_back(address: Address, away: &Away, lost: Instant, connection: usize) -> Option<Back> {
    let mut failed_tries = 0;
    loop {
        match join(address, &away.room, &away.cookie, Some(away.since), connection).await {
            Ok((socket, mut welcome)) => {
                if !welcome.is_resumed {
                    // The room's lines since then, as the web app loads them.
                    let most = away.missed.len();
                    let lines = Api::new(address).room_since(&away.room, &away.cookie, away.since, most).await;
                    welcome.missed = lines.unwrap_or_default();
                }
                return Some(Back {
                    _socket: socket,
                    took: lost.elapsed(),
                    failed_tries,
                    is_resumed: welcome.is_resumed,
                    wrong: difference(&away.missed, &messages(&welcome.missed)),
                });
            }
            Err(_) if lost.elapsed() < PATIENCE => {
                failed_tries += 1;
                sleep(AGAIN).await;
            }
            Err(_) => return None,
        }
    }
}

fn not_resumed(back: &[Back]) -> usize {
    back.iter().filter(|back| !back.is_resumed).count()
}

fn wrong(back: &[Back]) -> usize {
    back.iter().filter(|back| back.wrong.is_some()).count()
}

/// Who is still away when somebody ends it is nobody's fault. A member who has
/// missed more than the server resends has to load the room again, and did.
fn is_right(args: &args::Storm, connections: usize, back: &[Back], ended_after: Option<f64>) -> bool {
    let are_all_back = ended_after.is_some() || back.len() == connections;
    let are_resumed = args.missed > GIVEN_BACK || not_resumed(back) == 0;
    wrong(back) == 0 && are_all_back && are_resumed
}

fn row(
    args: &args::Storm,
    (rooms, connections): (usize, usize),
    back: &[Back],
    cost: Cost,
    ended_after: Option<f64>,
) -> Row {
    let mut latencies = Latencies::new();
    back.iter().for_each(|back| latencies.record(back.took));
    let (latency, away) = (latencies.summary(), connections - back.len());
    let never_back = if ended_after.is_none() { away } else { 0 };
    let mut remarks = Vec::new();
    if let Some(after) = ended_after {
        let back = back.len();
        remarks.push(format!(
            "Unfinished: ended {after:.1} s after the loss; {back} of {connections} were back, and the row is of them."
        ));
    }
    if !is_right(args, connections, back, ended_after) {
        let example = back.iter().find_map(|back| back.wrong.as_ref());
        remarks.push(format!(
            "WRONG: {} were given something else, {never_back} never came back, {} were told to load the room anew: {}",
            wrong(back),
            not_resumed(back),
            example.map_or("", String::as_str)
        ));
    }
    let seconds = |used: Option<Duration>| used.map(|used| used.as_secs_f64());
    Row::default()
        .count("rooms", rooms)
        .count("connections", connections)
        .times(&latency, &["p50 ms", "p99 ms"])
        .shown("last back ms", Some(latency.max as f64 / 1000.0), 0)
        .number("back/s", "back_per_second", Some(latency.count as f64 * 1e6 / latency.max.max(1) as f64), 0)
        .number("tries", "failed_tries", Some(back.iter().map(|back| back.failed_tries).sum::<usize>() as f64), 0)
        .number("server s", "server_cpu", seconds(cost.server), 2)
        .number("own s", "own_cpu", seconds(cost.own), 2)
        .number("not resumed", "not_resumed", Some(not_resumed(back) as f64), 0)
        .number("wrong", "wrong", Some((wrong(back) + never_back) as f64), 0)
        .only("latency", latency)
        .only("restarted", args.restart)
        .only("missed", args.missed)
        .only("never_back", never_back)
        .only("ended_after", ended_after)
        .only("still_away", away - never_back)
        .remarks(remarks)
}
