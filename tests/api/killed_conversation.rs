//! The server is killed while people talk to each other.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::rooms::member::fresh_id;
use crate::support::client::Call;
use crate::support::patience::wait_until;
use crate::support::person::Person;
use crate::support::server::{NO_LIMITS, Server};
use crate::support::talk::{Talk, TalkSocket};
use crate::support::test_socket::Received;

const SIDES: [&str; 2] = ["owner", "sender"];
/// Rounds of a pair until a kill: a conversation has a hundred lines, and there are three kills.
const ROUNDS: usize = 14;

/// What a pair was told before the server was gone.
#[derive(Default)]
struct Told {
    /// The lines that each side's window has shown.
    lines: [Vec<Value>; 2],
    /// What each side has said, whether that was answered or not.
    sent: Vec<(usize, String, String)>,
    unsent: Vec<u64>,
    /// Up to where each side was told to have seen.
    seen: [u64; 2],
    wants_the_end: bool,
    has_ended: bool,
}

struct Pair {
    talk: Talk,
    owner: Person,
    sockets: [TalkSocket; 2],
    /// Ends the conversation in the middle.
    ends: bool,
}

/// The status of the answer, if one comes.
fn answered(address: SocketAddr, call: Call) -> Option<u16> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.write_all(&call.header("Connection", "close").bytes()).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    answer.split(' ').nth(1)?.parse().ok()
}

impl Pair {
    fn open(server: &Server, talk: &Talk, owner: &Person, last: u64, ends: bool) -> Self {
        let sockets = [Some(owner), None].map(|who| TalkSocket::connected(server, talk, who, Some(last), last));
        Self { talk: talk.clone(), owner: owner.clone(), sockets, ends }
    }

    /// Talks until the server is gone.
    fn talk(mut self, server: &Server, acts: &AtomicUsize) -> Told {
        let mut told = Told::default();
        for round in 0..ROUNDS {
            for side in [0, 1] {
                let Some(seq) = self.say(side, round, &mut told) else { return told };
                acts.fetch_add(1, Ordering::Relaxed);
                if round % 3 == side {
                    let call = self.call(server, side, &format!("/line/{seq}"));
                    let Some(status) = answered(server.address, call) else { return told };
                    assert_eq!(status, 200);
                    told.unsent.push(seq);
                }
            }
            if self.ends && round == ROUNDS / 7 {
                told.wants_the_end = true;
                told.has_ended = answered(server.address, self.call(server, round % 2, "")) == Some(200);
                return told;
            }
        }
        // The others go on.
        while let Received::Frame(_) = self.sockets[0].socket.next() {}
        told
    }

    fn call(&self, server: &Server, side: usize, below: &str) -> Call {
        self.talk.call(server, [Some(&self.owner), None][side], "DELETE", below)
    }

    /// Says something, and waits until both windows show it. `None` when the server is gone.
    fn say(&mut self, side: usize, round: usize, told: &mut Told) -> Option<u64> {
        let (id, words) = (fresh_id(), format!("{} says {round}", SIDES[side]));
        told.sent.push((side, id.clone(), words.clone()));
        let frame = json!({ "event": "event.line", "id": id, "message": words }).to_string();
        self.sockets[side].socket.web_socket.send(frame.into()).ok()?;
        let mut seq = 0;
        for (window, lines) in self.sockets.iter_mut().zip(&mut told.lines) {
            loop {
                let Received::Frame(frame) = window.socket.next() else { return None };
                if frame["event"] == "event.seen" {
                    let by = usize::from(frame["from"] == "sender");
                    told.seen[by] = told.seen[by].max(frame["upto"].as_u64().unwrap());
                }
                if frame["event"] == "event.line" {
                    lines.push(frame.clone());
                    if frame["id"] == id {
                        seq = frame["seq"].as_u64().unwrap();
                        break;
                    }
                }
            }
        }
        Some(seq)
    }
}

