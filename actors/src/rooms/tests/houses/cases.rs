//! What must hold between servers that share one store, case by case.

use annon_store::room::KnockId;

use super::*;
use crate::room::door::KnockState;
use crate::rooms::tests::owner::{OWNER, OpenWindow, over, stands};

/// A picture is uploaded by one server, and posted by another, which has to ask the record for it.
#[actix::test]
async fn a_picture_that_another_server_stored_can_be_shown() {
    let houses = houses();
    let guests = [houses[0].guest_of(1, 1).await, houses[1].guest_of(1, 2).await];
    houses[1].store.make_wire_bad(0);
    let image = houses[0].upload(7).await;
    let picture = format!("/api/room/{}/image/{}", room(1).0, image.0);
    houses[0].store.faults().seen();
    guests[1].send_and_wait("event.unsend", &[("id", id(9).into())]).await;
    assert_eq!(guests[1].refusals().len(), 1);
    let seen = houses[0].store.faults().seen();
    assert_eq!((seen.reads, seen.lists), (1, 0), "what is not about pictures asks for none");
    guests[1].send_and_wait("event.image", &[("id", id(1).into()), ("image_src", picture.into())]).await;
    assert_eq!((guests[1].refusals().len(), guests[0].of("event.image").len()), (1, 1));
}

/// A server that hasn't heard of the message which shows a picture doesn't remove it.
#[actix::test]
async fn a_picture_that_another_server_shows_is_not_removed() {
    let houses = houses();
    let guests = [houses[0].guest_of(1, 1).await, houses[1].guest_of(1, 2).await];
    let image = houses[0].upload(7).await;
    let picture = format!("/api/room/{}/image/{}", room(1).0, image.0);
    houses[0].store.part(0, 1);
    pass(&houses, Duration::from_secs(500)).await;
    guests[1].send_and_wait("event.image", &[("id", id(1).into()), ("image_src", picture.as_str().into())]).await;
    assert_eq!((guests[1].refusals().len(), guests[0].of("event.image").len()), (0, 0));
    pass(&houses, Duration::from_secs(200)).await;
    let kept = async || houses[0].store.images().list(annon_store::image::Album::Room(room(1).0)).await.unwrap().len();
    assert_eq!(kept().await, 1);
    // One that nobody shows goes, and is not taken for a message shortly before that.
    houses[0].upload(8).await;
    pass(&houses, Duration::from_secs(560)).await;
    let late = picture.replace(&image.0.to_string(), &Uuid::from_u128(8).to_string());
    guests[1].send_and_wait("event.image", &[("id", id(2).into()), ("image_src", late.into())]).await;
    assert_eq!((guests[1].refusals().len(), kept().await), (1, 2));
    houses[0].store.mend_wire();
    pass(&houses, Duration::from_secs(100)).await;
    assert_eq!(kept().await, 1);
}

/// Two servers give the last seat at the same moment: one of the two gets it.
#[actix::test]
async fn the_last_seat_is_given_once() {
    let houses = houses();
    for n in 0..9 {
        houses[usize::from(n) % HOUSES].rooms.claim(room(1), member(n), u64::from(n), false).await.unwrap();
    }
    let claims = [(0, 20), (1, 21)].map(|(house, n): (usize, u8)| {
        let rooms: Rooms = houses[house].rooms.clone();
        actix::spawn(async move { rooms.claim(room(1), member(n), 1, false).await })
    });
    let [one, other] = claims.map(|claim| claim.now_or_never());
    assert!(one.is_none() && other.is_none(), "both are asked before either is answered");
    run_until_idle().await;
    assert_eq!(room_of(&houses[0]).seats().len(), 10);
    let seated = |n| room_of(&houses[0]).seat_of(member(n)).is_ok();
    assert!(seated(20) != seated(21));
}

/// Somebody is removed by one server in the moment in which they send at another one.
#[actix::test]
async fn who_is_removed_while_they_send_is_heard_before_it_or_not_at_all() {
    let houses = houses();
    let (creator, sender) = (houses[0].guest_of(1, 1).await, houses[1].guest_of(1, 2).await);
    let emoji = houses[0].rooms.seat(room(1), member(2)).await.unwrap();
    sender.send("event.chat", &[("id", id(1).into()), ("message", "words 1".into())]);
    let kick = Command::Kick { emoji, with_messages: false };
    let kicked = houses[0].rooms.command(room(1), kick).await;
    run_until_idle().await;
    assert_eq!(kicked, Ok(()));
    assert_eq!(sender.end(), Some((Some("removed_from_group"), CloseReason::Kicked)));
    assert_eq!(creator.words(), houses[0].words(), "what the log has, and nothing else");
}

