//! Mailed links. A link is stored under the digest of its token, and a second
//! time under its account, so that all links of an account can be removed.

use crate::account::{AccountId, LinkDigest, LinkKind, Timestamp};
use crate::error::{Result, StoreError};
use crate::local::Local;
use crate::local::transaction::Transaction;
use crate::shapes::account::LinkRecord;
use crate::table::{Table, key};

impl LinkKind {
    fn by_digest(self) -> Table {
        if self == Self::Reset { Table::Reset } else { Table::Confirm }
    }

    fn of_account(self) -> Table {
        if self == Self::Reset { Table::ResetOf } else { Table::ConfirmOf }
    }

    /// The prefix of all links of this kind.
    pub(crate) fn all(self) -> Vec<u8> {
        key(self.by_digest(), &[])
    }

    fn key(self, digest: &[u8]) -> Vec<u8> {
        key(self.by_digest(), &[digest])
    }

    fn of_key(self, id: AccountId, digest: &[u8]) -> Vec<u8> {
        key(self.of_account(), &[id.0.as_bytes(), digest])
    }

    /// Stores a link. `Conflict` when the digest exists.
    pub(super) fn add(self, transaction: &mut Transaction<'_>, digest: LinkDigest, link: LinkRecord) -> Result<()> {
        if transaction.has(&self.key(&digest.0))? {
            return Err(StoreError::Conflict);
        }
        transaction.put_bytes(self.of_key(link.account, &digest.0), Vec::new());
        transaction.put(self.key(&digest.0), &link)
    }

    /// The account of a link that still works.
    pub(super) fn read(self, local: &Local, digest: LinkDigest, now: Timestamp) -> Result<Option<AccountId>> {
        let link = local.record::<LinkRecord>(&self.key(&digest.0))?;
        Ok(link.filter(|link| link.expires > now).map(|link| link.account))
    }

    /// The account of a link. `NotFound` when it is used or too old.
    pub(super) fn find(self, transaction: &Transaction<'_>, digest: LinkDigest, now: Timestamp) -> Result<AccountId> {
        let link: Option<LinkRecord> = transaction.record(&self.key(&digest.0))?;
        link.filter(|link| link.expires > now).map(|link| link.account).ok_or(StoreError::NotFound)
    }

    /// Removes the link with this key. The account of a link that can't be read
    /// is not known.
    pub(crate) fn remove(self, transaction: &mut Transaction<'_>, link: Vec<u8>, account: Option<AccountId>) {
        if let Some(account) = account {
            transaction.remove(self.of_key(account, &link[1..]));
        }
        transaction.remove(link);
    }

    /// Removes every link of an account.
    pub(super) fn drop_all(self, transaction: &mut Transaction<'_>, id: AccountId) -> Result<()> {
        let prefix = self.of_key(id, &[]);
        for (of, _) in transaction.under(&prefix)? {
            transaction.remove(self.key(&of[prefix.len()..]));
            transaction.remove(of);
        }
        Ok(())
    }
}
