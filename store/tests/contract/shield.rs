//! Shields: what is held back, whom an owner blocks, and which tags an inbox knows.

use std::sync::Arc;

use annon_contract::limits::{HELD_KEPT, HELD_NOTES, TAG_DAYS};
use annon_store::StoreError;
use annon_store::conversation::{ConversationId, Side};
use annon_store::inbox::{Arrival, Changed, Delivered, InboxChange, NoteId};
use annon_store::personal_page::PersonalPage;
use annon_store::shield::{Change, Fate, HeldWord, InboxDoor, InboxName, Mode, OpenShield, Setting, Shield, TagHash};
use tokio::sync::mpsc::UnboundedReceiver;
use uuid::Uuid;

use crate::contract::engine::{Engine, ONE, with_accounts};
use crate::support::people::*;

on_every_engine! {
    what_an_owner_has_set_stays_and_goes_with_the_account,
    what_is_held_back_is_shown_nowhere_until_its_owner_shows_it,
    a_held_note_is_deleted_alone_with_all_and_after_a_while,
    the_oldest_of_too_many_held_notes_goes,
    a_block_is_of_one_note_and_tells_nothing_of_others,
    what_is_dropped_leaves_no_note_and_its_sender_notices_nothing,
    a_tag_is_known_for_some_days_and_by_one_inbox,
    a_conversation_of_a_held_note_reaches_its_owner_with_the_note,
    a_door_tells_all_that_a_note_must_know,
    a_door_counts_what_its_owner_was_shown_and_nothing_else,
    what_dropped_notes_leave_is_in_no_list_and_goes_with_the_rest,
}

const DAY: u64 = 24 * 60 * 60;

fn tag(n: u8) -> TagHash {
    TagHash([n; 16])
}

fn with(n: u64, fate: Fate, tag: u8) -> Arrival {
    Arrival { fate, tag: Some(self::tag(tag)), ..arrival(n, NOW + n) }
}

fn block(note: NoteId, n: u128) -> Change {
    Change::Block { note, id: Uuid::from_u128(n) }
}

async fn set(engine: &Engine, setting: Setting) -> Shield {
    engine.shields().change(account_id(ONE), Change::Set(setting), NOW).await.unwrap()
}

/// Whether the inbox of an account knows a tag.
async fn knows(engine: &Engine, n: u64, tag: u8, now: u64) -> bool {
    let door = engine.accounts().door(InboxName::Target(target_id(n)), Some(self::tag(tag)), now).await.unwrap();
    let knows = door.is_some_and(|door| door.knows_tag);
    assert_eq!(engine.shields().knows(account_id(n), self::tag(tag), now).await, Ok(knows));
    knows
}

async fn held(engine: &Engine, now: u64) -> Vec<(NoteId, String)> {
    let held = engine.shields().held(account_id(ONE), None, 1000, now).await.unwrap();
    held.into_iter().map(|note| (note.id, note.text.as_str().to_owned())).collect()
}

async fn shown(engine: &Engine) -> Vec<NoteId> {
    let page = engine.inbox().page(account_id(ONE), None, 1000, NOW + 1000).await.unwrap();
    page.notes.into_iter().map(|note| note.id).collect()
}

async fn deliver(engine: &Engine, arrival: Arrival) -> Delivered {
    engine.inbox().deliver(account_id(ONE), arrival).await.unwrap()
}

async fn deliver_shown(engine: &Engine, arrival: Arrival) -> NoteId {
    match deliver(engine, arrival).await {
        Delivered::Shown { note, .. } => note.id,
        Delivered::Waits => panic!("it is not shown"),
    }
}

