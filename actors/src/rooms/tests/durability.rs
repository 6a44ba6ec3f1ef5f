//! Nobody sees what is not on disk, and what is on disk everybody sees once.

use annon_store::StoreError;
use serde_json::json;

use super::fake_store::Append;
use super::guest::words;
use super::*;
use crate::room::command::{Command, Rejection};

#[test]
fn nobody_hears_of_anything_before_it_is_on_disk() {
    on_one_thread(async {
        let house = House::new();
        let [a, b] = house.guests().await;
        house.store.hold();
        a.post(1);
        b.post(2);
        settle().await;
        let rooms = house.rooms.clone();
        let claim = actix::spawn(async move { rooms.claim(room(1), member(3), 3).await });
        let rooms = house.rooms.clone();
        let lock = actix::spawn(async move { rooms.command(room(1), Command::Lock(true)).await });
        settle().await;
        assert_eq!((a.frames(), b.frames()), (vec![], vec![]));
        assert!(!claim.is_finished() && !lock.is_finished(), "no answer either");
        house.store.release(Append::Works);
        settle().await;
        assert_eq!((a.words(), b.words()), (words(1..=2), words(1..=2)));
        assert!(claim.await.unwrap().is_ok() && lock.await.unwrap().is_ok());
        assert_eq!(a.of("event.notify").len(), 1, "locked");
    });
}

#[test]
fn what_waits_behind_an_append_that_fails_is_refused_with_it() {
    on_one_thread(async {
        let house = House::new();
        let [a, b] = house.guests().await;
        house.store.hold();
        a.post(1);
        settle().await;
        b.post(2);
        settle().await;
        house.store.release(Append::Fails(StoreError::DiskFull));
        settle().await;
        assert_eq!(house.words().len(), 0);
        for guest in [&a, &b] {
            assert_eq!((guest.words(), guest.of("event.error").len(), guest.end()), (words(0..0), 1, None));
        }
        a.post(3);
        settle().await;
        assert_eq!((a.words(), b.words()), (house.words(), house.words()));
        assert_eq!(house.words().len(), 1);
    });
}

#[test]
fn what_comes_during_an_append_is_the_next_one() {
    on_one_thread(async {
        let house = House::new();
        let [a, b] = house.guests().await;
        house.store.sizes();
        house.store.hold();
        a.post(0);
        settle().await;
        for n in 1..=200 {
            if n % 2 == 0 {
                a.post(n)
            } else {
                b.post(n)
            }
            if n % 10 == 0 {
                settle().await;
            }
        }
        house.store.release(Append::Works);
        settle().await;
        assert_eq!(house.store.sizes(), [1, 200]);
        assert_eq!(house.words().len(), 201);
        for guest in [&a, &b] {
            assert_eq!(guest.words(), house.words());
            assert_eq!(guest.end(), None, "200 at once are not too many for somebody who reads");
            assert!(guest.wakes() <= 2, "one for each append");
        }
    });
}

#[test]
fn somebody_who_resumes_during_an_append_gets_everything_once_and_nothing_early() {
    on_one_thread(async {
        let house = House::new();
        let [a, b] = house.guests().await;
        let before = house.log().last().unwrap().0.0;
        house.store.hold();
        a.post(1);
        settle().await;
        a.post(2);
        settle().await;
        b.connect(before);
        settle().await;
        a.post(3);
        settle().await;
        assert_eq!(b.frames(), [] as [serde_json::Value; 0]);
        house.store.release(Append::Works);
        settle().await;
        let chats: Vec<_> = b.of("event.chat").iter().map(|frame| frame["seq"].as_u64().unwrap()).collect();
        // This socket listened before it asked to resume, so it hears the
        // first two by itself, too; after the resumption, once each.
        let ready = b.frames().iter().position(|frame| frame["event"] == "event.ready").unwrap();
        assert_eq!(b.frames()[ready]["last_seq"], before + 2);
        assert_eq!(chats, [before + 1, before + 2, before + 1, before + 2, before + 3]);
    });
}

#[test]
fn a_new_socket_that_resumes_during_an_append_hears_each_line_once() {
    on_one_thread(async {
        let house = House::new();
        let [a, _b] = house.guests().await;
        let before = house.log().last().unwrap().0.0;
        let c = Guest::open(&house.rooms, room(1), member(2)).await.unwrap();
        settle().await;
        house.store.hold();
        a.post(1);
        settle().await;
        a.post(2);
        settle().await;
        c.connect(before);
        settle().await;
        a.post(3);
        settle().await;
        house.store.release(Append::Works);
        settle().await;
        assert_eq!(c.words(), words(1..=3));
        assert_eq!(c.of("event.ready"), [json!({ "event": "event.ready", "last_seq": before + 2, "resumed": true })]);
    });
}

