//! Folders that something has happened to: what can be mended is mended,
//! what can't is replaced by the last export, and where there is none the
//! store refuses and leaves every file as it was.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking"
)]

mod support;

use std::fs::{self, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use annon_store::{OpenError, Store, StoreError};
use support::files::{Contents, contents, copy, differences};
use support::people::*;
use support::{open, try_open};

const PEOPLE: u64 = 60;
const NOTES: u64 = 40;

async fn each<F: Future<Output = ()> + Send + 'static>(numbers: std::ops::Range<u64>, deed: impl Fn(u64) -> F) {
    let tasks: Vec<_> = numbers.map(|n| tokio::spawn(deed(n))).collect();
    for task in tasks {
        task.await.unwrap();
    }
}

/// People with notes, over several starts, so that there are snapshots.
async fn fill(folder: &Path) {
    for round in 0..3 {
        let store = Arc::new(open(folder));
        let numbers = round * PEOPLE / 3..(round + 1) * PEOPLE / 3;
        each(numbers, |n| {
            let store = store.clone();
            async move {
                store.accounts().create(account(n)).await.unwrap();
                for at in 0..NOTES {
                    numbered(store.inbox()).deliver(account_id(n), note(n * NOTES + at)).await.unwrap();
                }
                numbered(store.inbox()).mark_seen(account_id(n), note_id(n * NOTES)).await.unwrap();
            }
        })
        .await;
        store.feedback().add(feedback(round)).await.unwrap();
        Arc::into_inner(store).unwrap().close().await.unwrap();
    }
}

async fn is_whole(store: &Store, numbers: impl IntoIterator<Item = u64>) {
    let numbers: Vec<_> = numbers.into_iter().collect();
    let accounts = store.accounts().list(None, usize::MAX).await.unwrap();
    assert_eq!(accounts.iter().map(|account| account.id).collect::<Vec<_>>(), ids(&numbers));
    for n in numbers {
        assert_eq!(store.accounts().by_username(&name_of(n)).await.unwrap().unwrap(), account(n));
        let page = numbered(store.inbox()).page(account_id(n), None, 1000).await.unwrap();
        assert_eq!((page.notes.len() as u64, u64::from(page.unread)), (NOTES, NOTES - 1));
    }
}

fn ids(numbers: &[u64]) -> Vec<annon_store::account::AccountId> {
    numbers.iter().map(|&n| account_id(n)).collect()
}

fn snapshots(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder.join("db")).unwrap().map(|entry| entry.unwrap().path());
    paths.filter(|path| path.file_name().unwrap().to_str().unwrap().starts_with("snap.")).collect()
}

/// Bytes nobody has written.
fn noise(length: usize) -> Vec<u8> {
    let mut seed = 7_u32;
    let next = std::iter::repeat_with(|| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 24) as u8
    });
    next.take(length).collect()
}

fn database(folder: &Path) -> Contents {
    let path = folder.join("db");
    if path.exists() { contents(&path) } else { Contents::new() }
}

fn log(folder: &Path) -> fs::File {
    OpenOptions::new().write(true).open(folder.join("db/db")).unwrap()
}

fn log_length(folder: &Path) -> u64 {
    fs::metadata(folder.join("db/db")).unwrap().len()
}

