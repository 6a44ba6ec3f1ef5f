//! New keys for rooms, and two nodes that append, take back, forget and replace keys in one
//! room, all at once.

use std::sync::atomic::{AtomicBool, Ordering};

use annon_store::Kept;
use annon_store::room::{Body, RoomEvent, Seq};
use annon_store::room_log::RoomLog;
use annon_store::{Postgres, StoreError};
use tokio::task::yield_now;

use crate::support::people::*;
use crate::support::postgres::Databases;

/// Nodes of a record that has one room, and whose clock stands still.
async fn two_nodes() -> (Databases, Postgres, Postgres) {
    let databases = Databases::new().await;
    databases.stop_clock_at(NOW + 10_000).await;
    let (one, other) = (databases.open().await, databases.open().await);
    one.accounts().create(account(1)).await.unwrap();
    one.rooms().create(metadata(1, 1, NOW + 100_000), NOW).await.unwrap();
    (databases, one, other)
}

async fn log_of(log: &dyn RoomLog) -> Vec<(Seq, RoomEvent)> {
    log.read(room(1), Seq(0)).await.unwrap()
}

fn words_in(log: &[(Seq, RoomEvent)]) -> Vec<(Seq, String)> {
    let words = log.iter().filter_map(|(seq, event)| match event {
        RoomEvent::Posted { body: Body::Text(text), .. } => Some((*seq, text.as_str().to_owned())),
        _ => None,
    });
    words.collect()
}

#[tokio::test]
async fn a_key_that_opens_what_was_taken_back_is_replaced_and_an_append_is_sealed_again() {
    let (databases, one, other) = two_nodes().await;
    let log = one.room_log();
    for at in 0..600 {
        log.append(room(1), Seq(at), vec![posted(&at.to_string())]).await.unwrap();
    }
    take_back(&*log, room(1), Seq(600), vec![Seq(1)]).await.unwrap();
    let key = "SELECT key FROM room WHERE old_key IS NULL";
    let before = databases.ask(key).await;
    databases.stop_clock_at(NOW + 10_000 + 40 * 60 - 1).await;
    other.sweep(NOW).await.unwrap();
    assert_eq!(databases.ask(key).await, before, "not each time");
    databases.stop_clock_at(NOW + 10_000 + 40 * 60).await;
    other.sweep(NOW).await.unwrap();
    let after = databases.ask(&format!("{key} AND stale IS NULL")).await;
    assert_ne!(after, before);
    assert_eq!(databases.ask_keys("SELECT id FROM seal_key WHERE kind = 4").await, after, "the one before is dead");
    // This node knows the one before.
    log.append(room(1), Seq(601), vec![posted("the last")]).await.unwrap();
    for node in [&one, &other, &databases.open().await] {
        let log = log_of(&*node.room_log()).await;
        let words = words_in(&log);
        assert_eq!((log.len(), words.len()), (602, 600));
        assert_eq!((&words[0], &words[599]), (&(Seq(2), "1".into()), &(Seq(602), "the last".into())));
        assert_eq!(node.rooms().by_id(room(1)).await, Ok(Some(metadata(1, 1, NOW + 100_000))));
    }
}

/// Says something, and takes back every second of it. Returns what stays.
async fn talk(node: &Postgres, name: &str, rounds: u64) -> Vec<(Seq, String)> {
    let log = node.room_log();
    let (mut end, mut stays) = (Seq(0), Vec::new());
    let end_of = async |end| log.read(room(1), end).await.unwrap().last().map_or(end, |(seq, _)| *seq);
    for round in 0..rounds {
        let words = format!("{name} {round}");
        while let Err(error) = log.append(room(1), end, vec![posted(&words)]).await {
            assert_eq!(error, StoreError::Conflict);
            end = end_of(end).await;
        }
        end = end.next();
        let said = end;
        if round % 2 == 0 {
            stays.push((said, words));
            continue;
        }
        while let Err(error) = take_back(&*log, room(1), end, vec![said]).await {
            assert_eq!(error, StoreError::Conflict);
            end = end_of(end).await;
        }
        end = end.next();
        let read = words_in(&log_of(&*log).await);
        assert!(read.iter().all(|(seq, _)| *seq != said), "words have come back");
    }
    stays
}

/// Gives the room new keys until the talk is over.
async fn replace_keys(node: &Postgres, databases: &Databases, is_over: &AtomicBool) -> u32 {
    let mut sweeps = 0;
    while !is_over.load(Ordering::Relaxed) {
        databases.ask("UPDATE room SET stale = 0 WHERE stale IS NOT NULL").await;
        node.sweep(NOW).await.unwrap();
        sweeps += 1;
        yield_now().await;
    }
    sweeps
}

/// Forgets what is more than some places old, until the talk is over.
async fn forget_much(node: &Postgres, is_over: &AtomicBool) -> Seq {
    let (log, mut forgotten) = (node.room_log(), Seq(0));
    while !is_over.load(Ordering::Relaxed) {
        let end = log_of(&*log).await.last().map_or(0, |(seq, _)| seq.0);
        forgotten = Seq(end.saturating_sub(40)).max(forgotten);
        log.forget(room(1), forgotten).await.unwrap();
        yield_now().await;
    }
    forgotten
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_words_come_back_and_no_record_is_lost_whatever_meets() {
    let (databases, one, other) = two_nodes().await;
    let rounds = if crate::support::is_torture() { 2_000 } else { 60 };
    let is_over = AtomicBool::new(false);
    let talking = async {
        let stays = tokio::join!(talk(&one, "one", rounds), talk(&other, "other", rounds));
        is_over.store(true, Ordering::Relaxed);
        [stays.0, stays.1].concat()
    };
    let (mut stays, sweeps, more_sweeps, forgotten) = tokio::join!(
        talking,
        replace_keys(&one, &databases, &is_over),
        replace_keys(&other, &databases, &is_over),
        forget_much(&other, &is_over),
    );
    assert!(sweeps > 0 && more_sweeps > 0 && forgotten > Seq(0));
    stays.retain(|(seq, _)| *seq > forgotten);
    stays.sort();
    for node in [&one, &other, &databases.open().await] {
        let log = log_of(&*node.room_log()).await;
        assert!(!log.iter().any(|(_, event)| matches!(event, RoomEvent::Lost { .. })), "a record is lost");
        assert_eq!(words_in(&log), stays);
    }
    // A move that stopped goes on, and then one key is left.
    databases.ask("UPDATE room SET stale = 0").await;
    one.sweep(NOW).await.unwrap();
    one.sweep(NOW).await.unwrap();
    let keys = databases.ask_keys("SELECT id FROM seal_key WHERE kind = 4").await;
    assert_eq!(databases.ask("SELECT key FROM room WHERE old_key IS NULL").await, keys);
}
