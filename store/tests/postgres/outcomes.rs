//! What is answered when a connection or a server breaks, or a standby is missing. Each
//! test has servers of its own, since it changes their settings.

use std::sync::Arc;
use std::time::Duration;

use annon_store::Kept;
use annon_store::account::Accounts;
use annon_store::inbox::{Arrival, Delivered, SentHash};
use annon_store::room::Seq;
use annon_store::{Postgres, Result, StoreError};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};

use crate::support::people::*;
use crate::support::postgres::{Cluster, Databases};

/// Backends that wait for a standby to have the commit of a transaction.
const COMMITS: &str = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query = 'COMMIT'";
/// The same for a beat, which confirms what was read before.
const BEATS: &str = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query LIKE 'UPDATE node %'";

/// The same for appends to rooms' logs.
const APPENDS: &str = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query LIKE 'WITH asked %'";

/// Connections of a node to the record: six, two for appends, one that hears, and one for what takes long.
const MOST: usize = 10;

async fn with_an_account(record: &Cluster) -> (Databases, Postgres) {
    let databases = Databases::in_clusters(record, Cluster::shared()).await;
    let node = databases.open().await;
    node.accounts().create(account(1)).await.unwrap();
    (databases, node)
}

/// From now on commits wait for a standby that doesn't exist.
async fn want_a_standby(cluster: &Cluster) {
    cluster.ask("record", "ALTER SYSTEM SET synchronous_standby_names = 'nobody'").await;
    cluster.ask("record", "SELECT pg_reload_conf()").await;
    // It is so when a new session's commit would wait.
    cluster.until("SELECT 1 WHERE current_setting('synchronous_standby_names') = 'nobody'").await;
    cluster.until(BEATS).await;
}

async fn want_no_standby(cluster: &Cluster) {
    cluster.ask("record", "ALTER SYSTEM RESET synchronous_standby_names").await;
    cluster.ask("record", "SELECT pg_reload_conf()").await;
}

/// What an operator does when a standby hangs.
async fn cancel(cluster: &Cluster, waiting: &str) {
    signal(cluster, waiting, "pg_cancel_backend").await;
}

async fn signal(cluster: &Cluster, waiting: &str, how: &str) {
    for pid in cluster.until(waiting).await {
        cluster.ask("record", &format!("SELECT {how}({pid})")).await;
    }
}

fn appending(node: &Postgres) -> JoinHandle<Result<()>> {
    let log = node.room_log();
    tokio::spawn(async move { log.append(room(1), Seq(0), vec![came(1)]).await })
}

/// The append is written, its answer is lost, and the standby has it later.
async fn lose_the_answer_of_an_append(how: &str) {
    let cluster = Cluster::start();
    let (databases, node) = with_an_account(&cluster).await;
    node.rooms().create(metadata(1, 1, NOW + 100), NOW).await.unwrap();
    want_a_standby(&cluster).await;
    let call = appending(&node);
    signal(&cluster, APPENDS, how).await;
    // It is found again, and that is confirmed. The node's own beat, which waits for the
    // standby, has its row.
    cluster.until("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'UPDATE node %'").await;
    let count = format!("SELECT count(*) FROM {}.room_log", databases.schema);
    assert_eq!(cluster.ask("record", &count).await, ["1"], "everybody is shown it");
    assert!(!call.is_finished(), "the standby doesn't have it");
    want_no_standby(&cluster).await;
    assert_eq!(call.await.unwrap(), Ok(()));
    assert_eq!(node.room_log().read(room(1), Seq(0)).await, Ok(vec![(Seq(1), came(1))]));
    assert_eq!(cluster.ask("record", &count).await, ["1"]);
    assert_eq!(node.room_log().append(room(1), Seq(1), vec![came(2)]).await, Ok(()));
}

fn signing_out(node: &Postgres) -> JoinHandle<Result<()>> {
    let accounts: Arc<dyn Accounts> = node.accounts();
    tokio::spawn(async move { accounts.revoke(account_id(1), token(1), NOW + 100, NOW).await })
}

