//! What is deleted: the key that opened it is in no file of the keys' server or its standby,
//! nor in their write-ahead logs, and the words never were in any file of any server.

use std::fs;
use std::path::Path;

use annon_contract::limits::REPORT_KEPT;
use annon_store::Kept;
use annon_store::conversation::{Change, Side};
use annon_store::image::{Album, ImageId};
use annon_store::inbox::{Arrival, Delivered, NoteId};
use annon_store::room::Seq;
use annon_store::{Postgres, Swept};
use tokio_postgres::NoTls;

use crate::support::files::holds;
use crate::support::people::*;
use crate::support::postgres::{Cluster, Databases};

/// What the keys' server has to be told, so that its write-ahead log forgets.
const SETTINGS: [&str; 3] = ["wal_recycle = off", "min_wal_size = '32MB'", "max_wal_size = '64MB'"];

/// Long after the database's clock: what moved then has not ended.
const LATER: u64 = 2 * NOW;

/// Whether a file of a server has these bytes. The server may remove files meanwhile.
fn is_in_a_file(folder: &Path, bytes: &[u8]) -> bool {
    fs::read_dir(folder).into_iter().flatten().flatten().any(|entry| {
        let path = entry.path();
        if path.is_dir() { is_in_a_file(&path, bytes) } else { fs::read(path).is_ok_and(|file| holds(&file, bytes)) }
    })
}

fn is_in(cluster: &Cluster, bytes: &[u8]) -> bool {
    is_in_a_file(Path::new(&cluster.folder), bytes)
}

/// The keys of somebody, as they are stored.
async fn keys_of(keys: &Cluster, databases: &Databases, n: u64) -> Vec<Vec<u8>> {
    let (schema, id) = (&databases.schema, account_id(n).0);
    let owned = format!("owner = '{id}' ORDER BY kind");
    keys_where(keys, schema, &owned).await
}

async fn keys_where(keys: &Cluster, schema: &str, which: &str) -> Vec<Vec<u8>> {
    let select = format!("SELECT encode(wrapped, 'hex') FROM {schema}.seal_key WHERE {which}");
    let byte = |hex: &str, at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
    let bytes = |hex: String| (0..hex.len()).step_by(2).map(|at| byte(&hex, at)).collect();
    keys.ask("keys", &select).await.into_iter().map(bytes).collect()
}

/// Makes an account with two notes, and returns their ids.
async fn live(node: &Postgres, n: u64) -> [NoteId; 2] {
    node.accounts().create(account(n)).await.unwrap();
    let mut ids = Vec::new();
    for word in ["kept", "gone"] {
        let text = note_saying(n, &format!("zebra-{word} of person {n}")).text;
        let arrival = Arrival::new(text, NOW, n);
        match node.inbox().deliver(account_id(n), arrival).await.unwrap() {
            Delivered::Shown { note, .. } => ids.push(note.id),
            Delivered::Waits => panic!("nothing is taken in batches here"),
        }
    }
    ids.try_into().unwrap()
}

