//! Personal pages. Each is a row, sealed with its account's key, so that it goes with the account.

use async_trait::async_trait;

use crate::account::AccountId;
use crate::error::{Result, StoreError};
use crate::nouns::Nouns;
use crate::personal_page::{PageChange, PersonalPage, PersonalPages};
use crate::rows::{Call, Effect, Keep, PutRecords, ReadRecords, Reads, Rows};
use crate::seals::keyring::Owner;
use crate::table::personal_page_key;

struct SetUp {
    owner: AccountId,
    change: PageChange,
}

impl Call for SetUp {
    type Out = PersonalPage;
    type Error = StoreError;
    const EFFECT: Effect = Effect::Grows;

    fn locks(&self) -> Vec<Vec<u8>> {
        vec![personal_page_key(self.owner)]
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<PersonalPage> {
        let at = personal_page_key(self.owner);
        let page = self.change.clone().of(rows.sealed(&at).await?.unwrap_or_default());
        // An account that is gone has no key.
        rows.put_sealed(Owner::Account(self.owner.0), at, &page).await?;
        Ok(page)
    }
}

/// What an owner has set up.
pub(super) async fn of<R: Reads>(rows: &R, owner: AccountId) -> Result<PersonalPage> {
    Ok(rows.sealed(&personal_page_key(owner)).await?.unwrap_or_default())
}

#[async_trait]
impl<K: Keep> PersonalPages for Nouns<K> {
    async fn look_up(&self, owner: AccountId) -> Result<PersonalPage> {
        of(&self.0.look(), owner).await
    }

    async fn set_up(&self, owner: AccountId, change: PageChange) -> Result<PersonalPage> {
        self.0.call(SetUp { owner, change }).await
    }
}
