//! A record that can't be read hides no other record, and keeps none from being removed. A damaged index is found
//! before a sweep trusts it.

use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::FileExt;

use crate::account::{AccountId, Timestamp};
use crate::inbox::Arrival;
use crate::inbox::place::NotePlace;
use crate::local::commit_log::RoomRecord;
use crate::local::committer::tests::{deliver, store};
use crate::local::restore;
use crate::local::starting::walk_behind;
use crate::local::transaction::Transaction;
use crate::logged::logged;
use crate::people::{account, account_id, arrival, feedback, feedback_id, metadata, room};
use crate::progress::Progress;
use crate::room::{Millis, RoomEvent, RoomId, SeatNumber, Seq};
use crate::rows::Effect::Shrinks;
use crate::rows::{ReadRecords, at_once};
use crate::seals::keyring::Owner;
use crate::shapes::account::LinkRecord;
use crate::shield::{Fate, TagHash};
use crate::table::{Table, key, room_key};
use crate::{Engine, Kept, Local, Options, StoreError, Swept};

mod older;

const NOW: Timestamp = 2_000_000_000;

async fn noise_at<const N: usize>(store: &Local, keys: [Vec<u8>; N]) {
    let noise = |transaction: &mut Transaction<'_>| {
        keys.into_iter().for_each(|key| transaction.put_bytes(key, b"noise".to_vec()));
    };
    store.change(Shrinks, noise).await.unwrap();
}