/// Something that happens to a folder, by its name.
type Mishap = (&'static str, fn(&Path));

/// What can happen to a database so that it is beyond repair.
const RUIN: &[Mishap] = &[
    ("all noise", |folder| log(folder).write_all_at(&noise(log_length(folder) as usize), 0).unwrap()),
    ("all zeros", |folder| {
        let length = log_length(folder);
        log(folder).set_len(0).unwrap();
        log(folder).set_len(length).unwrap();
    }),
    ("cut in half", |folder| log(folder).set_len(log_length(folder) / 2).unwrap()),
    ("cut within a segment", |folder| log(folder).set_len(log_length(folder) / 2 + 100_001).unwrap()),
    ("cut to a few bytes", |folder| log(folder).set_len(100).unwrap()),
    ("emptied", |folder| log(folder).set_len(0).unwrap()),
    ("removed", |folder| fs::remove_file(folder.join("db/db")).unwrap()),
    ("removed as a whole", |folder| fs::remove_dir_all(folder.join("db")).unwrap()),
    ("noise at the end", |folder| {
        let length = log_length(folder);
        log(folder).write_all_at(&noise(700_000), length - 700_000).unwrap();
    }),
    ("noise in all files", |folder| {
        for path in snapshots(folder).into_iter().chain([folder.join("db/db"), folder.join("db/conf")]) {
            let length = fs::metadata(&path).unwrap().len() as usize;
            fs::write(path, noise(length)).unwrap();
        }
    }),
    ("noise without a snapshot", |folder| {
        snapshots(folder).into_iter().for_each(|path| fs::remove_file(path).unwrap());
        log(folder).write_all_at(&noise(log_length(folder) as usize), 0).unwrap();
    }),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_snapshot_that_was_never_finished_does_not_stop_an_open() {
    let parent = tempfile::tempdir().unwrap();
    fill(parent.path()).await;
    let path = parent.path().join("db/snap.00000000DEADBEEF.generating");
    fs::write(&path, noise(1000)).unwrap();
    let store = open(parent.path());
    is_whole(&store, 0..PEOPLE).await;
    assert!(!path.exists());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_damaged_snapshot_is_survived_with_everything() {
    let parent = tempfile::tempdir().unwrap();
    fill(parent.path()).await;
    let damages: [fn(usize) -> Vec<u8>; 4] = [|_| Vec::new(), |_| noise(5), noise, |length| vec![0; length]];
    for damage in damages {
        let found = snapshots(parent.path());
        assert!(!found.is_empty(), "there is one to damage");
        for path in found {
            let length = fs::metadata(&path).unwrap().len() as usize;
            fs::write(path, damage(length)).unwrap();
        }
        let store = open(parent.path());
        is_whole(&store, 0..PEOPLE).await;
        store.close().await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn damaged_settings_are_written_anew() {
    let parent = tempfile::tempdir().unwrap();
    fill(parent.path()).await;
    let path = parent.path().join("db/conf");
    let settings = fs::read(&path).unwrap();
    let mut flipped = settings.clone();
    flipped[15] ^= 1;
    for damage in [noise(60), noise(3), Vec::new(), flipped] {
        fs::write(&path, damage).unwrap();
        let store = open(parent.path());
        is_whole(&store, 0..PEOPLE).await;
        store.close().await.unwrap();
        assert_eq!(fs::read(&path).unwrap(), settings);
    }
}

/// Where the log's end is damaged, finding that out takes an attempt that
/// blanks segments nothing refers to any more. Everything else must be as it
/// was, down to the byte.
const FOUND_OUT_BY_OPENING: &str = "noise at the end";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_an_export_a_ruined_database_is_refused_and_left_as_it_was() {
    let parent = tempfile::tempdir().unwrap();
    let whole = parent.path().join("whole");
    fill(&whole).await;
    for (at, (name, ruin)) in RUIN.iter().enumerate() {
        let folder = parent.path().join(at.to_string());
        copy(&whole, &folder);
        ruin(&folder);
        let ruined = contents(&folder);
        for attempt in 1..=2 {
            let error = try_open(&folder).err().unwrap_or_else(|| panic!("{name}: it opened"));
            assert!(matches!(error, OpenError::Damaged { .. }), "{name}: {error}");
            assert!(error.to_string().contains("Nothing was changed"), "{error}");
            let mut found = differences(&ruined, &contents(&folder));
            if *name == FOUND_OUT_BY_OPENING {
                found.retain(|difference| !difference.starts_with("db/db "));
            }
            assert!(found.is_empty(), "{name}, attempt {attempt}: {found:?} ({error})");
        }
        // If the damage is undone, everything else is still there.
        take_back(&contents(&whole), &ruined, &folder);
        let store = try_open(&folder).unwrap_or_else(|error| panic!("{name}: {error}"));
        is_whole(&store, 0..PEOPLE).await;
    }
}

/// Puts the bytes that were ruined, and no others, back.
fn take_back(whole: &Contents, ruined: &Contents, folder: &Path) {
    for (name, good) in whole {
        let bad = ruined.get(name).map_or(&[][..], |bytes| bytes);
        let path = folder.join(name);
        let mut now = fs::read(&path).unwrap_or_default();
        now.resize(good.len(), 0);
        for (at, byte) in good.iter().enumerate().filter(|(at, byte)| bad.get(*at) != Some(*byte)) {
            now[at] = *byte;
        }
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, now).unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_ruined_database_is_replaced_by_the_last_export() {
    let parent = tempfile::tempdir().unwrap();
    let whole = parent.path().join("whole");
    fill(&whole).await;
    let store = Arc::new(open(&whole));
    store.accounts().begin_reset(account_id(3), digest(1), NOW + 1000).await.unwrap();
    store.accounts().revoke(account_id(4), token(1), NOW + 1000, NOW).await.unwrap();
    let exporting = store.clone();
    tokio::task::spawn_blocking(move || exporting.export()).await.unwrap().unwrap();
    // What comes after the export is lost, but for what was deleted.
    store.accounts().delete(account_id(0)).await.unwrap();
    numbered(store.inbox()).remove(account_id(1), note_id(NOTES)).await.unwrap();
    store.feedback().remove(feedback_id(1)).await.unwrap();
    store.accounts().create(account(PEOPLE)).await.unwrap();
    store.accounts().change_password(account_id(2), hash(99), None).await.unwrap();
    assert_eq!(store.sweep(NOW).await.unwrap().resealed, 1);
    Arc::into_inner(store).unwrap().close().await.unwrap();

    for (at, (name, ruin)) in RUIN.iter().enumerate() {
        let folder = parent.path().join(at.to_string());
        copy(&whole, &folder);
        ruin(&folder);
        let ruined = database(&folder);
        let store = try_open(&folder).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut found = differences(&ruined, &contents(&folder.join("db.broken")));
        if *name == FOUND_OUT_BY_OPENING {
            found.retain(|difference| !difference.starts_with("db "));
        }
        assert!(found.is_empty(), "{name}: the ruin is set aside as it was: {found:?}");
        assert_eq!(store.accounts().by_id(account_id(1)).await.unwrap(), Some(account(1)), "{name}");
        let page = numbered(store.inbox()).page(account_id(1), None, 1000).await.unwrap();
        assert_eq!((page.notes, page.unread), (vec![], 0), "{name}: the price of having deleted one of them");
        assert_eq!(numbered(store.inbox()).deliver(account_id(1), note(1)).await, Ok(1), "{name}");
        store.accounts().delete(account_id(1)).await.unwrap();
        is_whole(&store, 2..PEOPLE).await;

        let (accounts, inbox) = (store.accounts(), numbered(store.inbox()));
        assert_eq!(accounts.by_username(&name_of(0)).await.unwrap(), None, "{name}: deleted is deleted");
        accounts.create(annon_store::account::Account { username: name_of(0), ..account(900) }).await.unwrap();
        assert_eq!(inbox.deliver(account_id(0), note(1)).await, Err(StoreError::NotFound));
        assert_eq!(store.feedback().by_id(feedback_id(1)).await.unwrap(), None);
        assert_eq!(store.feedback().page(None, 10).await.unwrap(), [feedback(2), feedback(0)]);
        assert_eq!(accounts.pending_reset(digest(1), NOW).await.unwrap(), None, "a link may have been used since");
        let access = accounts.access(account_id(2)).await.unwrap().unwrap();
        assert!((0..100).all(|version| !access.admits(token(2), version)), "everybody signs in anew");
        drop((accounts, inbox));
        store.sweep_after_start(NOW).await.unwrap();
        store.close().await.unwrap();
        let store = open(&folder);
        assert_eq!(store.accounts().list(None, usize::MAX).await.unwrap().len() as u64, PEOPLE - 1);
        store.close().await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_folder_that_has_lost_keys_or_its_secret_is_refused_and_left_as_it_was() {
    let parent = tempfile::tempdir().unwrap();
    let whole = parent.path().join("whole");
    fill(&whole).await;
    let losses: &[Mishap] = &[
        ("no keys", |folder| fs::remove_file(folder.join("keys")).unwrap()),
        ("empty keys", |folder| fs::write(folder.join("keys"), "").unwrap()),
        ("keys cut short", |folder| {
            let keys = fs::read(folder.join("keys")).unwrap();
            fs::write(folder.join("keys"), &keys[..keys.len() - 64]).unwrap();
        }),
        ("noise for keys", |folder| fs::write(folder.join("keys"), noise(64 * 200)).unwrap()),
        ("no secret", |folder| fs::remove_file(folder.join("secret")).unwrap()),
        ("a secret cut short", |folder| fs::write(folder.join("secret"), noise(31)).unwrap()),
        ("no keys and no database", |folder| {
            fs::remove_file(folder.join("keys")).unwrap();
            fs::remove_dir_all(folder.join("db")).unwrap();
        }),
    ];
    for (at, (name, lose)) in losses.iter().enumerate() {
        let folder = parent.path().join(at.to_string());
        copy(&whole, &folder);
        lose(&folder);
        let before = contents(&folder);
        let error = try_open(&folder).err().unwrap_or_else(|| panic!("{name}: it opened"));
        assert!(matches!(error, OpenError::Missing(_) | OpenError::Io { .. }), "{name}: {error}");
        let found = differences(&before, &contents(&folder));
        assert!(found.is_empty(), "{name}: {found:?}");
    }
}

/// What somebody gets who copies the folder while it is in use.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_is_older_than_its_mark_is_opened_when_the_mark_is_removed() {
    let parent = tempfile::tempdir().unwrap();
    fill(parent.path()).await;
    let (database, older) = (parent.path().join("db"), parent.path().join("older"));
    copy(&database, &older);
    let store = open(parent.path());
    store.accounts().create(account(PEOPLE)).await.unwrap();
    store.close().await.unwrap();
    fs::remove_dir_all(&database).unwrap();
    fs::rename(older, &database).unwrap();
    let error = try_open(parent.path()).err().unwrap().to_string();
    assert!(error.contains("there were") && error.contains("without the file «mark»"), "{error}");
    fs::remove_file(parent.path().join("mark")).unwrap();
    let store = open(parent.path());
    is_whole(&store, 0..PEOPLE).await;
    assert_eq!(store.sweep_after_start(NOW).await.unwrap().keys, 1, "of the account that was lost");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_folder_in_use_is_refused_while_anybody_has_any_part_of_it() {
    let parent = tempfile::tempdir().unwrap();
    let store = open(parent.path());
    let inbox = numbered(store.inbox());
    assert!(matches!(try_open(parent.path()), Err(OpenError::Locked(_))));
    store.close().await.unwrap();
    assert!(matches!(try_open(parent.path()), Err(OpenError::Locked(_))), "its inbox is still held");
    assert_eq!(inbox.deliver(account_id(1), note(1)).await, Err(StoreError::Unavailable));
    drop(inbox);
    open(parent.path());
}
