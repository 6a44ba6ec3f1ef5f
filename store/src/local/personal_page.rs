//! Personal pages on this machine.

use async_trait::async_trait;

use crate::account::AccountId;
use crate::error::{Result, StoreError};
use crate::local::Local;
use crate::local::committer::Effect::Grows;
use crate::local::transaction::Transaction;
use crate::personal_page::{PageChange, PersonalPage, PersonalPages};
use crate::seals::keyring::Owner;
use crate::table::personal_page_key;

#[async_trait]
impl PersonalPages for Local {
    async fn look_up(&self, owner: AccountId) -> Result<PersonalPage> {
        Ok(self.sealed(&personal_page_key(owner))?.unwrap_or_default())
    }

    async fn set_up(&self, owner: AccountId, change: PageChange) -> Result<PersonalPage> {
        let work = move |transaction: &mut Transaction<'_>| {
            let at = personal_page_key(owner);
            let page = change.of(transaction.sealed(&at)?.unwrap_or_default());
            // An account that is gone has no key.
            transaction.put_sealed(Owner::Account(owner.0), at, &page)?;
            Ok::<_, StoreError>(page)
        };
        self.committer.write(Grows, work).await
    }
}
