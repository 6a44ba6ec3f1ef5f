//! Seals of inboxes, and what is sealed with them: notes, lines, and what is published of them.

use annon_contract::code::Code;
use annon_store::StoreError;
use annon_store::answer::Publishing;
use annon_store::conversation::{Change, ConversationError, LineText, Side};
use annon_store::inbox::{Arrival, Delivered};
use annon_store::inbox_seal::{Handover, InboxSeal, SealChange};
use annon_store::shield::{HeldWord, InboxName, Setting};

use crate::contract::engine::{Engine, ONE, with_accounts};
use crate::support::people::*;

on_every_engine! {
    a_seal_is_given_to_senders_while_it_is_on,
    a_key_is_handed_over_once_and_in_time,
    what_is_sealed_stays_as_it_was_sent,
    lines_are_sealed_where_the_note_is,
}

async fn change(engine: &Engine, owner: u64, change: SealChange) -> Result<(), StoreError> {
    engine.inbox_seals().change(account_id(owner), change, NOW).await
}

async fn at_door(engine: &Engine, owner: u64) -> Option<InboxSeal> {
    let door = engine.accounts().door(InboxName::Target(target_id(owner)), None, NOW).await.unwrap();
    door.expect("it is there").seal
}

async fn a_seal_is_given_to_senders_while_it_is_on(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let of = async |engine: &Engine| engine.inbox_seals().of(account_id(ONE)).await.unwrap();
    assert_eq!(of(&engine).await, None);
    let off = || SealChange::Set { on: Some(false), open_notes: None };
    assert_eq!(change(&engine, ONE, off()).await, Err(StoreError::Conflict), "it was never sealed");
    change(&engine, ONE, sealing(1)).await.unwrap();
    engine.step().await;
    let seal = at_door(&engine, ONE).await.unwrap();
    assert_eq!((seal.on, seal.open_notes, &seal.wrapped), (true, false, &wrapped(1)));
    assert_eq!(at_door(&engine, 2).await, None, "it is another one's");
    change(&engine, ONE, SealChange::Set { on: None, open_notes: Some(true) }).await.unwrap();
    change(&engine, ONE, off()).await.unwrap();
    engine.step().await;
    assert_eq!(at_door(&engine, ONE).await, None);
    assert_eq!(
        of(&engine).await,
        Some(InboxSeal { on: false, open_notes: true, ..seal.clone() }),
        "older notes need it"
    );
    change(&engine, ONE, sealing(2)).await.unwrap();
    engine.step().await;
    let newer = at_door(&engine, ONE).await.unwrap();
    assert!(newer.on && newer.key != seal.key && newer.key.fingerprint() != seal.key.fingerprint());
    engine.accounts().delete(account_id(ONE)).await.unwrap();
    engine.step().await;
    assert_eq!(of(&engine).await, None);
    assert_eq!(change(&engine, ONE, sealing(3)).await, Err(StoreError::NotFound));
    engine.step().await;
    assert_eq!(of(&engine).await, None);
}

async fn a_key_is_handed_over_once_and_in_time(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let one = account_id(ONE);
    let hand_over = |n, until| SealChange::HandOver(Handover { wrapped: wrapped(n), until });
    assert_eq!(change(&engine, ONE, hand_over(9, NOW + 300)).await, Err(StoreError::Conflict), "it was never sealed");
    change(&engine, ONE, sealing(1)).await.unwrap();
    assert_eq!(engine.inbox_seals().take(one, NOW).await, Ok(None));
    for n in [8, 9] {
        change(&engine, ONE, hand_over(n, NOW + 300)).await.unwrap();
    }
    engine.step().await;
    let taken = {
        let seals = engine.inbox_seals();
        futures_util::future::join_all((0..4).map(|_| seals.take(one, NOW + 299))).await
    };
    let taken: Vec<_> = taken.into_iter().filter_map(Result::unwrap).collect();
    assert_eq!(taken, [wrapped(9)], "the last one, once");
    for until in [NOW + 300, NOW + 400] {
        change(&engine, ONE, hand_over(7, until)).await.unwrap();
        engine.step().await;
        assert_eq!(engine.inbox_seals().take(one, until).await, Ok(None), "its time is up");
    }
    // One that nobody takes is forgotten; a later one isn't with it.
    change(&engine, ONE, hand_over(7, NOW + 300)).await.unwrap();
    change(&engine, 2, sealing(2)).await.unwrap();
    change(&engine, 2, hand_over(6, NOW + 900)).await.unwrap();
    engine.sweep(NOW + 400).await.unwrap();
    engine.step().await;
    assert_eq!(engine.inbox_seals().take(one, NOW).await, Ok(None), "also for a clock that is set back");
    assert_eq!(engine.inbox_seals().take(account_id(2), NOW + 400).await, Ok(Some(wrapped(6))));
    assert!(engine.inbox_seals().of(one).await.unwrap().is_some(), "the seal stays");
    // A new key ends what was handed over of the old one.
    change(&engine, 2, hand_over(6, NOW + 900)).await.unwrap();
    change(&engine, 2, sealing(3)).await.unwrap();
    assert_eq!(engine.inbox_seals().take(account_id(2), NOW + 400).await, Ok(None));
}

