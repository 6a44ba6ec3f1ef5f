//! What was sent, what became of it, and whether the inboxes hold just that.
//! Each note says in its own words which one it is, so that it can be told
//! from every other in any inbox.

use std::collections::HashMap;

use crate::load::faults::{DISORDERED, DOUBLED, Faults, LOST, STRANGE};

/// Characters of a note.
const LENGTH: usize = 120;
const MISPLACED: &str = "in the wrong inbox";
const REFUSED: &str = "refused and there all the same";

/// What a note's sender was told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It is stored: it must be there, once.
    Acknowledged,
    /// It is not stored: it must not be there.
    Refused,
    /// Nothing that can be relied on: it may be there, once.
    Unknown,
}

/// A note that was sent.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Note {
    /// The stage, and which client of it. A client sends one after the other.
    pub(crate) client: (usize, usize),
    /// The inbox it was sent to.
    pub(crate) inbox: usize,
    pub(crate) fate: Fate,
}

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

/// What is wrong in inboxes, each newest first, by what is known of all notes of
/// a run.
pub(super) fn compare(notes: &[Note], inboxes: impl IntoIterator<Item = (usize, Vec<String>)>, tag: &str) -> Faults {
    let mut faults = Faults::default();
    let mut seen = vec![0_u8; notes.len()];
    for (inbox, texts) in inboxes {
        let mut newer = HashMap::new();
        for text in texts {
            let known = parse(&text, tag).and_then(|number| Some((number, notes.get(number)?)));
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
    for (number, note) in notes.iter().enumerate() {
        if note.fate == Fate::Acknowledged && seen[number] == 0 {
            faults.add(LOST, 1, || format!("note {number} for inbox {}", note.inbox));
        }
    }
    faults
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
            let notes: Vec<_> = fates.iter().map(|fate| Note { client: (0, 0), inbox: 0, fate: *fate }).collect();
            let faults = compare(&notes, [first, second].into_iter().enumerate(), "tag");
            let is_it = wrong.is_none_or(|what| faults.count_of(what) == 1);
            assert!(is_it && faults.count() == u64::from(wrong.is_some()), "{wrong:?}: {faults:?}");
        }
    }
}
