//! When something breaks: nobody has seen what is not so, everybody comes
//! again, and other rooms don't notice.

use annon_contract::limits::SEAT_WAITS;
use annon_store::StoreError;
use annon_store::room::Millis;

use super::fake_store::Append;
use super::guest::words;
use super::*;
use crate::room::Member;
use crate::room::command::Command;
use crate::session::Goodbye;

const COME_AGAIN: Option<(Option<&str>, Goodbye)> = Some((None, Goodbye::ShuttingDown));

/// After an append that ends badly everybody is cut off; what is in the log
/// then is what everybody sees who comes again.
async fn comes_again(how: Append, in_the_log: &[usize]) {
    let house = House::new();
    let [a, b] = house.guests().await;
    let elsewhere = house.guest_of(2, 1).await;
    let before = house.log().last().unwrap().0.0;
    house.store.hold();
    a.post(1);
    settle().await;
    a.post(2);
    let rooms = house.rooms.clone();
    let claim = actix::spawn(async move { rooms.claim(room(1), member(3), 3).await });
    settle().await;
    house.store.release(how);
    settle().await;
    assert_eq!((a.words(), b.words()), (words([]), words([])), "{how:?}: nobody saw it");
    assert_eq!((a.end(), b.end()), (COME_AGAIN, COME_AGAIN), "{how:?}");
    assert!(claim.is_finished(), "{how:?}");
    let seat = claim.await.unwrap();
    // Unless the call itself came again, to the room as it was rebuilt.
    assert!(seat.is_err() || house.rooms.seat(room(1), member(3)).await == seat, "{how:?}");
    assert_eq!(house.words(), words(in_the_log.iter().copied()), "{how:?}");

    let [a, b] = [house.guest_again(1).await, house.guest_again(2).await];
    b.connect(before);
    a.post(1);
    a.post(2);
    settle().await;
    assert_eq!(house.words(), words([1, 2]), "{how:?}: sent again, there once");
    assert_eq!(b.words(), words([1, 2]), "{how:?}");
    elsewhere.post(1);
    settle().await;
    assert_eq!((elsewhere.words(), elsewhere.end()), (words([1]), None), "{how:?}: other rooms don't notice");
}

impl House {
    /// A socket of somebody who has a seat.
    async fn guest_again(&self, n: u8) -> Guest {
        let guest = Guest::open(&self.rooms, room(1), member(n)).await.unwrap();
        settle().await;
        guest
    }
}

#[test]
fn after_an_append_that_fails_nobody_has_seen_anything_and_all_come_again() {
    on_one_thread(async {
        comes_again(Append::Fails(StoreError::Unavailable), &[]).await;
        comes_again(Append::Fails(StoreError::Conflict), &[]).await;
        comes_again(Append::Fails(StoreError::Corrupt), &[]).await;
    });
}

#[test]
fn after_an_append_that_was_written_and_not_answered_it_is_there_once() {
    on_one_thread(comes_again(Append::Unanswered, &[1]));
}

#[test]
fn after_a_panic_the_room_is_rebuilt_from_its_log() {
    on_one_thread(comes_again(Append::Panics, &[]));
}

#[test]
fn when_another_node_was_first_everybody_comes_again_and_sees_what_it_wrote() {
    on_one_thread(async {
        let house = House::new();
        let [a, b] = house.guests().await;
        let before = house.log().last().unwrap().0.0;
        house.store.write(room(1), RoomEvent::Locked { locked: true, at: Millis(5) });
        a.post(1);
        settle().await;
        assert_eq!((b.frames().len(), a.end(), b.end()), (0, COME_AGAIN, COME_AGAIN));
        let b = house.guest_again(2).await;
        b.connect(before);
        house.guest_again(1).await.post(1);
        settle().await;
        assert_eq!(b.of("event.notify").len(), 1);
        assert_eq!(b.words(), words([1]));
    });
}

#[test]
fn a_panic_leaves_nothing_behind_in_the_registry() {
    on_one_thread(async {
        let house = House::new();
        let [a] = house.guests().await;
        assert_eq!(house.rooms.open(), 1);
        house.store.next(Append::Panics);
        a.post(1);
        settle().await;
        assert_eq!((a.end(), house.rooms.open()), (COME_AGAIN, 0));
    });
}

