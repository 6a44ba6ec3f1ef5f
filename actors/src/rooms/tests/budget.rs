//! Rooms that are in memory although nobody is in them.

use super::*;

/// More bytes than 300 short messages take, and less than twice that.
const ONE_AND_A_HALF: usize = 72_000;

impl RoomSetup {
    /// A guest in a room with 300 messages.
    async fn full(&self, of: u128) -> Guest {
        let guest = self.guest_of(of, 1).await;
        guest.post_all(0..300).await;
        guest
    }

    fn are_open(&self) -> [bool; 3] {
        [1, 2, 3].map(|n| self.rooms.registry.lock().find(room(n)).is_some())
    }
}

#[actix::test]
async fn who_has_no_seat_sees_the_same_whatever_goes_on_and_starts_no_actor() {
    let setup = RoomSetup::new();
    let outside = async || format!("{:?}", setup.rooms.view(room(1), None, None, 10).await.unwrap());
    let before = outside().await;
    assert_eq!(setup.rooms.open(), 0);
    let [a] = setup.guests().await;
    a.post(1).await;
    setup.command(Command::Lock(true)).await.unwrap();
    assert_eq!(outside().await, before);
    let of_a_stranger = setup.rooms.view(room(1), Some(member(2)), None, 10).await.unwrap();
    assert_eq!(format!("{of_a_stranger:?}"), before);
    assert_eq!(setup.rooms.view(room(9), None, None, 10).await.err(), Some(RoomError::Gone));
}

#[actix::test]
async fn rooms_nobody_is_in_make_way_for_others_and_come_back_as_they_were() {
    let setup = RoomSetup::of_memory(ONE_AND_A_HALF, 200);
    let stays = setup.full(1).await;
    let (second, third) = (setup.full(2).await, setup.full(3).await);
    assert_eq!(setup.are_open(), [true; 3], "somebody is in each of them");
    second.tear_away();
    run_until_idle().await;
    assert_eq!(setup.are_open(), [true; 3], "and may be back in a moment");
    setup.pass(Duration::from_secs(1)).await;
    third.tear_away();
    run_until_idle().await;
    assert_eq!(setup.are_open(), [true, false, true]);

    // A call is enough to read a room into memory.
    let view = setup.rooms.view(room(2), Some(member(1)), None, 500).await.unwrap();
    assert_eq!(view.lines.len(), 301);
    run_until_idle().await;
    assert_eq!(setup.are_open(), [true, true, false]);
    assert_eq!((stays.words(), stays.end()), (words(0..300), None));

    // A room that a member returns to keeps its memory.
    let _back = Guest::open(&setup.rooms, room(2), member(1)).await.unwrap();
    run_until_idle().await;
    setup.rooms.view(room(3), Some(member(1)), None, 1).await.unwrap();
    run_until_idle().await;
    assert_eq!(setup.are_open(), [true; 3]);
}

#[actix::test]
async fn a_room_makes_way_when_what_it_is_doing_is_done() {
    let setup = RoomSetup::of_memory(ONE_AND_A_HALF, 200);
    let (first, second) = (setup.full(1).await, setup.full(2).await);
    setup.store.faults().holds_appends = true;
    let locks = setup.asks(async |rooms| rooms.command(room(1), Command::Lock(true)).await).await;
    first.tear_away();
    run_until_idle().await;
    second.tear_away();
    run_until_idle().await;
    assert!(setup.are_open()[0], "it waits for the disk");
    setup.release(AppendFault::None).await;
    assert_eq!(locks.await.unwrap(), Ok(()));
    setup.pass(Duration::from_secs(21)).await;
    assert_eq!(setup.rooms.open(), 1);
}
