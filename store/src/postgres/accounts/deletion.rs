//! The end of an account, and of all that goes with it.

use std::sync::atomic::Ordering;

use crate::account::{AccountId, LinkKind};
use crate::error::StoreError;
use crate::postgres::Open;
use crate::postgres::errors::Failure;
use crate::seals::keyring::Owner;
use crate::seals::{KeyId, sealed_with};

impl Open {
    /// Deletes an account. Its keys are doomed, and destroyed by `bury`.
    pub(super) async fn try_delete(&self, id: AccountId) -> Result<(), Failure> {
        let mut transaction = self.record.begin().await?;
        let delete = "DELETE FROM account WHERE id = $1 RETURNING sealed, inbox_key, name, email, confirmed";
        let deleted = transaction.query(delete, &[&id.0]).await?;
        let row = deleted.first().ok_or(StoreError::NotFound)?;
        transaction.doom(Owner::Account(id.0), sealed_with(row.get(0))?).await?;
        if let Some(key) = row.get::<_, Option<i64>>(1) {
            transaction.doom(Owner::Inbox(id.0), KeyId(key.cast_unsigned())).await?;
        }
        let ended = transaction.end_rooms_of(id).await?;
        let conversations = transaction.end_conversations_of(id, 0, usize::MAX).await?;
        transaction.drop_links(LinkKind::Reset, id).await?;
        transaction.drop_links(LinkKind::Confirmation, id).await?;
        transaction.remove_shield(id).await?;
        let (name, email, confirmed): (Vec<u8>, Vec<u8>, bool) = (row.get(2), row.get(3), row.get(4));
        // An address that is not confirmed may be another account's.
        let words: Vec<_> = [name].into_iter().chain(confirmed.then_some(email)).collect();
        transaction.end_suspension(id, &words).await?;
        transaction.query("DELETE FROM note WHERE owner = $1", &[&id.0]).await?;
        transaction.forget_all_publicity(id).await?;
        transaction.query("DELETE FROM personal_page WHERE owner = $1", &[&id.0]).await?;
        let count = "UPDATE meta SET accounts = accounts - 1 RETURNING accounts";
        let counted = transaction.query(count, &[]).await?;
        transaction.commit().await?;
        self.common.open_shields.drop_of(id);
        self.common.conversation_changes.ended_with_account(id, &conversations);
        ended.into_iter().for_each(|room| self.wire.wire().poke(room));
        let count = counted.first().map_or(0, |row| row.get::<_, i64>(0));
        self.accounts.store(count.unsigned_abs(), Ordering::Relaxed);
        Ok(())
    }
}
