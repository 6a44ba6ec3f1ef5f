//! What must be in the folder, according to what the killed processes printed.

use std::collections::{BTreeMap, BTreeSet};

use annon_store::Kept;
use annon_store::Local;
use annon_store::account::Account;
use annon_store::inbox::Note;
use annon_store::room::Seq;

use crate::crash::child::{message, number_of};
use crate::crash::talking::{Talk, phrase, reports, talks_of};
use crate::support::people::*;

#[derive(Debug, Clone, PartialEq)]
enum Deed {
    Create(u64),
    Delete(u64),
    Password(u64, u64),
    Post(u64, u64),
    Deliver(u64, u64),
    See(u64, u64),
    Remove(u64, u64),
    Begin(u64, u64),
    Say(u64, u64, u64),
    Read(u64, u64, u64),
    Unsend(u64, u64, u64),
    End(u64, u64),
    Publish(u64, u64),
    TakeDown(u64, u64),
    Hold(u64, u64),
    Report(u64),
    Close(u64),
}

#[derive(Debug, Clone, Default, PartialEq)]
struct Person {
    password: u64,
    changes: u32,
    messages: u64,
    /// Note → whether it was seen.
    notes: BTreeMap<u64, bool>,
    /// Its note → the conversation.
    talks: BTreeMap<u64, Talk>,
    /// Notes with a public answer.
    answers: BTreeSet<u64>,
    /// The number of the words that are held back.
    held: Option<u64>,
}

#[derive(Default)]
pub(crate) struct Expected {
    people: BTreeMap<u64, Person>,
    reports: BTreeMap<u64, bool>,
    deleted: BTreeSet<u64>,
    /// Deeds that were begun and not acknowledged. Each is done wholly or not at all.
    open: Vec<Deed>,
}

impl Expected {
    pub(crate) fn read(&mut self, lines: Vec<String>) {
        let mut open = BTreeMap::new();
        for line in lines {
            let words: Vec<_> = line.split(' ').collect();
            let n = |at: usize| words[at].parse::<u64>().unwrap();
            match words[..] {
                ["will", task, what, ..] => {
                    let deed = match what {
                        "create" => Deed::Create(n(3)),
                        "delete" => Deed::Delete(n(3)),
                        "password" => Deed::Password(n(3), n(4)),
                        "post" => Deed::Post(n(3), n(4)),
                        "deliver" => Deed::Deliver(n(3), n(4)),
                        "see" => Deed::See(n(3), n(4)),
                        "remove" => Deed::Remove(n(3), n(4)),
                        "begin" => Deed::Begin(n(3), n(4)),
                        "say" => Deed::Say(n(3), n(4), n(5)),
                        "read" => Deed::Read(n(3), n(4), n(5)),
                        "unsend" => Deed::Unsend(n(3), n(4), n(5)),
                        "end" => Deed::End(n(3), n(4)),
                        "publish" => Deed::Publish(n(3), n(4)),
                        "take-down" => Deed::TakeDown(n(3), n(4)),
                        "hold" => Deed::Hold(n(3), n(4)),
                        "report" => Deed::Report(n(3)),
                        "close" => Deed::Close(n(3)),
                        _ => panic!("{line}"),
                    };
                    assert_eq!(open.insert(task.to_owned(), deed), None);
                }
                ["did", task] => self.apply(open.remove(task).unwrap()),
                _ => {}
            }
        }
        self.open = open.into_values().collect();
    }

    fn apply(&mut self, deed: Deed) {
        match deed {
            Deed::Create(n) => {
                self.people.insert(n, Person { password: n, ..Person::default() });
            }
            Deed::Delete(n) => {
                self.people.remove(&n);
                self.deleted.insert(n);
            }
            Deed::Password(n, to) => {
                let person = self.person(n);
                person.password = to;
                person.changes += 1;
            }
            Deed::Post(n, at) => self.person(n).messages = at + 1,
            Deed::Deliver(n, note) => {
                self.person(n).notes.insert(note, false);
            }
            Deed::See(n, note) => {
                self.person(n).notes.insert(note, true);
            }
            Deed::Remove(n, note) => {
                let person = self.person(n);
                person.notes.remove(&note);
                // Both end with their note.
                person.talks.remove(&note);
                person.answers.remove(&note);
            }
            Deed::Begin(n, talk) => {
                self.person(n).notes.insert(talk, false);
                self.person(n).talks.insert(talk, Talk::default());
            }
            Deed::Say(n, talk, _) => self.talk(n, talk).lines.push(true),
            Deed::Read(n, talk, lines) => self.talk(n, talk).read = lines as usize,
            Deed::Unsend(n, talk, line) => self.talk(n, talk).lines[line as usize] = false,
            Deed::End(n, talk) => {
                self.person(n).talks.remove(&talk);
            }
            Deed::Publish(n, note) => {
                self.person(n).answers.insert(note);
            }
            Deed::TakeDown(n, note) => {
                self.person(n).answers.remove(&note);
            }
            Deed::Hold(n, word) => self.person(n).held = Some(word),
            Deed::Report(report) => {
                self.reports.insert(report, false);
            }
            Deed::Close(report) => {
                self.reports.insert(report, true);
            }
        }
    }

    fn person(&mut self, n: u64) -> &mut Person {
        self.people.get_mut(&n).unwrap()
    }

    fn talk(&mut self, n: u64, talk: u64) -> &mut Talk {
        self.person(n).talks.get_mut(&talk).unwrap()
    }

