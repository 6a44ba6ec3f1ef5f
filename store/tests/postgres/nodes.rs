//! Several nodes that share one record, and the keys of what is deleted.

use annon_store::Kept;
use annon_store::account::{Account, SignUpError};
use annon_store::room::Seq;
use annon_store::{Engine as _, StoreError, Swept};
use futures_util::future::join;
use std::time::Duration;
use tokio::time::{sleep, timeout};
use tokio_postgres::NoTls;

use crate::support::people::*;
use crate::support::postgres::{Cluster, Databases};

/// How many keys an account has, with its inbox's.
async fn keys_of(databases: &Databases, n: u64) -> Vec<String> {
    let count = format!("SELECT count(*) FROM seal_key WHERE owner = '{}'", account_id(n).0);
    databases.ask_keys(&count).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_first_notes_of_an_inbox_from_two_nodes_at_once_have_one_key() {
    let databases = Databases::new().await;
    let (one, other) = (databases.open().await, databases.open().await);
    for n in 1..=20 {
        one.accounts().create(account(n)).await.unwrap();
        let owner = account_id(n);
        let (one, other) = (numbered(one.inbox()), numbered(other.inbox()));
        let delivered = join(one.deliver(owner, note(1)), other.deliver(owner, note(2))).await;
        assert_eq!(delivered.0.unwrap() + delivered.1.unwrap(), 3, "they are counted one after the other");
        for node in [&one, &other] {
            let mut notes = node.page(owner, None, 10).await.unwrap().notes;
            notes.sort_by_key(|note| note.id);
            assert_eq!(notes, [note(1), note(2)]);
        }
        assert_eq!(keys_of(&databases, n).await, ["2"], "the account's and one of the inbox");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_nodes_that_give_a_name_at_once_one_does() {
    let databases = Databases::new().await;
    let (one, other) = (databases.open().await, databases.open().await);
    for n in 0..20 {
        let (first, second) = (account(2 * n), Account { username: name_of(2 * n), ..account(2 * n + 1) });
        let (first_keys, second_keys) = (first.id, second.id);
        let (one, other) = (one.accounts(), other.accounts());
        let outcomes = join(one.create(first), other.create(second)).await;
        let won = match outcomes {
            (Ok(()), Err(SignUpError::NameTaken)) => first_keys,
            (Err(SignUpError::NameTaken), Ok(())) => second_keys,
            outcomes => panic!("{outcomes:?}"),
        };
        assert_eq!(other.by_username(&name_of(2 * n)).await.unwrap().unwrap().id, won);
        let count = format!("SELECT count(*) FROM seal_key WHERE owner IN ('{}', '{}')", first_keys.0, second_keys.0);
        assert_eq!(databases.ask_keys(&count).await, ["1"], "who was refused left no key");
    }
    assert_eq!(databases.ask("SELECT accounts FROM meta").await, ["20"]);
}

#[tokio::test]
async fn keys_die_with_what_they_open() {
    let databases = Databases::new().await;
    let (node, other) = (databases.open().await, databases.open().await);
    for n in 1..=2 {
        node.accounts().create(account(n)).await.unwrap();
        numbered(node.inbox()).deliver(account_id(n), note(n)).await.unwrap();
        node.feedback().add(feedback(n)).await.unwrap();
    }
    assert_eq!(databases.ask_keys("SELECT count(*) FROM seal_key").await, ["6"]);
    // The other node has the keys in memory.
    assert_eq!(other.accounts().by_id(account_id(1)).await, Ok(Some(account(1))));
    node.inbox().remove_all(account_id(2), NOW).await.unwrap();
    assert_eq!(keys_of(&databases, 2).await, ["1"]);
    node.accounts().delete(account_id(1)).await.unwrap();
    assert_eq!(keys_of(&databases, 1).await, ["0"]);
    node.feedback().remove(feedback_id(1)).await.unwrap();
    assert_eq!(databases.ask_keys("SELECT count(*) FROM seal_key").await, ["2"], "of an account and of feedback");
    assert_eq!(databases.ask("SELECT count(*) FROM doomed_key").await, ["0"]);
    node.sweep(NOW).await.unwrap();
    assert_eq!(databases.rows_of(b'i').await, 0, "no note is left");
    assert_eq!(other.accounts().by_id(account_id(1)).await, Ok(None));
    let late = numbered(other.inbox()).deliver(account_id(1), note(3)).await;
    assert_eq!(late, Err(StoreError::NotFound));
}

/// A node that died after the commit of a deletion has left the keys.
#[tokio::test]
async fn keys_that_a_dead_node_left_are_destroyed_by_the_next_start() {
    let databases = Databases::new().await;
    let node = databases.open().await;
    node.accounts().create(account(1)).await.unwrap();
    node.stop().await.unwrap();
    let (id, key) = (account_id(1).0, databases.ask_keys("SELECT id FROM seal_key").await.remove(0));
    databases.ask(&format!("DELETE FROM kept; INSERT INTO doomed_key VALUES (1, '{id}', {key}, 0)")).await;
    databases.open().await;
    assert_eq!(keys_of(&databases, 1).await, ["0"]);
    assert_eq!(databases.ask("SELECT count(*) FROM doomed_key").await, ["0"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn there_are_as_many_accounts_as_are_allowed_whichever_node_is_asked() {
    let mut databases = Databases::new().await;
    databases.options.most_accounts = 3;
    let (one, other) = (databases.open().await, databases.open().await);
    let signing_up = (1..=10).map(|n| {
        let node = if n % 2 == 0 { one.accounts() } else { other.accounts() };
        async move { node.create(account(n)).await }
    });
    let outcomes = futures_util::future::join_all(signing_up).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 3);
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == Err(SignUpError::Enough)).count(), 7);
    assert_eq!(databases.ask_keys("SELECT count(*) FROM seal_key").await, ["3"]);
    let first = one.accounts().list(None, 1).await.unwrap().remove(0);
    one.accounts().delete(first.id).await.unwrap();
    // A beat that counted before the deletion may have said so after it.
    while one.accounts().are_enough() {
        sleep(Duration::from_millis(20)).await;
    }
    one.accounts().create(account(11)).await.unwrap();
    while !one.accounts().are_enough() {
        sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_in_a_room_waits_for_a_key_that_another_node_asks_for() {
    let keys = Cluster::start();
    let databases = Databases::in_clusters(Cluster::shared(), &keys).await;
    let one = databases.open().await;
    one.accounts().create(account(1)).await.unwrap();
    one.rooms().create(metadata(1, 1, 2 * NOW), NOW).await.unwrap();
    one.room_log().append(room(1), Seq(0), vec![posted("words")]).await.unwrap();
    // It has no key in memory yet, and the database of keys doesn't answer.
    let other = databases.open().await;
    let (client, connection) = tokio_postgres::connect(&keys.url("keys"), NoTls).await.unwrap();
    tokio::spawn(connection);
    client.batch_execute(&format!("BEGIN; LOCK TABLE {}.seal_key", databases.schema)).await.unwrap();
    let log = other.room_log();
    let taking_back = tokio::spawn(async move { take_back(&*log, room(1), Seq(1), vec![Seq(1)]).await });
    keys.until("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%seal_key%'").await;
    let more = timeout(Duration::from_secs(1), one.room_log().append(room(1), Seq(1), vec![posted("more")])).await;
    assert_eq!(more, Ok(Ok(())));
    client.batch_execute("ROLLBACK").await.unwrap();
    assert_eq!(taking_back.await.unwrap(), Err(StoreError::Conflict), "it is decided anew");
}

#[tokio::test]
async fn a_stopped_node_refuses() {
    let databases = Databases::new().await;
    let node = databases.open().await;
    node.accounts().create(account(1)).await.unwrap();
    node.stop().await.unwrap();
    node.stop().await.unwrap();
    let refused = node.accounts().create(account(2)).await;
    assert_eq!(refused, Err(SignUpError::Store(StoreError::Unavailable)));
    assert_eq!(node.accounts().by_id(account_id(1)).await, Ok(Some(account(1))), "what is there can be read");
    assert_eq!(databases.ask("SELECT count(*) FROM node").await, ["0"], "the others know that it is gone");
    // Something may be under way that has what it read confirmed.
    let late = node.record().confirm(node.record().server()).await;
    assert_eq!(
        (late, databases.ask("SELECT count(*) FROM node").await),
        (Err(StoreError::Unreachable), vec!["0".into()])
    );
}

#[tokio::test]
async fn a_node_that_can_not_read_what_a_newer_one_writes_serves_no_more_and_removes_nothing() {
    let databases = Databases::new().await;
    let node = databases.open().await;
    node.accounts().create(account(1)).await.unwrap();
    // A key that a newer node has made for something of which this one knows nothing.
    let foreign = "INSERT INTO seal_key SELECT part, kind, '00000000-0000-0000-0000-0000000000ff', id, wrapped, \
         now() - interval '2 hours' FROM seal_key";
    databases.ask_keys(foreign).await;
    assert_eq!(node.trouble(), None);
    databases.ask("UPDATE meta SET oldest_reader = 99").await;
    while node.trouble().is_none() {
        sleep(Duration::from_millis(20)).await;
    }
    assert!(node.trouble().unwrap().contains("a newer annon has changed the database"));
    let refused = node.accounts().create(account(2)).await;
    assert_eq!(refused, Err(SignUpError::Store(StoreError::Unreachable)), "it would write what newer ones can't read");
    assert_eq!(node.accounts().new_target(account_id(1), target_id(9)).await, Err(StoreError::Unreachable));
    assert_eq!(databases.ask_keys("SELECT count(*) FROM seal_key").await, ["2"], "nor does it leave a key");
    assert_eq!(node.sweep_after_start(NOW).await, Ok(Swept::default()));
    assert_eq!(databases.ask_keys("SELECT count(*) FROM seal_key").await, ["2"]);
    // It was taken back: every node reads it again.
    databases.ask("UPDATE meta SET oldest_reader = 2").await;
    while node.trouble().is_some() {
        sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(node.sweep_after_start(NOW).await.unwrap().keys, 1);
    assert_eq!(node.accounts().by_id(account_id(1)).await, Ok(Some(account(1))));
}
