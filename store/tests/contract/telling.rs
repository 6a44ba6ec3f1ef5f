//! What the operator is told of, once for all nodes.

use annon_contract::limits::OPERATOR_MAILS_EVERY;
use annon_store::telling::Waiting;

use crate::contract::engine::Engine;
use crate::support::people::*;

on_every_engine! {
    the_operator_is_told_of_what_is_new_and_once_an_hour_at_most,
    of_many_who_ask_at_once_one_tells_the_operator,
}

const HOUR: u64 = OPERATOR_MAILS_EVERY.as_secs();

fn waiting(report: u64, feedback: u64, damage: u32) -> Waiting {
    let some = |n| (n > 0).then_some(n);
    Waiting { report: some(report).map(report_id), feedback: some(feedback).map(feedback_id), damage }
}

async fn the_operator_is_told_of_what_is_new_and_once_an_hour_at_most(mut engine: Engine) {
    for (waiting, now, expected) in [
        (waiting(0, 0, 0), NOW, false),
        (waiting(1, 0, 0), NOW + 1, true),
        (waiting(1, 0, 0), NOW + 2, false),
        (waiting(2, 0, 0), NOW + HOUR, false),
        (waiting(2, 0, 0), NOW + HOUR + 1, true),
        (waiting(0, 3, 0), NOW + 3 * HOUR, true),
        (waiting(0, 3, 1), NOW + 5 * HOUR, true),
        // Damage that was mended may come again.
        (waiting(0, 3, 0), NOW + 7 * HOUR, false),
        (waiting(0, 3, 1), NOW + 9 * HOUR, true),
        // What was told waits, and of it only a report is told again.
        (waiting(0, 3, 1), NOW + 99 * HOUR, false),
        (waiting(2, 3, 1), NOW + 100 * HOUR, true),
        (waiting(2, 3, 1), NOW + 123 * HOUR, false),
        (waiting(2, 3, 1), NOW + 124 * HOUR, true),
    ] {
        assert_eq!(engine.tellings().is_due(waiting, now).await, Ok(expected), "{waiting:?} at {}", now - NOW);
        engine.step().await;
    }
}

async fn of_many_who_ask_at_once_one_tells_the_operator(engine: Engine) {
    let all = (0..8).map(|_| {
        let tellings = engine.tellings();
        tokio::spawn(async move { tellings.is_due(waiting(1, 1, 0), NOW).await.unwrap() })
    });
    let mut told = 0;
    for one in all.collect::<Vec<_>>() {
        told += u32::from(one.await.unwrap());
    }
    assert_eq!(told, 1);
}
