//! Seats of those who said nothing and went away.

use annon_contract::limits::{ROOM_MEMBERS, SEAT_LAPSES};

use super::*;
use crate::room::command::{Command, Rejection};
use crate::session::Goodbye;

const MINUTE: Duration = Duration::from_secs(60);

impl House {
    async fn seats(&self) -> Vec<u8> {
        let mut seated = Vec::new();
        for n in 1..=20 {
            if self.rooms.seat(room(1), member(n)).await.is_ok() {
                seated.push(n);
            }
        }
        seated
    }

    /// Whether somebody new finds a seat.
    async fn seats_a_newcomer(&self, n: u8) -> bool {
        match self.rooms.claim(room(1), member(n), 1).await {
            Ok(_) => true,
            Err(RoomError::Rejected(Rejection::Full)) => false,
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn who_is_an_hour_away_and_has_said_nothing_loses_the_seat() {
    on_one_thread(async {
        let house = House::new();
        let [stays, speaks, silent] = house.guests().await;
        speaks.post(1);
        settle().await;
        speaks.tear_away();
        silent.tear_away();
        house.pass(SEAT_LAPSES - MINUTE).await;
        stays.forget();
        assert_eq!(stays.news(), [""; 0]);
        house.pass(2 * MINUTE).await;
        let news = stays.news();
        assert!(news.len() == 1 && news[0].ends_with(" left"), "{news:?}");
        assert_eq!(house.rooms.seat(room(1), member(3)).await, Err(Rejection::NoSeat.into()));
        assert!(house.rooms.seat(room(1), member(2)).await.is_ok(), "who has said something may come back");
        assert_eq!(stays.end(), None, "who is here is not away");
        // A member who comes back finds their seat taken by another.
        house.rooms.claim(room(1), member(3), 5).await.unwrap();
    });
}

#[test]
fn who_comes_now_and_then_keeps_the_seat() {
    on_one_thread(async {
        let house = House::new();
        let [_stays, comes] = house.guests().await;
        let mut comes = comes;
        for _ in 0..4 {
            comes.tear_away();
            house.pass(SEAT_LAPSES - MINUTE).await;
            comes = Guest::open(&house.rooms, room(1), member(2)).await.unwrap();
            settle().await;
        }
        // Reading is enough.
        comes.tear_away();
        house.pass(SEAT_LAPSES - MINUTE).await;
        house.rooms.view(room(1), Some(member(2)), None, 1).await.unwrap();
        house.pass(SEAT_LAPSES - MINUTE).await;
        assert!(house.rooms.seat(room(1), member(2)).await.is_ok());
    });
}

#[test]
fn nobody_loses_a_seat_behind_a_locked_door() {
    on_one_thread(async {
        let house = House::new();
        let [_stays, silent] = house.guests().await;
        house.rooms.command(room(1), Command::Lock(true)).await.unwrap();
        silent.tear_away();
        house.pass(3 * SEAT_LAPSES).await;
        let back = Guest::open(&house.rooms, room(1), member(2)).await.unwrap();
        settle().await;
        assert_eq!(back.end(), None::<(Option<&str>, Goodbye)>);
    });
}

#[test]
fn a_room_that_everybody_has_left_looks_when_somebody_knocks() {
    on_one_thread(async {
        let mut house = House::new();
        let guests: [Guest; ROOM_MEMBERS] = house.guests().await;
        guests[0].post(1);
        settle().await;
        guests.iter().for_each(Guest::tear_away);
        house.pass(SEAT_LAPSES / 2).await;
        assert_eq!(house.rooms.open(), 0, "it has no actor");
        assert!(!house.seats_a_newcomer(15).await);
        // That was no visit of theirs: but the room does not know who was in it.
        house.pass(SEAT_LAPSES / 2 + 2 * MINUTE).await;
        assert_eq!(house.rooms.open(), 0);
        // The server begins anew, and knows nothing of the time before.
        house.rooms = house.start();
        assert!(!house.seats_a_newcomer(15).await);
        house.pass(SEAT_LAPSES - 2 * MINUTE).await;
        assert_eq!(house.rooms.open(), 0);
        assert!(!house.seats_a_newcomer(15).await);
        house.pass(SEAT_LAPSES + 2 * MINUTE).await;
        assert!(house.seats_a_newcomer(15).await);
        assert_eq!(house.seats().await, [1, 15], "who spoke, and who came");
    });
}

#[test]
fn who_knocks_at_their_own_seat_keeps_it() {
    on_one_thread(async {
        let house = House::new();
        let guests: [Guest; 3] = house.guests().await;
        let face = house.rooms.seat(room(1), member(2)).await.unwrap();
        guests.iter().for_each(Guest::tear_away);
        house.pass(2 * SEAT_LAPSES).await;
        assert_eq!(house.rooms.claim(room(1), member(2), 99).await.unwrap(), face);
        assert_eq!(house.seats().await, [2]);
    });
}
