//! Rooms on disk: their directory, their logs, and what is left of deleted ones.

use std::fs;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;

use annon_contract::limits::ROOMS_PER_ACCOUNT;
use annon_store::Kept;
use annon_store::room::{Body, Millis, RoomEvent, SeatNumber, Seq};
use annon_store::room_log::Appending;
use annon_store::{Local, Options, StoreError, Swept};
use tempfile::TempDir;

use crate::support::files::{commit_log_files, contents, copy, holds, overwritten};
use crate::support::people::*;
use crate::support::population::try_open_quickly;
use crate::support::{commits_of, destroyed, is_torture, keys, keys_of, open, open_with};

const WORDS: &str = "zebra-words-said-in-a-room";
const NAME: &str = NAME_OF_A_ROOM;

async fn with_a_room() -> (TempDir, Local) {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    store.accounts().create(account(1)).await.unwrap();
    store.rooms().create(metadata(1, 1, NOW + 100), NOW).await.unwrap();
    (folder, store)
}

#[tokio::test]
async fn words_that_were_taken_back_or_forgotten_can_be_read_nowhere() {
    let (parent, store) = with_a_room().await;
    let folder = parent.path();
    let log = store.room_log();
    log.append(room(1), Seq(0), vec![came(1), posted(WORDS), posted("this one stays")]).await.unwrap();
    log.append(room(1), Seq(3), vec![posted(WORDS)]).await.unwrap();
    assert!(contents(folder).values().all(|bytes| !holds(bytes, WORDS.as_bytes()) && !holds(bytes, NAME.as_bytes())));

    let before = contents(folder);
    take_back(&*log, room(1), Seq(4), vec![Seq(2)]).await.unwrap();
    overwritten(folder, &before);
    let before = contents(folder);
    log.forget(room(1), Seq(5)).await.unwrap();
    overwritten(folder, &before);
    assert_eq!(log.read(room(1), Seq(0)).await.unwrap(), [(Seq(1), came(1))]);
    assert_eq!(store.rooms().by_id(room(1)).await.unwrap(), Some(metadata(1, 1, NOW + 100)), "the room itself reads");
    let before = contents(folder);
    log.forget(room(1), Seq(5)).await.unwrap();
    assert_eq!(contents(folder), before, "nothing more to forget");
}

