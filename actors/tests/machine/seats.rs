//! Who has a seat, which emoji they wear, and what the others are told of it.

use std::panic::catch_unwind;

use annon_store::room::Sign;

use super::*;

#[test]
fn ten_people_sit_down_with_ten_emojis_and_the_eleventh_stays_out() {
    let mut story = Story::full();
    assert_eq!(story.room.seats().iter().map(|seat| seat.emoji).collect::<BTreeSet<_>>().len(), 10);
    assert_eq!(story.ask(Command::Claim { member: member(11), dice: 0, is_creator: false }, 3), Err(Code::GroupFull));
    assert_eq!(story.ask(post(11, 1), 3), Err(Code::NotAMember));
}

#[test]
fn coming_back_takes_no_second_seat() {
    let mut story = Story::full();
    assert_eq!(story.ask(Command::Claim { member: member(3), dice: 5, is_creator: false }, 3), Ok(None));
    assert_eq!(story.ask(Command::Arrive(member(3)), 3), Ok(None));
}

#[test]
fn who_leaves_frees_a_seat_and_their_emoji_is_not_worn_again() {
    let mut story = Story::full();
    let emoji = story.room.seats()[4].emoji;
    story.ask(Command::Leave(member(4)), 3).unwrap();
    for dice in 0..200 {
        let claim = story.room.decide(Command::Claim { member: member(20), dice, is_creator: false }, Millis(4));
        assert!(matches!(claim, Ok(Some(RoomEvent::Claimed { emoji: other, .. })) if other != emoji));
    }
    assert_eq!(story.ask(post(4, 1), 4), Err(Code::NotAMember));
}

#[test]
fn when_every_emoji_has_been_worn_one_that_is_free_is_worn_again() {
    let mut story = Story::new(terms());
    for n in 0..u8::try_from(Emoji::all().count()).unwrap() {
        story.sit(n);
        story.ask(Command::Leave(member(n)), 3).unwrap();
    }
    (200..210).map(|n| story.sit(n)).for_each(drop);
    assert_eq!(story.room.seats().iter().map(|seat| seat.emoji).collect::<BTreeSet<_>>().len(), 10);
}

#[test]
fn seats_that_are_given_back_without_ever_having_come_use_up_no_emoji() {
    let mut story = Story::full();
    let spoke = story.room.seats()[4].emoji;
    story.ask(post(4, 1), 3).unwrap();
    story.ask(Command::Leave(member(4)), 3).unwrap();
    for dice in 0..300 {
        let claim = story.ask(Command::Claim { member: member(20), dice, is_creator: false }, 4);
        let Ok(Some(RoomEvent::Claimed { emoji, .. })) = claim else { panic!("{claim:?}") };
        assert_ne!(emoji, spoke, "after {dice} claims");
        let back = Command::Kick { emoji, with_messages: false };
        story.ask(if dice == 299 { back } else { Command::Leave(member(20)) }, 5).unwrap();
    }
    let claim = story.room.decide(Command::Claim { member: member(21), dice: 0, is_creator: false }, Millis(6));
    assert!(matches!(claim, Ok(Some(RoomEvent::Claimed { .. }))));
}

#[test]
fn when_every_emoji_has_been_worn_the_emojis_of_those_who_spoke_or_reacted_are_the_last_to_be_worn_again() {
    let count = u8::try_from(Emoji::all().count()).unwrap();
    let mut story = Story::new(Terms { keeps: lines(1000), ..terms() });
    let (mut silent, mut message) = (Vec::new(), Seq(0));
    for n in 0..count {
        let emoji = story.sit(n);
        match n % 4 {
            0 => silent.push(emoji),
            1 => {
                story.ask(post(n, 1), 3).unwrap();
                message = story.room.seq();
            }
            _ => {
                let sign = Sign::try_from("👍").unwrap();
                story.ask(Command::React { member: member(n), message, sign, on: true }, 3).unwrap();
            }
        }
        story.ask(Command::Leave(member(n)), 3).unwrap();
    }
    for dice in 0..300 {
        let claim = story.ask(Command::Claim { member: member(200), dice, is_creator: false }, 4);
        let Ok(Some(RoomEvent::Claimed { emoji, .. })) = claim else { panic!("{claim:?}") };
        assert!(silent.contains(&emoji), "somebody spoke or reacted as {emoji:?}");
        // The emoji stays free if the member who takes it never connects.
        story.ask(Command::Leave(member(200)), 5).unwrap();
    }
}

