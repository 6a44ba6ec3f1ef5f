use super::*;

/// Lines of a history: time, operation, step and what. Whoever reads is process 1.
type Told = Vec<(u64, u64, Step, What)>;

fn say(op: u64, at: u64, number: u32, end: Option<(Step, u64, Option<u64>)>) -> Told {
    let end = end.map(|(step, time, place)| (time, op, step, What::Say(number, place)));
    [(at, op, Step::Invoke, What::Say(number, None))].into_iter().chain(end).collect()
}

fn read(op: u64, (begun, ended): (u64, u64), from: u64, chats: &[(u64, u32)]) -> Told {
    let page = Page { from, chats: chats.to_vec() };
    vec![(begun, op, Step::Invoke, What::Read(None)), (ended, op, Step::Ok, What::Read(Some(page)))]
}

fn take_back(op: u64, begun: u64, ended: u64) -> Told {
    vec![(begun, op, Step::Invoke, What::TakeBack(2)), (ended, op, Step::Ok, What::TakeBack(2))]
}

fn ok(time: u64, place: u64) -> Option<(Step, u64, Option<u64>)> {
    Some((Step::Ok, time, Some(place)))
}

/// Three messages that were acknowledged at 10, 20 and 30 µs and stand at 1, 2 and 4.
fn said() -> Told {
    [say(1, 5, 1, ok(10, 1)), say(2, 15, 2, ok(20, 2)), say(3, 25, 3, ok(30, 4))].concat()
}

const ALL: &[(u64, u32)] = &[(1, 1), (2, 2), (4, 3)];

fn faults(lines: &[Told]) -> Vec<&'static str> {
    let mut judged = Judged::default();
    let rest = vec![(37, 99, Step::Invoke, What::Rest)];
    for (time, op, step, what) in [lines, &[rest]].concat().concat() {
        // It is read as it is written.
        let line = Line { time, process: 1, op, step, room: 7, what };
        judged.take(serde_json::from_str(&serde_json::to_string(&line).unwrap()).unwrap());
    }
    let faults = judged.judge();
    let all = [LOST, DOUBLED, DISORDERED, STRANGE, UNDONE, TAKEN, FORGOTTEN, ALIVE];
    let all = all.into_iter().chain([seats::CROWDED, inboxes::BLOCKED, pages::OUTDATED]);
    let found: Vec<_> = all.filter(|what| faults.count_of(what) > 0).collect();
    assert_eq!(found.iter().map(|what| faults.count_of(what)).sum::<u64>(), faults.count(), "every kind is looked for");
    found
}

#[test]
fn what_one_order_explains_is_right() {
    for (told, what) in [
        (vec![read(9, (40, 50), 0, ALL)], "all of it"),
        (vec![read(9, (12, 40), 0, &ALL[..1])], "what came after its beginning may be missing"),
        (vec![read(9, (12, 40), 0, &ALL[..2])], "or there"),
        (vec![read(9, (40, 50), 2, &ALL[1..])], "a piece of it"),
        (vec![read(8, (40, 50), 0, ALL), read(9, (60, 70), 0, ALL)], "twice"),
        (vec![say(4, 32, 4, None), read(9, (40, 50), 0, ALL)], "nobody knows of the fourth, and it is not there"),
        (vec![say(4, 32, 4, None), read(9, (40, 50), 0, &[ALL, &[(6, 4)]].concat())], "or there"),
        (vec![say(4, 32, 4, Some((Step::Fail, 34, None))), read(9, (40, 50), 0, ALL)], "one has failed"),
        (vec![take_back(4, 35, 60), read(9, (40, 50), 0, ALL)], "it is being taken back"),
        (vec![read(8, (32, 34), 0, ALL), take_back(4, 35, 38), read(9, (40, 50), 0, &[ALL[0], ALL[2]])], "and gone"),
        (
            vec![read(8, (22, 24), 0, &ALL[..2]), take_back(4, 24, 38), read(9, (25, 29), 0, &ALL[..1])],
            "a reader doesn't go back because the last one is gone",
        ),
    ] {
        assert_eq!(faults(&[vec![said()], told].concat()), [""; 0], "{what}");
    }
}

