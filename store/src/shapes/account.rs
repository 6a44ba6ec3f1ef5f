//! Accounts as they are on disk, and the entries that lead to them. The order of
//! fields is on disk, too: a record with another field needs a new version.

use serde::{Deserialize, Serialize};

use crate::account::{Account, AccountId, Email, PasswordHash, TargetId, Timestamp, Username};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct AccountRecord {
    pub(crate) target: TargetId,
    pub(crate) username: Username,
    pub(crate) email: Email,
    pub(crate) password: PasswordHash,
    pub(crate) created: Timestamp,
    pub(crate) confirmed: bool,
}

impl From<Account> for AccountRecord {
    fn from(account: Account) -> Self {
        let Account { id: _, target, username, email, password, created, confirmed } = account;
        Self { target, username, email, password, created, confirmed }
    }
}

impl AccountRecord {
    pub(crate) fn into_account(self, id: AccountId) -> Account {
        let Self { target, username, email, password, created, confirmed } = self;
        Account { id, target, username, email, password, created, confirmed }
    }
}

/// An index entry that leads to an account.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct IdRecord(pub(crate) AccountId);

/// A mailed link: its account, and until when it works.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct LinkRecord {
    pub(crate) account: AccountId,
    pub(crate) expires: Timestamp,
}

/// Until when nobody can sign up with a name or an address.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct WithheldRecord(pub(crate) Timestamp);
