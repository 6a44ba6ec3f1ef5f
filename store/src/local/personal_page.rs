//! Personal pages on this machine.

use async_trait::async_trait;

use crate::account::AccountId;
use crate::error::Result;
use crate::local::Local;
use crate::local::committer::Effect::Grows;
use crate::local::transaction::Transaction;
use crate::personal_page::{PersonalPage, PersonalPages};
use crate::seals::keyring::Owner;
use crate::table::personal_page_key;

#[async_trait]
impl PersonalPages for Local {
    async fn look_up(&self, owner: AccountId) -> Result<PersonalPage> {
        Ok(self.sealed(&personal_page_key(owner))?.unwrap_or_default())
    }

    async fn set_up(&self, owner: AccountId, page: PersonalPage) -> Result<()> {
        // An account that is gone has no key.
        let work = move |transaction: &mut Transaction<'_>| {
            transaction.put_sealed(Owner::Account(owner.0), personal_page_key(owner), &page)
        };
        self.committer.write(Grows, work).await
    }
}
