//! No file holds what was deleted: words are always sealed, and their keys are destroyed.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use annon_store::Kept;
use annon_store::conversation::{Change, Door, Side};
use annon_store::feedback::Feedback;
use annon_store::image::{Album, ImageId};
use annon_store::inbox::Note;
use annon_store::room::Seq;
use annon_store::text::FeedbackText;
use annon_store::{Local, StoreError, Swept};

use crate::support::files::{contents, holds};
use crate::support::people::*;
use crate::support::{commits_of, destroyed, keys, open};

const WORDS: [&str; 3] =
    ["zebra-words-of-a-deleted-note", "zebra-words-of-a-note-that-stays", "zebra-words-of-some-feedback"];
const PICTURE: &[u8] = b"zebra-picture-that-somebody-sent";

/// The names of the files that hold any of these bytes.
fn found_in(folder: &Path, parts: impl IntoIterator<Item = impl AsRef<[u8]>>) -> BTreeSet<String> {
    let files = contents(folder);
    let mut found = BTreeSet::new();
    for part in parts {
        let holders = files.iter().filter(|(_, bytes)| holds(bytes, part.as_ref()));
        found.extend(holders.map(|(path, _)| path.display().to_string()));
    }
    found
}

/// The bytes of a picture's file.
fn sealed_picture(folder: &Path, album: Album, id: ImageId) -> Vec<u8> {
    let album = if let Album::Room(room) = album { room.to_string() } else { "feedback".to_owned() };
    std::fs::read(folder.join("images").join(album).join(format!("{}.sealed", id.0))).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_deleted_can_be_read_in_no_file() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("data");
    let store = open(&folder);
    let (accounts, inbox) = (store.accounts(), numbered(store.inbox()));
    let picture = ImageId(feedback_id(1).0);
    accounts.create(zebra()).await.unwrap();
    accounts.create(account(2)).await.unwrap();
    inbox.deliver(account_id(1), note_saying(1, WORDS[0])).await.unwrap();
    inbox.deliver(account_id(1), note_saying(2, WORDS[1])).await.unwrap();
    inbox.deliver(account_id(2), note(3)).await.unwrap();
    let text = FeedbackText::try_from(WORDS[2].to_owned()).unwrap();
    store.images().put(Album::Feedback, picture, PICTURE.to_vec()).await.unwrap();
    store.feedback().add(Feedback { text, has_picture: true, ..feedback(1) }).await.unwrap();
    store.export().unwrap();
    let nowhere = BTreeSet::new();
    assert_eq!(found_in(&folder, WORDS.iter().chain(&ZEBRA)), nowhere, "also while they are not deleted");
    assert_eq!(found_in(&folder, [PICTURE]), nowhere, "pictures are sealed, too");
    let before = keys(&folder);
    assert_eq!(before.len(), 6, "two accounts, two inboxes, one piece of feedback and its picture");
    assert_eq!(found_in(&folder, &before), BTreeSet::from(["keys".to_owned()]), "and in no export");

    inbox.remove(account_id(1), note_id(1)).await.unwrap();
    assert_eq!(store.sweep(NOW).await.unwrap(), Swept { resealed: 1, ..Swept::default() });
    destroyed(&folder, &before, 1);
    let page = inbox.page(account_id(1), None, 10).await.unwrap();
    assert_eq!(page.notes, [note_saying(2, WORDS[1])], "the other one still reads");
    assert_eq!(accounts.by_id(account_id(1)).await.unwrap(), Some(zebra()));

    let sealed = sealed_picture(&folder, Album::Feedback, picture);
    store.feedback().remove(feedback_id(1)).await.unwrap();
    destroyed(&folder, &before, 3);
    assert_eq!(store.images().read(Album::Feedback, picture).await, Ok(None), "its file is there, and no key");
    store.images().remove(Album::Feedback, &[picture], None).await.unwrap();
    assert_eq!(found_in(&folder, [PICTURE, &sealed]), nowhere);

    let before_the_last = keys(&folder);
    accounts.delete(account_id(1)).await.unwrap();
    destroyed(&folder, &before_the_last, 2);
    assert_eq!(store.sweep(NOW).await.unwrap(), Swept { notes: 1, ..Swept::default() });
    drop((accounts, inbox));
    store.close().await.unwrap();
    destroyed(&folder, &before, 4);
    assert_eq!(found_in(&folder, WORDS.iter().chain(&ZEBRA)), nowhere);

    let store = open(&folder);
    assert_eq!(store.sweep_after_start(NOW).await.unwrap(), Swept::default(), "nothing was left to do");
    assert_eq!(numbered(store.inbox()).page(account_id(2), None, 10).await.unwrap().notes, [note(3)]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_said_and_ended_or_unsent_can_be_read_in_no_file() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("data");
    let store = open(&folder);
    let (accounts, conversations) = (store.accounts(), store.conversations());
    for n in 1..=2 {
        accounts.create(account(n)).await.unwrap();
    }
    for (owner, n) in [(1, 1), (1, 2), (1, 3), (2, 4), (2, 5)] {
        conversations.begin(account_id(owner), arrival(n, NOW), beginning(n)).await.unwrap();
        let door = Door { owner: account_id(owner), proof: beginning(n).proof };
        store.pushes().subscribe_sender(conversation_id(n), door, subscription(n)).await.unwrap();
        for line in 1..=2 {
            conversations.change(conversation_id(n), say(Side::Owner, line), NOW + line).await.unwrap();
        }
    }
    store.export().unwrap();
    assert_eq!(found_in(&folder, ["zebra-line", "zebra-endpoint"]), BTreeSet::new(), "also while they are there");
    let all = keys(&folder);
    assert_eq!(all.len(), 9, "two accounts, two inboxes, and each conversation has a key of its own");
    // A line that is unsent: the others are sealed with a new key at once.
    let unsend = Change::Unsend { from: Side::Owner, line: Seq(1) };
    conversations.change(conversation_id(1), unsend.clone(), NOW + 3).await.unwrap();
    destroyed(&folder, &all, 1);
    // Two of one commit: the key between them is not kept, either.
    let again = Change::Unsend { from: Side::Owner, line: Seq(2) };
    let both = tokio::join!(
        conversations.change(conversation_id(2), unsend, NOW + 3),
        conversations.change(conversation_id(2), again, NOW + 3)
    );
    assert!(both.0.is_ok() && both.1.is_ok());
    destroyed(&folder, &all, 2);
    assert_eq!(keys(&folder).len(), 9);
    conversations.remove(conversation_id(3), NOW).await.unwrap();
    destroyed(&folder, &all, 3);
    store.inbox().remove_all(account_id(2), NOW).await.unwrap();
    destroyed(&folder, &all, 6);
    let page = conversations.page(account_id(1), None, 9, NOW + 9).await.unwrap();
    let left = page.iter().map(|found| found.conversation.lines.iter().filter(|line| line.text.is_some()).count());
    assert_eq!(left.collect::<Vec<_>>(), [0, 1]);
    accounts.delete(account_id(1)).await.unwrap();
    assert_eq!(keys(&folder).len(), 1, "an account without an inbox");
    drop((accounts, conversations));
    store.close().await.unwrap();
    let store = open(&folder);
    assert_eq!(store.sweep_after_start(NOW).await.unwrap().keys, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_that_was_taken_down_or_worded_anew_can_be_read_in_no_file() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("data");
    let store = open(&folder);
    let (accounts, answers) = (store.accounts(), store.answers());
    let mut notes = Vec::new();
    for owner in 1..=3 {
        accounts.create(account(owner)).await.unwrap();
        store.personal_pages().set_up(account_id(owner), personal_page(owner).into()).await.unwrap();
        store.inbox_seals().change(account_id(owner), sealing(owner as u8), NOW).await.unwrap();
        store.pushes().subscribe(account_id(owner), subscription(owner)).await.unwrap();
        for n in [owner, owner + 10] {
            numbered(store.inbox()).deliver(account_id(owner), note(n)).await.unwrap();
        }
        let page = store.inbox().page(account_id(owner), None, 9, NOW).await.unwrap();
        notes.push(page.notes[1].id);
        answers.publish(account_id(owner), page.notes[1].id, publishing(owner, NOW)).await.unwrap();
    }
    store.export().unwrap();
    let words = ["zebra-answer", "zebra-line-of-page", "zebra-prompt", "zebra-endpoint"];
    assert_eq!(found_in(&folder, words), BTreeSet::new(), "also while they are there");
    let all = keys(&folder);
    assert_eq!(all.len(), 6, "three accounts and three inboxes: an answer goes as its note goes");
    answers.take_down(account_id(1), notes[0], NOW + 1).await.unwrap();
    answers.publish(account_id(2), notes[1], publishing(7, NOW + 1)).await.unwrap();
    assert_eq!(store.sweep(NOW).await.unwrap(), Swept { resealed: 2, ..Swept::default() });
    destroyed(&folder, &all, 2);
    let page = answers.newest(account_id(2), None, 9).await.unwrap();
    assert_eq!(page.iter().map(|answer| answer.text.as_str()).collect::<Vec<_>>(), [answer_words(7)]);
    store.inbox().remove_all(account_id(3), NOW).await.unwrap();
    destroyed(&folder, &all, 3);
    accounts.delete(account_id(2)).await.unwrap();
    destroyed(&folder, &all, 4);
    drop((accounts, answers));
    store.close().await.unwrap();
    let store = open(&folder);
    store.sweep_after_start(NOW).await.unwrap();
    assert_eq!(store.answers().newest(account_id(2), None, 9).await, Ok(vec![]));
}

/// An account with so many notes that moving them takes several commits.
async fn with_a_large_inbox(store: &Local, n: u64, notes: u64) {
    store.accounts().create(account(n)).await.unwrap();
    let deliver = |at| {
        let inbox = numbered(store.inbox());
        tokio::spawn(async move { inbox.deliver(account_id(n), note(at)).await.unwrap() })
    };
    let tasks: Vec<_> = (0..notes).map(deliver).collect();
    for task in tasks {
        task.await.unwrap();
    }
}

/// Sorts notes that were delivered concurrently.
fn by_number(mut notes: Vec<Note>) -> Vec<Note> {
    notes.sort_by_key(|note| note.id);
    notes
}

async fn has_all_from(store: &Local, n: u64, first: u64, notes: u64) {
    let page = numbered(store.inbox()).page(account_id(n), None, usize::MAX).await.unwrap();
    assert!(by_number(page.notes) == (first..notes).map(note).collect::<Vec<_>>());
    assert_eq!(u64::from(page.unread), notes - first);
}

/// Waits for a commit, but not for ever.
async fn has_committed(store: &Local, number: u64) {
    let reaches = async {
        while commits_of(store) < number {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), reaches).await.expect("so many commits");
}

/// Deletes a note, and stops the store during the move. Returns whether the stop was in time.
async fn stop_during_a_move(folder: &Path, first: u64) -> bool {
    let store = Arc::new(open(folder));
    numbered(store.inbox()).remove(account_id(1), note_id(first)).await.unwrap();
    let begun = commits_of(&store);
    let sweeping = tokio::spawn({
        let store = store.clone();
        async move { store.sweep(NOW).await }
    });
    has_committed(&store, begun + 3).await;
    store.stop().await.unwrap();
    let outcome = sweeping.await.unwrap();
    Arc::into_inner(store).unwrap().close().await.unwrap();
    outcome == Err(StoreError::Unavailable)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_move_to_a_new_key_that_was_cut_short_is_finished_at_the_next_start() {
    const NOTES: u64 = 9000;
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path();
    let store = open(folder);
    with_a_large_inbox(&store, 1, NOTES).await;
    store.close().await.unwrap();

    let mut removed = 0;
    let before = loop {
        let before = keys(folder);
        removed += 1;
        if stop_during_a_move(folder, removed - 1).await {
            break before;
        }
        assert!(removed < 50, "the move is always over before it can be stopped");
    };
    assert_eq!(keys(folder).len(), before.len() + 1, "both keys are still needed");

    let store = open(folder);
    has_all_from(&store, 1, removed, NOTES).await;
    assert_eq!(store.sweep_after_start(NOW).await.unwrap(), Swept { resealed: 1, ..Swept::default() });
    has_all_from(&store, 1, removed, NOTES).await;
    destroyed(folder, &before, 1);
    assert_eq!(keys(folder).len(), before.len());
    assert_eq!(store.sweep_after_start(NOW).await.unwrap(), Swept::default());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sweep_that_begins_during_another_loses_nothing() {
    const NOTES: u64 = 3000;
    let parent = tempfile::tempdir().unwrap();
    let store = Arc::new(open(parent.path()));
    with_a_large_inbox(&store, 1, NOTES).await;
    let sweep = || {
        let store = store.clone();
        tokio::spawn(async move { store.sweep(NOW).await.unwrap() })
    };
    numbered(store.inbox()).remove(account_id(1), note_id(0)).await.unwrap();
    let begun = commits_of(&store);
    let first = sweep();
    has_committed(&store, begun + 10).await;
    // The first sweep has moved most notes to its new key. The second has to make another key.
    numbered(store.inbox()).remove(account_id(1), note_id(1)).await.unwrap();
    let second = sweep();
    first.await.unwrap();
    second.await.unwrap();
    let page = numbered(store.inbox()).page(account_id(1), None, usize::MAX).await.unwrap();
    assert_eq!(page.notes.len() as u64, NOTES - 2);
    assert_eq!(u64::from(page.unread), NOTES - 2);
    assert_eq!(keys(parent.path()).len(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_arrives_and_goes_during_a_move_is_neither_lost_nor_kept() {
    const NOTES: u64 = 2000;
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path();
    let store = Arc::new(open(folder));
    with_a_large_inbox(&store, 1, NOTES).await;
    numbered(store.inbox()).remove(account_id(1), note_id(0)).await.unwrap();
    let before = keys(folder);
    let sweeping = tokio::spawn({
        let store = store.clone();
        async move { store.sweep(NOW).await.unwrap() }
    });
    let inbox = numbered(store.inbox());
    for n in 1..200 {
        inbox.deliver(account_id(1), note(NOTES + n)).await.unwrap();
        inbox.mark_seen(account_id(1), note_id(2 * n + 1)).await.unwrap();
        inbox.remove(account_id(1), note_id(2 * n)).await.unwrap();
    }
    sweeping.await.unwrap();
    store.sweep(NOW).await.unwrap();
    let page = inbox.page(account_id(1), None, usize::MAX).await.unwrap();
    let touched = |n| (2..400).contains(&n);
    let expected = (1..NOTES + 200).filter(|&n| n != NOTES && !(touched(n) && n % 2 == 0));
    let expected: Vec<_> = expected.map(|n| Note { seen: touched(n) && n % 2 == 1, ..note(n) }).collect();
    assert_eq!(page.notes.len(), expected.len());
    assert!(by_number(page.notes) == expected);
    assert_eq!(page.unread as usize, expected.iter().filter(|note| !note.seen).count());
    destroyed(folder, &before, 1);
    assert_eq!(keys(folder).len(), before.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_account_deleted_during_a_move_leaves_no_key() {
    const NOTES: u64 = 2000;
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path();
    let store = Arc::new(open(folder));
    for patience in [0, 1, 3, 10, 20] {
        let n = patience + 1;
        with_a_large_inbox(&store, n, NOTES).await;
        numbered(store.inbox()).remove(account_id(n), note_id(0)).await.unwrap();
        let sweeping = tokio::spawn({
            let store = store.clone();
            async move { store.sweep(NOW).await.unwrap() }
        });
        tokio::time::sleep(Duration::from_millis(patience)).await;
        store.accounts().delete(account_id(n)).await.unwrap();
        sweeping.await.unwrap();
        assert_eq!(keys(folder), BTreeSet::new());
        let swept = store.sweep_after_start(NOW).await.unwrap();
        assert_eq!((swept.keys, swept.resealed), (0, 0));
        assert_eq!(store.sweep(NOW).await.unwrap(), Swept::default());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_emptied_inbox_can_be_read_in_no_file_from_that_moment_on() {
    const NOTES: u64 = 600;
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path();
    let store = open(folder);
    with_a_large_inbox(&store, 1, NOTES).await;
    store.export().unwrap();
    let before = keys(folder);
    store.inbox().remove_all(account_id(1), NOW).await.unwrap();
    destroyed(folder, &before, 1);
    numbered(store.inbox()).deliver(account_id(1), note(NOTES)).await.unwrap();
    has_all_from(&store, 1, NOTES, NOTES + 1).await;
    let swept = store.sweep(NOW).await.unwrap();
    assert_eq!(swept, Swept { notes: NOTES as usize, resealed: 1, ..Swept::default() });
    has_all_from(&store, 1, NOTES, NOTES + 1).await;
    assert_eq!(store.sweep(NOW).await.unwrap(), Swept::default());
    assert_eq!(keys(folder).len(), before.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_inbox_that_stays_empty_has_no_key() {
    let parent = tempfile::tempdir().unwrap();
    let store = open(parent.path());
    with_a_large_inbox(&store, 1, 3).await;
    store.inbox().remove_all(account_id(1), NOW).await.unwrap();
    for expected in [Swept { notes: 3, resealed: 1, ..Swept::default() }, Swept::default()] {
        assert_eq!(store.sweep_after_start(NOW).await.unwrap(), expected);
        assert_eq!(keys(parent.path()).len(), 1, "the account's");
    }
}

/// The pause after each move limits the work that deletions from a full inbox can cause.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn deletions_from_a_large_inbox_move_it_at_a_bounded_rate_and_within_the_hour() {
    const NOTES: u64 = 4000;
    let parent = tempfile::tempdir().unwrap();
    let store = open(parent.path());
    with_a_large_inbox(&store, 1, NOTES).await;
    let (mut oldest, mut longest) = (None, 0);
    for round in 0..12 {
        let now = NOW + round * 300;
        numbered(store.inbox()).remove(account_id(1), note_id(round)).await.unwrap();
        let since = *oldest.get_or_insert(now);
        if store.sweep(now).await.unwrap().resealed > 0 {
            longest = longest.max(now - since);
            oldest = None;
        }
    }
    // A move is followed by a pause of 720 seconds, so every third round has one.
    assert!(store.figures().resealed <= 4 * NOTES, "{}", store.figures().resealed);
    assert!(store.figures().resealed >= 3 * (NOTES - 12));
    assert!(longest < 60 * 60, "{longest}");
}
