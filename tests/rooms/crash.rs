//! The server is killed in the middle of a conversation.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use rustix::process::Signal;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use crate::rooms::group::{GONE, Group, Seat, server};
use crate::rooms::member::{Member, fresh_id};
use crate::rooms::pictures::{png, upload};
use crate::support::patience::wait_until;
use crate::support::person::Person;
use crate::support::server::{NO_LIMITS, Server, files_below};

const FLAGS: &[&str] = &["--sends-per-second", "0"];

/// What one member received until the server was gone, and what they sent.
struct Conversation {
    frames: Vec<Value>,
    sent: Vec<(String, String)>,
}

/// Sends until the server is gone, at most eight messages ahead of the echoes.
fn chat_until_the_end(mut member: Member, echoes: &AtomicUsize) -> Conversation {
    let (mut frames, mut sent, mut echoed) = (Vec::new(), Vec::new(), 0_usize);
    loop {
        while sent.len() < echoed + 8 {
            let (id, words) = (fresh_id(), format!("{} says {}", member.seat.emoji, sent.len()));
            let frame = member.frame("event.chat", &json!({ "id": id, "message": words }));
            sent.push((id, words));
            if member.web_socket.send(Message::text(frame)).is_err() {
                return Conversation { frames, sent };
            }
        }
        let Ok(message) = member.web_socket.read() else { return Conversation { frames, sent } };
        let Ok(frame) = serde_json::from_str::<Value>(message.to_text().unwrap()) else { continue };
        if frame["event"] == "event.chat" && frame["sender"] == member.seat.emoji {
            echoed += 1;
            echoes.fetch_add(1, Ordering::Relaxed);
        }
        frames.push(frame);
    }
}

#[test]
fn what_was_acknowledged_before_a_kill_is_there_once_and_in_order_for_everybody() {
    let (mut server, group) = Group::with(FLAGS);
    let deleted = Group::new(&server);
    deleted.command(&server, "DELETE", "").send().assert(200, "Group deleted");
    let seats: [_; 6] = group.seats(&server);
    let mut truth: Vec<Value> = Vec::new();
    for round in 0..3 {
        let members: Vec<_> = seats.iter().map(|seat| Member::open(&server, &group, seat)).collect();
        let echoes = Arc::<AtomicUsize>::default();
        let talk = |member| {
            let echoes = echoes.clone();
            thread::spawn(move || chat_until_the_end(member, &echoes))
        };
        let talking: Vec<_> = members.into_iter().map(talk).collect();
        wait_until("a lively conversation", || echoes.load(Ordering::Relaxed) > 200 + 100 * round);
        server.signal(Signal::KILL);
        let conversations: Vec<_> = talking.into_iter().map(|thread| thread.join().unwrap()).collect();
        server.wait();
        server = Server::on(&server.folder.clone(), &[NO_LIMITS, FLAGS].concat());

        truth.extend(read_on(&server, &group, &seats[0], last_of(&truth)));
        let ids: BTreeSet<_> = truth.iter().map(|line| line["id"].to_string()).collect();
        assert_eq!(ids.len(), truth.len(), "once each");
        assert!(truth.is_sorted_by_key(|line| line["seq"].as_u64().unwrap()));
        for (conversation, seat) in conversations.iter().zip(&seats) {
            let chats: Vec<_> = conversation.frames.iter().filter(|frame| frame["event"] == "event.chat").collect();
            let first = chats.first().map_or(0, |line| line["seq"].as_u64().unwrap());
            let stored: Vec<_> =
                truth.iter().filter(|line| line["seq"].as_u64().unwrap() >= first).take(chats.len()).collect();
            assert_eq!(chats, stored, "{} saw what is on disk, in its order and with no gap", seat.emoji);
        }
        // Members send messages without an echo again, and no message is stored twice.
        for (conversation, seat) in conversations.iter().zip(&seats) {
            let mut member = Member::open(&server, &group, seat);
            for (id, words) in conversation.sent.iter().rev().take(10).rev() {
                member.send_event("event.chat", &json!({ "id": id, "message": words }));
                member.await_where(|frame| frame["id"] == *id);
            }
        }
        truth.extend(read_on(&server, &group, &seats[1], last_of(&truth)));
        let ids: BTreeSet<_> = truth.iter().map(|line| line["id"].to_string()).collect();
        assert_eq!(ids.len(), truth.len(), "still once each");
    }
    deleted.try_seat(&server, None).assert(404, GONE);
    let sent_seats: BTreeSet<_> = truth.iter().map(|line| line["sender"].to_string()).collect();
    assert_eq!(sent_seats.len(), 6);
}

