//! What was sent, what became of it, and whether the inboxes hold just that.
//! Each note says in its own words which one it is, so that it can be told
//! from every other in any inbox.

use std::collections::HashMap;

use serde::Serialize;

/// Examples that are shown of what is wrong.
const EXAMPLES: usize = 5;

/// What a note's sender was told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::scenarios) enum Fate {
    /// It is stored: it must be there, once.
    Acknowledged,
    /// It is not stored: it must not be there.
    Refused,
    /// Nothing that can be relied on: it may be there, once.
    Unknown,
}

/// A note that was sent.
#[derive(Debug, Clone, Copy)]
pub(in crate::scenarios) struct Note {
    /// The stage, and which client of it. A client sends one after the other.
    pub(in crate::scenarios) client: (usize, usize),
    /// The inbox it was sent to.
    pub(in crate::scenarios) inbox: usize,
    pub(in crate::scenarios) fate: Fate,
}

/// All notes of a run, by their numbers.
#[derive(Debug, Default)]
pub(in crate::scenarios) struct Ledger(Vec<Note>);

/// The words of a note, as long as was asked for.
pub(in crate::scenarios) fn text(tag: &str, number: usize, inbox: usize, length: usize) -> String {
    format!("{:.<length$}", format!("annon-bench {tag} note {number} inbox {inbox} "))
}

/// The number in a note's words. Nothing if they are not, to the letter, what
/// a note of this run says.
fn parse(words: &str, tag: &str) -> Option<usize> {
    let mut parts = words.split(' ');
    let number = parts.nth(3)?.parse().ok()?;
    let inbox = parts.nth(1)?.parse().ok()?;
    (text(tag, number, inbox, words.len()) == words).then_some(number)
}

/// What the inboxes hold, compared with what was acknowledged.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub(in crate::scenarios) struct Verdict {
    acknowledged: usize,
    /// Acknowledged and not there.
    lost: u64,
    /// There more than once.
    doubled: u64,
    /// In somebody else's inbox.
    misplaced: u64,
    /// Refused and there all the same.
    refused_and_there: u64,
    /// Before a note that the same client sent after its acknowledgement.
    out_of_order: u64,
    /// Words that nobody sent.
    strange: u64,
    /// Never answered; each may be there or not.
    unanswered: usize,
    /// A few of what is wrong.
    examples: Vec<String>,
}

impl Ledger {
    /// Takes a note; its number.
    pub(in crate::scenarios) fn add(&mut self, note: Note) -> usize {
        self.0.push(note);
        self.0.len() - 1
    }

    pub(in crate::scenarios) fn set(&mut self, number: usize, fate: Fate) {
        self.0[number].fate = fate;
    }

    /// How many there are.
    pub(in crate::scenarios) fn len(&self) -> usize {
        self.0.len()
    }

    fn count(&self, fate: Fate) -> usize {
        self.0.iter().filter(|note| note.fate == fate).count()
    }

    /// Compares inboxes, each newest first, with what is known.
    pub(in crate::scenarios) fn judge(
        &self,
        inboxes: impl IntoIterator<Item = (usize, Vec<String>)>,
        tag: &str,
    ) -> Verdict {
        let mut verdict = Verdict {
            acknowledged: self.count(Fate::Acknowledged),
            unanswered: self.count(Fate::Unknown),
            ..Verdict::default()
        };
        let mut seen = vec![0_u8; self.0.len()];
        for (inbox, texts) in inboxes {
            let mut newer = HashMap::new();
            for text in texts {
                let Some((number, note)) = parse(&text, tag).and_then(|number| Some((number, self.0.get(number)?)))
                else {
                    verdict.wrong(|verdict| &mut verdict.strange, || format!("nobody sent: {text}"));
                    continue;
                };
                let shown = |what: &str| format!("{what}: note {number} for inbox {}, in inbox {inbox}", note.inbox);
                seen[number] = seen[number].saturating_add(1);
                if seen[number] == 2 {
                    verdict.wrong(|verdict| &mut verdict.doubled, || shown("doubled"));
                }
                if note.inbox != inbox {
                    verdict.wrong(|verdict| &mut verdict.misplaced, || shown("in the wrong inbox"));
                }
                if newer.insert(note.client, number).is_some_and(|newer| newer < number) {
                    verdict.wrong(|verdict| &mut verdict.out_of_order, || shown("out of order"));
                }
                if note.fate == Fate::Refused {
                    verdict.wrong(|verdict| &mut verdict.refused_and_there, || shown("refused and there"));
                }
            }
        }
        for (number, note) in self.0.iter().enumerate() {
            if note.fate == Fate::Acknowledged && seen[number] == 0 {
                verdict.wrong(|verdict| &mut verdict.lost, || format!("lost: note {number} for inbox {}", note.inbox));
            }
        }
        verdict
    }
}

