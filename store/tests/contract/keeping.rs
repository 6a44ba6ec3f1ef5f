//! Which conversations an inbox keeps, whom their end is told, and that nobody can tell by it what
//! became of a note.

use annon_contract::code::Code;
use annon_contract::limits::{
    CONVERSATION_KEPT, CONVERSATIONS_OF_TAG, CONVERSATIONS_PER_ACCOUNT, CONVERSATIONS_UNANSWERED, HELD_KEPT,
    HELD_NOTES, TAG_DAYS,
};
use annon_store::conversation::{Change, ConversationError, ConversationId, Side};
use annon_store::inbox::{Arrival, Delivered};
use annon_store::shield::{Fate, Setting, TagHash};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::task::JoinSet;

use crate::contract::engine::{Engine, ONE, with_accounts};
use crate::support::people::*;

on_every_engine! {
    an_end_says_whether_its_owner_knew,
    all_that_end_with_their_notes_are_told_once,
    no_sender_can_tell_by_the_end_that_a_note_was_held_back,
    the_most_silent_that_nobody_answered_gives_way_to_one_that_is_shown_or_hidden_as_it_is,
    an_owner_answers_in_so_many,
    a_tag_has_so_many_open_ones_as_long_as_it_is_known,
    those_that_are_hidden_are_in_no_list,
}

type Changes = UnboundedReceiver<annon_store::conversation::ConversationChange>;

const FATES: [Fate; 3] = [Fate::Delivered, Fate::Held, Fate::Dropped];

/// Begins a conversation with the number `n`.
async fn begin(engine: &Engine, n: u64, fate: Fate, tag: Option<u8>) -> Result<Delivered, ConversationError> {
    let arrival = Arrival { fate, tag: tag.map(|tag| TagHash([tag; 16])), ..arrival(n, NOW + n) };
    engine.conversations().begin(account_id(ONE), arrival, beginning(n)).await
}

/// Begins many at once, each a second after the one before.
async fn begin_all(engine: &Engine, numbers: impl IntoIterator<Item = u64>, fate: Fate) {
    let mut begun = JoinSet::new();
    for n in numbers {
        let conversations = engine.conversations();
        let arrival = Arrival { fate, ..arrival(n, NOW + n) };
        begun.spawn(async move { conversations.begin(account_id(ONE), arrival, beginning(n)).await });
    }
    let refused: Vec<_> = begun.join_all().await.into_iter().filter_map(Result::err).collect();
    assert_eq!(refused, []);
}

/// Those of these that are there.
async fn there(engine: &Engine, numbers: impl IntoIterator<Item = u64>) -> Vec<u64> {
    let numbers: Vec<_> = numbers.into_iter().collect();
    let doors = engine.conversations().doors(numbers.iter().copied().map(conversation_id).collect()).await.unwrap();
    numbers.into_iter().filter(|n| doors.contains_key(&conversation_id(*n))).collect()
}

/// The ends that were told since the last call, and whether the owner knew of each.
fn ends(changes: &mut Changes) -> Vec<(ConversationId, bool)> {
    let all = std::iter::from_fn(|| changes.try_recv().ok());
    all.filter(|change| change.now.is_none()).map(|change| (change.id, change.is_shown)).collect()
}

async fn an_end_says_whether_its_owner_knew(engine: Engine) {
    let engine = with_accounts(engine).await;
    for (n, fate) in (1..).zip(FATES) {
        begin(&engine, n, fate, Some(1)).await.unwrap();
    }
    engine.inbox().set_batches(account_id(ONE), true, NOW).await.unwrap();
    begin(&engine, 4, Fate::Delivered, None).await.unwrap();
    let mut changes = engine.conversations().changes();
    for n in 1..=4 {
        engine.conversations().remove(conversation_id(n), NOW + 10).await.unwrap();
        engine.conversations().remove(conversation_id(n), NOW + 10).await.unwrap();
        assert_eq!(ends(&mut changes), [(conversation_id(n), n == 1)], "once");
    }
    // When its batch is due, its owner knows of it, also before anything else happens.
    begin(&engine, 5, Fate::Delivered, None).await.unwrap();
    engine.conversations().remove(conversation_id(5), NOW + 1000).await.unwrap();
    assert_eq!(ends(&mut changes), [(conversation_id(5), true)]);
    begin(&engine, 6, Fate::Dropped, None).await.unwrap();
    let kept = CONVERSATION_KEPT.as_secs();
    engine.sweep(NOW + 1000 + kept).await.unwrap();
    assert_eq!(ends(&mut changes), [(conversation_id(6), false)], "its time was up");
}

