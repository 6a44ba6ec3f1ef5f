//! After deletions the whole device is read: it has no destroyed key and nobody's words.
//!
//! The tests mount an image, for which most machines need root. Otherwise they say so and pass.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::Path;

use annon_contract::limits::REPORT_KEPT;
use annon_store::Kept;
use annon_store::Local;
use annon_store::conversation::{Change, Side};
use annon_store::image::{Album, ImageId};
use annon_store::room::Seq;
use rustix::fs::{IFlags, ioctl_getflags};

use crate::support::files::{commit_log_files, contents, holds, overwritten};
use crate::support::logged::logged;
use crate::support::mounted::{Disk, run};
use crate::support::people::*;
use crate::support::{keys, open, try_open};

const MIB: u64 = 1 << 20;
const IMAGE_MIB: u64 = 300;
const WORDS: &str = "zebra-words-of-a-deleted-note";
const PICTURE: &str = "zebra-stripes-of-a-picture";

/// Which of these parts stand anywhere on the device.
fn found(disk: &Disk, parts: &[Vec<u8>]) -> Vec<usize> {
    const OVERLAP: usize = 64;
    let image = File::open(disk.image()).unwrap();
    let mut found = BTreeSet::new();
    let zeros = vec![0; MIB as usize + OVERLAP];
    let mut piece = zeros.clone();
    for at in (0..IMAGE_MIB).map(|n| n * MIB) {
        let length = image.read_at(&mut piece, at).unwrap();
        let piece = &piece[..length];
        if piece == &zeros[..length] {
            continue;
        }
        let is_there = |(_, part): &(_, &Vec<u8>)| part.len() <= OVERLAP && holds(piece, part);
        found.extend(parts.iter().enumerate().filter(is_there).map(|(number, _)| number));
    }
    found.into_iter().collect()
}

/// People and notes come and go, and messages of a group are taken back and forgotten. Returns all keys that there
/// ever were and the bytes of these messages; then the keys that are left.
async fn live(disk: &Disk, folder: &Path) -> [BTreeSet<Vec<u8>>; 2] {
    let store = open(folder);
    store.accounts().create(zebra()).await.unwrap();
    numbered(store.inbox()).deliver(account_id(1), note_saying(1, WORDS)).await.unwrap();
    for n in 2..30 {
        store.accounts().create(account(n)).await.unwrap();
        numbered(store.inbox()).deliver(account_id(n), note(n)).await.unwrap();
    }
    let pictures: Vec<_> = (1..=3).map(feedback_id).collect();
    for (n, id) in (1..).zip(&pictures) {
        store.images().put(Album::Feedback, ImageId(id.0), PICTURE.repeat(1000).into()).await.unwrap();
        store.feedback().add(feedback(n)).await.unwrap();
    }
    let mut all = keys(folder);
    disk.settle();
    store.images().remove(Album::Feedback, &[ImageId(pictures[0].0)], None).await.unwrap();
    store.feedback().remove(pictures[1]).await.unwrap();
    disk.settle();
    let log = store.room_log();
    store.rooms().create(metadata(1, 7, NOW + 1000), NOW).await.unwrap();
    log.append(room(1), Seq(0), vec![came(1), posted(WORDS)]).await.unwrap();
    log.append(room(1), Seq(2), vec![posted(WORDS)]).await.unwrap();
    all.extend(keys(folder));
    disk.settle();
    let before = contents(folder);
    take_back(&*log, room(1), Seq(3), vec![Seq(2)]).await.unwrap();
    all.extend(overwritten(folder, &before));
    let before = contents(folder);
    log.forget(room(1), Seq(3)).await.unwrap();
    all.extend(overwritten(folder, &before));
    disk.settle();
    all.extend(talk_and_report(disk, &store, folder).await);
    // Each removal makes a new key beside the old ones, and destroys the old one.
    for n in [1, 5, 9] {
        numbered(store.inbox()).remove(account_id(n), note_id(n)).await.unwrap();
        store.sweep(NOW).await.unwrap();
        all.extend(keys(folder));
        disk.settle();
    }
    for n in [1, 7, 20, 21] {
        store.accounts().delete(account_id(n)).await.unwrap();
        disk.settle();
    }
    store.accounts().create(account(40)).await.unwrap();
    all.extend(keys(folder));
    store.close().await.unwrap();
    [all, keys(folder)]
}

/// Of conversations one loses a line and one ends, a public answer is taken down, and a report was closed long ago.
/// Returns the keys before that.
async fn talk_and_report(disk: &Disk, store: &Local, folder: &Path) -> BTreeSet<Vec<u8>> {
    let (conversations, reports) = (store.conversations(), store.reports());
    for n in 2..=3 {
        conversations.begin(account_id(n), arrival(n + 100, NOW), beginning(n)).await.unwrap();
        conversations.change(conversation_id(n), say(Side::Owner, 1), NOW).await.unwrap();
        reports.add(report(n), Vec::new()).await.unwrap();
    }
    let note = store.inbox().page(account_id(4), None, 1, NOW + 1000).await.unwrap().notes.remove(0).id;
    store.answers().publish(account_id(4), note, publishing(4, NOW)).await.unwrap();
    let before = keys(folder);
    disk.settle();
    let unsend = Change::Unsend { from: Side::Owner, line: Seq(1) };
    conversations.change(conversation_id(2), unsend, NOW).await.unwrap();
    conversations.remove(conversation_id(3), NOW).await.unwrap();
    store.answers().take_down(account_id(4), note, NOW).await.unwrap();
    reports.close(report_id(2), NOW - REPORT_KEPT.as_secs()).await.unwrap();
    let swept = store.sweep(NOW).await.unwrap();
    assert_eq!((swept.resealed, swept.reports), (1, 1));
    disk.settle();
    before
}