#[actix::test]
async fn what_was_missed_while_two_servers_were_parted_is_told_when_they_meet() {
    let houses = houses();
    let (guest, other) = (houses[0].guest_of(1, 1).await, houses[1].guest_of(1, 2).await);
    houses[0].store.part(0, 1);
    guest.forget();
    other.post_all(1..4).await;
    assert_eq!(guest.words(), words([]));
    houses[0].store.mend_wire();
    run_until_idle().await;
    assert_eq!(guest.words(), words([1, 2, 3]));
}

#[actix::test]
async fn a_server_that_was_paused_goes_on_with_what_piled_up() {
    let houses = houses();
    let (guest, other) = (houses[0].guest_of(1, 1).await, houses[1].guest_of(1, 2).await);
    let paused = pause(&houses[0]);
    other.post_all(1..4).await;
    guest.post(4).await;
    assert_eq!((guest.words(), other.words()), (words([]), words([1, 2, 3])));
    drop(paused);
    run_until_idle().await;
    assert_eq!((guest.words(), other.words()), (words([1, 2, 3, 4]), words([1, 2, 3, 4])));
}

/// A browser that comes from another server may have seen more than this one.
#[actix::test]
async fn who_has_seen_more_than_a_server_knows_resumes_there() {
    let houses = houses();
    let (_guest, other) = (houses[0].guest_of(1, 1).await, houses[1].guest_of(1, 2).await);
    houses[0].store.part(0, 1);
    other.post_all(1..4).await;
    let since = houses[0].end();
    other.tear_away();
    let roams = houses[0].guest_again(2).await;
    roams.connect(since).await;
    assert_eq!((&roams.of("event.ready")[0]["resumed"], roams.words()), (&true.into(), words([])));
}

/// A seat is known in the moment in which its cookie is, also where nobody was told of it.
#[actix::test]
async fn who_was_just_let_in_at_one_server_gets_no_no_at_another() {
    let houses = houses();
    let (_guest, _other) = (houses[0].guest_of(1, 1).await, houses[1].guest_of(1, 2).await);
    houses[0].store.part(0, 1);
    houses[0].rooms.claim(room(1), member(3), 1, false).await.unwrap();
    // Both are asked at once: the yes to the first doesn't make the no to the second fresh.
    let asked = [2, 3].map(|n| {
        let rooms: Rooms = houses[1].rooms.clone();
        actix::spawn(async move { rooms.socket(room(1), member(n)).await })
    });
    run_until_idle().await;
    for asked in asked {
        assert!(asked.now_or_never().unwrap().unwrap().is_ok());
    }
}

/// A no that needs words from the log is made fresh once, and then said.
#[actix::test]
async fn who_replies_to_an_old_message_when_the_time_is_up_is_answered() {
    let houses = houses();
    let guest = houses[0].guest_of(1, 1).await;
    guest.post_all(1..400).await;
    houses[0].make_way().await;
    // The time of day is set, and no timer rings.
    houses[0].clock.step(Duration::from_secs(LIFETIME));
    houses[0].store.faults().seen();
    let reply = serde_json::json!(["", "", 5]);
    guest.send_and_wait("event.chat", &[("id", id(900).into()), ("message", "late".into()), ("reply", reply)]).await;
    let seen = houses[0].store.faults().seen();
    assert_eq!((guest.refusals().len(), seen.reads, seen.picks), (1, 1, 2));
}

/// A server may still read from a database that the others have left. It doesn't know what has
/// happened since, and says no to nobody.
#[actix::test]
async fn a_server_that_was_left_behind_says_no_to_nobody() {
    let houses = houses();
    let (guest, other) = (houses[0].guest_of(1, 1).await, houses[1].guest_of(1, 2).await);
    let left_at = Seq(houses[0].end());
    houses[0].store.part(0, 1);
    houses[0].store.faults().left_behind.insert(1, left_at);
    houses[0].rooms.claim(room(1), member(3), 1, false).await.unwrap();
    guest.post(1).await;
    let picture = format!("/api/room/{}/image/{}", room(1).0, Uuid::from_u128(7));
    let post = async || {
        other.send_and_wait("event.image", &[("id", id(9).into()), ("image_src", picture.as_str().into())]).await;
    };
    let there: Rooms = houses[1].rooms.clone();
    let ask = async || {
        let opened = there.socket(room(1), member(3)).await.map(drop);
        [opened, there.may_upload(room(1), member(3), 10).await, there.metadata(room(77)).await.map(drop)]
    };
    assert_eq!(ask().await, [Err(RoomError::Store(StoreError::Unreachable)); 3]);
    post().await;
    assert_eq!(other.of("event.error")[0]["code"], "cannot_store", "and not that it is another group's");
    let roams = houses[1].guest_again(1).await;
    roams.connect(houses[0].end()).await;
    assert_eq!(roams.of("event.ready").len(), 0, "it connects again");
    houses[0].store.faults().left_behind.clear();
    assert_eq!(ask().await, [Ok(()), Ok(()), Err(RoomError::Gone)]);
    houses[0].upload(7).await;
    post().await;
    assert_eq!((other.refusals().len(), guest.of("event.image").len()), (1, 0), "they are still parted");
}

