//! Conversations: begun with a note, changed by the rules, and gone when they end.

use annon_contract::code::Code;
use annon_contract::limits::CONVERSATION_KEPT;
use annon_store::StoreError;
use annon_store::conversation::{
    Change, Conversation, ConversationError, ConversationId, Door, Found, Line, LineText, Side,
};
use annon_store::inbox::{Arrival, Delivered, next_delivery, to_the_minute};
use annon_store::room::{Seq, Sign};
use annon_store::shield::Fate;

use crate::contract::engine::{Engine, ONE, with_accounts};
use crate::support::people::*;

on_every_engine! {
    a_conversation_begins_with_its_note_and_reads_as_it_was_said,
    an_id_that_is_taken_is_refused_and_its_note_is_not_stored,
    pages_are_in_the_order_in_which_conversations_moved,
    what_ends_a_note_or_its_account_ends_its_conversation,
    either_side_ends_it_for_good,
    it_ends_only_through_its_own_door_and_for_an_owner_who_knows_of_it,
    it_ends_a_while_after_its_last_line,
    while_the_note_waits_its_owner_knows_of_nothing,
    changes_are_told_with_the_state_they_led_to,
    what_was_unsent_is_gone_and_the_rest_stays,
    whoever_reads_while_it_changes_finds_it_as_one_change_left_it,
    a_long_one_is_what_its_changes_make_of_it,
    many_at_once_keep_the_rules,
}

/// Begins a conversation with a note, both with the number `n`.
async fn begin(engine: &Engine, owner: u64, n: u64) -> Result<Delivered, ConversationError> {
    engine.conversations().begin(account_id(owner), arrival(n, NOW + n), beginning(n)).await
}

async fn found(engine: &Engine, n: u64) -> Option<Found> {
    engine.conversations().find(vec![conversation_id(n)], NOW + 1000).await.unwrap().pop()
}

async fn change(engine: &Engine, n: u64, change: Change, now: u64) -> Result<Seq, ConversationError> {
    engine.conversations().change(conversation_id(n), change, now).await.map(|outcome| outcome.seq)
}

fn not_found<T>() -> Result<T, ConversationError> {
    Err(ConversationError::Store(StoreError::NotFound))
}

async fn a_conversation_begins_with_its_note_and_reads_as_it_was_said(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let Ok(Delivered::Shown { note: shown, unread: 1 }) = begin(&engine, ONE, 5).await else { panic!("not shown") };
    assert_eq!(shown.conversation, Some(conversation_id(5)));
    engine.step().await;
    assert_eq!(change(&engine, 5, say(Side::Sender, 1), NOW + 7).await, Ok(Seq(1)));
    engine.step().await;
    assert_eq!(change(&engine, 5, say(Side::Owner, 2), NOW + 8).await, Ok(Seq(3)));
    engine.step().await;
    assert_eq!(change(&engine, 5, Change::See { by: Side::Sender, upto: Seq(3) }, NOW + 9).await, Ok(Seq(4)));
    assert_eq!(change(&engine, 5, say(Side::Sender, 1), NOW + 10).await, Ok(Seq(1)), "said before");
    assert_eq!(change(&engine, 5, Change::Close, NOW + 11).await, Ok(Seq(5)));
    engine.step().await;
    let Found { conversation, is_shown: true, .. } = found(&engine, 5).await.unwrap() else { panic!("hidden") };
    assert_eq!((conversation.owner, conversation.note, &conversation.words), (account_id(ONE), shown.id, &shown.text));
    let said: Vec<_> =
        conversation.lines.iter().map(|line| (line.seq, line.from, line.at, line.text.clone())).collect();
    let text = |n: u64| Some(LineText::try_from(&*line_words(n)).unwrap());
    assert_eq!(said, [(Seq(1), Side::Sender, NOW + 7, text(1)), (Seq(3), Side::Owner, NOW + 8, text(2))]);
    assert_eq!((conversation.last, conversation.closed, conversation.moved), (Seq(5), Some(Seq(5)), NOW + 8));
    assert_eq!(conversation.seen_by(Side::Sender).upto, Seq(3));
    let conversations = engine.conversations();
    let door = Door { owner: account_id(ONE), proof: beginning(5).proof };
    let both = vec![conversation_id(5), conversation_id(6)];
    assert_eq!(conversations.doors(both.clone()).await.unwrap(), [(conversation_id(5), door)].into());
    assert_eq!(conversations.lasts(both).await.unwrap(), [(conversation_id(5), Seq(5))].into());
    let page = engine.inbox().page(account_id(ONE), None, 9, NOW + 1000).await.unwrap();
    assert_eq!((page.notes.len(), page.notes[0].conversation), (1, Some(conversation_id(5))));
    assert_eq!(change(&engine, 6, say(Side::Sender, 1), NOW).await, not_found());
}

