//! Personal pages in the record, each sealed with the key of its account.

use async_trait::async_trait;
use zeroize::Zeroizing;

use crate::account::AccountId;
use crate::error::Result;
use crate::personal_page::{PageChange, PersonalPage, PersonalPages};
use crate::postgres::errors::Failure;
use crate::postgres::keys::Sealed;
use crate::postgres::{Open, Postgres, once_more};
use crate::seals::keyring::Owner;
use crate::shapes::encode;
use crate::table::personal_page_key;

const SELECT: &str = "SELECT sealed FROM personal_page WHERE owner = $1";

impl Open {
    /// The page in these bytes.
    pub(super) async fn page_in(&self, owner: AccountId, bytes: Option<Vec<u8>>) -> Result<PersonalPage> {
        let Some(bytes) = bytes else { return Ok(PersonalPage::default()) };
        let sealed = Sealed { owner: Owner::Account(owner.0).into(), place: personal_page_key(owner), bytes };
        Ok(self.keys.open(&sealed).await?.unwrap_or_default())
    }

    async fn try_set_up_page(&self, owner: AccountId, change: &PageChange) -> Result<PersonalPage, Failure> {
        let mut transaction = self.record.begin().await?;
        // Whoever changes it at the same time waits for this lock, and reads this page then.
        let account = self.lock(&mut transaction, owner).await?;
        let rows = transaction.query(SELECT, &[&owner.0]).await?;
        let before = self.page_in(owner, rows.first().map(|row| row.get(0))).await?;
        let page = change.clone().of(before);
        let sealed = account.key.seal(&personal_page_key(owner), &Zeroizing::new(encode(&page)?))?;
        let store = "INSERT INTO personal_page (owner, sealed) VALUES ($1, $2) \
             ON CONFLICT (owner) DO UPDATE SET sealed = excluded.sealed";
        transaction.query(store, &[&owner.0, &sealed]).await?;
        transaction.commit().await?;
        Ok(page)
    }
}

#[async_trait]
impl PersonalPages for Postgres {
    async fn look_up(&self, owner: AccountId) -> Result<PersonalPage> {
        let rows = once_more!(self.record.read(SELECT, &[&owner.0]))?;
        self.page_in(owner, rows.first().map(|row| row.get(0))).await
    }

    async fn set_up(&self, owner: AccountId, change: PageChange) -> Result<PersonalPage> {
        self.may_grow()?;
        Ok(once_more!(self.try_set_up_page(owner, &change))?)
    }
}
