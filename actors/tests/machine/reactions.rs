//! Reactions to messages.

use annon_contract::limits::{REACTIONS_EVER, REACTIONS_EVER_OF_MEMBER, ROOM_MEMBERS};
use annon_store::room::Sign;
use annon_store::room_log::Erasure;

use super::*;

fn react(n: u8, message: Seq, raw: &str, on: bool) -> Command {
    Command::React { member: member(n), message, sign: Sign::try_from(raw).expect("one of the signs"), on }
}

/// A full room in which the first member has posted a message.
fn with_a_message() -> (Story, Seq) {
    let mut story = Story::full();
    story.ask(post(1, 7), 10).expect("nothing speaks against it");
    let message = story.room.seq();
    (story, message)
}

fn shown(story: &Story, message: Seq) -> Vec<(u32, &'static str)> {
    story.room.reactions_to(message).map(|there| (there.seat.0, there.sign.expect("it is there").as_str())).collect()
}

fn replayed(story: &Story) -> Room {
    Room::replay(terms(), (1..).map(Seq).zip(&story.log))
}

#[test]
fn a_reaction_is_there_once_and_is_taken_back_once() {
    let (mut story, message) = with_a_message();
    assert!(story.ask(react(1, message, "❤️", true), 11).unwrap().is_some());
    assert!(story.ask(react(2, message, "❤", true), 11).unwrap().is_some());
    assert_eq!(story.ask(react(1, message, "❤", true), 12), Ok(None));
    assert_eq!(shown(&story, message), [(1, "❤️"), (2, "❤️")]);
    let before = story.room.seq();
    assert!(story.ask(react(1, message, "❤️", false), 13).unwrap().is_some());
    assert_eq!(story.ask(react(1, message, "❤️", false), 14), Ok(None));
    assert_eq!(story.ask(react(3, message, "👍", false), 14), Ok(None));
    assert_eq!(shown(&story, message), [(2, "❤️")]);
    assert_eq!(story.room.reactions_changed_after(before).collect::<Vec<_>>(), [(message, story.room.seq())]);
    assert_eq!(story.room.reactions_changed_after(story.room.seq()).count(), 0, "who has seen it isn't told again");
    assert_eq!(replayed(&story), story.room);
}

#[test]
fn only_messages_that_are_there_have_reactions_and_only_of_members() {
    let (mut story, message) = with_a_message();
    let before = story.room.clone();
    for none in [Seq(0), Seq(1), Seq(2), message.next(), Seq(u64::MAX)] {
        assert_eq!(story.ask(react(1, none, "👍", true), 11), Err(Code::MessageGone));
    }
    assert_eq!(story.ask(react(99, message, "👍", true), 11), Err(Code::NotAMember));
    assert_eq!(story.room, before);
    story.ask(Command::Kick { emoji: story.room.seats()[2].emoji, with_messages: false }, 12).unwrap();
    assert_eq!(story.ask(react(2, message, "👍", true), 13), Err(Code::RemovedFromGroup));
    story.ask(Command::RetractAny(message), 14).unwrap();
    assert_eq!(story.ask(react(1, message, "👍", true), 15), Err(Code::MessageGone));
    assert!(Sign::try_from("🧨!").is_err() && Sign::try_from("x") == Err(Code::NoSuchSign));
}

#[test]
fn a_member_has_three_different_ones_and_changes_them_twenty_times() {
    let (mut story, message) = with_a_message();
    for raw in ["👍", "❤️", "😂"] {
        story.ask(react(1, message, raw, true), 11).unwrap();
    }
    assert_eq!(story.ask(react(1, message, "🎉", true), 12), Err(Code::TooManyReactions));
    story.ask(react(2, message, "🎉", true), 12).unwrap();
    let mut ever = 3;
    loop {
        story.ask(react(1, message, "👍", false), 13).unwrap();
        match story.ask(react(1, message, "👍", true), 13) {
            Ok(Some(_)) => ever += 1,
            refused => break assert_eq!(refused, Err(Code::ReactionsFull)),
        }
    }
    assert_eq!(ever, REACTIONS_EVER_OF_MEMBER);
    assert_eq!(shown(&story, message), [(1, "❤️"), (1, "😂"), (2, "🎉")]);
    story.ask(react(1, message.next(), "👍", true), 14).unwrap_err();
    assert_eq!(replayed(&story), story.room);
}

