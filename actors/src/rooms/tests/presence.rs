//! Active members, typing members, and members who can't keep up.

use annon_contract::limits::{SEAT_WAITS, SOCKET_WAITING};

use super::*;

#[actix::test]
async fn nobody_reads_unseen() {
    let (setup, [a]) = RoomSetup::with_guests().await;
    setup.store.faults().seen();
    let (emoji, view) = setup.rooms.come_in(room(1), member(2), 2, false, (None, 10)).await.unwrap();
    let line = |what| format!("{} {what}", emoji.as_str());
    run_until_idle().await;
    assert_eq!(setup.store.faults().seen().appended, [2], "a seat and a look are one append");
    assert_eq!(a.news(), [line("joined")]);
    let last = serde_json::to_value(view.lines.last()).unwrap();
    assert_eq!(last["message"], line("joined"), "and see that they were seen");
    assert_eq!(view.members.len(), 2);

    // A member is announced once: another look or a socket adds no notice.
    let (again, view) = setup.rooms.come_in(room(1), member(2), 9, false, (None, 10)).await.unwrap();
    assert_eq!((again, view.last), (emoji, Seq(4)));
    let b = setup.guest_again(2).await;
    b.tear_away();
    setup.command(Command::Leave(member(2))).await.unwrap();
    assert_eq!(a.news(), [line("joined"), line("left")]);

    // A seat alone shows no messages, so it causes no notice before a look.
    a.forget();
    let emoji = setup.rooms.claim(room(1), member(3), 3, false).await.unwrap();
    run_until_idle().await;
    assert_eq!(a.of("event.notify").len(), 0);
    setup.rooms.view(room(1), Some(member(3)), None, 1).await.unwrap();
    setup.pass(SEAT_WAITS + Duration::from_secs(1)).await;
    assert_eq!(a.news(), ["joined", "left"].map(|what| format!("{} {what}", emoji.as_str())));
}

#[actix::test]
async fn typing_is_passed_on_at_most_once_in_two_seconds_and_to_others_only() {
    let (setup, [a, b]) = RoomSetup::with_guests().await;
    let other_window = setup.guest_again(1).await;
    other_window.send_and_wait("event.connect", &[]).await;
    for _ in 0..21 {
        a.send_and_wait("event.typing", &[]).await;
        other_window.send_and_wait("event.typing", &[]).await;
        setup.pass(Duration::from_millis(199)).await;
    }
    let received = [a, other_window, b].map(|guest| guest.of("event.typing").len());
    assert_eq!(received, [0, 0, 2], "per seat, not per window");
}

#[actix::test]
async fn somebody_who_reads_too_slowly_is_parted_with_and_the_others_see_it() {
    let (setup, [a]) = RoomSetup::with_guests().await;
    setup.rooms.claim(room(1), member(2), 2, false).await.unwrap();
    let asleep = Guest::asleep(setup.rooms.socket(room(1), member(2)).await.unwrap(), room(1));
    asleep.send_and_wait("event.connect", &[]).await;
    let seen = || a.of("event.active-users").last().unwrap()["active_users"].as_array().unwrap().len();
    assert_eq!(seen(), 2);
    // Each frame is longer than a hundred bytes.
    let many = SOCKET_WAITING / 100;
    a.post_all(0..many).await;
    assert_eq!((seen(), a.words(), a.end()), (1, words(0..many), None));
}
