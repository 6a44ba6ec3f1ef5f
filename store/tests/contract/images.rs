//! Pictures: bytes in albums.

use annon_store::StoreError;
use annon_store::image::Album;
use annon_store::room::{Millis, RoomEvent, SeatNumber, Seq};
use annon_store::room_log::Erasure;

use crate::contract::engine::Engine;
use crate::support::people::{NOW, account, album, image, metadata, posted, room};

on_every_engine! {
    a_picture_is_read_as_it_was_put,
    pictures_and_albums_are_removed_once_or_more_often,
    pictures_go_with_the_event_that_takes_them_back_and_stay_if_that_is_refused,
}

async fn with_rooms(engine: Engine) -> Engine {
    engine.accounts().create(account(1)).await.unwrap();
    for n in 1..=2 {
        engine.rooms().create(metadata(n, 1, NOW + 100), NOW).await.unwrap();
    }
    engine
}

async fn a_picture_is_read_as_it_was_put(engine: Engine) {
    let mut engine = with_rooms(engine).await;
    let large = vec![7; 300_000];
    engine.images().put(Album::Feedback, image(1), large.clone()).await.unwrap();
    engine.images().put(album(1), image(1), b"one".to_vec()).await.unwrap();
    engine.images().put(album(2), image(1), b"two".to_vec()).await.unwrap();
    engine.step().await;
    let images = engine.images();
    assert_eq!(images.read(Album::Feedback, image(1)).await.unwrap(), Some(large));
    assert_eq!(images.read(album(1), image(1)).await.unwrap().as_deref(), Some(&b"one"[..]));
    assert_eq!(images.read(album(2), image(1)).await.unwrap().as_deref(), Some(&b"two"[..]));
    assert_eq!(images.read(album(2), image(2)).await.unwrap(), None);
    assert_eq!(images.read(album(3), image(1)).await.unwrap(), None);
    images.put(album(1), image(1), b"another".to_vec()).await.unwrap();
    // A part of the store that is held keeps the folder locked.
    drop(images);
    engine.step().await;
    assert_eq!(engine.images().read(album(1), image(1)).await.unwrap().as_deref(), Some(&b"another"[..]));
}

async fn pictures_and_albums_are_removed_once_or_more_often(engine: Engine) {
    let mut engine = with_rooms(engine).await;
    for n in 1..=3 {
        engine.images().put(album(1), image(n), vec![1]).await.unwrap();
    }
    engine.images().put(album(2), image(1), vec![2]).await.unwrap();
    engine.step().await;
    for _ in 0..2 {
        engine.images().remove(album(1), &[image(1), image(3)], None).await.unwrap();
    }
    engine.step().await;
    assert_eq!(engine.images().read(album(1), image(1)).await.unwrap(), None);
    assert_eq!(engine.images().read(album(1), image(3)).await.unwrap(), None);
    assert_eq!(engine.images().read(album(1), image(2)).await.unwrap(), Some(vec![1]));
    for _ in 0..2 {
        engine.images().remove_album(album(1)).await.unwrap();
    }
    engine.step().await;
    assert_eq!(engine.images().read(album(1), image(2)).await.unwrap(), None);
    assert_eq!(engine.images().read(album(2), image(1)).await.unwrap(), Some(vec![2]));
    engine.images().put(album(1), image(1), vec![3]).await.unwrap();
    assert_eq!(engine.images().read(album(1), image(1)).await.unwrap(), Some(vec![3]));
}

async fn pictures_go_with_the_event_that_takes_them_back_and_stay_if_that_is_refused(mut engine: Engine) {
    engine.accounts().create(account(1)).await.unwrap();
    engine.rooms().create(metadata(1, 1, NOW + 100), NOW).await.unwrap();
    for n in 1..=3 {
        engine.images().put(album(1), image(n), vec![n as u8]).await.unwrap();
    }
    engine.room_log().append(room(1), Seq(0), vec![posted("one"), posted("two")]).await.unwrap();
    let erased = || Erasure { pictures: vec![image(1), image(3)], ..Erasure::default() };
    let retracted = || vec![RoomEvent::Retracted { seat: SeatNumber(1), message: Seq(2), at: Millis(3) }];
    let refused = engine.room_log().append_and_erase(room(1), Seq(9), retracted(), erased()).await;
    assert_eq!(refused, Err(StoreError::Conflict));
    assert_eq!(engine.images().list(album(1)).await.unwrap().len(), 3);
    engine.room_log().append_and_erase(room(1), Seq(2), retracted(), erased()).await.unwrap();
    for _ in 0..2 {
        for (n, is_there) in [(1, false), (2, true), (3, false)] {
            assert_eq!(engine.images().read(album(1), image(n)).await.unwrap().is_some(), is_there, "{n}");
        }
        assert_eq!(engine.images().list(album(1)).await.unwrap().len(), 1);
        engine.step().await;
        engine.sweep_after_start(NOW).await.unwrap();
    }
}
