//! Invitations in the record. Each is sealed with a key of its own.

use async_trait::async_trait;
use tokio_postgres::Row;
use uuid::Uuid;
use zeroize::Zeroizing;

use crate::account::Timestamp;
use crate::error::{Result, StoreError};
use crate::invitation::{Invitation, InvitationId, Invitations};
use crate::postgres::errors::Failure;
use crate::postgres::keys::Sealed;
use crate::postgres::lease::Transaction;
use crate::postgres::{Open, Postgres, once_more, seconds};
use crate::seals::keyring::Owner;
use crate::seals::{SealKey, sealed_with};
use crate::shapes::encode;
use crate::table::invitation_key;

fn sealed(id: Uuid, bytes: Vec<u8>) -> Sealed {
    Sealed { owner: Owner::Invitation(id).into(), place: invitation_key(InvitationId(id)), bytes }
}

/// The bytes of a record.
fn seal(id: InvitationId, invitation: &Invitation, key: &SealKey) -> Result<Vec<u8>> {
    key.seal(&invitation_key(id), &Zeroizing::new(encode(invitation)?))
}

impl Open {
    async fn add_invitation(&self, id: InvitationId, invitation: Invitation) -> Result<()> {
        let key = self.keys.birth(Owner::Invitation(id.0)).await?;
        let added = once_more!(self.try_add_invitation(id, &invitation, &key));
        if !matches!(added, Ok(()) | Err(Failure::Unknown)) {
            self.keys.destroy(&[(Owner::Invitation(id.0).into(), key.id)]).await?;
        }
        Ok(added?)
    }

    async fn try_add_invitation(
        &self,
        id: InvitationId,
        invitation: &Invitation,
        key: &SealKey,
    ) -> Result<(), Failure> {
        let sealed = seal(id, invitation, key)?;
        let mut transaction = self.record.begin().await?;
        let insert = "INSERT INTO invitation (id, until, sealed) VALUES ($1, $2, $3)";
        transaction.query(insert, &[&id.0, &seconds(invitation.until), &sealed]).await?;
        transaction.commit().await
    }

    /// An invitation that works at `now`.
    pub(super) async fn invitation(&self, id: InvitationId, now: Timestamp) -> Result<Option<Invitation>> {
        let rows = once_more!(self.record.read("SELECT sealed FROM invitation WHERE id = $1", &[&id.0]))?;
        let Some(row) = rows.first() else { return Ok(None) };
        let found: Option<Invitation> = self.keys.open(&sealed(id.0, row.get(0))).await?;
        Ok(found.filter(|invitation| invitation.works_at(now)))
    }

    /// Uses an invitation for one sign-up, in whose transaction it is locked. `NotFound` when it
    /// doesn't work at `now`.
    pub(super) async fn use_once(
        &self,
        transaction: &mut Transaction,
        id: InvitationId,
        now: Timestamp,
    ) -> Result<(), Failure> {
        let select = "SELECT sealed FROM invitation WHERE id = $1 FOR UPDATE";
        let found = transaction.query(select, &[&id.0]).await?;
        let old = sealed(id.0, found.first().ok_or(StoreError::NotFound)?.get(0));
        let key = self.keys.key((old.owner, sealed_with(&old.bytes)?)).await?.ok_or(StoreError::NotFound)?;
        let invitation: Invitation = self.keys.open(&old).await?.ok_or(StoreError::NotFound)?;
        if !invitation.works_at(now) {
            return Err(StoreError::NotFound.into());
        }
        match invitation.used_once() {
            Some(left) => {
                let update = "UPDATE invitation SET sealed = $2 WHERE id = $1";
                transaction.query(update, &[&id.0, &seal(id, &left, &key)?]).await?;
            }
            None => {
                transaction.query("DELETE FROM invitation WHERE id = $1", &[&id.0]).await?;
                transaction.doom(Owner::Invitation(id.0), key.id).await?;
            }
        }
        Ok(())
    }

    async fn try_revoke_invitation(&self, id: InvitationId) -> Result<(), Failure> {
        let mut transaction = self.record.begin().await?;
        let delete = "DELETE FROM invitation WHERE id = $1 RETURNING sealed";
        let deleted = transaction.query(delete, &[&id.0]).await?;
        let row = deleted.first().ok_or(StoreError::NotFound)?;
        transaction.doom(Owner::Invitation(id.0), sealed_with(row.get(0))?).await?;
        transaction.commit().await
    }

    /// Removes invitations that are too old, and dooms their keys.
    pub(super) async fn try_drop_old_invitations(&self) -> Result<usize, Failure> {
        let mut transaction = self.record.begin().await?;
        let delete = "DELETE FROM invitation \
             WHERE until <= (SELECT floor(extract(epoch FROM clock_timestamp()))::int8) RETURNING id, sealed";
        let dropped = transaction.query(delete, &[]).await?;
        for row in &dropped {
            transaction.doom(Owner::Invitation(row.get(0)), sealed_with(row.get(1))?).await?;
        }
        transaction.commit().await?;
        Ok(dropped.len())
    }
}

#[async_trait]
impl Invitations for Postgres {
    async fn invite(&self, id: InvitationId, invitation: Invitation) -> Result<()> {
        let this = self.clone();
        self.see_through(async move { this.add_invitation(id, invitation).await }).await
    }

    async fn by_id(&self, id: InvitationId, now: Timestamp) -> Result<Option<Invitation>> {
        self.invitation(id, now).await
    }

    async fn all(&self, now: Timestamp) -> Result<Vec<(InvitationId, Invitation)>> {
        let rows = once_more!(self.record.read("SELECT id, sealed FROM invitation ORDER BY id", &[]))?;
        let all: Vec<_> = rows.iter().map(|row: &Row| sealed(row.get(0), row.get(1))).collect();
        let opened = self.keys.open_all::<Invitation>("invitation", &all).await?;
        let pairs = rows.iter().zip(opened).filter_map(|(row, found)| Some((InvitationId(row.get(0)), found?)));
        Ok(pairs.filter(|(_, invitation)| invitation.works_at(now)).collect())
    }

    async fn revoke(&self, id: InvitationId) -> Result<()> {
        let this = self.clone();
        let work = async move {
            once_more!(this.try_revoke_invitation(id))?;
            this.bury().await
        };
        self.see_through(work).await
    }
}