async fn what_an_owner_has_set_stays_and_goes_with_the_account(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    assert_eq!(engine.shields().shield(account_id(ONE)).await, Ok(Shield::default()));
    let words = vec![HeldWord::try_from("some phrase".to_owned()).unwrap()];
    let all = Setting { paused: Some(true), mode: Some(Mode::Always), held_words: Some(words.clone()) };
    let expected = Shield { paused: true, mode: Mode::Always, held_words: words, blocks: Vec::new() };
    assert_eq!(set(&engine, all).await, expected);
    engine.step().await;
    assert_eq!(engine.shields().shield(account_id(ONE)).await.unwrap(), expected);
    let expected = Shield { paused: false, ..expected };
    assert_eq!(set(&engine, Setting { paused: Some(false), ..Setting::default() }).await, expected);
    engine.step().await;
    assert_eq!(engine.shields().shield(account_id(ONE)).await.unwrap(), expected);
    assert_eq!(engine.shields().shield(account_id(2)).await, Ok(Shield::default()), "another one's");
    assert_eq!(engine.sweep_after_start(NOW).await.unwrap().keys, 0);
    assert_eq!(engine.shields().shield(account_id(ONE)).await.unwrap(), expected);
    engine.accounts().delete(account_id(ONE)).await.unwrap();
    engine.step().await;
    let change = Change::Set(Setting::default());
    assert_eq!(engine.shields().change(account_id(ONE), change, NOW).await, Err(StoreError::NotFound));
    assert_eq!(engine.shields().shield(account_id(ONE)).await, Ok(Shield::default()));
}

async fn what_is_held_back_is_shown_nowhere_until_its_owner_shows_it(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    assert_eq!(deliver(&engine, with(1, Fate::Held, 1)).await, Delivered::Waits, "the first note of all");
    deliver_shown(&engine, with(2, Fate::Delivered, 2)).await;
    deliver(&engine, with(63, Fate::Held, 1)).await;
    engine.step().await;
    let page = engine.inbox().page(account_id(ONE), None, 10, NOW + 1000).await.unwrap();
    assert_eq!((page.notes.len(), page.unread), (1, 1));
    let both = held(&engine, NOW + 1000).await;
    assert_eq!([&both[0].1, &both[1].1], [note(63).text.as_str(), note(1).text.as_str()], "newest first");
    let older = engine.shields().held(account_id(ONE), Some(both[0].0), 10, NOW).await.unwrap();
    assert_eq!(older.iter().map(|note| note.id).collect::<Vec<_>>(), [both[1].0]);
    assert!(engine.shields().held(account_id(2), None, 10, NOW).await.unwrap().is_empty());
    let words = async |owner, now| engine.inbox().words_of(account_id(owner), both[1].0, now).await.unwrap();
    assert_eq!(words(ONE, NOW + 1000).await.map(|(text, _)| text), Some(note(1).text), "its owner may report it");
    assert_eq!(words(2, NOW + 1000).await, None, "another's");
    assert_eq!(words(ONE, NOW + 120 + HELD_KEPT.as_secs()).await, None, "it went by itself");
    for other in [shown(&engine).await[0], note_id(77)] {
        let refused = engine.shields().show(account_id(ONE), other, 5, NOW).await;
        assert_eq!(refused, Err(StoreError::NotFound));
    }
    assert_eq!(engine.shields().show(account_id(2), both[1].0, 5, NOW).await, Err(StoreError::NotFound));
    assert_eq!(engine.inbox().mark_seen(account_id(ONE), both[1].0, NOW).await, Err(StoreError::NotFound));
    let mut changes = engine.inbox().changes();
    let now = engine.shields().show(account_id(ONE), both[1].0, 5, NOW + 120).await.unwrap();
    let Delivered::Shown { note: first, unread: 2 } = now else { panic!("not shown") };
    assert_eq!((first.text.clone(), first.date), (note(1).text, annon_store::inbox::to_the_minute(NOW + 120)));
    assert_eq!(changes.try_recv().unwrap().owner, account_id(ONE));
    engine.step().await;
    assert_eq!(shown(&engine).await[0], first.id, "the newest");
    assert_eq!(held(&engine, NOW + 1000).await, both[..1]);
    // Its tag has come with it.
    engine.shields().change(account_id(ONE), block(first.id, 1), NOW).await.unwrap();
    assert_eq!(engine.inbox().remove(account_id(ONE), first.id, NOW + 1000).await, Ok(1));
}

