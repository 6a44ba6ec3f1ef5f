//! Nobody sees what is not on disk, and everybody sees once what is on disk.

use serde_json::json;

use super::*;

#[actix::test]
async fn nobody_hears_of_anything_before_it_is_on_disk_and_then_of_all_at_once() {
    let (setup, [a, b]) = RoomSetup::with_guests().await;
    setup.store.faults().seen();
    setup.store.faults().holds_appends = true;
    for n in 0..50 {
        a.post(n).await;
        b.post(n).await;
    }
    let claim = setup.asks(async |rooms| rooms.claim(room(1), member(3), 3, false).await).await;
    let lock = setup.asks(async |rooms| rooms.command(room(1), Command::Lock(true)).await).await;
    assert_eq!((a.frames(), b.frames()), (vec![], vec![]));
    assert!(!claim.is_finished() && !lock.is_finished(), "no answer either");
    setup.release(AppendFault::None).await;
    assert_eq!(setup.store.faults().seen().appended, [102], "all was asked for meanwhile");
    assert_eq!(setup.words().len(), 100);
    assert!(claim.await.unwrap().is_ok() && lock.await.unwrap().is_ok());
    for guest in [&a, &b] {
        assert_eq!((guest.words(), guest.news().len(), guest.end()), (setup.words(), 1, None));
        assert!(guest.wakes() <= 1, "all of it at once");
    }
}

#[actix::test]
async fn who_resumes_while_an_append_waits_gets_everything_once_and_nothing_early() {
    let (setup, [a, b]) = RoomSetup::with_guests().await;
    let before = setup.end();
    let c = setup.guest_again(2).await;
    setup.store.faults().holds_appends = true;
    a.post_all(1..3).await;
    for guest in [&b, &c] {
        guest.connect(before).await;
    }
    a.post(3).await;
    assert_eq!(b.frames(), [] as [serde_json::Value; 0]);
    setup.release(AppendFault::None).await;
    let ready = json!({ "event": "event.ready", "last_seq": before + 2, "resumed": true });
    // `b` listened before it asked to resume, so it receives the first two messages twice.
    for (guest, hears) in [(&b, words([1, 2, 1, 2, 3])), (&c, words([1, 2, 3]))] {
        assert_eq!((guest.of("event.ready"), guest.words()), (vec![ready.clone()], hears));
    }
}

#[actix::test]
async fn a_view_shows_what_it_says_is_the_last_and_nothing_after() {
    let (setup, [a]) = RoomSetup::with_guests().await;
    setup.store.faults().holds_appends = true;
    a.post(1).await;
    let view = setup.asks(async |rooms| rooms.view(room(1), Some(member(1)), None, 500).await).await;
    a.post(2).await;
    setup.store.release_appends(AppendFault::None);
    let view = view.await.unwrap().unwrap();
    assert_eq!(view.lines.len(), 2, "joined, and the first message");
    let last = serde_json::to_value(view.lines.last().unwrap()).unwrap();
    assert_eq!((&last["message"], &last["seq"]), (&json!("words 1"), &json!(view.last.0)));
}

#[actix::test]
async fn a_message_that_is_taken_back_at_once_is_told_as_it_was_and_then_taken_back() {
    let (setup, [a, b]) = RoomSetup::with_guests().await;
    setup.store.faults().holds_appends = true;
    a.post(1).await;
    a.retract(1).await;
    setup.release(AppendFault::None).await;
    let kinds: Vec<_> = b.frames().iter().map(|frame| frame["event"].clone()).collect();
    assert_eq!(kinds, ["event.chat", "event.unsend"]);
    assert_eq!(b.words(), words([1]));
    assert_eq!(setup.words().len(), 0, "the log never had its words");
}

#[actix::test]
async fn more_than_a_slow_disk_can_take_is_refused_and_can_be_sent_again() {
    let (setup, [a, b]) = RoomSetup::with_guests().await;
    setup.store.faults().holds_appends = true;
    a.post_all(0..600).await;
    let busy = a.refusals();
    assert!(busy.len() >= 150 && busy.iter().all(|why| *why == RoomError::Busy.to_string()), "{}", busy.len());
    assert_eq!(setup.rooms.seat(room(1), member(1)).await, Err(RoomError::Busy));
    setup.release(AppendFault::None).await;
    assert_eq!((b.words(), setup.words().len()), (setup.words(), 600 - busy.len()));
    a.post_all(0..600).await;
    assert_eq!((b.words().len(), setup.words().len()), (600, 600));
}
