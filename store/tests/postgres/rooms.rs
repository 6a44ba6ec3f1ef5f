//! Rooms in the record: their keys, and the tables of their days.

use std::collections::BTreeSet;

use annon_store::Kept;
use annon_store::StoreError;
use tokio_postgres::NoTls;

use crate::support::people::*;
use crate::support::postgres::{Cluster, Databases};

const DAY: u64 = 86_400;
/// Midnight, some days after `NOW`.
const LATER: u64 = (NOW / DAY + 3) * DAY;

async fn keys_of(databases: &Databases, n: u128) -> Vec<String> {
    databases.ask_keys(&format!("SELECT count(*) FROM seal_key WHERE owner = '{}'", room(n).0)).await
}

/// The days of which there are tables, in both databases.
async fn days(databases: &Databases) -> BTreeSet<String> {
    let tables = |names: &str| {
        format!(
            "SELECT substring(relname FROM '[0-9]+$') FROM pg_class WHERE relkind = 'r' \
             AND relnamespace = current_schema()::text::regnamespace AND relname ~ '^({names})_[1-9][0-9]*$'"
        )
    };
    let mut days: BTreeSet<_> = databases.ask(&tables("room_log|image")).await.into_iter().collect();
    // Those of a day are sixteen tables of keys.
    let parts = databases.ask_keys(&tables("seal_key")).await;
    days.extend(parts.iter().map(|part| (part.parse::<u64>().unwrap() / 16).to_string()));
    days
}

fn day(at: u64) -> String {
    (at / DAY).to_string()
}

#[tokio::test]
async fn of_a_room_that_is_gone_only_its_id_is_left_and_its_key_is_dead() {
    let databases = Databases::new().await;
    let node = databases.open().await;
    for n in 1..=2 {
        node.accounts().create(account(n)).await.unwrap();
        node.rooms().create(metadata(n.into(), n, LATER), NOW).await.unwrap();
        assert_eq!(keys_of(&databases, n.into()).await, ["1"]);
    }
    node.rooms().remove(room(1)).await.unwrap();
    node.accounts().delete(account_id(2)).await.unwrap();
    for n in 1..=2 {
        assert_eq!(keys_of(&databases, n).await, ["0"]);
        let left = format!("SELECT concat_ws(' ', gone, owner, length(sealed)) FROM room WHERE id = '{}'", room(n).0);
        assert_eq!(databases.ask(&left).await, ["t 00000000-0000-0000-0000-000000000000 0"]);
    }
    assert_eq!(databases.ask("SELECT count(*) FROM doomed_key").await, ["0"]);
    let again = node.rooms().create(metadata(2, 1, LATER), NOW).await;
    assert_eq!(again, Err(StoreError::Conflict));
    assert_eq!(keys_of(&databases, 2).await, ["0"], "no key is made in vain");
}

#[tokio::test]
async fn a_room_ends_when_the_clock_of_the_record_says_so() {
    let databases = Databases::new().await;
    let node = databases.open().await;
    node.accounts().create(account(1)).await.unwrap();
    for n in 1..=300 {
        // More than one transaction ends, and more than one account may have.
        databases.ask(&format!("UPDATE room SET owner = '{}'", account_id(9).0)).await;
        node.rooms().create(metadata(n, 1, LATER + u64::from(n > 290)), NOW).await.unwrap();
    }
    databases.stop_clock_at(LATER - 1).await;
    assert_eq!(node.sweep(NOW).await.unwrap().rooms, 0);
    databases.stop_clock_at(LATER).await;
    assert_eq!(node.sweep(NOW).await.unwrap().rooms, 290);
    assert_eq!(keys_of(&databases, 1).await, ["0"]);
    assert_eq!(keys_of(&databases, 291).await, ["1"]);
    assert_eq!(databases.ask("SELECT count(*) FROM room WHERE NOT gone").await, ["10"]);
}

/// Begins to detach a partition, and gives up while somebody reads.
async fn detach_by_half(databases: &Databases, parent: &str, day: &str) {
    let connect = || async {
        let (client, connection) = tokio_postgres::connect(&databases.options.record.url, NoTls).await.unwrap();
        tokio::spawn(connection);
        let pid: i32 = client.query_one("SELECT pg_backend_pid()", &[]).await.unwrap().get(0);
        (client, pid)
    };
    let ((reader, first), (other, second)) = (connect().await, connect().await);
    reader.batch_execute(&format!("BEGIN; SELECT count(*) FROM {parent}")).await.unwrap();
    other.batch_execute("SET statement_timeout = '300ms'").await.unwrap();
    let detach = format!("ALTER TABLE {parent} DETACH PARTITION {parent}_{day} CONCURRENTLY");
    other.batch_execute(&detach).await.unwrap_err();
    let pending = format!("SELECT inhdetachpending FROM pg_inherits WHERE inhrelid = '{parent}_{day}'::regclass");
    assert_eq!(databases.ask(&pending).await, ["t"]);
    // On a busy machine they would keep their locks for some time yet.
    drop((reader, other));
    let gone = format!("SELECT 1 WHERE NOT EXISTS (SELECT FROM pg_stat_activity WHERE pid IN ({first}, {second}))");
    Cluster::shared().until(&gone).await;
}