async fn is_signed_out(node: &Postgres) -> bool {
    let access = node.accounts().access(account_id(1)).await.unwrap().unwrap();
    !access.admits(token(1), 0)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_whose_connection_is_ended_before_its_commit_is_done_once_more() {
    let cluster = Cluster::start();
    let (databases, node) = with_an_account(&cluster).await;
    let schema = &databases.schema;
    let locked = format!("BEGIN; LOCK TABLE {schema}.kept; SELECT pg_sleep(5)");
    let (call, ()) = tokio::join!(
        async {
            cluster.until("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'").await;
            signing_out(&node).await.unwrap()
        },
        async {
            let ended = async {
                let waiting =
                    "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%FROM kept%'";
                let pid = cluster.until(waiting).await.remove(0);
                cluster.ask("record", &format!("SELECT pg_terminate_backend({pid})")).await;
            };
            tokio::join!(cluster.ask("record", &locked), ended);
        },
    );
    assert_eq!(call, Ok(()));
    assert!(is_signed_out(&node).await);

    // All at once, between two calls.
    let all = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'annon'";
    cluster.ask("record", all).await;
    assert!(is_signed_out(&node).await, "the next call has a new connection");
    assert_eq!(signing_out(&node).await.unwrap(), Ok(()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_commit_with_a_warning_is_no_yes() {
    let cluster = Cluster::start();
    let (_databases, node) = with_an_account(&cluster).await;
    want_a_standby(&cluster).await;
    let call = signing_out(&node);
    cancel(&cluster, COMMITS).await;
    assert_eq!(call.await.unwrap(), Err(StoreError::Unknown), "the standby doesn't have it");
    want_no_standby(&cluster).await;
    assert!(is_signed_out(&node).await, "the server shows it all the same");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sign_up_of_which_nobody_knows_is_answered_once_what_is_there_is_confirmed() {
    let cluster = Cluster::start();
    let (_databases, node) = with_an_account(&cluster).await;
    want_a_standby(&cluster).await;
    let accounts = node.accounts();
    let call = tokio::spawn(async move { accounts.create(account(2)).await });
    cancel(&cluster, COMMITS).await;
    // The sign-up looks what is there, and would confirm that. The node's own beat, which
    // waits for the standby, has its row.
    let confirming = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'UPDATE node %'";
    cluster.until(confirming).await;
    assert!(!call.is_finished());
    want_no_standby(&cluster).await;
    assert_eq!(call.await.unwrap(), Ok(()));
    assert_eq!(node.accounts().by_id(account_id(2)).await, Ok(Some(account(2))));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_note_of_which_nobody_knows_is_stored_once_however_often_it_is_sent() {
    let cluster = Cluster::start();
    let (_databases, node) = with_an_account(&cluster).await;
    want_a_standby(&cluster).await;
    let note = Arrival { sent: Some(SentHash([7; 16])), ..arrival(1, NOW) };
    let (inbox, first) = (node.inbox(), note.clone());
    let call = tokio::spawn(async move { inbox.deliver(account_id(1), first).await });
    cancel(&cluster, COMMITS).await;
    let confirming = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'UPDATE node %'";
    cluster.until(confirming).await;
    assert!(!call.is_finished());
    want_no_standby(&cluster).await;
    assert_eq!(call.await.unwrap(), Ok(Delivered::Waits), "it is there, and the standby has it");
    assert_eq!(node.inbox().deliver(account_id(1), Arrival { shuffle: 9, ..note }).await, Ok(Delivered::Waits));
    assert_eq!(node.inbox().page(account_id(1), None, 9, NOW + 9).await.unwrap().notes.len(), 1);
}

/// With a standby that hangs, many write for a while.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_nothing_is_confirmed_a_node_has_no_more_connections_than_before_and_reads() {
    let cluster = Cluster::start();
    let (_databases, node) = with_an_account(&cluster).await;
    let ours = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'annon'";
    let count = async || cluster.ask("record", ours).await[0].parse::<usize>().unwrap();
    want_a_standby(&cluster).await;
    let write = async |n: u64| {
        let note = Arrival { sent: Some(SentHash([n as u8; 16])), ..arrival(n, NOW) };
        node.inbox().deliver(account_id(1), note).await
    };
    // As long as one waits and is given up, and somewhat longer.
    let (mut told_at_once, mut n, since) = (false, 0, Instant::now());
    while !told_at_once {
        assert!(since.elapsed() < Duration::from_secs(60), "whoever writes has to wait");
        let begun = Instant::now();
        let all = futures_util::future::join_all((0..12).map(|_| {
            n += 1;
            write(n)
        }));
        assert!(all.await.iter().all(Result::is_err), "nobody is told that a note is there which is nowhere else");
        told_at_once = begun.elapsed() < Duration::from_secs(1);
        let now = count().await;
        assert!(now <= MOST, "{now} connections");
        let read = timeout(Duration::from_secs(9), node.accounts().by_id(account_id(1))).await;
        assert!(read.unwrap().unwrap().is_some(), "who reads is served");
    }
    want_no_standby(&cluster).await;
    while write(1).await.is_err() {
        sleep(Duration::from_millis(100)).await;
    }
    let notes = node.inbox().page(account_id(1), None, 100, NOW + 99).await.unwrap().notes;
    let mut texts: Vec<_> = notes.iter().map(|note| note.text.as_str()).collect();
    let all = texts.len();
    texts.sort_unstable();
    texts.dedup();
    assert_eq!(texts.len(), all, "each note once");
    let log = std::fs::read_to_string(format!("{}/log", cluster.folder)).unwrap();
    assert!(!log.contains("no transaction in progress"), "what was given up was no transaction any more");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_crash_a_server_is_believed_once_a_beat_is_committed_on_it() {
    let mut cluster = Cluster::start();
    let (_databases, node) = with_an_account(&cluster).await;
    cluster.restart();
    assert_eq!(node.accounts().by_id(account_id(1)).await, Ok(Some(account(1))), "on new connections");
    want_a_standby(&cluster).await;
    cluster.restart();
    let accounts = node.accounts();
    let mut call = tokio::spawn(async move { accounts.by_id(account_id(1)).await });
    tokio::select! {
        answer = &mut call => panic!("what the server shows may be nowhere else, and was believed: {answer:?}"),
        _ = cluster.until(BEATS) => {}
    }
    want_no_standby(&cluster).await;
    assert_eq!(call.await.unwrap(), Ok(Some(account(1))));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_append_with_a_warning_is_answered_once_it_is_confirmed() {
    lose_the_answer_of_an_append("pg_cancel_backend").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_append_whose_connection_is_cut_behind_its_commit_is_not_written_twice() {
    lose_the_answer_of_an_append("pg_terminate_backend").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_append_whose_connection_is_cut_before_its_commit_is_written_once() {
    let cluster = Cluster::start();
    let (databases, node) = with_an_account(&cluster).await;
    node.rooms().create(metadata(1, 1, NOW + 100), NOW).await.unwrap();
    let schema = &databases.schema;
    let slow = format!(
        "CREATE FUNCTION {schema}.wait() RETURNS trigger LANGUAGE plpgsql AS \
             $$ BEGIN PERFORM pg_sleep(60); RETURN NEW; END $$; \
         CREATE TRIGGER slow BEFORE INSERT ON {schema}.room_log FOR EACH ROW EXECUTE FUNCTION {schema}.wait()"
    );
    cluster.ask("record", &slow).await;
    let call = appending(&node);
    let asleep = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND query LIKE 'WITH asked %'";
    let first = cluster.until(asleep).await;
    signal(&cluster, asleep, "pg_terminate_backend").await;
    // The same append is on its way again, on another connection.
    cluster.until(&format!("{asleep} AND pid <> {}", first[0])).await;
    assert!(!call.is_finished());
    cluster.ask("record", &format!("DROP FUNCTION {schema}.wait CASCADE")).await;
    assert_eq!(call.await.unwrap(), Ok(()));
    assert_eq!(node.room_log().read(room(1), Seq(0)).await, Ok(vec![(Seq(1), came(1))]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_append_of_which_nobody_knows_is_refused_if_another_has_its_place() {
    let cluster = Cluster::start();
    let (databases, node) = with_an_account(&cluster).await;
    node.rooms().create(metadata(1, 1, NOW + 100), NOW).await.unwrap();
    let schema = &databases.schema;
    let slow = format!(
        "SET search_path = {schema}; CREATE TABLE slow AS SELECT 1; \
         CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS \
             $$ BEGIN PERFORM pg_sleep(60) FROM {schema}.slow; RETURN NEW; END $$; \
         CREATE TRIGGER slow BEFORE INSERT ON room_log FOR EACH ROW EXECUTE FUNCTION wait()"
    );
    cluster.ask("record", &slow).await;
    let call = appending(&node);
    let asleep = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND query LIKE 'WITH asked %'";
    let pid = cluster.until(asleep).await.remove(0);
    cluster.ask("record", &format!("DELETE FROM {schema}.slow")).await;
    // Somebody else waits for the table already, and so writes before the append comes again.
    let other = format!(
        "SET search_path = {schema}; BEGIN; LOCK TABLE room; \
         INSERT INTO room_log SELECT day, id, 1, 1, 7, '' FROM room; COMMIT"
    );
    let waits = format!(
        "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'SET search_path = {schema}; BEGIN%'"
    );
    let ended = async {
        cluster.until(&waits).await;
        cluster.ask("record", &format!("SELECT pg_terminate_backend({pid})")).await;
    };
    tokio::join!(cluster.ask("record", &other), ended);
    assert_eq!(call.await.unwrap(), Err(StoreError::Conflict));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn appends_go_on_on_a_server_that_has_crashed() {
    let mut cluster = Cluster::start();
    let (_databases, node) = with_an_account(&cluster).await;
    node.rooms().create(metadata(1, 1, NOW + 100), NOW).await.unwrap();
    let log = node.room_log();
    log.append(room(1), Seq(0), vec![came(1)]).await.unwrap();
    cluster.restart();
    assert_eq!(log.append(room(1), Seq(1), vec![came(2)]).await, Ok(()));
    assert_eq!(log.read(room(1), Seq(1)).await, Ok(vec![(Seq(2), came(2))]));
}

/// Whoever reads from a server can have it confirmed that it is the one that counts.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_read_is_confirmed_on_the_server_that_it_was_read_from_and_on_no_other() {
    let mut cluster = Cluster::start();
    let (_databases, node) = with_an_account(&cluster).await;
    let record = node.record();
    let server = record.server();
    let many = (0..50).map(|_| record.confirm(server));
    assert_eq!(futures_util::future::join_all(many).await, [Ok(()); 50]);
    want_a_standby(&cluster).await;
    let answer = timeout(Duration::from_secs(1), record.confirm(server)).await;
    assert!(answer.is_err(), "no standby has it: {answer:?}");
    want_no_standby(&cluster).await;
    cluster.restart();
    while node.accounts().by_id(account_id(1)).await.is_err() {}
    assert_eq!(record.confirm(server).await, Err(StoreError::Unreachable), "another one answers now");
    assert_eq!(record.confirm(record.server()).await, Ok(()));
}

/// The way between a primary and its standby is cut, and the standby takes over, while a node still reaches the
/// old one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_old_primary_that_lives_on_is_read_and_nothing_it_says_is_final() {
    let mut primary = Cluster::start();
    let standby = primary.with_standby().await;
    let mut databases = Databases::in_clusters(&primary, Cluster::shared()).await;
    let schema = databases.schema.clone();
    let url = |one: &Cluster, other: &Cluster| {
        let (one, other) = (&one.folder, &other.folder);
        format!(
            "host={one},{other} port=5432,5432 user=annon dbname=record options='-c search_path={schema},pg_catalog'"
        )
    };
    databases.options.record.url = url(&primary, &standby);
    let one = databases.open().await;
    one.accounts().create(account(1)).await.unwrap();
    one.rooms().create(metadata(1, 1, 2 * NOW), NOW).await.unwrap();
    one.room_log().append(room(1), Seq(0), vec![posted("before")]).await.unwrap();
    standby.promote();
    databases.options.record.url = url(&standby, &primary);
    let other = databases.open().await;
    other.room_log().append(room(1), Seq(1), vec![posted("after")]).await.unwrap();
    other.rooms().create(metadata(2, 1, 2 * NOW), NOW).await.unwrap();

    // Nobody has told the old one. It answers, and its commits wait for a standby that has left.
    let server = one.record().server();
    assert_eq!(one.room_log().read(room(1), Seq(0)).await, Ok(vec![(Seq(1), posted("before"))]));
    assert_eq!(one.rooms().by_id(room(2)).await, Ok(None));
    assert_eq!(one.record().confirm(server).await, Err(StoreError::Unreachable), "nobody is told that it is not there");
    let log = one.room_log();
    let mut late = tokio::spawn(async move { log.append(room(1), Seq(1), vec![posted("to the old one")]).await });
    while one.trouble().is_none() {
        sleep(Duration::from_millis(20)).await;
    }
    assert_ne!(timeout(Duration::ZERO, &mut late).await.ok().map(Result::unwrap), Some(Ok(())));

    // It is gone, and the node finds the new one.
    primary.stop();
    while one.trouble().is_some() {
        sleep(Duration::from_millis(20)).await;
    }
    let both = vec![(Seq(1), posted("before")), (Seq(2), posted("after"))];
    for node in [&one, &other] {
        assert_eq!(node.room_log().read(room(1), Seq(0)).await, Ok(both.clone()));
        assert_eq!(node.rooms().by_id(room(2)).await, Ok(Some(metadata(2, 1, 2 * NOW))));
    }
    let server = one.record().server();
    assert_eq!(one.record().confirm(server).await, Ok(()));
    assert_eq!(one.room_log().append(room(1), Seq(1), vec![posted("again")]).await, Err(StoreError::Conflict));
    assert_eq!(one.room_log().append(room(1), Seq(2), vec![posted("again")]).await, Ok(()));
}

#[tokio::test(flavor = "multi_thread")]
async fn while_the_keys_database_hangs_nobody_waits_for_whoever_needs_a_new_key() {
    let (record, keys) = (Cluster::start(), Cluster::start());
    let databases = Databases::in_clusters(&record, &keys).await;
    let node = databases.open().await;
    node.accounts().create(account(1)).await.unwrap();
    node.conversations().begin(account_id(1), arrival(1, NOW), beginning(1)).await.unwrap();
    for change in ["ALTER SYSTEM SET synchronous_standby_names = 'nobody'", "SELECT pg_reload_conf()"] {
        keys.ask("keys", change).await;
    }
    keys.until("SELECT 1 WHERE current_setting('synchronous_standby_names') = 'nobody'").await;

    let conversations = node.conversations();
    let beginning =
        tokio::spawn(async move { conversations.begin(account_id(1), arrival(2, NOW), beginning(2)).await });
    keys.until("SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query = 'COMMIT'").await;
    let inbox = node.inbox();
    let others = timeout(Duration::from_secs(1), inbox.set_batches(account_id(1), true, NOW));
    assert!(others.await.is_ok_and(|done| done.is_ok()), "it needs no key");
    assert!(!beginning.is_finished());

    for change in ["ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()"] {
        keys.ask("keys", change).await;
    }
    assert!(beginning.await.unwrap().is_ok());
}
