//! Pictures on the disk: sealed, deleted, damaged, too many, or interrupted by a crash.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use annon_contract::limits::{ACCOUNT_PICTURE_BYTES, ROOM_PICTURE_BYTES};
use annon_store::Kept;
use annon_store::image::{Album, ImageId};
use annon_store::room::{Millis, RoomEvent, SeatNumber, Seq};
use annon_store::room_log::Erasure;
use annon_store::{Local, Options, Progress, StoreError, restore};
use tokio::runtime::Handle;
use uuid::Uuid;

use crate::support::files::{contents, copy, holds};
use crate::support::logged::logged;
use crate::support::people::*;
use crate::support::{back_up, commits_of, keys_of, open, open_with, options};

/// Bytes that begin like a JPEG, with a mark to look for.
fn jpeg(n: u128) -> Vec<u8> {
    [b"\xff\xd8\xff\xe0zebra-", format!("{n:04}-stripes").repeat(300).as_bytes()].concat()
}

/// Whether any file of the folder has any part of a picture.
fn is_readable_in(folder: &Path, n: u128) -> bool {
    let mark = format!("{n:04}-stripes");
    contents(folder).values().any(|bytes| holds(bytes, mark.as_bytes()))
}

fn file(folder: &Path, album: u128, n: u128) -> PathBuf {
    folder.join("images").join(Uuid::from_u128(album).to_string()).join(format!("{}.sealed", Uuid::from_u128(n)))
}

/// The keys of pictures are of kind 5 or 6.
fn picture_keys(folder: &Path) -> BTreeSet<Vec<u8>> {
    keys_of(folder, 5..=6)
}

async fn make_room(store: &Local, owner: u64, n: u128) {
    // The room ends later than the modification time of any file.
    store.rooms().create(metadata(n, owner, 2 * NOW), NOW).await.unwrap();
}

