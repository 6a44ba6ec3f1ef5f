//! Bits flipped in the small files that nothing can replace: everything reads
//! as before, or the start says what is lost and what to do. Never silence.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking"
)]

mod support;

use std::fs;
use std::path::Path;
use std::sync::Arc;

use annon_store::image::{Album, ImageId};
use annon_store::room::{RoomCard, RoomId, RoomName};
use annon_store::{OpenError, Options, Store, StoreError};
use support::files::{contents, copy, differences, holds};
use support::people::*;
use support::said::said;
use support::{SLOT, options, slots};
use uuid::Uuid;

const ROOM: RoomId = RoomId(Uuid::from_u128(0x300));

fn open(folder: &Path) -> Result<Store, OpenError> {
    Store::open(&Options { sync: false, ..options(folder) })
}

/// Two people with a note each, a group, some feedback; and an export that is
/// older than all of them but the first.
async fn fill(folder: &Path) {
    let store = Arc::new(open(folder).unwrap());
    store.accounts().create(account(1)).await.unwrap();
    let exporting = store.clone();
    tokio::task::spawn_blocking(move || exporting.export()).await.unwrap().unwrap();
    store.accounts().create(account(2)).await.unwrap();
    for n in [1, 2] {
        numbered(store.inbox()).deliver(account_id(n), note(n)).await.unwrap();
    }
    let (name, creator) = (RoomName::try_from("tacos").unwrap(), "some-body".to_owned().try_into().unwrap());
    let card = RoomCard { id: ROOM, name, owner: account_id(1), creator, created: NOW, expires: NOW + 1000 };
    store.rooms().create(card, NOW).await.unwrap();
    store.feedback().add(feedback(1)).await.unwrap();
    // So many commits that the mark, a bit off, is never behind them.
    for n in 10..40 {
        numbered(store.inbox()).deliver(account_id(1), note(n)).await.unwrap();
    }
    Arc::into_inner(store).unwrap().close().await.unwrap();
}

/// What of all that can't be read.
async fn missing(store: &Store) -> Vec<&'static str> {
    let mut missing = Vec::new();
    let mut expect = |is_there: bool, what| missing.extend((!is_there).then_some(what));
    for (n, notes) in [(1, 31), (2, 1)] {
        let found = store.accounts().by_username(&name_of(n)).await;
        expect(found == Ok(Some(account(n))), "account");
        let page = numbered(store.inbox()).page(account_id(n), None, 100).await.unwrap();
        expect(page.notes.len() == notes && page.notes.contains(&note(n)), "inbox");
    }
    expect(matches!(store.rooms().by_id(ROOM).await, Ok(Some(_))), "group");
    expect(store.feedback().page(None, 10).await.unwrap() == [feedback(1)], "piece of feedback");
    missing
}

/// What a start said that came to nothing, and what it has changed.
#[derive(Debug)]
struct Refusal {
    why: String,
    changed: Vec<String>,
}

/// A folder with one file changed, started twice: what happens, the first time
/// and from then on.
async fn start(whole: &Path, folder: &Path, file: &str, bytes: &[u8]) -> Result<(Vec<&'static str>, String), Refusal> {
    copy(whole, folder);
    fs::write(folder.join(file), bytes).unwrap();
    let before = contents(folder);
    let (opened, lines) = said(|| open(folder));
    let outcome = match opened {
        Ok(store) => {
            let lost = missing(&store).await;
            store.close().await.unwrap();
            let (again, more) = said(|| open(folder).unwrap());
            assert_eq!(missing(&again).await, lost, "{lines}");
            again.close().await.unwrap();
            let says_so = |lines: &str| lines.contains("are damaged");
            assert_eq!(says_so(&lines), says_so(&more), "it is said at each start\n{lines}\n{more}");
            Ok((lost, lines))
        }
        Err(error) => Err(Refusal { why: error.to_string(), changed: differences(&before, &contents(folder)) }),
    };
    fs::remove_dir_all(folder).unwrap();
    outcome
}