/// Each server shows who is connected to any of them, whatever is lost on the way.
#[actix::test]
async fn everybody_is_shown_who_is_connected_to_another_server() {
    let houses = houses();
    let (guest, other) = (houses[0].guest_of(1, 1).await, houses[1].guest_of(1, 2).await);
    let seen = |guest: &Guest| {
        guest.of("event.active-users").last().map(|list| list["active_users"].as_array().unwrap().len())
    };
    pass(&houses, STEP).await;
    assert_eq!([&guest, &other].map(seen), [Some(2); 2]);
    other.send_and_wait("event.typing", &[]).await;
    assert_eq!((guest.of("event.typing").len(), other.of("event.typing").len()), (1, 0));
    other.tear_away();
    pass(&houses, STEP).await;
    assert_eq!(seen(&guest), Some(1), "said at once");
    let _again = houses[1].guest_again(2).await;
    pass(&houses, STEP).await;
    assert_eq!(seen(&guest), Some(2));
    houses[0].store.part(0, 1);
    run_until_idle().await;
    assert_eq!(seen(&guest), Some(1), "who isn't heard is not shown");
    houses[0].store.mend_wire();
    pass(&houses, STEP).await;
    assert_eq!(seen(&guest), Some(2), "they asked each other");
    let _paused = pause(&houses[1]);
    pass(&houses, MINUTE).await;
    assert_eq!(seen(&guest), Some(1), "and what was said long ago is forgotten");
}

/// A server must not free the seat of somebody who is connected to another one, also not when
/// it could not know.
#[actix::test]
async fn who_is_quiet_at_another_server_keeps_the_seat_and_who_is_away_loses_it() {
    let houses = houses();
    let (guest, quiet) = (houses[0].guest_of(1, 1).await, houses[1].guest_of(1, 2).await);
    houses[2].guest_of(1, 3).await.tear_away();
    guest.post(1).await;
    pass(&houses, 2 * SEAT_LAPSES).await;
    assert_eq!(quiet.end(), None);
    let seated = |n| room_of(&houses[0]).seat_of(member(n)).is_ok();
    assert_eq!([1, 2, 3].map(seated), [true, true, false], "who is connected nowhere is away");
    // Nobody hears anybody for a moment, in which anybody may have been connected.
    houses[1].guest_of(1, 4).await.tear_away();
    pass(&houses, SEAT_LAPSES - MINUTE).await;
    houses[0].store.part(0, 1);
    houses[0].store.part(1, 2);
    houses[0].store.part(2, 0);
    pass(&houses, 2 * MINUTE).await;
    assert!(seated(4), "nobody can know that");
    pass(&houses, SEAT_LAPSES + 2 * MINUTE).await;
    assert!(seated(2) && seated(4), "nor while they are parted");
    houses[0].store.mend_wire();
    pass(&houses, SEAT_LAPSES + 2 * MINUTE).await;
    assert_eq!([2, 4].map(seated), [true, false]);
}

/// Whoever asks a server where nobody is gets to know of those at the others.
#[actix::test]
async fn how_groups_stand_is_known_where_nobody_is_after_one_wait() {
    let houses = houses();
    let (_guest, other) = (houses[0].guest_of(1, 1).await, houses[1].guest_of(1, 2).await);
    let _third = houses[1].guest_of(2, 3).await;
    let mut asked = Vec::new();
    for n in 1..=3 {
        asked.push(houses[2].rooms.metadata(room(n)).await.unwrap());
    }
    for active in [2, 1] {
        let (rooms, asked): (Rooms, _) = (houses[2].rooms.clone(), asked.clone());
        let standings = actix::spawn(async move { rooms.standings(&asked).await });
        run_until_idle().await;
        // The others gather what changes, and then answer; then the question is over.
        for house in [0, 1, 2, 2] {
            houses[house].pass(Duration::from_millis(50)).await;
        }
        let standings = standings.now_or_never().unwrap().unwrap();
        let standings = standings.into_iter().map(|standing| standing.unwrap());
        let standings: Vec<_> = standings.map(|standing| (standing.seats, standing.active)).collect();
        assert_eq!(standings, [(2, active), (1, 1), (0, 0)]);
        other.tear_away();
        pass(&houses, STEP).await;
    }
    assert_eq!(houses[2].rooms.open(), 0);
}

