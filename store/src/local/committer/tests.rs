use std::future::poll_fn;
use std::pin::Pin;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::task::Poll;

use tempfile::TempDir;
use uuid::Uuid;

use super::*;
use crate::Kept;
use crate::account::{Account, AccountId};
use crate::inbox::{Arrival, Delivered, Inbox, Note, NoteId};
use crate::invariant::go_on_in_this_thread;
use crate::local::commit_log::FORGETS_SYNCS;
use crate::local::index_state::IndexState;
use crate::local::starting::walk_behind;
use crate::local::{Local, Options};
use crate::people::{self, Engine, account, account_id, metadata, posted, room};
use crate::room::{Millis, RoomEvent, RoomId, SeatNumber, Seq};
use crate::room_log::forget_messages;
use crate::seals::keyring::Owner;
use crate::shapes::feedback::Count;
use crate::table::{Table, key};

/// A store in a folder of its own.
pub(crate) fn store() -> (TempDir, Local) {
    store_with_patience(Duration::from_secs(60))
}

fn commits_of(store: &Local) -> u64 {
    store.figures().commits.unwrap().count
}

fn store_with_patience(patience: Duration) -> (TempDir, Local) {
    let folder = tempfile::tempdir().unwrap();
    let options = Options { disk_reserve: 0, ..Options::new(folder.path()) };
    let store = Local::open_with(&options, Pace { pause: Duration::ZERO, patience }).unwrap();
    (folder, store)
}

/// Holds the committer until it is told to go on. The calls that come meanwhile are its next commit.
async fn hold(store: &Local) -> Sender<()> {
    let (go_on, wait) = channel();
    let (began, has_begun) = oneshot::channel();
    let held = store.committer.ask(Effect::Shrinks, move |_| {
        let _ = began.send(());
        let _ = wait.recv();
        Ok::<_, StoreError>(())
    });
    tokio::spawn(held);
    has_begun.await.unwrap();
    go_on
}

fn ask<T: Send + 'static>(
    store: &Local,
    work: impl FnOnce(&mut Transaction<'_>) -> Result<T> + Send + 'static,
) -> tokio::task::JoinHandle<Result<T>> {
    tokio::spawn(store.committer.ask(Effect::Grows, work))
}

/// Lets spawned tasks run until they wait.
async fn settle_down() {
    tokio::time::sleep(Duration::from_millis(20)).await;
}

/// A call that was polled once, and waits.
async fn begun<'a, T>(call: impl Future<Output = T> + Send + 'a) -> Pin<Box<dyn Future<Output = T> + Send + 'a>> {
    let mut call = Box::pin(call);
    let is_done = poll_fn(|context| Poll::Ready(call.as_mut().poll(context).is_ready())).await;
    assert!(!is_done, "the committer is held");
    call
}

fn note(shuffle: u64) -> Arrival {
    Arrival::new(people::note(1).text, 1, shuffle)
}

