//! The notes of a run: what its senders share, what became of each note, and whether the inboxes
//! hold exactly these notes. A note's words contain its number, so it can be told from every other
//! note in any inbox.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::time::Duration;

use tokio::time::sleep;

use crate::load::{Call, Client, DISORDERED, DOUBLED, Faults, LOST, NoteItem, Pace, Person, STRANGE, Who};
use crate::sealing::Inbox;

/// The pause after a failure, so that a server that takes no connections is not asked a thousand
/// times a second.
pub(crate) const AFTER_FAILURE: Duration = Duration::from_millis(50);
/// How many characters a note has.
const LENGTH: usize = 120;
const MISPLACED: &str = "in the wrong inbox";
const REFUSED: &str = "refused and there all the same";

/// What the server told a note's sender.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    /// The note is stored: it must be there, once.
    Acknowledged,
    /// The note is not stored: it must not be there.
    Refused,
    /// The sender knows nothing for certain: the note may be there, once.
    Unknown,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Note {
    /// The stage and the client in it. A client sends one note after the other.
    client: (usize, usize),
    /// The inbox that the note was sent to.
    inbox: usize,
    pub(crate) fate: Fate,
}

/// What the senders of a run share.
pub(crate) struct Post {
    pub(crate) people: Vec<Person>,
    /// The keys of their inboxes, if these are sealed.
    keys: Vec<Inbox>,
    tag: String,
    /// All notes of the run; a note's number is its place here.
    pub(crate) notes: RefCell<Vec<Note>>,
}

impl Post {
    pub(crate) fn new(people: Vec<Person>, tag: &str) -> Rc<Self> {
        Self::sealed(people, Vec::new(), tag)
    }

    /// Inboxes that are sealed with these keys.
    pub(crate) fn sealed(people: Vec<Person>, keys: Vec<Inbox>, tag: &str) -> Rc<Self> {
        Rc::new(Self { people, keys, tag: tag.to_owned(), notes: RefCell::default() })
    }

    /// A note's words, of a sealed one only if it opens.
    pub(crate) fn words(&self, inbox: usize, NoteItem { message, sealed, .. }: NoteItem) -> String {
        let opened = self.keys.get(inbox).zip(sealed).and_then(|(keys, target)| keys.open(&target, &message));
        opened.and_then(|said| said["m"].as_str().map(str::to_owned)).unwrap_or(message)
    }

    /// A new note's number, and the call that sends it to an inbox. `more` are further fields of its
    /// body, each behind a comma.
    pub(crate) fn note(&self, client: (usize, usize), inbox: usize, more: &str) -> (usize, Call) {
        let number = self.notes.borrow().len();
        self.notes.borrow_mut().push(Note { client, inbox, fate: Fate::Unknown });
        let (target, mut text) = (&self.people[inbox].target, text(&self.tag, number, inbox));
        let mut sealed_for = String::new();
        if let Some(keys) = self.keys.get(inbox) {
            // Without words it would be refused, and counted so.
            text = keys.seal(target, &text).unwrap_or_default();
            sealed_for = format!(r#","sealed_for":"{}""#, keys.fingerprint());
        }
        // Neither the id nor the words need escaping in JSON.
        let body = format!(r#"{{"id":"{target}","message":"{text}"{sealed_for}{more}}}"#);
        (number, Call::post("/api/annon-message", Who::Nobody, body))
    }

    /// Records what became of a note, by the status of its answer. A 5xx may come after the note
    /// was written.
    pub(crate) fn answered(&self, number: usize, status: u16) {
        self.notes.borrow_mut()[number].fate = match status {
            201 => Fate::Acknowledged,
            500.. => Fate::Unknown,
            _ => Fate::Refused,
        };
    }

    /// Compares the inboxes, each newest first, with the notes, and returns the faults.
    pub(crate) fn compare(&self, inboxes: impl IntoIterator<Item = (usize, Vec<String>)>) -> Faults {
        let (notes, mut faults) = (self.notes.borrow(), Faults::default());
        let mut seen = vec![0_u8; notes.len()];
        for (inbox, texts) in inboxes {
            let mut newer = HashMap::new();
            for text in texts {
                let known = parse(&text, &self.tag).and_then(|number| Some((number, notes.get(number)?)));
                let Some((number, note)) = known else {
                    faults.add(STRANGE, 1, || text);
                    continue;
                };
                seen[number] = seen[number].saturating_add(1);
                let is_older = newer.insert(note.client, number).is_some_and(|newer| newer < number);
                for (what, is_so) in [
                    (DOUBLED, seen[number] == 2),
                    (MISPLACED, note.inbox != inbox),
                    // The note comes before one that the same client sent later.
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
}

/// A sender, connected before its stage begins.
pub(crate) struct Sender {
    pub(crate) post: Rc<Post>,
    /// The stage, and the client in it.
    pub(crate) client: (usize, usize),
    pub(crate) connection: Client,
}

impl Sender {
    /// Sends to one inbox after the other until the stage is over, or until one inbox is full: they
    /// all fill up at the same time.
    pub(crate) async fn run(mut self, pace: Rc<Pace>) {
        let inboxes = (0..self.post.people.len()).cycle().skip(self.client.1);
        for inbox in inboxes {
            let Some(due) = pace.next().await else { return };
            let (number, call) = self.post.note(self.client, inbox, "");
            match self.connection.ask(&call).await {
                Ok(reply) => {
                    self.post.answered(number, reply.status);
                    if reply.status == 409 {
                        return pace.record(due, Err("not sent: the inboxes are full; use more --accounts"));
                    }
                    pace.record(due, reply.expect(201).map(drop));
                }
                Err(error) => {
                    pace.record(due, Err(error));
                    sleep(AFTER_FAILURE).await;
                }
            }
        }
    }
}

fn text(tag: &str, number: usize, inbox: usize) -> String {
    format!("{:.<LENGTH$}", format!("annon-bench {tag} note {number} inbox {inbox} "))
}

/// The number in a note's words. `None` if the words are not exactly those of a note of this run.
fn parse(words: &str, tag: &str) -> Option<usize> {
    let mut parts = words.split(' ');
    let number = parts.nth(3)?.parse().ok()?;
    let inbox = parts.nth(1)?.parse().ok()?;
    (text(tag, number, inbox) == words).then_some(number)
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
            let post = Post::new(Vec::new(), "tag");
            post.notes.replace(fates.iter().map(|fate| Note { client: (0, 0), inbox: 0, fate: *fate }).collect());
            let faults = post.compare([first, second].into_iter().enumerate());
            let is_it = wrong.is_none_or(|what| faults.count_of(what) == 1);
            assert!(is_it && faults.count() == u64::from(wrong.is_some()), "{wrong:?}: {faults:?}");
        }
    }
}
