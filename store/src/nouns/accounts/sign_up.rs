//! Signing up.

use std::sync::Arc;

use super::{access_key, email_key, target_key, username_key};
use crate::account::{Access, Account, SignUpError};
use crate::error::{Result, StoreError};
use crate::invitation::InvitationId;
use crate::nouns::Common;
use crate::nouns::invitation::use_once;
use crate::nouns::suspension::is_withheld;
use crate::rows::{Call, Effect, PutRecords, ReadRecords, Reads, Rows, Wants};
use crate::seals::keyring::Owner;
use crate::shapes::account::{AccountRecord, IdRecord};
use crate::table::{Table, account_key, invitation_key, key};

pub(super) struct SignUp {
    pub(super) common: Arc<Common>,
    /// How many accounts are allowed.
    pub(super) most: usize,
    pub(super) account: Account,
    pub(super) invitation: Option<InvitationId>,
}

impl SignUp {
    /// Where the name and the address lead to an account.
    fn words(&self) -> [Vec<u8>; 2] {
        let (blinder, Account { username, email, .. }) = (&self.common.blinder, &self.account);
        [username_key(blinder, username), email_key(blinder, email)]
    }

    /// Whether somebody else has a name or an address.
    async fn is_taken<R: Reads>(&self, rows: &R, at: &[u8]) -> Result<bool> {
        Ok(rows.has(at).await? || is_withheld(rows, &at[1..], self.account.created).await?)
    }
}

impl Call for SignUp {
    type Out = ();
    type Error = SignUpError;
    const EFFECT: Effect = Effect::Grows;

    fn locks(&self) -> Vec<Vec<u8>> {
        let Account { id, target, .. } = &self.account;
        let [by_name, by_email] = self.words();
        let invitation = self.invitation.map(invitation_key);
        [account_key(*id), target_key(*target), by_name, by_email].into_iter().chain(invitation).collect()
    }

    fn wants(&self) -> Wants {
        let gone = key(Table::Gone, &[self.account.id.0.as_bytes()]);
        Wants::rows(self.words().into_iter().chain([gone]))
    }

    fn births(&self) -> Vec<Owner> {
        vec![Owner::Account(self.account.id.0)]
    }

    fn made(&self) -> Option<(Vec<u8>, ())> {
        Some((account_key(self.account.id), ()))
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<(), SignUpError> {
        let account = &self.account;
        let [by_name, by_email] = self.words();
        if let Some(invitation) = self.invitation {
            use_once(rows, invitation, account.created).await?;
        }
        if self.is_taken(rows, &by_name).await? {
            return Err(SignUpError::NameTaken);
        }
        // An address that is not confirmed belongs to nobody: whoever
        // signs up with it blocks nobody and learns nothing.
        if account.confirmed && self.is_taken(rows, &by_email).await? {
            return Err(SignUpError::AddressTaken);
        }
        if rows.accounts().await? >= self.most {
            return Err(SignUpError::Enough);
        }
        let id = account.id;
        for there in [key(Table::Gone, &[id.0.as_bytes()]), account_key(id), target_key(account.target)] {
            if rows.has(&there).await? {
                return Err(StoreError::Conflict.into());
            }
        }
        let owner = Owner::Account(id.0);
        rows.new_key(owner).await?;
        rows.put_record(by_name, &IdRecord(id))?;
        if account.confirmed {
            rows.put_record(by_email, &IdRecord(id))?;
        }
        rows.put_record(target_key(account.target), &IdRecord(id))?;
        rows.put_record(access_key(id), &Access::default())?;
        rows.put_sealed(owner, account_key(id), &AccountRecord::from(account.clone())).await?;
        Ok(())
    }
}
