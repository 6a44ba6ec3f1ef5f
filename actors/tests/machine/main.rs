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

mod damage;
mod knocks;
mod reactions;
mod seats;

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
        let Ok(Some(RoomEvent::Claimed { emoji, .. })) =
            self.ask(Command::Claim { member: member(n), dice, is_creator: false }, 1)
        else {
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
fn nothing_is_accepted_at_the_deadline_whether_or_not_the_timer_came() {
    let end = 24 * HOUR;
    let mut story = Story::full();
    let commands = [
        Command::Claim { member: member(1), dice: 0, is_creator: false },
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
fn no_event_is_earlier_than_the_one_before_it() {
    let mut story = Story::new(terms());
    story.sit(1);
    story.ask(post(1, 1), 5 * HOUR).unwrap();
    let earlier = story.ask(post(1, 2), 4 * HOUR).unwrap().unwrap();
    assert_eq!(earlier.at(), Some(Millis(5 * HOUR)), "the clock was set back");
    assert_eq!(story.ask(post(1, 3), 6 * HOUR).unwrap().unwrap().at(), Some(Millis(6 * HOUR)));
}