#[test]
fn a_seat_nobody_came_to_is_free_again_after_two_minutes() {
    let mut story = Story::new(terms());
    story.ask(Command::Claim { member: member(1), dice: 0, is_creator: false }, 1000).unwrap();
    assert_eq!(story.room.deadline(), Some(Millis(121_000)));
    assert_eq!(story.ask(Command::Wake, 120_999), Ok(None));
    let lapsed = RoomEvent::Lapsed { seat: SeatNumber(0), at: Millis(121_000) };
    assert_eq!(story.ask(Command::Wake, 121_000), Ok(Some(lapsed)));
    assert!(story.room.seats().is_empty());
    assert_eq!(story.room.lines_before(None).count(), 0, "nobody hears of somebody who never came");
    assert_eq!(story.room.deadline(), Some(Millis(24 * HOUR)));
}

#[test]
fn who_is_away_for_an_hour_loses_the_seat_if_they_never_spoke_and_somebody_could_take_it() {
    let mut story = Story::new(terms());
    for n in [1, 2] {
        story.sit(n);
    }
    story.ask(Command::Claim { member: member(3), dice: 3, is_creator: false }, 3).unwrap();
    let [silent, spoke, never_came] = [0, 1, 2].map(|at| story.room.seats()[at].number);
    story.ask(post(2, 1), 4).unwrap();
    let mut away = |seat, since, at| story.ask(Command::Away { seat, since: Millis(since) }, at);
    for seat in [spoke, never_came, SeatNumber(99)] {
        assert_eq!(away(seat, 10, 10 + HOUR), Ok(None), "{seat:?}");
    }
    assert_eq!(away(silent, 10, 9 + HOUR), Ok(None));
    let lapsed = RoomEvent::Lapsed { seat: silent, at: Millis(10 + HOUR) };
    assert_eq!(away(silent, 10, 10 + HOUR), Ok(Some(lapsed)));
}

#[test]
fn who_is_away_from_a_locked_room_keeps_the_seat() {
    let mut story = Story::new(terms());
    story.sit(1);
    let away = Command::Away { seat: story.room.seats()[0].number, since: Millis(10) };
    story.ask(Command::Lock(true), 11).unwrap();
    assert_eq!(story.ask(away.clone(), 10 + HOUR), Ok(None));
    story.ask(Command::Lock(false), 10 + HOUR).unwrap();
    assert!(story.ask(away, 10 + HOUR).unwrap().is_some());
}

#[test]
fn who_is_kicked_stays_out_and_their_words_go_with_them_if_asked() {
    let mut story = Story::full();
    story.ask(post(5, 1), 10).unwrap();
    let theirs = story.room.seq();
    story.ask(post(6, 1), 11).unwrap();
    let others = story.room.seq();
    let emoji = story.room.seats()[5].emoji;
    story.ask(Command::Kick { emoji, with_messages: true }, 12).unwrap();
    assert_eq!(
        story.ask(Command::Claim { member: member(5), dice: 1, is_creator: false }, 13),
        Err(Code::RemovedFromGroup)
    );
    assert_eq!(story.ask(post(5, 2), 13), Err(Code::RemovedFromGroup));
    let body = |seq| story.room.message(seq).unwrap().content().unwrap().body.clone();
    assert_eq!(body(theirs), Body::Gone);
    assert_eq!(body(others), text("hello"));
    assert_eq!(story.ask(Command::Kick { emoji, with_messages: false }, 14), Err(Code::NoSuchMember));
}