#[test]
fn a_room_that_no_order_explains_is_found() {
    for (told, kinds, what) in [
        (vec![read(9, (40, 50), 0, &ALL[..2])], vec![LOST], "the last one is missing"),
        (vec![read(8, (40, 50), 0, ALL), read(9, (51, 60), 0, &[ALL[0], ALL[2]])], vec![LOST], "one in the middle"),
        (vec![read(9, (40, 50), 0, &[])], vec![LOST], "all of them"),
        (vec![read(9, (40, 50), 0, &[ALL, &[(5, 2)]].concat())], vec![DOUBLED, DISORDERED], "one is there twice"),
        (
            vec![read(8, (40, 50), 0, ALL), read(9, (40, 50), 0, &[(1, 2), (2, 1), (4, 3)])],
            vec![LOST, DOUBLED, DISORDERED],
            "two orders",
        ),
        (vec![read(9, (40, 50), 0, &[(2, 1), (3, 2), (4, 3)])], vec![DISORDERED], "not where it was acknowledged"),
        (vec![read(9, (40, 50), 0, &[ALL, &[(6, 9)]].concat())], vec![STRANGE], "nobody said it"),
        (vec![say(4, 60, 4, None), read(9, (40, 50), 0, &[ALL, &[(6, 4)]].concat())], vec![STRANGE], "not said yet"),
        (
            vec![say(4, 32, 4, Some((Step::Fail, 34, None))), read(9, (40, 50), 0, &[ALL, &[(6, 4)]].concat())],
            vec![UNDONE],
            "it had failed",
        ),
        (
            vec![say(4, 31, 4, ok(33, 3)), read(9, (40, 50), 0, &[(1, 1), (2, 2), (3, 4), (4, 3)])],
            vec![DISORDERED],
            "said after what stands behind it was there",
        ),
        (vec![take_back(4, 35, 38), read(9, (40, 50), 0, ALL)], vec![TAKEN], "its words were taken back"),
        (vec![read(8, (16, 18), 0, &ALL[..2]), read(9, (19, 24), 0, &ALL[..1])], vec![FORGOTTEN], "a reader goes back"),
        (vec![read(9, (40, 50), 0, &[ALL[0], ALL[2], ALL[1]])], vec![LOST, DISORDERED], "the places don't rise"),
    ] {
        assert_eq!(faults(&[vec![said()], told].concat()), kinds, "{what}");
    }
}

#[test]
fn a_read_may_lag_for_as_long_as_is_allowed_and_the_last_one_may_not() {
    let lagging = |may_lag, rest, told: Vec<Told>| {
        let mut judged = Judged { may_lag, rest, ..Judged::default() };
        for (time, op, step, what) in [vec![said()], told].concat().concat() {
            judged.take(Line { time, process: 1, op, step, room: 7, what });
        }
        (judged.judge().count_of(LOST), judged.longest_lag)
    };
    let early = || read(8, (40, 45), 0, &ALL[..2]);
    assert_eq!(lagging(10, Some(46), vec![early(), read(9, (50, 60), 0, ALL)]), (0, 10));
    assert_eq!(lagging(9, Some(46), vec![early(), read(9, (50, 60), 0, ALL)]), (1, 10));
    assert_eq!(lagging(10, Some(40), vec![early()]), (1, 10));
    assert_eq!(lagging(10, None, vec![early()]), (0, 10), "it was stopped");
    let end = vec![(60, 11, Step::Invoke, What::End)];
    assert_eq!(lagging(10, None, vec![early(), end]), (1, 10), "lines of a conversation are never late");
}

#[test]
fn an_eleventh_seat_and_a_seat_of_two_are_found() {
    let sit = |n: u64, at: u64| -> Told {
        let seat = || What::Sit(n.to_string());
        vec![(at, n, Step::Invoke, seat()), (at + 1, n, Step::Ok, seat())]
    };
    let leave = |n: u64, at: u64| -> Told { vec![(at, 50 + n, Step::Invoke, What::Leave(n.to_string()))] };
    let ten: Vec<_> = (1..=10).map(|n| sit(n, n)).collect();
    assert_eq!(faults(&ten), [""; 0]);
    assert_eq!(faults(&[ten.clone(), vec![leave(3, 20), sit(11, 22)]].concat()), [""; 0], "one has left before");
    assert_eq!(faults(&[ten.clone(), vec![sit(11, 22), leave(3, 30)]].concat()), [seats::CROWDED], "or after");
    assert_eq!(faults(&[ten[..5].to_vec(), vec![sit(3, 22)]].concat()), [DOUBLED]);
}

#[test]
fn an_inbox_that_loses_doubles_or_makes_up_notes_is_found() {
    let note = |op: u64, at: u64, end: Option<Step>| -> Told {
        let what = || What::Note(op as u32, 0);
        let end = end.map(|step| (at + 5, op, step, what()));
        [(at, op, Step::Invoke, what())].into_iter().chain(end).collect()
    };
    let read = |op: u64, begun: u64, notes: &[u32]| -> Told {
        let notes = What::Inbox(Some(notes.to_vec()));
        vec![(begun, op, Step::Invoke, What::Inbox(None)), (begun + 5, op, Step::Ok, notes)]
    };
    let sent = [note(1, 10, Some(Step::Ok)), note(2, 20, None), note(3, 30, Some(Step::Fail))].concat();
    for (told, kinds) in [
        (vec![read(9, 40, &[1])], vec![]),
        (vec![read(9, 40, &[1, 2])], vec![]),
        (vec![read(8, 12, &[]), read(9, 40, &[1])], vec![]),
        (vec![read(9, 40, &[2])], vec![LOST]),
        (vec![read(9, 40, &[1, 1])], vec![DOUBLED]),
        (vec![read(9, 40, &[1, 3])], vec![UNDONE]),
        (vec![read(9, 40, &[1, 7])], vec![STRANGE]),
        (vec![read(9, 4, &[1])], vec![STRANGE]),
        (vec![read(8, 40, &[1, 2]), read(9, 50, &[1])], vec![FORGOTTEN]),
    ] {
        assert_eq!(faults(&[vec![sent.clone()], told.clone()].concat()), kinds, "{told:?}");
    }
}

