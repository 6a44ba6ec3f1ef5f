//! Records, as every noun reads and changes them.

use std::borrow::Cow;

use zeroize::Zeroizing;

use crate::error::{Result, StoreError};
use crate::local::Local;
use crate::local::committer::Effect;
use crate::local::transaction::Transaction;
use crate::seals::keyring::Owner;
use crate::seals::{SealKey, sealed_with};
use crate::shapes::{Record, decode};
use crate::table::{Table, key};

impl Local {
    /// The key that an owner's next record is sealed with.
    pub(crate) fn key_of(&self, owner: Owner) -> Option<SealKey> {
        self.keyring.read().current(owner).cloned()
    }

    /// Makes changes that only the disk can refuse.
    pub(crate) async fn change(
        &self,
        effect: Effect,
        change: impl FnOnce(&mut Transaction<'_>) + Send + 'static,
    ) -> Result<()> {
        let work = move |transaction: &mut Transaction<'_>| {
            change(transaction);
            Ok(())
        };
        self.committer.write(effect, work).await
    }

    /// A record that is not sealed.
    pub(crate) fn record<T: Record>(&self, key: &[u8]) -> Result<Option<T>> {
        self.index.read(key)?.map(|bytes| decode(&bytes)).transpose()
    }

    /// A sealed record; `None` also when its key is destroyed.
    pub(crate) fn sealed<T: Record>(&self, key: &[u8]) -> Result<Option<T>> {
        match self.index.read(key)?.map(|sealed| self.unseal(key, &sealed)).transpose() {
            Err(StoreError::NotFound) => Ok(None),
            other => other,
        }
    }

    /// Opens a sealed record that was read before. `NotFound` when its key was
    /// destroyed meanwhile.
    pub(crate) fn unseal<T: Record>(&self, key: &[u8], sealed: &[u8]) -> Result<T> {
        let mut sealed = Cow::Borrowed(sealed);
        loop {
            match self.try_unseal(key, &sealed) {
                // The owner may just have got a new key.
                Err(StoreError::NotFound) => match self.index.read(key)? {
                    Some(now) if now != *sealed => sealed = Cow::Owned(now),
                    _ => return Err(StoreError::NotFound),
                },
                other => return other,
            }
        }
    }

    /// Opens the first `limit` records of `pairs`, and makes something of each.
    /// Records that were just deleted or can't be read are skipped. How many
    /// can't be read is logged once.
    pub(crate) fn page_of<R: Record, T>(
        &self,
        kind: &'static str,
        pairs: impl Iterator<Item = Result<(Vec<u8>, Vec<u8>)>>,
        limit: usize,
        make: impl Fn(&[u8], R) -> Result<T>,
    ) -> Result<Vec<T>> {
        let mut count = 0;
        let opened = pairs.filter_map(|pair| {
            let (key, sealed) = match pair {
                Ok(pair) => pair,
                Err(error) => return Some(Err(error)),
            };
            match self.unseal(&key, &sealed) {
                Ok(record) => Some(make(&key, record)),
                Err(StoreError::NotFound) => None,
                Err(StoreError::Corrupt) => {
                    count += 1;
                    None
                }
                Err(error) => Some(Err(error)),
            }
        });
        let page = opened.take(limit).collect();
        if count > 0 {
            tracing::error!(kind, count, "records that can't be read were passed over");
        }
        page
    }

    fn try_unseal<T: Record>(&self, key: &[u8], sealed: &[u8]) -> Result<T> {
        let id = sealed_with(sealed)?;
        let seal = self.keyring.read().key(id).cloned().ok_or(StoreError::NotFound)?;
        let plain = seal.open(key, sealed).map(Zeroizing::new).inspect_err(|_| {
            tracing::error!(kind = std::any::type_name::<T>(), "a sealed record does not open");
        })?;
        decode(&plain)
    }
}

/// The key of an owner's record: without it, the owner is not there.
pub(crate) fn home(owner: Owner) -> Vec<u8> {
    match owner {
        Owner::Account(id) | Owner::Inbox(id) => key(Table::Account, &[id.as_bytes()]),
        Owner::Feedback(id) | Owner::FeedbackPicture(id) => key(Table::Feedback, &[id.as_bytes()]),
        Owner::Shield(id) => key(Table::Shield, &[id.as_bytes()]),
        Owner::Report(id) => key(Table::Report, &[id.as_bytes()]),
        Owner::Invitation(id) => key(Table::Invitation, &[id.as_bytes()]),
        Owner::Conversation(id) => key(Table::Conversation, &[id.as_bytes()]),
        Owner::Room(id) | Owner::RoomPictures(id) => key(Table::Room, &[id.as_bytes()]),
    }
}
