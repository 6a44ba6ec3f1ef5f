//! Deleting an account, with all that is its own.

use std::sync::Arc;

use super::{access_key, email_key, record, target_key, username_key};
use crate::account::{AccountId, LinkKind};
use crate::error::{Result, StoreError};
use crate::nouns::answer::take_all_down;
use crate::nouns::conversation::ending::end_some_of;
use crate::nouns::suspension::withhold;
use crate::nouns::{Common, digest, inbox_seal, links, push, room_link};
use crate::rows::{Call, Effect, Rows, Told};
use crate::seals::keyring::Owner;
use crate::shapes::shield::shield_key;
use crate::table::{
    Table, account_key, inbox_key, key, personal_page_key, push_key, sign_ins_key, suspension_key, used_key,
};

pub(super) struct Delete {
    pub(super) common: Arc<Common>,
    pub(super) id: AccountId,
}

impl Call for Delete {
    type Out = ();
    type Error = StoreError;
    const EFFECT: Effect = Effect::Shrinks;

    fn locks(&self) -> Vec<Vec<u8>> {
        vec![account_key(self.id)]
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<()> {
        let (id, blinder) = (self.id, &self.common.blinder);
        let account = record(rows, id).await?;
        let mut entries = vec![username_key(blinder, &account.username)];
        // An address that is not confirmed may be another account's.
        if account.confirmed {
            entries.push(email_key(blinder, &account.email));
        }
        rows.lock(entries.clone()).await?;
        let ended = end_some_of(rows, id, 0, usize::MAX).await?;
        links::drop_all(rows, LinkKind::Reset, id).await?;
        links::drop_all(rows, LinkKind::Confirmation, id).await?;
        // A room that is created meanwhile comes before this, or is refused
        // since its owner is gone.
        rows.end_rooms_of(id).await?;
        room_link::drop_all(rows, id).await?;
        digest::remove(rows, id).await?;
        inbox_seal::remove(rows, id).await?;
        push::drop_seats_of(rows, id).await?;
        for entry in entries {
            withhold(rows, id, &entry[1..]).await?;
            rows.remove(entry);
        }
        for at in [
            target_key(account.target),
            access_key(id),
            suspension_key(id),
            account_key(id),
            personal_page_key(id),
            push_key(id),
            used_key(id),
            sign_ins_key(id),
            shield_key(id),
            inbox_key(id),
            key(Table::Stale, &[id.0.as_bytes()]),
        ] {
            rows.remove(at);
        }
        for owner in [Owner::Account, Owner::Inbox, Owner::Shield] {
            rows.destroy_keys(owner(id.0)).await?;
        }
        // The notes can't be read any more. The sweeper removes them, a few
        // at a time, since there may be ten thousand.
        rows.put(key(Table::Gone, &[id.0.as_bytes()]), Vec::new());
        take_all_down(rows, id).await?;
        rows.tell(Told::Ended { owner: id, ended, with_account: true });
        Ok(())
    }
}
