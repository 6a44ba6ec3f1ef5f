//! Tests of the room's rules: what follows from a command after some events.
#![allow(clippy::expect_used, clippy::panic, reason = "this is a test, helpers included")]

use std::collections::BTreeSet;

use annon_actors::room::command::Command;
use annon_actors::room::line::{Line, LineKind, Notice};
use annon_actors::room::machine::{Keeps, Room, Terms};
use annon_contract::code::Code;
use annon_contract::limits::SEAT_WAITS;
use annon_contract::palette::UNKNOWN_MEMBER;
use annon_store::room::{Body, ChatId, ChatText, Emoji, Ending, MemberId, Millis, RoomEvent, SeatNumber, Seq};

const HOUR: u64 = 60 * 60 * 1000;

fn lines(lines: usize) -> Keeps {
    Keeps { lines, bytes: usize::MAX }
}

fn terms() -> Terms {
    Terms { created_at: Millis(1), expires_at: Millis(24 * HOUR), keeps: lines(100) }
}

fn member(n: u8) -> MemberId {
    MemberId([n; 16])
}

fn id(n: u32) -> ChatId {
    ChatId::try_from(format!("message{n:08}")).expect("15 letters and digits")
}

fn text(words: &str) -> Body {
    Body::Text(ChatText::try_from(words).expect("short enough"))
}

fn post(n: u8, message: u32) -> Command {
    Command::Post { member: member(n), id: id(message), body: text("hello"), reply_to: None }
}

/// A room, and all events that were decided and applied in it.
struct Story {
    room: Room,
    log: Vec<RoomEvent>,
}

impl Story {
    fn new(terms: Terms) -> Self {
        Self { room: Room::new(terms), log: Vec::new() }
    }

    fn ask(&mut self, command: Command, at: u64) -> Result<Option<RoomEvent>, Code> {
        let event = self.room.decide(command, Millis(at))?;
        if let Some(event) = &event {
            self.room.apply(event);
            self.log.push(event.clone());
        }
        Ok(event)
    }

    fn sit(&mut self, n: u8) -> Emoji {
        let dice = u64::from(n) * 7919;
        let Ok(Some(RoomEvent::Claimed { emoji, .. })) = self.ask(Command::Claim { member: member(n), dice }, 1) else {
            panic!("there was no seat for {n}");
        };
        self.ask(Command::Arrive(member(n)), 2).expect("they come");
        emoji
    }

    fn notices(&self) -> Vec<Notice> {
        let notice = |line: &Line| match line.kind {
            LineKind::Notice(notice) => Some(notice),
            _ => None,
        };
        self.room.lines_before(None).filter_map(notice).collect()
    }

    fn full() -> Self {
        let mut story = Self::new(terms());
        (0..10).map(|n| story.sit(n)).for_each(drop);
        story
    }
}

#[test]
fn ten_people_sit_down_with_ten_emojis_and_the_eleventh_stays_out() {
    let mut story = Story::full();
    assert_eq!(story.room.seats().iter().map(|seat| seat.emoji).collect::<BTreeSet<_>>().len(), 10);
    assert_eq!(story.ask(Command::Claim { member: member(11), dice: 0 }, 3), Err(Code::GroupFull));
    assert_eq!(story.ask(post(11, 1), 3), Err(Code::NotAMember));
}

#[test]
fn coming_back_takes_no_second_seat() {
    let mut story = Story::full();
    assert_eq!(story.ask(Command::Claim { member: member(3), dice: 5 }, 3), Ok(None));
    assert_eq!(story.ask(Command::Arrive(member(3)), 3), Ok(None));
}

#[test]
fn who_leaves_frees_a_seat_and_their_emoji_is_not_worn_again() {
    let mut story = Story::full();
    let emoji = story.room.seats()[4].emoji;
    story.ask(Command::Leave(member(4)), 3).unwrap();
    for dice in 0..200 {
        let claim = story.room.decide(Command::Claim { member: member(20), dice }, Millis(4));
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
        let claim = story.ask(Command::Claim { member: member(20), dice }, 4);
        let Ok(Some(RoomEvent::Claimed { emoji, .. })) = claim else { panic!("{claim:?}") };
        assert_ne!(emoji, spoke, "after {dice} claims");
        let back = Command::Kick { emoji, with_messages: false };
        story.ask(if dice == 299 { back } else { Command::Leave(member(20)) }, 5).unwrap();
    }
    let claim = story.room.decide(Command::Claim { member: member(21), dice: 0 }, Millis(6));
    assert!(matches!(claim, Ok(Some(RoomEvent::Claimed { .. }))));
}

