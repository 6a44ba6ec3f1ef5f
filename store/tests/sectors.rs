//! One sector of the database after the other is lost. Whichever it is, a
//! start gives everything, or the last export with what the journal has;
//! and what a start gives is there until the next.
//!
//! `ANNON_EVERY_SECTOR=1` takes every one of them (`make test-sectors`), else
//! it is every 53rd.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking"
)]

mod support;

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use annon_store::Store;
use support::files::{copy, holds};
use support::options;
use support::people::*;

const SECTOR: u64 = 4096;
const PEOPLE: u64 = 12;
/// Notes for each that the database has when the export is made.
const EXPORTED: u64 = 60;
/// Notes for each that come after it and are given to the database.
const BETWEEN: u64 = 500;
/// Notes for each that only the journal has.
const LAST: u64 = 20;
/// Notes for each that come after the start: so many that the journal has
/// its turn, and the database has to take them.
const AFTER: u64 = 500;

fn open(folder: &Path) -> Store {
    let mut options = options(folder);
    // No power is cut here, and it saves a day on the way through all sectors.
    (options.sync, options.commit_pause) = (false, Duration::ZERO);
    Store::open(&options).unwrap_or_else(|error| panic!("{error}"))
}

async fn deliver(store: &Arc<Store>, notes: std::ops::Range<u64>) {
    let tasks: Vec<_> = (0..PEOPLE)
        .map(|n| {
            let (store, notes) = (store.clone(), notes.clone());
            tokio::spawn(async move {
                for at in notes {
                    numbered(store.inbox()).deliver(account_id(n), note(n << 32 | at)).await.unwrap();
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
}

async fn close(store: Arc<Store>) {
    Arc::into_inner(store).unwrap().close().await.unwrap();
}

/// A folder whose process was killed: an export, then more than that in the
/// database, then more than that in the journal.
async fn killed(parent: &Path) -> std::path::PathBuf {
    let (living, whole) = (parent.join("living"), parent.join("whole"));
    let store = Arc::new(open(&living));
    for n in 0..PEOPLE {
        store.accounts().create(account(n)).await.unwrap();
    }
    deliver(&store, 0..EXPORTED).await;
    close(store).await;
    let store = Arc::new(open(&living));
    let exporting = store.clone();
    tokio::task::spawn_blocking(move || exporting.export()).await.unwrap().unwrap();
    deliver(&store, EXPORTED..EXPORTED + BETWEEN).await;
    close(store).await;
    let store = Arc::new(open(&living));
    deliver(&store, EXPORTED + BETWEEN..EXPORTED + BETWEEN + LAST).await;
    copy(&living, &whole);
    close(store).await;
    whole
}

/// Which notes somebody has.
async fn notes_of(store: &Store, n: u64) -> BTreeSet<u64> {
    assert_eq!(store.accounts().by_username(&name_of(n)).await.unwrap(), Some(account(n)));
    let page = numbered(store.inbox()).page(account_id(n), None, usize::MAX).await.unwrap();
    let notes: BTreeSet<_> = page.notes.iter().map(|found| found.id.0.as_u128() as u64 & u64::from(u32::MAX)).collect();
    assert_eq!(notes.len(), page.notes.len());
    assert_eq!(page.unread as usize, notes.len());
    notes
}

/// Starts on a folder that something was done to. Whether the export was
/// needed.
async fn survives(folder: &Path) -> bool {
    let store = Arc::new(open(folder));
    let fell_back = folder.join("db.broken").exists();
    let all = EXPORTED + BETWEEN + LAST;
    let mut expected: BTreeSet<_> = (0..all).collect();
    if fell_back {
        expected.retain(|at| !(EXPORTED..EXPORTED + BETWEEN).contains(at));
    }
    for n in 0..PEOPLE {
        assert_eq!(notes_of(&store, n).await, expected, "notes of {n}, fell back: {fell_back}");
    }
    store.sweep_after_start(NOW).await.unwrap();
    deliver(&store, all..all + AFTER).await;
    expected.extend(all..all + AFTER);
    assert!(store.is_healthy());
    for n in 0..PEOPLE {
        assert_eq!(notes_of(&store, n).await, expected, "notes of {n} later, fell back: {fell_back}");
    }
    close(store).await;
    let store = Arc::new(open(folder));
    for n in 0..PEOPLE {
        assert_eq!(notes_of(&store, n).await, expected, "notes of {n} at the next start, fell back: {fell_back}");
    }
    close(store).await;
    fell_back
}

fn step() -> usize {
    if std::env::var_os("ANNON_EVERY_SECTOR").is_some() { 1 } else { 53 }
}

/// Every other sector as noise, the others as nothing.
fn ruined(sector: u64) -> Vec<u8> {
    let noise = (0..SECTOR).map(|at| (at * 31 + sector * 7 + at / 256) as u8);
    if sector.is_multiple_of(2) { noise.collect() } else { vec![0; SECTOR as usize] }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whichever_sector_is_lost_a_start_gives_everything_or_the_export_and_the_journal() {
    let parent = tempfile::tempdir().unwrap();
    let whole = killed(parent.path()).await;
    let sectors = fs::metadata(whole.join("db/db")).unwrap().len().div_ceil(SECTOR);
    let (mut tried, mut fell_back) = (0, 0);
    for sector in (0..sectors).step_by(step()) {
        let folder = parent.path().join(format!("sector-{sector}"));
        copy(&whole, &folder);
        let file = OpenOptions::new().write(true).open(folder.join("db/db")).unwrap();
        file.write_all_at(&ruined(sector), sector * SECTOR).unwrap();
        println!("sector {sector} of {sectors}");
        tried += 1;
        fell_back += usize::from(survives(&folder).await);
        fs::remove_dir_all(folder).unwrap();
    }
    println!("{tried} of {sectors} sectors: {fell_back} times the export and the journal, else everything");
    assert!(fell_back > 0 && fell_back < tried, "{fell_back} of {tried}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_folder_nothing_was_done_to_has_everything() {
    let parent = tempfile::tempdir().unwrap();
    let whole = killed(parent.path()).await;
    assert!(!survives(&whole).await);
}

fn run(program: &str, arguments: &[&Path]) -> bool {
    Command::new(program).args(arguments).output().is_ok_and(|output| output.status.success())
}

/// Something that is unmounted, also when a test fails.
struct Mounted<'a>(&'a Path);

impl Drop for Mounted<'_> {
    fn drop(&mut self) {
        // sled lets go of its file a little later.
        let is_free = (0..100).any(|_| {
            let is_free = run("umount", &[self.0]);
            if !is_free {
                std::thread::sleep(Duration::from_millis(100));
            }
            is_free
        });
        assert!(is_free || std::thread::panicking(), "it can't be unmounted");
    }
}

/// The kernel itself refuses to read: btrfs does where a block does not agree
/// with its checksum. Where nobody may mount, there is nothing to see.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sector_the_device_cant_read_is_damage_like_any_other() {
    let parent = tempfile::tempdir().unwrap();
    let (image, place) = (parent.path().join("image"), parent.path().join("place"));
    let whole = killed(parent.path()).await;
    fs::create_dir(&place).unwrap();
    fs::File::create(&image).unwrap().set_len(192 << 20).unwrap();
    let made = run("mkfs.btrfs", &["-q".as_ref(), "--rootdir".as_ref(), &whole, &image]);
    if !made || !run("mount", &["-o".as_ref(), "loop".as_ref(), &image, &place]) {
        println!("nothing can be mounted here; not tested");
        return;
    }
    drop(Mounted(&place));
    let log = fs::read(whole.join("db/db")).unwrap();
    let raw = fs::read(&image).unwrap();
    let (mut unread, mut fell_back) = (0, 0);
    for (sector, bytes) in log.chunks_exact(SECTOR as usize).enumerate().step_by(step()) {
        // The short form ends when it has seen both.
        if step() > 1 && unread > fell_back && fell_back > 0 {
            break;
        }
        let at = raw.chunks_exact(SECTOR as usize).position(|block| block == bytes).unwrap() as u64 * SECTOR;
        // Blocks that look alike can't be told apart.
        if holds(&raw[(at + SECTOR) as usize..], &bytes[..64]) {
            continue;
        }
        let device = OpenOptions::new().write(true).open(&image).unwrap();
        device.write_all_at(&[bytes[100] ^ 1], at + 100).unwrap();
        drop(device);
        assert!(run("mount", &["-o".as_ref(), "loop".as_ref(), &image, &place]));
        let mounted = Mounted(&place);
        let mut block = vec![0; SECTOR as usize];
        let file = fs::File::open(place.join("db/db")).unwrap();
        unread += usize::from(file.read_exact_at(&mut block, sector as u64 * SECTOR).is_err());
        drop(file);
        println!("sector {sector} can't be read");
        fell_back += usize::from(survives(&place).await);
        drop(mounted);
        fs::write(&image, &raw).unwrap();
    }
    println!("{unread} sectors that can't be read: {fell_back} times the export and the journal, else everything");
    assert!(unread > 0 && fell_back > 0);
}
