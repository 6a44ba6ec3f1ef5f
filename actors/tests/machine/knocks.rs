//! Rooms that ask first: who knocks, who is admitted, and who comes in.

use annon_actors::room::door::KnockState;
use annon_contract::limits::{KNOCK_LASTS, KNOCKS_OF_VISITOR, KNOCKS_PER, KNOCKS_WAITING};
use annon_store::room::KnockId;

use super::*;

fn claim(n: u8) -> Command {
    Command::Claim { member: member(n), dice: u64::from(n), is_creator: false }
}

fn knock(n: u8, id: u8) -> Command {
    Command::Knock { member: member(n), knock: KnockId([id; 16]), dice: u64::from(n) * 31 }
}

fn answer(id: u8, admits: bool) -> Command {
    Command::AnswerKnock { knock: KnockId([id; 16]), admits }
}

fn millis(time: std::time::Duration) -> u64 {
    u64::try_from(time.as_millis()).expect("short enough")
}

/// A room that asks first, with one member.
fn asks_first() -> Story {
    let mut story = Story::new(terms());
    story.sit(1);
    story.ask(Command::AskFirst(true), 3).expect("nothing speaks against it");
    story
}

fn state(story: &Story, id: u8, at: u64) -> Option<KnockState> {
    story.room.knock_with(KnockId([id; 16])).map(|knock| knock.state(Millis(at)))
}

fn waiting(story: &Story, at: u64) -> Vec<KnockId> {
    story.room.knocks(Millis(at)).map(|knock| knock.id).collect()
}

fn is_as_its_log(story: &Story) {
    assert_eq!(Room::replay(terms(), (1..).map(Seq).zip(&story.log)), story.room);
}

#[test]
fn who_is_admitted_comes_in_with_the_emoji_that_the_creator_saw() {
    let mut story = asks_first();
    assert_eq!(story.ask(claim(2), 4), Err(Code::AsksFirst));
    let Ok(Some(RoomEvent::Knocked { emoji, .. })) = story.ask(knock(2, 7), 5) else { panic!("not heard") };
    assert_eq!(story.ask(knock(2, 8), 6), Ok(None), "one visitor waits once");
    assert_eq!((waiting(&story, 6), state(&story, 8, 6)), (vec![KnockId([7; 16])], None));
    assert_eq!(story.ask(claim(2), 7), Err(Code::AsksFirst));
    story.ask(answer(7, true), 8).unwrap();
    assert_eq!(story.ask(answer(7, true), 9), Ok(None));
    assert_eq!(story.ask(answer(7, false), 9), Err(Code::NoSuchKnock), "it was answered");
    assert_eq!((waiting(&story, 9), state(&story, 7, 9)), (vec![], Some(KnockState::Admitted)));
    let Ok(Some(RoomEvent::Claimed { emoji: got, .. })) = story.ask(claim(2), 10) else { panic!("no seat") };
    assert_eq!(got, emoji);
    assert_eq!(story.ask(claim(3), 11), Err(Code::AsksFirst), "nobody else");
    is_as_its_log(&story);
}

#[test]
fn nobody_inside_is_told_of_knocks_and_answers() {
    let mut story = asks_first();
    let lines = |story: &Story| story.room.lines_before(None).map(|line| line.seq).collect::<Vec<_>>();
    let before = lines(&story);
    for (n, admits) in [(2, true), (3, false)] {
        story.ask(knock(n, n), 5).unwrap();
        story.ask(answer(n, admits), 6).unwrap();
    }
    story.ask(Command::AskFirst(false), 7).unwrap();
    assert_eq!(lines(&story), before);
}

#[test]
fn who_was_declined_stays_out_and_knocks_three_times_in_an_hour() {
    let mut story = asks_first();
    for id in 1..=3 {
        story.ask(knock(2, id), 1000).unwrap();
        story.ask(answer(id, false), 2000).unwrap();
        assert_eq!(
            (state(&story, id, 2000), story.ask(claim(2), 2000)),
            (Some(KnockState::Declined), Err(Code::AsksFirst))
        );
    }
    assert_eq!(usize::from(3_u8), KNOCKS_OF_VISITOR);
    let again = 1000 + millis(KNOCKS_PER);
    assert_eq!(story.ask(knock(2, 9), again - 1), Err(Code::KnockedTooOften));
    assert!(story.ask(knock(3, 8), again - 1).unwrap().is_some(), "somebody else");
    assert!(story.ask(knock(2, 9), again).unwrap().is_some());
    is_as_its_log(&story);
}

