//! What must be in the folder, according to what the killed processes printed.

use std::collections::{BTreeMap, BTreeSet};

use annon_store::Local;
use annon_store::account::Account;
use annon_store::inbox::Note;
use annon_store::room::Seq;

use crate::crash::child::{message, number_of};
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
}

#[derive(Debug, Clone, Default, PartialEq)]
struct Person {
    password: u64,
    changes: u32,
    messages: u64,
    /// Note → whether it was seen.
    notes: BTreeMap<u64, bool>,
}

#[derive(Default)]
pub(crate) struct Expected {
    people: BTreeMap<u64, Person>,
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
                self.person(n).notes.remove(&note);
            }
        }
    }

    fn person(&mut self, n: u64) -> &mut Person {
        self.people.get_mut(&n).unwrap()
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
        return None;
    };
    let password = u64::from_str_radix(stored.password.0.rsplit('$').next().unwrap(), 16).unwrap();
    assert_eq!(stored, Account { password: hash(password), ..account(n) });
    let mut notes = BTreeMap::new();
    for found in page.notes {
        let number = found.id.0.as_u128() as u64;
        assert_eq!(found, Note { seen: found.seen, ..note(number) });
        assert_eq!(notes.insert(number, found.seen), None, "note {number} is there once");
    }
    let log = store.room_log().read(room(n.into()), Seq(0)).await.unwrap();
    let messages = log.len() as u64;
    assert!(log == (0..messages).map(|at| (Seq(at + 1), message(n, at))).collect::<Vec<_>>(), "the room of {n}");
    Some(Person { password, changes: access.unwrap().version, messages, notes })
}
