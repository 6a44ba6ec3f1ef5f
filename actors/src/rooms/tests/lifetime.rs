//! When rooms, their actors and seats end.

use annon_store::image::{Album, ImageId};

use super::*;

#[actix::test]
async fn a_room_nobody_is_in_has_no_actor_after_a_while() {
    let (setup, [a]) = RoomSetup::with_guests().await;
    a.post(1).await;
    setup.pass(Duration::from_secs(3600)).await;
    assert_eq!((setup.rooms.open(), a.end()), (1, None), "somebody is there, if silent");
    a.tear_away();
    setup.pass(Duration::from_secs(59)).await;
    assert_eq!(setup.rooms.open(), 1);
    setup.pass(Duration::from_secs(30)).await;
    assert_eq!(setup.rooms.open(), 0);
    let view = setup.rooms.view(room(1), Some(member(1)), None, 10).await.unwrap();
    assert_eq!((view.members.len(), view.lines.len()), (1, 2), "and is as it was when somebody comes");
    assert_eq!(setup.rooms.open(), 1);
    setup.pass(Duration::from_secs(90)).await;
    assert_eq!(setup.rooms.open(), 0);
}

#[actix::test]
async fn a_seat_lapses_also_when_the_server_was_away() {
    let mut setup = RoomSetup::new();
    for n in 1..=10 {
        setup.rooms.claim(room(1), member(n), u64::from(n), false).await.unwrap();
    }
    setup.restart().await;
    assert_eq!(setup.rooms.claim(room(1), member(11), 0, false).await, Err(FULL));
    setup.pass(Duration::from_secs(120)).await;
    assert_eq!(setup.rooms.open(), 0, "no timer of this room is set");
    assert!(setup.rooms.claim(room(1), member(11), 0, false).await.is_ok());
}

#[actix::test]
async fn a_room_ends_when_its_time_is_up_and_nothing_of_it_stays() {
    let (setup, [a, b]) = RoomSetup::with_guests().await;
    let picture = ImageId(Uuid::from_u128(1));
    setup.store.images().put(Album::Room(room(1).0), picture, vec![1]).await.unwrap();
    setup.rooms.add_picture(room(1), picture, 1).await.unwrap();
    let elsewhere = setup.guest_of(2, 1).await;
    setup.pass(Duration::from_secs(LIFETIME - 1)).await;
    a.post(1).await;
    assert_eq!((b.words(), b.end()), (words([1]), None));
    setup.pass(Duration::from_secs(1)).await;
    assert_eq!([&a, &b, &elsewhere].map(Guest::end), [Some((Some("group_expired"), CloseReason::Expired)); 3]);
    assert_eq!((setup.has_room(), setup.log().len(), setup.rooms.open()), (false, 0, 0));
    assert_eq!(setup.store.images().list(Album::Room(room(1).0)).await.unwrap(), []);
    assert_eq!(setup.rooms.claim(room(1), member(1), 1, false).await, Err(RoomError::Gone));
    assert_eq!(setup.rooms.claim(room(3), member(1), 1, false).await, Err(RoomError::Gone), "nobody was ever in it");
    assert_eq!(setup.rooms.open(), 0, "and no actor is started for it");
}

/// The time of day jumps when a laptop was closed or a clock was wrong.
#[actix::test]
async fn a_room_ends_also_when_the_time_of_day_was_set_forward() {
    let (setup, [a, b]) = RoomSetup::with_guests().await;
    a.post(1).await;
    let before = setup.end() - 1;
    setup.clock.step(Duration::from_secs(LIFETIME));
    let view = setup.rooms.view(room(1), Some(member(1)), None, 10).await;
    assert_eq!(view.err(), Some(RoomError::Rejected(Code::GroupExpired)));
    assert_eq!(a.end(), None, "nobody has looked at the clock yet");
    a.forget();
    a.connect(before).await;
    assert_eq!((a.frames().len(), a.end()), (0, Some((Some("group_expired"), CloseReason::Expired))));
    assert_eq!(b.end(), a.end());
    assert_eq!((setup.has_room(), setup.rooms.open()), (false, 0));

    let (setup, [a]) = RoomSetup::with_guests().await;
    setup.clock.step(Duration::from_secs(LIFETIME));
    setup.pass(Duration::from_secs(20)).await;
    assert_eq!(a.end(), Some((Some("group_expired"), CloseReason::Expired)), "though nobody says anything");
    assert_eq!((setup.has_room(), setup.rooms.open()), (false, 0));
}