async fn all_that_end_with_their_notes_are_told_once(engine: Engine) {
    let engine = with_accounts(engine).await;
    // More than one transaction ends.
    begin_all(&engine, 1..600, Fate::Delivered).await;
    let hidden = [700, 701, 702];
    for n in hidden {
        begin(&engine, n, FATES[1 + n as usize % 2], None).await.unwrap();
    }
    begin(&engine, 800, Fate::Delivered, None).await.unwrap();
    engine.conversations().change(conversation_id(800), Change::Close, NOW + 900).await.unwrap();
    let mut changes = engine.conversations().changes();
    engine.inbox().remove_all(account_id(ONE), NOW + 900).await.unwrap();
    let mut told = ends(&mut changes);
    told.sort_unstable();
    let mut expected: Vec<_> = (1..600).chain([800]).map(|n| (conversation_id(n), true)).collect();
    expected.extend(hidden.map(|n| (conversation_id(n), false)));
    expected.sort_unstable();
    assert_eq!(told, expected);
    assert!(there(&engine, 1..=800).await.is_empty());
    assert!(engine.inbox().page(account_id(ONE), None, 9, NOW + 1000).await.unwrap().notes.is_empty());
    begin_all(&engine, 1..400, Fate::Delivered).await;
    engine.accounts().delete(account_id(ONE)).await.unwrap();
    let told = ends(&mut changes);
    assert_eq!((told.len(), told.iter().any(|(_, was_shown)| *was_shown)), (399, false));
    assert_eq!(engine.sweep_after_start(NOW).await.unwrap().keys, 0);
}

async fn no_sender_can_tell_by_the_end_that_a_note_was_held_back(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    engine.shields().change(account_id(ONE), annon_store::shield::Change::Set(Setting::default()), NOW).await.unwrap();
    let most = HELD_NOTES as u64;
    for (n, fate) in (1..).zip(FATES) {
        begin(&engine, n, fate, Some(1)).await.unwrap();
    }
    // The held one makes room for others.
    for n in 0..most {
        let arrival = Arrival { fate: Fate::Held, ..arrival(1000 + n, NOW + 120) };
        engine.inbox().deliver(account_id(ONE), arrival).await.unwrap();
    }
    let held = engine.shields().held(account_id(ONE), None, 1000, NOW + 200).await.unwrap();
    assert!(held.iter().all(|held| held.text != note(2).text), "it has made room");
    let late = NOW + CONVERSATION_KEPT.as_secs() - 100;
    for n in 1..=3 {
        engine.conversations().change(conversation_id(n), say(Side::Sender, 1), late).await.unwrap();
    }
    engine.step().await;
    // Those that were held for too long are gone; a conversation ends a while after its last line.
    engine.sweep(NOW + 200 + HELD_KEPT.as_secs()).await.unwrap();
    assert!(engine.shields().held(account_id(ONE), None, 1000, NOW).await.unwrap().is_empty());
    assert_eq!(there(&engine, 1..=3).await, [1, 2, 3]);
    engine.sweep(late + CONVERSATION_KEPT.as_secs() - 1).await.unwrap();
    assert_eq!(there(&engine, 1..=3).await, [1, 2, 3]);
    let mut changes = engine.conversations().changes();
    engine.sweep(late + CONVERSATION_KEPT.as_secs()).await.unwrap();
    assert!(there(&engine, 1..=3).await.is_empty());
    let mut told = ends(&mut changes);
    told.sort_unstable();
    assert_eq!(told, [(conversation_id(1), true), (conversation_id(2), false), (conversation_id(3), false)]);
}

