//! Suspensions in the record. Each is sealed with its account's key. Every call looks here, so
//! all nodes notice a suspension at once.

use async_trait::async_trait;
use tokio_postgres::Row;
use zeroize::Zeroizing;

use crate::account::{AccountId, Timestamp};
use crate::error::{Result, StoreError};
use crate::postgres::errors::Failure;
use crate::postgres::keys::{Sealed, Whose};
use crate::postgres::{Open, Postgres, Transaction, once_more, seconds};
use crate::seals::keyring::Owner;
use crate::seals::sealed_with;
use crate::shapes::encode;
use crate::suspension::{Suspension, Suspensions};
use crate::table::suspension_key;

/// The suspension in a row of `account` and `sealed`.
fn sealed(row: &Row) -> Sealed {
    let account = AccountId(row.get(0));
    Sealed { owner: Owner::Account(account.0).into(), place: suspension_key(account), bytes: row.get(1) }
}

impl Transaction {
    /// Ends the suspension of an account that is being deleted. If there was one, nobody gets these
    /// blinded words until it would have been over.
    pub(super) async fn end_suspension(&mut self, account: AccountId, words: &[Vec<u8>]) -> Result<(), Failure> {
        let insert = "WITH ended AS (DELETE FROM suspension WHERE account = $1 RETURNING until) \
             INSERT INTO withheld (word, until) SELECT word, until FROM ended, unnest($2::bytea[]) AS w (word) \
             ON CONFLICT (word) DO UPDATE SET until = greatest(withheld.until, excluded.until)";
        self.query(insert, &[&account.0, &words]).await.map(drop)
    }

    /// Whether nobody can have a blinded word at `now`.
    pub(super) async fn is_withheld(&mut self, word: &[u8], now: Timestamp) -> Result<bool, Failure> {
        let select = "SELECT 1 FROM withheld WHERE word = $1 AND until > $2";
        Ok(!self.query(select, &[&word, &seconds(now)]).await?.is_empty())
    }
}

impl Open {
    async fn try_suspend(&self, account: AccountId, suspension: &Suspension) -> Result<(), Failure> {
        let mut transaction = self.record.begin().await?;
        // While it is locked, the account can't be deleted.
        let lock = "SELECT sealed FROM account WHERE id = $1 FOR NO KEY UPDATE";
        let locked = transaction.query(lock, &[&account.0]).await?;
        let whose = Whose::from(Owner::Account(account.0));
        let key_id = sealed_with(locked.first().ok_or(StoreError::NotFound)?.get(0))?;
        let key = self.keys.key((whose, key_id)).await?.ok_or(StoreError::NotFound)?;
        let sealed = key.seal(&suspension_key(account), &Zeroizing::new(encode(suspension)?))?;
        let insert = "INSERT INTO suspension (account, until, sealed) VALUES ($1, $2, $3) \
             ON CONFLICT (account) DO UPDATE SET until = excluded.until, sealed = excluded.sealed";
        transaction.query(insert, &[&account.0, &seconds(suspension.until), &sealed]).await?;
        transaction.commit().await
    }

    async fn try_lift(&self, account: AccountId) -> Result<(), Failure> {
        let mut transaction = self.record.begin().await?;
        transaction.query("DELETE FROM suspension WHERE account = $1", &[&account.0]).await?;
        transaction.commit().await
    }

    /// Removes suspensions that are over, and gives back what was withheld for as long.
    pub(super) async fn try_drop_old_suspensions(&self) -> Result<usize, Failure> {
        let mut transaction = self.record.begin().await?;
        let delete = "DELETE FROM suspension \
             WHERE until <= (SELECT floor(extract(epoch FROM clock_timestamp()))::int8) RETURNING 1";
        let dropped = transaction.query(delete, &[]).await?.len();
        let delete = "DELETE FROM withheld \
             WHERE until <= (SELECT floor(extract(epoch FROM clock_timestamp()))::int8)";
        transaction.query(delete, &[]).await?;
        transaction.commit().await?;
        Ok(dropped)
    }
}

#[async_trait]
impl Suspensions for Postgres {
    async fn suspend(&self, account: AccountId, suspension: Suspension) -> Result<()> {
        Ok(once_more!(self.try_suspend(account, &suspension))?)
    }

    async fn of(&self, account: AccountId, now: Timestamp) -> Result<Option<Suspension>> {
        let select = "SELECT account, sealed FROM suspension WHERE account = $1 AND until > $2";
        let found = once_more!(self.record.read(select, &[&account.0, &seconds(now)]))?;
        let Some(row) = found.first() else { return Ok(None) };
        self.keys.open(&sealed(row)).await
    }

    async fn all(&self, now: Timestamp) -> Result<Vec<(AccountId, Suspension)>> {
        let select = "SELECT account, sealed FROM suspension WHERE until > $1 ORDER BY account";
        let found = once_more!(self.record.read(select, &[&seconds(now)]))?;
        let all: Vec<_> = found.iter().map(sealed).collect();
        let opened = self.keys.open_all::<Suspension>("suspension", &all).await?;
        let pairs = found.iter().zip(opened);
        Ok(pairs.filter_map(|(row, suspension)| Some((AccountId(row.get(0)), suspension?))).collect())
    }

    async fn lift(&self, account: AccountId) -> Result<()> {
        Ok(once_more!(self.try_lift(account))?)
    }
}