fn seq_of(line: &Value) -> u64 {
    line["seq"].as_u64().unwrap()
}

/// Checks that all that a pair was told is there, and returns the lines that are.
fn check(lines: &[Value], told: &Told) {
    assert!(lines.is_sorted_by(|one, other| seq_of(one) < seq_of(other)));
    let ids: BTreeSet<_> = lines.iter().map(|line| line["id"].to_string()).collect();
    assert_eq!(ids.len(), lines.len(), "once each");
    for shown in &told.lines {
        let (Some(first), Some(last)) = (shown.first(), shown.last()) else { continue };
        let stored = lines.iter().filter(|line| (seq_of(first)..=seq_of(last)).contains(&seq_of(line)));
        let stored: Vec<_> = stored.collect();
        assert_eq!(stored.len(), shown.len(), "each window saw what is on disk, with no gap");
        for (stored, shown) in stored.into_iter().zip(shown) {
            for field in ["seq", "id", "from", "time"] {
                assert_eq!(stored[field], shown[field]);
            }
            if stored["unsent"] != true {
                assert_eq!(stored["message"], shown["message"]);
            }
        }
    }
    for line in lines {
        let seq = seq_of(line);
        let is_unsent = told.unsent.contains(&seq);
        assert!(!is_unsent || (line["unsent"] == true && line["message"] == ""), "{seq} was unsent");
        let reader = usize::from(line["from"] == "owner");
        assert!(told.seen[reader] < seq || line["seen"] == true, "{seq} was seen");
    }
}

#[test]
fn what_was_acknowledged_to_either_of_two_is_there_after_a_kill_once_and_in_order() {
    let mut server = Server::with(NO_LIMITS);
    let owner = Person::new(&server);
    let mut talks: Vec<_> = (0..9).map(|n| Talk::begun(&server, &owner, &format!("a note for answer {n}"))).collect();
    let mut unsent = 0;
    for round in 0..3 {
        let last = |talk: &Talk| talk.read(&server, None)["last_seq"].as_u64().unwrap();
        let pair = |(n, talk)| Pair::open(&server, talk, &owner, last(talk), n % 4 == round);
        let pairs: Vec<_> = talks.iter().enumerate().map(pair).collect();
        let (acts, running) = (AtomicUsize::new(0), &server);
        let told: Vec<Told> = thread::scope(|scope| {
            let acts = &acts;
            let talk = |pair: Pair| scope.spawn(move || pair.talk(running, acts));
            let talking: Vec<_> = pairs.into_iter().map(talk).collect();
            wait_until("people talk", || acts.load(Ordering::Relaxed) > 70);
            running.signal(Signal::KILL);
            talking.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        server.wait();
        server = Server::on(&server.folder.clone(), NO_LIMITS);
        let mut left = Vec::new();
        for (talk, told) in talks.into_iter().zip(&told) {
            let found = talk.call(&server, None, "GET", "").send();
            if told.has_ended || (told.wants_the_end && found.status == 404) {
                talk.assert_gone(&server, &owner);
                continue;
            }
            check(talk.read(&server, Some(&owner))["lines"].as_array().unwrap(), told);
            // What had no answer is said again, and nothing of it twice.
            for (side, id, words) in &told.sent {
                let who = [Some(&owner), None][*side];
                let again = talk.call(&server, who, "POST", "").json(&json!({ "id": id, "message": words })).send();
                assert_eq!(again.status, 201, "{again:?}");
            }
            let lines = talk.read(&server, None)["lines"].as_array().unwrap().clone();
            check(&lines, told);
            assert!(told.sent.iter().all(|(_, id, _)| lines.iter().any(|line| line["id"] == **id)));
            unsent += told.unsent.len();
            left.push(talk);
        }
        talks = left;
    }
    assert!((1..9).contains(&talks.len()) && unsent > 9, "{} go on, {unsent} lines were unsent", talks.len());
}
