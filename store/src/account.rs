//! Accounts: who may sign in, and the personal link that leads to them.

use std::collections::HashMap;

use annon_contract::code::Code;
use annon_contract::limits::REVOKED_TOKENS_MAX;
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::error::{Result, StoreError};
use crate::invitation::InvitationId;
use crate::shield::{InboxDoor, InboxName, TagHash};
use crate::text::unprintable;

mod name;
mod password;

pub use name::{Email, LoginName, NewUsername, Username};
pub use password::{ChangedPassword, CurrentPassword, DeletionPassword, LoginPassword, Password, SignUpPassword};

/// Seconds since 1970, UTC.
pub type Timestamp = u64;

/// The id of an account. It never leaves the server: links have a [`TargetId`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct AccountId(pub Uuid);

/// The id that notes are sent to. It tells nothing about the account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TargetId(pub Uuid);

/// The id of one sign-in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TokenId(pub Uuid);

/// What a mailed link is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LinkKind {
    /// To set a new password.
    Reset,
    /// To confirm an address.
    Confirmation,
}

/// The digest of a mailed link's token. The token itself is not stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LinkDigest(pub [u8; 32]);

/// A password as it is stored: an argon2id hash in PHC form.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PasswordHash(pub String);

unprintable!(PasswordHash);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    pub id: AccountId,
    pub target: TargetId,
    /// The name in the personal link, as it was typed.
    pub username: Username,
    /// The address for reset links, once it is confirmed.
    pub email: Email,
    pub password: PasswordHash,
    pub created: Timestamp,
    /// Whether the owner has confirmed the address. Until then nobody is found
    /// by it, and several accounts may have it.
    pub confirmed: bool,
}

/// Which tokens of an account are valid. Every signed-in request is checked. The
/// order of fields is on disk.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Access {
    /// Tokens of an older version are invalid, except the spared one.
    pub version: u32,
    /// The token that changed the password stays valid.
    pub spared: Option<TokenId>,
    /// Signed-out tokens, and when each would have expired.
    pub revoked: Vec<(TokenId, Timestamp)>,
}

impl Access {
    /// Whether this token is valid.
    pub fn admits(&self, token: TokenId, version: u32) -> bool {
        (version == self.version || self.spared == Some(token)) && !self.revoked.iter().any(|&(dead, _)| dead == token)
    }

    /// Ends one token, which would have expired at `expires`.
    pub fn revoke(&mut self, token: TokenId, expires: Timestamp, now: Timestamp) {
        self.revoked.retain(|&(_, until)| until > now);
        if self.revoked.len() < REVOKED_TOKENS_MAX {
            self.revoked.push((token, expires));
        } else {
            self.revoke_all_but(None);
        }
    }

    /// Ends every token except `spared`.
    pub fn revoke_all_but(&mut self, spared: Option<TokenId>) {
        self.version = self.version.wrapping_add(1);
        self.spared = spared;
        if spared.is_none() {
            // All tokens on the list have an older version.
            self.revoked.clear();
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignUpError {
    /// The invitation is used up, too old, or none.
    NotInvited,
    /// Somebody has this name; upper and lower case are the same.
    NameTaken,
    /// Somebody signed up with this address.
    AddressTaken,
    /// There are as many accounts as are allowed.
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
            SignUpError::NotInvited => Self::InvitationInvalid,
            SignUpError::NameTaken => Self::UsernameTaken,
            SignUpError::AddressTaken => Self::EmailTaken,
            SignUpError::Enough => Self::NoMoreAccounts,
            SignUpError::Store(error) => error.into(),
        }
    }
}

/// The accounts.
#[async_trait]
pub trait Accounts: Send + Sync {
    /// Adds an account. Names and confirmed addresses are unique; upper and
    /// lower case are the same. `Conflict` when the id or the target exists.
    async fn create(&self, account: Account) -> Result<(), SignUpError> {
        self.sign_up(account, None).await
    }
    /// Does what `create` does and, in one step with it, uses an invitation. Without one that
    /// works, nothing is told about names and addresses.
    async fn sign_up(&self, account: Account, invitation: Option<InvitationId>) -> Result<(), SignUpError>;
    /// Whether `create` would answer `Enough`.
    fn are_enough(&self) -> bool;
    async fn by_id(&self, id: AccountId) -> Result<Option<Account>>;
    /// The account of that name; upper and lower case are the same.
    async fn by_username(&self, username: &Username) -> Result<Option<Account>>;
    /// The account that has confirmed that address; upper and lower case are the
    /// same.
    async fn by_email(&self, email: &Email) -> Result<Option<Account>>;
    /// The door of an inbox, for a note with this tag; `None` when nobody has such an inbox. It is
    /// one question, because each note asks it.
    async fn door(&self, inbox: InboxName, tag: Option<TagHash>, now: Timestamp) -> Result<Option<InboxDoor>>;
    /// Gives an account a new target. The old one leads nowhere from then on.
    /// `Conflict` when another account has the new one.
    async fn new_target(&self, id: AccountId, target: TargetId) -> Result<()>;
    /// The account's valid tokens; `None` when the account is gone.
    async fn access(&self, id: AccountId) -> Result<Option<Access>>;
    /// The valid tokens of those of these accounts that are there: one question for all.
    async fn access_of(&self, ids: Vec<AccountId>) -> Result<HashMap<AccountId, Access>> {
        let mut found = HashMap::with_capacity(ids.len());
        for id in ids {
            if let Some(access) = self.access(id).await? {
                found.insert(id, access);
            }
        }
        Ok(found)
    }
    /// Ends one token.
    async fn revoke(&self, id: AccountId, token: TokenId, expires: Timestamp, now: Timestamp) -> Result<()>;
    /// Sets a new password, and ends every token except `spared`. `Conflict` when
    /// the password is no longer `was`: somebody else has set one meanwhile.
    async fn change_password(
        &self,
        id: AccountId,
        was: PasswordHash,
        password: PasswordHash,
        spared: Option<TokenId>,
    ) -> Result<()>;
    /// Stores a mailed link. It works once, until `expires`; a reset link also
    /// ends when the password is changed. `Conflict` when the digest exists.
    async fn begin_link(&self, kind: LinkKind, id: AccountId, digest: LinkDigest, expires: Timestamp) -> Result<()>;
    /// Writes as much as `begin_link` does for a reset, for an id that no account
    /// has: so the disk's load does not tell whether an address has an account.
    async fn begin_decoy_reset(&self, nobody: AccountId, digest: LinkDigest, expires: Timestamp) -> Result<()>;
    /// The account of a link that still works.
    async fn pending_link(&self, kind: LinkKind, digest: LinkDigest, now: Timestamp) -> Result<Option<AccountId>>;
    /// Uses a reset link: sets the password, and ends every token and every
    /// reset link of the account. `NotFound` when it is used or too old.
    async fn finish_reset(&self, digest: LinkDigest, password: PasswordHash, now: Timestamp) -> Result<AccountId>;
    /// Ends every confirmation link of the account that has this link.
    /// `NotFound` when it is used or too old.
    async fn refuse_confirmation(&self, digest: LinkDigest, now: Timestamp) -> Result<()>;
    /// Uses a confirmation link: from then on the account has its address.
    /// `NotFound` when it is used or too old, `Conflict` when another account
    /// has confirmed the address before.
    async fn confirm(&self, digest: LinkDigest, now: Timestamp) -> Result<AccountId>;
    /// Removes the account with its inbox and its rooms, and destroys their
    /// keys. `NotFound` when the account is gone.
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