async fn with_pictures(folder: &Path) -> Local {
    let store = open(folder);
    store.accounts().create(account(1)).await.unwrap();
    make_room(&store, 1, 7).await;
    for n in 1..=3 {
        store.images().put(album(7), image(n), jpeg(n)).await.unwrap();
    }
    store
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_picture_can_be_read_off_the_disk_and_each_dies_alone() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path();
    let store = with_pictures(folder).await;
    assert!((1..=3).all(|n| !is_readable_in(folder, n)), "also while they are not deleted");
    assert_eq!(picture_keys(folder).len(), 3);
    let (all, before) = (picture_keys(folder), fs::read(file(folder, 7, 1)).unwrap());

    store.images().remove(album(7), &[image(1)], None).await.unwrap();
    assert_eq!(picture_keys(folder).len(), 2);
    let gone: Vec<_> = all.difference(&picture_keys(folder)).cloned().collect();
    assert!(!contents(folder).values().any(|bytes| holds(bytes, &gone[0])), "its key stands in no file");
    // Somebody puts back a sealed file that they recovered from the raw disk.
    fs::write(file(folder, 7, 1), before).unwrap();
    assert_eq!(store.images().read(album(7), image(1)).await, Ok(None));
    for n in 2..=3 {
        assert_eq!(store.images().read(album(7), image(n)).await, Ok(Some(jpeg(n))));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pictures_die_in_the_same_commit_as_their_room_and_their_account() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path();
    let store = with_pictures(folder).await;
    make_room(&store, 1, 8).await;
    store.images().put(album(8), image(4), jpeg(4)).await.unwrap();
    let commits = commits_of(&store);
    store.rooms().remove(room(7)).await.unwrap();
    assert_eq!(commits_of(&store), commits + 1);
    assert_eq!(picture_keys(folder).len(), 1, "that of the other room");
    assert_eq!(store.images().read(album(7), image(2)).await, Ok(None));
    store.accounts().delete(account_id(1)).await.unwrap();
    assert_eq!(picture_keys(folder).len(), 0);
    store.sweep(NOW).await.unwrap();
    assert!(!file(folder, 7, 2).exists() && !file(folder, 8, 4).exists(), "the files go with the next sweep");
    assert_eq!(store.figures().picture_bytes.unwrap(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pictures_that_are_taken_back_die_with_the_event_or_at_the_next_start() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("data");
    let store = with_pictures(&folder).await;
    let (before, file_before) = (fs::read(folder.join("keys")).unwrap(), fs::read(file(&folder, 7, 1)).unwrap());
    let event = RoomEvent::Retracted { seat: SeatNumber(1), message: Seq(1), at: Millis(1) };
    let erased = Erasure { messages: vec![Seq(1)], pictures: vec![image(1), image(2)] };
    let commits = commits_of(&store);
    store.room_log().append_and_erase(room(7), Seq(0), vec![event], erased).await.unwrap();
    assert_eq!(commits_of(&store), commits + 1);
    assert_eq!(picture_keys(&folder).len(), 1);
    assert!(!file(&folder, 7, 1).exists() && !file(&folder, 7, 2).exists() && file(&folder, 7, 3).exists());

    // The process was killed when the frame was on disk, and no key was overwritten yet.
    let killed = parent.path().join("killed");
    copy(&folder, &killed);
    fs::write(killed.join("keys"), before).unwrap();
    fs::write(file(&killed, 7, 1), file_before).unwrap();
    assert_eq!(picture_keys(&killed).len(), 3);
    let again = open(&killed);
    assert_eq!(picture_keys(&killed).len(), 1, "before anybody asks for one");
    for store in [store, again] {
        for _ in 0..2 {
            assert_eq!(store.images().read(album(7), image(1)).await, Ok(None));
            assert_eq!(store.images().read(album(7), image(3)).await, Ok(Some(jpeg(3))));
            store.sweep_after_start(NOW).await.unwrap();
        }
        let commits = commits_of(&store);
        store.sweep(NOW).await.unwrap();
        assert_eq!(commits_of(&store), commits, "nothing is left to do");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_picture_that_was_moved_damaged_cut_or_lost_does_not_open() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path();
    let store = with_pictures(folder).await;
    let [one, two] = [1, 2].map(|n| fs::read(file(folder, 7, n)).unwrap());
    let mut flipped = one.clone();
    flipped[one.len() / 2] ^= 1;
    for (what, bytes) in
        [("moved", Some(&*two)), ("damaged", Some(&flipped)), ("cut", Some(&one[..20])), ("lost", None)]
    {
        match bytes {
            Some(bytes) => fs::write(file(folder, 7, 1), bytes).unwrap(),
            None => fs::remove_file(file(folder, 7, 1)).unwrap(),
        }
        assert_eq!(store.images().read(album(7), image(1)).await, Err(StoreError::Corrupt), "{what}");
    }
    assert_eq!(store.images().read(album(7), image(2)).await, Ok(Some(jpeg(2))), "and no other's");
}

fn written(path: &Path) -> u64 {
    let changed = fs::metadata(path).unwrap().modified().unwrap();
    changed.duration_since(std::time::UNIX_EPOCH).unwrap().as_secs()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pictures_of_nothing_that_is_there_are_cleared_away_when_they_are_old() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path();
    let store = with_pictures(folder).await;
    store.feedback().add(feedback(2)).await.unwrap();
    let (kept, lost) = (ImageId(feedback_id(2).0), ImageId(feedback_id(9).0));
    for (of, picture) in [(Album::Feedback, kept), (Album::Feedback, lost), (album(8), image(4))] {
        store.images().put(of, picture, jpeg(4)).await.unwrap();
    }
    let sent = written(&file(folder, 8, 4));
    let alone = store.images().list(album(8)).await.unwrap();
    let bytes = jpeg(4).len();
    assert!(matches!(alone[..], [it] if it.id == image(4) && it.since.abs_diff(sent) <= 1 && it.bytes == bytes));
    assert_eq!(store.sweep(sent + 500).await.unwrap().pictures, 0, "what it belongs to may be on the way");
    assert_eq!(store.sweep(sent + 700).await.unwrap().pictures, 2);
    assert_eq!(store.images().list(album(8)).await.unwrap(), []);
    assert_eq!(store.images().read(Album::Feedback, lost).await.unwrap(), None);
    assert!(store.images().read(Album::Feedback, kept).await.unwrap().is_some());
    assert_eq!(picture_keys(folder).len(), 4, "of what is kept");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_crash_leaves_of_a_picture_is_cleared_away_when_it_is_old() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path();
    let store = with_pictures(folder).await;
    // A file without its key, as after a crash between the two writes.
    fs::copy(file(folder, 7, 1), file(folder, 7, 4)).unwrap();
    fs::write(file(folder, 7, 5).with_extension("sealed.part"), "half").unwrap();
    // A key without its file.
    fs::remove_file(file(folder, 7, 3)).unwrap();
    store.close().await.unwrap();

    let store = open(folder);
    assert!(!file(folder, 7, 5).with_extension("sealed.part").exists());
    let sent = written(&file(folder, 7, 4));
    store.sweep_after_start(sent + 500).await.unwrap();
    assert!(file(folder, 7, 4).exists(), "it may be on its way");
    assert_eq!(picture_keys(folder).len(), 2);
    store.sweep(sent + 700).await.unwrap();
    assert!(!file(folder, 7, 4).exists());
    let kept = store.images().list(album(7)).await.unwrap();
    assert_eq!(kept.iter().map(|kept| kept.id.0.as_u128()).collect::<BTreeSet<_>>(), BTreeSet::from([1, 2]));
    assert_eq!(
        store.figures().picture_bytes.unwrap(),
        [1, 2].map(|n| fs::metadata(file(folder, 7, n)).unwrap().len()).iter().sum::<u64>()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pictures_that_are_missing_at_a_start_are_logged_once() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path();
    let store = with_pictures(folder).await;
    store.images().remove(album(7), &[image(2)], None).await.unwrap();
    store.close().await.unwrap();
    fs::remove_file(file(folder, 7, 1)).unwrap();
    let (store, lines) = logged(|| open(folder));
    assert!(lines.contains("pictures are missing") && lines.contains("pictures=1"), "{lines}");
    assert_eq!(store.findings(), ["images: the files of 1 pictures are missing"]);
    store.sweep_after_start(NOW).await.unwrap();
    let (read, lines) =
        logged(|| tokio::task::block_in_place(|| Handle::current().block_on(store.images().read(album(7), image(1)))));
    assert_eq!((read, &*lines), (Ok(None), ""), "no line for each request");
    store.close().await.unwrap();
    let (store, lines) = logged(|| open(folder));
    assert!(!lines.contains("pictures are missing") && store.findings().is_empty(), "{lines}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_folder_of_pictures_that_is_not_there_costs_no_key() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path();
    let store = with_pictures(folder).await;
    store.close().await.unwrap();
    // The folder is missing, as when its disk was not mounted in time.
    fs::rename(folder.join("images"), folder.join("elsewhere")).unwrap();
    let store = open(folder);
    store.sweep_after_start(NOW).await.unwrap();
    store.close().await.unwrap();
    fs::remove_dir(folder.join("images")).unwrap();
    fs::rename(folder.join("elsewhere"), folder.join("images")).unwrap();
    assert_eq!(open(folder).images().read(album(7), image(2)).await, Ok(Some(jpeg(2))));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_holds_pictures_sealed_and_their_keys_and_an_export_neither() {
    let parent = tempfile::tempdir().unwrap();
    let (folder, to) = (parent.path().join("data"), parent.path().join("restored"));
    let backup = parent.path().join("backup");
    let store = with_pictures(&folder).await;
    back_up(&store, &backup).await;
    store.export().unwrap();
    let (bytes, export) = (fs::read(&backup).unwrap(), fs::read(folder.join("export/last")).unwrap());
    assert!(!holds(&bytes, b"-stripes"));
    let sealed = fs::read(file(&folder, 7, 1)).unwrap();
    assert!(holds(&bytes, &sealed) && !holds(&export, &sealed));
    assert!(picture_keys(&folder).iter().all(|key| holds(&bytes, key) && !holds(&export, key)));

    assert_eq!(restore(&backup, &to, &Progress::default()).unwrap().pictures, 3);
    let copy = open(&to);
    for n in 1..=3 {
        assert_eq!(copy.images().read(album(7), image(n)).await, Ok(Some(jpeg(n))));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_one_creator_and_what_all_may_store_is_bounded() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path();
    let store = with_pictures(folder).await;
    let used = store.figures().picture_bytes.unwrap();
    store.close().await.unwrap();

    let most = used + 1000;
    let limited = Options { picture_bytes: Some(most), ..options(folder) };
    let store = open_with(&limited);
    assert_eq!(store.images().put(Album::Feedback, image(9), vec![0; 1001]).await, Err(StoreError::DiskFull));
    assert_eq!(store.images().put(album(7), image(9), vec![0; 1001]).await, Err(StoreError::DiskFull));
    assert!(!file(folder, 7, 9).exists());
    store.images().put(album(7), image(9), vec![0; 900]).await.unwrap();
    assert_eq!(store.images().put(album(7), image(10), vec![0; 100]).await, Err(StoreError::DiskFull));
    store.images().remove(album(7), &[image(9)], None).await.unwrap();
    store.images().put(album(7), image(10), vec![0; 100]).await.unwrap();
    store.close().await.unwrap();

    // Sparse files that count as much as full rooms.
    let rooms = ACCOUNT_PICTURE_BYTES / ROOM_PICTURE_BYTES as u64;
    for n in 0..rooms {
        fs::create_dir_all(file(folder, 100 + u128::from(n), 1).parent().unwrap()).unwrap();
        fs::File::create(file(folder, 100 + u128::from(n), 1)).unwrap().set_len(ROOM_PICTURE_BYTES as u64).unwrap();
    }
    let store = open_with(&Options { picture_bytes: Some(u64::MAX), ..options(folder) });
    for n in 0..rooms {
        make_room(&store, 1, 100 + u128::from(n)).await;
    }
    assert_eq!(store.images().put(album(7), image(20), jpeg(1)).await, Err(StoreError::Full), "in all their groups");
    store.accounts().create(account(2)).await.unwrap();
    make_room(&store, 2, 8).await;
    store.images().put(album(8), image(20), jpeg(1)).await.unwrap();
}