/// Makes three rooms of one owner.
async fn three_rooms(store: &Local) -> (AccountId, [RoomId; 3]) {
    let home = key(Table::Account, &[account_id(9).0.as_bytes()]);
    store.change(Shrinks, |transaction| transaction.put_bytes(home, Vec::new())).await.unwrap();
    for n in 1..=3 {
        store.rooms().create(metadata(n, 9, NOW + n as u64), NOW).await.unwrap();
    }
    (account_id(9), [1, 2, 3].map(room))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_and_a_backup_say_which_events_cant_be_read_also_the_first_and_the_last() {
    let (folder, store) = store();
    let (log, left) = (store.room_log(), RoomEvent::Left { seat: SeatNumber(1), at: Millis(1) });
    let mut all = Vec::new();
    for (n, room) in three_rooms(&store).await.1.into_iter().enumerate() {
        for end in [0, 2, 4] {
            log.append(room, Seq(end), vec![left.clone(); 2]).await.unwrap();
        }
        let (last, place) = store.rooms.places(room).unwrap()[n];
        let file = folder.path().join(format!("commit-log/{:010}.log", place.file));
        let file = OpenOptions::new().write(true).open(file).unwrap();
        file.write_all_at(&[0xD5; 8], u64::from(place.offset) + 60).unwrap();
        let mut expected: Vec<_> = (1..=7).map(|n| (Seq(n), left.clone())).collect();
        expected.splice(2 * n..2 * n + 2, [(last, RoomEvent::Lost { from: Seq(last.0 - 1) })]);
        assert_eq!(log.read(room, Seq(0)).await.unwrap(), expected[..5]);
        log.append(room, Seq(6), vec![left.clone()]).await.unwrap();
        all.push((room, expected));
    }
    let [backup, restored] = ["backup", "restored"].map(|name| folder.path().join(name));
    store.backup(Box::new(File::create(&backup).unwrap())).await.unwrap();
    restore(&backup, &restored, &Progress::default()).unwrap();
    let restored = Local::open(&Options::new(restored)).unwrap();
    for (room, expected) in all {
        assert_eq!(restored.room_log().read(room, Seq(0)).await.unwrap(), expected);
    }
}

/// So whoever can write to the disk can't make a room say something else, by moving its records.
#[tokio::test]
async fn a_record_of_a_room_opens_in_its_own_place_only() {
    let (_folder, store) = store();
    let [here, there, _] = three_rooms(&store).await.1;
    store.room_log().append(here, Seq(0), vec![RoomEvent::Left { seat: SeatNumber(1), at: Millis(1) }]).await.unwrap();
    let (_, record) = store.rooms.back_to(here, Seq(0)).unwrap().remove(0);
    let key = store.keyring.read().current(Owner::Room(here.0)).cloned().unwrap();
    let opens = |room, change: fn(&mut RoomRecord)| {
        let mut moved = record.clone();
        change(&mut moved);
        store.rooms.open(&key, room, &moved).is_ok()
    };
    assert!(opens(here, |_| {}));
    assert!(!opens(there, |_| {}));
    assert!(!opens(here, |record| record.head.first += 1));
    assert!(!opens(here, |record| record.head.count += 1));
}

#[tokio::test]
async fn what_cant_be_read_keeps_nothing_else_from_being_cleared_away() {
    let (_folder, store) = store();
    let (owner, rooms) = three_rooms(&store).await;
    noise_at(&store, [room_key(rooms[0]), key(Table::Reset, &[&[1; 32]])]).await;
    assert_eq!(store.rooms().of_owner(owner).await.unwrap().len(), 2);

    let swept = store.sweep(NOW + 2).await.unwrap();
    assert_eq!(swept, Swept { links: 1, rooms: 2, ..Swept::default() });
    assert_eq!(store.sweep(NOW + 2).await.unwrap(), Swept::default());
    assert_eq!(store.rooms().by_id(rooms[0]).await, Ok(None));
    let left: Vec<_> = store.rooms().of_owner(owner).await.unwrap().iter().map(|metadata| metadata.id).collect();
    assert_eq!(left, rooms[2..]);
    let keyring = store.keyring.read();
    let keys = |room: &RoomId| keyring.keys_of(Owner::Room(room.0)).len();
    assert_eq!(rooms.iter().map(keys).collect::<Vec<_>>(), [0, 0, 1]);
}

#[tokio::test]
async fn what_a_newer_annon_has_written_is_named_and_kept() {
    let (_folder, store) = store();
    let link = key(Table::Reset, &[&[1; 32]]);
    let written = link.clone();
    store.change(Shrinks, |transaction| transaction.put_bytes(written, vec![2; 25])).await.unwrap();
    assert_eq!(store.sweep(NOW).await.unwrap(), Swept::default());
    for is_sealed in [true, false] {
        let (read, lines) = logged(|| -> Result<Option<LinkRecord>, StoreError> {
            if is_sealed {
                at_once(ReadRecords::sealed(&store, &link))
            } else {
                at_once(ReadRecords::record(&store, &link))
            }
        });
        assert!(read == Err(StoreError::Corrupt) && lines.contains("a newer annon has"), "{read:?} {lines}");
    }
}

#[tokio::test]
async fn a_record_that_cant_be_read_hides_no_other() {
    let (_folder, store) = store();
    let mut notes = Vec::new();
    for n in 1..=3 {
        store.accounts().create(account(n)).await.unwrap();
        notes.push(deliver(&*store.inbox(), account_id(1), 7).await.unwrap().1);
        store.feedback().add(feedback(n)).await.unwrap();
    }
    let damaged = [
        key(Table::Account, &[account_id(2).0.as_bytes()]),
        key(Table::Note, &[account_id(1).0.as_bytes(), NotePlace::new(2, 7).bytes()]),
        key(Table::Feedback, &[feedback_id(2).0.as_bytes()]),
    ];
    noise_at(&store, damaged).await;

    let accounts = store.accounts().list(None, 10).await.unwrap();
    assert_eq!(accounts, [account(1), account(3)]);
    let page = store.inbox().page(account_id(1), None, 10, NOW).await.unwrap();
    assert_eq!(page.notes.iter().map(|note| note.id).collect::<Vec<_>>(), [notes[2], notes[0]]);
    assert_eq!(store.feedback().page(None, 10).await, Ok(vec![feedback(3), feedback(1)]));
}

#[tokio::test]
async fn while_the_index_is_not_checked_no_sweep_destroys_a_key() {
    let (_folder, store) = store();
    store.accounts().create(account(1)).await.unwrap();
    // The index loses an account, as sled may do without a word.
    let index = store.index.clone();
    let index_sum = index.index_sum();
    index.change(&key(Table::Account, &[account_id(1).0.as_bytes()]), None).unwrap();
    index.begin_walk(index_sum);
    let sweeps = async { tokio::join!(store.sweep_after_start(NOW), store.sweep(NOW)) };
    let walk = async { walk_behind(index.clone()).unwrap() };
    let (swept, ()) = tokio::join!(sweeps, walk);
    assert_eq!(swept, (Err(StoreError::Unavailable), Err(StoreError::Unavailable)));
    assert!(!store.is_healthy(), "the damage was found");
    assert_eq!(store.keyring.read().keys_of(Owner::Account(account_id(1).0)).len(), 1);
}

/// The disk was full in the middle of a move to a new key, and the mark is gone.
#[tokio::test]
async fn a_move_to_a_new_key_that_was_not_finished_goes_on_at_the_next_sweep() {
    let (_folder, store) = store();
    store.accounts().create(account(1)).await.unwrap();
    let (owner, inbox) = (account_id(1), Owner::Inbox(account_id(1).0));
    deliver(&*store.inbox(), owner, 7).await.unwrap();
    store.committer.write(Shrinks, move |transaction| transaction.new_key(inbox)).await.unwrap();
    let keys = || store.keyring.read().keys_of(inbox);
    let both = keys();
    assert_eq!(both.len(), 2);
    assert_eq!(store.sweep(NOW).await.unwrap(), Swept { resealed: 1, ..Swept::default() });
    assert_eq!(keys(), both[1..], "the key that was begun with is the one that stays");
    assert_eq!(store.inbox().page(owner, None, 10, NOW).await.unwrap().notes.len(), 1);
}

/// What tells whether a note may be published, and which tags are known, is in places of its own.
#[tokio::test]
async fn of_an_emptied_inbox_only_what_came_later_is_left_in_the_index() {
    let (_folder, store) = store();
    store.accounts().create(account(1)).await.unwrap();
    let (owner, inbox) = (account_id(1), store.inbox());
    let deliver = async |n| {
        let tag = Some(TagHash([n; 16]));
        inbox.deliver(owner, Arrival { only_for_you: true, tag, ..arrival(n.into(), NOW) }).await.unwrap();
    };
    let left =
        || [Table::Note, Table::Publicity, Table::KnownTag].map(|table| store.index.under(&[table as u8]).count());
    for n in 1..=3 {
        deliver(n).await;
    }
    assert_eq!(left(), [3, 3, 3]);
    inbox.remove_all(owner, NOW).await.unwrap();
    deliver(4).await;
    store.sweep(NOW).await.unwrap();
    assert_eq!(left(), [1, 1, 1]);
}

#[tokio::test]
async fn an_export_that_lacks_something_is_not_taken_for_a_whole_one() {
    let (folder, store) = store();
    store.accounts().create(account(1)).await.unwrap();
    store.export().unwrap();
    // The index loses an account, as sled may do without a word.
    store.index.change(&key(Table::Account, &[account_id(1).0.as_bytes()]), None).unwrap();
    store.export().unwrap();
    store.close().await.unwrap();
    fs::remove_dir_all(folder.path().join("index")).unwrap();
    let store = Local::open(&Options::new(folder.path())).unwrap();
    assert_eq!(store.accounts().by_id(account_id(1)).await.unwrap(), Some(account(1)));
    assert_eq!(store.sweep_after_start(NOW).await.unwrap(), Swept::default());
}

/// The commit log is kept as long as it has a living room.
#[tokio::test]
async fn a_room_whose_metadata_is_gone_is_ended_at_the_next_start() {
    let (_folder, store) = store();
    let (_, rooms) = three_rooms(&store).await;
    let log = store.room_log();
    for room in rooms {
        log.append(room, Seq(0), vec![RoomEvent::Left { seat: SeatNumber(1), at: Millis(1) }]).await.unwrap();
    }
    store.change(Shrinks, move |transaction| transaction.remove(room_key(rooms[1]))).await.unwrap();
    store.sweep_after_start(NOW).await.unwrap();
    let mut left = store.rooms.reader.rooms();
    left.sort_unstable();
    assert_eq!(left, [rooms[0], rooms[2]].map(|room| room.0.into_bytes()));
}

/// Where the commit log ends. Zeros follow.
fn end_of_commit_log(folder: &std::path::Path) -> u64 {
    let files = fs::read_dir(folder.join("commit-log")).unwrap().map(|file| fs::read(file.unwrap().path()).unwrap());
    files.map(|bytes| bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last as u64 + 1)).sum()
}

