//! Records, as every noun reads and changes them.

use std::borrow::Cow;

use zeroize::Zeroizing;

use crate::error::{Result, StoreError};
use crate::local::Local;
use crate::local::transaction::Transaction;
use crate::rows::Effect;
use crate::seals::keyring::Owner;
use crate::seals::{SealKey, sealed_with};
use crate::shapes::{Record, decode};

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
        decode(&self.unseal_bytes(key, sealed)?)
    }

    /// Opens bytes that are no record, such as a picture's; otherwise as `unseal` does.
    pub(crate) fn unseal_bytes(&self, key: &[u8], sealed: &[u8]) -> Result<Zeroizing<Vec<u8>>> {
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

    fn try_unseal(&self, key: &[u8], sealed: &[u8]) -> Result<Zeroizing<Vec<u8>>> {
        let id = sealed_with(sealed)?;
        let seal = self.keyring.read().key(id).cloned().ok_or(StoreError::NotFound)?;
        seal.open(key, sealed).map(Zeroizing::new).inspect_err(|_| {
            tracing::error!(
                table = key.first().copied().map(char::from).map(String::from),
                "a sealed record does not open"
            );
        })
    }
}