    /// Finds out which open deeds were done, and compares everything.
    pub(crate) async fn check(&mut self, store: &Local) {
        let present: BTreeSet<_> = store
            .accounts()
            .list(None, usize::MAX)
            .await
            .unwrap()
            .iter()
            .map(|account| number_of(account.id))
            .collect();
        for deed in std::mem::take(&mut self.open) {
            let is_done = match deed {
                Deed::Create(n) => present.contains(&n),
                Deed::Delete(n) => !present.contains(&n),
                Deed::Password(n, to) => seen(store, n).await.is_some_and(|person| person.password == to),
                Deed::Post(n, at) => seen(store, n).await.unwrap().messages > at,
                Deed::Deliver(n, note) => seen(store, n).await.unwrap().notes.contains_key(&note),
                Deed::See(n, note) => seen(store, n).await.unwrap().notes[&note],
                Deed::Remove(n, note) => !seen(store, n).await.unwrap().notes.contains_key(&note),
                Deed::Begin(n, talk) => talks_of(store, n).await.contains_key(&talk),
                Deed::Say(n, talk, line) => talks_of(store, n).await[&talk].lines.len() as u64 > line,
                Deed::Read(n, talk, lines) => talks_of(store, n).await[&talk].read as u64 >= lines,
                Deed::Unsend(n, talk, line) => !talks_of(store, n).await[&talk].lines[line as usize],
                Deed::End(n, talk) => !talks_of(store, n).await.contains_key(&talk),
                Deed::Publish(n, note) => seen(store, n).await.unwrap().answers.contains(&note),
                Deed::TakeDown(n, note) => !seen(store, n).await.unwrap().answers.contains(&note),
                Deed::Hold(n, word) => seen(store, n).await.unwrap().held == Some(word),
                Deed::Report(number) => reports(store).await.contains_key(&number),
                Deed::Close(number) => reports(store).await[&number],
            };
            if is_done {
                self.apply(deed);
            } else if let Deed::Create(n) = deed {
                // Nothing of the account is there, so it can be created.
                store.accounts().create(account(n)).await.unwrap();
                store.accounts().delete(account_id(n)).await.unwrap();
                self.deleted.insert(n);
            }
        }
        assert_eq!(present, self.people.keys().copied().collect(), "who is there");
        for (&n, person) in &self.people {
            assert_eq!(seen(store, n).await.as_ref(), Some(person), "account {n}");
        }
        assert_eq!(reports(store).await, self.reports, "reports");
        for &n in &self.deleted {
            assert_eq!(seen(store, n).await, None, "account {n} was deleted");
        }
    }
}

/// Reads everything about an account, and checks that its parts agree.
async fn seen(store: &Local, n: u64) -> Option<Person> {
    let (accounts, inbox) = (store.accounts(), numbered(store.inbox()));
    let stored = accounts.by_id(account_id(n)).await.unwrap();
    assert_eq!(accounts.by_username(&name_of(n)).await.unwrap(), stored, "by name");
    assert_eq!(accounts.by_email(&address_of(n)).await.unwrap(), stored, "by address");
    let by_target = by_target(&*accounts, target_id(n)).await;
    assert_eq!(by_target, stored.as_ref().map(|account| account.id), "by target");
    let access = accounts.access(account_id(n)).await.unwrap();
    assert_eq!(access.is_some(), stored.is_some(), "tokens");
    let page = inbox.page(account_id(n), None, usize::MAX).await.unwrap();
    let unread = page.notes.iter().filter(|note| !note.seen).count();
    assert_eq!(page.unread as usize, unread, "the count of {n}: {:?}", page.notes);
    let Some(stored) = stored else {
        assert_eq!(page.notes, [], "no inbox without an account");
        assert_eq!(talks_of(store, n).await, BTreeMap::new(), "no conversation without an account");
        return None;
    };
    let password = u64::from_str_radix(stored.password.0.rsplit('$').next().unwrap(), 16).unwrap();
    assert_eq!(stored, Account { password: hash(password), ..account(n) });
    let (mut notes, talks, mut answers) = (BTreeMap::new(), talks_of(store, n).await, BTreeSet::new());
    for found in page.notes {
        let number = found.id.0.as_u128() as u64;
        let conversation = talks.contains_key(&number).then(|| conversation_id(number));
        if let Some(answer) = &found.answer {
            assert_eq!(answer.text.as_str(), answer_words(number));
            answers.insert(number);
        }
        assert_eq!(found, Note { seen: found.seen, conversation, answer: found.answer.clone(), ..note(number) });
        assert_eq!(notes.insert(number, found.seen), None, "note {number} is there once");
    }
    let log = store.room_log().read(room(n.into()), Seq(0)).await.unwrap();
    let messages = log.len() as u64;
    assert!(log == (0..messages).map(|at| (Seq(at + 1), message(n, at))).collect::<Vec<_>>(), "the room of {n}");
    assert!(talks.keys().all(|note| notes.contains_key(note)), "no conversation without its note");
    let held = store.shields().shield(account_id(n)).await.unwrap().held_words;
    let held = held.first().map(|word| {
        let number = word.as_str().rsplit(' ').next().unwrap().parse().unwrap();
        assert_eq!(*word, phrase(number));
        number
    });
    Some(Person { password, changes: access.unwrap().version, messages, notes, talks, answers, held })
}
