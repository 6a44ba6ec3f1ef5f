//! Words that were said long ago and are in the log only.

use annon_store::StoreError;
use annon_store::room::Body;
use serde_json::{Value, json};

use super::guest::words;
use super::*;
use crate::room::command::Command;

/// Lines that stay in memory.
const STAYS: usize = 5;
const SAID: usize = 100;

impl House {
    /// A room in which a hundred messages were said, nearly all of them long ago.
    async fn with_old_words() -> (Self, [Guest; 2]) {
        let house = Self::of_memory(usize::MAX, STAYS);
        let guests: [Guest; 2] = house.guests().await;
        for n in 0..SAID {
            guests[0].post(n);
            if n % 20 == 0 {
                settle().await;
            }
        }
        settle().await;
        house.make_room().await;
        guests.iter().for_each(Guest::forget);
        (house, guests)
    }

    /// Where message `n` stands.
    fn place(&self, n: usize) -> u64 {
        let is_it = |event: &RoomEvent| matches!(event, RoomEvent::Posted { id: name, .. } if name.as_str() == id(n));
        self.log().iter().find(|(_, event)| is_it(event)).unwrap().0.0
    }

    async fn page(&self, before: Option<u64>, limit: usize) -> Vec<Value> {
        let view = self.rooms.view(room(1), Some(member(2)), before.map(Seq), limit).await.unwrap();
        view.lines.iter().map(|line| serde_json::to_value(line).unwrap()).collect()
    }
}

fn said(page: &[Value]) -> Vec<String> {
    let chats = page.iter().filter(|frame| frame["event"] == "event.chat");
    chats.map(|frame| frame["message"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn pages_of_long_ago_are_read_from_the_log_and_new_ones_are_not() {
    on_one_thread(async {
        let (house, _guests) = House::with_old_words().await;
        assert_eq!(said(&house.page(None, STAYS).await), words(SAID - STAYS..SAID));
        assert_eq!(house.store.picks(), 0);
        assert_eq!(said(&house.page(None, 500).await), words(0..SAID));
        assert_eq!(said(&house.page(Some(house.place(50)), 10).await), words(40..50));
        assert_eq!(house.store.picks(), 2);
        house.pass(Duration::from_secs(30)).await;
        assert_eq!(house.store.reads(), 1, "the log is not read as a whole again");
    });
}

#[test]
fn who_was_away_for_long_hears_all_of_it() {
    on_one_thread(async {
        let (house, [_, b]) = House::with_old_words().await;
        b.tear_away();
        let b = Guest::open(&house.rooms, room(1), member(2)).await.unwrap();
        b.connect(house.place(3));
        settle().await;
        assert_eq!(b.words(), words(4..SAID));
        assert_eq!(b.of("event.ready")[0]["resumed"], true);
    });
}

#[test]
fn old_words_are_quoted_and_what_was_taken_back_is_not() {
    on_one_thread(async {
        let (house, [a, b]) = House::with_old_words().await;
        let (first, second) = (house.place(1), house.place(2));
        house.rooms.command(room(1), Command::TakeDown(Seq(second))).await.unwrap();
        assert_eq!(house.store.redacted(), [Seq(second)]);
        for (n, place) in [(200, first), (201, second)] {
            let reply = json!([null, null, place, null]);
            b.say("event.chat", &[("id", id(n).into()), ("message", "so true".into()), ("reply", reply)]);
        }
        settle().await;
        let quoted = |frames: &[Value]| frames.iter().map(|frame| frame["reply"][1].clone()).collect::<Vec<_>>();
        assert_eq!(quoted(&a.of("event.chat")), ["words 1", ""]);
        // Also when both have become old.
        house.make_room().await;
        (300..310).for_each(|n| a.post(n));
        settle().await;
        house.make_room().await;
        let page = house.page(None, 500).await;
        let replies: Vec<_> = page.into_iter().filter(|frame| frame["message"] == "so true").collect();
        assert_eq!(quoted(&replies), ["words 1", ""]);
    });
}

#[test]
fn an_old_message_is_repeated_to_its_sender_and_can_be_taken_back() {
    on_one_thread(async {
        let (house, [a, b]) = House::with_old_words().await;
        a.post(7);
        settle().await;
        assert_eq!((a.words(), b.words()), (words([7]), words([])));
        assert_eq!(house.words().len(), SAID, "it is not there twice");
        a.say("event.unsend", &[("id", id(7).into())]);
        settle().await;
        assert_eq!(b.of("event.unsend")[0]["message_seq"], house.place(7));
        assert!(!house.words().contains(&"words 7".to_owned()));
        assert!(!said(&house.page(None, 500).await).contains(&"words 7".to_owned()));
    });
}

#[test]
fn who_is_sent_out_takes_old_words_along() {
    on_one_thread(async {
        let (house, [_, b]) = House::with_old_words().await;
        let face = house.rooms.seat(room(1), member(1)).await.unwrap();
        house.rooms.command(room(1), Command::Kick { face, with_messages: true }).await.unwrap();
        settle().await;
        assert_eq!(b.of("event.unsend").len(), SAID);
        assert!(
            house
                .log()
                .iter()
                .all(|(_, event)| { !matches!(event, RoomEvent::Posted { body, .. } if *body != Body::Gone) })
        );
        let page = house.page(None, 500).await;
        assert_eq!(page.iter().filter(|frame| frame["unsent"] == true).count(), SAID);
    });
}

#[test]
fn when_the_log_can_not_be_read_only_that_fails() {
    on_one_thread(async {
        let (house, [a, b]) = House::with_old_words().await;
        house.store.picks_fail(true);
        let seen = house.rooms.view(room(1), Some(member(2)), None, 500).await;
        assert_eq!(seen.err(), Some(StoreError::Unavailable.into()));
        let reply = json!([null, null, house.place(1), null]);
        b.say("event.chat", &[("id", id(200).into()), ("message", "so true".into()), ("reply", reply)]);
        a.post(201);
        settle().await;
        assert_eq!((b.refusals().len(), b.words()), (1, words([201])));
        house.store.picks_fail(false);
        assert_eq!(said(&house.page(None, 500).await).len(), SAID + 1);
    });
}

#[test]
fn the_largest_room_lets_go_of_old_words_when_rooms_hold_too_much() {
    on_one_thread(async {
        let house = House::of_memory(120_000, STAYS);
        let long = "w".repeat(250);
        let say = async |guest: &Guest, range: std::ops::Range<usize>| {
            for n in range {
                guest.say("event.chat", &[("id", id(n).into()), ("message", long.clone().into())]);
                if n % 20 == 0 {
                    settle().await;
                }
            }
            settle().await;
        };
        let (small, large) = (house.guest_of(1, 1).await, house.guest_of(2, 1).await);
        say(&small, 0..20).await;
        say(&large, 0..600).await;
        assert!(house.rooms.memory() < 120_000, "{}", house.rooms.memory());
        let page = async |of| house.rooms.view(room(of), Some(member(1)), None, 500).await.unwrap().lines.len();
        assert_eq!((page(1).await, house.store.picks()), (21, 0), "the small one keeps its words");
        assert_eq!(page(2).await, 500);
        assert_eq!(house.store.picks(), 1);
        assert_eq!((small.end(), large.end(), house.rooms.open()), (None, None, 2));
    });
}