/// Waits until a standby has done all that its primary has, and lets it drop files that it no longer needs. It
/// does so by itself every `checkpoint_timeout`, five minutes.
async fn catch_up(primary: &Cluster, standby: &Cluster) {
    let end = primary.ask("keys", "SELECT pg_current_wal_lsn()").await.remove(0);
    standby.until(&format!("SELECT 1 WHERE pg_last_wal_replay_lsn() >= '{end}'")).await;
    standby.ask("keys", "CHECKPOINT").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_deleted_leaves_no_key_in_any_file() {
    let (record, keys) = (Cluster::start(), Cluster::start());
    for setting in SETTINGS {
        keys.ask("keys", &format!("ALTER SYSTEM SET {setting}")).await;
    }
    keys.ask("keys", "SELECT pg_reload_conf()").await;
    let (record_standby, keys_standby) = (record.with_standby().await, keys.with_standby().await);
    let databases = Databases::in_clusters(&record, &keys).await;
    let node = databases.open().await;
    let [kept, gone] = live(&node, 1).await;
    let conversations = node.conversations();
    for n in 1..=2 {
        conversations.begin(account_id(1), arrival(n, LATER), beginning(n)).await.unwrap();
        conversations.change(conversation_id(n), say(Side::Sender, n), LATER).await.unwrap();
    }
    let of_conversation = async |n: u64| {
        let key = keys_where(&keys, &databases.schema, &format!("owner = '{}'", conversation_id(n).0)).await;
        <[Vec<u8>; 1]>::try_from(key).unwrap().concat()
    };
    let (unsent, ended) = (of_conversation(1).await, of_conversation(2).await);
    for n in 1..=2 {
        node.reports().add(report(n), Vec::new()).await.unwrap();
    }
    let of_report = async |n: u64| {
        let key = keys_where(&keys, &databases.schema, &format!("owner = '{}'", report_id(n).0)).await;
        <[Vec<u8>; 1]>::try_from(key).unwrap().concat()
    };
    let (reported, shown) = (of_report(1).await, of_report(2).await);
    live(&node, 2).await;
    live(&node, 3).await;
    let [answered, _] = live(&node, 4).await;
    node.answers().publish(account_id(4), answered, publishing(4, NOW)).await.unwrap();
    let [[one, inbox_of_one], [two, inbox_of_two], [three, inbox_of_three], [four, inbox_of_four]] = {
        let mut all = Vec::new();
        for n in 1..=4 {
            let both: [Vec<u8>; 2] = keys_of(&keys, &databases, n).await.try_into().unwrap();
            all.push(both);
        }
        <[_; 4]>::try_from(all).unwrap()
    };
    node.rooms().create(metadata(1, 1, 2 * NOW), NOW).await.unwrap();
    let words = ["zebra-said and kept", "zebra-said and taken back"];
    let log = node.room_log();
    log.append(room(1), Seq(0), words.map(posted).to_vec()).await.unwrap();
    let of_room = format!("owner = '{}'", room(1).0);
    let of_room = || keys_where(&keys, &databases.schema, &of_room);
    let [of_words] = <[_; 1]>::try_from(of_room().await).unwrap();
    take_back(&*log, room(1), Seq(2), vec![Seq(2)]).await.unwrap();
    node.inbox().remove(account_id(1), gone, NOW).await.unwrap();
    node.answers().take_down(account_id(4), answered, NOW).await.unwrap();
    node.inbox().remove_all(account_id(2), NOW).await.unwrap();
    node.accounts().delete(account_id(3)).await.unwrap();
    conversations.change(conversation_id(1), Change::Unsend { from: Side::Sender, line: Seq(1) }, LATER).await.unwrap();
    conversations.remove(conversation_id(2), NOW).await.unwrap();
    node.reports().close(report_id(1), NOW - REPORT_KEPT.as_secs()).await.unwrap();
    let talks = of_conversation(1).await;
    let dead = [inbox_of_one, inbox_of_two, three, inbox_of_three, inbox_of_four, of_words, unsent, ended, reported];
    catch_up(&keys, &keys_standby).await;
    for (at, key) in dead.iter().enumerate() {
        assert!(is_in(&keys, key), "deleting the row of key {at} alone leaves it in the files");
        assert!(is_in(&keys_standby, key), "and in those of the standby: key {at}");
    }
    // 40 minutes later.
    record.ask("record", &format!("UPDATE {}.room SET stale = stale - 40 * 60", databases.schema)).await;
    assert_eq!(node.sweep(NOW).await, Ok(Swept { notes: 4, resealed: 2, reports: 1, ..Swept::default() }));
    catch_up(&keys, &keys_standby).await;
    catch_up(&record, &record_standby).await;
    for (at, key) in dead.iter().enumerate() {
        assert!(!is_in(&keys, key), "key {at}");
        assert!(!is_in(&keys_standby, key), "key {at} is in the standby's files");
    }
    let [of_words_now] = <[_; 1]>::try_from(of_room().await).unwrap();
    for key in [&one, &two, &four, &of_words_now, &talks, &shown] {
        assert!(is_in(&keys, key) && is_in(&keys_standby, key), "those of the living stay");
    }
    assert_eq!(log.read(room(1), Seq(0)).await.unwrap()[0], (Seq(1), posted(words[0])));
    let page = node.inbox().page(account_id(1), None, 10, NOW).await.unwrap();
    assert_eq!(page.notes.last().map(|note| note.id), Some(kept));
    for cluster in [&record, &record_standby, &keys, &keys_standby] {
        for word in ["zebra-kept", "zebra-gone", "zebra-said", "zebra-line", "zebra-answer", "what was said"] {
            assert!(!is_in(cluster, word.as_bytes()), "{word} was written as it is");
        }
    }
}

/// A table that is written anew keeps what somebody still reads.
#[tokio::test]
async fn a_dead_key_counts_as_gone_once_nobody_reads_the_table_as_it_was_before() {
    let keys = Cluster::start();
    let databases = Databases::in_clusters(Cluster::shared(), &keys).await;
    let node = databases.open().await;
    for n in 1..=2 {
        node.accounts().create(account(n)).await.unwrap();
    }
    let [dead] = <[_; 1]>::try_from(keys_of(&keys, &databases, 1).await).unwrap();
    let (reader, connection) = tokio_postgres::connect(&keys.url("keys"), NoTls).await.unwrap();
    tokio::spawn(connection);
    let reads = format!("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT cluster FROM {}.keys_meta", databases.schema);
    reader.batch_execute(&reads).await.unwrap();
    node.accounts().delete(account_id(1)).await.unwrap();
    let waits = format!("SELECT count(*) FROM {}.dead_part", databases.schema);
    let tables = Path::new(&keys.folder).join("data/base");
    for (next, left) in [("SAVEPOINT here", "1"), ("COMMIT", "0")] {
        reader.batch_execute(next).await.unwrap();
        node.sweep(NOW).await.unwrap();
        assert_eq!(keys.ask("keys", &waits).await, [left], "{next}");
        assert_eq!(is_in_a_file(&tables, &dead), left == "1", "{next}");
    }
}

#[tokio::test]
async fn keys_that_nobody_uses_are_destroyed_an_hour_after_their_birth_and_all_others_stay() {
    let databases = Databases::new().await;
    let node = databases.open().await;
    let [kept, _] = live(&node, 1).await;
    let (feedback, picture) = (feedback(2), ImageId(feedback_id(2).0));
    node.images().put(Album::Feedback, picture, vec![1]).await.unwrap();
    node.feedback().add(feedback.clone()).await.unwrap();
    let group = metadata(1, 1, 2 * NOW);
    node.rooms().create(group.clone(), NOW).await.unwrap();
    node.images().put(album(1), image(1), vec![2]).await.unwrap();
    node.conversations().begin(account_id(1), arrival(1, LATER), beginning(1)).await.unwrap();
    assert_eq!(
        databases.ask_keys("SELECT DISTINCT kind FROM seal_key ORDER BY 1").await,
        ["1", "2", "3", "4", "6", "7"]
    );
    // A node may die between the birth of a key and the commit of what names it.
    databases.ask_keys("INSERT INTO seal_key SELECT part, kind, owner, id + 1, wrapped, born FROM seal_key").await;
    assert_eq!(node.sweep_after_start(NOW).await.unwrap().keys, 0, "they may still be used");
    databases.ask_keys("UPDATE seal_key SET born = born - interval '1 hour'").await;
    assert_eq!(node.sweep_after_start(NOW).await.unwrap().keys, 6);
    assert_eq!(databases.ask_keys("SELECT count(*) FROM seal_key").await, ["6"]);
    // It has no keys in memory.
    let node = databases.open().await;
    assert_eq!(node.accounts().by_id(account_id(1)).await, Ok(Some(account(1))));
    let page = node.inbox().page(account_id(1), None, 10, NOW).await.unwrap();
    assert!(page.notes.len() == 3 && page.notes[2].id == kept);
    assert_eq!(node.conversations().find(vec![conversation_id(1)], NOW).await.unwrap().len(), 1);
    assert_eq!(node.feedback().by_id(feedback_id(2)).await, Ok(Some(feedback)));
    assert_eq!(node.rooms().by_id(room(1)).await, Ok(Some(group)));
    for (of, id, jpeg) in [(Album::Feedback, picture, vec![1]), (album(1), image(1), vec![2])] {
        assert_eq!(node.images().read(of, id).await, Ok(Some(jpeg)));
    }
}

/// The seconds since a note was removed are counted from a whole one: rounded up, the first sweep after it
/// could come before it.
#[tokio::test]
async fn an_inbox_gets_its_key_in_the_second_in_which_a_note_was_removed() {
    let databases = Databases::new().await;
    let node = databases.open().await;
    let [_, gone] = live(&node, 1).await;
    databases
        .ask(&format!(
            "CREATE OR REPLACE FUNCTION clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE \
         AS 'SELECT to_timestamp({NOW}.7)'"
        ))
        .await;
    node.inbox().remove(account_id(1), gone, NOW).await.unwrap();
    assert_eq!(node.sweep(NOW).await.unwrap().resealed, 1);
}

/// Whoever reads while an inbox gets new keys sees every note, at every node.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_inbox_is_whole_at_every_moment_while_its_keys_are_replaced() {
    let databases = Databases::new().await;
    let (one, other) = (databases.open().await, databases.open().await);
    live(&one, 1).await;
    let reading = async {
        for _ in 0..150 {
            let page = other.inbox().page(account_id(1), None, 10, NOW).await.unwrap();
            assert_eq!((page.notes.len(), page.unread), (2, 2));
            databases.mark_inboxes().await;
        }
    };
    let mut replaced = 0;
    let replacing = async {
        loop {
            replaced += one.sweep(NOW).await.unwrap().resealed;
        }
    };
    tokio::select! {
        () = reading => {}
        () = replacing => {}
    }
    replaced += one.sweep(NOW).await.unwrap().resealed;
    assert!(replaced > 10, "{replaced}");
    assert_eq!(databases.ask_keys("SELECT count(*) FROM seal_key WHERE kind = 3").await, ["1"]);
}
