//! What lapses where the operator has set how long things are kept.

use annon_contract::limits::{CONVERSATION_KEPT, UNUSED_TOLD_BEFORE, USED_WITHIN};
use annon_store::StoreError;
use annon_store::conversation::Side;
use annon_store::inbox::{Changed, Delivered, Flags, NoteId, Shelf};
use annon_store::lapse::{Due, Kept};
use annon_store::shield::Fate;

use crate::contract::engine::{Engine, ONE, with_accounts};
use crate::support::people::*;

on_every_engine! {
    old_notes_go_with_their_public_answers_and_their_owner_is_told,
    many_old_notes_go_in_pieces,
    a_conversation_keeps_its_note_so_that_its_end_tells_nothing,
    old_feedback_goes,
    an_account_that_nobody_uses_goes_after_its_owner_was_told,
    without_a_limit_nothing_is_noted,
}

const DAY: u64 = 24 * 60 * 60;
const MONTH: u64 = USED_WITHIN.as_secs();

fn notes(days: u32) -> Kept {
    Kept { notes: Some(days), ..Kept::default() }
}

/// Delivers the note with this number at a time.
async fn deliver(engine: &Engine, owner: u64, n: u64, now: u64) -> NoteId {
    match engine.inbox().deliver(account_id(owner), arrival(n, now)).await.unwrap() {
        Delivered::Shown { note, .. } => note.id,
        Delivered::Waits => panic!("it waits"),
    }
}

async fn there(engine: &Engine, owner: u64, now: u64) -> Vec<u64> {
    let page = engine.inbox().page(account_id(owner), None, 1_000, now).await.unwrap();
    assert_eq!(page.unread as usize, page.notes.iter().filter(|note| !note.seen).count());
    page.notes.iter().filter_map(number_in).collect()
}

async fn old_notes_go_with_their_public_answers_and_their_owner_is_told(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let answered = deliver(&engine, ONE, 1, NOW).await;
    let answer = engine.answers().publish(account_id(ONE), answered, publishing(1, NOW)).await.unwrap().unwrap();
    let seen = deliver(&engine, ONE, 2, NOW).await;
    engine.inbox().mark_seen(account_id(ONE), seen, NOW).await.unwrap();
    let archived = deliver(&engine, ONE, 5, NOW).await;
    let flags = Flags { archived: Some(true), starred: Some(true) };
    engine.inbox().set_flags(account_id(ONE), archived, flags, NOW).await.unwrap();
    deliver(&engine, 2, 3, NOW).await;
    deliver(&engine, ONE, 4, NOW + 10 * DAY).await;
    engine.step().await;
    let end = NOW + 30 * DAY;
    engine.sweep(end).await.unwrap();
    assert_eq!(there(&engine, ONE, end).await, [4, 2, 1], "nothing is set");

    engine.lapses().keep(notes(30));
    assert_eq!(engine.sweep(end - 60).await.unwrap().notes, 0);
    let mut changes = engine.inbox().changes();
    assert_eq!(engine.sweep(end).await.unwrap().notes, 4);
    let told = std::iter::from_fn(|| changes.try_recv().ok()).filter(|change| matches!(change.what, Changed::List));
    let told: Vec<_> = told.map(|change| (change.owner, change.unread)).collect();
    assert!(told.contains(&(account_id(ONE), 1)) && told.contains(&(account_id(2), 0)), "{told:?}");
    engine.step().await;
    assert_eq!((there(&engine, ONE, end).await, there(&engine, 2, end).await), (vec![4], vec![]));
    for shelf in [Shelf::Archive, Shelf::Starred] {
        assert_eq!(engine.inbox().page_of_shelf(account_id(ONE), shelf, None, 9, end).await.unwrap().notes, []);
    }
    assert_eq!(engine.answers().find(account_id(ONE), answer.id).await.unwrap(), None);
}

async fn many_old_notes_go_in_pieces(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    for n in 0..150 {
        deliver(&engine, ONE, n, NOW + n).await;
    }
    deliver(&engine, ONE, 999, NOW + DAY).await;
    engine.lapses().keep(notes(30));
    engine.step().await;
    engine.lapses().keep(notes(30));
    assert_eq!(engine.sweep(NOW + 30 * DAY + 300).await.unwrap().notes, 150);
    assert_eq!(there(&engine, ONE, NOW + 31 * DAY).await, [999]);
}