async fn what_is_sealed_stays_as_it_was_sent(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let one = account_id(ONE);
    // Its letters are no words: "AQEB----AQEB----" and so on.
    let words = base64url(&[1, 1, 1, 0xfb, 0xef, 0xbe].repeat(99));
    let held_words = Some(vec![HeldWord::try_from("aqeb".to_owned()).unwrap()]);
    let setting = annon_store::shield::Change::Set(Setting { held_words, ..Setting::default() });
    engine.shields().change(one, setting, NOW).await.unwrap();
    let text = annon_store::text::NoteText::sealed(target_id(ONE), &words, false).unwrap();
    let shield = engine.accounts().door(InboxName::Target(target_id(ONE)), None, NOW).await.unwrap().unwrap().shield;
    assert!(shield.fate(None, &text).is_delivered());
    let Delivered::Shown { note, .. } = engine.inbox().deliver(one, Arrival::new(text.clone(), NOW, 1)).await.unwrap()
    else {
        panic!("it waits")
    };
    engine.step().await;
    let found = engine.inbox().page(one, None, 9, NOW).await.unwrap().notes.remove(0);
    let target = target_id(ONE).0.to_string();
    assert_eq!((found.text.as_str(), found.text.sealed_for()), (&*words, Some(&*target)));
    // Only whoever has opened it can say what is published of it.
    let publishing = publishing(1, NOW);
    assert_eq!(engine.answers().publish(one, note.id, publishing.clone()).await, Err(StoreError::Conflict));
    let opened = annon_store::text::NoteText::try_from("what the note says".to_owned()).unwrap();
    let publishing = Publishing { opened: Some(opened.clone()), ..publishing };
    let answer = engine.answers().publish(one, note.id, publishing).await.unwrap().unwrap();
    engine.step().await;
    assert_eq!(answer.note, opened);
    assert_eq!(engine.answers().newest(one, None, 9).await.unwrap(), [answer]);
    assert_eq!(engine.inbox().page(one, None, 9, NOW).await.unwrap().notes[0].text, text);
}

async fn lines_are_sealed_where_the_note_is(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let note = format!("{}.{}", raw(1, 1106), raw(1, 285));
    let text = annon_store::text::NoteText::sealed(target_id(ONE), &note, true).unwrap();
    let change =
        async |engine: &Engine, n, change| engine.conversations().change(conversation_id(n), change, NOW).await;
    for (n, arrival) in [(1, Arrival { text, ..arrival(1, NOW) }), (2, arrival(2, NOW))] {
        engine.conversations().begin(account_id(ONE), arrival, beginning(n)).await.unwrap();
    }
    let line = raw(1, 93);
    let sealed = |n: u64| {
        let Change::Say { from, id, reply_to, .. } = say(Side::Sender, n) else { panic!() };
        Change::Say { from, id, text: LineText::sealed(&line).unwrap(), reply_to }
    };
    let refused = Err(ConversationError::Refused(Code::SealedInvalid));
    assert_eq!(change(&engine, 1, say(Side::Sender, 1)).await, refused);
    assert_eq!(change(&engine, 2, sealed(1)).await, refused);
    change(&engine, 1, sealed(2)).await.unwrap();
    change(&engine, 2, say(Side::Sender, 2)).await.unwrap();
    engine.step().await;
    let found = engine.conversations().find(vec![conversation_id(1)], NOW).await.unwrap().remove(0);
    assert_eq!(found.conversation.words.as_str(), note);
    let said: Vec<_> = found.conversation.lines.iter().filter_map(|line| line.text.clone()).collect();
    assert_eq!(said.iter().map(LineText::as_str).collect::<Vec<_>>(), [&*line]);
    assert!(said[0].is_sealed());
}
