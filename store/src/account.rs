//! Accounts: who may sign in, and the personal link that leads to them.

use annon_contract::code::Code;
use annon_contract::limits::REVOKED_TOKENS_MAX;
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::error::{Result, StoreError};
use crate::text::unprintable;

mod name;
mod password;

pub use name::{Email, LoginName, NewUsername, Username};
pub use password::{ChangedPassword, CurrentPassword, DeletionPassword, LoginPassword, Password, SignUpPassword};

/// Seconds since 1970, UTC.
pub type Timestamp = u64;

/// The account itself. Never leaves the server: links carry a [`TargetId`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct AccountId(pub Uuid);

/// What a sender addresses a note to. It tells nothing about the account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TargetId(pub Uuid);

/// One sign-in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TokenId(pub Uuid);

/// What a mailed link is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LinkKind {
    /// It sets a new password.
    Reset,
    /// It confirms an address.
    Confirmation,
}

/// The digest of a mailed link's token; the token itself is not kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LinkDigest(pub [u8; 32]);

/// A password as it is kept: an argon2id hash in PHC form.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PasswordHash(pub String);

unprintable!(PasswordHash);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    pub id: AccountId,
    /// The id that notes to it are sent to.
    pub target: TargetId,
    /// The name in their personal link, as they typed it.
    pub username: Username,
    /// Where a reset link is mailed to, once it is confirmed.
    pub email: Email,
    /// What their password must match.
    pub password: PasswordHash,
    pub created: Timestamp,
    /// Whether the address is theirs. Until then it finds nobody, and any
    /// number of accounts may have named it.
    pub confirmed: bool,
}

/// Which tokens of an account are good. Checked on every signed-in request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Access {
    /// Tokens of an older version are dead, but for the spared one.
    pub version: u32,
    /// The token that changed the password goes on.
    pub spared: Option<TokenId>,
    /// Signed-out tokens, and when each would have died anyway.
    pub revoked: Vec<(TokenId, Timestamp)>,
}

impl Access {
    /// Whether this token may act for the account.
    pub fn admits(&self, token: TokenId, version: u32) -> bool {
        (version == self.version || self.spared == Some(token)) && !self.revoked.iter().any(|&(dead, _)| dead == token)
    }

    /// Ends one token, which would have died by itself at `expires`.
    pub fn revoke(&mut self, token: TokenId, expires: Timestamp, now: Timestamp) {
        self.revoked.retain(|&(_, until)| until > now);
        if self.revoked.len() < REVOKED_TOKENS_MAX {
            self.revoked.push((token, expires));
        } else {
            self.revoke_all_but(None);
        }
    }

