//! Accounts: sign-ups, look-ups, confirmations and deletions.

use annon_store::StoreError;
use annon_store::account::LinkKind::{Confirmation, Reset};
use annon_store::account::{Account, SignUpError};

use crate::contract::engine::Engine;
use crate::support::people::*;

on_every_engine! {
    a_new_account_is_found_by_everything_it_is_known_by,
    names_and_addresses_are_unique_in_any_mixture_of_cases,
    of_fifty_sign_ups_racing_for_one_name_one_wins,
    of_fifty_sign_ups_racing_for_one_address_one_wins,
    an_id_and_a_target_are_given_to_one_account_only,
    a_refused_sign_up_leaves_nothing,
    nobody_is_found_where_nobody_is,
    deleting_frees_the_name_and_the_address_and_ends_everything_else,
    a_name_registered_again_is_another_account,
    accounts_are_listed_in_the_order_of_their_ids,
    an_address_finds_nobody_until_it_is_confirmed,
    the_first_to_confirm_an_address_has_it,
    a_confirmation_works_once_and_until_its_time,
    a_refused_confirmation_ends_with_every_other_of_its_account,
    deleting_ends_confirmations_and_leaves_the_address_to_who_has_it,
    a_confirmed_sign_up_takes_an_address_that_others_only_named,
    a_new_target_leads_to_its_account_and_the_old_one_nowhere,
}

async fn a_new_account_is_found_by_everything_it_is_known_by(mut engine: Engine) {
    let one = account(1);
    engine.accounts().create(one.clone()).await.unwrap();
    engine.step().await;
    let accounts = engine.accounts();
    assert_eq!(accounts.by_id(one.id).await.unwrap().as_ref(), Some(&one));
    for name in ["Person-1", "person-1", "PERSON-1"] {
        assert_eq!(accounts.by_username(&username(name)).await.unwrap().as_ref(), Some(&one));
    }
    for address in ["Person.1@Example.org", "person.1@example.org", "PERSON.1@EXAMPLE.ORG"] {
        assert_eq!(accounts.by_email(&email(address)).await.unwrap().as_ref(), Some(&one));
    }
    assert_eq!(by_target(&*accounts, one.target).await, Some(one.id));
    assert_eq!(accounts.access(one.id).await.unwrap().unwrap().version, 0);
}

async fn names_and_addresses_are_unique_in_any_mixture_of_cases(mut engine: Engine) {
    engine.accounts().create(account(1)).await.unwrap();
    engine.step().await;
    let accounts = engine.accounts();
    for name in ["Person-1", "person-1", "PERSON-1", "pErSoN-1"] {
        let second = Account { username: username(name), ..account(2) };
        assert_eq!(accounts.create(second).await, Err(SignUpError::NameTaken), "{name}");
    }
    for address in ["Person.1@Example.org", "person.1@example.org", "PERSON.1@EXAMPLE.ORG"] {
        let second = Account { email: email(address), ..account(2) };
        assert_eq!(accounts.create(second).await, Err(SignUpError::AddressTaken), "{address}");
    }
    let both = Account { username: name_of(1), email: address_of(1), ..account(2) };
    assert_eq!(accounts.create(both).await, Err(SignUpError::NameTaken), "the name is told first");
    drop(accounts);
    engine.step().await;
    engine.accounts().create(account(2)).await.unwrap();
}

async fn race(engine: &Engine, entry: impl Fn(u64) -> Account) -> Vec<Result<u64, SignUpError>> {
    let racers: Vec<_> = (0..50)
        .map(|n| {
            let (accounts, account) = (engine.accounts(), entry(n));
            tokio::spawn(async move { accounts.create(account).await.map(|()| n) })
        })
        .collect();
    let mut outcomes = Vec::new();
    for racer in racers {
        outcomes.push(racer.await.unwrap());
    }
    outcomes
}

/// Returns the sign-up that won, and checks that all others got `refusal`.
fn winner(outcomes: &[Result<u64, SignUpError>], refusal: SignUpError) -> u64 {
    let won: Vec<_> = outcomes.iter().flatten().copied().collect();
    assert_eq!(won.len(), 1, "{outcomes:?}");
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == Err(refusal)).count(), 49);
    won[0]
}