async fn an_id_that_is_taken_is_refused_and_its_note_is_not_stored(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    begin(&engine, ONE, 5).await.unwrap();
    engine.step().await;
    for owner in [ONE, 2] {
        let again = engine.conversations().begin(account_id(owner), arrival(6, NOW), beginning(5)).await;
        assert_eq!(again, Err(ConversationError::Refused(Code::ConversationTaken)));
    }
    engine.step().await;
    let inbox = engine.inbox();
    let notes = async |n| inbox.page(account_id(n), None, 9, NOW + 1000).await.unwrap().notes.len();
    assert_eq!((notes(ONE).await, notes(2).await), (1, 0));
    let nobody = engine.conversations().begin(account_id(9), arrival(7, NOW), beginning(7)).await;
    assert_eq!(nobody, not_found());
    assert_eq!(found(&engine, 7).await, None);
}

async fn pages_are_in_the_order_in_which_conversations_moved(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    for n in [1, 2, 3, 4] {
        begin(&engine, ONE, n * 60).await.unwrap();
    }
    begin(&engine, 2, 500).await.unwrap();
    change(&engine, 120, say(Side::Sender, 1), NOW + 600).await.unwrap();
    engine.step().await;
    let all = [120, 240, 180, 60].map(conversation_id);
    let conversations = engine.conversations();
    let page = async |before, limit| -> Vec<ConversationId> {
        let page = conversations.page(account_id(ONE), before, limit, NOW + 1000).await.unwrap();
        page.into_iter().map(|found| found.id).collect()
    };
    for limit in 0..6 {
        assert_eq!(page(None, limit).await, all[..limit.min(4)]);
        for at in 0..4 {
            let rest = &all[at + 1..];
            assert_eq!(page(Some(all[at]), limit).await, rest[..limit.min(rest.len())]);
        }
    }
    for elsewhere in [500, 9] {
        assert_eq!(page(Some(conversation_id(elsewhere)), 9).await, []);
    }
}

async fn what_ends_a_note_or_its_account_ends_its_conversation(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    for n in 1..=3 {
        begin(&engine, ONE, n).await.unwrap();
    }
    begin(&engine, 2, 4).await.unwrap();
    engine.numbered().remove(account_id(ONE), note_id(1)).await.unwrap();
    engine.step().await;
    let there = async |engine: &Engine| {
        let all = (1..=4).map(conversation_id).collect();
        let found = engine.conversations().find(all, NOW + 1000).await.unwrap();
        found.iter().map(|found| found.id).collect::<Vec<_>>()
    };
    assert_eq!(there(&engine).await, [2, 3, 4].map(conversation_id));
    engine.inbox().remove_all(account_id(ONE), NOW).await.unwrap();
    engine.step().await;
    assert_eq!(there(&engine).await, [conversation_id(4)]);
    engine.accounts().delete(account_id(2)).await.unwrap();
    engine.step().await;
    assert_eq!(there(&engine).await, []);
    assert_eq!(engine.conversations().doors((1..=4).map(conversation_id).collect()).await.unwrap(), [].into());
    assert_eq!(change(&engine, 3, say(Side::Sender, 1), NOW).await, not_found());
    engine.sweep_after_start(NOW).await.unwrap();
    assert!(begin(&engine, ONE, 2).await.is_ok(), "its id is free again");
}

