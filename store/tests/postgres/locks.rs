//! What stays locked, and for how long.

use annon_store::Kept;

use crate::support::people::*;
use crate::support::postgres::{Cluster, Databases};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_locked_while_the_keys_database_is_asked() {
    let databases = Databases::new().await;
    let (node, other) = (databases.open().await, databases.open().await);
    for n in 1..=2 {
        node.accounts().create(account(n)).await.unwrap();
    }
    node.inbox().deliver(account_id(2), arrival(1, NOW)).await.unwrap();
    // This one has no keys in memory.
    let cold = databases.open().await;
    let keys = Cluster::shared();
    let lock = keys.lock("keys", &format!("{}.seal_key", databases.schema)).await;
    let deliver = |node: &annon_store::Postgres, to| {
        let inbox = node.inbox();
        tokio::spawn(async move { inbox.deliver(account_id(to), arrival(2, NOW + 1)).await })
    };
    // The first note of an inbox makes its key; for the other one a key has to be read.
    let delivered = [deliver(&node, 1), deliver(&cold, 2)];
    let waiting = format!(
        "SELECT 1 FROM pg_locks l JOIN pg_class c ON c.oid = l.relation \
         WHERE NOT l.granted AND c.relnamespace = '{}'::regnamespace HAVING count(*) > 1",
        databases.schema
    );
    keys.until_in("keys", &waiting).await;
    for n in 1..=2 {
        other.inbox().set_batches(account_id(n), true, NOW).await.unwrap();
    }
    assert_eq!(keys.ask("keys", &waiting).await, ["1"], "they still wait");
    drop(lock);
    for delivered in delivered {
        delivered.await.unwrap().unwrap();
    }
}
