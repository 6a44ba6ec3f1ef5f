//! Records that no key opens: what damage to the file of keys has cost.

use std::fmt;
use std::sync::{PoisonError, RwLock};

use crate::error::{Result, StoreError};
use crate::local::images::shelf::Shelf;
use crate::local::index::Index;
use crate::local::table::{Table, end_of, key};
use crate::seals::keyring::Keyring;
use crate::seals::sealed_with;

/// How much can't be read any more.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Lost {
    accounts: usize,
    inboxes: usize,
    groups: usize,
    feedback: usize,
    pictures: usize,
}

impl Lost {
    /// Looks at every account, the newest note of each, every group and every
    /// piece of feedback: whether its key is there, and opens it; and, if asked
    /// for, whether every picture has one.
    pub(crate) fn among(index: &Index, keyring: &RwLock<Keyring>, shelf: Option<&Shelf>) -> Result<Self> {
        let lost = |table| -> Result<usize> {
            let mut lost = 0;
            for pair in index.under(&key(table, &[])) {
                let (at, sealed) = pair?;
                lost += usize::from(is_lost(index, keyring, &at, &sealed)?);
            }
            Ok(lost)
        };
        let mut inboxes = 0;
        for pair in index.under(&key(Table::Account, &[])) {
            let (account, _) = pair?;
            let notes = key(Table::Note, &[&account[1..]]);
            let newest = index.range(notes.clone(), end_of(&notes)).next_back().transpose()?;
            if let Some((at, sealed)) = newest {
                inboxes += usize::from(is_lost(index, keyring, &at, &sealed)?);
            }
        }
        Ok(Self {
            accounts: lost(Table::Account)?,
            inboxes,
            groups: lost(Table::Room)?,
            feedback: lost(Table::Feedback)?,
            pictures: shelf.map_or(Ok(0), |shelf| pictures_without_key(keyring, shelf))?,
        })
    }
}

/// A picture's place tells which key it has. A picture that was never finished
/// has no key either; there is such a file only soon after a crash.
fn pictures_without_key(keyring: &RwLock<Keyring>, shelf: &Shelf) -> Result<usize> {
    let files = shelf.all().map_err(|error| {
        tracing::error!(%error, "the pictures can't be listed");
        StoreError::Unavailable
    })?;
    let keyring = keyring.read().unwrap_or_else(PoisonError::into_inner);
    Ok(files.iter().filter(|picture| keyring.key(picture.key_id()).is_none()).count())
}

fn is_lost(index: &Index, keyring: &RwLock<Keyring>, at: &[u8], sealed: &[u8]) -> Result<bool> {
    // What isn't a sealed record at all is another matter.
    let Ok(id) = sealed_with(sealed) else { return Ok(false) };
    let seal = keyring.read().unwrap_or_else(PoisonError::into_inner).key(id).cloned();
    if seal.is_some_and(|seal| seal.open(at, sealed).is_ok()) {
        return Ok(false);
    }
    // Unless it was deleted or moved to another key just now.
    Ok(index.read(at)?.is_some_and(|now| now == sealed))
}

impl Lost {
    /// Whether everything can be read.
    pub(crate) fn is_nothing(self) -> bool {
        self == Self::default()
    }
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds = [
            (self.accounts, "account", "accounts"),
            (self.inboxes, "inbox", "inboxes"),
            (self.groups, "group", "groups"),
            (self.feedback, "piece of feedback", "pieces of feedback"),
            (self.pictures, "picture", "pictures"),
        ];
        let words: Vec<_> = kinds
            .into_iter()
            .filter(|(count, ..)| *count > 0)
            .map(|(count, one, many)| format!("{count} {}", if count == 1 { one } else { many }))
            .collect();
        if self.is_nothing() { f.write_str("nothing") } else { f.write_str(&words.join(", ")) }
    }
}
