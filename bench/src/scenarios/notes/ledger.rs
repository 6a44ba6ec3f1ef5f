//! What was sent, what became of it, and whether the inboxes hold just that.
//! Each note says in its own words which one it is, so that it can be told
//! from every other in any inbox.

use std::collections::HashMap;

use serde::Serialize;

use crate::load::faults::{DISORDERED, DOUBLED, Faults, LOST, STRANGE};

/// Characters of a note.
const LENGTH: usize = 120;
const MISPLACED: &str = "in the wrong inbox";
const REFUSED: &str = "refused and there all the same";

/// What a note's sender was told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is stored: it must be there, once.
    Acknowledged,
    /// It is not stored: it must not be there.
    Refused,
    /// Nothing that can be relied on: it may be there, once.
    Unknown,
}

/// A note that was sent.
#[derive(Debug, Clone, Copy)]
pub(super) struct Note {
    /// The stage, and which client of it. A client sends one after the other.
    pub(super) client: (usize, usize),
    /// The inbox it was sent to.
    pub(super) inbox: usize,
    pub(super) fate: Fate,
}

/// All notes of a run, by their numbers.
#[derive(Debug, Default)]
pub(crate) struct Ledger(Vec<Note>);

/// The words of a note.
pub(super) fn text(tag: &str, number: usize, inbox: usize) -> String {
    format!("{:.<LENGTH$}", format!("annon-bench {tag} note {number} inbox {inbox} "))
}

/// The number in a note's words. Nothing if they are not, to the letter, what
/// a note of this run says.
fn parse(words: &str, tag: &str) -> Option<usize> {
    let mut parts = words.split(' ');
    let number = parts.nth(3)?.parse().ok()?;
    let inbox = parts.nth(1)?.parse().ok()?;
    (text(tag, number, inbox) == words).then_some(number)
}

/// What the inboxes hold, compared with what was acknowledged.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Verdict {
    acknowledged: usize,
    /// Never answered; each may be there or not.
    unanswered: usize,
    pub(crate) wrong: u64,
    #[serde(flatten)]
    faults: Faults,
}

impl Ledger {
    /// Takes a note; its number.
    pub(super) fn add(&mut self, note: Note) -> usize {
        self.0.push(note);
        self.0.len() - 1
    }

    pub(super) fn set(&mut self, number: usize, fate: Fate) {
        self.0[number].fate = fate;
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Compares inboxes, each newest first, with what is known.
    pub(crate) fn judge(&self, inboxes: impl IntoIterator<Item = (usize, Vec<String>)>, tag: &str) -> Verdict {
        let mut faults = Faults::default();
        let mut seen = vec![0_u8; self.0.len()];
        for (inbox, texts) in inboxes {
            let mut newer = HashMap::new();
            for text in texts {
                let known = parse(&text, tag).and_then(|number| Some((number, self.0.get(number)?)));
                let Some((number, note)) = known else {
                    faults.add(STRANGE, 1, || text);
                    continue;
                };
                seen[number] = seen[number].saturating_add(1);
                let is_older = newer.insert(note.client, number).is_some_and(|newer| newer < number);
                for (what, is_so) in [
                    (DOUBLED, seen[number] == 2),
                    (MISPLACED, note.inbox != inbox),
                    // Before one that the same client sent afterwards.
                    (DISORDERED, is_older),
                    (REFUSED, note.fate == Fate::Refused),
                ] {
                    if is_so {
                        faults.add(what, 1, || format!("note {number} for inbox {}, in inbox {inbox}", note.inbox));
                    }
                }
            }
        }
        for (number, note) in self.0.iter().enumerate() {
            if note.fate == Fate::Acknowledged && seen[number] == 0 {
                faults.add(LOST, 1, || format!("note {number} for inbox {}", note.inbox));
            }
        }
        let count = |fate| self.0.iter().filter(|note| note.fate == fate).count();
        let (acknowledged, unanswered) = (count(Fate::Acknowledged), count(Fate::Unknown));
        Verdict { acknowledged, unanswered, wrong: faults.count(), faults }
    }
}

impl Verdict {
    /// For people.
    pub(crate) fn lines(&self) -> Vec<String> {
        let Self { acknowledged, unanswered, .. } = self;
        let mut lines = self.faults.lines();
        if lines.is_empty() {
            lines.push(format!("Checked: each of the {acknowledged} acknowledged notes is in its inbox, once."));
        }
        if *unanswered > 0 {
            lines.push(format!("{unanswered} were never answered, and may be there or not."));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Fate::{Acknowledged, Refused, Unknown};

    fn words(number: usize, inbox: usize) -> String {
        text("tag", number, inbox)
    }

    #[test]
    fn a_note_s_words_are_read_back_and_a_changed_letter_is_noticed() {
        let text = words(34_567, 49);
        assert_eq!((text.len(), parse(&text, "tag"), parse(&text, "other")), (LENGTH, Some(34_567), None));
        for at in 0..text.len() {
            let mut changed = text.clone();
            changed.replace_range(at..=at, "X");
            assert_eq!(parse(&changed, "tag"), None, "{changed}");
        }
    }

    #[test]
    fn every_kind_of_wrong_is_noticed_and_nothing_else() {
        let both = &[Acknowledged, Acknowledged][..];
        let all = &[Acknowledged, Refused, Unknown, Unknown, Acknowledged][..];
        for (fates, first, second, wrong) in [
            (all, vec![words(4, 0), words(2, 0), words(0, 0)], vec![], None),
            (both, vec![words(1, 0)], vec![], Some(LOST)),
            (both, vec![words(1, 0), words(0, 0), words(0, 0)], vec![], Some(DOUBLED)),
            (both, vec![words(1, 0)], vec![words(0, 0)], Some(MISPLACED)),
            (&[Refused][..], vec![words(0, 0)], vec![], Some(REFUSED)),
            (both, vec![words(0, 0), words(1, 0)], vec![], Some(DISORDERED)),
            (&[Unknown][..], vec!["Who wrote this?".to_owned()], vec![], Some(STRANGE)),
            (&[Acknowledged][..], vec![words(0, 0), words(1, 0)], vec![], Some(STRANGE)),
        ] {
            let mut ledger = Ledger::default();
            for fate in fates {
                ledger.add(Note { client: (0, 0), inbox: 0, fate: *fate });
            }
            let verdict = ledger.judge([first, second].into_iter().enumerate(), "tag");
            let is_it = wrong.is_none_or(|what| verdict.faults.count_of(what) == 1);
            assert!(is_it && verdict.wrong == u64::from(wrong.is_some()), "{wrong:?}: {verdict:?}");
        }
    }
}