async fn of_fifty_sign_ups_racing_for_one_name_one_wins(mut engine: Engine) {
    let in_some_case = |n: u64| if n.is_multiple_of(2) { "Racers-Name" } else { "racers-nAME" };
    let outcomes = race(&engine, |n| Account { username: username(in_some_case(n)), ..account(n) }).await;
    let n = winner(&outcomes, SignUpError::NameTaken);
    engine.step().await;
    let found = engine.accounts().by_username(&username("racers-name")).await.unwrap().unwrap();
    assert_eq!(found.id, account_id(n));
    assert_eq!(engine.accounts().list(None, 100).await.unwrap(), [found], "the others left nothing");
}

async fn of_fifty_sign_ups_racing_for_one_address_one_wins(mut engine: Engine) {
    let outcomes = race(&engine, |n| Account { email: email("one@example.org"), ..account(n) }).await;
    let n = winner(&outcomes, SignUpError::AddressTaken);
    engine.step().await;
    let found = engine.accounts().by_email(&email("One@Example.org")).await.unwrap().unwrap();
    assert_eq!(found.id, account_id(n));
    assert_eq!(engine.accounts().list(None, 100).await.unwrap(), [found], "the others left nothing");
}

async fn an_id_and_a_target_are_given_to_one_account_only(mut engine: Engine) {
    engine.accounts().create(account(1)).await.unwrap();
    engine.step().await;
    let accounts = engine.accounts();
    let conflict = Err(SignUpError::Store(StoreError::Conflict));
    assert_eq!(accounts.create(Account { id: account_id(1), ..account(2) }).await, conflict);
    assert_eq!(accounts.create(Account { target: target_id(1), ..account(2) }).await, conflict);
    drop(accounts);
    engine.step().await;
    assert_eq!(engine.accounts().by_id(account_id(1)).await.unwrap(), Some(account(1)));
}

async fn a_refused_sign_up_leaves_nothing(mut engine: Engine) {
    engine.accounts().create(account(1)).await.unwrap();
    let same_name = Account { username: name_of(1), ..account(2) };
    assert!(engine.accounts().create(same_name).await.is_err());
    engine.step().await;
    let accounts = engine.accounts();
    assert_eq!(accounts.by_id(account_id(2)).await.unwrap(), None);
    assert_eq!(accounts.by_email(&address_of(2)).await.unwrap(), None);
    assert_eq!(by_target(&*accounts, target_id(2)).await, None);
    assert_eq!(accounts.access(account_id(2)).await.unwrap(), None);
}

async fn nobody_is_found_where_nobody_is(engine: Engine) {
    let (accounts, inbox) = (engine.accounts(), engine.numbered());
    let nobody = account_id(1);
    assert_eq!(accounts.by_id(nobody).await.unwrap(), None);
    assert_eq!(accounts.by_username(&name_of(1)).await.unwrap(), None);
    assert_eq!(accounts.by_email(&address_of(1)).await.unwrap(), None);
    assert_eq!(by_target(&*accounts, target_id(1)).await, None);
    assert_eq!(accounts.access(nobody).await.unwrap(), None);
    let not_found = Err(StoreError::NotFound);
    assert_eq!(accounts.revoke(nobody, token(1), NOW + 1, NOW).await, not_found);
    assert_eq!(accounts.change_password(nobody, hash(1), hash(1), None).await, not_found);
    assert_eq!(accounts.begin_link(Reset, nobody, digest(1), NOW + 1).await, not_found);
    assert_eq!(accounts.pending_link(Reset, digest(1), NOW).await, Ok(None));
    assert_eq!(accounts.finish_reset(digest(1), hash(1), NOW).await, Err(StoreError::NotFound));
    assert_eq!(accounts.delete(nobody).await, not_found);
    assert_eq!(accounts.list(None, 10).await.unwrap(), []);
    assert_eq!(inbox.deliver(nobody, note(1)).await, Err(StoreError::NotFound));
}

