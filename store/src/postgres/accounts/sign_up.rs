//! Signing up: what is taken, the account's key, and then its row.

use std::sync::atomic::Ordering;

use tokio_postgres::types::ToSql;
use zeroize::Zeroizing;

use crate::account::{Access, Account, AccountId, SignUpError};
use crate::error::StoreError;
use crate::invitation::InvitationId;
use crate::postgres::errors::Failure;
use crate::postgres::{Open, once_more, rows, seconds};
use crate::seals::SealKey;
use crate::seals::keyring::Owner;
use crate::shapes::account::AccountRecord;
use crate::shapes::encode;
use crate::table::account_key;

impl Open {
    /// Whether somebody has what a new account wants to have. What happens after this
    /// is found out when the account is stored.
    async fn is_free(&self, account: &Account) -> Result<(), SignUpError> {
        let select = "WITH held AS (SELECT word FROM withheld WHERE word IN ($1, $2) AND until > $5) \
             SELECT EXISTS (SELECT 1 FROM account WHERE name = $1) OR $1 IN (SELECT word FROM held), \
             EXISTS (SELECT 1 FROM account WHERE email = $2 AND confirmed) OR $2 IN (SELECT word FROM held), \
             EXISTS (SELECT 1 FROM account WHERE id = $3 OR target = $4)";
        let (name, email) = self.blinded(account);
        let now = seconds(account.created);
        let of = [&&name[..] as &(dyn ToSql + Sync), &&email[..], &account.id.0, &account.target.0, &now];
        let found = once_more!(self.record.read(select, &of));
        let found = found.map_err(StoreError::from)?;
        let is_taken = |column| found.first().is_some_and(|row| row.get::<usize, bool>(column));
        if is_taken(0) {
            return Err(SignUpError::NameTaken);
        }
        if account.confirmed && is_taken(1) {
            return Err(SignUpError::AddressTaken);
        }
        if self.are_enough() {
            return Err(SignUpError::Enough);
        }
        if is_taken(2) {
            return Err(StoreError::Conflict.into());
        }
        Ok(())
    }

    fn blinded(&self, account: &Account) -> ([u8; 32], [u8; 32]) {
        (self.common.blinder.blind(&account.username.folded()), self.common.blinder.blind(&account.email.folded()))
    }

    pub(super) fn are_enough(&self) -> bool {
        self.accounts.load(Ordering::Relaxed) >= self.most_accounts as u64
    }

    async fn try_create(
        &self,
        account: &Account,
        invitation: Option<InvitationId>,
        key: &SealKey,
    ) -> Result<(), Failure> {
        let (name, email) = self.blinded(account);
        let id = account.id;
        let record = AccountRecord::from(account.clone());
        let sealed = key.seal(&account_key(id), &Zeroizing::new(encode(&record)?))?;
        let access = encode(&Access::default())?;
        let mut transaction = self.record.begin().await?;
        if let Some(invitation) = invitation {
            transaction = self.use_invitation(transaction, invitation, account.created).await?;
        }
        let insert = "INSERT INTO account (id, name, email, confirmed, target, sealed, access) \
             VALUES ($1, $2, $3, $4, $5, $6, $7)";
        let confirmed = account.confirmed;
        transaction
            .query(insert, &[&id.0, &&name[..], &&email[..], &confirmed, &account.target.0, &sealed, &access])
            .await?;
        // This row is locked by every sign-up, so it comes last.
        let count = "UPDATE meta SET accounts = accounts + 1 WHERE accounts < $1 RETURNING accounts";
        let counted = transaction.query(count, &[&rows(self.most_accounts)]).await?;
        let row = counted.first().ok_or(StoreError::Full)?;
        let count = row.get::<_, i64>(0);
        transaction.commit().await?;
        self.accounts.store(count.unsigned_abs(), Ordering::Relaxed);
        Ok(())
    }

    /// Whether an account is there for good, after a commit of which nobody knows.
    async fn is_there(&self, id: AccountId) -> Result<bool, Failure> {
        let mut lease = self.record.lease().await?;
        let rows = lease.read("SELECT 1 FROM account WHERE id = $1", &[&id.0]).await?;
        self.beat.confirm_on(lease.busy()).await?;
        lease.is_done();
        Ok(!rows.is_empty())
    }

    pub(super) async fn sign_up_once(
        &self,
        account: Account,
        invitation: Option<InvitationId>,
    ) -> Result<(), SignUpError> {
        self.may_grow()?;
        self.is_free(&account).await?;
        let owner = Owner::Account(account.id.0);
        let key = self.keys.birth(owner).await?;
        let failure = match once_more!(self.try_create(&account, invitation, &key)) {
            Ok(()) => return Ok(()),
            Err(Failure::Unknown) => {
                let is_there = once_more!(self.is_there(account.id)).map_err(StoreError::from)?;
                // If it isn't, it may still come: its key stays.
                return if is_there { Ok(()) } else { Err(StoreError::Unreachable.into()) };
            }
            Err(failure) => failure,
        };
        self.keys.destroy(&[(owner.into(), key.id)]).await?;
        Err(match failure {
            Failure::Taken(what) if what == "account_name_key" => SignUpError::NameTaken,
            Failure::Taken(what) if what == "account_email_key" => SignUpError::AddressTaken,
            Failure::Store(StoreError::Full) => SignUpError::Enough,
            Failure::Store(StoreError::NotFound) => SignUpError::NotInvited,
            other => StoreError::from(other).into(),
        })
    }
}