async fn a_conversation_keeps_its_note_so_that_its_end_tells_nothing(engine: Engine) {
    let engine = with_accounts(engine).await;
    engine.lapses().keep(notes(30));
    for (n, fate) in [(1, Fate::Delivered), (2, Fate::Held), (3, Fate::Dropped)] {
        let arrival = annon_store::inbox::Arrival { fate, ..arrival(n, NOW) };
        engine.conversations().begin(account_id(ONE), arrival, beginning(n)).await.unwrap();
    }
    deliver(&engine, ONE, 4, NOW).await;
    let late = NOW + 29 * DAY;
    for n in 1..=3 {
        engine.conversations().change(conversation_id(n), say(Side::Sender, n), late).await.unwrap();
    }
    let ends = late + CONVERSATION_KEPT.as_secs();
    let ids = || (1..=3).map(conversation_id).collect();
    for (now, kept) in [(NOW + 31 * DAY, 3), (ends - 1, 3), (ends, 0)] {
        engine.sweep(now).await.unwrap();
        assert_eq!(engine.conversations().doors(ids()).await.unwrap().len(), kept, "{}", now - NOW);
        assert_eq!(there(&engine, ONE, now).await, vec![1; kept.min(1)], "{}", now - NOW);
    }
}

async fn old_feedback_goes(mut engine: Engine) {
    for n in [1, 2] {
        engine.feedback().add(feedback(n)).await.unwrap();
    }
    engine.step().await;
    engine.lapses().keep(Kept { feedback: Some(30), ..Kept::default() });
    for (now, kept) in [(NOW + 30 * DAY, 2), (NOW + 30 * DAY + 1, 1), (NOW + 31 * DAY, 0)] {
        engine.sweep(now).await.unwrap();
        assert_eq!(engine.feedback().page(None, 9).await.unwrap().len(), kept);
        assert_eq!(engine.feedback().kept().await, Ok(kept as u32));
    }
}

async fn an_account_that_nobody_uses_goes_after_its_owner_was_told(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let kept = Kept { accounts: Some(365), ..Kept::default() };
    engine.lapses().keep(kept);
    let (one, two) = (account_id(ONE), account_id(2));
    engine.lapses().use_now(one, NOW).await.unwrap();
    // Of the other nothing is known, so it counts as used when the sweep first sees it.
    engine.sweep(NOW).await.unwrap();
    engine.step().await;
    engine.lapses().keep(kept);
    let end = (NOW / MONTH + 1) * MONTH + 365 * DAY;
    let told_at = end - UNUSED_TOLD_BEFORE.as_secs();
    engine.sweep(told_at - 1).await.unwrap();
    assert_eq!(engine.lapses().due(), Due::default());
    engine.sweep(told_at).await.unwrap();
    let Due { told, over } = engine.lapses().due();
    let mut told: Vec<_> = told.into_iter().map(|account| account.id).collect();
    told.sort();
    assert_eq!((told, over), (vec![one, two], vec![]));
    engine.sweep(told_at + DAY).await.unwrap();
    assert_eq!(engine.lapses().due(), Due::default(), "once");
    engine.step().await;
    engine.lapses().keep(kept);

    engine.lapses().use_now(two, told_at + 2 * DAY).await.unwrap();
    engine.sweep(end + DAY).await.unwrap();
    assert_eq!(engine.lapses().due(), Due { told: vec![], over: vec![one] });
    assert_eq!(engine.lapses().is_over(one, end + DAY).await, Ok(true));
    assert_eq!(engine.lapses().is_over(two, end + DAY).await, Ok(false));
    engine.lapses().use_now(one, end + 2 * DAY).await.unwrap();
    assert_eq!(engine.lapses().is_over(one, end + 2 * DAY).await, Ok(false), "used at the last moment");

    engine.accounts().delete(one).await.unwrap();
    assert_eq!(engine.lapses().is_over(one, end + 999 * DAY).await, Ok(false));
    // A token that was just checked may be that of an account that is just gone.
    assert_eq!(engine.lapses().use_now(one, end + 60 * DAY).await, Ok(()));
    assert_eq!(engine.accounts().delete(one).await, Err(StoreError::NotFound));
}

async fn without_a_limit_nothing_is_noted(engine: Engine) {
    let engine = with_accounts(engine).await;
    let (kept, end) = (Kept { accounts: Some(365), ..Kept::default() }, NOW + 2_000 * DAY);
    engine.lapses().keep(kept);
    engine.lapses().use_now(account_id(ONE), NOW).await.unwrap();
    engine.lapses().keep(Kept::default());
    engine.sweep(NOW).await.unwrap();
    engine.lapses().keep(kept);
    // What was noted is forgotten: it counts as used now.
    engine.sweep(end).await.unwrap();
    assert_eq!(engine.lapses().due(), Due::default());
    engine.lapses().keep(Kept::default());
    engine.lapses().use_now(account_id(2), NOW).await.unwrap();
    engine.sweep(end + 2_000 * DAY).await.unwrap();
    assert_eq!(engine.lapses().due(), Due::default());
}
