//! Public answers and personal pages: what everybody may read, and what nobody may.

use annon_store::StoreError;
use annon_store::answer::{Answer, AnswerId};
use annon_store::inbox::{Arrival, Delivered, Note, NoteId, next_delivery, to_the_minute};
use annon_store::personal_page::{PageChange, PersonalPage};
use uuid::Uuid;

use crate::contract::engine::{Engine, ONE, with_accounts};
use crate::support::people::*;

on_every_engine! {
    an_answer_is_public_with_its_note_and_beside_it,
    what_is_said_again_is_published_once_and_new_words_keep_the_id,
    a_note_that_is_only_for_its_owner_is_never_public,
    nobody_answers_what_their_inbox_does_not_show,
    what_is_taken_down_is_gone_and_may_be_published_anew,
    pages_have_the_newest_first,
    what_ends_a_note_or_its_account_ends_its_answer,
    answers_are_kept_when_an_inbox_gets_a_new_key,
    two_changes_of_a_page_at_once_keep_what_the_other_names,
    a_personal_page_is_set_up_and_goes_with_its_account,
}

/// Delivers the note `n` to an inbox.
async fn deliver(engine: &Engine, owner: u64, n: u64, only_for_you: bool) -> Note {
    let arrival = Arrival { only_for_you, ..arrival(n, NOW + n) };
    match engine.inbox().deliver(account_id(owner), arrival).await.unwrap() {
        Delivered::Shown { note, .. } => note,
        Delivered::Waits => panic!("it waits"),
    }
}

async fn publish(engine: &Engine, owner: u64, note: NoteId, n: u64) -> Result<Option<Answer>, StoreError> {
    engine.answers().publish(account_id(owner), note, publishing(n, NOW + 100 + n)).await
}

async fn published(engine: &Engine, owner: u64, n: u64) -> (Note, Answer) {
    let note = deliver(engine, owner, n, false).await;
    let answer = publish(engine, owner, note.id, n).await.unwrap().unwrap();
    (note, answer)
}

async fn newest(engine: &Engine, owner: u64) -> Vec<Answer> {
    engine.answers().newest(account_id(owner), None, 100).await.unwrap()
}

async fn notes(engine: &Engine, owner: u64) -> Vec<Note> {
    engine.inbox().page(account_id(owner), None, 100, NOW + 1000).await.unwrap().notes
}

async fn an_answer_is_public_with_its_note_and_beside_it(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    assert_eq!(newest(&engine, ONE).await, []);
    let (note, answer) = published(&engine, ONE, 5).await;
    engine.step().await;
    assert_eq!((answer.note.clone(), answer.text.as_str()), (note.text.clone(), &*answer_words(5)));
    assert_eq!(answer.date, to_the_minute(NOW + 105));
    assert_ne!(answer.id.0, note.id.0);
    assert_eq!(newest(&engine, ONE).await, vec![answer.clone()]);
    assert_eq!(engine.answers().find(account_id(ONE), answer.id).await, Ok(Some(answer.clone())));
    assert_eq!(notes(&engine, ONE).await, [Note { answer: Some(answer.clone()), ..note.clone() }]);
    // It is nobody else's, and the note's own id leads to nothing public.
    assert_eq!(newest(&engine, 2).await, []);
    assert_eq!(engine.answers().find(account_id(2), answer.id).await, Ok(None));
    for id in [note.id.0, Uuid::nil(), Uuid::max()] {
        assert_eq!(engine.answers().find(account_id(ONE), AnswerId(id)).await, Ok(None));
    }
}

async fn what_is_said_again_is_published_once_and_new_words_keep_the_id(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let (note, first) = published(&engine, ONE, 1).await;
    engine.step().await;
    let again = publishing(1, NOW + 900);
    assert_eq!(engine.answers().publish(account_id(ONE), note.id, again).await, Ok(Some(first.clone())));
    assert_eq!(engine.sweep(NOW + 900).await.unwrap().resealed, 0, "nothing has changed");
    engine.step().await;
    let other = engine.answers().publish(account_id(ONE), note.id, publishing(2, NOW + 900)).await.unwrap().unwrap();
    assert_eq!((other.id, other.date, other.text.as_str()), (first.id, first.date, &*answer_words(2)));
    engine.step().await;
    assert_eq!(newest(&engine, ONE).await, vec![other.clone()]);
    engine.sweep(NOW + 900).await.unwrap();
    engine.step().await;
    assert_eq!(newest(&engine, ONE).await, vec![other]);
}

