//! Tests of the room's rules with random commands: what must always be true.
#![allow(clippy::expect_used, clippy::panic, reason = "this is a test, helpers included")]

use std::collections::{BTreeSet, HashSet};

use annon_actors::room::command::Command;
use annon_actors::room::line::{Line, LineKind, Message, Notice};
use annon_actors::room::machine::{Keeps, Room, Terms};
use annon_actors::room::reactions::Reaction;
use annon_contract::limits::{REACTIONS_OF_MEMBER, ROOM_MEMBERS};
use annon_store::building_blocks::{goes_with_messages, take_words};
use annon_store::image::ImageId;
use annon_store::room::{
    Body, Caption, ChatId, ChatText, Emoji, KnockId, MemberId, Millis, RoomEvent, SeatNumber, Seq, Sign,
};
use annon_store::room_log::Erasure;
use proptest::prelude::*;
use uuid::Uuid;

const EXPIRES: u64 = 1_000_000;

fn lines(lines: usize) -> Keeps {
    Keeps { lines, bytes: usize::MAX }
}

fn member() -> impl Strategy<Value = MemberId> {
    (0..16_u8).prop_map(|n| MemberId([n; 16]))
}

fn id() -> impl Strategy<Value = ChatId> {
    (0..12_u8).prop_map(|n| ChatId::try_from(format!("abcdefghijklm{n:02}")).expect("15 letters and digits"))
}

fn body() -> impl Strategy<Value = Body> {
    let picture = |(image, tiny): (u128, Option<u128>)| {
        let [image, tiny] = [Some(image), tiny].map(|n| n.map(|n| ImageId(Uuid::from_u128(n))));
        let caption = Caption::try_from("look").expect("short enough");
        image.map_or(Body::Gone, |image| Body::Picture { image, tiny, caption })
    };
    prop_oneof![
        4 => "[a-z]{1,20}".prop_map(|words| Body::Text(ChatText::try_from(&*words).expect("short enough"))),
        1 => (0..5_u128, prop::option::of(5..8_u128)).prop_map(picture),
    ]
}

fn sign() -> impl Strategy<Value = Sign> {
    prop::sample::select(vec!["👍", "❤️", "😂", "🎉"]).prop_map(|raw| Sign::try_from(raw).expect("one of the signs"))
}

fn command() -> impl Strategy<Value = Command> {
    prop_oneof![
        6 => (member(), any::<u64>()).prop_map(|(member, dice)| Command::Claim { member, dice, is_creator: false }),
        5 => member().prop_map(Command::Arrive),
        3 => member().prop_map(Command::Look),
        2 => member().prop_map(Command::Leave),
        1 => (0..40_u32, 0..1_000_000_u64).prop_map(|(seat, since)| Command::Away { seat: SeatNumber(seat), since: Millis(since) }),
        9 => (member(), id(), body(), prop::option::of(0..60_u64)).prop_map(|(member, id, body, reply)| {
            Command::Post { member, id, body, reply_to: reply.map(Seq) }
        }),
        3 => (member(), id()).prop_map(|(member, id)| Command::Retract { member, id }),
        9 => (member(), 0..60_u64, sign(), prop::bool::weighted(0.7)).prop_map(|(member, message, sign, on)| {
            Command::React { member, message: Seq(message), sign, on }
        }),
        1 => any::<bool>().prop_map(Command::Lock),
        1 => any::<bool>().prop_map(Command::AskFirst),
        4 => (member(), 0..12_u8, any::<u64>()).prop_map(|(member, id, dice)| Command::Knock { member, knock: KnockId([id; 16]), dice }),
        3 => (0..12_u8, prop::bool::weighted(0.7)).prop_map(|(id, admits)| Command::AnswerKnock { knock: KnockId([id; 16]), admits }),
        1 => (0..66_u8, any::<bool>()).prop_map(|(emoji, with_messages)| Command::Kick { emoji: Emoji(emoji), with_messages }),
        2 => Just(Command::Wake),
    ]
}

/// Commands, each with the time that passes before it.
fn steps() -> impl Strategy<Value = Vec<(Command, u64)>> {
    prop::collection::vec((command(), prop_oneof![8 => 0..500_u64, 1 => 0..200_000_u64]), 0..120)
}

fn as_sets(erased: &Erasure) -> (HashSet<Seq>, HashSet<ImageId>) {
    (erased.messages.iter().copied().collect(), erased.pictures.iter().copied().collect())
}

/// The reactions to each message, and which have changed since the beginning.
fn reactions(room: &Room) -> (Vec<Reaction>, Vec<(Seq, Seq)>) {
    let of = |line: &Line| room.reactions_to(line.seq).copied().collect::<Vec<_>>();
    (room.lines_before(None).flat_map(of).collect(), room.reactions_changed_after(Seq(0)).collect())
}

