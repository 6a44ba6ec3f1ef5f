//! How many notes a second a database takes, without a server of HTTP in front of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use annon_store::Kept;
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::support::people::*;
use crate::support::postgres::Databases;

const INBOXES: u64 = 500;
const NOW: u64 = 2_000_000_000;
const LENGTH: Duration = Duration::from_secs(4);

/// Its numbers say something of a release build only, and with `ANNON_TESTS_FSYNC=on`.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "this measures, and checks nothing"]
async fn notes_a_second() {
    let databases = Databases::new().await;
    let node = Arc::new(databases.open().await);
    for n in 1..=INBOXES {
        node.accounts().create(account(n)).await.unwrap();
    }
    let (numbers, done) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    for clients in [1, 16, 128] {
        let before = done.load(Relaxed);
        let mut all = JoinSet::new();
        for mut at in 0..clients {
            let (node, numbers, done) = (node.clone(), numbers.clone(), done.clone());
            all.spawn(async move {
                loop {
                    at = (at * 31 + 7) % INBOXES;
                    let arrival = arrival(numbers.fetch_add(1, Relaxed), NOW);
                    node.inbox().deliver(account_id(at + 1), arrival).await.unwrap();
                    done.fetch_add(1, Relaxed);
                }
            });
        }
        sleep(LENGTH).await;
        println!("{clients} clients: {} notes a second", (done.load(Relaxed) - before) / LENGTH.as_secs());
        all.shutdown().await;
    }
}
