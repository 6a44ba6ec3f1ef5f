//! Judges the history of a run, as `cluster --history` has written it: whether there is one order of what was said in each
//! room that explains all that everybody was told. It knows nothing of the run but the file, and takes a time that grows
//! with it.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;

use clap::Args;

use crate::history::{Line, Page, Step, What, lines_of};
use crate::load::{DISORDERED, DOUBLED, Faults, LOST, STRANGE};
use crate::report::{Report, print_line, print_remark};
use crate::trouble::{Fallible, Trouble};

mod inboxes;
mod pages;
mod seats;

/// Kinds of faults that only a history shows.
const UNDONE: &str = "read though it had failed";
const TAKEN: &str = "read after it was taken back";
const FORGOTTEN: &str = "read before, and not read again";
const ALIVE: &str = "read or said after the end";

#[derive(Debug, Args)]
pub(crate) struct Judge {
    /// What `cluster --history` has written.
    file: PathBuf,
    /// How many seconds a read may lag behind what was acknowledged: a node that hears the others late shows what is old
    /// for a while. When all is said and nothing fails any more, none may. 0 asks for reads that are always the newest.
    #[arg(long, value_name = "SECONDS", default_value = "60")]
    may_lag: u32,
}

impl Judge {
    pub(super) fn run(&self, report: &mut Report) -> Fallible {
        let mut history = Judged { may_lag: u64::from(self.may_lag) * 1_000_000, ..Judged::default() };
        for line in lines_of(&self.file)? {
            history.take(line?);
        }
        let (lines, rooms) = (history.lines, history.rooms.len());
        let faults = history.judge();
        let lag = history.longest_lag / 1000;
        report.set("longest_lag_ms", lag);
        report.set("lines", lines);
        report.set("faults", &faults);
        let troubles = history.troubles;
        print_line(&format!(
            "{lines} lines, {rooms} rooms and inboxes, {troubles} troubles. The read that was oldest lacked what had been \
             acknowledged for {lag} ms."
        ));
        faults.lines().iter().for_each(|line| print_remark(line));
        if faults.count() > 0 {
            return Err(Trouble::Wrong);
        }
        report.checked("one order of each room explains all that everybody was told.");
        Ok(())
    }
}

/// An operation: when it began, and when it ended, if anybody knows how.
#[derive(Debug, Default, Clone, Copy)]
struct Span {
    begun: u64,
    done: Option<u64>,
    has_failed: bool,
}

impl Span {
    fn begins(time: u64) -> Self {
        Self { begun: time, ..Self::default() }
    }

    fn ends(&mut self, step: Step, time: u64) {
        match step {
            Step::Ok => self.done = Some(time),
            Step::Fail => self.has_failed = true,
            Step::Invoke | Step::Unknown => {}
        }
    }
}

/// What was said in a room, and read of it.
#[derive(Default)]
struct Room {
    said: HashMap<u32, (Span, Option<u64>)>,
    taken_back: HashMap<u32, Span>,
    /// When each began and ended, who read, and what.
    reads: Vec<(u64, u64, usize, Page)>,
    /// When it was ended, if it is a conversation.
    ended: Option<Span>,
    /// When reads began and ended that were told that it isn't there.
    refused: Vec<(u64, u64)>,
    seats: seats::Seats,
    inbox: inboxes::Inbox,
    page: pages::Page,
}

/// A history, as far as it was read.
#[derive(Default)]
struct Judged {
    lines: u64,
    troubles: u64,
    rooms: BTreeMap<usize, Room>,
    /// How old a read may be, and how old one was, in microseconds.
    may_lag: u64,
    longest_lag: u64,
    /// When all was said.
    rest: Option<u64>,
    /// When reads began that have not ended.
    reading: HashMap<u64, u64>,
}