#[test]
fn a_knock_lapses_after_ten_minutes_also_if_the_clock_is_set_back() {
    let mut story = asks_first();
    story.ask(knock(2, 7), 1000).unwrap();
    let end = 1000 + millis(KNOCK_LASTS);
    assert_eq!((state(&story, 7, end - 1), waiting(&story, end - 1).len()), (Some(KnockState::Waiting), 1));
    assert_eq!((state(&story, 7, end), waiting(&story, end).len()), (Some(KnockState::Lapsed), 0));
    assert_eq!(story.ask(answer(7, true), end), Err(Code::NoSuchKnock));
    assert_eq!(story.ask(claim(2), end), Err(Code::AsksFirst));
    assert!(story.ask(knock(2, 8), end).unwrap().is_some(), "and they knock again");
    // The log's time goes on.
    assert_eq!(story.ask(answer(7, true), 1001), Err(Code::NoSuchKnock));
    is_as_its_log(&story);
}

#[test]
fn fifty_wait_and_one_more_is_refused_until_one_is_answered() {
    let mut story = asks_first();
    let most = u8::try_from(KNOCKS_WAITING).unwrap();
    let mut emojis = BTreeSet::new();
    for n in 100..100 + most {
        let Ok(Some(RoomEvent::Knocked { emoji, .. })) = story.ask(knock(n, n), 5) else { panic!("{n} was refused") };
        assert!(emojis.insert(emoji), "two are shown with one emoji");
    }
    let at = story.room.seq();
    for n in 200..=250 {
        assert_eq!(story.ask(knock(n, n), 6), Err(Code::TooManyKnocks));
    }
    assert_eq!(story.room.seq(), at, "and nothing is written of it");
    story.ask(answer(100, false), 7).unwrap();
    assert!(story.ask(knock(200, 200), 8).unwrap().is_some());
    is_as_its_log(&story);
}

#[test]
fn who_needs_no_knock_and_who_cannot_come_in_hear_so() {
    let mut story = Story::new(terms());
    story.sit(1);
    assert_eq!(story.ask(knock(2, 2), 3), Err(Code::NoNeedToKnock), "it is open");
    story.ask(Command::AskFirst(true), 4).unwrap();
    assert_eq!(story.ask(Command::AskFirst(true), 4), Ok(None));
    assert_eq!(story.ask(knock(1, 1), 5), Err(Code::NoNeedToKnock), "a member");
    story.ask(knock(2, 2), 5).unwrap();
    story.ask(Command::Lock(true), 6).unwrap();
    assert_eq!(story.ask(knock(3, 3), 7), Err(Code::GroupLocked));
    assert_eq!(story.ask(answer(2, true), 7), Err(Code::GroupLocked));
    story.ask(Command::Lock(false), 8).unwrap();
    story.ask(answer(2, true), 9).unwrap();
    assert_eq!(story.ask(knock(2, 4), 9), Err(Code::NoNeedToKnock), "who was admitted");
    let mut full = Story::full();
    full.ask(Command::AskFirst(true), 3).unwrap();
    assert_eq!(full.ask(knock(20, 20), 4), Err(Code::GroupFull));
    assert_eq!(full.ask(answer(20, true), 4), Err(Code::NoSuchKnock));
    let end = 24 * HOUR;
    assert_eq!(full.ask(knock(20, 20), end), Err(Code::GroupExpired));
}

#[test]
fn ten_are_in_however_many_were_admitted() {
    let mut story = asks_first();
    (2..=15).for_each(|n| drop(story.ask(knock(n, n), 5).unwrap()));
    (2..=15).for_each(|n| drop(story.ask(answer(n, true), 6).unwrap()));
    let seated: Vec<_> = (2..=15).filter(|n| story.ask(claim(*n), 7).is_ok()).collect();
    assert_eq!(seated, (2..=10).collect::<Vec<_>>());
    assert_eq!(story.ask(claim(11), 8), Err(Code::GroupFull));
    assert_eq!(story.ask(knock(30, 30), 8), Err(Code::GroupFull));
    story.ask(Command::Leave(member(2)), 9).unwrap();
    assert!(story.ask(claim(11), 10).unwrap().is_some(), "the admission still holds");
    is_as_its_log(&story);
}

