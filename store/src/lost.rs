//! Records that no key opens: what damage to the file of keys has cost.

use std::fmt;
use std::sync::{PoisonError, RwLock};

use crate::error::Result;
use crate::seals::keyring::Keyring;
use crate::seals::sealed_with;
use crate::sled::{Reader, Table, end_of, key};

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
    /// piece of feedback: whether its key is there, and opens it. Of pictures,
    /// which are files, the damaged keys are counted that say they are theirs.
    pub(crate) fn among(reader: &Reader, keyring: &RwLock<Keyring>) -> Result<Self> {
        let lost = |table| -> Result<usize> {
            let mut lost = 0;
            for pair in reader.under(&key(table, &[])) {
                let (at, sealed) = pair?;
                lost += usize::from(is_lost(reader, keyring, &at, &sealed)?);
            }
            Ok(lost)
        };
        let mut inboxes = 0;
        for pair in reader.under(&key(Table::Account, &[])) {
            let (account, _) = pair?;
            let notes = key(Table::Note, &[&account[1..]]);
            let newest = reader.range(notes.clone(), end_of(&notes)).next_back().transpose()?;
            if let Some((at, sealed)) = newest {
                inboxes += usize::from(is_lost(reader, keyring, &at, &sealed)?);
            }
        }
        Ok(Self {
            accounts: lost(Table::Account)?,
            inboxes,
            groups: lost(Table::Room)?,
            feedback: lost(Table::Feedback)?,
            pictures: keyring.read().unwrap_or_else(PoisonError::into_inner).damaged_pictures(),
        })
    }
}

fn is_lost(reader: &Reader, keyring: &RwLock<Keyring>, at: &[u8], sealed: &[u8]) -> Result<bool> {
    // What isn't a sealed record at all is another matter.
    let Ok(id) = sealed_with(sealed) else { return Ok(false) };
    let seal = keyring.read().unwrap_or_else(PoisonError::into_inner).key(id).cloned();
    if seal.is_some_and(|seal| seal.open(at, sealed).is_ok()) {
        return Ok(false);
    }
    // Unless it was deleted or moved to another key just now.
    Ok(reader.read(at)?.is_some_and(|now| now == sealed))
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
