//! Stars and the archive: which notes are on which shelf, and which count as unread.

use annon_contract::limits::INBOX_NOTES;
use annon_store::StoreError;
use annon_store::inbox::{Changed, Delivered, Flags, Note, NoteId, Shelf, next_delivery};

use crate::contract::engine::{Engine, ONE, with_accounts};
use crate::support::people::*;

on_every_engine! {
    an_archived_note_is_on_its_shelf_only_and_counts_as_read,
    a_star_stays_wherever_its_note_is,
    pages_of_every_shelf_end_where_the_next_begins,
    whoever_leaves_the_archive_is_as_unread_as_before,
    an_archived_note_is_answered_blocked_read_and_removed_as_others_are,
    nobody_flags_what_their_inbox_does_not_show,
    an_emptied_inbox_has_empty_shelves,
    flags_are_kept_when_an_inbox_gets_a_new_key,
    a_full_archive_makes_no_page_of_the_inbox_longer,
}

const LATE: u64 = NOW + 1000;

const STAR: Flags = Flags { starred: Some(true), archived: None };
const AWAY: Flags = Flags { starred: None, archived: Some(true) };
const BACK: Flags = Flags { starred: None, archived: Some(false) };

async fn deliver(engine: &Engine, n: u64) -> NoteId {
    match engine.inbox().deliver(account_id(ONE), arrival(n, NOW + n)).await.unwrap() {
        Delivered::Shown { note, .. } => note.id,
        Delivered::Waits => panic!("it waits"),
    }
}

async fn flag(engine: &Engine, note: NoteId, flags: Flags) -> u32 {
    engine.inbox().set_flags(account_id(ONE), note, flags, LATE).await.unwrap()
}

async fn shelf(engine: &Engine, shelf: Shelf) -> Vec<Note> {
    engine.inbox().page_of_shelf(account_id(ONE), shelf, None, 100, LATE).await.unwrap().notes
}

/// The ids on each shelf, and how many notes are unread.
async fn all(engine: &Engine) -> ([Vec<NoteId>; 3], u32) {
    let mut ids = Vec::new();
    for one in [Shelf::Inbox, Shelf::Starred, Shelf::Archive] {
        ids.push(shelf(engine, one).await.iter().map(|note| note.id).collect());
    }
    let unread = engine.inbox().page(account_id(ONE), None, 0, LATE).await.unwrap().unread;
    (ids.try_into().unwrap(), unread)
}

async fn an_archived_note_is_on_its_shelf_only_and_counts_as_read(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let [one, two, three] = [deliver(&engine, 1).await, deliver(&engine, 2).await, deliver(&engine, 3).await];
    let mut changes = engine.inbox().changes();
    assert_eq!(flag(&engine, two, AWAY).await, 2);
    let told = changes.recv().await.unwrap();
    assert_eq!((told.unread, told.what), (2, Changed::List));
    engine.step().await;
    assert_eq!(all(&engine).await, ([vec![three, one], vec![], vec![two]], 2));
    let archived = &shelf(&engine, Shelf::Archive).await[0];
    assert!(archived.archived && archived.seen && !archived.starred);
    assert_eq!(flag(&engine, two, AWAY).await, 2, "a second time changes nothing");
    let marked = engine.inbox().mark_seen(account_id(ONE), one, LATE).await;
    assert_eq!((marked, flag(&engine, one, AWAY).await), (Ok(1), 1));
    assert_eq!(flag(&engine, three, AWAY).await, 0);
    engine.step().await;
    assert_eq!(all(&engine).await, ([vec![], vec![], vec![three, two, one]], 0));
}

async fn a_star_stays_wherever_its_note_is(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let [one, two, three] = [deliver(&engine, 1).await, deliver(&engine, 2).await, deliver(&engine, 3).await];
    for note in [one, three, three] {
        flag(&engine, note, STAR).await;
    }
    flag(&engine, one, AWAY).await;
    engine.step().await;
    assert_eq!(all(&engine).await, ([vec![three, two], vec![three, one], vec![one]], 2));
    let starred = shelf(&engine, Shelf::Starred).await;
    assert!(starred.iter().all(|note| note.starred) && starred[1].archived && !starred[0].archived);
    assert!(shelf(&engine, Shelf::Archive).await[0].starred && !shelf(&engine, Shelf::Inbox).await[1].starred);
    flag(&engine, one, Flags { starred: Some(false), archived: Some(false) }).await;
    engine.step().await;
    assert_eq!(all(&engine).await, ([vec![three, two, one], vec![three], vec![]], 3));
}

