//! An engine as a whole: how it stops, what it sweeps and what it says of itself.

use annon_contract::limits::UNUSED_PICTURE_KEPT;
use annon_store::account::{LinkKind, SignUpError};
use annon_store::image::{Album, ImageId};
use annon_store::inbox::Arrival;
use annon_store::room::Seq;
use annon_store::{StoreError, Swept};
use futures_util::FutureExt;

use crate::contract::engine::Engine;
use crate::support::people::*;

on_every_engine! {
    what_is_asked_before_a_stop_is_written_and_nothing_after_it,
    a_secret_stays_the_same_and_is_another_for_each_purpose,
    a_sound_engine_has_nothing_to_say,
    a_sweep_removes_what_has_expired_and_what_has_no_owner,
    accounts_are_counted,
}

async fn what_is_asked_before_a_stop_is_written_and_nothing_after_it(mut engine: Engine) {
    for n in 1..=2 {
        engine.accounts().create(account(n)).await.unwrap();
    }
    engine.rooms().create(metadata(1, 1, NOW + 100), NOW).await.unwrap();
    engine.feedback().add(feedback(1)).await.unwrap();
    engine.images().put(album(1), image(1), b"one".to_vec()).await.unwrap();
    engine.accounts().begin_link(LinkKind::Reset, account_id(1), digest(1), NOW).await.unwrap();
    let waiting = engine.room_log().append(room(1), Seq(0), vec![came(1)]);
    engine.stop().await.unwrap();
    assert_eq!(waiting.await, Ok(()));

    let stopped = Err(StoreError::Unavailable);
    let (accounts, inbox, rooms) = (engine.accounts(), engine.inbox(), engine.rooms());
    assert_eq!(accounts.create(account(3)).await, Err(SignUpError::Store(StoreError::Unavailable)));
    assert_eq!(accounts.new_target(account_id(1), target_id(9)).await, stopped);
    assert_eq!(accounts.revoke(account_id(1), token(1), NOW + 1, NOW).await, stopped);
    assert_eq!(accounts.change_password(account_id(1), hash(1), hash(2), None).await, stopped);
    assert_eq!(accounts.begin_link(LinkKind::Reset, account_id(1), digest(2), NOW + 1).await, stopped);
    assert_eq!(accounts.begin_decoy_reset(account_id(9), digest(3), NOW + 1).await, stopped);
    assert_eq!(accounts.delete(account_id(1)).await, stopped);
    let arrival = Arrival::new(note(1).text, NOW, 1);
    assert_eq!(inbox.deliver(account_id(1), arrival).await, Err(StoreError::Unavailable));
    assert_eq!(inbox.set_batches(account_id(1), true, NOW).await, Err(StoreError::Unavailable));
    assert_eq!(inbox.remove_all(account_id(1), NOW).await, stopped);
    assert_eq!(rooms.create(metadata(2, 1, NOW + 100), NOW).await, stopped);
    assert_eq!(rooms.remove(room(1)).await, stopped);
    assert_eq!(engine.room_log().append(room(1), Seq(1), vec![came(2)]).await, stopped);
    assert_eq!(engine.feedback().add(feedback(2)).await, stopped);
    assert_eq!(engine.feedback().remove(feedback_id(1)).await, stopped);
    assert_eq!(engine.images().put(album(1), image(2), b"two".to_vec()).await, stopped);
    assert_eq!(engine.images().remove(album(1), &[image(1)], None).await, stopped);
    assert_eq!(engine.sweep_after_start(NOW).await, Err(StoreError::Unavailable));
    drop((accounts, inbox, rooms));

    // What a stopped engine has can be read, and nothing of that was written.
    for _ in 0..2 {
        assert_eq!(engine.accounts().list(None, 9).await, Ok(vec![account(1), account(2)]));
        assert_eq!(engine.rooms().of_owner(account_id(1)).await, Ok(vec![metadata(1, 1, NOW + 100)]));
        assert_eq!(engine.room_log().read(room(1), Seq(0)).await, Ok(vec![(Seq(1), came(1))]));
        assert_eq!(engine.feedback().page(None, 9).await, Ok(vec![feedback(1)]));
        assert_eq!(engine.images().read(album(1), image(1)).await, Ok(Some(b"one".to_vec())));
        assert_eq!(engine.images().read(album(1), image(2)).await, Ok(None));
        engine.open().await;
    }
    engine.accounts().create(account(3)).await.unwrap();
}

