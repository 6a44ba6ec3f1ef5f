//! Copies staged suspensions, with what they withhold.

use super::MigrateError;
use super::records::{Copier, Staged};
use crate::account::AccountId;
use crate::postgres::seconds;
use crate::shapes::account::WithheldRecord;
use crate::shapes::decode;
use crate::suspension::Suspension;
use crate::table::{id_after_table, suspension_key};

impl Copier<'_> {
    pub(super) async fn suspensions(&mut self, some: Vec<Staged>) -> Result<(), MigrateError> {
        let (mut accounts, mut untils, mut sealeds) = (Vec::new(), Vec::new(), Vec::new());
        for (at, sealed) in some {
            let id = AccountId(id_after_table(&at)?);
            let Some((suspension, _)) = self.open::<Suspension>(&suspension_key(id), &sealed) else { continue };
            accounts.push(id.0);
            untils.push(seconds(suspension.until));
            sealeds.push(sealed);
        }
        let insert = "WITH added AS (INSERT INTO suspension (account, until, sealed) \
                 SELECT w.account, w.until, w.sealed \
                 FROM unnest($1::uuid[], $2::int8[], $3::bytea[]) AS w (account, until, sealed) \
                 JOIN account a ON a.id = w.account RETURNING 1) SELECT count(*) FROM added";
        self.migrated.suspensions += self.insert(insert, &[&accounts, &untils, &sealeds]).await?;
        Ok(())
    }

    /// Copies the names and addresses that nobody can have for a while. The secret is the same, so
    /// they stay blinded as they are.
    pub(super) async fn withheld(&mut self, some: Vec<Staged>) -> Result<(), MigrateError> {
        let (mut words, mut untils) = (Vec::new(), Vec::new());
        for (at, value) in some {
            let WithheldRecord(until) = decode(&value)?;
            words.push(at[1..].to_vec());
            untils.push(seconds(until));
        }
        let insert = "WITH added AS (INSERT INTO withheld (word, until) \
             SELECT * FROM unnest($1::bytea[], $2::int8[]) RETURNING 1) SELECT count(*) FROM added";
        self.insert(insert, &[&words, &untils]).await?;
        Ok(())
    }
}
