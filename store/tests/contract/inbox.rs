//! Inboxes: what is in them, in which order, and how much of it is unread.

use annon_store::StoreError;
use annon_store::inbox::{Note, NoteId};
use annon_store::limits::INBOX_NOTES;
use uuid::Uuid;

use crate::engine::Engine;
use crate::people::*;

on_every_engine! {
    notes_are_read_newest_first_as_they_were_sent,
    a_page_ends_where_the_next_begins,
    marking_as_seen_counts_once,
    counts_are_right_after_any_mix,
    a_removed_note_is_gone_and_the_others_stay,
    anothers_note_is_not_found,
    a_note_is_filed_once,
    a_full_inbox_refuses_until_a_note_is_removed,
    many_at_once_are_all_there_and_counted,
}

const ONE: u64 = 1;

async fn with_accounts(mut engine: Engine) -> Engine {
    engine.accounts().create(account(ONE)).await.unwrap();
    engine.accounts().create(account(2)).await.unwrap();
    engine.step().await;
    engine
}

async fn page(engine: &Engine, n: u64, before: Option<NoteId>, limit: usize) -> (Vec<NoteId>, u32) {
    let page = engine.inbox().page(account_id(n), before, limit).await.unwrap();
    (page.notes.iter().map(|note| note.id).collect(), page.unread)
}

fn ids(numbers: impl IntoIterator<Item = u64>) -> Vec<NoteId> {
    numbers.into_iter().map(note_id).collect()
}

async fn notes_are_read_newest_first_as_they_were_sent(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let read_before = Note { seen: true, ..note(3) };
    for (unread, note) in [(1, note(1)), (2, note(2)), (2, read_before.clone())] {
        assert_eq!(engine.inbox().deliver(account_id(ONE), note).await, Ok(unread));
        engine.step().await;
    }
    let page = engine.inbox().page(account_id(ONE), None, 10).await.unwrap();
    assert_eq!((page.notes, page.unread), (vec![read_before, note(2), note(1)], 2));
    assert_eq!(self::page(&engine, 2, None, 10).await, (vec![], 0));
}

async fn a_page_ends_where_the_next_begins(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    // Somebody's on either side, to run into.
    for n in 2..=4 {
        let _ = engine.accounts().create(account(n)).await;
        engine.inbox().deliver(account_id(n), note(5)).await.unwrap();
    }
    for n in 1..=5 {
        engine.inbox().deliver(account_id(3), note(n * 10)).await.unwrap();
    }
    engine.step().await;
    let all = ids([50, 40, 30, 20, 10, 5]);
    for limit in 0..8 {
        assert_eq!(page(&engine, 3, None, limit).await.0, all[..limit.min(6)], "the first {limit}");
        for before in 0..=6 {
            let (shown, unread) = page(&engine, 3, all.get(before).copied(), limit).await;
            let older = all.get(before).map_or(&all[..], |_| &all[before + 1..]);
            assert_eq!(shown, older[..limit.min(older.len())], "{limit} after number {before}");
            assert_eq!(unread, 6, "of the whole inbox");
        }
    }
    assert_eq!(page(&engine, 3, Some(note_id(25)), 10).await.0, ids([20, 10, 5]), "before a note that isn't there");
    assert_eq!(page(&engine, 3, Some(NoteId(Uuid::nil())), 10).await.0, []);
    assert_eq!(page(&engine, 3, Some(NoteId(Uuid::max())), 10).await.0, all);
}

async fn marking_as_seen_counts_once(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    for n in 1..=3 {
        engine.inbox().deliver(account_id(ONE), note(n)).await.unwrap();
    }
    engine.step().await;
    for _ in 0..3 {
        assert_eq!(engine.inbox().mark_seen(account_id(ONE), note_id(2)).await, Ok(2));
        engine.step().await;
    }
    let page = engine.inbox().page(account_id(ONE), None, 10).await.unwrap();
    assert_eq!((page.notes, page.unread), (vec![note(3), Note { seen: true, ..note(2) }, note(1)], 2));
    assert_eq!(engine.inbox().mark_seen(account_id(ONE), note_id(9)).await, Err(StoreError::NotFound));
}

