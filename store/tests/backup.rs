//! A backup from a store that is being written to, and what becomes of it.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use annon_store::Kept;
use annon_store::account::LinkKind;
use annon_store::room::Seq;
use annon_store::{Local, Progress, RestoreError, restore};
use tokio::runtime::Handle;

use crate::support::files::contents;
use crate::support::people::*;
use crate::support::{back_up, open, try_open};

async fn fill(store: &Arc<Local>, people: u64, notes: u64) {
    let mut tasks = tokio::task::JoinSet::new();
    for n in 0..people {
        let store = store.clone();
        tasks.spawn(async move {
            store.accounts().create(account(n)).await.unwrap();
            for at in 0..notes {
                numbered(store.inbox()).deliver(account_id(n), note(n * notes + at)).await.unwrap();
            }
        });
    }
    tasks.join_all().await;
    store.images().put(album(1), image(77), b"a picture".to_vec()).await.unwrap();
    store.feedback().add(feedback(2)).await.unwrap();
}

/// What the store has acknowledged to the writers.
#[derive(Default)]
struct Diary {
    created: BTreeSet<u64>,
    /// Deletions that were begun, and perhaps done.
    deleting: BTreeSet<u64>,
    deleted: BTreeSet<u64>,
    delivered: BTreeSet<(u64, u64)>,
    removing: BTreeSet<(u64, u64)>,
    removed: BTreeSet<(u64, u64)>,
}

