//! Everybody loses the connection at once and comes back, as after a restart
//! or when a train leaves a tunnel: how long until the last is back, and
//! whether each was given exactly what they had missed.

use std::cell::RefCell;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use futures_util::future::{join_all, try_join_all};
use serde_json::Value;

use crate::api::{Api, Seat};
use crate::args;
use crate::clock;
use crate::cpu;
use crate::crowd::{Rooms, Said, beforehand, echo, join, messages, not_in};
use crate::dialect::{Annon, Dialect, MessageId};
use crate::report::Report;
use crate::socket::{Socket, SocketError};
use crate::stop::Stop;
use crate::storm::stage::{Costs, Stage, TABLE};
use crate::subject::{Subject, allow_connections};
use crate::target::Address;
use crate::trouble::{Finding, Trouble, cleared_up};
use crate::view::watched;

mod stage;

/// Between two tries of one member.
const AGAIN: Duration = Duration::from_millis(20);
/// A member who is not back after this time counts as kept out.
const PATIENCE: Duration = Duration::from_secs(60);
/// Rooms that are prepared at the same time.
const AT_ONCE: usize = 32;

/// A member who will lose the connection, and what they will have missed.
struct Away {
    room: String,
    cookie: String,
    since: u64,
    missed: Vec<Said>,
}

/// How one came back.
struct Back {
    /// Kept, or the others would be told of one who left.
    _socket: Socket,
    took: Duration,
    failed_tries: u64,
    is_resumed: bool,
    wrong: Option<String>,
}

/// Runs `annon-bench storm`.
pub(crate) async fn run(args: &args::Storm, report: &mut Report, stop: &Stop) -> Result<Finding, Trouble> {
    allow_connections(2 * args.rooms.iter().copied().max().unwrap_or(0) * args.members)?;
    let mut subject = stop.or(Subject::prepare(&args.against, report)).await?;
    let measured = stages(args, &mut subject, report, stop).await;
    cleared_up(measured, subject.end().await)
}

async fn stages(
    args: &args::Storm,
    subject: &mut Subject,
    report: &mut Report,
    stop: &Stop,
) -> Result<Finding, Trouble> {
    let how = if args.restart { "the server is killed and started again" } else { "all sockets are dropped" };
    report.say(&format!("{how}; each member has missed {} messages; times count from the loss\n", args.missed));
    report.say(&TABLE.head());
    for &rooms in &args.rooms {
        let made = Rooms::make(subject.address, rooms, &args.against, stop).await?;
        let measured = storm(args, &made, subject, stop).await;
        let left = made.people.leave().await;
        let stage = measured?;
        report.say(&stage.row());
        stage.remarks().iter().for_each(|line| report.say(line));
        let (finding, is_interrupted) = (stage.finding(), stage.ended_after.is_some());
        report.push("stages", stage);
        if is_interrupted {
            return Err(Trouble::Interrupted);
        }
        if cleared_up(Ok(finding), left)? == Finding::Wrong {
            return Ok(Finding::Wrong);
        }
    }
    report.say("Checked: everybody was given exactly what they had missed, in order.");
    Ok(Finding::Right)
}

/// Ended by somebody it tells of those who were back by then.
async fn storm(args: &args::Storm, made: &Rooms, subject: &mut Subject, stop: &Stop) -> Result<Stage, Trouble> {
    let (address, rooms, ready) = (subject.address, made.ids.len(), &AtomicUsize::new(0));
    let lanes = (0..AT_ONCE.min(rooms)).map(|lane| async move {
        let mut prepared = Vec::new();
        for room in (lane..rooms).step_by(AT_ONCE) {
            prepared.push(prepare(args, address, made, room).await?);
            ready.fetch_add(1, Relaxed);
        }
        Ok::<_, Trouble>(prepared)
    });
    let prepared = beforehand("filled", ready, rooms, try_join_all(lanes), stop).await?;
    let prepared: Vec<_> = prepared.into_iter().flatten().collect();
    let (sockets, away): (Vec<Vec<Socket>>, Vec<Vec<Away>>) = prepared.into_iter().unzip();
    let away: Vec<_> = away.into_iter().flatten().collect();
    let (connections, back) = (away.len(), &RefCell::new(Vec::new()));
    let before = (subject.cpu(), cpu::used());
    // From here on everybody is alone.
    let lost = clock::now();
    let returning = async {
        if args.restart {
            subject.restart().await?;
        }
        drop(sockets);
        let address = subject.address;
        let coming = away.iter().enumerate().map(|(n, away)| async move {
            let one = come_back(address, away, lost, n).await;
            back.borrow_mut().extend(one);
        });
        join_all(coming).await;
        Ok(())
    };
    let ended = watched(stop.or(returning), || {
        let back = back.borrow().len();
        (back as f64 / connections as f64, format!("{back} of {connections} are back"))
    })
    .await;
    let ended_after = match ended {
        Ok(()) => None,
        Err(Trouble::Interrupted) => Some(lost.elapsed()),
        Err(trouble) => return Err(trouble),
    };
    let after = (subject.cpu(), cpu::used());
    // After a restart it is another process, which began at nothing.
    let server_before = if args.restart { Some(Duration::ZERO) } else { before.0 };
    let spent = |before: Option<Duration>, after: Option<Duration>| Some(after?.checked_sub(before?)?.as_secs_f64());
    let costs = Costs { server: spent(server_before, after.0), own: spent(before.1, after.1) };
    Ok(Stage::new(args, (rooms, connections), &back.borrow(), costs, ended_after))
}

