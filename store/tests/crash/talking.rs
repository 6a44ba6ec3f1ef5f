//! What the process does beside notes and rooms: conversations, public answers, reports and
//! the words that an inbox holds back; and how each is read again.

use std::collections::BTreeMap;

use annon_contract::limits::CONVERSATION_LINES;
use annon_store::Kept;
use annon_store::Local;
use annon_store::account::AccountId;
use annon_store::conversation::{Change, Side};
use annon_store::shield::{self, HeldWord, Setting};

use crate::crash::child::Worker;
use crate::support::people::*;

/// A conversation, as far as it is compared.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Talk {
    /// For each line, whether it was not unsent.
    pub(crate) lines: Vec<bool>,
    /// How many lines the sender has seen.
    pub(crate) read: usize,
}

impl Worker {
    pub(crate) async fn talk(&mut self, id: AccountId, n: u64) {
        let chance = self.random.below(100);
        match chance {
            0..66 => self.converse(id, n, chance).await,
            66..78 => self.answer(id, n).await,
            78..90 => self.report(chance < 85).await,
            _ => {
                let word = self.number();
                self.will(&format!("hold {n} {word}"));
                let held_words = Some(vec![phrase(word)]);
                let set = shield::Change::Set(Setting { held_words, ..Setting::default() });
                self.store.shields().change(id, set, NOW).await.unwrap();
                self.did();
            }
        }
    }

    async fn converse(&mut self, id: AccountId, n: u64, chance: u64) {
        let conversations = self.store.conversations();
        let page = conversations.page(id, None, 20, NOW).await.unwrap();
        if chance < 14 || page.is_empty() {
            let talk = self.number();
            self.will(&format!("begin {n} {talk}"));
            conversations.begin(id, arrival(talk, note(talk).date), beginning(talk)).await.unwrap();
            return self.did();
        }
        let found = &page[self.random.below(page.len() as u64) as usize];
        let (talk, lines) = (found.id.0.as_u128() as u64, &found.conversation.lines);
        let newest = lines.iter().rposition(|line| line.text.is_some());
        let change = match (chance, newest) {
            (..40, _) if lines.len() < CONVERSATION_LINES => {
                self.will(&format!("say {n} {talk} {}", lines.len()));
                say(Side::Owner, lines.len() as u64)
            }
            (40..50, _) => {
                self.will(&format!("read {n} {talk} {}", lines.len()));
                Change::See { by: Side::Sender, upto: found.conversation.last }
            }
            (50..60, Some(line)) => {
                self.will(&format!("unsend {n} {talk} {line}"));
                Change::Unsend { from: Side::Owner, line: lines[line].seq }
            }
            (60.., _) => {
                self.will(&format!("end {n} {talk}"));
                conversations.remove(found.id, NOW).await.unwrap();
                return self.did();
            }
            _ => return,
        };
        conversations.change(found.id, change, NOW).await.unwrap();
        self.did();
    }

    /// Answers a note in public, or takes its answer down.
    async fn answer(&mut self, id: AccountId, n: u64) {
        let notes = self.store.inbox().page(id, None, 20, u64::MAX).await.unwrap().notes;
        if notes.is_empty() {
            return;
        }
        let note = &notes[self.random.below(notes.len() as u64) as usize];
        let number = number_in(note).unwrap();
        if note.answer.is_some() {
            self.will(&format!("take-down {n} {number}"));
            self.store.answers().take_down(id, note.id, NOW).await.unwrap();
        } else {
            self.will(&format!("publish {n} {number}"));
            self.store.answers().publish(id, note.id, publishing(number, NOW)).await.unwrap();
        }
        self.did();
    }

    /// Makes a report, or closes one of its own.
    async fn report(&mut self, is_new: bool) {
        if is_new || self.reports.is_empty() {
            let number = self.number();
            self.will(&format!("report {number}"));
            self.store.reports().add(report(number), Vec::new()).await.unwrap();
            self.reports.push(number);
        } else {
            let number = self.reports.swap_remove(self.random.below(self.reports.len() as u64) as usize);
            self.will(&format!("close {number}"));
            self.store.reports().close(report_id(number), NOW).await.unwrap();
        }
        self.did();
    }
}

pub(crate) fn phrase(n: u64) -> HeldWord {
    HeldWord::try_from(format!("phrase number {n}")).unwrap()
}

/// The conversations of somebody, by the numbers of their notes.
pub(crate) async fn talks_of(store: &Local, n: u64) -> BTreeMap<u64, Talk> {
    let mut talks = BTreeMap::new();
    for found in store.conversations().page(account_id(n), None, usize::MAX, NOW).await.unwrap() {
        let lines = &found.conversation.lines;
        for (number, line) in (0..).zip(lines) {
            assert_eq!(line.id.as_str(), format!("{number:015}"), "each line once and in order");
            assert!(line.text.as_ref().is_none_or(|text| text.as_str() == line_words(number)));
        }
        let seen = found.conversation.seen_by(Side::Sender).upto;
        let talk = Talk {
            lines: lines.iter().map(|line| line.text.is_some()).collect(),
            read: lines.iter().filter(|line| line.seq <= seen).count(),
        };
        assert_eq!(talks.insert(found.id.0.as_u128() as u64, talk), None);
    }
    talks
}

/// The reports, and whether each is closed.
pub(crate) async fn reports(store: &Local) -> BTreeMap<u64, bool> {
    let all = store.reports().page(None, usize::MAX).await.unwrap();
    let number = |found: annon_store::report::Report| {
        let (number, closed) = (found.id.0.as_u128() as u64, found.closed);
        assert_eq!(found, annon_store::report::Report { closed, ..report(number) });
        (number, closed.is_some())
    };
    all.into_iter().map(number).collect()
}
