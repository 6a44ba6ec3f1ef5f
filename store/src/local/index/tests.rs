//! What is asked of an index alone, without a store.

use std::panic;

use futures_util::FutureExt as _;

use super::*;

/// A sweep does, which otherwise destroys keys of records that only the commit log has.
#[tokio::test]
async fn who_asks_whether_it_is_checked_and_whole_waits_for_the_end_of_the_walk() {
    for is_whole in [true, false] {
        let folder = tempfile::tempdir().unwrap();
        let index = Index::open(folder.path()).unwrap();
        index.change(b"a record", Some(b"there")).unwrap();
        let index_sum = index.index_sum();
        if !is_whole {
            index.change(b"a record", None).unwrap();
        }
        index.begin_walk(index_sum);
        assert_eq!(index.is_checked_and_whole().now_or_never(), None);
        let walk = async { while index.walk_on().unwrap().is_none() {} };
        assert_eq!(tokio::join!(index.is_checked_and_whole(), walk).0, is_whole);
    }
}

#[test]
fn a_panic_of_sled_is_told_from_a_bug_and_is_damage() {
    let folder = tempfile::tempdir().unwrap();
    let index = Index::open(folder.path()).unwrap();
    let (here, handled) = (thread::current().id(), Arc::new(Mutex::new(Vec::new())));
    let (usual, told) = (panic::take_hook(), handled.clone());
    panic::set_hook(Box::new(move |panic| {
        if thread::current().id() == here {
            told.lock().push(index_handles_panic());
        } else {
            usual(panic);
        }
    }));
    assert_eq!(index.guarded::<()>(|_| panic!("as sled does")), Err(StoreError::Unavailable));
    assert!(catch_unwind(|| panic!("as a bug does")).is_err());
    let _ = panic::take_hook();
    assert_eq!(*handled.lock(), [true, false]);
    assert!(!index.is_whole());
}
