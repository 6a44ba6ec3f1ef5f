//! What ends tokens and reset links, and what does not.

use annon_store::StoreError;
use annon_store::account::Access;
use annon_store::account::LinkKind::Reset;

use crate::contract::engine::Engine;
use crate::support::people::*;

on_every_engine! {
    signing_out_ends_one_token,
    the_tokens_of_many_are_read_together,
    a_changed_password_ends_every_link_and_every_token_but_the_spared_one,
    a_reset_link_works_once,
    a_reset_link_works_until_its_time_and_not_at_it,
    a_finished_reset_ends_every_token_and_every_other_link,
    a_digest_is_remembered_for_one_account_only,
    an_expired_link_stays_dead_also_when_it_was_swept,
    a_decoy_leads_nowhere_and_is_swept_like_any_link,
}

async fn with_one_account(mut engine: Engine) -> Engine {
    engine.accounts().create(account(1)).await.unwrap();
    engine.accounts().create(account(2)).await.unwrap();
    engine.step().await;
    engine
}

async fn access(engine: &Engine, n: u64) -> Access {
    engine.accounts().access(account_id(n)).await.unwrap().unwrap()
}

async fn signing_out_ends_one_token(engine: Engine) {
    let mut engine = with_one_account(engine).await;
    engine.accounts().revoke(account_id(1), token(1), NOW + 100, NOW).await.unwrap();
    engine.accounts().revoke(account_id(1), token(1), NOW + 100, NOW).await.unwrap();
    engine.step().await;
    let now = access(&engine, 1).await;
    assert!(!now.admits(token(1), 0));
    assert!(now.admits(token(2), 0));
    assert!(access(&engine, 2).await.admits(token(1), 0), "of this account only");
}

async fn the_tokens_of_many_are_read_together(engine: Engine) {
    let engine = with_one_account(engine).await;
    engine.accounts().revoke(account_id(1), token(1), NOW + 100, NOW).await.unwrap();
    let of_all = engine.accounts().access_of([1, 2, 7].map(account_id).to_vec()).await.unwrap();
    assert_eq!(of_all.len(), 2, "who isn't there is left out");
    for n in [1, 2] {
        assert_eq!(of_all[&account_id(n)], access(&engine, n).await);
    }
}

async fn a_changed_password_ends_every_link_and_every_token_but_the_spared_one(engine: Engine) {
    let mut engine = with_one_account(engine).await;
    engine.accounts().begin_link(Reset, account_id(1), digest(1), NOW + 100).await.unwrap();
    engine.step().await;
    engine.accounts().change_password(account_id(1), hash(1), hash(7), Some(token(1))).await.unwrap();
    engine.step().await;
    assert_eq!(engine.accounts().pending_link(Reset, digest(1), NOW).await, Ok(None));
    assert_eq!(engine.accounts().finish_reset(digest(1), hash(8), NOW).await, Err(StoreError::NotFound));
    let now = access(&engine, 1).await;
    assert!(now.admits(token(1), 0) && !now.admits(token(2), 0) && now.admits(token(3), 1));
    let stored = engine.accounts().by_id(account_id(1)).await.unwrap().unwrap();
    assert_eq!(stored.password, hash(7));
    assert_eq!(stored.username, name_of(1), "nothing else changed");
    let late = engine.accounts().change_password(account_id(1), hash(1), hash(9), None).await;
    assert_eq!(late, Err(StoreError::Conflict), "somebody else has changed it");
    for (was, spared, is_spared) in [(7, Some(token(3)), true), (8, None, false)] {
        engine.accounts().change_password(account_id(1), hash(was), hash(8), spared).await.unwrap();
        engine.step().await;
        let now = access(&engine, 1).await;
        assert_eq!((now.admits(token(1), 0), now.admits(token(3), 1)), (false, is_spared), "only the last caller");
    }
}

async fn a_reset_link_works_once(engine: Engine) {
    let mut engine = with_one_account(engine).await;
    engine.accounts().begin_link(Reset, account_id(1), digest(1), NOW + 100).await.unwrap();
    engine.step().await;
    // Looking at a link does not use it up.
    for _ in 0..2 {
        assert_eq!(engine.accounts().pending_link(Reset, digest(1), NOW).await, Ok(Some(account_id(1))));
    }
    assert_eq!(engine.accounts().finish_reset(digest(1), hash(7), NOW).await, Ok(account_id(1)));
    engine.step().await;
    assert_eq!(engine.accounts().by_id(account_id(1)).await.unwrap().unwrap().password, hash(7));
    assert_eq!(engine.accounts().pending_link(Reset, digest(1), NOW).await, Ok(None));
    assert_eq!(engine.accounts().finish_reset(digest(1), hash(8), NOW).await, Err(StoreError::NotFound));
    engine.step().await;
    assert_eq!(engine.accounts().by_id(account_id(1)).await.unwrap().unwrap().password, hash(7));
}

