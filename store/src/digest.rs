//! Digests: a mail a day, at most, that says how much is waiting for the owner of an account.

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::account::{AccountId, Timestamp};
use crate::error::Result;
use crate::push::Language;

/// A digest comes at the same time of each day.
const EVERY: Timestamp = 24 * 60 * 60;

/// The digest of an account. The order of fields is on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Digest {
    pub language: Language,
    /// When it was switched on. A link that ends it is of this time.
    pub began: Timestamp,
    /// Only what came later is news.
    pub since: Timestamp,
    /// When it is looked at next.
    pub due: Timestamp,
}

impl Digest {
    /// The same, put off to its next day.
    pub(crate) fn put_off(self, now: Timestamp) -> Self {
        let days = now.saturating_sub(self.due) / EVERY + 1;
        Self { due: self.due.saturating_add(days * EVERY), ..self }
    }
}

/// The digests of all accounts that want one. They end with the account.
#[async_trait]
pub trait Digests: Send + Sync {
    async fn of(&self, account: AccountId) -> Result<Option<Digest>>;
    /// Switches a digest on, or replaces it. `NotFound` when the account is gone.
    async fn begin(&self, account: AccountId, digest: Digest) -> Result<()>;
    /// Switches it off; only one that began at `of`, if that is given. It may be off already.
    async fn end(&self, account: AccountId, of: Option<Timestamp>) -> Result<()>;
    /// The accounts whose digests are due, at most `limit`.
    async fn due(&self, now: Timestamp, limit: usize) -> Result<Vec<AccountId>>;
    /// Puts a digest off to its next day, and returns it as it was. Of all who ask, on all nodes, one gets it.
    async fn take(&self, account: AccountId, now: Timestamp) -> Result<Option<Digest>>;
    /// Notes that a mail has told what came until then, if this digest is still that which began at `of`. Until this is
    /// noted, the digest of the next day tells it.
    async fn sent(&self, account: AccountId, of: Timestamp, until: Timestamp) -> Result<()>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_one_is_at_the_same_time_of_a_later_day() {
        let digest = Digest { language: Language::En, began: 5, since: 5, due: 1_000 };
        for (now, days) in [(1_000, 1), (1_000 + EVERY - 1, 1), (1_000 + EVERY, 2), (1_000 + 9 * EVERY + 7, 10)] {
            let next = digest.put_off(now);
            assert_eq!((next.since, next.due, next.began), (5, 1_000 + days * EVERY, 5));
        }
    }
}