#[test]
fn a_message_takes_so_many_and_no_more_however_many_come_and_go() {
    let terms = Terms { keeps: lines(10_000), ..terms() };
    let mut story = Story::new(terms);
    (0..10).map(|n| story.sit(n)).for_each(drop);
    story.ask(post(0, 7), 10).unwrap();
    let message = story.room.seq();
    // Everybody but the sender leaves and comes back under a new number.
    let mut newcomer = 10;
    let refused = 'all: loop {
        let there: Vec<_> = story.room.seats().iter().map(|seat| seat.member).collect();
        for member in there.into_iter().skip(1) {
            story.ask(Command::Leave(member), 20).unwrap();
        }
        while story.room.seats().len() < ROOM_MEMBERS {
            story.sit(newcomer);
            for raw in ["👍", "❤️", "😂"] {
                if let Err(refused) = story.ask(react(newcomer, message, raw, true), 21) {
                    break 'all refused;
                }
            }
            newcomer += 1;
        }
    };
    assert_eq!((refused, story.room.reactions_to(message).count()), (Code::ReactionsFull, REACTIONS_EVER));
    assert_eq!(Room::replay(terms, (1..).map(Seq).zip(&story.log)), story.room);
}

#[test]
fn reactions_go_with_their_message_and_with_their_member_as_messages_do() {
    let (mut story, message) = with_a_message();
    story.ask(post(2, 8), 11).unwrap();
    let other = story.room.seq();
    let mut places = Vec::new();
    for (n, to, raw) in [(3, message, "👍"), (4, message, "👍"), (3, other, "❤️"), (4, other, "😂"), (1, other, "😂")]
    {
        story.ask(react(n, to, raw, true), 12).unwrap();
        places.push(story.room.seq());
    }
    // Who left has said what they said.
    story.ask(Command::Leave(member(4)), 13).unwrap();
    assert_eq!(shown(&story, message), [(3, "👍"), (4, "👍")]);
    let retracted = story.room.decide(Command::RetractAny(message), Millis(14)).unwrap().unwrap();
    let erased = story.room.erased_by(&retracted);
    assert_eq!(erased, Erasure { messages: vec![message, places[0], places[1]], pictures: Vec::new() });
    story.ask(Command::RetractAny(message), 14).unwrap();
    assert_eq!(shown(&story, message), []);
    // Who is removed with their messages loses their reactions, too.
    let emoji = story.room.seats().iter().find(|seat| seat.member == member(3)).unwrap().emoji;
    let kick = |with_messages| Command::Kick { emoji, with_messages };
    let stays = story.room.decide(kick(false), Millis(15)).unwrap().unwrap();
    assert!(story.room.erased_by(&stays).is_empty());
    let goes = story.room.decide(kick(true), Millis(15)).unwrap().unwrap();
    assert_eq!(story.room.erased_by(&goes).messages, [places[2]]);
    let before = story.room.seq();
    story.ask(kick(true), 15).unwrap();
    assert_eq!(shown(&story, other), [(4, "😂"), (1, "😂")]);
    assert_eq!(story.room.reactions_changed_after(before).collect::<Vec<_>>(), [(other, story.room.seq())]);
    assert_eq!(replayed(&story), story.room);
}

#[test]
fn reactions_count_for_what_a_room_keeps_and_go_with_the_lines_that_are_dropped() {
    let bytes = 40 * 128;
    let mut story = Story::new(Terms { keeps: Keeps { lines: 100, bytes }, ..terms() });
    for n in 0..10 {
        story.sit(n);
    }
    for message in 0..20 {
        story.ask(post(1, message), 10).unwrap();
    }
    let newest = story.room.seq();
    let first = story.room.lines_before(None).next().unwrap().seq;
    let oldest = story.room.lines_before(None).find(|line| line.message().is_some()).unwrap().seq;
    story.ask(react(1, oldest, "👍", true), 11).unwrap();
    for n in 0..10 {
        for raw in ["👍", "❤️", "😂"] {
            story.ask(react(n, newest, raw, true), 11).unwrap();
        }
    }
    assert!(story.room.lines_before(None).next().unwrap().seq > first);
    assert_eq!((story.room.reactions_to(newest).count(), shown(&story, oldest)), (30, vec![]));
    assert!(story.room.dropped() >= oldest);
    // They are refused where the message is no longer kept.
    assert_eq!(story.ask(react(1, oldest, "👍", true), 12), Err(Code::MessageGone));
}

#[test]
fn a_reaction_that_the_log_refuses_leaves_those_that_were_there() {
    let (mut story, message) = with_a_message();
    story.ask(react(1, message, "❤️", true), 11).unwrap();
    for (n, on) in [(2, true), (1, false)] {
        let before = story.room.clone();
        let event = story.room.decide(react(n, message, "❤️", on), Millis(12)).unwrap().unwrap();
        let undo = story.room.apply(&event);
        assert!(story.room != before && story.room.rewind(undo));
        assert_eq!(story.room, before);
    }
}
