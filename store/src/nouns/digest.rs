//! Digests. Each is a row that is sealed with its account's key; another row says when it is due, so that one need not
//! look at all accounts.

use async_trait::async_trait;

use crate::account::{AccountId, Timestamp};
use crate::digest::{Digest, Digests};
use crate::error::{Result, StoreError};
use crate::nouns::Nouns;
use crate::rows::{Call, Effect, Keep, PutRecords, ReadRecords, Reads, Rows, Span, Wants};
use crate::seals::keyring::Owner;
use crate::table::{Table, digest_key, id_after_day, key, minute};

fn due_key(due: Timestamp, account: AccountId) -> Vec<u8> {
    key(Table::DigestDue, &[&minute(due), account.0.as_bytes()])
}

/// The digest of an account. One that can't be read is none.
async fn of<R: Reads>(rows: &R, account: AccountId) -> Result<Option<Digest>> {
    match rows.sealed(&digest_key(account)).await {
        Err(StoreError::Corrupt) => Ok(None),
        found => found,
    }
}

/// Removes the digest of an account.
pub(super) async fn remove<R: Rows>(rows: &mut R, account: AccountId) -> Result<()> {
    if let Some(digest) = of(rows, account).await? {
        rows.remove(due_key(digest.due, account));
    }
    rows.remove(digest_key(account));
    Ok(())
}

async fn put<R: Rows>(rows: &mut R, account: AccountId, digest: Digest) -> Result<()> {
    rows.put(due_key(digest.due, account), Vec::new());
    rows.put_sealed(Owner::Account(account.0), digest_key(account), &digest).await
}

struct Begin {
    account: AccountId,
    digest: Digest,
}

impl Call for Begin {
    type Out = ();
    type Error = StoreError;
    const EFFECT: Effect = Effect::Grows;

    fn locks(&self) -> Vec<Vec<u8>> {
        vec![digest_key(self.account)]
    }

    fn wants(&self) -> Wants {
        Wants::rows([digest_key(self.account)])
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<()> {
        remove(rows, self.account).await?;
        put(rows, self.account, self.digest).await
    }
}

struct End {
    account: AccountId,
    of: Option<Timestamp>,
}

impl Call for End {
    type Out = ();
    type Error = StoreError;
    const EFFECT: Effect = Effect::Shrinks;

    fn locks(&self) -> Vec<Vec<u8>> {
        vec![digest_key(self.account)]
    }

    fn wants(&self) -> Wants {
        Wants::rows([digest_key(self.account)])
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<()> {
        let began = of(rows, self.account).await?.map(|digest| digest.began);
        if began.is_some() && (self.of.is_none() || self.of == began) {
            remove(rows, self.account).await
        } else {
            Ok(())
        }
    }
}

struct Take {
    account: AccountId,
    now: Timestamp,
}

impl Call for Take {
    type Out = Option<Digest>;
    type Error = StoreError;
    const EFFECT: Effect = Effect::Replaces;

    fn locks(&self) -> Vec<Vec<u8>> {
        vec![digest_key(self.account)]
    }

    fn wants(&self) -> Wants {
        Wants::rows([digest_key(self.account)])
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<Option<Digest>> {
        let Self { account, now } = *self;
        let Some(digest) = of(rows, account).await?.filter(|digest| minute(digest.due) <= minute(now)) else {
            return Ok(None);
        };
        rows.remove(due_key(digest.due, account));
        put(rows, account, digest.put_off(now)).await?;
        Ok(Some(digest))
    }
}

/// Notes until when a digest has told of things.
struct Sent {
    account: AccountId,
    of: Timestamp,
    until: Timestamp,
}

impl Call for Sent {
    type Out = ();
    type Error = StoreError;
    const EFFECT: Effect = Effect::Replaces;

    fn locks(&self) -> Vec<Vec<u8>> {
        vec![digest_key(self.account)]
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<()> {
        match of(rows, self.account).await? {
            Some(digest) if digest.began == self.of => {
                put(rows, self.account, Digest { since: self.until, ..digest }).await
            }
            _ => Ok(()),
        }
    }
}

#[async_trait]
impl<K: Keep> Digests for Nouns<K> {
    async fn of(&self, account: AccountId) -> Result<Option<Digest>> {
        of(&self.0.look(), account).await
    }

    async fn begin(&self, account: AccountId, digest: Digest) -> Result<()> {
        self.0.call(Begin { account, digest }).await
    }

    async fn end(&self, account: AccountId, of: Option<Timestamp>) -> Result<()> {
        self.0.call(End { account, of }).await
    }

    async fn due(&self, now: Timestamp, limit: usize) -> Result<Vec<AccountId>> {
        let end = minute(now.saturating_add(60));
        let due = Span::new(key(Table::DigestDue, &[]), key(Table::DigestDue, &[&end]));
        let found = self.0.look().range(due, limit).await?;
        found.iter().map(|(at, _)| Ok(AccountId(id_after_day(at)?))).collect()
    }

    async fn take(&self, account: AccountId, now: Timestamp) -> Result<Option<Digest>> {
        self.0.call(Take { account, now }).await
    }

    async fn sent(&self, account: AccountId, of: Timestamp, until: Timestamp) -> Result<()> {
        self.0.call(Sent { account, of, until }).await
    }
}
