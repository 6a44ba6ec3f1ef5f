//! Sign-ins: what the owner of an account sees of them, and what ends them.

use annon_contract::limits::{SIGN_INS, UNKNOWN_SIGN_IN_DAYS};
use annon_store::StoreError;
use annon_store::account::TokenId;
use annon_store::shield::day_of;
use annon_store::sign_in::{Browser, SignIn, System};

use crate::contract::engine::{Engine, ONE, with_accounts};
use crate::support::people::*;

on_every_engine! {
    a_sign_in_is_there_until_its_token_is_over,
    one_is_ended_or_all_others,
    a_sign_in_with_an_older_version_is_refused,
    one_too_many_ends_the_oldest,
    an_unknown_one_stays_until_its_owner_knows_it,
    a_new_password_ends_what_was_before,
    the_day_of_the_last_use_is_noted,
    they_go_with_the_account,
    two_hundred_at_once_leave_as_many_as_may_be,
}

const EXPIRES: u64 = NOW + 7_200;
const DAY: u64 = 24 * 60 * 60;

fn sign_in(n: u64) -> SignIn {
    SignIn {
        token: token(n),
        version: 0,
        browser: Browser::Firefox,
        system: System::Linux,
        began: day_of(NOW),
        used: day_of(NOW),
        expires: EXPIRES,
        is_unknown: false,
    }
}

fn unknown(n: u64) -> SignIn {
    SignIn { is_unknown: true, ..sign_in(n) }
}

async fn begin(engine: &Engine, sign_in: SignIn) {
    engine.sign_ins().begin(account_id(ONE), sign_in, NOW).await.unwrap();
}

/// The tokens of those that are kept, and whether each is open.
async fn kept(engine: &Engine, now: u64) -> Vec<(TokenId, bool)> {
    let all = engine.sign_ins().of(account_id(ONE), now).await.unwrap();
    all.into_iter().map(|(one, open)| (one.token, open)).collect()
}

async fn admits(engine: &Engine, n: u64) -> bool {
    engine.accounts().access(account_id(ONE)).await.unwrap().unwrap().admits(token(n), 0)
}

async fn a_sign_in_is_there_until_its_token_is_over(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    assert_eq!(kept(&engine, NOW).await, []);
    begin(&engine, sign_in(1)).await;
    begin(&engine, sign_in(2)).await;
    engine.step().await;
    assert_eq!(engine.sign_ins().of(account_id(ONE), NOW).await.unwrap(), [(sign_in(2), true), (sign_in(1), true)]);
    assert_eq!(engine.sign_ins().of(account_id(2), NOW).await.unwrap(), [], "of this account only");
    assert_eq!(engine.sign_ins().of(account_id(9), NOW).await, Err(StoreError::NotFound));
    assert_eq!(kept(&engine, EXPIRES).await, []);
    // Nothing of them is kept on the next day.
    engine.sweep(NOW + DAY + 7_200).await.unwrap();
    engine.step().await;
    assert_eq!(kept(&engine, NOW).await, []);
}

async fn one_is_ended_or_all_others(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    for n in 1..=4 {
        begin(&engine, sign_in(n)).await;
    }
    engine.sign_ins().end(account_id(ONE), token(2), NOW).await.unwrap();
    engine.step().await;
    assert!(!admits(&engine, 2).await && admits(&engine, 1).await);
    assert_eq!(kept(&engine, NOW).await, [4, 3, 1].map(|n| (token(n), true)));
    for nobody in [token(2), token(9)] {
        assert_eq!(engine.sign_ins().end(account_id(ONE), nobody, NOW).await, Err(StoreError::NotFound));
    }
    assert_eq!(engine.sign_ins().end(account_id(2), token(1), NOW).await, Err(StoreError::NotFound), "another's");
    // Whoever signs out is not there any more.
    engine.accounts().revoke(account_id(ONE), token(1), EXPIRES, NOW).await.unwrap();
    assert_eq!(kept(&engine, NOW).await, [4, 3].map(|n| (token(n), true)));
    engine.sign_ins().end_others(account_id(ONE), token(3), NOW).await.unwrap();
    engine.step().await;
    assert_eq!(kept(&engine, NOW).await, [(token(3), true)]);
    assert!(admits(&engine, 3).await && !admits(&engine, 4).await);
}

async fn a_sign_in_with_an_older_version_is_refused(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    engine.accounts().change_password(account_id(ONE), hash(ONE), hash(7), None).await.unwrap();
    engine.step().await;
    let late = engine.sign_ins().begin(account_id(ONE), sign_in(1), NOW).await;
    assert_eq!(late, Err(StoreError::Conflict));
    assert_eq!(engine.sign_ins().begin(account_id(9), sign_in(1), NOW).await, Err(StoreError::NotFound));
    begin(&engine, SignIn { version: 1, ..sign_in(1) }).await;
    assert_eq!(kept(&engine, NOW).await, [(token(1), true)]);
}

