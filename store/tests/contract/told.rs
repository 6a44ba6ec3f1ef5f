//! Whom each call tells of what, in which order, and once. Windows, other nodes and senders hear of
//! a change by these two streams alone. A call that is refused tells nobody.

use annon_contract::limits::{CONVERSATION_KEPT, CONVERSATIONS_OF_TAG};
use annon_store::StoreError;
use annon_store::conversation::{self, ConversationChange, Door, Side};
use annon_store::inbox::{Arrival, Changed, InboxChange, NoteId, next_delivery};
use annon_store::inbox_seal::SealChange;
use annon_store::personal_page::PageChange;
use annon_store::room::Seq;
use annon_store::shield::{self, Fate, Setting, TagHash};
use uuid::Uuid;

use crate::contract::engine::{Engine, ONE, with_accounts};
use crate::support::people::*;

use Call::*;
use Fate::{Delivered, Dropped, Held};
use Outcome::{Done, Refused};
use Side::{Owner, Sender};

on_every_engine! {
    an_inbox_tells_its_owner_of_notes_that_are_shown,
    an_answer_tells_its_owner,
    a_shield_tells_of_nothing_but_a_note_that_it_lets_go,
    a_conversation_tells_both_sides_of_what_is_new,
    nobody_is_told_of_one_more_of_a_tag_than_there_may_be,
    an_account_that_is_deleted_tells_those_who_wrote_to_it,
}

