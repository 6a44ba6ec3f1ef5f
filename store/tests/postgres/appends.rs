//! Appends to rooms' logs, from several nodes, and what the record can say of them.

use std::time::Duration;

use annon_store::Kept;
use annon_store::room::{Body, Millis, RoomEvent, SeatNumber, Seq};
use annon_store::room_log::RoomLog;
use annon_store::{Postgres, StoreError};
use futures_util::future::join_all;
use tokio::time::timeout;

use crate::support::people::*;
use crate::support::postgres::{Cluster, Databases};

const LATER: u64 = NOW + 100_000;

/// Two nodes, and rooms of as many accounts as that takes.
async fn two_nodes(rooms: u128) -> (Databases, Postgres, Postgres) {
    let databases = Databases::new().await;
    let (one, other) = (databases.open().await, databases.open().await);
    for n in 1..=rooms {
        let owner = n.div_ceil(50) as u64;
        if n % 50 == 1 {
            one.accounts().create(account(owner)).await.unwrap();
        }
        one.rooms().create(metadata(n, owner, LATER), NOW).await.unwrap();
    }
    (databases, one, other)
}

async fn log_of(node: &Postgres, n: u128) -> Vec<(Seq, RoomEvent)> {
    node.room_log().read(room(n), Seq(0)).await.unwrap()
}

