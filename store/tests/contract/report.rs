//! Reports: kept, read newest first, closed, and gone after their time.

use annon_contract::limits::{REPORT_KEPT, REPORT_LINES, REPORT_MAX, REPORTS_OPEN};
use annon_store::StoreError;
use annon_store::report::{Quoted, Report, ReportText};

use crate::contract::engine::Engine;
use crate::support::people::*;

on_every_engine! {
    reports_are_read_newest_first_as_they_were_made,
    a_report_is_closed_once_and_goes_after_its_time,
    many_open_reports_are_refused_until_some_are_closed,
}

async fn reports_are_read_newest_first_as_they_were_made(mut engine: Engine) {
    let quoted =
        |n| Quoted { from: "🦊".into(), time: "18:05:09.042".into(), text: format!("{n}{}", "é".repeat(280)) };
    let longest = Report {
        words: (0..REPORT_LINES).map(quoted).collect(),
        text: ReportText::try_from(&*"🙂".repeat(REPORT_MAX)).unwrap(),
        ..report(3)
    };
    for one in [report(2), report(1), longest.clone()] {
        engine.reports().add(one).await.unwrap();
        engine.step().await;
    }
    assert_eq!(engine.reports().add(report(1)).await, Err(StoreError::Conflict));
    assert_eq!(engine.reports().page(None, 10).await.unwrap(), [longest.clone(), report(2), report(1)]);
    assert_eq!(engine.reports().page(None, 1).await.unwrap(), [longest]);
    assert_eq!(engine.reports().page(Some(report_id(3)), 1).await.unwrap(), [report(2)]);
    assert_eq!(engine.reports().page(Some(report_id(1)), 9).await.unwrap(), []);
    assert_eq!(engine.reports().by_id(report_id(2)).await.unwrap(), Some(report(2)));
    assert_eq!(engine.reports().by_id(report_id(9)).await.unwrap(), None);
}

async fn a_report_is_closed_once_and_goes_after_its_time(mut engine: Engine) {
    for n in 1..=3 {
        engine.reports().add(report(n)).await.unwrap();
    }
    engine.reports().close(report_id(1), NOW + 10).await.unwrap();
    engine.step().await;
    engine.reports().close(report_id(1), NOW + 20).await.unwrap();
    engine.reports().close(report_id(2), NOW + 20).await.unwrap();
    assert_eq!(engine.reports().close(report_id(9), NOW).await, Err(StoreError::NotFound));
    let closed = |n, at| Report { closed: Some(at), ..report(n) };
    let all = [report(3), closed(2, NOW + 20), closed(1, NOW + 10)];
    assert_eq!(engine.reports().page(None, 9).await.unwrap(), all);
    let goes = NOW + 10 + REPORT_KEPT.as_secs();
    assert_eq!(engine.sweep(goes - 1).await.unwrap().reports, 0);
    assert_eq!(engine.sweep_after_start(goes).await.unwrap().reports, 1);
    engine.step().await;
    assert_eq!(engine.reports().page(None, 9).await.unwrap(), all[..2]);
    assert_eq!(engine.reports().by_id(report_id(1)).await.unwrap(), None);
    assert_eq!(engine.reports().close(report_id(1), NOW).await, Err(StoreError::NotFound));
}

async fn many_open_reports_are_refused_until_some_are_closed(mut engine: Engine) {
    let mut tasks = tokio::task::JoinSet::new();
    for n in 0..u64::from(REPORTS_OPEN) + 5 {
        let reports = engine.reports();
        tasks.spawn(async move { reports.add(report(n)).await });
    }
    let outcomes = tasks.join_all().await;
    assert_eq!(outcomes.iter().filter(|added| **added == Err(StoreError::Full)).count(), 5);
    assert_eq!(outcomes.iter().filter(|added| added.is_ok()).count(), REPORTS_OPEN as usize);
    engine.step().await;
    let more = u64::from(REPORTS_OPEN) + 9;
    assert_eq!(engine.reports().add(report(more)).await, Err(StoreError::Full));
    let newest = engine.reports().page(None, 1).await.unwrap()[0].id;
    engine.reports().close(newest, NOW).await.unwrap();
    engine.reports().close(newest, NOW).await.unwrap();
    engine.step().await;
    engine.reports().add(report(more)).await.unwrap();
    assert_eq!(engine.reports().add(report(more + 1)).await, Err(StoreError::Full));
}
