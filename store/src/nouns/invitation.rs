//! Invitations. Each is a row, sealed with a key of its own.

use async_trait::async_trait;

use crate::account::{SignUpError, Timestamp};
use crate::error::{Result, StoreError};
use crate::invitation::{Invitation, InvitationId, Invitations};
use crate::nouns::Nouns;
use crate::rows::{Call, Effect, Keep, PutRecords, ReadRecords, Reads, Rows, Span};
use crate::seals::keyring::Owner;
use crate::table::{Table, id_after_table, invitation_key, key};

/// Uses an invitation for one sign-up.
pub(crate) async fn use_once<R: Rows>(rows: &mut R, id: InvitationId, now: Timestamp) -> Result<(), SignUpError> {
    let found: Option<Invitation> = rows.sealed(&invitation_key(id)).await?;
    let invitation = found.filter(|found| found.works_at(now)).ok_or(SignUpError::NotInvited)?;
    match invitation.used_once() {
        Some(left) => rows.put_sealed(Owner::Invitation(id.0), invitation_key(id), &left).await?,
        None => remove(rows, id).await?,
    }
    Ok(())
}

async fn remove<R: Rows>(rows: &mut R, id: InvitationId) -> Result<()> {
    rows.remove(invitation_key(id));
    rows.destroy_keys(Owner::Invitation(id.0)).await
}

struct Invite {
    id: InvitationId,
    invitation: Invitation,
}

impl Call for Invite {
    type Out = ();
    type Error = StoreError;
    const EFFECT: Effect = Effect::Replaces;

    fn locks(&self) -> Vec<Vec<u8>> {
        vec![invitation_key(self.id)]
    }

    fn births(&self) -> Vec<Owner> {
        vec![Owner::Invitation(self.id.0)]
    }

    fn made(&self) -> Option<(Vec<u8>, ())> {
        Some((invitation_key(self.id), ()))
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<()> {
        let (owner, at) = (Owner::Invitation(self.id.0), invitation_key(self.id));
        if rows.has(&at).await? {
            return Err(StoreError::Conflict);
        }
        rows.new_key(owner).await?;
        rows.put_sealed(owner, at, &self.invitation).await
    }
}

struct Revoke(InvitationId);

impl Call for Revoke {
    type Out = ();
    type Error = StoreError;
    const EFFECT: Effect = Effect::Shrinks;

    fn locks(&self) -> Vec<Vec<u8>> {
        vec![invitation_key(self.0)]
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<()> {
        if !rows.has(&invitation_key(self.0)).await? {
            return Err(StoreError::NotFound);
        }
        remove(rows, self.0).await
    }
}

struct DropOld(Vec<InvitationId>);

impl Call for DropOld {
    type Out = ();
    type Error = StoreError;
    const EFFECT: Effect = Effect::Replaces;

    fn locks(&self) -> Vec<Vec<u8>> {
        self.0.iter().map(|id| invitation_key(*id)).collect()
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<()> {
        for id in &self.0 {
            remove(rows, *id).await?;
        }
        Ok(())
    }
}

async fn invitations<R: Reads>(rows: &R) -> Result<Vec<(InvitationId, Invitation)>> {
    let all = Span::under(&key(Table::Invitation, &[]));
    let all = rows.page_of("invitation", all, usize::MAX).await?;
    all.into_iter().map(|(at, invitation)| Ok((InvitationId(id_after_table(&at)?), invitation))).collect()
}

/// Removes invitations that are too old, and destroys their keys.
pub(crate) async fn drop_old<K: Keep>(keep: &K, now: Timestamp) -> Result<usize> {
    let old = invitations(&keep.look()).await?.into_iter().filter(|(_, invitation)| invitation.until <= now);
    let old: Vec<_> = old.map(|(id, _)| id).collect();
    let count = old.len();
    if count > 0 {
        keep.call(DropOld(old)).await?;
    }
    Ok(count)
}

#[async_trait]
impl<K: Keep> Invitations for Nouns<K> {
    async fn invite(&self, id: InvitationId, invitation: Invitation) -> Result<()> {
        self.0.call(Invite { id, invitation }).await
    }

    async fn by_id(&self, id: InvitationId, now: Timestamp) -> Result<Option<Invitation>> {
        let found: Option<Invitation> = self.0.look().sealed(&invitation_key(id)).await?;
        Ok(found.filter(|invitation| invitation.works_at(now)))
    }

    async fn all(&self, now: Timestamp) -> Result<Vec<(InvitationId, Invitation)>> {
        let mut all = invitations(&self.0.look()).await?;
        all.retain(|(_, invitation)| invitation.works_at(now));
        Ok(all)
    }

    async fn revoke(&self, id: InvitationId) -> Result<()> {
        self.0.call(Revoke(id)).await
    }
}
