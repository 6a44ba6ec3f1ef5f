//! Pictures in the record: what several nodes and the limits make of them.

use annon_contract::limits::{ACCOUNT_PICTURE_BYTES, ROOM_PICTURE_BYTES, ROOM_PICTURES, UNUSED_PICTURE_KEPT};
use annon_store::Kept;
use annon_store::StoreError;
use annon_store::image::{Album, ImageId};
use annon_store::room::Seq;

use crate::support::people::*;
use crate::support::postgres::Databases;

fn of_feedback(n: u64) -> ImageId {
    ImageId(feedback_id(n).0)
}

/// A record with the rooms 1 to 3 of one account.
async fn with_rooms() -> Databases {
    let databases = Databases::new().await;
    let node = databases.open().await;
    node.accounts().create(account(1)).await.unwrap();
    for n in 1..=3 {
        node.rooms().create(metadata(n, 1, 2 * NOW), NOW).await.unwrap();
    }
    databases
}

#[tokio::test]
async fn a_picture_is_read_at_every_node_until_it_or_its_room_goes() {
    let databases = with_rooms().await;
    let (one, other) = (databases.open().await.images(), databases.open().await);
    for n in 1..=2 {
        one.put(album(1), image(n), vec![7; 100_000]).await.unwrap();
    }
    assert_eq!(other.images().read(album(1), image(1)).await, Ok(Some(vec![7; 100_000])));
    let listed = other.images().list(album(1)).await.unwrap();
    assert!(listed.len() == 2 && listed.iter().all(|stored| stored.bytes == 100_000), "{listed:?}");
    let stale = "SELECT count(*) FROM room WHERE stale IS NOT NULL";
    assert_eq!(databases.ask(stale).await, ["0"]);
    other.images().remove(album(1), &[image(1)], None).await.unwrap();
    assert_eq!(one.read(album(1), image(1)).await, Ok(None));
    assert_eq!(databases.ask(stale).await, ["1"], "the key of its room still opens it in old files");
    assert_eq!(databases.ask("SELECT pictures FROM album").await, ["1"]);
    other.rooms().remove(room(1)).await.unwrap();
    assert_eq!(one.read(album(1), image(2)).await, Ok(None));
    assert_eq!(one.put(album(1), image(3), vec![1]).await, Err(StoreError::NotFound));
    assert_eq!(other.sweep(NOW).await.unwrap().pictures, 1);
    assert_eq!(databases.ask("SELECT count(*) FROM image UNION ALL SELECT count(*) FROM album").await, ["0", "0"]);
}

#[tokio::test]
async fn a_picture_stays_when_another_node_has_written_what_may_show_it() {
    let databases = with_rooms().await;
    let (one, other) = (databases.open().await, databases.open().await);
    one.images().put(album(1), image(1), vec![1]).await.unwrap();
    other.room_log().append(room(1), Seq(0), vec![came(1)]).await.unwrap();
    let remove = async |at| one.images().remove(album(1), &[image(1)], Some(at)).await;
    assert_eq!(remove(Seq(0)).await, Err(StoreError::Conflict));
    assert_eq!(other.images().read(album(1), image(1)).await, Ok(Some(vec![1])));
    assert_eq!(remove(Seq(1)).await, Ok(()));
    assert_eq!(other.images().read(album(1), image(1)).await, Ok(None));
}

#[tokio::test]
async fn a_room_its_owner_and_all_together_have_so_much_and_no_more() {
    let mut databases = with_rooms().await;
    let node = databases.open().await;
    let images = node.images();
    for n in 1..=2 {
        images.put(album(n), image(1), vec![1; 1000]).await.unwrap();
    }
    let stored = databases.ask("SELECT bytes FROM album LIMIT 1").await[0].parse::<u64>().unwrap();
    let as_if = async |set: String| databases.ask(&format!("UPDATE album SET {set}")).await;
    for (room_has, owner_has, outcome) in [
        (ROOM_PICTURE_BYTES as u64 - stored, 0, Ok(())),
        (ROOM_PICTURE_BYTES as u64 - stored + 1, 0, Err(StoreError::Full)),
        (0, ACCOUNT_PICTURE_BYTES - stored, Ok(())),
        (0, ACCOUNT_PICTURE_BYTES - stored + 1, Err(StoreError::Full)),
    ] {
        as_if(format!("bytes = CASE room WHEN '{}' THEN {room_has} ELSE {owner_has} END", room(1).0)).await;
        assert_eq!(images.put(album(1), image(2), vec![1; 1000]).await, outcome, "{room_has} and {owner_has}");
        images.remove(album(1), &[image(2)], None).await.unwrap();
    }
    as_if(format!("bytes = 0, pictures = {ROOM_PICTURES}")).await;
    assert_eq!(images.put(album(1), image(2), vec![1]).await, Err(StoreError::Full));
    assert_eq!(images.put(album(1), image(1), vec![1]).await, Ok(()), "it takes the place of another");
    databases.options.picture_bytes = Some(2_000);
    let node = databases.open().await;
    assert_eq!(node.images().put(Album::Feedback, of_feedback(1), vec![1; 1900]).await, Ok(()));
    assert_eq!(node.images().put(album(2), image(2), vec![1; 200]).await, Err(StoreError::DiskFull));
}