#[actix::test]
async fn a_late_timer_lets_nothing_in_and_a_broken_disk_keeps_nobody_in() {
    let (setup, [a]) = RoomSetup::with_guests().await;
    setup.store.faults().fails_removes = true;
    setup.pass(Duration::from_secs(LIFETIME)).await;
    assert_eq!(a.end(), Some((Some("group_expired"), CloseReason::Expired)));
    assert!(setup.has_room(), "the sweeper's, now");
    assert_eq!(setup.rooms.command(room(1), Command::Close).await, Err(RoomError::Gone));
}

#[actix::test]
async fn a_room_that_is_closed_tells_its_members_when_it_is_gone() {
    let (setup, [a, b]) = RoomSetup::with_guests().await;
    setup.store.faults().holds_appends = true;
    a.post(1).await;
    let close = || setup.asks(async |rooms| rooms.command(room(1), Command::Close).await);
    let (close, again) = (close().await, close().await);
    assert_eq!((a.end(), setup.has_room()), (None, true), "what came before is first");
    setup.release(AppendFault::None).await;
    assert_eq!(b.words(), words([1]));
    assert_eq!([&a, &b].map(Guest::end), [Some((Some("group_deleted"), CloseReason::Deleted)); 2]);
    assert_eq!(close.await.unwrap(), Ok(()));
    let gone = [Err(RoomError::Gone), Err(RoomError::Rejected(Code::GroupExpired))];
    assert!(gone.contains(&again.await.unwrap()));
    assert_eq!((setup.has_room(), setup.rooms.open()), (false, 0));
}

#[actix::test]
async fn a_room_that_could_not_be_deleted_is_not_said_to_be() {
    let (setup, [a]) = RoomSetup::with_guests().await;
    setup.store.faults().fails_removes = true;
    assert!(matches!(setup.rooms.command(room(1), Command::Close).await, Err(RoomError::Store(_))));
    run_until_idle().await;
    assert_eq!(a.end(), Some((None, CloseReason::ShuttingDown)), "it lives, and its members come again");
    assert!(setup.rooms.seat(room(1), member(1)).await.is_ok());
}

#[actix::test]
async fn a_page_is_full_of_what_can_be_seen() {
    let (setup, [a]) = RoomSetup::with_guests().await;
    a.post_all(0..6).await;
    for n in 3..6 {
        a.retract(n).await;
    }
    // Three lines that only take a message back follow the messages.
    let page = |before, limit| setup.rooms.view(room(1), Some(member(1)), before, limit);
    let last = page(None, 3).await.unwrap();
    assert_eq!((last.lines.len(), last.has_older), (3, true));
    let all = page(None, 7).await.unwrap();
    assert_eq!((all.lines.len(), all.has_older), (7, false), "six messages, and that somebody came");
}

#[actix::test]
async fn lines_that_are_no_longer_kept_are_not_resumed_over() {
    let (mut setup, [a, b]) = RoomSetup::with_guests().await;
    let before = setup.end();
    b.tear_away();
    a.post_all(0..1700).await;
    assert!((1000..1200).contains(&setup.words().len()), "some are forgotten");
    for _ in 0..2 {
        for since in [before, before + 500] {
            let b = setup.guest_again(2).await;
            b.connect(since).await;
            assert_eq!(b.of("event.ready")[0]["resumed"], false);
            assert_eq!(b.words(), [] as [String; 0]);
            b.tear_away();
        }
        let all = setup.rooms.view(room(1), Some(member(2)), None, 5000).await.unwrap();
        assert_eq!(all.lines.len(), 1000);
        setup.restart().await;
    }
}
