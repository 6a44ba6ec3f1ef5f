//! Mailed links. A link stands under the digest of its token, and a
//! second time under its account, so that all of an account's can be dropped.

use crate::account::{AccountId, LinkDigest, LinkKind, Timestamp};
use crate::error::{Result, StoreError};
use crate::local::base::Base;
use crate::local::table::{Table, key};
use crate::local::transaction::Transaction;
use crate::shapes::account::LinkRecord;

impl LinkKind {
    fn by_digest(self) -> Table {
        if self == Self::Reset { Table::Reset } else { Table::Confirm }
    }

    fn of_account(self) -> Table {
        if self == Self::Reset { Table::ResetOf } else { Table::ConfirmOf }
    }

    /// What every one of these stands under.
    pub(crate) fn all(self) -> Vec<u8> {
        key(self.by_digest(), &[])
    }

    fn key(self, digest: &[u8]) -> Vec<u8> {
        key(self.by_digest(), &[digest])
    }

    fn of_key(self, id: AccountId, digest: &[u8]) -> Vec<u8> {
        key(self.of_account(), &[id.0.as_bytes(), digest])
    }

    /// `Conflict` when there is one of this digest.
    pub(super) fn add(self, transaction: &mut Transaction<'_>, digest: LinkDigest, link: LinkRecord) -> Result<()> {
        if transaction.has(&self.key(&digest.0))? {
            return Err(StoreError::Conflict);
        }
        transaction.put_bytes(self.of_key(link.account, &digest.0), Vec::new());
        transaction.put(self.key(&digest.0), &link)
    }

    /// Whose link this is, while it works.
    pub(super) fn read(self, base: &Base, digest: LinkDigest, now: Timestamp) -> Result<Option<AccountId>> {
        let link = base.record::<LinkRecord>(&self.key(&digest.0))?;
        Ok(link.filter(|link| link.expires > now).map(|link| link.account))
    }

    /// Whose link this is. `NotFound` when it is used or too old.
    pub(super) fn find(self, transaction: &Transaction<'_>, digest: LinkDigest, now: Timestamp) -> Result<AccountId> {
        let link: Option<LinkRecord> = transaction.record(&self.key(&digest.0))?;
        link.filter(|link| link.expires > now).map(|link| link.account).ok_or(StoreError::NotFound)
    }

    /// Removes one that is too old, by its whole key. One that can't be read
    /// names no account.
    pub(crate) fn remove(self, transaction: &mut Transaction<'_>, link: Vec<u8>, account: Option<AccountId>) {
        if let Some(account) = account {
            transaction.remove(self.of_key(account, &link[1..]));
        }
        transaction.remove(link);
    }

    /// Takes back every one of an account.
    pub(super) fn drop_all(self, transaction: &mut Transaction<'_>, id: AccountId) -> Result<()> {
        let prefix = self.of_key(id, &[]);
        for (of, _) in transaction.under(&prefix)? {
            transaction.remove(self.key(&of[prefix.len()..]));
            transaction.remove(of);
        }
        Ok(())
    }
}
