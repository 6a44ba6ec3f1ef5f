//! A backup is taken into empty databases, and the way back.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Duration;

use annon_store::room::{RoomEvent, Seq};
use annon_store::{Engine, Kept, Migrated, Postgres, PostgresOptions, Progress, migrate, restore};

use crate::support::open;
use crate::support::people::*;
use crate::support::population::{back_up, compare, live, live_fully, missing};
use crate::support::postgres::Databases;

/// Databases, and the file of a secret that is not there yet.
async fn empty(folder: &Path) -> (Databases, PostgresOptions) {
    let databases = Databases::new().await;
    let options = PostgresOptions { secret: folder.join("secret-of-all"), ..databases.options.clone() };
    (databases, options)
}

/// The backup of a data folder where people have lived, and what was said in a room of theirs.
async fn backup_of_a_folder(parent: &Path) -> (PathBuf, Vec<(Seq, RoomEvent)>) {
    let (file, folder) = (parent.join("backup"), parent.join("data"));
    let local = open(&folder);
    live_fully(&local).await;
    let said = local.room_log().read(room(8), Seq(0)).await.unwrap();
    back_up(&local, &file).await;
    local.close().await.unwrap();
    (file, said)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_folder_moves_to_databases_and_back() {
    let parent = tempfile::tempdir().unwrap();
    let (file, said) = backup_of_a_folder(parent.path()).await;
    let (databases, options) = empty(parent.path()).await;
    let migrated = migrate(&file, &options, true, &Progress::default()).await.unwrap();
    let expected = Migrated {
        accounts: 8,
        notes: 6 * 12 + 4,
        answers: 2,
        pages: 1,
        conversations: 2,
        groups: 7,
        feedback: 7,
        reports: 3,
        suspensions: 1,
        invitations: 1,
        pictures: 11,
        damaged: 0,
        ..migrated
    };
    assert_eq!(migrated, expected);
    databases.stop_clock_at(NOW + 50).await;
    let node = Postgres::open(&options).await.unwrap();
    compare(&node, &said).await;
    assert_eq!(node.feedback().page(None, 100).await.unwrap().len(), 7);
    // Life goes on, also with new keys, and in a folder again.
    databases.mark_inboxes().await;
    databases.ask("UPDATE room SET stale = 0").await;
    databases.ask_keys("UPDATE seal_key SET born = now() - interval '2 hours'").await;
    let swept = node.sweep_after_start(NOW).await.unwrap();
    assert_eq!((swept.keys, swept.pictures), (0, 0), "{swept:?}");
    compare(&node, &said).await;
    live(&node, 20..21).await;
    node.room_log().append(room(8), said.last().unwrap().0, vec![posted("life goes on")]).await.unwrap();
    node.images().put(album(8), image(3), vec![3; 1000]).await.unwrap();
    let (again, folder) = (parent.path().join("again"), parent.path().join("back"));
    back_up(&node, &again).await;
    restore(&again, &folder, &Progress::default()).unwrap();
    let local = open(&folder);
    assert_eq!(missing(&local, 1..6).await, [""; 0]);
    assert_eq!(missing(&local, 20..21).await, [""; 0]);
    assert_eq!(local.images().read(album(8), image(3)).await, Ok(Some(vec![3; 1000])));
    assert_eq!(local.findings(), [""; 0]);
}

/// A pipe in the place of a file: whoever reads it the third time waits in the middle of it.
fn slowly(file: &Path, wait: Duration) -> PathBuf {
    let pipe = file.with_extension("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let (bytes, at) = (fs::read(file).unwrap(), pipe.clone());
    thread::spawn(move || {
        for time in 1.. {
            let Ok(mut to) = fs::OpenOptions::new().write(true).open(&at) else { return };
            let (first, rest) = bytes.split_at(bytes.len() / 2);
            // Who has read enough closes it.
            let _ = to.write_all(first);
            if time == 3 {
                thread::sleep(wait);
            }
            let _ = to.write_all(rest);
            drop(to);
            // Until whoever has read it to its end has closed it, too.
            thread::sleep(Duration::from_millis(500));
        }
    });
    pipe
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_migration_that_takes_long_goes_on() {
    let parent = tempfile::tempdir().unwrap();
    let (file, said) = backup_of_a_folder(parent.path()).await;
    let (databases, options) = empty(parent.path()).await;
    // Longer than until its own node looks whether it may still use the databases.
    let migrated = migrate(&slowly(&file, Duration::from_secs(6)), &options, true, &Progress::default()).await.unwrap();
    assert_eq!((migrated.accounts, migrated.damaged), (8, 0));
    databases.stop_clock_at(NOW + 50).await;
    compare(&Postgres::open(&options).await.unwrap(), &said).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn databases_move_to_others_while_a_room_gets_a_new_key() {
    let parent = tempfile::tempdir().unwrap();
    let first = Databases::new().await;
    let node = first.open().await;
    live_fully(&node).await;
    let said = node.room_log().read(room(8), Seq(0)).await.unwrap();
    // As it is when a new key was made, and nothing was sealed with it yet.
    first.ask("CREATE TABLE before AS SELECT * FROM room_log; UPDATE room SET stale = 0 WHERE stale IS NOT NULL").await;
    first.ask_keys("CREATE TABLE before AS SELECT * FROM seal_key").await;
    first.stop_clock_at(NOW + 50).await;
    node.sweep(NOW).await.unwrap();
    let back = "UPDATE room_log l SET sealed = b.sealed FROM before b \
         WHERE b.room = l.room AND b.last = l.last AND b.sealed <> l.sealed RETURNING 1";
    assert!(!first.ask(back).await.is_empty());
    first.ask_keys("INSERT INTO seal_key SELECT * FROM before ON CONFLICT DO NOTHING").await;
    let file = parent.path().join("backup");
    back_up(&node, &file).await;
    let (databases, options) = empty(parent.path()).await;
    migrate(&file, &options, true, &Progress::default()).await.unwrap();
    databases.stop_clock_at(NOW + 50).await;
    compare(&Postgres::open(&options).await.unwrap(), &said).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_not_empty_or_not_a_backup_is_refused_and_nothing_is_written() {
    let parent = tempfile::tempdir().unwrap();
    let (file, _) = backup_of_a_folder(parent.path()).await;
    let (databases, options) = empty(parent.path()).await;
    let cut = parent.path().join("cut");
    let whole = fs::read(&file).unwrap();
    fs::write(&cut, &whole[..whole.len() - 1]).unwrap();
    let refused = |file: PathBuf, options: PostgresOptions| async move {
        migrate(&file, &options, true, &Progress::default()).await.unwrap_err().to_string()
    };
    assert!(refused(cut, options.clone()).await.contains("is not a whole backup: it is cut short"));
    let said = refused(file.clone(), databases.options.clone()).await;
    assert!(said.contains("is not the secret of the backup"), "{said}");
    assert!(!options.secret.exists());
    let tables = "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()";
    assert_eq!((databases.ask(tables).await, databases.ask_keys(tables).await), (vec!["0".into()], vec!["0".into()]));

    migrate(&file, &options, false, &Progress::default()).await.unwrap();
    let rows = "SELECT (SELECT count(*) FROM kept) + (SELECT count(*) FROM room_log)";
    let before = (databases.ask(rows).await, databases.ask_keys("SELECT count(*) FROM seal_key").await);
    assert!(refused(file, options).await.contains("has tables of annon already"));
    assert_eq!(before, (databases.ask(rows).await, databases.ask_keys("SELECT count(*) FROM seal_key").await));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_migration_that_stops_half_way_is_no_database_for_anybody() {
    let parent = tempfile::tempdir().unwrap();
    let (file, _) = backup_of_a_folder(parent.path()).await;
    let (databases, options) = empty(parent.path()).await;
    // No key can be kept: the migration waits with the first.
    let waits =
        "CREATE FUNCTION now() RETURNS timestamptz LANGUAGE sql AS 'SELECT clock_timestamp() FROM pg_sleep(60)'";
    databases.ask_keys(waits).await;
    let migrating = {
        let (file, options) = (file.clone(), options.clone());
        tokio::spawn(async move {
            migrate(&file, &options, false, &Progress::default()).await.map(drop).map_err(|error| error.to_string())
        })
    };
    databases.until("SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'migrating'").await;
    migrating.abort();
    assert!(migrating.await.unwrap_err().is_cancelled());
    let says = "a migration into the database has not ended: make both databases anew, and migrate again";
    assert_eq!(Postgres::open(&options).await.err().unwrap().to_string(), says);
    assert_eq!(migrate(&file, &options, false, &Progress::default()).await.unwrap_err().to_string(), says);
}