/// Returns which destroyed keys are still on the device. A control must be found there.
async fn what_is_left(disk: Disk) -> Vec<usize> {
    let control = b"zebra-control-that-must-be-found".to_vec();
    let path = disk.at().join("control");
    fs::write(&path, control.repeat(1 << 17)).unwrap();
    disk.settle();
    fs::remove_file(path).unwrap();
    let [all, left] = live(&disk, &disk.at().join("data")).await;
    disk.settle();
    disk.unmount();
    let gone: Vec<_> = all.difference(&left).cloned().collect();
    assert_eq!(
        gone.len(),
        3 + 4 * 2 + 1 + 1 + 2 + 2 + 4,
        "three moves, four accounts with an inbox each, a group, a picture, another with its feedback, two messages; \
         a line, a conversation, an answer and a report"
    );
    let there: Vec<_> = left.into_iter().collect();
    assert_eq!(found(&disk, &there).len(), there.len(), "keys that are in use are where they are looked for");
    assert_eq!(found(&disk, &[control]), [0], "what was only unlinked is still there");
    let words: Vec<_> = [WORDS, PICTURE, "zebra-line", "zebra-answer", "what was said"]
        .iter()
        .chain(&ZEBRA)
        .map(|words| words.as_bytes().to_vec())
        .collect();
    assert_eq!(found(&disk, &words), [0; 0], "no word was ever written");
    found(&disk, &gone)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_ext4_no_destroyed_key_is_left_on_the_device() {
    let Some(disk) = Disk::of("ext4", IMAGE_MIB) else { return };
    assert_eq!(what_is_left(disk).await, [0; 0]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_btrfs_no_destroyed_key_is_left_on_the_device() {
    let Some(disk) = Disk::of("btrfs", IMAGE_MIB) else { return };
    assert_eq!(what_is_left(disk).await, [0; 0]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_btrfs_an_older_file_of_keys_is_overwritten_in_place_from_then_on() {
    let Some(disk) = Disk::of("btrfs", IMAGE_MIB) else { return };
    let folder = disk.at().join("data");
    let store = open(&folder);
    store.accounts().create(account(1)).await.unwrap();
    store.close().await.unwrap();
    let path = folder.join("keys");
    let is_nocow = |path: &Path| ioctl_getflags(File::open(path).unwrap()).unwrap().contains(IFlags::NOCOW);
    let in_place = || is_nocow(&path);
    assert!(in_place() && commit_log_files(&folder).iter().all(|file| is_nocow(file)));
    let bytes = fs::read(&path).unwrap();
    fs::remove_file(&path).unwrap();
    fs::write(&path, &bytes).unwrap();
    assert!(!in_place());
    let (store, lines) = logged(|| open(&folder));
    assert!(lines.contains("may still be on the device"), "{lines}");
    assert!(in_place() && fs::read(&path).unwrap() == bytes);
    assert_eq!(store.accounts().by_id(account_id(1)).await.unwrap(), Some(account(1)));
    store.close().await.unwrap();
    let (_store, lines) = logged(|| open(&folder));
    assert!(!lines.contains("may still be on the device") && lines.contains("a snapshot keeps"), "{lines}");
}

#[test]
fn a_start_where_deleted_may_not_be_gone_says_so() {
    let parent = tempfile::tempdir().unwrap();
    let [lower, upper, work, merged] = ["lower", "upper", "work", "merged"].map(|name| parent.path().join(name));
    [&lower, &upper, &work, &merged].iter().for_each(|path| fs::create_dir(path).unwrap());
    let layers = format!("lowerdir={},upperdir={},workdir={}", lower.display(), upper.display(), work.display());
    let at = merged.display().to_string();
    if let Err(why) = run("mount", &["-t", "overlay", "overlay", "-o", &layers, &at]) {
        println!("this machine mounts no overlay, and the test looks at nothing: {why}");
        return;
    }
    let (opened, lines) = logged(|| try_open(&merged.join("data")).map(drop));
    // Another thread may be about to close a file, so the unmount is lazy.
    run("umount", &["-l", &at]).unwrap();
    opened.unwrap();
    assert!(lines.contains(" WARN ") && lines.contains("DELETED MAY NOT BE GONE HERE"), "{lines}");
    let (_, lines) = logged(|| open(&parent.path().join("data")));
    assert!(!lines.contains("WARN"), "{lines}");
}