#[test]
fn on_a_full_disk_sends_are_refused_and_everybody_stays() {
    on_one_thread(async {
        let house = House::new();
        let [a, b] = house.guests().await;
        for n in 1..=3 {
            house.store.next(Append::Fails(StoreError::DiskFull));
            a.post(n);
            settle().await;
        }
        assert_eq!(a.refusals(), ["The server has no space left for this. Try again later."; 3]);
        assert_eq!((a.end(), b.end(), b.frames().len()), (None, None, 0));
        b.post(4);
        a.post(2);
        settle().await;
        let both = words([4, 2]);
        assert_eq!((a.words(), b.words(), house.words()), (both.clone(), both.clone(), both));
    });
}

#[test]
fn who_announces_themselves_beside_what_finds_no_space_comes_again() {
    on_one_thread(async {
        let house = House::new();
        let [a] = house.guests().await;
        let again = house.guest_again(1).await;
        house.store.hold();
        a.post(1);
        settle().await;
        again.connect(0);
        settle().await;
        house.store.release(Append::Fails(StoreError::DiskFull));
        settle().await;
        assert_eq!((a.end(), again.end()), (None, COME_AGAIN), "not left without an answer");
    });
}

#[test]
fn what_was_missed_is_gathered_once_while_the_disk_is_slow() {
    on_one_thread(async {
        let house = House::new();
        let [a] = house.guests().await;
        let again = house.guest_again(1).await;
        house.store.hold();
        a.post(1);
        settle().await;
        for _ in 0..20 {
            again.connect(0);
        }
        settle().await;
        house.store.release(Append::Works);
        settle().await;
        assert_eq!((again.of("event.ready").len(), again.words()), (1, words([1])));
        again.connect(0);
        settle().await;
        assert_eq!(again.of("event.ready").len(), 2);
    });
}

#[test]
fn what_only_the_clock_asks_for_leaves_a_full_disk_alone() {
    on_one_thread(async {
        let house = House::new();
        let [_a] = house.guests().await;
        house.rooms.claim(room(1), member(2), 0).await.unwrap();
        house.store.fills_up();
        house.pass(SEAT_WAITS - Duration::from_secs(1)).await;
        assert_eq!(house.store.refused(), 0);
        house.pass(Duration::from_secs(35)).await;
        assert_eq!(house.store.refused(), 4, "one try every ten seconds");
        house.store.release(Append::Works);
        house.pass(Duration::from_secs(10)).await;
        assert!(matches!(house.log().last(), Some((_, RoomEvent::Lapsed { .. }))));
    });
}

#[test]
fn an_append_that_never_ends_is_given_up_in_ten_seconds() {
    on_one_thread(async {
        let house = House::new();
        let [a, b] = house.guests().await;
        house.store.next(Append::Hangs);
        a.post(1);
        settle().await;
        let rooms = house.rooms.clone();
        let view = actix::spawn(async move { rooms.view(room(1), Some(member(2)), None, 10).await.map(drop) });
        house.pass(Duration::from_secs(9)).await;
        assert!(!view.is_finished());
        assert_eq!((a.end(), b.end()), (None, None));
        house.pass(Duration::from_secs(1)).await;
        assert_eq!(view.await.unwrap(), Err(RoomError::Busy));
        assert_eq!((a.end(), b.end()), (COME_AGAIN, COME_AGAIN), "not left in a room that is dead");
        let b = house.guest_again(2).await;
        b.say("event.connect", &[]);
        house.guest_again(1).await.post(1);
        settle().await;
        assert_eq!(b.words(), words([1]));
    });
}

#[test]
fn a_log_that_can_not_be_read_in_ten_seconds_is_tried_again_later() {
    on_one_thread(async {
        let house = House::new();
        house.store.reads_hang(true);
        let rooms = house.rooms.clone();
        let claim = actix::spawn(async move { rooms.claim(room(1), member(1), 1).await });
        house.pass(Duration::from_secs(60)).await;
        assert_eq!(claim.await.unwrap(), Err(RoomError::Busy));
        house.store.reads_hang(false);
        settle().await;
        assert!(house.rooms.claim(room(1), member(1), 1).await.is_ok());
    });
}