#[tokio::test]
async fn an_expired_room_is_cleared_away_with_its_log_its_pictures_and_its_key() {
    let (parent, store) = with_a_room().await;
    let folder = parent.path();
    store.rooms().create(metadata(2, 1, NOW + 1000), NOW).await.unwrap();
    let picture = image(5);
    for n in 1..=2 {
        store.images().put(album(n), picture, WORDS.into()).await.unwrap();
        store.room_log().append(room(n), Seq(0), vec![posted(WORDS)]).await.unwrap();
    }
    let before = keys(folder);
    assert_eq!(store.sweep(NOW + 99).await.unwrap(), Swept::default());
    assert_eq!(store.sweep(NOW + 100).await.unwrap(), Swept { rooms: 1, ..Swept::default() });
    destroyed(folder, &before, 2);
    assert_eq!(store.rooms().by_id(room(1)).await.unwrap(), None);
    assert_eq!(store.room_log().read(room(1), Seq(0)).await.unwrap(), []);
    assert_eq!(store.images().read(album(1), picture).await.unwrap(), None);
    assert_eq!(store.rooms().expired(NOW + 100, 10).await.unwrap(), []);
    assert_eq!(store.room_log().read(room(2), Seq(0)).await.unwrap().len(), 1);
    assert!(store.images().read(album(2), picture).await.unwrap().is_some());
    store.rooms().create(metadata(1, 1, NOW + 300), NOW).await.unwrap();
    assert_eq!(store.room_log().read(room(1), Seq(0)).await.unwrap(), []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rooms_that_end_in_one_second_are_cleared_away_by_one_sweep_and_leave_nothing() {
    let rooms = if is_torture() { 4000 } else { 400 };
    // The first half of their ids.
    const MARK: u64 = 0x7ebb_a500_0f7e_bb4a;
    for at_a_start in [false, true] {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path();
        let mut store = try_open_quickly(folder).unwrap();
        let mut owners = tokio::task::JoinSet::new();
        for owner in 0..rooms / ROOMS_PER_ACCOUNT as u64 {
            store.accounts().create(account(owner)).await.unwrap();
            let (directory, log) = (store.rooms(), store.room_log());
            owners.spawn(async move {
                for n in (0..rooms).skip(owner as usize * ROOMS_PER_ACCOUNT).take(ROOMS_PER_ACCOUNT) {
                    let id = u128::from(MARK) << 64 | u128::from(n);
                    directory.create(metadata(id, owner, NOW + 100), NOW).await.unwrap();
                    log.append(room(id), Seq(0), vec![posted(WORDS)]).await.unwrap();
                }
            });
        }
        owners.join_all().await;
        let is_left = |name: &str| contents(&folder.join(name)).values().any(|bytes| holds(bytes, &MARK.to_be_bytes()));
        assert!(is_left("commit-log"));
        let swept = if at_a_start {
            store.close().await.unwrap();
            store = try_open_quickly(folder).unwrap();
            store.sweep_after_start(NOW + 100).await
        } else {
            store.sweep(NOW + 100).await
        };
        assert_eq!(swept, Ok(Swept { rooms: rooms as usize, ..Swept::default() }));
        store.close().await.unwrap();
        // An export has all records of the index. After two, the commit log goes.
        let store = try_open_quickly(folder).unwrap();
        (0..2).for_each(|_| store.export().unwrap());
        store.close().await.unwrap();
        assert!(
            !is_left("commit-log") && !is_left("export") && !is_left("images") && commit_log_files(folder).len() == 1
        );
        assert_eq!(keys_of(folder, 4..=5).len(), 0, "rooms' keys");
    }
}

#[tokio::test]
async fn rooms_go_with_their_owner_also_those_made_meanwhile() {
    let (_parent, store) = with_a_room().await;
    let store = Arc::new(store);
    store.accounts().create(account(2)).await.unwrap();
    store.rooms().create(metadata(99, 2, NOW + 100), NOW).await.unwrap();
    let (has_made_one, made_one) = tokio::sync::oneshot::channel();
    let maker = store.clone();
    let making = tokio::spawn(async move {
        maker.rooms().create(metadata(2, 1, NOW + 100), NOW).await.unwrap();
        let _ = has_made_one.send(());
        // The account gets as many rooms as it may have, then none until it is deleted.
        for n in (3..20).cycle() {
            if maker.rooms().create(metadata(n, 1, NOW + 100), NOW).await == Err(StoreError::NotFound) {
                return;
            }
        }
    });
    made_one.await.unwrap();
    store.accounts().delete(account_id(1)).await.unwrap();
    tokio::time::timeout(std::time::Duration::from_secs(60), making).await.expect("it is cut off").unwrap();
    for n in 1..20 {
        assert_eq!(store.rooms().by_id(room(n)).await.unwrap(), None, "{n}");
        assert_eq!(store.room_log().append(room(n), Seq(0), vec![came(1)]).await, Err(StoreError::NotFound));
    }
    assert_eq!(store.rooms().of_owner(account_id(1)).await.unwrap(), []);
    assert!(store.rooms().by_id(room(99)).await.unwrap().is_some());
    assert_eq!(store.sweep(NOW + 99).await.unwrap(), Swept::default());
}

#[tokio::test]
async fn many_messages_are_taken_back_in_pieces_and_others_write_meanwhile() {
    let (_parent, store) = with_a_room().await;
    store.rooms().create(metadata(2, 1, NOW + 100), NOW).await.unwrap();
    let mut end = Seq(0);
    for size in [1, 400, 1, 1, 400, 400, 3, 400, 400, 400, 400, 400, 400, 1, 1, 2, 1, 3, 1, 1, 9, 1] {
        let events: Vec<_> = (0..size).map(|_| posted(&WORDS.repeat(9))).collect();
        store.room_log().append(room(1), end, events).await.unwrap();
        end = Seq(end.0 + size);
    }
    let stays = |seq: u64| seq.is_multiple_of(7);
    let mut messages: Vec<_> = (1..=end.0).filter(|seq| !stays(*seq)).map(Seq).collect();
    messages.reverse();
    messages.push(Seq(end.0 + 10));
    let mut taking = tokio::spawn(take_back(&*store.room_log(), room(1), end, messages));
    // The redaction begins with its first piece.
    tokio::task::yield_now().await;
    let writing = store.room_log();
    let another = async { writing.append(room(2), Seq(0), vec![came(1)]).await };
    tokio::select! {
        biased;
        _ = &mut taking => panic!("it takes one piece after the other"),
        another = another => another.unwrap(),
    }
    taking.await.unwrap().unwrap();
    for (seq, event) in store.room_log().read(room(1), Seq(0)).await.unwrap() {
        match event {
            RoomEvent::Posted { body, .. } => assert_eq!(body != Body::Gone, stays(seq.0), "{seq:?}"),
            event => assert_eq!(seq, end.next(), "{event:?}"),
        }
    }
}

/// Asks for an append, and waits for its commit, but not for its answer.
async fn written(store: &Local, append: Appending) {
    let before = commits_of(store);
    let has_committed = async {
        while commits_of(store) == before {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(60), has_committed).await.expect("it is written");
    drop(append);
}

/// How many messages of the room still have their words in the log.
async fn words_left(store: &Local) -> usize {
    let log = store.room_log().read(room(1), Seq(0)).await.unwrap();
    let is_left = |event: &RoomEvent| matches!(event, RoomEvent::Posted { body, .. } if *body != Body::Gone);
    log.iter().filter(|(_, event)| is_left(event)).count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_many_messages_said_goes_with_the_next_start_or_sweep_if_it_was_not_finished() {
    let (parent, store) = with_a_room().await;
    for at in 0..20 {
        store.room_log().append(room(1), Seq(at * 100), vec![posted(&"w".repeat(250)); 100]).await.unwrap();
    }
    let all = (1..=2000).map(Seq).collect();
    // Nobody waits for the rest, as if the process ended after the first commit.
    written(&store, take_back(&*store.room_log(), room(1), Seq(2000), all)).await;
    let left = words_left(&store).await;
    assert!((500..2000).contains(&left), "{left}");
    let killed = tempfile::tempdir().unwrap();
    copy(parent.path(), killed.path());
    for store in [store, open(killed.path())] {
        assert_eq!(store.sweep_after_start(NOW).await, Ok(Swept::default()));
        assert_eq!(words_left(&store).await, 0);
        let commits = commits_of(&store);
        store.sweep(NOW).await.unwrap();
        assert_eq!(commits_of(&store), commits, "nothing is left to do");
        store.close().await.unwrap();
    }
}

/// Overwrites a part of the body of the last record in a file of the commit log, whose frame begins
/// at `frame`. The record's checksum is made right again, or not.
fn damage_body(file: &Path, frame: usize, is_checksum_right: bool) {
    let mut bytes = fs::read(file).unwrap();
    let record = frame + 40;
    let length = u32::from_le_bytes(bytes[record + 4..record + 8].try_into().unwrap()) as usize;
    let (head, body) = (record..record + 44, record + 48..record + 48 + length);
    bytes[body.clone()][length / 2..][..5].copy_from_slice(b"noise");
    if is_checksum_right {
        let mut sum = crc32fast::Hasher::new();
        // The folder's id, and the number of the file.
        [16..32, 12..16, head, body].into_iter().for_each(|part| sum.update(&bytes[part]));
        bytes[record + 44..record + 48].copy_from_slice(&sum.finalize().to_le_bytes());
    }
    let file = fs::File::options().write(true).open(file).unwrap();
    file.write_all_at(&bytes[record..record + 48 + length], record as u64).unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_damaged_record_does_not_hold_up_what_is_taken_back() {
    let (parent, store) = with_a_room().await;
    let log = store.room_log();
    let file = parent.path().join("commit-log/0000000001.log");
    for n in 0..4 {
        let before = fs::read(&file).unwrap();
        log.append(room(1), Seq(n), vec![posted(WORDS)]).await.unwrap();
        let written = before.iter().rposition(|byte| *byte != 0).unwrap() + 1;
        if n == 1 || n == 2 {
            damage_body(&file, written.next_multiple_of(8), n == 2);
        }
    }
    take_back(&*log, room(1), Seq(4), (1..=4).map(Seq).collect()).await.unwrap();
    let read = log.read(room(1), Seq(0)).await.unwrap();
    let is_gone = |event: &RoomEvent| matches!(event, RoomEvent::Posted { body: Body::Gone, .. });
    assert!(is_gone(&read[0].1) && is_gone(&read[2].1), "{read:?}");
    assert_eq!(read[1], (Seq(3), RoomEvent::Lost { from: Seq(2) }));
}

#[tokio::test]
async fn on_a_full_disk_what_grows_is_refused_and_people_can_take_back_delete_and_go() {
    let (parent, store) = with_a_room().await;
    store.room_log().append(room(1), Seq(0), vec![came(1), posted(WORDS)]).await.unwrap();
    numbered(store.inbox()).deliver(account_id(1), note(1)).await.unwrap();
    store.close().await.unwrap();
    let full = Options { disk_reserve: u64::MAX, ..Options::new(parent.path()) };
    let store = open_with(&full);
    let log = store.room_log();
    let append = |at: u64, event: RoomEvent| log.append(room(1), Seq(at), vec![event]);
    assert_eq!(append(2, posted(WORDS)).await, Err(StoreError::DiskFull));
    assert_eq!(append(2, came(2)).await, Err(StoreError::DiskFull));
    let (seat, at) = (SeatNumber(1), Millis(3));
    append(2, RoomEvent::Retracted { seat, message: Seq(2), at }).await.unwrap();
    append(3, RoomEvent::Locked { locked: true, at }).await.unwrap();
    append(4, RoomEvent::Left { seat, at }).await.unwrap();
    let (inbox, one) = (numbered(store.inbox()), account_id(1));
    assert_eq!(inbox.deliver(one, note(2)).await, Err(StoreError::DiskFull));
    assert_eq!(store.accounts().create(account(2)).await, Err(StoreError::DiskFull.into()));
    assert_eq!((inbox.mark_seen(one, note_id(1)).await, inbox.remove(one, note_id(1)).await), (Ok(0), Ok(0)));
    assert!(store.sweep(1).await.unwrap().resealed == 1 && store.is_healthy());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn taking_back_and_forgetting_beside_appends_and_sweeps_touches_nothing_else() {
    let (parent, store) = with_a_room().await;
    let store = Arc::new(store);
    let mut tasks = tokio::task::JoinSet::new();
    let mut end = Seq(0);
    for batch in 0..60_u64 {
        store.room_log().append(room(1), end, vec![posted(WORDS); 2]).await.unwrap();
        end = Seq(end.0 + 3);
        let (store, second) = (store.clone(), Seq(end.0 - 1));
        let taking_back = take_back(&*store.room_log(), room(1), second, vec![second]);
        tasks.spawn(async move {
            taking_back.await.unwrap();
            if batch % 20 == 19 {
                store.room_log().forget(room(1), Seq(second.0 - 31)).await.unwrap();
                store.sweep(NOW).await.unwrap();
            }
        });
    }
    tasks.join_all().await;
    let check = |log: Vec<(Seq, RoomEvent)>| {
        let first = log[0].0.0;
        assert!((120..=150).contains(&first), "what is old is forgotten: {first}");
        assert!(log.iter().map(|(seq, _)| seq.0).eq(first..=180), "and nothing after it");
        for (seq, event) in &log {
            match event {
                RoomEvent::Posted { body, .. } => assert_eq!(*body == Body::Gone, seq.0 % 3 == 2, "{seq:?}"),
                event => assert_eq!(seq.0 % 3, 0, "{event:?}"),
            }
        }
    };
    check(store.room_log().read(room(1), Seq(0)).await.unwrap());
    store.sweep(NOW).await.unwrap();
    check(store.room_log().read(room(1), Seq(0)).await.unwrap());
    Arc::try_unwrap(store).ok().unwrap().close().await.unwrap();
    let store = open(parent.path());
    check(store.room_log().read(room(1), Seq(0)).await.unwrap());
    assert_eq!(store.room_log().append(room(1), Seq(179), vec![came(1)]).await, Err(StoreError::Conflict));
    store.room_log().append(room(1), Seq(180), vec![came(1)]).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_room_that_is_removed_while_it_is_written_to_is_gone() {
    let (_parent, store) = with_a_room().await;
    let log = store.room_log();
    let writer = tokio::spawn(async move {
        let mut end = Seq(0);
        loop {
            match log.append(room(1), end, vec![posted(WORDS)]).await {
                Ok(()) => end = end.next(),
                Err(error) => return (end, error),
            }
        }
    });
    let has_begun = async {
        while store.room_log().read(room(1), Seq(0)).await.unwrap().len() < 5 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(60), has_begun).await.expect("it writes");
    store.rooms().remove(room(1)).await.unwrap();
    let (end, error) = writer.await.unwrap();
    assert!(end.0 >= 5 && error == StoreError::NotFound, "{end:?} {error}");
    let read = store.room_log().read(room(1), Seq(0)).await;
    assert!(matches!(read.as_deref(), Ok([]) | Err(StoreError::NotFound)), "{read:?}");
    assert_eq!(store.rooms().by_id(room(1)).await, Ok(None));
    store.sweep(NOW).await.unwrap();
    assert_eq!(store.room_log().read(room(1), Seq(0)).await, Ok(Vec::new()));
}
