//! What is done by mailed links.

use std::sync::Arc;

use super::{email_key, put, record, set_password};
use crate::account::{AccountId, LinkDigest, LinkKind, PasswordHash, Timestamp};
use crate::error::{Result, StoreError};
use crate::nouns::suspension::is_withheld;
use crate::nouns::{Common, links};
use crate::rows::{Call, Effect, PutRecords, ReadRecords, Rows};
use crate::shapes::account::{AccountRecord, IdRecord, LinkRecord};
use crate::table::account_key;

/// Locks the account of a link. `NotFound` when the link is used or too old.
async fn lock_account_of<R: Rows>(
    rows: &mut R,
    kind: LinkKind,
    digest: LinkDigest,
    now: Timestamp,
) -> Result<AccountId> {
    let id = links::find(rows, kind, digest, now).await?.ok_or(StoreError::NotFound)?;
    rows.lock(vec![account_key(id)]).await?;
    Ok(id)
}

pub(super) struct BeginLink {
    pub(super) kind: LinkKind,
    pub(super) id: AccountId,
    pub(super) digest: LinkDigest,
    pub(super) expires: Timestamp,
}

impl Call for BeginLink {
    type Out = ();
    type Error = StoreError;
    const EFFECT: Effect = Effect::Grows;

    fn locks(&self) -> Vec<Vec<u8>> {
        vec![account_key(self.id)]
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<()> {
        let Self { kind, id, digest, expires } = *self;
        if !rows.has(&account_key(id)).await? {
            return Err(StoreError::NotFound);
        }
        links::add(rows, kind, digest, LinkRecord { account: id, expires }).await
    }
}

pub(super) struct BeginDecoyReset {
    pub(super) nobody: AccountId,
    pub(super) digest: LinkDigest,
    pub(super) expires: Timestamp,
}

impl Call for BeginDecoyReset {
    type Out = ();
    type Error = StoreError;
    const EFFECT: Effect = Effect::Grows;

    fn locks(&self) -> Vec<Vec<u8>> {
        vec![account_key(self.nobody)]
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<()> {
        let Self { nobody, digest, expires } = *self;
        if rows.has(&account_key(nobody)).await? {
            return Err(StoreError::Conflict);
        }
        links::add(rows, LinkKind::Reset, digest, LinkRecord { account: nobody, expires }).await
    }
}

pub(super) struct FinishReset {
    pub(super) digest: LinkDigest,
    pub(super) password: PasswordHash,
    pub(super) now: Timestamp,
}

impl Call for FinishReset {
    type Out = AccountId;
    type Error = StoreError;
    const EFFECT: Effect = Effect::Replaces;

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<AccountId> {
        let id = lock_account_of(rows, LinkKind::Reset, self.digest, self.now).await?;
        set_password(rows, id, self.password.clone(), None).await?;
        Ok(id)
    }
}

pub(super) struct RefuseConfirmation {
    pub(super) digest: LinkDigest,
    pub(super) now: Timestamp,
}

impl Call for RefuseConfirmation {
    type Out = ();
    type Error = StoreError;
    const EFFECT: Effect = Effect::Shrinks;

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<()> {
        let id = lock_account_of(rows, LinkKind::Confirmation, self.digest, self.now).await?;
        links::drop_all(rows, LinkKind::Confirmation, id).await
    }
}

pub(super) struct Confirm {
    pub(super) common: Arc<Common>,
    pub(super) digest: LinkDigest,
    pub(super) now: Timestamp,
}

impl Call for Confirm {
    type Out = AccountId;
    type Error = StoreError;
    const EFFECT: Effect = Effect::Grows;

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<AccountId> {
        let id = lock_account_of(rows, LinkKind::Confirmation, self.digest, self.now).await?;
        let confirmed = AccountRecord { confirmed: true, ..record(rows, id).await? };
        let by_email = email_key(&self.common.blinder, &confirmed.email);
        rows.lock(vec![by_email.clone()]).await?;
        let is_others = rows.record::<IdRecord>(&by_email).await?.is_some_and(|IdRecord(whose)| whose != id);
        if is_others || is_withheld(rows, &by_email[1..], self.now).await? {
            return Err(StoreError::Conflict);
        }
        links::drop_all(rows, LinkKind::Confirmation, id).await?;
        rows.put_record(by_email, &IdRecord(id))?;
        put(rows, id, &confirmed).await?;
        Ok(id)
    }
}
