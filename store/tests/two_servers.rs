//! A folder has one server, also when somebody removes the file `lock`.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use annon_store::Kept;
use annon_store::{Local, OpenError};

use crate::support::files::{contents, differences};
use crate::support::people::*;
use crate::support::{open, options};

const PEOPLE: u64 = 40;
const EACH: u64 = 400;

fn is_refused_and_changes_nothing(folder: &Path, what: &str) {
    let before = contents(folder);
    let error = Local::open(&options(folder)).err().unwrap_or_else(|| panic!("{what}: a second one opened it"));
    assert!(matches!(error, OpenError::Locked(_)), "{what}: {error}");
    let mut found = differences(&before, &contents(folder));
    found.retain(|difference| difference != "lock is new");
    assert!(found.is_empty(), "{what}: {found:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn removing_the_lock_lets_nobody_else_in_and_costs_nothing() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path();
    let store = open(folder);
    let mut delivered = 0;
    store.accounts().create(account(1)).await.unwrap();
    for round in 0..3 {
        fs::remove_file(folder.join("lock")).unwrap();
        for _ in 0..200 {
            numbered(store.inbox()).deliver(account_id(1), note(delivered)).await.unwrap();
            delivered += 1;
        }
        is_refused_and_changes_nothing(folder, &format!("round {round}"));
    }
    numbered(store.inbox()).deliver(account_id(1), note(delivered)).await.unwrap();
    store.close().await.unwrap();
    let store = open(folder);
    let page = numbered(store.inbox()).page(account_id(1), None, usize::MAX).await.unwrap();
    assert!(page.notes == (0..=delivered).rev().map(note).collect::<Vec<_>>());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_second_server_puts_nothing_back_while_the_first_writes_on() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path();
    let store = Arc::new(open(folder));
    for n in 0..PEOPLE {
        store.accounts().create(account(n)).await.unwrap();
    }
    // So many writers that a group often has several writes.
    let mut writers = tokio::task::JoinSet::new();
    for n in 0..PEOPLE {
        let store = store.clone();
        writers.spawn(async move {
            for at in 0..EACH {
                numbered(store.inbox()).deliver(account_id(n), note(at)).await.unwrap();
            }
        });
    }
    while writers.try_join_next().is_none() {
        let _ = fs::remove_file(folder.join("lock"));
        let folder = folder.to_owned();
        let refused = tokio::task::spawn_blocking(move || Local::open(&options(&folder)).err()).await.unwrap();
        assert!(matches!(refused, Some(OpenError::Locked(_))), "{refused:?}");
    }
    while let Some(done) = writers.join_next().await {
        done.unwrap();
    }
    Arc::into_inner(store).unwrap().close().await.unwrap();
    let store = open(folder);
    for n in 0..PEOPLE {
        assert_eq!(store.accounts().by_id(account_id(n)).await.unwrap(), Some(account(n)));
        let page = numbered(store.inbox()).page(account_id(n), None, usize::MAX).await.unwrap();
        assert_eq!(page.notes.len() as u64, EACH, "notes of person {n}");
    }
}
