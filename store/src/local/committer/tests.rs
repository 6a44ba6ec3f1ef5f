use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::task::Poll;

use tempfile::TempDir;
use uuid::Uuid;

use super::*;
use crate::account::{Account, AccountId, Accounts, Email, PasswordHash, TargetId, Username};
use crate::engine::Engine;
use crate::inbox::{Arrival, Delivered, Inbox, Note, NoteId};
use crate::local::base::Base;
use crate::local::belief::Belief;
use crate::local::table::{Table, key};
use crate::local::{Options, Store};
use crate::room::{Millis, RoomCard, RoomEvent, RoomId, RoomName, SeatNumber, Seq};
use crate::seals::keyring::Owner;
use crate::text::NoteText;

struct Bench {
    _folder: TempDir,
    store: Store,
    base: Arc<Base>,
    accounts: Arc<dyn Accounts>,
    inbox: Arc<dyn Inbox>,
}

/// A store of which a test says what happens before a group is synced.
fn bench(before_sync: impl FnMut() -> std::io::Result<()> + Send + 'static) -> Bench {
    bench_with(Duration::from_secs(60), before_sync)
}

fn bench_with(patience: Duration, before_sync: impl FnMut() -> std::io::Result<()> + Send + 'static) -> Bench {
    let folder = tempfile::tempdir().unwrap();
    let options = Options { disk_reserve: 0, ..Options::new(folder.path()) };
    let pace = Pace { pause: Duration::ZERO, patience };
    let store = Store::open_with(&options, pace).unwrap();
    store.base.rooms.reader.before_sync(before_sync);
    let (base, accounts, inbox) = (store.base.clone(), store.accounts(), store.inbox());
    Bench { _folder: folder, store, base, accounts, inbox }
}

impl Bench {
    fn commits(&self) -> u64 {
        self.store.figures().commits
    }

    /// Holds the committer until told to go on: what is asked for in the
    /// meantime is its next group.
    async fn hold(&self) -> Sender<()> {
        let (go_on, wait) = channel();
        let (began, has_begun) = oneshot::channel();
        let committer = self.base.committer.clone();
        tokio::spawn(async move {
            let work = move |_: &mut Transaction<'_>| {
                let _ = began.send(());
                let _ = wait.recv();
                Ok::<_, StoreError>(())
            };
            committer.write(Effect::Shrinks, work).await
        });
        has_begun.await.unwrap();
        go_on
    }

    fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Transaction<'_>) -> Result<T> + Send + 'static,
    ) -> tokio::task::JoinHandle<Result<T>> {
        tokio::spawn(self.base.committer.ask(Effect::Grows, work))
    }
}

/// Lets what was spawned run as far as it can.
async fn settle_down() {
    tokio::time::sleep(Duration::from_millis(20)).await;
}

/// A call that has its turn.
async fn begun<'a, T>(call: impl Future<Output = T> + Send + 'a) -> Pin<Box<dyn Future<Output = T> + Send + 'a>> {
    let mut call = Box::pin(call);
    let is_done = poll_fn(|context| Poll::Ready(call.as_mut().poll(context).is_ready())).await;
    assert!(!is_done, "the committer is held");
    call
}

fn put(name: &'static [u8]) -> impl FnOnce(&mut Transaction<'_>) -> Result<()> + Send + 'static {
    move |transaction| {
        transaction.put_bytes(name.to_vec(), b"x".to_vec());
        Ok(())
    }
}

pub(crate) fn account(n: u128) -> Account {
    Account {
        id: AccountId(Uuid::from_u128(n)),
        target: TargetId(Uuid::from_u128(n)),
        username: Username::try_from(format!("person-{n}")).unwrap(),
        email: Email::try_from(format!("{n}@example.org")).unwrap(),
        password: PasswordHash("hash".into()),
        created: 1,
        confirmed: true,
    }
}

fn note(lot: u64) -> Arrival {
    Arrival { text: NoteText::try_from("some words of a note".to_owned()).unwrap(), now: 1, lot }
}

