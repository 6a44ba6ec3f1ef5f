//! The state of rooms in their creators' lists, for which no actor is started.

use super::*;
use crate::room::Standing;

impl RoomSetup {
    async fn standing(&self) -> (usize, usize, u64) {
        let metadata = self.rooms.metadata(room(1)).await.unwrap();
        let Standing { seats, active, messages, asks_first: _ } =
            self.rooms.standings(&[metadata]).await.remove(0).unwrap();
        (seats, active, messages)
    }
}

#[actix::test]
async fn it_follows_what_is_on_disk_and_those_who_come_and_go() {
    let setup = RoomSetup::new();
    assert_eq!(setup.standing().await, (0, 0, 0));
    let [a, b, c] = setup.guests().await;
    assert_eq!(setup.standing().await, (3, 3, 0));
    setup.store.faults().holds_appends = true;
    a.post(1).await;
    b.post(2).await;
    assert_eq!(setup.standing().await, (3, 3, 0), "what is not on disk yet is not counted");
    setup.release(AppendFault::None).await;
    a.retract(1).await;
    b.tear_away();
    run_until_idle().await;
    assert_eq!(setup.standing().await, (3, 2, 2), "who is away has a seat, and what is taken back was said");
    setup.command(Command::Leave(member(3))).await.unwrap();
    assert_eq!(setup.standing().await, (2, 1, 2));
    setup.store.faults().next_append = AppendFault::Panics;
    a.post(2).await;
    assert_eq!(setup.standing().await, (2, 0, 2), "nobody is in a room that broke");
    drop(c);
}

#[actix::test]
async fn asking_wakes_no_room_and_reads_a_log_once() {
    let (mut setup, [a, b]) = RoomSetup::with_guests().await;
    // More messages than are kept: messages that the log has forgotten count, too.
    a.post_all(0..1700).await;
    [a, b].iter().for_each(Guest::tear_away);
    assert!(setup.words().len() < 1700);
    setup.pass(Duration::from_secs(90)).await;
    setup.store.faults().seen();
    assert_eq!(setup.standing().await, (2, 0, 1700));
    assert_eq!((setup.rooms.open(), setup.store.faults().seen().reads), (0, 0), "it was noted");
    setup.restart().await;
    for reads in [1, 0, 0] {
        assert_eq!(setup.standing().await, (2, 0, 1700));
        assert_eq!((setup.rooms.open(), setup.store.faults().seen().reads), (0, reads));
    }
    setup.guest_of(1, 2).await.post(2).await;
    assert_eq!(setup.standing().await, (2, 1, 1701), "who comes back is counted on from there");
}
