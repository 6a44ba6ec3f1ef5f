//! When something breaks, nobody has seen what is not in the log, everybody connects again, and
//! other rooms do not notice.

use annon_contract::limits::SEAT_WAITS;
use annon_contract::palette::UNKNOWN_MEMBER;
use annon_store::StoreError;
use annon_store::room::{ChatId, ChatText, Millis, SeatNumber};
use serde_json::json;

use super::*;

const COME_AGAIN: Option<(Option<&str>, CloseReason)> = Some((None, CloseReason::ShuttingDown));

/// After an append that fails everybody is cut off. A member who connects again sees what is in the
/// log.
async fn comes_again(how: AppendFault, in_the_log: &[usize]) {
    let (setup, [a, b]) = RoomSetup::with_guests().await;
    let elsewhere = setup.guest_of(2, 1).await;
    let before = setup.end();
    setup.store.faults().holds_appends = true;
    a.post_all(1..3).await;
    let claim = setup.asks(async |rooms| rooms.claim(room(1), member(3), 3, false).await).await;
    setup.release(how).await;
    if how == AppendFault::Hangs {
        setup.pass(Duration::from_secs(9)).await;
        assert_eq!((a.end(), claim.is_finished()), (None, false));
        setup.pass(Duration::from_secs(1)).await;
    }
    assert_eq!((a.words(), b.words()), (words([]), words([])), "{how:?}: nobody saw it");
    assert_eq!((a.end(), b.end(), setup.rooms.open()), (COME_AGAIN, COME_AGAIN, 1), "{how:?}: only the other is open");
    assert!(claim.is_finished(), "{how:?}");
    let seat = claim.await.unwrap();
    // The claim failed, or it was tried again in the rebuilt room.
    assert!(seat.is_err() || setup.rooms.seat(room(1), member(3)).await == seat, "{how:?}");
    assert_eq!(setup.words(), words(in_the_log.iter().copied()), "{how:?}");

    let [a, b] = [setup.guest_again(1).await, setup.guest_again(2).await];
    b.connect(before).await;
    a.post_all(1..3).await;
    assert_eq!(setup.words(), words([1, 2]), "{how:?}: sent again, there once");
    assert_eq!(b.words(), words([1, 2]), "{how:?}");
    elsewhere.post(1).await;
    assert_eq!((elsewhere.words(), elsewhere.end()), (words([1]), None), "{how:?}: other rooms don't notice");
}

#[actix::test]
async fn after_an_append_that_ends_badly_nobody_has_seen_anything_and_all_come_again() {
    for error in [StoreError::Unavailable, StoreError::Corrupt] {
        comes_again(AppendFault::Fails(error), &[]).await;
    }
    comes_again(AppendFault::Panics, &[]).await;
    comes_again(AppendFault::Hangs, &[]).await;
    // The append was written, and not answered.
    comes_again(AppendFault::Unanswered, &[1, 2]).await;
}

#[actix::test]
async fn on_a_full_disk_sends_are_refused_and_everybody_stays() {
    let (setup, [a, b]) = RoomSetup::with_guests().await;
    for n in 1..=3 {
        setup.store.faults().next_append = AppendFault::Fails(StoreError::DiskFull);
        a.post(n).await;
    }
    assert_eq!(a.refusals(), ["The server has no space left for this. Try again later."; 3]);
    assert_eq!((a.end(), b.end(), b.frames().len()), (None, None, 0));
    b.post(4).await;
    a.post(2).await;
    let both = words([4, 2]);
    assert_eq!((a.words(), b.words(), setup.words()), (both.clone(), both.clone(), both));
}

#[actix::test]
async fn who_announces_themselves_beside_what_finds_no_space_is_answered_all_the_same() {
    let (setup, [a]) = RoomSetup::with_guests().await;
    let again = setup.guest_again(1).await;
    setup.store.faults().holds_appends = true;
    a.post(1).await;
    again.connect(0).await;
    setup.release(AppendFault::Fails(StoreError::DiskFull)).await;
    assert_eq!((a.end(), again.end()), (None, None));
    assert_eq!((a.refusals().len(), again.of("event.ready").len()), (1, 1));
}

#[actix::test]
async fn a_disk_that_is_full_for_ten_seconds_closes_no_socket() {
    let (setup, [a, b]) = RoomSetup::with_guests().await;
    setup.store.faults().is_full = true;
    for n in 1..=10 {
        a.post(n).await;
        b.connect(0).await;
        setup.pass(Duration::from_secs(1)).await;
    }
    setup.store.release_appends(AppendFault::None);
    a.post(11).await;
    assert_eq!((a.refusals().len(), b.of("event.ready").len(), b.words()), (10, 10, words([11])));
    assert_eq!((a.end(), b.end()), (None, None));
}