async fn a_held_note_is_deleted_alone_with_all_and_after_a_while(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    set(&engine, Setting::default()).await;
    for n in [1, 2, 3] {
        deliver(&engine, with(n * 60, Fate::Held, 1)).await;
    }
    let all = held(&engine, NOW + 1000).await;
    assert_eq!(engine.inbox().remove(account_id(ONE), all[1].0, NOW).await, Ok(0));
    engine.step().await;
    assert_eq!(held(&engine, NOW + 1000).await, [all[0].clone(), all[2].clone()]);
    let end = NOW + 60 + HELD_KEPT.as_secs();
    assert_eq!(held(&engine, end + 60).await, all[..1], "also before a sweep");
    assert_eq!(held(&engine, end - 60).await.len(), 2);
    engine.sweep(end + 60).await.unwrap();
    assert_eq!(held(&engine, end - 60).await, all[..1]);
    engine.inbox().remove_all(account_id(ONE), NOW).await.unwrap();
    engine.step().await;
    assert!(held(&engine, NOW + 1000).await.is_empty());
    deliver(&engine, with(240, Fate::Held, 1)).await;
    assert_eq!(held(&engine, NOW + 1000).await.len(), 1);
    engine.accounts().delete(account_id(ONE)).await.unwrap();
    assert_eq!(engine.sweep_after_start(NOW).await.unwrap().keys, 0);
    assert!(held(&engine, NOW + 1000).await.is_empty());
}

async fn the_oldest_of_too_many_held_notes_goes(engine: Engine) {
    let engine = with_accounts(engine).await;
    for n in 0..HELD_NOTES as u64 + 2 {
        deliver(&engine, with(n, Fate::Held, 1)).await;
    }
    let held = held(&engine, NOW + 1000).await;
    assert_eq!((held.len(), &held[0].1), (HELD_NOTES, &note(HELD_NOTES as u64 + 1).text.as_str().to_owned()));
    assert_eq!(held.last().unwrap().1, note(2).text.as_str());
}

async fn a_block_is_of_one_note_and_tells_nothing_of_others(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let mut notes = Vec::new();
    for (n, tag) in [(1, 1), (2, 1), (3, 2)] {
        notes.push(deliver_shown(&engine, with(n, Fate::Delivered, tag)).await);
    }
    let without = deliver_shown(&engine, arrival(4, NOW)).await;
    engine.step().await;
    let before = engine.inbox().page(account_id(ONE), None, 10, NOW + 1000).await.unwrap();
    let shields = engine.shields();
    let one = account_id(ONE);
    // Two of one hand are two blocks, as two of two hands are.
    for (n, note) in notes.iter().enumerate() {
        let shield = shields.change(one, block(*note, n as u128), NOW + 61).await.unwrap();
        assert_eq!(shield.blocks.len(), n + 1);
    }
    assert_eq!(shields.change(one, block(notes[0], 9), NOW).await.unwrap().blocks.len(), 3, "blocked before");
    assert_eq!(shields.change(one, block(without, 9), NOW).await, Err(StoreError::Conflict), "no tag");
    assert_eq!(shields.change(one, block(note_id(5), 9), NOW).await, Err(StoreError::NotFound));
    assert_eq!(shields.change(account_id(2), block(notes[0], 9), NOW).await, Err(StoreError::NotFound));
    let late = NOW + u64::from(TAG_DAYS + 1) * DAY;
    let other = deliver_shown(&engine, with(5, Fate::Delivered, 3)).await;
    assert_eq!(shields.change(one, block(other, 9), late).await, Err(StoreError::Conflict), "its tag is forgotten");
    engine.inbox().remove(one, other, late).await.unwrap();
    assert_eq!(shields.change(one, block(other, 9), NOW).await, Err(StoreError::NotFound), "it is gone");
    assert_eq!(engine.inbox().page(one, None, 10, NOW + 1000).await.unwrap(), before, "nothing moved");
    drop(shields);
    engine.step().await;
    engine.inbox().remove(one, notes[1], NOW + 1000).await.unwrap();
    let page = async |before, limit| engine.shields().blocked(one, before, limit).await;
    let blocked = page(None, 9).await.unwrap();
    let texts: Vec<_> = blocked.iter().map(|blocked| blocked.text.clone()).collect();
    assert_eq!(texts, [Some(note(3).text), None, Some(note(1).text)], "the words go with their note");
    for at in 0..3 {
        for limit in 1..4 {
            let (rest, before) = (&blocked[at + 1..], Some(blocked[at].block.id));
            assert_eq!(page(before, limit).await.unwrap(), rest[..limit.min(rest.len())]);
        }
    }
    assert_eq!(page(None, 2).await.unwrap(), blocked[..2]);
    assert_eq!(page(Some(Uuid::from_u128(77)), 9).await, Err(StoreError::NotFound));
    assert_eq!(engine.shields().blocked(account_id(2), None, 9).await, Ok(Vec::new()));
    assert!(blocked.iter().all(|blocked| blocked.block.date == annon_store::inbox::to_the_minute(NOW + 61)));
    let shield = engine.shields().change(one, Change::Unblock(Uuid::from_u128(0)), NOW).await.unwrap();
    let fate = |shield| OpenShield::from(shield).fate(Some(tag(1)), &note(1).text);
    assert_eq!(fate(shield), Fate::Dropped, "by the other block");
    let shield = engine.shields().change(one, Change::Unblock(Uuid::from_u128(1)), NOW).await.unwrap();
    assert_eq!(fate(shield), Fate::Delivered);
    let again = engine.shields().change(one, Change::Unblock(Uuid::from_u128(1)), NOW).await;
    assert_eq!(again, Err(StoreError::NotFound));
}