async fn one_too_many_ends_the_oldest(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let most = SIGN_INS as u64;
    for n in 1..=most + 1 {
        begin(&engine, sign_in(n)).await;
    }
    engine.step().await;
    assert_eq!(kept(&engine, NOW).await, (2..=most + 1).rev().map(|n| (token(n), true)).collect::<Vec<_>>());
    assert!(!admits(&engine, 1).await && admits(&engine, 2).await);
}

async fn an_unknown_one_stays_until_its_owner_knows_it(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    for n in 1..=3 {
        begin(&engine, unknown(n)).await;
    }
    // Who has signed out by themselves has hidden nothing.
    engine.accounts().revoke(account_id(ONE), token(1), EXPIRES, NOW).await.unwrap();
    engine.sweep(NOW + 2 * DAY).await.unwrap();
    engine.step().await;
    assert_eq!(kept(&engine, NOW + 2 * DAY).await, [3, 2, 1].map(|n| (token(n), false)));
    engine.sign_ins().recognize(account_id(ONE), token(2), NOW + 2 * DAY).await.unwrap();
    let again = engine.sign_ins().recognize(account_id(ONE), token(2), NOW + 2 * DAY).await;
    assert_eq!(again, Err(StoreError::NotFound), "it is over, and known");
    engine.step().await;
    assert_eq!(kept(&engine, NOW + 2 * DAY).await, [3, 1].map(|n| (token(n), false)));
    let over = NOW + u64::from(UNKNOWN_SIGN_IN_DAYS) * DAY;
    assert_eq!(kept(&engine, over).await, []);
    // One that is known while it is open goes with its token.
    begin(&engine, unknown(4)).await;
    engine.sign_ins().recognize(account_id(ONE), token(4), NOW).await.unwrap();
    assert_eq!(engine.sign_ins().of(account_id(ONE), NOW).await.unwrap()[0], (sign_in(4), true));
    assert_eq!(kept(&engine, EXPIRES).await, [3, 1].map(|n| (token(n), false)));
}

async fn a_new_password_ends_what_was_before(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    begin(&engine, sign_in(1)).await;
    begin(&engine, unknown(2)).await;
    begin(&engine, sign_in(3)).await;
    engine.accounts().change_password(account_id(ONE), hash(ONE), hash(7), Some(token(3))).await.unwrap();
    engine.step().await;
    assert_eq!(kept(&engine, NOW).await, [(token(3), true)]);
}

async fn the_day_of_the_last_use_is_noted(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let next_day = NOW / DAY * DAY + DAY;
    begin(&engine, SignIn { expires: next_day + 60, ..sign_in(1) }).await;
    for _ in 0..2 {
        engine.sign_ins().use_now(account_id(ONE), token(1), next_day + 1).await.unwrap();
        engine.step().await;
        let all = engine.sign_ins().of(account_id(ONE), next_day + 1).await.unwrap();
        assert_eq!((all[0].0.began, all[0].0.used), (day_of(NOW), day_of(NOW) + 1));
    }
    engine.sign_ins().use_now(account_id(ONE), token(9), next_day + 1).await.unwrap();
    assert_eq!(kept(&engine, next_day + 1).await.len(), 1);
}

async fn they_go_with_the_account(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    begin(&engine, unknown(1)).await;
    engine.accounts().delete(account_id(ONE)).await.unwrap();
    engine.step().await;
    assert_eq!(engine.sign_ins().of(account_id(ONE), NOW).await, Err(StoreError::NotFound));
    assert_eq!(engine.sign_ins().end(account_id(ONE), token(1), NOW).await, Err(StoreError::NotFound));
    // The sweep meets the days of somebody who isn't there.
    engine.sweep(NOW + 100 * DAY).await.unwrap();
}

async fn two_hundred_at_once_leave_as_many_as_may_be(engine: Engine) {
    let engine = with_accounts(engine).await;
    let begins = (1..=200).map(|n| {
        let sign_ins = engine.sign_ins();
        tokio::spawn(async move { sign_ins.begin(account_id(ONE), sign_in(n), NOW).await })
    });
    let mut began = 0;
    for begin in begins.collect::<Vec<_>>() {
        match begin.await.unwrap() {
            Ok(()) => began += 1,
            // So many tokens were ended at once that all were.
            Err(error) => assert_eq!(error, StoreError::Conflict),
        }
    }
    assert!(began >= SIGN_INS);
    let open = kept(&engine, NOW).await;
    assert!(open.len() <= SIGN_INS && open.iter().all(|(_, is_open)| *is_open), "{open:?}");
}
