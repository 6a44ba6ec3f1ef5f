//! Suspensions: at most one of each account, over by themselves.

use annon_store::StoreError;
use annon_store::account::{Account, Email, LinkKind, SignUpError, Username};

use crate::contract::engine::{Engine, ONE, with_accounts};
use crate::support::people::*;

on_every_engine! {
    a_suspension_lasts_until_its_end,
    one_suspension_takes_the_place_of_another_and_is_lifted,
    a_suspension_goes_with_its_account,
    deleting_a_suspended_account_gives_nobody_its_name_and_address,
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

async fn deleting_a_suspended_account_gives_nobody_its_name_and_address(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let until = NOW + 1000;
    for n in [ONE, 2] {
        engine.suspensions().suspend(account_id(n), suspension(until, "spam")).await.unwrap();
    }
    engine.suspensions().lift(account_id(2)).await.unwrap();
    // Nobody has confirmed this address, so it may be anybody's.
    let unsure = Account { confirmed: false, ..account(3) };
    engine.accounts().create(unsure.clone()).await.unwrap();
    engine.suspensions().suspend(account_id(3), suspension(until, "spam")).await.unwrap();
    for n in [ONE, 2, 3] {
        engine.accounts().delete(account_id(n)).await.unwrap();
    }
    engine.step().await;
    let fresh = |n, name: Username, email: Email, created| {
        let other = account(n);
        Account { username: name, email, created, ..other }
    };
    let sign_up = async |account: Account| engine.accounts().sign_up(account, None).await;
    let [name, another] = [username("PERSON-1"), username("Nobody-9")];
    let taken = fresh(11, name.clone(), address_of(11), until - 1);
    assert_eq!(sign_up(taken).await, Err(SignUpError::NameTaken), "in capitals, too");
    let taken = fresh(11, another.clone(), email("PERSON.1@example.ORG"), until - 1);
    assert_eq!(sign_up(taken).await, Err(SignUpError::AddressTaken));
    assert_eq!(sign_up(fresh(12, name_of(2), address_of(2), NOW + 1)).await, Ok(()), "it was lifted");
    assert_eq!(sign_up(fresh(13, username("Nobody-8"), address_of(3), NOW + 1)).await, Ok(()));
    assert_eq!(sign_up(fresh(14, name_of(3), address_of(14), NOW + 1)).await, Err(SignUpError::NameTaken));
    assert_eq!(engine.accounts().by_username(&name).await, Ok(None), "nobody is there");
    // With mails an address is somebody's when it is confirmed, and that is refused, too.
    let waiting = Account { confirmed: false, ..fresh(15, another, address_of(ONE), NOW + 1) };
    assert_eq!(sign_up(waiting).await, Ok(()));
    let accounts = engine.accounts();
    accounts.begin_link(LinkKind::Confirmation, account_id(15), digest(1), until + 100).await.unwrap();
    assert_eq!(accounts.confirm(digest(1), until - 1).await, Err(StoreError::Conflict));
    drop(accounts);
    engine.sweep(until - 1).await.unwrap();
    assert_eq!(sign_up(fresh(11, name.clone(), address_of(11), until - 1)).await, Err(SignUpError::NameTaken));
    engine.step().await;
    // It is over by itself, also before a sweep, and nothing of it is left after one.
    let sign_up = async |account: Account| engine.accounts().sign_up(account, None).await;
    assert_eq!(sign_up(fresh(11, name, address_of(11), until)).await, Ok(()));
    assert_eq!(engine.accounts().confirm(digest(1), until).await, Ok(account_id(15)));
    engine.sweep(until).await.unwrap();
    assert_eq!(sign_up(fresh(16, name_of(3), address_of(16), NOW + 1)).await, Ok(()));
}

async fn a_suspension_outlives_a_new_password(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    engine.suspensions().suspend(account_id(ONE), suspension(NOW + 10, "spam")).await.unwrap();
    let was = engine.accounts().by_id(account_id(ONE)).await.unwrap().unwrap().password;
    engine.accounts().change_password(account_id(ONE), was, hash(77), None).await.unwrap();
    engine.step().await;
    assert_eq!(engine.suspensions().of(account_id(ONE), NOW).await.unwrap(), Some(suspension(NOW + 10, "spam")));
}
