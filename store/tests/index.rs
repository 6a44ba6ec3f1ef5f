//! The index is built anew from an export and the commit log, although the commit log's beginning is gone.

use std::fs;
use std::path::Path;

use annon_store::Kept;
use annon_store::room::Seq;
use annon_store::{Local, OpenError, Progress, restore};

use crate::support::files::commit_log_files;
use crate::support::logged::logged;
use crate::support::people::*;
use crate::support::{back_up, open, try_open};

/// Every round has an account, a note and a message. All rounds but the last have an export.
const ROUNDS: u64 = 6;

/// A folder with many exports and little of the commit log, whose last round came after the last export.
async fn worn(folder: &Path) {
    for round in 1..=ROUNDS {
        let store = open(folder);
        store.accounts().create(account(round)).await.unwrap();
        numbered(store.inbox()).deliver(account_id(round), note(round)).await.unwrap();
        if round == 1 {
            store.rooms().create(metadata(1, 1, NOW + 1000), NOW).await.unwrap();
        }
        store.room_log().append(room(1), Seq(round - 1), vec![came(round as u32)]).await.unwrap();
        if round < ROUNDS {
            store.export().unwrap();
        }
        store.close().await.unwrap();
    }
}

async fn has_everything(store: Local) {
    for n in 1..=ROUNDS {
        assert_eq!(store.accounts().by_username(&name_of(n)).await.unwrap(), Some(account(n)), "{n}");
        let page = numbered(store.inbox()).page(account_id(n), None, 10).await.unwrap();
        assert_eq!(page.notes, [note(n)], "{n}");
    }
    assert_eq!(store.rooms().by_id(room(1)).await.unwrap(), Some(metadata(1, 1, NOW + 1000)));
    let read = store.room_log().read(room(1), Seq(0)).await.unwrap();
    assert_eq!(read.len() as u64, ROUNDS);
    store.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_index_that_is_gone_is_built_from_the_last_export_or_the_one_before_it() {
    for lost in ["nothing", "the last export", "the state"] {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path();
        worn(folder).await;
        match lost {
            "the last export" => fs::write(folder.join("export/last"), "annon export, version 1\n+").unwrap(),
            "the state" => fs::remove_file(folder.join("index.state")).unwrap(),
            _ => {}
        }
        if lost != "the state" {
            fs::remove_dir_all(folder.join("index")).unwrap();
        }
        let (store, lines) = logged(|| open(folder));
        let says = ["an export can't be used", "export/last: it is cut short", "instead=", "export/before"];
        assert!(says.iter().all(|words| lines.contains(words) == (lost == "the last export")), "{lost}: {lines}");
        has_everything(store).await;
        has_everything(open(folder)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_commit_log_goes_when_two_exports_came_after_it_and_its_groups_are_over() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path();
    worn(folder).await;
    let with_the_room = commit_log_files(folder).len();
    assert!(with_the_room as u64 >= ROUNDS, "a group reaches back to the first: {with_the_room}");
    let store = open(folder);
    store.rooms().remove(room(1)).await.unwrap();
    for _ in 0..2 {
        store.export().unwrap();
    }
    store.close().await.unwrap();
    let store = open(folder);
    store.export().unwrap();
    store.close().await.unwrap();
    assert!(commit_log_files(folder).len() <= 4, "{}", commit_log_files(folder).len());
    fs::remove_dir_all(folder.join("index")).unwrap();
    let store = open(folder);
    assert_eq!(store.accounts().list(None, 100).await.unwrap().len() as u64, ROUNDS);
    assert_eq!(store.findings(), [""; 0], "files that nobody needs are not missed");
    store.close().await.unwrap();

    // Without an export and the commit log's beginning only the index itself is left.
    fs::remove_dir_all(folder.join("export")).unwrap();
    fs::remove_file(folder.join("index.state")).unwrap();
    let store = open(folder);
    assert_eq!(store.accounts().list(None, 100).await.unwrap().len() as u64, ROUNDS);
    store.close().await.unwrap();
    fs::remove_dir_all(folder.join("index")).unwrap();
    let error = try_open(folder).err().unwrap();
    assert!(matches!(error, OpenError::Damaged { .. }), "{error}");
    assert!(error.to_string().contains("annon restore"), "{error}");
}

/// The commit log of a restored folder has only what happened in groups at first.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restored_folder_that_has_lost_its_export_uses_the_index_that_is_there() {
    let parent = tempfile::tempdir().unwrap();
    let [made, file, folder] = ["made", "backup", "restored"].map(|name| parent.path().join(name));
    let store = open(&made);
    store.accounts().create(account(1)).await.unwrap();
    back_up(&store, &file).await;
    restore(&file, &folder, &Progress::default()).unwrap();
    fs::remove_dir_all(folder.join("export")).unwrap();
    fs::remove_file(folder.join("index.state")).unwrap();
    let store = open(&folder);
    store.sweep_after_start(NOW).await.unwrap();
    assert_eq!(store.accounts().by_username(&name_of(1)).await.unwrap(), Some(account(1)));
}
