//! Rooms and their logs when everything comes at once.

use std::sync::Arc;

use annon_contract::limits::ROOMS_PER_ACCOUNT;
use annon_store::room::{Body, ChatId, ChatText, Millis, RoomCard, RoomEvent, RoomId, RoomName, SeatNumber, Seq};
use annon_store::{Store, StoreError};
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::support::open;
use crate::support::people::*;

fn room(n: u128) -> RoomId {
    RoomId(Uuid::from_u128(n))
}

fn card(n: u128) -> RoomCard {
    RoomCard {
        id: room(n),
        name: RoomName::try_from("some group").unwrap(),
        owner: account_id(1),
        creator: name_of(1),
        created: NOW,
        expires: NOW + 1000,
    }
}

fn posted(n: u64) -> RoomEvent {
    RoomEvent::Posted {
        seat: SeatNumber(0),
        id: ChatId::try_from(format!("message{n:08}")).unwrap(),
        body: Body::Text(ChatText::try_from(&*format!("words {n}")).unwrap()),
        reply_to: None,
        at: Millis(n),
    }
}

fn is_gone(event: &RoomEvent) -> bool {
    matches!(event, RoomEvent::Posted { body: Body::Gone, .. })
}

async fn with_a_room(folder: &std::path::Path) -> Arc<Store> {
    let store = Arc::new(open(folder));
    store.accounts().create(account(1)).await.unwrap();
    store.rooms().create(card(1), NOW).await.unwrap();
    store
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_rooms_made_at_once_an_account_gets_its_number() {
    let parent = tempfile::tempdir().unwrap();
    let store = with_a_room(parent.path()).await;
    let mut tasks = JoinSet::new();
    for n in 0..2 * ROOMS_PER_ACCOUNT as u128 {
        let rooms = store.rooms();
        tasks.spawn(async move { rooms.create(card(100 + n), NOW).await });
    }
    let outcomes = tasks.join_all().await;
    assert_eq!(outcomes.iter().filter(|made| made.is_ok()).count(), ROOMS_PER_ACCOUNT - 1);
    assert!(outcomes.iter().all(|made| matches!(made, Ok(()) | Err(StoreError::Full))));
}

/// Twenty nodes that all believe they are next: each reads where the log
/// ends, appends there, and reads again when another was faster.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_writers_who_catch_up_on_a_conflict_lose_nothing_and_write_nothing_twice() {
    let parent = tempfile::tempdir().unwrap();
    let store = with_a_room(parent.path()).await;
    let mut tasks = JoinSet::new();
    for writer in 0..20_u64 {
        let log = store.room_log();
        tasks.spawn(async move {
            for n in 0..5 {
                loop {
                    let end = log.read(room(1), Seq(0)).await.unwrap().last().map_or(Seq(0), |(seq, _)| *seq);
                    match log.append(room(1), end, vec![posted(writer * 10 + n)]).await {
                        Ok(()) => break,
                        Err(error) => assert_eq!(error, StoreError::Conflict),
                    }
                }
            }
        });
    }
    tasks.join_all().await;
    let log = store.room_log().read(room(1), Seq(0)).await.unwrap();
    assert!(log.iter().map(|(seq, _)| seq.0).eq(1..=100));
    for writer in 0..20_u64 {
        let theirs: Vec<_> = (0..5).map(|n| posted(writer * 10 + n)).collect();
        let found: Vec<_> = log.iter().map(|(_, event)| event.clone()).filter(|event| theirs.contains(event)).collect();
        assert_eq!(found, theirs);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn taking_back_and_forgetting_beside_appends_and_sweeps_touches_nothing_else() {
    let parent = tempfile::tempdir().unwrap();
    let store = with_a_room(parent.path()).await;
    let mut tasks = JoinSet::new();
    let mut end = Seq(0);
    for batch in 0..60_u64 {
        let events: Vec<_> = (0..3).map(|n| posted(batch * 3 + n)).collect();
        store.room_log().append(room(1), end, events).await.unwrap();
        end = Seq(end.0 + 3);
        let (store, second) = (store.clone(), Seq(end.0 - 1));
        tasks.spawn(async move {
            store.room_log().redact(room(1), vec![second]).await.unwrap();
            if batch % 20 == 19 {
                store.room_log().forget(room(1), Seq(second.0 - 31)).await.unwrap();
                store.sweep(NOW).await.unwrap();
            }
        });
    }
    tasks.join_all().await;
    let check = |log: Vec<(Seq, RoomEvent)>| {
        let first = log[0].0.0;
        assert!((120..=150).contains(&first), "what is old is forgotten: {first}");
        assert!(log.iter().map(|(seq, _)| seq.0).eq(first..=180), "and nothing after it");
        for (seq, event) in &log {
            assert_eq!(is_gone(event), seq.0 % 3 == 2, "{seq:?}");
        }
    };
    check(store.room_log().read(room(1), Seq(0)).await.unwrap());
    store.sweep(NOW).await.unwrap();
    check(store.room_log().read(room(1), Seq(0)).await.unwrap());
    Arc::try_unwrap(store).ok().unwrap().close().await.unwrap();
    let store = Arc::new(open(parent.path()));
    check(store.room_log().read(room(1), Seq(0)).await.unwrap());
    assert_eq!(store.room_log().append(room(1), Seq(179), vec![posted(1)]).await, Err(StoreError::Conflict));
    store.room_log().append(room(1), Seq(180), vec![posted(1)]).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_room_that_is_removed_while_it_is_written_to_is_gone() {
    let parent = tempfile::tempdir().unwrap();
    let store = with_a_room(parent.path()).await;
    let log = store.room_log();
    let writer = tokio::spawn(async move {
        let mut end = Seq(0);
        loop {
            match log.append(room(1), end, vec![posted(end.0)]).await {
                Ok(()) => end = end.next(),
                Err(error) => return (end, error),
            }
        }
    });
    let has_begun = async {
        while store.room_log().read(room(1), Seq(0)).await.unwrap().len() < 5 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(60), has_begun).await.expect("it writes");
    store.rooms().remove(room(1)).await.unwrap();
    let (end, error) = writer.await.unwrap();
    assert!(end.0 >= 5 && error == StoreError::NotFound, "{end:?} {error}");
    let read = store.room_log().read(room(1), Seq(0)).await;
    assert!(matches!(read.as_deref(), Ok([]) | Err(StoreError::NotFound)), "{read:?}");
    assert_eq!(store.rooms().by_id(room(1)).await, Ok(None));
    store.sweep(NOW).await.unwrap();
    assert_eq!(store.room_log().read(room(1), Seq(0)).await, Ok(Vec::new()));
}
