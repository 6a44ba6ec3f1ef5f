use super::*;
use crate::clock;

/// A room of three, where `sent` messages are on their way.
fn room(sent: u32) -> Book {
    let mut book = Book::new(0, 3, true);
    (0..sent).for_each(|_| book.send(clock::now()));
    book
}

fn hear(book: &mut Book, member: usize, number: u32) -> Option<Delivery> {
    let payload = format!("message {number}");
    book.hear(member, Message { number, seq: Some(u64::from(number) + 10) }, payload.as_bytes())
}

/// Everybody hears these, in this order each.
fn judged(sent: u32, heard: [&[u32]; 3]) -> Faults {
    let mut book = room(sent);
    for (member, numbers) in heard.iter().enumerate() {
        for number in *numbers {
            hear(&mut book, member, *number);
        }
    }
    book.close()
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
        let mut book = room(2);
        for member in 0..3 {
            book.hear(member, Message { number: 1, seq: Some(1) }, b"one");
            book.hear(member, Message { number: 0, seq: Some(2) }, b"nought");
        }
        book.close()
    }));
}

#[test]
fn a_message_is_complete_when_the_last_has_heard_it() {
    let mut book = room(2);
    let complete = |book: &mut Book, member, number| hear(book, member, number).map(|delivery| delivery.is_complete);
    assert_eq!(complete(&mut book, 0, 0), Some(false));
    assert_eq!(complete(&mut book, 2, 0), Some(false));
    assert_eq!(complete(&mut book, 2, 1), Some(false));
    assert_eq!((book.open(), complete(&mut book, 1, 0), book.open()), (2, Some(true), 1));
    assert_eq!(book.next(), 2);
    assert_eq!((book.order.len(), book.sent.len()), (1, 1), "what is done is forgotten");
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
    let mut book = room(1);
    hear(&mut book, 0, 0);
    book.hear(1, Message { number: 0, seq: Some(10) }, b"another text");
    book.hear(2, Message { number: 0, seq: Some(11) }, b"message 0");
    assert_eq!(counts(&book.close()), [0, 0, 0, 1, 0], "the third heard the same bytes");
    let mut book = room(2);
    hear(&mut book, 0, 1);
    hear(&mut book, 0, 0);
    assert_eq!(book.faults.disordered, 1, "a place in the log that lies before the last");
}

#[test]
fn what_was_refused_is_not_missing() {
    let mut book = room(2);
    assert!(book.refuse(0) && !book.refuse(0) && !book.refuse(9));
    for member in 0..3 {
        hear(&mut book, member, 1);
    }
    assert_eq!(book.open(), 0);
    assert!(book.close().is_none());
}

#[test]
fn what_is_on_its_way_at_an_early_end_is_not_lost() {
    let mut book = room(4);
    for (member, numbers) in [&[0, 1, 2][..], &[0, 2], &[0]].iter().enumerate() {
        for number in *numbers {
            hear(&mut book, member, *number);
        }
    }
    let (faults, unheard) = book.close_early();
    // One has gone past 1; 1 and 2 may still reach the last, and 3 everybody.
    assert_eq!((counts(&faults), unheard), ([1, 0, 0, 0, 0], 5));
}
