//! Invitations, used in one step with a sign-up, and the pause.

use annon_store::StoreError;
use annon_store::account::{Account, SignUpError};
use annon_store::pause::{Pause, PauseWords};

use crate::contract::engine::{Engine, ONE, with_accounts};
use crate::support::people::*;

on_every_engine! {
    an_invitation_works_as_often_as_it_says,
    an_invitation_works_until_its_time_and_is_then_swept,
    a_refused_sign_up_uses_nothing_and_tells_nothing_without_an_invitation,
    of_fifty_racing_for_one_invitation_as_many_sign_up_as_it_has_uses,
    a_revoked_invitation_is_gone,
    a_pause_lasts_until_it_is_ended,
}

fn created(n: u64, now: u64) -> Account {
    Account { created: now, ..account(n) }
}

async fn an_invitation_works_as_often_as_it_says(mut engine: Engine) {
    let invitations = engine.invitations();
    invitations.invite(invitation_id(1), invitation(3, NOW + 100)).await.unwrap();
    invitations.invite(invitation_id(2), invitation(1, NOW + 100)).await.unwrap();
    assert_eq!(invitations.invite(invitation_id(1), invitation(9, NOW + 100)).await, Err(StoreError::Conflict));
    drop(invitations);
    for n in 1..=3 {
        engine.step().await;
        let left = annon_store::invitation::Invitation { left: 4 - n, ..invitation(3, NOW + 100) };
        assert_eq!(engine.invitations().by_id(invitation_id(1), NOW).await.unwrap(), Some(left));
        engine.accounts().sign_up(created(n.into(), NOW), Some(invitation_id(1))).await.unwrap();
    }
    engine.step().await;
    assert_eq!(engine.invitations().by_id(invitation_id(1), NOW).await.unwrap(), None);
    let late = engine.accounts().sign_up(created(4, NOW), Some(invitation_id(1))).await;
    assert_eq!(late, Err(SignUpError::NotInvited));
    assert_eq!(
        engine.invitations().all(NOW).await.unwrap(),
        [(invitation_id(2), invitation(1, NOW + 100))],
        "the other is untouched"
    );
    // Used up, it is gone with its key: the same link can be made again.
    engine.invitations().invite(invitation_id(1), invitation(1, NOW + 100)).await.unwrap();
    engine.accounts().sign_up(created(4, NOW), Some(invitation_id(1))).await.unwrap();
}

async fn an_invitation_works_until_its_time_and_is_then_swept(mut engine: Engine) {
    engine.invitations().invite(invitation_id(1), invitation(2, NOW + 100)).await.unwrap();
    engine.step().await;
    let late = engine.accounts().sign_up(created(1, NOW + 100), Some(invitation_id(1))).await;
    assert_eq!(late, Err(SignUpError::NotInvited));
    engine.accounts().sign_up(created(2, NOW + 99), Some(invitation_id(1))).await.unwrap();
    assert_eq!(engine.invitations().all(NOW + 99).await.unwrap().len(), 1);
    assert_eq!(engine.invitations().all(NOW + 100).await.unwrap(), []);
    assert_eq!(engine.sweep(NOW + 99).await.unwrap().invitations, 0);
    assert_eq!(engine.sweep(NOW + 100).await.unwrap().invitations, 1);
    engine.step().await;
    assert_eq!(engine.invitations().by_id(invitation_id(1), NOW).await.unwrap(), None, "nothing of it is kept");
}

async fn a_refused_sign_up_uses_nothing_and_tells_nothing_without_an_invitation(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    engine.invitations().invite(invitation_id(1), invitation(1, NOW + 100)).await.unwrap();
    engine.step().await;
    let accounts = engine.accounts();
    let same_name = Account { username: name_of(ONE), ..created(3, NOW) };
    let same_address = Account { email: address_of(ONE), ..created(3, NOW) };
    for none in [invitation_id(2), invitation_id(3)] {
        assert_eq!(accounts.sign_up(same_name.clone(), Some(none)).await, Err(SignUpError::NotInvited));
        assert_eq!(accounts.sign_up(same_address.clone(), Some(none)).await, Err(SignUpError::NotInvited));
    }
    assert_eq!(accounts.sign_up(same_name, Some(invitation_id(1))).await, Err(SignUpError::NameTaken));
    assert_eq!(accounts.sign_up(same_address, Some(invitation_id(1))).await, Err(SignUpError::AddressTaken));
    drop(accounts);
    engine.step().await;
    engine.accounts().sign_up(created(3, NOW), Some(invitation_id(1))).await.unwrap();
}

async fn of_fifty_racing_for_one_invitation_as_many_sign_up_as_it_has_uses(mut engine: Engine) {
    engine.invitations().invite(invitation_id(1), invitation(1, NOW + 100)).await.unwrap();
    engine.invitations().invite(invitation_id(2), invitation(3, NOW + 100)).await.unwrap();
    for (link, uses) in [(1, 1), (2, 3)] {
        let racers: Vec<_> = (0..50)
            .map(|n| {
                let accounts = engine.accounts();
                let account = created(link * 100 + n, NOW);
                tokio::spawn(async move { accounts.sign_up(account, Some(invitation_id(link))).await })
            })
            .collect();
        let mut outcomes = Vec::new();
        for racer in racers {
            outcomes.push(racer.await.unwrap());
        }
        assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), uses, "{outcomes:?}");
        let refused = outcomes.iter().filter(|outcome| **outcome == Err(SignUpError::NotInvited)).count();
        assert_eq!(refused, 50 - uses, "{outcomes:?}");
    }
    engine.step().await;
    assert_eq!(engine.accounts().list(None, 100).await.unwrap().len(), 4, "the others left nothing");
    assert_eq!(engine.invitations().all(NOW).await.unwrap(), []);
}

async fn a_revoked_invitation_is_gone(mut engine: Engine) {
    for n in 1..=2 {
        engine.invitations().invite(invitation_id(n), invitation(2, NOW + 100)).await.unwrap();
    }
    engine.step().await;
    engine.invitations().revoke(invitation_id(1)).await.unwrap();
    engine.step().await;
    assert_eq!(engine.invitations().revoke(invitation_id(1)).await, Err(StoreError::NotFound));
    let revoked = engine.accounts().sign_up(created(1, NOW), Some(invitation_id(1))).await;
    assert_eq!(revoked, Err(SignUpError::NotInvited));
    assert_eq!(engine.invitations().all(NOW).await.unwrap(), [(invitation_id(2), invitation(2, NOW + 100))]);
}

async fn a_pause_lasts_until_it_is_ended(mut engine: Engine) {
    let pause = |words: &str| Pause { began: NOW, words: PauseWords::try_from(words).unwrap() };
    assert_eq!(engine.pauses().current().await, Ok(None));
    for words in ["back at ten", "back at eleven, é and 🙂"] {
        engine.pauses().begin(pause(words)).await.unwrap();
        engine.step().await;
        assert_eq!(engine.pauses().current().await, Ok(Some(pause(words))));
    }
    for _ in 0..2 {
        engine.pauses().end().await.unwrap();
        engine.step().await;
        assert_eq!(engine.pauses().current().await, Ok(None));
    }
}