/// A sender who waits for less learns that they are blocked.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_note_that_is_dropped_makes_as_large_a_commit_as_one_that_is_delivered() {
    const NOTES: u64 = 20;
    let (folder, store) = store();
    let (one, inbox) = (account(1), store.inbox());
    store.accounts().create(one.clone()).await.unwrap();
    let mut n = 0;
    for is_private in [false, true] {
        for in_batches in [false, true] {
            inbox.set_batches(one.id, in_batches, NOW).await.unwrap();
            let mut grown = Vec::new();
            for fate in [Fate::Delivered, Fate::Dropped, Fate::Held] {
                let note = |n| Arrival {
                    fate,
                    tag: Some(TagHash([9; 16])),
                    only_for_you: is_private,
                    text: format!("a note as long as all, é {n:09}").try_into().unwrap(),
                    ..arrival(n, NOW)
                };
                // The first one may say what is known of this inbox and this day.
                inbox.deliver(one.id, note(n)).await.unwrap();
                let commits = store.figures().commits.unwrap().count;
                let before = end_of_commit_log(folder.path());
                for _ in 0..NOTES {
                    n += 1;
                    inbox.deliver(one.id, note(n)).await.unwrap();
                }
                n += 1;
                assert_eq!(store.figures().commits.unwrap().count, commits + NOTES);
                grown.push(end_of_commit_log(folder.path()) - before);
            }
            // The last byte of a commit may be zero. Of two private notes that are dropped, one removes what
            // the other leaves: a few bytes less, and as many records.
            let most = if is_private { NOTES * 4 + 4 } else { 4 };
            assert!(grown.iter().all(|length| length.abs_diff(grown[0]) <= most), "{is_private}: {grown:?}");
        }
    }
}