#[test]
fn when_every_emoji_has_been_worn_the_emojis_of_those_who_spoke_are_the_last_to_be_worn_again() {
    let count = u8::try_from(Emoji::all().count()).unwrap();
    let mut story = Story::new(Terms { keeps: lines(1000), ..terms() });
    let mut silent = Vec::new();
    for n in 0..count {
        let emoji = story.sit(n);
        if n % 4 == 0 {
            silent.push(emoji);
        } else {
            story.ask(post(n, 1), 3).unwrap();
        }
        story.ask(Command::Leave(member(n)), 3).unwrap();
    }
    for dice in 0..300 {
        let claim = story.ask(Command::Claim { member: member(200), dice }, 4);
        let Ok(Some(RoomEvent::Claimed { emoji, .. })) = claim else { panic!("{claim:?}") };
        assert!(silent.contains(&emoji), "somebody said something as {emoji:?}");
        // The emoji stays free if the member who takes it never connects.
        story.ask(Command::Leave(member(200)), 5).unwrap();
    }
}

#[test]
fn a_seat_nobody_came_to_is_free_again_after_two_minutes() {
    let mut story = Story::new(terms());
    story.ask(Command::Claim { member: member(1), dice: 0 }, 1000).unwrap();
    assert_eq!(story.room.deadline(), Some(Millis(121_000)));
    assert_eq!(story.ask(Command::Wake, 120_999), Ok(None));
    let lapsed = RoomEvent::Lapsed { seat: SeatNumber(0), at: Millis(121_000) };
    assert_eq!(story.ask(Command::Wake, 121_000), Ok(Some(lapsed)));
    assert!(story.room.seats().is_empty());
    assert_eq!(story.room.lines_before(None).count(), 0, "nobody hears of somebody who never came");
    assert_eq!(story.room.deadline(), Some(Millis(24 * HOUR)));
}

#[test]
fn a_repeated_id_changes_nothing_and_two_members_may_use_the_same() {
    let mut story = Story::full();
    story.ask(post(1, 7), 10).unwrap();
    let before = story.room.clone();
    let at = before.seq();
    assert_eq!(story.ask(post(1, 7), 11), Ok(None));
    assert_eq!(before.sent_at(member(1), id(7)), Some(at));
    assert_eq!(story.room, before);
    story.ask(post(2, 7), 12).unwrap();
}

#[test]
fn an_answer_to_something_that_is_not_there_quotes_nothing() {
    let mut story = Story::full();
    story.ask(post(1, 7), 10).unwrap();
    let real = story.room.seq();
    for (asked, kept) in [(real, Some(real)), (Seq(1), None), (Seq(9_999), None)] {
        let command = Command::Post { member: member(2), id: id(8), body: text("yes"), reply_to: Some(asked) };
        let Ok(Some(RoomEvent::Posted { reply_to, .. })) = story.room.decide(command, Millis(11)) else {
            panic!("refused")
        };
        assert_eq!(reply_to, kept);
    }
}

#[test]
fn a_message_is_taken_back_by_its_sender_within_five_minutes_and_once() {
    let mut story = Story::full();
    story.ask(post(1, 7), 1_000).unwrap();
    let at = story.room.seq();
    let retract = |n| Command::Retract { member: member(n), id: id(7) };
    assert_eq!(story.ask(retract(2), 2_000), Err(Code::MessageGone));
    assert_eq!(story.room.decide(retract(1), Millis(301_001)), Err(Code::TooLateToUnsend));
    story.ask(retract(1), 301_000).unwrap();
    let message = story.room.message(at).unwrap();
    assert!(message.is_gone && message.content().unwrap().body == Body::Gone);
    assert_eq!(story.ask(retract(1), 301_000), Err(Code::MessageGone));
    let news: Vec<_> = story.room.lines_after(at).unwrap().map(|line| line.kind.clone()).collect();
    assert_eq!(news, [LineKind::Retracted(at)], "who was away hears of it");
    assert_eq!(story.ask(post(1, 7), 301_000), Ok(None), "and a late retry doesn't bring it back");
}