async fn a_secret_stays_the_same_and_is_another_for_each_purpose(mut engine: Engine) {
    let [one, other] = ["seats", "tokens"].map(|purpose| engine.secret(purpose));
    assert_ne!(one, other);
    engine.reopen().await;
    assert_eq!(["seats", "tokens"].map(|purpose| engine.secret(purpose)), [one, other]);
}

async fn a_sound_engine_has_nothing_to_say(mut engine: Engine) {
    for n in 1..=2 {
        engine.accounts().create(account(n)).await.unwrap();
        assert!(engine.is_healthy() && !engine.is_full());
        assert_eq!(engine.findings(), [""; 0]);
        assert_eq!(engine.failed().now_or_never(), None);
        engine.step().await;
    }
}

/// The times of pictures are the engine's own, so all of this is long after them.
async fn a_sweep_removes_what_has_expired_and_what_has_no_owner(mut engine: Engine) {
    let later = 10 * NOW;
    let picture_of = |n| ImageId(feedback_id(n).0);
    engine.accounts().create(account(1)).await.unwrap();
    for (n, expires) in [(1, later), (2, later + 1)] {
        engine.rooms().create(metadata(n.into(), 1, expires), NOW).await.unwrap();
        engine.room_log().append(room(n.into()), Seq(0), vec![came(1)]).await.unwrap();
        engine.images().put(album(n.into()), image(1), vec![n as u8]).await.unwrap();
        engine.accounts().begin_link(LinkKind::Reset, account_id(1), digest(n), expires).await.unwrap();
        engine.accounts().begin_link(LinkKind::Confirmation, account_id(1), digest(n), expires).await.unwrap();
        engine.images().put(Album::Feedback, picture_of(n), vec![n as u8]).await.unwrap();
    }
    // An engine may refuse a picture of a room that isn't there.
    let of_nobody = engine.images().put(album(3), image(1), vec![3]).await;
    assert!(matches!(of_nobody, Ok(()) | Err(StoreError::NotFound)), "{of_nobody:?}");
    engine.feedback().add(feedback(2)).await.unwrap();
    engine.step().await;

    let first = engine.sweep(0).await.unwrap();
    assert_eq!((first.links, first.rooms, first.pictures), (0, 0, 0), "nothing is old enough");
    assert!(UNUSED_PICTURE_KEPT.as_secs() < later);
    let swept = engine.sweep(later).await.unwrap();
    assert_eq!((swept.links, swept.rooms, swept.pictures), (2, 1, 2), "{swept:?}");
    assert_eq!(engine.sweep(later).await, Ok(Swept::default()));
    engine.step().await;
    assert_eq!(engine.rooms().of_owner(account_id(1)).await, Ok(vec![metadata(2, 1, later + 1)]));
    assert_eq!(engine.room_log().append(room(1), Seq(1), vec![came(2)]).await, Err(StoreError::NotFound));
    for kind in [LinkKind::Reset, LinkKind::Confirmation] {
        assert_eq!(engine.accounts().pending_link(kind, digest(1), NOW).await, Ok(None));
        assert_eq!(engine.accounts().pending_link(kind, digest(2), later).await, Ok(Some(account_id(1))));
    }
    for (album, n) in [(album(1), 1), (album(3), 1)] {
        assert_eq!(engine.images().read(album, image(n)).await, Ok(None));
    }
    assert_eq!(engine.images().read(album(2), image(1)).await, Ok(Some(vec![2])));
    assert_eq!(engine.images().read(Album::Feedback, picture_of(1)).await, Ok(None));
    assert_eq!(engine.images().read(Album::Feedback, picture_of(2)).await, Ok(Some(vec![2])));
}

async fn accounts_are_counted(mut engine: Engine) {
    for n in 1..=3 {
        engine.accounts().create(account(n)).await.unwrap();
    }
    engine.accounts().delete(account_id(2)).await.unwrap();
    for _ in 0..2 {
        assert_eq!(engine.figures().accounts, 2);
        engine.step().await;
    }
}
