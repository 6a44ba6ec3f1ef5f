//! Seats of members who posted nothing and went away.

use annon_contract::limits::{ROOM_MEMBERS, SEAT_LAPSES};

use super::*;

impl RoomSetup {
    async fn seats(&self) -> Vec<u8> {
        let mut seated = Vec::new();
        for n in 1..=20 {
            if self.rooms.seat(room(1), member(n)).await.is_ok() {
                seated.push(n);
            }
        }
        seated
    }
}

#[actix::test]
async fn who_is_an_hour_away_and_has_said_nothing_loses_the_seat() {
    let (setup, [stays, speaks, silent, returns]) = RoomSetup::with_guests().await;
    speaks.post(1).await;
    [speaks, silent, returns].iter().for_each(Guest::tear_away);
    setup.pass(SEAT_LAPSES - MINUTE).await;
    // A member who reads the messages keeps the seat.
    setup.rooms.view(room(1), Some(member(4)), None, 1).await.unwrap();
    stays.forget();
    setup.pass(2 * MINUTE).await;
    let news = stays.news();
    assert!(news.len() == 1 && news[0].ends_with(" left"), "{news:?}");
    assert_eq!(setup.seats().await, [1, 2, 4]);
    assert_eq!(stays.end(), None, "who is here is not away");
}

#[actix::test]
async fn a_room_that_everybody_has_left_looks_when_somebody_knocks() {
    let (mut setup, guests): (_, [Guest; ROOM_MEMBERS]) = RoomSetup::with_guests().await;
    let newcomer = async |setup: &RoomSetup| setup.rooms.claim(room(1), member(15), 1, false).await;
    guests[0].post(1).await;
    guests.iter().for_each(Guest::tear_away);
    setup.pass(SEAT_LAPSES / 2).await;
    assert_eq!(setup.rooms.open(), 0, "it has no actor");
    assert_eq!(newcomer(&setup).await, Err(FULL));
    // The newcomer's call started an actor, and nobody knows who was in the room until that ended.
    setup.pass(SEAT_LAPSES / 2 + 2 * MINUTE).await;
    assert_eq!(setup.rooms.open(), 0);
    // A server that starts again knows nothing of the time before.
    setup.rooms = setup.start();
    assert_eq!(newcomer(&setup).await, Err(FULL));
    setup.pass(SEAT_LAPSES - 2 * MINUTE).await;
    assert_eq!(setup.rooms.open(), 0);
    assert_eq!(newcomer(&setup).await, Err(FULL));
    setup.pass(SEAT_LAPSES + 2 * MINUTE).await;
    let emoji = setup.rooms.claim(room(1), member(2), 99, false).await.unwrap();
    assert!(newcomer(&setup).await.is_ok());
    assert_eq!(setup.seats().await, [1, 2, 15], "who spoke, who knocked at their own seat, and who came");
    assert_eq!(setup.rooms.seat(room(1), member(2)).await, Ok(emoji));
}

/// The last event has a later time than the clock then.
#[actix::test]
async fn a_clock_that_is_set_back_takes_no_seat() {
    let (setup, [stays, silent]) = RoomSetup::with_guests().await;
    stays.post(1).await;
    setup.clock.step_back(2 * SEAT_LAPSES);
    silent.tear_away();
    setup.pass(MINUTE).await;
    assert_eq!(setup.seats().await, [1, 2]);
}
