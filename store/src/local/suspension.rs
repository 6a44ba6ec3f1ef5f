//! Suspensions on this machine. Each is sealed with its account's key.

use async_trait::async_trait;

use crate::account::{AccountId, Timestamp};
use crate::error::{Result, StoreError};
use crate::local::Local;
use crate::local::committer::Effect::{Replaces, Shrinks};
use crate::local::transaction::Transaction;
use crate::seals::keyring::Owner;
use crate::suspension::{Suspension, Suspensions};
use crate::table::{Table, id_after_table, key, suspension_key};

impl Local {
    fn suspensions(&self) -> Result<Vec<(AccountId, Suspension)>> {
        let all = self.index.under(&key(Table::Suspension, &[]));
        self.page_of("suspension", all, usize::MAX, |key, record| Ok((AccountId(id_after_table(key)?), record)))
    }

    /// Removes suspensions that are over.
    pub(super) async fn drop_old_suspensions(&self, now: Timestamp) -> Result<usize> {
        let mut dropped = 0;
        for (account, _) in self.suspensions()?.into_iter().filter(|(_, suspension)| suspension.until <= now) {
            let work = move |transaction: &mut Transaction<'_>| {
                let at = suspension_key(account);
                // The operator may just have suspended them again.
                let is_over = transaction.sealed(&at)?.is_some_and(|found: Suspension| found.until <= now);
                if is_over {
                    transaction.remove(at);
                }
                Ok::<_, StoreError>(usize::from(is_over))
            };
            dropped += self.committer.write(Replaces, work).await?;
        }
        Ok(dropped)
    }
}

#[async_trait]
impl Suspensions for Local {
    async fn suspend(&self, account: AccountId, suspension: Suspension) -> Result<()> {
        let work = move |transaction: &mut Transaction<'_>| {
            transaction.put_sealed(Owner::Account(account.0), suspension_key(account), &suspension)
        };
        // An operator must be able to do this when strangers have filled the disk.
        self.committer.write(Replaces, work).await
    }

    async fn of(&self, account: AccountId, now: Timestamp) -> Result<Option<Suspension>> {
        let found: Option<Suspension> = self.sealed(&suspension_key(account))?;
        Ok(found.filter(|suspension| suspension.until > now))
    }

    async fn all(&self, now: Timestamp) -> Result<Vec<(AccountId, Suspension)>> {
        let mut all = self.suspensions()?;
        all.retain(|(_, suspension)| suspension.until > now);
        Ok(all)
    }

    async fn lift(&self, account: AccountId) -> Result<()> {
        self.change(Shrinks, move |transaction| transaction.remove(suspension_key(account))).await
    }
}