/// Delivers a note, and returns how many are unread and the note's id.
pub(crate) async fn deliver(inbox: &dyn Inbox, owner: AccountId, shuffle: u64) -> Result<(u32, NoteId)> {
    match inbox.deliver(owner, note(shuffle)).await? {
        Delivered::Shown { note, unread } => Ok((unread, note.id)),
        Delivered::Waits => unreachable!("nothing is taken in batches here"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_that_wait_together_share_a_commit() {
    let (_folder, store) = store();
    let (one, inbox) = (account(1), store.inbox());
    store.accounts().create(one.clone()).await.unwrap();
    let before = commits_of(&store);
    let go_on = hold(&store).await;
    let mut calls = Vec::new();
    for n in 0..200 {
        calls.push(begun(inbox.deliver(one.id, note(n))).await);
    }
    go_on.send(()).unwrap();
    for call in calls {
        call.await.unwrap();
    }
    assert_eq!(commits_of(&store) - before, 1, "200 calls, one sync");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_that_fails_or_panics_leaves_nothing_and_harms_nobody_in_its_commit() {
    let (_folder, store) = store();
    let go_on = hold(&store).await;
    let first = ask(&store, |transaction| transaction.put(b"zfirst".to_vec(), &Count(1)));
    let fails = ask(&store, |transaction| {
        transaction.put_bytes(b"zfails".to_vec(), Vec::new());
        transaction.remove(b"zfirst".to_vec());
        transaction.new_key(Owner::Account(Uuid::from_u128(9)))?;
        Err::<(), _>(StoreError::Full)
    });
    let panics = ask(&store, |transaction| -> Result<()> {
        transaction.put_bytes(b"zpanics".to_vec(), Vec::new());
        transaction.remove(b"zfirst".to_vec());
        panic!("a bug");
    });
    let last = ask(&store, |transaction| transaction.put(b"zlast".to_vec(), &Count(1)));
    go_on.send(()).unwrap();
    assert_eq!(first.await.unwrap(), Ok(()));
    assert_eq!(fails.await.unwrap(), Err(StoreError::Full));
    assert_eq!(panics.await.unwrap(), Err(StoreError::Unavailable));
    assert_eq!(last.await.unwrap(), Ok(()));
    let there = store.index.under(b"z").map(|pair| pair.unwrap().0).collect::<Vec<_>>();
    assert_eq!(there, [b"zfirst".to_vec(), b"zlast".to_vec()]);
    assert_eq!(store.keyring.read().owners().count(), 0);
    assert_eq!(commits_of(&store), 1);
    assert!(store.committer.is_healthy());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_of_a_commit_see_what_earlier_ones_did() {
    let (_folder, store) = store();
    let go_on = hold(&store).await;
    let mut outcomes = Vec::new();
    for work in ["create", "create again", "deliver", "delete", "see", "remove", "deliver to nobody"] {
        let (accounts, inbox, one) = (store.accounts(), store.inbox(), account(1));
        let nobodys = NoteId(Uuid::nil());
        let call = async move {
            match work {
                "create" => accounts.create(one).await.is_ok(),
                "create again" => accounts.create(Account { id: account_id(2), ..one }).await.is_err(),
                "deliver" => deliver(&*inbox, one.id, 1).await.is_ok_and(|(unread, _)| unread == 1),
                "delete" => accounts.delete(one.id).await == Ok(()),
                "see" => inbox.mark_seen(one.id, nobodys, 1).await == Err(StoreError::NotFound),
                "remove" => inbox.remove(one.id, nobodys, 1).await == Err(StoreError::NotFound),
                _ => inbox.deliver(one.id, note(2)).await == Err(StoreError::NotFound),
            }
        };
        outcomes.push(begun(call).await);
    }
    go_on.send(()).unwrap();
    for outcome in outcomes {
        assert!(outcome.await);
    }
    assert_eq!(commits_of(&store), 1);
    assert_eq!(store.keyring.read().owners().count(), 0, "a key born and destroyed in one commit");
    let left: Vec<_> = store.index.records().map(|pair| pair.unwrap().0[0]).collect();
    assert_eq!(left, [Table::Gone as u8, Table::Note as u8, Table::KeySlots as u8], "the rest is the sweeper's");
}

async fn with_a_message(store: &Local) {
    store.rooms().create(metadata(7, 1, 9), 1).await.unwrap();
    store.room_log().append(room(7), Seq(0), vec![posted("some words")]).await.unwrap();
}

/// Makes each commit stop before its sync, and wait for its result.
fn slow_down(store: &Local) -> (Receiver<()>, Sender<std::io::Result<()>>) {
    let (reached, is_there) = channel();
    let (verdict, waiting) = channel();
    store.rooms.reader.before_sync(move || {
        let _ = reached.send(());
        waiting.recv().unwrap_or(Ok(()))
    });
    (is_there, verdict)
}

async fn two_accounts(store: &Local) -> [Account; 2] {
    for n in [1, 2] {
        store.accounts().create(account(n)).await.unwrap();
    }
    [account(1), account(2)]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_not_on_disk_yet_is_not_seen_and_no_read_waits_for_it() {
    let (_folder, store) = store();
    let [one, other] = two_accounts(&store).await;
    let (is_there, verdict) = slow_down(&store);
    let inbox = store.inbox();
    let delivering = tokio::spawn(async move { deliver(&*inbox, one.id, 1).await });
    tokio::task::spawn_blocking(move || is_there.recv().unwrap()).await.unwrap();

    // The commit is written now, and not yet on disk.
    for account in [&one, &other] {
        assert!(store.inbox().page(account.id, None, 10, 1).await.unwrap().notes.is_empty(), "shown too early");
        assert_eq!(store.accounts().by_id(account.id).await.unwrap().as_ref(), Some(account), "another record");
    }
    settle_down().await;
    assert!(!delivering.is_finished());
    verdict.send(Ok(())).unwrap();
    let (unread, id) = delivering.await.unwrap().unwrap();
    assert_eq!(unread, 1);
    let shown = Note {
        id,
        text: note(1).text,
        date: 0,
        seen: false,
        conversation: None,
        only_for_you: false,
        answer: None,
        starred: false,
        archived: false,
    };
    assert_eq!(store.inbox().page(one.id, None, 10, 1).await.unwrap().notes, [shown]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_failed_sync_or_a_panic_nothing_of_it_is_shown_and_the_rest_is() {
    let ways: [fn() -> std::io::Result<()>; 2] =
        [|| Err(std::io::Error::other("the disk says no")), || panic!("a bug in the commit log")];
    for way in ways {
        let (_folder, store) = store();
        let [one, other] = two_accounts(&store).await;
        store.rooms.reader.before_sync(way);
        let stopped = Err(StoreError::Unavailable);
        assert_eq!(store.inbox().deliver(one.id, note(1)).await, stopped);
        tokio::time::timeout(Duration::from_secs(1), store.committer.failed()).await.unwrap();
        assert!(!store.committer.is_healthy());
        for account in [&one, &other] {
            assert!(store.inbox().page(account.id, None, 10, 1).await.unwrap().notes.is_empty());
        }
        assert_eq!(store.accounts().by_id(one.id).await.unwrap(), Some(one.clone()));
        assert_eq!(store.inbox().deliver(other.id, note(2)).await, stopped);
        assert_eq!(store.accounts().delete(one.id).await, Err(StoreError::Unavailable));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn when_a_frame_does_not_count_as_synced_nothing_is_acknowledged_overwritten_or_destroyed() {
    let whose = Owner::Account(account(1).id.0);
    type Change = fn(&mut Transaction<'_>, Owner, RoomId) -> Result<()>;
    let changes: [Change; 4] = [
        |_, _, _| Ok(()),
        |transaction, owner, _| {
            transaction.destroy_keys(owner);
            Ok(())
        },
        |transaction, owner, _| {
            transaction.put_bytes(b"zrecord".to_vec(), Vec::new());
            transaction.destroy_keys(owner);
            Ok(())
        },
        |transaction, _, room| {
            let place = transaction.rooms.places(room)?[0].1;
            transaction.rewrite(room, place, |events| forget_messages(events, Seq(1)))
        },
    ];
    for change in changes {
        let (_folder, store) = store();
        store.accounts().create(account(1)).await.unwrap();
        with_a_message(&store).await;
        let work = move |transaction: &mut Transaction<'_>| {
            go_on_in_this_thread();
            FORGETS_SYNCS.set(true);
            change(transaction, whose, room(7))
        };
        assert_eq!(store.committer.ask(Effect::Shrinks, work).await, Err(StoreError::Unavailable));
        tokio::time::timeout(Duration::from_secs(1), store.committer.failed()).await.unwrap();
        assert_eq!(store.accounts().create(account(2)).await, Err(StoreError::Unavailable.into()));
        assert_eq!(store.accounts().by_id(account(1).id).await, Ok(Some(account(1))), "its key is there");
        assert_eq!(store.room_log().read(room(7), Seq(0)).await.unwrap().len(), 1);
        assert_eq!(store.index.has(b"zrecord"), Ok(false));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_waits_for_a_lost_committer_is_told_when_it_is_given_up() {
    let (_folder, store) = store_with_patience(Duration::from_millis(500));
    let (is_there, _verdict) = slow_down(&store);
    let (committer, accounts) = (store.committer.clone(), store.accounts());
    let creating = tokio::spawn(async move { accounts.create(account(1)).await });
    tokio::task::spawn_blocking(move || is_there.recv().unwrap()).await.unwrap();
    let stopping = tokio::spawn(async move { committer.stop().await });
    settle_down().await;
    assert!(!creating.is_finished() && !stopping.is_finished());
    assert_eq!(creating.await.unwrap(), Err(StoreError::Unavailable.into()));
    assert_eq!(stopping.await.unwrap(), Err(StoreError::Unavailable));
    assert!(store.accounts().create(account(2)).await.is_err());
    assert_eq!(store.accounts().by_id(account(1).id).await, Ok(None));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn appends_that_wait_together_are_one_record_and_what_is_refused_takes_those_behind_with_it() {
    let (_folder, store) = store();
    store.accounts().create(account(1)).await.unwrap();
    let room = room(7);
    store.rooms().create(metadata(7, 1, 9), 1).await.unwrap();
    let (log, left) = (store.room_log(), RoomEvent::Left { seat: SeatNumber(1), at: Millis(1) });
    let go_on = hold(&store).await;
    // A dropped append must not be found later; every other dropped call is done.
    drop(log.append(room, Seq(0), vec![left.clone()]));
    drop(begun(store.accounts().create(account(2))).await);
    let good: Vec<_> = (0..600).map(|n| log.append(room, Seq(n), vec![left.clone()])).collect();
    let bad = [700, 701].map(|n| log.append(room, Seq(n), vec![left.clone()]));
    go_on.send(()).unwrap();
    for append in good {
        assert_eq!(append.await, Ok(()));
    }
    for append in bad {
        assert_eq!(append.await, Err(StoreError::Conflict));
    }
    assert_eq!(store.rooms.places(room).unwrap().len(), 2, "a record, and what was too much for one");
    assert_eq!(log.read(room, Seq(0)).await.unwrap().len(), 600);
    assert_eq!(store.figures().accounts, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_index_that_turns_out_to_be_damaged_while_it_serves_ends_writing_and_the_next_start_builds_it_anew() {
    let (folder, store) = store();
    store.accounts().create(account(1)).await.unwrap();
    let (home, mut index_sum) = (key(Table::Account, &[account(1).id.0.as_bytes()]), store.index.index_sum());
    // As if sled gave back an older record.
    index_sum.replace(&home, store.index.read(&home).unwrap().as_deref(), Some(b"what it was last"));
    store.index.begin_walk(index_sum);
    walk_behind(store.index.clone()).unwrap();
    tokio::time::timeout(Duration::from_secs(60), store.committer.failed()).await.unwrap();
    assert_eq!(store.accounts().create(account(2)).await, Err(StoreError::Unavailable.into()));
    assert!(!store.is_healthy());
    drop(store);
    assert!(!IndexState::holds(folder.path()));
    let options = Options { disk_reserve: 0, ..Options::new(folder.path()) };
    // The failed thread unlocks the folder a little later.
    let store = loop {
        match Local::open(&options) {
            Err(crate::OpenError::Locked(_)) => settle_down().await,
            opened => break opened.unwrap(),
        }
    };
    assert_eq!(store.accounts().by_id(account(1).id).await, Ok(Some(account(1))));
    store.accounts().create(account(2)).await.unwrap();
    assert!(IndexState::holds(folder.path()));
}
