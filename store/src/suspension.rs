//! Suspensions: for a while the operator keeps somebody from using their account.

use annon_contract::code::Code;
use annon_contract::limits::SUSPENSION_REASON_MAX;
use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::account::{AccountId, Timestamp};
use crate::error::Result;
use crate::text::{tidy, words};

words! {
    /// Why somebody is suspended, as they read it: 1 to `SUSPENSION_REASON_MAX` characters.
    SuspensionReason(String), tidy, 1..=SUSPENSION_REASON_MAX, Code::FieldsInvalid, Code::FieldsInvalid
}

/// A suspension. It ends by itself. The order of fields is on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suspension {
    pub began: Timestamp,
    pub until: Timestamp,
    pub reason: SuspensionReason,
}

/// The suspensions, at most one of each account. One goes when it is over or lifted, and with
/// its account. Whoever deletes an account that is suspended gains nothing: until the suspension
/// would have been over, nobody can sign up with its name, nor confirm its address.
#[async_trait]
pub trait Suspensions: Send + Sync {
    /// Suspends an account, in place of an earlier suspension. `NotFound` when the account is
    /// gone.
    async fn suspend(&self, account: AccountId, suspension: Suspension) -> Result<()>;
    /// The suspension of an account, unless it is over at `now`.
    async fn of(&self, account: AccountId, now: Timestamp) -> Result<Option<Suspension>>;
    /// Those that are not over at `now`.
    async fn all(&self, now: Timestamp) -> Result<Vec<(AccountId, Suspension)>>;
    /// Lifts a suspension, if there is one.
    async fn lift(&self, account: AccountId) -> Result<()>;
}