async fn a_note_that_is_only_for_its_owner_is_never_public(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let note = deliver(&engine, ONE, 1, true).await;
    assert!(note.only_for_you);
    engine.step().await;
    assert_eq!(publish(&engine, ONE, note.id, 1).await, Ok(None));
    assert_eq!(engine.answers().take_down(account_id(ONE), note.id, NOW + 200).await, Ok(()), "there is none");
    engine.step().await;
    assert_eq!(publish(&engine, ONE, note.id, 1).await, Ok(None), "still");
    assert_eq!(newest(&engine, ONE).await, []);
    assert_eq!(notes(&engine, ONE).await, [note]);
    // So is one that begins a conversation.
    let arrival = Arrival { only_for_you: true, ..arrival(2, NOW) };
    let begun = engine.conversations().begin(account_id(ONE), arrival, beginning(2)).await.unwrap();
    let Delivered::Shown { note, .. } = begun else { panic!("it waits") };
    assert!(note.only_for_you && note.conversation.is_some());
    assert_eq!(publish(&engine, ONE, note.id, 1).await, Ok(None));
}

async fn nobody_answers_what_their_inbox_does_not_show(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let gone = Err(StoreError::NotFound);
    let note = deliver(&engine, ONE, 1, false).await;
    let removed = deliver(&engine, ONE, 2, false).await;
    engine.inbox().remove(account_id(ONE), removed.id, NOW + 10).await.unwrap();
    engine.step().await;
    for (owner, id) in [(2, note.id), (9, note.id), (ONE, removed.id), (ONE, note_id(77))] {
        assert_eq!(publish(&engine, owner, id, 1).await, gone, "{owner} {id:?}");
        let taken = engine.answers().take_down(account_id(owner), id, NOW + 200).await;
        assert_eq!(taken, Err(StoreError::NotFound));
    }
    // One that waits for its batch has no id yet that somebody knows; it is found when it is shown.
    engine.inbox().set_batches(account_id(2), true, NOW).await.unwrap();
    let waits = Arrival { only_for_you: false, ..arrival(3, NOW + 3) };
    assert_eq!(engine.inbox().deliver(account_id(2), waits).await, Ok(Delivered::Waits));
    let due = next_delivery(NOW + 3);
    let shown = engine.inbox().page(account_id(2), None, 9, due).await.unwrap().notes.remove(0);
    engine.step().await;
    let publish_at = async |now| engine.answers().publish(account_id(2), shown.id, publishing(3, now)).await;
    assert_eq!(publish_at(due - 1).await, gone);
    assert!(publish_at(due).await.unwrap().is_some());
}

async fn what_is_taken_down_is_gone_and_may_be_published_anew(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let (note, first) = published(&engine, ONE, 1).await;
    let (_, other) = published(&engine, ONE, 2).await;
    engine.step().await;
    for _ in 0..2 {
        engine.answers().take_down(account_id(ONE), note.id, NOW + 200).await.unwrap();
        engine.step().await;
        assert_eq!(newest(&engine, ONE).await, vec![other.clone()]);
        assert_eq!(engine.answers().find(account_id(ONE), first.id).await, Ok(None));
        assert_eq!(notes(&engine, ONE).await[1], note, "the note stays");
    }
    let anew = engine.answers().publish(account_id(ONE), note.id, publishing(7, NOW + 300)).await.unwrap().unwrap();
    assert_ne!(anew.id, first.id, "the old link leads nowhere");
    assert_eq!(newest(&engine, ONE).await, vec![anew, other]);
}

async fn pages_have_the_newest_first(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let mut all = Vec::new();
    // Their notes came in another order.
    let notes: Vec<_> = [1, 2, 3, 4].map(|n| deliver(&engine, ONE, n, false)).into_iter().collect();
    let mut ids = Vec::new();
    for note in notes {
        ids.push(note.await.id);
    }
    for (n, id) in [(1, ids[2]), (2, ids[0]), (3, ids[3]), (4, ids[1])] {
        all.insert(0, publish(&engine, ONE, id, n).await.unwrap().unwrap());
    }
    published(&engine, 2, 9).await;
    engine.step().await;
    let answers = engine.answers();
    let page = async |before, limit| answers.newest(account_id(ONE), before, limit).await.unwrap();
    for limit in 0..6 {
        assert_eq!(page(None, limit).await, all[..limit.min(4)]);
        for at in 0..4 {
            let rest = &all[at + 1..];
            assert_eq!(page(Some(all[at].id), limit).await, rest[..limit.min(rest.len())]);
        }
    }
    drop(answers);
    engine.answers().take_down(account_id(ONE), ids[3], NOW + 500).await.unwrap();
    let rest = engine.answers().newest(account_id(ONE), Some(all[1].id), 9).await.unwrap();
    assert_eq!(rest, all[2..], "also after one that is gone");
}