fn nobody_has_too_many_reactions(room: &Room) -> Result<(), TestCaseError> {
    for line in room.lines_before(None) {
        let there: Vec<_> = room.reactions_to(line.seq).map(|reaction| (reaction.seat, reaction.sign)).collect();
        prop_assert_eq!(there.iter().collect::<HashSet<_>>().len(), there.len(), "a reaction is there twice");
        prop_assert!(there.is_empty() || line.message().is_some_and(|message| !message.is_gone));
        for (seat, _) in &there {
            prop_assert!(there.iter().filter(|(other, _)| other == seat).count() <= REACTIONS_OF_MEMBER);
        }
    }
    Ok(())
}

fn notices_match_seats_and_no_message_is_there_twice(room: &Room) -> Result<(), TestCaseError> {
    let (mut here, mut ids) = (Vec::new(), BTreeSet::new());
    for line in room.lines_before(None) {
        match &line.kind {
            LineKind::Notice(Notice::Joined(emoji)) => here.push(*emoji),
            LineKind::Notice(Notice::Left(emoji) | Notice::Kicked { emoji, .. }) => here.retain(|there| there != emoji),
            LineKind::Message(Message { seat, id, .. }) => {
                prop_assert!(ids.insert((*seat, id.as_str().to_owned())), "a message is there twice");
            }
            _ => {}
        }
    }
    let mut seated: Vec<_> = room.seats().iter().filter(|seat| seat.announced).map(|seat| seat.emoji).collect();
    here.sort();
    seated.sort();
    prop_assert_eq!(here, seated);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn whatever_people_do_the_rules_hold(steps in steps(), keeps in prop_oneof![Just(8_usize), Just(10_000)]) {
        let terms = Terms { created_at: Millis(1), expires_at: Millis(EXPIRES), keeps: lines(keeps) };
        let mut room = Room::new(terms);
        let mut log: Vec<(Seq, RoomEvent)> = Vec::new();
        let mut erased = BTreeSet::new();
        let mut now = 1;
        for (command, passes) in steps {
            now += passes;
            let before = room.clone();
            match room.decide(command.clone(), Millis(now)) {
                Ok(Some(event)) => {
                    prop_assert!(now < EXPIRES || command == Command::Wake, "{command:?} was accepted after the end");
                    prop_assert!(before.deadline().is_some(), "{command:?} was accepted by a room that has ended");
                    erased.extend(room.erased_by(&event).messages);
                    room.apply(&event);
                    prop_assert_eq!(room.seq(), before.seq().next());
                    log.push((room.seq(), event));
                }
                Ok(None) => {
                    if let Command::Post { member, id, .. } = command {
                        prop_assert!(before.sent_at(member, id).is_some());
                    }
                }
                Err(_) => prop_assert_eq!(&before, &room),
            }
            prop_assert!(room.seats().len() <= ROOM_MEMBERS);
            let worn: BTreeSet<_> = room.seats().iter().map(|seat| seat.emoji).collect();
            prop_assert_eq!(worn.len(), room.seats().len(), "two members wear one emoji");
            prop_assert!(room.lines_before(None).count() <= keeps);
            nobody_has_too_many_reactions(&room)?;
        }

        let replayed = Room::replay(terms, log.iter().map(|(seq, event)| (*seq, event)));
        prop_assert_eq!(&replayed, &room, "the log says something else than the room");
        if keeps > 1000 {
            notices_match_seats_and_no_message_is_there_twice(&room)?;
        }
        let erased: Vec<_> = erased.into_iter().collect();
        take_words(log.iter_mut().map(|(at, event)| (*at, event)), &erased);
        let replayed = Room::replay(terms, log.iter().map(|(seq, event)| (*seq, event)));
        prop_assert_eq!(&replayed, &room, "a log without what was taken back says something else");
    }

    #[test]
    fn a_log_that_forgot_what_is_not_kept_gives_the_same_room(steps in steps(), often in 1..30_u64) {
        let terms = Terms { created_at: Millis(1), expires_at: Millis(EXPIRES), keeps: lines(8) };
        let (mut room, mut now, mut forgotten) = (Room::new(terms), 1, 0);
        let mut log: Vec<(Seq, RoomEvent)> = Vec::new();
        for (command, passes) in steps {
            now += passes;
            if let Ok(Some(event)) = room.decide(command, Millis(now)) {
                room.apply(&event);
                log.push((room.seq(), event));
            }
            if room.dropped().0 >= forgotten + often {
                forgotten = room.dropped().0;
                log.retain(|(seq, event)| seq.0 > forgotten || !goes_with_messages(event));
            }
            let replayed = Room::replay(terms, log.iter().map(|(seq, event)| (*seq, event)));
            for since in 0..=room.seq().0 {
                let places = |room: &Room| room.lines_after(Seq(since)).map(|lines| lines.map(|line| line.seq).collect::<Vec<_>>());
                let (live, again) = (places(&room), places(&replayed));
                prop_assert!(live.is_some() || again.is_none(), "resumed over a gap after {since}: {again:?}");
                prop_assert!(again.is_none() || live == again);
            }
            let lines = |room: &Room| room.lines_before(None).map(|line| line.seq).collect::<Vec<_>>();
            prop_assert_eq!(lines(&room), lines(&replayed));
            prop_assert_eq!(reactions(&room), reactions(&replayed));
        }
    }

    #[test]
    fn a_room_whose_old_words_are_in_the_log_only_decides_as_one_that_has_them(
        steps in steps(), keeps in prop_oneof![Just(8_usize), Just(10_000)], stay in 0..6_usize, often in 1..20_usize,
        retractions in prop::collection::vec(0..60_u64, 0..10),
    ) {
        let terms = Terms { created_at: Millis(1), expires_at: Millis(EXPIRES), keeps: lines(keeps) };
        let (mut whole, mut evicts, mut now) = (Room::new(terms), Room::new(terms), 1);
        let mut log: Vec<(Seq, RoomEvent)> = Vec::new();
        let retracts = retractions.into_iter().map(|seq| (Command::RetractAny(Seq(seq)), 1));
        for (step, (command, passes)) in steps.into_iter().chain(retracts).enumerate() {
            now += passes;
            let decided = whole.decide(command.clone(), Millis(now));
            prop_assert_eq!(&decided, &evicts.decide(command, Millis(now)));
            if let Ok(Some(event)) = decided {
                let (erased, shown) = (whole.erased_by(&event), whole.pictures());
                let (of_whole, of_evicts) = (as_sets(&erased), as_sets(&evicts.erased_by(&event)));
                prop_assert_eq!(&of_whole, &of_evicts);
                whole.apply(&event);
                evicts.apply(&event);
                prop_assert!(erased.messages.iter().all(|seq| whole.message(*seq).is_none_or(|message| message.is_gone)));
                if keeps > 1000 {
                    let gone: HashSet<_> = shown.difference(&whole.pictures()).copied().collect();
                    prop_assert_eq!(of_whole.1, gone, "pictures that no message shows any more");
                }
                log.push((whole.seq(), event));
            }
            if step % often == 0 {
                evicts.evict(evicts.seq(), stay);
            }
            prop_assert_eq!(whole.seats(), evicts.seats());
            prop_assert_eq!(whole.deadline(), evicts.deadline());
            prop_assert_eq!(whole.dropped(), evicts.dropped());
            prop_assert_eq!(whole.pictures(), evicts.pictures());
            prop_assert_eq!(reactions(&whole), reactions(&evicts));
            for seat in whole.seats() {
                let of = |room: &Room| room.messages_of(seat.number).collect::<Vec<_>>();
                prop_assert_eq!(of(&whole), of(&evicts));
            }
            prop_assert_eq!(whole.lines_before(None).count(), evicts.lines_before(None).count());
            for (line, evicted) in whole.lines_before(None).zip(evicts.lines_before(None)) {
                prop_assert_eq!((line.seq, line.at), (evicted.seq, evicted.at));
                let (LineKind::Message(message), LineKind::Message(other)) = (&line.kind, &evicted.kind) else {
                    prop_assert_eq!(&line.kind, &evicted.kind);
                    continue;
                };
                let about = |of: &Message| (of.seat, of.emoji, of.id, of.is_gone);
                prop_assert_eq!(about(message), about(other));
                let content = message.content().expect("nothing is evicted from it");
                match other.content() {
                    Some(other) => prop_assert_eq!(content, other),
                    None => {
                        let at = log.binary_search_by_key(&line.seq, |(seq, _)| *seq).expect("it was logged");
                        let RoomEvent::Posted { body, reply_to, .. } = &log[at].1 else { panic!("a message") };
                        prop_assert_eq!(content.reply_to, *reply_to);
                        prop_assert!(message.is_gone || content.body == *body);
                    }
                }
            }
        }
    }

    #[test]
    fn a_room_that_goes_back_is_as_it_was(steps in steps(), back in 1..20_usize) {
        let terms = Terms { created_at: Millis(1), expires_at: Millis(EXPIRES), keeps: lines(10_000) };
        let (mut room, mut now) = (Room::new(terms), 1);
        let mut before = Vec::new();
        for (command, passes) in steps {
            now += passes;
            if let Ok(Some(event)) = room.decide(command, Millis(now)) {
                let was = room.clone();
                before.push((was, room.apply(&event)));
            }
        }
        for (was, undo) in before.into_iter().rev().take(back) {
            if !room.rewind(undo) {
                // Words are gone from memory: the log is read again.
                break;
            }
            prop_assert_eq!(&room, &was);
        }
    }
}