#[test]
fn the_creator_retracts_what_anybody_said_also_when_they_have_left_and_only_messages() {
    let mut story = Story::full();
    story.ask(post(1, 7), 1_000).unwrap();
    let at = story.room.seq();
    story.ask(Command::Leave(member(1)), 1_001).unwrap();
    let notice = story.room.seq();
    story.ask(Command::RetractAny(at), 900_000).unwrap();
    let message = story.room.message(at).unwrap();
    assert!(message.is_gone && message.content().unwrap().body == Body::Gone);
    let news: Vec<_> = story.room.lines_after(notice).unwrap().map(|line| line.kind.clone()).collect();
    assert_eq!(news, [LineKind::Retracted(at)]);
    for none in [at, notice, Seq(0), Seq(u64::MAX)] {
        assert_eq!(story.ask(Command::RetractAny(none), 900_001), Err(Code::MessageGone));
    }
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
    assert_eq!(story.ask(Command::Claim { member: member(5), dice: 1 }, 13), Err(Code::RemovedFromGroup));
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
    story.ask(Command::Lock(true), 3).unwrap();
    assert_eq!(story.ask(Command::Lock(true), 3), Ok(None));
    assert_eq!(story.ask(Command::Claim { member: member(2), dice: 1 }, 4), Err(Code::GroupLocked));
    assert_eq!(story.ask(Command::Claim { member: member(1), dice: 1 }, 4), Ok(None));
    story.ask(post(1, 1), 5).unwrap();
    story.ask(Command::Lock(false), 6).unwrap();
    story.ask(Command::Claim { member: member(2), dice: 1 }, 7).unwrap();
}

#[test]
fn nothing_is_accepted_at_the_deadline_whether_or_not_the_timer_came() {
    let end = 24 * HOUR;
    let mut story = Story::full();
    let commands = [
        Command::Claim { member: member(1), dice: 0 },
        Command::Arrive(member(1)),
        Command::Look(member(1)),
        Command::Leave(member(1)),
        post(1, 1),
        Command::Retract { member: member(1), id: id(1) },
        Command::Lock(true),
        Command::Close,
    ];
    for command in commands.clone() {
        assert_eq!(story.room.decide(command, Millis(end)), Err(Code::GroupExpired));
    }
    story.room.decide(post(1, 1), Millis(end - 1)).unwrap();
    let ends = RoomEvent::Closed { why: Ending::Expired, at: Millis(end + 5) };
    assert_eq!(story.ask(Command::Wake, end + 5), Ok(Some(ends)));
    assert_eq!(story.room.deadline(), None);
    for command in commands.into_iter().chain([Command::Wake]) {
        assert_eq!(story.room.decide(command, Millis(5)), Err(Code::GroupExpired));
    }
}

#[test]
fn the_oldest_lines_go_and_who_asks_for_them_starts_anew() {
    let mut story = Story::new(Terms { keeps: lines(5), ..terms() });
    story.sit(1);
    let joined = story.room.seq();
    (0..4).for_each(|n| drop(story.ask(post(1, n), 10).unwrap()));
    assert_eq!(story.room.lines_after(Seq(0)).map(Iterator::count), Some(5));
    story.ask(post(1, 4), 10).unwrap();
    assert!(story.room.lines_after(Seq(0)).is_none());
    assert_eq!(story.room.lines_after(joined).map(Iterator::count), Some(5));
    assert_eq!(story.room.lines_after(story.room.seq()).map(Iterator::count), Some(0));
    assert!(story.room.lines_after(story.room.seq().next()).is_none(), "nobody has seen the future");
    assert_eq!(story.room.lines_before(None).rev().take(2).map(|line| line.seq.0).collect::<Vec<_>>(), [7, 6]);
    assert_eq!(story.room.lines_before(Some(Seq(6))).rev().take(2).map(|line| line.seq.0).collect::<Vec<_>>(), [5, 4]);
}