impl Verdict {
    fn wrong(&mut self, count: impl FnOnce(&mut Self) -> &mut u64, example: impl FnOnce() -> String) {
        *count(self) += 1;
        if self.examples.len() < EXAMPLES {
            self.examples.push(example());
        }
    }

    pub(in crate::scenarios) fn is_right(&self) -> bool {
        self.counts().iter().all(|(count, _)| *count == 0)
    }

    fn counts(&self) -> [(u64, &'static str); 6] {
        [
            (self.lost, "lost"),
            (self.doubled, "doubled"),
            (self.misplaced, "in the wrong inbox"),
            (self.refused_and_there, "refused and there all the same"),
            (self.out_of_order, "out of order"),
            (self.strange, "that nobody sent"),
        ]
    }

    /// For people.
    pub(in crate::scenarios) fn lines(&self) -> Vec<String> {
        let acknowledged = self.acknowledged;
        let mut lines = Vec::new();
        if self.is_right() {
            lines.push(format!("Checked: each of the {acknowledged} acknowledged notes is in its inbox, once."));
        } else {
            let wrong = self.counts().into_iter().filter(|(count, _)| *count > 0);
            let wrong: Vec<_> = wrong.map(|(count, what)| format!("{count} {what}")).collect();
            lines.push(format!("WRONG: of {acknowledged} acknowledged notes: {}.", wrong.join(", ")));
            lines.extend(self.examples.iter().map(|example| format!("    {example}")));
        }
        if self.unanswered > 0 {
            lines.push(format!("{} were never answered, and may be there or not.", self.unanswered));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Fate::{Acknowledged, Refused, Unknown};

    fn words(number: usize, inbox: usize) -> String {
        text("tag", number, inbox, 120)
    }

    fn verdict(fates: &[Fate], inboxes: [Vec<String>; 2]) -> Verdict {
        let mut ledger = Ledger::default();
        for fate in fates {
            ledger.add(Note { client: (0, 0), inbox: 0, fate: *fate });
        }
        ledger.judge(inboxes.into_iter().enumerate(), "tag")
    }

    #[test]
    fn a_note_s_words_are_read_back_and_a_changed_letter_is_noticed() {
        let text = words(34_567, 49);
        assert_eq!((text.len(), parse(&text, "tag"), parse(&text, "other")), (120, Some(34_567), None));
        for at in 0..text.len() {
            let mut changed = text.clone();
            changed.replace_range(at..=at, "X");
            assert_eq!(parse(&changed, "tag"), None, "{changed}");
        }
        assert!(super::text("0123456789", 99_999_999, 99_999, 0).len() <= 80, "it fits into the shortest note");
    }

    #[test]
    fn what_is_there_once_is_right() {
        let fates = [Acknowledged, Refused, Unknown, Unknown, Acknowledged];
        let verdict = verdict(&fates, [vec![words(4, 0), words(2, 0), words(0, 0)], vec![]]);
        assert!(verdict.is_right(), "{verdict:?}");
        assert_eq!((verdict.acknowledged, verdict.unanswered), (2, 2));
    }

    #[test]
    fn every_kind_of_wrong_is_noticed() {
        let one = |fates: &[Fate], first: Vec<String>, second: Vec<String>| {
            verdict(fates, [first, second]).counts().map(|(count, _)| count)
        };
        let both = &[Acknowledged, Acknowledged];
        assert_eq!(one(both, vec![words(1, 0)], vec![]), [1, 0, 0, 0, 0, 0]);
        assert_eq!(one(both, vec![words(1, 0), words(0, 0), words(0, 0)], vec![]), [0, 1, 0, 0, 0, 0]);
        assert_eq!(one(both, vec![words(1, 0)], vec![words(0, 0)]), [0, 0, 1, 0, 0, 0]);
        assert_eq!(one(&[Refused], vec![words(0, 0)], vec![]), [0, 0, 0, 1, 0, 0]);
        assert_eq!(one(both, vec![words(0, 0), words(1, 0)], vec![]), [0, 0, 0, 0, 1, 0]);
        assert_eq!(one(&[Unknown], vec!["Who wrote this?".to_owned()], vec![]), [0, 0, 0, 0, 0, 1]);
        assert_eq!(one(&[Acknowledged], vec![words(0, 0), words(1, 0)], vec![]), [0, 0, 0, 0, 0, 1]);
    }
}
