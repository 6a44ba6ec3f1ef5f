//! Feedback: kept, read newest first, removed.

use annon_contract::limits::{FEEDBACK_KEPT, FEEDBACK_MAX};
use annon_store::StoreError;
use annon_store::feedback::{Feedback, FeedbackId};
use annon_store::text::FeedbackText;

use crate::contract::engine::Engine;
use crate::support::people::*;

on_every_engine! {
    feedback_is_read_newest_first_as_it_was_written,
    a_page_ends_where_the_next_begins,
    removed_feedback_is_gone,
    feedback_is_filed_once,
    a_full_box_refuses_until_something_is_removed,
    the_longest_feedback_is_kept_in_any_number,
}

async fn page(engine: &Engine, before: Option<FeedbackId>, limit: usize) -> Vec<FeedbackId> {
    engine.feedback().page(before, limit).await.unwrap().iter().map(|one| one.id).collect()
}

fn ids(numbers: impl IntoIterator<Item = u64>) -> Vec<FeedbackId> {
    numbers.into_iter().map(feedback_id).collect()
}

async fn feedback_is_read_newest_first_as_it_was_written(mut engine: Engine) {
    for n in [2, 1, 3] {
        engine.feedback().add(feedback(n)).await.unwrap();
        engine.step().await;
    }
    assert_eq!(engine.feedback().page(None, 10).await.unwrap(), [feedback(3), feedback(2), feedback(1)]);
    assert_eq!(engine.feedback().by_id(feedback_id(2)).await.unwrap(), Some(feedback(2)));
    assert_eq!(engine.feedback().by_id(feedback_id(9)).await.unwrap(), None);
}

async fn a_page_ends_where_the_next_begins(mut engine: Engine) {
    for n in 1..=4 {
        engine.feedback().add(feedback(n * 10)).await.unwrap();
    }
    engine.step().await;
    let all = ids([40, 30, 20, 10]);
    for limit in 0..6 {
        assert_eq!(page(&engine, None, limit).await, all[..limit.min(4)]);
        for before in 0..4 {
            let older = &all[before + 1..];
            assert_eq!(page(&engine, Some(all[before]), limit).await, older[..limit.min(older.len())]);
        }
    }
    assert_eq!(page(&engine, Some(feedback_id(25)), 9).await, ids([20, 10]));
}

async fn removed_feedback_is_gone(mut engine: Engine) {
    for n in 1..=3 {
        engine.feedback().add(feedback(n)).await.unwrap();
    }
    engine.feedback().remove(feedback_id(2)).await.unwrap();
    engine.step().await;
    engine.sweep_after_start(NOW).await.unwrap();
    assert_eq!(engine.feedback().remove(feedback_id(2)).await, Err(StoreError::NotFound));
    assert_eq!(engine.feedback().by_id(feedback_id(2)).await.unwrap(), None);
    assert_eq!(page(&engine, None, 9).await, ids([3, 1]));
}

async fn feedback_is_filed_once(mut engine: Engine) {
    engine.feedback().add(feedback(1)).await.unwrap();
    engine.step().await;
    assert_eq!(engine.feedback().add(feedback(1)).await, Err(StoreError::Conflict));
    assert_eq!(page(&engine, None, 9).await, ids([1]));
}

async fn a_full_box_refuses_until_something_is_removed(mut engine: Engine) {
    let mut tasks = Vec::new();
    for n in 0..u64::from(FEEDBACK_KEPT) + 5 {
        let place = engine.feedback();
        tasks.push(tokio::spawn(async move { place.add(feedback(n)).await }));
    }
    let mut refused = 0;
    for task in tasks {
        match task.await.unwrap() {
            Ok(()) => {}
            other => {
                assert_eq!(other, Err(StoreError::Full));
                refused += 1;
            }
        }
    }
    assert_eq!(refused, 5);
    engine.step().await;
    let more = u64::from(FEEDBACK_KEPT) + 9;
    assert_eq!(engine.feedback().add(feedback(more)).await, Err(StoreError::Full));
    let newest = engine.feedback().page(None, 1).await.unwrap()[0].id;
    engine.feedback().remove(newest).await.unwrap();
    engine.step().await;
    engine.feedback().add(feedback(more)).await.unwrap();
    assert_eq!(engine.feedback().add(feedback(more + 1)).await, Err(StoreError::Full));
}

/// sled keeps long values in files of their own.
async fn the_longest_feedback_is_kept_in_any_number(mut engine: Engine) {
    let text = FeedbackText::try_from("🙂".repeat(FEEDBACK_MAX)).unwrap();
    let long = |n| Feedback { text: text.clone(), ..feedback(n) };
    let all: Vec<_> = (0..60).rev().map(long).collect();
    for one in &all {
        engine.feedback().add(one.clone()).await.unwrap();
    }
    engine.step().await;
    assert_eq!(engine.feedback().page(None, 100).await.unwrap(), all);
    for n in 0..30 {
        engine.feedback().remove(feedback_id(n)).await.unwrap();
    }
    engine.step().await;
    engine.sweep_after_start(NOW).await.unwrap();
    engine.step().await;
    assert_eq!(engine.feedback().page(None, 100).await.unwrap(), all[..30]);
}