/// Whether no change so far is told to a window.
fn is_told_nothing(changes: &mut UnboundedReceiver<InboxChange>) -> bool {
    std::iter::from_fn(|| changes.try_recv().ok()).all(|change| change.what == Changed::Hidden)
}

async fn what_is_dropped_leaves_no_note_and_its_sender_notices_nothing(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let mut changes = engine.inbox().changes();
    assert_eq!(deliver(&engine, with(1, Fate::Dropped, 1)).await, Delivered::Waits);
    let begun = engine.conversations().begin(account_id(ONE), with(2, Fate::Dropped, 1), beginning(2)).await;
    assert_eq!(begun, Ok(Delivered::Waits));
    engine.step().await;
    assert!(shown(&engine).await.is_empty() && held(&engine, NOW + 1000).await.is_empty());
    assert!(is_told_nothing(&mut changes));
    // The sender's conversation is there for the sender alone.
    let id = conversation_id(2);
    engine.conversations().change(id, say(Side::Sender, 1), NOW + 3).await.unwrap();
    engine.step().await;
    let found = engine.conversations().find(vec![id], NOW + 10).await.unwrap();
    assert!(found[0].conversation.is_open() && !found[0].is_shown);
    assert!(engine.conversations().page(account_id(ONE), None, 9, NOW + 10).await.unwrap().is_empty());
    assert!(knows(&engine, ONE, 1, NOW + 10).await, "as everybody's");
    assert_eq!(engine.sweep_after_start(NOW).await.unwrap().keys, 0);
}

async fn a_tag_is_known_for_some_days_and_by_one_inbox(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let one = account_id(ONE);
    let day = NOW / DAY;
    assert!(!knows(&engine, ONE, 1, NOW).await);
    deliver_shown(&engine, with(1, Fate::Delivered, 1)).await;
    deliver(&engine, with(2, Fate::Held, 2)).await;
    engine.step().await;
    let end = (day + u64::from(TAG_DAYS)) * DAY;
    for n in [1, 2] {
        assert!(knows(&engine, ONE, n, NOW).await);
        assert!(!knows(&engine, 2, n, NOW).await);
        assert!(knows(&engine, ONE, n, end - 1).await);
        assert!(!knows(&engine, ONE, n, end).await, "also before a sweep");
    }
    let later = Arrival { now: NOW + DAY, ..with(3, Fate::Delivered, 1) };
    let newer = deliver_shown(&engine, later).await;
    engine.sweep(end).await.unwrap();
    engine.step().await;
    assert!(knows(&engine, ONE, 1, end).await, "it came again");
    assert!(!knows(&engine, ONE, 2, NOW).await, "the sweep has removed it");
    let notes = shown(&engine).await;
    // As if the clock were set back: the tag of the first note is gone, and the other's is not.
    assert_eq!(engine.shields().change(one, block(notes[1], 1), NOW).await, Err(StoreError::Conflict));
    engine.shields().change(one, block(newer, 1), NOW + DAY).await.unwrap();
    let page = engine.inbox().page(one, None, 9, end).await.unwrap();
    assert_eq!((page.notes.len(), page.unread), (2, 2), "the notes stay");
    engine.inbox().remove_all(one, NOW).await.unwrap();
    engine.sweep(end).await.unwrap();
    assert!(!knows(&engine, ONE, 1, end).await);
}