async fn counts_are_right_after_any_mix(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let one = account_id(ONE);
    for n in 1..=6 {
        engine.inbox().deliver(one, note(n)).await.unwrap();
    }
    engine.step().await;
    assert_eq!(engine.inbox().mark_seen(one, note_id(1)).await, Ok(5));
    assert_eq!(engine.inbox().remove(one, note_id(1)).await, Ok(5), "a seen one");
    assert_eq!(engine.inbox().remove(one, note_id(2)).await, Ok(4), "an unseen one");
    engine.step().await;
    assert_eq!(engine.inbox().remove(one, note_id(2)).await, Err(StoreError::NotFound));
    assert_eq!(engine.inbox().mark_seen(one, note_id(2)).await, Err(StoreError::NotFound));
    assert_eq!(engine.inbox().mark_seen(one, note_id(6)).await, Ok(3));
    engine.sweep().await;
    assert_eq!(engine.inbox().deliver(one, note(7)).await, Ok(4));
    engine.step().await;
    assert_eq!(page(&engine, ONE, None, 10).await, (ids([7, 6, 5, 4, 3]), 4));
    for (n, left) in [(3, 3), (4, 2), (5, 1), (6, 1), (7, 0)] {
        assert_eq!(engine.inbox().remove(one, note_id(n)).await, Ok(left));
    }
    engine.sweep().await;
    engine.step().await;
    assert_eq!(page(&engine, ONE, None, 10).await, (vec![], 0));
    assert_eq!(engine.inbox().deliver(one, note(8)).await, Ok(1));
}

async fn a_removed_note_is_gone_and_the_others_stay(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    for n in 1..=3 {
        engine.inbox().deliver(account_id(ONE), note(n)).await.unwrap();
    }
    engine.inbox().remove(account_id(ONE), note_id(2)).await.unwrap();
    for _ in 0..2 {
        engine.step().await;
        let page = engine.inbox().page(account_id(ONE), None, 10).await.unwrap();
        assert_eq!((page.notes, page.unread), (vec![note(3), note(1)], 2));
        assert_eq!(engine.accounts().by_id(account_id(ONE)).await.unwrap(), Some(account(ONE)));
        engine.sweep().await;
    }
}

async fn anothers_note_is_not_found(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    engine.inbox().deliver(account_id(ONE), note(1)).await.unwrap();
    engine.inbox().deliver(account_id(2), note(2)).await.unwrap();
    engine.step().await;
    assert_eq!(engine.inbox().mark_seen(account_id(2), note_id(1)).await, Err(StoreError::NotFound));
    assert_eq!(engine.inbox().remove(account_id(2), note_id(1)).await, Err(StoreError::NotFound));
    engine.step().await;
    let page = engine.inbox().page(account_id(ONE), None, 10).await.unwrap();
    assert_eq!((page.notes, page.unread), (vec![note(1)], 1));
}

async fn a_note_is_filed_once(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    assert_eq!(engine.inbox().deliver(account_id(ONE), note(1)).await, Ok(1));
    engine.step().await;
    assert_eq!(engine.inbox().deliver(account_id(ONE), note(1)).await, Err(StoreError::Conflict));
    assert_eq!(page(&engine, ONE, None, 10).await, (ids([1]), 1));
    assert_eq!(engine.inbox().deliver(account_id(2), note(1)).await, Ok(1), "in each inbox");
}

async fn deliver_many(engine: &Engine, numbers: std::ops::Range<u64>) -> Vec<Result<u32, StoreError>> {
    let tasks: Vec<_> = numbers
        .map(|n| {
            let inbox = engine.inbox();
            tokio::spawn(async move { inbox.deliver(account_id(ONE), note(n)).await })
        })
        .collect();
    let mut answers = Vec::new();
    for task in tasks {
        answers.push(task.await.unwrap());
    }
    answers
}

async fn a_full_inbox_refuses_until_a_note_is_removed(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let all = u64::from(INBOX_NOTES);
    let answers = deliver_many(&engine, 0..all - 1).await;
    assert!(answers.iter().all(Result::is_ok));
    let answers = deliver_many(&engine, all..all + 20).await;
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1, "one place was left");
    assert_eq!(answers.iter().filter(|answer| **answer == Err(StoreError::Full)).count(), 19);
    engine.step().await;
    assert_eq!(engine.inbox().deliver(account_id(ONE), note(all + 50)).await, Err(StoreError::Full));
    assert_eq!(engine.inbox().deliver(account_id(2), note(1)).await, Ok(1), "others are not full");
    assert_eq!(engine.inbox().remove(account_id(ONE), note_id(5)).await, Ok(INBOX_NOTES - 1));
    assert_eq!(engine.inbox().deliver(account_id(ONE), note(all + 50)).await, Ok(INBOX_NOTES));
    engine.sweep().await;
    assert_eq!(engine.inbox().deliver(account_id(ONE), note(all + 51)).await, Err(StoreError::Full));
    assert_eq!(page(&engine, ONE, Some(note_id(7)), 10).await.0, ids([6, 4, 3, 2, 1, 0]));
}

async fn many_at_once_are_all_there_and_counted(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let mut answers: Vec<_> = deliver_many(&engine, 0..200).await.into_iter().map(Result::unwrap).collect();
    answers.sort_unstable();
    assert_eq!(answers, (1..=200).collect::<Vec<_>>(), "each was told its own count");
    engine.step().await;
    assert_eq!(page(&engine, ONE, None, 500).await, (ids((0..200).rev()), 200));
}
