//! Copies staged invitations, and the pause.

use super::MigrateError;
use super::records::{Copier, Staged};
use crate::invitation::{Invitation, InvitationId};
use crate::postgres::seconds;
use crate::seals::keyring::Owner;
use crate::table::{id_after_table, invitation_key};

impl Copier<'_> {
    pub(super) async fn invitations(&mut self, some: Vec<Staged>) -> Result<(), MigrateError> {
        let (mut keys, mut ids, mut untils, mut sealeds) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (at, sealed) in some {
            let id = InvitationId(id_after_table(&at)?);
            let Some((invitation, seal_key)) = self.open::<Invitation>(&invitation_key(id), &sealed) else { continue };
            ids.push(id.0);
            untils.push(seconds(invitation.until));
            sealeds.push(sealed);
            keys.push((Owner::Invitation(id.0).into(), seal_key));
        }
        self.engine.keys.take_over(&keys).await?;
        let insert = "WITH added AS (INSERT INTO invitation (id, until, sealed) \
             SELECT * FROM unnest($1::uuid[], $2::int8[], $3::bytea[]) RETURNING 1) SELECT count(*) FROM added";
        self.migrated.invitations += self.insert(insert, &[&ids, &untils, &sealeds]).await?;
        Ok(())
    }

    pub(super) async fn pause(&mut self, some: Vec<Staged>) -> Result<(), MigrateError> {
        let records: Vec<_> = some.into_iter().map(|(_, record)| record).collect();
        let insert = "WITH added AS (INSERT INTO pause (record) SELECT * FROM unnest($1::bytea[]) RETURNING 1) \
             SELECT count(*) FROM added";
        self.insert(insert, &[&records]).await.map(drop)?;
        Ok(())
    }
}