async fn a_conversation_of_a_held_note_reaches_its_owner_with_the_note(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let one = account_id(ONE);
    for n in [1, 2] {
        engine.conversations().begin(one, with(n * 60, Fate::Held, 1), beginning(n)).await.unwrap();
    }
    engine.step().await;
    assert!(engine.conversations().page(one, None, 9, NOW + 1000).await.unwrap().is_empty());
    let held = held(&engine, NOW + 1000).await;
    let delivered = engine.shields().show(one, held[1].0, 5, NOW + 200).await.unwrap();
    let Delivered::Shown { note, .. } = delivered else { panic!("not shown") };
    assert_eq!(note.conversation, Some(conversation_id(1)));
    engine.step().await;
    let ids =
        |page: Vec<annon_store::conversation::Found>| page.iter().map(|one| one.id).collect::<Vec<ConversationId>>();
    let page = engine.conversations().page(one, None, 9, NOW + 1000).await.unwrap();
    assert_eq!(page[0].conversation.note, note.id);
    assert_eq!(ids(page), [conversation_id(1)]);
    engine.conversations().change(conversation_id(1), say(Side::Owner, 1), NOW + 300).await.unwrap();
    engine.inbox().remove(one, held[0].0, NOW + 1000).await.unwrap();
    engine.inbox().remove(one, note.id, NOW + 1000).await.unwrap();
    let left = engine.conversations().doors(vec![conversation_id(1), conversation_id(2)]).await.unwrap();
    assert!(left.is_empty(), "they end with their notes");
}

async fn a_door_tells_all_that_a_note_must_know(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let one = account_id(ONE);
    let by_name = InboxName::Username(username(&name_of(ONE).folded().to_uppercase()));
    let by_target = InboxName::Target(target_id(ONE));
    let fresh = InboxDoor {
        owner: one,
        target: target_id(ONE),
        is_suspended: false,
        page: PersonalPage::default(),
        shield: Arc::default(),
        knows_tag: false,
        shown_lately: 0,
        seal: None,
    };
    for inbox in [&by_name, &by_target] {
        assert_eq!(engine.accounts().door(inbox.clone(), Some(tag(1)), NOW).await, Ok(Some(fresh.clone())));
    }
    let page = PersonalPage { only_for_you: true, ..PersonalPage::default() };
    engine.personal_pages().set_up(one, page.clone().into()).await.unwrap();
    let shield = set(&engine, Setting { mode: Some(Mode::Always), ..Setting::default() }).await;
    deliver_shown(&engine, with(1, Fate::Delivered, 1)).await;
    engine.suspensions().suspend(one, suspension(NOW + 100, "spam")).await.unwrap();
    engine.step().await;
    let shield = Arc::new(shield.into());
    let all = InboxDoor { is_suspended: true, page, shield, knows_tag: true, shown_lately: 1, ..fresh.clone() };
    for inbox in [&by_name, &by_target] {
        let accounts = engine.accounts();
        let door = |tag, now| accounts.door(inbox.clone(), tag, now);
        assert_eq!(door(Some(tag(1)), NOW + 99).await.unwrap().as_ref(), Some(&all));
        for other in [Some(tag(2)), None] {
            let expected = InboxDoor { knows_tag: false, is_suspended: false, ..all.clone() };
            assert_eq!(door(other, NOW + 100).await, Ok(Some(expected)), "another tag, and the suspension is over");
        }
    }
    let others = engine.accounts().door(InboxName::Target(target_id(2)), Some(tag(1)), NOW).await;
    assert_eq!(others, Ok(Some(InboxDoor { owner: account_id(2), target: target_id(2), ..fresh })));
    engine.accounts().delete(one).await.unwrap();
    for inbox in [by_name, by_target] {
        assert_eq!(engine.accounts().door(inbox, None, NOW).await, Ok(None));
    }
}

/// How many notes an owner was shown lately, as their door says.
async fn shown_lately(engine: &Engine, now: u64) -> u32 {
    let door = engine.accounts().door(InboxName::Target(target_id(ONE)), Some(tag(1)), now).await.unwrap().unwrap();
    let by_name = engine.accounts().door(InboxName::Username(name_of(ONE)), None, now).await.unwrap().unwrap();
    assert_eq!(by_name.shown_lately, door.shown_lately, "no tag makes a difference");
    door.shown_lately
}

