//! What a note leaves that is dropped: its sender waits for as much as others do.

use annon_store::Kept;
use annon_store::inbox::Arrival;
use annon_store::shield::{Fate, TagHash};

use crate::support::people::*;
use crate::support::postgres::Databases;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_note_that_is_dropped_writes_as_much_as_one_that_is_delivered() {
    let databases = Databases::new().await;
    let node = databases.open().await;
    node.accounts().create(account(1)).await.unwrap();
    let rows = "SELECT string_agg(length(value)::text, ' ' ORDER BY at) FROM kept WHERE get_byte(at, 0) = 105";
    let mut seen = Vec::new();
    for fate in [Fate::Delivered, Fate::Dropped, Fate::Dropped, Fate::Dropped] {
        let arrival = Arrival { fate, tag: Some(TagHash([9; 16])), only_for_you: true, ..arrival(7, NOW) };
        node.inbox().deliver(account_id(1), arrival).await.unwrap();
        let inbox = databases.ask("SELECT length(value)::text FROM kept WHERE get_byte(at, 0) = 99").await.remove(0);
        seen.push((databases.ask(rows).await.remove(0), databases.rows_of(b'B').await, inbox));
    }
    let [(delivered, one, length), second, third, fourth] = &seen[..] else { panic!("{seen:?}") };
    let both = format!("{delivered} {delivered}");
    assert_eq!((*one, second), (1, &(both.clone(), 2, length.clone())));
    // It takes the place of the one before, and one row is written or removed, as each does.
    assert_eq!(*third, (both, 1, length.clone()));
    assert_eq!(fourth, second);
}