#[tokio::test]
async fn the_tables_of_a_day_are_made_ahead_and_go_when_its_last_room_is_gone() {
    let databases = Databases::new().await;
    let node = databases.open().await;
    node.accounts().create(account(1)).await.unwrap();
    assert_eq!(days(&databases).await, BTreeSet::new());
    node.rooms().create(metadata(1, 1, LATER), NOW).await.unwrap();
    assert_eq!(days(&databases).await, BTreeSet::from([day(LATER)]));
    databases.stop_clock_at(LATER).await;
    node.sweep(NOW).await.unwrap();
    let all = |from: u64| (0..4).map(|n| day(from + n * DAY)).collect::<BTreeSet<_>>();
    assert_eq!(days(&databases).await, all(LATER));

    let next = LATER + DAY;
    databases.stop_clock_at(next).await;
    node.sweep(NOW).await.unwrap();
    assert_eq!(days(&databases).await, &all(LATER) | &all(next), "a slow node may still write");
    databases.stop_clock_at(next + 3_600).await;
    // Whatever the reason is that a room lives on.
    databases.ask("UPDATE room SET gone = false, expires = expires + 1000000").await;
    node.sweep(NOW).await.unwrap();
    assert_eq!(days(&databases).await, &all(LATER) | &all(next), "a room of that day lives");
    databases.ask("UPDATE room SET gone = true").await;
    assert_eq!(node.rooms().create(metadata(1, 1, LATER), NOW).await, Err(StoreError::Conflict));
    // Another node had begun with it, and stopped.
    databases.ask(&format!("ALTER TABLE room_log DETACH PARTITION room_log_{}", day(LATER))).await;
    // Another one died while it waited for a reader.
    detach_by_half(&databases, "image", &day(LATER)).await;
    node.sweep(NOW).await.unwrap();
    assert_eq!(days(&databases).await, all(next));
    assert_eq!(databases.ask("SELECT count(*) FROM room").await, ["0"]);
}

/// All in one statement would take longer than a statement may.
#[tokio::test]
async fn a_day_of_very_many_rooms_goes_in_pieces() {
    let databases = Databases::new().await;
    let node = databases.open().await;
    node.accounts().create(account(1)).await.unwrap();
    node.rooms().create(metadata(1, 1, LATER), NOW).await.unwrap();
    let more = "INSERT INTO room (id, owner, day, expires, key, gone, sealed) \
         SELECT gen_random_uuid(), owner, day, expires, key, n <= 7000, '' FROM room, generate_series(1, 8000) AS n";
    databases.ask(more).await;
    databases.ask("UPDATE room SET day = day + 9, expires = expires + 9 * 86400 WHERE NOT gone").await;
    let slow = "CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS \
             $$ BEGIN PERFORM pg_sleep(0.001); RETURN OLD; END $$; \
         CREATE TRIGGER slow BEFORE DELETE ON room FOR EACH ROW EXECUTE FUNCTION wait()";
    databases.ask(slow).await;
    databases.stop_clock_at(LATER + DAY + 3_600).await;
    assert!(node.sweep(NOW).await.is_ok());
    let left = databases.ask("SELECT concat_ws(' ', gone, count(*)) FROM room GROUP BY gone").await;
    assert_eq!(left, ["f 1001"], "those of another day stay");
    assert!(!days(&databases).await.contains(&day(LATER)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_that_need_a_day_at_once_make_it_once() {
    let databases = Databases::new().await;
    let nodes = futures_util::future::join_all((0..3).map(|_| databases.open())).await;
    nodes[0].accounts().create(account(1)).await.unwrap();
    for n in 0..4_u32 {
        let expires = LATER + u64::from(n) * DAY;
        let making = nodes.iter().zip(0..).map(|(node, at)| {
            let rooms = node.rooms();
            async move { rooms.create(metadata(u128::from(10 * n + at), 1, expires), NOW).await }
        });
        let made = futures_util::future::join_all(making).await;
        assert!(made.iter().all(Result::is_ok), "{made:?}");
    }
    assert_eq!(days(&databases).await.len(), 4);
}
