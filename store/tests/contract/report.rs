//! Reports: kept, read newest first, closed, and gone after their time.

use annon_contract::limits::{REPORT_KEPT, REPORT_LINES, REPORT_MAX, REPORTS_OPEN};
use annon_store::StoreError;
use annon_store::report::{Quoted, ReceiptHash, Report, ReportPicture, ReportState, ReportText};

use crate::contract::engine::Engine;
use crate::support::people::*;

on_every_engine! {
    reports_are_read_newest_first_as_they_were_made,
    a_report_is_closed_once_and_goes_after_its_time,
    many_open_reports_are_refused_until_some_are_closed,
    pictures_of_a_report_go_with_it,
    a_receipt_tells_how_its_report_stands_and_goes_with_it,
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
        engine.reports().add(one, Vec::new()).await.unwrap();
        engine.step().await;
    }
    assert_eq!(engine.reports().add(report(1), Vec::new()).await, Err(StoreError::Conflict));
    assert_eq!(engine.reports().page(None, 10).await.unwrap(), [longest.clone(), report(2), report(1)]);
    assert_eq!(engine.reports().page(None, 1).await.unwrap(), [longest]);
    assert_eq!(engine.reports().page(Some(report_id(3)), 1).await.unwrap(), [report(2)]);
    assert_eq!(engine.reports().page(Some(report_id(1)), 9).await.unwrap(), []);
    assert_eq!(engine.reports().by_id(report_id(2)).await.unwrap(), Some(report(2)));
    assert_eq!(engine.reports().by_id(report_id(9)).await.unwrap(), None);
}

async fn a_report_is_closed_once_and_goes_after_its_time(mut engine: Engine) {
    for n in 1..=3 {
        engine.reports().add(report(n), Vec::new()).await.unwrap();
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
        tasks.spawn(async move { reports.add(report(n), Vec::new()).await });
    }
    let outcomes = tasks.join_all().await;
    assert_eq!(outcomes.iter().filter(|added| **added == Err(StoreError::Full)).count(), 5);
    assert_eq!(outcomes.iter().filter(|added| added.is_ok()).count(), REPORTS_OPEN as usize);
    engine.step().await;
    let more = u64::from(REPORTS_OPEN) + 9;
    assert_eq!(engine.reports().add(report(more), Vec::new()).await, Err(StoreError::Full));
    let newest = engine.reports().page(None, 1).await.unwrap()[0].id;
    engine.reports().close(newest, NOW).await.unwrap();
    engine.reports().close(newest, NOW).await.unwrap();
    engine.step().await;
    engine.reports().add(report(more), Vec::new()).await.unwrap();
    assert_eq!(engine.reports().add(report(more + 1), Vec::new()).await, Err(StoreError::Full));
}

async fn pictures_of_a_report_go_with_it(mut engine: Engine) {
    let picture = |of: u16| ReportPicture { of, jpeg: vec![of as u8; 300_000] };
    engine.reports().add(report(1), vec![picture(0), picture(2), picture(300)]).await.unwrap();
    engine.reports().add(report(2), vec![picture(1)]).await.unwrap();
    engine.reports().add(report(3), Vec::new()).await.unwrap();
    assert_eq!(engine.reports().add(report(1), vec![picture(9)]).await, Err(StoreError::Conflict));
    engine.step().await;
    let of = async |engine: &Engine, n| {
        let pictures = engine.reports().pictures(report_id(n)).await.unwrap();
        assert!(pictures.iter().all(|one| *one == picture(one.of)));
        pictures.iter().map(|one| one.of).collect::<Vec<_>>()
    };
    assert_eq!((of(&engine, 1).await, of(&engine, 2).await), (vec![0, 2, 300], vec![1]));
    assert_eq!((of(&engine, 3).await, of(&engine, 9).await), (vec![], vec![]));
    engine.reports().close(report_id(1), NOW).await.unwrap();
    assert_eq!(of(&engine, 1).await.len(), 3, "it is kept for a while");
    assert_eq!(engine.sweep(NOW + REPORT_KEPT.as_secs()).await.unwrap().reports, 1);
    engine.step().await;
    assert_eq!((of(&engine, 1).await, of(&engine, 2).await), (vec![], vec![1]));
    assert_eq!(engine.reports().page(None, 9).await.unwrap(), [report(3), report(2)]);
}

async fn a_receipt_tells_how_its_report_stands_and_goes_with_it(mut engine: Engine) {
    let receipt = |n: u8| ReceiptHash([n; 32]);
    for n in 1..=2 {
        engine.reports().add_with(report(n), Vec::new(), Some(receipt(n as u8))).await.unwrap();
    }
    engine.reports().add(report(3), Vec::new()).await.unwrap();
    engine.step().await;
    let states = async |engine: &Engine| {
        let mut states = Vec::new();
        for n in 1..=3 {
            states.push(engine.reports().state(receipt(n)).await.unwrap());
        }
        states
    };
    let (waits, looked_at, closed) = (Some(ReportState::Waits), Some(ReportState::LookedAt), Some(ReportState::Closed));
    assert_eq!(states(&engine).await, [waits, waits, None]);
    for n in [1, 3, 9] {
        engine.reports().look_at(report_id(n)).await.unwrap();
    }
    engine.step().await;
    assert_eq!(states(&engine).await, [looked_at, waits, None]);
    for n in 1..=3 {
        engine.reports().close(report_id(n), NOW).await.unwrap();
    }
    engine.reports().look_at(report_id(1)).await.unwrap();
    engine.step().await;
    assert_eq!(states(&engine).await, [closed, closed, None]);
    engine.sweep(NOW + REPORT_KEPT.as_secs()).await.unwrap();
    engine.step().await;
    assert_eq!(states(&engine).await, [None; 3]);
}
