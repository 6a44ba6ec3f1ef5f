//! Coming back after a cut: nothing is missing, nothing is twice.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::rooms::group::{Group, Seat, server};
use crate::rooms::member::{Member, fresh_id};
use crate::support::patience::at_once;
use crate::support::server::Server;

/// Dice that fall the same way for the same seed.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }
}

#[test]
fn who_was_away_gets_exactly_what_they_missed() {
    let (server, group) = Group::with(&[]);
    let [a, b] = group.seats(&server);
    let (mut a, away) = (Member::open(&server, &group, &a), Member::open(&server, &group, &b));
    drop(away);
    let lines: Vec<_> = (0..5).map(|n| a.chat(&format!("words {n}"))).collect();
    let seqs: Vec<_> = lines.iter().map(|line| line["seq"].as_u64().unwrap()).collect();
    for (n, since) in seqs.iter().enumerate() {
        let (_, missed) = Member::resume(&server, &group, &b, *since);
        let (ready, missed) = missed.split_last().unwrap();
        assert_eq!(missed, &lines[n + 1..]);
        assert_eq!(*ready, json!({ "event": "event.ready", "last_seq": seqs[4], "resumed": true }));
    }
    for since in [json!(seqs[4] + 1), json!(u64::MAX)] {
        let mut back = Member::silent(&server, &group, &b);
        back.say("event.connect", &json!({ "since": since }));
        assert_eq!(back.until("event.ready").pop().unwrap()["resumed"], false, "a place that isn't there yet");
    }
    for odd in [json!(-1), json!("1"), json!(1.5)] {
        let mut back = Member::silent(&server, &group, &b);
        back.say("event.connect", &json!({ "since": odd }));
        assert_eq!(back.next_frame()["event"], "event.error");
    }
}

#[test]
fn more_than_five_hundred_lines_are_loaded_anew() {
    let (server, group) = Group::with(&["--sends-per-second", "0"]);
    let [a, b] = group.seats(&server);
    let (mut a, away) = (Member::open(&server, &group, &a), Member::open(&server, &group, &b));
    let since = a.chat("the last one they saw")["seq"].as_u64().unwrap();
    drop(away);
    for n in 0..6 {
        (0..100).for_each(|_| drop(a.post("words")));
        a.chat(&format!("and {n}"));
    }
    let mut back = Member::silent(&server, &group, &b);
    assert_eq!(back.connect(Some(since))["resumed"], false);
    let (_, missed) = Member::resume(&server, &group, &b, since + 200);
    assert_eq!(missed.iter().filter(|frame| frame["event"] == "event.chat").count(), 406);

    // Nor is what would be too much for somebody who may not be reading.
    let since = a.chat("the last one they saw")["seq"].as_u64().unwrap();
    let long = "🦊".repeat(255);
    (0..130).for_each(|_| drop(a.post(&long)));
    a.chat("and the end");
    assert_eq!(back.connect(Some(since))["resumed"], false);
    let (_, missed) = Member::resume(&server, &group, &b, since + 60);
    assert_eq!(missed.iter().filter(|frame| frame["event"] == "event.chat").count(), 71);
}

#[test]
fn lines_that_are_no_longer_kept_can_not_be_resumed_over() {
    let (server, group) = Group::with(&["--sends-per-second", "0", "--room-messages", "1000"]);
    let [mut member] = group.members(&server);
    let seat = member.seat.clone();
    let first = member.chat("first")["seq"].as_u64().unwrap();
    for n in 0..17 {
        (0..99).for_each(|_| drop(member.post("words")));
        member.chat(&format!("hundred {n}"));
    }
    let mut back = Member::silent(&server, &group, &seat);
    assert_eq!(back.connect(Some(first))["resumed"], false);
    let lines = group.view(&server, Some(&seat), "?limit=500&before=800").json()["data"]["messages"].clone();
    let oldest = lines.as_array().unwrap()[0]["seq"].as_u64().unwrap();
    assert_eq!((oldest, lines.as_array().unwrap().len()), (704, 96), "the last thousand");
}