async fn either_side_ends_it_for_good(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    begin(&engine, ONE, 1).await.unwrap();
    change(&engine, 1, say(Side::Sender, 1), NOW + 1).await.unwrap();
    engine.conversations().remove(conversation_id(1), NOW).await.unwrap();
    engine.conversations().remove(conversation_id(1), NOW).await.unwrap();
    engine.step().await;
    assert_eq!(found(&engine, 1).await, None);
    assert_eq!(engine.conversations().page(account_id(ONE), None, 9, NOW + 9).await.unwrap(), []);
    let page = engine.inbox().page(account_id(ONE), None, 9, NOW + 1000).await.unwrap();
    assert_eq!((page.notes.len(), page.notes[0].conversation), (1, None), "the note stays");
}

async fn it_ends_only_through_its_own_door_and_for_an_owner_who_knows_of_it(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    begin(&engine, ONE, 1).await.unwrap();
    let held = Arrival { fate: Fate::Held, ..arrival(2, NOW) };
    engine.conversations().begin(account_id(ONE), held, beginning(2)).await.unwrap();
    engine.step().await;
    let mut changes = engine.conversations().changes();
    let conversations = engine.conversations();
    let door = |n| Door { owner: account_id(ONE), proof: beginning(n).proof };
    let end = async |n, door, side| conversations.remove_through(conversation_id(n), Some((door, side)), NOW + 9).await;
    // Theirs has ended, and another one has its id.
    for other in [door(3), Door { owner: account_id(2), ..door(1) }] {
        for side in [Side::Owner, Side::Sender] {
            assert_eq!(end(1, other, side).await, Ok(()));
        }
    }
    assert_eq!(end(2, door(2), Side::Owner).await, Err(StoreError::NotFound), "its note is held back");
    assert!(changes.try_recv().is_err(), "nobody is told of anything");
    assert!(found(&engine, 1).await.is_some() && found(&engine, 2).await.is_some());
    for (n, side) in [(1, Side::Owner), (2, Side::Sender)] {
        assert_eq!((end(n, door(n), side).await, end(n, door(n), side).await), (Ok(()), Ok(())));
        let told = changes.try_recv().unwrap();
        assert_eq!((told.id, told.now.is_none(), told.is_shown), (conversation_id(n), true, n == 1));
        assert!(changes.try_recv().is_err(), "once");
    }
    drop(conversations);
    engine.step().await;
    assert!(found(&engine, 1).await.is_none() && found(&engine, 2).await.is_none());
}

async fn it_ends_a_while_after_its_last_line(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let kept = CONVERSATION_KEPT.as_secs();
    begin(&engine, ONE, 1).await.unwrap();
    begin(&engine, ONE, 2).await.unwrap();
    change(&engine, 2, say(Side::Sender, 1), NOW + 600).await.unwrap();
    engine.step().await;
    let began = to_the_minute(NOW + 1);
    let find =
        async |engine: &Engine, n, now| engine.conversations().find(vec![conversation_id(n)], now).await.unwrap().len();
    assert_eq!((find(&engine, 1, began + kept - 1).await, find(&engine, 1, began + kept).await), (1, 0));
    assert_eq!(change(&engine, 1, say(Side::Sender, 1), began + kept).await, not_found());
    assert_eq!(engine.sweep(began + kept - 1).await.unwrap().conversations, 0);
    assert_eq!(engine.sweep(began + kept).await.unwrap().conversations, 1);
    engine.step().await;
    assert_eq!((find(&engine, 1, NOW).await, find(&engine, 2, NOW).await), (0, 1));
    assert_eq!(engine.sweep(NOW + 600 + kept - 1).await.unwrap().conversations, 0);
    assert_eq!(engine.sweep(NOW + 600 + kept).await.unwrap().conversations, 1);
    let page = engine.inbox().page(account_id(ONE), None, 9, NOW + 1000).await.unwrap();
    assert_eq!(page.notes.len(), 2, "the notes stay");
}