async fn a_reset_link_works_until_its_time_and_not_at_it(engine: Engine) {
    let mut engine = with_one_account(engine).await;
    engine.accounts().begin_link(Reset, account_id(1), digest(1), NOW + 100).await.unwrap();
    engine.step().await;
    let accounts = engine.accounts();
    assert_eq!(accounts.pending_link(Reset, digest(1), NOW + 100).await, Ok(None));
    assert_eq!(accounts.finish_reset(digest(1), hash(7), NOW + 100).await, Err(StoreError::NotFound));
    assert_eq!(accounts.finish_reset(digest(1), hash(7), NOW + 99).await, Ok(account_id(1)));
}

async fn a_finished_reset_ends_every_token_and_every_other_link(engine: Engine) {
    let mut engine = with_one_account(engine).await;
    engine.accounts().change_password(account_id(1), hash(1), hash(6), Some(token(1))).await.unwrap();
    for n in 1..=3 {
        engine.accounts().begin_link(Reset, account_id(1), digest(n), NOW + 100).await.unwrap();
    }
    engine.accounts().begin_link(Reset, account_id(2), digest(4), NOW + 100).await.unwrap();
    engine.step().await;
    engine.accounts().finish_reset(digest(2), hash(7), NOW).await.unwrap();
    engine.step().await;
    for n in 1..=3 {
        assert_eq!(engine.accounts().pending_link(Reset, digest(n), NOW).await, Ok(None));
        assert_eq!(engine.accounts().finish_reset(digest(n), hash(8), NOW).await, Err(StoreError::NotFound));
    }
    assert_eq!(engine.accounts().pending_link(Reset, digest(4), NOW).await, Ok(Some(account_id(2))));
    let now = access(&engine, 1).await;
    assert!(!now.admits(token(1), 0) && !now.admits(token(2), 1) && now.admits(token(3), 2));
}

async fn a_digest_is_remembered_for_one_account_only(engine: Engine) {
    let mut engine = with_one_account(engine).await;
    engine.accounts().begin_link(Reset, account_id(1), digest(1), NOW + 100).await.unwrap();
    engine.step().await;
    let again = engine.accounts().begin_link(Reset, account_id(2), digest(1), NOW + 100).await;
    assert_eq!(again, Err(StoreError::Conflict));
    assert_eq!(engine.accounts().pending_link(Reset, digest(1), NOW).await, Ok(Some(account_id(1))));
}

async fn an_expired_link_stays_dead_also_when_it_was_swept(engine: Engine) {
    let mut engine = with_one_account(engine).await;
    engine.accounts().begin_link(Reset, account_id(1), digest(1), NOW).await.unwrap();
    engine.accounts().begin_link(Reset, account_id(1), digest(2), NOW + 1).await.unwrap();
    engine.sweep_after_start(NOW).await.unwrap();
    engine.step().await;
    assert_eq!(engine.accounts().pending_link(Reset, digest(1), NOW).await, Ok(None));
    assert_eq!(engine.accounts().pending_link(Reset, digest(2), NOW).await, Ok(Some(account_id(1))));
    engine.accounts().finish_reset(digest(2), hash(7), NOW).await.unwrap();
}

async fn a_decoy_leads_nowhere_and_is_swept_like_any_link(engine: Engine) {
    let mut engine = with_one_account(engine).await;
    engine.accounts().begin_decoy_reset(account_id(9), digest(1), NOW + 1).await.unwrap();
    let taken = Err(StoreError::Conflict);
    assert_eq!(engine.accounts().begin_decoy_reset(account_id(9), digest(1), NOW + 1).await, taken);
    assert_eq!(engine.accounts().begin_decoy_reset(account_id(1), digest(2), NOW + 1).await, taken);
    engine.step().await;
    assert_eq!(engine.accounts().pending_link(Reset, digest(1), NOW).await, Ok(None));
    assert_eq!(engine.accounts().finish_reset(digest(1), hash(7), NOW).await, Err(StoreError::NotFound));
}