async fn the_most_silent_that_nobody_answered_gives_way_to_one_that_is_shown_or_hidden_as_it_is(engine: Engine) {
    let engine = with_accounts(engine).await;
    let most = u64::from(CONVERSATIONS_UNANSWERED);
    begin_all(&engine, 100..100 + most, Fate::Delivered).await;
    let mut changes = engine.conversations().changes();
    for (n, fate) in [(9_000, Fate::Held), (9_001, Fate::Dropped)] {
        begin(&engine, n, fate, None).await.unwrap();
        assert_eq!(ends(&mut changes), [], "its owner would learn that somebody wrote");
    }
    // These two are not the most silent ones any more: one goes on, and one was answered.
    let conversations = engine.conversations();
    conversations.change(conversation_id(100), say(Side::Sender, 1), NOW + 9_002).await.unwrap();
    conversations.change(conversation_id(101), say(Side::Owner, 1), NOW + 9_002).await.unwrap();
    changes.try_recv().unwrap();
    changes.try_recv().unwrap();
    let others = async |n| begin(&engine, n, Fate::Delivered, None).await.unwrap();
    others(9_003).await;
    assert_eq!(ends(&mut changes), [], "there is room for one that was answered");
    others(9_004).await;
    assert_eq!(ends(&mut changes), [(conversation_id(102), true)]);
    conversations.remove(conversation_id(9_004), NOW + 9_005).await.unwrap();
    changes.try_recv().unwrap();
    others(9_005).await;
    assert_eq!(ends(&mut changes), [], "whoever ends one makes room");
    conversations.change(conversation_id(9_005), Change::Close, NOW + 9_006).await.unwrap();
    others(9_006).await;
    assert_eq!(ends(&mut changes), [], "and so does its owner who closes one");
    begin_all(&engine, 10_000..10_000 + most - 2, Fate::Dropped).await;
    assert_eq!(ends(&mut changes), []);
    begin(&engine, 15_000, Fate::Held, None).await.unwrap();
    assert_eq!(ends(&mut changes), [(conversation_id(9_000), false)]);
    engine.inbox().set_batches(account_id(ONE), true, NOW + 15_001).await.unwrap();
    begin(&engine, 15_002, Fate::Delivered, None).await.unwrap();
    assert_eq!(ends(&mut changes), [], "it waits for its batch");
}

async fn an_owner_answers_in_so_many(engine: Engine) {
    let engine = with_accounts(engine).await;
    let most = u64::from(CONVERSATIONS_PER_ACCOUNT);
    begin_all(&engine, 1..most + 3, Fate::Delivered).await;
    let mut answered = JoinSet::new();
    for n in 1..=most {
        let conversations = engine.conversations();
        answered.spawn(async move { conversations.change(conversation_id(n), say(Side::Owner, n), NOW + 2_000).await });
    }
    assert!(answered.join_all().await.iter().all(Result::is_ok));
    let conversations = engine.conversations();
    let answer = async |n, line| {
        let outcome = conversations.change(conversation_id(n), say(Side::Owner, line), NOW + 2_000).await;
        outcome.map(|outcome| outcome.is_new)
    };
    let refused = Err(ConversationError::Refused(Code::TooManyAnswered));
    assert_eq!(answer(most + 1, 1).await, refused);
    assert_eq!((answer(5, 2_000).await, answer(5, 5).await), (Ok(true), Ok(false)), "in those they go on");
    assert!(begin(&engine, most + 9, Fate::Delivered, None).await.is_ok(), "and no sender notices it");
    conversations.change(conversation_id(1), Change::Close, NOW + 2_000).await.unwrap();
    assert_eq!((answer(most + 1, 1).await, answer(most + 2, 1).await), (Ok(true), refused));
    conversations.remove(conversation_id(1), NOW).await.unwrap();
    assert_eq!(answer(most + 2, 1).await, refused, "a closed one takes no place");
    conversations.remove(conversation_id(2), NOW).await.unwrap();
    assert_eq!(answer(most + 2, 1).await, Ok(true));
}

