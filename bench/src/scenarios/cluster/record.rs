//! What members received and were promised, compared with each other and with the log.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::Instant;

use crate::load::{ChatMessage, DISORDERED, DOUBLED, Faults, GARBLED, LOST, MessageId};
use crate::scenarios::cluster::member::{Member, Sent, digest};

/// Checks one room. `log` are the lines that are still there. What stands at places in `taken` may be there or not.
pub(super) fn check(members: &[Rc<Member>], log: &[ChatMessage], taken: &BTreeSet<u64>, faults: &mut Faults) {
    let room = members.first().map_or(0, |member| member.room);
    let mut chat: BTreeMap<u64, u64> = BTreeMap::new();
    for member in members {
        for (seq, what) in member.received.borrow().iter() {
            if !taken.contains(seq) && chat.insert(*seq, *what).is_some_and(|other| other != *what) {
                faults.add(GARBLED, 1, || format!("place {seq} of room {room} isn't the same for all"));
            }
        }
    }
    let first = log.first().map_or(0, |line| line.seq);
    let log: Vec<_> = log.iter().filter(|line| !taken.contains(&line.seq)).collect();
    let is_right =
        chat.range(first..).map(|(seq, what)| (*seq, *what)).eq(log.iter().map(|line| (line.seq, digest(line))));
    if !is_right {
        let shown: BTreeSet<_> = chat.range(first..).map(|(seq, _)| *seq).collect();
        let kept: BTreeSet<_> = log.iter().map(|line| line.seq).collect();
        let differing: Vec<_> = shown.symmetric_difference(&kept).take(5).collect();
        faults.add(LOST, 1, || format!("the log of room {room} isn't what was received: {differing:?}"));
    }
    let mut ids = BTreeSet::new();
    for line in &log {
        if !ids.insert(&line.id) {
            faults.add(DOUBLED, 1, || format!("{line:?}"));
        }
    }
    for member in members {
        check_stream(member, &chat, taken, faults);
    }
    check_order(members, faults);
}

/// What one member received has no gap, and everything it was promised is at its place.
fn check_stream(member: &Member, chat: &BTreeMap<u64, u64>, taken: &BTreeSet<u64>, faults: &mut Faults) {
    let (room, seat) = (member.room, member.seat);
    let received = member.received.borrow();
    if let Some((first, _)) = received.first() {
        let whole = received.iter().filter(|(seq, _)| !taken.contains(seq)).count();
        let missing = chat.range(first..).count().saturating_sub(whole);
        if missing > 0 {
            faults.add(LOST, missing as u64, || format!("{missing} messages of room {room} for member {seat}"));
        }
    }
    for (number, Sent { echoed, .. }) in member.sent.borrow().iter() {
        if echoed.is_some_and(|(place, _)| taken.contains(&place)) {
            continue;
        }
        let promised = echoed.map(|(seq, _)| {
            let id = MessageId { room, number: *number }.to_string();
            let message = crate::load::frames::words(*number);
            chat.get(&seq) == Some(&digest(&ChatMessage { id, seq, sender: member.emoji.clone(), message }))
        });
        if promised != Some(true) {
            faults.add(LOST, 1, || format!("message {number} of room {room}: echoed at {echoed:?}"));
        }
    }
}

