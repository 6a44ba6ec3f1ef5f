use super::*;
use crate::load::clock;

/// A room of three, where `sent` messages are on their way.
fn room(sent: u32) -> Check {
    let mut check = Check::new(0, 3);
    (0..sent).for_each(|_| check.send(clock::now()));
    check
}

fn hear(check: &mut Check, member: usize, number: u32) -> Option<Delivery> {
    let payload = format!("message {number}");
    check.hear(member, number, Some(u64::from(number) + 10), &payload)
}

/// Everybody hears these, in this order each.
fn judged(sent: u32, heard: [&[u32]; 3]) -> Faults {
    let mut check = room(sent);
    for (member, numbers) in heard.iter().enumerate() {
        for number in *numbers {
            hear(&mut check, member, *number);
        }
    }
    check.close(false).0
}

fn counts(faults: &Faults) -> [u64; 5] {
    [faults.lost, faults.doubled, faults.disordered, faults.garbled, faults.strange]
}

#[test]
fn what_everybody_hears_once_in_one_order_is_right() {
    assert!(judged(4, [&[0, 1, 2, 3]; 3]).is_none());
    // Which of two that were on their way together comes first is the
    // server's to say.
    assert!(Faults::is_none(&{
        let mut check = room(2);
        for member in 0..3 {
            check.hear(member, 1, Some(1), "one");
            check.hear(member, 0, Some(2), "nought");
        }
        check.close(false).0
    }));
}

#[test]
fn a_message_is_complete_when_the_last_has_heard_it() {
    let mut check = room(2);
    let complete = |check: &mut Check, member, number| hear(check, member, number).map(|delivery| delivery.is_complete);
    assert_eq!(complete(&mut check, 0, 0), Some(false));
    assert_eq!(complete(&mut check, 2, 0), Some(false));
    assert_eq!(complete(&mut check, 2, 1), Some(false));
    assert_eq!((check.open(), complete(&mut check, 1, 0), check.open()), (2, Some(true), 1));
    assert_eq!(check.next(), 2);
    assert_eq!((check.order.len(), check.sent.len()), (1, 1), "what is done is forgotten");
}

#[test]
fn what_is_missing_doubled_or_in_another_order_is_found() {
    assert_eq!(counts(&judged(3, [&[0, 1, 2], &[0, 2], &[0, 1, 2]])), [1, 0, 0, 0, 0], "in the middle");
    assert_eq!(counts(&judged(3, [&[0, 1, 2], &[0, 1], &[0, 1]])), [2, 0, 0, 0, 0], "at the end");
    assert_eq!(counts(&judged(2, [&[0], &[0], &[0]])), [3, 0, 0, 0, 0], "for everybody");
    assert_eq!(counts(&judged(2, [&[1], &[0, 1], &[0, 1]]))[0], 1, "at the one who hears first");
    assert_eq!(counts(&judged(2, [&[0, 0, 1], &[0, 1], &[0, 1]])), [0, 1, 0, 0, 0], "on its way");
    assert_eq!(counts(&judged(2, [&[0, 1], &[0, 1], &[0, 1, 0]])), [0, 1, 0, 0, 0], "after it was done");
    assert_eq!(counts(&judged(3, [&[0, 1, 2], &[0, 2, 1], &[0, 1, 2]])), [0, 0, 1, 0, 0], "out of order");
    assert_eq!(counts(&judged(1, [&[0], &[0, 7], &[0]])), [0, 0, 0, 0, 1], "never sent");
}

#[test]
fn one_who_is_told_something_else_is_found() {
    let mut check = room(1);
    hear(&mut check, 0, 0);
    check.hear(1, 0, Some(10), "another text");
    check.hear(2, 0, Some(11), "message 0");
    assert_eq!(counts(&check.close(false).0), [0, 0, 0, 1, 0], "the third heard the same bytes");
    let mut check = room(2);
    hear(&mut check, 0, 1);
    hear(&mut check, 0, 0);
    assert_eq!(check.faults.disordered, 1, "a place in the log that lies before the last");
}

#[test]
fn what_was_refused_is_not_missing() {
    let mut check = room(2);
    assert!(check.refuse(0) && !check.refuse(0) && !check.refuse(9));
    for member in 0..3 {
        hear(&mut check, member, 1);
    }
    assert_eq!(check.open(), 0);
    assert!(check.close(false).0.is_none());
}

#[test]
fn what_is_on_its_way_at_an_early_end_is_not_lost() {
    let mut check = room(4);
    for (member, numbers) in [&[0, 1, 2][..], &[0, 2], &[0]].iter().enumerate() {
        for number in *numbers {
            hear(&mut check, member, *number);
        }
    }
    let (faults, unheard) = check.close(true);
    // One has gone past 1; 1 and 2 may still reach the last, and 3 everybody.
    assert_eq!((counts(&faults), unheard), ([1, 0, 0, 0, 0], 5));
}
