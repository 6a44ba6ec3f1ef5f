//! Whether every acknowledged note is where it belongs, once.

use std::collections::HashMap;

use futures_util::future::try_join_all;
use serde::Serialize;

use crate::api::{Api, NoteItem};
use crate::notes::ledger::{Fate, Ledger, NoteName};
use crate::notes::sender::Post;
use crate::trouble::Trouble;

/// Examples that are shown of what is wrong.
const EXAMPLES: usize = 5;

/// What the inboxes hold, compared with what was acknowledged.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Verdict {
    pub(crate) acknowledged: u64,
    /// Acknowledged and not there.
    pub(crate) lost: u64,
    /// There more than once.
    pub(crate) doubled: u64,
    /// In somebody else's inbox.
    pub(crate) misplaced: u64,
    /// Refused and there all the same.
    pub(crate) refused_and_there: u64,
    /// Before a note that the same client sent after its acknowledgement.
    pub(crate) out_of_order: u64,
    /// Words that nobody sent.
    pub(crate) strange: u64,
    /// Never answered; each may be there or not.
    pub(crate) unanswered: u64,
    pub(crate) unanswered_and_there: u64,
    /// A few of what is wrong.
    pub(crate) examples: Vec<String>,
}

impl Verdict {
    pub(crate) fn is_right(&self) -> bool {
        [self.lost, self.doubled, self.misplaced, self.refused_and_there, self.out_of_order, self.strange] == [0; 6]
    }

    /// For people.
    pub(crate) fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if self.is_right() {
            lines.push(format!("Checked: each of the {} acknowledged notes is in its inbox, once.", self.acknowledged));
        } else {
            let counts = [
                (self.lost, "lost"),
                (self.doubled, "doubled"),
                (self.misplaced, "in the wrong inbox"),
                (self.refused_and_there, "refused and there all the same"),
                (self.out_of_order, "out of order"),
                (self.strange, "that nobody sent"),
            ];
            let wrong = counts.iter().filter(|(count, _)| *count > 0);
            let wrong: Vec<_> = wrong.map(|(count, what)| format!("{count} {what}")).collect();
            lines.push(format!("WRONG: of {} acknowledged notes: {}.", self.acknowledged, wrong.join(", ")));
            lines.extend(self.examples.iter().map(|example| format!("    {example}")));
        }
        if self.unanswered > 0 {
            lines.push(format!(
                "{} were never answered; {} of them are there.",
                self.unanswered, self.unanswered_and_there
            ));
        }
        lines
    }

    fn example(&mut self, what: &str, name: &NoteName) {
        if self.examples.len() < EXAMPLES {
            self.examples.push(format!("{what}: {name:?}"));
        }
    }
}

/// Reads every inbox whole.
pub(crate) async fn check(post: &Post, ledger: &Ledger) -> Result<Verdict, Trouble> {
    /// Enough to keep the server busy without waiting for each other.
    const AT_ONCE: usize = 4;
    let count = post.people.all.len();
    let lanes = (0..AT_ONCE.min(count)).map(|lane| async move {
        let mut inboxes = Vec::new();
        for inbox in (lane..count).step_by(AT_ONCE) {
            inboxes.push((inbox, read(post, inbox).await?));
        }
        Ok::<_, Trouble>(inboxes)
    });
    let inboxes: Vec<_> = try_join_all(lanes).await?.into_iter().flatten().collect();
    Ok(judge(inboxes, &post.people.tag, ledger))
}

async fn read(post: &Post, inbox: usize) -> Result<Vec<String>, Trouble> {
    let token = post.people.sign_in(inbox).await?;
    let notes = Api::new(post.address).inbox(&token).await?;
    Ok(notes.into_iter().map(|NoteItem { message, .. }| message).collect())
}

