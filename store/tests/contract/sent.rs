//! A note that is sent again, because its sender heard nothing, is one note.

use annon_store::StoreError;
use annon_store::conversation::{Beginning, ConversationId, Proof};
use annon_store::inbox::{Arrival, Delivered, SentHash};
use annon_store::shield::Fate;
use uuid::Uuid;

use crate::contract::engine::{Engine, ONE, with_accounts};
use crate::support::people::*;

on_every_engine! {
    a_note_that_is_sent_again_is_one_note,
    whatever_has_become_of_it,
    a_conversation_begins_once,
    a_refused_note_may_come_again,
    it_is_forgotten_when_its_day_is_over,
    it_goes_with_the_account,
}

const TWO: u64 = 2;
const DAY: u64 = 24 * 60 * 60;

fn sent(n: u8, now: u64) -> Arrival {
    Arrival { sent: Some(SentHash([n; 16])), ..arrival(n.into(), now) }
}

async fn deliver(engine: &Engine, arrival: Arrival) -> Delivered {
    engine.inbox().deliver(account_id(ONE), arrival).await.unwrap()
}

async fn texts(engine: &Engine, owner: u64, now: u64) -> Vec<String> {
    let page = engine.inbox().page(account_id(owner), None, 100, now).await.unwrap();
    page.notes.iter().map(|note| note.text.as_str().to_owned()).collect()
}

async fn a_note_that_is_sent_again_is_one_note(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let mut changes = engine.inbox().changes();
    assert!(matches!(deliver(&engine, sent(1, NOW)).await, Delivered::Shown { .. }));
    changes.recv().await.unwrap();
    engine.step().await;
    let mut changes = engine.inbox().changes();
    let again = Arrival { shuffle: 77, ..sent(1, NOW + 60) };
    assert_eq!(deliver(&engine, again).await, Delivered::Waits);
    deliver(&engine, sent(2, NOW + 61)).await;
    let told = changes.recv().await.unwrap();
    assert_eq!(told.unread, 2, "nobody is told of it again");
    assert_eq!(texts(&engine, ONE, NOW + 99).await.len(), 2);
    // Also at the same time.
    let all = (0..4).map(|shuffle| deliver(&engine, Arrival { shuffle, ..sent(3, NOW + 62) }));
    let shown = futures_util::future::join_all(all).await;
    assert_eq!(shown.iter().filter(|delivered| **delivered != Delivered::Waits).count(), 1);
    assert_eq!(texts(&engine, ONE, NOW + 99).await.len(), 3);
    // To somebody else it is another note.
    engine.inbox().deliver(account_id(TWO), sent(1, NOW)).await.unwrap();
    assert_eq!(texts(&engine, TWO, NOW + 99).await.len(), 1);
    let has_come = |owner, n, now| {
        let inbox = engine.inbox();
        async move { inbox.has_come(account_id(owner), SentHash([n; 16]), now).await }
    };
    assert_eq!([has_come(ONE, 1, NOW).await, has_come(ONE, 4, NOW).await], [Ok(true), Ok(false)]);
    assert_eq!(has_come(TWO, 2, NOW).await, Ok(false));
}

async fn whatever_has_become_of_it(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    for (n, fate) in [(1, Fate::Held), (2, Fate::Dropped)] {
        deliver(&engine, Arrival { fate, ..sent(n, NOW) }).await;
        engine.step().await;
        // It would be shown now.
        assert_eq!(deliver(&engine, sent(n, NOW + 5)).await, Delivered::Waits);
    }
    let Delivered::Shown { note, .. } = deliver(&engine, sent(3, NOW + 6)).await else { panic!("it waits") };
    engine.inbox().remove(account_id(ONE), note.id, NOW + 7).await.unwrap();
    engine.step().await;
    assert_eq!(deliver(&engine, sent(3, NOW + 8)).await, Delivered::Waits);
    assert_eq!(texts(&engine, ONE, NOW + 9).await, [""; 0]);
}

async fn a_conversation_begins_once(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let beginning = Beginning { id: ConversationId(Uuid::from_u128(5)), proof: Proof([5; 32]) };
    for n in 0..2 {
        engine.conversations().begin(account_id(ONE), sent(1, NOW + n), beginning).await.unwrap();
        engine.step().await;
    }
    assert_eq!(texts(&engine, ONE, NOW + 9).await.len(), 1);
    let other = engine.conversations().begin(account_id(ONE), sent(2, NOW), beginning).await;
    assert!(other.is_err(), "another note can't have it");
}

async fn a_refused_note_may_come_again(engine: Engine) {
    let nobody = engine.inbox().deliver(account_id(ONE), sent(1, NOW)).await;
    assert_eq!(nobody, Err(StoreError::NotFound));
    let engine = with_accounts(engine).await;
    assert!(matches!(deliver(&engine, sent(1, NOW)).await, Delivered::Shown { .. }));
}

async fn it_is_forgotten_when_its_day_is_over(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    deliver(&engine, sent(1, NOW)).await;
    engine.sweep(NOW + DAY).await.unwrap();
    engine.step().await;
    assert_eq!(deliver(&engine, sent(1, NOW + DAY)).await, Delivered::Waits, "a day later it is known");
    engine.sweep(NOW + 2 * DAY).await.unwrap();
    engine.step().await;
    let known = engine.inbox().has_come(account_id(ONE), SentHash([1; 16]), NOW).await;
    assert_eq!(known, Ok(false), "also to a clock that is behind");
    assert!(matches!(deliver(&engine, sent(1, NOW + 2 * DAY)).await, Delivered::Shown { .. }));
}

async fn it_goes_with_the_account(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    deliver(&engine, sent(1, NOW)).await;
    engine.accounts().delete(account_id(ONE)).await.unwrap();
    engine.sweep(NOW).await.unwrap();
    engine.step().await;
    assert_eq!(engine.inbox().has_come(account_id(ONE), SentHash([1; 16]), NOW).await, Ok(false));
}