#[test]
fn a_locked_room_seats_nobody_new_and_loses_nobody() {
    let mut story = Story::new(terms());
    story.sit(1);
    assert!(!story.room.is_locked());
    story.ask(Command::Lock(true), 3).unwrap();
    assert!(story.room.is_locked());
    assert_eq!(story.ask(Command::Lock(true), 3), Ok(None));
    assert_eq!(story.ask(Command::Claim { member: member(2), dice: 1, is_creator: false }, 4), Err(Code::GroupLocked));
    assert_eq!(story.ask(Command::Claim { member: member(1), dice: 1, is_creator: false }, 4), Ok(None));
    story.ask(post(1, 1), 5).unwrap();
    story.ask(Command::Lock(false), 6).unwrap();
    story.ask(Command::Claim { member: member(2), dice: 1, is_creator: false }, 7).unwrap();
}

#[test]
fn who_reads_is_announced_once_also_without_ever_coming() {
    let mut story = Story::new(terms());
    let watcher = story.sit(1);
    let mut claim =
        |n: u8, at| match story.ask(Command::Claim { member: member(n), dice: u64::from(n), is_creator: false }, at) {
            Ok(Some(RoomEvent::Claimed { emoji, .. })) => emoji,
            other => panic!("no seat: {other:?}"),
        };
    let (comes, leaves, lapses, unseen) = (claim(2, 3), claim(3, 3), claim(4, 3), claim(5, 3));
    for n in [2, 3, 4] {
        story.ask(Command::Look(member(n)), 4).unwrap();
        assert_eq!(story.ask(Command::Look(member(n)), 5), Ok(None));
    }
    story.ask(Command::Arrive(member(2)), 6).unwrap();
    assert_eq!(story.ask(Command::Look(member(2)), 7), Ok(None));
    story.ask(Command::Leave(member(3)), 8).unwrap();
    // A seat lapses, too, if its member only reads and never connects.
    let late = 3 + u64::try_from(SEAT_WAITS.as_millis()).unwrap();
    assert_eq!(story.room.deadline(), Some(Millis(late)));
    story.ask(Command::Wake, late).unwrap();
    story.ask(Command::Wake, late).unwrap();
    assert_eq!(story.ask(Command::Wake, late), Ok(None));
    let joined = [watcher, comes, leaves, lapses].map(Notice::Joined);
    assert_eq!(story.notices(), [&joined[..], &[leaves, lapses].map(Notice::Left)].concat());
    assert_eq!(story.ask(Command::Look(member(9)), late), Err(Code::NotAMember));
    assert!(story.room.seats().iter().all(|seat| seat.emoji != unseen));
}

#[test]
fn notices_say_who_came_and_went() {
    let mut story = Story::new(terms());
    let (one, two) = (story.sit(1), story.sit(2));
    story.ask(Command::Leave(member(1)), 3).unwrap();
    story.ask(Command::Kick { emoji: two, with_messages: false }, 4).unwrap();
    let kicked = Notice::Kicked { seat: SeatNumber(1), emoji: two, with_messages: false };
    assert_eq!(story.notices(), [Notice::Joined(one), Notice::Joined(two), Notice::Left(one), kicked]);
}

#[test]
fn two_seats_with_one_emoji_or_one_member_are_a_bug_unless_a_log_has_lost_that_the_first_is_free() {
    let claimed = |seat, n, emoji| {
        let (seat, member, emoji) = (SeatNumber(seat), member(n), Emoji(emoji));
        RoomEvent::Claimed { seat, member, emoji, at: Millis(1) }
    };
    let first = claimed(1, 1, 1);
    for second in [claimed(2, 2, 1), claimed(2, 1, 2)] {
        Room::replay(terms(), [(Seq(1), &first), (Seq(2), &RoomEvent::Lost { from: Seq(2) }), (Seq(3), &second)]);
        let bug = catch_unwind(|| Room::replay(terms(), [(Seq(1), &first), (Seq(2), &second)]));
        assert!(bug.is_err(), "{second:?}");
    }
}
