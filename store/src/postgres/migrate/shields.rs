//! Copies staged shields, and what inboxes know of tags. The tags of notes come with the notes.

use super::MigrateError;
use super::records::{Copier, Staged};
use crate::account::AccountId;
use crate::error::{Result, StoreError};
use crate::seals::keyring::Owner;
use crate::shapes::decode;
use crate::shapes::shield::{DayRecord, shield_key};
use crate::table::id_after_table;

impl Copier<'_> {
    pub(super) async fn shields(&mut self, some: Vec<Staged>) -> Result<(), MigrateError> {
        let (mut owners, mut sealeds, mut keys) = (Vec::new(), Vec::new(), Vec::new());
        for (at, sealed) in some {
            let owner = AccountId(id_after_table(&at)?);
            let Some(now) = self.keyring.current(Owner::Shield(owner.0)).cloned() else { continue };
            let Some(sealed) = self.with_key(&now, &shield_key(owner), sealed) else { continue };
            owners.push(owner.0);
            sealeds.push(sealed);
            keys.push((Owner::Shield(owner.0).into(), now));
        }
        self.engine.keys.take_over(&keys).await?;
        let insert = "WITH added AS (INSERT INTO shield (owner, sealed) \
                 SELECT w.* FROM unnest($1::uuid[], $2::bytea[]) AS w (owner, sealed) \
                 JOIN account a ON a.id = w.owner RETURNING 1) SELECT count(*) FROM added";
        self.migrated.shields += self.insert(insert, &[&owners, &sealeds]).await?;
        Ok(())
    }

    pub(super) async fn known_tags(&mut self, some: Vec<Staged>) -> Result<(), MigrateError> {
        let (mut owners, mut tags, mut days) = (Vec::new(), Vec::new(), Vec::new());
        for (at, value) in some {
            owners.push(id_after_table(&at)?);
            tags.push(at.get(17..).ok_or(StoreError::Corrupt)?.to_vec());
            days.push(decode::<DayRecord>(&value)?.0.cast_signed());
        }
        let insert = "WITH added AS (INSERT INTO known_tag (owner, tag, day) \
                 SELECT w.* FROM unnest($1::uuid[], $2::bytea[], $3::int[]) AS w (owner, tag, day) \
                 JOIN account a ON a.id = w.owner RETURNING 1) SELECT count(*) FROM added";
        self.insert(insert, &[&owners, &tags, &days]).await?;
        Ok(())
    }

    pub(super) async fn days_of_tags(&mut self, some: Vec<Staged>) -> Result<(), MigrateError> {
        let (mut owners, mut days) = (Vec::new(), Vec::new());
        for (at, _) in some {
            let day: [u8; 4] = at.get(1..5).and_then(|day| day.try_into().ok()).ok_or(StoreError::Corrupt)?;
            days.push(u32::from_be_bytes(day).cast_signed());
            let owner = at.get(5..).and_then(|id| uuid::Uuid::from_slice(id).ok());
            owners.push(owner.ok_or(StoreError::Corrupt)?);
        }
        let insert = "WITH added AS (INSERT INTO day_of_tags (owner, day) \
                 SELECT w.* FROM unnest($1::uuid[], $2::int[]) AS w (owner, day) \
                 JOIN account a ON a.id = w.owner RETURNING 1) SELECT count(*) FROM added";
        self.insert(insert, &[&owners, &days]).await?;
        Ok(())
    }
}
