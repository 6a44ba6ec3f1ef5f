//! Folders and backups of older builds: a folder is refused with a sentence, a backup is restored.

use std::fs;
use std::path::Path;

use annon_store::account::LinkKind;
use annon_store::image::{Album, ImageId};
use annon_store::inbox::Note;
use annon_store::room::{Body, RoomEvent, Seq};
use annon_store::{OpenError, StoreError, restore};

use crate::support::files::contents;
use crate::support::people::*;
use crate::support::{open, try_open};

#[test]
fn a_folder_of_an_older_build_is_refused_and_told_how_to_be_moved() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path();
    fs::create_dir(folder.join("db")).unwrap();
    for (name, bytes) in
        [("db/db", "a log"), ("mark", "a mark"), ("keys", "keys"), ("secret", "a secret"), ("lock", "")]
    {
        fs::write(folder.join(name), bytes).unwrap();
    }
    let before = contents(folder);
    let error = try_open(folder).err().unwrap();
    assert!(matches!(error, OpenError::Older(_)), "{error}");
    for word in ["older build", "annon backup", "annon restore", "Nothing was changed"] {
        assert!(error.to_string().contains(word), "{error}");
    }
    assert_eq!(contents(folder), before);
}

/// Restores a backup from `golden`. Every later build must be able to restore and read it.
fn restore_golden(name: &str, folder: &Path) {
    let hex = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("golden").join(name)).unwrap();
    let digits: Vec<_> = hex.trim().chars().map(|digit| digit.to_digit(16).unwrap() as u8).collect();
    let file = folder.with_extension("backup");
    fs::write(&file, digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect::<Vec<_>>()).unwrap();
    assert_eq!(restore(&file, folder).unwrap().pictures, 1);
}

/// The backup has a signed-out token and a pending reset link.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_made_long_ago_is_restored_and_read() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("restored");
    restore_golden("backup.hex", &folder);
    let store = open(&folder);
    let (accounts, inbox) = (store.accounts(), numbered(store.inbox()));
    assert_eq!(accounts.list(None, 10).await.unwrap(), [account(1)]);
    assert_eq!(accounts.by_username(&name_of(1)).await.unwrap(), Some(account(1)));
    assert_eq!(accounts.by_email(&address_of(1)).await.unwrap(), Some(account(1)));
    assert_eq!(accounts.by_target(target_id(1)).await.unwrap(), Some(account_id(1)));
    let access = accounts.access(account_id(1)).await.unwrap().unwrap();
    assert!(!access.admits(token(1), 0) && !access.admits(token(2), 0), "who is in may have been signed out since");
    let reset = accounts.pending_link(LinkKind::Reset, digest(1), NOW).await.unwrap();
    assert_eq!(reset, None, "it may have been used since");
    let page = inbox.page(account_id(1), None, 10).await.unwrap();
    assert_eq!((page.notes, page.unread), (vec![note(3), Note { seen: true, ..note(1) }], 1));
    assert_eq!(store.feedback().page(None, 10).await.unwrap(), [feedback(2)]);
    let picture = store.images().read(Album::Feedback, ImageId(feedback_id(2).0)).await.unwrap();
    assert_eq!(picture.as_deref(), Some(&[0xff, 0xd8, 1, 2][..]));
    assert_eq!(store.sweep_after_start(NOW).await.unwrap().resealed, 1);
    assert_eq!(inbox.deliver(account_id(1), note(9)).await, Ok(2));
    let page = inbox.page(account_id(1), None, 10).await.unwrap();
    assert_eq!(page.notes, [note(9), note(3), Note { seen: true, ..note(1) }], "new ones come after old ones");
    let older = inbox.page(account_id(1), Some(note_id(3)), 10).await.unwrap();
    assert_eq!(older.notes, [Note { seen: true, ..note(1) }]);
    assert_eq!(inbox.mark_seen(account_id(1), note_id(3)).await, Ok(1));
    store.inbox().remove_all(account_id(1)).await.unwrap();
    assert_eq!(store.sweep(NOW).await.unwrap().notes, 3, "old and new");
    assert_eq!(inbox.page(account_id(1), None, 10).await.unwrap().notes, []);
}

fn text_of(event: RoomEvent) -> Option<String> {
    match event {
        RoomEvent::Posted { body: Body::Text(words), .. } => Some(words.as_str().to_owned()),
        RoomEvent::Posted { body: Body::Gone, .. } => Some("gone".to_owned()),
        _ => None,
    }
}

/// The backup has two people with notes, and groups with deleted and forgotten messages.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_of_the_last_build_before_the_commit_log_is_restored_with_its_groups() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("restored");
    restore_golden("backup-rooms.hex", &folder);
    for again in [false, true] {
        let store = open(&folder);
        assert_eq!(store.accounts().list(None, 10).await.unwrap(), [account(1), account(2)]);
        assert_eq!(numbered(store.inbox()).page(account_id(1), None, 10).await.unwrap().notes.len(), 3);
        assert_eq!(store.rooms().by_id(room(1)).await.unwrap(), Some(metadata(1, 1, NOW + 1000)));
        let log = store.room_log();
        let read = log.read(room(1), Seq(0)).await.unwrap();
        let last = 6 + u64::from(again);
        assert_eq!(read.iter().map(|(seq, _)| seq.0).collect::<Vec<_>>(), (1..=last).collect::<Vec<_>>());
        let words: Vec<_> = read.into_iter().filter_map(|(_, event)| text_of(event)).take(4).collect();
        assert_eq!(words, ["words 2", "gone", "words 4", "words 6"]);
        let read = log.read(room(2), Seq(0)).await.unwrap();
        assert_eq!(read.iter().map(|(seq, _)| seq.0).collect::<Vec<_>>(), [1, 3], "one was forgotten");
        assert_eq!(log.append(room(3), Seq(1), vec![came(2)]).await, Err(StoreError::NotFound));
        let picture = store.images().read(album(1), image(5)).await.unwrap();
        assert_eq!(picture.as_deref(), Some(&[0xff, 0xd8, 1, 2][..]));
        assert_eq!(log.append(room(1), Seq(1), vec![came(3)]).await, Err(StoreError::Conflict));
        log.append(room(1), Seq(last), vec![posted("after the restore")]).await.unwrap();
        drop(log);
        store.close().await.unwrap();
        // The index can be built anew although this build has made no export yet.
        fs::remove_dir_all(folder.join("index")).unwrap();
    }
}
