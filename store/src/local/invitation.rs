//! Invitations on this machine. Each is sealed with a key of its own.

use async_trait::async_trait;

use crate::account::{SignUpError, Timestamp};
use crate::error::{Result, StoreError};
use crate::invitation::{Invitation, InvitationId, Invitations};
use crate::local::Local;
use crate::local::committer::Effect::{Replaces, Shrinks};
use crate::local::transaction::Transaction;
use crate::seals::keyring::Owner;
use crate::table::{Table, id_after_table, invitation_key, key};

/// Uses an invitation for one sign-up.
pub(super) fn use_once(transaction: &mut Transaction<'_>, id: InvitationId, now: Timestamp) -> Result<(), SignUpError> {
    let found: Option<Invitation> = transaction.sealed(&invitation_key(id))?;
    let invitation = found.filter(|found| found.works_at(now)).ok_or(SignUpError::NotInvited)?;
    match invitation.used_once() {
        Some(left) => transaction.put_sealed(Owner::Invitation(id.0), invitation_key(id), &left)?,
        None => remove(transaction, id),
    }
    Ok(())
}

fn remove(transaction: &mut Transaction<'_>, id: InvitationId) {
    transaction.remove(invitation_key(id));
    transaction.destroy_keys(Owner::Invitation(id.0));
}

impl Local {
    fn invitations(&self) -> Result<Vec<(InvitationId, Invitation)>> {
        let all = self.index.under(&key(Table::Invitation, &[]));
        self.page_of("invitation", all, usize::MAX, |key, record| Ok((InvitationId(id_after_table(key)?), record)))
    }

    /// Removes invitations that are too old, and destroys their keys.
    pub(super) async fn drop_old_invitations(&self, now: Timestamp) -> Result<usize> {
        let mut old = self.invitations()?;
        old.retain(|(_, invitation)| invitation.until <= now);
        let count = old.len();
        if count > 0 {
            self.change(Replaces, move |transaction| old.into_iter().for_each(|(id, _)| remove(transaction, id)))
                .await?;
        }
        Ok(count)
    }
}

#[async_trait]
impl Invitations for Local {
    async fn invite(&self, id: InvitationId, invitation: Invitation) -> Result<()> {
        let work = move |transaction: &mut Transaction<'_>| {
            if transaction.has(&invitation_key(id))? {
                return Err(StoreError::Conflict);
            }
            transaction.new_key(Owner::Invitation(id.0))?;
            transaction.put_sealed(Owner::Invitation(id.0), invitation_key(id), &invitation)
        };
        self.committer.write(Replaces, work).await
    }

    async fn by_id(&self, id: InvitationId, now: Timestamp) -> Result<Option<Invitation>> {
        let found: Option<Invitation> = self.sealed(&invitation_key(id))?;
        Ok(found.filter(|invitation| invitation.works_at(now)))
    }

    async fn all(&self, now: Timestamp) -> Result<Vec<(InvitationId, Invitation)>> {
        let mut all = self.invitations()?;
        all.retain(|(_, invitation)| invitation.works_at(now));
        Ok(all)
    }

    async fn revoke(&self, id: InvitationId) -> Result<()> {
        let work = move |transaction: &mut Transaction<'_>| {
            if !transaction.has(&invitation_key(id))? {
                return Err(StoreError::NotFound);
            }
            remove(transaction, id);
            Ok(())
        };
        self.committer.write(Shrinks, work).await
    }
}
