//! Suspensions: at most one of each account, over by themselves.

use annon_store::StoreError;

use crate::contract::engine::{Engine, ONE, with_accounts};
use crate::support::people::*;

on_every_engine! {
    a_suspension_lasts_until_its_end,
    one_suspension_takes_the_place_of_another_and_is_lifted,
    a_suspension_goes_with_its_account,
    a_suspension_outlives_a_new_password,
}

async fn a_suspension_lasts_until_its_end(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let (one, until) = (account_id(ONE), NOW + 100);
    engine.suspensions().suspend(one, suspension(until, "spam")).await.unwrap();
    engine.step().await;
    for (now, expected) in
        [(NOW, Some(suspension(until, "spam"))), (until - 1, Some(suspension(until, "spam"))), (until, None)]
    {
        assert_eq!(engine.suspensions().of(one, now).await.unwrap(), expected, "{now}");
        let all = engine.suspensions().all(now).await.unwrap();
        assert_eq!(all, expected.map(|found| (one, found)).into_iter().collect::<Vec<_>>(), "{now}");
    }
    assert_eq!(engine.suspensions().of(account_id(2), NOW).await.unwrap(), None);
    assert_eq!(engine.sweep(until - 1).await.unwrap().suspensions, 0);
    assert_eq!(engine.sweep(until).await.unwrap().suspensions, 1);
    assert_eq!(engine.suspensions().of(one, NOW).await.unwrap(), None, "nothing of it is kept");
}

async fn one_suspension_takes_the_place_of_another_and_is_lifted(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let suspensions = engine.suspensions();
    for n in 1..=2 {
        suspensions.suspend(account_id(n), suspension(NOW + 10, "spam")).await.unwrap();
        suspensions.suspend(account_id(n), suspension(NOW + 20 + n, "threats, é and 🙂")).await.unwrap();
    }
    drop(suspensions);
    engine.step().await;
    let both = [1, 2].map(|n| (account_id(n), suspension(NOW + 20 + n, "threats, é and 🙂")));
    assert_eq!(engine.suspensions().all(NOW).await.unwrap(), both);
    for _ in 0..2 {
        engine.suspensions().lift(account_id(ONE)).await.unwrap();
        engine.step().await;
        assert_eq!(engine.suspensions().of(account_id(ONE), NOW).await.unwrap(), None);
    }
    assert_eq!(engine.suspensions().all(NOW).await.unwrap(), both[1..]);
    let nobody = engine.suspensions().suspend(account_id(9), suspension(NOW + 10, "spam")).await;
    assert_eq!(nobody, Err(StoreError::NotFound));
    assert_eq!(engine.suspensions().of(account_id(9), NOW).await.unwrap(), None);
}

async fn a_suspension_goes_with_its_account(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    engine.suspensions().suspend(account_id(ONE), suspension(NOW + 10, "spam")).await.unwrap();
    engine.accounts().delete(account_id(ONE)).await.unwrap();
    engine.step().await;
    assert_eq!(engine.suspensions().of(account_id(ONE), NOW).await.unwrap(), None);
    assert_eq!(engine.suspensions().all(NOW).await.unwrap(), []);
    let gone = engine.suspensions().suspend(account_id(ONE), suspension(NOW + 10, "spam")).await;
    assert_eq!(gone, Err(StoreError::NotFound));
}

async fn a_suspension_outlives_a_new_password(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    engine.suspensions().suspend(account_id(ONE), suspension(NOW + 10, "spam")).await.unwrap();
    let was = engine.accounts().by_id(account_id(ONE)).await.unwrap().unwrap().password;
    engine.accounts().change_password(account_id(ONE), was, hash(77), None).await.unwrap();
    engine.step().await;
    assert_eq!(engine.suspensions().of(account_id(ONE), NOW).await.unwrap(), Some(suspension(NOW + 10, "spam")));
}
