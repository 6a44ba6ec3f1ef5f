//! For how long things are kept where the operator has set a limit, and what has lapsed.
//!
//! Of an account it is kept in which month it was last used, and only where accounts lapse that nobody uses. A month
//! has 30 days here, so what is on disk tells no day.

use std::mem;

use annon_contract::limits::{UNUSED_TOLD_BEFORE, USED_WITHIN};
use async_trait::async_trait;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use crate::account::{Account, AccountId, Timestamp};
use crate::error::Result;
use crate::known::KnownIn;

const DAY: u64 = 24 * 60 * 60;
const MONTH: u64 = USED_WITHIN.as_secs();

/// For how many days each is kept; `None` means for ever.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Kept {
    pub notes: Option<u32>,
    pub feedback: Option<u32>,
    /// Accounts that nobody uses.
    pub accounts: Option<u32>,
}

/// When something goes that is kept for so many days.
pub(crate) fn goes(began: Timestamp, days: u32) -> Timestamp {
    began.saturating_add(u64::from(days) * DAY)
}

/// When an account was last used. The order of fields is on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Used {
    pub(crate) month: u32,
    /// The day on which its owner was written to, after that.
    pub(crate) told: Option<u32>,
}

/// What becomes of an account that nobody uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    Stays,
    IsTold,
    Goes,
}

impl Used {
    pub(crate) fn at(now: Timestamp) -> Self {
        Self { month: month_of(now), told: None }
    }

    pub(crate) fn told_at(self, now: Timestamp) -> Self {
        Self { told: Some(u32::try_from(now / DAY).unwrap_or(u32::MAX)), ..self }
    }

    pub(crate) fn began(self) -> Timestamp {
        u64::from(self.month) * MONTH
    }

    /// An account may have been used until the end of its month, and goes some time after its owner was told.
    pub(crate) fn fate(self, days: u32, now: Timestamp) -> Fate {
        let end = self.began() + MONTH;
        let (told_before, goes) = (UNUSED_TOLD_BEFORE.as_secs(), goes(end, days));
        match self.told {
            None if now.saturating_add(told_before) >= goes => Fate::IsTold,
            Some(day) if now >= goes.max(u64::from(day) * DAY + told_before) => Fate::Goes,
            _ => Fate::Stays,
        }
    }
}

fn month_of(now: Timestamp) -> u32 {
    u32::try_from(now / MONTH).unwrap_or(u32::MAX)
}

/// Accounts that have lapsed, or will.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Due {
    /// Whose owners are to be told.
    pub told: Vec<Account>,
    pub over: Vec<AccountId>,
}

/// What an engine has in memory of it.
#[derive(Default)]
pub(crate) struct Lapsing {
    kept: Mutex<Kept>,
    /// Accounts that were used in a month.
    used: KnownIn<AccountId>,
    pub(crate) due: Mutex<Due>,
    /// The last account that a sweep has looked at; the next one goes on behind it.
    pub(crate) looked_at: Mutex<Option<AccountId>>,
}

impl Lapsing {
    pub(crate) fn kept(&self) -> Kept {
        *self.kept.lock()
    }

    pub(crate) fn keep(&self, kept: Kept) {
        *self.kept.lock() = kept;
    }

    /// Whether it is known that an account was used in the month of `now`.
    pub(crate) fn knows(&self, account: AccountId, now: Timestamp) -> bool {
        self.used.knows(month_of(now), &account)
    }

    pub(crate) fn know(&self, account: AccountId, now: Timestamp) {
        self.used.know(month_of(now), account);
    }

    pub(crate) fn take_due(&self) -> Due {
        mem::take(&mut *self.due.lock())
    }
}

/// What lapses. The sweep removes notes and feedback by itself; accounts have to be deleted by who asks what is due.
#[async_trait]
pub trait Lapses: Send + Sync {
    /// Has the sweep keep things for so long. Without it, all is kept.
    fn keep(&self, kept: Kept);
    /// Notes that an account is used, if accounts lapse.
    async fn use_now(&self, account: AccountId, now: Timestamp) -> Result<()>;
    /// What sweeps have found since this was last asked. The owner of an account is told once.
    fn due(&self) -> Due;
    /// When the month began in which an account was last used, if that is kept.
    async fn last_used(&self, account: AccountId) -> Result<Option<Timestamp>>;
    /// Whether an account that was due is still unused.
    async fn is_over(&self, account: AccountId, now: Timestamp) -> Result<bool>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_goes_when_it_was_unused_for_so_long_and_its_owner_was_told_in_time() {
        let used = Used { month: 100, told: None };
        let end = 101 * MONTH + 365 * DAY;
        let told_before = UNUSED_TOLD_BEFORE.as_secs();
        for (now, fate) in [
            (100 * MONTH, Fate::Stays),
            (end - told_before - 1, Fate::Stays),
            (end - told_before, Fate::IsTold),
            (end + 9 * DAY, Fate::IsTold),
        ] {
            assert_eq!(used.fate(365, now), fate, "{now}");
        }
        for (told, goes) in [(end - told_before, end), (end + 40 * DAY, end + 40 * DAY + told_before)] {
            let used = used.told_at(told);
            assert_eq!((used.fate(365, goes - DAY), used.fate(365, goes)), (Fate::Stays, Fate::Goes));
        }
    }

    #[test]
    fn what_is_known_of_a_month_is_forgotten_with_it() {
        let (lapsing, account) = (Lapsing::default(), AccountId(uuid::Uuid::from_u128(7)));
        assert!(!lapsing.knows(account, 5 * MONTH));
        lapsing.know(account, 5 * MONTH);
        assert!(lapsing.knows(account, 6 * MONTH - 1) && !lapsing.knows(account, 6 * MONTH));
    }
}
