//! Invitations in memory.

use annon_store::account::{SignUpError, Timestamp};
use annon_store::invitation::{Invitation, InvitationId, Invitations};
use annon_store::{Result, StoreError};
use async_trait::async_trait;

use crate::{MemoryStore, State};

impl State {
    /// What an invitation becomes by one sign-up; `None` if it is used up.
    pub(crate) fn after_use(&self, id: InvitationId, now: Timestamp) -> Result<Option<Invitation>, SignUpError> {
        let found = self.invitations.get(&id).filter(|found| found.works_at(now));
        Ok(found.ok_or(SignUpError::NotInvited)?.clone().used_once())
    }

    pub(crate) fn drop_old_invitations(&mut self, now: Timestamp) -> usize {
        let before = self.invitations.len();
        self.invitations.retain(|_, invitation| invitation.until > now);
        before - self.invitations.len()
    }
}

#[async_trait]
impl Invitations for MemoryStore {
    async fn invite(&self, id: InvitationId, invitation: Invitation) -> Result<()> {
        let mut state = self.writing()?;
        if state.invitations.contains_key(&id) {
            return Err(StoreError::Conflict);
        }
        state.invitations.insert(id, invitation);
        Ok(())
    }

    async fn by_id(&self, id: InvitationId, now: Timestamp) -> Result<Option<Invitation>> {
        Ok(self.state().invitations.get(&id).filter(|invitation| invitation.works_at(now)).cloned())
    }

    async fn all(&self, now: Timestamp) -> Result<Vec<(InvitationId, Invitation)>> {
        let state = self.state();
        let working = state.invitations.iter().filter(|(_, invitation)| invitation.works_at(now));
        Ok(working.map(|(id, invitation)| (*id, invitation.clone())).collect())
    }

    async fn revoke(&self, id: InvitationId) -> Result<()> {
        self.writing()?.invitations.remove(&id).map(drop).ok_or(StoreError::NotFound)
    }
}
