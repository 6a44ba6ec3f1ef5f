//! Accounts in the record: a row has its name and address blinded, and the account
//! itself sealed.

use std::collections::HashMap;

use async_trait::async_trait;
use tokio_postgres::Row;
use zeroize::Zeroizing;

use crate::account::{
    Access, Account, AccountId, Accounts, Email, LinkDigest, LinkKind, PasswordHash, SignUpError, TargetId, Timestamp,
    TokenId, Username,
};
use crate::error::{Result, StoreError};
use crate::invitation::{InvitationId, Invitations};
use crate::nouns::Nouns;
use crate::postgres::errors::Failure;
use crate::postgres::keys::Sealed;
use crate::postgres::{Open, Postgres, Transaction, once_more};
use crate::seals::keyring::Owner;
use crate::seals::{SealKey, sealed_with};
use crate::shapes::account::AccountRecord;
use crate::shapes::{decode, encode};
use crate::shield::{InboxDoor, InboxName, TagHash};
use crate::table::account_key;

mod deletion;
mod door;
mod personal_page;
mod sign_up;

/// An account whose row this transaction has locked.
struct Locked {
    id: AccountId,
    key: SealKey,
    record: AccountRecord,
    access: Access,
}

fn sealed(id: AccountId, bytes: Vec<u8>) -> Sealed {
    Sealed { owner: Owner::Account(id.0).into(), place: account_key(id), bytes }
}

impl Locked {
    /// Sets a password, and ends every token except `spared`. Reset links are ended by
    /// the caller.
    fn set_password(&mut self, password: PasswordHash, spared: Option<TokenId>) {
        self.record.password = password;
        self.access.revoke_all_but(spared);
    }
}

impl Transaction {
    /// Stores what was changed of a locked account.
    async fn store(&mut self, account: &Locked) -> Result<(), Failure> {
        let Locked { id, key, record, access } = account;
        let sealed = key.seal(&account_key(*id), &Zeroizing::new(encode(record)?))?;
        let update = "UPDATE account SET sealed = $2, access = $3, target = $4, confirmed = $5 WHERE id = $1";
        let (access, target) = (encode(access)?, record.target.0);
        self.query(update, &[&id.0, &sealed, &access, &target, &record.confirmed]).await.map(drop)
    }
}

impl Open {
    /// Locks an account until the transaction ends. `NotFound` when it is gone.
    async fn lock(&self, transaction: &mut Transaction, id: AccountId) -> Result<Locked, Failure> {
        let select = "SELECT sealed, access FROM account WHERE id = $1 FOR NO KEY UPDATE";
        let rows = transaction.query(select, &[&id.0]).await?;
        let row = rows.first().ok_or(StoreError::NotFound)?;
        let sealed = sealed(id, row.get(0));
        let name = (sealed.owner, sealed_with(&sealed.bytes)?);
        let key = self.keys.key(name).await?.ok_or(StoreError::NotFound)?;
        let record = self.keys.open(&sealed).await?.ok_or(StoreError::NotFound)?;
        Ok(Locked { id, key, record, access: decode(row.get(1))? })
    }

    /// Locks the account of a link. The link is looked at again under the lock, since
    /// it works once.
    async fn lock_by_link(
        &self,
        transaction: &mut Transaction,
        kind: LinkKind,
        digest: LinkDigest,
        now: Timestamp,
    ) -> Result<Locked, Failure> {
        let id = transaction.account_of_link(kind, digest, now).await?;
        let account = self.lock(transaction, id).await?;
        transaction.account_of_link(kind, digest, now).await?;
        Ok(account)
    }

    /// The account in a row of `id` and `sealed`.
    async fn account_in(&self, rows: Vec<Row>) -> Result<Option<Account>> {
        let Some(row) = rows.first() else { return Ok(None) };
        let id = AccountId(row.get(0));
        let record: Option<AccountRecord> = self.keys.open(&sealed(id, row.get(1))).await?;
        Ok(record.map(|record| record.into_account(id)))
    }