#[test]
fn a_view_shows_what_it_says_is_the_last_and_nothing_after() {
    on_one_thread(async {
        let house = House::new();
        let [a] = house.guests().await;
        house.store.hold();
        a.post(1);
        settle().await;
        let rooms = house.rooms.clone();
        let view = actix::spawn(async move { rooms.view(room(1), Some(member(1)), None, 500).await });
        settle().await;
        a.post(2);
        settle().await;
        house.store.release(Append::Works);
        let view = view.await.unwrap().unwrap();
        assert_eq!(view.lines.len(), 2, "joined, and the first message");
        let last = serde_json::to_value(view.lines.last().unwrap()).unwrap();
        assert_eq!((&last["message"], &last["seq"]), (&json!("words 1"), &json!(view.last.0)));
    });
}

#[test]
fn a_message_that_is_taken_back_at_once_is_told_as_it_was_and_then_taken_back() {
    on_one_thread(async {
        let house = House::new();
        let [a, b] = house.guests().await;
        house.store.hold();
        a.post(1);
        settle().await;
        a.say("event.unsend", &[("id", id(1).into())]);
        settle().await;
        house.store.release(Append::Works);
        settle().await;
        let kinds: Vec<_> = b.frames().iter().map(|frame| frame["event"].clone()).collect();
        assert_eq!(kinds, ["event.chat", "event.unsend"]);
        assert_eq!(b.words(), words([1]));
        assert_eq!(house.words(), [] as [String; 0], "the log lost it, too");
        assert_eq!(house.store.redacted().len(), 1);
    });
}

#[test]
fn a_message_that_is_sent_again_is_there_once_and_its_sender_hears_of_it() {
    on_one_thread(async {
        let house = House::new();
        let [a, b] = house.guests().await;
        a.post(1);
        settle().await;
        a.post(1);
        settle().await;
        assert_eq!((a.words(), b.words()), (words([1, 1]), words([1])));
        assert_eq!(a.frames()[0], a.frames()[1]);
        assert_eq!(house.words(), words([1]));
        // An id is its sender's alone.
        b.post(1);
        settle().await;
        assert_eq!(house.words(), words([1, 1]));
    });
}

#[test]
fn more_than_a_slow_disk_can_take_is_refused_and_can_be_sent_again() {
    on_one_thread(async {
        let house = House::new();
        let [a, b] = house.guests().await;
        house.store.hold();
        for n in 0..600 {
            a.post(n);
            if n % 10 == 0 {
                settle().await;
            }
        }
        settle().await;
        let busy = a.refusals();
        assert!(busy.len() >= 150 && busy.iter().all(|why| *why == RoomError::Busy.to_string()), "{}", busy.len());
        assert_eq!(house.rooms.seat(room(1), member(1)).await, Err(RoomError::Busy));
        house.store.release(Append::Works);
        settle().await;
        assert_eq!(b.words(), house.words());
        assert_eq!(house.words().len() + busy.len(), 600);
        for n in 0..600 {
            a.post(n);
            if n % 10 == 0 {
                settle().await;
            }
        }
        settle().await;
        assert_eq!(house.words().len(), 600);
        assert_eq!(b.words().len(), 600);
    });
}

#[test]
fn a_seat_is_answered_when_it_is_on_disk_and_twenty_get_ten() {
    on_one_thread(async {
        let house = House::new();
        house.store.hold();
        let claims: Vec<_> = (1..=20)
            .map(|n| {
                let rooms = house.rooms.clone();
                actix::spawn(async move { rooms.claim(room(1), member(n), u64::from(n)).await })
            })
            .collect();
        settle().await;
        assert!(claims.iter().all(|claim| !claim.is_finished()));
        house.store.release(Append::Works);
        let mut seated = 0;
        for claim in claims {
            match claim.await.unwrap() {
                Ok(_) => seated += 1,
                Err(error) => assert_eq!(error, RoomError::Rejected(Rejection::Full)),
            }
        }
        assert_eq!((seated, house.log().len()), (10, 10));
    });
}