/// What one member does for a while: talks, is cut off at random moments,
/// comes back, sends again what was not acknowledged.
struct Life<'a> {
    server: &'a Server,
    group: &'a Group,
    seat: &'a Seat,
    dice: Dice,
    seen: Vec<Value>,
    open: Vec<(String, String)>,
}

impl Life<'_> {
    fn take(&mut self, frame: Value) {
        if frame["event"] == "event.chat" {
            self.open.retain(|(id, _)| frame["id"] != *id);
            let again = self.seen.iter().any(|seen| seen["seq"] == frame["seq"]);
            if again {
                assert_eq!(frame["sender"], self.seat.emoji, "only a sender's echo comes again: {frame}");
            } else {
                self.seen.push(frame);
            }
        }
    }

    fn come_back(&mut self) -> Member {
        let since = self.seen.last().map_or(0, |line| line["seq"].as_u64().unwrap());
        let (mut member, missed) = Member::resume(self.server, self.group, self.seat, since);
        assert_eq!(missed.last().unwrap()["resumed"], true);
        missed.into_iter().for_each(|frame| self.take(frame));
        for (id, words) in &self.open {
            member.say("event.chat", &json!({ "id": id, "message": words }));
        }
        member
    }

    fn live(mut self, messages: usize) -> Vec<Value> {
        let mut member = self.come_back();
        for n in 0..messages {
            let (id, words) = (fresh_id(), format!("{} says {n}", self.seat.emoji));
            member.say("event.chat", &json!({ "id": id, "message": words }));
            self.open.push((id, words));
            for _ in 0..self.dice.roll(6) {
                let frame = member.next_frame();
                self.take(frame);
                if self.open.is_empty() {
                    break;
                }
            }
            if self.dice.roll(5) == 0 {
                drop(member);
                member = self.come_back();
            }
        }
        while !self.open.is_empty() {
            let frame = member.next_frame();
            self.take(frame);
        }
        drop(member);
        self.seen
    }
}

#[test]
fn ten_who_chat_and_are_cut_off_at_random_all_see_the_same() {
    let server = server(&["--sends-per-second", "0"]);
    let base = std::env::var("ANNON_SEED").ok().and_then(|seed| seed.parse().ok());
    for seed in base.map_or(1..=3_u64, |seed| seed..=seed) {
        eprintln!("ANNON_SEED={seed}");
        let group = Group::new(&server);
        let seats: [_; 10] = group.seats(&server);
        // A member's first connection adds a line, too.
        seats.iter().for_each(|seat| drop(Member::open(&server, &group, seat)));
        let lives = seats.iter().enumerate().map(|(n, seat)| {
            let dice = Dice((seed << 8 | n as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
            let life = Life { server: &server, group: &group, seat, dice, seen: Vec::new(), open: Vec::new() };
            move || life.live(30)
        });
        let mut views = at_once(lives);
        let truth: Vec<Value> = {
            let lines = group.view(&server, Some(&seats[0]), "?limit=500").json()["data"]["messages"].clone();
            lines.as_array().unwrap().iter().filter(|line| line["event"] == "event.chat").cloned().collect()
        };
        assert_eq!(truth.len(), 300, "seed {seed}: everything that was acknowledged, once");
        for (view, seat) in views.iter_mut().zip(&seats) {
            // What came after their last word.
            let since = view.last().map_or(0, |line| line["seq"].as_u64().unwrap());
            let (_, missed) = Member::resume(&server, &group, seat, since);
            view.extend(missed.into_iter().filter(|frame| frame["event"] == "event.chat"));
            assert_eq!(*view, truth, "seed {seed}: {} saw something else", seat.emoji);
        }
        let ids: BTreeSet<_> = truth.iter().map(|line| line["id"].to_string()).collect();
        assert_eq!(ids.len(), truth.len(), "seed {seed}");
    }
}