fn flipped(bytes: &[u8], at: usize, bits: u8) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[at] ^= bits;
    bytes
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flipped_bit_costs_nothing_wherever_it_is() {
    let parent = tempfile::tempdir().unwrap();
    let (whole, folder) = (parent.path().join("whole"), parent.path().join("folder"));
    fill(&whole).await;
    for (file, used) in [("keys", 8 * SLOT), ("secret", 36), ("mark", 20)] {
        let bytes = fs::read(whole.join(file)).unwrap();
        assert!(bytes.len() >= used && (file == "keys" || bytes.len() == used));
        for at in 0..used {
            let damaged = flipped(&bytes, at, 1 << (at % 8));
            let (lost, lines) = start(&whole, &folder, file, &damaged).await.unwrap();
            assert!(lost.is_empty(), "{file}, byte {at}: {lost:?}\n{lines}");
            assert!(!lines.contains("last export"), "{file}, byte {at}: {lines}");
            let is_free = file == "keys" && at >= 7 * SLOT;
            assert!(lines.contains("put right") || file == "mark" || is_free, "{file}, byte {at}: {lines}");
            assert!(file != "mark" || lines.contains("«mark» is damaged"), "byte {at}: {lines}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn several_flipped_bits_are_named_with_what_they_cost() {
    let parent = tempfile::tempdir().unwrap();
    let (whole, folder) = (parent.path().join("whole"), parent.path().join("folder"));
    fill(&whole).await;
    let keys = fs::read(whole.join("keys")).unwrap();
    let owners: Vec<_> = slots(&keys).map(|slot| slot[0]).take_while(|kind| *kind != 0).collect();
    assert_eq!(owners.len(), 6, "two accounts, two inboxes, a group, some feedback");
    for (slot, kind) in (1..).zip(owners) {
        let what = ["", "account", "piece of feedback", "inbox", "group"][usize::from(kind)];
        for at in [0, 2, 5, 9, 23, 24, 31, 32, 63] {
            let damaged = flipped(&keys, slot * SLOT + at, 0b0101_1010);
            let (lost, lines) = start(&whole, &folder, "keys", &damaged).await.unwrap();
            assert_eq!(lost, [what], "slot {slot}, byte {at}\n{lines}");
            assert!(lines.contains("are damaged") && lines.contains("annon restore"), "{lines}");
            assert!(lines.contains(&format!("lost=1 {what}")), "slot {slot}, byte {at}: {lines}");
        }
    }
    let (lost, lines) =
        start(&whole, &folder, "keys", &[vec![0x55; SLOT], keys[SLOT..].to_vec()].concat()).await.unwrap();
    assert!(lost.is_empty() && lines.contains("first line"), "{lines}");

    let secret = fs::read(whole.join("secret")).unwrap();
    for at in 0..secret.len() {
        let Refusal { why, changed } =
            start(&whole, &folder, "secret", &flipped(&secret, at, 0b0101_1010)).await.unwrap_err();
        assert!(why.contains("secret") && why.contains("damaged") && why.contains("annon restore"), "{why}");
        assert!(changed.is_empty(), "{why}: {changed:?}");
    }
    let mark = fs::read(whole.join("mark")).unwrap();
    for at in 0..mark.len() {
        let (lost, lines) = start(&whole, &folder, "mark", &flipped(&mark, at, 0b0101_1010)).await.unwrap();
        assert!(lost.is_empty() && lines.contains("«mark» is damaged"), "byte {at}: {lost:?}\n{lines}");
    }
    let (lost, lines) = start(&whole, &folder, "mark", &[0xff; 16]).await.unwrap();
    assert!(lost.is_empty() && lines.contains("«mark» is damaged"), "{lost:?}\n{lines}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_picture_whose_key_is_damaged_is_counted_among_what_is_lost() {
    const OF_A_PICTURE: u8 = 6;
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("folder");
    fill(&folder).await;
    let (store, picture) = (open(&folder).unwrap(), ImageId(feedback_id(1).0));
    store.images().put(Album::Feedback, picture, vec![7; 1000]).await.unwrap();
    store.close().await.unwrap();
    let keys = fs::read(folder.join("keys")).unwrap();
    let slot = slots(&keys).position(|slot| slot[0] == OF_A_PICTURE).unwrap() + 1;
    fs::write(folder.join("keys"), flipped(&keys, slot * SLOT + 40, 0b0101_1010)).unwrap();
    let (store, lines) = said(|| open(&folder).unwrap());
    assert!(lines.contains("are damaged") && lines.contains("lost=1 picture"), "{lines}");
    assert_eq!(store.images().read(Album::Feedback, picture).await, Err(StoreError::Corrupt));
    assert!(missing(&store).await.is_empty());
    store.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_inbox_whose_key_is_damaged_takes_notes_under_a_new_one() {
    const OF_AN_INBOX: u8 = 3;
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("folder");
    fill(&folder).await;
    let keys = fs::read(folder.join("keys")).unwrap();
    let is_its = |slot: &[u8]| slot[0] == OF_AN_INBOX && holds(slot, account_id(2).0.as_bytes());
    let slot = slots(&keys).position(is_its).unwrap() + 1;
    for at in [0, 40] {
        fs::write(folder.join("keys"), flipped(&keys, slot * SLOT + at, 0b0101_1010)).unwrap();
        let store = open(&folder).unwrap();
        numbered(store.inbox()).deliver(account_id(2), note(70)).await.unwrap();
        let page = numbered(store.inbox()).page(account_id(2), None, 100).await.unwrap();
        assert_eq!(page.notes, [note(70)], "what came before can't be read");
        store.close().await.unwrap();
    }
}