async fn pages_of_every_shelf_end_where_the_next_begins(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let mut notes = Vec::new();
    for n in 1..=7 {
        notes.insert(0, deliver(&engine, n).await);
    }
    for note in notes.iter().step_by(2) {
        flag(&engine, *note, Flags { starred: Some(true), archived: Some(true) }).await;
    }
    flag(&engine, notes[5], STAR).await;
    engine.step().await;
    let of = |places: &[usize]| places.iter().map(|place| notes[*place]).collect::<Vec<_>>();
    for (shelf, whole) in
        [(Shelf::Inbox, of(&[1, 3, 5])), (Shelf::Starred, of(&[0, 2, 4, 5, 6])), (Shelf::Archive, of(&[0, 2, 4, 6]))]
    {
        for limit in 0..6 {
            for before in 0..=notes.len() {
                let from = notes.get(before).copied();
                let page = engine.inbox().page_of_shelf(account_id(ONE), shelf, from, limit, LATE).await.unwrap();
                let ids: Vec<_> = page.notes.iter().map(|note| note.id).collect();
                let place = |id: &NoteId| notes.iter().position(|note| note == id);
                let older = whole.iter().filter(|id| from.is_none() || place(id) > Some(before));
                assert_eq!(ids, older.take(limit).copied().collect::<Vec<_>>(), "{shelf:?}, {limit} after {before}");
                assert_eq!(page.unread, 3, "of the whole inbox");
            }
        }
    }
}

async fn whoever_leaves_the_archive_is_as_unread_as_before(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let [one, two] = [deliver(&engine, 1).await, deliver(&engine, 2).await];
    engine.inbox().mark_seen(account_id(ONE), one, LATE).await.unwrap();
    for note in [one, two] {
        flag(&engine, note, AWAY).await;
    }
    engine.step().await;
    assert_eq!((flag(&engine, one, BACK).await, flag(&engine, two, BACK).await), (0, 1));
    engine.step().await;
    let seen: Vec<_> = shelf(&engine, Shelf::Inbox).await.iter().map(|note| (note.id, note.seen)).collect();
    assert_eq!(seen, [(two, false), (one, true)]);
    // What is read in the archive is read.
    flag(&engine, two, AWAY).await;
    assert_eq!(engine.inbox().mark_seen(account_id(ONE), two, LATE).await, Ok(0));
    engine.inbox().bring_back(account_id(ONE), two, LATE).await.unwrap();
    engine.inbox().bring_back(account_id(ONE), two, LATE).await.unwrap();
    engine.step().await;
    assert_eq!(all(&engine).await, ([vec![two, one], vec![], vec![]], 0));
}

async fn an_archived_note_is_answered_blocked_read_and_removed_as_others_are(engine: Engine) {
    use annon_store::shield::{Change, TagHash};
    let mut engine = with_accounts(engine).await;
    let me = account_id(ONE);
    let tagged = annon_store::inbox::Arrival { tag: Some(TagHash([7; 16])), ..arrival(1, NOW) };
    let Delivered::Shown { note, .. } = engine.inbox().deliver(me, tagged).await.unwrap() else { panic!("it waits") };
    let other = deliver(&engine, 2).await;
    flag(&engine, note.id, Flags { starred: Some(true), archived: Some(true) }).await;
    engine.step().await;
    let answer = engine.answers().publish(me, note.id, publishing(5, LATE)).await.unwrap();
    assert_eq!(shelf(&engine, Shelf::Archive).await[0].answer, answer);
    assert_eq!(
        engine.inbox().words_of(me, note.id, LATE).await.unwrap().map(|(text, _)| text),
        Some(note.text.clone())
    );
    let block = Change::Block { id: note_id(9).0, note: note.id };
    assert_eq!(engine.shields().change(me, block, LATE).await.unwrap().blocks.len(), 1);
    let blocked = engine.shields().blocked(me, None, 9).await.unwrap();
    assert_eq!(blocked[0].text, Some(note.text.clone()));
    engine.step().await;
    assert_eq!(engine.inbox().remove(me, note.id, LATE).await, Ok(1));
    engine.step().await;
    assert_eq!(all(&engine).await, ([vec![other], vec![], vec![]], 1));
    assert_eq!(engine.answers().newest(me, None, 9).await, Ok(vec![]));
    assert_eq!(engine.inbox().words_of(me, note.id, LATE).await, Ok(None));
    for flags in [STAR, AWAY, BACK] {
        assert_eq!(engine.inbox().set_flags(me, note.id, flags, LATE).await, Err(StoreError::NotFound));
    }
    assert_eq!(engine.inbox().bring_back(me, note.id, LATE).await, Ok(()), "nothing is left to be brought back");
}