#[actix::test]
async fn a_conflict_is_noticed_by_nobody() {
    let (setup, [a, b]) = RoomSetup::with_guests().await;
    setup.store.faults().holds_appends = true;
    a.post_all(1..4).await;
    let claim = setup.asks(async |rooms| rooms.claim(room(1), member(3), 3, false).await).await;
    // Somebody else has written first.
    let event = |locked| RoomEvent::Locked { locked, at: Millis(0) };
    setup.store.write_elsewhere(room(1), vec![event(true), event(false)]);
    setup.release(AppendFault::None).await;
    assert!(claim.await.unwrap().is_ok());
    for guest in [&a, &b] {
        assert_eq!((guest.words(), guest.news().len(), guest.end()), (words([1, 2, 3]), 2, None));
        assert_eq!(guest.refusals().len(), 0);
    }
    assert_eq!(setup.words(), words([1, 2, 3]), "each is there once");
}

#[actix::test]
async fn what_is_sent_while_a_room_catches_up_comes_behind_what_was_sent_before() {
    let (setup, [a, b]) = RoomSetup::with_guests().await;
    setup.store.faults().holds_appends = true;
    a.post_all(1..4).await;
    setup.store.write_elsewhere(room(1), vec![RoomEvent::Locked { locked: true, at: Millis(0) }]);
    setup.store.hold_reads(true);
    setup.release(AppendFault::None).await;
    a.post(4).await;
    setup.store.hold_reads(false);
    run_until_idle().await;
    assert_eq!((a.words(), b.words()), (words([1, 2, 3, 4]), words([1, 2, 3, 4])));
}

#[actix::test]
async fn after_twenty_conflicts_in_a_row_the_room_is_busy_and_nothing_is_lost() {
    let (setup, [a, b]) = RoomSetup::with_guests().await;
    setup.store.faults().conflicts = 21;
    a.post(1).await;
    setup.pass(Duration::from_secs(1)).await;
    assert_eq!((a.refusals(), a.end(), b.end()), (vec![RoomError::Busy.to_string()], None, None));
    a.post(1).await;
    assert_eq!((b.words(), setup.words()), (words([1]), words([1])));
    setup.store.faults().conflicts = 20;
    a.post(2).await;
    setup.pass(Duration::from_secs(1)).await;
    assert_eq!((a.refusals().len(), b.words()), (1, words([1, 2])), "one less is noticed by nobody");
}

#[actix::test]
async fn what_was_missed_is_gathered_once_while_the_disk_is_slow() {
    let (setup, [a]) = RoomSetup::with_guests().await;
    let again = setup.guest_again(1).await;
    setup.store.faults().holds_appends = true;
    a.post(1).await;
    for _ in 0..20 {
        again.connect(0).await;
    }
    setup.release(AppendFault::None).await;
    assert_eq!((again.of("event.ready").len(), again.words()), (1, words([1])));
    again.connect(0).await;
    assert_eq!(again.of("event.ready").len(), 2);
}

#[actix::test]
async fn what_only_the_clock_asks_for_leaves_a_full_disk_alone() {
    let (setup, [_a]) = RoomSetup::with_guests().await;
    setup.rooms.claim(room(1), member(2), 0, false).await.unwrap();
    setup.store.faults().is_full = true;
    setup.pass(SEAT_WAITS - Duration::from_secs(1)).await;
    assert_eq!(setup.store.faults().seen().refused, 0);
    setup.pass(Duration::from_secs(35)).await;
    assert_eq!(setup.store.faults().seen().refused, 4, "one try every ten seconds");
    setup.store.release_appends(AppendFault::None);
    setup.pass(Duration::from_secs(10)).await;
    assert!(matches!(setup.log().last(), Some((_, RoomEvent::Lapsed { .. }))));
}

#[actix::test]
async fn a_log_that_can_not_be_read_in_ten_seconds_is_tried_again_later() {
    let setup = RoomSetup::new();
    setup.store.hold_reads(true);
    let claim = setup.asks(async |rooms| rooms.claim(room(1), member(1), 1, false).await).await;
    setup.pass(Duration::from_secs(60)).await;
    assert_eq!(claim.await.unwrap(), Err(RoomError::Stuck));
    setup.store.hold_reads(false);
    run_until_idle().await;
    assert!(setup.rooms.claim(room(1), member(1), 1, false).await.is_ok());
}

#[actix::test]
async fn who_enters_a_room_that_breaks_or_has_just_ended_comes_again() {
    for how in [AppendFault::Fails(StoreError::Unavailable), AppendFault::Panics] {
        let (setup, [a, _b]) = RoomSetup::with_guests().await;
        let late = setup.rooms.socket(room(1), member(2)).await.unwrap();
        let queued = setup.rooms.socket(room(1), member(2)).await.unwrap();
        setup.store.faults().next_append = how;
        // The room runs only when all of this is in its mailbox.
        a.send("event.chat", &[("id", id(1).into()), ("message", "words".into())]);
        let queued = Guest::start(queued, room(1));
        let seat = setup.asks(async |rooms| rooms.seat(room(1), member(2)).await).await;
        let late = Guest::start(late, room(1));
        run_until_idle().await;
        let ends = [&a, &queued, &late].map(Guest::end);
        assert_eq!(ends, [COME_AGAIN; 3], "{how:?}: nobody sits in front of nothing");
        assert!(seat.is_finished(), "{how:?}");
    }
}