#[tokio::test]
async fn the_other_node_wins_or_has_removed_the_room() {
    let (_databases, one, other) = two_nodes(1).await;
    one.room_log().append(room(1), Seq(0), vec![came(1)]).await.unwrap();
    other.room_log().append(room(1), Seq(1), vec![came(2)]).await.unwrap();
    let late = one.room_log().append(room(1), Seq(1), vec![came(3)]).await;
    assert_eq!(late, Err(StoreError::Conflict));
    one.room_log().append(room(1), Seq(2), vec![came(3)]).await.unwrap();
    assert_eq!(log_of(&one, 1).await, [(Seq(1), came(1)), (Seq(2), came(2)), (Seq(3), came(3))]);
    other.rooms().remove(room(1)).await.unwrap();
    assert_eq!(one.room_log().append(room(1), Seq(3), vec![came(4)]).await, Err(StoreError::NotFound));
    assert_eq!(one.room_log().read(room(1), Seq(0)).await.unwrap_or_default(), []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_locked_room_keeps_nobody_waiting_but_its_own() {
    let (databases, one, _other) = two_nodes(2).await;
    let id = room(1).0;
    let lock = format!("BEGIN; SELECT 1 FROM room WHERE id = '{id}' FOR UPDATE; SELECT pg_sleep(2)");
    let append = async {
        let locked = format!("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND query LIKE '%{id}%'");
        Cluster::shared().until(&locked).await;
        let mut waiting = one.room_log().append(room(1), Seq(0), vec![came(1)]);
        one.room_log().append(room(2), Seq(0), vec![came(2)]).await.unwrap();
        let early = timeout(Duration::ZERO, &mut waiting).await;
        assert!(early.is_err(), "nobody is told of a lock: {early:?}");
        waiting.await.unwrap();
    };
    tokio::join!(append, databases.ask(&lock));
    assert_eq!(log_of(&one, 1).await, [(Seq(1), came(1))]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_bad_record_stops_no_other() {
    let (databases, one, _other) = two_nodes(500).await;
    let full = format!(
        "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
             IF NEW.room = '{}' THEN RAISE EXCEPTION USING ERRCODE = '53100'; END IF; RETURN NEW; END $$; \
         CREATE TRIGGER full_disk BEFORE INSERT ON room_log FOR EACH ROW EXECUTE FUNCTION full_disk()",
        room(277).0
    );
    databases.ask(&full).await;
    for round in 0..2 {
        let log = one.room_log();
        let appends: Vec<_> = (1..=500).map(|n| log.append(room(n), Seq(round), vec![came(1)])).collect();
        for (n, outcome) in (1..).zip(join_all(appends).await) {
            let refusal = if round == 0 { StoreError::DiskFull } else { StoreError::Conflict };
            assert_eq!(outcome, if n == 277 { Err(refusal) } else { Ok(()) }, "room {n}");
        }
    }
}

/// Appends until so many appends of this node are written, as an actor would: what was
/// refused is asked again behind what the other node wrote. Several wait at once.
async fn write_many(log: &dyn RoomLog, n: u128, seat: u32, count: u64) {
    let (mut end, mut written) = (Seq(0), 0);
    while written < count {
        let said = |at| vec![posted(&format!("{seat} {}", written + at))];
        let asked: Vec<_> = (0..3).map(|at| log.append(room(n), Seq(end.0 + at), said(at))).collect();
        for outcome in join_all(asked).await {
            match outcome {
                Ok(()) => written += 1,
                Err(error) => assert_eq!(error, StoreError::Conflict),
            }
        }
        end = log.read(room(n), end).await.unwrap().last().map_or(end, |(seq, _)| *seq);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_nodes_that_race_leave_no_gap_and_write_nothing_twice() {
    let (_databases, one, other) = two_nodes(3).await;
    let count = if crate::support::is_torture() { 2_000 } else { 60 };
    let logs = [one.room_log(), other.room_log()];
    let writers = (1..=3).flat_map(|n| logs.iter().zip(1..).map(move |(log, seat)| write_many(&**log, n, seat, count)));
    join_all(writers).await;
    for n in 1..=3 {
        let log = log_of(&one, n).await;
        assert!(log.iter().zip(1..).all(|((seq, _), at)| seq.0 == at), "no gap, and nothing lost");
        for seat in ["1", "2"] {
            let mut theirs = Vec::new();
            for (_, event) in &log {
                let RoomEvent::Posted { body: Body::Text(text), .. } = event else { panic!("{event:?}") };
                let (who, number) = text.as_str().split_once(' ').unwrap();
                if who == seat {
                    theirs.push(number.parse::<u64>().unwrap());
                }
            }
            assert!(theirs.len() as u64 >= count && theirs.iter().copied().eq(0..theirs.len() as u64), "{theirs:?}");
        }
        assert_eq!(log, log_of(&other, n).await);
    }
}

#[tokio::test]
async fn what_is_forgotten_leaves_a_gap_that_is_no_damage() {
    let (databases, one, other) = two_nodes(1).await;
    for at in 0..6 {
        let event = if at == 0 { came(1) } else { posted(&format!("words {at}")) };
        one.room_log().append(room(1), Seq(at), vec![event]).await.unwrap();
    }
    other.room_log().forget(room(1), Seq(3)).await.unwrap();
    assert_eq!(databases.ask("SELECT string_agg(last::text, ' ' ORDER BY last) FROM room_log").await, ["1 4 5 6"]);
    let seqs = |log: Vec<(Seq, RoomEvent)>| log.into_iter().map(|(seq, _)| seq.0).collect::<Vec<_>>();
    assert_eq!(seqs(log_of(&one, 1).await), [1, 4, 5, 6]);
    databases.ask("DELETE FROM room_log WHERE last = 5").await;
    let log = log_of(&one, 1).await;
    assert_eq!(log[2], (Seq(5), RoomEvent::Lost { from: Seq(5) }));
    databases.ask("DELETE FROM room_log WHERE last = 4").await;
    let lost = (Seq(5), RoomEvent::Lost { from: Seq(4) });
    assert_eq!(log_of(&one, 1).await, [(Seq(1), came(1)), lost, (Seq(6), posted("words 5"))]);
    // Where all is forgotten, the log still ends where it ended.
    one.room_log().append(room(1), Seq(6), vec![posted("words 6")]).await.unwrap();
    other.room_log().forget(room(1), Seq(7)).await.unwrap();
    assert_eq!(seqs(log_of(&other, 1).await), [1]);
    assert_eq!(one.room_log().append(room(1), Seq(6), vec![posted("late")]).await, Err(StoreError::Conflict));
    assert_eq!(one.room_log().append(room(1), Seq(7), vec![posted("words 7")]).await, Ok(()));
    assert_eq!(one.room_log().forget(room(9), Seq(3)).await, Ok(()), "a room that is gone has forgotten all");
}

/// While somebody reads an old moment of the database, no version of a row goes.
#[tokio::test]
async fn an_append_leaves_no_version_of_its_room_behind() {
    let (databases, one, other) = two_nodes(1).await;
    let version = "SELECT concat_ws(' ', ctid, xmin) FROM room";
    let before = databases.ask(version).await;
    for at in 0..20 {
        let node = if at % 2 == 0 { &one } else { &other };
        node.room_log().append(room(1), Seq(at), vec![posted(&format!("words {at}"))]).await.unwrap();
    }
    assert_eq!(databases.ask(version).await, before);
    assert_eq!(log_of(&other, 1).await.len(), 20);
}

#[tokio::test]
async fn what_is_taken_back_marks_the_key_of_its_room() {
    let (databases, one, _other) = two_nodes(3).await;
    let log = one.room_log();
    for n in 1..=3 {
        log.append(room(n), Seq(0), vec![posted("some words")]).await.unwrap();
    }
    let marked = "SELECT count(*) FROM room WHERE stale IS NOT NULL";
    assert_eq!(databases.ask(marked).await, ["0"]);
    take_back(&*log, room(1), Seq(1), vec![Seq(1)]).await.unwrap();
    // Whatever its caller takes back with it.
    let kicked = |with_messages| RoomEvent::Kicked { seat: SeatNumber(1), with_messages, at: Millis(1) };
    log.append(room(2), Seq(1), vec![kicked(true)]).await.unwrap();
    log.append(room(3), Seq(1), vec![kicked(false)]).await.unwrap();
    assert_eq!(databases.ask(marked).await, ["2"]);
    log.forget(room(3), Seq(1)).await.unwrap();
    assert_eq!(databases.ask(marked).await, ["3"]);
}

#[tokio::test]
async fn what_is_dropped_before_it_is_written_is_not_written() {
    let (_databases, one, _other) = two_nodes(1).await;
    let log = one.room_log();
    let first = log.append(room(1), Seq(0), vec![came(1)]);
    let dropped = log.append(room(1), Seq(1), vec![came(2)]);
    let behind = log.append(room(1), Seq(2), vec![came(3)]);
    drop(dropped);
    assert_eq!((first.await, behind.await), (Ok(()), Err(StoreError::Conflict)));
    assert_eq!(log.append(room(1), Seq(1), vec![came(4)]).await, Ok(()));
    assert_eq!(log_of(&one, 1).await, [(Seq(1), came(1)), (Seq(2), came(4))]);
}

#[tokio::test]
async fn a_stop_waits_for_what_was_asked_before_it() {
    let (databases, one, other) = two_nodes(2).await;
    let log = one.room_log();
    let waiting = [log.append(room(1), Seq(0), vec![came(1)]), log.append(room(1), Seq(1), vec![came(2)])];
    one.stop().await.unwrap();
    assert_eq!(join_all(waiting).await, [Ok(()), Ok(())]);
    assert_eq!(log.append(room(1), Seq(2), vec![came(3)]).await, Err(StoreError::Unavailable));
    assert_eq!(log_of(&other, 1).await.len(), 2);
    drop(databases);
}
