//! Inboxes: what is in them, in which order, and how much of it is unread.

use annon_contract::limits::INBOX_NOTES;
use annon_store::StoreError;
use annon_store::inbox::{Arrival, Changed, Delivered, InboxChange, Note, NoteId, next_delivery, to_the_minute};

use crate::contract::engine::{Engine, ONE, with_accounts};
use crate::support::people::*;

on_every_engine! {
    notes_are_read_newest_first_as_they_were_sent,
    a_page_ends_where_the_next_begins,
    marking_as_seen_counts_once,
    counts_are_right_after_any_mix,
    a_removed_note_is_gone_and_the_others_stay,
    anothers_note_is_not_found,
    a_full_inbox_refuses_until_a_note_is_removed,
    many_at_once_are_all_there_and_counted,
    changes_are_handed_on_in_the_order_in_which_they_were_made,
    notes_stand_in_the_order_in_which_they_came_also_when_the_clock_was_set_back,
    a_date_tells_the_minute,
    a_batch_is_shown_at_its_quarter_of_an_hour_and_all_of_it_at_once,
    what_waits_cant_be_touched_and_is_shown_when_batches_end,
    an_emptied_inbox_is_empty_and_goes_on,
    nobody_without_an_account_has_an_inbox,
    many_inboxes_are_summed_up_together,
    the_words_of_a_note_are_for_its_owner_while_it_is_shown,
}

async fn page(engine: &Engine, n: u64, before: Option<NoteId>, limit: usize) -> (Vec<NoteId>, u32) {
    let page = engine.numbered().page(account_id(n), before, limit).await.unwrap();
    (page.notes.iter().map(|note| note.id).collect(), page.unread)
}

fn ids(numbers: impl IntoIterator<Item = u64>) -> Vec<NoteId> {
    numbers.into_iter().map(note_id).collect()
}

async fn notes_are_read_newest_first_as_they_were_sent(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let read_before = Note { seen: true, ..note(3) };
    for (unread, note) in [(1, note(1)), (2, note(2)), (2, read_before.clone())] {
        assert_eq!(engine.numbered().deliver(account_id(ONE), note).await, Ok(unread));
        engine.step().await;
    }
    let page = engine.numbered().page(account_id(ONE), None, 10).await.unwrap();
    assert_eq!((page.notes, page.unread), (vec![read_before, note(2), note(1)], 2));
    assert_eq!(self::page(&engine, 2, None, 10).await, (vec![], 0));
}

