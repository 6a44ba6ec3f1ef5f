//! What is held in memory for nobody.

use super::guest::words;
use super::*;
use crate::room::command::Command;

/// Somewhat more than 300 short messages take, and less than twice that.
const ONE_AND_A_HALF: usize = 72_000;

impl House {
    /// A room in which something was said that nobody is in any more.
    async fn left(&self, of: u128) -> Guest {
        let guest = self.guest_of(of, 1).await;
        for n in 0..300 {
            guest.post(n);
            if n % 20 == 0 {
                settle().await;
            }
        }
        settle().await;
        guest
    }

    fn is_open(&self, n: u128) -> bool {
        self.rooms.0.open.lock().contains_key(&room(n))
    }
}

#[test]
fn who_has_no_seat_sees_the_same_whatever_goes_on_and_starts_no_actor() {
    on_one_thread(async {
        let house = House::new();
        let outside = async || format!("{:?}", house.rooms.view(room(1), None, None, 10).await.unwrap());
        let before = outside().await;
        assert_eq!(house.rooms.open(), 0);
        let [a] = house.guests().await;
        a.post(1);
        house.rooms.command(room(1), Command::Lock(true)).await.unwrap();
        settle().await;
        assert_eq!(outside().await, before);
        let of_a_stranger = house.rooms.view(room(1), Some(member(2)), None, 10).await.unwrap();
        assert_eq!(format!("{of_a_stranger:?}"), before);
        assert_eq!(house.rooms.view(room(9), None, None, 10).await.err(), Some(RoomError::Gone));
    });
}

#[test]
fn rooms_nobody_is_in_make_way_for_others_and_come_back_as_they_were() {
    on_one_thread(async {
        let house = House::of_memory(ONE_AND_A_HALF, 200);
        let stays = house.left(1).await;
        let (second, third) = (house.left(2).await, house.left(3).await);
        assert_eq!(house.rooms.open(), 3, "somebody is in each of them");
        second.tear_away();
        settle().await;
        assert!(house.is_open(2), "and may be back in a moment");
        house.pass(Duration::from_secs(1)).await;
        third.tear_away();
        settle().await;
        assert_eq!([1, 2, 3].map(|n| house.is_open(n)), [true, false, true]);

        // A link is enough for this.
        let view = house.rooms.view(room(2), Some(member(1)), None, 500).await.unwrap();
        assert_eq!(view.lines.len(), 301);
        settle().await;
        assert_eq!([1, 2, 3].map(|n| house.is_open(n)), [true, true, false]);
        assert_eq!((stays.words(), stays.end()), (words(0..300), None));

        // One that somebody comes to doesn't linger.
        let _back = Guest::open(&house.rooms, room(2), member(1)).await.unwrap();
        settle().await;
        house.rooms.view(room(3), Some(member(1)), None, 1).await.unwrap();
        settle().await;
        assert_eq!([1, 2, 3].map(|n| house.is_open(n)), [true, true, true]);
    });
}

#[test]
fn a_room_makes_way_when_what_it_is_doing_is_done() {
    on_one_thread(async {
        let house = House::of_memory(ONE_AND_A_HALF, 200);
        let (first, second) = (house.left(1).await, house.left(2).await);
        house.store.hold();
        let rooms = house.rooms.clone();
        let locks = actix::spawn(async move { rooms.command(room(1), Command::Lock(true)).await });
        settle().await;
        first.tear_away();
        settle().await;
        second.tear_away();
        settle().await;
        assert!(house.is_open(1), "it waits for the disk");
        house.store.release(fake_store::Append::Works);
        settle().await;
        assert_eq!(locks.await.unwrap(), Ok(()));
        house.pass(Duration::from_secs(21)).await;
        assert_eq!(house.rooms.open(), 1);
    });
}