#[tokio::test]
async fn a_picture_of_feedback_goes_with_it_and_one_without_any_when_it_is_old() {
    let databases = Databases::new().await;
    let node = databases.open().await;
    for n in 1..=2 {
        node.images().put(Album::Feedback, of_feedback(n), vec![7; 1000]).await.unwrap();
    }
    let keys = async || databases.ask_keys("SELECT count(*) FROM seal_key WHERE kind = 6").await.remove(0);
    assert_eq!(keys().await, "2");
    node.feedback().add(feedback(1)).await.unwrap();
    let since: u64 = databases.ask("SELECT max(since) FROM image").await[0].parse().unwrap();
    databases.stop_clock_at(since + UNUSED_PICTURE_KEPT.as_secs() - 1).await;
    assert_eq!(node.sweep(NOW).await.unwrap().pictures, 0, "its feedback may be on the way");
    databases.stop_clock_at(since + UNUSED_PICTURE_KEPT.as_secs()).await;
    assert_eq!(node.sweep(NOW).await.unwrap().pictures, 1);
    assert_eq!(node.images().read(Album::Feedback, of_feedback(2)).await, Ok(None));
    assert_eq!(node.images().read(Album::Feedback, of_feedback(1)).await, Ok(Some(vec![7; 1000])));
    assert_eq!(keys().await, "1");
    node.feedback().remove(feedback_id(1)).await.unwrap();
    assert_eq!(node.images().read(Album::Feedback, of_feedback(1)).await, Ok(None));
    assert_eq!(keys().await, "0");
}

#[tokio::test]
async fn a_damaged_picture_is_said_so() {
    let databases = with_rooms().await;
    let images = databases.open().await.images();
    images.put(album(1), image(1), vec![7; 1000]).await.unwrap();
    for column in ["head", "body"] {
        let flip = format!("UPDATE image SET {column} = set_byte({column}, 30, get_byte({column}, 30) # 1)");
        databases.ask(&flip).await;
        assert_eq!(images.read(album(1), image(1)).await, Err(StoreError::Corrupt), "{column}");
        databases.ask(&flip).await;
    }
    assert_eq!(images.read(album(1), image(1)).await, Ok(Some(vec![7; 1000])));
    databases.ask("UPDATE image SET body = NULL").await;
    assert_eq!(images.read(album(1), image(1)).await, Err(StoreError::Corrupt), "it is elsewhere");
}

#[tokio::test]
async fn when_a_room_gets_a_new_key_its_pictures_are_read_as_before() {
    let databases = with_rooms().await;
    let (one, other) = (databases.open().await, databases.open().await);
    for n in 1..=3 {
        one.images().put(album(1), image(n), vec![n as u8; 1000]).await.unwrap();
    }
    // The other node has the room's key in memory.
    assert_eq!(other.images().read(album(1), image(3)).await, Ok(Some(vec![3; 1000])));
    one.images().remove(album(1), &[image(1)], None).await.unwrap();
    let flip = "UPDATE image SET head = set_byte(head, 30, get_byte(head, 30) # 1) WHERE id =";
    databases.ask(&format!("{flip} '{}'", image(2).0)).await;
    let of_room = |what: &str| format!("SELECT {what} FROM room WHERE id = '{}'", room(1).0);
    let before = databases.ask(&of_room("key")).await;
    databases.ask("UPDATE room SET stale = 0 WHERE stale IS NOT NULL").await;
    one.sweep(NOW).await.unwrap();
    assert_ne!(databases.ask(&of_room("key")).await, before);
    assert_eq!(databases.ask(&of_room("stale IS NULL AND old_key IS NULL")).await, ["t"]);
    let keys = format!("SELECT count(*) FROM seal_key WHERE owner = '{}'", room(1).0);
    assert_eq!(databases.ask_keys(&keys).await, ["1"], "the one before is destroyed");
    assert_eq!(other.images().read(album(1), image(3)).await, Ok(Some(vec![3; 1000])));
    assert_eq!(other.images().read(album(1), image(2)).await, Err(StoreError::Corrupt), "it was damaged");
}