/// A call. Notes and conversations have numbers, and a conversation has the number of its note. A
/// note with an odd number is only for its owner.
#[derive(Debug, Clone, Copy)]
enum Call {
    Deliver(u64, Fate),
    See(u64),
    Remove(u64),
    RemoveAll,
    Batches(bool),
    /// Answers a note in public, with the words of a number.
    Publish(u64, u64),
    TakeDown(u64),
    SetUpPage,
    /// Seals the inbox with a key of this number.
    Seal(u8),
    SetSeal,
    SetShield,
    Block(u64),
    Unblock(u64),
    Show(u64),
    Begin(u64, Fate),
    Say(u64, Side, u64),
    Unsend(u64, Side, u64),
    Look(u64, Side, u64),
    Close(u64),
    End(u64),
    EndThrough(u64, Side),
    DeleteAccount,
    Sweep,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Outcome {
    Done,
    Refused,
}

#[derive(Debug, PartialEq)]
enum What {
    Arrived(u64),
    Seen,
    List,
    Hidden,
}

/// What the inbox's stream gets: what has happened, and how many notes are unread then.
type ToInbox = (What, u32);

/// What the stream of conversations gets: which one it is, the number of its last change if it
/// hasn't ended, and whether its owner may know of it.
type ToTalk = (u64, Option<u64>, bool);

/// Whose inbox it is, when it is called, how it ends, and what each stream gets.
type Row = (u64, u64, Call, Outcome, Vec<ToInbox>, Vec<ToTalk>);

fn arrived(n: u64, unread: u32) -> Vec<ToInbox> {
    vec![(What::Arrived(n), unread)]
}

fn seen(unread: u32) -> Vec<ToInbox> {
    vec![(What::Seen, unread)]
}

fn list(unread: u32) -> Vec<ToInbox> {
    vec![(What::List, unread)]
}

/// A conversation that its owner knows has changed, and has this number now.
fn moved(n: u64, last: u64) -> Vec<ToTalk> {
    vec![(n, Some(last), true)]
}

/// The same of one that its owner must not know.
fn hidden(n: u64, last: u64) -> Vec<ToTalk> {
    vec![(n, Some(last), false)]
}

fn ended(n: u64) -> Vec<ToTalk> {
    vec![(n, None, true)]
}

fn ended_hidden(n: u64) -> Vec<ToTalk> {
    vec![(n, None, false)]
}

fn nothing<T>() -> Vec<T> {
    Vec::new()
}

/// The id of a note that is shown, held back or waits. Of one that is not there it is invented.
async fn id_of(engine: &Engine, owner: u64, n: u64) -> NoteId {
    let mut notes = engine.inbox().page(account_id(owner), None, 100, u64::MAX).await.unwrap().notes;
    notes.extend(engine.shields().held(account_id(owner), None, 100, NOW).await.unwrap());
    notes.iter().find(|note| number_in(note) == Some(n)).map_or(note_id(n), |note| note.id)
}

fn arriving(n: u64, fate: Fate, now: u64) -> Arrival {
    Arrival { only_for_you: n % 2 == 1, fate, tag: Some(TagHash([1; 16])), ..arrival(n, now) }
}

fn outcome<T, E>(result: Result<T, E>) -> Outcome {
    if result.is_ok() { Done } else { Refused }
}

async fn make(engine: &Engine, owner: u64, now: u64, call: Call) -> Outcome {
    let id = account_id(owner);
    let note = async |n| id_of(engine, owner, n).await;
    let (inbox, answers, shields, talks) = (engine.inbox(), engine.answers(), engine.shields(), engine.conversations());
    let change = async |n, change| outcome(talks.change(conversation_id(n), change, now).await);
    let shield = async |change| outcome(shields.change(id, change, now).await);
    match call {
        Deliver(n, fate) => outcome(inbox.deliver(id, arriving(n, fate, now)).await),
        See(n) => outcome(inbox.mark_seen(id, note(n).await, now).await),
        Remove(n) => outcome(inbox.remove(id, note(n).await, now).await),
        RemoveAll => outcome(inbox.remove_all(id, now).await),
        Batches(on) => outcome(inbox.set_batches(id, on, now).await),
        Publish(n, words) => outcome(answers.publish(id, note(n).await, publishing(words, now)).await),
        TakeDown(n) => outcome(answers.take_down(id, note(n).await, now).await),
        SetUpPage => outcome(engine.personal_pages().set_up(id, PageChange::from(personal_page(1))).await),
        Seal(n) => outcome(engine.inbox_seals().change(id, sealing(n), now).await),
        SetSeal => {
            let off = SealChange::Set { on: Some(false), open_notes: None };
            outcome(engine.inbox_seals().change(id, off, now).await)
        }
        SetShield => shield(shield::Change::Set(Setting { paused: Some(true), ..Setting::default() })).await,
        Block(n) => shield(shield::Change::Block { note: note(n).await, id: Uuid::from_u128(n.into()) }).await,
        Unblock(n) => shield(shield::Change::Unblock(Uuid::from_u128(n.into()))).await,
        Show(n) => outcome(shields.show(id, note(n).await, n, now).await),
        Begin(n, fate) => outcome(talks.begin(id, arriving(n, fate, now), beginning(n)).await),
        Say(n, from, line) => change(n, say(from, line)).await,
        Unsend(n, from, line) => change(n, conversation::Change::Unsend { from, line: Seq(line) }).await,
        Look(n, by, upto) => change(n, conversation::Change::See { by, upto: Seq(upto) }).await,
        Close(n) => change(n, conversation::Change::Close).await,
        End(n) => outcome(talks.remove(conversation_id(n), now).await),
        EndThrough(n, side) => {
            let through = (Door { owner: id, proof: beginning(n).proof }, side);
            outcome(talks.remove_through(conversation_id(n), Some(through), now).await)
        }
        DeleteAccount => outcome(engine.accounts().delete(id).await),
        Sweep => outcome(swept(engine, now).await),
    }
}

/// Sweeps until nothing is left whose time is up. What a refused call still has locked stays until the next time.
async fn swept(engine: &Engine, now: u64) -> Result<(), StoreError> {
    let (talks, all) = (engine.conversations(), (1..=30).map(conversation_id).collect::<Vec<_>>());
    engine.sweep(now).await?;
    while talks.doors(all.clone()).await?.len() > talks.find(all.clone(), now).await?.len() {
        engine.sweep(now).await?;
    }
    Ok(())
}

/// What a change of an inbox says. A note that has come is told as its owner's page shows it.
async fn in_inbox(engine: &Engine, InboxChange { owner, unread, what, .. }: InboxChange, now: u64) -> ToInbox {
    let page = engine.inbox().page(owner, None, 1, now).await.unwrap();
    assert_eq!(page.unread, unread, "as the page has it");
    let what = match what {
        Changed::Arrived(note) => {
            let number = number_in(&note).unwrap();
            assert_eq!((page.notes, note.only_for_you), (vec![note], number % 2 == 1));
            What::Arrived(number)
        }
        Changed::Seen => What::Seen,
        Changed::List => What::List,
        Changed::Hidden => What::Hidden,
    };
    (what, unread)
}

/// What a change of a conversation says. It is told as whoever looks finds it.
async fn in_talk(
    engine: &Engine,
    ConversationChange { id, now: state, is_shown, .. }: ConversationChange,
    now: u64,
) -> ToTalk {
    let found = engine.conversations().find(vec![id], now).await.unwrap().pop();
    assert_eq!(found, state, "as it is found");
    assert!(state.as_ref().is_none_or(|state| state.is_shown == is_shown));
    (id.0.as_u128() as u64, state.map(|state| state.conversation.last.0), is_shown)
}

/// Makes the calls one after the other, and compares what each tells.
async fn tell(engine: Engine, rows: Vec<Row>) {
    let mut engine = with_accounts(engine).await;
    for (at, (owner, later, call, expected, to_inbox, to_talk)) in rows.into_iter().enumerate() {
        let now = NOW + later;
        let (mut inbox, mut talk) = (engine.inbox().changes(), engine.conversations().changes());
        let before = engine.inbox().last_change();
        assert_eq!(make(&engine, owner, now, call).await, expected, "row {at}: {call:?}");
        let mut told = (Vec::new(), Vec::new());
        let mut number = before;
        while let Ok(change) = inbox.try_recv() {
            number += 1;
            assert_eq!((change.owner, change.number), (account_id(owner), number));
            let told_now = in_inbox(&engine, change, now).await;
            // Its owner is told nothing of it.
            if told_now.0 != What::Hidden {
                told.0.push(told_now);
            }
        }
        while let Ok(change) = talk.try_recv() {
            assert_eq!(change.owner, account_id(owner));
            told.1.push(in_talk(&engine, change, now).await);
        }
        // Those that end together do so in any order.
        if told.1.iter().all(|(_, last, _)| last.is_none()) {
            told.1.sort_by_key(|(n, ..)| *n);
        }
        assert_eq!(told, (to_inbox, to_talk), "row {at}: {call:?}");
        assert_eq!(engine.inbox().last_change(), number, "row {at}: {call:?}");
        let comes = matches!(call, Call::Deliver(..) | Call::Begin(..)) && expected == Done;
        assert!(!comes || number == before + 1, "row {at}: one change, whatever became of the note");
        assert!(expected == Done || told == (nothing(), nothing()), "row {at} is refused, and tells something");
        engine.step().await;
    }
}

async fn an_inbox_tells_its_owner_of_notes_that_are_shown(engine: Engine) {
    let due = next_delivery(NOW) - NOW;
    let rows = vec![
        (ONE, 0, Deliver(2, Delivered), Done, arrived(2, 1), nothing()),
        (ONE, 0, Deliver(1, Delivered), Done, arrived(1, 2), nothing()),
        (2, 0, Deliver(12, Delivered), Done, arrived(12, 1), nothing()),
        (9, 0, Deliver(3, Delivered), Refused, nothing(), nothing()),
        (ONE, 0, Deliver(4, Held), Done, nothing(), nothing()),
        (ONE, 0, Deliver(6, Dropped), Done, nothing(), nothing()),
        (ONE, 0, See(2), Done, seen(1), nothing()),
        (ONE, 0, See(2), Done, seen(1), nothing()),
        (ONE, 0, See(4), Refused, nothing(), nothing()),
        (ONE, 0, See(6), Refused, nothing(), nothing()),
        (ONE, 0, Remove(2), Done, list(1), nothing()),
        (ONE, 0, Remove(2), Refused, nothing(), nothing()),
        (ONE, 0, Remove(4), Done, list(1), nothing()),
        (ONE, 0, Batches(true), Done, list(1), nothing()),
        (ONE, 0, Deliver(8, Delivered), Done, nothing(), nothing()),
        (ONE, 0, See(8), Refused, nothing(), nothing()),
        (ONE, due - 1, Remove(8), Refused, nothing(), nothing()),
        // A batch that is due is counted, and told by no call of its own.
        (ONE, due, See(1), Done, seen(1), nothing()),
        (ONE, due, Deliver(10, Delivered), Done, nothing(), nothing()),
        (ONE, due, Batches(false), Done, list(2), nothing()),
        (ONE, due, Batches(false), Done, list(2), nothing()),
        (ONE, due, RemoveAll, Done, list(0), nothing()),
        (ONE, due, RemoveAll, Done, list(0), nothing()),
        (9, due, RemoveAll, Refused, nothing(), nothing()),
        (9, due, Batches(true), Refused, nothing(), nothing()),
        (ONE, due, SetSeal, Refused, nothing(), nothing()),
        (ONE, due, Seal(1), Done, list(0), nothing()),
        (ONE, due, SetSeal, Done, list(0), nothing()),
        (9, due, Seal(1), Refused, nothing(), nothing()),
    ];
    tell(engine, rows).await;
}

async fn an_answer_tells_its_owner(engine: Engine) {
    let rows = vec![
        (ONE, 0, Deliver(2, Delivered), Done, arrived(2, 1), nothing()),
        (ONE, 0, Publish(2, 1), Done, list(1), nothing()),
        (ONE, 0, Publish(2, 1), Done, list(1), nothing()),
        (ONE, 0, Publish(2, 5), Done, list(1), nothing()),
        (ONE, 0, TakeDown(2), Done, list(1), nothing()),
        (ONE, 0, TakeDown(2), Done, list(1), nothing()),
        // Its owner's windows learn that it can't be published.
        (ONE, 0, Deliver(1, Delivered), Done, arrived(1, 2), nothing()),
        (ONE, 0, Publish(1, 1), Done, list(2), nothing()),
        (ONE, 0, Deliver(4, Held), Done, nothing(), nothing()),
        (ONE, 0, Publish(4, 1), Refused, nothing(), nothing()),
        (ONE, 0, TakeDown(4), Refused, nothing(), nothing()),
        (2, 0, Publish(2, 1), Refused, nothing(), nothing()),
        (ONE, 0, See(2), Done, seen(1), nothing()),
        (ONE, 0, Publish(2, 7), Done, list(1), nothing()),
        (ONE, 0, Remove(2), Done, list(1), nothing()),
        (ONE, 0, TakeDown(2), Refused, nothing(), nothing()),
        (ONE, 0, SetUpPage, Done, nothing(), nothing()),
        (9, 0, SetUpPage, Refused, nothing(), nothing()),
    ];
    tell(engine, rows).await;
}

async fn a_shield_tells_of_nothing_but_a_note_that_it_lets_go(engine: Engine) {
    let rows = vec![
        (ONE, 0, SetShield, Done, nothing(), nothing()),
        (ONE, 0, Deliver(2, Delivered), Done, arrived(2, 1), nothing()),
        (ONE, 0, Block(2), Done, nothing(), nothing()),
        (ONE, 0, Block(3), Refused, nothing(), nothing()),
        (ONE, 0, Unblock(2), Done, nothing(), nothing()),
        (ONE, 0, Unblock(2), Refused, nothing(), nothing()),
        (ONE, 0, Deliver(4, Held), Done, nothing(), nothing()),
        (ONE, 0, Deliver(3, Held), Done, nothing(), nothing()),
        (ONE, 0, Begin(6, Held), Done, nothing(), hidden(6, 0)),
        (ONE, 0, Deliver(8, Held), Done, nothing(), nothing()),
        (2, 0, Show(4), Refused, nothing(), nothing()),
        (ONE, 0, Show(4), Done, arrived(4, 2), nothing()),
        (ONE, 0, Show(4), Refused, nothing(), nothing()),
        (ONE, 0, Show(3), Done, arrived(3, 3), nothing()),
        // Its sender learns nothing of it.
        (ONE, 0, Show(6), Done, arrived(6, 4), nothing()),
        (ONE, 0, Say(6, Owner, 1), Done, nothing(), moved(6, 1)),
        (ONE, 0, Batches(true), Done, list(4), nothing()),
        (ONE, 0, Show(8), Done, nothing(), nothing()),
        (ONE, 0, Batches(false), Done, list(5), nothing()),
        (9, 0, SetShield, Refused, nothing(), nothing()),
    ];
    tell(engine, rows).await;
}

async fn a_conversation_tells_both_sides_of_what_is_new(engine: Engine) {
    let due = next_delivery(NOW) - NOW;
    let all = [ended_hidden(6), ended(12), ended(14), ended_hidden(16)].concat();
    let over = due + 900 + CONVERSATION_KEPT.as_secs();
    let rows = vec![
        (ONE, 0, Begin(2, Delivered), Done, arrived(2, 1), moved(2, 0)),
        (ONE, 0, Begin(2, Delivered), Refused, nothing(), nothing()),
        (9, 0, Begin(3, Delivered), Refused, nothing(), nothing()),
        (ONE, 0, Begin(4, Held), Done, nothing(), hidden(4, 0)),
        (ONE, 0, Begin(6, Dropped), Done, nothing(), hidden(6, 0)),
        (ONE, 0, Say(2, Sender, 1), Done, nothing(), moved(2, 1)),
        (ONE, 0, Say(2, Sender, 1), Done, nothing(), nothing()),
        (ONE, 0, Say(4, Sender, 1), Done, nothing(), hidden(4, 1)),
        (ONE, 0, Say(4, Owner, 2), Refused, nothing(), nothing()),
        (ONE, 0, Close(4), Refused, nothing(), nothing()),
        // Whoever answers has seen what was said: that is a change of its own, and told with the answer.
        (ONE, 0, Say(2, Owner, 2), Done, nothing(), moved(2, 3)),
        (ONE, 0, Look(2, Sender, 3), Done, nothing(), moved(2, 4)),
        (ONE, 0, Look(2, Sender, 3), Done, nothing(), nothing()),
        (ONE, 0, Unsend(2, Sender, 3), Refused, nothing(), nothing()),
        (ONE, 0, Unsend(2, Owner, 3), Done, nothing(), moved(2, 5)),
        (ONE, 0, Unsend(2, Owner, 3), Refused, nothing(), nothing()),
        (ONE, 0, Close(2), Done, nothing(), moved(2, 6)),
        (ONE, 0, Close(2), Done, nothing(), nothing()),
        (ONE, 0, Say(2, Sender, 5), Refused, nothing(), nothing()),
        (ONE, 0, EndThrough(4, Owner), Refused, nothing(), nothing()),
        (ONE, 0, EndThrough(4, Sender), Done, nothing(), ended_hidden(4)),
        (ONE, 0, EndThrough(4, Sender), Done, nothing(), nothing()),
        (2, 0, EndThrough(2, Sender), Done, nothing(), nothing()),
        (ONE, 0, End(2), Done, nothing(), ended(2)),
        (ONE, 0, End(2), Done, nothing(), nothing()),
        (ONE, 0, Say(2, Sender, 6), Refused, nothing(), nothing()),
        (ONE, 0, Begin(8, Delivered), Done, arrived(8, 2), moved(8, 0)),
        (ONE, 0, Remove(8), Done, list(1), ended(8)),
        (ONE, 0, Begin(10, Held), Done, nothing(), hidden(10, 0)),
        (ONE, 0, Remove(10), Done, list(1), ended_hidden(10)),
        (ONE, 0, Batches(true), Done, list(1), nothing()),
        (ONE, 0, Begin(12, Delivered), Done, nothing(), hidden(12, 0)),
        (ONE, due - 1, Say(12, Sender, 1), Done, nothing(), hidden(12, 1)),
        (ONE, due, Say(12, Sender, 2), Done, nothing(), moved(12, 2)),
        (ONE, due, Batches(false), Done, list(2), nothing()),
        (ONE, due, Begin(14, Delivered), Done, arrived(14, 3), moved(14, 0)),
        (ONE, due, Begin(16, Held), Done, nothing(), hidden(16, 0)),
        (ONE, due, RemoveAll, Done, list(0), all),
        (ONE, due, Begin(18, Delivered), Done, arrived(18, 1), moved(18, 0)),
        (ONE, due, Begin(20, Dropped), Done, nothing(), hidden(20, 0)),
        (ONE, due, Sweep, Done, nothing(), nothing()),
        (ONE, over, Say(18, Sender, 1), Refused, nothing(), nothing()),
        (ONE, over, Sweep, Done, nothing(), [ended(18), ended_hidden(20)].concat()),
        (ONE, over, Sweep, Done, nothing(), nothing()),
    ];
    tell(engine, rows).await;
}

async fn nobody_is_told_of_one_more_of_a_tag_than_there_may_be(engine: Engine) {
    let most = CONVERSATIONS_OF_TAG as u64;
    let begins = |n: u64| (ONE, 60 * n, Begin(2 * n, Delivered), Done, arrived(2 * n, n as u32), moved(2 * n, 0));
    let mut rows: Vec<_> = (1..=most).map(begins).collect();
    let last = 2 * (most + 1);
    let one_more = |fate| (ONE, 60 * (most + 1), Begin(last, fate), Refused, nothing(), nothing());
    rows.extend([Delivered, Held, Dropped].map(one_more));
    tell(engine, rows).await;
}

async fn an_account_that_is_deleted_tells_those_who_wrote_to_it(engine: Engine) {
    let rows = vec![
        (ONE, 0, Begin(2, Delivered), Done, arrived(2, 1), moved(2, 0)),
        (ONE, 0, Begin(4, Held), Done, nothing(), hidden(4, 0)),
        (ONE, 0, Deliver(6, Delivered), Done, arrived(6, 2), nothing()),
        (ONE, 0, Publish(6, 1), Done, list(2), nothing()),
        (2, 0, Begin(8, Delivered), Done, arrived(8, 1), moved(8, 0)),
        // Nobody is left who could be told as its owner.
        (ONE, 0, DeleteAccount, Done, nothing(), [ended_hidden(2), ended_hidden(4)].concat()),
        (ONE, 0, DeleteAccount, Refused, nothing(), nothing()),
        (ONE, 0, Deliver(10, Delivered), Refused, nothing(), nothing()),
        (ONE, 0, Begin(10, Delivered), Refused, nothing(), nothing()),
        (ONE, 0, See(6), Refused, nothing(), nothing()),
        (ONE, 0, Remove(6), Refused, nothing(), nothing()),
        (ONE, 0, RemoveAll, Refused, nothing(), nothing()),
        (ONE, 0, Batches(true), Refused, nothing(), nothing()),
        (ONE, 0, Publish(6, 1), Refused, nothing(), nothing()),
        (ONE, 0, TakeDown(6), Refused, nothing(), nothing()),
        (ONE, 0, Show(4), Refused, nothing(), nothing()),
        (ONE, 0, SetShield, Refused, nothing(), nothing()),
        (ONE, 0, Say(2, Sender, 1), Refused, nothing(), nothing()),
        (ONE, 0, End(2), Done, nothing(), nothing()),
        (ONE, 0, Sweep, Done, nothing(), nothing()),
        (2, 0, Say(8, Sender, 1), Done, nothing(), moved(8, 1)),
    ];
    tell(engine, rows).await;
}
