//! Copies staged reports, with their pictures, and suspensions with what they withhold.

use zeroize::Zeroizing;

use super::MigrateError;
use super::records::{Copier, Staged};
use crate::account::AccountId;
use crate::postgres::seconds;
use crate::report::ReportId;
use crate::seals::keyring::Owner;
use crate::seals::sealed_with;
use crate::shapes::account::WithheldRecord;
use crate::shapes::decode;
use crate::shapes::report::ReportRecord;
use crate::suspension::Suspension;
use crate::table::{id_after_table, number_at_end, report_key, suspension_key};

impl Copier<'_> {
    pub(super) async fn reports(&mut self, some: Vec<Staged>) -> Result<(), MigrateError> {
        let (mut keys, mut ids, mut closed, mut sealeds) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (at, sealed) in some {
            let id = ReportId(id_after_table(&at)?);
            let Some((record, seal_key)) = self.open::<ReportRecord>(&report_key(id), &sealed) else { continue };
            ids.push(id.0);
            closed.push(record.closed.map(seconds));
            sealeds.push(sealed);
            keys.push((Owner::Report(id.0).into(), seal_key));
        }
        self.engine.keys.take_over(&keys).await?;
        let insert = "WITH added AS (INSERT INTO report (id, closed, sealed) \
             SELECT * FROM unnest($1::uuid[], $2::int8[], $3::bytea[]) RETURNING 1) SELECT count(*) FROM added";
        self.migrated.reports += self.insert(insert, &[&ids, &closed, &sealeds]).await?;
        Ok(())
    }

    pub(super) async fn pictures_of_reports(&mut self, some: Vec<Staged>) -> Result<(), MigrateError> {
        let (mut ids, mut numbers, mut sealeds) = (Vec::new(), Vec::new(), Vec::new());
        for (at, sealed) in some {
            let key = sealed_with(&sealed).ok().and_then(|id| self.keyring.key(id));
            let Some(opened) = key.map(|key| key.open(&at, &sealed).map(Zeroizing::new)) else { continue };
            if opened.is_err() {
                self.migrated.damaged += 1;
                continue;
            }
            ids.push(id_after_table(&at)?);
            numbers.push(i32::from(number_at_end(&at)?));
            sealeds.push(sealed);
        }
        // A report that can't be read isn't there, and neither are its pictures.
        let insert = "WITH added AS (INSERT INTO report_picture (report, of, sealed) \
                 SELECT w.report, w.of, w.sealed \
                 FROM unnest($1::uuid[], $2::int4[], $3::bytea[]) AS w (report, of, sealed) \
                 JOIN report r ON r.id = w.report RETURNING 1) SELECT count(*) FROM added";
        self.migrated.pictures += self.insert(insert, &[&ids, &numbers, &sealeds]).await?;
        Ok(())
    }

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