/// A message that was echoed before another one was sent stands before it.
fn check_order(members: &[Rc<Member>], faults: &mut Faults) {
    let mut sent: Vec<(Instant, u64)> = Vec::new();
    let mut echoed: Vec<(Instant, u64)> = Vec::new();
    for member in members {
        for Sent { begun, echoed: at, .. } in member.sent.borrow().values() {
            if let Some((seq, when)) = at {
                sent.push((*begun, *seq));
                echoed.push((*when, *seq));
            }
        }
    }
    sent.sort_unstable();
    echoed.sort_unstable();
    let (mut before, mut highest) = (echoed.into_iter().peekable(), 0);
    for (begun, seq) in sent {
        while let Some((_, earlier)) = before.next_if(|(when, _)| *when < begun) {
            highest = highest.max(earlier);
        }
        if seq < highest {
            faults.add(DISORDERED, 1, || format!("place {seq} was sent after {highest} was echoed"));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::load::{clock, frames};
    use crate::scenarios::cluster::chaos::Trial;

    /// A room of two, in which the first has said what is numbered 0 to 3, and the log.
    fn room() -> (Vec<Rc<Member>>, Vec<ChatMessage>) {
        let member = |seat, emoji: &str| Rc::new(Member::new(0, seat, emoji.to_owned(), String::new()));
        let members = vec![member(0, "🦊"), member(1, "⭐")];
        let say = |number: u32| {
            let id = MessageId { room: 0, number }.to_string();
            ChatMessage { id, seq: 10 + u64::from(number), sender: "🦊".to_owned(), message: frames::words(number) }
        };
        let log: Vec<_> = (0..4).map(say).collect();
        let begun = clock::now();
        for (step, message) in log.iter().enumerate() {
            let at = begun + Duration::from_secs(step as u64);
            let echoed = Some((message.seq, at + Duration::from_millis(500)));
            members[0].sent.borrow_mut().insert(step as u32, Sent { begun: at, during: Trial::Calm, echoed });
            members.iter().for_each(|member| member.received.borrow_mut().push((message.seq, digest(message))));
        }
        (members, log)
    }

    fn faults(change: impl FnOnce(&[Rc<Member>], &mut Vec<ChatMessage>)) -> Vec<&'static str> {
        let (members, mut log) = room();
        change(&members, &mut log);
        let mut faults = Faults::default();
        check(&members, &log, &BTreeSet::new(), &mut faults);
        [LOST, DOUBLED, DISORDERED, GARBLED].into_iter().filter(|what| faults.count_of(what) > 0).collect()
    }

    #[test]
    fn what_was_taken_back_may_be_there_or_not_and_nothing_else() {
        let missing = |taken: u64| {
            let (members, mut log) = room();
            log.remove(2);
            let mut faults = Faults::default();
            check(&members, &log, &BTreeSet::from([taken]), &mut faults);
            faults.count_of(LOST)
        };
        assert_eq!([11, 12, 13].map(missing), [1, 0, 1]);
    }

    #[test]
    fn whatever_is_lost_doubled_or_out_of_order_is_found() {
        assert_eq!(faults(|_, _| {}), [""; 0]);
        assert_eq!(faults(|_, log| _ = log.remove(0)), [""; 0], "old lines are dropped");
        assert_eq!(faults(|_, log| _ = log.remove(2)), [LOST]);
        assert_eq!(faults(|members, _| _ = members[1].received.borrow_mut().remove(2)), [LOST], "a gap");
        assert_eq!(faults(|members, _| members[1].received.borrow_mut()[2].1 += 1), [LOST, GARBLED]);
        let promised = |members: &[Rc<Member>]| {
            let echoed = Some((40, clock::now() + Duration::from_secs(60)));
            members[1].sent.borrow_mut().insert(9, Sent { begun: clock::now(), during: Trial::Calm, echoed });
        };
        assert_eq!(faults(|members, _| promised(members)), [LOST]);
        let twice = |members: &[Rc<Member>], log: &mut Vec<ChatMessage>| {
            log.push(ChatMessage { seq: 14, ..log[3].clone() });
            members.iter().for_each(|member| member.received.borrow_mut().push((14, digest(&log[3]))));
        };
        assert_eq!(faults(twice), [DOUBLED]);
        let late = |members: &[Rc<Member>]| {
            let mut sent = members[0].sent.borrow_mut();
            let first = sent.get_mut(&0).unwrap();
            first.begun += Duration::from_secs(2);
        };
        assert_eq!(faults(|members, _| late(members)), [DISORDERED]);
    }
}