/// Compares inboxes, each newest first, with what is known.
fn judge(inboxes: impl IntoIterator<Item = (usize, Vec<String>)>, tag: &str, ledger: &Ledger) -> Verdict {
    let mut verdict = Verdict {
        acknowledged: ledger.count(Fate::Acknowledged),
        unanswered: ledger.count(Fate::Unknown),
        ..Verdict::default()
    };
    let mut seen = ledger.zeroes();
    for (inbox, texts) in inboxes {
        let mut newer = HashMap::new();
        for text in texts {
            let Some((name, fate)) = NoteName::parse(&text, tag).and_then(|name| Some((name, ledger.fate(&name)?)))
            else {
                verdict.strange += 1;
                continue;
            };
            let times = &mut seen[name.stage][name.client][name.number];
            *times = times.saturating_add(1);
            if *times == 2 {
                verdict.doubled += 1;
                verdict.example("doubled", &name);
            }
            if name.inbox != inbox {
                verdict.misplaced += 1;
                verdict.example("in the wrong inbox", &name);
            }
            let before = newer.insert((name.stage, name.client), name.number);
            if before.is_some_and(|newer| newer < name.number) {
                verdict.out_of_order += 1;
                verdict.example("out of order", &name);
            }
            match fate {
                Fate::Acknowledged => {}
                Fate::Refused => {
                    verdict.refused_and_there += 1;
                    verdict.example("refused and there", &name);
                }
                Fate::Unknown => verdict.unanswered_and_there += u64::from(*times == 1),
            }
        }
    }
    ledger.each(|stage, client, number, fate| {
        if fate == Fate::Acknowledged && seen[stage][client][number] == 0 {
            verdict.lost += 1;
            if verdict.examples.len() < EXAMPLES {
                verdict.examples.push(format!("lost: note {number} of client {client} in stage {stage}"));
            }
        }
    });
    verdict
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(number: usize, inbox: usize) -> String {
        NoteName { stage: 0, client: 0, number, inbox }.text("tag", 120)
    }

    fn verdict(fates: &[Fate], inboxes: [Vec<String>; 2]) -> Verdict {
        let mut ledger = Ledger::default();
        ledger.add_stage(vec![fates.to_vec()]);
        judge(inboxes.into_iter().enumerate(), "tag", &ledger)
    }

    #[test]
    fn what_is_there_once_is_right() {
        use Fate::{Acknowledged, Refused, Unknown};
        let fates = [Acknowledged, Refused, Unknown, Unknown, Acknowledged];
        let verdict = verdict(&fates, [vec![text(4, 0), text(2, 0), text(0, 0)], vec![]]);
        assert!(verdict.is_right(), "{verdict:?}");
        assert_eq!((verdict.acknowledged, verdict.unanswered, verdict.unanswered_and_there), (2, 2, 1));
    }

    #[test]
    fn every_kind_of_wrong_is_noticed() {
        use Fate::{Acknowledged, Refused, Unknown};
        let one = |fates: &[Fate], first: Vec<String>, second: Vec<String>| {
            let v = verdict(fates, [first, second]);
            assert!(!v.is_right());
            [v.lost, v.doubled, v.misplaced, v.refused_and_there, v.out_of_order, v.strange]
        };
        let both = &[Acknowledged, Acknowledged];
        assert_eq!(one(both, vec![text(1, 0)], vec![]), [1, 0, 0, 0, 0, 0]);
        assert_eq!(one(both, vec![text(1, 0), text(0, 0), text(0, 0)], vec![]), [0, 1, 0, 0, 0, 0]);
        assert_eq!(one(both, vec![text(1, 0)], vec![text(0, 0)]), [0, 0, 1, 0, 0, 0]);
        assert_eq!(one(&[Refused], vec![text(0, 0)], vec![]), [0, 0, 0, 1, 0, 0]);
        assert_eq!(one(both, vec![text(0, 0), text(1, 0)], vec![]), [0, 0, 0, 0, 1, 0]);
        assert_eq!(one(&[Unknown], vec!["Who wrote this?".to_owned()], vec![]), [0, 0, 0, 0, 0, 1]);
        assert_eq!(one(&[Unknown], vec![text(0, 0), text(0, 0)], vec![]), [0, 1, 0, 0, 0, 0]);
        assert_eq!(one(&[Acknowledged], vec![text(0, 0), text(1, 0)], vec![]), [0, 0, 0, 0, 0, 1]);
    }
}