#[actix::test]
async fn somebody_sent_away_between_handshake_and_entry_is_told_so() {
    let (setup, [a]) = RoomSetup::with_guests().await;
    for (is_kicked, end) in
        [(false, (Some("left_group"), CloseReason::Left)), (true, (Some("removed_from_group"), CloseReason::Kicked))]
    {
        let emoji = setup.rooms.claim(room(1), member(2), 2, false).await.unwrap();
        let role = setup.rooms.socket(room(1), member(2)).await.unwrap();
        let kick = Command::Kick { emoji, with_messages: false };
        let command = if is_kicked { kick } else { Command::Leave(member(2)) };
        setup.rooms.command(room(1), command).await.unwrap();
        let guest = Guest::start(role, room(1));
        guest.send_and_wait("event.active-users", &[]).await;
        assert_eq!(guest.end(), Some(end));
        assert_eq!(guest.frames().len(), 0, "and hears nothing else");
    }
    assert_eq!(a.end(), None);
}

#[actix::test]
async fn a_server_that_ends_sends_everybody_away_to_come_again() {
    let (setup, [a, b]) = RoomSetup::with_guests().await;
    setup.rooms.farewells().into_iter().for_each(|say| say());
    run_until_idle().await;
    assert_eq!((a.end(), b.end()), (COME_AGAIN, COME_AGAIN));
}

#[actix::test]
async fn who_was_away_when_many_messages_were_taken_back_at_once_loads_the_room_anew() {
    let (setup, [a, b]) = RoomSetup::with_guests().await;
    b.post_all(0..600).await;
    let since = setup.end();
    a.tear_away();
    let emoji = setup.rooms.seat(room(1), member(2)).await.unwrap();
    setup.command(Command::Kick { emoji, with_messages: true }).await.unwrap();
    let a = setup.guest_again(1).await;
    a.connect(since).await;
    assert_eq!((&a.of("event.ready")[0]["resumed"], a.of("event.unsend").len()), (&false.into(), 0));
}

#[actix::test]
async fn who_missed_too_many_lines_or_too_much_for_one_who_may_not_read_loads_the_room_anew() {
    for (words, many, few) in [("words".to_owned(), 600, 400), ("🦊".repeat(255), 130, 70)] {
        let (setup, [a, b]) = RoomSetup::with_guests().await;
        let before = setup.end();
        a.post_each((0..many).map(|n| (n, words.clone()))).await;
        for (since, resumed, missed) in [(before, false, 0), (setup.end() - few, true, few as usize)] {
            b.forget();
            b.connect(since).await;
            assert_eq!((&b.of("event.ready")[0]["resumed"], b.words().len()), (&resumed.into(), missed));
        }
    }
}

/// A damaged log has lost who took the first seat, and has what they said.
#[actix::test]
async fn a_message_whose_sender_is_lost_is_everybodys_to_read_and_nobodys_own() {
    let setup = RoomSetup::new();
    let (id_of_first, body) = (ChatId::try_from(id(1)).unwrap(), Body::Text(ChatText::try_from("words 1").unwrap()));
    let posted = RoomEvent::Posted { seat: SeatNumber(1), id: id_of_first, body, reply_to: None, at: Millis(0) };
    setup.store.write_elsewhere(room(1), vec![RoomEvent::Lost { from: Seq(1) }, posted]);
    let [a, b] = setup.guests().await;
    let reply = json!([null, null, 2, null]);
    a.send_and_wait("event.chat", &[("id", id(2).into()), ("message", "words 2".into()), ("reply", reply)]).await;
    let view = setup.rooms.view(room(1), Some(member(2)), None, 500).await.unwrap();
    let lines = view.lines.iter().map(|line| serde_json::to_value(line).unwrap());
    let chats: Vec<_> = lines.filter(|line| line["event"] == "event.chat").collect();
    assert_eq!((&chats[0]["message"], &chats[0]["sender"]), (&json!("words 1"), &json!(UNKNOWN_MEMBER)));
    assert_eq!((&chats[1]["message"], &chats[1]["reply"][0]), (&json!("words 2"), &json!(UNKNOWN_MEMBER)));
    // Who has come since can't take it back as if it were their own.
    for guest in [&a, &b] {
        guest.retract(1).await;
        assert_eq!(guest.refusals().len(), 1);
    }
    assert_eq!(setup.words(), words([1, 2]));
}