    async fn try_revoke(
        &self,
        id: AccountId,
        token: TokenId,
        expires: Timestamp,
        now: Timestamp,
    ) -> Result<(), Failure> {
        let mut transaction = self.record.begin().await?;
        let select = "SELECT access FROM account WHERE id = $1 FOR NO KEY UPDATE";
        let rows = transaction.query(select, &[&id.0]).await?;
        let mut access: Access = decode(rows.first().ok_or(StoreError::NotFound)?.get(0))?;
        access.revoke(token, expires, now);
        let update = "UPDATE account SET access = $2 WHERE id = $1";
        transaction.query(update, &[&id.0, &encode(&access)?]).await?;
        transaction.commit().await
    }

    async fn try_new_target(&self, id: AccountId, target: TargetId) -> Result<(), Failure> {
        let mut transaction = self.record.begin().await?;
        let mut account = self.lock(&mut transaction, id).await?;
        if account.record.target == target {
            return Err(StoreError::Conflict.into());
        }
        account.record.target = target;
        transaction.store(&account).await?;
        transaction.commit().await
    }

    async fn try_change_password(
        &self,
        id: AccountId,
        was: &PasswordHash,
        password: &PasswordHash,
        spared: Option<TokenId>,
    ) -> Result<(), Failure> {
        let mut transaction = self.record.begin().await?;
        let mut account = self.lock(&mut transaction, id).await?;
        if account.record.password != *was {
            return Err(StoreError::Conflict.into());
        }
        account.set_password(password.clone(), spared);
        transaction.drop_links(LinkKind::Reset, id).await?;
        transaction.store(&account).await?;
        transaction.commit().await
    }

    async fn try_begin_link(
        &self,
        kind: LinkKind,
        id: AccountId,
        is_decoy: bool,
        digest: LinkDigest,
        expires: Timestamp,
    ) -> Result<(), Failure> {
        let mut transaction = self.record.begin().await?;
        if !transaction.add_link(kind, id, is_decoy, digest, expires).await? {
            let refusal = if is_decoy { StoreError::Conflict } else { StoreError::NotFound };
            return Err(refusal.into());
        }
        transaction.commit().await
    }

    async fn try_finish_reset(
        &self,
        digest: LinkDigest,
        password: &PasswordHash,
        now: Timestamp,
    ) -> Result<AccountId, Failure> {
        let mut transaction = self.record.begin().await?;
        let mut account = self.lock_by_link(&mut transaction, LinkKind::Reset, digest, now).await?;
        account.set_password(password.clone(), None);
        transaction.drop_links(LinkKind::Reset, account.id).await?;
        transaction.store(&account).await?;
        transaction.commit().await?;
        Ok(account.id)
    }

    async fn try_refuse_confirmation(&self, digest: LinkDigest, now: Timestamp) -> Result<(), Failure> {
        let mut transaction = self.record.begin().await?;
        let id = transaction.account_of_link(LinkKind::Confirmation, digest, now).await?;
        transaction.drop_links(LinkKind::Confirmation, id).await?;
        transaction.commit().await
    }

    async fn try_confirm(&self, digest: LinkDigest, now: Timestamp) -> Result<AccountId, Failure> {
        let mut transaction = self.record.begin().await?;
        let mut account = self.lock_by_link(&mut transaction, LinkKind::Confirmation, digest, now).await?;
        account.record.confirmed = true;
        transaction.drop_links(LinkKind::Confirmation, account.id).await?;
        // The index refuses it when somebody else has confirmed the address before.
        transaction.store(&account).await?;
        // Looked at last: the index lets this go on when whoever had the address has deleted their account.
        let email = self.common.blinder.blind(&account.record.email.folded());
        if transaction.is_withheld(&email, now).await? {
            return Err(StoreError::Conflict.into());
        }
        transaction.commit().await?;
        Ok(account.id)
    }
}

#[async_trait]
impl Accounts for Postgres {
    async fn sign_up(&self, account: Account, invitation: Option<InvitationId>) -> Result<(), SignUpError> {
        let this = self.clone();
        let work = async move {
            // Who isn't invited hears nothing of what is taken.
            if let Some(invitation) = invitation
                && Invitations::by_id(&Nouns(this.clone()), invitation, account.created).await?.is_none()
            {
                return Err(SignUpError::NotInvited);
            }
            this.sign_up_once(account, invitation).await
        };
        self.see_through(work).await
    }

    fn are_enough(&self) -> bool {
        Open::are_enough(self)
    }

    async fn by_id(&self, id: AccountId) -> Result<Option<Account>> {
        let select = "SELECT id, sealed FROM account WHERE id = $1";
        self.account_in(once_more!(self.record.read(select, &[&id.0]))?).await
    }

