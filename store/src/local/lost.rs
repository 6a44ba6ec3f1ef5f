//! Counts the records that no key opens, because the file of keys is damaged, and the
//! pictures that are missing.

use std::collections::HashSet;

use parking_lot::RwLock;

use crate::error::{Result, StoreError};
use crate::image::picture::Picture;
use crate::local::images::files::PictureFiles;
use crate::local::index::Index;
use crate::rows::Pair;
use crate::seals::keyring::Keyring;
use crate::seals::sealed_with;
use crate::table::{Table, home, key};

/// How many records can't be read, in words; `None` if all can. It opens every account,
/// the newest note of each, every group, every conversation, every piece of feedback, every report
/// and every invitation. With picture files it also looks whether every picture has a key.
pub(crate) fn lost(index: &Index, keyring: &RwLock<Keyring>, files: Option<&PictureFiles>) -> Result<Option<String>> {
    let count_lost = |records: &mut dyn Iterator<Item = Result<Pair>>| -> Result<usize> {
        let mut lost = 0;
        for pair in records {
            let (at, sealed) = pair?;
            lost += usize::from(is_lost(index, keyring, &at, &sealed)?);
        }
        Ok(lost)
    };
    let all = |table| index.under(&key(table, &[]));
    let mut newest_notes = all(Table::Account).filter_map(|account| match account {
        Ok((account, _)) => index.under(&key(Table::Note, &[&account[1..]])).next_back(),
        Err(error) => Some(Err(error)),
    });
    let kinds = [
        (count_lost(&mut all(Table::Account))?, "account", "accounts"),
        (count_lost(&mut newest_notes)?, "inbox", "inboxes"),
        (count_lost(&mut all(Table::Room))?, "group", "groups"),
        (count_lost(&mut all(Table::Shield))?, "inbox's shield", "inboxes' shields"),
        (count_lost(&mut all(Table::Conversation))?, "conversation", "conversations"),
        (count_lost(&mut all(Table::Feedback))?, "piece of feedback", "pieces of feedback"),
        (count_lost(&mut all(Table::Report))?, "report", "reports"),
        (count_lost(&mut all(Table::Invitation))?, "invitation", "invitations"),
        (files.map_or(Ok(0), |files| pictures_without_key(keyring, files))?, "picture", "pictures"),
    ];
    let some = kinds.into_iter().filter(|(count, ..)| *count > 0);
    let words: Vec<_> =
        some.map(|(count, one, many)| format!("{count} {}", if count == 1 { one } else { many })).collect();
    Ok((!words.is_empty()).then(|| words.join(", ")))
}

/// How many records of each table are looked at to know another folder's keys.
const LOOKED_AT: usize = 16;

/// Whether the keys are another folder's: they open nothing of what is here, and nobody who is
/// here owns any of them.
pub(crate) fn are_of_another_folder(index: &Index, keyring: &Keyring) -> Result<bool> {
    let mut has_records = false;
    for table in [Table::Account, Table::Room, Table::Conversation, Table::Feedback, Table::Report, Table::Invitation] {
        for pair in index.under(&key(table, &[])).take(LOOKED_AT) {
            let Ok(id) = sealed_with(&pair?.1) else { return Ok(false) };
            if keyring.may_open(id) {
                return Ok(false);
            }
            has_records = true;
        }
    }
    let mut owners = 0;
    for owner in keyring.owners().take(LOOKED_AT) {
        if index.has(&home(owner))? {
            return Ok(false);
        }
        owners += 1;
    }
    Ok(has_records && owners > 0)
}

/// How many pictures have no key. A picture that was not finished before a crash
/// has none, either; the next sweep removes its file.
fn pictures_without_key(keyring: &RwLock<Keyring>, files: &PictureFiles) -> Result<usize> {
    let files = all(files)?;
    let keyring = keyring.read();
    Ok(files.iter().filter(|picture| keyring.key(picture.key_id()).is_none()).count())
}

/// How many pictures have a key and no file. A crash leaves none: a picture's file is
/// written before its key, and removed after it.
pub(crate) fn pictures_without_file(keyring: &RwLock<Keyring>, files: &PictureFiles) -> Result<usize> {
    let there: HashSet<_> = all(files)?.iter().map(|picture| picture.key_id()).collect();
    let keyring = keyring.read();
    Ok(keyring.of_pictures().filter(|(_, key)| !there.contains(key)).count())
}

fn all(files: &PictureFiles) -> Result<Vec<Picture>> {
    files.all().map_err(|error| {
        tracing::error!(%error, "the pictures can't be listed");
        StoreError::Unavailable
    })
}

fn is_lost(index: &Index, keyring: &RwLock<Keyring>, at: &[u8], sealed: &[u8]) -> Result<bool> {
    // A record that does not even name a key is not counted here.
    let Ok(id) = sealed_with(sealed) else { return Ok(false) };
    let seal = keyring.read().key(id).cloned();
    if seal.is_some_and(|seal| seal.open(at, sealed).is_ok()) {
        return Ok(false);
    }
    // It may just have been deleted, or sealed with another key.
    Ok(index.read(at)?.is_some_and(|now| now == sealed))
}
