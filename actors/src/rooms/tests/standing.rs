//! How rooms stand, as their creators' lists ask it: without waking any.

use super::fake_store::Append;
use super::*;
use crate::rooms::Standing;

impl House {
    async fn standing(&self) -> (usize, usize, u64) {
        let card = self.rooms.card(room(1)).await.unwrap();
        let Standing { seats, active, messages } = self.rooms.standing(&card).await.unwrap();
        (seats, active, messages)
    }
}

#[test]
fn it_follows_those_who_come_speak_and_go() {
    on_one_thread(async {
        let house = House::new();
        assert_eq!(house.standing().await, (0, 0, 0));
        let [a, b, c] = house.guests().await;
        assert_eq!(house.standing().await, (3, 3, 0));
        a.post(1);
        b.post(2);
        settle().await;
        a.say("event.unsend", &[("id", id(1).into())]);
        b.tear_away();
        settle().await;
        assert_eq!(house.standing().await, (3, 2, 2), "who is away has a seat, and what is taken back was said");
        house.rooms.command(room(1), crate::room::command::Command::Leave(member(3))).await.unwrap();
        assert_eq!(house.standing().await, (2, 1, 2));
        drop(c);
    });
}

#[test]
fn asking_wakes_no_room_and_reads_a_log_once() {
    on_one_thread(async {
        let mut house = House::new();
        let [a, b] = house.guests().await;
        a.post(1);
        settle().await;
        a.tear_away();
        b.tear_away();
        house.pass(Duration::from_secs(90)).await;
        let reads = house.store.reads();
        assert_eq!(house.standing().await, (2, 0, 1));
        assert_eq!((house.rooms.open(), house.store.reads()), (0, reads), "it was noted");
        house.restart().await;
        for _ in 0..3 {
            assert_eq!(house.standing().await, (2, 0, 1));
            assert_eq!((house.rooms.open(), house.store.reads()), (0, reads + 1));
        }
        let b = house.guest(2).await;
        b.post(2);
        settle().await;
        assert_eq!(house.standing().await, (2, 1, 2), "who comes back is counted on from there");
    });
}

#[test]
fn what_is_not_on_disk_yet_is_not_counted() {
    on_one_thread(async {
        let house = House::new();
        let [a] = house.guests().await;
        house.store.hold();
        a.post(1);
        settle().await;
        assert_eq!(house.standing().await, (1, 1, 0));
        house.store.release(Append::Works);
        settle().await;
        assert_eq!(house.standing().await, (1, 1, 1));
        house.store.next(Append::Panics);
        a.post(2);
        settle().await;
        assert_eq!(house.standing().await, (1, 0, 1), "nobody is in a room that broke");
    });
}

#[test]
fn messages_the_log_has_forgotten_were_said_all_the_same() {
    on_one_thread(async {
        let mut house = House::new();
        let [a] = house.guests().await;
        for n in 0..3000 {
            a.post(n);
            if n % 20 == 0 {
                settle().await;
            }
        }
        settle().await;
        assert!(house.words().len() < 3000);
        assert_eq!(house.standing().await, (1, 1, 3000));
        house.restart().await;
        assert_eq!(house.standing().await, (1, 0, 3000));
    });
}