async fn deleting_frees_the_name_and_the_address_and_ends_everything_else(mut engine: Engine) {
    let (one, other) = (account(1), account(2));
    for account in [&one, &other] {
        engine.accounts().create(account.clone()).await.unwrap();
        engine.numbered().deliver(account.id, note(1)).await.unwrap();
    }
    engine.accounts().begin_link(Reset, one.id, digest(1), NOW + 100).await.unwrap();
    engine.accounts().begin_link(Reset, one.id, digest(2), NOW + 100).await.unwrap();
    engine.accounts().begin_link(Reset, other.id, digest(3), NOW + 100).await.unwrap();
    engine.step().await;
    engine.accounts().delete(one.id).await.unwrap();
    // Once before the sweep removes the notes, and once after it.
    for _ in 0..2 {
        engine.step().await;
        let (accounts, inbox) = (engine.accounts(), engine.numbered());
        assert_eq!(accounts.by_id(one.id).await.unwrap(), None);
        assert_eq!(accounts.by_username(&one.username).await.unwrap(), None);
        assert_eq!(accounts.by_email(&one.email).await.unwrap(), None);
        assert_eq!(by_target(&*accounts, one.target).await, None);
        assert_eq!(accounts.access(one.id).await.unwrap(), None);
        assert_eq!(accounts.pending_link(Reset, digest(1), NOW).await.unwrap(), None);
        assert_eq!(accounts.finish_reset(digest(2), hash(9), NOW).await, Err(StoreError::NotFound));
        assert_eq!(accounts.delete(one.id).await, Err(StoreError::NotFound));
        assert_eq!(
            accounts.change_password(one.id, one.password.clone(), hash(9), None).await,
            Err(StoreError::NotFound)
        );
        let page = inbox.page(one.id, None, 10).await.unwrap();
        assert_eq!((page.notes.len(), page.unread), (0, 0));
        assert_eq!(inbox.deliver(one.id, note(2)).await, Err(StoreError::NotFound));
        assert_eq!(inbox.mark_seen(one.id, note_id(1)).await, Err(StoreError::NotFound));
        assert_eq!(inbox.remove(one.id, note_id(1)).await, Err(StoreError::NotFound));

        assert_eq!(accounts.by_id(other.id).await.unwrap().as_ref(), Some(&other), "others are not touched");
        assert_eq!(accounts.pending_link(Reset, digest(3), NOW).await.unwrap(), Some(other.id));
        assert_eq!(inbox.page(other.id, None, 10).await.unwrap().notes, [note(1)]);
        engine.sweep_after_start(NOW).await.unwrap();
    }
}

async fn a_name_registered_again_is_another_account(mut engine: Engine) {
    let one = account(1);
    engine.accounts().create(one.clone()).await.unwrap();
    engine.numbered().deliver(one.id, note(1)).await.unwrap();
    engine.accounts().revoke(one.id, token(1), NOW + 100, NOW).await.unwrap();
    engine.accounts().delete(one.id).await.unwrap();
    engine.step().await;
    let again = Account { username: one.username.clone(), email: one.email.clone(), ..account(2) };
    engine.accounts().create(again.clone()).await.unwrap();
    engine.step().await;
    engine.sweep_after_start(NOW).await.unwrap();
    let (accounts, inbox) = (engine.accounts(), engine.numbered());
    assert_eq!(accounts.by_username(&one.username).await.unwrap().unwrap(), again);
    assert_eq!(accounts.by_email(&one.email).await.unwrap().unwrap(), again);
    assert_eq!(by_target(&*accounts, one.target).await, None, "the old link leads nowhere");
    assert_eq!(accounts.access(one.id).await.unwrap(), None, "the old tokens are nobody's");
    assert_eq!(accounts.access(again.id).await.unwrap(), Some(annon_store::account::Access::default()));
    assert_eq!(inbox.page(again.id, None, 10).await.unwrap().notes, [], "the old notes are gone");
    assert_eq!(inbox.deliver(one.id, note(2)).await, Err(StoreError::NotFound));
}

async fn accounts_are_listed_in_the_order_of_their_ids(mut engine: Engine) {
    for n in [5, 1, 4, 2, 3] {
        engine.accounts().create(account(n)).await.unwrap();
    }
    engine.step().await;
    let accounts = engine.accounts();
    let ids = |list: Vec<Account>| list.iter().map(|account| account.id).collect::<Vec<_>>();
    let numbers = |from: u64, to: u64| (from..=to).map(account_id).collect::<Vec<_>>();
    assert_eq!(ids(accounts.list(None, 100).await.unwrap()), numbers(1, 5));
    assert_eq!(ids(accounts.list(None, 5).await.unwrap()), numbers(1, 5));
    assert_eq!(ids(accounts.list(None, 2).await.unwrap()), numbers(1, 2));
    assert_eq!(ids(accounts.list(Some(account_id(2)), 2).await.unwrap()), numbers(3, 4));
    assert_eq!(ids(accounts.list(Some(account_id(4)), 2).await.unwrap()), numbers(5, 5));
    assert_eq!(ids(accounts.list(Some(account_id(5)), 2).await.unwrap()), []);
    assert_eq!(ids(accounts.list(None, 0).await.unwrap()), []);
    accounts.delete(account_id(3)).await.unwrap();
    let after_a_deleted_one = accounts.list(Some(account_id(3)), 10).await.unwrap();
    assert_eq!(ids(after_a_deleted_one), numbers(4, 5));
}

