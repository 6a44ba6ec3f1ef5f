//! On a disk without a free byte people can read and delete everything, and nothing new is taken.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use annon_store::Kept;
use annon_store::account::SignUpError;
use annon_store::room::{Millis, RoomEvent, Seq};
use annon_store::{Local, StoreError, Swept};

use crate::support::files::{contents, copy, differences};
use crate::support::mounted::{Disk, allocated};
use crate::support::people::*;
use crate::support::{open, try_open};

const FOLDER: &str = "ANNON_FULL_DISK_FOLDER";
const MIB: u64 = 1 << 20;
const PEOPLE: u64 = 12;
/// Notes of each person that the index has (`SETTLED`), and that only the commit log has (`LAST`).
const SETTLED: u64 = 400;
const LAST: u64 = 60;

async fn deliver(store: &Arc<Local>, notes: std::ops::Range<u64>) {
    let deliver = |n: u64| {
        let (store, notes) = (store.clone(), notes.clone());
        tokio::spawn(async move {
            for at in notes {
                numbered(store.inbox()).deliver(account_id(n), note(n << 32 | at)).await.unwrap();
            }
        })
    };
    for task in (0..PEOPLE).map(deliver).collect::<Vec<_>>() {
        task.await.unwrap();
    }
}

/// Puts on this disk what a killed process leaves.
async fn killed(disk: &Disk) -> PathBuf {
    let parent = tempfile::tempdir().unwrap();
    let living = parent.path().join("living");
    let store = Arc::new(open(&living));
    for n in 0..PEOPLE {
        store.accounts().create(account(n)).await.unwrap();
    }
    deliver(&store, 0..SETTLED).await;
    Arc::into_inner(store).unwrap().close().await.unwrap();
    let store = Arc::new(open(&living));
    store.sweep_after_start(NOW).await.unwrap();
    deliver(&store, SETTLED..SETTLED + LAST).await;
    let folder = disk.at().join("data");
    copy(&living, &folder);
    File::open(&folder).unwrap().sync_all().unwrap();
    folder
}

async fn has_everything(store: &Local) {
    for n in 0..PEOPLE {
        let page = numbered(store.inbox()).page(account_id(n), None, usize::MAX).await.unwrap();
        assert_eq!(page.notes.len() as u64, SETTLED + LAST, "notes of {n}");
        assert_eq!(store.accounts().by_username(&name_of(n)).await.unwrap(), Some(account(n)));
    }
}

async fn takes_nothing(store: &Local) {
    let full = StoreError::DiskFull;
    assert!(store.is_full());
    assert_eq!(store.accounts().create(account(99)).await, Err(SignUpError::Store(full)));
    assert_eq!(numbered(store.inbox()).deliver(account_id(1), note(1)).await, Err(full));
    assert_eq!(store.accounts().new_target(account_id(1), target_id(99)).await, Err(full));
    assert_eq!(store.sweep_after_start(NOW).await, Ok(Swept::default()));
    assert!(store.is_healthy(), "nothing was tried that could fail");
}

