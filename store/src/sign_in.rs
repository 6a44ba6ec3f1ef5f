//! Sign-ins: where an account is signed in, so that its owner can see it and end it.
//!
//! Of a browser only its name and its system's are kept, of times only days, and of addresses nothing. A sign-in goes
//! with its token. One from a browser that the account didn't know stays until its owner has seen it, at most
//! `UNKNOWN_SIGN_IN_DAYS`.

use annon_contract::limits::UNKNOWN_SIGN_IN_DAYS;
use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::account::{Access, AccountId, Timestamp, TokenId};
use crate::error::Result;
use crate::shield::day_of;

/// A program that people sign in with. The order is on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Browser {
    Other,
    Firefox,
    Chrome,
    Edge,
    Opera,
    SamsungInternet,
    Safari,
}

/// What it runs on. The order is on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum System {
    Other,
    Android,
    Ios,
    Windows,
    Mac,
    ChromeOs,
    Linux,
}

/// A sign-in. The order of fields is on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignIn {
    pub token: TokenId,
    /// The version of the account's tokens that this one has.
    pub version: u32,
    pub browser: Browser,
    pub system: System,
    /// The days on which it began and was last used.
    pub began: u32,
    pub used: u32,
    /// When its token expires.
    pub expires: Timestamp,
    /// Whether the account didn't know the browser, and its owner hasn't said yet that they do.
    pub is_unknown: bool,
}

impl SignIn {
    /// Whether its token is valid.
    pub fn is_open(&self, access: &Access, now: Timestamp) -> bool {
        self.expires > now && access.admits(self.token, self.version)
    }

    /// Whether it is kept. What was ended together, as by a new password, is of no interest any more, and an
    /// unknown one that has ended itself is.
    pub(crate) fn is_kept(&self, access: &Access, now: Timestamp) -> bool {
        let is_of_now = self.version == access.version || access.spared == Some(self.token);
        is_of_now && (self.is_open(access, now) || self.is_unknown && day_of(now) < self.last_day())
    }

    /// The day on which nothing of it is kept any more.
    pub(crate) fn last_day(&self) -> u32 {
        let seen = day_of(self.expires) + 1;
        if self.is_unknown { seen.max(self.began.saturating_add(UNKNOWN_SIGN_IN_DAYS)) } else { seen }
    }
}

/// The sign-ins of an account as they are on disk, the oldest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct SignInsRecord(pub(crate) Vec<SignIn>);

/// The sign-ins of accounts.
#[async_trait]
pub trait SignIns: Send + Sync {
    /// Adds a sign-in. `Conflict` when tokens of its version are no longer valid. An account has at most
    /// `SIGN_INS`: one too many ends the oldest.
    async fn begin(&self, account: AccountId, sign_in: SignIn, now: Timestamp) -> Result<()>;
    /// An account's sign-ins that are kept at `now`, the newest first, each with whether it is open.
    async fn of(&self, account: AccountId, now: Timestamp) -> Result<Vec<(SignIn, bool)>>;
    /// Notes on which day a sign-in is used.
    async fn use_now(&self, account: AccountId, token: TokenId, now: Timestamp) -> Result<()>;
    /// Notes that an account's owner knows the browser of a sign-in. `NotFound` when it isn't there.
    async fn recognize(&self, account: AccountId, token: TokenId, now: Timestamp) -> Result<()>;
    /// Ends a sign-in. `NotFound` when it isn't there, or is over.
    async fn end(&self, account: AccountId, token: TokenId, now: Timestamp) -> Result<()>;
    /// Ends all but one.
    async fn end_others(&self, account: AccountId, spared: TokenId, now: Timestamp) -> Result<()>;
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: u64 = 24 * 60 * 60;
    const NOW: Timestamp = 20_000 * DAY + 3_600;

    fn of(is_unknown: bool) -> SignIn {
        let (token, expires) = (TokenId(uuid::Uuid::from_u128(1)), NOW + 7_200);
        let (began, used) = (day_of(NOW), day_of(NOW));
        SignIn {
            token,
            version: 0,
            browser: Browser::Firefox,
            system: System::Android,
            began,
            used,
            expires,
            is_unknown,
        }
    }

    #[test]
    fn it_goes_with_its_token_and_an_unknown_one_later() {
        let access = Access::default();
        assert!(of(false).is_kept(&access, NOW + 7_199) && !of(false).is_kept(&access, NOW + 7_200));
        let end = u64::from(day_of(NOW) + UNKNOWN_SIGN_IN_DAYS) * DAY;
        assert!(of(true).is_kept(&access, end - 1) && !of(true).is_kept(&access, end));
        assert!(!of(true).is_open(&access, NOW + 7_200));
    }

    #[test]
    fn who_signs_out_hides_nothing_and_a_new_password_ends_all() {
        let mut access = Access::default();
        access.revoke(of(true).token, NOW + 7_200, NOW);
        assert!(of(true).is_kept(&access, NOW) && !of(true).is_open(&access, NOW) && !of(false).is_kept(&access, NOW));
        access.revoke_all_but(None);
        assert!(!of(true).is_kept(&access, NOW));
        let mut access = Access::default();
        access.revoke_all_but(Some(of(true).token));
        assert!(of(false).is_open(&access, NOW));
    }
}