/// The `n`th account, with the first account's address, not confirmed.
fn naming_the_first_address(n: u64) -> Account {
    Account { email: address_of(1), confirmed: false, ..account(n) }
}

async fn an_address_finds_nobody_until_it_is_confirmed(mut engine: Engine) {
    let one = naming_the_first_address(1);
    engine.accounts().create(one.clone()).await.unwrap();
    engine.accounts().begin_link(Confirmation, one.id, digest(1), NOW + 100).await.unwrap();
    engine.step().await;
    assert_eq!(engine.accounts().by_email(&address_of(1)).await, Ok(None));
    assert_eq!(engine.accounts().by_username(&one.username).await, Ok(Some(one.clone())), "the name signs in at once");

    assert_eq!(engine.accounts().confirm(digest(1), NOW).await, Ok(one.id));
    engine.step().await;
    let confirmed = Account { confirmed: true, ..one };
    assert_eq!(engine.accounts().by_email(&email("PERSON.1@example.org")).await, Ok(Some(confirmed.clone())));
    let second = Account { email: address_of(1), ..account(2) };
    assert_eq!(engine.accounts().create(second).await, Err(SignUpError::AddressTaken));
    engine.accounts().change_password(confirmed.id, confirmed.password, hash(7), None).await.unwrap();
    let after = engine.accounts().by_id(confirmed.id).await.unwrap().unwrap();
    assert!(after.confirmed, "a new password changes nothing about it");
}

async fn the_first_to_confirm_an_address_has_it(mut engine: Engine) {
    for n in 1..=2 {
        engine.accounts().create(naming_the_first_address(n)).await.unwrap();
        engine.accounts().begin_link(Confirmation, account_id(n), digest(n), NOW + 100).await.unwrap();
    }
    engine.step().await;
    assert_eq!(engine.accounts().confirm(digest(2), NOW).await, Ok(account_id(2)));
    engine.step().await;
    assert_eq!(engine.accounts().confirm(digest(1), NOW).await, Err(StoreError::Conflict));
    let found = engine.accounts().by_email(&address_of(1)).await.unwrap().unwrap();
    assert_eq!(found.id, account_id(2));
    engine.accounts().delete(account_id(2)).await.unwrap();
    engine.step().await;
    assert_eq!(engine.accounts().confirm(digest(1), NOW).await, Ok(account_id(1)), "it is free again");
}

async fn a_confirmation_works_once_and_until_its_time(mut engine: Engine) {
    engine.accounts().create(naming_the_first_address(1)).await.unwrap();
    engine.accounts().create(account(2)).await.unwrap();
    for (n, expires) in [(1, NOW), (2, NOW + 1), (3, NOW + 100)] {
        engine.accounts().begin_link(Confirmation, account_id(1), digest(n), expires).await.unwrap();
    }
    engine.step().await;
    assert_eq!(
        engine.accounts().begin_link(Confirmation, account_id(2), digest(3), NOW + 1).await,
        Err(StoreError::Conflict)
    );
    assert_eq!(engine.accounts().confirm(digest(1), NOW).await, Err(StoreError::NotFound), "not at its end");
    assert_eq!(engine.accounts().confirm(digest(9), NOW).await, Err(StoreError::NotFound));
    engine.sweep_after_start(NOW).await.unwrap();
    assert_eq!(engine.accounts().pending_link(Reset, digest(2), NOW).await, Ok(None), "it is good for nothing else");
    assert_eq!(engine.accounts().finish_reset(digest(2), hash(7), NOW).await, Err(StoreError::NotFound));
    assert_eq!(engine.accounts().confirm(digest(2), NOW).await, Ok(account_id(1)));
    engine.step().await;
    for n in 1..=3 {
        assert_eq!(
            engine.accounts().confirm(digest(n), NOW).await,
            Err(StoreError::NotFound),
            "the others went with it"
        );
    }
}