/// Files a note, and tells how many are unread and which it is.
pub(crate) async fn deliver(inbox: &dyn Inbox, owner: AccountId, lot: u64) -> Result<(u32, NoteId)> {
    match inbox.deliver(owner, note(lot)).await? {
        Delivered::Shown { note, unread } => Ok((unread, note.id)),
        Delivered::Waits => unreachable!("nothing is taken in batches here"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_that_wait_together_share_a_commit() {
    let bench = bench(|| Ok(()));
    let one = account(1);
    bench.accounts.create(one.clone()).await.unwrap();
    let before = bench.commits();
    let go_on = bench.hold().await;
    let mut calls = Vec::new();
    for n in 0..200 {
        calls.push(begun(bench.inbox.deliver(one.id, note(n))).await);
    }
    go_on.send(()).unwrap();
    for call in calls {
        call.await.unwrap();
    }
    assert_eq!(bench.commits() - before, 1, "200 calls, one sync");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_that_fails_or_panics_leaves_nothing_and_harms_nobody_in_its_group() {
    let bench = bench(|| Ok(()));
    let go_on = bench.hold().await;
    let first = bench.ask(put(b"zfirst"));
    let fails = bench.ask(|transaction| {
        transaction.put_bytes(b"zfails".to_vec(), Vec::new());
        transaction.remove(b"zfirst".to_vec());
        transaction.new_key(Owner::Account(Uuid::from_u128(9)))?;
        Err::<(), _>(StoreError::Full)
    });
    let panics = bench.ask(|transaction| -> Result<()> {
        transaction.put_bytes(b"zpanics".to_vec(), Vec::new());
        transaction.remove(b"zfirst".to_vec());
        panic!("a bug");
    });
    let last = bench.ask(put(b"zlast"));
    go_on.send(()).unwrap();
    assert_eq!(first.await.unwrap(), Ok(()));
    assert_eq!(fails.await.unwrap(), Err(StoreError::Full));
    assert_eq!(panics.await.unwrap(), Err(StoreError::Unavailable));
    assert_eq!(last.await.unwrap(), Ok(()));
    let there = bench.base.index.under(b"z").map(|pair| pair.unwrap().0).collect::<Vec<_>>();
    assert_eq!(there, [b"zfirst".to_vec(), b"zlast".to_vec()]);
    assert_eq!(bench.base.keyring.read().unwrap().owners().count(), 0);
    assert_eq!(bench.commits(), 1);
    assert!(bench.base.committer.is_healthy());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_of_a_group_see_what_earlier_ones_did() {
    let bench = bench(|| Ok(()));
    let go_on = bench.hold().await;
    let mut outcomes = Vec::new();
    for work in ["create", "create again", "deliver", "delete", "see", "remove", "deliver to nobody"] {
        let (accounts, inbox, one) = (bench.accounts.clone(), bench.inbox.clone(), account(1));
        let nobodys = NoteId(Uuid::nil());
        let call = async move {
            match work {
                "create" => accounts.create(one).await.is_ok(),
                "create again" => accounts.create(Account { id: AccountId(Uuid::from_u128(2)), ..one }).await.is_err(),
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
    assert_eq!(bench.commits(), 1);
    assert_eq!(bench.base.keyring.read().unwrap().owners().count(), 0, "a key born and destroyed in one group");
    let left: Vec<_> = bench.base.index.records().map(|pair| pair.unwrap().0[0]).collect();
    assert_eq!(left, [Table::Gone as u8, Table::Note as u8, Table::KeySlots as u8], "the rest is the sweeper's");
}

/// A commit that stops before its sync, and waits to be told how it went.
fn slow(patience: Duration) -> (Bench, Receiver<()>, Sender<std::io::Result<()>>) {
    let (reached, is_there) = channel();
    let (verdict, waiting) = channel();
    let waiting = Mutex::new(waiting);
    let bench = bench_with(patience, move || {
        let _ = reached.send(());
        waiting.lock().unwrap().recv().unwrap_or(Ok(()))
    });
    (bench, is_there, verdict)
}

/// Makes two accounts, whose commits go well.
async fn two_accounts(bench: &Bench, is_there: &Receiver<()>, verdict: &Sender<std::io::Result<()>>) -> [Account; 2] {
    let both = [account(1), account(2)];
    for account in &both {
        verdict.send(Ok(())).unwrap();
        bench.accounts.create(account.clone()).await.unwrap();
        is_there.recv().unwrap();
    }
    both
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_not_on_disk_yet_is_not_seen_and_no_read_waits_for_it() {
    let (bench, is_there, verdict) = slow(Duration::from_secs(60));
    let [one, other] = two_accounts(&bench, &is_there, &verdict).await;
    let inbox = bench.inbox.clone();
    let delivering = tokio::spawn(async move { deliver(&*inbox, one.id, 1).await });
    tokio::task::spawn_blocking(move || is_there.recv().unwrap()).await.unwrap();

    // It is written now, and not on disk.
    for account in [&one, &other] {
        assert!(bench.inbox.page(account.id, None, 10, 1).await.unwrap().notes.is_empty(), "shown too early");
        assert_eq!(bench.accounts.by_id(account.id).await.unwrap().as_ref(), Some(account), "another record");
    }
    settle_down().await;
    assert!(!delivering.is_finished());
    verdict.send(Ok(())).unwrap();
    let (unread, id) = delivering.await.unwrap().unwrap();
    assert_eq!(unread, 1);
    let shown = Note { id, text: note(1).text, date: 0, seen: false };
    assert_eq!(bench.inbox.page(one.id, None, 10, 1).await.unwrap().notes, [shown]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_failed_sync_nothing_of_it_is_shown_and_the_rest_is() {
    let (bench, is_there, verdict) = slow(Duration::from_secs(60));
    let [one, other] = two_accounts(&bench, &is_there, &verdict).await;
    verdict.send(Err(std::io::Error::other("the disk says no"))).unwrap();
    let stopped = Err(StoreError::Unavailable);
    assert_eq!(bench.inbox.deliver(one.id, note(1)).await, stopped);
    tokio::time::timeout(Duration::from_secs(1), bench.base.committer.failed()).await.unwrap();
    assert!(!bench.base.committer.is_healthy());
    for account in [&one, &other] {
        assert!(bench.inbox.page(account.id, None, 10, 1).await.unwrap().notes.is_empty());
    }
    assert_eq!(bench.accounts.by_id(one.id).await.unwrap(), Some(one.clone()));
    assert_eq!(bench.inbox.deliver(other.id, note(2)).await, stopped);
    assert_eq!(bench.accounts.delete(one.id).await, Err(StoreError::Unavailable));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_waits_for_a_lost_committer_is_told_when_it_is_given_up() {
    let (bench, is_there, verdict) = slow(Duration::from_millis(500));
    let (committer, accounts) = (bench.base.committer.clone(), bench.accounts.clone());
    let creating = tokio::spawn(async move { accounts.create(account(1)).await });
    tokio::task::spawn_blocking(move || is_there.recv().unwrap()).await.unwrap();
    let stopping = tokio::spawn(async move { committer.stop().await });
    settle_down().await;
    assert!(!creating.is_finished() && !stopping.is_finished());
    assert_eq!(creating.await.unwrap(), Err(StoreError::Unavailable.into()));
    assert_eq!(stopping.await.unwrap(), Err(StoreError::Unavailable));
    assert!(bench.accounts.create(account(2)).await.is_err());
    assert_eq!(bench.accounts.by_id(account(1).id).await, Ok(None));
    drop(verdict);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_committer_that_panics_is_a_failure_everybody_hears_of() {
    let bench = bench(|| panic!("a bug in the database"));
    assert!(bench.accounts.create(account(1)).await.is_err());
    tokio::time::timeout(Duration::from_secs(1), bench.base.committer.failed()).await.unwrap();
    assert!(bench.accounts.create(account(2)).await.is_err());
    assert_eq!(
        bench.base.record::<crate::shapes::feedback::Count>(&key(Table::FeedbackCount, &[])),
        Ok(None),
        "reading goes on"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_refuses_what_grows_and_takes_what_shrinks() {
    let parent = tempfile::tempdir().unwrap();
    let options = |disk_reserve| {
        let mut options = Options::new(parent.path());
        options.disk_reserve = disk_reserve;
        options
    };
    let store = Store::open(&options(0)).unwrap();
    store.accounts().create(account(1)).await.unwrap();
    let (_, id) = deliver(&*store.inbox(), account(1).id, 1).await.unwrap();
    store.close().await.unwrap();
    let store = Store::open(&options(u64::MAX)).unwrap();
    let refused = StoreError::DiskFull;
    assert_eq!(store.inbox().deliver(account(1).id, note(2)).await, Err(refused));
    assert_eq!(store.accounts().create(account(2)).await, Err(refused.into()));
    assert_eq!(store.inbox().mark_seen(account(1).id, id, 1).await, Ok(0));
    assert_eq!(store.inbox().remove(account(1).id, id, 1).await, Ok(0));
    assert_eq!(store.sweep(1).await.unwrap().resealed, 1);
    assert!(store.is_healthy());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn appends_that_wait_together_are_one_record_and_what_is_refused_takes_those_behind_with_it() {
    let bench = bench(|| Ok(()));
    bench.accounts.create(account(1)).await.unwrap();
    let room = RoomId(Uuid::from_u128(7));
    let (name, creator) = (RoomName::try_from("tacos").unwrap(), account(1).username);
    let card = RoomCard { id: room, name, owner: account(1).id, creator, created: 1, expires: 9 };
    bench.store.rooms().create(card, 1).await.unwrap();
    let (log, left) = (bench.store.room_log(), RoomEvent::Left { seat: SeatNumber(1), at: Millis(1) });
    let go_on = bench.hold().await;
    // Who has given up an append may not find it written later; any other call is done.
    drop(log.append(room, Seq(0), vec![left.clone()]));
    drop(begun(bench.accounts.create(account(2))).await);
    let good: Vec<_> = (0..600).map(|n| log.append(room, Seq(n), vec![left.clone()])).collect();
    let bad = [700, 701].map(|n| log.append(room, Seq(n), vec![left.clone()]));
    go_on.send(()).unwrap();
    for append in good {
        assert_eq!(append.await, Ok(()));
    }
    for append in bad {
        assert_eq!(append.await, Err(StoreError::Conflict));
    }
    assert_eq!(bench.base.rooms.places(room).unwrap().len(), 2, "a record, and what was too much for one");
    assert_eq!(log.read(room, Seq(0)).await.unwrap().len(), 600);
    assert_eq!(bench.store.figures().accounts, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_index_that_is_damaged_while_it_serves_ends_writing_and_the_next_start_builds_it_anew() {
    let bench = bench(|| Ok(()));
    bench.accounts.create(account(1)).await.unwrap();
    bench.base.index.is_damaged("a test says so");
    tokio::time::timeout(Duration::from_secs(1), bench.base.committer.failed()).await.unwrap();
    assert_eq!(bench.accounts.create(account(2)).await, Err(StoreError::Unavailable.into()));
    assert!(!bench.store.is_healthy());
    let Bench { _folder: folder, store, base, accounts, inbox } = bench;
    drop((store, base, accounts, inbox));
    assert!(!Belief::at(folder.path()).holds());
    let options = Options { disk_reserve: 0, ..Options::new(folder.path()) };
    // The thread that has failed lets go of the folder a little later.
    let store = loop {
        match Store::open(&options) {
            Err(crate::OpenError::Locked(_)) => settle_down().await,
            opened => break opened.unwrap(),
        }
    };
    assert_eq!(store.accounts().by_id(account(1).id).await, Ok(Some(account(1))));
    store.accounts().create(account(2)).await.unwrap();
    assert!(Belief::at(folder.path()).holds());
}
