//! Everybody loses the connection at once and comes back, as after a restart
//! or when a train leaves a tunnel: how long until the last is back, and
//! whether each was given exactly what they had missed.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use futures_util::future::{join_all, try_join_all};
use serde::Serialize;
use serde_json::Value;

use crate::api::{Api, Seat};
use crate::args;
use crate::clock;
use crate::cpu;
use crate::crowd::{Rooms, Said, echo, join, messages, not_in};
use crate::dialect::{Annon, Dialect, MessageId};
use crate::latency::{Latencies, Summary, millis};
use crate::report::{Report, Table, cell};
use crate::socket::{Socket, SocketError};
use crate::stop::Stop;
use crate::subject::{Subject, allow_connections};
use crate::target::Address;
use crate::trouble::{Finding, Trouble, cleared_up};
use crate::view::watched;

const TABLE: Table = Table(&[
    "rooms",
    "connections",
    "p50 ms",
    "p99 ms",
    "last back ms",
    "back/s",
    "tries",
    "server s",
    "own s",
    "not resumed",
    "wrong",
]);
/// Between two tries of one member.
const AGAIN: Duration = Duration::from_millis(20);
/// Who is not back by then has been kept out.
const PATIENCE: Duration = Duration::from_secs(60);
/// Messages that a server gives back by itself.
const GIVEN_BACK: usize = 500;
/// Rooms that are prepared at the same time.
const AT_ONCE: usize = 32;

/// One stage, as programs read it. Times in microseconds.
#[derive(Serialize)]
struct Stage {
    rooms: usize,
    connections: usize,
    restarted: bool,
    /// From the moment when all were lost.
    latency: Summary,
    back_per_second: f64,
    /// Handshakes that failed before the one that didn't.
    failed_tries: u64,
    server_cpu: Option<f64>,
    own_cpu: Option<f64>,
    /// Told to load the room anew.
    not_resumed: usize,
    never_back: usize,
    /// Given something else than what they had missed.
    wrong: usize,
    example: Option<String>,
}

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
        let measured = stop.or(storm(args, &made, subject)).await;
        let left = made.people.leave().await;
        let stage = measured?;
        report.say(&row(&stage));
        // Who has missed more than is given back has to load the room anew,
        // and has done so.
        let not_resumed = if args.missed > GIVEN_BACK { 0 } else { stage.not_resumed };
        let is_wrong = stage.wrong + stage.never_back + not_resumed > 0;
        let finding = if is_wrong { Finding::Wrong } else { Finding::Right };
        if is_wrong {
            let example = stage.example.as_ref().map_or(String::new(), |example| format!(": {example}"));
            report.say(&format!(
                "    WRONG: {} were given something else, {} never came back, {} were told to load the room anew{example}",
                stage.wrong, stage.never_back, stage.not_resumed
            ));
        }
        report.push("stages", stage);
        if cleared_up(Ok(finding), left)? == Finding::Wrong {
            return Ok(Finding::Wrong);
        }
    }
    report.say("Checked: everybody was given exactly what they had missed, in order.");
    Ok(Finding::Right)
}

async fn storm(args: &args::Storm, made: &Rooms, subject: &mut Subject) -> Result<Stage, Trouble> {
    let (address, ready) = (subject.address, &AtomicUsize::new(0));
    let lanes = (0..AT_ONCE.min(made.ids.len())).map(|lane| async move {
        let mut prepared = Vec::new();
        for room in (lane..made.ids.len()).step_by(AT_ONCE) {
            prepared.push(prepare(args, address, made, room).await?);
            ready.fetch_add(1, Relaxed);
        }
        Ok::<_, Trouble>(prepared)
    });
    let prepared = watched(try_join_all(lanes), || told(ready, made.ids.len(), "rooms are filled")).await?;
    let prepared: Vec<_> = prepared.into_iter().flatten().collect();
    let (sockets, away): (Vec<Vec<Socket>>, Vec<Vec<Away>>) = prepared.into_iter().unzip();
    let before = (subject.cpu(), cpu::used());
    // From here on everybody is alone.
    let lost = clock::now();
    if args.restart {
        subject.restart().await?;
    }
    drop(sockets);
    let away: Vec<_> = away.into_iter().flatten().collect();
    let (address, connections) = (subject.address, away.len());
    let returned = &AtomicUsize::new(0);
    let coming = away.iter().enumerate().map(|(n, away)| async move {
        let back = come_back(address, away, lost, n).await;
        returned.fetch_add(usize::from(back.is_some()), Relaxed);
        back
    });
    let back = watched(join_all(coming), || told(returned, connections, "are back")).await;
    let after = (subject.cpu(), cpu::used());
    Ok(judge(args, made.ids.len(), connections, &back, before, after))
}

/// For people, while it goes on.
fn told(done: &AtomicUsize, of: usize, what: &str) -> (f64, String) {
    let done = done.load(Relaxed);
    (done as f64 / of as f64, format!("{done} of {of} {what}"))
}

fn judge(
    args: &args::Storm,
    rooms: usize,
    connections: usize,
    back: &[Option<Back>],
    before: (Option<Duration>, Option<Duration>),
    after: (Option<Duration>, Option<Duration>),
) -> Stage {
    let mut latencies = Latencies::new();
    let back: Vec<_> = back.iter().flatten().collect();
    back.iter().for_each(|back| latencies.record(back.took));
    let latency = latencies.summary();
    // After a restart it is another process, which began at nothing.
    let server_before = if args.restart { Some(Duration::ZERO) } else { before.0 };
    let spent = |before: Option<Duration>, after: Option<Duration>| Some(after?.checked_sub(before?)?.as_secs_f64());
    Stage {
        rooms,
        connections,
        restarted: args.restart,
        back_per_second: latency.count as f64 * 1e6 / latency.max.max(1) as f64,
        latency,
        failed_tries: back.iter().map(|back| back.failed_tries).sum(),
        server_cpu: spent(server_before, after.0),
        own_cpu: spent(before.1, after.1),
        not_resumed: back.iter().filter(|back| !back.is_resumed).count(),
        never_back: connections - back.len(),
        wrong: back.iter().filter(|back| back.wrong.is_some()).count(),
        example: back.iter().find_map(|back| back.wrong.clone()),
    }
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

fn row(stage: &Stage) -> String {
    TABLE.row(&[
        stage.rooms.to_string(),
        stage.connections.to_string(),
        millis(stage.latency.p50),
        millis(stage.latency.p99),
        millis(stage.latency.max),
        cell(Some(stage.back_per_second), 0),
        stage.failed_tries.to_string(),
        cell(stage.server_cpu, 2),
        cell(stage.own_cpu, 2),
        stage.not_resumed.to_string(),
        (stage.wrong + stage.never_back).to_string(),
    ])
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
