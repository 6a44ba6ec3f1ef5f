//! A whole backup that was made once, and must be restored and read for as
//! long as anybody may have one.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use annon_store::image::{Album, ImageId};
use annon_store::inbox::Note;
use annon_store::restore;

use crate::support::open;
use crate::support::people::*;

async fn make(folder: &Path) -> Vec<u8> {
    let store = Arc::new(open(folder));
    let (accounts, inbox) = (store.accounts(), numbered(store.inbox()));
    accounts.create(account(1)).await.unwrap();
    accounts.revoke(account_id(1), token(1), NOW + 100, NOW).await.unwrap();
    accounts.begin_reset(account_id(1), digest(1), NOW + 100).await.unwrap();
    for n in 1..=3 {
        inbox.deliver(account_id(1), note(n)).await.unwrap();
    }
    inbox.mark_seen(account_id(1), note_id(1)).await.unwrap();
    inbox.remove(account_id(1), note_id(2)).await.unwrap();
    store.feedback().add(feedback(2)).await.unwrap();
    store.images().put(Album::Feedback, ImageId(feedback_id(2).0), vec![0xff, 0xd8, 1, 2]).await.unwrap();
    tokio::task::spawn_blocking(move || {
        let mut bytes = Vec::new();
        store.backup(&mut bytes).unwrap();
        bytes
    })
    .await
    .unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_made_long_ago_is_restored_and_read() {
    let parent = tempfile::tempdir().unwrap();
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/backup.hex");
    if !golden.exists() {
        assert!(std::env::var_os("CI").is_none(), "golden/backup.hex is not committed");
        let bytes = make(&parent.path().join("made")).await;
        let hex: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        fs::write(&golden, format!("{}\n", hex.concat())).unwrap();
    }
    let hex = fs::read_to_string(golden).unwrap();
    let digits: Vec<_> = hex.trim().chars().map(|digit| digit.to_digit(16).unwrap() as u8).collect();
    let bytes: Vec<_> = digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect();
    let (file, folder) = (parent.path().join("file"), parent.path().join("restored"));
    fs::write(&file, bytes).unwrap();
    assert_eq!(restore(&file, &folder).unwrap().pictures, 1);

    let store = open(&folder);
    let (accounts, inbox) = (store.accounts(), numbered(store.inbox()));
    assert_eq!(accounts.list(None, 10).await.unwrap(), [account(1)]);
    assert_eq!(accounts.by_username(&name_of(1)).await.unwrap(), Some(account(1)));
    assert_eq!(accounts.by_email(&address_of(1)).await.unwrap(), Some(account(1)));
    assert_eq!(accounts.by_target(target_id(1)).await.unwrap(), Some(account_id(1)));
    let access = accounts.access(account_id(1)).await.unwrap().unwrap();
    assert!(!access.admits(token(1), 0) && !access.admits(token(2), 0), "who is in may have been signed out since");
    assert_eq!(accounts.pending_reset(digest(1), NOW).await.unwrap(), None, "it may have been used since");
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