#[test]
fn members_and_the_creator_come_back_without_knocking_and_who_left_or_was_removed_does_not() {
    let mut story = asks_first();
    assert_eq!(story.ask(claim(1), 4), Ok(None));
    let by_creator = Command::Claim { member: member(9), dice: 1, is_creator: true };
    assert!(story.ask(by_creator, 4).unwrap().is_some());
    story.ask(Command::Arrive(member(9)), 4).unwrap();
    // Who was only away for long lost the seat, and comes back.
    let (seat, emoji) = (story.room.seats()[0].number, story.room.seats()[0].emoji);
    let late = 2 * HOUR;
    story.ask(Command::Away { seat, since: Millis(0) }, late).unwrap().expect("it lapses");
    let Ok(Some(RoomEvent::Claimed { emoji: again, .. })) = story.ask(claim(1), late) else { panic!("no seat") };
    assert_eq!(again, emoji);
    story.ask(Command::Leave(member(1)), late).unwrap();
    assert_eq!(story.ask(claim(1), late), Err(Code::AsksFirst));
    story.ask(knock(1, 1), late).unwrap();
    story.ask(answer(1, true), late).unwrap();
    story.ask(claim(1), late).unwrap();
    let emoji = story.room.seat_of(member(1)).unwrap().emoji;
    story.ask(Command::Kick { emoji, with_messages: false }, late).unwrap();
    assert_eq!(story.ask(knock(1, 2), late), Err(Code::RemovedFromGroup));
    assert_eq!(story.ask(claim(1), late), Err(Code::RemovedFromGroup));
    is_as_its_log(&story);
}

#[test]
fn a_door_that_opens_lets_in_all_who_wait() {
    let mut story = asks_first();
    for n in [2, 3] {
        story.ask(knock(n, n), 5).unwrap();
    }
    story.ask(answer(3, false), 6).unwrap();
    story.ask(Command::AskFirst(false), 7).unwrap();
    assert_eq!([2, 3].map(|id| state(&story, id, 8)), [Some(KnockState::Admitted), Some(KnockState::Declined)]);
    // Also if it is closed again before they have come.
    story.ask(Command::AskFirst(true), 8).unwrap();
    assert!(story.ask(claim(2), 9).unwrap().is_some());
    assert_eq!(story.ask(claim(3), 9), Err(Code::AsksFirst));
    is_as_its_log(&story);
}

#[test]
fn a_visitor_who_comes_in_as_the_creator_no_longer_waits() {
    let mut story = asks_first();
    story.ask(knock(2, 2), 5).unwrap();
    story.ask(Command::Claim { member: member(2), dice: 1, is_creator: true }, 6).unwrap();
    assert_eq!((waiting(&story, 7), state(&story, 2, 7)), (vec![], Some(KnockState::Admitted)));
    is_as_its_log(&story);
}

#[test]
fn an_emoji_that_was_promised_to_a_visitor_is_given_to_nobody_else() {
    let mut story = asks_first();
    let knock = |n| Command::Knock { member: member(n), knock: KnockId([n; 16]), dice: 5 };
    let mut promised = BTreeSet::new();
    for n in [2, 3] {
        let Ok(Some(RoomEvent::Knocked { emoji, .. })) = story.ask(knock(n), 5) else { panic!("not heard") };
        assert!(promised.insert(emoji), "both wait");
    }
    for n in [2, 3] {
        story.ask(answer(n, true), 6).unwrap();
        let by_creator = Command::Claim { member: member(10 + n), dice: 5, is_creator: true };
        let Ok(Some(RoomEvent::Claimed { emoji, .. })) = story.ask(by_creator, 7) else { panic!("no seat") };
        assert!(!promised.contains(&emoji), "{n} was admitted");
        story.ask(Command::Leave(member(10 + n)), 8).unwrap();
    }
}

#[test]
fn who_comes_in_changes_nothing_for_others_at_the_door() {
    let mut story = asks_first();
    (2..=4).for_each(|n| drop(story.ask(knock(n, n), 5).unwrap()));
    story.ask(answer(2, true), 6).unwrap();
    story.ask(answer(3, false), 6).unwrap();
    story.ask(claim(2), 7).unwrap();
    let states = [3, 4].map(|id| state(&story, id, 8));
    assert_eq!(states, [Some(KnockState::Declined), Some(KnockState::Waiting)]);
    assert_eq!(story.ask(claim(4), 8), Err(Code::AsksFirst));
}

#[test]
fn the_last_knock_of_a_visitor_is_told_and_that_of_nobody_else() {
    let mut story = asks_first();
    story.ask(knock(2, 2), 5).unwrap();
    story.ask(answer(2, false), 6).unwrap();
    story.ask(knock(3, 3), 7).unwrap();
    story.ask(knock(2, 4), 8).unwrap();
    let last = [2, 3, 4].map(|n| story.room.knock_of(member(n)).map(|knock| knock.id));
    assert_eq!(last, [Some(KnockId([4; 16])), Some(KnockId([3; 16])), None]);
}