#[test]
fn who_reads_is_announced_once_also_without_ever_coming() {
    let mut story = Story::new(terms());
    let watcher = story.sit(1);
    let mut claim = |n: u8, at| match story.ask(Command::Claim { member: member(n), dice: u64::from(n) }, at) {
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
#[should_panic(expected = "no two seats have one emoji")]
fn two_seats_with_one_emoji_are_a_bug_unless_a_log_has_lost_that_the_first_is_free() {
    let claimed = |n| RoomEvent::Claimed { seat: SeatNumber(n), member: member(1), emoji: Emoji(1), at: Millis(1) };
    let [first, second] = [1, 2].map(claimed);
    Room::replay(terms(), [(Seq(1), &first), (Seq(2), &RoomEvent::Lost { from: Seq(2) }), (Seq(3), &second)]);
    Room::replay(terms(), [(Seq(1), &first), (Seq(2), &second)]);
}

#[test]
fn what_a_damaged_log_has_lost_is_shown_as_a_gap_with_what_is_before_it() {
    let mut story = Story::full();
    (0..30).for_each(|n| drop(story.ask(post(1, n), 10).unwrap()));
    let log: Vec<_> = (1..).map(Seq).zip(&story.log).collect();
    let whole: Vec<_> = story.room.lines_before(None).map(|line| line.seq.0).collect();
    let without = |from: u64, to: u64, lost: Option<&RoomEvent>| {
        let mut left = log.clone();
        left.splice(from as usize - 1..to as usize, lost.map(|lost| (Seq(to), lost)));
        Room::replay(terms(), left)
    };
    // Ten members took seats and connected; the first message is event 21.
    for (from, to, messages) in [(30, 34, 30), (21, 25, 30), (45, 50, 30), (1, 50, 50)] {
        let room = without(from, to, Some(&RoomEvent::Lost { from: Seq(from) }));
        let lines = room.lines_before(None).map(|line| (line.seq.0, line.kind == LineKind::Notice(Notice::Lost)));
        let left = whole.iter().filter(|seq| !(from..to).contains(*seq));
        assert_eq!(lines.collect::<Vec<_>>(), left.map(|seq| (*seq, *seq == to)).collect::<Vec<_>>());
        assert_eq!((room.seq(), room.messages()), (story.room.seq(), messages));
    }
    // If it is lost who took the first two seats, what they said is still there.
    let room = without(1, 4, Some(&RoomEvent::Lost { from: Seq(1) }));
    assert!(
        room.lines_before(None).map(|line| line.seq.0).eq([4, 6, 8, 10, 12, 14, 16, 18, 20].into_iter().chain(21..=50))
    );
    let said: Vec<_> = room.lines_before(None).filter_map(Line::message).collect();
    assert_eq!((said.len(), said[0].sender(), said[0].seat), (30, UNKNOWN_MEMBER, SeatNumber(1)));
    assert_eq!(room.lines_before(None).next().unwrap().at, terms().created_at, "the line has a time of this group");
    assert_eq!((room.seats().len(), room.seq()), (8, story.room.seq()));
    let room = without(30, 34, None);
    let missed: Vec<_> = room.lines_after(Seq(28)).unwrap().map(|line| line.seq.0).take(3).collect();
    assert_eq!(missed, [29, 34, 35], "who was away is told, also if only the older messages tell of a gap");
    // If only the oldest messages are missing, the log has forgotten them.
    let room = without(21, 25, None);
    assert_eq!(room.lines_before(None).next().map(|line| line.seq), Some(Seq(26)));
    assert!(room.lines_after(Seq(24)).is_none());
}

#[test]
fn no_event_is_earlier_than_the_one_before_it() {
    let mut story = Story::new(terms());
    story.sit(1);
    story.ask(post(1, 1), 5 * HOUR).unwrap();
    let earlier = story.ask(post(1, 2), 4 * HOUR).unwrap().unwrap();
    assert_eq!(earlier.at(), Some(Millis(5 * HOUR)), "the clock was set back");
    assert_eq!(story.ask(post(1, 3), 6 * HOUR).unwrap().unwrap().at(), Some(Millis(6 * HOUR)));
}

#[test]
fn the_seat_of_somebody_unknown_is_given_to_nobody_and_what_they_said_can_be_removed() {
    let mut story = Story::new(terms());
    for n in 1..=2 {
        story.sit(n);
    }
    story.ask(post(2, 1), 3).unwrap();
    // The events of the second seat are lost: 3 and 4 of the log.
    let log: Vec<_> = (1..).map(Seq).zip(&story.log).collect();
    let lost = RoomEvent::Lost { from: Seq(3) };
    let mut room = Room::replay(terms(), [log[0], log[1], (Seq(4), &lost), log[4]]);
    let claimed = room.decide(Command::Claim { member: member(2), dice: 1 }, Millis(9));
    assert!(matches!(claimed, Ok(Some(RoomEvent::Claimed { seat: SeatNumber(2), .. }))), "{claimed:?}");
    let retracted = room.decide(Command::RetractAny(Seq(5)), Millis(9)).unwrap().unwrap();
    room.apply(&retracted);
    assert!(room.message(Seq(5)).unwrap().is_gone);
}
