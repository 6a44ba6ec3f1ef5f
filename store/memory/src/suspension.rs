//! Suspensions in memory.

use annon_store::account::{AccountId, Timestamp};
use annon_store::suspension::{Suspension, Suspensions};
use annon_store::{Result, StoreError};
use async_trait::async_trait;

use crate::{MemoryStore, State};

impl State {
    /// Whether nobody can have a name or an address at `now`.
    pub(crate) fn is_withheld(&self, word: &str, now: Timestamp) -> bool {
        self.withheld.get(word).is_some_and(|until| *until > now)
    }

    pub(crate) fn drop_old_suspensions(&mut self, now: Timestamp) -> usize {
        self.withheld.retain(|_, until| *until > now);
        let before = self.suspensions.len();
        self.suspensions.retain(|_, suspension| suspension.until > now);
        before - self.suspensions.len()
    }
}

#[async_trait]
impl Suspensions for MemoryStore {
    async fn suspend(&self, account: AccountId, suspension: Suspension) -> Result<()> {
        let mut state = self.writing()?;
        if !state.accounts.contains_key(&account) {
            return Err(StoreError::NotFound);
        }
        state.suspensions.insert(account, suspension);
        Ok(())
    }

    async fn of(&self, account: AccountId, now: Timestamp) -> Result<Option<Suspension>> {
        Ok(self.state().suspensions.get(&account).filter(|suspension| suspension.until > now).cloned())
    }

    async fn all(&self, now: Timestamp) -> Result<Vec<(AccountId, Suspension)>> {
        let state = self.state();
        let going_on = state.suspensions.iter().filter(|(_, suspension)| suspension.until > now);
        Ok(going_on.map(|(account, suspension)| (*account, suspension.clone())).collect())
    }

    async fn lift(&self, account: AccountId) -> Result<()> {
        self.writing()?.suspensions.remove(&account);
        Ok(())
    }
}