async fn nobody_flags_what_their_inbox_does_not_show(engine: Engine) {
    let engine = with_accounts(engine).await;
    let (me, inbox) = (account_id(ONE), engine.inbox());
    let note = deliver(&engine, 1).await;
    assert_eq!(inbox.set_flags(account_id(2), note, STAR, LATE).await, Err(StoreError::NotFound), "another's");
    inbox.set_batches(me, true, NOW).await.unwrap();
    inbox.deliver(me, arrival(2, NOW)).await.unwrap();
    let waits = inbox.page(me, None, 1, next_delivery(NOW)).await.unwrap().notes[0].id;
    for flags in [STAR, AWAY] {
        assert_eq!(inbox.set_flags(me, waits, flags, NOW).await, Err(StoreError::NotFound), "it waits");
    }
}

async fn an_emptied_inbox_has_empty_shelves(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let old = [deliver(&engine, 1).await, deliver(&engine, 2).await];
    flag(&engine, old[0], Flags { starred: Some(true), archived: Some(true) }).await;
    flag(&engine, old[1], STAR).await;
    engine.inbox().remove_all(account_id(ONE), LATE).await.unwrap();
    assert_eq!(all(&engine).await, ([vec![], vec![], vec![]], 0));
    let new = deliver(&engine, 3).await;
    flag(&engine, new, Flags { starred: Some(true), archived: Some(true) }).await;
    engine.sweep(LATE).await.unwrap();
    engine.step().await;
    assert_eq!(all(&engine).await, ([vec![], vec![new], vec![new]], 0));
    for note in old {
        assert_eq!(engine.inbox().set_flags(account_id(ONE), note, BACK, LATE).await, Err(StoreError::NotFound));
    }
}

async fn flags_are_kept_when_an_inbox_gets_a_new_key(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let [one, two, three] = [deliver(&engine, 1).await, deliver(&engine, 2).await, deliver(&engine, 3).await];
    flag(&engine, one, AWAY).await;
    flag(&engine, two, STAR).await;
    engine.inbox().remove(account_id(ONE), three, LATE).await.unwrap();
    engine.sweep(LATE).await.unwrap();
    engine.step().await;
    assert_eq!(all(&engine).await, ([vec![two], vec![two], vec![one]], 1));
    assert_eq!(flag(&engine, one, BACK).await, 2);
}

async fn a_full_archive_makes_no_page_of_the_inbox_longer(engine: Engine) {
    let engine = with_accounts(engine).await;
    let kept = deliver(&engine, 1).await;
    const ARCHIVED: u64 = 300;
    const { assert!(ARCHIVED < INBOX_NOTES as u64) };
    for n in 2..2 + ARCHIVED {
        let note = deliver(&engine, n).await;
        flag(&engine, note, AWAY).await;
    }
    assert_eq!(shelf(&engine, Shelf::Inbox).await.iter().map(|note| note.id).collect::<Vec<_>>(), [kept]);
    let page = engine.inbox().page_of_shelf(account_id(ONE), Shelf::Archive, None, 200, LATE).await.unwrap();
    assert_eq!((page.notes.len(), page.unread), (200, 1));
}