    async fn by_username(&self, username: &Username) -> Result<Option<Account>> {
        let name = self.common.blinder.blind(&username.folded());
        let select = "SELECT id, sealed FROM account WHERE name = $1";
        self.account_in(once_more!(self.record.read(select, &[&&name[..]]))?).await
    }

    async fn by_email(&self, email: &Email) -> Result<Option<Account>> {
        let email = self.common.blinder.blind(&email.folded());
        let select = "SELECT id, sealed FROM account WHERE email = $1 AND confirmed";
        self.account_in(once_more!(self.record.read(select, &[&&email[..]]))?).await
    }

    async fn door(&self, inbox: InboxName, tag: Option<TagHash>, now: Timestamp) -> Result<Option<InboxDoor>> {
        self.door_of(&inbox, tag, now).await
    }

    async fn new_target(&self, id: AccountId, target: TargetId) -> Result<()> {
        Ok(once_more!(self.try_new_target(id, target))?)
    }

    async fn access(&self, id: AccountId) -> Result<Option<Access>> {
        let rows = once_more!(self.record.read("SELECT access FROM account WHERE id = $1", &[&id.0]))?;
        rows.first().map(|row| decode(row.get(0))).transpose()
    }

    async fn access_of(&self, ids: Vec<AccountId>) -> Result<HashMap<AccountId, Access>> {
        let ids: Vec<_> = ids.iter().map(|id| id.0).collect();
        let rows = once_more!(self.record.read("SELECT id, access FROM account WHERE id = ANY ($1)", &[&ids]))?;
        rows.iter().map(|row| Ok((AccountId(row.get(0)), decode(row.get(1))?))).collect()
    }

    async fn revoke(&self, id: AccountId, token: TokenId, expires: Timestamp, now: Timestamp) -> Result<()> {
        Ok(once_more!(self.try_revoke(id, token, expires, now))?)
    }

    async fn change_password(
        &self,
        id: AccountId,
        was: PasswordHash,
        password: PasswordHash,
        spared: Option<TokenId>,
    ) -> Result<()> {
        Ok(once_more!(self.try_change_password(id, &was, &password, spared))?)
    }

    async fn begin_link(&self, kind: LinkKind, id: AccountId, digest: LinkDigest, expires: Timestamp) -> Result<()> {
        Ok(once_more!(self.try_begin_link(kind, id, false, digest, expires))?)
    }

    async fn begin_decoy_reset(&self, nobody: AccountId, digest: LinkDigest, expires: Timestamp) -> Result<()> {
        Ok(once_more!(self.try_begin_link(LinkKind::Reset, nobody, true, digest, expires))?)
    }

    async fn pending_link(&self, kind: LinkKind, digest: LinkDigest, now: Timestamp) -> Result<Option<AccountId>> {
        Ok(once_more!(self.pending(kind, digest, now))?)
    }

    async fn finish_reset(&self, digest: LinkDigest, password: PasswordHash, now: Timestamp) -> Result<AccountId> {
        Ok(once_more!(self.try_finish_reset(digest, &password, now))?)
    }

    async fn refuse_confirmation(&self, digest: LinkDigest, now: Timestamp) -> Result<()> {
        Ok(once_more!(self.try_refuse_confirmation(digest, now))?)
    }

    async fn confirm(&self, digest: LinkDigest, now: Timestamp) -> Result<AccountId> {
        Ok(once_more!(self.try_confirm(digest, now))?)
    }

    async fn delete(&self, id: AccountId) -> Result<()> {
        let this = self.clone();
        let work = async move {
            this.end_most_of(id, None).await?;
            once_more!(this.try_delete(id))?;
            this.bury().await
        };
        self.see_through(work).await
    }

    async fn list(&self, after: Option<AccountId>, limit: usize) -> Result<Vec<Account>> {
        let select = "SELECT id, sealed FROM account WHERE $1::uuid IS NULL OR id > $1 ORDER BY id LIMIT $2";
        let sealed = |row: &Row| sealed(AccountId(row.get(0)), row.get(1));
        let listed = |id, record: AccountRecord| record.into_account(AccountId(id));
        self.page_by_id("account", select, after.map(|id| id.0), limit, sealed, listed).await
    }
}