fn last_of(lines: &[Value]) -> u64 {
    lines.last().map_or(0, |line| line["seq"].as_u64().unwrap())
}

/// All messages after `since`, read from the pages of the history.
fn read_on(server: &Server, group: &Group, seat: &Seat, since: u64) -> Vec<Value> {
    let mut lines: Vec<Value> = Vec::new();
    let mut before = String::new();
    loop {
        let page = group.view(server, Some(seat), &format!("?limit=500{before}")).json()["data"]["messages"].clone();
        let page = page.as_array().unwrap().clone();
        let Some(first) = page.first().and_then(|line| line["seq"].as_u64()) else { break };
        lines = [page, lines].concat();
        if first <= since {
            break;
        }
        before = format!("&before={first}");
    }
    lines.retain(|line| line["event"] == "event.chat" && line["seq"].as_u64().unwrap() > since);
    lines
}

/// The bytes of the commit log, by file.
fn commit_log(server: &Server) -> BTreeMap<PathBuf, Vec<u8>> {
    files_below(&server.folder.data().join("commit-log")).into_iter().collect()
}

/// The changed bytes of a file that was only appended to, and where they stand.
fn appended(before: &BTreeMap<PathBuf, Vec<u8>>, after: &BTreeMap<PathBuf, Vec<u8>>) -> (PathBuf, Range<usize>) {
    let mut changed = after.iter().filter_map(|(path, now)| {
        let was = &before[path];
        let differs = |at: &usize| now.get(*at) != was.get(*at);
        Some((path.clone(), (0..now.len()).find(differs)?..(0..now.len()).rfind(differs)? + 1))
    });
    changed.next().expect("a message that was told is on the disk")
}

const CAPTION: &str =
    "zebra-words-that-are-taken-back, zebra-words-that-are-taken-back, zebra-words-that-are-taken-back";

/// Posts a picture with a caption, takes it back in one of three ways, and kills the server as soon
/// as that is answered. Returns what of it is left on the disk or is shown after the next start.
fn left_by_a_kill(server: &mut Server, creator: &Person, round: usize) -> Vec<String> {
    let group = Group::of(server, creator.clone());
    let mut member = Member::open(server, &group, &group.seat(server));
    let watcher = group.seat(server);
    let path = upload(server, &group, &member.seat, &png(64, 32)).message();
    let before = commit_log(server);
    let id = fresh_id();
    member.send_event("event.image", &json!({ "id": id, "image_src": path, "caption": CAPTION }));
    let told = member.await_where(|frame| frame["id"] == *id);
    let written = commit_log(server);
    let (file, at) = appended(&before, &written);
    match round % 3 {
        0 => {
            member.send_event("event.unsend", &json!({ "id": id }));
            member.await_event("event.unsend");
        }
        1 => {
            let rest = format!("/message/{}", told["seq"]);
            group.command(server, "DELETE", &rest).send().assert(200, "Message removed");
        }
        _ => group.kick(server, &member.seat, "?messages=remove").assert(200, "Member removed"),
    }
    server.signal(Signal::KILL);
    server.wait();

    let mut left = Vec::new();
    let keys = std::fs::read(server.folder.data().join("keys")).unwrap();
    // The slots of pictures in rooms.
    if keys.chunks(64).skip(1).any(|slot| slot[0] == 5) {
        left.push(format!("{round}: the picture's key"));
    }
    let now = std::fs::read(&file).unwrap();
    let overwritten = at.clone().filter(|at| now[*at] != written[&file][*at]).count();
    if overwritten < CAPTION.len() {
        left.push(format!("{round}: the words"));
    }
    *server = Server::on(&server.folder.clone(), &[NO_LIMITS, FLAGS].concat());
    if server.get(&path).header("Cookie", &watcher.cookie).send().status != 404 {
        left.push(format!("{round}: the picture is shown again"));
    }
    assert!(!group.view(server, Some(&watcher), "").text().contains(CAPTION), "{round}");
    group.command(server, "DELETE", "").send().assert(200, "Group deleted");
    left
}

#[test]
fn what_was_taken_back_is_gone_when_that_is_answered_whatever_happens_then() {
    let rounds = if std::env::var_os("ANNON_TORTURE").is_some() { 200 } else { 9 };
    let mut server = server(FLAGS);
    let creator = Person::new(&server);
    let mut left: Vec<_> = (0..rounds).map(|round| left_by_a_kill(&mut server, &creator, round)).collect();
    left.retain(|left| !left.is_empty());
    assert!(left.is_empty(), "{} of {rounds} kills left something: {left:?}", left.len());
}