    /// Ends every token, or every one but the caller's.
    pub fn revoke_all_but(&mut self, spared: Option<TokenId>) {
        self.version = self.version.wrapping_add(1);
        self.spared = spared;
        if spared.is_none() {
            // No token on the list has the new version, so the list is no
            // longer needed.
            self.revoked.clear();
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignUpError {
    /// Somebody has this name, in any mixture of cases.
    NameTaken,
    /// Somebody signed up with this address.
    AddressTaken,
    /// There are as many accounts as there may be.
    Enough,
    Store(StoreError),
}

impl From<StoreError> for SignUpError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<SignUpError> for Code {
    fn from(error: SignUpError) -> Self {
        match error {
            SignUpError::NameTaken => Self::UsernameTaken,
            SignUpError::AddressTaken => Self::EmailTaken,
            SignUpError::Enough => Self::NoMoreAccounts,
            SignUpError::Store(error) => error.into(),
        }
    }
}

/// Everything that is kept about accounts.
///
/// What a call answers is on disk, and what a read shows is, too.
#[async_trait]
pub trait Accounts: Send + Sync {
    /// Adds an account. Names and confirmed addresses are unique regardless of
    /// case, also when two sign-ups race; ids and targets as well (`Conflict`).
    async fn create(&self, account: Account) -> Result<(), SignUpError>;
    /// Whether there are as many as there may be, so that `create` says
    /// `Enough`.
    fn are_enough(&self) -> bool;
    /// The account, if it is still there.
    async fn by_id(&self, id: AccountId) -> Result<Option<Account>>;
    /// The account of that name, in any mixture of cases.
    async fn by_username(&self, username: &Username) -> Result<Option<Account>>;
    /// The account that has that address, in any mixture of cases. One that
    /// has not confirmed it doesn't.
    async fn by_email(&self, email: &Email) -> Result<Option<Account>>;
    /// Whom a personal link leads to.
    async fn by_target(&self, target: TargetId) -> Result<Option<AccountId>>;
    /// Has notes addressed anew: the old target leads nowhere from here on.
    /// `Conflict` when the new one is somebody's.
    async fn new_target(&self, id: AccountId, target: TargetId) -> Result<()>;
    /// Which of the account's tokens are good; `None` when it is gone.
    async fn access(&self, id: AccountId) -> Result<Option<Access>>;
    /// Signs one token out.
    async fn revoke(&self, id: AccountId, token: TokenId, expires: Timestamp, now: Timestamp) -> Result<()>;
    /// Sets a new password and ends every token but `spared`.
    async fn change_password(&self, id: AccountId, password: PasswordHash, spared: Option<TokenId>) -> Result<()>;
    /// Remembers that a link was mailed. It works once, until `expires`, and
    /// one for a reset no longer than the password it was to replace.
    /// `Conflict` when there is one of this digest.
    async fn begin_link(&self, kind: LinkKind, id: AccountId, digest: LinkDigest, expires: Timestamp) -> Result<()>;
    /// Writes as much as `begin_link` does for a reset, for `nobody`: what the
    /// disk does tells nobody whether an address has an account.
    async fn begin_decoy_reset(&self, nobody: AccountId, digest: LinkDigest, expires: Timestamp) -> Result<()>;
    /// Whose link this is, while it works.
    async fn pending_link(&self, kind: LinkKind, digest: LinkDigest, now: Timestamp) -> Result<Option<AccountId>>;
    /// Uses the link up: sets the password, ends every token and every other
    /// link of the account. `NotFound` when the link is used or too old.
    async fn finish_reset(&self, digest: LinkDigest, password: PasswordHash, now: Timestamp) -> Result<AccountId>;
    /// Ends every confirmation link of this one's account. `NotFound` when the
    /// link is used or too old.
    async fn refuse_confirmation(&self, digest: LinkDigest, now: Timestamp) -> Result<()>;
    /// Uses the link up: from now on the address is the account's. `NotFound`
    /// when the link is used or too old, `Conflict` when another account was
    /// first to confirm the address.
    async fn confirm(&self, digest: LinkDigest, now: Timestamp) -> Result<AccountId>;
    /// Removes the account and everything filed under it, and destroys the
    /// key its records were sealed with. `NotFound` when it is gone already.
    async fn delete(&self, id: AccountId) -> Result<()>;
    /// Accounts in the order of their ids, for the operator.
    async fn list(&self, after: Option<AccountId>, limit: usize) -> Result<Vec<Account>>;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(n: u128) -> TokenId {
        TokenId(Uuid::from_u128(n))
    }

    #[test]
    fn signing_out_after_a_change_ends_the_spared_token() {
        let mut access = Access::default();
        access.revoke_all_but(Some(token(1)));
        access.revoke(token(1), 100, 0);
        assert!(!access.admits(token(1), 0));
        access.revoke_all_but(Some(token(2)));
        assert!(!access.admits(token(1), 0));
    }

    #[test]
    fn the_list_of_dead_tokens_is_bounded_and_forgets_what_has_expired() {
        let mut access = Access::default();
        for n in 0..1_000 {
            access.revoke(token(n), 10, 0);
            assert!(!access.admits(token(n), 0));
            assert!(access.revoked.len() <= REVOKED_TOKENS_MAX);
        }
        access.revoke(token(5_000), 30, 20);
        assert_eq!(access.revoked, [(token(5_000), 30)]);
    }
}