#[actix::test]
async fn a_server_alone_waits_for_nobody() {
    let houses = houses();
    let metadata = houses[2].rooms.metadata(room(1)).await.unwrap();
    let rooms: Rooms = houses[2].rooms.clone();
    let standings = actix::spawn(async move { rooms.standings(&[metadata]).await });
    run_until_idle().await;
    assert!(standings.now_or_never().unwrap().unwrap()[0].is_ok());
}

#[actix::test]
async fn a_group_that_is_closed_at_one_server_is_closed_at_all() {
    let houses = houses();
    let guest = houses[0].guest_of(1, 1).await;
    houses[1].command(Command::Close).await.unwrap();
    assert_eq!(guest.end(), Some((Some("group_deleted"), CloseReason::Deleted)));
}

/// A room that hears twice, or backwards, or of what it wrote itself, tells each line once.
#[actix::test]
async fn a_wire_that_repeats_itself_is_not_believed() {
    let houses = houses();
    let guest = houses[0].guest_of(1, 1).await;
    let other = houses[1].guest_of(1, 2).await;
    guest.forget();
    for seed in [1, 3, 5, 7, 9] {
        houses[0].store.make_wire_bad(seed);
        other.post_all(seed as usize * 100..seed as usize * 100 + 20).await;
    }
    houses[0].store.mend_wire();
    run_until_idle().await;
    assert_eq!(guest.words(), houses[0].words());
}

/// The owner's window and the members may be at different servers.
#[actix::test]
async fn an_owner_is_told_of_their_room_wherever_its_members_are() {
    let houses = houses();
    for house in &houses {
        actix::spawn(house.inboxes.clone().hear_others(Arc::new(house.store.clone()), house.clock.clone()));
    }
    run_until_idle().await;
    let window = OpenWindow::of(&houses[1], OWNER);
    let told = async || {
        pass(&houses, STEP).await;
        let told = window.told().into_iter();
        told.filter(|frame| frame["event"] == "event.room").collect::<Vec<_>>()
    };
    let guest = houses[0].guest_of(1, 1).await;
    assert_eq!(told().await.last(), Some(&stands(1, 1, 0)));
    let other = houses[2].guest_of(1, 2).await;
    assert_eq!(told().await.last(), Some(&stands(2, 2, 0)));
    guest.post(1).await;
    assert_eq!(told().await, [stands(2, 2, 1)], "once, though both of them tell it");
    guest.tear_away();
    assert_eq!(told().await, [stands(2, 1, 1)]);
    // A server that has nobody in the room any more forgets it.
    pass(&houses, 2 * MINUTE).await;
    assert_eq!((houses[0].rooms.open(), told().await), (0, vec![]));
    other.post(2).await;
    assert_eq!(told().await, [stands(2, 1, 2)]);
    houses[2].command(Command::Close).await.unwrap();
    assert_eq!(told().await, [over()]);
}

/// A visitor waits at one server, the creator is at another, and what they hear of each other is lost.
#[actix::test]
async fn who_is_admitted_at_one_server_comes_in_at_another() {
    let houses = houses();
    let knock = |n| KnockId([n; 16]);
    houses[0].command(Command::AskFirst(true)).await.unwrap();
    let mut seen = houses[1].rooms.knock(room(1), member(2), knock(2), 2).await.unwrap();
    let emoji = houses[1].rooms.knock(room(1), member(3), knock(3), 3).await.unwrap().emoji;
    houses[0].command(Command::AnswerKnock { knock: knock(2), admits: true }).await.unwrap();
    assert!(seen.door.has_changed().unwrap(), "the other server has heard of it");
    seen.door.mark_unchanged();
    houses[0].store.part(0, 1);
    houses[0].store.part(0, 2);
    houses[0].command(Command::AnswerKnock { knock: knock(3), admits: true }).await.unwrap();
    assert!(!seen.door.has_changed().unwrap());
    assert_eq!(houses[1].rooms.knock_seen(room(1), knock(3), true).await.unwrap().state, KnockState::Admitted);
    assert_eq!(houses[2].rooms.claim(room(1), member(3), 1, false).await, Ok(emoji));
    assert!(houses[2].rooms.claim(room(1), member(2), 1, false).await.is_ok());
    assert_eq!(houses[2].rooms.knocks(room(1)).await.unwrap().knocks, []);
}