async fn a_tag_has_so_many_open_ones_as_long_as_it_is_known(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let most = CONVERSATIONS_OF_TAG as u64;
    let numbers = 1..=most;
    for n in numbers.clone() {
        // The first one was dropped: its inbox has nothing else yet.
        begin(&engine, n * 60, FATES[(n as usize + 1) % 3], Some(1)).await.unwrap();
    }
    engine.step().await;
    let mut changes = engine.conversations().changes();
    let refused = Err(ConversationError::Refused(Code::NoMoreConversations));
    begin(&engine, 5_000, Fate::Delivered, Some(2)).await.unwrap();
    for (n, fate) in (6_001..).zip(FATES) {
        assert_eq!(begin(&engine, n, fate, Some(1)).await, refused);
    }
    assert_eq!(ends(&mut changes), [], "none of another hand's, and none of its own");
    engine.conversations().remove(conversation_id(180), NOW + 6_010).await.unwrap();
    changes.try_recv().unwrap();
    let again = async |engine: &Engine, n| begin(engine, n, Fate::Dropped, Some(1)).await;
    again(&engine, 6_011).await.unwrap();
    assert_eq!(again(&engine, 6_012).await, refused);
    assert_eq!(ends(&mut changes), [], "one had ended");
    assert_eq!(engine.inbox().remove_all(account_id(ONE), NOW + 7_000).await, Ok(()));
    // It is the same with those that were answered.
    for n in numbers.clone() {
        begin(&engine, n * 60, Fate::Delivered, Some(1)).await.unwrap();
        engine.conversations().change(conversation_id(n * 60), say(Side::Owner, n), NOW + 8_000).await.unwrap();
    }
    engine.step().await;
    for fate in FATES {
        assert_eq!(begin(&engine, 8_001, fate, Some(1)).await, refused);
    }
    let notes = engine.inbox().page(account_id(ONE), None, 99, NOW + 9_000).await.unwrap().notes.len();
    assert_eq!(notes as u64, most, "what is refused leaves no note");
    engine.conversations().change(conversation_id(60), Change::Close, NOW + 8_002).await.unwrap();
    begin(&engine, 8_003, Fate::Delivered, Some(1)).await.unwrap();
    assert_eq!(again(&engine, 8_004).await, refused);
    // When the tag is forgotten, nobody knows any more which were begun with it.
    let later = NOW + u64::from(TAG_DAYS) * 24 * 60 * 60;
    engine.sweep(later).await.unwrap();
    engine.step().await;
    let arrival = Arrival { tag: Some(TagHash([1; 16])), ..arrival(9_000, later) };
    engine.conversations().begin(account_id(ONE), arrival, beginning(9_000)).await.unwrap();
    assert_eq!(there(&engine, [8_003, 9_000]).await, [8_003, 9_000]);
}

async fn those_that_are_hidden_are_in_no_list(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    for n in 1..=30 {
        begin(&engine, n * 60, FATES[n as usize % 3], None).await.unwrap();
    }
    engine.inbox().set_batches(account_id(ONE), true, NOW).await.unwrap();
    begin(&engine, 1_900, Fate::Delivered, None).await.unwrap();
    begin(&engine, 1_901, Fate::Held, None).await.unwrap();
    engine.step().await;
    let conversations = engine.conversations();
    let page = async |before, limit| -> Vec<ConversationId> {
        let page = conversations.page(account_id(ONE), before, limit, NOW + 1_950).await.unwrap();
        page.into_iter().map(|found| found.id).collect()
    };
    let shown: Vec<_> = (1..=30).rev().filter(|n| n % 3 == 0).map(|n| conversation_id(n * 60)).collect();
    assert_eq!(page(None, 99).await, shown);
    assert_eq!((page(None, 4).await, page(Some(shown[3]), 4).await), (shown[..4].to_vec(), shown[4..8].to_vec()));
    for n in [60, 120, 1_900] {
        let asked = say(Side::Owner, 1);
        let change = conversations.change(conversation_id(n), asked, NOW + 1_950).await;
        assert_eq!(change, Err(ConversationError::Store(annon_store::StoreError::NotFound)));
    }
    // One that was held back comes into the list with its note.
    let held = engine.shields().held(account_id(ONE), None, 99, NOW + 1_950).await.unwrap();
    engine.inbox().set_batches(account_id(ONE), false, NOW + 1_950).await.unwrap();
    let delivered = engine.shields().show(account_id(ONE), held[1].id, 5, NOW + 1_960).await.unwrap();
    let Delivered::Shown { note, .. } = delivered else { panic!("not shown") };
    let all = page(None, 99).await;
    assert!(note.conversation.is_some_and(|id| all.contains(&id)) && all.contains(&conversation_id(1_900)));
    assert_eq!(all.len(), shown.len() + 2);
}