async fn a_refused_confirmation_ends_with_every_other_of_its_account(mut engine: Engine) {
    for n in [1, 2] {
        engine.accounts().create(naming_the_first_address(n)).await.unwrap();
    }
    for (n, whose, expires) in [(1, 1, NOW), (2, 1, NOW + 1), (3, 1, NOW + 100), (4, 2, NOW + 100)] {
        engine.accounts().begin_link(Confirmation, account_id(whose), digest(n), expires).await.unwrap();
    }
    engine.step().await;
    assert_eq!(engine.accounts().pending_link(Confirmation, digest(1), NOW).await, Ok(None), "not at its end");
    assert_eq!(engine.accounts().refuse_confirmation(digest(1), NOW).await, Err(StoreError::NotFound));
    for _ in 0..2 {
        let whose = engine.accounts().pending_link(Confirmation, digest(2), NOW).await;
        assert_eq!(whose, Ok(Some(account_id(1))), "asking uses nothing up");
    }
    engine.accounts().refuse_confirmation(digest(2), NOW).await.unwrap();
    engine.step().await;
    for n in 1..=3 {
        assert_eq!(engine.accounts().pending_link(Confirmation, digest(n), NOW).await, Ok(None));
        assert_eq!(engine.accounts().confirm(digest(n), NOW).await, Err(StoreError::NotFound));
    }
    assert_eq!(engine.accounts().confirm(digest(4), NOW).await, Ok(account_id(2)), "others' go on");
}

async fn deleting_ends_confirmations_and_leaves_the_address_to_who_has_it(mut engine: Engine) {
    engine.accounts().create(account(1)).await.unwrap();
    engine.accounts().create(naming_the_first_address(2)).await.unwrap();
    engine.accounts().begin_link(Confirmation, account_id(2), digest(2), NOW + 100).await.unwrap();
    engine.step().await;
    engine.accounts().delete(account_id(2)).await.unwrap();
    engine.step().await;
    assert_eq!(engine.accounts().confirm(digest(2), NOW).await, Err(StoreError::NotFound));
    assert_eq!(
        engine.accounts().begin_link(Confirmation, account_id(2), digest(3), NOW + 1).await,
        Err(StoreError::NotFound)
    );
    assert_eq!(engine.accounts().by_email(&address_of(1)).await, Ok(Some(account(1))));
}

async fn a_confirmed_sign_up_takes_an_address_that_others_only_named(mut engine: Engine) {
    engine.accounts().create(naming_the_first_address(2)).await.unwrap();
    engine.accounts().begin_link(Confirmation, account_id(2), digest(2), NOW + 100).await.unwrap();
    engine.step().await;
    engine.accounts().create(account(1)).await.unwrap();
    engine.step().await;
    assert_eq!(engine.accounts().confirm(digest(2), NOW).await, Err(StoreError::Conflict));
    assert_eq!(engine.accounts().by_email(&address_of(1)).await, Ok(Some(account(1))));
}

async fn a_new_target_leads_to_its_account_and_the_old_one_nowhere(mut engine: Engine) {
    for n in 1..=2 {
        engine.accounts().create(account(n)).await.unwrap();
    }
    let conflict = engine.accounts().new_target(account_id(1), target_id(2)).await;
    assert_eq!(conflict, Err(StoreError::Conflict));
    assert_eq!(engine.accounts().new_target(account_id(9), target_id(7)).await, Err(StoreError::NotFound));
    engine.accounts().new_target(account_id(1), target_id(7)).await.unwrap();
    engine.step().await;
    let found = |target| {
        let accounts = engine.accounts();
        async move { by_target(&*accounts, target_id(target)).await }
    };
    assert_eq!([found(1).await, found(7).await, found(2).await], [None, Some(account_id(1)), Some(account_id(2))]);
    let one = engine.accounts().by_username(&name_of(1)).await.unwrap().unwrap();
    assert_eq!(one, annon_store::account::Account { target: target_id(7), ..account(1) });
    engine.accounts().delete(account_id(1)).await.unwrap();
    assert_eq!(by_target(&*engine.accounts(), target_id(7)).await, None);
}