async fn a_door_counts_what_its_owner_was_shown_and_nothing_else(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let one = account_id(ONE);
    assert_eq!(shown_lately(&engine, NOW).await, 0);
    let notes = [(1, Fate::Delivered, 1), (2, Fate::Delivered, 1), (3, Fate::Delivered, 2), (4, Fate::Held, 3)];
    for (n, (at, fate, tag)) in notes.into_iter().enumerate() {
        deliver(&engine, with(at, fate, tag)).await;
        engine.step().await;
        assert_eq!(shown_lately(&engine, NOW + 5).await, n as u32 + 1, "each counts, of whichever hand");
    }
    for n in [5, 6] {
        deliver(&engine, with(n, Fate::Dropped, 1)).await;
        engine.conversations().begin(one, with(n + 10, Fate::Dropped, 1), beginning(n)).await.unwrap();
    }
    engine.shields().change(one, block(shown(&engine).await[0], 1), NOW).await.unwrap();
    assert_eq!(shown_lately(&engine, NOW + 20).await, 4, "neither what was dropped nor a block");
    let held = held(&engine, NOW + 20).await[0].0;
    engine.shields().show(one, held, 5, NOW + 20).await.unwrap();
    assert_eq!(shown_lately(&engine, NOW + 20).await, 4, "it was counted when it was held back");
    engine.inbox().remove(one, shown(&engine).await[0], NOW + 20).await.unwrap();
    assert_eq!(shown_lately(&engine, NOW + 20).await, 4, "it was shown all the same");
    engine.step().await;
    engine.inbox().set_batches(one, true, NOW + 20).await.unwrap();
    for (n, fate) in [(21, Fate::Delivered), (22, Fate::Held), (23, Fate::Dropped)] {
        deliver(&engine, with(n, fate, 4)).await;
    }
    let due = annon_store::inbox::next_delivery(NOW + 21);
    engine.step().await;
    assert_eq!(shown_lately(&engine, NOW + 30).await, 4, "what waits");
    assert_eq!(shown_lately(&engine, due - 1).await, 4);
    assert_eq!(shown_lately(&engine, due).await, 6, "two with the batch");
    assert_eq!(shown_lately(&engine, due + 600).await, 2);
    assert_eq!(shown_lately(&engine, due + 900).await, 0, "it is over");
    engine.inbox().remove_all(one, NOW).await.unwrap();
    assert_eq!(shown_lately(&engine, due).await, 4, "the batch was never shown");
}

async fn what_dropped_notes_leave_is_in_no_list_and_goes_with_the_rest(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let one = account_id(ONE);
    for n in [1, 2] {
        deliver_shown(&engine, with(n, Fate::Delivered, 2)).await;
    }
    let mut changes = engine.inbox().changes();
    for n in 3..20 {
        let private = Arrival { only_for_you: n % 2 == 0, ..with(n, Fate::Dropped, 1) };
        assert_eq!(deliver(&engine, private).await, Delivered::Waits);
    }
    assert!(is_told_nothing(&mut changes), "nobody is told");
    engine.step().await;
    let is_as_before = async |engine: &Engine, notes: usize| {
        let page = engine.inbox().page(one, None, 1000, NOW + 1000).await.unwrap();
        assert_eq!((page.notes.len(), page.unread as usize), (notes, notes));
        assert!(page.notes.iter().all(|note| !note.only_for_you));
        assert!(held(engine, NOW + 1000).await.is_empty());
    };
    is_as_before(&engine, 2).await;
    // The notes get a new key, and so does what is beside them.
    engine.inbox().remove(one, shown(&engine).await[0], NOW).await.unwrap();
    engine.sweep(NOW + 24 * 60 * 60).await.unwrap();
    engine.step().await;
    is_as_before(&engine, 1).await;
    deliver(&engine, with(20, Fate::Dropped, 1)).await;
    engine.sweep(NOW + u64::from(TAG_DAYS + 1) * DAY).await.unwrap();
    engine.inbox().remove_all(one, NOW).await.unwrap();
    engine.step().await;
    is_as_before(&engine, 0).await;
    // The first note after that needs a key, whatever becomes of it.
    deliver(&engine, with(21, Fate::Dropped, 1)).await;
    assert_eq!(engine.sweep_after_start(NOW).await.unwrap().keys, 0);
    deliver_shown(&engine, with(22, Fate::Delivered, 2)).await;
    is_as_before(&engine, 1).await;
    engine.accounts().delete(one).await.unwrap();
    engine.sweep(NOW).await.unwrap();
    assert_eq!(engine.sweep_after_start(NOW).await.unwrap().keys, 0);
}