impl Judged {
    fn take(&mut self, line: Line) {
        self.lines += 1;
        let Line { time, process, op, step, room, what } = line;
        if what == What::Rest {
            self.rest = Some(time);
            return;
        }
        if let What::Fault(_) = what {
            self.troubles += u64::from(step == Step::Invoke);
            return;
        }
        let room = self.rooms.entry(room).or_default();
        let begins = step == Step::Invoke;
        match what {
            What::Say(number, _) if begins => _ = room.said.insert(number, (Span::begins(time), None)),
            What::Say(number, place) => {
                if let Some((span, at)) = room.said.get_mut(&number) {
                    span.ends(step, time);
                    *at = place;
                }
            }
            What::TakeBack(number) if begins => _ = room.taken_back.entry(number).or_insert(Span::begins(time)),
            What::TakeBack(number) => {
                if let Some(span) = room.taken_back.get_mut(&number) {
                    span.ends(step, time);
                }
            }
            What::Read(_) | What::Inbox(_) if begins => _ = self.reading.insert(op, time),
            What::Read(Some(page)) if step == Step::Ok => {
                let begun = self.reading.remove(&op).unwrap_or(time);
                room.reads.push((begun, time, process, page));
            }
            What::Inbox(Some(notes)) if step == Step::Ok => {
                let begun = self.reading.remove(&op).unwrap_or(time);
                room.inbox.read(begun, time, process, notes);
            }
            What::Note(number, sender) => room.inbox.note(number, sender, step, time),
            What::Block(sender) => room.inbox.block(sender, step, time),
            What::End if begins => room.ended = room.ended.or(Some(Span::begins(time))),
            What::End => room.ended.iter_mut().for_each(|ended| ended.ends(step, time)),
            What::Read(None) if step == Step::Fail => {
                let begun = self.reading.remove(&op).unwrap_or(time);
                room.refused.push((begun, time));
            }
            What::Suspend(is_suspended) => room.page.change(is_suspended, step, time),
            What::Visit(seen) => room.page.visit(op, seen, step, time),
            What::Sit(seat) => room.seats.sit(seat, step, time),
            What::Leave(seat) => room.seats.leave(seat, step, time),
            What::Read(_) | What::Inbox(_) | What::Fault(_) | What::Rest => {}
        }
    }

    fn judge(&mut self) -> Faults {
        let mut faults = Faults::default();
        for (name, room) in &mut self.rooms {
            let lag = room.judge(*name, (self.may_lag, self.rest), &mut faults);
            self.longest_lag = self.longest_lag.max(lag);
            room.seats.judge(*name, &mut faults);
            room.inbox.judge(*name, &mut faults);
            room.page.judge(*name, &mut faults);
        }
        faults
    }
}

impl Room {
    /// Returns how old the oldest read was.
    fn judge(&mut self, room: usize, may_lag: (u64, Option<u64>), faults: &mut Faults) -> u64 {
        let order = self.order(room, faults);
        self.judge_messages(room, &order, faults);
        self.reads.sort_by_key(|(begun, ..)| *begun);
        self.judge_reads(room, &order, faults);
        self.judge_time(room, faults);
        self.judge_end(room, faults);
        // A conversation is read in the database each time, and no server has it in memory.
        let (may_lag, rest) = may_lag;
        self.judge_lags(room, (if self.ended.is_some() { 0 } else { may_lag }, rest), faults)
    }

    /// Which message stands at each place, as all have read it.
    fn order(&self, room: usize, faults: &mut Faults) -> BTreeMap<u64, u32> {
        let (mut order, mut places) = (BTreeMap::new(), HashMap::new());
        for (place, number) in self.reads.iter().flat_map(|(.., page)| &page.chats) {
            if order.insert(*place, *number).is_some_and(|other| other != *number) {
                faults.add(DISORDERED, 1, || format!("room {room}: two messages were read at place {place}"));
            }
            if places.insert(*number, *place).is_some_and(|other| other != *place) {
                faults.add(DOUBLED, 1, || format!("room {room}: message {number} was read at two places"));
            }
        }
        for (number, (span, place)) in &self.said {
            let (Some(_), Some(place)) = (span.done, place) else { continue };
            if places.get(number).is_some_and(|read| read != place) {
                faults.add(DISORDERED, 1, || format!("room {room}: message {number} isn't read at its place {place}"));
            }
        }
        order
    }

    /// What was read was said, and has not failed.
    fn judge_messages(&self, room: usize, order: &BTreeMap<u64, u32>, faults: &mut Faults) {
        for number in order.values() {
            match self.said.get(number) {
                None => faults.add(STRANGE, 1, || format!("room {room}: message {number}")),
                Some((Span { has_failed: true, .. }, _)) => {
                    faults.add(UNDONE, 1, || format!("room {room}: message {number}"));
                }
                Some(_) => {}
            }
        }
    }

    fn judge_reads(&self, room: usize, order: &BTreeMap<u64, u32>, faults: &mut Faults) {
        // What somebody has begun to take back may be there or not.
        let is_whole = |number: &u32| self.taken_back.get(number).is_none_or(|span| span.has_failed);
        let order: Vec<(u64, u32)> =
            order.iter().filter(|(_, number)| is_whole(number)).map(|(place, number)| (*place, *number)).collect();
        let mut readers: HashMap<usize, (u64, u64)> = HashMap::new();
        for (begun, ended, reader, page) in &self.reads {
            let last = page.chats.iter().rfind(|(_, number)| is_whole(number));
            let until = last.map_or(0, |(place, _)| *place);
            // A reader that waits for one answer before it asks again only sees more.
            let (before, known) = readers.get(reader).copied().unwrap_or_default();
            if before <= *begun && until < known {
                faults.add(FORGOTTEN, 1, || format!("room {room}: reader {reader} had read {known}, and then {until}"));
            }
            readers.insert(*reader, (*ended, until.max(known)));
            self.judge_page(room, *ended, page, &order, faults);
        }
    }

