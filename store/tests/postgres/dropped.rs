//! What a note leaves that is dropped: its sender waits for as much as others do.

use annon_store::inbox::Arrival;
use annon_store::shield::{Fate, TagHash};

use crate::support::people::*;
use crate::support::postgres::Databases;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_note_that_is_dropped_writes_as_much_as_one_that_is_delivered() {
    let databases = Databases::new().await;
    let node = databases.open().await;
    node.accounts().create(account(1)).await.unwrap();
    let rows = "SELECT string_agg(length(sealed)::text, ' ' ORDER BY place) FROM note";
    let mut seen = Vec::new();
    for fate in [Fate::Delivered, Fate::Dropped, Fate::Dropped] {
        let arrival = Arrival { fate, tag: Some(TagHash([9; 16])), only_for_you: true, ..arrival(7, NOW) };
        node.inbox().deliver(account_id(1), arrival).await.unwrap();
        let inbox = databases.ask("SELECT length(inbox)::text FROM account").await.remove(0);
        seen.push((
            databases.ask(rows).await.remove(0),
            databases.ask("SELECT count(*) FROM only_for_you").await,
            inbox,
        ));
    }
    let [(delivered, _, length), (both, two, after_it), last] = &seen[..] else { panic!("{seen:?}") };
    assert_eq!(*both, format!("{delivered} {delivered}"));
    assert_eq!((two, length), (&vec!["2".to_owned()], after_it));
    assert_eq!(*last, seen[1], "the next one takes its place");
}
