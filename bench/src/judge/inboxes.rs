//! An inbox: what was acknowledged is in every later read, once, and what has failed in none. A reader sees no note go.
//! Whoever was blocked is told yes, and nothing of it is read.

use std::collections::{HashMap, HashSet};

use super::{FORGOTTEN, Span, UNDONE};
use crate::history::Step;
use crate::load::{DOUBLED, Faults, LOST, STRANGE};

/// A note of somebody who had been blocked before was read.
pub(super) const BLOCKED: &str = "of somebody who was blocked";

#[derive(Default)]
pub(super) struct Inbox {
    /// And who sent each.
    notes: HashMap<u32, (Span, u32)>,
    blocks: HashMap<u32, Span>,
    /// When each began and ended, who read, and what.
    reads: Vec<(u64, u64, usize, Vec<u32>)>,
}

impl Inbox {
    pub(super) fn note(&mut self, number: u32, sender: u32, step: Step, time: u64) {
        self.notes.entry(number).or_insert((Span::begins(time), sender)).0.ends(step, time);
    }

    pub(super) fn block(&mut self, sender: u32, step: Step, time: u64) {
        self.blocks.entry(sender).or_insert(Span::begins(time)).ends(step, time);
    }

    pub(super) fn read(&mut self, begun: u64, ended: u64, reader: usize, notes: Vec<u32>) {
        self.reads.push((begun, ended, reader, notes));
    }

    pub(super) fn judge(&mut self, inbox: usize, faults: &mut Faults) {
        self.reads.sort_by_key(|(begun, ..)| *begun);
        // Whoever is being blocked may be told yes for what is dropped.
        let is_dropped = |(span, sender): &(Span, u32)| {
            self.blocks.get(sender).is_some_and(|block| !block.has_failed && span.done >= Some(block.begun))
        };
        let done = self.notes.iter().filter(|(_, note)| !is_dropped(note));
        let mut done: Vec<(u64, u32)> = done.filter_map(|(number, (span, _))| Some((span.done?, *number))).collect();
        done.sort_unstable();
        let mut readers: HashMap<usize, (u64, usize)> = HashMap::new();
        for (begun, ended, reader, notes) in &self.reads {
            let read: HashSet<_> = notes.iter().copied().collect();
            if read.len() < notes.len() {
                faults.add(DOUBLED, 1, || format!("inbox {inbox}: a note was read twice in one read"));
            }
            let missing = done.iter().take_while(|(when, _)| when < begun).filter(|(_, note)| !read.contains(note));
            let missing = missing.count();
            if missing > 0 {
                faults.add(LOST, missing as u64, || format!("inbox {inbox}: {missing} notes in a read at {begun} µs"));
            }
            for number in notes {
                match self.notes.get(number) {
                    Some((span, sender))
                        if self
                            .blocks
                            .get(sender)
                            .is_some_and(|block| block.done < Some(span.begun) && block.done.is_some()) =>
                    {
                        faults.add(BLOCKED, 1, || format!("inbox {inbox}: note {number}"));
                    }
                    Some((span, _)) if span.has_failed => {
                        faults.add(UNDONE, 1, || format!("inbox {inbox}: note {number}"));
                    }
                    Some((span, _)) if span.begun <= *ended => {}
                    Some(_) | None => faults.add(STRANGE, 1, || format!("inbox {inbox}: note {number}")),
                }
            }
            let (before, count) = readers.get(reader).copied().unwrap_or_default();
            if before <= *begun && read.len() < count {
                faults.add(FORGOTTEN, 1, || format!("inbox {inbox}: {count} notes, and then {}", read.len()));
            }
            readers.insert(*reader, (*ended, read.len().max(count)));
        }
    }
}