    /// A read is a piece of the one order, without a gap, and has nothing that was not said yet.
    fn judge_page(&self, room: usize, ended: u64, page: &Page, order: &[(u64, u32)], faults: &mut Faults) {
        for (_, number) in &page.chats {
            if self.said.get(number).is_some_and(|(span, _)| span.begun > ended) {
                faults.add(STRANGE, 1, || format!("room {room}: message {number} was read before it was said"));
            }
        }
        if !page.chats.is_sorted_by(|(one, _), (other, _)| one < other) {
            faults.add(DISORDERED, 1, || format!("room {room}: a read from {}", page.from));
        }
        let Some((until, _)) = page.chats.last() else { return };
        let begins = order.partition_point(|(place, _)| *place < page.from);
        let ends = order.partition_point(|(place, _)| place <= until);
        let read: HashSet<_> = page.chats.iter().collect();
        let missing = order.get(begins..ends).unwrap_or_default().iter().filter(|chat| !read.contains(chat)).count();
        if missing > 0 {
            faults.add(LOST, missing as u64, || {
                format!("room {room}: {missing} in a read from {} to {until}", page.from)
            });
        }
    }

    /// What was acknowledged before a read began is in it, and what was taken back isn't, or the read lags. Returns for how
    /// long one has lagged.
    fn judge_lags(&self, room: usize, (may_lag, rest): (u64, Option<u64>), faults: &mut Faults) -> u64 {
        // What was taken back is behind no read any more.
        let done = self.said.iter().filter(|(number, _)| !self.taken_back.contains_key(number));
        let mut done: Vec<(u64, u64)> = done.filter_map(|(_, (span, place))| Some((span.done?, (*place)?))).collect();
        done.sort_unstable();
        // The highest place that was acknowledged so far.
        let mut highest = 0;
        for (_, place) in &mut done {
            highest = highest.max(*place);
            *place = highest;
        }
        let mut longest = 0;
        for (begun, _, _, page) in &self.reads {
            let until = page.chats.last().map_or(0, |(place, _)| *place);
            let missing = done.get(done.partition_point(|(_, place)| *place <= until));
            let lag = missing.map_or(0, |(when, _)| begun.saturating_sub(*when));
            let gone = page.chats.iter().filter_map(|(_, number)| self.taken_back.get(number)?.done);
            let kept = gone.min().map_or(0, |when| begun.saturating_sub(when));
            longest = longest.max(lag).max(kept);
            let is_last = rest.is_some_and(|rest| *begun >= rest);
            if lag > may_lag || lag > 0 && is_last {
                faults
                    .add(LOST, 1, || format!("room {room}: a read at {begun} µs ends at {until}, {lag} µs too early"));
            }
            if kept > may_lag || kept > 0 && is_last {
                faults.add(TAKEN, 1, || format!("room {room}: a read at {begun} µs has words, {kept} µs too late"));
            }
        }
        longest
    }

    /// What was ended is ended: nothing is read of it or said in it. Nothing else is away.
    fn judge_end(&self, room: usize, faults: &mut Faults) {
        let ended = self.ended.and_then(|ended| ended.done).unwrap_or(u64::MAX);
        let begun = self.reads.iter().map(|(begun, ..)| *begun);
        let said = self.said.values().filter(|(span, _)| span.done.is_some()).map(|(span, _)| span.begun);
        let after = begun.chain(said).filter(|begun| *begun > ended).count();
        if after > 0 {
            faults.add(ALIVE, after as u64, || format!("conversation {room}, which had ended at {ended} µs"));
        }
        let may_be_gone = self.ended.filter(|ended| !ended.has_failed).map_or(u64::MAX, |ended| ended.begun);
        for (_, told) in self.refused.iter().filter(|(_, told)| *told < may_be_gone) {
            faults.add(LOST, 1, || format!("conversation {room}: it wasn't there at {told} µs"));
        }
    }

    /// What was acknowledged before something else was said stands before it.
    fn judge_time(&self, room: usize, faults: &mut Faults) {
        let done = |(span, place): &(Span, Option<u64>)| Some((span.begun, span.done?, (*place)?));
        let all: Vec<_> = self.said.values().filter_map(done).collect();
        let mut begun: Vec<_> = all.iter().map(|(begun, _, place)| (*begun, *place)).collect();
        let mut ended: Vec<_> = all.iter().map(|(_, ended, place)| (*ended, *place)).collect();
        begun.sort_unstable();
        ended.sort_unstable();
        let (mut ended, mut highest) = (ended.into_iter().peekable(), 0);
        for (begun, place) in begun {
            while let Some((_, earlier)) = ended.next_if(|(when, _)| *when < begun) {
                highest = highest.max(earlier);
            }
            if place < highest {
                faults.add(DISORDERED, 1, || format!("room {room}: {place} was said after {highest} was there"));
            }
        }
    }
}

#[cfg(test)]
mod tests;