async fn a_page_ends_where_the_next_begins(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    // Inboxes on either side of this one in the index, which a wrong range would reach.
    for n in 2..=4 {
        let _ = engine.accounts().create(account(n)).await;
        engine.numbered().deliver(account_id(n), note(5)).await.unwrap();
    }
    for n in 1..=5 {
        engine.numbered().deliver(account_id(3), note(n * 10)).await.unwrap();
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
    let inbox = engine.inbox();
    let last = inbox.page(account_id(3), None, 3, NOW).await.unwrap().notes[2].id;
    inbox.remove(account_id(3), last, NOW).await.unwrap();
    let older = inbox.page(account_id(3), Some(last), 10, NOW).await.unwrap().notes;
    let shown: Vec<_> = older.iter().map(|note| note.text.clone()).collect();
    assert_eq!(shown, [20, 10, 5].map(|n| note(n).text), "before a note that was deleted since");
}

async fn marking_as_seen_counts_once(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    for n in 1..=3 {
        engine.numbered().deliver(account_id(ONE), note(n)).await.unwrap();
    }
    engine.step().await;
    for _ in 0..3 {
        assert_eq!(engine.numbered().mark_seen(account_id(ONE), note_id(2)).await, Ok(2));
        engine.step().await;
    }
    let page = engine.numbered().page(account_id(ONE), None, 10).await.unwrap();
    assert_eq!((page.notes, page.unread), (vec![note(3), Note { seen: true, ..note(2) }, note(1)], 2));
    assert_eq!(engine.numbered().mark_seen(account_id(ONE), note_id(9)).await, Err(StoreError::NotFound));
}

async fn counts_are_right_after_any_mix(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let one = account_id(ONE);
    for n in 1..=6 {
        engine.numbered().deliver(one, note(n)).await.unwrap();
    }
    engine.step().await;
    assert_eq!(engine.numbered().mark_seen(one, note_id(1)).await, Ok(5));
    assert_eq!(engine.numbered().remove(one, note_id(1)).await, Ok(5), "a seen one");
    assert_eq!(engine.numbered().remove(one, note_id(2)).await, Ok(4), "an unseen one");
    engine.step().await;
    assert_eq!(engine.numbered().remove(one, note_id(2)).await, Err(StoreError::NotFound));
    assert_eq!(engine.numbered().mark_seen(one, note_id(2)).await, Err(StoreError::NotFound));
    assert_eq!(engine.numbered().mark_seen(one, note_id(6)).await, Ok(3));
    engine.sweep_after_start(NOW).await.unwrap();
    assert_eq!(engine.numbered().deliver(one, note(7)).await, Ok(4));
    engine.step().await;
    assert_eq!(page(&engine, ONE, None, 10).await, (ids([7, 6, 5, 4, 3]), 4));
    for (n, left) in [(3, 3), (4, 2), (5, 1), (6, 1), (7, 0)] {
        assert_eq!(engine.numbered().remove(one, note_id(n)).await, Ok(left));
    }
    engine.sweep_after_start(NOW).await.unwrap();
    engine.step().await;
    assert_eq!(page(&engine, ONE, None, 10).await, (vec![], 0));
    assert_eq!(engine.numbered().deliver(one, note(8)).await, Ok(1));
}

async fn a_removed_note_is_gone_and_the_others_stay(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    for n in 1..=3 {
        engine.numbered().deliver(account_id(ONE), note(n)).await.unwrap();
    }
    engine.numbered().remove(account_id(ONE), note_id(2)).await.unwrap();
    for _ in 0..2 {
        engine.step().await;
        let page = engine.numbered().page(account_id(ONE), None, 10).await.unwrap();
        assert_eq!((page.notes, page.unread), (vec![note(3), note(1)], 2));
        assert_eq!(engine.accounts().by_id(account_id(ONE)).await.unwrap(), Some(account(ONE)));
        engine.sweep_after_start(NOW).await.unwrap();
    }
}

async fn anothers_note_is_not_found(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    engine.numbered().deliver(account_id(ONE), note(1)).await.unwrap();
    engine.numbered().deliver(account_id(2), note(2)).await.unwrap();
    engine.step().await;
    assert_eq!(engine.numbered().mark_seen(account_id(2), note_id(1)).await, Err(StoreError::NotFound));
    assert_eq!(engine.numbered().remove(account_id(2), note_id(1)).await, Err(StoreError::NotFound));
    engine.step().await;
    let page = engine.numbered().page(account_id(ONE), None, 10).await.unwrap();
    assert_eq!((page.notes, page.unread), (vec![note(1)], 1));
}

async fn deliver_many(engine: &Engine, numbers: std::ops::Range<u64>) -> Vec<Result<u32, StoreError>> {
    let tasks: Vec<_> = numbers
        .map(|n| {
            let inbox = engine.numbered();
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
    assert_eq!(engine.numbered().deliver(account_id(ONE), note(all + 50)).await, Err(StoreError::Full));
    assert_eq!(engine.numbered().deliver(account_id(2), note(1)).await, Ok(1), "others are not full");
    assert_eq!(engine.numbered().remove(account_id(ONE), note_id(5)).await, Ok(INBOX_NOTES - 1));
    assert_eq!(engine.numbered().deliver(account_id(ONE), note(all + 50)).await, Ok(INBOX_NOTES));
    engine.sweep_after_start(NOW).await.unwrap();
    assert_eq!(engine.numbered().deliver(account_id(ONE), note(all + 51)).await, Err(StoreError::Full));
    let (mut left, _) = page(&engine, ONE, None, usize::MAX).await;
    left.sort();
    assert_eq!(left[..6], ids([0, 1, 2, 3, 4, 6]));
    assert_eq!(left.len() as u64, all);
}

async fn many_at_once_are_all_there_and_counted(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let mut answers: Vec<_> = deliver_many(&engine, 0..200).await.into_iter().map(Result::unwrap).collect();
    answers.sort_unstable();
    assert_eq!(answers, (1..=200).collect::<Vec<_>>(), "each was told its own count");
    engine.step().await;
    let (mut shown, unread) = page(&engine, ONE, None, 500).await;
    shown.sort();
    assert_eq!((shown, unread), (ids(0..200), 200), "each of them once");
}

async fn changes_are_handed_on_in_the_order_in_which_they_were_made(engine: Engine) {
    let engine = with_accounts(engine).await;
    let (one, inbox) = (account_id(ONE), engine.inbox());
    let mut changes = inbox.changes();
    let before = inbox.last_change();
    deliver_many(&engine, 0..200).await;
    let mut arrived = Vec::new();
    for unread in 1..=200 {
        let change = changes.recv().await.unwrap();
        let Changed::Arrived(note) = change.what else { panic!("{change:?}") };
        assert_eq!((change.number, change.owner, change.unread), (before + u64::from(unread), one, unread));
        arrived.push(note.id);
    }
    let stand: Vec<_> = inbox.page(one, None, 500, NOW).await.unwrap().notes.iter().rev().map(|note| note.id).collect();
    assert_eq!(arrived, stand);

    inbox.mark_seen(one, arrived[0], NOW).await.unwrap();
    inbox.remove(one, arrived[1], NOW).await.unwrap();
    assert_eq!(inbox.remove(one, arrived[1], NOW).await, Err(StoreError::NotFound));
    inbox.set_batches(one, true, NOW).await.unwrap();
    inbox.deliver(one, Arrival::new(note(7).text, NOW, 7)).await.unwrap();
    inbox.remove_all(one, NOW).await.unwrap();
    let rest =
        [(199, Changed::Seen), (198, Changed::List), (198, Changed::List), (198, Changed::Hidden), (0, Changed::List)];
    for (number, (unread, what)) in (before + 201..).zip(rest) {
        assert_eq!(changes.recv().await, Some(InboxChange { number, owner: one, unread, what }));
    }
    assert_eq!(inbox.last_change(), before + 205);
    assert!(changes.try_recv().is_err(), "what was refused is told to nobody");
}

async fn notes_stand_in_the_order_in_which_they_came_also_when_the_clock_was_set_back(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    for (n, now) in [(1, NOW), (2, NOW - 100_000), (3, NOW + 60), (4, 0)] {
        numbered_at(engine.inbox(), now).deliver(account_id(ONE), note(n)).await.unwrap();
        engine.step().await;
    }
    assert_eq!(page(&engine, ONE, None, 10).await, (ids([4, 3, 2, 1]), 4));
    assert_eq!(page(&engine, ONE, Some(note_id(3)), 1).await.0, ids([2]));
}

async fn a_date_tells_the_minute(engine: Engine) {
    let engine = with_accounts(engine).await;
    let now = 1_790_000_039;
    let arrival = Arrival::new(note(1).text, now, 5);
    let Ok(Delivered::Shown { note: shown, .. }) = engine.inbox().deliver(account_id(ONE), arrival).await else {
        panic!("it is not shown");
    };
    assert_eq!(shown.date, 1_789_999_980);
    assert_eq!(engine.inbox().page(account_id(ONE), None, 1, now).await.unwrap().notes, [shown]);
}

/// The ids of the notes that are shown, their dates, and how many are unread.
async fn shown(engine: &Engine, now: u64) -> (Vec<NoteId>, Vec<u64>, u32) {
    let page = numbered_at(engine.inbox(), now).page(account_id(ONE), None, 100).await.unwrap();
    let (ids, dates) = page.notes.iter().map(|note| (note.id, note.date)).unzip();
    (ids, dates, page.unread)
}

async fn a_batch_is_shown_at_its_quarter_of_an_hour_and_all_of_it_at_once(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let due = next_delivery(NOW);
    numbered_at(engine.inbox(), NOW - 600).deliver(account_id(ONE), note(50)).await.unwrap();
    assert_eq!(engine.inbox().is_in_batches(account_id(ONE)).await, Ok(false));
    assert_eq!(engine.inbox().set_batches(account_id(ONE), true, NOW).await, Ok(1));
    // A note's number is also its shuffle. They arrive in this order.
    for (n, now) in [(8, NOW), (2, NOW + 1), (9, due - 1), (4, due - 1)] {
        assert_eq!(numbered_at(engine.inbox(), now).deliver(account_id(ONE), note(n)).await, Ok(0), "note {n}");
        engine.step().await;
    }
    assert_eq!(engine.inbox().is_in_batches(account_id(ONE)).await, Ok(true));
    let before = (ids([50]), vec![to_the_minute(NOW - 600)], 1);
    assert_eq!(shown(&engine, due - 1).await, before, "nobody sees that anything came");
    let after = (ids([9, 8, 4, 2, 50]), [vec![due; 4], before.1.clone()].concat(), 5);
    assert_eq!(shown(&engine, due).await, after, "by shuffle, and not as they came");
    // The next batch begins and ends: the order of this one does not change.
    numbered_at(engine.inbox(), due).deliver(account_id(ONE), note(1)).await.unwrap();
    engine.step().await;
    assert_eq!(shown(&engine, due).await, after);
    assert_eq!(shown(&engine, due + 900).await.0, ids([1, 9, 8, 4, 2, 50]));
    assert_eq!(numbered_at(engine.inbox(), due + 900).mark_seen(account_id(ONE), note_id(8)).await, Ok(5));
    assert_eq!(page(&engine, ONE, Some(note_id(8)), 2).await, (ids([4, 2]), 5));
    assert_eq!(page(&engine, 2, None, 10).await, (vec![], 0));
}

async fn what_waits_cant_be_touched_and_is_shown_when_batches_end(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let inbox = |engine: &Engine| numbered_at(engine.inbox(), NOW);
    engine.inbox().set_batches(account_id(ONE), true, NOW).await.unwrap();
    for n in 1..=3 {
        inbox(&engine).deliver(account_id(ONE), note(n)).await.unwrap();
    }
    engine.step().await;
    let late = engine.inbox().page(account_id(ONE), None, 1, next_delivery(NOW)).await.unwrap().notes[0].id;
    assert_eq!(engine.inbox().mark_seen(account_id(ONE), late, NOW).await, Err(StoreError::NotFound));
    assert_eq!(engine.inbox().remove(account_id(ONE), late, NOW).await, Err(StoreError::NotFound));
    assert_eq!(engine.inbox().page(account_id(ONE), Some(late), 9, NOW).await.unwrap().notes, []);
    engine.sweep_after_start(NOW).await.unwrap();
    assert_eq!(engine.inbox().set_batches(account_id(ONE), false, NOW).await, Ok(3));
    engine.step().await;
    let dates = vec![to_the_minute(NOW); 3];
    assert_eq!(shown(&engine, NOW).await, (ids([3, 2, 1]), dates, 3), "not dated in the future");
    assert_eq!(inbox(&engine).deliver(account_id(ONE), note(4)).await, Ok(4));
    assert_eq!(shown(&engine, NOW).await.0, ids([4, 3, 2, 1]));
}

async fn an_emptied_inbox_is_empty_and_goes_on(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let one = account_id(ONE);
    engine.inbox().remove_all(one, NOW).await.unwrap();
    for n in 1..=5 {
        engine.numbered().deliver(one, note(n)).await.unwrap();
    }
    engine.numbered().deliver(account_id(2), note(9)).await.unwrap();
    engine.inbox().set_batches(one, true, NOW).await.unwrap();
    numbered_at(engine.inbox(), NOW).deliver(one, note(6)).await.unwrap();
    let shown = engine.inbox().page(one, None, 10, NOW).await.unwrap().notes;
    engine.step().await;
    engine.inbox().remove_all(one, NOW).await.unwrap();
    for _ in 0..2 {
        engine.step().await;
        assert_eq!(page(&engine, ONE, None, 10).await, (vec![], 0), "what waited is gone, too");
        assert_eq!(engine.inbox().mark_seen(one, shown[1].id, NOW).await, Err(StoreError::NotFound));
        assert_eq!(engine.inbox().remove(one, shown[2].id, NOW).await, Err(StoreError::NotFound));
        engine.sweep_after_start(NOW).await.unwrap();
    }
    assert_eq!(engine.inbox().is_in_batches(one).await, Ok(true), "only the notes are gone");
    engine.inbox().set_batches(one, false, NOW).await.unwrap();
    for (n, unread) in [(7, 1), (8, 2)] {
        assert_eq!(engine.numbered().deliver(one, note(n)).await, Ok(unread));
        engine.step().await;
        engine.sweep_after_start(NOW).await.unwrap();
    }
    assert_eq!(page(&engine, ONE, None, 10).await, (ids([8, 7]), 2));
    for note in shown {
        let is_gone = engine.inbox().mark_seen(one, note.id, NOW).await;
        assert_eq!(is_gone, Err(StoreError::NotFound), "no id is given out twice");
    }
    assert_eq!(page(&engine, 2, None, 10).await, (ids([9]), 1));
}

async fn nobody_without_an_account_has_an_inbox(engine: Engine) {
    let nobody = account_id(7);
    assert_eq!(engine.inbox().remove_all(nobody, NOW).await, Err(StoreError::NotFound));
    assert_eq!(engine.inbox().set_batches(nobody, true, NOW).await, Err(StoreError::NotFound));
    assert_eq!(engine.inbox().is_in_batches(nobody).await, Ok(false));
}

async fn many_inboxes_are_summed_up_together(engine: Engine) {
    let engine = with_accounts(engine).await;
    let ids = [1, 2, 3, 7].map(account_id);
    engine.accounts().create(account(3)).await.unwrap();
    for n in 1..=3 {
        engine.numbered().deliver(ids[0], note(n)).await.unwrap();
    }
    engine.inbox().set_batches(ids[1], true, NOW).await.unwrap();
    numbered_at(engine.inbox(), NOW).deliver(ids[1], note(4)).await.unwrap();
    let of = async |now| {
        let summaries = engine.inbox().summaries(ids.to_vec(), now).await.unwrap();
        ids.map(|id| (summaries[&id].unread, summaries[&id].in_batches))
    };
    assert_eq!(of(NOW).await, [(3, false), (0, true), (0, false), (0, false)]);
    assert_eq!(of(next_delivery(NOW)).await[1], (1, true), "what was delivered meanwhile counts");
    assert_eq!(engine.inbox().summaries(vec![], NOW).await.unwrap().len(), 0);
}

async fn the_words_of_a_note_are_for_its_owner_while_it_is_shown(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let mut notes = Vec::new();
    for n in 1..=2 {
        let delivered = engine.inbox().deliver(account_id(ONE), arrival(n, NOW)).await.unwrap();
        let Delivered::Shown { note, .. } = delivered else { panic!("{delivered:?}") };
        notes.push(note);
    }
    engine.inbox().set_batches(account_id(2), true, NOW).await.unwrap();
    engine.inbox().deliver(account_id(2), arrival(3, NOW)).await.unwrap();
    engine.step().await;
    let words = async |owner, id, now| engine.inbox().words_of(account_id(owner), id, now).await.unwrap();
    for note in &notes {
        assert_eq!(words(ONE, note.id, NOW).await, Some((note.text.clone(), note.date)));
        assert_eq!(words(2, note.id, NOW).await, None, "another's");
    }
    assert_eq!(words(ONE, note_id(99), NOW).await, None);
    assert_eq!(words(9, notes[0].id, NOW).await, None, "nobody's inbox");
    let later = NOW + 10_000;
    let waits = engine.inbox().page(account_id(2), None, 1, later).await.unwrap().notes.remove(0);
    assert_eq!(words(2, waits.id, NOW).await, None, "it waits for its batch");
    assert_eq!(words(2, waits.id, later).await, Some((waits.text, waits.date)));
    engine.inbox().remove(account_id(ONE), notes[0].id, NOW).await.unwrap();
    assert_eq!(words(ONE, notes[0].id, NOW).await, None);
}
