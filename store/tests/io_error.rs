//! A disk that refuses writes: the kernel limits the length of a child's files (`ulimit -f`).

use std::collections::BTreeMap;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use annon_store::Kept;
use annon_store::account::LinkKind;
use annon_store::image::Album;
use annon_store::room::Seq;
use annon_store::{Local, StoreError};

use crate::support::open;
use crate::support::people::*;

const FOLDER: &str = "ANNON_IO_ERROR_FOLDER";
const LIMIT: &str = "ANNON_IO_ERROR_LIMIT";
/// At this length of a file, in bytes, the commit log fails first: it has much chat, and sled none.
const LOG_FAILS: u64 = 700 << 10;
/// At this length sled may fail first, because it writes more than it keeps.
const INDEX_FAILS: u64 = 3 << 20;
const TASKS: u64 = 64;

#[test]
fn after_a_failed_write_nothing_is_written_and_nothing_is_lost() {
    [LOG_FAILS, INDEX_FAILS].into_iter().for_each(fails_at);
}

fn fails_at(limit: u64) {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("data");
    // `ulimit` counts blocks of 512 bytes.
    let ulimit = format!("trap '' XFSZ; ulimit -f {}; exec \"$0\" \"$@\"", limit / 512);
    let output = Command::new("sh")
        .args(["-c", &ulimit])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "io_error::the_process_whose_disk_fails", "--nocapture"])
        .env(FOLDER, &folder)
        .env(LIMIT, limit.to_string())
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(printed.contains("\nall checked\n"), "{printed}\n{}", String::from_utf8_lossy(&output.stderr));

    let mut expected = BTreeMap::<u64, Vec<u64>>::new();
    for line in printed.lines() {
        match line.split(' ').collect::<Vec<_>>()[..] {
            ["delivered", to, note] => expected.entry(to.parse().unwrap()).or_default().push(note.parse().unwrap()),
            ["created", n] => drop(expected.insert(n.parse().unwrap(), Vec::new())),
            _ => {}
        }
    }
    assert!(expected.len() as u64 > TASKS, "it took a while to fail");
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let store = open(&folder);
        for (n, notes) in expected {
            assert_eq!(store.accounts().by_username(&name_of(n)).await.unwrap(), Some(account(n)));
            let page = numbered(store.inbox()).page(account_id(n), None, usize::MAX).await.unwrap();
            assert_eq!(page.unread as usize, page.notes.len());
            // One more note may have been on its way.
            assert!(page.notes.len() - notes.len() <= 1);
            for note in notes {
                assert!(page.notes.contains(&crate::support::people::note(note)), "note {note} of {n}");
            }
        }
        assert!(store.is_healthy());
        store.sweep_after_start(NOW).await.unwrap();
        store.accounts().create(account(1_000_000)).await.unwrap();
    });
}

#[test]
fn the_process_whose_disk_fails() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let store = Arc::new(open(folder.as_ref()));
        println!();
        let limit: u64 = std::env::var(LIMIT).unwrap().parse().unwrap();
        let too_large = vec![0; limit as usize + 1];
        let picture = image(1);
        assert_eq!(store.images().put(Album::Feedback, picture, too_large).await, Err(StoreError::Unavailable));
        assert_eq!(store.images().read(Album::Feedback, picture).await, Ok(None));
        assert!(store.is_healthy(), "a picture's file is no part of the database");

        store.accounts().create(account(0)).await.unwrap();
        println!("created 0");
        if limit == LOG_FAILS {
            store.rooms().create(metadata(1, 0, NOW + 1000), NOW).await.unwrap();
            for at in 0..13 {
                let events = vec![posted(&"x".repeat(250)); 100];
                store.room_log().append(room(1), Seq(at * 100), events).await.unwrap();
            }
        }
        numbered(store.inbox()).deliver(account_id(0), note(0)).await.unwrap();
        println!("delivered 0 0");
        let people = Arc::new(Mutex::new(vec![0]));
        let writer = |task| tokio::spawn(write_until_it_fails(store.clone(), people.clone(), task));
        let tasks: Vec<_> = (0..TASKS).map(writer).collect();
        tokio::time::timeout(Duration::from_secs(60), store.failed()).await.expect("nobody was told");
        for task in tasks {
            assert_eq!(task.await.unwrap(), StoreError::Unavailable);
        }
        assert!(!store.is_healthy());
        let people = people.lock().unwrap().clone();
        check(&store, &people, limit == LOG_FAILS).await;
        println!("all checked");
        // A server exits, too. Closing would wait for a database that has given up.
        std::process::exit(0);
    });
}

async fn write_until_it_fails(store: Arc<Local>, people: Arc<Mutex<Vec<u64>>>, task: u64) -> StoreError {
    for round in 0.. {
        let n = (round * TASKS + task) * 1000 + 1000;
        if let Err(error) = store.accounts().create(account(n)).await {
            return match error {
                annon_store::account::SignUpError::Store(error) => error,
                other => panic!("{other:?}"),
            };
        }
        println!("created {n}");
        people.lock().unwrap().push(n);
        for note in n..n + 50 {
            if let Err(error) = numbered(store.inbox()).deliver(account_id(n), crate::support::people::note(note)).await
            {
                return error;
            }
            println!("delivered {n} {note}");
        }
    }
    unreachable!()
}

/// Checks that every write is refused. What can't be read stands beside an unfinished write.
async fn check(store: &Local, people: &[u64], all: bool) {
    let (accounts, inbox, one) = (store.accounts(), numbered(store.inbox()), account_id(0));
    let stopped = StoreError::Unavailable;
    for _ in 0..3 {
        assert_eq!(accounts.create(account(7)).await, Err(stopped.into()));
        assert_eq!(accounts.revoke(one, token(1), NOW + 1, NOW).await, Err(stopped));
        assert_eq!(accounts.change_password(one, hash(0), hash(1), None).await, Err(stopped));
        assert_eq!(accounts.begin_link(LinkKind::Reset, one, digest(1), NOW + 1).await, Err(stopped));
        assert_eq!(accounts.finish_reset(digest(1), hash(1), NOW).await, Err(stopped));
        assert_eq!(accounts.delete(one).await, Err(stopped));
        assert_eq!(inbox.deliver(one, note(1)).await, Err(stopped));
        assert_eq!(inbox.mark_seen(one, note_id(0)).await, Err(stopped));
        assert_eq!(inbox.remove(one, note_id(0)).await, Err(stopped));
        assert_eq!(store.feedback().add(feedback(1)).await, Err(stopped));
        assert_eq!(store.feedback().remove(feedback_id(1)).await, Err(stopped));
        tokio::time::timeout(Duration::from_secs(60), store.failed()).await.expect("also whoever asks later");
    }
    let mut readable = 0;
    for &n in people {
        let found = accounts.by_username(&name_of(n)).await;
        let page = inbox.page(account_id(n), None, 100).await;
        if let (Ok(found), Ok(page)) = (&found, &page) {
            readable += 1;
            assert_eq!(found.as_ref(), Some(&account(n)));
            assert!(page.notes.iter().all(|found| *found == note(found.id.0.as_u128() as u64)));
        }
        assert!(found.is_ok() || found == Err(stopped));
        assert!(page.is_ok() || page == Err(stopped));
    }
    // Names stand in the index in no order: in a small store many of them are beside a write.
    let enough = if all { people.len() } else { 10 };
    assert!(readable >= enough, "{readable} of {} can be read", people.len());
    assert_eq!(store.stop().await, Err(stopped), "and stopping waits for nothing");
}
