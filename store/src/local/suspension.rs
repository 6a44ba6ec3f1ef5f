//! Suspensions on this machine. Each is sealed with its account's key.

use async_trait::async_trait;

use crate::account::{AccountId, Timestamp};
use crate::error::{Result, StoreError};
use crate::local::Local;
use crate::local::committer::Effect::{Replaces, Shrinks};
use crate::local::transaction::Transaction;
use crate::seals::keyring::Owner;
use crate::shapes::account::WithheldRecord;
use crate::shapes::decode;
use crate::suspension::{Suspension, Suspensions};
use crate::table::{Table, id_after_table, key, suspension_key, withheld_key};

/// Keeps a blinded name or address of an account that is being deleted from others, if the account is
/// suspended.
pub(super) fn withhold(transaction: &mut Transaction<'_>, account: AccountId, blinded: &[u8]) -> Result<()> {
    // A suspension that can't be read keeps nobody from deleting their account.
    let Ok(Some(suspension)) = transaction.sealed::<Suspension>(&suspension_key(account)) else { return Ok(()) };
    transaction.put(withheld_key(blinded), &WithheldRecord(suspension.until))
}

/// Whether nobody can have a blinded name or address at `now`.
pub(super) fn is_withheld(transaction: &Transaction<'_>, blinded: &[u8], now: Timestamp) -> Result<bool> {
    let found: Option<WithheldRecord> = transaction.record(&withheld_key(blinded))?;
    Ok(found.is_some_and(|WithheldRecord(until)| until > now))
}

impl Local {
    fn suspensions(&self) -> Result<Vec<(AccountId, Suspension)>> {
        let all = self.index.under(&key(Table::Suspension, &[]));
        self.page_of("suspension", all, usize::MAX, |key, record| Ok((AccountId(id_after_table(key)?), record)))
    }

    /// Gives back the names and addresses that nobody could have until `now`.
    pub(super) async fn drop_old_withheld(&self, now: Timestamp) -> Result<usize> {
        let is_over = move |value: &[u8]| decode(value).is_ok_and(|WithheldRecord(until)| until <= now);
        let mut over = Vec::new();
        for pair in self.index.under(&key(Table::Withheld, &[])) {
            let (at, value) = pair?;
            // What can't be read is logged, and stays.
            over.extend(is_over(&value).then_some(at));
        }
        if over.is_empty() {
            return Ok(0);
        }
        let work = move |transaction: &mut Transaction<'_>| {
            let mut dropped = 0;
            for at in over {
                // It may just have been withheld again.
                if transaction.bytes(&at)?.is_some_and(|value| is_over(&value)) {
                    transaction.remove(at);
                    dropped += 1;
                }
            }
            Ok::<_, StoreError>(dropped)
        };
        self.committer.write(Replaces, work).await
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