async fn write_on(store: Arc<Local>, diary: Arc<Mutex<Diary>>, first: u64, done: Arc<AtomicBool>) {
    let (accounts, inbox) = (store.accounts(), numbered(store.inbox()));
    let entry = |write: &dyn Fn(&mut Diary) -> bool| assert!(write(&mut diary.lock().unwrap()));
    for n in (first..).step_by(4) {
        if done.load(Ordering::Acquire) {
            return;
        }
        accounts.create(account(n)).await.unwrap();
        entry(&|diary| diary.created.insert(n));
        for at in 0..6 {
            inbox.deliver(account_id(n), note(at)).await.unwrap();
            entry(&|diary| diary.delivered.insert((n, at)));
        }
        entry(&|diary| diary.removing.insert((n, 3)));
        inbox.remove(account_id(n), note_id(3)).await.unwrap();
        entry(&|diary| diary.removed.insert((n, 3)));
        if n.is_multiple_of(3) {
            entry(&|diary| diary.deleting.insert(n));
            accounts.delete(account_id(n)).await.unwrap();
            entry(&|diary| diary.deleted.insert(n));
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_made_while_others_write_holds_all_that_was_acknowledged_before() {
    let parent = tempfile::tempdir().unwrap();
    let (folder, file, restored) = (parent.path().join("a"), parent.path().join("file"), parent.path().join("b/c"));
    let store = Arc::new(open(&folder));
    fill(&store, 60, 30).await;
    let (diary, done) = (Arc::new(Mutex::new(Diary::default())), Arc::new(AtomicBool::new(false)));
    let mut tasks = tokio::task::JoinSet::new();
    for task in 0..4 {
        tasks.spawn(write_on(store.clone(), diary.clone(), 1000 + task, done.clone()));
    }
    tasks.spawn({
        let (store, done) = (store.clone(), done.clone());
        async move {
            while !done.load(Ordering::Acquire) {
                store.sweep(NOW).await.unwrap();
            }
        }
    });
    let is_under_way = || {
        let diary = diary.lock().unwrap();
        diary.created.len() > 20 && !diary.deleted.is_empty()
    };
    while !is_under_way() {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    let before = std::mem::take(&mut *diary.lock().unwrap());
    back_up(&store, &file).await;
    done.store(true, Ordering::Release);
    tasks.join_all().await;
    let after = std::mem::take(&mut *diary.lock().unwrap());
    let deleting: BTreeSet<_> = before.deleting.union(&after.deleting).copied().collect();
    let removing: BTreeSet<_> = before.removing.union(&after.removing).copied().collect();

    let counts = restore(&file, &restored, &Progress::default()).unwrap();
    assert!(counts.records > 60 * 30 && counts.pictures == 1);
    let copy = open(&restored);
    assert_eq!(copy.secret("anything"), store.secret("anything"));
    assert_ne!(copy.secret("anything"), copy.secret("another thing"));
    let present: BTreeSet<_> =
        copy.accounts().list(None, usize::MAX).await.unwrap().iter().map(|one| one.id.0.as_u128() as u64).collect();
    assert!((0..60).all(|n| present.contains(&n)));
    assert!(before.created.difference(&deleting).all(|n| present.contains(n)));
    assert!(before.deleted.is_disjoint(&present));
    for &n in &present {
        let (accounts, id) = (copy.accounts(), account_id(n));
        assert_eq!(accounts.by_username(&name_of(n)).await.unwrap(), Some(account(n)), "it opens");
        assert_eq!(accounts.by_email(&address_of(n)).await.unwrap(), Some(account(n)));
        assert_eq!(by_target(&*accounts, target_id(n)).await, Some(id));
        assert!(accounts.access(id).await.unwrap().is_some());
        let page = numbered(copy.inbox()).page(id, None, 1000).await.unwrap();
        assert_eq!(page.unread as usize, page.notes.len(), "the count of {n} is that of its notes");
        let notes: BTreeSet<_> = page.notes.iter().map(|note| (n, note.id.0.as_u128() as u64)).collect();
        if n < 60 {
            assert_eq!(notes, (n * 30..(n + 1) * 30).map(|note| (n, note)).collect());
        } else {
            let due = before.delivered.difference(&removing).filter(|(to, _)| *to == n);
            assert!(due.copied().all(|note| notes.contains(&note)), "account {n}");
            assert!(notes.is_disjoint(&before.removed), "account {n}");
        }
    }
    for n in before.deleted {
        assert_eq!(copy.accounts().by_username(&name_of(n)).await.unwrap(), None);
    }
    assert_eq!(copy.feedback().page(None, 10).await.unwrap(), [feedback(2)]);
    let picture = copy.images().read(album(1), image(77)).await.unwrap();
    assert_eq!(picture.as_deref(), Some(&b"a picture"[..]));

    copy.sweep_after_start(NOW).await.unwrap();
    assert_eq!(numbered(copy.inbox()).deliver(account_id(5), note(9_999)).await, Ok(31), "life goes on in the copy");
    copy.accounts().create(account(5_000_000)).await.unwrap();
    copy.close().await.unwrap();
    assert!(try_open(&restored).is_ok());
}

/// Where a backup goes. When its first records come, an account that is in it already is deleted, and one that
/// would stand before them is made.
struct Meanwhile {
    to: File,
    store: Arc<Local>,
    runtime: Handle,
    is_done: bool,
}

impl Write for Meanwhile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !std::mem::replace(&mut self.is_done, true) {
            self.runtime.block_on(async {
                self.store.accounts().delete(account_id(2)).await.unwrap();
                self.store.accounts().create(account(1)).await.unwrap();
            });
        }
        self.to.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_has_what_changes_behind_the_place_where_it_is() {
    let parent = tempfile::tempdir().unwrap();
    let [made, file, folder] = ["made", "backup", "restored"].map(|name| parent.path().join(name));
    let store = Arc::new(open(&made));
    for n in 2..200 {
        store.accounts().create(account(n)).await.unwrap();
    }
    let to = File::create(&file).unwrap();
    let out = Meanwhile { to, store: store.clone(), runtime: Handle::current(), is_done: false };
    store.backup(Box::new(out)).await.unwrap();
    restore(&file, &folder, &Progress::default()).unwrap();
    let copy = open(&folder);
    for n in 1..200 {
        let expected = (n != 2).then(|| account(n));
        assert_eq!(copy.accounts().by_id(account_id(n)).await, Ok(expected.clone()), "{n}");
        assert_eq!(copy.accounts().by_username(&name_of(n)).await, Ok(expected), "{n}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_restore_everybody_has_to_sign_in_and_mailed_links_do_nothing() {
    let parent = tempfile::tempdir().unwrap();
    let [made, file, folder] = ["made", "backup", "restored"].map(|name| parent.path().join(name));
    let store = open(&made);
    let (one, mut said) = (account_id(1), vec![came(1), posted("words")]);
    store.accounts().create(account(1)).await.unwrap();
    store.accounts().begin_link(LinkKind::Reset, one, digest(1), NOW + 1000).await.unwrap();
    store.rooms().create(metadata(1, 1, NOW + 1000), NOW).await.unwrap();
    store.room_log().append(room(1), Seq(0), said.clone()).await.unwrap();
    store.room_log().append(room(1), Seq(2), vec![posted("more words")]).await.unwrap();
    said.push(posted("more words"));
    assert!(store.accounts().access(one).await.unwrap().unwrap().admits(token(1), 0));
    assert!(store.accounts().pending_link(LinkKind::Reset, digest(1), NOW).await.unwrap().is_some());
    back_up(&store, &file).await;
    restore(&file, &folder, &Progress::default()).unwrap();
    for _ in 0..2 {
        let copy = open(&folder);
        assert!(!copy.accounts().access(one).await.unwrap().unwrap().admits(token(1), 0), "it may be signed out since");
        let link = copy.accounts().pending_link(LinkKind::Reset, digest(1), NOW).await.unwrap();
        assert_eq!(link, None, "it may have been used since");
        // Its members go on talking.
        copy.room_log().append(room(1), Seq(said.len() as u64), vec![posted("later")]).await.unwrap();
        said.push(posted("later"));
        let read = copy.room_log().read(room(1), Seq(0)).await.unwrap();
        assert_eq!(read, (1..).map(Seq).zip(said.clone()).collect::<Vec<_>>());
        copy.close().await.unwrap();
        // The index can be built anew before the first export.
        fs::remove_dir_all(folder.join("index")).unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_no_whole_backup_is_refused_before_anything_is_written() {
    let parent = tempfile::tempdir().unwrap();
    let (folder, file, to) = (parent.path().join("a"), parent.path().join("file"), parent.path().join("to"));
    let store = Arc::new(open(&folder));
    fill(&store, 5, 5).await;
    back_up(&store, &file).await;
    store.export().unwrap();
    let whole = fs::read(&file).unwrap();

    let damaged = parent.path().join("damaged");
    let refused = |bytes: &[u8], what: &str| {
        fs::write(&damaged, bytes).unwrap();
        let error = restore(&damaged, &to, &Progress::default()).err().unwrap_or_else(|| panic!("{what} was restored"));
        assert!(matches!(error, RestoreError::NotABackup { .. }), "{what}: {error}");
        assert!(!to.exists(), "{what}");
    };
    refused(&fs::read(folder.join("export/last")).unwrap(), "an export, which has no keys");
    refused(b"", "nothing");
    refused(&fs::read(folder.join("keys")).unwrap(), "something else");
    for part in 1..40 {
        let at = whole.len() * part / 40;
        refused(&whole[..at], "a cut file");
        let mut flipped = whole.clone();
        flipped[at] ^= 0x10;
        refused(&flipped, "a flipped bit");
    }
    let mut longer = whole.clone();
    longer.extend_from_slice(b"more");
    refused(&longer, "a file with something after its end");

    fs::write(&damaged, [b"annon export, version 2\n", &whole[24..]].concat()).unwrap();
    let error = restore(&damaged, &to, &Progress::default()).err().unwrap().to_string();
    assert!(error.contains("written by a newer annon") && !to.exists(), "{error}");

    assert!(matches!(restore(&parent.path().join("nothing"), &to, &Progress::default()), Err(RestoreError::Io { .. })));
    fs::create_dir(&to).unwrap();
    fs::write(to.join("something"), "of somebody").unwrap();
    assert!(matches!(restore(&file, &to, &Progress::default()), Err(RestoreError::NotEmpty(_))));
    assert_eq!(contents(&to).len(), 1, "and it is left alone");
    fs::remove_file(to.join("something")).unwrap();
    // A new file system of the usual kind has that in it.
    fs::create_dir(to.join("lost+found")).unwrap();
    assert!(restore(&file, &to, &Progress::default()).is_ok());
    assert!(matches!(restore(&file, &to, &Progress::default()), Err(RestoreError::NotEmpty(_))), "a second time");
    assert!(
        matches!(restore(&file, &folder, &Progress::default()), Err(RestoreError::NotEmpty(_))),
        "over a living store"
    );
}