async fn while_the_note_waits_its_owner_knows_of_nothing(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    engine.inbox().set_batches(account_id(ONE), true, NOW).await.unwrap();
    assert_eq!(begin(&engine, ONE, 5).await, Ok(Delivered::Waits));
    engine.step().await;
    let (now, due) = (NOW + 6, next_delivery(NOW + 5));
    assert_eq!(change(&engine, 5, say(Side::Sender, 1), now).await, Ok(Seq(1)));
    assert_eq!(change(&engine, 5, say(Side::Owner, 1), now).await, not_found());
    let conversations = engine.conversations();
    let page = async |now| conversations.page(account_id(ONE), None, 9, now).await.unwrap();
    assert_eq!(page(now).await, []);
    let is_shown = async |now| conversations.find(vec![conversation_id(5)], now).await.unwrap()[0].is_shown;
    assert!(!is_shown(due - 1).await && is_shown(due).await);
    let shown = page(due).await;
    assert_eq!((shown[0].conversation.lines[0].at, shown[0].conversation.date), (due, due));
    assert_eq!(change(&engine, 5, say(Side::Owner, 1), due).await, Ok(Seq(3)));
}

async fn changes_are_told_with_the_state_they_led_to(engine: Engine) {
    let engine = with_accounts(engine).await;
    let mut changes = engine.conversations().changes();
    begin(&engine, ONE, 1).await.unwrap();
    change(&engine, 1, say(Side::Sender, 1), NOW + 1).await.unwrap();
    change(&engine, 1, say(Side::Sender, 1), NOW + 2).await.unwrap();
    change(&engine, 1, Change::Unsend { from: Side::Sender, line: Seq(1) }, NOW + 3).await.unwrap();
    let refused = change(&engine, 1, Change::Unsend { from: Side::Sender, line: Seq(1) }, NOW + 4).await;
    assert_eq!(refused, Err(ConversationError::Refused(Code::MessageGone)));
    begin(&engine, ONE, 2).await.unwrap();
    engine.conversations().remove(conversation_id(1), NOW).await.unwrap();
    engine.accounts().delete(account_id(ONE)).await.unwrap();
    let told: Vec<_> = std::iter::from_fn(|| changes.try_recv().ok()).collect();
    assert!(told.iter().all(|change| change.owner == account_id(ONE)));
    let seen: Vec<_> =
        told.iter().map(|change| (change.id, change.now.as_ref().map(|now| now.conversation.last.0))).collect();
    let [one, two] = [1, 2].map(conversation_id);
    assert_eq!(seen, [(one, Some(0)), (one, Some(1)), (one, Some(2)), (two, Some(0)), (one, None), (two, None)]);
    assert!(told[..5].iter().all(|change| change.is_shown && change.now.as_ref().is_none_or(|now| now.is_shown)));
    assert!(!told[5].is_shown, "of an account that is gone nobody is left to be told");
}

async fn what_was_unsent_is_gone_and_the_rest_stays(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    begin(&engine, ONE, 1).await.unwrap();
    for n in 1..=3 {
        change(&engine, 1, say(Side::Owner, n), NOW + n).await.unwrap();
    }
    change(&engine, 1, Change::Unsend { from: Side::Owner, line: Seq(2) }, NOW + 9).await.unwrap();
    engine.step().await;
    change(&engine, 1, Change::Unsend { from: Side::Owner, line: Seq(3) }, NOW + 9).await.unwrap();
    engine.step().await;
    change(&engine, 1, say(Side::Sender, 4), NOW + 10).await.unwrap();
    engine.step().await;
    let lines = &found(&engine, 1).await.unwrap().conversation.lines;
    let there: Vec<_> = lines.iter().map(|line| (line.text.is_some(), line.unsent)).collect();
    assert_eq!(there, [(true, None), (false, Some(Seq(4))), (false, Some(Seq(5))), (true, None)]);
}