async fn takes_everything_again(store: Local, folder: &Path) {
    for _ in 0..300 {
        if !store.is_full() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    // btrfs frees space only with its next transactions, and each sweep takes what is free.
    let ballast = folder.join("ballast");
    for _ in 0..600 {
        store.sweep_after_start(NOW).await.unwrap();
        if allocated(&ballast) >= 4 * MIB {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert!(allocated(&ballast) >= 4 * MIB, "{}", allocated(&ballast));
    let store = Arc::new(store);
    deliver(&store, SETTLED + LAST..SETTLED + 2 * LAST).await;
    store.accounts().delete(account_id(1)).await.unwrap();
    assert!(store.is_healthy());
    Arc::into_inner(store).unwrap().close().await.unwrap();
}

/// The disks, each with how many starts find it full before the last start does. btrfs frees space
/// later, so only the last start is certain there; and it takes no smaller device.
fn disks() -> impl Iterator<Item = (Disk, u32)> {
    [("tmpfs", 64, 3), ("ext4", 64, 3), ("btrfs", 128, 0)].into_iter().filter_map(|(kind, mib, starts)| {
        println!("{kind}");
        Some((Disk::of(kind, mib)?, starts))
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_a_full_disk_a_start_reads_and_when_there_is_room_it_writes_again() {
    for (disk, starts) in disks() {
        let folder = killed(&disk).await;
        assert!(allocated(&folder.join("ballast")) >= 4 * MIB);
        let filler = disk.fill(0);
        // Each start takes over what is left of the ballast.
        for start in 0..starts {
            println!("start {start}");
            let store = open(&folder);
            has_everything(&store).await;
            takes_nothing(&store).await;
            has_everything(&store).await;
            assert!(allocated(&folder.join("ballast")) >= 2 * MIB, "{}", allocated(&folder.join("ballast")));
            store.close().await.unwrap();
        }
        let store = open(&folder);
        has_everything(&store).await;
        takes_nothing(&store).await;
        fs::remove_file(filler).unwrap();
        takes_everything_again(store, &folder).await;
    }
}

/// A part of the ballast is for deletions. Without it they are refused, and nothing fails.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_a_full_disk_people_delete_until_there_is_no_room_for_that_either() {
    for (disk, _) in disks().filter(|(_, starts)| *starts > 0) {
        let folder = killed(&disk).await;
        let filler = disk.fill(0);
        let store = open(&folder);
        let (gone, emptied, other) = (account_id(1), account_id(2), account_id(3));
        store.accounts().delete(gone).await.unwrap();
        store.inbox().remove_all(emptied, NOW).await.unwrap();
        store.accounts().revoke(other, token(1), NOW + 100, NOW).await.unwrap();
        let notes = store.inbox().page(other, None, usize::MAX, u64::MAX).await.unwrap().notes;
        let (first, second) = notes.split_at(notes.len() / 2);
        for note in first {
            store.inbox().remove(other, note.id, u64::MAX).await.unwrap();
        }
        assert_eq!(numbered(store.inbox()).deliver(emptied, note(1)).await, Err(StoreError::DiskFull));
        // Another program takes the room that the store gave up.
        disk.fill(0);
        assert_eq!(store.inbox().remove(other, second[0].id, u64::MAX).await, Err(StoreError::DiskFull));
        assert!(store.is_healthy(), "nothing was tried that could fail");
        store.close().await.unwrap();

        let store = open(&folder);
        assert_eq!(store.accounts().by_id(gone).await.unwrap(), None);
        assert!(!store.accounts().access(other).await.unwrap().unwrap().admits(token(1), 0));
        assert_eq!(store.inbox().page(emptied, None, 1, u64::MAX).await.unwrap().notes, []);
        assert_eq!(store.inbox().page(other, None, usize::MAX, u64::MAX).await.unwrap().notes, second);
        store.close().await.unwrap();
        fs::remove_file(filler).unwrap();
        let store = open(&folder);
        numbered(store.inbox()).deliver(emptied, note(1)).await.unwrap();
        store.close().await.unwrap();
    }
}

/// A redaction writes large records anew without the words. The commit log must not reach the end of the
/// disk by that, and a lock must not use the room that is kept for deletions.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_a_full_disk_messages_are_deleted_and_a_room_is_not_locked() {
    for (disk, _) in disks().filter(|(_, starts)| *starts > 0) {
        let store = open(&disk.at().join("data"));
        let room = room(1);
        store.accounts().create(account(1)).await.unwrap();
        store.rooms().create(metadata(1, 1, NOW + 100), NOW).await.unwrap();
        let log = store.room_log();
        // Each record has forty messages. All records written anew take 5 MB.
        for at in 0..500 {
            log.append(room, Seq(at * 40), vec![posted(&"0123456789".repeat(25)); 40]).await.unwrap();
        }
        // The sweep makes ballast, and meanwhile the index catches up.
        store.sweep_after_start(NOW).await.unwrap();
        tokio::time::sleep(Duration::from_secs(2)).await;
        disk.fill(0);
        // The store asks once a second how full the disk is.
        tokio::time::sleep(Duration::from_millis(1100)).await;
        let locked = RoomEvent::Locked { locked: true, at: Millis(3) };
        assert_eq!(log.append(room, Seq(20000), vec![locked]).await, Err(StoreError::DiskFull));
        assert_eq!(log.forget(room, Seq(40)).await, Err(StoreError::DiskFull));
        let firsts = (0..500).map(|at| Seq(at * 40 + 1)).collect::<Vec<_>>();
        take_back(&*log, room, Seq(20000), firsts[..10].to_vec()).await.unwrap();
        // Many redactions at once become one group.
        let mut tasks = tokio::task::JoinSet::new();
        for (first, end) in firsts[10..].iter().zip(20001..) {
            tasks.spawn(take_back(&*log, room, Seq(end), vec![*first]));
        }
        let outcomes = tasks.join_all().await;
        // The events are small, and written. Not everything they take back finds space at once.
        assert!(
            outcomes.iter().all(|outcome| matches!(outcome, Ok(()) | Err(StoreError::Unavailable))),
            "{outcomes:?}"
        );
        assert!(outcomes.contains(&Ok(())));
        assert!(store.is_healthy(), "nothing was tried that could fail");
        drop(log);
        store.close().await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_ballast_a_full_disk_is_left_as_it_is_and_one_sweep_makes_some() {
    for (disk, _) in disks() {
        let folder = killed(&disk).await;
        fs::remove_file(folder.join("ballast")).unwrap();
        let filler = disk.fill(0);
        let before = contents(&folder);
        let why = try_open(&folder).err().expect("there is no room for anything").to_string();
        assert!(why.contains("free some on this disk"), "{why}");
        assert_eq!(differences(&before, &contents(&folder)), [""; 0]);
        fs::remove_file(filler).unwrap();
        let store = open(&folder);
        has_everything(&store).await;
        takes_everything_again(store, &folder).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_start_on_a_full_disk_that_is_cut_off_anywhere_is_made_by_the_next() {
    for (disk, _) in disks().filter(|(_, starts)| *starts > 0) {
        let folder = killed(&disk).await;
        disk.fill(0);
        let has_begun = || fs::metadata(folder.join("ballast")).unwrap().len() == 0;
        let mut cut_off = 0;
        for round in 0..12 {
            let mut child = Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "full_disk::the_process_that_is_cut_off", "--nocapture"])
                .env(FOLDER, &folder)
                .stdout(Stdio::null())
                .spawn()
                .unwrap();
            while !has_begun() && child.try_wait().unwrap().is_none() {
                std::hint::spin_loop();
            }
            std::thread::sleep(Duration::from_millis(3 * round));
            child.kill().unwrap();
            child.wait().unwrap();
            cut_off += usize::from(has_begun());
        }
        assert!(cut_off > 2, "{cut_off}");
        let store = open(&folder);
        has_everything(&store).await;
        takes_nothing(&store).await;
        store.close().await.unwrap();
    }
}

#[test]
fn the_process_that_is_cut_off() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let _store = open(folder.as_ref());
    std::thread::sleep(Duration::from_secs(60));
}