#[test]
fn a_socket_that_enters_a_room_that_has_just_ended_comes_again() {
    on_one_thread(async {
        let house = House::new();
        let [a, _b] = house.guests().await;
        let late = Member::new(&house.rooms, room(1), member(2)).await.unwrap();
        let queued = Member::new(&house.rooms, room(1), member(2)).await.unwrap();
        house.store.hold();
        a.post(1);
        settle().await;
        house.store.release(Append::Fails(StoreError::Unavailable));
        // Enters in the very moment in which the room gives up.
        let queued = Guest::start(queued, room(1));
        settle().await;
        let late = Guest::start(late, room(1));
        settle().await;
        assert_eq!((queued.end(), late.end()), (COME_AGAIN, COME_AGAIN), "and doesn't sit in front of nothing");
    });
}

#[test]
fn what_lies_in_the_mailbox_of_a_room_that_breaks_is_not_left_waiting() {
    on_one_thread(async {
        let house = House::new();
        let [a] = house.guests().await;
        house.rooms.claim(room(1), member(2), 2).await.unwrap();
        let entering = Member::new(&house.rooms, room(1), member(2)).await.unwrap();
        house.store.next(Append::Panics);
        // The room's turn comes after all of this is in its mailbox, and it
        // breaks while the second is on its way.
        a.post(1);
        tokio::task::yield_now().await;
        let entering = Guest::start(entering, room(1));
        let rooms = house.rooms.clone();
        let seat = actix::spawn(async move { rooms.seat(room(1), member(2)).await });
        settle().await;
        assert_eq!((a.end(), entering.end()), (COME_AGAIN, COME_AGAIN));
        assert!(seat.is_finished());
    });
}

#[test]
fn somebody_sent_away_between_handshake_and_entry_is_told_so() {
    on_one_thread(async {
        let house = House::new();
        let [a] = house.guests().await;
        for (is_kicked, end) in
            [(false, (Some("left_group"), Goodbye::Left)), (true, (Some("removed_from_group"), Goodbye::Kicked))]
        {
            let face = house.rooms.claim(room(1), member(2), 2).await.unwrap();
            let role = Member::new(&house.rooms, room(1), member(2)).await.unwrap();
            let kick = Command::Kick { face, with_messages: false };
            let command = if is_kicked { kick } else { Command::Leave(member(2)) };
            house.rooms.command(room(1), command).await.unwrap();
            let guest = Guest::start(role, room(1));
            guest.say("event.active-users", &[]);
            settle().await;
            assert_eq!(guest.end(), Some(end));
            assert_eq!(guest.frames().len(), 0, "and hears nothing else");
        }
        assert_eq!(a.end(), None);
    });
}

#[test]
fn a_server_that_ends_sends_everybody_away_to_come_again() {
    on_one_thread(async {
        let house = House::new();
        let [a, b] = house.guests().await;
        house.rooms.shut_down();
        settle().await;
        assert_eq!((a.end(), b.end()), (COME_AGAIN, COME_AGAIN));
    });
}

#[test]
fn who_was_away_when_many_messages_were_taken_back_at_once_loads_the_room_anew() {
    on_one_thread(async {
        let house = House::new();
        let [a, b] = house.guests().await;
        for n in 0..600 {
            b.post(n);
            if n % 10 == 0 {
                settle().await;
            }
        }
        settle().await;
        let since = house.log().last().unwrap().0.0;
        a.tear_away();
        let face = house.rooms.seat(room(1), member(2)).await.unwrap();
        house.rooms.command(room(1), Command::Kick { face, with_messages: true }).await.unwrap();
        settle().await;
        let a = Guest::open(&house.rooms, room(1), member(1)).await.unwrap();
        a.connect(since);
        settle().await;
        assert_eq!((&a.of("event.ready")[0]["resumed"], a.of("event.unsend").len()), (&false.into(), 0));
    });
}