async fn whoever_reads_while_it_changes_finds_it_as_one_change_left_it(engine: Engine) {
    let engine = with_accounts(engine).await;
    for talk in 1..=6 {
        begin(&engine, ONE, talk).await.unwrap();
        let mut readers = tokio::task::JoinSet::new();
        for _ in 0..4 {
            let conversations = engine.conversations();
            readers.spawn(async move {
                let mut known = 0;
                while known < 40 {
                    let found = conversations.find(vec![conversation_id(talk)], NOW + 1000).await.unwrap();
                    let lines = &found[0].conversation.lines;
                    assert!(lines.len() >= known, "{} lines, and {known} before", lines.len());
                    let is_done = |line: &Line| line.text.is_none() || !line.reactions.is_empty();
                    assert!(lines.iter().rev().skip(1).all(is_done), "each was done with before the next was said");
                    known = lines.len();
                    tokio::task::yield_now().await;
                }
            });
        }
        for n in 1..=40 {
            let line = change(&engine, talk, say(Side::Owner, n), NOW + n).await.unwrap();
            let sign = Sign::try_from("👍").unwrap();
            let next = match n % 2 {
                0 => Change::Unsend { from: Side::Owner, line },
                _ => Change::React { by: Side::Sender, line, sign, on: true },
            };
            change(&engine, talk, next, NOW + n).await.unwrap();
        }
        readers.join_all().await;
    }
}

async fn a_long_one_is_what_its_changes_make_of_it(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    begin(&engine, ONE, 1).await.unwrap();
    let mut expected = Conversation::clone(&found(&engine, 1).await.unwrap().conversation);
    let sign = Sign::try_from("👍").unwrap();
    for n in 1..=90 {
        let (side, other) = if n % 3 == 0 { (Side::Sender, Side::Owner) } else { (Side::Owner, Side::Sender) };
        let change = match n % 10 {
            4 => Change::See { by: other, upto: expected.last },
            6 => Change::React { by: other, line: expected.lines[n as usize / 3].seq, sign, on: true },
            9 => Change::Unsend { from: Side::Owner, line: expected.lines[n as usize / 2].seq },
            _ => say(side, n),
        };
        let by_the_rules = expected.change(&change, NOW + n).map(|outcome| outcome.seq);
        let made = self::change(&engine, 1, change, NOW + n).await;
        assert_eq!(made, by_the_rules.map_err(ConversationError::Refused), "change {n}");
        assert_eq!(*found(&engine, 1).await.unwrap().conversation, expected, "after change {n}");
        if n % 7 == 0 {
            engine.reopen().await;
            assert_eq!(*found(&engine, 1).await.unwrap().conversation, expected, "opened after change {n}");
        }
    }
    assert!(expected.lines.len() > 50 && expected.lines.iter().any(|line| line.text.is_none()));
    assert!(expected.lines.iter().any(|line| !line.reactions.is_empty()));
    self::change(&engine, 1, Change::Close, NOW + 100).await.unwrap();
    engine.reopen().await;
    assert_eq!(found(&engine, 1).await.unwrap().conversation.closed, Some(Seq(expected.last.0 + 1)));
}

async fn many_at_once_keep_the_rules(engine: Engine) {
    let engine = with_accounts(engine).await;
    begin(&engine, ONE, 1).await.unwrap();
    let mut saying = tokio::task::JoinSet::new();
    for n in 0..10 {
        let conversations = engine.conversations();
        saying.spawn(async move { conversations.change(conversation_id(1), say(Side::Sender, n), NOW + 1).await });
        let conversations = engine.conversations();
        let beginning = beginning(50);
        saying.spawn(async move {
            let begun = conversations.begin(account_id(ONE), arrival(50 + n, NOW), beginning).await;
            match begun {
                // Of those that begin with one id, one does; the others are not counted here.
                Ok(_) => Err(ConversationError::Refused(Code::ConversationEnded)),
                Err(error) => Err(error),
            }
        });
    }
    let all = saying.join_all().await;
    let count = |wanted: Code| all.iter().filter(|said| **said == Err(ConversationError::Refused(wanted))).count();
    assert_eq!(all.iter().filter(|said| said.is_ok()).count(), 3);
    assert_eq!((count(Code::WaitForAnswer), count(Code::ConversationTaken), count(Code::ConversationEnded)), (7, 9, 1));
    let notes = engine.inbox().page(account_id(ONE), None, 99, NOW + 1000).await.unwrap().notes.len();
    assert_eq!(notes, 2, "of ten notes that claim one id, one is stored");
}
