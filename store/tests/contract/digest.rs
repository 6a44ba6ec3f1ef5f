//! Digests: when one is due, who gets it, and with what it ends.

use annon_store::StoreError;
use annon_store::digest::Digest;
use annon_store::push::Language;

use crate::contract::engine::{Engine, ONE, with_accounts};
use crate::support::people::*;

on_every_engine! {
    a_digest_is_due_once_a_day_and_one_of_many_gets_it,
    a_digest_ends_when_its_owner_or_its_link_says_so_and_with_the_account,
}

const DAY: u64 = 24 * 60 * 60;

fn digest(began: u64, due: u64) -> Digest {
    Digest { language: Language::De, began, since: began, due }
}

async fn a_digest_is_due_once_a_day_and_one_of_many_gets_it(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let [one, two] = [ONE, 2].map(account_id);
    let due = async |engine: &Engine, now| engine.digests().due(now, 10).await.unwrap();
    engine.digests().begin(one, digest(NOW, NOW + 600)).await.unwrap();
    engine.digests().begin(two, digest(NOW, NOW + 6_000)).await.unwrap();
    engine.step().await;
    assert_eq!(due(&engine, NOW + 500).await, []);
    assert_eq!(engine.digests().take(one, NOW + 500).await.unwrap(), None, "it isn't due");
    assert_eq!(due(&engine, NOW + 600).await, [one]);
    assert_eq!(engine.digests().due(NOW + 6_000, 1).await.unwrap(), [one]);

    let taken = {
        let digests = engine.digests();
        futures_util::future::join_all((0..4).map(|_| digests.take(one, NOW + 700))).await
    };
    let taken: Vec<_> = taken.into_iter().map(Result::unwrap).collect();
    let got: Vec<_> = taken.into_iter().flatten().collect();
    assert_eq!(got, [digest(NOW, NOW + 600)]);
    engine.step().await;
    let next = digest(NOW, NOW + 600 + DAY);
    assert_eq!(engine.digests().of(one).await.unwrap(), Some(next), "nobody knows that it was sent");
    engine.digests().sent(one, NOW + 1, NOW + 700).await.unwrap();
    engine.digests().sent(account_id(7), NOW, NOW + 700).await.unwrap();
    engine.step().await;
    assert_eq!(engine.digests().of(one).await.unwrap(), Some(next), "an earlier one was sent");
    engine.digests().sent(one, NOW, NOW + 700).await.unwrap();
    engine.step().await;
    assert_eq!(engine.digests().of(one).await.unwrap(), Some(Digest { since: NOW + 700, ..next }));
    assert_eq!(due(&engine, NOW + 6_000).await, [two]);
    // Switched on again, only the new time counts.
    engine.digests().begin(two, digest(NOW + 1, NOW + 9_000)).await.unwrap();
    engine.step().await;
    assert_eq!(due(&engine, NOW + 6_000).await, []);
    assert_eq!(due(&engine, NOW + 9_000).await, [two]);
}

async fn a_digest_ends_when_its_owner_or_its_link_says_so_and_with_the_account(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let [one, two] = [ONE, 2].map(account_id);
    for account in [one, two] {
        engine.digests().begin(account, digest(NOW, NOW + 600)).await.unwrap();
    }
    engine.digests().end(one, Some(NOW - 1)).await.unwrap();
    engine.step().await;
    assert!(engine.digests().of(one).await.unwrap().is_some(), "a link of an earlier one");
    for of in [Some(NOW), Some(NOW), None] {
        engine.digests().end(one, of).await.unwrap();
        engine.step().await;
        assert_eq!(engine.digests().of(one).await.unwrap(), None);
    }
    engine.accounts().delete(two).await.unwrap();
    engine.step().await;
    assert_eq!(engine.digests().of(two).await.unwrap(), None);
    assert_eq!(engine.digests().due(NOW + DAY, 10).await.unwrap(), []);
    assert_eq!(engine.digests().begin(two, digest(NOW, NOW)).await, Err(StoreError::NotFound));
    assert_eq!(engine.digests().due(NOW + DAY, 10).await.unwrap(), [], "nothing is left of what was refused");
}
