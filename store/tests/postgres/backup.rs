//! A backup of both databases becomes a data folder of one machine.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use annon_store::conversation::{Change, Side};
use annon_store::inbox::Arrival;
use annon_store::room::Seq;
use annon_store::{Engine, Kept, Local, Postgres, Progress, restore};

use crate::support::open;
use crate::support::people::*;
use crate::support::population::{back_up, compare, live, live_fully, missing};
use crate::support::postgres::{Cluster, Databases};

/// Backs up a record, and opens the folder that is made of that.
async fn restored(node: &Postgres, parent: &Path) -> Local {
    let (file, folder) = (parent.join("backup"), parent.join("data"));
    back_up(node, &file).await;
    restore(&file, &folder, &Progress::default()).unwrap();
    open(&folder)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_that_people_have_is_in_the_folder_that_is_made_of_a_backup() {
    let (databases, parent) = (Databases::new().await, tempfile::tempdir().unwrap());
    let node = databases.open().await;
    live_fully(&node).await;
    // The room gets a second key.
    let log = node.room_log();
    databases.ask("UPDATE room SET stale = 0 WHERE stale IS NOT NULL").await;
    databases.stop_clock_at(NOW + 50).await;
    node.sweep(NOW).await.unwrap();
    log.append(room(8), Seq(10), vec![posted("the last")]).await.unwrap();
    let said = log.read(room(8), Seq(0)).await.unwrap();

    let copy = restored(&node, parent.path()).await;
    for _ in 0..2 {
        compare(&copy, &said).await;
        assert_eq!(copy.secret("anything"), node.secret("anything"));
        assert!(copy.findings().is_empty(), "{:?}", copy.findings());
        // A sweep finds nothing in it that has no owner.
        let swept = copy.sweep_after_start(NOW).await.unwrap();
        assert_eq!((swept.keys, swept.rooms, swept.pictures), (0, 0, 0), "{swept:?}");
    }
    live(&copy, 20..21).await;
    copy.room_log().append(room(8), Seq(11), vec![posted("life goes on")]).await.unwrap();
    copy.close().await.unwrap();
    let copy = open(&parent.path().join("data"));
    assert_eq!(missing(&copy, 1..6).await, [""; 0]);
}

/// Signs people up, takes notes away and gives keys anew, until the backup is written.
async fn live_on(node: &Postgres, databases: &Databases, first: u64, is_over: &AtomicBool) -> u64 {
    let mut n = first;
    while !is_over.load(Ordering::Relaxed) {
        live(node, n..n + 1).await;
        let inbox = node.inbox();
        let newest = inbox.page(account_id(n), None, 1, NOW + 1000).await.unwrap().notes.remove(0);
        inbox.remove(account_id(n), newest.id, NOW + 1000).await.unwrap();
        // Those of whom the backup is asked get new keys, too.
        databases.mark_inboxes().await;
        databases.ask("UPDATE room SET stale = 0").await;
        node.sweep(NOW).await.unwrap();
        if n.is_multiple_of(2) {
            node.accounts().delete(account_id(n)).await.unwrap();
        }
        n += 1;
    }
    n - first
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_that_is_written_while_keys_are_replaced_opens_to_the_last_record() {
    let (databases, parent) = (Arc::new(Databases::new().await), tempfile::tempdir().unwrap());
    let (node, other) = (databases.open().await, databases.open().await);
    databases.stop_clock_at(NOW + 50).await;
    live(&node, 1..6).await;
    for round in 1..=3 {
        let is_over = Arc::new(AtomicBool::new(false));
        let living = {
            let (other, databases, is_over) = (other.clone(), databases.clone(), is_over.clone());
            tokio::spawn(async move { live_on(&other, &databases, round * 1000, &is_over).await })
        };
        let folder = parent.path().join(round.to_string());
        std::fs::create_dir(&folder).unwrap();
        databases.until("SELECT 1 FROM kept WHERE get_byte(at, 0) = 97 HAVING count(*) > 6").await;
        let copy = restored(&node, &folder).await;
        is_over.store(true, Ordering::Relaxed);
        assert!(living.await.unwrap() > 0);
        assert_eq!(missing(&copy, 1..6).await, [""; 0], "round {round}");
        assert_eq!(copy.findings(), [""; 0]);
        // Everybody else who is there has all, too.
        for one in copy.accounts().list(None, usize::MAX).await.unwrap() {
            let page = numbered(copy.inbox()).page(one.id, None, 1000).await.unwrap();
            assert_eq!(page.unread as usize, page.notes.len());
        }
        let arrival = Arrival::new(note(1).text, NOW, 1);
        copy.inbox().deliver(account_id(1), arrival).await.unwrap();
        copy.close().await.unwrap();
    }
}

/// Unsends a line, so that its conversation gets another key.
async fn unsend(node: &Postgres, line: u64) {
    let unsend = Change::Unsend { from: Side::Owner, line: Seq(line) };
    assert!(node.conversations().change(conversation_id(1), unsend, NOW + 20).await.unwrap().is_new);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_gets_a_new_key_twice_while_a_backup_reads_keys_is_in_it() {
    let (databases, parent) = (Databases::new().await, tempfile::tempdir().unwrap());
    let node = databases.open().await;
    live(&node, 1..3).await;
    let conversations = node.conversations();
    conversations.begin(account_id(1), arrival(1, NOW), beginning(1)).await.unwrap();
    for n in 1..=3 {
        conversations.change(conversation_id(1), say(Side::Owner, n), NOW + n).await.unwrap();
    }
    // The tables of keys that are read first and last: whoever reads all keys waits there.
    let tables = databases.ask_keys("SELECT part FROM (SELECT DISTINCT part FROM seal_key) p ORDER BY part").await;
    let own = format!("SELECT part FROM seal_key WHERE owner = '{}'", conversation_id(1).0);
    let own = &databases.ask_keys(&own).await[0];
    let (first, last) = (&tables[0], tables.last().unwrap());
    assert!(own != first && own != last);
    let table = |part: &str| format!("{}.seal_key_{}", databases.schema, part.replace('-', "n"));
    let keys = Cluster::shared();
    let waits = |part| format!("SELECT 1 FROM pg_locks WHERE NOT granted AND relation = '{}'::regclass", table(part));

    let lock = keys.lock("keys", &table(last)).await;
    let (backup, folder) = (node.clone(), parent.path().to_owned());
    let backup = tokio::spawn(async move { restored(&backup, &folder).await });
    keys.until_in("keys", &waits(last)).await;
    unsend(&node, 1).await;
    let other_lock = keys.lock("keys", &table(first)).await;
    drop(lock);
    while !backup.is_finished() && keys.ask("keys", &waits(first)).await.is_empty() {}
    unsend(&node, 2).await;
    drop(other_lock);

    let copy = backup.await.unwrap();
    let found = copy.conversations().find(vec![conversation_id(1)], NOW + 30).await.unwrap();
    assert_eq!(found.iter().map(|found| found.conversation.lines.len()).collect::<Vec<_>>(), [3]);
    assert_eq!(copy.findings(), [""; 0]);
}

#[tokio::test]
async fn a_backup_that_nobody_takes_is_an_error() {
    let databases = Databases::new().await;
    let node = databases.open().await;
    live(&node, 1..2).await;
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Err(std::io::ErrorKind::StorageFull.into())
        }
    }
    let error = node.backup(Box::new(Full)).await.unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
}
