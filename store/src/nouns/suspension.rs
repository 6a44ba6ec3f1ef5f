//! Suspensions. Each is a row, sealed with its account's key. What stays of one whose account is deleted is the
//! name and the address, blinded, and until when nobody else can have them.

use async_trait::async_trait;

use crate::account::{AccountId, Timestamp};
use crate::error::{Result, StoreError};
use crate::nouns::Nouns;
use crate::rows::{Call, Effect, Keep, PutRecords, ReadRecords, Reads, Rows, Span};
use crate::seals::keyring::Owner;
use crate::shapes::account::WithheldRecord;
use crate::shapes::decode;
use crate::suspension::{Suspension, Suspensions};
use crate::table::{Table, id_after_table, key, suspension_key, withheld_key};

/// Keeps a blinded name or address of an account that is being deleted from others, if the account is
/// suspended.
pub(super) async fn withhold<R: Rows>(rows: &mut R, account: AccountId, blinded: &[u8]) -> Result<()> {
    // A suspension that can't be read keeps nobody from deleting their account.
    let Ok(Some(suspension)) = rows.sealed::<Suspension>(&suspension_key(account)).await else { return Ok(()) };
    rows.put_record(withheld_key(blinded), &WithheldRecord(suspension.until))
}

/// Whether nobody can have a blinded name or address at `now`.
pub(super) async fn is_withheld<R: Reads>(rows: &R, blinded: &[u8], now: Timestamp) -> Result<bool> {
    let found: Option<WithheldRecord> = rows.record(&withheld_key(blinded)).await?;
    Ok(found.is_some_and(|WithheldRecord(until)| until > now))
}

fn is_over(withheld: &[u8], now: Timestamp) -> bool {
    // What can't be read is logged, and stays.
    decode(withheld).is_ok_and(|WithheldRecord(until)| until <= now)
}

struct Suspend {
    account: AccountId,
    suspension: Suspension,
}

impl Call for Suspend {
    type Out = ();
    type Error = StoreError;
    // An operator must be able to do this when strangers have filled the disk.
    const EFFECT: Effect = Effect::Replaces;

    fn locks(&self) -> Vec<Vec<u8>> {
        vec![suspension_key(self.account)]
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<()> {
        rows.put_sealed(Owner::Account(self.account.0), suspension_key(self.account), &self.suspension).await
    }
}

struct Lift(AccountId);

impl Call for Lift {
    type Out = ();
    type Error = StoreError;
    const EFFECT: Effect = Effect::Shrinks;

    fn locks(&self) -> Vec<Vec<u8>> {
        vec![suspension_key(self.0)]
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<()> {
        rows.remove(suspension_key(self.0));
        Ok(())
    }
}

/// Removes the suspensions of these accounts that are over, and returns how many those were.
struct DropOld {
    accounts: Vec<AccountId>,
    now: Timestamp,
}

impl Call for DropOld {
    type Out = usize;
    type Error = StoreError;
    const EFFECT: Effect = Effect::Replaces;

    fn locks(&self) -> Vec<Vec<u8>> {
        self.accounts.iter().map(|account| suspension_key(*account)).collect()
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<usize> {
        let mut dropped = 0;
        for account in &self.accounts {
            let at = suspension_key(*account);
            // The operator may just have suspended them again.
            if rows.sealed(&at).await?.is_some_and(|found: Suspension| found.until <= self.now) {
                rows.remove(at);
                dropped += 1;
            }
        }
        Ok(dropped)
    }
}

/// Gives back names and addresses that nobody could have until `now`.
struct GiveBack {
    withheld: Vec<Vec<u8>>,
    now: Timestamp,
}

impl Call for GiveBack {
    type Out = usize;
    type Error = StoreError;
    const EFFECT: Effect = Effect::Replaces;

    fn locks(&self) -> Vec<Vec<u8>> {
        self.withheld.clone()
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<usize> {
        let mut given = 0;
        for at in &self.withheld {
            // It may just have been withheld again.
            if rows.get(at).await?.is_some_and(|value| is_over(&value, self.now)) {
                rows.remove(at.clone());
                given += 1;
            }
        }
        Ok(given)
    }
}

/// The suspension of an account at `now`.
pub(super) async fn of<R: Reads>(rows: &R, account: AccountId, now: Timestamp) -> Result<Option<Suspension>> {
    let found: Option<Suspension> = rows.sealed(&suspension_key(account)).await?;
    Ok(found.filter(|suspension| suspension.until > now))
}

async fn suspensions<R: Reads>(rows: &R) -> Result<Vec<(AccountId, Suspension)>> {
    let all = Span::under(&key(Table::Suspension, &[]));
    let all = rows.page_of("suspension", all, usize::MAX).await?;
    all.into_iter().map(|(at, suspension)| Ok((AccountId(id_after_table(&at)?), suspension))).collect()
}

/// Removes suspensions that are over.
pub(super) async fn drop_old<K: Keep>(keep: &K, now: Timestamp) -> Result<usize> {
    let over = suspensions(&keep.look()).await?.into_iter().filter(|(_, suspension)| suspension.until <= now);
    let accounts: Vec<_> = over.map(|(account, _)| account).collect();
    if accounts.is_empty() { Ok(0) } else { keep.call(DropOld { accounts, now }).await }
}

pub(super) async fn drop_old_withheld<K: Keep>(keep: &K, now: Timestamp) -> Result<usize> {
    let all = keep.look().range(Span::under(&key(Table::Withheld, &[])), usize::MAX).await?;
    let withheld: Vec<_> = all.into_iter().filter(|(_, value)| is_over(value, now)).map(|(at, _)| at).collect();
    if withheld.is_empty() { Ok(0) } else { keep.call(GiveBack { withheld, now }).await }
}

#[async_trait]
impl<K: Keep> Suspensions for Nouns<K> {
    async fn suspend(&self, account: AccountId, suspension: Suspension) -> Result<()> {
        self.0.call(Suspend { account, suspension }).await
    }

    async fn of(&self, account: AccountId, now: Timestamp) -> Result<Option<Suspension>> {
        of(&self.0.look(), account, now).await
    }

    async fn all(&self, now: Timestamp) -> Result<Vec<(AccountId, Suspension)>> {
        let mut all = suspensions(&self.0.look()).await?;
        all.retain(|(_, suspension)| suspension.until > now);
        Ok(all)
    }

    async fn lift(&self, account: AccountId) -> Result<()> {
        self.0.call(Lift(account)).await
    }
}