#[test]
fn a_note_of_somebody_who_was_blocked_is_found_and_may_be_missing() {
    let note = |op: u64, at: u64, sender: u32| -> Told {
        let what = || What::Note(op as u32, sender);
        vec![(at, op, Step::Invoke, what()), (at + 5, op, Step::Ok, what())]
    };
    let block = vec![(20, 8, Step::Invoke, What::Block(7)), (30, 8, Step::Ok, What::Block(7))];
    let sent = [note(1, 10, 7), note(2, 16, 7), note(3, 22, 7), note(4, 40, 7), note(5, 41, 6), block].concat();
    for (notes, kinds) in [
        (vec![1, 5], vec![]),
        (vec![1, 2, 3, 5], vec![]),
        (vec![2, 5], vec![LOST]),
        (vec![1], vec![LOST]),
        (vec![1, 4, 5], vec![inboxes::BLOCKED]),
    ] {
        let read = vec![(50, 9, Step::Invoke, What::Inbox(None)), (55, 9, Step::Ok, What::Inbox(Some(notes.clone())))];
        assert_eq!(faults(&[sent.clone(), read]), kinds, "{notes:?}");
    }
}

#[test]
fn a_conversation_that_goes_on_after_its_end_or_is_away_before_is_found() {
    let end = |begun: u64, step: Step| vec![(begun, 20, Step::Invoke, What::End), (begun + 5, 20, step, What::End)];
    let gone =
        |begun: u64| vec![(begun, 9, Step::Invoke, What::Read(None)), (begun + 3, 9, Step::Fail, What::Read(None))];
    for (told, kinds, what) in [
        (vec![end(40, Step::Ok), gone(50)], vec![], "it has ended"),
        (vec![end(40, Step::Ok), gone(41)], vec![], "it is ending"),
        (vec![end(40, Step::Unknown), gone(50), read(8, (60, 62), 0, ALL)], vec![], "nobody knows whether it has"),
        (vec![end(40, Step::Ok), read(9, (43, 50), 0, ALL)], vec![], "it was read before"),
        (vec![end(40, Step::Ok), read(9, (50, 60), 0, ALL)], vec![ALIVE], "it is read"),
        (vec![end(40, Step::Ok), say(4, 50, 4, ok(55, 6))], vec![ALIVE], "something is said"),
        (vec![gone(35)], vec![LOST], "nobody has ended it"),
        (vec![gone(35), end(40, Step::Ok)], vec![LOST], "nor yet"),
        (vec![end(40, Step::Fail), gone(50)], vec![LOST], "it was refused"),
    ] {
        assert_eq!(faults(&[vec![said()], told].concat()), kinds, "{what}");
    }
}

#[test]
fn a_page_that_is_as_it_was_before_is_found() {
    let change = |op: u64, at: u64, value: bool, step: Step| -> Told {
        vec![(at, op, Step::Invoke, What::Suspend(value)), (at + 5, op, step, What::Suspend(value))]
    };
    let visit = |at: u64, seen: bool| -> Told {
        vec![(at, 9, Step::Invoke, What::Visit(None)), (at + 2, 9, Step::Ok, What::Visit(Some(seen)))]
    };
    let changes = [change(1, 10, true, Step::Ok), change(2, 30, false, Step::Ok), change(3, 50, true, Step::Unknown)];
    for (at, seen, is_right) in [
        (5, true, true),
        (5, false, false),
        (12, true, true),
        (12, false, true),
        (20, false, true),
        (20, true, false),
        (32, true, true),
        (32, false, true),
        (40, true, true),
        (40, false, false),
        (60, true, true),
        (60, false, true),
    ] {
        let kinds: &[&str] = if is_right { &[] } else { &[pages::OUTDATED] };
        assert_eq!(faults(&[&changes[..], &[visit(at, seen)]].concat()), kinds, "{at} {seen}");
    }
}

#[test]
fn a_line_is_written_as_the_page_about_it_says() {
    let line = Line { time: 5, process: 1, op: 2, step: Step::Ok, room: 7, what: What::Say(3, Some(4)) };
    let text = r#"{"time":5,"process":1,"op":2,"type":"ok","room":7,"kind":"say","value":[3,4]}"#;
    assert_eq!(serde_json::to_string(&line).unwrap(), text);
    assert!(serde_json::from_str::<Line>("{}").is_err());
}
