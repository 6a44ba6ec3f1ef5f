//! What a room makes of a log that has lost events.

use super::*;

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
    let claimed = room.decide(Command::Claim { member: member(2), dice: 1, is_creator: false }, Millis(9));
    assert!(matches!(claimed, Ok(Some(RoomEvent::Claimed { seat: SeatNumber(2), .. }))), "{claimed:?}");
    let retracted = room.decide(Command::RetractAny(Seq(5)), Millis(9)).unwrap().unwrap();
    room.apply(&retracted);
    assert!(room.message(Seq(5)).unwrap().is_gone);
    // The log may also say that they were removed, with all that they had said.
    let kicked = RoomEvent::Kicked { seat: SeatNumber(1), with_messages: true, at: Millis(4) };
    let room = Room::replay(terms(), [log[0], log[1], (Seq(4), &lost), log[4], (Seq(6), &kicked)]);
    assert!(room.message(Seq(5)).unwrap().is_gone);
}