async fn what_ends_a_note_or_its_account_ends_its_answer(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let (one, of_one) = published(&engine, ONE, 1).await;
    let (_, of_two) = published(&engine, ONE, 2).await;
    let (_, of_other) = published(&engine, 2, 3).await;
    let kept = deliver(&engine, ONE, 4, true).await;
    engine.inbox().remove(account_id(ONE), one.id, NOW + 200).await.unwrap();
    engine.inbox().remove(account_id(ONE), kept.id, NOW + 200).await.unwrap();
    engine.step().await;
    assert_eq!(newest(&engine, ONE).await, vec![of_two.clone()]);
    assert_eq!(engine.answers().find(account_id(ONE), of_one.id).await, Ok(None));
    engine.inbox().remove_all(account_id(ONE), NOW).await.unwrap();
    engine.step().await;
    assert_eq!(newest(&engine, ONE).await, []);
    assert_eq!(engine.answers().find(account_id(ONE), of_two.id).await, Ok(None));
    // What comes later is not taken for what was there before.
    let (later, of_later) = published(&engine, ONE, 1).await;
    engine.sweep(NOW).await.unwrap();
    engine.step().await;
    assert_eq!(newest(&engine, ONE).await, vec![of_later.clone()]);
    assert_eq!(notes(&engine, ONE).await, [Note { answer: Some(of_later), ..later }]);
    engine.accounts().delete(account_id(2)).await.unwrap();
    engine.step().await;
    assert_eq!(newest(&engine, 2).await, []);
    assert_eq!(engine.answers().find(account_id(2), of_other.id).await, Ok(None));
    engine.sweep_after_start(NOW).await.unwrap();
    assert_eq!(newest(&engine, 2).await, []);
}

async fn answers_are_kept_when_an_inbox_gets_a_new_key(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let (_, answer) = published(&engine, ONE, 1).await;
    let gone = deliver(&engine, ONE, 2, false).await;
    for _ in 0..2 {
        engine.sweep(NOW + 5000).await.unwrap();
        engine.step().await;
        assert_eq!(newest(&engine, ONE).await, vec![answer.clone()]);
        // An engine that tells of it has sealed it with another key in the second round.
        let _ = engine.inbox().remove(account_id(ONE), gone.id, NOW + 300).await;
    }
}

async fn two_changes_of_a_page_at_once_keep_what_the_other_names(engine: Engine) {
    let engine = with_accounts(engine).await;
    let pages = engine.personal_pages();
    for n in 1..=20 {
        let PersonalPage { line, prompts, only_for_you } = personal_page(n % 3 + 1);
        let of_line = PageChange { line: Some(line), ..PageChange::default() };
        let of_prompts = PageChange { prompts: Some(prompts), ..PageChange::default() };
        let of_box = PageChange { only_for_you: Some(only_for_you), ..PageChange::default() };
        let change = |change| pages.set_up(account_id(ONE), change);
        let all = tokio::join!(change(of_line), change(of_prompts), change(of_box));
        assert!(all.0.is_ok() && all.1.is_ok() && all.2.is_ok(), "{all:?}");
        assert_eq!(pages.look_up(account_id(ONE)).await.unwrap(), personal_page(n % 3 + 1), "{n}");
    }
}

async fn a_personal_page_is_set_up_and_goes_with_its_account(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let look_up = async |engine: &Engine, n| engine.personal_pages().look_up(account_id(n)).await.unwrap();
    assert_eq!(look_up(&engine, ONE).await, PersonalPage::default());
    for n in [3, 0, 2] {
        engine.personal_pages().set_up(account_id(ONE), personal_page(n).into()).await.unwrap();
        engine.step().await;
        assert_eq!(look_up(&engine, ONE).await, personal_page(n));
    }
    assert_eq!(look_up(&engine, 2).await, PersonalPage::default());
    engine.inbox().remove_all(account_id(ONE), NOW).await.unwrap();
    assert_eq!(look_up(&engine, ONE).await, personal_page(2), "it has nothing to do with notes");
    assert_eq!(engine.personal_pages().set_up(account_id(9), personal_page(1).into()).await, Err(StoreError::NotFound));
    engine.accounts().delete(account_id(ONE)).await.unwrap();
    engine.step().await;
    assert_eq!(look_up(&engine, ONE).await, PersonalPage::default());
    assert_eq!(
        engine.personal_pages().set_up(account_id(ONE), personal_page(1).into()).await,
        Err(StoreError::NotFound)
    );
}