/// Fills one room and has its first member say what all will have missed.
async fn prepare(
    args: &args::Storm,
    address: Address,
    made: &Rooms,
    room: usize,
) -> Result<(Vec<Socket>, Vec<Away>), Trouble> {
    let id = &made.ids[room];
    let no = |error: SocketError| not_in(address, &error);
    let mut api = Api::new(address);
    let (mut sockets, mut cookies, mut faces) = (Vec::new(), Vec::new(), Vec::new());
    let mut since = 0;
    for member in 0..args.members {
        let Seat { face, cookie } = api.seat(id, None).await?;
        let (socket, welcome) = join(address, id, &cookie, None, room * args.members + member).await.map_err(no)?;
        since = since.max(welcome.last_seq);
        sockets.push(socket);
        cookies.push(cookie);
        faces.push(face);
    }
    let dialect = Annon { rooms: made.ids.clone() };
    let mut missed = Vec::new();
    for number in 0..args.missed as u32 {
        let name = MessageId { room, member: 0, number };
        let mut frame = String::new();
        let words = format!("what was missed, number {number}");
        dialect.compose(name, &words, &mut frame);
        let (Some(speaker), Some(sender)) = (sockets.first_mut(), faces.first()) else { break };
        speaker.say(&frame).await.map_err(no)?;
        let (id, sender) = (name.to_string(), sender.clone());
        // Its echo is its acknowledgement: from then on it may not be lost.
        let seq = echo(speaker, &id).await.map_err(no)?;
        missed.push(Said { id, seq, sender, words });
    }
    let away = cookies.into_iter().map(|cookie| Away { room: id.clone(), cookie, since, missed: missed.clone() });
    Ok((sockets, away.collect()))
}

async fn come_back(address: Address, away: &Away, lost: Instant, connection: usize) -> Option<Back> {
    let mut failed_tries = 0;
    loop {
        match join(address, &away.room, &away.cookie, Some(away.since), connection).await {
            Ok((socket, mut welcome)) => {
                if !welcome.is_resumed {
                    welcome.missed = read_anew(address, away).await.unwrap_or_default();
                }
                return Some(Back {
                    _socket: socket,
                    took: lost.elapsed(),
                    failed_tries,
                    is_resumed: welcome.is_resumed,
                    wrong: difference(&away.missed, &welcome.missed),
                });
            }
            Err(_) if lost.elapsed() < PATIENCE => {
                failed_tries += 1;
                tokio::time::sleep(AGAIN).await;
            }
            Err(_) => return None,
        }
    }
}

/// The room's lines since somebody was there, as the web app loads them.
async fn read_anew(address: Address, away: &Away) -> Result<Vec<Value>, Trouble> {
    let (mut api, mut before, mut pages) = (Api::new(address), None, Vec::new());
    let seq = |line: &Value| line["seq"].as_u64().unwrap_or_default();
    // A server that answers with the same page for ever is left at some time.
    for _ in 0..=away.missed.len() {
        let page = api.room_lines(&away.room, &away.cookie, before).await?;
        let Some(first) = page.first().map(seq) else { break };
        before = Some(first);
        pages.push(page);
        if first <= away.since + 1 {
            break;
        }
    }
    let lines = pages.into_iter().rev().flatten();
    Ok(lines.filter(|line| seq(line) > away.since).collect())
}

/// What is wrong with the messages among the frames, if anything is: the
/// first that differs.
fn difference(missed: &[Said], frames: &[Value]) -> Option<String> {
    let given: Vec<_> = messages(frames).collect();
    let at = (0..missed.len().max(given.len())).find(|at| missed.get(*at) != given.get(*at))?;
    let shown = |said: Option<&Said>| said.map_or("nothing".to_owned(), |said| format!("{said:?}"));
    Some(format!("at {at} {} was missed, {} given", shown(missed.get(at)), shown(given.get(at))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_what_was_missed_and_in_its_order_is_right() {
        let said =
            |id: &str, seq| Said { id: id.to_owned(), seq, sender: "🦊".to_owned(), words: format!("word {id}") };
        let missed = [said("a", 3), said("b", 4)];
        let chat = |id: &str, seq: u64| json!({"event": "event.chat", "id": id, "seq": seq, "sender": "🦊", "message": format!("word {id}")});
        let other = |field: &str| {
            let mut frame = chat("b", 4);
            frame[field] = json!("other");
            frame
        };
        let noise = json!({"event": "event.notify", "message": "🦊 joined", "seq": 5});
        assert_eq!(difference(&missed, &[chat("a", 3), noise, chat("b", 4)]), None);
        for wrong in [
            vec![],
            vec![chat("a", 3)],
            vec![chat("b", 4), chat("a", 3)],
            vec![chat("a", 3), chat("b", 4), chat("b", 4)],
            vec![chat("a", 3), other("message")],
            vec![chat("a", 3), other("sender")],
        ] {
            assert!(difference(&missed, &wrong).is_some(), "{wrong:?}");
        }
    }
}
